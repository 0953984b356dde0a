"""The sample game as a guided tour: what to look at, and pause, faster, skip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from ui.platform.accessibility import announce
from ui.text import table as texts
from ui.text.catalogue import say
from ui.viewmodels.table_view import Tone
from ui.widgets.button_flow import ButtonFlow
from ui.widgets.controls import make_button, make_label
from ui.widgets.style import dress
from ui.widgets.words import Words

HINTS = {
    Tone.CALM: texts.TOUR_CALM,
    Tone.MAYHEM: texts.TOUR_MAYHEM,
    Tone.MISSED: texts.TOUR_MISSED,
}
"""What is told when the card first has this tone."""


class TourBar(QFrame):
    """Says that this is a sample, and three hints at their moments; hidden in other games."""

    paused = Signal(bool)
    hurried = Signal(bool)
    skipped = Signal()
    own_wanted = Signal()
    """Somebody wants to play at the own table now."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        dress(self, "card")
        self._hint = ""
        self._told: set[Tone] = set()
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        dress(self._sentence, "body")
        words.bind_made(self._sentence.setText, lambda: say(self._hint) if self._hint else "")
        self.pause, self.faster = make_button(words, texts.PAUSE), make_button(words, texts.FASTER)
        self.skip, self.own = make_button(words, texts.SKIP), make_button(words, texts.YOUR_TABLE, "go")
        for button, signal in ((self.pause, self.paused), (self.faster, self.hurried)):
            dress(button, "choice")
            button.setCheckable(True)
            button.toggled.connect(signal)
        self.skip.clicked.connect(self.skipped)
        self.own.clicked.connect(self.own_wanted)
        inside = self._inside = QVBoxLayout(self)
        inside.setContentsMargins(16, 10, 16, 12)
        inside.setSpacing(8)
        inside.addWidget(make_label(words, texts.SAMPLE_GAME, "name"))
        inside.addWidget(self._sentence)
        inside.addWidget(ButtonFlow((self.pause, self.faster, self.skip, self.own)))
        self.hide()

    @property
    def sentence(self) -> str:
        """The hint that is told; empty in other games."""
        return "" if self.isHidden() else self._sentence.text()

    def begin(self) -> None:
        """Begin the tour."""
        self._told = set()
        for button in (self.pause, self.faster):
            button.setChecked(False)
        for button in (self.pause, self.faster, self.skip):
            button.setEnabled(True)
        self.own.hide()
        self.show()
        self._tell("")

    def follow(self, tone: Tone) -> None:
        """Tell a hint when the card has this tone for the first time."""
        if not self.isHidden() and tone in HINTS and tone not in self._told:
            self._told.add(tone)
            self._tell(HINTS[tone])

    def end(self) -> None:
        """Say that it is over, and lead to the own table."""
        for button in (self.pause, self.faster, self.skip):
            button.setEnabled(False)
        self.own.show()
        self.own.setFocus()
        self._tell(texts.TOUR_END)

    def _tell(self, hint: str) -> None:
        self._hint = hint
        self._sentence.setText(say(hint) if hint else "")
        self._take_room()
        if hint:
            announce(self, self._sentence.text())

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
