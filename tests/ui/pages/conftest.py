"""The app's window with its pages, as the tests of the pages use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
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
    window.resize(1280, 800)
    window._dress()  # before there are pages, which would all be dressed again for another size
    pages = AppPages(window, Settings(reduced_motion=True))
    games = AppGames(window, pages)
    window.show()
    yield games
    games.close()
    pages.photo.model.let_go()  # or the window would ask before it closes
    window.close()
    pages.stop()


@pytest.fixture
def press(games: AppGames) -> Callable[..., None]:
    """Presses keys where the keyboard is: single keys, or text as it is typed."""

    def press_keys(
        *keys: Qt.Key | str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        for key in keys:
            target = QApplication.activePopupWidget() or games._window
            target = target.focusWidget() or target
            if isinstance(key, str):
                QTest.keyClicks(target, key)
            else:
                QTest.keyClick(target, key, modifier)

    return press_keys
