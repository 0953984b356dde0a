"""Lays flat art onto a picture of a table, with its shadow."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.faces import FACE_PX
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE, Points

_LARGEST_PX, _FARTHEST_PX = 600, 4000
_CORNER_RADII_PX = (0, 4, 8, 14)


def tile_shapes() -> list[ImageU8]:
    """Return the outlines that tiles may have, (FACE_PX, FACE_PX) uint8 masks, the sharp-cornered first."""
    shapes = []
    for radius in _CORNER_RADII_PX:
        mask = np.zeros((FACE_PX, FACE_PX), np.uint8)
        cv2.rectangle(mask, (radius, radius), (FACE_PX - 1 - radius, FACE_PX - 1 - radius), 255, -1)
        if radius:
            disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
            mask = np.asarray(cv2.dilate(mask, disc), np.uint8)
        shapes.append(mask)
    return shapes


def lay(
    rng: np.random.Generator,
    image: NDArray[np.float32],
    art: ImageU8,
    shape: ImageU8,
    quad: Points,
    *,
    sun: float,
    ids: NDArray[np.int16] | None = None,
    index: int = 0,
) -> bool:
    """Lay a tile, or other flat art, onto a picture; return False where it lies off the picture.

    Args:
        rng: The randomness.
        image: (H, W, 3) float32 BGR; painted on.
        art: (side, side, 3) uint8 BGR.
        shape: Its outline, one of `tile_shapes`.
        quad: Where its corners lie, (4, 2) in pixels.
        sun: Whence the light comes, in radians.
        ids: (H, W) of the topmost tile by pixel; `index` is written where this one lies.
        index: The tile's own.
    """
    high, wide = image.shape[:2]
    size = float(np.sqrt(abs(cv2.contourArea(quad)))) + 1
    margin = int(size * 0.15) + 3
    x0, y0 = np.floor(quad.min(axis=0)).astype(int) - margin
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + margin
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, wide), min(y1, high)
    if x1 - x0 < 4 or y1 - y0 < 4 or size > _LARGEST_PX:
        return False
    colour, alpha = _in_box(art, shape, quad - [x0, y0], (x1 - x0, y1 - y0), size)
    view = image[y0:y1, x0:x1]
    view *= 1 - 0.4 * _shadow(alpha, size, sun)
    view *= 1 - alpha
    view += alpha * colour * (1 + rng.normal(0, 0.03))
    if ids is not None:
        ids[y0:y1, x0:x1][alpha[..., 0] > 0.5] = index
    return True


def _in_box(
    art: ImageU8, shape: ImageU8, quad: Points, box_wh: tuple[int, int], size: float
) -> tuple[ImageU8, NDArray[np.float32]]:
    """Return art as it looks in a box of the picture, and how far it covers each pixel, (h, w, 1) 0 to 1."""
    to_box, shape_to_box = (
        cv2.getPerspectiveTransform(
            (UNIT_SQUARE * each.shape[0] - 0.5).astype(np.float32), quad.astype(np.float32)
        )
        for each in (art, shape)
    )
    shrink = art.shape[0] / size
    if shrink > 1.6:
        art = np.asarray(cv2.GaussianBlur(art, (0, 0), 0.35 * shrink), np.uint8)
    colour = cv2.warpPerspective(art, to_box, box_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(shape, shape_to_box, box_wh, flags=cv2.INTER_LINEAR).astype(np.float32)
    return np.asarray(colour, np.uint8), np.asarray(alpha[..., None] / 255, np.float32)


def _shadow(alpha: NDArray[np.float32], size: float, sun: float) -> NDArray[np.float32]:
    """Return how dark the table is round what lies there, (h, w, 1) 0 to 1."""
    reach = size * 0.03
    shade = cv2.GaussianBlur(alpha[..., 0], (0, 0), 0.8 + reach)
    shift = np.array([[1, 0, reach * np.cos(sun)], [0, 1, reach * np.sin(sun)]], np.float32)
    high, wide = alpha.shape[:2]
    return np.asarray(cv2.warpAffine(shade, shift, (wide, high))[..., None], np.float32)


def is_near(quad: Points) -> bool:
    """Return whether points, in pixels, are near enough to the picture to be drawn."""
    return bool(np.abs(quad).max() < _FARTHEST_PX)
