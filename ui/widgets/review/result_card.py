"""The card above the progress of a review: what came of learning its tiles."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from ui.widgets.controls import make_card


class ResultCard(QWidget):
    """Shows some sentences, and nothing where there are none."""

    text_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._label = QLabel()
        self._label.setWordWrap(True)
        card, inside = make_card()
        inside.setContentsMargins(18, 14, 18, 14)
        inside.addWidget(self._label)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(card)
        self.hide()

    @property
    def text(self) -> str:
        """What it shows."""
        return self._label.text()

    def show_text(self, text: str) -> None:
        """Show some sentences; none: show nothing."""
        self._label.setText(text)
        self.setVisible(bool(text))
        self.text_changed.emit()
