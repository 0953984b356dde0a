"""The shape of a tone beside the headline of a card."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from ui.viewmodels.table_view import Tone


class ToneSign(QWidget):
    """The shape of a tone: tick, warning triangle, question mark or bar."""

    def __init__(self) -> None:
        super().__init__()
        self._tone, self._colour = Tone.CALM, "#000000"

    def show_tone(self, tone: Tone, colour: str, size_px: int) -> None:
        """Show the shape of this tone."""
        self._tone, self._colour = tone, colour
        self.setFixedSize(round(size_px * 1.2), round(size_px * 1.2))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shape."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = float(min(self.width(), self.height()))
        colour = QColor(self._colour)
        pen = QPen(
            colour, side * 0.09, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        )
        painter.setPen(pen)
        inner = QRectF(side * 0.1, side * 0.1, side * 0.8, side * 0.8)
        if self._tone is Tone.CALM:
            painter.drawEllipse(inner)
            points = [QPointF(side * x, side * y) for x, y in ((0.32, 0.52), (0.45, 0.65), (0.69, 0.38))]
            painter.drawPolyline(QPolygonF(points))
        elif self._tone is Tone.MISSED:  # a clock: it is too late
            painter.drawEllipse(inner)
            points = [QPointF(side * x, side * y) for x, y in ((0.5, 0.26), (0.5, 0.52), (0.68, 0.62))]
            painter.drawPolyline(QPolygonF(points))
        elif self._tone is Tone.NOTICE:
            painter.drawLine(QPointF(side * 0.2, side * 0.5), QPointF(side * 0.8, side * 0.5))
        else:
            shape = QPainterPath()
            if self._tone is Tone.MAYHEM:
                corners = [QPointF(side * x, side * y) for x, y in ((0.5, 0.12), (0.92, 0.86), (0.08, 0.86))]
                shape.addPolygon(QPolygonF([*corners, corners[0]]))
            else:
                shape.addEllipse(inner)
            painter.drawPath(shape)
            font = QFont(self.font())
            font.setBold(True)
            font.setPixelSize(round(side * 0.5))
            painter.setFont(font)
            mayhem = self._tone is Tone.MAYHEM
            where = inner.translated(0, side * 0.08) if mayhem else inner
            painter.drawText(where, Qt.AlignmentFlag.AlignCenter, "!" if mayhem else "?")
