"""Pure functions on points, quads and homographies; points are x right, y down, in pixels."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32]
Matrix = NDArray[np.float64]

UNIT_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
"""A face's corners in face sides: top left, top right, bottom right, bottom left."""
_CORNERS_FROM = np.array([[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]])


def side_px(quad_px: Points) -> float:
    """Return the side of the square that has a quad's area, in pixels; `quad_px` is (4, 2).

    >>> side_px(10 * UNIT_SQUARE)
    10.0
    """
    return float(np.sqrt(abs(cv2.contourArea(quad_px.astype(np.float32)))))


def are_convex(quads_px: Points) -> NDArray[np.bool_]:
    """Return which of (n, 4, 2) quads are convex, clockwise on the screen, and no slivers."""
    edges = np.roll(quads_px, -1, axis=1) - quads_px
    following = np.roll(edges, -1, axis=1)
    cross = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    lengths = np.hypot(edges[..., 0], edges[..., 1])
    shortest = lengths.min(axis=1)
    return (cross > 0).all(axis=1) & (shortest > 0.3 * lengths.max(axis=1)) & (shortest > 3)  # type: ignore[no-any-return]


def is_convex(quad_px: Points) -> bool:
    """Return whether a (4, 2) quad is convex, clockwise on the screen, and no sliver.

    >>> is_convex(10 * UNIT_SQUARE), is_convex(10 * UNIT_SQUARE[::-1]), is_convex(UNIT_SQUARE)
    (True, False, False)
    """
    return bool(are_convex(quad_px[None])[0])


def turned(quad_px: Points, quarters: int) -> Points:
    """Return a quad's corners listed from the one `quarters` quarter turns clockwise further on.

    >>> turned(UNIT_SQUARE, 1).tolist()
    [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]
    """
    corners: Points = quad_px[_CORNERS_FROM[quarters % 4]]
    return corners


def turned_as(quad: Points, upright: Points) -> int:
    """Return by how many quarters a (4, 2) quad must be turned to lie as another one in its place."""
    return min(range(4), key=lambda way: float(np.abs(turned(quad, way) - upright).sum()))


def map_points(homography: Matrix, points: NDArray[np.floating]) -> Points:
    """Return (n, 2) points mapped by a (3, 3) homography, float32.

    >>> map_points(np.diag([2.0, 3.0, 1.0]), np.array([[1.0, 1.0]])).tolist()
    [[2.0, 3.0]]
    """
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return cv2.perspectiveTransform(flat, homography).reshape(-1, 2).astype(np.float32)


def square_to_quad(quad_px: Points) -> Matrix:
    """Return the homography that takes `UNIT_SQUARE` to a (4, 2) quad.

    >>> map_points(square_to_quad(10 * UNIT_SQUARE), np.array([[0.5, 0.5]])).tolist()
    [[5.0, 5.0]]
    """
    return np.asarray(cv2.getPerspectiveTransform(UNIT_SQUARE, quad_px.astype(np.float32)), np.float64)


def share_inside(quad_px: Points, size_wh: tuple[int, int]) -> float:
    """Return the share of a convex (4, 2) quad that lies within a picture of `size_wh`.

    >>> share_inside(10 * UNIT_SQUARE - 5, (100, 100))
    0.25
    """
    wide, high = size_wh
    frame = np.array([[0, 0], [wide - 1, 0], [wide - 1, high - 1], [0, high - 1]], np.float32)
    area = abs(cv2.contourArea(quad_px.astype(np.float32)))
    if area < 1:
        return 0.0
    common, _ = cv2.intersectConvexConvex(quad_px.astype(np.float32), frame)
    return min(1.0, float(common) / area)


def distance_sides(quad: Points, other: Points) -> float:
    """Return how far the middles of two quads lie apart, in sides of the second."""
    return float(np.hypot(*(quad.mean(axis=0) - other.mean(axis=0)))) / side_px(other)


def distances_sides(
    quads: Sequence[Points] | Points, others: Sequence[Points] | Points
) -> NDArray[np.float64]:
    """Return (n, m): how far the middles of n quads lie from those of m others, in sides of the others."""
    one, two = (np.asarray(each, np.float64).reshape(-1, 4, 2).mean(axis=1) for each in (quads, others))
    away = one[:, None] - two[None]
    return np.asarray(np.hypot(away[..., 0], away[..., 1]) / [side_px(other) for other in others], np.float64)
