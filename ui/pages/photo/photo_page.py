"""The page of single photos: the photo, the verdict, and the drawn pyramid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QVBoxLayout

from ui.pages.choose_files import choose_photo
from ui.pages.page import Page
from ui.text import pages as page_texts
from ui.text import table as texts
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.viewmodels.table_view import TableView, Tone, VerdictView
from ui.widgets.picture_view import PictureView
from ui.widgets.pyramid_view import PyramidView
from ui.widgets.table.tile_popup import TilePopup
from ui.widgets.theme import Look
from ui.widgets.verdict_panel import VerdictPanel


class PhotoPage(Page):
    """Shows the table that it is given, and tells which photo somebody wants to see."""

    photo_wanted = Signal(Path)
    """Somebody chose a photo."""

    def __init__(self, samples: Sequence[Path] = ()) -> None:
        super().__init__(page_texts.PHOTOS)
        self._photos = tuple(samples)
        self._next_photo = 0
        self._photo: Path | None = None
        self._table: TableView | None = None
        self.named: dict[tuple[int, int], str] = {}
        """(row, slot) -> the tile that somebody says lies there."""
        theme = self.look.theme
        self._picture = PictureView(theme, say(window_texts.NO_PHOTO_YET))
        self.words.bind(self._picture.set_empty_text, window_texts.NO_PHOTO_YET)
        self._verdict = VerdictPanel(theme)
        self.pyramid = PyramidView(theme, can_be_clicked=True)
        self.popup = TilePopup(self, self.look)
        self.pyramid.tile_clicked.connect(self._on_tile)
        self.popup.chosen.connect(self._on_named)
        # The one that comes and goes stands first, so that the other stays where it is.
        self._next = self.add_tool(page_texts.NEXT_PHOTO, self.next_photo, QKeySequence(Qt.Key.Key_N))
        self.add_tool(page_texts.OPEN_PHOTO, self._on_open, QKeySequence(QKeySequence.StandardKey.Open))
        self._next.setVisible(len(self._photos) > 1)
        self._arrange()
        self.show_welcome()

    def enter(self) -> None:
        """Give the keyboard to the verdict, which can be scrolled."""
        self._verdict.setFocus()

    def want(self, photo: Path) -> None:
        """Ask for this photo, and remember it."""
        self._photo, self.named = photo, {}
        self.photo_wanted.emit(photo)

    def want_all(self, photos: Sequence[Path]) -> None:
        """Ask for the first of several photos; the others follow with *Next photo*."""
        self._photos, self._next_photo = tuple(photos), 0
        self._next.setVisible(len(photos) > 1)
        self.next_photo()

    def show_table(self, table: TableView) -> None:
        """Show what was read."""
        self._table = table
        many = len(self._photos)
        at = self._photos.index(self._photo) + 1 if self._photo in self._photos else 0
        count = say(page_texts.PHOTO_OF, number=at, many=many) if at and many > 1 else ""
        self.subtitle.setText(f"{table.name}  ·  {count}" if count else table.name)
        self._picture.show_picture(table.picture_bgr)
        self.pyramid.show_tiles(table.tiles, table.arrows)
        self._verdict.show_verdict(table.verdict)

    def show_welcome(self) -> None:
        """Show the page as it is before the first photo."""
        hints = (say(window_texts.WELCOME_SAMPLES) if self._photos else say(window_texts.WELCOME),)
        self.show_table(TableView("", VerdictView(Tone.CALM, say(window_texts.WELCOME_HEADLINE), hints)))

    def show_reading(self, name: str) -> None:
        """Tell that this photo is being read, and leave the rest as it is."""
        self._verdict.show_verdict(VerdictView(Tone.NOTICE, say(window_texts.READING, name=name)))

    def show_failure(self, name: str, sentence: str) -> None:
        """Tell why a photo could not be read."""
        verdict = VerdictView(Tone.NOTICE, say(window_texts.NOT_READ), (sentence,))
        self.show_table(TableView(name, verdict))

    def next_photo(self) -> None:
        """Ask for the next of several photos; after the last comes the first."""
        if self._photos:
            photo = self._photos[self._next_photo % len(self._photos)]
            self._next_photo += 1
            self.want(photo)

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        for view in (self._picture, self._verdict, self.pyramid):
            view.set_look(look.theme, look.scale)

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now. The photo is judged again for that."""
        super().renew_words()
        if self._photo is None:
            self.show_welcome()
        else:
            self.photo_wanted.emit(self._photo)

    def _arrange(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(16)
        words.addWidget(self._verdict, 1)
        words.addWidget(self.pyramid, 1)
        halves = self.make_halves()
        halves.addWidget(self._picture, 16)
        halves.addLayout(words, 11)
        self.content.addLayout(halves, 1)

    def _on_tile(self, row: int, slot: int) -> None:
        """Let somebody say which tile lies there."""
        if self._table is None or self._photo is None:
            return
        known = next(tile.code for tile in self._table.tiles if (tile.row, tile.slot) == (row, slot))
        sure = [tile.code for tile in self._table.tiles if not tile.unsure and tile.code != known]
        elsewhere = {code: texts.with_tile(texts.LIES_THERE, code) for code in sure}
        where = self.pyramid.mapToGlobal(self.pyramid.tile_rect(row, slot).bottomLeft().toPoint())
        likely = self._table.likely.get((row, slot), ())
        self.popup.ask((row, slot), known, likely, elsewhere, where, self.look)

    def _on_named(self, row: int, slot: int, code: str) -> None:
        if self._photo is not None:
            self.named = {**self.named, (row, slot): code}
            self.photo_wanted.emit(self._photo)

    def _on_open(self) -> None:
        if (photo := choose_photo(self)) is not None:
            self.want(photo)
