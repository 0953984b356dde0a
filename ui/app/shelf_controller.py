"""The shelf of the app: lists the stored games, names and deletes them, and opens them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

from ui.app.main_window import MainWindow
from ui.errors import TOLD
from ui.pages.games.shelf_page import ShelfPage
from ui.storage.game_store import GameStore
from ui.storage.stored_pictures import thumbnail_of
from ui.text import pages as texts
from ui.text.catalogue import say
from ui.text.errors import error_sentence
from ui.viewmodels.games.shelf import shelf_row
from ui.viewmodels.requests import SavedGame

SHELF = "games"
MOST_PICTURES = 20
"""Photos that are shown, of the newest games; drawings are shown of the others."""


class AppShelf(QObject):
    """Connects the shelf with the store."""

    def __init__(
        self, window: MainWindow, store: Callable[[], GameStore], resume: Callable[[SavedGame], None]
    ) -> None:
        """Put the shelf into the window.

        Args:
            window: Of the app.
            store: Opens the stored games.
            resume: Goes on with one, or shows one that is over.
        """
        super().__init__(window)
        self._window, self._store, self._resume = window, store, resume
        self.page = ShelfPage()
        window.add_page(SHELF, self.page)
        window.page_changed.connect(lambda name: self.list_games() if name == SHELF else None)
        self.page.open_wanted.connect(self._on_open)
        self.page.rename_wanted.connect(self._on_rename)
        self.page.delete_wanted.connect(lambda game: self._change(lambda: self._store().delete(game)))

    def list_games(self) -> None:
        """Show the games that are stored."""
        try:
            store = self._store()
            rows = []
            for at, game in enumerate(store.games()):
                jpeg = store.last_picture(game.id) if at < MOST_PICTURES else None
                rows.append(shelf_row(game, thumbnail_of(jpeg) if jpeg else None))
        except TOLD as error:
            self._window.show_notice(error_sentence(error))
            return
        self.page.show_games(rows)

    def _change(self, change: Callable[[], None]) -> None:
        try:
            change()
        except TOLD as error:
            self._window.show_notice(error_sentence(error))
        self.list_games()

    def _on_open(self, number: int) -> None:
        row = next(row.game for row in self.page.rows if row.game.id == number)
        saved = SavedGame(Path(str(number)), row.title, row.date, row.players, row.is_finished)
        self._resume(saved)

    def _on_rename(self, number: int, title: str) -> None:
        name, is_given = QInputDialog.getText(
            self.page, say(texts.RENAME), say(texts.NAME_OF_GAME), text=title
        )
        if is_given:
            self._change(lambda: self._store().rename(number, name))
