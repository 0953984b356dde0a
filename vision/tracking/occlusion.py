"""Finds out whether something lies over the pyramid, by comparing the table with how it looked before.

The reader may take a hand for table, and then the tiles under it seem to be gone. But if tiles come or go,
the picture changes only at their places. An arm or a sleeve changes it beyond them.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Matrix
from vision.recognition.reading import Quad, Reading, TileReading
from vision.tracking.camera_motion import (
    FAINT_CHANGE,
    MARGIN,
    STAYED,
    Small,
    after_push,
    carried,
    changes,
    distance,
    find_view,
    is_same_place,
    is_still,
    place_of,
    seen_from,
    shrink,
    unseen_share,
)
from vision.tracking.change_detection import is_new_view, without_light
from vision.tracking.initial_table import HAND_S
from vision.tracking.lattice_track import own_places, pushed

MIN_BEYOND = 0.1
"""A change must reach beyond the places of tiles by this many times the area of a tile."""
MIN_OVERLAP = 0.15
"""The change must lie over at least this share of a tile's place."""
FACE, MIN_COVERED = 0.7, 0.25
"""A change covers a tile if it lies over the second share of the inner part of its face (the first
number)."""
MOST_CHANGED = 0.5
"""A tile of whose face less than this has changed lies there still."""
_NECK_PX = 5
"""What hangs together by less than so many pixels of the small picture are two things: a back that was laid
between the pyramid and the picture's edge touched both (film 404209)."""
BESIDE_MARGIN = 2.0
"""What lies within half a tile of another one lies beside it."""
MOST_UNSEEN = 0.1
"""The camera was moved far if it had not seen more than this share of the picture: what lies there now would
seem to reach in from the edge. Not fitted: film 475333 asked for it."""
ARM_TILES = 2.0
"""An arm that reaches in from the picture's edge is at least as large as so many tiles."""
PATIENCE_S = 30.0
"""After this many seconds, a thing that lies over the pyramid is part of the table."""

_Clear = tuple[Small, tuple[TileReading, ...]]
"""A table over which nothing lay: its small picture, as the camera would see it now, and its tiles."""
_MOST_OLDER = 3


