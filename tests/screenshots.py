"""Makes a picture of every page and state of the window.

    python -m tests.screenshots FOLDER     writes all of them, as large as the window, to look at
    python -m tests.screenshots --store    writes those that `tests/ui/app/test_screens.py` compares with

Each page and state comes in dark, light, high contrast and French; some also small, tall and very large, and
with the largest text. Motion is off, so that a picture shows the end of every slide.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from tests.places import SAMPLES

if __name__ == "__main__":
    import tests.conftest  # noqa: F401  the fonts and the platform of the tests

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from referee.cube.game import CubeGame, Move
from referee.rules.events import Direction
from tests.compare_pictures import store
from tests.ui.table_states import TableState, table_states
from ui.app.game_controller import ENDING, TABLE, AppGames
from ui.app.main_window import START, MainWindow
from ui.app.navigation import ABOUT, CUBE, NEW_GAME, PHOTO, RULES, SETTINGS, TILES, AppPages
from ui.app.own_tiles_controller import REVIEW
from ui.app.shelf_controller import SHELF
from ui.platform.cameras import Camera
from ui.services.about import ModelCard
from ui.services.own_tiles import capture_photos
from ui.storage.paths import data_sets_folder
from ui.storage.preferences import Language, Settings, TextSize, ThemeChoice
from ui.text.catalogue import choose_language
from ui.text.image_quality import quality_sentences
from ui.viewmodels.ending import EndingView, RankView
from ui.viewmodels.game_view import GoOn, LetFall, Retile
from ui.viewmodels.games.shelf import ShelfRow
from ui.viewmodels.photo.read_photos import prepare_photo_job
from ui.viewmodels.requests import SavedGame
from vision.dataset.review import open_review
from vision.imaging.photo import read_photo
from vision.imaging.quality import measure
from vision.recognition.reader import TileReader

SIZES = {"": (1440, 900), "-small": (1024, 640), "-tall": (900, 1300), "-4k": (3840, 2160)}
STORED_SIZES = ("-small", "-tall")
DARK = Settings(Language.ENGLISH, ThemeChoice.DARK, reduced_motion=True)
LOOKS = {
    "dark": DARK,
    "light": replace(DARK, theme=ThemeChoice.LIGHT),
    "high-contrast": replace(DARK, theme=ThemeChoice.HIGH_CONTRAST),
    "french": replace(DARK, theme=ThemeChoice.LIGHT, language=Language.FRENCH),
}
LARGEST = replace(DARK, language=Language.FRENCH, text_size=TextSize.LARGEST)
MAIN_STATES = ("mayhem", "question", "clicked", "no-tiles")
"""States of the table page that are shown in every look and size; the others in dark and in French."""
CAMERAS = (Camera("Desk camera", "/dev/video0"), Camera("Table camera", "/dev/video2"))
GAMES = (
    SavedGame(Path("1"), "Saturday game", "14 November 2026", "Anna, Bruno, Chloé"),
    SavedGame(Path("2"), "Game without a camera", "8 November 2026", "Anna, Bruno"),
)
CARD = ModelCard("model", "", "# A model\n\n| | |\n| --- | --- |\n| input | pictures |\n\nWhat it does.")

SHELF_ROWS = (
    ShelfRow(2, "Saturday game", "14 November 2026", "Anna, Bruno, Chloé", "21 turns, not finished",
             "R40 B20 G60 Y100/R10 B4 G30/B2 G6/Y1"),
    ShelfRow(1, "Without a camera", "8 November 2026", "Anna, Bruno", "34 turns, won by Bruno",
             "R40 B20/R4", is_finished=True),
)  # fmt: skip
RESULT = EndingView(
    "Chloé wins!",
    (
        RankView(2, 1, "Chloé", "#8C6BC8", 0, 4, 2, 2), RankView(0, 2, "Anna", "#E07A3F", 9, 6, 7, 0),
        RankView(1, 3, "Bruno", "#3E8FC4", 16, 11, 12, 1),
    ),
    ("Anna", "Bruno", "Chloé"),
    ("#E07A3F", "#3E8FC4", "#8C6BC8"),
    tuple((15 - turn // 3 + 3 * (turn > 8), 15 - turn // 3 + 6 * (turn > 14), 15 - turn // 2)
          for turn in range(31)),
    ("Longest chain: 4 events on turn 12, by Bruno.",
     "Turn 9, Anna: mayhem was missed. It was found on turn 11, Chloé."),
    3,
)  # fmt: skip

Shot = tuple[str, QImage]
"""What a picture is called, and the picture."""


class Studio:
    """The window of the app with something on every page; nothing runs beside it but the crops' loader."""

    def __init__(self) -> None:
        running = QApplication.instance() or QApplication([])
        assert isinstance(running, QApplication)
        self.application = running
        self.application.setStyle("Fusion")
        choose_language("en")
        self.window = MainWindow(DARK)
        self.pages = AppPages(self.window, DARK)
        self.games = AppGames(self.window, self.pages)
        self._fill()
        self.window.show()
        self._begin_review()

    def close(self) -> None:
        """End what runs, and leave the language as the tests expect it."""
        self.games.close()
        self.window.close()
        self.pages.stop()
        self.window.deleteLater()
        self.settle()
        choose_language("en")

    def settle(self) -> None:
        """Let all that waits happen, as the event loop does: also what was to be deleted goes."""
        self.application.processEvents()
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def dress(self, settings: Settings) -> None:
        """Have everything drawn and said as these settings ask for."""
        self.window.apply_settings(settings)
        self.pages.settings_page.show_settings(settings)

    def shoot(self, name: str, page: str, size: str = "") -> Shot:
        """Return the picture of a page, in a window of this size."""
        self.window.show_page(page)
        self.pages.settings_page.show_speech(has_voice=False)  # whatever this computer has
        if page == ABOUT:
            self.pages.about.show_folders(*(Path.home() / ".local" / name for name in ("share", "state")))
            self.pages.about.show_card(CARD)
        self.window.resize(*SIZES[size])
        return f"{name}{size}", self._picture()

    def shoot_table(self, state: TableState, look: str, size: str = "") -> Shot:
        """Return the picture of a state of the table page."""
        self.window.resize(*SIZES[size])
        self.show_table(state)
        return f"table-{state.name}-{look}{size}", self._picture()

    def show_table(self, state: TableState) -> None:
        """Show a state of the table page."""
        page = self.games.page
        self.window.show_page(TABLE)
        page.clear()
        if state.picture is not None:
            page.show_picture(state.picture)
        page.set_big(is_big=state.is_big)
        page.show_view(state.view)
        if state.is_tour:
            page.tour.begin()
            page.tour.follow(state.view.card.tone)
        page.show_outlines(state.outlines)
        page.show_lost(state.lost)

    def photo_states(self) -> Iterator[str]:
        """Bring the page of photos from state to state, and yield what each is called."""
        page = self.pages.photo
        page.show_table(self._photos["question"])
        yield "question"
        page.show_table(self._photos["stable"])
        page.all_tiles.click()
        page.tiles.button("G100").click()
        yield "held"
        page.all_tiles.click()
        page.show_table(self._photos["collapse"])
        page.card.chosen.emit(LetFall(Direction.LEFT))
        yield "tried"
        page.show_table(self._photos["stable"])
        page.act(Retile(0, 0, "G100"))
        page.want(SAMPLES / "collapse.jpg")
        yield "unsaved"
        page.card.chosen.emit(GoOn(saves=False))
        page.show_table(self._photos["collapse"])
        yield "mayhem"

    def cube_states(self) -> Iterator[str]:
        """Bring the cube game from state to state, and yield what each is called."""
        yield "begin"
        model, chance = self.pages.cube.model, random.Random(4)
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

    def _picture(self) -> QImage:
        """Return the window as it stays; in the review, painting asks another thread for crops."""
        loader = self.pages.own_tiles.page.grid.loader
        self.settle()
        picture = self.window.grab().toImage()
        before = picture if self.window.page_name() != REVIEW else None
        while picture != before:
            while not loader.is_done():
                self.application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 20)
            self.application.processEvents()
            before, picture = picture, self.window.grab().toImage()
        return picture

    def _fill(self) -> None:
        """Give the pages something to show."""
        pages = self.pages
        pages.start.show_games(GAMES)
        self.games.shelf.list_games = lambda: None  # type: ignore[method-assign]  # these are made up
        self.games.shelf.page.show_games(SHELF_ROWS)
        self.games.ending.show_ending(RESULT)
        pages.start.show_cameras(has_camera=True)
        pages.new_game.show_cameras(CAMERAS)
        for name in ("Anna", "Bruno", "Chloé"):
            pages.new_game.players.add_player(name)
        pages.new_game.preview_wanted.disconnect()  # these cameras are made up
        picture = read_photo(SAMPLES / "stable.jpg").image_bgr
        quads = [np.array(tile.quad_px, np.float32) for tile in TileReader.open().read(picture).tiles]
        pages.new_game.source.preview.show_picture(picture)
        pages.new_game.source.preview.show_sentences(quality_sentences(measure(picture, quads)))
        read = prepare_photo_job()
        self._photos = {name: read(SAMPLES / f"{name}.jpg") for name in ("collapse", "question", "stable")}
        pages.photo.show_table(self._photos["collapse"])

    def _begin_review(self) -> None:
        """Capture the samples into a data set, and look some of it over."""
        photos = [SAMPLES / name for name in ("stable.jpg", "question.jpg", "explosion.jpg")]
        folder = data_sets_folder() / "kitchen"
        capture_photos(photos, folder, "", lambda done, of: None)
        doubt_the_same(folder)
        review = open_review(folder)
        shown = review.shown()
        review.confirm(shown[4:])
        review.set_code(shown[1], review.crop(shown[0]).label.code)
        review.no_tile(shown[3:4])
        page = self.pages.own_tiles.page
        page.show_review(review)
        page.learning.name_field.setText("kitchen")


