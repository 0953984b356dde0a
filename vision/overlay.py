"""Drawing on a copy of a photo: outlines and names of the tiles, and the step to be done now."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import side_px
from vision.reading import Reading

ImageU8 = NDArray[np.uint8]
Colour = tuple[int, int, int]

SURE: Colour = (120, 200, 90)
UNSURE: Colour = (235, 160, 60)
ACTING: Colour = (70, 70, 235)
TAKEN: Colour = (30, 170, 250)
_FONT = cv2.FONT_HERSHEY_DUPLEX


def annotate(
    image_bgr: ImageU8, reading: Reading, *, acting: Collection[str] = (), taken: Collection[str] = ()
) -> ImageU8:
    """Return a copy of the photo with every tile outlined and named.

    Args:
        image_bgr: (H, W, 3) uint8, BGR; not modified.
        reading: What was read in it.
        acting: Codes of the tiles that the current step is about (falling, burning, exploding): red.
        taken: Codes of the tiles that the step takes: amber.
    """
    picture = image_bgr.copy()
    for tile in reading.tiles:
        quad = np.array(tile.quad_px, np.float32)
        side = side_px(quad)
        colour = (
            ACTING
            if tile.code in acting
            else TAKEN
            if tile.code in taken
            else UNSURE
            if tile.unsure
            else SURE
        )
        marked = tile.code in acting or tile.code in taken
        thick = max(1, round(side * (0.06 if marked else 0.03)))
        cv2.polylines(picture, [np.round(quad * 16).astype(np.int32)], True, colour, thick, cv2.LINE_AA, 4)
        _name(picture, f"{tile.code}?" if tile.unsure else tile.code, quad.mean(axis=0), side, colour)
    return picture


def _name(picture: ImageU8, text: str, middle: NDArray[np.float32], side: float, colour: Colour) -> None:
    """Write `text` on a plate of `colour` at a tile's middle, in place."""
    scale = max(0.3, side / 90)
    thick = max(1, round(scale * 1.2))
    (wide, high), base = cv2.getTextSize(text, _FONT, scale, thick)
    x, y = round(float(middle[0]) - wide / 2), round(float(middle[1]) + high / 2)
    pad = max(2, high // 3)
    cv2.rectangle(
        picture, (x - pad, y - high - pad), (x + wide + pad, y + base // 2 + pad), colour, -1, cv2.LINE_AA
    )
    dark = sum(colour) > 330
    cv2.putText(
        picture, text, (x, y), _FONT, scale, (20, 20, 20) if dark else (255, 255, 255), thick, cv2.LINE_AA
    )
