"""How to draw a cube that shows three faces: colours, outlines, and directions of the axes."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from referee.cube.game import Side

HALF_ROOT_3 = math.sqrt(3) / 2
AXES = (QPointF(0, 1), QPointF(-HALF_ROOT_3, -0.5), QPointF(HALF_ROOT_3, -0.5))
"""Directions of x, y and z on the screen, in edges of a cube: x = 0 is the top face, y = 0 the right one."""
SHADES = {Side.LIGHT: ("#F3E7CF", "#CDB88F", "#DFCDA8"), Side.DARK: ("#7A5136", "#472C1B", "#5C3A25")}
"""The three sides of a cube that show: top, right, left."""
RIMS = {Side.LIGHT: "#8C7648", Side.DARK: "#24140A"}
_DOTS = {Side.LIGHT: "#7A5136", Side.DARK: "#F3E7CF"}


def hexagon(middle: QPointF, edge_px: float) -> QPolygonF:
    """Return the outline of a cube whose nearest corner is `middle`."""
    corners = [AXES[0], -AXES[1], AXES[2], -AXES[0], AXES[1], -AXES[2]]
    return QPolygonF([middle + corner * edge_px for corner in corners])


def draw_cube(painter: QPainter, middle: QPointF, edge_px: float, colour: Side, opacity: float = 1.0) -> None:
    """Draw a cube whose nearest corner is `middle`."""
    painter.setOpacity(opacity)
    pen = QPen(QColor(RIMS[colour]), max(1.0, edge_px * 0.025))
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    for axis, shade in enumerate(SHADES[colour]):
        one, other = (AXES[each] * edge_px for each in range(3) if each != axis)
        painter.setBrush(QColor(shade))
        painter.drawPolygon(QPolygonF([middle, middle + one, middle + one + other, middle + other]))
    painter.setOpacity(1.0)


def draw_dot(painter: QPainter, middle: QPointF, edge_px: float, colour: Side) -> None:
    """Draw a dot on the top of a cube of this colour: it was placed last."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(_DOTS[colour]))
    painter.drawEllipse(middle - AXES[0] * edge_px / 2, edge_px * 0.11, edge_px * 0.08)
