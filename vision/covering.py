"""Says whether something lies over the pyramid, by comparing with how the table looked before.

A hand that the reader takes for table hides tiles as if they had been taken away. But where tiles come and
go, the picture changes in their places alone; an arm or a sleeve changes it beyond them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageU8
from vision.geometry import Matrix, side_px
from vision.keeping import carried, view_change
from vision.reading import Quad, Reading, TileReading

SMALL_SIDE_PX = 320
"""The longer side of the pictures that are compared."""
MIN_CHANGE = 22.0
"""Levels of 255 by which a colour must differ, once both pictures are as bright as each other."""
FAINT_CHANGE = 11.0
"""So much suffices beside a place that differs by `MIN_CHANGE`."""
DAZZLED, MOST_DAZZLED = 240.0, 1.5
"""A colour this bright may have been brighter, by a factor up to the second: by less light it may darken less
than others."""
_LEVELS = 12
"""Groups of pixels, as bright as each other, by which the light is compared."""
TREMBLE_PX = 0.3
"""Pixels of the small picture by which the camera may have moved all the same."""
MARGIN = 1.5
"""How much larger than a tile its place is: tiles have edges, shadows, and lie a little aside."""
MIN_BEYOND = 0.6
"""Areas of a tile by which a change must reach beyond the places of tiles."""
MIN_BEYOND_HIDDEN = 0.15
"""The same where the reader, too, takes something for a hand, or where the change comes in from the edge of
the picture, as arms do."""
MIN_OVERLAP = 0.15
"""Share of a tile's place over which the change must lie."""
PATIENCE_S = 30.0
"""Seconds after which what lies over the pyramid belongs to the table."""
NEW_VIEW = 0.6
"""Share of the picture; where more has changed, the camera was moved or the light switched."""
MANY_CHANGED = 0.1
"""Share of the picture; where more has changed, the camera may have been moved."""
_MOST_POINTS, _FEWEST_POINTS = 200, 12
"""Corners by which it is told how the camera was moved."""
_BLOCKS_WH, _IN_BLOCK, _MOST_BLOCKS = (8, 6), 0.15, 0.75
"""So it was where in so many of the blocks of the picture so large a share has: an arm is one thing."""


_Clear = tuple[NDArray[np.float32], tuple[TileReading, ...]]
"""A table over which nothing lay: its small picture, as the camera would see it now, and its tiles."""
_MOST_OLDER = 3


