"""Two programs that want to follow one game."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from referee.rules.game import Setup
from tests.attack.attacked import attack
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore


def test_the_second_to_resume_a_game_says_who_follows_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    nowhere = "http://127.0.0.1:1/video"
    with GameStore.open(data / "games.sqlite3") as store:
        store.start_game(GameSettings(Setup(2), source=nowhere))
    line = [sys.executable, "-m", "ui", "--lang", "en", "watch", nowhere, "--resume", "--json"]
    environment = os.environ | {"PYRAMID_REFEREE_DATA": str(data)}
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as first:
        assert first.stdout is not None
        first.stdout.readline()
        second = attack("watch", nowhere, "--resume", data=data)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=30)
    assert second.status == 1
    assert second.err.splitlines()[-1].startswith(
        f"Game 1 is already being followed, by process {first.pid} of this computer"
    )
    assert attack("replay", "1", "--verify", data=data).status == 0
