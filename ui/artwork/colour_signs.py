"""The four signs that tell the colours apart without colour: sun, diamond, leaf, drop."""

from __future__ import annotations

from math import cos, pi, sin

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath, QPolygonF


def symbol_path(colour_letter: str, box: QRectF) -> QPainterPath:
    """Return the outline of a colour's sign in a square box. The caller fills it."""
    path = QPainterPath()
    if box.isEmpty():
        return path
    {"Y": _sun, "R": _diamond, "G": _leaf, "B": _drop}[colour_letter](path)
    for at in range(path.elementCount()):  # curves keep their control points in order
        element = path.elementAt(at)
        path.setElementPositionAt(
            at, box.x() + box.width() * float(element.x), box.y() + box.height() * float(element.y)
        )
    return path


def _sun(path: QPainterPath) -> None:
    rays = 16
    points = []
    for at in range(rays * 2):
        reach = 0.5 if at % 2 == 0 else 0.36
        points.append(QPointF(0.5 + reach * cos(pi * at / rays), 0.5 + reach * sin(pi * at / rays)))
    path.addPolygon(QPolygonF(points))
    path.closeSubpath()


def _diamond(path: QPainterPath) -> None:
    path.addPolygon(QPolygonF([QPointF(0.5, 0), QPointF(0.92, 0.5), QPointF(0.5, 1), QPointF(0.08, 0.5)]))
    path.closeSubpath()


def _leaf(path: QPainterPath) -> None:
    path.moveTo(0.04, 0.96)
    path.cubicTo(-0.1, 0.3, 0.35, 0.02, 0.98, 0.02)
    path.cubicTo(0.98, 0.65, 0.7, 1.1, 0.04, 0.96)
    path.closeSubpath()


def _drop(path: QPainterPath) -> None:
    path.moveTo(0.5, 0)
    path.cubicTo(0.6, 0.25, 0.9, 0.42, 0.86, 0.68)
    path.cubicTo(0.83, 0.9, 0.66, 1.0, 0.5, 1.0)
    path.cubicTo(0.34, 1.0, 0.17, 0.9, 0.14, 0.68)
    path.cubicTo(0.1, 0.42, 0.4, 0.25, 0.5, 0)
    path.closeSubpath()
