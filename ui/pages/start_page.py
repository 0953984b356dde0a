"""The first page: a new game, one to go on with, and everything else there is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from ui.pages.page import Page
from ui.text import pages as texts
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.viewmodels.requests import SavedGame
from ui.viewmodels.table_view import TileView
from ui.widgets.button_flow import ButtonFlow
from ui.widgets.controls import make_button, make_card, make_label, scrolled
from ui.widgets.pyramid_view import PyramidView
from ui.widgets.style import dress
from ui.widgets.theme import Look

MAX_RESUMED = 5
"""So many unfinished games are offered, the newest first."""
MAX_FINISHED = 3
"""So many games that are over, the newest first."""
SHOWN_TILES = (("R40", "B20", "G60", "Y100"), ("R10", "B4", "G30"), ("B2", "G6"), ("Y1",))
"""What the drawing on the page shows, from the base up."""


class StartPage(Page):
    """Tells what somebody wants to do."""

    new_game_wanted = Signal()
    sample_wanted = Signal()
    resume_wanted = Signal(object)
    """A `SavedGame`."""
    recording_wanted = Signal()
    photo_wanted = Signal()
    cube_wanted = Signal()
    tiles_wanted = Signal()
    shelf_wanted = Signal()
    rules_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._drawing = PyramidView(self.look.theme)
        self._drawing.setAccessibleName("")
        self._new = make_button(self.words, texts.NEW_GAME, "primary")
        self._new.clicked.connect(self.new_game_wanted)
        self._sample = make_button(self.words, texts.TRY_SAMPLE, "large")
        self._sample.clicked.connect(self.sample_wanted)
        self._has_camera = True
        self._hint = make_label(self.words, texts.TAGLINE, "quiet")
        self.words.bind_made(self._hint.setText, self._hint_text)
        self._games: tuple[SavedGame, ...] = ()
        self._no_games = make_label(self.words, texts.NOTHING_TO_RESUME, "quiet")
        self._resume = QVBoxLayout()
        self._resume.setSpacing(2)
        self._over_heading = make_label(self.words, texts.FINISHED_GAMES, "heading")
        self._over = QVBoxLayout()
        self._over.setSpacing(2)
        self._shelf = make_button(self.words, texts.ALL_GAMES)
        self._arrange()
        self.show_cameras(has_camera=True)
        self.show_games(())

    def show_cameras(self, *, has_camera: bool) -> None:
        """Put the best choice first: a new game if there is a camera, else the sample game."""
        self._has_camera = has_camera
        dress(self._new, "primary" if has_camera else "large")
        dress(self._sample, "large" if has_camera else "primary")
        first, second = (self._new, self._sample) if has_camera else (self._sample, self._new)
        for button in (first, second):
            self._play.removeWidget(button)
            self._play.addWidget(button)
            button.style().polish(button)
        QWidget.setTabOrder(first, second)
        self._hint.setText(self._hint_text())

    def show_games(self, games: Sequence[SavedGame]) -> None:
        """List the games that can be resumed and those that are over, the newest first."""
        unfinished = [game for game in games if not game.is_finished][:MAX_RESUMED]
        finished = [game for game in games if game.is_finished][:MAX_FINISHED]
        self._games = (*unfinished, *finished)
        for rows, listed in ((self._resume, unfinished), (self._over, finished)):
            while (item := rows.takeAt(0)) is not None:
                if (old := item.widget()) is not None:
                    old.hide()
                    old.deleteLater()
            for game in listed:
                rows.addWidget(self._row(game))
        self._no_games.setVisible(not unfinished)
        self._over_heading.setVisible(bool(finished))
        self._shelf.setVisible(bool(games))

    def enter(self) -> None:
        """Give the keyboard to the first button."""
        (self._new if self._has_camera else self._sample).setFocus()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        self._drawing.set_look(look.theme, look.scale)
        self._drawing.show_tiles(
            [
                TileView(code, row, slot)
                for row, codes in enumerate(SHOWN_TILES)
                for slot, code in enumerate(codes)
            ]
        )

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        super().renew_words()
        self.show_games(self._games)

    def _hint_text(self) -> str:
        return say(texts.CAMERA_HINT if self._has_camera else texts.NO_CAMERA_HINT)

    def _row(self, game: SavedGame) -> QPushButton:
        row = QPushButton(f"{game.title}\n{game.date}  ·  {game.players}")
        dress(row, "row")
        row.setAutoDefault(True)
        row.setCursor(Qt.CursorShape.PointingHandCursor)
        name = texts.LOOK_AT_NAME if game.is_finished else texts.RESUME_NAME
        row.setAccessibleName(say(name, title=game.title, date=game.date, players=game.players))
        row.clicked.connect(lambda: self.resume_wanted.emit(game))
        return row

    def _arrange(self) -> None:
        title = make_label(self.words, window_texts.APP_NAME, "title")
        play, self._play = make_card()
        self._play.addWidget(self._hint)
        resume, inside = make_card()
        inside.addWidget(make_label(self.words, texts.RESUME, "heading"))
        inside.addWidget(self._no_games)
        inside.addLayout(self._resume)
        inside.addWidget(self._over_heading)
        inside.addLayout(self._over)
        self._shelf.clicked.connect(self.shelf_wanted)
        inside.addWidget(self._shelf, 0, Qt.AlignmentFlag.AlignLeft)
        side = QVBoxLayout()
        side.setSpacing(16)
        side.addWidget(play)
        side.addWidget(resume)
        side.addWidget(self._more())
        side.addStretch(1)
        hero = QVBoxLayout()
        hero.setSpacing(6)
        hero.addWidget(title)
        hero.addWidget(make_label(self.words, texts.TAGLINE, "quiet"))
        hero.addSpacing(10)
        hero.addWidget(self._drawing, 1)
        inner = QWidget()
        halves = self.make_halves(inner)
        halves.setContentsMargins(8, 8, 8, 8)
        halves.setSpacing(24)
        halves.addLayout(hero, 12)
        halves.addLayout(side, 10)
        self.content.addWidget(scrolled(inner), 1)

    def _more(self) -> QWidget:
        card, inside = make_card()
        inside.addWidget(make_label(self.words, texts.MORE, "heading"))
        more = ButtonFlow(fills=True)
        buttons = (
            (texts.OPEN_RECORDING, self.recording_wanted),
            (texts.OPEN_A_PHOTO, self.photo_wanted),
            (texts.CUBE_GAME, self.cube_wanted),
            (texts.OWN_TILES, self.tiles_wanted),
            (texts.RULES, self.rules_wanted),
            (texts.SETTINGS, self.settings_wanted),
        )
        for sentence, wanted in buttons:
            button = make_button(self.words, sentence)
            button.clicked.connect(wanted)
            more.add(button)
            if sentence == texts.OPEN_A_PHOTO:
                self.add_key(QKeySequence(QKeySequence.StandardKey.Open), wanted.emit, button)
        inside.addWidget(more)
        inside.addWidget(make_label(self.words, texts.DROP_HINT, "quiet"))
        return card
