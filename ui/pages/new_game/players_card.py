"""Who plays: two to six names with colours, in the order round the table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from ui.text import pages as page_texts
from ui.text.catalogue import say
from ui.viewmodels.requests import MAX_NAME, MAX_PLAYERS, MIN_PLAYERS, PLAYER_COLOURS, PlayerRequest
from ui.widgets.controls import make_button, make_label
from ui.widgets.style import dress
from ui.widgets.theme import Look
from ui.widgets.words import Words


class PlayersCard(QFrame):
    """Rows of a colour, a name, and a button that takes the row away."""

    def __init__(self, words: Words, names: tuple[str, ...] = ("", "")) -> None:
        super().__init__()
        dress(self, "card")
        self._rows: list[_PlayerRow] = []
        self._look = Look()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(24, 20, 24, 22)
        whole.setSpacing(10)
        whole.addWidget(make_label(words, page_texts.PLAYERS, "heading"))
        whole.addWidget(make_label(words, page_texts.PLAYERS_HINT, "quiet"))
        self._list = QVBoxLayout()
        self._list.setSpacing(8)
        whole.addLayout(self._list)
        self._add = make_button(words, page_texts.ADD_PLAYER)
        self._add.clicked.connect(self._on_add)
        whole.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        for name in names:
            self._add_row(name)
        words.bind_made(lambda _: self._number(), str)

    def players(self) -> tuple[PlayerRequest, ...]:
        """Return who plays. Players without a name are called by their number."""
        return tuple(
            PlayerRequest(row.name.text().strip() or say(page_texts.PLAYER, number=at), row.colour)
            for at, row in enumerate(self._rows, 1)
        )

    def typed(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names as they were typed, and the colours."""
        names = tuple(row.name.text().strip() for row in self._rows)
        return names, tuple(row.colour for row in self._rows)

    def show_players(self, names: Sequence[str], colours: Sequence[str]) -> None:
        """Offer the players of the last game."""
        known = [colour for colour in dict.fromkeys(colours) if colour in PLAYER_COLOURS]
        if not MIN_PLAYERS <= len(names) == len(known) <= MAX_PLAYERS:
            return
        while len(self._rows) < len(names):
            self._add_row()
        for row, name, colour in zip(self._rows, names, known, strict=False):
            row.name.setText(name)
            row.set_colour(colour)

    def add_player(self, name: str) -> None:
        """Add a player of this name, in the first row that has no name, or else in a new row."""
        free = [row for row in self._rows if not row.name.text()]
        if free:
            free[0].name.setText(name)
        elif len(self._rows) < MAX_PLAYERS:
            self._add_row(name)

    def focus_first_name(self) -> None:
        """Give the keyboard to the first name."""
        self._rows[0].name.setFocus()

    def set_look(self, look: Look) -> None:
        """Draw the colours in the size of the window."""
        self._look = look
        for row in self._rows:
            row.set_look(look)

    def _add_row(self, name: str = "") -> None:
        taken = {row.colour for row in self._rows}
        row = _PlayerRow(next(colour for colour in PLAYER_COLOURS if colour not in taken))
        row.name.setText(name)
        row.swatch.clicked.connect(lambda: self._on_swatch(row))
        row.remove.clicked.connect(lambda: self._on_remove(row))
        row.set_look(self._look)
        self._rows.append(row)
        self._list.addWidget(row)
        self._number()

    def _number(self) -> None:
        """Give the rows their numbers, and say which of them can still be added or taken away."""
        for at, row in enumerate(self._rows, 1):
            row.set_number(at)
            row.remove.setVisible(len(self._rows) > MIN_PLAYERS)
        self._add.setVisible(len(self._rows) < MAX_PLAYERS)

    def _on_add(self) -> None:
        self._add_row()
        self._rows[-1].name.setFocus()

    def _on_remove(self, row: _PlayerRow) -> None:
        self._rows.remove(row)
        self._list.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._number()
        self._rows[-1].name.setFocus()

    def _on_swatch(self, row: _PlayerRow) -> None:
        """Give the row the next colour that nobody else has."""
        taken = {other.colour for other in self._rows if other is not row}
        at = PLAYER_COLOURS.index(row.colour)
        circle = PLAYER_COLOURS[at + 1 :] + PLAYER_COLOURS[: at + 1]
        row.set_colour(next(colour for colour in circle if colour not in taken))


class _PlayerRow(QWidget):
    """One player: a colour, a name, and a button that takes the row away."""

    def __init__(self, colour: str) -> None:
        super().__init__()
        self.colour = colour
        self.swatch, self.name, self.remove = QPushButton(), QLineEdit(), QPushButton("×")  # noqa: RUF001
        dress(self.swatch, "swatch")
        self.name.setMaxLength(MAX_NAME)
        for button in (self.swatch, self.remove):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setAutoDefault(True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self.swatch)
        layout.addWidget(self.name, 1)
        layout.addWidget(self.remove)

    def set_number(self, number: int) -> None:
        """Say which player this is."""
        self.name.setPlaceholderText(say(page_texts.PLAYER, number=number))
        self.name.setAccessibleName(say(page_texts.PLAYER_NAME_FIELD, number=number))
        self.swatch.setAccessibleName(say(page_texts.PLAYER_COLOUR, number=number))
        self.swatch.setToolTip(say(page_texts.PLAYER_COLOUR, number=number))
        self.remove.setAccessibleName(say(page_texts.REMOVE_PLAYER, number=number))
        self.remove.setToolTip(say(page_texts.REMOVE_PLAYER, number=number))

    def set_colour(self, colour: str) -> None:
        """Show this colour."""
        self.colour = colour
        self.swatch.setStyleSheet(f"QPushButton {{ background: {colour}; }}")

    def set_look(self, look: Look) -> None:
        """Draw the colour in the size of the window."""
        self.swatch.setFixedSize(look.px(38), look.px(38))
        self.set_colour(self.colour)
