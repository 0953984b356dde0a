"""Which places show nothing but the table: without looking closely, for most places beside a pyramid do."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points, map_points, side_px, square_to_quad

ImageU8 = NDArray[np.uint8]

_GRID = 8
"""Points across and down at which a place is looked at."""
_MAX_SHADE, _MAX_SPREAD = 30.0, 12.0
"""Grey levels by which a place's mean colour may differ from the middle one of all places, and its spread
of colours be larger: cloth and wood stay below, tiles, hands and things on the table do not."""
_GRID_POINTS = np.stack(np.meshgrid(*[(np.arange(_GRID) + 0.5) / _GRID] * 2), -1).reshape(-1, 2)
_RIM = 1.25


def is_bare(image_bgr: ImageU8, quads_px: Sequence[Points]) -> NDArray[np.bool_]:
    """Return whether each place looks like most of the places, (n,) bool.

    Args:
        image_bgr: Picture, (H, W, 3) uint8, BGR.
        quads_px: n quads, (4, 2), of about one size; most of them empty.
    """
    if not len(quads_px):
        return np.zeros(0, bool)
    corners = np.concatenate(quads_px)
    size = np.array([image_bgr.shape[1], image_bgr.shape[0]])
    # One point of the smaller picture for each point of the grid.
    shrink = max(1, int(np.median([side_px(quad) for quad in quads_px]) * _RIM / _GRID))
    low = np.clip(np.floor(corners.min(axis=0)) - shrink, 0, np.maximum(size - shrink, 0)).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0)) + shrink, low + 1, size).astype(int)
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    small = cv2.resize(
        part, tuple(int(side) for side in np.maximum((high - low) // shrink, 1)), interpolation=cv2.INTER_AREA
    )
    points = np.stack(
        [map_points(square_to_quad(quad), (_GRID_POINTS - 0.5) * _RIM + 0.5) for quad in quads_px]
    )
    at = ((points - low + 0.5) / shrink - 0.5).astype(np.float32)
    colours = cv2.remap(
        small, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    mean, spread = colours.mean(axis=1), colours.std(axis=1).mean(axis=1)
    shade = np.abs(mean - np.median(mean, axis=0)).max(axis=1)
    return np.asarray((shade <= _MAX_SHADE) & (spread - np.median(spread) <= _MAX_SPREAD))