def doubt_the_same(folder: Path) -> None:
    """Give the labels of a data set confidences that no processor rounds: the review is in their order."""
    for photo in sorted(folder.glob("*.json")):
        labels = json.loads(photo.read_text("utf-8"))
        for number, tile in enumerate(labels["tiles"]):
            tile["confidence"] = 0.5 + 0.02 * number
        photo.write_text(json.dumps(labels), "utf-8")


def take_pictures(sizes: Sequence[str]) -> Iterator[Shot]:
    """Yield every picture; the most important ones also in these sizes of the window."""
    studio = Studio()
    try:
        for look, settings in LOOKS.items():
            studio.dress(settings)
            for page in (START, NEW_GAME, PHOTO, TILES, REVIEW, SETTINGS, ABOUT, RULES, SHELF, ENDING):
                yield studio.shoot(f"{page.replace(' ', '-')}-{look}", page)
            for photo_state in studio.photo_states():
                if photo_state != "mayhem" and look in ("dark", "french"):
                    yield studio.shoot(f"photo-{photo_state}-{look}", PHOTO)
            for cube_state in studio.cube_states():
                yield studio.shoot(f"cube-{cube_state}-{look}", CUBE)
            for state in _states(settings.language):
                if look in ("dark", "french") or state.name in MAIN_STATES:
                    yield studio.shoot_table(state, look)
                if look == "dark" and state.name in MAIN_STATES:
                    for size in sizes:
                        yield studio.shoot_table(state, look, size)
        studio.dress(DARK)
        for page in (START, NEW_GAME, SETTINGS, ABOUT, CUBE, PHOTO, REVIEW):
            for size in sizes:
                yield studio.shoot(f"{page.replace(' ', '-')}-dark", page, size)
        studio.dress(LARGEST)
        for page in (START, NEW_GAME, SETTINGS, ABOUT, CUBE, REVIEW):
            yield studio.shoot(f"{page.replace(' ', '-')}-largest", page)
        studio.dress(DARK)
        studio.pages.start.show_games(())
        studio.pages.start.show_cameras(has_camera=False)
        studio.pages.new_game.show_cameras(())
        studio.window.show_notice("The camera is gone; it is tried again and again.", "details")
        for page in (START, NEW_GAME):
            yield studio.shoot(f"{page.replace(' ', '-')}-no-camera", page)
    finally:
        studio.close()


@cache
def _states(language: Language) -> tuple[TableState, ...]:
    """Return the states of the table page, in the language that is chosen now and named for the cache."""
    with tempfile.TemporaryDirectory() as folder:
        return tuple(table_states(Path(folder)))


def main(target: str) -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as data:
        os.environ["PYRAMID_REFEREE_DATA"] = data
        if target == "--store":
            store(take_pictures(STORED_SIZES))
            return
        out = Path(target)
        out.mkdir(parents=True, exist_ok=True)
        for name, picture in take_pictures(tuple(SIZES)[1:]):
            picture.save(str(out / f"{name}.png"))


if __name__ == "__main__":
    if len(sys.argv) != 2 or (sys.argv[1].startswith("-") and sys.argv[1] != "--store"):
        raise SystemExit("Say which folder the pictures go into, or --store.")
    main(sys.argv[1])
