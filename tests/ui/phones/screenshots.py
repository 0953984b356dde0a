"""Makes pictures of the pages for phones in a real browser.

python -m tests.ui.phones.screenshots FOLDER     writes all of them
python -m tests.ui.phones.screenshots --store    writes the one that `test_in_browser.py` compares with
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

from tests.places import DATA

if __name__ == "__main__":
    import tests.conftest  # noqa: F401  the fonts of the tests

import cv2
import numpy as np
from PySide6.QtGui import QImage

from referee.rules.game import Setup
from tests.compare_pictures import shrunk
from tests.ui.phones.browser import PHONE, browser, wait_until
from tests.ui.phones.conftest import HOST, Served, begin, serving
from tests.ui.phones.played_games import play_turns, win
from tests.ui.phones.test_game_on_phones import COLLAPSE, watch
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.catalogue import choose_language
from ui.viewmodels.game import GameViewModel

NAMES = ("Anna", "Bruno", "Chloé")
IS_THERE = "document.body.dataset.state === 'there' && document.querySelector('#card h2') !== null"
PICTURES = (
    ("phone-light", "en", False, "play?player=1"),
    ("phone-french-dark", "fr", True, "play?player=1"),
    ("phone-before", "en", False, "before"),
    ("phone-home", "en", True, ""),
    ("phone-photos", "fr", False, "photos"),
)
ENDINGS = (
    ("phone-result", "en", False, "play?player=0"),
    ("phone-result-french-dark", "fr", True, "play?player=2"),
)
"""Name, language, whether dark, page."""


OVERLAY = DATA / "phones" / "overlay.webp"


def overlay_picture(served: Served, folder: Path) -> QImage:
    """Return the page for streams, as OBS draws it: over nothing."""
    with browser(folder, size=(1280, 720)) as opened:
        clear = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
        opened.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", clear)
        opened.get(served.address + "overlay")
        wait_until(opened, IS_THERE)
        return QImage.fromData(opened.get_screenshot_as_png())


def store_overlay(folder: Path) -> None:
    """Store the overlay of the game of the tests."""
    with (
        GameStore.open(folder / "game.sqlite3") as store,
        serving(begin(store, source="phone://"), folder) as served,
    ):
        watch(served, *COLLAPSE)
        image = overlay_picture(served, folder / "obs").convertToFormat(QImage.Format.Format_RGB32)
    OVERLAY.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(OVERLAY), shrunk(image), [cv2.IMWRITE_WEBP_QUALITY, 101])


def main(folder: Path) -> None:
    """Write every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, GameStore.open(Path(name) / "game.sqlite3") as store:
        place = Path(name)
        settings = GameSettings(Setup(3), source="phone://", names=NAMES)
        model = GameViewModel(store, GameSession.begin(store, settings, None), settings)
        with serving(model, place) as served:
            watch(served, *COLLAPSE)
            for each in PICTURES:
                write_page(served, *each, folder, place)
            for title in ("watch", "overlay"):
                write_page(served, title, "en", True, title, folder, place, size=(1600, 900))
            write_page(served, "phone-why", "fr", False, "play?player=1", folder, place, opens="why")
            with browser(place / "camera") as opened:
                opened.get(served.server.address(HOST, encrypted=True) + "camera")
                write(opened.get_screenshot_as_png(), folder / "phone-camera.png")
        settings = GameSettings(Setup(3), names=NAMES)
        model = GameViewModel(store, GameSession.begin(store, settings, None), settings, chance=Random(1))
        with serving(model, place) as served:
            play_turns(served, 30)
            win(served)
            for each in ENDINGS:
                write_page(served, *each, folder, place)
            write_page(served, "watch-result", "fr", False, "watch", folder, place, size=(1600, 900))


def write_page(
    served: Served,
    title: str,
    language: str,
    dark: bool,
    page: str,
    folder: Path,
    place: Path,
    *,
    size: tuple[int, int] = PHONE,
    opens: str = "",
) -> None:
    """Write how a page looks; `opens`: what is opened on it first."""
    with browser(place / title, language=language, dark=dark, size=size) as opened:
        opened.get(served.address + page)
        if page.startswith(("play", "watch", "overlay")):
            wait_until(opened, IS_THERE)
        if opens:
            opened.execute_script(f"document.getElementById('{opens}').open = true")
        write(opened.get_screenshot_as_png(), folder / f"{title}.png")


def write(png: bytes, target: Path) -> None:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    cv2.imwrite(str(target), image, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    choose_language("en")
    if sys.argv[1:] == ["--store"]:
        with tempfile.TemporaryDirectory() as made:
            store_overlay(Path(made))
    else:
        main(Path(sys.argv[1]))
