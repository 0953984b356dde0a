"""The store: real data base files, real kills, damage, other versions, other threads."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.rules.game import Setup, Variant, Voice
from referee.rules.options import read_options
from referee.rules.tiles import TILES
from tests.benchmarks.kills import faults, kill_once
from tests.ui.recorded_games import SETTINGS, recorded_file
from ui.errors import StorageError
from ui.storage.database import SCHEMA
from ui.storage.game_entries import MAX_CONTENT_BYTES, EntryKind
from ui.storage.game_settings import GameSettings, settings_from_dict, settings_to_dict
from ui.storage.game_store import GameStore
from ui.storage.paths import user_data_folder
from ui.storage.stored_pictures import MAX_PICTURE_BYTES, MAX_PICTURE_SIDE_PX, pack_picture
from ui.text.errors import error_sentence

SETTLED, SAID = EntryKind.SETTLED, EntryKind.SAID


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.sqlite3"


@pytest.fixture
def store(path):
    with GameStore.open(path) as store:
        yield store


@pytest.fixture
def recorded(path):
    """A store in which a whole game lies, as number 1."""
    path.write_bytes(recorded_file())
    with GameStore.open(path) as store:
        yield store


def change(path, *statements):
    """Change a data base behind the store's back."""
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    db.close()


def test_what_was_stored_is_there_after_opening_again(path):
    with GameStore.open(path) as store:
        game = store.start_game(SETTINGS)
        first = store.append(game, [(SETTLED, {"layout": "R40"}), (SAID, {"event": "placed"})], b"jpeg")
        second = store.append(game, [(EntryKind.CHECK, {})])
    with GameStore.open(path) as store:
        assert (first, second) == (2, 3)
        assert store.settings(game) == SETTINGS
        entries = store.entries(game)
        assert [(entry.number, entry.kind, entry.content, entry.has_picture) for entry in entries] == [
            (1, SETTLED, {"layout": "R40"}, True),
            (2, SAID, {"event": "placed"}, False),
            (3, EntryKind.CHECK, {}, False),
        ]
        assert entries[0].time == entries[1].time
        assert entries[0].time.endswith("+00:00")
        assert list(store.pictures(game)) == [(1, b"jpeg")]
        assert store.check(game) == 3
        assert store.aside is None


def test_unicode_comes_back_as_it_was(store):
    game = store.start_game(GameSettings(Setup(), source="cuisine d'été 🍳.mp4"))
    store.append(game, [(EntryKind.ANSWER, {"text": "Zoë\n\u2028\0 ← שלום 🔥"})])
    assert store.entries(game)[0].content == {"text": "Zoë\n\u2028\0 ← שלום 🔥"}
    assert store.settings(game).source == "cuisine d'été 🍳.mp4"


def test_every_setting_is_kept(store):
    options = read_options({"curse": True, "fire_die": "older"})
    setup = Setup(4, Variant.STRATEGY, Voice.SILENT, options, (TILES["M200"],))
    settings = GameSettings(setup, "0", ("A", "B", "C", "D"), "kitchen")
    game = store.start_game(settings)
    assert store.settings(game) == settings
    assert store.head(game).settings["schema"] == SCHEMA


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("rtsp://user:secret@camera.local:554/live", "rtsp://camera.local:554/live"),
        ("http://user:sec/ret@camera/video", "http://camera/video"),
        ("http://camera/video?user=x&password=secret", "http://camera/video"),
        ("http://user:sec?ret@camera/video", "http://…"),
        ("http://camera/video?p=se@cret", "http://…"),
        ("/films/a?b@c.mp4", "/films/a?b@c.mp4"),
        ("0", "0"),
    ],
)
def test_no_password_of_an_address_is_stored(path, source, kept):
    with GameStore.open(path) as store:
        assert store.settings(store.start_game(GameSettings(Setup(), source))).source == kept
    assert b"secret" not in path.read_bytes()


@pytest.mark.parametrize(
    "change",
    [{"players": 9}, {"players": "two"}, {"variant": "new"}, {"rules": {"x": 1}}, {"rules": 1}, {"names": 3},
     {"left_over": ["R41"]}, {"variant": "\ud800"}],
    ids=str,
)  # fmt: skip
def test_settings_of_another_kind_are_a_sentence(change):
    written = settings_to_dict(SETTINGS)
    assert settings_from_dict(written) == SETTINGS
    with pytest.raises(StorageError, match=r"^The settings of this game cannot be understood\.$"):
        settings_from_dict(written | change)
    del written["voice"]
    with pytest.raises(StorageError, match="cannot be understood"):
        settings_from_dict(written)


