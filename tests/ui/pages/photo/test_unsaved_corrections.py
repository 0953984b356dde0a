"""Corrections of a photo that are not saved: before they would be lost, the page asks; by keys as well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from tests.ui.waiting import WaitFor
from ui.app.game_controller import AppGames
from ui.app.main_window import START
from ui.app.navigation import PHOTO
from ui.pages.photo.photo_page import PhotoPage
from ui.text.catalogue import choose_language
from ui.viewmodels.game_view import Retile, Undo
from ui.viewmodels.photo.known_table import KnownTable, KnownTile
from ui.viewmodels.photo.photo import PhotoTable
from ui.viewmodels.table_view import Tone

Key = Qt.Key
Press = Callable[..., None]
READ = PhotoTable("a.jpg", KnownTable((KnownTile("R40", 0, 0), KnownTile("B20", 0, 1))))
CORRECTED = "R40 B30"
QUESTION = "Save your corrections?"


@pytest.fixture
def page(games: AppGames, wait_for: WaitFor) -> PhotoPage:
    """The page in its window, with a photo that was corrected."""
    games._window.activateWindow()
    wait_for(games._window.isActiveWindow)
    games._window.show_page(PHOTO)
    page = games._pages.photo
    page.show_table(READ)
    page.act(Retile(0, 1, "B30"))
    return page


@pytest.fixture
def wanted(games: AppGames) -> list[str]:
    """The names of the photos that are to be read."""
    names: list[str] = []
    games._pages.photo_wanted.connect(lambda photo: names.append(photo.name))
    return names


def layout(page: PhotoPage) -> str:
    return str(page.model.table.layout)


def is_asked(page: PhotoPage) -> bool:
    return (page.view.card.headline, page.view.card.tone) == (QUESTION, Tone.QUESTION)


def save_as(monkeypatch: pytest.MonkeyPatch, target: Path | None) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target or ""), ""))


def test_another_photo_waits_until_the_corrections_are_dropped(
    games: AppGames, page: PhotoPage, wanted: list[str], press: Press, wait_for: WaitFor
) -> None:
    games._pages.show_photos([Path("b.jpg"), Path("c.jpg")])
    assert is_asked(page)
    assert page.view.card.sentences == ("What you have corrected in a.jpg is not saved yet.",)
    assert (wanted, layout(page)) == ([], CORRECTED)
    press("2")
    assert wanted == ["b.jpg"]
    page.show_table(READ)
    page.act(Retile(0, 1, "B30"))
    press("n")
    assert is_asked(page)
    drop = next(button for button in page.card.buttons() if button.text() == "Go on without saving")
    wait_for(drop.isVisible)
    drop.setFocus()
    press(Key.Key_Return)
    assert wanted == ["b.jpg", "c.jpg"]


def test_they_are_saved_first(
    page: PhotoPage, wanted: list[str], press: Press, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(tmp_path / "b.jpg"), ""))
    press(Key.Key_O, modifier=Qt.KeyboardModifier.ControlModifier)
    save_as(monkeypatch, None)
    press("1")
    assert not is_asked(page)
    assert (wanted, layout(page)) == ([], CORRECTED)
    press(Key.Key_O, modifier=Qt.KeyboardModifier.ControlModifier)
    save_as(monkeypatch, tmp_path / "a.txt")
    press("1")
    assert CORRECTED in (tmp_path / "a.txt").read_text("utf-8")
    assert wanted == ["b.jpg"]
    page.act(Retile(0, 1, "B20"))
    page.want(Path("c.jpg"))
    page.save.click()
    assert wanted == ["b.jpg", "c.jpg"]


def test_what_was_saved_is_not_asked_about(
    page: PhotoPage, wanted: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_as(monkeypatch, tmp_path / "a.txt")
    page.save.click()
    page.want(Path("b.jpg"))
    assert wanted == ["b.jpg"]


def test_esc_stays_with_the_photo_and_so_does_going_on_with_it(
    games: AppGames, page: PhotoPage, wanted: list[str], press: Press
) -> None:
    page.want(Path("b.jpg"))
    press(Key.Key_Escape)
    assert not is_asked(page)
    assert (games._window.page_name(), layout(page)) == (PHOTO, CORRECTED)
    page.want(Path("b.jpg"))
    page.act(Undo())
    assert not is_asked(page)
    press("2")
    assert wanted == []


def test_what_is_not_certain_is_answered_before_it_is_saved(
    games: AppGames, page: PhotoPage, wanted: list[str], press: Press
) -> None:
    doubtful = KnownTile("G60", 1, 0, unsure=True, alternatives=(("R4", 0.4),))
    page.model.let_go()
    page.show_table(PhotoTable("a.jpg", KnownTable((*READ.table.tiles, doubtful))))
    page.act(Retile(0, 1, "B30"))
    page.want(Path("b.jpg"))
    press("1")
    assert page.view.card.tone is not Tone.CALM
    assert not is_asked(page)
    assert games._window._notice.accessibleName().startswith("Answer the question first")
    assert wanted == []


def test_corrections_made_while_a_photo_is_read_are_not_lost(page: PhotoPage, press: Press) -> None:
    page.show_failure("b.jpg", "The file is empty.")
    assert is_asked(page)
    assert layout(page) == CORRECTED
    press("2")
    assert page.view.card.sentences == ("The file is empty.",)


def test_the_window_asks_before_it_closes(games: AppGames, page: PhotoPage, press: Press) -> None:
    games._window.show_page(START)
    games._window.close()
    assert games._window.isVisible()
    assert games._window.page_name() == PHOTO
    assert is_asked(page)
    press("2")
    assert not games._window.isVisible()


def test_the_question_is_asked_in_french_too(page: PhotoPage) -> None:
    page.want(Path("b.jpg"))
    choose_language("fr")
    page.renew_words()
    assert page.view.card.headline == "Enregistrer vos corrections\u00a0?"
    assert [choice.label for choice in page.card.choices()] == [
        "Enregistrer, puis continuer",
        "Continuer sans enregistrer",
        "Rester ici",
    ]
    choose_language("en")
