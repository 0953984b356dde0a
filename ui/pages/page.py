"""What all pages have in common: a bar on top, words, a look, and a beginning and an end."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui.text import pages as page_texts
from ui.text.bound_text import Words
from ui.widgets.style import dress
from ui.widgets.theme import Look


class Page(QWidget):
    """A page of the window. What it shows goes into `content`; its own buttons go into `bar`."""

    home_wanted = Signal()
    """Somebody wants to leave the page; also Esc."""

    def __init__(self, title: str = "") -> None:
        """Make a page.

        Args:
            title: A marked sentence for the bar; without one the page has no bar.
        """
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = Words()
        self.look = Look()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 16)
        whole.setSpacing(12)
        self.bar = QHBoxLayout()
        self.bar.setSpacing(10)
        self.title, self.subtitle = QLabel(), QLabel()
        if title:
            self._fill_bar(title)
            whole.addLayout(self.bar)
        self.content = QVBoxLayout()
        self.content.setSpacing(16)
        whole.addLayout(self.content, 1)

    def enter(self) -> None:
        """Begin: the page is shown from now on."""

    def leave(self) -> None:
        """End what runs on the page's behalf: another page is shown, or the window closes."""

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window; the style sheet comes by itself."""
        self.look = look
        for layout in self.findChildren(QLayout):
            scale_layout(layout, look)

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        self.words.renew()

    def add_tool(self, button: QPushButton) -> None:
        """Put a button of the page at the end of the bar."""
        self.bar.addWidget(button)

    def add_key(self, keys: QKeySequence | str, on_key: Callable[[], object], button: QPushButton) -> None:
        """Let keys do at once what a button does, while the page is shown; the button's tip names them."""
        keys = QKeySequence(keys)
        QShortcut(keys, self).activated.connect(on_key)
        button.setToolTip(keys.toString(QKeySequence.SequenceFormat.NativeText))

    def _fill_bar(self, title: str) -> None:
        home = make_button(self.words, page_texts.HOME)
        self.words.bind(home.setAccessibleName, page_texts.HOME_NAME)
        home.setToolTip(QKeySequence(Qt.Key.Key_Escape).toString(QKeySequence.SequenceFormat.NativeText))
        home.clicked.connect(self.home_wanted)
        dress(self.title, "name")
        dress(self.subtitle, "quiet")
        self.words.bind(self.title.setText, title)
        self.bar.addWidget(home)
        self.bar.addWidget(self.title)
        self.bar.addWidget(self.subtitle, 1)


def scale_layout(layout: QLayout, look: Look) -> None:
    """Scale the margins and gaps that a layout was made with; those of a widget that does so itself stay."""
    owner = layout.parentWidget()
    if owner is not None and owner.property("scales itself"):
        return
    sides = layout.property("design")
    if sides is None:
        margins = layout.contentsMargins()
        gap = max(0, layout.spacing()) if isinstance(layout, QBoxLayout) else 0
        sides = [margins.left(), margins.top(), margins.right(), margins.bottom(), gap]
        layout.setProperty("design", sides)
    left, top, right, bottom, gap = (round(side * min(look.scale, 2.5)) for side in sides)
    layout.setContentsMargins(left, top, right, bottom)
    if isinstance(layout, QBoxLayout):
        layout.setSpacing(gap)


def make_button(words: Words, sentence: str, role: str = "plain") -> QPushButton:
    """Return a button with these words, which the Enter key presses as well."""
    button = QPushButton()
    dress(button, role)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setAutoDefault(True)
    words.bind(button.setText, sentence)
    return button


def make_label(words: Words, sentence: str, role: str = "body", *, wrap: bool = True) -> QLabel:
    """Return a label with these words."""
    label = QLabel()
    dress(label, role)
    label.setWordWrap(wrap)
    words.bind(label.setText, sentence)
    return label


def make_card() -> tuple[QFrame, QVBoxLayout]:
    """Return a card, and the layout inside it."""
    card = QFrame()
    dress(card, "card")
    inside = QVBoxLayout(card)
    inside.setContentsMargins(24, 20, 24, 22)
    inside.setSpacing(12)
    return card, inside


def scrolled(inside: QWidget) -> QScrollArea:
    """Return a view of a widget that scrolls up and down where the window is too low for it."""
    inside.setObjectName("scrolled")
    area = QScrollArea()
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
