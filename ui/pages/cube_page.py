"""The page of the cube game: the pyramid, whose turn it is, the cubes to choose from, and the scores."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from referee.cube.game import SIDES, Place, Side
from referee.errors import RecordError
from ui.pages.choose_files import choose_cube_to_open, choose_cube_to_save
from ui.pages.cube_panel import CubePanel
from ui.pages.page import Page
from ui.text import cube as texts
from ui.text import pages as page_texts
from ui.text.catalogue import say
from ui.text.errors import error_sentence
from ui.viewmodels.cube import CubeViewModel
from ui.widgets.controls import make_card, scrolled
from ui.widgets.cube_view import CubePyramid
from ui.widgets.style import dress
from ui.widgets.theme import Look

LAST_GAME = "last.cube.jsonl"
"""The file of the game that waits for the next start."""


class CubePage(Page):
    """Shows a cube game, and hands on what the players do."""

    not_saved = Signal(str)
    """A sentence: why a game, or a part of it, could not be saved or opened."""

    def __init__(self, model: CubeViewModel, folder: Path) -> None:
        """Make the page.

        Args:
            model: The game.
            folder: Where the game waits while the page is left.
        """
        super().__init__(page_texts.CUBE_GAME)
        self.model, self._folder = model, folder
        self._has_entered = False
        self._pyramid = CubePyramid()
        self._headline, self._sentence = QLabel(), QLabel()
        dress(self._headline, "title")
        for label in (self._headline, self._sentence):
            label.setWordWrap(True)
        self._cubes = {side: QPushButton() for side in SIDES}
        self._panel = CubePanel()
        self._tools = {
            name: self.add_tool(sentence, on_click, keys)
            for name, sentence, keys, on_click in (
                ("undo", texts.UNDO, QKeySequence("U"), model.undo),
                ("redo", texts.REDO, QKeySequence("Shift+U"), model.redo),
                ("new", texts.NEW, QKeySequence(QKeySequence.StandardKey.New), model.begin_anew),
                ("open", texts.OPEN, QKeySequence(QKeySequence.StandardKey.Open), self._on_open),
                ("save", texts.SAVE, QKeySequence(QKeySequence.StandardKey.Save), self._on_save),
            )
        }
        for button in self._tools.values():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard to the pyramid
        self._arrange()
        self._pyramid.place_wanted.connect(self._on_place)
        model.on_change = self._show
        self._show()

    def enter(self) -> None:
        """Go on with the game that was left, and give the keyboard to the pyramid."""
        if not self._has_entered:
            self._has_entered = True
            if (waiting := self._folder / LAST_GAME).is_file():
                self._open(waiting)
        self._pyramid.setFocus()

    def leave(self) -> None:
        """Save the game, so that it waits for the next time."""
        if self._has_entered:
            self._save(self._folder / LAST_GAME)

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        self._pyramid.set_look(look)
        self._panel.set_look(look)

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        super().renew_words()
        self._show()

    def _show(self) -> None:
        view = self.model.view()
        self._pyramid.show_places(view.places, view.chosen)
        self._headline.setText(view.headline)
        self._sentence.setText(view.sentence)
        for side, button in self._cubes.items():
            count = view.hands[view.source].count(side) if view.source else 0
            button.setText(say(texts.CUBE_LEFT[side], count=count))
            button.setEnabled(count > 0)
            button.setChecked(view.source is not None and side is view.chosen)
            button.setVisible(view.winner is None)
        self._panel.show_view(view)
        self._tools["undo"].setEnabled(view.can_undo)
        self._tools["redo"].setEnabled(view.can_redo)

    def _on_place(self, at: Place) -> None:
        self.model.place(at)

    def _on_open(self) -> None:
        if (path := choose_cube_to_open(self)) is not None:
            self._open(path)

    def _on_save(self) -> None:
        if (path := choose_cube_to_save(self, Path.home())) is not None:
            self._save(path)

    def _open(self, path: Path) -> None:
        try:
            problem = self.model.open(path)
        except RecordError as error:
            self.not_saved.emit(error_sentence(error))
        except OSError as error:
            reason = error.strerror or str(error)
            self.not_saved.emit(say(page_texts.NOT_OPENED, name=path.name, reason=reason))
        else:
            if problem is not None:
                self.not_saved.emit(say(texts.DAMAGED, name=path.name))

    def _save(self, path: Path) -> None:
        try:
            self.model.save(path)
        except OSError as error:
            reason = error.strerror or str(error)
            self.not_saved.emit(say(page_texts.NOT_SAVED, name=path.name, reason=reason))

    def _arrange(self) -> None:
        turn, inside = make_card()
        inside.addWidget(self._headline)
        inside.addWidget(self._sentence)
        for side, button in self._cubes.items():
            dress(button, "choice")
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            choose = partial(self.model.choose, side)
            button.clicked.connect(lambda _, choose=choose: choose())
            self.add_key("L" if side is Side.LIGHT else "D", choose, button)
            inside.addWidget(button)
        side_column = QVBoxLayout()
        side_column.setSpacing(16)
        side_column.addWidget(turn)
        side_column.addWidget(self._panel)
        side_column.addStretch(1)
        inner = QWidget()
        halves = self.make_halves(inner)
        halves.addWidget(self._pyramid, 16)
        halves.addLayout(side_column, 9)
        self.content.addWidget(scrolled(inner), 1)
