"""The row of buttons below the photo of a review: what can be said of the chosen crops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ui.text import review as texts
from ui.widgets.controls import make_button
from ui.widgets.words import Words

if TYPE_CHECKING:
    from vision.dataset.review import Review


class ActRow(QWidget):
    """Offers what can be done without the keyboard."""

    confirm_wanted = Signal()
    gone_wanted = Signal()
    add_wanted = Signal()
    """A tile was not found, and is to be added; clicked once more: it is not."""
    undo_wanted = Signal()
    redo_wanted = Signal()

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self._buttons: list[QPushButton] = []
        self._add(words, texts.RIGHT, self.confirm_wanted)
        self._add(words, texts.NO_TILE, self.gone_wanted)
        self._add(words, texts.ADD_TILE, self.add_wanted)
        self.undo = self._add(words, texts.UNDO, self.undo_wanted)
        self.redo = self._add(words, texts.REDO, self.redo_wanted)

    def show_review(self, review: Review | None) -> None:
        """Offer what can be done now; nothing without a data set."""
        for button in self._buttons:
            button.setEnabled(review is not None)
        if review is not None:
            self.undo.setEnabled(review.can_undo)
            self.redo.setEnabled(review.can_redo)

    def _add(self, words: Words, sentence: str, wanted: SignalInstance) -> QPushButton:
        button = make_button(words, sentence, "choice")
        button.clicked.connect(wanted)
        self._row.addWidget(button, 1)
        self._buttons.append(button)
        return button