class OcclusionCheck:
    """Remembers the last clear table of one source."""

    def __init__(self, least: int = 0) -> None:
        """Begin with a table that was not seen yet.

        Args:
            least: How many tiles must lie there. With fewer on the first table, something may lie over it.
                Which ones they are does not count: now one of them may be read as another.
        """
        self._least = least
        self._clear: _Clear | None = None
        self._older: list[_Clear] = []
        """The first clear table and some before the last one: an arm may have lain beside one of them."""
        self._calm: _Clear | None = None
        """A table since the last clear one on which as many tiles lay, and nothing over them."""
        self._over_since_s: float | None = None
        self._beside_since_s: float | None = None
        """Since when a hand has lain beside a tile that has come, or may lie over all tiles."""
        self._resting: tuple[Small, float] | None = None
        """The small picture since which what reaches in has not moved, and when it was taken."""

    def is_over(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> bool:
        """Return whether something new lies over the table, which hides tiles or looks like tiles.

        A hidden place of the reading counts only if the pictures agree, or cannot tell. A covered tile counts
        at once if it was clear before. After `PATIENCE_S` the thing is taken for a part of the table.

        Args:
            image_bgr: (H, W, 3) uint8 BGR.
            reading: What was read there.
            time_s: When, in seconds; never falls.
        """
        if self._over_since_s is not None and time_s - self._over_since_s > PATIENCE_S:
            self._clear, self._least, self._older = None, 0, []
        small = shrink(image_bgr)
        factor = small.shape[1] / image_bgr.shape[1]
        is_over, is_clear, view = self._compare(small, reading, factor, time_s)
        if is_clear:
            self._keep((small, reading.tiles), view, factor)
        if not is_over:
            self._calm = None if is_clear else (small, reading.tiles)
            self._over_since_s = self._beside_since_s = self._resting = None
        elif self._over_since_s is None:
            self._over_since_s = time_s
        return is_over

    def forget(self, bare_bgr: ImageU8 | None = None) -> None:
        """Take the next table for the first one: what was seen on the last one were things.

        Args:
            bare_bgr: (H, W, 3) uint8 BGR, the table without them, to be compared with; None: nobody saw it.
                An arm over the next one would belong to the table (film 470050).
        """
        self._clear = None if bare_bgr is None else (shrink(bare_bgr), ())
        self._calm, self._older, self._over_since_s = None, [], None

    @staticmethod
    def has_reached_in(before_bgr: ImageU8, image_bgr: ImageU8, reading: Reading) -> bool:
        """Return whether an arm reaches in from the picture's edge that was not there before.

        Args:
            before_bgr: (H, W, 3) uint8 BGR: a table without tiles.
            image_bgr: The same size: the table now.
            reading: What was read there, a tile at least.
        """
        before, now = shrink(before_bgr), shrink(image_bgr)
        changed = without_light(before, now, changes(before, now))
        quads = [tile.quad_px for tile in reading.tiles]
        factor = now.shape[1] / image_bgr.shape[1]
        return not is_new_view(changed) and _reaches_in(changed, quads, factor)

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
                (seen_from(small, view, factor), carried(tiles, view)) for small, tiles in self._older
            ]
        self._clear = clear

    def _compare(
        self, small: Small, reading: Reading, factor: float, time_s: float
    ) -> tuple[bool, bool, Matrix | None]:
        """Return whether something is over the table, whether the next one is compared with it, and the view.

        The view is how the camera has moved since the table that was compared with.
        """
        if self._clear is None or self._clear[0].shape != small.shape:
            is_over = len(reading.tiles) < self._least or _hides(reading)
            return is_over, not is_over, None
        before, known = self._clear
        is_calm = is_still(known, reading.tiles) and not reading.hidden and not _suspect(known, reading.tiles)
        if is_calm and not (_has_come(known, reading.tiles) and _changes_at_edge(before, small)):
            return False, len(reading.tiles) != len(known), None
        known, changed, view, has_moved = self._since_clear(before, small, known, reading, factor)
        tiles = [tile.quad_px for tile in (*known, *reading.tiles)]
        if any(tile.covered and _lay_clear(tile, known) for tile in reading.tiles):
            return True, False, view
        if not _suspect(known, reading.tiles) and not reading.hidden:
            enters = bool(tiles) and self._enters(small, changed, tiles, factor)
            is_beside = enters and _has_come(known, reading.tiles) and _touches(changed, tiles, factor)
            if is_beside and self._waits_for_hand(time_s):
                return True, False, view
            # An arm over the bare table or beside the pyramid must not come to be compared with: it may move
            # the picture's features as a bump of the camera does, and lie over a tile when it comes again.
            is_new = len(reading.tiles) != len(known) or (has_moved and bool(tiles) and not enters)
            return False, is_new, view
        if is_new_view(changed) or (view is not None and unseen_share(view, small, factor) > MOST_UNSEEN):
            self._older = []
            # A hand over the only tile, once the camera was bumped, passed for a bare table (film 423263).
            may_be_hand = bool(known) and not reading.tiles
            is_over = _hides(reading)
        else:
            # A sleeve had the colours of the cloth or its squares: no arm was seen (391108, 437080, 426298).
            may_be_hand = _may_be_hand(changed, reading, known, factor)
            is_over = self._hides_tiles(small, changed, reading, known, view, factor, time_s)
        is_over = is_over or (may_be_hand and self._waits_for_hand(time_s))
        return is_over, not is_over, view

    def _since_clear(
        self, before: Small, small: Small, known: tuple[TileReading, ...], reading: Reading, factor: float
    ) -> tuple[tuple[TileReading, ...], NDArray[np.uint8], Matrix | None, bool]:
        """Return the known tiles where they lie now, what else changed, the view, and whether any moved."""
        view, differs = find_view(before, small, known, reading.tiles, factor)
        before, known = before if view is None else seen_from(before, view, factor), carried(known, view)
        push = pushed(reading.tiles, dict(zip(own_places(known), known, strict=True)))
        if push is not None:
            before = after_push(before, [tile.quad_px for tile in known], push, factor, small)
            known, differs, self._older = carried(known, push), changes(before, small), []
        return known, without_light(before, small, differs), view, view is not None or push is not None

    def _hides_tiles(
        self,
        small: Small,
        changed: NDArray[np.uint8],
        reading: Reading,
        known: Sequence[TileReading],
        view: Matrix | None,
        factor: float,
        time_s: float,
    ) -> bool:
        """Return whether something lies over known tiles or what was read, and did not on a table before."""
        tiles = [tile.quad_px for tile in (*known, *reading.tiles)]
        over_tiles = [quad for quad in reading.hidden if any(_lay_at(quad, tile) for tile in known)]
        if _lies_over(changed, over_tiles, tiles, _stayed(known, reading.tiles), factor):
            return True
        # Who takes one tile may hold it, with an arm over another one. Where none is missing, a thing that
        # lies over a part of a tile that is read all the same tells nothing of a new one that is in doubt.
        new = _doubtful_new(known, reading.tiles)
        over = [*(tiles if _missing(known, reading.tiles) else new), *reading.hidden]
        if _reaches(changed, over, tiles, factor) and not self._was_like_that(
            small, view, over, tiles, factor
        ):
            return True
        has_gone = view is None and _has_gone(known, reading.tiles)
        # Who holds it may rest the arm beside the tiles; a telephone that was laid far from them stays there.
        return (
            has_gone
            and self._enters(small, changed, tiles, factor)
            and (_touches(changed, tiles, factor) or not self._rests(small, tiles, factor, time_s))
        )

    def _waits_for_hand(self, time_s: float) -> bool:
        """Return whether a hand may lay another tile soon, or take one back, or lie over the only one.

        A telephone at the picture's edge lies there for longer.
        """
        if self._beside_since_s is None:
            self._beside_since_s = time_s
        return time_s - self._beside_since_s < HAND_S

    def _rests(self, small: Small, tiles: list[Quad], factor: float, time_s: float) -> bool:
        """Return whether what reaches in from the picture's edge has lain still there for a while."""
        if self._resting is None or _reaches_in(changes(self._resting[0], small), tiles, factor):
            self._resting = small, time_s
        return time_s - self._resting[1] >= HAND_S

    def _enters(self, small: Small, changed: NDArray[np.uint8], tiles: list[Quad], factor: float) -> bool:
        """Return whether something large reaches in from the picture's edge that was on no earlier table."""
        return _reaches_in(changed, tiles, factor) and all(
            _reaches_in(without_light(older, small, changes(older, small)), tiles, factor)
            for older, _lying in (*self._older, *self._without_arm(factor))
        )

    def _without_arm(self, factor: float) -> list[_Clear]:
        """Return the last calm table, if nothing reaches in there that did not on the last clear one.

        The arm that had laid the last tile had a shadow there (film 414198: 3 of 20 calls).
        """
        if self._clear is None or self._calm is None:
            return []
        (before, _tiles), (small, lying) = self._clear, self._calm
        changed = without_light(before, small, changes(before, small))
        quads = [tile.quad_px for tile in lying]
        is_alike = bool(quads) and not is_new_view(changed) and not _reaches_in(changed, quads, factor)
        return [self._calm] if is_alike else []

    def _was_like_that(
        self,
        small: Small,
        view: Matrix | None,
        over: list[Quad],
        tiles: list[Quad],
        factor: float,
    ) -> bool:
        """Return whether an earlier table shows that nothing lies over this one.

        Then an arm lay beside the last clear table, and has gone.
        """
        for older, lying in (*self._older, *self._without_arm(factor)):
            before = older if view is None else seen_from(older, view, factor)
            changed = without_light(before, small, changes(before, small))
            places = [*tiles, *(tile.quad_px for tile in carried(lying, view))]
            if not is_new_view(changed) and not _reaches(changed, over, places, factor):
                return True
        return False