class Covering:
    """Remembers the last clear table of one source."""

    def __init__(self, known: Collection[str] = ()) -> None:
        """Begin with a table that was not seen yet.

        Args:
            known: The codes of tiles that must lie there: where one is missing on the first table, something
                may lie over it.
        """
        self._known = frozenset(known)
        self._clear: _Clear | None = None
        self._older: list[_Clear] = []
        """The first clear table and those before the last: an arm may have lain beside one of them."""
        self._over_since_s: float | None = None

    def is_over(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> bool:
        """Return whether something that was not there before hides tiles, or shows false ones.

        What the reader takes for something that hides a place is believed only where this cannot be told.
        After `PATIENCE_S` it is taken for a part of the table.

        Args:
            image_bgr: (H, W, 3) uint8 BGR.
            reading: What was read there.
            time_s: When, in seconds; never falls.
        """
        if self._over_since_s is not None and time_s - self._over_since_s > PATIENCE_S:
            self._clear, self._known, self._older = None, frozenset(), []
        small = _shrink(image_bgr)
        factor = small.shape[1] / image_bgr.shape[1]
        is_over, is_clear, view = self._compare(small, reading, factor)
        if is_clear:
            self._keep((small, reading.tiles), view, factor)
        if not is_over:
            self._over_since_s = None
        elif self._over_since_s is None:
            self._over_since_s = time_s
        return is_over

    def _keep(self, clear: _Clear, view: Matrix | None, factor: float) -> None:
        """Compare with a table from now on; `view` is how the camera has moved since the last one."""
        if self._clear is None or self._clear[0].shape != clear[0].shape:
            self._older = []
        else:
            self._older.append(self._clear)
        if len(self._older) > _MOST_OLDER:
            del self._older[1]
        if view is not None:
            self._older = [
                (_seen_from(small, view, factor), carried(tiles, view)) for small, tiles in self._older
            ]
        self._clear = clear

    def _compare(
        self, small: NDArray[np.float32], reading: Reading, factor: float
    ) -> tuple[bool, bool, Matrix | None]:
        """Return whether something is over the table, and whether this is the table to compare with.

        Returns:
            The two, and how the camera has moved since the table that was compared with.
        """
        if self._clear is None or self._clear[0].shape != small.shape:
            is_over = not self._known.issubset(tile.code for tile in reading.tiles)
            is_over = is_over or bool(reading.hidden)
            return is_over, not (is_over or any(tile.covered for tile in reading.tiles)), None
        before, known = self._clear
        view, changed = None, _changed(before, small)
        if (by_tiles := view_change(known, reading.tiles)) is not None:
            view, changed = _better((view, changed), by_tiles, before, small, factor)
        if changed.mean() > MANY_CHANGED and (by_table := _view_change(before, small, factor)) is not None:
            view, changed = _better((view, changed), by_table, before, small, factor)
        known = carried(known, view)
        tiles = [tile.quad_px for tile in (*known, *reading.tiles)]
        suspect = [
            tile.quad_px for tile in known if not any(_is_same(tile, other) for other in reading.tiles)
        ]
        suspect += [
            tile.quad_px
            for tile in reading.tiles
            if tile.unsure and not any(_is_same(tile, other) for other in known)
        ]
        if any(tile.covered and _lay_clear(tile, known) for tile in reading.tiles):
            return True, False, view
        if not suspect and not reading.hidden:
            # An arm beside the pyramid must not come to be compared with.
            return False, len(reading.tiles) != len(known) or view is not None, view
        is_over = False
        if _is_new_view(changed):
            self._older = []
            is_over = bool(reading.hidden)
        elif _reaches(changed, reading.hidden, tiles, factor, MIN_BEYOND_HIDDEN):
            is_over = True
        elif _reaches(changed, suspect, tiles, factor, MIN_BEYOND):
            is_over = not self._was_like_that(small, view, suspect, tiles, factor)
        return is_over, not (is_over or any(tile.covered for tile in reading.tiles)), view

    def _was_like_that(
        self,
        small: NDArray[np.float32],
        view: Matrix | None,
        suspect: list[Quad],
        tiles: list[Quad],
        factor: float,
    ) -> bool:
        """Return whether nothing lies over the table by what it looked like earlier.

        Then the arm lay beside the last clear table, and has gone.
        """
        for older, lying in self._older:
            before = older if view is None else _seen_from(older, view, factor)
            changed = _changed(before, small)
            places = [*tiles, *(tile.quad_px for tile in carried(lying, view))]
            if not _is_new_view(changed) and not _reaches(changed, suspect, places, factor, MIN_BEYOND):
                return True
        return False


def _shrink(image_bgr: ImageU8) -> NDArray[np.float32]:
    """Return a picture with a longer side of about `SMALL_SIDE_PX`."""
    height, width = image_bgr.shape[:2]
    factor = SMALL_SIDE_PX / max(height, width)
    size_wh = max(1, round(width * factor)), max(1, round(height * factor))
    small = cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA)
    return cv2.blur(small, (3, 3)).astype(np.float32)


def _view_change(before: NDArray[np.float32], now: NDArray[np.float32], factor: float) -> Matrix | None:
    """Return how the camera moved between two small pictures by what lies still in them; None if unknown.

    Returns:
        A (3, 3) homography of the pixels of the large pictures.
    """
    old, new = (
        cv2.cvtColor(each.astype(np.uint8), cv2.COLOR_BGR2GRAY) for each in (_lit_alike(before, now), now)
    )
    points = cv2.goodFeaturesToTrack(old, _MOST_POINTS, 0.001, 6)
    if points is None:
        return None
    there, status, _ = cv2.calcOpticalFlowPyrLK(old, new, points, points.copy(), winSize=(31, 31), maxLevel=3)
    is_found = status.ravel() > 0
    if is_found.sum() < _FEWEST_POINTS:
        return None
    pairs = points[is_found], there[is_found]
    affine, inliers = cv2.estimateAffinePartial2D(*pairs, ransacReprojThreshold=1.0)
    if affine is None or inliers.sum() < max(_FEWEST_POINTS, is_found.sum() / 4):
        return None
    scale = np.diag([factor, factor, 1.0])
    return np.asarray(np.linalg.inv(scale) @ np.vstack([affine, [0, 0, 1]]) @ scale, np.float64)


def _better(
    known: tuple[Matrix | None, NDArray[np.uint8]],
    view: Matrix,
    before: NDArray[np.float32],
    now: NDArray[np.float32],
    factor: float,
) -> tuple[Matrix | None, NDArray[np.uint8]]:
    """Return the likelier way in which the camera moved, with what has changed then.

    A tile that is half covered may seem to have moved with the camera.
    """
    changed = _changed(_seen_from(before, view, factor), now)
    return (view, changed) if changed.mean() < known[1].mean() else known


