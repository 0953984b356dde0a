"""The table page: the live picture, the drawn pyramid, the verdict, the players and the turns."""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QSlider

from ui.pages.table.drawn_table_page import GAP_PX, DrawnTablePage
from ui.text import pages as page_texts
from ui.text import table as texts
from ui.text.catalogue import mark, say
from ui.text.phones import words as phone_words
from ui.viewmodels.game_view import (
    AnotherRound,
    CallCheck,
    Challenge,
    Export,
    GameView,
    GoHome,
    Hold,
    LookBack,
    NameTiles,
    PlayOn,
    Redo,
    ShowEnding,
    Slot,
    Undo,
)
from ui.viewmodels.looking_back import past_card, position_of, positions
from ui.viewmodels.table_view import Outline
from ui.widgets.controls import Rows, scrolled
from ui.widgets.style import dress
from ui.widgets.table.camera_trouble import CameraTrouble
from ui.widgets.table.players_bar import PlayersBar
from ui.widgets.table.players_popup import PlayersPopup
from ui.widgets.table.timeline import Timeline
from ui.widgets.table.tour_bar import TourBar
from ui.widgets.theme import Look

TITLE = mark("Game")
OTHER_CAMERA_KEY = "Shift+C"
BIG_SENTENCE = 0.04
"""Height of a sentence's letters in the big view, as a share of the window: see the test for why."""


