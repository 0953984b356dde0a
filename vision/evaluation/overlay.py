"""Drawing on a copy of a photo: outlines and names of the tiles, and the step to be done now."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import side_px
from vision.recognition.reading import Reading

Colour = tuple[int, int, int]

SURE: Colour = (120, 200, 90)
UNSURE: Colour = (235, 160, 60)
ACTING: Colour = (70, 70, 235)
TAKEN: Colour = (30, 170, 250)
HIDDEN: Colour = (190, 190, 190)
_DASHES = 4
"""Dashes along each edge of a dashed outline."""
_FRACTION_BITS = 4
_FONT = cv2.FONT_HERSHEY_DUPLEX


def annotate(
    image_bgr: ImageU8, reading: Reading, *, acting: Collection[str] = (), taken: Collection[str] = ()
) -> ImageU8:
    """Return a copy of the photo with every tile outlined and named.

    A tile that can be seen only in part has a dashed outline, and a place that something hides a dashed grey
    one with a question mark.

    Args:
        image_bgr: (H, W, 3) uint8, BGR; not modified.
        reading: What was read in it.
        acting: Codes of the tiles that the current step is about (falling, burning, exploding): red.
        taken: Codes of the tiles that the step takes: amber.
    """
    picture = image_bgr.copy()
    for corners in reading.hidden:
        quad = np.array(corners, np.float32)
        side = side_px(quad)
        _dash(picture, quad, HIDDEN, max(1, round(side * 0.03)))
        _name(picture, "?", _foot(quad), side, HIDDEN)
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
        if tile.covered or tile.cut:
            _dash(picture, quad, colour, thick)
        else:
            cv2.polylines(picture, [_fixed(quad)], True, colour, thick, cv2.LINE_AA, _FRACTION_BITS)
        _name(picture, f"{tile.code}?" if tile.unsure else tile.code, _foot(quad), side, colour)
    return picture


def _foot(quad: NDArray[np.float32]) -> NDArray[np.floating]:
    """Return the middle of a quad's lower edge on the screen."""
    return np.asarray(quad[np.argsort(quad[:, 1])[2:]].mean(axis=0), np.float32)


def _fixed(points: NDArray[np.floating]) -> NDArray[np.int32]:
    """Return points in the fractions of a pixel that OpenCV draws with."""
    return np.round(points * (1 << _FRACTION_BITS)).astype(np.int32)


def _dash(picture: ImageU8, quad: NDArray[np.float32], colour: Colour, thick: int) -> None:
    """Draw a quad's outline dashed, in place; each corner is drawn."""
    steps = np.linspace(0, 1, 2 * _DASHES)[:, None]
    for start, stop in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        dashes = _fixed(start + (stop - start) * steps).reshape(_DASHES, 2, 2)
        cv2.polylines(picture, list(dashes), False, colour, thick, cv2.LINE_AA, _FRACTION_BITS)


def _name(picture: ImageU8, text: str, foot: NDArray[np.floating], side: float, colour: Colour) -> None:
    """Write `text` on a plate of `colour` on a tile's lower edge, in place; the face stays in view."""
    scale = max(0.35, side / 140)
    thick = max(1, round(scale * 1.4))
    (wide, high), _ = cv2.getTextSize(text, _FONT, scale, thick)
    pad = max(2, high // 3)
    x, y = round(float(foot[0]) - wide / 2), round(float(foot[1])) - pad
    cv2.rectangle(picture, (x - pad, y - high - pad), (x + wide + pad, y + pad), colour, -1, cv2.LINE_AA)
    ink = (20, 20, 20) if sum(colour) > 330 else (255, 255, 255)
    cv2.putText(picture, text, (x, y), _FONT, scale, ink, thick, cv2.LINE_AA)