def test_the_list_of_games_has_the_newest_first(recorded):
    store = recorded
    second = store.start_game(GameSettings(Setup(2), "0"))
    ahead, behind = store.games()
    assert (behind.id, behind.turn, behind.winner, behind.names) == (1, 5, 1, SETTINGS.names)
    assert (behind.started <= behind.finished, behind.players, behind.source) == (True, 3, "evening.mp4")
    assert (ahead.id, ahead.turn, ahead.winner, ahead.finished, ahead.source) == (second, 0, None, None, "0")
    assert store.unfinished() == [ahead]
    store.finish(second)
    assert store.unfinished() == []


def test_a_finished_game_goes_on_when_something_is_put_right(recorded):
    assert recorded.unfinished() == []
    recorded.append(1, [(EntryKind.CORRECTION, {})])
    assert [game.id for game in recorded.unfinished()] == [1]


def test_games_that_do_not_exist_are_a_sentence(store):
    for ask in (
        lambda: store.settings(7),
        lambda: store.entries(7),
        lambda: store.check(7),
        lambda: store.finish(7),
        lambda: store.append(7, [(SETTLED, {})]),
    ):
        with pytest.raises(StorageError, match=r"^There is no game 7\.$"):
            ask()
    assert list(store.pictures(7)) == []


