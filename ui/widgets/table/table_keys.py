"""The keys of the table page: choices, a tile that is typed, and arrows from place to place."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from ui.viewmodels.game_view import GameView
from ui.viewmodels.looking_back import moved
from ui.viewmodels.typed_tile import LETTERS, STEPS, TypedTile
from ui.widgets.pyramid_view import PyramidView
from ui.widgets.table.verdict_card import VerdictCard

DIGITS = "0123456789"
KEYS = ("Space", "Backspace", *STEPS, *DIGITS, *LETTERS)


class TableKeys(QObject):
    """Hears the keys while the page or anything on it has the keyboard."""

    chosen = Signal(object)
    """An act of `ui.viewmodels.game_view`."""
    held = Signal(object)
    """The code of a tile that is to be held, or None."""
    refused = Signal(str)
    """Why a tile that was typed cannot be placed."""

    def __init__(self, page: QWidget, pyramid: PyramidView, card: VerdictCard) -> None:
        super().__init__(page)
        self._page, self._pyramid, self._card = page, pyramid, card
        self._view: GameView | None = None
        self.typed = TypedTile()
        for key in KEYS:
            shortcut = QShortcut(QKeySequence(key), page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda key=key: self.press(key))

    def show_view(self, view: GameView) -> None:
        """Follow what the page shows."""
        self._view = view
        self._pyramid.aims_at_places = self.code() is not None

    def code(self) -> str | None:
        """Return the tile that is to be placed, also where the view does not know it yet."""
        if self._view is None or not self._view.places:
            return None
        typed = self.typed.code
        if typed is not None:
            return None if typed in self._view.elsewhere else typed
        return self._view.held

    def forget(self) -> bool:
        """Let go of a tile that is typed or held; return whether there was one."""
        held = bool(self.typed.text) or (self._view is not None and self._view.held is not None)
        self.typed.clear()
        self._pyramid.show_cursor(None)
        if held:
            self.held.emit(None)
        return held

    def press(self, key: str) -> None:
        """Do what a key means now."""
        focus = QApplication.focusWidget()
        if key == "Space" and isinstance(focus, QAbstractButton) and self._page.isAncestorOf(focus):
            focus.click()
        elif key in LETTERS or (key in DIGITS and self.typed.text):
            self._type(key)
        elif key == "Backspace":
            self.typed.erase()
            self._show_typed()
        elif not self._choose(key):
            if key in STEPS:
                self._step(key)
            elif key == "Space":
                self._pyramid.press_cursor()

    def _choose(self, key: str) -> bool:
        for choice in self._card.choices():
            if choice.key == key:
                self.typed.clear()
                self.chosen.emit(choice.act)
                return True
        return False

    def _step(self, arrow: str) -> None:
        past = None if self._view is None else self._view.past
        if past is None:
            self._pyramid.setFocus()
            self._pyramid.step_cursor(arrow)
        elif arrow in ("Left", "Right") and self._view is not None:
            self.chosen.emit(moved(self._view.turns, past, 1 if arrow == "Right" else -1))

    def _type(self, key: str) -> None:
        if self._view is not None and self._view.past is None and self.typed.press(key):
            self._pyramid.setFocus()
            self._show_typed()

    def _show_typed(self) -> None:
        """Hold the tile that was typed; one that lies on the table is gone to instead."""
        view, code = self._view, self.typed.code
        if view is None:
            return
        lying = next(((tile.row, tile.slot) for tile in view.tiles if tile.code == code), None)
        self._pyramid.aims_at_places = self.code() is not None
        self._pyramid.show_cursor(lying)
        if self._pyramid.aims_at_places:
            self._pyramid.step_cursor("Right")
        if code is not None and lying is None and code in view.elsewhere:
            self.refused.emit(view.elsewhere[code])
        elif view.is_clicked and view.held != self.code():
            self.held.emit(self.code())
