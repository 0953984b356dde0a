"""Corners of tiles as other programs count them.

Our own quads count from the middle of the first pixel, as OpenCV does; all three formats count from the
picture's edge, so half a pixel lies between them.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dataset.label_file import checked_quad, turning
from vision.recognition.reading import Quad


def from_edge(quad_px: Quad) -> NDArray[np.float64]:
    """Return a quad as (4, 2) pixels counted from the picture's edge.

    >>> from_edge(((0, 0), (9, 0), (9, 9), (0, 9)))[2].tolist()
    [9.5, 9.5]
    """
    return np.array(quad_px, np.float64) + 0.5


def quad_of(
    points: Sequence[Sequence[float]] | NDArray[np.float64], top_left: Sequence[float] | None = None
) -> Quad:
    """Return a polygon's quad.

    Args:
        points: Pixels from the picture's edge. Another number of corners than four gives the smallest turned
            rectangle around them; corners that go round the wrong way are taken in the other order.
        top_left: Where the face's own top left corner is; the first point where left out.

    Raises:
        ValueError: The points enclose nothing.
    """
    corners = np.array(points, np.float64)
    if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3 or not (np.abs(corners) < 1e6).all():
        raise ValueError(f"{points!r} is no polygon")
    first = np.array(top_left, np.float64) if top_left is not None else corners[0]
    if len(corners) != 4:
        corners = cv2.boxPoints(cv2.minAreaRect(corners.astype(np.float32))).astype(np.float64)
    if turning(corners.tolist()) < 0:
        corners = corners[::-1]
    start = int(np.hypot(*(corners - first).T).argmin())
    return checked_quad((np.roll(corners, -start, axis=0) - 0.5).round(4).tolist())


def quad_of_box(x: float, y: float, wide: float, high: float) -> Quad:
    """Return the quad of an upright box, given in pixels from the picture's edge.

    >>> quad_of_box(0, 0, 10, 20)
    ((-0.5, -0.5), (9.5, -0.5), (9.5, 19.5), (-0.5, 19.5))
    """
    return quad_of([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]])


def box_of(quad_px: Quad, size_wh: tuple[int, int]) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the part of a quad that lies in the picture, from its edge.

    >>> box_of(quad_of_box(-5, 2, 10, 20), (640, 480))
    (0.0, 2.0, 5.0, 20.0)
    """
    inside = np.clip(from_edge(quad_px), 0, size_wh)
    (left, top), (right, bottom) = inside.min(axis=0).tolist(), inside.max(axis=0).tolist()
    return left, top, right - left, bottom - top
