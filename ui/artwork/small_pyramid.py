"""A whole pyramid, small."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from referee.errors import RefereeError
from referee.rules.layout import Layout
from ui.artwork.flat_tile import paint_tile


def paint_pyramid(painter: QPainter, box: QRectF, text: str, largest_px: float = 24.0) -> None:
    """Paint a pyramid, its foot at the bottom of a box; nothing for an empty table.

    Args:
        painter: Open on anything.
        box: Where it is painted.
        text: A layout; one that cannot be read is as an empty table.
        largest_px: Side of the largest tile.
    """
    try:
        tiles = list(Layout.parse(text).tiles)
    except RefereeError:
        return
    if not tiles:
        return
    lefts = [slot + row / 2 for (row, slot), _tile in tiles]
    left, wide, high = min(lefts), max(lefts) - min(lefts) + 1, max(row for (row, _), _ in tiles) + 1
    side = min(box.width() / wide, box.height() / high, largest_px)
    for (row, slot), tile in tiles:
        x = box.center().x() + (slot + row / 2 - left - wide / 2) * side
        paint_tile(painter, QRectF(x, box.bottom() - (row + 1) * side, side * 0.95, side * 0.95), tile.code)
