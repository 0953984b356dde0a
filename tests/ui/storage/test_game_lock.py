"""One writer a game: the second is told who the first is, and a killed one is in nobody's way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.rules.game import Setup
from ui.errors import StorageError
from ui.services.game_session import GameSession
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore

SETTINGS = GameSettings(Setup(2))
FOLLOW = """
import sys
from pathlib import Path
from ui.storage.game_store import GameStore
store = GameStore.open(Path(sys.argv[1]))
store.follow(1)
print("follows", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite3"
    with GameStore.open(path) as store:
        store.start_game(SETTINGS)
    return path


def test_the_second_is_told_who_follows_the_game(path: Path) -> None:
    with GameStore.open(path) as first, GameStore.open(path) as second:
        session = GameSession(first, 1, None)
        with pytest.raises(StorageError, match=f"Game 1 is already being followed, by process {os.getpid()}"):
            GameSession(second, 1, None)
        with pytest.raises(StorageError, match="already being followed"):
            second.append(1, [(EntryKind.CHECK, {})])
        assert second.entries(1) == []
        session.close()
        GameSession(second, 1, None).close()
        assert [entry.kind for entry in first.entries(1)] == [EntryKind.CLOSED] * 2


def test_other_games_may_be_followed_meanwhile(path: Path) -> None:
    with GameStore.open(path) as first, GameStore.open(path) as second:
        first.follow(1)
        GameSession.begin(second, SETTINGS, None).close()
    assert list(path.parent.glob("*.lock")) == []


def test_a_session_takes_its_own_game_up_again(path: Path) -> None:
    with GameStore.open(path) as store:
        GameSession(store, 1, None)
        GameSession(store, 1, None).close()


def test_a_killed_program_leaves_no_lock(path: Path) -> None:
    line = [sys.executable, "-c", FOLLOW, str(path)]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "follows\n"
        with GameStore.open(path) as store:
            with pytest.raises(StorageError, match=f"by process {process.pid} "):
                store.follow(1)
            process.kill()
            process.wait()
            store.follow(1)
