"""What all pages have in common: a bar on top, words, a look, and a beginning and an end."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from ui.text import pages as page_texts
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.text.window import key_name
from ui.widgets.button_flow import ButtonFlow
from ui.widgets.controls import make_button, scale_layout
from ui.widgets.style import dress
from ui.widgets.theme import Look
from ui.widgets.words import Words


class Page(QWidget):
    """A page of the window. Put what it shows into `content`, and its buttons into `bar`."""

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
        self._halves: QBoxLayout | None = None
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 16)
        whole.setSpacing(12)
        self._title_bar = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._title_row = QHBoxLayout()
        for layout in (self._title_bar, self._title_row):
            layout.setSpacing(10)
        self.tools = ButtonFlow()
        self._leads_home = True
        self._home = make_button(self.words, page_texts.HOME)
        self.title, self.subtitle = QLabel(), QLabel()
        self.subtitle.setWordWrap(True)
        if title:
            self._fill_bar(title)
            whole.addLayout(self._title_bar)
        self.content = QVBoxLayout()
        self.content.setSpacing(16)
        whole.addLayout(self.content, 1)

    def enter(self) -> None:
        """Begin: the page is shown from now on."""

    def leave(self) -> None:
        """Stop what runs for the page: another page is shown, or the window closes."""

    def go_back(self) -> bool:
        """Take a step back within the page; return whether there was one. Else Esc leaves the page."""
        return False

    def may_close(self, close: Callable[[], object]) -> bool:
        """Return whether the window may close now; a page that asks before calls `close` itself."""
        return True

    def show_way_back(self, *, leads_home: bool) -> None:
        """Tell with the first button whether it leads to the start page or to the page before."""
        self._leads_home = leads_home
        self._name_home()

    def _name_home(self, _text: str = "") -> None:
        self._home.setText(say(page_texts.HOME if self._leads_home else window_texts.GO_BACK))
        self._home.setAccessibleName(say(page_texts.HOME_NAME) if self._leads_home else "")

    def set_big(self, *, is_big: bool) -> None:
        """Show only what must be read from afar, or everything again; most pages are the same for both."""

    def show_bar(self, *, is_shown: bool) -> None:
        """Show the bar, or hide it."""
        for part in (self._home, self.title, self.subtitle, self.tools):
            part.setVisible(is_shown)

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window. Qt applies the style sheet itself."""
        self.look = look
        for layout in self.findChildren(QLayout):
            scale_layout(layout, look)

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        self.words.renew()

    def add_tool(
        self, sentence: str, on_click: Callable[[], object], keys: QKeySequence | str | None = None
    ) -> QPushButton:
        """Return a new button at the end of the bar, with the keys that press it, if any."""
        button = make_button(self.words, sentence)
        button.clicked.connect(lambda: on_click())
        if keys is not None:
            self.add_key(keys, on_click, button)
        self.tools.add(button)
        return button

    def make_halves(self, inside: QWidget | None = None) -> QBoxLayout:
        """Return a layout for the two halves of the page; in a tall window one half is below the other.

        Args:
            inside: The widget that gets the layout; None if the layout goes into another one.
        """
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, inside)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.setSpacing(16)
        return self._halves

    def event(self, event: QEvent) -> bool:
        """Find the room again when words, sizes of text or buttons have changed."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._use_room()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the halves, and title and buttons, side by side where there is room, else below each other."""
        self._use_room()
        if self._halves is not None:
            self._halves.setDirection(
                QBoxLayout.Direction.TopToBottom
                if self.height() > self.width()
                else QBoxLayout.Direction.LeftToRight
            )
        super().resizeEvent(event)

    def _use_room(self) -> None:
        gap, direction = self._title_bar.spacing(), QBoxLayout.Direction
        wanted = self._title_row.sizeHint().width() + self.tools.sizeHint().width() + 5 * gap
        fits = wanted <= self.contentsRect().width()
        self._title_bar.setDirection(direction.LeftToRight if fits else direction.TopToBottom)

    def add_key(self, keys: QKeySequence | str, on_key: Callable[[], object], button: QPushButton) -> None:
        """Make keys do what a button does, while the page is shown. The button's tip names the keys."""
        keys = QKeySequence(keys)
        QShortcut(keys, self).activated.connect(on_key)
        self.tell_keys(button, keys)

    def tell_keys(self, button: QPushButton, keys: QKeySequence | str) -> None:
        """Name in a button's tip the keys that press it."""
        portable = QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText)
        self.words.bind_made(button.setToolTip, lambda: key_name(portable))

    def _fill_bar(self, title: str) -> None:
        home = self._home
        self.words.bind(self._name_home, page_texts.HOME)
        self.tell_keys(home, "Esc")
        home.clicked.connect(self.home_wanted)
        dress(self.title, "name")
        dress(self.subtitle, "quiet")
        self.words.bind(self.title.setText, title)
        self._title_row.addWidget(home)
        self._title_row.addWidget(self.title)
        self._title_row.addWidget(self.subtitle, 1)
        self._title_bar.addLayout(self._title_row, 1)
        self._title_bar.addWidget(self.tools)
