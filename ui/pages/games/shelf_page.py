"""The shelf: every stored game with its picture, to be opened, named or deleted."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.artwork.small_pyramid import paint_pyramid
from ui.pages.page import Page
from ui.text import pages as texts
from ui.text.catalogue import say
from ui.viewmodels.games.shelf import ShelfRow
from ui.widgets.button_flow import ButtonFlow
from ui.widgets.controls import make_label, scrolled
from ui.widgets.style import dress
from ui.widgets.theme import Look

WIDE_PX, HIGH_PX = 150, 96
SHARP = 2
"""Pixels of a picture for each pixel of the window, so that it is sharp on dense screens."""


class ShelfPage(Page):
    """Lists the games, the newest first."""

    open_wanted = Signal(int)
    """The number of a game that is to be gone on with or looked at."""
    rename_wanted = Signal(int, str)
    """The number and the name so far of a game that is to have another one."""
    delete_wanted = Signal(int)
    """The number of a game that is to be deleted for good; somebody said so twice."""

    def __init__(self) -> None:
        super().__init__(texts.GAMES)
        self.rows: list[GameRow] = []
        self._games: tuple[ShelfRow, ...] = ()
        self._none = make_label(self.words, texts.NO_GAMES, "quiet")
        inner = QWidget()
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(12)
        self._list.addWidget(self._none)
        self._list.addStretch(1)
        self.content.addWidget(scrolled(inner), 1)

    def show_games(self, games: Sequence[ShelfRow]) -> None:
        """Show these games."""
        self._games = tuple(games)
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [GameRow(game, self.look) for game in games]
        for at, row in enumerate(self.rows):
            self._list.insertWidget(at, row)
            row.open.clicked.connect(lambda _=False, game=row.game: self.open_wanted.emit(game.id))
            row.rename.clicked.connect(
                lambda _=False, game=row.game: self.rename_wanted.emit(game.id, game.title)
            )
            row.deleted.connect(self.delete_wanted)
        self._none.setVisible(not games)
        super().set_look(self.look)
        if self.rows:
            self.rows[0].open.setFocus()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        for row in self.rows:
            row.set_look(look)

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        super().renew_words()
        self.show_games(self._games)


class GameRow(QFrame):
    """One game."""

    deleted = Signal(int)

    def __init__(self, game: ShelfRow, look: Look) -> None:
        super().__init__()
        dress(self, "card")
        self.game = game
        self._picture = QLabel()
        title, about, state = (
            QLabel(game.title),
            QLabel(f"{game.date}  ·  {game.players}"),
            QLabel(game.state),
        )
        for label, role in ((title, "heading"), (about, "body"), (state, "quiet")):
            dress(label, role)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.open = _button(say(texts.LOOK_AT if game.is_finished else texts.GO_ON), game.title)
        self.rename = _button(say(texts.RENAME), game.title)
        self.delete = _button(say(texts.DELETE), game.title)
        self.delete.clicked.connect(self._on_delete)
        self._is_asked = False
        words = QVBoxLayout()
        for part in (title, about, state, ButtonFlow((self.open, self.rename, self.delete))):
            words.addWidget(part)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(16, 14, 16, 14)
        whole.setSpacing(16)
        whole.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        whole.addLayout(words, 1)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take sizes from the window."""
        wide, high = look.px(WIDE_PX), look.px(HIGH_PX)
        picture = QPixmap(wide * SHARP, high * SHARP)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        image = QImage.fromData(self.game.picture) if self.game.picture else QImage()
        box = QRectF(picture.rect())
        if image.isNull():
            paint_pyramid(painter, box, self.game.layout, 30.0 * SHARP)
        else:
            size = image.size().scaled(picture.size(), Qt.AspectRatioMode.KeepAspectRatio)
            painter.drawImage(QRectF(0, 0, size.width(), size.height()), image)
        painter.end()
        picture.setDevicePixelRatio(SHARP)
        self._picture.setFixedSize(wide, high)
        self._picture.setPixmap(picture)

    def _on_delete(self) -> None:
        """Delete it at the second press."""
        if self._is_asked:
            self.deleted.emit(self.game.id)
        self._is_asked = True
        self.delete.setText(say(texts.REALLY_DELETE))
        self.delete.setAccessibleName(f"{say(texts.REALLY_DELETE)}: {self.game.title}")


def _button(text: str, title: str) -> QPushButton:
    button = QPushButton(text)
    dress(button, "plain")
    button.setAutoDefault(True)  # Enter presses it, too
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setAccessibleName(f"{text}: {title}")
    return button
