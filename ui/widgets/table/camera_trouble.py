"""Why no pictures come, and the ways to go on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from ui.text import table as texts
from ui.widgets.button_flow import ButtonFlow
from ui.widgets.controls import make_button
from ui.widgets.style import dress
from ui.widgets.words import Words


class CameraTrouble(QFrame):
    """A sentence with *Try again*, *Another camera*, *Go on by clicking*; hidden while all is well."""

    retry_wanted = Signal()
    other_wanted = Signal()
    clicking_wanted = Signal()

    def __init__(self, words: Words) -> None:
        super().__init__()
        dress(self, "card")
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self._retry = make_button(words, texts.TRY_AGAIN)
        self.other = make_button(words, texts.OTHER_CAMERA)
        self.clicking = make_button(words, texts.GO_ON_CLICKING)
        self._retry.clicked.connect(self.retry_wanted)
        self.other.clicked.connect(self.other_wanted)
        self.clicking.clicked.connect(self.clicking_wanted)
        inside = self._inside = QVBoxLayout(self)
        inside.setContentsMargins(16, 10, 16, 12)
        inside.setSpacing(8)
        inside.addWidget(self._sentence)
        inside.addWidget(ButtonFlow((self._retry, self.other, self.clicking)))
        self.hide()

    def hasHeightForWidth(self) -> bool:
        """Return that no layout needs to ask: the height is set here."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Be as high as the sentence and the rows of buttons are at this width."""
        super().resizeEvent(event)
        self._take_room()

    def event(self, event: QEvent) -> bool:
        """Do so as well when the size of the words has changed."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._take_room()
        return super().event(event)

    def _take_room(self) -> None:
        self._inside.invalidate()  # or it might remember the words' size before the window's style
        self.setFixedHeight(max(1, self._inside.totalHeightForWidth(self.width())))

    @property
    def sentence(self) -> str:
        """What is said; empty while all is well."""
        return "" if self.isHidden() else self._sentence.text()

    def tell(self, sentence: str, *, can_retry: bool = True) -> None:
        """Say why no pictures come; an empty sentence: they come again.

        Args:
            sentence: Why no pictures come.
            can_retry: Whether they may come from the same source.
        """
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self._retry.setVisible(can_retry)
        self.setVisible(bool(sentence))
        self._take_room()
