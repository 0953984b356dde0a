"""The pyramid as a clean drawing, on which tiles can be clicked, dragged and placed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from ui.artwork.flat_tile import CORNER, paint_tile
from ui.platform.accessibility import announce
from ui.text.table import place_name, pyramid_in_words
from ui.viewmodels.game_view import PlaceView, Slot
from ui.viewmodels.table_view import FallArrow, Ring, TileView, Tone
from ui.viewmodels.typed_tile import next_place
from ui.widgets.theme import CORNER_PX, Theme

LARGEST_TILE_PX = 112.0
MARGIN_PX = 20.0
GAP = 0.06  # between tiles, in tile widths
EMPTY_BASE_SLOTS = 4
SLIDE_MS = 180
ARROWS = {
    Qt.Key.Key_Left: "Left",
    Qt.Key.Key_Right: "Right",
    Qt.Key.Key_Up: "Up",
    Qt.Key.Key_Down: "Down",
}
PRESSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class PyramidView(QWidget):
    """Draws tiles on the brick lattice, with the rings, arrows and legal places of the moment."""

    tile_clicked = Signal(int, int)
    """Row and slot of a tile."""
    place_clicked = Signal(int, int)
    """Row and slot where the next tile may go."""
    tile_moved = Signal(int, int, int, int)
    """Row and slot of a tile, and those that it was dragged to."""

    def __init__(self, theme: Theme, *, can_be_clicked: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self._scale = 1.0
        self._can_be_clicked = can_be_clicked
        self._tiles: tuple[TileView, ...] = ()
        self._arrows: tuple[FallArrow, ...] = ()
        self._places: tuple[PlaceView, ...] = ()
        self._from: dict[str, QPointF] = {}
        """Code -> where a tile slides from, in tiles from where it lies."""
        self._pressed: TileView | None = None
        self._press_at = QPointF()
        self._drag_at: QPointF | None = None
        self._slide = QVariantAnimation(self, startValue=1.0, endValue=0.0, duration=SLIDE_MS)
        self._slide.valueChanged.connect(lambda _value: self.update())
        self._reduced_motion = False
        self.cursor_at: Slot | None = None
        """Where the arrows are."""
        self.aims_at_places = False
        """Whether the arrows go to places alone, because a tile is to be placed."""
        if can_be_clicked:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 120)
        self.setMouseTracking(can_be_clicked)

    def show_tiles(
        self, tiles: Sequence[TileView], arrows: Sequence[FallArrow] = (), places: Sequence[PlaceView] = ()
    ) -> None:
        """Draw these tiles. A tile that has moved slides to its place. Without tiles, draw a dotted base."""
        before = {tile.code: self._lattice(tile) for tile in self._tiles}
        self._arrows, self._places = tuple(arrows), tuple(places)
        if tuple(tiles) != self._tiles:
            self._tiles = tuple(tiles)
            moved = {
                tile.code: before[tile.code] - self._lattice(tile)
                for tile in self._tiles
                if tile.code in before and before[tile.code] != self._lattice(tile)
            }
            self._slide.stop()
            self._from = {} if self._reduced_motion else moved
            if self._from:
                self._slide.start()
        if self.cursor_at not in self._targets():
            self.cursor_at = None
        self.setAccessibleName(pyramid_in_words((tile.row, tile.slot, tile.code) for tile in self._tiles))
        self.update()

    def set_look(self, theme: Theme, scale: float, *, reduced_motion: bool = False) -> None:
        """Take the colours and the scale from the window."""
        self._theme, self._scale, self._reduced_motion = theme, scale, reduced_motion
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

    @staticmethod
    def _lattice(tile: TileView) -> QPointF:
        return QPointF(tile.slot + tile.row / 2, -float(tile.row))

    def _extent(self) -> tuple[float, float, float]:
        """Return the left edge, the width and the height of all that is drawn, in tiles."""
        shown = [(tile.row, tile.slot) for tile in self._tiles]
        shown += [(place.row, place.slot) for place in self._places]
        if not self._tiles:
            return 0.0, float(EMPTY_BASE_SLOTS), 1.0
        lefts = [slot + row / 2 for row, slot in shown]
        return min(lefts), max(lefts) - min(lefts) + 1, max(row for row, _slot in shown) + 1.0

    def _tile_px(self) -> float:
        _, width, height = self._extent()
        across = (self.width() - 2 * MARGIN_PX) / width
        down = (self.height() - 2 * MARGIN_PX) / height
        return max(4.0, min(across, down, LARGEST_TILE_PX * self._scale))

    # Clicks and drags

    def _tile_at(self, point: QPointF) -> TileView | None:
        return next(
            (tile for tile in self._tiles if self.tile_rect(tile.row, tile.slot).contains(point)), None
        )

    def _place_at(self, point: QPointF) -> PlaceView | None:
        return next(
            (place for place in self._places if self.tile_rect(place.row, place.slot).contains(point)), None
        )

    def _slot_at(self, point: QPointF) -> Slot | None:
        """Return the nearest slot of the lattice, or None beside it."""
        rows = range(int(self._extent()[2]) + 1)
        slots = ((row, slot) for row in rows for slot in range(-1, 46))
        return next((slot for slot in slots if self.tile_rect(*slot).contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if self._can_be_clicked and event.button() == Qt.MouseButton.LeftButton:
            self._press_at = event.position()
            self._pressed = self._tile_at(self._press_at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a tile, once the mouse has moved too far for a click."""
        point = event.position()
        if self._pressed is not None:
            far = (point - self._press_at).manhattanLength() > QApplication.startDragDistance()
            if far or self._drag_at is not None:
                self._drag_at = point
                self.update()
        over = self._can_be_clicked and bool(self._tile_at(point) or self._place_at(point))
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a click or a drag."""
        pressed, dragged = self._pressed, self._drag_at is not None
        self._pressed = self._drag_at = None
        self.update()
        if not self._can_be_clicked or event.button() != Qt.MouseButton.LeftButton:
            return
        if pressed is not None and dragged:
            to = self._slot_at(event.position())
            if to is not None and to != (pressed.row, pressed.slot):
                self.tile_moved.emit(pressed.row, pressed.slot, *to)
        elif pressed is not None:
            self.tile_clicked.emit(pressed.row, pressed.slot)
        elif (place := self._place_at(event.position())) is not None:
            self.place_clicked.emit(place.row, place.slot)

    # The keyboard

    def show_cursor(self, at: Slot | None) -> None:
        """Put the cursor of the keyboard somewhere, or away."""
        if at != self.cursor_at:
            self.cursor_at = at
            self.update()
            if at is not None:
                codes = {(tile.row, tile.slot): tile.code for tile in self._tiles}
                announce(self, place_name(at, codes.get(at)))

    def step_cursor(self, arrow: str) -> None:
        """Move the cursor along an arrow key, to the nearest tile or place."""
        self.show_cursor(next_place(self.cursor_at, self._targets(), arrow))

    def press_cursor(self) -> None:
        """Do what a click does where the cursor is; where it is away, put it to the first place."""
        at = self.cursor_at
        if at is None:
            self.step_cursor("Right")
        elif any((place.row, place.slot) == at for place in self._places):
            self.place_clicked.emit(*at)
        else:
            self.tile_clicked.emit(*at)

    def _targets(self) -> list[Slot]:
        places = [(place.row, place.slot) for place in self._places]
        return places if self.aims_at_places else [*places, *((tile.row, tile.slot) for tile in self._tiles)]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from tile to tile with the arrows; Enter and the space bar click."""
        key = Qt.Key(event.key())
        if self._can_be_clicked and key in ARROWS:
            self.step_cursor(ARROWS[key])
        elif self._can_be_clicked and key in PRESSES:
            self.press_cursor()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the arrows move here."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that they do not any more."""
        super().focusOutEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the pointer."""
        self.unsetCursor()
        super().leaveEvent(event)

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card, the places, the tiles from the base up, and the arrows over them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QPainterPath()
        card.addRoundedRect(QRectF(self.rect()), CORNER_PX, CORNER_PX)
        painter.fillPath(card, QColor(self._theme.card))
        if not self._tiles:
            self._draw_empty_base(painter)
        for place in self._places:
            self._draw_place(painter, place)
        for tile in sorted(self._tiles, key=lambda tile: (tile is self._pressed, tile.row, tile.slot)):
            self._draw_tile(painter, tile)
        for arrow in self._arrows:
            for wanted, direction in ((arrow.left, -1), (arrow.right, 1)):
                if wanted:
                    self._draw_arrow(painter, self.tile_rect(arrow.row, arrow.slot), direction)

        if self._can_be_clicked and self.hasFocus():
            self._draw_cursor(painter)

    def _draw_cursor(self, painter: QPainter) -> None:
        """Draw the edge of what the keyboard is at; without a cursor that is the whole drawing."""
        at = self.cursor_at
        rect = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        radius = float(CORNER_PX)
        if at is not None:
            rect = self.tile_rect(*at)
            radius = rect.width() * CORNER
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self._theme.accent), 3 if at is None else max(4.0, rect.width() * 0.08)))
        painter.drawRoundedRect(rect, radius, radius)

    def _draw_empty_base(self, painter: QPainter) -> None:
        painter.setPen(QPen(QColor(self._theme.quiet), 1.5, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for slot in range(EMPTY_BASE_SLOTS):
            painter.drawRoundedRect(self.tile_rect(0, slot), 8, 8)

    def _draw_place(self, painter: QPainter, place: PlaceView) -> None:
        """Draw where the next tile may go, with a sign for what would follow if somebody asked."""
        rect = self.tile_rect(place.row, place.slot)
        colour = QColor(self._theme.quiet)
        if place.forecast is not None:
            colour = QColor(self._theme.tones[place.forecast][0])
        pen = QPen(colour, max(1.5, rect.width() * 0.03), Qt.PenStyle.DotLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, rect.width() * CORNER, rect.width() * CORNER)
        if place.forecast is not None:
            font = painter.font()
            font.setBold(True)
            font.setPixelSize(max(9, int(rect.width() * 0.42)))
            painter.setFont(font)
            sign = "✓" if place.forecast is Tone.CALM else "!"
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, sign)

    def _draw_tile(self, painter: QPainter, tile: TileView) -> None:
        rect = self.tile_rect(tile.row, tile.slot)
        if tile is self._pressed and self._drag_at is not None:
            rect.translate(self._drag_at - self._press_at)
        elif tile.code in self._from and self._slide.state() == QVariantAnimation.State.Running:
            rect.translate(self._from[tile.code] * float(self._slide.currentValue()) * self._tile_px())
        paint_tile(painter, rect, tile.code, unsure=tile.unsure)
        self._draw_ring(painter, rect, tile.ring)

    def _draw_ring(self, painter: QPainter, rect: QRectF, ring: Ring) -> None:
        if ring is Ring.NONE:
            return
        cause = ring is Ring.CAUSE
        colour = QColor(self._theme.ring_cause if cause else self._theme.ring_taken)
        style = Qt.PenStyle.SolidLine if cause else Qt.PenStyle.DashLine
        painter.setPen(QPen(colour, max(2.5, rect.width() * 0.07), style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, rect.width() * CORNER, rect.width() * CORNER)

    def _draw_arrow(self, painter: QPainter, rect: QRectF, direction: int) -> None:
        """Draw an arrow from the lower corner of a tile to the slot that it may fall to."""
        side = rect.width()
        start = QPointF(rect.center().x() + direction * side * 0.3, rect.bottom() - side * 0.04)
        tip = QPointF(start.x() + direction * side * 0.24, start.y() + side * 0.42)
        colour = QColor(self._theme.ring_cause)
        neck = start + (tip - start) * 0.6
        across = QPointF(-(tip - start).y(), (tip - start).x()) * 0.42
        for pen_colour, width in ((QColor(self._theme.card), side * 0.17), (colour, side * 0.09)):
            painter.setPen(QPen(pen_colour, max(3.0, width), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.setBrush(QBrush(pen_colour))
            painter.drawLine(start, neck)
            edge = max(1.0, (width - side * 0.09))
            painter.setPen(QPen(pen_colour, edge, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPolygon(QPolygonF([tip, neck + across, neck - across]))
