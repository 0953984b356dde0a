"""The clean drawing of a tile: what it is made of can be told without its number."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from referee.rules.tiles import TILES
from ui.artwork import flat_tile
from ui.artwork.flat_tile import tile_shape
from ui.platform.qimages import to_bgr

SIDE_PX = 60
KINDS = ("Y2", "Y10", "Y60", "Y1", "R7")
BOX = QRectF(0, 0, SIDE_PX, SIDE_PX)


def material(code: str) -> np.ndarray:
    """What is drawn behind the number, black on white: (60, 60) float."""
    image = QImage(SIDE_PX, SIDE_PX, QImage.Format.Format_RGB32)
    image.fill(QColor("#FFFFFF"))
    painter = QPainter(image)
    flat_tile._paint_material(painter, BOX, tile_shape(BOX), TILES[code], QColor("#000000"))
    painter.end()
    return to_bgr(image)[:, :, 0].astype(float)


@pytest.mark.parametrize(("one", "other"), list(combinations(KINDS, 2)))
def test_two_kinds_of_tiles_are_drawn_differently(qapp: QGuiApplication, one: str, other: str) -> None:
    """A coal and a blowtorch were the same lump."""
    assert np.abs(material(one) - material(other)).mean() > 3


def test_wood_lies_in_logs_that_end_within_the_tile(qapp: QGuiApplication) -> None:
    """Planks from edge to edge, with joints between them, looked like a wall of bricks."""
    assert material("Y10")[:, :2].min() == 255
