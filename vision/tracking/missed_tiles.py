"""Finds tiles that the reader missed: those that touch no other one, and those that it passed over.

The reader sees a picture by itself. On a table of which the last picture is known, the lattice says where a
tile may lie, and the pictures say where something has changed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, side_px, turned
from vision.imaging.table_background import table_looks
from vision.pyramid.lattice import LatticePlace, around
from vision.recognition.classifier import SECOND_BELOW
from vision.recognition.places_beside import CLEAR_TILE_CHANCE, LIKELY_TILE_CHANCE
from vision.recognition.reading import COVERED, DetectedTile, Quad, TileReading, as_reading, beside_other
from vision.tracking.camera_motion import as_quad, changes, is_same_place, shrink
from vision.tracking.change_detection import without_light
from vision.tracking.comparison import Comparison
from vision.tracking.earlier_looks import read_otherwise
from vision.tracking.false_tiles import ComparedTable
from vision.tracking.initial_table import CERTAIN_TILE, DOUBTFUL_TILE, LARGEST, with_ends
from vision.tracking.lattice_track import STRAY_OFF_PLACE, GameLattice, TilesByPlace, above, below
from vision.tracking.place_head import SHOWN

_MOST_ASKED = 24
"""The most places at which to look for tiles."""
_FEWEST_COMPARED = 6
"""At least so many places are needed to compare them with each other."""
_MOST_CHANGED = 4
"""Where more places than this have changed at once, a hand lies there, or the light was switched."""
_FILLED, _SEEN = 0.7, 0.5
"""What has come may be a tile if it fills so much of the rectangle about it, and is so wide beside its
length."""
_SMALLEST, _BLUR = 0.03, 0.02
"""A first tile is at least so large, in shorter sides of the picture; and it seems larger in a small one."""
_NEARLY_AS_WELL = 0.9
"""What lies alone and is not read for certain is in doubt if it reads so well, in parts of how well it reads,
another way up."""
_PUT_RIGHT = 3
"""A player may correct the place of a tile by this many half slots."""


def add_strays(
    compared: ComparedTable,
    found: TilesByPlace,
    strays: Sequence[DetectedTile],
    gone: Mapping[str, LatticePlace],
    lattice: GameLattice,
    near: Collection[LatticePlace],
) -> None:
    """Put in those tiles that touch no other one and belong to the pyramid all the same."""
    beside = compared.beside
    strays = [each for each in strays if not compared.lies_aside(each.quad_px)]
    for stray in strays:
        place = _place_of_stray(stray, found, gone, lattice, near)
        if place is not None and _is_there(stray, place, gone, beside):
            found[place] = as_reading(stray)
    if lattice or any(not tile.unsure for tile in found.values()):
        return
    # Of several things on a table that was bare the only one that is new is the first tile.
    new = [
        each
        for each in ([] if found else strays)
        if _is_there(each, LatticePlace(0, 0), gone, beside)
        and (beside.is_strange(each.quad_px) or beside.is_open(each.quad_px))
    ]
    first = _that_show_tiles(compared, new) or _that_show_tiles(compared, _that_came(compared))
    # A square of the cloth with the tile on it was in doubt, and denied (film 407576).
    if len(first) == 1 and not (found and first[0].unsure):
        found.clear()
        found[LatticePlace(0, 0)] = as_reading(first[0])


def _that_show_tiles(compared: ComparedTable, new: Sequence[DetectedTile]) -> list[DetectedTile]:
    """Return what certainly shows a tile, of what has come to a bare table."""
    places = [LatticePlace(0, at) for at in range(len(new))]
    quads = {at: np.array(each.quad_px, np.float32) for at, each in zip(places, new, strict=True)}
    shown = _shown(compared, quads, quads)
    return [each for at, each in zip(places, new, strict=True) if each.tile >= CERTAIN_TILE or at in shown]


def _that_came(compared: ComparedTable) -> list[DetectedTile]:
    """Return what is read where something square has come to a bare table.

    The finder took a square of the cloth, with the first tile on it, for a tile, or saw none (films 422279,
    425018, 425033 and 425189). What is seen in part alone is in doubt: a phone is as long as two tiles. Where
    something lay at first it may be that which has gone.
    """
    bare_bgr, found = compared.beside.first_bgr, []
    for squares in [] if bare_bgr is None else _squares_that_came(bare_bgr, compared.image_bgr):
        if compared.beside.is_open(as_quad(squares[0])):
            continue
        ways = [turned(square, way) for square in squares for way in range(4)]
        looks = compared.look.name(compared.image_bgr, ways)
        seen = max(looks, key=lambda each: each.tile * each.confidence)
        corners = np.array(seen.quad_px, np.float32)
        best = max(seen, *compared.look.name(compared.image_bgr, [corners]), key=lambda each: each.tile)
        best = _doubted_another_way(best, looks)
        found.append(replace(best, unsure=best.unsure or len(squares) > 1))
    return found


def _doubted_another_way(tile: DetectedTile, looks: Sequence[DetectedTile]) -> DetectedTile:
    """Return a tile that lies alone, in doubt if it reads nearly as well as another one some other way up.

    A red 2 that stood on its head for the camera was told as a 60 (film 437010).
    """
    other = max(looks, key=lambda each: (each.code != tile.code) * each.confidence)
    is_settled = tile.unsure or tile.confidence >= SECOND_BELOW
    if is_settled or other.code == tile.code or other.confidence < _NEARLY_AS_WELL * tile.confidence:
        return tile
    return beside_other(tile, other)


def _squares_that_came(before_bgr: ImageU8, image_bgr: ImageU8) -> list[list[Points]]:
    """Return where something square has come, as large as a tile: the ways it may lie, (4, 2) each.

    Of a tile that has in part the colour of what it lies on less is seen, on either side.
    """
    before, now = shrink(before_bgr), shrink(image_bgr)
    changed = without_light(before, now, changes(before, now))
    high, wide = changed.shape
    contours, _ = cv2.findContours(changed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        left, top, across, down = cv2.boundingRect(contour)
        is_whole = left > 0 and top > 0 and left + across < wide and top + down < high
        middle, sides, degrees = cv2.minAreaRect(contour)
        side, seen = max(sides), min(sides)
        is_full = cv2.contourArea(contour) >= _FILLED * side * seen
        is_size = _SMALLEST <= side / min(high, wide) <= LARGEST + _BLUR
        if is_whole and is_full and is_size and seen >= _SEEN * side:
            angle = np.radians(degrees + (0 if sides[0] == seen else 90))
            along = np.array([np.cos(angle), np.sin(angle)]) * (side - seen) / 2
            offs = (0, -1, 1) if seen < _FILLED * side else (0,)
            boxes = [cv2.boxPoints((tuple(middle + off * along), (side, side), degrees)) for off in offs]
            found.append([(box * image_bgr.shape[1] / wide).astype(np.float32) for box in boxes])
    return found[:_MOST_CHANGED]


def add_beside_lone(compared: ComparedTable, found: TilesByPlace, lattice: GameLattice) -> None:
    """Put in the tiles that lie beside a lone one that came to a table on which none was found."""
    if len(found) == 1 and not lattice and compared.faces is not None:
        found |= with_ends(compared.image_bgr, found, compared.look, compared.faces, compared.beside)


def add_passed_over(
    compared: ComparedTable, found: TilesByPlace, gone: Mapping[str, LatticePlace], lattice: GameLattice
) -> tuple[set[LatticePlace], list[Quad]]:
    """Put in tiles that the detector missed, and return what else there is beside them.

    That is the places where something lies over the table, and the quads of places where the next tile may
    lie and something has changed of which nobody knows what it is.

    Looks where others that have gone lay or may have fallen, above these places, and where the next tile may
    lie if the table has changed there, and below what has been placed upon nothing: a tile that was not seen
    on the first picture passed for table ever since (film 407577). With `faces` one that cannot be read is
    seen, too.
    """
    taken = {tile.code for tile in found.values()}
    lay = {code: place for code, place in gone.items() if code not in taken}
    asked = _Asked.of(found, lay, lattice, compared)
    quads = lattice.quads_at(asked.places)
    if not quads:
        return set(), []
    at = dict(zip(asked.places, quads, strict=True))
    looks = dict(zip(asked.places, compared.look.name(compared.image_bgr, quads), strict=True))
    shown = _shown(compared, at, {*asked.new, *asked.needed, *asked.fallen, *asked.over})
    named = {place: _named(place, at[place], looks[place], asked, taken) for place in asked.places}
    for place in shown:
        named[place] = named[place] or replace(as_reading(looks[place]), unsure=True)
    seen = {place: _otherwise(tile, taken) for place, tile in named.items() if tile is not None}
    read = {place: tile for place, tile in seen.items() if tile is not None}
    if len({tile.code for tile in read.values()}) == len(read):
        for place, tile in read.items():
            is_new = not any(is_same_place(tile.quad_px, other.quad_px) for other in found.values())
            if is_new and (place in asked.needed or _is_there(tile, place, gone, compared.beside)):
                found[place] = tile
    # Where a tile lay the table is seen once it is taken.
    seen_before = {*found, *gone.values()}
    left = [place for place in asked.new if not (place in seen_before or place in lattice)]
    unread = [as_quad(at[place]) for place in asked.places if place in left]
    shows_table = table_looks(compared.image_bgr, quads).is_table & (len(quads) >= _FEWEST_COMPARED)
    hidden = zip(asked.places, shows_table, strict=True)
    covered = {place for place, is_table in hidden if looks[place].covered >= COVERED and not is_table}
    return covered, unread


@dataclass(frozen=True, slots=True)
class _Asked:
    """Where to look for tiles that were passed over."""

    lay: Mapping[str, LatticePlace]
    """Code -> where a tile lay that is not found."""
    back: Collection[LatticePlace]
    """Where one may lie that has gone, beside others: what was taken may lie aside, face up (film 470444)."""
    over: Collection[LatticePlace]
    """Above these places."""
    fallen: Collection[LatticePlace]
    """Where they may have fallen."""
    new: Collection[LatticePlace]
    """Where the next tile may lie, and the table has changed."""
    needed: Collection[LatticePlace]
    """Where one must lie that bears a new tile."""
    places: Sequence[LatticePlace]
    """All that are looked at."""

    def is_next(self, place: LatticePlace) -> bool:
        """Return whether a tile may lie in a place that lay nowhere before, or was not seen."""
        return place in self.new or place in self.needed

    @staticmethod
    def of(
        found: TilesByPlace, lay: Mapping[str, LatticePlace], lattice: GameLattice, compared: ComparedTable
    ) -> _Asked:
        """Return the places for some tiles that are not found."""
        over = [at for each in lay.values() for at in above(each)]
        fallen = [at for each in lay.values() for at in below(each)]
        new = _changed(lattice, _next_places(found), compared.beside)
        needed = _needed(found, compared.before)
        lies = {*found, *compared.before}
        back = [at for at in lattice.places if at in lies or not lies.isdisjoint(around(at))]
        places = [*fallen, *over, *(lattice.places if lay else ()), *new, *needed]
        free = [place for place in dict.fromkeys(places) if place not in found]
        return _Asked(lay, back, over, fallen, new, needed, free[:_MOST_ASKED])


def _named(
    place: LatticePlace,
    quad: Points,
    tile: DetectedTile,
    asked: _Asked,
    taken: Collection[str],
) -> TileReading | None:
    """Return what lies in a place, a (4, 2) quad, if what was read there can."""
    is_back = tile.code in asked.lay and (place in asked.back or place in below(asked.lay[tile.code]))
    is_other = tile.code not in asked.lay and (place in asked.over or asked.is_next(place))
    may_be_any = tile.tile >= DOUBTFUL_TILE and (asked.is_next(place) or place in asked.fallen)
    can_be = (is_back or may_be_any) and tile.confidence > 0.5 if tile.unsure else is_back or is_other
    # What is taken for one that is found is another one, in doubt (film 420121).
    is_free = tile.code not in taken or (tile.unsure and may_be_any)
    is_it = can_be and is_free and _lies_in(quad, tile, is_back=is_back)
    return as_reading(tile) if is_it else None


def _otherwise(tile: TileReading, taken: Collection[str]) -> TileReading | None:
    """Return a tile as it is read if it is none of those that are taken."""
    return read_otherwise(tile, taken) if tile.code in taken else tile


def _shown(
    compared: ComparedTable, quads: Mapping[LatticePlace, Points], asked: Collection[LatticePlace]
) -> set[LatticePlace]:
    """Return those of some places that show a face-up tile, whether it can be read or not."""
    places = [place for place in quads if place in asked]
    if compared.faces is None or not places:
        return set()
    there = [quads[place] for place in places]
    shown = compared.faces.show_tiles(compared.image_bgr, there, SHOWN, compared.beside.before(there))
    return {place for place, is_shown in zip(places, shown, strict=True) if is_shown}


def _lies_in(quad: Points, tile: DetectedTile, *, is_back: bool) -> bool:
    """Return whether what was read in a (4, 2) quad surely is a tile that lies there.

    That just the missing one is read there says as much as that it looks like a tile (film 386049).
    """
    chance = max(tile.tile, tile.confidence) if is_back else tile.tile
    off = np.hypot(*(np.array(tile.quad_px).mean(axis=0) - quad.mean(axis=0))) / side_px(quad)
    return min(chance / CLEAR_TILE_CHANCE, tile.tile / LIKELY_TILE_CHANCE) >= 1 and bool(
        off <= STRAY_OFF_PLACE
    )


def _next_places(found: TilesByPlace) -> list[LatticePlace]:
    """Return the free places beside the lowest tiles, and above two others."""
    low = min((place.row for place in found), default=0)
    return [
        place
        for place in dict.fromkeys(at for each in found for at in around(each))
        if place not in found
        and (place.row == low or all(place.moved(-1, halves) in found for halves in (-1, 1)))
    ]


def _needed(found: TilesByPlace, before: TilesByPlace) -> list[LatticePlace]:
    """Return the free places below tiles that have been placed above the table since the last picture."""
    low = min((place.row for place in found), default=0)
    new = [place for place in found if place.row > low and place not in before]
    return [at for place in new for at in (place.moved(-1, -1), place.moved(-1, 1)) if at not in found]


def _changed(lattice: GameLattice, places: Sequence[LatticePlace], beside: Comparison) -> list[LatticePlace]:
    """Return those of some places at which the table does not look as it did; none where they are many.

    A tile of the colour of the cloth on which it lay was hardly seen there (film 423363: 1 call of 20 right).
    """
    quads = [as_quad(quad) for quad in lattice.quads_at(places)]
    changed = [
        place
        for place, quad in zip(places, quads, strict=bool(quads))
        if not (beside.is_table(quad) or beside.is_bare(quad))
    ]
    if not changed:
        pairs = zip(places, quads, strict=bool(quads))
        changed = [place for place, quad in pairs if beside.is_faintly_changed(quad)]
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
    if it was put back where a tile lay or was in doubt; or if it was placed and the tiles below it were taken
    since.
    """
    if not lattice or tile.unsure or any(tile.code == other.code for other in found.values()):
        return None
    (place,) = lattice.places_of([np.array(tile.quad_px)], STRAY_OFF_PLACE)
    if place is None or place in found:
        return None
    before = gone.get(tile.code)
    if before is None:
        return place if place in lattice or place in near else None
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
    if gone.get(tile.code) == place:
        return True
    looks_bare = beside.is_table(tile.quad_px) or beside.is_bare(tile.quad_px)
    return not looks_bare or beside.is_faintly_changed(tile.quad_px)
