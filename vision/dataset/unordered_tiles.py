"""Tiles that form no pyramid: their reading order, and a reading that lists them in it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from referee.rules.layout import EMPTY
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, side_px
from vision.recognition.reading import DetectedTile, Reading, TileReading

_MAX_RISE = 0.5
"""A tile and the next in its row lie at most this much higher or lower, in tile sides."""
_LEVEL = 0.8
"""From this share of agreement on, the tiles' edges tell how far the picture is turned."""


def in_reading_order(quads_px: Sequence[Points]) -> list[int]:
    """Return the indices of (4, 2) quads as one reads: row by row from the top, each from left to right.

    A picture that is turned by a few degrees is levelled first, if the tiles agree on how far.

    >>> tile = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
    >>> in_reading_order([tile + [0, 20], tile + [20, 1], tile])
    [2, 1, 0]
    """
    if not quads_px:
        return []
    middles = np.array([quad.mean(axis=0) for quad in quads_px], np.float64) @ _levelling(quads_px)
    side = float(np.median([side_px(quad) for quad in quads_px]))
    left, order = set(range(len(quads_px))), list[int]()
    while left:
        row = _row(min(left, key=lambda index: middles[index, 1]), left, middles, _MAX_RISE * side)
        order += row
        left -= set(row)
    return order


def _levelling(quads_px: Sequence[Points]) -> NDArray[np.float64]:
    """Return the (2, 2) matrix that turns points (as rows) so that most edges lie level."""
    edges = np.array([quad[1] - quad[0] + quad[2] - quad[3] for quad in quads_px], np.float64)
    # Four times the angle, so that it does not matter from which corner a quad is listed.
    mean = np.exp(4j * np.arctan2(edges[:, 1], edges[:, 0])).mean()
    angle = float(np.angle(mean)) / 4 if abs(mean) > _LEVEL else 0.0
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _row(first: int, left: set[int], middles: NDArray[np.float64], rise: float) -> list[int]:
    """Return the row of the topmost tile, from left to right; each step goes to the tile next to it."""
    row = [first]
    for way in (1, -1):
        at = first
        while True:
            beside = [
                index
                for index in left
                if way * (middles[index, 0] - middles[at, 0]) > 0
                and abs(middles[index, 1] - middles[at, 1]) < rise
            ]
            if not beside:
                break
            at = min(beside, key=lambda index: abs(middles[index, 0] - middles[at, 0]))
            row.append(at)
    return sorted(row, key=lambda index: middles[index, 0])


def read_unordered_tiles(find: Callable[[ImageU8], Sequence[DetectedTile]], image_bgr: ImageU8) -> Reading:
    """Return a reading that lists every tile of a (H, W, 3) uint8 BGR picture in reading order.

    For tiles that form no pyramid: the layout is empty, and rows and slots are 0.

    Args:
        find: Finds the tiles, as a reader's `tiles` or `laid_out` does.
        image_bgr: The picture.
    """
    started = time.perf_counter()
    tiles = find(image_bgr)
    order = in_reading_order([np.array(tile.quad_px, np.float32) for tile in tiles])
    listed = tuple(
        TileReading(tile.code, 0, 0, tile.quad_px, tile.confidence, tile.unsure)
        for tile in (tiles[index] for index in order)
    )
    return Reading(listed, EMPTY, {"total": (time.perf_counter() - started) * 1e3})
