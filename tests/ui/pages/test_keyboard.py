"""Everything by keys alone, and what a screen reader is told of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from tests.ui.pages.test_table_page import PLAYERS, headline, tiles
from tests.ui.waiting import WaitFor
from ui.app.game_controller import TABLE, AppGames
from ui.app.main_window import START
from ui.app.navigation import NEW_GAME, PHOTO
from ui.viewmodels.requests import GameRequest

Key = Qt.Key
Press = Callable[..., None]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What screen readers are told, in order."""
    heard: list[str] = []

    def hear(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            heard.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", hear)
    return heard


@pytest.fixture(autouse=True)
def has_keyboard(games: AppGames, wait_for: WaitFor) -> None:
    """The window has the keyboard."""
    games._window.activateWindow()
    wait_for(games._window.isActiveWindow)


def stop() -> QWidget:
    """What has the keyboard."""
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def tab_to(press: Press, wanted: Callable[[QWidget], bool]) -> None:
    """Press Tab until the keyboard is where it is wanted."""
    stops: list[str] = []
    while len(stops) < 40:
        if wanted(stop()):
            return
        stops.append(f"{type(stop()).__name__} {stop().accessibleName()}")
        press(Key.Key_Tab)
    raise AssertionError(f"Tab does not lead there, but to {stops}.")


def place(games: AppGames, wait_for: WaitFor, press: Press, code: str, *keys: Key) -> None:
    """Type a tile, go to a place, and press Enter."""
    press(code.lower(), *keys, Key.Key_Return)
    wait_for(lambda: code in tiles(games).values())


def test_a_whole_game_is_played_by_keys(
    games: AppGames, wait_for: WaitFor, press: Press, told: list[str]
) -> None:
    window, page = games._window, games.page
    names = tuple(player.name for player in PLAYERS)
    games._pages.new_game.players.show_players(names, tuple(player.colour for player in PLAYERS))
    window.show_page(START)
    tab_to(press, lambda widget: widget is games._pages.start._new)
    press(Key.Key_Return)
    assert window.page_name() == NEW_GAME
    press(Key.Key_Return, modifier=Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: window.page_name() == TABLE and headline(games) == "Anna's turn")
    place(games, wait_for, press, "R40")
    place(games, wait_for, press, "B20", Key.Key_Right)
    assert tiles(games) == {(0, 0): "R40", (0, 1): "B20"}
    place(games, wait_for, press, "Y100")
    wait_for(lambda: headline(games) == "Collapse")
    assert any(sentence.startswith("Collapse. Yellow 100 matches neither") for sentence in told)
    press(Key.Key_Left)
    wait_for(lambda: tiles(games) == {(0, 0): "Y100"})
    press("y100", Key.Key_Return)  # it lies there: Enter corrects it
    assert page.popup.isVisible()
    press("y60", Key.Key_Return)
    wait_for(lambda: tiles(games) == {(0, 0): "Y60"})
    press("u")
    wait_for(lambda: tiles(games) == {(0, 0): "Y100"})
    press(Key.Key_U, modifier=Qt.KeyboardModifier.ShiftModifier)
    wait_for(lambda: tiles(games) == {(0, 0): "Y60"})
    correct_stocks(games, press)
    wait_for(lambda: page.view.players[0].stock == 1)
    place(games, wait_for, press, "G60", Key.Key_Right)
    wait_for(lambda: headline(games) == "Anna wins!")
    assert any("Anna wins!" in sentence for sentence in told)


def correct_stocks(games: AppGames, press: Press) -> None:
    """Give Anna's tiles but for one to Bruno."""
    tab_to(press, lambda widget: widget is games.page.players)
    press(Key.Key_Return)
    popup = games.page.players_popup
    spare = games.page.view.players[0].stock - 1
    for player, by in ((0, -1), (1, 1)):
        tab_to(press, lambda widget, player=player, by=by: widget is popup.step(player, by))
        press(*[Key.Key_Space] * spare)
    tab_to(press, lambda widget: widget is popup.apply)
    press(Key.Key_Return)


def test_tab_goes_as_one_reads_and_the_palette_is_one_stop(
    games: AppGames, wait_for: WaitFor, press: Press
) -> None:
    games.begin(GameRequest(PLAYERS))
    wait_for(lambda: headline(games) == "Anna's turn")
    place(games, wait_for, press, "R40")
    place(games, wait_for, press, "B20")
    place(games, wait_for, press, "Y100")
    wait_for(lambda: headline(games) == "Collapse")
    page = games.page
    wait_for(lambda: all(button.isVisible() for button in page.card.buttons()))
    page._home.setFocus()
    stops = [stop()]
    while len(stops) < 40 and not (len(stops) > 1 and stops[-1] is stops[0]):
        press(Key.Key_Tab)
        stops.append(stop())
    at_tiles = [each for each in stops if each in page.tiles.buttons()]
    assert len(at_tiles) == 1
    bar = [each for each in (page.what_if, page.undo, page.export, page.settings) if each.isEnabled()]
    expected = [
        page._home, *bar, *page.card.buttons(), page.pyramid, *at_tiles, page.timeline.strip(), page.players
    ]  # fmt: skip
    assert [each for each in stops if each in expected] == [*expected, page._home]


def test_the_arrows_go_through_the_palette_and_enter_takes_a_tile(
    games: AppGames, wait_for: WaitFor, press: Press
) -> None:
    games.begin(GameRequest(PLAYERS))
    wait_for(lambda: headline(games) == "Anna's turn")
    page = games.page
    tab_to(press, lambda widget: widget is page.tiles.button("Y1"))
    press(Key.Key_Right, Key.Key_Right, Key.Key_Down)
    assert stop() is page.tiles.button("R4")
    press(Key.Key_Return)
    wait_for(lambda: page.view.held == "R4")
    press(Key.Key_Escape)
    wait_for(lambda: page.view.held is None)
    assert games._window.page_name() == TABLE


def test_the_arrows_go_through_the_turns(games: AppGames, wait_for: WaitFor, press: Press) -> None:
    games.begin(GameRequest(PLAYERS))
    wait_for(lambda: headline(games) == "Anna's turn")
    place(games, wait_for, press, "R40")
    place(games, wait_for, press, "B20")
    page = games.page
    tab_to(press, lambda widget: widget is page.timeline.strip())
    press(Key.Key_Home)
    wait_for(lambda: page.view.past is not None and page.view.past.at == 0)
    press(Key.Key_Right)
    wait_for(lambda: page.view.past.at == 1)
    assert page.timeline.strip().accessibleName() == "Turn 2 of 2, Bruno. Placed: blue 20."
    press(Key.Key_Escape)
    wait_for(lambda: page.view.past is None)


def test_a_popup_gives_the_keyboard_back_also_where_a_button_is_gone_by_then(
    games: AppGames, wait_for: WaitFor, press: Press
) -> None:
    games.begin(GameRequest(PLAYERS))
    wait_for(lambda: headline(games) == "Anna's turn")
    page = games.page
    page.card.why.setFocus()
    press(Key.Key_Return)
    assert page.why_popup.isVisible()
    press(Key.Key_Escape)
    assert stop() is page.card.why
    gone = QPushButton(page)
    gone.show()
    gone.setFocus()
    page._on_why()
    shiboken6.delete(gone)
    press(Key.Key_Escape)
    assert stop() is page


def test_a_tile_that_is_out_of_reach_is_refused_in_words(
    games: AppGames, wait_for: WaitFor, press: Press
) -> None:
    games.begin(GameRequest(PLAYERS))
    wait_for(lambda: headline(games) == "Anna's turn")
    place(games, wait_for, press, "R7")
    place(games, wait_for, press, "B7")
    wait_for(lambda: headline(games) == "Explosion")
    press(Key.Key_Space)
    wait_for(lambda: not tiles(games))
    heard: list[str] = []
    games.page.refused.connect(heard.append)
    press("r7")
    assert heard == ["Red blowtorch 7 left the game."]


def test_parts_of_the_page_have_names_for_screen_readers(
    games: AppGames, wait_for: WaitFor, press: Press
) -> None:
    games.begin(GameRequest(PLAYERS))
    wait_for(lambda: headline(games) == "Anna's turn")
    assert games.page.pyramid.accessibleName() == "No tile lies on the table."
    place(games, wait_for, press, "R40")
    page = games.page
    assert page.pyramid.accessibleName() == "Row 1: red 40"
    named = (page.pyramid, page.tiles, page.timeline.strip(), page.players, page.card, page.picture)
    assert all(each.accessibleName() for each in named)
    buttons = [button for button in page.findChildren(QPushButton) if button.isVisible()]
    assert all(button.text() or button.accessibleName() for button in buttons)


def test_enter_presses_a_button_of_the_bar(games: AppGames, wait_for: WaitFor, press: Press) -> None:
    games.begin(GameRequest(PLAYERS))
    wait_for(lambda: headline(games) == "Anna's turn")
    place(games, wait_for, press, "R40")
    tab_to(press, lambda widget: widget is games.page.undo)
    press(Key.Key_Return)
    wait_for(lambda: not tiles(games))


def test_a_photo_is_opened_from_the_first_page(
    games: AppGames, press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[Path] = []
    monkeypatch.setattr("ui.app.navigation.choose_photo_or_layout", lambda _window: Path("table.jpg"))
    games._pages.photo_wanted.connect(wanted.append)
    games._window.show_page(START)
    press(Key.Key_O, modifier=Qt.KeyboardModifier.ControlModifier)
    assert (wanted, games._window.page_name()) == ([Path("table.jpg")], PHOTO)
