"""Makes a picture of every page and state of the window: `python -m tests.screenshots FOLDER`.

Each in light, dark, high contrast and French; some also small, tall, and with the largest text.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYRAMID_REFEREE_DATA"] = tempfile.mkdtemp(prefix="pyramid-referee-")

import numpy as np
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from referee.cube.game import CubeGame, Move
from tests.table_states import table_states
from ui.app.game_controller import TABLE, AppGames
from ui.app.main_window import START, MainWindow
from ui.app.navigation import CUBE, NEW_GAME, PHOTO, SETTINGS, TILES, AppPages
from ui.app.own_tiles_controller import REVIEW
from ui.pages.table_page import TablePage
from ui.platform.cameras import Camera
from ui.services.own_tiles import capture_photos
from ui.storage.paths import data_sets_folder
from ui.storage.preferences import Language, Settings, TextSize, ThemeWish
from ui.text.image_quality import meter_sentences
from ui.text.sentences import choose_language
from ui.viewmodels.photo_judging import prepare_photo_job
from ui.viewmodels.requests import SavedGame
from ui.widgets.pyramid_view import SLIDE_MS
from vision.imaging.photo import read_photo
from vision.imaging.quality import measure
from vision.recognition.reader import TileReader

SAMPLES = Path(__file__).parents[1] / "samples"
SIZES = {"": (1440, 900), "-small": (1024, 640), "-tall": (900, 1300), "-4k": (3840, 2160)}
LOOKS = {
    "dark": Settings(Language.ENGLISH, ThemeWish.DARK),
    "light": Settings(Language.ENGLISH, ThemeWish.LIGHT),
    "high-contrast": Settings(Language.ENGLISH, ThemeWish.HIGH_CONTRAST),
    "french": Settings(Language.FRENCH, ThemeWish.LIGHT),
}
LARGEST = Settings(Language.FRENCH, ThemeWish.DARK, TextSize.LARGEST)
CAMERAS = (Camera("Desk camera", "/dev/video0"), Camera("Table camera", "/dev/video2"))
GAMES = (
    SavedGame(Path("1"), "Saturday game", "14 November 2026", "Anna, Bruno, Chloé"),
    SavedGame(Path("2"), "Game without a camera", "8 November 2026", "Anna, Bruno"),
)


def fill(pages: AppPages) -> None:
    """Give the pages something to show."""
    pages.start.show_games(GAMES)
    pages.start.show_cameras(has_camera=True)
    pages.new_game.show_cameras(CAMERAS)
    for name in ("Anna", "Bruno", "Chloé"):
        pages.new_game.players.add_player(name)
    pages.new_game.preview_wanted.disconnect()  # these cameras are made up
    picture = read_photo(SAMPLES / "stable.jpg").image_bgr
    quads = [np.array(tile.quad_px, np.float32) for tile in TileReader.open().read(picture).tiles]
    pages.new_game.source.preview.show_picture(picture)
    pages.new_game.source.preview.show_sentences(meter_sentences(measure(picture, quads)))
    pages.photo.show_table(prepare_photo_job()(SAMPLES / "collapse.jpg"))


def cube_states(pages: AppPages) -> Iterator[str]:
    """Bring the cube game from state to state, and yield what each is called."""
    yield "begin"
    model, chance = pages.cube.model, random.Random(4)
    has_owed = False
    while model.game.turn is not None:
        move: Move = chance.choice(model.game.legal)
        model.choose(move.colour)
        model.place(move.at)
        if len(model.game.moves) > 19 and model.game.bonus and not has_owed:
            has_owed = True
            yield "bonus"
    yield "end"
    while model.game != CubeGame():
        model.undo()


def shoot_tables(
    out: Path, window: MainWindow, page: TablePage, look: str, sizes: Sequence[str] = ("",)
) -> None:
    """Write a picture of every state of the table page."""
    window.show_page(TABLE)
    with tempfile.TemporaryDirectory() as folder:
        for state in table_states(Path(folder)):
            page.clear()
            if state.picture is not None:
                page.show_picture(state.picture)
            for size in sizes:
                window.resize(*SIZES[size])
                page.show_view(state.view)
                page.show_outlines(state.outlines)
                page.show_lost(state.lost)
                QTest.qWait(SLIDE_MS + 60)
                window.grab().save(str(out / f"table-{state.name}-{look}{size}.png"))


def begin_review(pages: AppPages, application: QApplication) -> None:
    """Capture the samples into a data set, and look some of it over."""
    photos = [SAMPLES / name for name in ("stable.jpg", "question.jpg", "explosion.jpg")]
    review = capture_photos(photos, data_sets_folder() / "kitchen", "", lambda done, of: None)
    shown = review.shown()
    review.confirm(shown[4:])
    review.set_code(shown[1], review.crop(shown[0]).label.code)
    review.no_tile(shown[3:4])
    pages.own_tiles.page.show_review(review)
    pages.own_tiles.page.name_field.setText("kitchen")
    pages.window.show_page(REVIEW)
    for _ in range(100):  # until the crops are there
        application.processEvents()
        time.sleep(0.01)


def main(out: Path) -> None:
    """Write the pictures."""
    out.mkdir(parents=True, exist_ok=True)
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    application.setStyle("Fusion")
    choose_language("en")
    window = MainWindow(LOOKS["dark"])
    pages = AppPages(window, LOOKS["dark"])
    games = AppGames(window, pages)
    fill(pages)
    window.show()
    begin_review(pages, application)

    def shoot(page: str, name: str, size: str = "") -> None:
        window.show_page(page)
        window.resize(*SIZES[size])
        for _ in range(10 if page == REVIEW else 3):
            application.processEvents()
            time.sleep(0.02 if page == REVIEW else 0)
        window.grab().save(str(out / f"{name}{size}.png"))

    for look, settings in LOOKS.items():
        window.apply_settings(settings)
        pages.settings_page.show_settings(settings)
        for page in (START, NEW_GAME, PHOTO, TILES, REVIEW, SETTINGS):
            shoot(page, f"{page.replace(' ', '-')}-{look}")
        for state in cube_states(pages):
            shoot(CUBE, f"cube-{state}-{look}")
        sizes = ("", "-small", "-tall", "-4k") if look == "dark" else ("",)
        shoot_tables(out, window, games.page, look, sizes)
    window.apply_settings(LOOKS["dark"])
    for page in (START, NEW_GAME, SETTINGS, CUBE, PHOTO, REVIEW):
        for size in ("-small", "-tall", "-4k"):
            shoot(page, f"{page.replace(' ', '-')}-dark", size)
    window.apply_settings(LARGEST)
    for page in (START, NEW_GAME, SETTINGS, CUBE, REVIEW):
        shoot(page, f"{page.replace(' ', '-')}-largest")
    pages.start.show_games(())
    pages.start.show_cameras(has_camera=False)
    pages.new_game.show_cameras(())
    window.apply_settings(LOOKS["dark"])
    window.show_notice("The camera is gone; it is tried again and again.", "details")
    for page in (START, NEW_GAME):
        shoot(page, f"{page.replace(' ', '-')}-no-camera")
    games.close()
    window.close()
    pages.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
