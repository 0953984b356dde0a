"""A quiet strip that says what went wrong. Nobody has to answer it, and it covers nothing."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from ui.text import pages as page_texts
from ui.widgets.controls import make_button
from ui.widgets.style import dress
from ui.widgets.words import Words


class NoticeBar(QFrame):
    """Shows one sentence until somebody closes it. If there are details, a button copies them."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        dress(self, "notice")
        self._details = ""
        self._is_news = False
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self._copy = make_button(words, page_texts.COPY_DETAILS)
        self._copy.clicked.connect(self._on_copy)
        close = make_button(words, page_texts.PUT_AWAY)
        close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 8, 8)
        layout.addWidget(self._sentence, 1)
        layout.addWidget(self._copy)
        layout.addWidget(close)
        self.hide()

    def forget_news(self) -> None:
        """Put a sentence away that belongs to the page before."""
        if self._is_news:
            self.hide()

    def show_notice(self, sentence: str, details: str = "", *, is_news: bool = False) -> None:
        """Say this sentence in place of the one before.

        Args:
            sentence: What happened, and what to do.
            details: What *Copy details* puts on the clipboard. If empty, there is no such button.
            is_news: Whether it belongs to the page that is shown.
        """
        self._details, self._is_news = details, is_news
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self._copy.setVisible(bool(details))
        self.show()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._details)
