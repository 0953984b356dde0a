"""The page of own tiles: print a set, learn one from photos, and choose the set for new games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from ui.pages.page import Page
from ui.text import pages as page_texts
from ui.text import review as review_texts
from ui.text.catalogue import say
from ui.widgets.controls import make_button, make_card, make_label, scrolled
from ui.widgets.style import dress

MOST_SETS = 8
"""Data sets and tile sets that are listed, the latest ones."""


class TilesPage(Page):
    """Tells what can be done about own tiles."""

    sheets_wanted = Signal()
    """Somebody wants the tiles as a PDF."""
    photos_wanted = Signal()
    """Somebody wants to choose photos of own tiles."""
    folder_wanted = Signal()
    """Somebody wants to choose the folder of a data set."""
    dropped = Signal(list)
    """Photos or folders, as paths."""
    data_set_wanted = Signal(Path)
    """A data set is to be reviewed."""
    tiles_wanted = Signal(str)
    """The tile set for new games; empty for the tiles of the box."""
    stop_wanted = Signal()
    """Somebody stops the capture."""

    def __init__(self) -> None:
        super().__init__(page_texts.OWN_TILES)
        self.setAcceptDrops(True)
        self._names: tuple[str, ...] = ()
        self._chosen = ""
        self._counted = (0, 0)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addWidget(make_label(self.words, page_texts.OWN_TILES_HINT))
        for card in (self._learn_card(), self._known_card(), self._print_card()):
            column.addWidget(card)
        column.addStretch(1)
        self.content.addWidget(scrolled(inner), 1)
        self.words.bind_made(self._tell_capturing, lambda: "")
        self.words.bind_made(self._list_tile_sets, lambda: "")

    def show_tile_sets(self, names: Sequence[str], chosen: str = "") -> None:
        """List the sets that were learned, and which one new games are played with."""
        self._names, self._chosen = tuple(names), chosen
        self._list_tile_sets()

    def show_data_sets(self, folders: Sequence[Path]) -> None:
        """List the data sets that the app captured, the latest first."""
        _clear(self._data_sets)
        for folder in folders[:MOST_SETS]:
            button = QPushButton(folder.name)
            button.setAutoDefault(True)
            dress(button, "row")
            button.clicked.connect(lambda _on=False, folder=folder: self.data_set_wanted.emit(folder))
            self._data_sets.addWidget(button)
        self._data_sets_name.setVisible(bool(folders))

    def show_capturing(self, done: int, of: int) -> None:
        """Show how many photos are done. 0 of 0 means that the capture has ended."""
        self._counted = (done, of)
        self._strip.setVisible(of > 0)
        for button in (self.capture, self.review):
            button.setEnabled(of == 0)
        self._bar.setRange(0, of)
        self._bar.setValue(done)
        self._tell_capturing()

    def enter(self) -> None:
        """Give the keyboard to the button that most people want."""
        self.capture.setFocus()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Welcome files and folders."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell what was dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            self.dropped.emit(paths)

    def _learn_card(self) -> QFrame:
        card, inside = make_card()
        inside.addWidget(make_label(self.words, page_texts.LEARN_TILES, "heading"))
        inside.addWidget(make_label(self.words, review_texts.CAPTURE_HINT, "body"))
        self.capture = make_button(self.words, review_texts.CAPTURE, "go")
        self.capture.clicked.connect(self.photos_wanted)
        self.review = make_button(self.words, review_texts.REVIEW_FOLDER)
        self.review.clicked.connect(self.folder_wanted)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.capture)
        row.addWidget(self.review)
        row.addStretch(1)
        inside.addLayout(row)
        self._strip = QWidget()
        strip = QHBoxLayout(self._strip)
        strip.setContentsMargins(0, 0, 0, 0)
        strip.setSpacing(12)
        self._bar, self._told = QProgressBar(), QLabel()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(page_texts.LEARN_TILES)
        stop = make_button(self.words, review_texts.STOP)
        stop.clicked.connect(self.stop_wanted)
        strip.addWidget(self._told)
        strip.addWidget(self._bar, 1)
        strip.addWidget(stop)
        self._strip.hide()
        inside.addWidget(self._strip)
        inside.addWidget(make_label(self.words, review_texts.DROP_HERE, "quiet"))
        self._data_sets_name = make_label(self.words, review_texts.DATA_SETS, "name")
        self._data_sets = QVBoxLayout()
        self._data_sets.setSpacing(4)
        inside.addWidget(self._data_sets_name)
        inside.addLayout(self._data_sets)
        self._data_sets_name.hide()
        return card

    def _known_card(self) -> QFrame:
        card, inside = make_card()
        inside.addWidget(make_label(self.words, page_texts.KNOWN_SETS, "heading"))
        self._none = make_label(self.words, page_texts.NO_SETS, "quiet")
        inside.addWidget(self._none)
        self._sets = QVBoxLayout()
        self._sets.setSpacing(6)
        inside.addLayout(self._sets)
        return card

    def _print_card(self) -> QFrame:
        card, inside = make_card()
        inside.addWidget(make_label(self.words, page_texts.PRINT_TILES, "heading"))
        inside.addWidget(make_label(self.words, page_texts.PRINT_TILES_HINT, "quiet"))
        save = make_button(self.words, page_texts.PRINT_BUTTON)
        save.clicked.connect(self.sheets_wanted)
        inside.addWidget(save, 0, Qt.AlignmentFlag.AlignLeft)
        return card

    def _list_tile_sets(self, _text: str = "") -> None:
        _clear(self._sets)
        self._none.setVisible(not self._names)
        for name in ("", *self._names) if self._names else ():
            called = name or say(page_texts.TILES_OF_THE_GAME)
            is_chosen = name == self._chosen
            button = QPushButton(say(review_texts.KNOWN_SET, name=called) if is_chosen else called)
            button.setAutoDefault(True)
            button.setCheckable(True)
            button.setChecked(is_chosen)
            button.setToolTip(say(review_texts.USE))
            dress(button, "row")
            button.clicked.connect(lambda _on=False, name=name: self.tiles_wanted.emit(name))
            self._sets.addWidget(button)

    def _tell_capturing(self, _text: str = "") -> None:
        done, of = self._counted
        self._told.setText(say(review_texts.CAPTURING, done=done, all=of))


def _clear(layout: QVBoxLayout) -> None:
    """Take all buttons out of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
