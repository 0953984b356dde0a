"""The pyramid as a clean drawing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.table_view_model import FallArrow, Ring, TileView
from ui.theme import CORNER_PX, MILLSTONE_HUB, TILE_COLOURS, TILE_INK, Theme
from ui.tile_symbols import symbol_path

LARGEST_TILE_PX = 96.0
MARGIN_PX = 24.0
GAP = 0.06  # between tiles, in tile widths
EMPTY_BASE_SLOTS = 4


class PyramidView(QWidget):
    """Draws tiles on the brick lattice, with the rings and arrows of the current step."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._scale = 1.0
        self._tiles: tuple[TileView, ...] = ()
        self._arrows: tuple[FallArrow, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 150)

    def show_tiles(self, tiles: Sequence[TileView], arrows: Sequence[FallArrow] = ()) -> None:
        """Draw these tiles; a dotted base where there are none."""
        self._tiles, self._arrows = tuple(tiles), tuple(arrows)
        self.setAccessibleName(", ".join(tile.code for tile in self._tiles))
        self.update()

    def set_look(self, theme: Theme, scale: float) -> None:
        """Take the colours and the scale from the window."""
        self._theme, self._scale = theme, scale
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size that suits a laptop's window."""
        return QSize(520, 320)

    def tile_rect(self, row: int, slot: int) -> QRectF:
        """Return where the tile at this place of the lattice is drawn."""
        side = self._tile_px()
        left, width, height = self._extent()
        x0 = (self.width() - width * side) / 2
        y0 = (self.height() + height * side) / 2
        gap = side * GAP
        x, y = x0 + (slot + row / 2 - left) * side, y0 - (row + 1) * side
        return QRectF(x + gap / 2, y + gap / 2, side - gap, side - gap)

    def _extent(self) -> tuple[float, float, float]:
        """Return the left edge, the width and the height of all that is drawn, in tiles."""
        if not self._tiles:
            return 0.0, float(EMPTY_BASE_SLOTS), 1.0
        lefts = [tile.slot + tile.row / 2 for tile in self._tiles]
        return min(lefts), max(lefts) - min(lefts) + 1, max(tile.row for tile in self._tiles) + 1.0

    def _tile_px(self) -> float:
        _, width, height = self._extent()
        across = (self.width() - 2 * MARGIN_PX) / width
        down = (self.height() - 2 * MARGIN_PX) / height
        return max(4.0, min(across, down, LARGEST_TILE_PX * self._scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card, the tiles from the base up, and the arrows over them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QPainterPath()
        card.addRoundedRect(QRectF(self.rect()), CORNER_PX, CORNER_PX)
        painter.fillPath(card, QColor(self._theme.card))
        if not self._tiles:
            self._draw_empty_base(painter)
        for tile in sorted(self._tiles, key=lambda tile: (tile.row, tile.slot)):
            self._draw_tile(painter, tile)
        for arrow in self._arrows:
            for wanted, direction in ((arrow.left, -1), (arrow.right, 1)):
                if wanted:
                    self._draw_arrow(painter, self.tile_rect(arrow.row, arrow.slot), direction)

    def _draw_empty_base(self, painter: QPainter) -> None:
        painter.setPen(QPen(QColor(self._theme.quiet), 1.5, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for slot in range(EMPTY_BASE_SLOTS):
            painter.drawRoundedRect(self.tile_rect(0, slot), 8, 8)

    def _draw_tile(self, painter: QPainter, tile: TileView) -> None:
        rect = self.tile_rect(tile.row, tile.slot)
        corner = rect.width() * 0.12
        shape = QPainterPath()
        shape.addRoundedRect(rect, corner, corner)
        letter, number = tile.code[0], tile.code[1:]
        ink = QColor(TILE_INK[letter])
        painter.setPen(Qt.PenStyle.NoPen)
        if letter in TILE_COLOURS:
            painter.fillPath(shape, QColor(TILE_COLOURS[letter]))
            sign = QRectF(
                rect.x() + corner * 0.8, rect.y() + corner * 0.8, rect.width() * 0.24, rect.width() * 0.24
            )
            painter.fillPath(symbol_path(letter, sign), ink)
        else:
            self._fill_millstone(painter, rect, shape)
        if tile.unsure:
            self._hatch(painter, rect, shape, ink)
        font = QFont(self.font())
        font.setBold(True)
        font.setPixelSize(max(9, int(rect.width() * (0.36 if len(number) < 3 else 0.3))))
        painter.setFont(font)
        painter.setPen(ink)
        below_sign = rect.adjusted(0, rect.height() * (0.12 if letter in TILE_COLOURS else 0), 0, 0)
        painter.drawText(below_sign, Qt.AlignmentFlag.AlignCenter, number + ("?" if tile.unsure else ""))
        self._draw_ring(painter, rect, corner, tile.ring)

    def _fill_millstone(self, painter: QPainter, rect: QRectF, shape: QPainterPath) -> None:
        """Fill a tile with all four colours and their signs, round a hub that carries the number."""
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

    def _hatch(self, painter: QPainter, rect: QRectF, shape: QPainterPath, ink: QColor) -> None:
        painter.save()
        painter.setClipPath(shape)
        faint = QColor(ink)
        faint.setAlphaF(0.38)
        painter.setPen(QPen(faint, max(1.0, rect.width() * 0.045)))
        step = rect.width() * 0.16
        for at in range(1, 13):
            offset = at * step
            painter.drawLine(
                QPointF(rect.left() + offset, rect.top()), QPointF(rect.left(), rect.top() + offset)
            )
        painter.restore()

    def _draw_ring(self, painter: QPainter, rect: QRectF, corner: float, ring: Ring) -> None:
        if ring is Ring.NONE:
            return
        cause = ring is Ring.CAUSE
        colour = QColor(self._theme.ring_cause if cause else self._theme.ring_taken)
        style = Qt.PenStyle.SolidLine if cause else Qt.PenStyle.DashLine
        painter.setPen(QPen(colour, max(2.5, rect.width() * 0.06), style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, corner, corner)

    def _draw_arrow(self, painter: QPainter, rect: QRectF, direction: int) -> None:
        """Draw an arrow from the lower corner of a tile to the slot that it may fall to."""
        side = rect.width()
        start = QPointF(rect.center().x() + direction * side * 0.28, rect.bottom() - side * 0.06)
        tip = QPointF(start.x() + direction * side * 0.26, start.y() + side * 0.46)
        colour = QColor(self._theme.ring_cause)
        painter.setPen(QPen(colour, max(3.0, side * 0.09), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        neck = start + (tip - start) * 0.6
        painter.drawLine(start, neck)
        across = QPointF(-(tip - start).y(), (tip - start).x()) * 0.38
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(colour))
        painter.drawPolygon(QPolygonF([tip, neck + across, neck - across]))
