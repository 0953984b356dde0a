"""What all pages share."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QBoxLayout
from pytestqt.qtbot import QtBot

from tests.ui.open_windows import close_windows, open_windows
from ui.app.game_controller import AppGames
from ui.app.main_window import MainWindow
from ui.app.navigation import AppPages
from ui.pages.page import Page
from ui.storage.preferences import Settings
from ui.text.catalogue import mark

LONG = mark("Something that takes much room in the bar")


def test_the_bar_goes_back_to_one_row_when_its_buttons_need_less_room(qtbot: QtBot) -> None:
    """It stayed in two rows until somebody changed the size of the window."""
    page = Page(mark("Game"))
    qtbot.addWidget(page)
    button = page.add_tool(LONG, lambda: None)
    page.resize(page._title_row.sizeHint().width() + 120, 400)
    page.show()
    assert page._title_bar.direction() is QBoxLayout.Direction.TopToBottom
    button.setText("Go")
    qtbot.waitUntil(lambda: page._title_bar.direction() is QBoxLayout.Direction.LeftToRight)


def test_a_window_takes_its_pages_along(application: QApplication) -> None:
    """Windows of earlier tests were styled again with each later one, and took 30 MB each."""
    before, widgets = open_windows(), len(application.allWidgets())
    window = MainWindow()
    pages = AppPages(window, Settings())
    games = AppGames(window, pages)
    window.show()
    application.processEvents()
    assert len(window.findChildren(Page)) == 12
    games.close()
    pages.stop()
    close_windows(before)
    assert len(application.allWidgets()) == widgets
