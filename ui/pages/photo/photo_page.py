"""The page of photos: the picture, the drawing to correct and to try tiles on, the verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import QPushButton, QWidget

from referee.rules.options import Options
from ui.errors import TOLD
from ui.pages.choose_files import choose_photo_or_layout
from ui.pages.page import Page
from ui.platform.qimages import to_qimage
from ui.text import pages as page_texts
from ui.text import table as texts
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.text.errors import error_sentence
from ui.text.photos import words
from ui.viewmodels.game_view import GameView, Hold, PickTile, Put, Redo, Retile, Shift, TakeAway, Tell, Undo
from ui.viewmodels.photo.known_table import KnownTable
from ui.viewmodels.photo.photo import PhotoTable, PhotoViewModel, notice, welcome_card
from ui.viewmodels.table_view import Ring
from ui.widgets.controls import Rows, scrolled
from ui.widgets.pyramid_view import PyramidView
from ui.widgets.style import dress
from ui.widgets.table.live_picture import LivePicture, crops_of
from ui.widgets.table.table_keys import TableKeys
from ui.widgets.table.tile_palette import TilePalette
from ui.widgets.table.tile_popup import TilePopup
from ui.widgets.table.verdict_card import VerdictCard
from ui.widgets.table.why_popup import WhyPopup
from ui.widgets.theme import Look

GAP_PX = 12
SHARED_PX = 520
"""Least width of the card in a picture that is shared."""


class PhotoPage(Page):
    """Shows the view of a photo, hands on what people do, and tells which photo somebody wants to see."""

    photo_wanted = Signal(Path)
    """Somebody chose a photo or a layout."""
    save_wanted = Signal()
    """Which tile lies where is to be saved."""
    share_wanted = Signal()
    """A picture of the table and its verdict is to be saved."""
    rules_wanted = Signal()
    """All rules are to be shown."""
    refused = Signal(str)
    """Why something cannot be done."""

    def __init__(self, samples: Sequence[Path] = ()) -> None:
        super().__init__(page_texts.PHOTOS)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.model = PhotoViewModel()
        self.view: GameView = self.model.view()
        self._photos = tuple(samples)
        self._next_photo = 0
        self._photo: Path | None = None
        self._image: QImage | None = None
        self._picks: PickTile | None = None
        """What the popup answers; None while it corrects a tile."""
        look = self.look
        self.picture, self.card = LivePicture(look), VerdictCard(look)
        self.pyramid = PyramidView(look.theme, can_be_clicked=True)
        self.tiles = TilePalette(look)
        self.popup = TilePopup(self, look, can_be_empty=True)
        self.why_popup = WhyPopup(self, look)
        self.keys = TableKeys(self, self.pyramid, self.card)
        self.words.bind(self.picture.set_empty_text, window_texts.NO_PHOTO_YET)
        self.words.bind(self.pyramid.setAccessibleDescription, words.PYRAMID_HINT)
        self.words.bind(self.tiles.setAccessibleName, texts.PALETTE_NAME)
        self._add_tools()
        self._arrange()
        self._connect()
        self.show_welcome()

    def enter(self) -> None:
        """Take the keyboard, so that the keys of the page work at once."""
        self.setFocus()

    def go_back(self) -> bool:
        """Let go of a tile that is held; return whether there was one."""
        return self.keys.forget()

    def want(self, photo: Path) -> None:
        """Ask for this photo, and remember it."""
        self._photo = photo
        self.photo_wanted.emit(photo)

    def want_all(self, photos: Sequence[Path]) -> None:
        """Ask for the first of several photos; the others follow with *Next photo*."""
        self._photos, self._next_photo = tuple(photos), 0
        self._next.setVisible(len(photos) > 1)
        self.next_photo()

    def next_photo(self) -> None:
        """Ask for the next of several photos; after the last comes the first."""
        if self._photos:
            photo = self._photos[self._next_photo % len(self._photos)]
            self._next_photo += 1
            self.want(photo)

    def judge_by(self, options: Options) -> None:
        """Judge by these rules from now on."""
        if options != self.model.options:
            self.model.options = options
            self._show()

    def show_table(self, opened: PhotoTable) -> None:
        """Show what was read."""
        self._image = None if opened.picture_bgr is None else to_qimage(opened.picture_bgr)
        self.picture.show_image(self._image)
        self.model.open(opened)
        self.keys.typed.clear()
        self._show()

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
        self.show_table(PhotoTable(name, KnownTable()))
        self.model.tell(lambda: notice(say(window_texts.NOT_READ), sentence))
        self._show()

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

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        self.pyramid.set_look(look.theme, look.scale, reduced_motion=look.reduced_motion)
        for part in (self.picture, self.card, self.tiles):
            part.set_look(look)

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        super().renew_words()
        self.picture.show_image(self._image)
        self._show()

    # The parts

    def _add_tools(self) -> None:
        # The one that comes and goes stands first, so that the others stay where they are.
        self._next = self._tool(page_texts.NEXT_PHOTO, "N", self.next_photo)
        self._next.setVisible(len(self._photos) > 1)
        self.open = self._tool(words.OPEN, "Ctrl+O", self._on_open, words.OPEN_HINT)
        self.all_tiles = self._tool(words.TILES, "T", self._show, words.TILES_HINT)
        self.all_tiles.setCheckable(True)
        dress(self.all_tiles, "toggle")
        self.undo = self._tool(texts.UNDO, "U", lambda: self._act(Undo()))
        self.redo = self._tool(texts.REDO, "Shift+U", lambda: self._act(Redo()))
        self.save = self._tool(words.SAVE, "Ctrl+S", self._on_save, words.SAVE_HINT)
        self.share = self._tool(words.SHARE, "Ctrl+Shift+S", self.share_wanted.emit)

    def _tool(
        self, name: str, keys: str, on_click: Callable[[], object], hint: str | None = None
    ) -> QPushButton:
        button = self.add_tool(name, on_click)
        if hint is not None:
            self.words.bind(button.setAccessibleDescription, hint)
        self.tell_keys(button, keys)
        self._shortcut(keys, button.click)
        return button

    def _shortcut(self, keys: str, on_keys: Callable[[], object]) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(on_keys)

    def _arrange(self) -> None:
        self._left, self._right = Rows(), Rows()
        self._left.addWidget(self.picture, 10)
        self._left.addWidget(self.tiles)
        self._right.addWidget(self.card, 10)
        self._right.addWidget(self.pyramid, 10)
        inner = QWidget()
        rows = Rows(inner)
        rows.setContentsMargins(0, 0, 0, 0)
        halves = self.make_halves()
        halves.addLayout(self._left, 16)
        halves.addLayout(self._right, 13)
        for box in (self._left, self._right, halves):
            box.setSpacing(GAP_PX)
        rows.addLayout(halves, 1)
        self._scroll = scrolled(inner)
        self._scroll.viewport().installEventFilter(self)
        self.content.addWidget(self._scroll, 1)
        self.tiles.hide()

    def _connect(self) -> None:
        self.card.chosen.connect(self._act)
        self.card.why_wanted.connect(self._on_why)
        self._shortcut("F1", self._on_why)
        self._shortcut("Del", self._on_delete)
        self.why_popup.rules_wanted.connect(self.rules_wanted)
        self.keys.chosen.connect(self._act)
        self.keys.held.connect(lambda code: self._act(Hold(code)))
        self.keys.refused.connect(self.refused)
        self.tiles.chosen.connect(self._on_tile_picked)
        self.pyramid.tile_clicked.connect(self._on_tile)
        self.pyramid.place_clicked.connect(self._on_place)
        self.pyramid.tile_moved.connect(lambda *slots: self._act(Shift(*slots)))
        self.popup.chosen.connect(self._on_named)
        self.popup.emptied.connect(lambda row, slot: self._act(TakeAway(row, slot)))

    def _give_room(self) -> None:
        """Tell the card how high it may be beside what else must be seen."""
        if self.height() > self.width():
            self.card.set_room(round(self.height() * 0.5))
            return
        high = self._scroll.viewport().height()
        self.card.set_room(min(round(high * 0.66), high - self.pyramid.minimumSizeHint().height() - GAP_PX))

    def _order_tabs(self) -> None:
        """Let Tab go as one reads: the bar, the card, the drawing, the tiles."""
        bar = (self._home, self._next, self.open, self.all_tiles, self.undo, self.redo, self.save, self.share)
        for before, after in pairwise((*bar, *self.card.buttons(), self.pyramid, *self.tiles.buttons())):
            QWidget.setTabOrder(before, after)

    # What is shown

    def _show(self) -> None:
        """Show the table as it is now."""
        view = self.view = self.model.view()
        at = self._photos.index(self._photo) + 1 if self._photo in self._photos else 0
        many = len(self._photos)
        count = say(page_texts.PHOTO_OF, number=at, many=many) if at and many > 1 else ""
        self.subtitle.setText(f"{view.title}  ·  {count}" if count else view.title)
        outlines = self.model.outlines()
        rings = {tile.code: tile.ring for tile in view.tiles if tile.ring is not Ring.NONE}
        self.keys.show_view(view)
        self.picture.show_outlines(outlines)
        self.picture.show_rings(rings)
        self.card.show_card(view.card)
        self.card.show_crops(crops_of(self._image, outlines, view.card, view.tiles))
        self.pyramid.show_tiles(view.tiles, view.arrows, view.places if view.held else ())
        self.tiles.show_state(view.elsewhere, view.held)
        self.tiles.setVisible(self.all_tiles.isChecked())
        self.undo.setEnabled(view.can_undo)
        self.redo.setEnabled(view.can_redo)
        for button in (self.save, self.share):
            button.setEnabled(bool(view.tiles))
        self._order_tabs()
        self._give_room()

    # What people do

    def _act(self, act: object) -> None:
        """Do what somebody wants, and show what comes of it."""
        if isinstance(act, PickTile):
            self._pick(act)
            return
        try:
            self.model.do(act)  # type: ignore[arg-type]
        except TOLD as error:
            self.refused.emit(error_sentence(error))
        self._show()

    def _on_open(self) -> None:
        if (photo := choose_photo_or_layout(self)) is not None:
            self.want(photo)

    def _on_save(self) -> None:
        if self.model.saved() is None:
            self.refused.emit(say(words.SAVE_FIRST))
        else:
            self.save_wanted.emit()

    def _on_tile_picked(self, code: str) -> None:
        self.keys.typed.clear()
        self._act(Hold(None if self.view.held == code else code))

    def _on_place(self, row: int, slot: int) -> None:
        code = self.keys.code()
        if code is not None:
            self.keys.typed.clear()
            self._act(Put(code, row, slot))

    def _on_tile(self, row: int, slot: int) -> None:
        """Let somebody say which tile lies there."""
        known = next(tile.code for tile in self.view.tiles if (tile.row, tile.slot) == (row, slot))
        where = self.pyramid.mapToGlobal(self.pyramid.tile_rect(row, slot).bottomLeft().toPoint())
        self._picks = None
        elsewhere = {code: why for code, why in self.view.elsewhere.items() if code != known}
        self.popup.ask((row, slot), known, self.view.likely.get((row, slot), ()), elsewhere, where, self.look)

    def _on_delete(self) -> None:
        """Take away the tile at which the keyboard is."""
        at = self.pyramid.cursor_at
        if at is not None and any((tile.row, tile.slot) == at for tile in self.view.tiles):
            self._act(TakeAway(*at))

    def _on_why(self) -> None:
        """Tell the rule behind the card."""
        if self.view.why is not None and self.view.card.topic is not None:
            corner = self.card.mapToGlobal(self.card.rect().bottomRight())
            self.why_popup.tell(self.view.why, corner, self.look)

    def _pick(self, act: PickTile) -> None:
        """Let somebody pick the tile that answers the question."""
        self._picks = act
        place = act.question.places[0]
        likely = [answer.code for answer in act.question.answers if answer.code is not None]
        where = self.card.mapToGlobal(self.card.rect().bottomLeft())
        self.popup.ask((place.row, place.slot), None, likely, self.view.elsewhere, where, self.look)

    def _on_named(self, row: int, slot: int, code: str) -> None:
        """Somebody named a tile: as the answer to the question, or to correct what lies there."""
        picks, self._picks = self._picks, None
        answer = None if picks is None else picks.question.answer_with(code)
        self._act(Retile(row, slot, code) if answer is None else Tell(answer))
