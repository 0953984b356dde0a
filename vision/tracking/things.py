"""Tells what is no tile and hides none: things that people denied, and what only seems to hide a place.

A thing was taken for a tile until people said that it is none, and lies there still. A square of a cloth, or
a thing that stays, seems to hide the table; but a hand that lies over a place does not look the same again
once tiles were moved: it was what moved them. Still, another hand may lie where one lay before, over a tile
that was seen in between.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Matrix, Points, map_points
from vision.imaging.rectify import crop_corners
from vision.imaging.table_background import known_colours
from vision.pyramid.lattice import LatticePlace
from vision.recognition.reading import DetectedTile, Quad, Reading, TileReading
from vision.tracking.camera_motion import as_quad, find_view, is_same_place, place_of, shrink
from vision.tracking.change_detection import (
    STAYED_SHARE,
    changed_share,
    difference,
    is_print,
    is_unchanged,
    still_holds,
)
from vision.tracking.comparison import Comparison
from vision.tracking.lattice_track import TilesByPlace, joined
from vision.tracking.place_head import KnownFaces

_MOST_THINGS = 64
"""So many things are remembered, each with its picture."""
_SEEN_SHARE = 0.5
"""A thing lies there while so much of its pattern is seen, for a sleeve may hide the rest; and it lay there
before if no more than so much of its place has changed."""
_WHOLE_SHARE = 0.95
"""Nothing lies over a thing of which so much of the pattern is seen, whatever its light."""
_KNOWN_COLOURS = 0.8
"""A place shows no more than the table did if so much of it has its colours, and there is no sign of a hand
or a tile: so did 19 of 26 bare places that seemed to be hidden, and of 212 under a hand one, in which no tile
had lain (74 films)."""
_LARGER = 1.15
"""What is painted over is so much larger than the thing, which has an edge and a shadow."""
_REACH_PX = 3
"""Each pixel that is painted over is like those at so many pixels from it."""
_LEAST_LAID = 4
"""What is laid over a thing is at least a tenth as wide: so many of 40 points."""
_LEAST_READ = 0.5
"""What is new and read with a smaller chance does not show that tiles lie otherwise."""
_MOST_EARLIER = 6
"""So many pictures on which tiles lay otherwise are compared with: the first and the last on which they lay
in the same places."""


@dataclass(frozen=True, slots=True)
class _Thing:
    image_bgr: ImageU8
    """As it lay when it was denied."""
    quad_px: Quad
    """Where it lies there."""
    now_px: Quad
    """Where it lies now."""

    def lies(self, image_bgr: ImageU8, quad: Quad) -> bool:
        """Return whether it lies in a quad as it lay when it was denied, of which a part may be seen."""
        lay = self.image_bgr, self.quad_px
        return is_unchanged(*lay, image_bgr, quad) or still_holds(*lay, image_bgr, quad, least=_SEEN_SHARE)

    def laid_over(self, image_bgr: ImageU8) -> NDArray[np.bool_]:
        """Return where something lies over it or beside it that did not when it was denied, (H, W).

        A square of the cloth had passed for a tile, and the pyramid was built on it (film 407576). In the
        light of another lamp all of it looks changed, but its pattern is seen still (465864).
        """
        high, wide = image_bgr.shape[:2]
        if still_holds(self.image_bgr, self.quad_px, image_bgr, self.now_px, least=_WHOLE_SHARE):
            return np.zeros((high, wide), bool)
        changed = difference(
            self.image_bgr, self.quad_px, image_bgr, self.now_px, face_share=1 / _LARGER
        ).changed
        if changed is None:
            return np.zeros((high, wide), bool)
        # What is thinner is an edge of the thing itself.
        laid = cv2.morphologyEx(
            changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((_LEAST_LAID,) * 2, np.uint8)
        )
        laid = cv2.dilate(laid, np.ones((3, 3), np.uint8))
        corners = crop_corners(len(laid), 1 / _LARGER)
        to_picture = cv2.getPerspectiveTransform(corners, np.array(self.now_px, np.float32))
        there = cv2.warpPerspective(laid, to_picture, (wide, high), flags=cv2.INTER_NEAREST)
        return np.asarray(there > 0)

    def seen_from(self, view: Matrix) -> _Thing:
        """Return it after the camera moved by a (3, 3) homography of pixels."""
        return replace(self, now_px=as_quad(map_points(view, np.array(self.now_px))))


class DeniedThings:
    """Paints them over. For one thread."""

    def __init__(self) -> None:
        """Begin without any thing."""
        self._things: deque[_Thing] = deque(maxlen=_MOST_THINGS)

    def deny(self, image_bgr: ImageU8, quads_px: Iterable[Quad], bare_bgr: ImageU8 | None = None) -> None:
        """Hear that no tile lies in some quads of a (H, W, 3) uint8 BGR picture; it is kept.

        What mostly lay there on an earlier picture, `bare_bgr`, is the thing, and not what has come since: a
        square of the cloth with the first tile on it was read as one large tile (films 407576 and 408088).
        """
        for quad in quads_px:
            first = image_bgr if bare_bgr is None else bare_bgr
            has_come = changed_share(first, quad, image_bgr, quad) > _SEEN_SHARE
            self._things.append(_Thing(image_bgr if has_come else first, quad, quad))

    def see_from(self, view: Matrix) -> None:
        """Hear that the camera moved by a (3, 3) homography of pixels."""
        self._things = deque([thing.seen_from(view) for thing in self._things], maxlen=_MOST_THINGS)

    def painted_over(
        self, image_bgr: ImageU8, before_bgr: ImageU8 | None, lie_px: Iterable[Quad] = ()
    ) -> ImageU8:
        """Return a picture with the table around it where a thing lies as it did.

        Args:
            image_bgr: (H, W, 3) uint8 BGR.
            before_bgr: The last clear table; the camera may have moved since. None: there was none since the
                things were denied.
            lie_px: Where tiles lay on that table, which are not painted over: a square of the cloth with the
                left-over tile on it had been read as one large tile, and denied (film 412279).
        """
        lie = [thing for thing in self._things if thing.lies(image_bgr, thing.now_px)]
        if before_bgr is None and all(thing.now_px == thing.quad_px for thing in self._things):
            before_bgr = next((thing.image_bgr for thing in self._things), None)
        if len(lie) < len(self._things) and before_bgr is not None and before_bgr.shape == image_bgr.shape:
            before, now = shrink(before_bgr), shrink(image_bgr)
            view, _changed = find_view(before, now, (), (), now.shape[1] / image_bgr.shape[1])
            moved = [] if view is None else [thing.seen_from(view) for thing in self._things]
            lie += [thing for thing in moved if thing.lies(image_bgr, thing.now_px)]
        if not lie:
            return image_bgr
        mask = np.zeros(image_bgr.shape[:2], np.uint8)
        for thing in lie:
            alone = np.zeros_like(mask)
            cv2.fillConvexPoly(alone, place_of(thing.now_px, 1.0, _LARGER), 1)
            alone[thing.laid_over(image_bgr)] = 0  # another one may lie there still (film 465900)
            mask |= alone
        for quad in lie_px:
            cv2.fillConvexPoly(mask, place_of(quad, 1.0, _LARGER), 0)
        return np.asarray(cv2.inpaint(image_bgr, mask, _REACH_PX, cv2.INPAINT_TELEA), np.uint8)


@dataclass(frozen=True, slots=True)
class FirstLook:
    """The first picture of a game that knew of no tile."""

    image_bgr: ImageU8
    """(H, W, 3) uint8 BGR."""
    quads_px: Sequence[Quad]
    """Where tiles were read."""
    read_since: Sequence[Quad] = ()
    """Where others of it were read on later pictures, before any tile had come."""

    def with_read(self, image_bgr: ImageU8, quads: Sequence[Quad]) -> FirstLook:
        """Return it with what was read on a later picture, (H, W, 3) uint8 BGR, on which none has come."""
        lay = [quad for quad in quads if self.holds(image_bgr, quad)]
        return replace(self, read_since=_apart([*self.read_since, *lay])[:_MOST_THINGS])

    def has_come(self, image_bgr: ImageU8, quad: Quad) -> bool:
        """Return whether what lies in a quad of a later picture, (H, W, 3) uint8 BGR, has come since."""
        return not is_unchanged(self.image_bgr, quad, image_bgr, quad)

    def things(
        self,
        image_bgr: ImageU8,
        read: Sequence[TileReading],
        seen: Sequence[DetectedTile],
        came: Sequence[DetectedTile],
        left_over: int,
    ) -> list[Quad]:
        """Return what lay there first and looks like tiles, but touches nothing of the game.

        Nothing where some of what was read does not lie there any more, or play has gone on with more tiles
        than are left over: what lay there first was a game. And where tiles are left over, but none of them
        is seen to lie beside what has come, that must surely be a tile: it may be a thing that was put down.

        Args:
            image_bgr: A later picture, (H, W, 3) uint8 BGR.
            read: The tiles of its pyramid.
            seen: All its tiles.
            came: Tiles that have come since.
            left_over: How many may have lain there first.
        """
        if not came or image_bgr.shape != self.image_bgr.shape:
            return []
        if not all(self.holds(image_bgr, quad) for quad in self.quads_px):
            return []
        known = [*(tile.quad_px for tile in read), *self.quads_px, *self.read_since]
        was_read = _apart([quad for quad in known if self.holds(image_bgr, quad)])
        game, things = joined([tile.quad_px for tile in came], was_read)
        if len(was_read) - len(things) > left_over or not things:
            return []
        others = [tile for tile in seen if self.holds(image_bgr, tile.quad_px)]
        _, apart = joined(game, [tile.quad_px for tile in others])
        beside = [tile for tile in others if tile.quad_px not in apart]
        if not left_over and not all(tile.unsure for tile in beside):
            return []
        if left_over and not beside and all(tile.unsure for tile in came):
            return []
        groups = _groups([*things, *apart])
        groups = [group for group in groups if not _may_be_row(group, others, beside, left_over)]
        return [quad for group in groups for quad in group if not left_over or {*group} & {*things}]

    def seen_from(self, view: Matrix) -> FirstLook:
        """Return it after a bump, a (3, 3) homography of pixels: six notes were taken for a game (470045)."""
        high, wide = self.image_bgr.shape[:2]
        image = np.asarray(cv2.warpPerspective(self.image_bgr, view, (wide, high)), np.uint8)
        lay, since = (
            [as_quad(map_points(view, np.array(quad))) for quad in quads]
            for quads in (self.quads_px, self.read_since)
        )
        return FirstLook(image, lay, since)

    def holds(self, image_bgr: ImageU8, quad: Quad) -> bool:
        """Return whether what lies in a quad of a later picture, (H, W, 3) uint8 BGR, lay there first."""
        return still_holds(self.image_bgr, quad, image_bgr, quad, least=STAYED_SHARE)


def _apart(quads: Sequence[Quad]) -> list[Quad]:
    """Return some quads without those that lie where an earlier one does."""
    found: list[Quad] = []
    for quad in quads:
        if not any(is_same_place(quad, other) for other in found):
            found.append(quad)
    return found


def _may_be_row(
    group: Sequence[Quad], seen: Sequence[DetectedTile], beside: Sequence[DetectedTile], left_over: int
) -> bool:
    """Return whether what touches each other may be the left-over tiles, or the rest of their row.

    A hand may lie between them (film 465917). If just as many are surely read as are missing, one more may be
    a figure of the cloth (film 474282).

    Args:
        group: What touches each other.
        seen: All tiles that lay there first.
        beside: Those of them that lie beside what has come.
        left_over: How many are left over at most.
    """
    if len(group) + len(beside) <= left_over:
        return True
    sure = sum(any(is_same_place(quad, tile.quad_px) for tile in seen if not tile.unsure) for quad in group)
    missing = left_over - sum(not tile.unsure for tile in beside)
    return 0 < missing == sure == len(group) - 1


def _groups(quads: Sequence[Quad]) -> list[list[Quad]]:
    """Return some quads in groups that touch, each place once."""
    groups, left = list[list[Quad]](), _apart(quads)
    while left:
        group, left = joined(left[:1], left[1:])
        groups.append(group)
    return groups


class StillPlaces:
    """Remembers the last tables on which something seemed to hide a place."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._earlier: list[tuple[ImageU8, Sequence[TileReading]]] = []
        self._clear: list[ImageU8] = []
        """Those that are older than the last clear table."""

    def is_clear(self) -> None:
        """Hear that the table that was looked at last is clear."""
        self._clear = [image for image, _ in self._earlier]

    def look(
        self,
        image_bgr: ImageU8,
        quads: Collection[Quad],
        tiles: Sequence[TileReading],
        known: Collection[TileReading] = (),
        laid_over: Collection[Quad] = (),
    ) -> set[Quad]:
        """Return those of some places that look as they did when tiles lay otherwise.

        Args:
            image_bgr: (H, W, 3) uint8 BGR; it is kept, and must not be written into.
            quads: Places that something may hide.
            tiles: What lies there.
            known: What lay on the last clear table. What was read once and is no tile of either was a thing.
            laid_over: Those of the places in which a tile was seen then, and what is now in its place is no
                table: it came since.
        """
        # A telephone's corner was read as a blue 2, and as nothing a second before (film 434162).
        tiles = [tile for tile in tiles if tile.confidence >= _LEAST_READ or _is_any(tile, known)]
        tiles_now = (*tiles, *known)
        # What is seen of a tile under a thing may be read at one time and not at another (film 407930).
        seen, *lay_there = [
            [tile for tile in lay if _is_any(tile, tiles_now) and not _lies_in(tile, quads)]
            for lay in (tiles, *(lay for _, lay in self._earlier))
        ]
        alike = [at for at, lay in enumerate(lay_there) if _lie_alike(lay, seen)]
        earlier = [image for at, (image, _) in enumerate(self._earlier) if at not in alike]
        since = [image for image in earlier if not any(image is older for older in self._clear)]
        if quads:
            for at in reversed(alike[1:]):
                del self._earlier[at]
            self._earlier = [*self._earlier, (image_bgr, tiles)][-_MOST_EARLIER:]
        return {
            quad
            for quad in quads
            for images in [since if quad in laid_over else earlier]
            if any(is_unchanged(before, quad, image_bgr, quad) for before in images)
        }


