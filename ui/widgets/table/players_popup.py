"""The popup that puts right whose turn it is, and how many tiles each player has."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from ui.text import table as texts
from ui.text.catalogue import say
from ui.viewmodels.game_view import PlayerView, PutRight
from ui.widgets.popup import Popup
from ui.widgets.style import dress


class PlayersPopup(Popup):
    """A row for each player: whether it is the player's turn, and the stock with plus and minus.

    As all tiles together are 45, one player's plus is another one's minus; only then it can be applied.
    """

    chosen = Signal(object)
    """A `PutRight`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title, self._difference = QLabel(), QLabel()
        dress(self._title, "name")
        dress(self._difference, "quiet")
        self._rows = QGridLayout()
        self._turns = QButtonGroup(self)
        self._stocks: list[int] = []
        self._total = 0
        self._numbers: list[QLabel] = []
        self._apply = QPushButton()
        dress(self._apply, "go")
        self._apply.clicked.connect(self._on_apply)
        self._apply.setAutoDefault(True)
        whole = QVBoxLayout(self)
        for part in (self._title, self._rows, self._difference, self._apply):
            whole.addLayout(part) if isinstance(part, QGridLayout) else whole.addWidget(part)

    def ask(self, players: Sequence[PlayerView], at: int, where: QPoint) -> None:
        """Open with what is known.

        Args:
            players: As the page shows them.
            at: Who was clicked, and has the keyboard first.
            where: Where the popup opens, on the screen.
        """
        self._stocks = [player.stock for player in players]
        self._total = sum(self._stocks)
        self._title.setText(say(texts.WHOSE_TURN))
        self._apply.setText(say(texts.APPLY))
        while (item := self._rows.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self._turns = QButtonGroup(self)
        self._numbers = []
        for row, player in enumerate(players):
            self._add_row(row, player)
        self._turns.button(at).setFocus()
        self._show_stocks()
        self.adjustSize()
        screen = self.screen().availableGeometry()
        self.move(
            max(screen.left(), min(where.x(), screen.right() - self.width())),
            max(screen.top(), min(where.y() - self.height(), screen.bottom() - self.height())),
        )
        self.show()

    def turn(self, player: int) -> QRadioButton:
        """Return what says that it is a player's turn."""
        button = self._turns.button(player)
        assert isinstance(button, QRadioButton)
        return button

    def step(self, player: int, by: int) -> QPushButton:
        """Return what gives a player one tile more or less."""
        item = self._rows.itemAtPosition(player, 1 if by < 0 else 3)
        assert item is not None
        button = item.widget()
        assert isinstance(button, QPushButton)
        return button

    @property
    def apply(self) -> QPushButton:
        """What ends it."""
        return self._apply

    def _add_row(self, row: int, player: PlayerView) -> None:
        turn = QRadioButton(player.name)
        turn.setChecked(player.is_on_turn)
        self._turns.addButton(turn, row)
        number = QLabel()
        number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        number.setMinimumWidth(36)
        self._numbers.append(number)
        self._rows.addWidget(turn, row, 0)
        self._rows.addWidget(number, row, 2)
        for column, by, sign, name in ((1, -1, "−", texts.ONE_LESS), (3, 1, "+", texts.ONE_MORE)):  # noqa: RUF001
            button = QPushButton(sign)
            button.setAccessibleName(say(name, player=player.name))
            button.setToolTip(say(name, player=player.name))
            button.setAutoDefault(True)  # Enter presses it, too
            button.clicked.connect(lambda _checked=False, by=by: self._on_step(row, by))
            self._rows.addWidget(button, row, column)

    def _on_step(self, player: int, by: int) -> None:
        self._stocks[player] = max(0, self._stocks[player] + by)
        self._show_stocks()

    def _show_stocks(self) -> None:
        for number, stock in zip(self._numbers, self._stocks, strict=True):
            number.setText(str(stock))
        more = sum(self._stocks) - self._total
        what = texts.TOO_MANY if more > 0 else texts.TOO_FEW
        self._difference.setText(say(what, count=abs(more)) if more else "")
        self._apply.setEnabled(not more)

    def _on_apply(self) -> None:
        self.hide()
        self.chosen.emit(PutRight(self._turns.checkedId(), tuple(self._stocks)))
