"""The wheel in a new environment, away from the checkout: everything that it needs is inside."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed.conftest import newcomers_environment
from tests.installed.distribution import contents
from tests.places import ROOT, SAMPLES
from tests.ui.virtual_screen import virtual_screen
from ui import __version__

pytestmark = pytest.mark.slow

FIRST_RUN = """
import sys
from PySide6.QtCore import QTimer
from ui.app import game_controller, navigation
from ui.cli.main import main
begin, show = navigation.AppPages.look_for_cameras, game_controller.AppGames._on_view
def look_for_cameras(self):
    begin(self)
    QTimer.singleShot(0, self.start._sample.click)
def on_view(self, view):
    show(self, view)
    print(view.card.headline, "|", *(tile.code for tile in view.tiles), flush=True)
    if view.turns:
        self._window.close()
navigation.AppPages.look_for_cameras = look_for_cameras
game_controller.AppGames._on_view = on_view
sys.exit(main(["--lang", "en"]))
"""
"""Somebody starts the app and presses the button of the start page."""


def run(
    installed: Path, folder: Path, *words: str, given: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    program, *arguments = words
    return subprocess.run(
        [str(installed / program), *arguments],
        cwd=folder,
        env=newcomers_environment(folder, **more),
        input=given,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_nothing_of_the_checkout_is_used(installed: Path, tmp_path: Path) -> None:
    line = "import models, referee, ui, vision; print(*(m.__file__ for m in (models, referee, ui, vision)))"
    done = run(installed, tmp_path, "python", "-c", line)
    assert done.returncode == 0, done.stderr
    assert all(str(installed.parent) in file and str(ROOT) not in file for file in done.stdout.split())


def test_the_sdist_and_the_checkout_make_the_same_wheel(wheel: Path, sources: Path, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path, sources]
    subprocess.run(line, check=True, capture_output=True, text=True, timeout=600)
    made = contents(next(tmp_path.glob("*.whl")))
    assert made == contents(wheel)


def test_the_version_is_told(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "pyramid-referee", "--version")
    assert done.stdout == f"pyramid-referee {__version__}\n"


def test_the_demo_has_its_samples(installed: Path, tmp_path: Path) -> None:
    done = run(
        installed, tmp_path, "pyramid-referee", "--lang", "en", "app", "--demo", QT_QPA_PLATFORM="offscreen"
    )
    assert done.returncode == 0, done.stderr
    assert "Collapse: green coal 1" in done.stdout
    assert (tmp_path / "demo-out" / "collapse.annotated.jpg").is_file()


def test_a_photo_is_judged(installed: Path, tmp_path: Path) -> None:
    shutil.copyfile(SAMPLES / "fire.jpg", tmp_path / "photo.jpg")
    done = run(installed, tmp_path, "pyramid-referee", "check", "--json", "photo.jpg")
    assert done.returncode == 0, done.stderr
    truth = json.loads((SAMPLES / "fire.json").read_text(encoding="utf-8"))
    assert json.loads(done.stdout)["layout"] == truth["layout"]


def test_a_layout_is_judged(installed: Path, tmp_path: Path) -> None:
    request = {"layout": "R40 B20", "place": {"tile": "B7", "row": 1, "slot": 0}}
    done = run(installed, tmp_path, "pyramid-referee", "judge", given=json.dumps(request) + "\n")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["events"][0]["event"] == "fire"


def test_french_is_there(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "pyramid-referee", "--lang", "fr", "--help")
    assert "Sans commande" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="Xvfb is for Linux")
def test_a_newcomer_starts_the_app_and_the_sample_game_plays(installed: Path, tmp_path: Path) -> None:
    with virtual_screen() as display:
        done = run(installed, tmp_path, "python", "-c", FIRST_RUN, DISPLAY=display)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "Bruno's turn | B100"