def _is_any(tile: TileReading, others: Iterable[TileReading]) -> bool:
    """Return whether a tile is one of some others, also where it was read as another (film 407303)."""
    return any(tile.code == each.code or is_same_place(tile.quad_px, each.quad_px) for each in others)


def _lies_in(tile: TileReading, quads: Iterable[Quad]) -> bool:
    """Return whether a tile lies in one of some quads."""
    return any(is_same_place(tile.quad_px, quad) for quad in quads)


def _lie_alike(some: Sequence[TileReading], others: Sequence[TileReading]) -> bool:
    """Return whether tiles lie in the same places, whatever they are."""
    return len(some) == len(others) and all(
        any(is_same_place(one.quad_px, other.quad_px) for other in others) for one in some
    )


def hidden_places(
    reading: Reading,
    found: TilesByPlace,
    before: TilesByPlace,
    gone: Mapping[str, LatticePlace],
    covered: Collection[LatticePlace],
    beside: Comparison,
) -> list[Quad]:
    """Return where something hides the table, or a tile that lay there before."""
    hidden = [quad for quad in reading.hidden if not beside.is_unchanged(quad) and not beside.is_bare(quad)]
    hidden += [
        tile.quad_px
        for place, tile in before.items()
        if tile.code in gone
        and place not in found
        and (
            beside.is_strange(tile.quad_px)
            or (beside.holds(tile.quad_px) and not beside.is_bare(tile.quad_px))
            or (place in covered and not tile.unsure and beside.is_open(tile.quad_px))
        )
        and not _lies_in(tile, hidden)
    ]
    return hidden