def _seen_from(before: NDArray[np.float32], view: Matrix, factor: float) -> NDArray[np.float32]:
    """Return a small picture as the camera would have seen it from where it is now; what it did not see then
    is like the edge."""
    scale = np.diag([factor, factor, 1.0])
    small = scale @ view @ np.linalg.inv(scale)
    height, width = before.shape[:2]
    return np.asarray(
        cv2.warpPerspective(before, small, (width, height), borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _changed(before: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return a (H, W) mask of 0 and 1: where two pictures differ in more than the light on the whole.

    An arm may have nearly the table's colour in places: what differs a little belongs to what differs much.
    """
    lit = _lit_alike(before, now)
    contrast = cv2.morphologyEx(lit, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    brightest = np.where(before >= DAZZLED, np.minimum(MOST_DAZZLED * lit, 255), lit)
    differs = (np.maximum(lit - now, now - brightest) - TREMBLE_PX * contrast).max(axis=2)
    faint = cv2.morphologyEx(
        (differs > FAINT_CHANGE).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)
    )
    _count, labels = cv2.connectedComponents(faint)
    strong = np.unique(labels[differs > MIN_CHANGE])
    return np.isin(labels, strong[strong > 0]).astype(np.uint8)


def _is_new_view(changed: NDArray[np.uint8]) -> bool:
    """Return whether the camera was moved or the light switched, by a (H, W) mask of what has changed."""
    blocks = cv2.resize(changed.astype(np.float32), _BLOCKS_WH, interpolation=cv2.INTER_AREA)
    return bool(changed.mean() > NEW_VIEW or (blocks >= _IN_BLOCK).mean() >= _MOST_BLOCKS)


def _lit_alike(before: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a picture in the light of another one: each colour's levels stretched and raised alike.

    A camera does more to them than to multiply, so that dark and bright ones change by different factors.
    """
    lit = np.empty_like(before)
    for channel in range(before.shape[2]):
        old, new = before[..., channel].ravel()[::3], now[..., channel].ravel()[::3]
        order = np.argsort(old)
        levels = np.array(
            [(0.0, 0.0)]
            + [(np.median(old[part]), np.median(new[part])) for part in np.array_split(order, _LEVELS)]
        )
        levels = levels[(levels < DAZZLED).all(axis=1)]
        if len(levels) < 2:
            levels = np.array([(0.0, 0.0), (np.median(old), np.median(new))])
        # Levels are not close to each other where the table has several, so the slope is well known.
        slope, rise = np.polyfit(levels[:, 0], levels[:, 1], 1) if np.ptp(levels[:, 0]) > 1 else (1.0, 0.0)
        lit[..., channel] = np.clip(slope * before[..., channel] + rise, 0, 255)
    return lit


def _reaches(
    changed: NDArray[np.uint8],
    over: Sequence[Quad],
    tiles: Sequence[Quad],
    factor: float,
    least: float,
) -> bool:
    """Return whether one change lies over one of some places, and reaches beyond those of all tiles by at
    `least` so many of its areas."""
    places = np.zeros_like(changed)
    for quad in tiles:
        cv2.fillConvexPoly(places, _place(quad, factor, MARGIN), 1)
    _count, labels = cv2.connectedComponents(changed)
    edges = {*labels[0], *labels[-1], *labels[:, 0], *labels[:, -1]}
    for quad in over:
        place = np.zeros_like(changed)
        cv2.fillConvexPoly(place, _place(quad, factor, 1.0), 1)
        area = int(place.sum())
        numbers, counts = np.unique(labels[(place > 0) & (changed > 0)], return_counts=True)
        for number, count in zip(numbers, counts, strict=True):
            beyond = int(((labels == number) & (places == 0)).sum())
            enough = min(least, MIN_BEYOND_HIDDEN) if number in edges else least
            if count > MIN_OVERLAP * area and beyond > enough * area:
                return True
    return False


def _place(quad: Quad, factor: float, margin: float) -> NDArray[np.int32]:
    """Return a tile's corners in the small picture, moved away from its middle."""
    corners = np.array(quad)
    middle = corners.mean(axis=0)
    return np.asarray(np.round((middle + (corners - middle) * margin) * factor), np.int32)


def _is_same(tile: TileReading, other: TileReading) -> bool:
    """Return whether two readings of a place show the same tile, clearly the second time."""
    return tile.code == other.code and not other.covered and _distance(tile, other) < 0.5


def _lay_clear(tile: TileReading, known: tuple[TileReading, ...]) -> bool:
    """Return whether nothing lay over a tile's place before, though a tile lay there."""
    return any(not other.covered and _distance(tile, other) < 0.5 for other in known)


def _distance(tile: TileReading, other: TileReading) -> float:
    """Return how far the middles of two faces lie apart, in sides of the first."""
    quad = np.array(tile.quad_px)
    return float(np.hypot(*(quad.mean(axis=0) - np.array(other.quad_px).mean(axis=0)))) / side_px(quad)
