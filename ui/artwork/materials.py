"""What a tile is made of, drawn: straw, wood, stone, coal, the blowtorch and the millstone."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

WIDTH, HEIGHT = 56.0, 30.0
"""Size of the space for every picture. A picture stands in the middle of the lower edge."""

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
    """Paint a millstone from above. Its middle is empty, for a numeral."""
    painter.setPen(_pen(1.4))
    painter.setBrush(_STONE_DARK)
    painter.drawEllipse(middle, radius, radius)
    furrows = 20
    painter.setPen(_pen())
    for at in range(furrows):
        angle = 2 * pi * at / furrows
        outer = QPointF(cos(angle), sin(angle)) * radius
        inner = QPointF(cos(angle + 0.25), sin(angle + 0.25)) * radius * 0.6
        painter.drawLine(middle + inner, middle + outer)


def _pen(width: float = 1.2, colour: QColor = _LINE) -> QPen:
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


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
    body.cubicTo(x - 3.4, HEIGHT - 18, x - 6, HEIGHT - 21, x - 8.5, HEIGHT - 24)
    for step in range(-4, 5):  # the ears, up and down
        body.lineTo(x + step * 17 / 8, HEIGHT - (30 if step % 2 else 25.4) + abs(step) * 0.35)
    body.cubicTo(x + 6, HEIGHT - 21, x + 3.4, HEIGHT - 18, x + 2.8, HEIGHT - 13)
    body.cubicTo(x + 3.2, HEIGHT - 10, x + 5, HEIGHT - 6, x + 6.5, HEIGHT)
    body.closeSubpath()
    painter.setPen(_pen())
    painter.setBrush(_STRAW)
    painter.drawPath(body)
    painter.setPen(_pen(1.1, _STRAW_DARK))
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
    painter.setPen(_pen(1.0, _WOOD_DARK))
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
    painter.setPen(_pen(0.9, _WOOD_DARK))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(end, round_px * 0.45, round_px * 0.45)


def _stones(count: int, width: float, height: float) -> Callable[[QPainter], None]:
    """Return a function that paints one to three hewn stones, the third on the first two."""

    def paint(painter: QPainter) -> None:
        beside = 0.0 if count == 1 else width / 2 + 0.5
        for x, y in ((-beside, 0.0), (beside, 0.0), (0.0, height + 0.5))[:count]:
            _stone(painter, QRectF(WIDTH / 2 + x - width / 2, HEIGHT - y - height, width, height))

    return paint


def _stone(painter: QPainter, box: QRectF) -> None:
    """Paint a hewn stone that fills a box."""

    def shape(*corners: tuple[float, float]) -> QPolygonF:
        return QPolygonF([QPointF(box.x() + x * box.width(), box.y() + y * box.height()) for x, y in corners])

    outline = shape((0, 1), (0, 0.32), (0.16, 0), (0.8, 0), (1, 0.26), (1, 1))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_STONE)
    painter.drawPolygon(outline)
    painter.setBrush(_STONE_DARK)
    painter.drawPolygon(shape((0, 1), (0, 0.75), (0.82, 0.75), (1, 0.26), (1, 1)))
    painter.setPen(_pen())
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(outline)


def _flame(painter: QPainter, foot: QPointF, height: float) -> None:
    """Paint a flame that stands on a point."""
    painter.setPen(Qt.PenStyle.NoPen)
    for size, colour in ((1.0, _FIRE), (0.55, _FIRE_HEART)):
        tall, wide = height * size, height * 0.42 * size

        def at(x: float, y: float, tall: float = tall, wide: float = wide) -> QPointF:
            return foot + QPointF(x * wide, -y * tall)

        path = QPainterPath(foot)
        path.cubicTo(at(-1.3, 0.1), at(-1, 0.55), at(0.06, 1))
        path.cubicTo(at(0.3, 0.7), at(1.5, 0.25), foot)
        painter.setBrush(colour)
        painter.drawPath(path)


def _coal(painter: QPainter) -> None:
    """Paint glowing lumps of coal in a fire."""
    for x, height in ((-12.0, 19.0), (12.0, 19.0), (0.0, 30.0)):
        _flame(painter, QPointF(WIDTH / 2 + x, HEIGHT - 4), height)
    painter.setPen(_pen(1.3, _FIRE))
    painter.setBrush(_COAL)
    for x, y, size in ((-15, 0, 1.0), (15, 0, 1.0), (0, 0, 1.15), (-8, 7, 0.85), (8, 7, 0.85)):
        foot = QPointF(WIDTH / 2 + x, HEIGHT - y)
        corners = ((-8, 0), (-9, -5), (-4, -10), (4, -9.5), (9, -5), (8, 0))
        painter.drawPolygon(QPolygonF([foot + QPointF(a, b) * size for a, b in corners]))


def _blowtorch(painter: QPainter) -> None:
    """Paint a blowtorch: tank, neck, nozzle, and its flame to the left."""
    neck = QPainterPath(QPointF(46.5, 12))
    neck.lineTo(46.5, 3)
    neck.lineTo(29, 3)
    neck.lineTo(29, 9)
    neck.lineTo(40, 9)
    neck.lineTo(40, 12)
    painter.setPen(_pen())
    painter.setBrush(_STEEL)
    painter.drawPath(neck)
    painter.drawRoundedRect(QRectF(25, 0.8, 5, 10.4), 1, 1)
    painter.drawRoundedRect(QRectF(34, 11.5, 19, 18.5), 4, 4)
    painter.setBrush(_BINDING)
    painter.drawRect(QRectF(34, 18, 19, 6.5))
    painter.save()
    painter.translate(24, 6)
    painter.rotate(-90)
    _flame(painter, QPointF(0, 0), 24)
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
    60: _stones(1, 40, 25),
    100: _stones(2, 27, 19),
    120: _stones(3, 27, 14.5),
}
