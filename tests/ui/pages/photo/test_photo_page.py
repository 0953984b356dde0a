"""The page of photos in a real window: corrected, asked, tried out, saved and opened again; also by keys."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from referee.rules.layout import Layout
from referee.rules.options import Options
from tests.places import SAMPLES
from tests.ui.waiting import WaitFor
from ui.app.game_controller import AppGames
from ui.app.navigation import NEW_GAME, PHOTO, RULES
from ui.pages.photo.photo_page import PhotoPage
from ui.storage.preferences import Settings
from ui.text.catalogue import choose_language
from ui.viewmodels.game_view import Hold
from ui.viewmodels.photo.known_table import KnownTable
from ui.viewmodels.photo.photo import PhotoTable
from ui.viewmodels.photo.read_photos import prepare_photo_job
from ui.viewmodels.table_view import Tone
from ui.widgets.theme import SENTENCE_PX, Look
from ui.workers.photo_worker import PhotoWorker

Key = Qt.Key
Press = Callable[..., None]


@pytest.fixture
def page(games: AppGames, wait_for: WaitFor) -> PhotoPage:
    """The page in its window, which has the keyboard."""
    games._window.activateWindow()
    wait_for(games._window.isActiveWindow)
    games._window.show_page(PHOTO)
    return games._pages.photo


@pytest.fixture
def worker(games: AppGames) -> Iterator[PhotoWorker]:
    """Reads the photos of the page."""
    worker, pages = PhotoWorker(prepare_photo_job), games._pages
    pages.photo_wanted.connect(worker.ask)
    worker.photo_read.connect(pages.photo.show_table)
    worker.failed.connect(pages.photo.show_failure)
    yield worker
    assert worker.stop()


def show(page: PhotoPage, text: str) -> None:
    page.show_table(PhotoTable("a.jpg", KnownTable().after(Layout.parse(text))))


def layout(page: PhotoPage) -> str:
    return str(page.model.table.layout)


def labels(page: PhotoPage) -> list[str]:
    return [choice.label for choice in page.card.choices()]


def notice(games: AppGames) -> str:
    return games._window._notice.accessibleName()


def click(page: PhotoPage, label: str) -> None:
    at = labels(page).index(label)
    QTest.mouseClick(page.card.buttons()[at], Qt.MouseButton.LeftButton)


def click_tile(page: PhotoPage, row: int, slot: int) -> None:
    where = page.pyramid.tile_rect(row, slot).center().toPoint()
    QTest.mouseClick(page.pyramid, Qt.MouseButton.LeftButton, pos=where)


def save_as(monkeypatch: pytest.MonkeyPatch, target: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))


def open_from(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(file), ""))


def test_from_a_photo_to_a_saved_and_reopened_layout_by_keys(
    page: PhotoPage,
    worker: PhotoWorker,
    press: Press,
    wait_for: WaitFor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    photo = shutil.copy(SAMPLES / "question.jpg", tmp_path / "table.jpg")
    control = Qt.KeyboardModifier.ControlModifier
    open_from(monkeypatch, photo)
    press(Key.Key_O, modifier=control)
    wait_for(lambda: page.view.card.tone is Tone.QUESTION)
    asked = next(tile for tile in page.view.tiles if tile.unsure)
    assert page.card.choices()[0].code == asked.code
    press(Key.Key_Left)  # the first answer
    wait_for(lambda: not any(tile.unsure for tile in page.view.tiles))
    read = layout(page)
    press(read.split()[0].lower(), Key.Key_Return)  # go to the first tile, and correct it
    assert page.popup.isVisible()
    free = next(code for code in ("B4", "B6", "G6") if code not in page.view.elsewhere)
    press(free.lower(), Key.Key_Return)
    assert layout(page) == read.replace(read.split()[0], free, 1)
    press("u")
    assert layout(page) == read
    press(Key.Key_U, modifier=Qt.KeyboardModifier.ShiftModifier)
    corrected = layout(page)
    save_as(monkeypatch, tmp_path / "table.json")
    press(Key.Key_S, modifier=control)
    saved = json.loads((tmp_path / "table.json").read_text("utf-8"))
    assert (saved["image"], saved["layout"]) == ("table.jpg", corrected)
    open_from(monkeypatch, tmp_path / "table.json")
    press(Key.Key_O, modifier=control)
    wait_for(lambda: page.subtitle.text() == "table.json")
    assert layout(page) == corrected
    assert len(page.model.outlines()) == len(page.view.tiles)
    assert page._image is not None


def test_the_question_is_answered_by_its_buttons(
    page: PhotoPage, games: AppGames, worker: PhotoWorker, wait_for: WaitFor
) -> None:
    games._pages.show_photo(SAMPLES / "question.jpg")
    wait_for(lambda: page.view.card.tone is Tone.QUESTION)
    assert labels(page)[-1] == "No tile lies there"
    QTest.keyClick(page, Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert notice(games).startswith("Answer the question first")
    click(page, "Choose the tile …" if "Choose the tile …" in labels(page) else "Another tile …")
    assert page.popup.isVisible()
    (asked,) = (tile for tile in page.view.tiles if tile.unsure)
    QTest.mouseClick(page.popup.palette_of_tiles.button(asked.code), Qt.MouseButton.LeftButton)
    assert page.view.card.tone is not Tone.QUESTION
    assert not any(tile.unsure for tile in page.view.tiles)


def test_a_tile_is_corrected_and_taken_away_by_clicks(page: PhotoPage) -> None:
    show(page, "R40 B20/G60")
    click_tile(page, 1, 0)
    QTest.mouseClick(page.popup.palette_of_tiles.button("R4"), Qt.MouseButton.LeftButton)
    assert layout(page) == "R40 B20/R4"
    assert page.subtitle.text() == "a.jpg  ·  changed by hand"
    click_tile(page, 1, 0)
    assert page.popup.none.text() == "No tile lies there"
    QTest.mouseClick(page.popup.none, Qt.MouseButton.LeftButton)
    assert layout(page) == "R40 B20"


def test_the_words_of_the_first_photo_are_as_large_as_there_is_room_for(
    application: QApplication, wait_for: WaitFor
) -> None:
    """A page that is filled before it is laid out had small words, and buttons that lay over them."""
    page = PhotoPage()
    page.set_look(Look())
    show(page, "B60 R10 R100 -/- G1 Y40")
    page.resize(1440, 840)
    page.show()
    wait_for(lambda: page.card.height() > 300)
    (sentence,) = page.card.sentence_labels()
    assert sentence.font().pixelSize() >= SENTENCE_PX * 0.9
    page.close()


def test_both_falls_are_tried_by_the_arrows_and_taken_back(page: PhotoPage, press: Press) -> None:
    show(page, "B60 R10 R100 -/- G1 Y40")
    press(Key.Key_Left)
    left = layout(page)
    press("u", Key.Key_Right)
    assert len({left, layout(page), "B60 R10 R100 -/- G1 Y40"}) == 3
    press("u")
    assert layout(page) == "B60 R10 R100 -/- G1 Y40"


def test_a_tile_is_placed_in_thought_by_typing_and_by_clicks(page: PhotoPage, press: Press) -> None:
    show(page, "R40 B20")
    press("g60")
    assert page.view.held == "G60"
    assert page.pyramid.cursor_at == (1, 0)
    press(Key.Key_Return)
    assert page.view.card.headline == "Collapse"
    press("u", "t")
    assert page.tiles.isVisible()
    QTest.mouseClick(page.tiles.button("R4"), Qt.MouseButton.LeftButton)
    where = page.pyramid.tile_rect(1, 0).center().toPoint()
    QTest.mouseClick(page.pyramid, Qt.MouseButton.LeftButton, pos=where)
    assert layout(page) == "R40 B20/R4"
    press("b20", Key.Key_Delete)
    assert "B20" not in layout(page)


def test_a_held_tile_is_let_go_before_the_page_is_left(
    page: PhotoPage, press: Press, games: AppGames
) -> None:
    show(page, "R40 B20")
    press("g60", Key.Key_Escape)
    assert page.view.held is None
    assert games._window.page_name() == PHOTO


def test_a_tile_that_lies_there_is_gone_to_and_a_wrong_step_is_refused_in_words(
    page: PhotoPage, games: AppGames, press: Press
) -> None:
    show(page, "R40 B20")
    press("b20")
    assert page.pyramid.cursor_at == (0, 1)
    page.keys.typed.clear()
    page.act(Hold("G60"))
    page.pyramid.place_clicked.emit(5, 5)
    assert "cannot go to row 5" in notice(games)


def test_why_tells_the_rule_and_leads_to_all_rules(page: PhotoPage, games: AppGames, press: Press) -> None:
    show(page, "R40 B20/G60")
    press(Key.Key_F1)
    assert page.why_popup.isVisible()
    assert page.why_popup.said().startswith("Collapse")
    press(Key.Key_Return)
    assert games._window.page_name() == RULES
    press(Key.Key_Escape)
    assert games._window.page_name() == PHOTO


def test_the_rules_of_the_last_game_decide(page: PhotoPage, games: AppGames) -> None:
    show(page, "R40 Y40/B40")
    assert page.view.card.tone is Tone.CALM
    games._window.show_page(NEW_GAME)
    games._pages.settings = Settings(options=Options(curse=True))
    games._window.show_page(PHOTO)
    assert page.view.card.headline == "Curse"


def test_a_picture_of_table_and_verdict_is_shared(
    page: PhotoPage, games: AppGames, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.show_table(prepare_photo_job()(SAMPLES / "collapse.jpg"))
    save_as(monkeypatch, tmp_path / "shared.jpg")
    page.share.click()
    image = QImage(str(tmp_path / "shared.png"))
    assert image.width() > page.picture.width() + page.card.width()
    assert "shared.png" in notice(games)
    save_as(monkeypatch, tmp_path / "no folder" / "a.json")
    page.save.click()
    assert "a.json could not be saved" in notice(games)


def test_nothing_can_be_saved_of_an_empty_table_and_parts_have_names(page: PhotoPage) -> None:
    page.show_welcome()
    assert not page.save.isEnabled()
    assert not page.share.isEnabled()
    show(page, "R40 B20")
    assert page.save.isEnabled()
    assert page.pyramid.accessibleName() == "Row 1: red 40, blue 20"
    assert page.pyramid.accessibleDescription().startswith("The arrows go from tile to tile")
    assert page.card.accessibleName().startswith("The pyramid is stable")
    buttons = [button for button in page.findChildren(QPushButton) if button.isVisible()]
    assert all(button.text() or button.accessibleName() for button in buttons)


def test_everything_is_said_in_the_language_that_is_chosen(page: PhotoPage) -> None:
    show(page, "R40 B20/G60")
    choose_language("fr")
    page.renew_words()
    assert page.view.card.headline == "Effondrement"
    choose_language("en")


def test_a_file_that_holds_no_layout_is_said(
    page: PhotoPage, games: AppGames, worker: PhotoWorker, wait_for: WaitFor, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("R40 R40", encoding="utf-8")
    games._pages.show_photo(tmp_path / "a.txt")
    wait_for(lambda: page.view.card.headline == "This photo could not be read")
    assert "R40 is there twice" in page.view.card.sentences[0]


def test_a_pasted_picture_is_judged(games: AppGames) -> None:
    wanted: list[Path] = []
    games._pages.photo_wanted.connect(wanted.append)
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    QGuiApplication.clipboard().setImage(image)
    games._window.show_page(PHOTO)
    QTest.keyClick(games._pages.photo, Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert [photo.name for photo in wanted] == ["Pasted photo.png"]
    assert QImage(str(wanted[0])).size() == image.size()
    assert games._pages.photos._beside(".json") == Path("table.json")
    QGuiApplication.clipboard().clear()
    QTest.keyClick(games._pages.photo, Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert notice(games).startswith("There is no photo on the clipboard.")


def drop(games: AppGames, files: list[Path]) -> None:
    content = QMimeData()
    content.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    no_button, no_key = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    games._window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, content, no_button, no_key))


def test_of_several_dropped_photos_each_is_judged(games: AppGames, tmp_path: Path) -> None:
    wanted: list[str] = []
    games._pages.photo_wanted.connect(lambda photo: wanted.append(photo.name))
    drop(games, [tmp_path / "a.jpg", tmp_path / "b.jpg"])
    assert (games._window.page_name(), wanted) == (PHOTO, ["a.jpg"])
    page = games._pages.photo
    assert page._next.isVisible()
    QTest.keyClick(page, Key.Key_N)
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
    assert notice(games) == "Only one.mp4 is opened: one recording at a time."
