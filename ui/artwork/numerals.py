"""Numerals drawn as paths, so that a tile looks the same on every machine, whatever fonts it has."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QTransform

HEIGHT = 10.0
"""Height of every digit, in the units of the paths."""
STROKE = 2.0
GAP = 1.1
"""Gap between two digits. The zeros of 100 must stay apart when a tile is 30 pixels wide."""


def paint_numeral(painter: QPainter, weight: int, box: QRectF, ink: QColor) -> None:
    """Paint a weight as large as fits a box, in its middle.

    Args:
        painter: Takes strokes; its pen stays as it was.
        weight: Of the digits 0, 1, 2, 3, 4, 6 and 7: no tile has another.
        box: Where the numeral stands, in the painter's coordinates.
        ink: Its colour.
    """
    line, width = QPainterPath(), -GAP
    for digit in str(weight):
        draw, digit_width = _DIGITS[digit]
        line.addPath(draw().translated(width + GAP, 0))
        width += GAP + digit_width
    scale = min(box.height() / HEIGHT, box.width() / width)
    corner = box.center() - QPointF(width, HEIGHT) * scale / 2
    placed = QTransform().translate(corner.x(), corner.y()).scale(scale, scale).map(line)
    pen = QPen(ink, STROKE * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(placed, pen)


def _zero() -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(1, 1, 4.7, 8), 2.35, 3.3)
    return path


def _one() -> QPainterPath:
    """The digit 1 has a flag and a foot, so that nobody takes it for a 7 or a bar."""
    path = QPainterPath(QPointF(1.1, 3.0))
    path.lineTo(3.2, 1)
    path.lineTo(3.2, 9)
    path.moveTo(1, 9)
    path.lineTo(5.2, 9)
    return path


def _two() -> QPainterPath:
    path = QPainterPath(QPointF(1, 3.3))
    path.cubicTo(1.0, 1.9, 2.0, 1, 3.2, 1)
    path.cubicTo(4.5, 1, 5.4, 1.9, 5.4, 3.2)
    path.cubicTo(5.4, 4.3, 4.9, 5.0, 4.2, 5.7)
    path.lineTo(1, 9)
    path.lineTo(5.6, 9)
    return path


def _three() -> QPainterPath:
    path = QPainterPath(QPointF(1.1, 2.4))
    path.cubicTo(1.5, 1.5, 2.3, 1, 3.2, 1)
    path.cubicTo(4.4, 1, 5.2, 1.8, 5.2, 2.9)
    path.cubicTo(5.2, 4.0, 4.4, 4.8, 2.9, 4.8)
    path.cubicTo(4.6, 4.8, 5.4, 5.7, 5.4, 6.9)
    path.cubicTo(5.4, 8.2, 4.5, 9, 3.1, 9)
    path.cubicTo(2.2, 9, 1.4, 8.5, 1, 7.6)
    return path


def _four() -> QPainterPath:
    path = QPainterPath(QPointF(4.6, 9))
    path.lineTo(4.6, 1)
    path.lineTo(1, 6.7)
    path.lineTo(6, 6.7)
    return path


def _six() -> QPainterPath:
    path = QPainterPath(QPointF(4.6, 1))
    path.cubicTo(2.6, 2.0, 1, 4.0, 1, 6.4)
    path.addEllipse(QPointF(3.35, 6.5), 2.35, 2.5)
    return path


def _seven() -> QPainterPath:
    path = QPainterPath(QPointF(1, 1))
    path.lineTo(5.4, 1)
    path.cubicTo(4.0, 3.4, 3.0, 6.0, 2.7, 9)
    return path


_DIGITS = {
    "0": (_zero, 6.7),
    "1": (_one, 6.2),
    "2": (_two, 6.6),
    "3": (_three, 6.4),
    "4": (_four, 7.0),
    "6": (_six, 6.7),
    "7": (_seven, 6.4),
}
"""Digit -> its line, HEIGHT high with the pen's width, and its width with the pen's."""
