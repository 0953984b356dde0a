"""The whole app on a virtual screen: `app --demo` follows the shipped sample game from its pictures alone."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from tests.ui.virtual_screen import virtual_screen

DEMO = """
import sys
from ui.app import game_controller as app_games
from ui.services import sample_source as sample_game
from ui.cli.main import main
sample_game.FIRST_S, sample_game.LEAST_S = 0.5, 3.2
show = app_games.AppGames._on_view
def on_view(self, view):
    show(self, view)
    print(view.card.headline, "|", *(tile.code for tile in view.tiles), flush=True)
    if view.turns:
        self._window.close()
app_games.AppGames._on_view = on_view
sys.exit(main(["--lang", "en", "app", "--demo"]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Xvfb is for Linux")
def test_the_demo_follows_the_sample_game_in_a_window(tmp_path: Path) -> None:
    with virtual_screen() as display:
        environment = {**os.environ, "DISPLAY": display, "PYRAMID_REFEREE_DATA": str(tmp_path)}
        environment.pop("QT_QPA_PLATFORM", None)
        done = subprocess.run(
            [sys.executable, "-c", DEMO],
            env=environment,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    views = [view for view, _again in groupby(done.stdout.splitlines())]
    assert views == ["Anna's turn |", "Bruno's turn | B100"]
