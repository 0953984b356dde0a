"""The page for a new game: who plays, by which rules, and with which camera."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from ui.pages.new_game.players_card import PlayersCard
from ui.pages.new_game.rules_card import RulesCard
from ui.pages.new_game.source_card import SourceCard
from ui.pages.page import Page
from ui.platform.cameras import Camera
from ui.text import pages as texts
from ui.text.catalogue import say
from ui.viewmodels.requests import GameRequest
from ui.widgets.controls import make_button, make_label, scrolled
from ui.widgets.theme import Look


class NewGamePage(Page):
    """Collects a `GameRequest`."""

    game_wanted = Signal(object)
    """A `GameRequest`: somebody starts the game."""
    preview_wanted = Signal(object)
    """A `SourceRequest` whose picture is to be shown, or None."""

    def __init__(self) -> None:
        super().__init__(texts.NEW_GAME)
        self.source = SourceCard(self.words)
        self.players = PlayersCard(self.words)
        self.rules = RulesCard(self.words)
        self._tiles = QComboBox()
        self._tiles_name = make_label(self.words, texts.TILES, "name")
        self.words.bind(self._tiles.setAccessibleName, texts.TILES)
        start = make_button(self.words, texts.START_GAME, "go")
        start.clicked.connect(self._on_start)
        self.add_key(QKeySequence(Qt.Modifier.CTRL | Qt.Key.Key_Return), self._on_start, start)
        self.source.preview_wanted.connect(self._on_preview)
        self._is_shown = False
        self._arrange()
        self.show_tile_sets(())
        self.words.bind(self._name_first_set, texts.TILES_OF_THE_GAME)
        self.tools.add(start)

    def request(self) -> GameRequest:
        """Return what has been chosen so far."""
        return GameRequest(
            self.players.players(),
            self.rules.variant(),
            self.rules.voice(),
            self.rules.options(),
            self.source.source(),
            self._tiles.currentData(),
        )

    def show_cameras(self, cameras: Sequence[Camera]) -> None:
        """List these cameras."""
        self.source.show_cameras(cameras)

    def show_recording(self, recording: Path) -> None:
        """Offer a recording as the source, and choose it."""
        self.source.show_recording(recording)

    def show_tile_sets(self, names: Sequence[str], chosen: str = "") -> None:
        """Offer the player's own tile sets and choose one of them, or the tiles of the box."""
        self._tiles.clear()
        self._tiles.addItem("")
        for name in names:
            self._tiles.addItem(name, name)
        self._name_first_set(say(texts.TILES_OF_THE_GAME))
        self._tiles.setCurrentIndex(max(0, self._tiles.findData(chosen or None)))
        for widget in (self._tiles, self._tiles_name):
            widget.setVisible(bool(names))

    def enter(self) -> None:
        """Show the chosen camera's picture from now on."""
        self._is_shown = True
        self.players.focus_first_name()
        self._on_preview(self.source.source())

    def leave(self) -> None:
        """Let go of the camera."""
        self._is_shown = False
        self.preview_wanted.emit(None)

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        self.players.set_look(look)
        self.source.set_look(look)

    def _on_start(self) -> None:
        self.game_wanted.emit(self.request())

    def _name_first_set(self, text: str) -> None:
        self._tiles.setItemText(0, text)

    def _on_preview(self, source: object) -> None:
        if self._is_shown:
            self.preview_wanted.emit(source)

    def _arrange(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(16)
        left.addWidget(self.players)
        left.addWidget(self._tiles_name)
        left.addWidget(self._tiles)
        left.addWidget(self.source, 1)
        inner = QWidget()
        halves = self.make_halves(inner)
        halves.addLayout(left, 1)
        halves.addWidget(self.rules, 1)
        self.content.addWidget(scrolled(inner), 1)
