"""Finds tiles that the reader missed: those that touch no other one, and those that it passed over.

The reader sees a picture by itself. On a table of which the last picture is known, the lattice says where a
tile may lie, and the pictures say where something has changed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, side_px
from vision.imaging.table_background import table_looks
from vision.recognition.lattice import LatticePlace
from vision.recognition.places_beside import LIKELY_TILE_CHANCE
from vision.recognition.reading import DetectedTile, Quad, TileReading
from vision.tracking.camera_motion import as_quad, is_same_place
from vision.tracking.comparison import Comparison
from vision.tracking.earlier_looks import read_otherwise
from vision.tracking.initial_table import CERTAIN_TILE, TileLook
from vision.tracking.lattice_track import STRAY_OFF_PLACE, GameLattice, TilesByPlace, above, around, below
from vision.tracking.place_head import SHOWN, KnownFaces

_COVERED = 0.7
"""Something covers a tile, or the place of one that has gone, if it looks covered by this chance."""
_MOST_ASKED = 24
"""The most places at which to look for tiles."""
_FEWEST_COMPARED = 6
"""At least so many places are needed to compare them with each other."""
_MOST_CHANGED = 4
"""Where more places than this have changed at once, a hand lies there, or the light was switched."""
_PUT_RIGHT = 3
"""A player may correct the place of a tile by this many half slots."""
_SURE_TILE = 0.9
"""A place holds a tile that the detector missed if it looks like a tile at least this much."""
_SOME_TILE = 0.1
"""Where just the tile is read that may have fallen there, this much is enough to cut it better."""
_DOUBTFUL_TILE = 0.97
"""The same where nobody can tell which tile it is, and none that has gone is read there."""


def add_strays(
    image_bgr: ImageU8,
    found: TilesByPlace,
    strays: Sequence[DetectedTile],
    gone: Mapping[str, LatticePlace],
    lattice: GameLattice,
    near: Collection[LatticePlace],
    beside: Comparison,
    faces: KnownFaces | None,
) -> None:
    """Put in those tiles that touch no other one and belong to the pyramid all the same."""
    for stray in strays:
        place = _place_of_stray(stray, found, gone, lattice, near)
        if place is not None and _is_there(stray, place, gone, beside):
            found[place] = as_reading(stray)
    if not lattice and not found:
        # Of several things on a table that was bare the only one that is new is the first tile.
        first = LatticePlace(0, 0)
        new = [
            each
            for each in strays
            if _is_there(each, first, gone, beside)
            and (beside.is_strange(each.quad_px) or beside.is_open(each.quad_px))
        ]
        quads = {first.moved(0, at): np.array(each.quad_px, np.float32) for at, each in enumerate(new)}
        shown = _shown(image_bgr, quads, quads, beside, faces)
        new = [each for at, each in zip(quads, new, strict=True) if each.tile >= CERTAIN_TILE or at in shown]
        if len(new) == 1:
            found[first] = as_reading(new[0])


def add_passed_over(
    look: TileLook,
    image_bgr: ImageU8,
    found: TilesByPlace,
    gone: Mapping[str, LatticePlace],
    lattice: GameLattice,
    beside: Comparison,
    faces: KnownFaces | None,
) -> tuple[set[LatticePlace], list[Quad]]:
    """Put in tiles that the detector missed, and return what else there is beside them.

    That is the places where something lies over the table, and the quads of places where the next tile may
    lie and something has changed of which nobody knows what it is.

    Looks where others that have gone lay or may have fallen, above these places, and where the next tile may
    lie if the table has changed there. With `faces` one that cannot be read is seen, too.
    """
    taken = {tile.code for tile in found.values()}
    lay = {code: place for code, place in gone.items() if code not in taken}
    over = [at for each in lay.values() for at in above(each)]
    fallen = [at for each in lay.values() for at in below(each)]
    new = _changed(lattice, _next_places(found), beside)
    asked = [*fallen, *over, *(lattice.places if lay else ()), *new]
    places = [place for place in dict.fromkeys(asked) if place not in found][:_MOST_ASKED]
    quads = lattice.quads_at(places)
    if not quads:
        return set(), []
    seen: list[tuple[LatticePlace, TileReading]] = []
    looks = _cut_better(look, image_bgr, dict(zip(places, quads, strict=True)), new, lay)
    shown = _shown(image_bgr, dict(zip(places, quads, strict=True)), {*new, *fallen, *over}, beside, faces)
    for place, quad, tile in zip(places, quads, looks, strict=True):
        is_back = tile.code in lay and (place in lattice or place in below(lay[tile.code]))
        is_other = tile.code not in lay and (place in over or place in new)
        may_be_any = tile.tile >= _DOUBTFUL_TILE and (place in new or place in fallen)
        can_be = (is_back or may_be_any) and tile.confidence > 0.5 if tile.unsure else is_back or is_other
        named: TileReading | None = as_reading(tile)
        if not (can_be and tile.code not in taken and _lies_in(quad, tile, is_back=is_back)):
            named = replace(as_reading(tile), unsure=True) if place in shown else None
        if named is not None and named.code in taken:
            named = read_otherwise(named, taken)
        if named is not None:
            seen.append((place, named))
    if len({read.code for _, read in seen}) == len(seen):
        for place, read in seen:
            is_new = not any(is_same_place(read.quad_px, other.quad_px) for other in found.values())
            if is_new and _is_there(read, place, gone, beside):
                found[place] = read
    # Where a tile lay the table is seen once it is taken.
    left = {place for place in new if not (place in found or place in lattice or place in gone.values())}
    unread = [as_quad(quad) for place, quad in zip(places, quads, strict=True) if place in left]
    shows_table = table_looks(image_bgr, quads).is_table & (len(quads) >= _FEWEST_COMPARED)
    seen_at = zip(places, looks, shows_table, strict=True)
    covered = {place for place, tile, is_table in seen_at if tile.covered >= _COVERED and not is_table}
    return covered, unread


def _cut_better(
    look: TileLook,
    image_bgr: ImageU8,
    quads: Mapping[LatticePlace, Points],
    new: Collection[LatticePlace],
    lay: Mapping[str, LatticePlace],
) -> list[DetectedTile]:
    """Return what is read in some places; where a new tile may lie also once it is cut where its corners are.

    The fewer tiles are known, the worse is it known where their neighbours lie (film 390038), and where one
    that lay alone may have fallen (film 404240).
    """
    looks = list(look.name(image_bgr, list(quads.values())))
    again = []
    for at, (place, seen) in enumerate(zip(quads, looks, strict=True)):
        fell = seen.code in lay and place in below(lay[seen.code]) and seen.tile >= _SOME_TILE
        may_be = fell or (place in new and seen.tile >= LIKELY_TILE_CHANCE)
        if may_be and seen.tile < CERTAIN_TILE:
            again.append(at)
    if again:
        corners = [np.array(looks[at].quad_px, np.float32) for at in again]
        for at, closer in zip(again, look.name(image_bgr, corners), strict=True):
            looks[at] = max(looks[at], closer, key=lambda each: each.tile)
    return looks


def _shown(
    image_bgr: ImageU8,
    quads: Mapping[LatticePlace, Points],
    asked: Collection[LatticePlace],
    beside: Comparison,
    faces: KnownFaces | None,
) -> set[LatticePlace]:
    """Return those of some places that show a face-up tile, whether it can be read or not."""
    places = [place for place in quads if place in asked]
    if faces is None or not places:
        return set()
    there = [quads[place] for place in places]
    shown = faces.show_tiles(image_bgr, there, SHOWN, beside.before(there))
    return {place for place, is_shown in zip(places, shown, strict=True) if is_shown}


def _lies_in(quad: Points, tile: DetectedTile, *, is_back: bool) -> bool:
    """Return whether what was read in a (4, 2) quad surely is a tile that lies there.

    That just the missing one is read there says as much as that it looks like a tile (film 386049).
    """
    chance = max(tile.tile, tile.confidence) if is_back else tile.tile
    off = np.hypot(*(np.array(tile.quad_px).mean(axis=0) - quad.mean(axis=0))) / side_px(quad)
    return min(chance / _SURE_TILE, tile.tile / LIKELY_TILE_CHANCE) >= 1 and bool(off <= STRAY_OFF_PLACE)


def _next_places(found: TilesByPlace) -> list[LatticePlace]:
    """Return the free places beside the lowest tiles, and above two others."""
    low = min((place.row for place in found), default=0)
    return [
        place
        for place in dict.fromkeys(at for each in found for at in around(each))
        if place not in found
        and (place.row == low or all(place.moved(-1, halves) in found for halves in (-1, 1)))
    ]


def _changed(lattice: GameLattice, places: Sequence[LatticePlace], beside: Comparison) -> list[LatticePlace]:
    """Return those of some places at which the table does not look as it did; none where they are many."""
    quads = [as_quad(quad) for quad in lattice.quads_at(places)]
    changed = [
        place
        for place, quad in zip(places, quads, strict=bool(quads))
        if not (beside.is_table(quad) or beside.is_bare(quad))
    ]
    return changed if len(changed) <= _MOST_CHANGED else []


def _place_of_stray(
    tile: DetectedTile,
    found: TilesByPlace,
    gone: Mapping[str, LatticePlace],
    lattice: GameLattice,
    near: Collection[LatticePlace],
) -> LatticePlace | None:
    """Return the place of a tile that touches no other one, or None if it is no part of the pyramid.

    It is part of the pyramid if it still lies there; if it has fallen there; if somebody corrected its place;
    if it was put back where a tile lay or was in doubt; if it was placed and the tiles below it were taken
    since; or if it is the only tile on the table.
    """
    if tile.unsure or any(tile.code == other.code for other in found.values()):
        return None
    if not lattice:
        return None if found else LatticePlace(0, 0)
    (place,) = lattice.places_of([np.array(tile.quad_px)], STRAY_OFF_PLACE)
    if place is None or place in found:
        return None
    if place in lattice or place in near:
        return place
    before = gone.get(tile.code)
    if before is None:
        return None
    fell = before.row - place.row
    is_near = fell >= 0 and abs(before.half - place.half) <= fell + _PUT_RIGHT
    return place if is_near and place.row >= lattice.low else None


def _is_there(
    tile: DetectedTile | TileReading,
    place: LatticePlace,
    gone: Mapping[str, LatticePlace],
    beside: Comparison,
) -> bool:
    """Return whether a tile lies at a place.

    It did before, or the place has changed and is not bare table.
    """
    return gone.get(tile.code) == place or not (beside.is_table(tile.quad_px) or beside.is_bare(tile.quad_px))


def mostly_stayed(found: TilesByPlace, before: TilesByPlace, beside: Comparison) -> set[LatticePlace]:
    """Return where doubtful tiles are mostly seen as they were: a mug stands over a part (film 395149)."""
    return {
        place
        for place, tile in before.items()
        if place in found
        and found[place].unsure
        and is_same_place(found[place].quad_px, tile.quad_px)
        and beside.mostly_holds(tile.quad_px)
    }


def uncover(found: TilesByPlace, before: TilesByPlace, beside: Comparison) -> None:
    """Change tiles that look covered where nothing has changed since they did not, as some art does."""
    for place, tile in before.items():
        now = found.get(place)
        is_it = now is not None and now.covered and not tile.covered and now.code == tile.code
        if now is not None and is_it and beside.is_unchanged(tile.quad_px):
            found[place] = replace(now, covered=False)


def as_reading(tile: DetectedTile) -> TileReading:
    """Return a tile that lies alone as one of the pyramid, whose place is not known yet."""
    covered = tile.covered >= _COVERED
    return TileReading(
        tile.code, 0, 0, tile.quad_px, tile.confidence, tile.unsure or covered, tile.alternatives, covered
    )
