"""The printed faces of two sets of the 45 tiles."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import Tile
from tests.other_hand import ornate_faces, poster_faces
from tests.other_hand.sheet import FACE_PX

SET_NAMES = ("another-hand", "hard-to-read")
_PAINTERS = {"another-hand": poster_faces.paint, "hard-to-read": ornate_faces.paint}
_WAVER = {"another-hand": 0.0016, "hard-to-read": 0.001}
"""How far painted edges waver, in shares of the side."""


@cache
def _printed(set_name: str, code: str) -> NDArray[np.uint8]:
    """Return a face at FACE_PX; callers do not change it."""
    tile = Tile.from_code(code)
    rng = np.random.default_rng([SET_NAMES.index(set_name), tile.index])
    return _PAINTERS[set_name](tile, rng).printed(rng, waver=_WAVER[set_name], grain=0.02)


def draw_face(set_name: str, code: str, side_px: int = 256) -> NDArray[np.uint8]:
    """Return a tile's printed face: (side_px, side_px, 3) uint8, BGR, the same at every call.

    Args:
        set_name: One of SET_NAMES.
        code: Such as R40.
        side_px: Side of the picture in pixels.

    Raises:
        KeyError: There is no such set.
        TileError: There is no such tile.
    """
    if side_px == FACE_PX:
        return _printed(set_name, code).copy()
    way = cv2.INTER_AREA if side_px < FACE_PX else cv2.INTER_CUBIC
    return cv2.resize(_printed(set_name, code), (side_px, side_px), interpolation=way)
