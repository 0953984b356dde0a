"""The ladder of versions: files of earlier versions, crashes on the way, files of newer versions."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.places import DATA
from tests.ui.recorded_games import SETTINGS
from tests.vision.recognition.painted_model import face
from ui.errors import StorageError
from ui.services.replay import follow_again
from ui.storage import database
from ui.storage.game_entries import EntryKind
from ui.storage.game_examples import GameExamples
from ui.storage.game_export import import_game
from ui.storage.game_store import GameStore
from ui.storage.preferences import CameraLocks, Language, Settings, TextSize, ThemeChoice, load_settings
from ui.storage.stored_pictures import unpack_crop
from ui.text.announcements import announcement_json

STORES = DATA / "stores"
"""Files that earlier versions of the program wrote; see SOURCE.txt there."""

Connection = sqlite3.Connection


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy of the data base that version 1 wrote."""
    copy = tmp_path / "games.sqlite3"
    copy.write_bytes((STORES / "version-1.sqlite3").read_bytes())
    return copy


def add_place(db: Connection) -> None:
    """Stand in for the next rung: a new column, and new contents in an old one."""
    db.execute("ALTER TABLE game ADD COLUMN place TEXT NOT NULL DEFAULT ''")
    db.execute("UPDATE game SET place = 'at home'")


def add_guests(db: Connection) -> None:
    """Stand in for the rung after that, which needs the one before it."""
    db.execute("CREATE TABLE guest (game INTEGER NOT NULL, name TEXT NOT NULL) STRICT")
    db.execute("INSERT INTO guest SELECT id, place FROM game")


