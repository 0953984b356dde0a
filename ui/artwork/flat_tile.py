"""One tile, cleanly drawn: colour, sign, number, and a hint of what it is made of."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF

from referee.rules.tiles import TILES, Kind, Tile
from ui.artwork.colour_signs import symbol_path
from ui.artwork.palette import MILLSTONE_HUB, TILE_COLOURS, TILE_INK

CORNER = 0.12
"""Radius of the corners, as a share of a tile's side."""
_TEXTURE_ALPHA, _HATCH_ALPHA = 0.22, 0.38
_STONES = ((0.1, 0.62, 0.3, 0.26), (0.46, 0.7, 0.34, 0.2), (0.66, 0.46, 0.28, 0.22), (0.34, 0.44, 0.26, 0.2))
_LOGS = (0.42, 0.605, 0.79)
"""The upper edges of the logs; each is 0.165 high."""
_COALS = (
    ((0.06, 0.94), (0.02, 0.78), (0.16, 0.64), (0.34, 0.68), (0.4, 0.84), (0.34, 0.94)),
    ((0.6, 0.94), (0.58, 0.8), (0.68, 0.66), (0.86, 0.66), (0.98, 0.8), (0.94, 0.94)),
    ((0.34, 0.62), (0.34, 0.5), (0.48, 0.42), (0.64, 0.46), (0.68, 0.6), (0.52, 0.7)),
)
_TORCH = ((0.62, 0.96), (0.62, 0.7), (0.66, 0.66), (0.66, 0.54), (0.4, 0.54), (0.4, 0.46), (0.8, 0.46),
          (0.8, 0.66), (0.84, 0.7), (0.84, 0.96))  # fmt: skip
_JET = ((0.36, 0.5), (0.24, 0.42), (0.04, 0.5), (0.24, 0.58))


def tile_shape(rect: QRectF) -> QPainterPath:
    """Return a tile's outline in its box."""
    shape = QPainterPath()
    shape.addRoundedRect(rect, rect.width() * CORNER, rect.width() * CORNER)
    return shape


def paint_tile(painter: QPainter, rect: QRectF, code: str, *, unsure: bool = False) -> None:
    """Paint a tile into a square box. An unsure tile is hatched and has a question mark."""
    shape, side = tile_shape(rect), rect.width()
    letter, number = code[0], code[1:]
    ink = QColor(TILE_INK[letter])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    if letter in TILE_COLOURS:
        painter.fillPath(shape, QColor(TILE_COLOURS[letter]))
        _paint_material(painter, rect, shape, TILES[code], ink)
        sign = QRectF(rect.x() + side * 0.09, rect.y() + side * 0.09, side * 0.25, side * 0.25)
        painter.fillPath(symbol_path(letter, sign), ink)
    else:
        _fill_millstone(painter, rect, shape)
    if unsure:
        _hatch(painter, rect, shape, ink)
    font = QFont(painter.font())
    font.setBold(True)
    text = number + ("?" if unsure else "")
    font.setPixelSize(max(9, int(side * (0.42 if len(text) < 3 else 0.33))))
    painter.setFont(font)
    painter.setPen(ink)
    below_sign = rect.adjusted(0, rect.height() * (0.14 if letter in TILE_COLOURS else 0), 0, 0)
    painter.drawText(below_sign, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def _paint_material(painter: QPainter, rect: QRectF, shape: QPainterPath, tile: Tile, ink: QColor) -> None:
    """Paint straw, logs, stones, coals or a blowtorch, faint, behind the number."""
    side = rect.width()
    faint = QColor(ink)
    faint.setAlphaF(_TEXTURE_ALPHA)
    painter.save()
    painter.setClipPath(shape)
    painter.setPen(QPen(faint, max(1.0, side * 0.025), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.translate(rect.topLeft())
    painter.scale(side, side)
    pen = painter.pen()
    pen.setWidthF(0.03)
    painter.setPen(pen)
    if tile.kind is Kind.STRAW:
        for at in range(-3, 4):
            painter.drawLine(QLineF(0.5 + at * 0.05, 0.98, 0.5 + at * 0.13, 0.42))
    elif tile.kind is Kind.WOOD:
        for y in _LOGS:
            painter.drawRoundedRect(QRectF(0.05, y, 0.9, 0.165), 0.082, 0.082)
            painter.drawEllipse(QPointF(0.867, y + 0.082), 0.082, 0.082)  # the cut end
            painter.drawEllipse(QPointF(0.867, y + 0.082), 0.03, 0.03)
    elif tile.kind is Kind.STONE:
        for x, y, width, height in _STONES:
            painter.drawRoundedRect(QRectF(x, y, width, height), 0.1, 0.1)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faint)
        for outline in _COALS if tile.kind is Kind.COAL else (_TORCH, _JET):
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in outline]))
    painter.restore()


def _fill_millstone(painter: QPainter, rect: QRectF, shape: QPainterPath) -> None:
    """Fill a tile with all four colours and their signs, round a hub for the number."""
    half = rect.width() / 2
    for at, letter in enumerate(TILE_COLOURS):
        corner_x, corner_y = at % 2, at // 2
        quarter = QPainterPath()
        quarter.addRect(QRectF(rect.x() + corner_x * half, rect.y() + corner_y * half, half, half))
        painter.fillPath(quarter.intersected(shape), QColor(TILE_COLOURS[letter]))
        size, inset = half * 0.34, half * 0.1
        x = rect.right() - inset - size if corner_x else rect.left() + inset
        y = rect.bottom() - inset - size if corner_y else rect.top() + inset
        painter.fillPath(symbol_path(letter, QRectF(x, y, size, size)), QColor(TILE_INK[letter]))
    hub = QPainterPath()
    hub.addEllipse(rect.center(), half * 0.7, half * 0.7)
    painter.fillPath(hub, QColor(MILLSTONE_HUB))


def _hatch(painter: QPainter, rect: QRectF, shape: QPainterPath, ink: QColor) -> None:
    painter.save()
    painter.setClipPath(shape)
    faint = QColor(ink)
    faint.setAlphaF(_HATCH_ALPHA)
    painter.setPen(QPen(faint, max(1.0, rect.width() * 0.045)))
    step = rect.width() * 0.16
    for at in range(1, 13):
        offset = at * step
        painter.drawLine(QPointF(rect.left() + offset, rect.top()), QPointF(rect.left(), rect.top() + offset))
    painter.restore()
