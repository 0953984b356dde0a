"""What a tile is made of, drawn: straw, wood, stone, coal, the blowtorch and the millstone."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

WIDTH, HEIGHT = 56.0, 30.0
"""Of the space that every picture is drawn in; a picture stands on its lower edge, in the middle."""

_LINE = QColor("#1A1512")
_STRAW, _STRAW_DARK = QColor("#F6DC84"), QColor("#C79A3B")
_WOOD, _WOOD_DARK, _WOOD_END = QColor("#C98B50"), QColor("#8A5526"), QColor("#F0CF9E")
_STONE, _STONE_DARK = QColor("#D3D7DB"), QColor("#9AA1A9")
_COAL = QColor("#25252A")
_FIRE, _FIRE_HEART = QColor("#FF7A1A"), QColor("#FFE27A")
_STEEL = QColor("#D8DEE3")
_BINDING = QColor("#B5482F")


def paint_picture(painter: QPainter, weight: int) -> None:
    """Paint the picture of a weight, millstone excepted, into (0, 0, WIDTH, HEIGHT) of the painter."""
    _PICTURES[weight](painter)


def paint_millstone(painter: QPainter, middle: QPointF, radius: float) -> None:
    """Paint a millstone seen from above, bare in its middle for a numeral to stand on."""
    painter.setPen(QPen(_LINE, 1.4))
    painter.setBrush(_STONE_DARK)
    painter.drawEllipse(middle, radius, radius)
    furrows = 20
    painter.setPen(QPen(_LINE, 1.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    for at in range(furrows):
        angle = 2 * pi * at / furrows
        outer = QPointF(cos(angle), sin(angle)) * radius
        inner = QPointF(cos(angle + 0.25), sin(angle + 0.25)) * radius * 0.6
        painter.drawLine(middle + inner, middle + outer)


def _pen(width: float = 1.2) -> QPen:
    return QPen(_LINE, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def _sheaves(count: int) -> Callable[[QPainter], None]:
    def paint(painter: QPainter) -> None:
        pitch = 18.0
        for at in range(count):
            _sheaf(painter, WIDTH / 2 + (at - (count - 1) / 2) * pitch)

    return paint


def _sheaf(painter: QPainter, x: float) -> None:
    """Paint a bound sheaf of straw that stands at x."""
    body = QPainterPath(QPointF(x - 6.5, HEIGHT))
    body.cubicTo(x - 5, HEIGHT - 6, x - 3.2, HEIGHT - 10, x - 2.8, HEIGHT - 13)
    body.cubicTo(x - 3.4, HEIGHT - 18, x - 6, HEIGHT - 22, x - 8.5, HEIGHT - 27)
    for step in range(1, 9):  # the ears, up and down
        along = x - 8.5 + step * 17 / 8
        body.lineTo(along, HEIGHT - (30 if step % 2 else 25) + abs(step - 4) * 0.35)
    body.cubicTo(x + 6, HEIGHT - 22, x + 3.4, HEIGHT - 18, x + 2.8, HEIGHT - 13)
    body.cubicTo(x + 3.2, HEIGHT - 10, x + 5, HEIGHT - 6, x + 6.5, HEIGHT)
    body.closeSubpath()
    painter.setPen(_pen())
    painter.setBrush(_STRAW)
    painter.drawPath(body)
    painter.setPen(QPen(_STRAW_DARK, 1.1, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for lean in (-1.0, 0.0, 1.0):
        painter.drawLine(QLineF(x + lean * 1.6, HEIGHT - 14, x + lean * 4.8, HEIGHT - 24))
        painter.drawLine(QLineF(x + lean * 1.6, HEIGHT - 10, x + lean * 3.4, HEIGHT - 2))
    painter.setPen(_pen(1.0))
    painter.setBrush(_BINDING)
    painter.drawRoundedRect(QRectF(x - 4.2, HEIGHT - 14.5, 8.4, 4), 1.6, 1.6)


def _logs(count: int) -> Callable[[QPainter], None]:
    def paint(painter: QPainter) -> None:
        thick = min(11.0, HEIGHT / count)
        for at in range(count):
            shift = 0.0 if count == 1 else (-2.5, 2.5)[at % 2]
            _log(painter, QRectF(WIDTH / 2 - 24 + shift, HEIGHT - (at + 1) * thick, 48, thick))

    return paint


def _log(painter: QPainter, box: QRectF) -> None:
    """Paint a log that lies along a box, its cut end to the right."""
    round_px = box.height() / 2
    painter.setPen(_pen())
    painter.setBrush(_WOOD)
    painter.drawRoundedRect(box, round_px, round_px)
    painter.setPen(QPen(_WOOD_DARK, 1.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    y = box.center().y()
    for left, right, down in ((0.1, 0.4, -0.17), (0.28, 0.7, 0.17)):
        grain = y + down * box.height()
        painter.drawLine(
            QLineF(box.left() + left * box.width(), grain, box.left() + right * box.width(), grain)
        )
    end = QPointF(box.right() - round_px, y)
    painter.setPen(_pen())
    painter.setBrush(_WOOD_END)
    painter.drawEllipse(end, round_px, round_px)
    painter.setPen(QPen(_WOOD_DARK, 0.9))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(end, round_px * 0.45, round_px * 0.45)


def _stones(places: tuple[tuple[float, float], ...]) -> Callable[[QPainter], None]:
    def paint(painter: QPainter) -> None:
        for x, y in places:
            _stone(painter, QPointF(WIDTH / 2 + x, HEIGHT - y))

    return paint


def _stone(painter: QPainter, foot: QPointF) -> None:
    """Paint a hewn stone, 26 wide and 14 high, whose lower edge has its middle at `foot`."""

    def shape(*corners: tuple[float, float]) -> QPolygonF:
        return QPolygonF([foot + QPointF(x, y) for x, y in corners])

    outline = shape((-13, 0), (-13, -9.5), (-9, -14), (8, -14), (13, -10.5), (13, 0))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_STONE)
    painter.drawPolygon(outline)
    painter.setBrush(_STONE_DARK)
    painter.drawPolygon(shape((-13, 0), (-13, -3.5), (9, -3.5), (13, -10.5), (13, 0)))
    painter.setPen(_pen())
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(outline)


def _flame(painter: QPainter, foot: QPointF, height: float) -> None:
    """Paint a flame that stands on a point."""
    for size, colour in ((1.0, _FIRE), (0.55, _FIRE_HEART)):
        tall, wide = height * size, height * 0.42 * size
        path = QPainterPath(foot)
        path.cubicTo(
            foot + QPointF(-wide * 1.3, -tall * 0.1),
            foot + QPointF(-wide, -tall * 0.55),
            foot + QPointF(0.06 * wide, -tall),
        )
        path.cubicTo(foot + QPointF(wide * 0.3, -tall * 0.7), foot + QPointF(wide * 1.5, -tall * 0.25), foot)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPath(path)


def _coal(painter: QPainter) -> None:
    """Paint glowing lumps of coal in a fire."""
    for x, height in ((-12.0, 19.0), (12.0, 19.0), (0.0, 30.0)):
        _flame(painter, QPointF(WIDTH / 2 + x, HEIGHT - 4), height)
    for x, y, size in ((-15, 0, 1.0), (15, 0, 1.0), (0, 0, 1.15), (-8, 7, 0.85), (8, 7, 0.85)):
        foot = QPointF(WIDTH / 2 + x, HEIGHT - y)
        corners = ((-8, 0), (-9, -5), (-4, -10), (4, -9.5), (9, -5), (8, 0))
        painter.setPen(
            QPen(_FIRE, 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        )
        painter.setBrush(QBrush(_COAL))
        painter.drawPolygon(QPolygonF([foot + QPointF(a, b) * size for a, b in corners]))


def _blowtorch(painter: QPainter) -> None:
    """Paint a blowtorch: tank, neck, nozzle, and its flame to the left."""
    painter.setPen(_pen())
    painter.setBrush(_STEEL)
    painter.drawRoundedRect(QRectF(36, 10, 15, 20), 3.5, 3.5)
    painter.setBrush(_BINDING)
    painter.drawRect(QRectF(36, 17, 15, 6))
    neck = QPainterPath(QPointF(45.5, 10))
    neck.lineTo(45.5, 3)
    neck.lineTo(27, 3)
    neck.lineTo(27, 9)
    neck.lineTo(41.5, 9)
    neck.lineTo(41.5, 10)
    neck.closeSubpath()
    painter.setBrush(_STEEL)
    painter.drawPath(neck)
    painter.drawRoundedRect(QRectF(23.5, 1.2, 5, 9.6), 1, 1)
    painter.save()
    painter.translate(22.5, 6)
    painter.rotate(-90)
    _flame(painter, QPointF(0, 0), 21)
    painter.restore()


_PICTURES: dict[int, Callable[[QPainter], None]] = {
    1: _coal,
    2: _sheaves(1),
    4: _sheaves(2),
    6: _sheaves(3),
    7: _blowtorch,
    10: _logs(1),
    20: _logs(2),
    30: _logs(3),
    40: _logs(4),
    60: _stones(((0, 0),)),
    100: _stones(((-13.5, 0), (13.5, 0))),
    120: _stones(((-13.5, 0), (13.5, 0), (0, 14.5))),
}
