"""The shelf of games, looking back event by event, and playing on from there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from tests.ui.pages.test_table_page import begin_clicked, headline, put, tiles
from tests.ui.waiting import WaitFor
from ui.app.game_controller import TABLE, AppGames
from ui.app.main_window import START
from ui.app.shelf_controller import SHELF


def play(games: AppGames, wait_for: WaitFor) -> None:
    """Three turns; the third is a collapse of two events."""
    begin_clicked(games, wait_for)
    for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0)):
        put(games, wait_for, code, row, slot)
    wait_for(lambda: headline(games) == "Collapse")
    QTest.keyClick(games.page, Qt.Key.Key_Left)
    wait_for(lambda: tiles(games) == {(0, 0): "Y100"})


def test_games_are_named_opened_and_deleted(
    games: AppGames, wait_for: WaitFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(games, wait_for)
    window, shelf = games._window, games.shelf.page
    window.show_page(START)
    window.show_page(SHELF)
    (row,) = shelf.rows
    assert (row.game.title, row.game.players) == ("Without a camera", "Anna, Bruno, Chloé")
    assert (row.game.state, row.game.layout) == ("3 turns, not finished", "Y100")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_a, **_k: ("Sunday", True))
    row.rename.click()
    (row,) = shelf.rows
    assert row.game.title == "Sunday"
    row.open.click()
    wait_for(lambda: window.page_name() == TABLE and tiles(games) == {(0, 0): "Y100"})
    window.show_page(START)
    window.show_page(SHELF)
    (row,) = shelf.rows
    row.delete.click()
    assert row.delete.text() == "Delete for good"
    assert len(games.store.games()) == 1
    row.delete.click()
    assert (shelf.rows, games.store.games()) == ([], [])
    assert shelf._none.isVisible()


def test_one_looks_back_event_by_event_and_plays_on_from_there(games: AppGames, wait_for: WaitFor) -> None:
    play(games, wait_for)
    page, slider = games.page, games.page.slider
    assert not slider.isVisible()
    page.timeline.turn_clicked.emit(2)
    wait_for(lambda: page.view.past is not None)
    assert slider.isVisible()
    assert (slider.value(), slider.maximum()) == (2, 5)  # placed, placed, and placed, collapse, two steps
    QTest.keyClick(page, Qt.Key.Key_Right)
    wait_for(lambda: slider.value() == 3)
    slider.setValue(5)
    wait_for(lambda: page.view.past.step == 3)
    assert tiles(games) == {(0, 0): "Y100"}
    slider.setValue(1)
    wait_for(lambda: tiles(games) == {(0, 0): "R40", (0, 1): "B20"})
    before = games.worker
    challenge, play_on = (choice for choice in page.card.choices() if choice.is_quiet)
    assert (challenge.label, play_on.label) == ("Challenge this call", "Play on from here by clicking")
    page.card.chosen.emit(play_on.act)
    wait_for(lambda: games.worker is not before and headline(games) == "Chloé's turn")
    put(games, wait_for, "R4", 1, 0)
    assert [game.turn for game in games.store.games()] == [3, 3]
