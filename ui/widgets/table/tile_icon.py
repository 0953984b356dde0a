"""A tile as an icon for buttons."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from ui.artwork.flat_tile import paint_tile

SHARP = 2
"""Pixels of the icon for each pixel of the window, so that it is sharp on dense screens."""


def tile_icon(code: str, side_px: int) -> QIcon:
    """Return an icon of a tile, faint if its button is disabled."""
    icon = QIcon()
    for mode, opacity in ((QIcon.Mode.Normal, 1.0), (QIcon.Mode.Disabled, 0.28)):
        picture = QPixmap(side_px * SHARP, side_px * SHARP)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setOpacity(opacity)
        paint_tile(painter, QRectF(0, 0, side_px * SHARP, side_px * SHARP), code)
        painter.end()
        icon.addPixmap(picture, mode)
    return icon
