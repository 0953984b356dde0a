"""The page of photos: the picture, the drawing to correct and to try tiles on, the verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QColor, QImage, QPainter

from referee.rules.options import Options
from ui.errors import TOLD
from ui.pages.choose_files import choose_photo_or_layout
from ui.pages.table.drawn_table_page import GAP_PX, DrawnTablePage
from ui.platform.qimages import to_qimage
from ui.text import pages as page_texts
from ui.text import table as texts
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.text.errors import error_sentence
from ui.text.photos import words
from ui.viewmodels.game_view import CardView, GameView, GoOn, Hold, Redo, StayHere, TakeAway, Undo
from ui.viewmodels.photo.known_table import KnownTable
from ui.viewmodels.photo.photo import PhotoTable, PhotoViewModel, notice, unsaved_card, welcome_card
from ui.widgets.controls import Rows, scrolled
from ui.widgets.style import dress
from ui.widgets.table.verdict_card import VerdictCard

SHARED_PX = 520
"""Least width of the card in a picture that is shared."""


class PhotoPage(DrawnTablePage):
    """Shows the view of a photo, hands on what people do, and tells which photo somebody wants to see."""

    photo_wanted = Signal(Path)
    """Somebody chose a photo or a layout."""
    save_wanted = Signal()
    """Which tile lies where is to be saved."""
    share_wanted = Signal()
    """A picture of the table and its verdict is to be saved."""

    view: GameView

    def __init__(self, samples: Sequence[Path] = ()) -> None:
        super().__init__(page_texts.PHOTOS, pyramid_hint=words.PYRAMID_HINT, can_be_empty=True)
        self.model = PhotoViewModel()
        self.view = self.model.view()
        self._photos = tuple(samples)
        self._next_photo = 0
        self._photo: Path | None = None
        self._image: QImage | None = None
        self._waits: Callable[[], object] | None = None
        """What goes on once somebody has said what becomes of the corrections."""
        self.words.bind(self.picture.set_empty_text, window_texts.NO_PHOTO_YET)
        self._add_tools()
        self._arrange()
        self.add_shortcut("Del", self._on_delete)
        self.show_welcome()

    def go_back(self) -> bool:
        """Stay with a photo that was corrected, or let go of a tile; return whether there was one of both."""
        if self._waits is None:
            return self.keys.forget()
        self.act(StayHere())
        return True

    def may_close(self, close: Callable[[], object]) -> bool:
        """Return whether no corrections would be lost; else ask what becomes of them, and then close."""
        if self.model.has_unsaved:
            self._ask_before(close)
        return not self.model.has_unsaved

    def want(self, photo: Path) -> None:
        """Ask for this photo, and remember it."""
        self._ask_before(partial(self._want, photo))

    def want_all(self, photos: Sequence[Path]) -> None:
        """Ask for the first of several photos; the others follow with *Next photo*."""
        self._ask_before(partial(self._want_all, tuple(photos)))

    def next_photo(self) -> None:
        """Ask for the next of several photos; after the last comes the first."""
        self._ask_before(self._want_next)

    def judge_by(self, options: Options) -> None:
        """Judge by these rules from now on."""
        if options != self.model.options:
            self.model.options = options
            self._show()

    def show_table(self, opened: PhotoTable) -> None:
        """Show what was read."""
        self._ask_before(partial(self._open, opened))

    def show_welcome(self) -> None:
        """Show the page as it is before the first photo."""
        self.model.tell(partial(welcome_card, has_samples=bool(self._photos)))
        self._show()

    def show_reading(self, name: str) -> None:
        """Tell that this photo is being read, and leave the rest as it is."""
        self.model.tell(lambda: notice(say(window_texts.READING, name=name)))
        self._show()

    def show_failure(self, name: str, sentence: str) -> None:
        """Tell why a photo could not be read."""
        self._ask_before(
            lambda: self._open(
                PhotoTable(name, KnownTable()), lambda: notice(say(window_texts.NOT_READ), sentence)
            )
        )

    def share_picture(self) -> QImage:
        """Return photo, verdict and drawing side by side, without what can be pressed."""
        shared = VerdictCard(self.look)
        shared.resize(max(SHARED_PX, self.card.width()), self.card.height())
        card = replace(self.view.card, choices=(), hint="", topic=None)
        shared.show_card(card, is_told=False)
        shared.set_room(SHARED_PX * 2)
        shared.resize(shared.width(), shared.minimumHeight())
        words_shot, drawing = shared.grab(), self.pyramid.grab()
        photo = self.picture.grab() if self._image is not None else None
        beside = GAP_PX if photo is None else photo.width() + 2 * GAP_PX
        wide = beside + max(words_shot.width(), drawing.width()) + GAP_PX
        high = max(words_shot.height() + drawing.height() + GAP_PX, 0 if photo is None else photo.height())
        image = QImage(wide, high + 2 * GAP_PX, QImage.Format.Format_RGB32)
        image.fill(QColor(self.look.theme.ground))
        painter = QPainter(image)
        if photo is not None:
            painter.drawPixmap(GAP_PX, GAP_PX, photo)
        painter.drawPixmap(beside, GAP_PX, words_shot)
        painter.drawPixmap(beside, words_shot.height() + 2 * GAP_PX, drawing)
        painter.end()
        shared.deleteLater()
        return image

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the card the room that the page has for it, as soon as it is laid out."""
        if event.type() == QEvent.Type.Resize:
            self._give_room()
        return super().eventFilter(watched, event)

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        super().renew_words()
        self.picture.show_image(self._image)
        self._show()

    # The parts

    def _add_tools(self) -> None:
        # The one that comes and goes stands first, so that the others stay where they are.
        self._next = self.add_keyed_tool(page_texts.NEXT_PHOTO, "N", self.next_photo)
        self._next.setVisible(len(self._photos) > 1)
        self.open = self.add_keyed_tool(words.OPEN, "Ctrl+O", self._on_open, words.OPEN_HINT)
        self.all_tiles = self.add_keyed_tool(words.TILES, "T", self._show, words.TILES_HINT)
        self.all_tiles.setCheckable(True)
        dress(self.all_tiles, "toggle")
        self.undo = self.add_keyed_tool(texts.UNDO, "U", lambda: self.act(Undo()))
        self.redo = self.add_keyed_tool(texts.REDO, "Shift+U", lambda: self.act(Redo()))
        self.save = self.add_keyed_tool(words.SAVE, "Ctrl+S", self._on_save, words.SAVE_HINT)
        self.share = self.add_keyed_tool(words.SHARE, "Ctrl+Shift+S", self.share_wanted.emit)

    def _arrange(self) -> None:
        self._left, self._right = Rows(), Rows()
        self._left.addWidget(self.picture, 10)
        self._left.addWidget(self.tiles)
        self._right.addWidget(self.card, 10)
        self._right.addWidget(self.pyramid, 10)
        inner, _ = self.lay_out_halves(self._left, 16, self._right, 13)
        self._scroll = scrolled(inner)
        self._scroll.viewport().installEventFilter(self)
        self.content.addWidget(self._scroll, 1)
        self.tiles.hide()

    def _give_room(self) -> None:
        """Tell the card how high it may be beside what else must be seen."""
        if self.height() > self.width():
            self.card.set_room(round(self.height() * 0.5))
            return
        high = self._scroll.viewport().height()
        self.card.set_room(min(round(high * 0.66), high - self.pyramid.minimumSizeHint().height() - GAP_PX))

    # What is shown

    def _show(self) -> None:
        """Show the table as it is now."""
        view = self.view = self.model.view()
        at = self._photos.index(self._photo) + 1 if self._photo in self._photos else 0
        many = len(self._photos)
        count = say(page_texts.PHOTO_OF, number=at, many=many) if at and many > 1 else ""
        self.subtitle.setText(f"{view.title}  ·  {count}" if count else view.title)
        outlines = self.model.outlines()
        self.show_table_of(view)
        self.picture.show_outlines(outlines)
        self.card.show_card(view.card)
        self.show_crops(self._image, outlines, view.card)
        self.pyramid.show_tiles(view.tiles, view.arrows, view.places if view.held else ())
        self.tiles.setVisible(self.all_tiles.isChecked())
        self.undo.setEnabled(view.can_undo)
        self.redo.setEnabled(view.can_redo)
        for button in (self.save, self.share):
            button.setEnabled(bool(view.tiles))
        self.order_tabs(
            (self._home, self._next, self.open, self.all_tiles, self.undo, self.redo, self.save, self.share)
        )
        self._give_room()

    # What people do

    def act(self, act: object) -> None:
        """Do what somebody wants, and show what comes of it."""
        if isinstance(act, GoOn):
            self._go_on(saves=act.saves)
            return
        if not isinstance(act, Hold):
            self._waits = None  # the question has gone from the card
        try:
            self.model.do(act)  # type: ignore[arg-type]
        except TOLD as error:
            self.refused.emit(error_sentence(error))
        self._show()

    def hold(self, code: str | None) -> None:
        """Hold a tile, to try it out; None: none."""
        self.act(Hold(code))

    def on_tile(self, row: int, slot: int) -> None:
        """Let somebody say which tile lies there; it may be the one that is read there, for certain."""
        known = next(tile.code for tile in self.view.tiles if (tile.row, tile.slot) == (row, slot))
        elsewhere = {code: why for code, why in self.view.elsewhere.items() if code != known}
        self.ask_which_tile(row, slot, known, self.view.likely.get((row, slot), ()), elsewhere)

    def _ask_before(self, go_on: Callable[[], object]) -> None:
        """Go on; where corrections would be lost, ask before what becomes of them."""
        if not self.model.has_unsaved:
            go_on()
            return
        self._waits = go_on
        self.keys.typed.clear()
        self.model.tell(partial(unsaved_card, self.model.opened.name))
        self._show()

    def _go_on(self, *, saves: bool) -> None:
        """Save the corrections or drop them, and go on; what cannot be saved or is not, stays."""
        go_on, self._waits = self._waits, None
        self.model.do(StayHere())
        if saves:
            self._save()
        else:
            self.model.let_go()
        self._show()
        if go_on is not None and not self.model.has_unsaved:
            go_on()

    def _want(self, photo: Path) -> None:
        self._photo = photo
        self.photo_wanted.emit(photo)

    def _want_all(self, photos: tuple[Path, ...]) -> None:
        self._photos, self._next_photo = photos, 0
        self._next.setVisible(len(photos) > 1)
        self._want_next()

    def _want_next(self) -> None:
        if self._photos:
            photo = self._photos[self._next_photo % len(self._photos)]
            self._next_photo += 1
            self._want(photo)

    def _open(self, opened: PhotoTable, told: Callable[[], CardView] | None = None) -> None:
        """Show a table; `told`: a card that says something else than its verdict."""
        self._image = None if opened.picture_bgr is None else to_qimage(opened.picture_bgr)
        self.picture.show_image(self._image)
        self.model.open(opened)
        if told is not None:
            self.model.tell(told)
        self.keys.typed.clear()
        self._show()

    def _on_open(self) -> None:
        if (photo := choose_photo_or_layout(self)) is not None:
            self.want(photo)

    def _on_save(self) -> None:
        if self._waits is not None:
            self._go_on(saves=True)
        else:
            self._save()

    def _save(self) -> None:
        if self.model.saved() is None:
            self.refused.emit(say(words.SAVE_FIRST))
        else:
            self.save_wanted.emit()

    def _on_delete(self) -> None:
        """Take away the tile at which the keyboard is."""
        at = self.pyramid.cursor_at
        if at is not None and any((tile.row, tile.slot) == at for tile in self.view.tiles):
            self.act(TakeAway(*at))
