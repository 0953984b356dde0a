"""The row below a review: a name for the tile set, buttons to learn it and to play with it, the result."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from ui.text import review as texts
from ui.text.catalogue import say
from ui.widgets.controls import make_button
from ui.widgets.review.result_card import ResultCard
from ui.widgets.words import Words


class LearnRow(QWidget):
    """Offers to learn, or to play with what was learned."""

    learn_wanted = Signal(str)
    """The name that somebody gives the tile set."""
    use_wanted = Signal(str)
    """The tile set for new games."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._learned = ""
        self.result = ResultCard()
        """What came of learning; it lies where the page has room for it."""
        self.name_field = QLineEdit()
        self.name_field.setMaxLength(40)
        words.bind(self.name_field.setPlaceholderText, texts.SET_NAME)
        words.bind(self.name_field.setAccessibleName, texts.SET_NAME)
        self.learn = make_button(words, texts.LEARN, "go")
        self.use = make_button(words, texts.USE, "go")
        self.learn.clicked.connect(lambda: self.learn_wanted.emit(self.name_field.text().strip()))
        self.name_field.returnPressed.connect(self.learn.click)
        self.use.clicked.connect(lambda: self.use_wanted.emit(self._learned))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self.name_field, self.use, self.learn):
            row.addWidget(widget, 1)
        self.use.hide()

    def begin(self) -> None:
        """Tell that the tiles are being learned."""
        self.learn.setEnabled(False)
        self.offer_use("")
        self.result.show_text(say(texts.LEARNING))

    def show_learned(self, name: str, sentences: Sequence[str]) -> None:
        """Show what was learned, or why nothing was. Without a name, no tile set is offered for games."""
        self.learn.setEnabled(True)
        self.result.show_text(" ".join(sentences))
        self.offer_use(name)
        if name:
            self.use.setFocus()

    def show_used(self, name: str) -> None:
        """Tell that new games are played with this set."""
        self.offer_use("")
        self.result.show_text(say(texts.IN_USE, name=name))

    def forget(self) -> None:
        """Show another data set, of which nothing was learned yet."""
        self.offer_use("")
        self.result.show_text("")

    def offer_use(self, name: str) -> None:
        """Offer to play with the learned tiles, or to learn again if the name is empty."""
        self._learned = name
        self.use.setVisible(bool(name))
        self.name_field.setVisible(not name)
