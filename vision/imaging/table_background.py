"""A model of the background: which places beside a pyramid show nothing but the table.

Most of them do, so this must be quick.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, map_points, side_px, square_to_quad
from vision.imaging.smaller import made_smaller

_GRID = 8
"""Points across and down at which a place is looked at."""
_GRID_POINTS = np.stack(np.meshgrid(*[(np.arange(_GRID) + 0.5) / _GRID] * 2), -1).reshape(-1, 2)
_RIM, _INNER = 1.25, 0.625
"""Sides of what is looked at: a place with its rim, or its inner part, where no neighbour reaches."""
_MAX_SHADE, _MAX_SPREAD = 30.0, 12.0
"""A place may be table if its mean colour differs from the median of all places by at most the first number
of grey levels, and its spread of colours exceeds theirs by at most the second. Cloth and wood stay below;
tiles, hands and things on the table do not."""
_SHADES, _COLOURS = 32, 7
"""So many levels (of 255) of lightness, and of the two colour axes, count as one colour."""
_COMMON_SHARE = 0.35
"""A colour belongs to the table if this share of the other places shows it: a pattern repeats, things do
not."""
_TABLE_SHARE = 0.99
"""A place shows nothing but the table if at least this share of it has the table's colours."""
_EVEN_SPREAD = 6.0
"""A place with less spread of colours lies in glare or shadow. It may be table, whatever its colour."""
_PATTERN_SPREAD = 25.0
"""A place has a pattern of its own if its spread of colours exceeds the others' by this many grey levels."""
_AROUND, _BESIDE, _WITHIN = 5.0, 1.25, 0.75
"""Sides: as far around a place the table is looked at, without the tiles and so much about each; and so much
of the place, where no neighbour reaches."""
_SMALL_PX = 16
"""The side of a place in pictures that are small enough for that."""
_LEAST_COMMON, _LEAST_POINTS = 0.05, 200
"""A colour is the table's if this share of the table around shows it; and so many points tell."""


@dataclass(frozen=True, slots=True)
class TableLooks:
    """What n places look like beside each other."""

    bare: NDArray[np.bool_]
    """(n,) whether each place looks like most of the places."""
    shown: NDArray[np.float64]
    """(n,) the share of it that has the table's colours."""
    patterned: NDArray[np.bool_]
    """(n,) whether it has a pattern that the other places do not have."""

    @property
    def is_table(self) -> NDArray[np.bool_]:
        """(n,) whether a place shows the table and nothing else: a hole between tiles, however dark."""
        return self.bare & (self.shown >= _TABLE_SHARE)

    def only(self, indices: Sequence[int]) -> TableLooks:
        """Return what the places with these indices look like, in this order."""
        rows = list(indices)
        return TableLooks(self.bare[rows], self.shown[rows], self.patterned[rows])


def table_looks(image_bgr: ImageU8, quads_px: Sequence[Points]) -> TableLooks:
    """Return what places look like, compared with each other.

    Args:
        image_bgr: Picture, (H, W, 3) uint8, BGR.
        quads_px: n quads, (4, 2), of about one size; most of them empty.
    """
    if not len(quads_px):
        return TableLooks(np.zeros(0, bool), np.zeros(0), np.zeros(0, bool))
    colours = _colours(image_bgr, quads_px, _RIM)
    mean, spread = colours.mean(axis=1), colours.std(axis=1).mean(axis=1)
    shade = np.abs(mean - np.median(mean, axis=0)).max(axis=1)
    inner = _colours(image_bgr, quads_px, _INNER)
    inner_spread = inner.std(axis=1).mean(axis=1)
    return TableLooks(
        np.asarray((shade <= _MAX_SHADE) & (spread - np.median(spread) <= _MAX_SPREAD)),
        np.where(inner_spread < _EVEN_SPREAD, 1.0, _table_shares(inner)),
        np.asarray(inner_spread - np.median(inner_spread) >= _PATTERN_SPREAD),
    )


