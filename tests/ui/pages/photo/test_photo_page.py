"""The page of photos in a real window: a question is answered, a photo is pasted, several are dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest

from referee.rules.layout import Layout
from tests.places import SAMPLES
from tests.ui.waiting import WaitFor
from ui.app.game_controller import AppGames
from ui.app.navigation import NEW_GAME, PHOTO
from ui.viewmodels.photo.photo_judging import as_named, prepare_photo_job
from ui.viewmodels.table_view import Tone
from ui.workers.photo_worker import PhotoWorker
from vision.recognition.reading import Reading, TileReading

QUAD = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


@pytest.fixture
def worker(games: AppGames) -> Iterator[PhotoWorker]:
    """Reads the photos of the page."""
    worker, pages = PhotoWorker(prepare_photo_job), games._pages
    pages.photo_wanted.connect(worker.ask)
    worker.photo_read.connect(pages.photo.show_table)
    yield worker
    assert worker.stop()


def test_the_question_of_a_photo_is_answered_by_a_click_on_the_tile(
    games: AppGames, worker: PhotoWorker, wait_for: WaitFor
) -> None:
    page = games._pages.photo
    games._pages.show_photo(SAMPLES / "question.jpg")
    wait_for(lambda: page._table is not None and page._table.verdict.tone is Tone.QUESTION)
    assert page._table.verdict.questions[-1] == "Click the tile in the drawing to say which one it is."
    (asked,) = (tile for tile in page._table.tiles if tile.unsure)
    where = page.pyramid.tile_rect(asked.row, asked.slot).center().toPoint()
    QTest.mouseClick(page.pyramid, Qt.MouseButton.LeftButton, pos=where)
    assert page.popup.isVisible()
    QTest.mouseClick(page.popup.palette_of_tiles.button(asked.code), Qt.MouseButton.LeftButton)
    wait_for(lambda: not any(tile.unsure for tile in page._table.tiles))
    assert page._table.verdict.tone is not Tone.QUESTION
    assert page._table.verdict.questions == ()


def test_a_named_tile_is_certain_and_no_other_tile_can_be_the_same() -> None:
    doubt = TileReading("B20", 0, 1, QUAD, 0.5, unsure=True, alternatives=(("B10", 0.4),))
    tiles = (TileReading("R40", 0, 0, QUAD, 0.6, unsure=True, alternatives=(("B20", 0.3),)), doubt)
    reading = Reading(tiles, Layout.parse("R40 B20"))
    named = as_named(reading, {(0, 0): "B20"})
    assert [(tile.code, tile.unsure) for tile in named.tiles] == [("B20", False), ("B10", True)]
    assert str(named.layout) == "B20 B10"
    covered = replace(tiles[0], covered=True)
    assert not as_named(replace(reading, tiles=(covered, doubt)), {(0, 0): "R40"}).tiles[0].covered


def test_a_pasted_picture_is_judged(games: AppGames) -> None:
    wanted: list[Path] = []
    games._pages.photo_wanted.connect(lambda photo, _named: wanted.append(photo))
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    QGuiApplication.clipboard().setImage(image)
    games._window.show_page(PHOTO)
    QTest.keyClick(games._pages.photo, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert [photo.name for photo in wanted] == ["Pasted photo.png"]
    assert QImage(str(wanted[0])).size() == image.size()
    QGuiApplication.clipboard().clear()
    QTest.keyClick(games._pages.photo, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert games._window._notice.accessibleName().startswith("There is no photo on the clipboard.")


def drop(games: AppGames, files: list[Path]) -> None:
    content = QMimeData()
    content.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    no_button, no_key = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    games._window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, content, no_button, no_key))


def test_of_several_dropped_photos_each_is_judged(games: AppGames, tmp_path: Path) -> None:
    wanted: list[str] = []
    games._pages.photo_wanted.connect(lambda photo, _named: wanted.append(photo.name))
    drop(games, [tmp_path / "a.jpg", tmp_path / "b.jpg"])
    assert (games._window.page_name(), wanted) == (PHOTO, ["a.jpg"])
    page = games._pages.photo
    assert page._next.isVisible()
    QTest.keyClick(page, Qt.Key.Key_N)
    assert wanted == ["a.jpg", "b.jpg"]
    page.show_failure("b.jpg", "The file is empty.")
    assert page.subtitle.text() == "b.jpg  ·  photo 2 of 2"
    drop(games, [tmp_path / "c.jpg"])
    assert not page._next.isVisible()


def test_of_several_dropped_recordings_the_first_is_opened_and_that_is_said(
    games: AppGames, tmp_path: Path
) -> None:
    drop(games, [tmp_path / "one.mp4", tmp_path / "two.mp4"])
    assert games._window.page_name() == NEW_GAME
    notice = games._window._notice.accessibleName()
    assert notice == "Only one.mp4 is opened: one recording at a time."
