"""The address of a stream: its secrets are kept for the owner alone, and leave the computer in no file."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from referee.rules.game import Setup
from ui.cli.main import main
from ui.storage.game_export import export_game
from ui.storage.game_settings import GameSettings, settings_to_dict
from ui.storage.game_store import GameStore
from vision.sources.frame import Frame
from vision.sources.stream_address import redacted

ADDRESS = "http://ann:PASSWORD@127.0.0.1:1/KEY/video?token=TOKEN"
SHOWN = "http://…@127.0.0.1:1/…/video?…"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (ADDRESS, SHOWN),
        ("http://camera/KEY/video", "http://camera/…/video"),
        ("http://camera/a/b/c", "http://camera/…/c"),
        ("http://camera/KEY/", "http://camera/…/"),
        ("http://camera/video", "http://camera/video"),
        ("http://camera//video", "http://camera/video"),
        ("http://camera/", "http://camera/"),
        ("http://camera", "http://camera"),
    ],
)
def test_scheme_host_and_last_part_are_shown(address: str, shown: str) -> None:
    assert redacted(address) == shown
    assert redacted(shown) == shown


def test_the_address_is_in_its_own_column_alone_and_in_no_export(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with GameStore.open(path) as store:
        game = store.start_game(GameSettings(Setup(2), source=ADDRESS, address=ADDRESS))
        assert store.settings(game).address == ADDRESS
        assert {store.settings(game).source, store.games()[0].source} == {"http://127.0.0.1:1/…/video"}
        export_game(store, game, tmp_path / "game.jsonl")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT address FROM game").fetchall() == [(ADDRESS,)]
        assert "KEY" not in str(db.execute("SELECT settings FROM game").fetchall())
    exported = (tmp_path / "game.jsonl").read_text(encoding="utf-8")
    assert not any(secret in exported for secret in ("PASSWORD", "KEY", "TOKEN"))


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes.")
def test_only_the_owner_may_read_the_data_base(tmp_path: Path) -> None:
    path, older = tmp_path / "games.sqlite3", tmp_path / "older.sqlite3"
    with GameStore.open(older):
        older.chmod(0o644)
    for each in (path, older):
        with GameStore.open(each) as store:
            store.start_game(GameSettings(Setup(2)))
            files = list(tmp_path.glob(f"{each.name}*"))
            assert len(files) == 3
            for file in files:
                assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_what_an_earlier_version_stored_openly_is_hidden_and_still_opens_the_stream(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_bytes((Path(__file__).parents[2] / "data" / "stores" / "version-1.sqlite3").read_bytes())
    with closing(sqlite3.connect(path)) as db, db:
        openly = settings_to_dict(GameSettings(Setup(2))) | {"source": "http://camera/KEY/video"}
        for settings in (json.dumps(openly), "no JSON"):
            db.execute(
                "INSERT INTO game (started, settings) VALUES ('2026-01-01T00:00:00+00:00', ?)", [settings]
            )
    with GameStore.open(path) as store:
        assert store.settings(3).address == "http://camera/KEY/video"
        assert store.settings(3).source == "http://camera/…/video"
        assert "KEY" not in str(store.head(3))
        assert store.settings(1).address == ""


def test_watch_stores_what_opens_the_stream_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path))
    frame = Frame(np.full((64, 64, 3), 90, np.uint8), 0.0, 0)
    monkeypatch.setattr("vision.sources.live_source.LiveSource.__iter__", lambda _source: iter((frame,)))
    assert main(["watch", ADDRESS, "--save", str(tmp_path / "said.jsonl")]) == 0
    assert main(["replay"]) == 0
    assert main(["replay", "--json"]) == 0
    out = capsys.readouterr()
    assert not any(secret in out.out + out.err for secret in ("PASSWORD", "KEY", "TOKEN"))
    with GameStore.open() as store:
        assert store.settings(1).address == ADDRESS
