"""The pyramid of cubes, seen on its corner so that all three faces show; played by mouse or keys."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from referee.cube.game import BOARD_SUM, PLACES, Place, Side
from ui.artwork.cube import AXES, HALF_ROOT_3, draw_cube, draw_dot, hexagon
from ui.text import cube as texts
from ui.text.catalogue import say
from ui.viewmodels.cube import CubePlaceView
from ui.widgets.theme import CORNER_PX, Look

MARGIN_EDGES = 1.4
KEYS = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}


class CubePyramid(QWidget):
    """Draws cubes and the places where the next one may go."""

    place_wanted = Signal(tuple)
    """Somebody wants a cube to be placed here."""

    def __init__(self) -> None:
        super().__init__()
        self._look = Look()
        self._places: tuple[CubePlaceView, ...] = ()
        self._colour = Side.LIGHT
        self._cursor: Place = PLACES[0]
        self._hovered: Place | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(280, 260)

    def show_places(self, places: Sequence[CubePlaceView], colour: Side) -> None:
        """Draw these places; the next cube would be of this colour."""
        self._places, self._colour = tuple(places), colour
        legal = self._legal()
        if legal and self._cursor not in legal:
            here = self.centre(self._cursor)
            self._cursor = min(legal, key=lambda at: _length(self.centre(at) - here))
        self._tell_cursor()
        self.update()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self.update()

    def cursor_place(self) -> Place:
        """Return the place that is chosen with the keys."""
        return self._cursor

    def go_to(self, at: Place) -> None:
        """Choose this place for the keys."""
        self._cursor = at
        self._tell_cursor()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size that suits a laptop's window."""
        return QSize(820, 700)

    def edge_px(self) -> float:
        """Return the length of a cube's edge on the screen."""
        across = 2 * (BOARD_SUM * HALF_ROOT_3 + MARGIN_EDGES)
        down = 1.5 * BOARD_SUM + 2 * MARGIN_EDGES
        return min(self.width() / across, self.height() / down)

    def centre(self, at: Place) -> QPointF:
        """Return where a place is drawn: the corner of its cube that is nearest to the eye."""
        edge = self.edge_px()
        middle = QPointF(self.width() / 2, self.height() / 2 - edge * BOARD_SUM / 4)
        offset = sum((AXES[axis] * part for axis, part in enumerate(at)), QPointF())
        return middle + offset * edge

    def place_at(self, point: QPointF) -> Place | None:
        """Return the free place under a point, or None."""
        edge = self.edge_px()
        near = [at for at in self._legal() if _length(self.centre(at) - point) < edge * HALF_ROOT_3]
        return min(near, key=lambda at: _length(self.centre(at) - point), default=None)

    def _legal(self) -> list[Place]:
        return [place.at for place in self._places if place.is_legal]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the board, the cubes from the board up, and over them the places that are free."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._look.theme
        card = QPainterPath()
        card.addRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), CORNER_PX, CORNER_PX)
        painter.fillPath(card, QColor(theme.card))
        if theme.card == theme.ground:
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawPath(card)
        painter.setPen(QPen(QColor(theme.line), 1.5))
        painter.setBrush(QColor(theme.ground))
        for at in PLACES:
            if sum(at) == BOARD_SUM:
                painter.drawPolygon(hexagon(self.centre(at), self.edge_px() * 0.96))
                for axis in AXES:  # the corner that a cube sits in
                    painter.drawLine(self.centre(at), self.centre(at) - axis * self.edge_px() * 0.96)
        for place in self._places:
            if place.colour is not None:
                middle = self.centre(place.at)
                draw_cube(painter, middle, self.edge_px(), place.colour)
                if place.is_last:
                    draw_dot(painter, middle, self.edge_px(), place.colour)
        for place in self._places:
            if place.is_legal:
                self._draw_free(painter, place)

    def _draw_free(self, painter: QPainter, place: CubePlaceView) -> None:
        theme, edge, middle = self._look.theme, self.edge_px(), self.centre(place.at)
        is_here = place.at == self._cursor and self.hasFocus()
        if place.at == self._hovered:
            draw_cube(painter, middle, edge, self._colour, 0.6)
        accent = QColor(theme.ring_taken if place.is_owed else theme.accent)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if is_here:
            painter.setPen(QPen(QColor(theme.text), max(2.5, edge * 0.06)))
            painter.drawPolygon(hexagon(middle, edge * 0.86))
        if place.is_owed or sum(place.at) < BOARD_SUM:
            painter.setPen(QPen(QColor("#14181D"), max(3.5, edge * 0.09)))
            painter.drawPolygon(hexagon(middle, edge * 0.62))
            style = Qt.PenStyle.SolidLine if place.is_owed else Qt.PenStyle.DashLine
            painter.setPen(QPen(accent, max(2.0, edge * 0.05), style))
            painter.drawPolygon(hexagon(middle, edge * 0.62))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            painter.drawEllipse(middle, edge * 0.09, edge * 0.09)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the next cube at the place under the mouse."""
        hovered = self.place_at(event.position())
        if hovered != self._hovered:
            self._hovered = hovered
            self.setCursor(Qt.CursorShape.PointingHandCursor if hovered else Qt.CursorShape.ArrowCursor)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for a cube where somebody clicks."""
        at = self.place_at(event.position())
        if at is not None and event.button() == Qt.MouseButton.LeftButton:
            self._cursor, self._hovered = at, None
            self.place_wanted.emit(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from place to place with the arrows, and ask for a cube with Space or Enter."""
        key = event.key()
        if key in KEYS:
            self._go(KEYS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._cursor in self._legal():
                self.place_wanted.emit(self._cursor)
        else:
            super().keyPressEvent(event)

    def _go(self, direction: QPointF) -> None:
        """Go to the nearest free place in this direction."""
        here = self.centre(self._cursor)
        ways = []
        for at in self._legal():
            way = self.centre(at) - here
            along = QPointF.dotProduct(way, direction)
            if along > 0.4 * _length(way) and along > 1e-6:
                ways.append((_length(way) * 2 - along, at))
        if ways:
            self.go_to(min(ways)[1])

    def _tell_cursor(self) -> None:
        """Describe the chosen place for a screen reader."""
        layer = [at for at in PLACES if sum(at) == sum(self._cursor)]
        self.setAccessibleName(say(texts.BOARD))
        self.setAccessibleDescription(
            say(
                texts.AT_PLACE,
                layer=BOARD_SUM + 1 - sum(self._cursor),
                number=layer.index(self._cursor) + 1,
                count=len(layer),
            )
        )

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the pyramid has the keyboard."""
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the keyboard is elsewhere."""
        self.update()
        super().focusOutEvent(event)


def _length(way: QPointF) -> float:
    return math.hypot(way.x(), way.y())
