"""The tiles of every player over the turns, as lines."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.viewmodels.ending import EndingView, stock_words
from ui.widgets.theme import SMALLEST_PX, Look

LEAST_PX = 220
STYLES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashDotDotLine,
    Qt.PenStyle.SolidLine,
)
"""One for each player, so that lines are told apart without their colours as well."""


class StocksChart(QWidget):
    """Draws one line for each player, with the name at its end."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._view: EndingView | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_ending(self, view: EndingView) -> None:
        """Show how the stocks went."""
        self._view = view
        self.setAccessibleName(stock_words(view))
        self.update()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self.setMinimumHeight(look.px(LEAST_PX))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size that suits a laptop's window."""
        return QSize(self._look.px(520), self._look.px(300))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the scale, the lines and the names."""
        view = self._view
        if view is None or not view.stocks:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        font.setPixelSize(max(SMALLEST_PX, self._look.text_px(14)))
        painter.setFont(font)
        metrics = painter.fontMetrics()
        names = max(metrics.horizontalAdvance(name) for name in view.names) + self._look.px(12)
        left = metrics.horizontalAdvance("45") + self._look.px(10)
        high = metrics.height()
        box = QRectF(left, high, max(40, self.width() - left - names), max(40, self.height() - 2.6 * high))
        most = max(max(stocks) for stocks in view.stocks) or 1
        self._draw_scale(painter, box, most, len(view.stocks) - 1)
        ends: list[float] = []
        for player in sorted(range(len(view.names)), key=lambda player: view.stocks[-1][player]):
            points = [
                QPointF(
                    box.left() + box.width() * at / max(1, len(view.stocks) - 1),
                    box.bottom() - box.height() * stocks[player] / most,
                )
                for at, stocks in enumerate(view.stocks)
            ]
            pen = QPen(QColor(view.colours[player]), self._look.px(3), STYLES[player % len(STYLES)])
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF(points))
            y = min([points[-1].y(), *(end - high for end in ends)])
            ends.append(y)
            painter.setPen(QColor(self._look.theme.text))
            beside = QRectF(box.right() + self._look.px(8), y - high / 2, names, high)
            painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, view.names[player])

    def _draw_scale(self, painter: QPainter, box: QRectF, most: int, turns: int) -> None:
        """Draw three lines across with their numbers, and the first and last turn below."""
        theme = self._look.theme
        high = painter.fontMetrics().height()
        for share in (0.0, 0.5, 1.0):
            y = box.bottom() - box.height() * share
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            painter.setPen(QColor(theme.quiet))
            beside = QRectF(0, y - high / 2, box.left() - self._look.px(6), high)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(beside, right, f"{most * share:.0f}")
        below = QRectF(box.left(), box.bottom() + high * 0.4, box.width(), high)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, "1")
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, str(turns))