class TablePage(DrawnTablePage):
    """Shows the view of a game, and tells what people want to be done."""

    act_wanted = Signal(object)
    """An act of `ui.viewmodels.game_view`."""
    export_wanted = Signal()
    retry_wanted = Signal()
    """The same camera is to be tried again."""
    other_camera_wanted = Signal(QPoint)
    """Another camera is to be taken: where on the screen to offer them."""
    clicking_wanted = Signal()
    """The game is to go on without a camera."""
    ending_wanted = Signal()
    """How the game went is to be shown."""
    round_wanted = Signal()
    """Another round with the same players is to begin."""
    play_on_wanted = Signal(int)
    """A new game is to begin as this one was after an input."""
    settings_wanted = Signal()
    """The settings are to be shown; the game goes on."""
    name_wanted = Signal()
    """The tiles that the game has taught are to be kept under a name."""
    phones_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(TITLE, pyramid_hint=texts.PYRAMID_HINT)
        self.view = None
        self._is_big = False
        self._live: QImage | None = None
        self._outlines: tuple[Outline, ...] = ()
        self.players, self.timeline = PlayersBar(self.look), Timeline(self.look)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.hide()
        self.slider.valueChanged.connect(self._on_slider)
        self.players_popup = PlayersPopup(self)
        self.trouble = CameraTrouble(self.words)
        self.tour = TourBar(self.words)
        self.words.bind(self.picture.set_empty_text, texts.WAITING_FOR_CAMERA)
        self.words.bind(self.picture.setToolTip, texts.PICTURE_HINT)
        self.words.bind(self.players.setToolTip, texts.PLAYERS_HINT)
        self.words.bind(self.players.setAccessibleDescription, texts.PLAYERS_HINT)
        self.words.bind(self.slider.setAccessibleName, texts.REPLAY)
        self._add_tools()
        self._arrange()
        self._connect()

    def show_view(self, view: GameView) -> None:
        """Show a game."""
        self.view = view
        self.subtitle.setText(view.title)
        self._show_card(view)
        self.tour.follow(view.card.tone)
        self.show_table_of(view)
        self.pyramid.show_tiles(view.tiles, view.arrows, view.places)
        self.players.show_players(view.players)
        self.timeline.show_turns(view.turns, None if view.past is None else view.past.at)
        self.undo.setEnabled(view.can_undo)
        self.redo.setEnabled(view.can_redo)
        self.check.setEnabled(view.can_check)
        self._order_tabs()
        self.what_if.setVisible(view.is_clicked)
        self._fit_mode()
        if view.past is not None and view.past.picture:
            self.picture.show_outlines(())
            self.picture.show_image(QImage.fromData(view.past.picture))
        else:
            self.picture.show_outlines(self._outlines)
            self.picture.show_image(self._live)

    def show_picture(self, image: QImage) -> None:
        """Show the newest picture of the camera, unless an earlier turn is shown."""
        self._live = image
        if self.view is None or self.view.past is None:
            self.picture.show_image(image)

    def show_outlines(self, outlines: tuple[Outline, ...]) -> None:
        """Outline the tiles of the picture."""
        self._outlines = outlines
        if self.view is None or self.view.past is None:
            self.picture.show_outlines(outlines)
        if self.view is not None:
            self.show_crops(self._live, self._outlines, self.view.card)

    def show_lost(self, text: str) -> None:
        """Say why no pictures come, with the ways to go on; say nothing more for an empty text."""
        self.trouble.tell(text)

    def show_end(self) -> None:
        """Say that the recording is over, with the ways to go on."""
        if not self.tour.isHidden():
            self.tour.end()
        elif self.view is None or not self.view.is_over:
            self.trouble.tell(say(texts.RECORDING_ENDED), can_retry=False)

    def go_back(self) -> bool:
        """Go back to the game from a turn that is looked at, or let go of a tile."""
        if self.view is None or self.view.past is None:
            return self.keys.forget()
        self.act(LookBack(None))
        return True

    def clear(self) -> None:
        """Forget the game before."""
        self.view = self._live = None
        self._outlines = ()
        self.picture.show_image(None)
        self.picture.show_outlines(())
        self.trouble.tell("")
        self.tour.hide()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        self.players.set_look(look)
        self.timeline.set_look(look)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the card the room that a window of this shape has for it."""
        super().resizeEvent(event)
        self._give_room()

    def set_big(self, *, is_big: bool) -> None:
        """Show the card and the pyramid alone, for those who sit two metres away; or everything again."""
        self._is_big = is_big
        self.show_bar(is_shown=not is_big)
        for part in (self.timeline, self.players):
            part.setVisible(not is_big)
        self.picture.set_cropped(is_cropped=is_big)
        self._fit_mode()
        if self.view is not None:
            self._show_position(self.view)

    def _give_room(self) -> None:
        """Tell the card how high it may be beside what else must be seen."""
        self.card.set_least(math.ceil(self.window().height() * BIG_SENTENCE) if self._is_big else 0)
        if self._is_big:
            tall = self.height() > self.width()
            self.card.set_room(round(self.height() * (0.55 if tall else 0.94)))
            return
        if self.height() > self.width():
            self.card.set_room(round(self.height() * 0.36))
            return
        below = self.tiles if self.tiles.isVisibleTo(self) else self.pyramid
        high = self._scroll.viewport().height() - self.players.height() - 2 * GAP_PX
        self.card.set_room(min(round(self.height() * 0.55), high - below.minimumSizeHint().height() - GAP_PX))

    # The parts

    def _add_tools(self) -> None:
        self.what_if = self.add_keyed_tool(texts.WHAT_IF, "W", self._on_hold)
        self.what_if.setCheckable(True)
        self.words.bind(self.what_if.setToolTip, texts.WHAT_IF_HINT)
        dress(self.what_if, "choice")
        self.undo = self.add_keyed_tool(texts.UNDO, "U", lambda: self.act(Undo()))
        self.redo = self.add_keyed_tool(texts.REDO, "Shift+U", lambda: self.act(Redo()))
        self.check = self.add_keyed_tool(texts.CHECK_NOW, "C", lambda: self.act(CallCheck()))
        self.phones = self.add_keyed_tool(phone_words.PHONES, "P", self.phones_wanted.emit)
        self.words.bind(self.phones.setToolTip, phone_words.PHONES_HINT)
        self.export = self.add_keyed_tool(texts.EXPORT, "Ctrl+S", self.export_wanted.emit)
        self.settings = self.add_keyed_tool(page_texts.SETTINGS, "Ctrl+,", self.settings_wanted.emit)

    def _arrange(self) -> None:
        self._left, self._right = Rows(), Rows()
        self._left.addWidget(self.picture, 10)
        self._left.addWidget(self.trouble)
        self._left.addWidget(self.tour)
        self._left.addWidget(self.timeline)
        self._left.addWidget(self.slider)
        self._right.addWidget(self.card, 10)
        self._right.addWidget(self.pyramid, 10)
        self._right.addWidget(self.tiles)
        inner, rows = self.lay_out_halves(self._left, 29, self._right, 20)
        rows.addWidget(self.players)
        self._scroll = scrolled(inner)
        self.content.addWidget(self._scroll, 1)
        self.tiles.hide()
        self.what_if.hide()

    def _fit_mode(self) -> None:
        """Arrange the parts for a game with or without a camera."""
        clicked = self.view is not None and self.view.is_clicked
        past = None if self.view is None else self.view.past
        shows_picture = not clicked or (past is not None and past.picture is not None)
        self.picture.setVisible(shows_picture)
        self.pyramid.setVisible(not (shows_picture and self._is_big))
        is_over = self.view is None or self.view.is_over
        self.tiles.setVisible(clicked and not is_over and not self._is_big)
        home, other = (self._right, self._left) if shows_picture else (self._left, self._right)
        if home.indexOf(self.pyramid) < 0:
            other.removeWidget(self.pyramid)
            home.insertWidget(1 if shows_picture else 0, self.pyramid, 10)
        self._give_room()

    def _connect(self) -> None:
        self.timeline.turn_clicked.connect(self._on_turn)
        self.players.player_clicked.connect(self._on_player)
        self.players_popup.chosen.connect(self.act)
        self.trouble.retry_wanted.connect(self.retry_wanted)
        other = self.trouble.other
        self.trouble.other_wanted.connect(
            lambda: self.other_camera_wanted.emit(other.mapToGlobal(other.rect().bottomLeft()))
        )
        self.picture.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.picture.customContextMenuRequested.connect(
            lambda at: self.other_camera_wanted.emit(self.picture.mapToGlobal(at))
        )
        self.add_shortcut(
            OTHER_CAMERA_KEY,
            lambda: self.other_camera_wanted.emit(self.mapToGlobal(self.rect().center())),
        )
        self.trouble.clicking_wanted.connect(self.clicking_wanted)

    # What is shown

    def _show_card(self, view: GameView) -> None:
        card = view.card
        if view.past is not None:
            card = past_card(view)
        self._show_position(view)
        self.card.show_card(card)
        self.show_crops(self._live, self._outlines, card)

    def _show_position(self, view: GameView) -> None:
        """Show where in the game it is that somebody looks back at."""
        self.slider.setVisible(view.past is not None and not self._is_big)
        if view.past is not None:
            with QSignalBlocker(self.slider):
                self.slider.setMaximum(len(positions(view.turns)) - 1)
                self.slider.setValue(position_of(view.turns, view.past))

    def _order_tabs(self) -> None:
        """Let Tab go as one reads: the bar, the card, the drawing, the tiles, the turns, the players."""
        self.order_tabs(
            (self._home, self.what_if, self.undo, self.redo, self.check, self.export, self.settings),
            (self.timeline.strip(), self.slider, self.players),
        )

    # What people do

    def act(self, act: object) -> None:
        """Hand on what somebody wants; what is no act of the game itself has a signal of its own."""
        if isinstance(act, Export):
            self.export_wanted.emit()
        elif isinstance(act, NameTiles):
            self.name_wanted.emit()
        elif isinstance(act, ShowEnding):
            self.ending_wanted.emit()
        elif isinstance(act, AnotherRound):
            self.round_wanted.emit()
        elif isinstance(act, PlayOn):
            self.play_on_wanted.emit(act.input)
        elif isinstance(act, GoHome):
            self.home_wanted.emit()
        else:
            self.act_wanted.emit(act)

    def _on_turn(self, at: int) -> None:
        if self.view is not None:
            is_shown = self.view.past is not None and self.view.past.at == at
            self.act(LookBack(None if is_shown else at))

    def _on_slider(self, position: int) -> None:
        if self.view is not None:
            self.act(positions(self.view.turns)[position])

    def _on_hold(self) -> None:
        if self.view is not None:
            self.hold(self.view.held)

    def hold(self, code: str | None) -> None:
        """Hold a tile over the table; None: none."""
        self.act(Hold(code, self.what_if.isChecked()))

    def on_tile(self, row: int, slot: int) -> None:
        """Let somebody say which tile lies there, or lay there when a call is judged again."""
        if self.view is None:
            return
        past = self.view.past
        if past is not None and (past.challenge is None or not past.challenge.can_name):
            return
        known = next(tile.code for tile in self.view.tiles if (tile.row, tile.slot) == (row, slot))
        if past is not None:
            self.ask_which_tile(row, slot, known, (), {})
        else:
            self.ask_which_tile(row, slot, known, self.view.likely.get((row, slot), ()), self.view.elsewhere)

    def on_named(self, place: Slot, code: str) -> None:
        """Correct the tile; looking back, say that the call was wrong because of it."""
        past = None if self.view is None else self.view.past
        if past is None:
            super().on_named(place, code)
        else:
            self.act(Challenge(past.at, past.step or 0, place, code))

    def _on_player(self, player: int) -> None:
        """Let somebody put right whose turn it is, and the stocks."""
        if self.view is None or self.view.past is not None or self.view.is_over:
            return
        where = self.players.mapToGlobal(QPoint(self.players.width() * player // len(self.view.players), 0))
        self.players_popup.ask(self.view.players, player, where)
