"""A tile as an icon for buttons."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache

from ui.artwork.flat_tile import paint_tile

SHARP = 2
"""Pixels of the icon for each pixel of the window, so that it is sharp on dense screens."""


def tile_icon(code: str, side_px: int) -> QIcon:
    """Return an icon of a tile, faint if its button is disabled."""
    icon = QIcon()
    for mode, opacity in ((QIcon.Mode.Normal, 1.0), (QIcon.Mode.Disabled, 0.28)):
        icon.addPixmap(_picture(code, side_px * SHARP, opacity), mode)
    return icon


def _picture(code: str, side_px: int, opacity: float) -> QPixmap:
    """Return a picture of a tile; Qt keeps it while it has room, as popups and palettes show the same."""
    name, picture = f"tile {code} {side_px} {opacity}", QPixmap(side_px, side_px)
    if QPixmapCache.find(name, picture):
        return picture
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setOpacity(opacity)
    paint_tile(painter, QRectF(0, 0, side_px, side_px), code)
    painter.end()
    QPixmapCache.insert(name, picture)
    return picture
