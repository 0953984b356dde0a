"""`pyramid-referee replay`: games that are exported and imported."""

from __future__ import annotations

import base64

import cv2
import numpy as np
import pytest

from tests.ui.cli.conftest import sealed, unsealed
from tests.ui.recorded_games import picture
from ui.errors import StorageError
from ui.storage import game_export as game_file
from ui.storage.game_export import MAX_LINE_BYTES, import_game
from ui.storage.game_store import GameStore


@pytest.mark.parametrize("with_pictures", [False, True])
def test_an_exported_game_comes_back_as_it_was_and_as_one_more(replay, game, tmp_path, with_pictures):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    options = ["--with-pictures"] if with_pictures else []
    assert replay(game, "--export", first, *options) == (0, f"Written: {first}\n", "")
    assert replay("--import", first) == (0, "Stored as game 2.\n", "")
    assert replay(2, "--export", second, *options)[0] == 0
    assert second.read_bytes() == first.read_bytes()
    assert (b"picture" in first.read_bytes()) == with_pictures
    with GameStore.open() as store:
        assert store.check(1) == store.check(2) == len(store.entries(1))
        assert list(store.pictures(2)) == (list(store.pictures(1)) if with_pictures else [])
        assert [found.id for found in store.games()] == [2, 1]


@pytest.mark.parametrize(
    ("cut", "kept", "words"),
    [
        (lambda lines: [*lines[:7], lines[7][:-20]], 6, "Line 8 is cut off or no JSON."),
        (lambda lines: lines[:7], 6, "The file ends after 6 of 16 entries."),
        (lambda lines: lines[:1], 0, "The file ends after 0 of 16 entries."),
        (lambda lines: lines[:4] + lines[5:], 3, "Line 5 was changed, or one before it is missing."),
        (lambda lines: [*lines[:2], lines[2].replace(b"R40", b"R10"), *lines[3:]], 1, "Line 3 was changed"),
        (lambda lines: [*lines[:2], b"\xff\x00" * 900, *lines[3:]], 1, "Line 3 is cut off or no JSON."),
        (lambda lines: [*lines[:2], b"x" * (2 * MAX_LINE_BYTES), *lines[3:]], 1, "Line 3 is cut off or"),
        (lambda lines: [*lines[:2], b"\n", *lines[2:]], 1, "Line 3 is cut off or no JSON."),
    ],
    ids=["in a line", "after a line", "after the first line", "line lost", "line changed", "no text",
         "too long", "blank line"],
)  # fmt: skip
def test_a_broken_file_is_taken_up_to_its_last_sound_line(replay, exported, tmp_path, cut, kept, words):
    path = tmp_path / "broken.jsonl"
    path.write_bytes(b"".join(cut(exported)))
    status, out, err = replay("--import", path)
    assert (status, out) == (1, "Stored as game 2.\n")
    assert err.startswith(f"Only the part before this problem was imported: {words}")
    with GameStore.open() as store:
        assert store.check(2) == kept
        assert store.entries(2) == store.entries(1)[:kept]


@pytest.mark.parametrize(
    "change",
    [{"number": 3}, {"number": None}, {"time": "yesterday"}, {"time": "2026-11-22T20:15"}, {"time": 3},
     {"time": f"2026-11-22T20:15:00.{'0' * 30}+00:00"}, {"kind": "sung"}, {"content": []}, {"content": None},
     {"content": {"x": float("inf")}}, {"content": {"x": "\ud800"}}, {"content": {"x": "x" * 300_000}},
     {"picture": 3}, {"picture": "not base64!"}, {"picture": base64.b64encode(b"no JPEG").decode()},
     {"picture": base64.b64encode(b"\xff\xd8\xff\xe0" * 90).decode()},
     {"picture": base64.b64encode(picture(1) + bytes(310_000)).decode()}],
    ids=lambda change: str(change)[:40],
)  # fmt: skip
def test_an_entry_that_is_not_allowed_ends_the_import(replay, exported, tmp_path, change):
    objects = unsealed(exported)
    objects[2] = objects[2] | change
    path = tmp_path / "changed.jsonl"
    path.write_bytes(b"".join(sealed(objects)))
    status, out, err = replay("--import", path)
    assert (status, out) == (1, "Stored as game 2.\n")
    assert "Line 3 is incomplete or wrong." in err
    with GameStore.open() as store:
        assert store.check(2) == 1


def test_a_picture_that_is_larger_than_any_stored_one_is_refused(replay, exported, tmp_path):
    large = cv2.imencode(".jpg", np.zeros((100, 1281, 3), np.uint8))[1].tobytes()
    objects = unsealed(exported)
    objects[2] = objects[2] | {"picture": base64.b64encode(large).decode()}
    path = tmp_path / "large.jsonl"
    path.write_bytes(b"".join(sealed(objects)))
    assert "Line 3 is incomplete" in replay("--import", path)[2]


@pytest.mark.parametrize(
    "change",
    [{"record": "pyramid-referee game"}, {"version": 2}, {"settings": {}}, {"started": "now"},
     {"finished": "later"}, {"entries": "all"}],
    ids=str,
)  # fmt: skip
def test_a_first_line_of_another_kind_stores_nothing(replay, exported, tmp_path, change):
    objects = unsealed(exported)
    path = tmp_path / "other.jsonl"
    path.write_bytes(b"".join(sealed([objects[0] | change, *objects[1:]])))
    status, out, err = replay("--import", path)
    assert (status, out) == (1, "")
    assert len(err.splitlines()) == 1
    with GameStore.open() as store:
        assert len(store.games()) == 1


@pytest.mark.parametrize("content", [b"", b"\n", b"{}", b"[" * 100_000, bytes(5000)], ids=range(5))
def test_what_is_no_recorded_game_stores_nothing(replay, tmp_path, content):
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    status, out, err = replay("--import", path)
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    with GameStore.open() as store:
        assert store.games() == []


def test_a_game_of_too_many_entries_is_taken_up_to_the_bound(exported, tmp_path, monkeypatch):
    monkeypatch.setattr(game_file, "MAX_ENTRIES", 4)
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"".join(exported))
    with GameStore.open() as store:
        game, problem = import_game(store, path)
        assert isinstance(problem, StorageError)
        assert store.check(game) == 4