@pytest.mark.parametrize(
    ("content", "picture", "words"),
    [
        ({"text": "é" * (MAX_CONTENT_BYTES // 2)}, None, "may have up to 262144 bytes, not 2621"),
        ({"x": float("nan")}, None, "cannot be stored as JSON"),
        ({"x": object()}, None, "cannot be stored as JSON"),
        ({"x": "\ud800"}, None, "cannot be stored as JSON"),
        ({}, bytes(MAX_PICTURE_BYTES + 1), "may have up to 307200 bytes, not 307201"),
    ],
    ids=["large", "not a number", "no JSON", "half a letter", "large picture"],
)
def test_what_is_too_large_or_no_json_is_refused_with_all_that_came_with_it(store, content, picture, words):
    game = store.start_game(SETTINGS)
    with pytest.raises(StorageError, match=words):
        store.append(game, [(SETTLED, content), (SAID, {})] if picture else [(SETTLED, {}), (SAID, content)],
                     picture)  # fmt: skip
    assert store.entries(game) == []
    assert store.append(game, [(SETTLED, {})]) == 1


def test_a_picture_of_the_allowed_size_is_stored(store):
    game = store.start_game(SETTINGS)
    store.append(game, [(SETTLED, {})], bytes(MAX_PICTURE_BYTES))
    assert [len(jpeg) for _, jpeg in store.pictures(game)] == [MAX_PICTURE_BYTES]


@pytest.mark.parametrize("shape", [(1280, 1280, 3), (2000, 3000, 3), (1, 3000, 3), (90, 160, 3)], ids=str)
def test_any_picture_is_packed_until_it_fits(shape):
    noise = np.random.default_rng(1).integers(0, 256, shape, dtype=np.uint8)
    before = noise.copy()
    packed = pack_picture(noise)
    assert len(packed) <= MAX_PICTURE_BYTES
    high, wide = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR).shape[:2]
    assert max(high, wide) == min(MAX_PICTURE_SIDE_PX, max(shape))
    assert wide / high == pytest.approx(shape[1] / shape[0], rel=0.01) or high == 1
    assert np.array_equal(noise, before)


def test_a_plain_picture_keeps_its_quality_and_its_colours():
    red = np.zeros((720, 1280, 3), np.uint8)
    red[..., 2] = 200
    unpacked = cv2.imdecode(np.frombuffer(pack_picture(red), np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(unpacked.astype(int) - red).max() <= 3


@pytest.mark.parametrize(
    ("statement", "number"),
    [
        ("UPDATE entry SET content = replace(content, 'R40', 'R10') WHERE number = 2", 2),
        ("UPDATE entry SET time = '2020-01-01T00:00:00+00:00' WHERE number = 3", 3),
        ("UPDATE entry SET kind = 'said' WHERE number = 1", 1),
        ("DELETE FROM entry WHERE number = 4", 4),
        ("UPDATE game SET settings = '{}'", 1),
    ],
)
def test_an_entry_that_was_changed_or_is_missing_is_found(recorded, path, statement, number):
    assert recorded.check(1) == 16
    change(path, statement)
    with pytest.raises(
        StorageError, match=f"^Entry {number} of game 1 was changed, or one before it is missing"
    ):
        recorded.check(1)


@pytest.mark.parametrize(
    "statement",
    ["UPDATE entry SET content = '[1' WHERE number = 2", "UPDATE entry SET content = '[1]' WHERE number = 2",
     "UPDATE entry SET kind = 'sung' WHERE number = 2",
     "UPDATE entry SET content = CAST(x'ff' AS TEXT) WHERE number = 2"],
    ids=["cut off", "no object", "kind", "no text"],
)  # fmt: skip
def test_an_entry_that_cannot_be_read_is_a_sentence(recorded, path, statement):
    change(path, statement)
    with pytest.raises(StorageError, match="cannot be read"):
        recorded.entries(1)


def files(folder):
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"These are no games." * 1000),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(path.read_bytes()[:4096] + b"\xaa" * (path.stat().st_size - 4096)),
        lambda path: change(path, "DROP TABLE picture"),
        lambda path: change(path, "PRAGMA user_version = 0"),
    ],
    ids=["no data base", "cut off", "overwritten", "lacks a table", "lacks its version"],
)
def test_a_damaged_file_is_set_aside_and_a_fresh_one_begun(path, damage):
    path.write_bytes(recorded_file())
    damage(path)
    damaged = path.read_bytes()
    with GameStore.open(path) as store:
        assert store.games() == []
        found = store.aside
        store.append(store.start_game(SETTINGS), [(SETTLED, {})])
    (aside,) = [name for name in files(path.parent) if name.startswith("damaged-")]
    assert (path.parent / aside).read_bytes() == damaged
    assert found == path.parent / aside
    with GameStore.open(path) as store:
        assert store.aside is None
        assert len(store.games()) == 1


def test_damage_that_is_found_at_work_is_a_sentence_and_the_next_start_sets_the_file_aside(path):
    with GameStore.open(path) as store:
        game = store.start_game(SETTINGS)
        store.append(game, [(SETTLED, {})], bytes(MAX_PICTURE_BYTES))
        store.append(game, [(SETTLED, {})], bytes(MAX_PICTURE_BYTES))
    with sqlite3.connect(path) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'picture'").fetchone()
    db.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xaa" * 4096)
    with GameStore.open(path) as store:
        assert store.aside is None
        assert len(store.games()) == 1
        with pytest.raises(StorageError, match=r"are damaged\. Start the program again"):
            list(store.pictures(game))
    with GameStore.open(path) as store:
        assert store.aside is not None
        assert store.games() == []
    with GameStore.open(path) as store:
        assert store.aside is None


def test_a_second_damaged_file_does_not_take_the_place_of_the_first(path):
    for number in range(3):
        path.write_bytes(f"{number} is no data base, which has {' ' * 1000}".encode())
        GameStore.open(path).close()
    aside = [name for name in files(path.parent) if name.startswith("damaged-")]
    assert sorted((path.parent / name).read_bytes()[:1] for name in aside) == [b"0", b"1", b"2"]


def test_another_programs_file_is_a_sentence_and_the_file_stays(path):
    change(path, "CREATE TABLE recipe (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StorageError, match="is another program's file"):
        GameStore.open(path)
    assert path.read_bytes() == before
    assert files(path.parent) == [path.name]


def test_a_folder_that_cannot_be_made_or_written_is_a_sentence(path, tmp_path):
    path.write_bytes(b"")
    with pytest.raises(StorageError, match=r"cannot be read or written: .*PYRAMID_REFEREE_DATA") as refused:
        GameStore.open(path / "below" / "games.sqlite3")
    assert error_sentence(refused.value).endswith("PYRAMID_REFEREE_DATA.")
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(StorageError, match="cannot be read or written: "):
        GameStore.open(folder)


OPEN_AS_NOBODY = """
import os, sys
from pathlib import Path
from ui.errors import StorageError
from ui.storage.game_store import GameStore
if os.geteuid() == 0:
    os.setuid(65534)  # no folder is closed to root
try:
    GameStore.open(Path(sys.argv[1]))
except StorageError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no folder is closed by its mode there")
@pytest.mark.parametrize("name", ["games.sqlite3", "new.sqlite3"])
def test_a_read_only_folder_is_a_sentence(name):
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o755)  # the folders of pytest are closed to nobody
        folder = Path(parent) / "closed"
        GameStore.open(folder / "games.sqlite3").close()
        folder.chmod(0o555)
        line = [sys.executable, "-c", OPEN_AS_NOBODY, str(folder / name)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
        folder.chmod(0o755)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"The recorded games in {str(folder / name)!r} cannot be read or written: ")
    assert "database" in done.stdout


def test_one_reads_while_another_writes(path):
    """A reader of its own connection and one of the writer's see whole stores only, and none goes away."""
    stores = 20
    with GameStore.open(path) as store, GameStore.open(path) as elsewhere:
        game = store.start_game(SETTINGS)
        counts = {store: [0], elsewhere: [0]}
        stored = {reader: threading.Semaphore(0) for reader in counts}

        def read(reader):
            for number in range(1, stores + 1):
                stored[reader].acquire(timeout=60)
                entries = reader.entries(game)
                counts[reader].append(len(entries) if len(entries) >= 3 * number else -1)
                assert all(len(jpeg) == 5000 for _, jpeg in reader.pictures(game))

        readers = [threading.Thread(target=read, args=(reader,)) for reader in counts]
        for reader in readers:
            reader.start()
        for number in range(stores):
            store.append(game, [(SETTLED, {"number": number}), (SAID, {}), (SAID, {})], bytes(5000))
            for semaphore in stored.values():
                semaphore.release()
        for reader in readers:
            reader.join(60)
        for seen in counts.values():
            assert len(seen) == stores + 1
            assert seen == sorted(seen)
            assert all(count % 3 == 0 for count in seen)


def test_two_writers_lose_nothing(path):
    with GameStore.open(path) as store, GameStore.open(path) as elsewhere:
        game, other = store.start_game(SETTINGS), elsewhere.start_game(SETTINGS)

        def write(writer, game, name):
            for number in range(20):
                writer.append(game, [(SETTLED, {"from": name, "number": number})])

        threads = [
            threading.Thread(target=write, args=pair)
            for pair in ((store, game, "a"), (store, game, "b"), (elsewhere, other, "c"))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert (store.check(game), store.check(other)) == (40, 20)
        contents = [entry.content for which in (game, other) for entry in store.entries(which)]
        for name in "abc":
            assert [content["number"] for content in contents if content["from"] == name] == list(range(20))


def test_many_who_make_the_file_at_once_get_the_same(path):
    found = []

    def begin():
        try:
            with GameStore.open(path) as store:
                found.append(store.start_game(SETTINGS))
        except Exception as error:  # told by the main thread
            found.append(error)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(found, key=str) == list(range(1, 9))
    assert files(path.parent) == [path.name]


def test_a_new_file_waits_for_somebody_who_makes_it_too(path):
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = threading.Timer(0.3, other.execute, ["ROLLBACK"])
        done.start()
        with GameStore.open(path) as store:
            assert store.start_game(SETTINGS) == 1
        done.join(60)


def test_a_file_that_is_held_by_somebody_else_is_a_sentence(path, monkeypatch):
    GameStore.open(path).close()
    monkeypatch.setattr("ui.storage.database.BUSY_TIMEOUT_S", 0.05)
    with GameStore.open(path) as store, sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="cannot be read or written: database is locked"):
            store.start_game(SETTINGS)
        other.execute("ROLLBACK")
        assert store.start_game(SETTINGS) == 1
    other.close()


def test_a_closed_memory_is_a_sentence(path):
    store = GameStore.open(path)
    store.close()
    with pytest.raises(StorageError, match="cannot be read or written: Cannot operate on a closed database"):
        store.games()


def test_what_was_acknowledged_outlives_a_kill(path):
    """The benchmark kills more often: tests/benchmarks/kills.py."""
    before = 0
    for run_s in (0.0, 0.02, 0.004):
        acknowledged = kill_once(path, run_s, stores=3)
        assert acknowledged >= before + 3
        found, before = faults(path, acknowledged, before)
        assert found == []


def test_the_benchmark_of_kills_would_find_what_is_lost_or_changed(path):
    kill_once(path, 0.0, stores=1)
    _, stores = faults(path, 0)
    assert faults(path, stores + 2)[0] == ["lost: 2 stores"]
    change(path, "UPDATE picture SET jpeg = x'00'")
    with GameStore.open(path) as store:
        store.append(1, [(SETTLED, {})])
    found, _ = faults(path, 0)
    assert found[0] == "damaged: a store is there in part"
    assert found[-1] == "damaged: pictures are not as they were stored"


def test_the_data_lie_where_the_system_keeps_them_or_where_the_user_says(monkeypatch, tmp_path, user_folders):
    monkeypatch.delenv("PYRAMID_REFEREE_DATA", raising=False)
    if sys.platform.startswith("linux"):
        assert user_data_folder() == user_folders / "xdg_data_home" / "pyramid-referee"
    assert user_data_folder().name == "pyramid-referee"
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "elsewhere"))
    assert user_data_folder() == tmp_path / "elsewhere"
    with GameStore.open() as store:
        assert store.path == tmp_path / "elsewhere" / "games.sqlite3"
    assert files(tmp_path) == ["elsewhere"]
