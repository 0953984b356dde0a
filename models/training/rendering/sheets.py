"""Sheets with numbers that are no tiles: score sheets, tables of numbers, squared paper."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.glyphs import Mask, numeral
from models.training.rendering.textures import Colour, bgr
from vision.imaging.arrays import ImageU8

SIDE_PX = 384
_LINED, _SQUARED = 0.75, 0.45
"""The share of sheets with lines under their numbers, and of these, with lines between them as well."""


def number_sheet(
    rng: np.random.Generator, typefaces: list[list[Mask]]
) -> tuple[ImageU8, NDArray[np.float64]]:
    """Return a sheet with numbers in rows and columns, and where some of these stand.

    Returns:
        The sheet, (SIDE_PX, SIDE_PX, 3) uint8 BGR; squares round numbers, (n, 4, 2) in shares of its side.
    """
    ground = bgr(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0.75, 1))
    art = np.full((SIDE_PX, SIDE_PX, 3), ground, np.uint8)
    ink = bgr(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0, 0.55))
    digits = typefaces[rng.integers(len(typefaces))]
    rows, columns = int(rng.integers(4, 16)), int(rng.integers(2, 10))
    high, wide = SIDE_PX / rows, SIDE_PX / columns
    _rule(rng, art, high, wide)
    most, filled = int(rng.choice([10, 60, 100, 250])), rng.uniform(0.3, 1)
    tall = int(np.clip(rng.uniform(0.45, 0.9) * min(high, 1.3 * wide), 8, 80))
    squares = []
    for row in range(rows):
        for column in range(columns):
            if rng.random() > filled:
                continue
            middle = (column + 0.5 + rng.normal(0, 0.05)) * wide, (row + 0.5 + rng.normal(0, 0.05)) * high
            _write(art, numeral(digits, int(rng.integers(0, most)), 5), middle, tall, ink)
            squares.append(np.array(middle) / SIDE_PX)
    if rng.random() < 0.5:
        art = np.ascontiguousarray(np.rot90(art))
        squares = [np.array([y, 1 - x]) for x, y in squares]
    reach = max(high, tall) * rng.uniform(0.5, 1) / SIDE_PX
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * reach
    return art, np.array([middle + corners for middle in squares]).reshape(-1, 4, 2)


def _rule(rng: np.random.Generator, art: ImageU8, high: float, wide: float) -> None:
    """Draw the lines of a sheet onto `art` in place."""
    if rng.random() > _LINED:
        return
    line = bgr(rng.uniform(0, 360), rng.uniform(0, 0.8), rng.uniform(0.2, 0.8))
    thick = int(rng.integers(1, 4))
    for y in np.arange(high, SIDE_PX, high):
        cv2.line(art, (0, int(y)), (SIDE_PX, int(y)), line, thick)
    if rng.random() < _SQUARED:
        for x in np.arange(wide, SIDE_PX, wide):
            cv2.line(art, (int(x), 0), (int(x), SIDE_PX), line, thick)
    elif rng.random() < 0.5:
        margin = int(rng.uniform(0.1, 0.9) * SIDE_PX)
        cv2.line(art, (margin, 0), (margin, SIDE_PX), bgr(rng.uniform(0, 360), 0.8, 0.7), thick)


def _write(art: ImageU8, mask: Mask, middle: tuple[float, float], tall: int, ink: Colour) -> None:
    """Write one number onto `art` in place; what would reach beyond is left out."""
    broad = max(4, mask.shape[1] * tall // mask.shape[0])
    left, top = int(middle[0] - broad / 2), int(middle[1] - tall / 2)
    if left < 0 or top < 0 or left + broad > SIDE_PX or top + tall > SIDE_PX:
        return
    share = cv2.resize(mask, (broad, tall), interpolation=cv2.INTER_AREA)[..., None].astype(np.float32) / 255
    box = art[top : top + tall, left : left + broad]
    box[:] = (box * (1 - share) + share * np.array(ink, np.float32)).astype(np.uint8)