def _hides(reading: Reading) -> bool:
    """Return whether a picture by itself looks as if something lay over its tiles."""
    return bool(reading.hidden) or any(tile.covered for tile in reading.tiles)


def _suspect(known: Sequence[TileReading], tiles: Sequence[TileReading]) -> list[Quad]:
    """Return where tiles are not read any more, and where doubtful tiles are new."""
    return _missing(known, tiles) + _doubtful_new(known, tiles)


def _missing(known: Sequence[TileReading], tiles: Sequence[TileReading]) -> list[Quad]:
    """Return where tiles are not read any more."""
    return [tile.quad_px for tile in known if not any(_is_same(tile, other) for other in tiles)]


def _doubtful_new(known: Sequence[TileReading], tiles: Sequence[TileReading]) -> list[Quad]:
    """Return where doubtful tiles are new."""
    return [
        tile.quad_px for tile in tiles if tile.unsure and not any(_is_same(tile, other) for other in known)
    ]


def _parts(changed: NDArray[np.uint8]) -> tuple[NDArray[np.int32], set[int]]:
    """Return what has changed as parts, (H, W) numbers from 1 on, and those that touch the picture's edge."""
    apart = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((_NECK_PX, _NECK_PX), np.uint8))
    labels = np.asarray(cv2.connectedComponents(apart)[1], np.int32)
    edges = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return labels, {int(number) for number in np.unique(edges) if number}