def known_colours(image_bgr: ImageU8, quad_px: Points, before_bgr: ImageU8, tiles: Sequence[Points]) -> float:
    """Return how much of a place has colours that the table around it had before, 0 to 1, in any pattern.

    Nothing that has come since, as a hand, has any part in these colours. Where hardly any table is seen it
    is 0.

    Args:
        image_bgr: (H, W, 3) uint8 BGR.
        quad_px: The place, (4, 2).
        before_bgr: (H, W, 3) uint8 BGR: the table before, from nearly the same place.
        tiles: Where tiles lay on it, (4, 2) each.
    """
    scale = _SMALL_PX / side_px(quad_px)
    table, corner = _cut(before_bgr, quad_px, 2 * _AROUND, scale)
    is_table = np.ones(table.shape[:2], np.uint8)
    for tile in tiles:
        cv2.fillConvexPoly(is_table, _grown(tile, _BESIDE, scale, corner), 0)
    place, corner = _cut(image_bgr, quad_px, 1.0, scale)
    inside = np.zeros(place.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, _grown(quad_px, _WITHIN, scale, corner), 1)
    if is_table.sum() < _LEAST_POINTS or not inside.any():
        return 0.0
    common = np.zeros((255 // _SHADES + 3, *[255 // _COLOURS + 3] * 2))
    np.add.at(common, tuple(_levels(table[is_table > 0]).T + 1), 1 / is_table.sum())
    for axis in range(3):  # a colour counts with those that are a level away
        common = common + np.roll(common, 1, axis) + np.roll(common, -1, axis)
    return float((common[tuple(_levels(place[inside > 0]).T + 1)] >= _LEAST_COMMON).mean())


def _colours(image_bgr: ImageU8, quads_px: Sequence[Points], sides: float) -> NDArray[np.float32]:
    """Return colours from a square of so many sides in each place, (n, points, 3) BGR."""
    corners = np.concatenate(quads_px)
    size = np.array([image_bgr.shape[1], image_bgr.shape[0]])
    # One point of the smaller picture for each point of the grid.
    shrink = max(1, int(np.median([side_px(quad) for quad in quads_px]) * sides / _GRID))
    low = np.clip(np.floor(corners.min(axis=0)) - shrink, 0, np.maximum(size - shrink, 0)).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0)) + shrink, low + 1, size).astype(int)
    size_wh = np.maximum((high - low) // shrink, 1)
    right, bottom = low + size_wh * shrink
    part = image_bgr[low[1] : bottom, low[0] : right]
    small = cv2.resize(part, [int(side) for side in size_wh], interpolation=cv2.INTER_AREA)
    points = np.stack(
        [map_points(square_to_quad(quad), (_GRID_POINTS - 0.5) * sides + 0.5) for quad in quads_px]
    )
    at = ((points - low + 0.5) / shrink - 0.5).astype(np.float32)
    return cv2.remap(small, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(
        np.float32
    )


def _cut(
    image_bgr: ImageU8, quad_px: Points, sides: float, scale: float
) -> tuple[ImageU8, NDArray[np.float64]]:
    """Return a part of a picture about a place, so many sides large and made smaller, and its corner."""
    middle, reach = quad_px.mean(axis=0), sides * side_px(quad_px) / 2
    size = np.array([image_bgr.shape[1], image_bgr.shape[0]])
    (left, top), (right, bottom) = (
        np.clip(np.round(middle + off), 0, size).astype(int) for off in (-reach, reach)
    )
    part = image_bgr[top:bottom, left:right]
    if min(part.shape[:2]) * scale < 1:  # hardly anything of it is in the picture
        return np.zeros((1, 1, 3), np.uint8), np.zeros(2)
    return np.asarray(made_smaller(part, scale), np.uint8), np.array([left, top], np.float64)


def _grown(quad_px: Points, sides: float, scale: float, corner: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return where a quad lies, grown to so many sides, in a part of the picture that was cut."""
    middle = quad_px.mean(axis=0)
    return np.asarray(np.round((middle + (quad_px - middle) * sides - corner) * scale), np.int32)


def _levels(colours_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return (..., 3) colours in rough levels of lightness and of the two colour axes."""
    lab = cv2.cvtColor(colours_bgr.reshape(-1, 1, 3), cv2.COLOR_BGR2LAB) // np.array(
        [_SHADES, _COLOURS, _COLOURS], np.uint8
    )
    return np.asarray(lab.reshape(colours_bgr.shape), np.uint8)


def _table_shares(colours_bgr: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the share of each place's points, (n, points, 3) BGR, whose colour is the table's."""
    count = len(colours_bgr)
    if count == 1:
        return np.ones(1)
    levels = _levels(colours_bgr.round().astype(np.uint8))
    shades, tints = 255 // _SHADES + 1, 255 // _COLOURS + 1
    shows = np.zeros((count, shades, tints, tints), bool)
    at = (levels[..., 0], levels[..., 1], levels[..., 2])
    shows[(np.arange(count)[:, None], *at)] = True
    for axis in (1, 2, 3):
        one, before = np.moveaxis(shows, axis, 0), np.moveaxis(shows.copy(), axis, 0)
        one[1:] |= before[:-1]
        one[:-1] |= before[1:]
    others = shows.sum(axis=0)[at] - 1
    common = others >= max(1, np.ceil(_COMMON_SHARE * (count - 1)))
    return np.asarray(common.mean(axis=1), np.float64)
