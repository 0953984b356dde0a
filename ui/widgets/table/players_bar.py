"""The players: whose turn it is, how many tiles each has, what each did last."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.viewmodels.game_view import PlayerView
from ui.widgets.theme import BODY_PX, CORNER_PX, SMALLEST_PX, Look

GAP_PX = 12
HIGH_PX, LEAST_WIDE_PX = 92, 165
"""Of a card: two lines and a number, and words that need not be cut."""
NUMBER_PX = 34
WINS = "★"
NEXT = "▶"


class PlayersBar(QWidget):
    """One card for each player, side by side. The player on turn has an edge and a sign."""

    player_clicked = Signal(int)
    """The index of a player."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._players: tuple[PlayerView, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the correction with Enter, too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._players:
            self.player_clicked.emit(0)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that Enter opens the correction now."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that it does not any more."""
        super().focusOutEvent(event)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell which player was clicked."""
        if event.button() is Qt.MouseButton.LeftButton:
            for player in range(len(self._players)):
                if self.rect_of(player).contains(event.position()):
                    self.player_clicked.emit(player)

    def rect_of(self, player: int) -> QRectF:
        """Return where a player's card is drawn; in a narrow window they lie in several rows."""
        gap, columns = self._look.px(GAP_PX), self._columns()
        wide = (self.width() - gap * (columns - 1)) / columns
        high = self._look.px(HIGH_PX)
        row, column = divmod(player, columns)
        return QRectF(column * (wide + gap), row * (high + gap), wide, high)

    def _columns(self) -> int:
        """Return how many cards lie side by side."""
        many = max(1, len(self._players))
        fit = max(1, min(many, self.width() // self._look.px(LEAST_WIDE_PX)))
        return math.ceil(many / math.ceil(many / fit))

    def _take_room(self) -> None:
        """Be as high as the rows are."""
        rows = math.ceil(max(1, len(self._players)) / self._columns())
        self.setFixedHeight(rows * self._look.px(HIGH_PX) + (rows - 1) * self._look.px(GAP_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the cards out for this width."""
        super().resizeEvent(event)
        self._take_room()

    def show_players(self, players: Sequence[PlayerView]) -> None:
        """Show these players."""
        self._players = tuple(players)
        self.setAccessibleName(
            ". ".join(
                " ".join(filter(None, (f"{player.name}: {player.stock}", player.state, player.last)))
                for player in players
            )
        )
        self._take_room()
        self.update()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self._take_room()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the cards."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, player in enumerate(self._players):
            self._draw(painter, self.rect_of(at), player)

    def _draw(self, painter: QPainter, rect: QRectF, player: PlayerView) -> None:
        theme, px = self._look.theme, self._look.px
        card = QPainterPath()
        card.addRoundedRect(rect.adjusted(1.5, 1.5, -1.5, -1.5), CORNER_PX, CORNER_PX)
        painter.fillPath(card, QColor(theme.card))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if player.is_on_turn or player.is_winner or self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 3))
            painter.drawPath(card)
        elif theme.card == theme.ground:
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawPath(card)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(player.colour))
        painter.drawRoundedRect(
            QRectF(rect.x() + px(14), rect.y() + px(14), px(7), rect.height() - px(28)), 3, 3
        )
        inner = rect.adjusted(px(32), px(9), -px(14), -px(9))
        self._write(
            painter, str(player.stock), inner, NUMBER_PX, theme.text, Qt.AlignmentFlag.AlignRight, bold=True
        )
        number = QFontMetricsF(self._font(NUMBER_PX, bold=True)).horizontalAdvance(str(player.stock)) + px(10)
        words = inner.adjusted(0, 0, -number, 0)
        sign = f"{WINS} " if player.is_winner else f"{NEXT} " if player.is_on_turn else ""
        top, middle, bottom = (
            Qt.AlignmentFlag.AlignTop,
            Qt.AlignmentFlag.AlignVCenter,
            Qt.AlignmentFlag.AlignBottom,
        )
        self._write(painter, sign + player.name, words, BODY_PX + 3, theme.text, top, bold=True)
        colour = theme.accent if player.is_on_turn else theme.quiet
        self._write(painter, player.state, words, BODY_PX - 1, colour, middle)
        self._write(painter, player.last, words, BODY_PX - 1, theme.quiet, bottom)

    def _write(
        self,
        painter: QPainter,
        text: str,
        rect: QRectF,
        size: int,
        colour: str,
        align: Qt.AlignmentFlag,
        *,
        bold: bool = False,
    ) -> None:
        font = self._font(size, bold=bold)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        fitted = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        if align == Qt.AlignmentFlag.AlignRight:
            align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(rect, align, fitted)

    def _font(self, size: int, *, bold: bool) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(max(SMALLEST_PX, self._look.text_px(size)))
        font.setBold(bold)
        return font