def _parts_beyond(
    changed: NDArray[np.uint8], tiles: Sequence[Quad], factor: float
) -> tuple[NDArray[np.int32], set[int]]:
    """Return the parts of what has changed beyond the places of tiles, as `_parts` does."""
    beyond = changed.copy()
    for quad in tiles:
        cv2.fillConvexPoly(beyond, place_of(quad, factor, MARGIN), 0)
    return _parts(beyond)


def _reaches(
    changed: NDArray[np.uint8],
    over: Sequence[Quad],
    tiles: Sequence[Quad],
    factor: float,
    *,
    from_edge: bool = True,
) -> bool:
    """Return whether one change lies over one of some places, and reaches beyond those of all tiles.

    Arms reach in from the edge of the picture. Backs, cups and phones do not: they lie beside the pyramid.
    """
    places = np.zeros_like(changed)
    for quad in tiles:
        cv2.fillConvexPoly(places, place_of(quad, factor, MARGIN), 1)
    labels, edges = _parts(changed)
    for quad in over:
        place = np.zeros_like(changed)
        cv2.fillConvexPoly(place, place_of(quad, factor, 1.0), 1)
        area = int(place.sum())
        numbers, counts = np.unique(labels[(place > 0) & (labels > 0)], return_counts=True)
        for number, count in zip(numbers, counts, strict=True):
            beyond = int(((labels == number) & (places == 0)).sum())
            if (
                (number in edges or not from_edge)
                and count > MIN_OVERLAP * area
                and beyond > MIN_BEYOND * area
            ):
                return True
    return False


def _has_gone(known: Sequence[TileReading], tiles: Sequence[TileReading]) -> bool:
    """Return whether a known tile is read nowhere: somebody may hold it."""
    return not {tile.code for tile in known} <= {tile.code for tile in tiles}


def _most_gone(known: Sequence[TileReading], reading: Reading) -> bool:
    """Return whether most of several known tiles are not read, nor another one surely, nor the table there.

    An incendiary had burned two, and the next tile lay where they had (film 427051).
    """
    codes = {tile.code for tile in known}
    gone = codes - {tile.code for tile in reading.tiles}
    has_come = any(not tile.unsure and tile.code not in codes for tile in reading.tiles)
    is_most = len(known) > 1 and 2 * len(gone) > len(codes)
    return is_most and not has_come and not gone <= {*reading.lifted}


def _may_be_hand(
    changed: NDArray[np.uint8], reading: Reading, known: Sequence[TileReading], factor: float
) -> bool:
    """Return whether most tiles are not read, or one has come beside a place that something large hides.

    The second of two tiles of one turn lay under the hand, and the first was told as placed (film 426298).
    """
    tiles = [tile.quad_px for tile in (*known, *reading.tiles)]
    is_new = bool(reading.hidden) and _has_come(known, reading.tiles)
    return _most_gone(known, reading) or (is_new and _reaches_in(changed, tiles, factor, reading.hidden))


def _has_come(known: Sequence[TileReading], tiles: Sequence[TileReading]) -> bool:
    """Return whether a tile is read that was not there before."""
    return not {tile.code for tile in tiles} <= {tile.code for tile in known}


def _changes_at_edge(before: Small, now: Small) -> bool:
    """Return whether something may reach in from the picture's edge: to find out what costs more time."""
    differs = np.abs(now - before).max(axis=2) > FAINT_CHANGE
    return bool(
        max(edge.sum() for edge in (differs[0], differs[-1], differs[:, 0], differs[:, -1])) >= _NECK_PX
    )