def seen_bare(
    image_bgr: ImageU8,
    quads: Collection[Quad],
    before: TilesByPlace,
    beside: Comparison,
    faces: KnownFaces | None,
) -> set[Quad]:
    """Return those of some places that show the bare table, where the first table did not show it.

    A first tile had lain on a stripe of the cloth; once it was taken, that passed for a hand (films 406298
    and 407517), and so did the figures of a printed cloth (414181 and 414182), or tiles of the floor of which
    no two are alike (423280 and 422245: wrong steps that nobody was told of).

    Args:
        image_bgr: (H, W, 3) uint8 BGR.
        quads: Places that something seems to hide, or where a tile has gone.
        before: The tiles of the last clear table, as they would be seen now.
        beside: How the picture differs from earlier ones.
        faces: Judges places; None where nobody can.
    """
    if faces is None:
        return set()
    unknown = {quad: np.array(quad, np.float32) for quad in quads if beside.is_open(quad)}
    lay = [np.array(tile.quad_px, np.float32) for tile in before.values()]
    seen = {quad for quad, place in unknown.items() if is_print(image_bgr, place, *beside.before(lay))}
    known = [
        quad for quad in unknown if quad not in seen and _has_known_colours(image_bgr, quad, beside, lay)
    ]
    if known:
        places = [unknown[quad] for quad in known]
        is_open = faces.show_nothing_over(image_bgr, places, beside.before(places))
        seen |= {quad for quad, is_shown in zip(known, is_open, strict=True) if is_shown}
    return seen