def contents(path: Path) -> tuple[int, list[tuple[object, ...]]]:
    """Return the version of a file, its tables and columns, and the rows of its games."""
    with closing(sqlite3.connect(path)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        tables = db.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall()
        return version, tables + db.execute("SELECT * FROM game").fetchall()


def check_games(path: Path) -> None:
    """Check that the games of an earlier version are whole, and say the same when they are followed again."""
    with GameStore.open(path) as store:
        assert store.aside is None
        assert [(game.id, game.winner) for game in store.games()] == [(2, None), (1, 1)]
        assert [game.id for game in store.unfinished()] == [2]
        assert (store.check(1), store.check(2)) == (16, 2)
        assert store.settings(1) == SETTINGS
        assert store.settings(2).colours == ("#E07A3F", "#3F7AE0")
        assert [number for number, _ in store.pictures(1)] == [1, 3, 5, 8, 11, 14]
        entries = store.entries(1)
        said = [entry.content for entry in entries if entry.kind is EntryKind.SAID]
        inputs = [entry.content for entry in entries if entry.kind is not EntryKind.SAID]
        assert [announcement_json(each) for each in follow_again(store.settings(1), inputs)[1]] == said
        assert store.append(2, [(EntryKind.CHECK, {})]) == 3


def test_what_version_1_stored_opens() -> None:
    """The settings and an exported game of that version as well."""
    loaded = load_settings(STORES / "settings.json")
    assert loaded.is_damaged is False
    assert loaded.settings == Settings(
        language=Language.FRENCH, theme=ThemeChoice.HIGH_CONTRAST, text_size=TextSize.LARGEST, sound=True,
        reduced_motion=True, keep_corrections=False, keep_pictures=False,
        locks={"HD Webcam": CameraLocks(exposure=True, white_balance=True)}, tiles="mine", reader="own",
    )  # fmt: skip


def test_a_data_base_of_version_1_opens(path: Path, tmp_path: Path) -> None:
    """Nothing of it is lost, and it can be written to; a game that it exported can be taken in."""
    assert contents(path)[0] == 1
    check_games(path)
    assert contents(path)[0] == database.SCHEMA
    with GameStore.open(path) as store:
        number, problem = import_game(store, STORES / "game-1.jsonl")
        assert (number, problem, store.check(number)) == (3, None, 16)
        assert dict(store.pictures(number)) == dict(store.pictures(1))


def test_a_data_base_of_version_2_opens(tmp_path: Path) -> None:
    """With what its games have taught of their tiles, to the last pixel; more can be learned."""
    path = tmp_path / "games.sqlite3"
    path.write_bytes((STORES / "version-2.sqlite3").read_bytes())
    assert contents(path)[0] == 2
    check_games(path)
    assert contents(path)[0] == database.SCHEMA
    with GameStore.open(path) as store:
        taught = GameExamples(store.database, 1).all()
        assert [(each.code, each.input, each.is_told) for each in taught] == [
            ("R40", 0, False), ("B20", 1, False), ("Y100", 2, True),
        ]  # fmt: skip
        for each in taught:
            crop = unpack_crop(each.png)
            assert crop is not None
            assert np.array_equal(crop, face(each.code))
        assert [each.code for each in GameExamples(store.database, 2).all()] == ["R40"]
        GameExamples(store.database, 2).keep([*GameExamples(store.database, 2).all(), taught[1]])
        assert [each.code for each in GameExamples(store.database, 2).all()] == ["R40", "B20"]


def test_a_file_climbs_rung_by_rung(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From any earlier version, and from an empty file, to the same tables."""
    rungs = (*database.RUNGS, add_place, add_guests)
    for last in range(2, len(rungs) + 1):
        monkeypatch.setattr(database, "RUNGS", rungs[:last])
        check_games(path) if last == database.SCHEMA else GameStore.open(path).close()
        assert contents(path)[0] == last
    GameStore.open(tmp_path / "new.sqlite3").close()
    new = contents(tmp_path / "new.sqlite3")
    assert new[0] == len(rungs)
    assert contents(path)[1][: len(new[1])] == new[1]
    assert ("at home",) in [row[-1:] for row in contents(path)[1]]


def fall_off(db: Connection) -> None:
    """Stand in for a rung with a mistake: it fails when half of its work is done."""
    add_guests(db)
    db.execute("DROP TABLE picture")
    raise sqlite3.OperationalError("no such column")


def test_a_rung_that_fails_leaves_the_version_below_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The failure is a sentence; the rung below is done, and a mended rung goes on from there."""
    monkeypatch.setattr(database, "RUNGS", (*database.RUNGS, add_place, fall_off))
    with pytest.raises(StorageError, match="cannot be read or written: no such column"):
        GameStore.open(path)
    version, rows = contents(path)
    assert version == database.SCHEMA + 1
    assert {row[0] for row in rows} >= {"game", "entry", "picture"}
    assert "guest" not in {row[0] for row in rows}
    monkeypatch.setattr(database, "RUNGS", (*database.RUNGS[:-1], add_guests))
    GameStore.open(path).close()
    assert contents(path)[0] == database.SCHEMA + 2


CRASH = """
import os, sys
from pathlib import Path
from tests.ui.storage.test_database import add_guests, add_place
from ui.storage import database

def crash(db):
    add_guests(db)
    if sys.argv[2] == "half":  # more than the cache holds, so that some of it is in the journal by now
        db.execute("UPDATE entry SET content = hex(zeroblob(100000)) || content")
    os._exit(9)

database.RUNGS = (*database.RUNGS, add_place, crash)
database.connect(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("moment", ["begun", "half"])
def test_a_crash_on_the_way_leaves_a_whole_version(
    path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One version in full, and nothing of the next, though its tables were made and filled."""
    line = [sys.executable, "-c", CRASH, str(path), moment]
    crashed = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (crashed.returncode, crashed.stderr) == (9, "")
    version, rows = contents(path)
    assert version == database.SCHEMA + 1
    assert "guest" not in {row[0] for row in rows}
    monkeypatch.setattr(database, "RUNGS", (*database.RUNGS, add_place, add_guests))
    check_games(path)
    assert contents(path)[0] == database.SCHEMA + 2


def test_two_who_open_an_old_file_at_once_climb_each_rung_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rung that were done twice would fail, as the column is there already."""
    monkeypatch.setattr(database, "RUNGS", (*database.RUNGS, add_place, add_guests))
    problems: list[Exception] = []

    def open_it() -> None:
        try:
            GameStore.open(path).close()
        except Exception as error:  # told by the main thread
            problems.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert problems == []
    check_games(path)


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files but the index of the journal, which is no part of what is stored."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


def test_a_newer_data_base_is_refused_and_untouched(path: Path) -> None:
    """Byte for byte, and nothing is put beside it."""
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {database.SCHEMA + 1}")
    before = bytes_of(path.parent)
    with pytest.raises(StorageError, match="were written by a newer version of this program"):
        GameStore.open(path)
    assert bytes_of(path.parent) == before
    assert os.listdir(path.parent) == [path.name]


KILLED = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute(f"PRAGMA user_version = {sys.argv[2]}")
os._exit(9)
"""


@pytest.mark.parametrize("change", [f"{database.SCHEMA + 1}", "1; PRAGMA application_id = 7"])
def test_the_journal_of_a_newer_program_that_was_killed_is_untouched_too(path: Path, change: str) -> None:
    """Opening a data base to write would move the journal into it."""
    killed = KILLED.replace("execute(", "executescript(")
    done = subprocess.run([sys.executable, "-c", killed, str(path), change], timeout=60, check=False)
    assert done.returncode == 9
    before = bytes_of(path.parent)
    assert before[f"{path.name}-wal"]
    with pytest.raises(StorageError, match=r"newer version|another program"):
        GameStore.open(path)
    assert bytes_of(path.parent) == before