def _touches(changed: NDArray[np.uint8], tiles: Sequence[Quad], factor: float) -> bool:
    """Return whether what reaches in from the picture's edge ends beside a tile.

    A fist lay beside the first of two tiles of one turn, and that was told as placed (films 412139, 412214
    and 420250).
    """
    beside = np.zeros_like(changed)
    for quad in tiles:
        cv2.fillConvexPoly(beside, place_of(quad, factor, BESIDE_MARGIN), 1)
    labels, edges = _parts_beyond(changed, tiles, factor)
    return bool(edges & {int(number) for number in np.unique(labels[beside > 0])})


def _reaches_in(
    changed: NDArray[np.uint8], tiles: Sequence[Quad], factor: float, over: Sequence[Quad] = ()
) -> bool:
    """Return whether a change as large as an arm reaches in from the picture's edge, or lies over places."""
    labels, edges = _parts_beyond(changed, tiles, factor)
    for quad in over:
        place = cv2.fillConvexPoly(np.zeros_like(changed), place_of(quad, factor, FACE), 1)
        edges |= {int(number) for number in np.unique(labels[place > 0]) if number}
    area = max(cv2.contourArea(place_of(quad, factor, 1.0)) for quad in tiles)
    return any((labels == number).sum() >= ARM_TILES * area for number in edges)


def _lies_over(
    changed: NDArray[np.uint8],
    over: Sequence[Quad],
    tiles: Sequence[Quad],
    stayed: Sequence[Quad],
    factor: float,
) -> bool:
    """Return whether what hides places where tiles lay reaches beyond them, or over a tile that stayed."""
    return (
        _reaches(changed, over, tiles, factor, from_edge=False)
        or _covers_others(changed, over, stayed, factor)
        or _shows_most(changed, over, factor)
    )


def _covers_others(
    changed: NDArray[np.uint8], over: Sequence[Quad], stayed: Sequence[Quad], factor: float
) -> bool:
    """Return whether one change lies over one of some places, and over a tile that still lies where it lay.

    A hand that takes one tile does not change the faces of the others.
    """
    _count, labels = cv2.connectedComponents(changed)

    def most_over(quads: Sequence[Quad], margin: float, least: float) -> set[int]:
        found: set[int] = set()
        for quad in quads:
            place = np.zeros_like(changed)
            cv2.fillConvexPoly(place, place_of(quad, factor, margin), 1)
            numbers, counts = np.unique(labels[(place > 0) & (changed > 0)], return_counts=True)
            found |= set(numbers[counts > least * place.sum()].tolist())
        return found

    return bool(most_over(over, 1.0, MIN_OVERLAP) & most_over(stayed, FACE, MIN_COVERED))


def _shows_most(changed: NDArray[np.uint8], over: Sequence[Quad], factor: float) -> bool:
    """Return whether most of one of some places looks as before: a tile that goes changes all of its place.

    A black telephone lay over a quarter of a tile's upper edge (film 416162).
    """
    for quad in over:
        place = np.zeros_like(changed)
        cv2.fillConvexPoly(place, place_of(quad, factor, FACE), 1)
        seen = changed[place > 0]
        if seen.size and seen.mean() < MOST_CHANGED:
            return True
    return False


def _stayed(known: Sequence[TileReading], tiles: Sequence[TileReading]) -> list[Quad]:
    """Return the corners of tiles that lie where they lay."""
    return [
        tile.quad_px
        for tile in tiles
        if any(tile.code == other.code and distance(tile.quad_px, other.quad_px) < STAYED for other in known)
    ]


def _is_same(tile: TileReading, other: TileReading) -> bool:
    """Return whether two readings of a place show the same tile, clearly the second time."""
    return tile.code == other.code and not other.covered and is_same_place(tile.quad_px, other.quad_px)


def _lay_at(quad: Quad, tile: TileReading) -> bool:
    """Return whether a tile lies at a place."""
    return is_same_place(tile.quad_px, quad)


def _lay_clear(tile: TileReading, known: tuple[TileReading, ...]) -> bool:
    """Return whether nothing lay over a tile's place before, though a tile lay there."""
    return any(not other.covered and is_same_place(tile.quad_px, other.quad_px) for other in known)