def _has_known_colours(image_bgr: ImageU8, quad: Quad, beside: Comparison, lay: list[Points]) -> bool:
    """Return whether a place has no other colours than the last clear table around it."""
    place = np.array(quad, np.float32)
    return known_colours(image_bgr, place, *beside.before(lay)) >= _KNOWN_COLOURS


def seen_beside(
    image_bgr: ImageU8,
    hidden: Sequence[Quad],
    before: TilesByPlace,
    beside: Comparison,
    faces: KnownFaces | None,
) -> set[Quad]:
    """Return those of some hidden places that show a thing which lies where no tile lay, and no hand.

    The back of a tile that was laid at the picture's edge passed for an arm (film 408151).

    Args:
        image_bgr: (H, W, 3) uint8 BGR.
        hidden: Places that something seems to hide.
        before: The tiles of the last clear table, as they would be seen now.
        beside: How the picture differs from earlier ones.
        faces: Judges places; None where nobody can.
    """
    free = [quad for quad in hidden if not any(_lies_in(tile, [quad]) for tile in before.values())]
    if not free or faces is None:
        return set()
    places = [np.array(quad, np.float32) for quad in free]
    shown = faces.show_things(image_bgr, places, beside.before(places))
    return {quad for quad, is_shown in zip(free, shown, strict=True) if is_shown}
