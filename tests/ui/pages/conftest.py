"""The app's window with its pages, as the tests of the pages use it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from ui.app.game_controller import AppGames
from ui.app.main_window import MainWindow
from ui.app.navigation import AppPages
from ui.storage.preferences import Settings
from ui.text.catalogue import choose_language


@pytest.fixture
def games(application: QApplication) -> Iterator[AppGames]:
    """The games of a window that is shown, in English, without animations."""
    choose_language("en")
    window = MainWindow(Settings(reduced_motion=True))
    pages = AppPages(window, Settings(reduced_motion=True))
    games = AppGames(window, pages)
    window.resize(1280, 800)
    window.show()
    yield games
    games.close()
    window.close()
    pages.stop()
