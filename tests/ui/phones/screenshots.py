"""Makes pictures of the pages for phones in a real browser: python -m tests.ui.phones.screenshots FOLDER."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

from referee.rules.game import Setup
from tests.ui.phones.browser import browser, wait_until
from tests.ui.phones.conftest import HOST, serving
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
"""Name, language, whether dark, page."""


def main(folder: Path) -> None:
    """Write every picture, in few colours: they are flat."""
    folder.mkdir(parents=True, exist_ok=True)
    choose_language("en")
    with tempfile.TemporaryDirectory() as name, GameStore.open(Path(name) / "game.sqlite3") as store:
        place = Path(name)
        settings = GameSettings(Setup(3), source="phone://", names=NAMES)
        model = GameViewModel(store, GameSession.begin(store, settings, None), settings)
        with serving(model, place) as served:
            watch(served, *COLLAPSE)
            for title, language, dark, page in PICTURES:
                with browser(place / title, language=language, dark=dark) as opened:
                    opened.get(served.address + page)
                    if "player" in page:
                        wait_until(opened, IS_THERE)
                    write(opened.get_screenshot_as_png(), folder / f"{title}.png")
            for title in ("watch", "overlay"):
                with browser(place / title, size=(1600, 900), dark=True) as opened:
                    opened.get(served.address + title)
                    wait_until(opened, IS_THERE)
                    write(opened.get_screenshot_as_png(), folder / f"{title}.png")
            with browser(place / "camera") as opened:
                opened.get(served.server.address(HOST, encrypted=True) + "camera")
                write(opened.get_screenshot_as_png(), folder / "phone-camera.png")


def write(png: bytes, target: Path) -> None:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    cv2.imwrite(str(target), image, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
