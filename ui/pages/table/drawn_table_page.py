"""What the page of a game and that of a photo share: a card and a drawn table, on which people act."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QWidget

from referee.rules.tiles import CODES
from ui.pages.page import Page
from ui.text import table as texts
from ui.viewmodels.game_view import CardView, GameView, PickTile, Put, Retile, Shift, Slot, TakeAway, Tell
from ui.viewmodels.table_view import Outline, Ring
from ui.widgets.controls import Rows
from ui.widgets.pyramid_view import PyramidView
from ui.widgets.table.live_picture import LivePicture, crops_of
from ui.widgets.table.table_keys import TableKeys
from ui.widgets.table.tile_palette import TilePalette
from ui.widgets.table.tile_popup import TilePopup
from ui.widgets.table.verdict_card import VerdictCard
from ui.widgets.table.why_popup import WhyPopup
from ui.widgets.theme import Look

GAP_PX = 12


class DrawnTablePage(Page):
    """Shows the picture, the card, the drawn pyramid and the tiles, and makes acts of what people do there.

    The page that is made of it arranges the parts, and does the acts.
    """

    rules_wanted = Signal()
    """All rules are to be shown."""
    refused = Signal(str)
    """Why something cannot be done."""

    view: GameView | None

    def __init__(self, title: str, *, pyramid_hint: str, can_be_empty: bool = False) -> None:
        """Make the parts.

        Args:
            title: A marked sentence for the bar.
            pyramid_hint: A marked sentence for screen readers: what keys do in the drawing.
            can_be_empty: Whether one may say that no tile lies in a place where one was read.
        """
        super().__init__(title)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        look = self.look
        self.picture, self.card = LivePicture(look), VerdictCard(look)
        self.pyramid = PyramidView(look.theme, can_be_clicked=True)
        self.tiles = TilePalette(look)
        self.popup = TilePopup(self, look, can_be_empty=can_be_empty)
        self.why_popup = WhyPopup(self, look)
        self.keys = TableKeys(self, self.pyramid, self.card)
        self._picks: PickTile | None = None
        """What the popup answers; None while it corrects a tile."""
        self.words.bind(self.pyramid.setAccessibleDescription, pyramid_hint)
        self.words.bind(self.tiles.setAccessibleName, texts.PALETTE_NAME)
        self._connect_table()

    @abstractmethod
    def act(self, act: object) -> None:
        """Do what somebody wants: an act of `ui.viewmodels.game_view`."""

    @abstractmethod
    def hold(self, code: str | None) -> None:
        """Hold a tile over the table; None: none."""

    @abstractmethod
    def on_tile(self, row: int, slot: int) -> None:
        """Do what it means that somebody chose a tile in the drawing."""

    def enter(self) -> None:
        """Take the keyboard, so that the keys of the page work at once."""
        self.setFocus()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        self.pyramid.set_look(look.theme, look.scale, reduced_motion=look.reduced_motion)
        for part in (self.picture, self.card, self.tiles):
            part.set_look(look)

    def show_table_of(self, view: GameView) -> None:
        """Show the tiles of a view in the drawing, around the picture and among all tiles."""
        self.keys.show_view(view)
        self.picture.show_rings({tile.code: tile.ring for tile in view.tiles if tile.ring is not Ring.NONE})
        self.tiles.show_state(view.elsewhere, view.held)

    def show_crops(self, image: QImage | None, outlines: tuple[Outline, ...], card: CardView) -> None:
        """Show on the card the parts of a picture that its question is about."""
        tiles = () if self.view is None else self.view.tiles
        self.card.show_crops(crops_of(image, outlines, card, tiles))

    # What its pages build with

    def add_keyed_tool(
        self, name: str, keys: str, on_click: Callable[[], object], hint: str | None = None
    ) -> QPushButton:
        """Return a new button at the end of the bar, with the keys that press it while it can be pressed."""
        button = self.add_tool(name, on_click)
        if hint is not None:
            self.words.bind(button.setAccessibleDescription, hint)
        self.tell_keys(button, keys)
        self.add_shortcut(keys, button.click)
        return button

    def add_shortcut(self, keys: str, on_keys: Callable[[], object]) -> None:
        """Do something at these keys, while the page or anything on it has the keyboard."""
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(on_keys)

    def lay_out_halves(
        self, left: Rows, left_share: int, right: Rows, right_share: int
    ) -> tuple[QWidget, Rows]:
        """Return a widget with two halves of these shares of its width, and its rows, for what goes below."""
        inner = QWidget()
        rows = Rows(inner)
        rows.setContentsMargins(0, 0, 0, 0)
        halves = self.make_halves()
        halves.addLayout(left, left_share)
        halves.addLayout(right, right_share)
        for box in (left, right, halves, rows):
            box.setSpacing(GAP_PX)
        rows.addLayout(halves, 1)
        return inner, rows

    def order_tabs(self, bar: Iterable[QWidget], below: Iterable[QWidget] = ()) -> None:
        """Let Tab go as one reads: the bar, the card, the drawing, the tiles, and what is below."""
        stops = (*bar, *self.card.buttons(), self.pyramid, *self.tiles.buttons(), *below)
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _connect_table(self) -> None:
        self.card.chosen.connect(self._on_act)
        self.card.why_wanted.connect(self._on_why)
        self.add_shortcut("F1", self._on_why)
        self.why_popup.rules_wanted.connect(self.rules_wanted)
        self.keys.chosen.connect(self._on_act)
        self.keys.held.connect(self.hold)
        self.keys.refused.connect(self.refused)
        self.tiles.chosen.connect(self._on_tile_picked)
        self.pyramid.tile_clicked.connect(self.on_tile)
        self.pyramid.place_clicked.connect(self._on_place)
        self.pyramid.tile_moved.connect(lambda *slots: self.act(Shift(*slots)))
        self.popup.chosen.connect(self._on_popup)
        self.popup.emptied.connect(lambda row, slot: self.act(TakeAway(row, slot)))

    # What people do

    def _on_act(self, act: object) -> None:
        if isinstance(act, PickTile):
            self._pick(act)
        else:
            self.act(act)

    def _on_tile_picked(self, code: str) -> None:
        self.keys.typed.clear()
        self.hold(None if self.view is not None and self.view.held == code else code)

    def _on_place(self, row: int, slot: int) -> None:
        code = self.keys.code()
        if code is not None:
            self.keys.typed.clear()
            self.act(Put(code, row, slot))

    def ask_which_tile(
        self, row: int, slot: int, known: str, read: tuple[str, ...], elsewhere: Mapping[str, str]
    ) -> None:
        """Let somebody say which tile lies there.

        Args:
            row: Of the tile that is drawn.
            slot: Of the same.
            known: What is drawn there.
            read: What it may be, likeliest first.
            elsewhere: Why other tiles cannot lie there.
        """
        where = self.pyramid.mapToGlobal(self.pyramid.tile_rect(row, slot).bottomLeft().toPoint())
        self._picks = None
        self.popup.ask((row, slot), known, read, elsewhere, where, self.look)

    def _on_why(self) -> None:
        """Tell the rule behind the card."""
        if self.view is not None and self.view.why is not None:
            corner = self.card.mapToGlobal(self.card.rect().bottomRight())
            self.why_popup.tell(self.view.why, corner, self.look)

    def _pick(self, act: PickTile) -> None:
        """Let somebody pick the tile that answers the question."""
        if self.view is None:
            return
        self._picks = act
        question = act.question
        place = question.places[0]
        likely = [answer.code for answer in question.answers if answer.code is not None]
        # A tile that is known to lie elsewhere may be among the answers all the same.
        faint = {code: why for code, why in self.view.elsewhere.items() if code not in likely}
        for code in CODES:
            if question.answer_with(code) is None:
                faint.setdefault(code, texts.with_tile(texts.NO_ANSWER, code))
        where = self.card.mapToGlobal(self.card.rect().bottomLeft())
        self.popup.ask((place.row, place.slot), None, likely, faint, where, self.look)

    def _on_popup(self, row: int, slot: int, code: str) -> None:
        picks, self._picks = self._picks, None
        if picks is None:
            self.on_named((row, slot), code)
        elif (answer := picks.question.answer_with(code)) is not None:
            self.act(Tell(answer))

    def on_named(self, place: Slot, code: str) -> None:
        """Do what it means that somebody named the tile in a place."""
        self.act(Retile(*place, code))
