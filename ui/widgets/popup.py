"""What all popups have in common: the keys go to them alone, and where the keyboard was it comes back."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QWidget
from shiboken6 import isValid

from ui.widgets.style import dress


class Popup(QFrame):
    """A card above the page. Closes on Esc, or on a click elsewhere."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        dress(self, "popup")
        self._page = parent
        self._before: QWidget | None = None

    def event(self, event: QEvent) -> bool:
        """Keep the keys from the page behind."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Remember where the keyboard was."""
        self._before = self._page.window().focusWidget()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Give the keyboard back."""
        super().hideEvent(event)
        self._page.window().activateWindow()
        # A button of the card may be gone: the game went on meanwhile.
        before = self._before if self._before is not None and isValid(self._before) else self._page
        before.setFocus()
