"""The places of a watched game, and where the camera sees them; once known, they do not change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.rules.layout import Layout
from vision.imaging.geometry import UNIT_SQUARE, Matrix, Points, map_points, side_px, turned, turned_as
from vision.pyramid.lattice import SIZE_RATIO, LatticePlace, around, fit
from vision.recognition.reading import Quad, Reading, TileReading, corners_of
from vision.tracking.camera_motion import as_quad, distance, is_certain, is_same_place, moved_as_one

OFF_PLACE = 0.35
"""How far from its place, in tile sides, a tile may lie."""
STRAY_OFF_PLACE = 0.3
"""The same for one that touches no other."""
_MOST_QUADS = 40
BESIDE = 2.0
"""Tiles that touch have their middles one or 1.1 sides apart; so far a bump of the camera moves them."""
_TOUCHING = 1.5
"""What lies nearer than this to a tile may touch it, whatever the camera sees of that."""
_MANY, _NEARLY_ALL = 4, 0.75
"""Of so many tiles a few may be missed where all were pushed."""
_SHORT = 0.9
"""No tile falls by less than this; it falls by a row and half a slot."""
_REACH = 5
"""A new tile lies at most so many rows or slots from a known one, though a hand hid the turns between."""

_SQUARE = 0.8
"""A tile's shorter sides are at least so long as the longer ones; else a part of it was seen."""
_FARTHEST = 20
"""No tile lies more rows or slots than this from every known one. A plane that was fitted to what lies badly
may have its horizon in the picture: a tile lay on row 275, and what was to be told of it was too large to be
stored (film 420018)."""

TilesByPlace = dict[LatticePlace, TileReading]
"""What was read, by its place."""


class GameLattice:
    """The corners of tiles at their places, as the camera sees them now. Never changed; may be empty."""

    def __init__(self, quads_px: Mapping[LatticePlace, Points] | None = None) -> None:
        """Take the (4, 2) corners of tiles at their places."""
        self._quads_px = dict(quads_px or {})

    @staticmethod
    def of(found: Mapping[LatticePlace, TileReading], *, with_doubtful: bool = False) -> GameLattice:
        """Return the lattice of some tiles, by default without the doubtful ones."""
        return GameLattice(_quads_px(found, with_doubtful=with_doubtful))

    def __bool__(self) -> bool:
        """Return whether any tile lay anywhere."""
        return bool(self._quads_px)

    def __contains__(self, place: LatticePlace | None) -> bool:
        """Return whether a tile lay at a place."""
        return place in self._quads_px

    @property
    def places(self) -> list[LatticePlace]:
        """Where tiles lay, the last ones first."""
        return list(self._quads_px)[::-1]

    @property
    def low(self) -> int:
        """The lowest row."""
        return min(place.row for place in self._quads_px)

    def turned_over(self) -> GameLattice:
        """Return one row as it lies if what was taken for upright stands on its head."""
        return GameLattice({mirrored(place): turned(quad, 2) for place, quad in self._quads_px.items()})

    def seen_from(self, view: Matrix | None) -> GameLattice:
        """Return it after the camera moved by a (3, 3) homography of pixels; None if it did not move."""
        if view is None:
            return self
        return GameLattice({place: map_points(view, quad) for place, quad in self._quads_px.items()})

    def places_of(
        self, quads_px: Sequence[NDArray[np.floating]], most_off: float = OFF_PLACE
    ) -> list[LatticePlace | None]:
        """Return the places on which tiles lie; None for one on none, far from all, or of another size.

        Args:
            quads_px: (4, 2) each.
            most_off: How far, in tile sides, they may be off.
        """
        if self._fit is None or not quads_px:
            return [None] * len(quads_px)
        homography, across, upward = self._fit
        back = np.asarray(np.linalg.inv(homography), np.float64)
        places: list[LatticePlace | None] = []
        for quad in quads_px:
            flat = map_points(back, np.asarray(quad, np.float64))
            x, y = flat.mean(axis=0)
            row = round(-float(y) / upward)
            half = 2 * round((2 * float(x) / across - row) / 2) + row
            is_there = np.hypot(x - half / 2 * across, y + row * upward) <= most_off
            is_there = bool(is_there and SIZE_RATIO[0] < side_px(flat) < SIZE_RATIO[1])
            place = LatticePlace(row, half)
            is_near = any(steps(place, known) <= _FARTHEST for known in self._quads_px)
            places.append(place if is_there and is_near else None)
        return places

    def holds_any(self, tiles: Sequence[TileReading]) -> bool:
        """Return whether any of some tiles lies on a place, not far from those that are known."""
        there = self.places_of([np.array(tile.quad_px) for tile in tiles])
        return any(steps(at, known) <= _REACH for at in there if at for known in self._quads_px)

    def quads_at(self, places: Sequence[LatticePlace]) -> list[Points]:
        """Return the (4, 2) corners that tiles at some places have; none where they are not known."""
        if self._fit is None:
            return []
        homography, across, upward = self._fit
        squares = [UNIT_SQUARE - 0.5 + place.middle(across, upward) for place in places]
        return [map_points(homography, square).astype(np.float32) for square in squares]

    def with_tiles(
        self, found: Mapping[LatticePlace, TileReading], *, with_doubtful: bool = False
    ) -> GameLattice:
        """Return it with the tiles that lie there now, without older ones that do not fit them.

        A tile of which a part is seen lies where it lay: half of it was under a hand, and the tile that was
        placed beside it seemed to lie two places away (film 453097).
        """
        lie = {
            place: quad if self._is_square(quad) else self._quads_px.get(place, quad)
            for place, quad in _quads_px(found, with_doubtful=with_doubtful).items()
        }
        quads_px = {place: quad for place, quad in self._quads_px.items() if place not in lie} | lie
        while len(quads_px) > _MOST_QUADS:
            del quads_px[next(iter(quads_px))]
        lattice = GameLattice(quads_px)
        while old := [at for at, place in enumerate(lattice._quads_px) if place not in lie]:
            off = lattice._off()
            if off is None or off.max() <= STRAY_OFF_PLACE:
                break
            worst = list(lattice._quads_px)[max(old, key=lambda at: off[at])]
            lattice = GameLattice({at: quad for at, quad in lattice._quads_px.items() if at != worst})
        return lattice

    @cached_property
    def _fit(self) -> tuple[Matrix, float, float] | None:
        """The homography from the plane to pixels, and the pitches across and up, as `fit` gives them."""
        if not self._quads_px:
            return None
        quads = list(self._quads_px.values())
        middles = np.array([quad.mean(axis=0) for quad in quads])
        at = {index: (-place.row, place.half) for index, place in enumerate(self._quads_px)}
        return fit(at, quads, middles)

    def _is_square(self, quad_px: Points) -> bool:
        """Return whether the (4, 2) corners of a tile are those of a square on the table."""
        if self._fit is None:
            return True
        flat = map_points(
            np.asarray(np.linalg.inv(self._fit[0]), np.float64), np.asarray(quad_px, np.float64)
        )
        one, other, *opposite = np.hypot(*(flat - np.roll(flat, -1, axis=0)).T)
        sides = one + opposite[0], other + opposite[1]
        return bool(min(sides) >= _SQUARE * max(sides))

    def _off(self) -> NDArray[np.float64] | None:
        """Return how far each tile lies from its place, in sides."""
        if self._fit is None:
            return None
        homography, across, upward = self._fit
        middles = np.array([quad.mean(axis=0) for quad in self._quads_px.values()])
        lies = map_points(np.asarray(np.linalg.inv(homography), np.float64), middles)
        meant = np.array([place.middle(across, upward) for place in self._quads_px])
        return np.asarray(np.hypot(*(lies - meant).T), np.float64)


def above(place: LatticePlace) -> list[LatticePlace]:
    """Return the two places that a tile at a place bears.

    >>> above(LatticePlace(0, 2))
    [LatticePlace(row=1, half=1), LatticePlace(row=1, half=3)]
    """
    return [place.moved(1, halves) for halves in (-1, 1)]


def open_places(found: Collection[LatticePlace]) -> list[LatticePlace]:
    """Return where the next tile may lie: at the ends of the lowest row, and upon two tiles side by side.

    >>> open_places([LatticePlace(0, 0), LatticePlace(0, 2)])
    [LatticePlace(row=0, half=-2), LatticePlace(row=0, half=4), LatticePlace(row=1, half=1)]
    """
    low = min((place.row for place in found), default=0)
    row = [place.half for place in found if place.row == low]
    ends = [LatticePlace(low, half) for half in ((min(row) - 2, max(row) + 2) if row else ())]
    upon = [place.moved(1, 1) for place in found if place.moved(0, 2) in found]
    return [*ends, *(place for place in upon if place not in found)]


def below(place: LatticePlace) -> list[LatticePlace]:
    """Return where a tile may lie that lay at a place: there, or where it can have fallen.

    >>> below(LatticePlace(1, 3))
    [LatticePlace(row=1, half=3), LatticePlace(row=0, half=2), LatticePlace(row=0, half=4)]
    """
    return [
        LatticePlace(row, place.half + aside)
        for row in range(place.row, -1, -1)
        for aside in range(row - place.row, place.row - row + 1, 2)
    ]


def is_apart(place: LatticePlace, others: Mapping[LatticePlace, object]) -> bool:
    """Return whether tiles lie elsewhere, but none beside, above or below a place."""
    return len(others) > 1 and not any(other in others for other in around(place))


def mirrored(place: LatticePlace) -> LatticePlace:
    """Return the place of a tile of the only row once that is counted from its other end.

    >>> mirrored(LatticePlace(0, 4))
    LatticePlace(row=0, half=-4)
    """
    return LatticePlace(place.row, -place.half)


def on_its_head(found: Mapping[LatticePlace, TileReading]) -> TilesByPlace:
    """Return the tiles of the only row as they lie if what was taken for upright stands on its head."""
    return {
        mirrored(place): replace(tile, quad_px=corners_of(turned(np.array(tile.quad_px), 2)))
        for place, tile in found.items()
    }


def on_the_table(found: TilesByPlace) -> TilesByPlace:
    """Return tiles with the lowest of them on the base: below a first tile a note was read (film 407080)."""
    low = min((place.row for place in found), default=0)
    return {place.moved(-low, -low): tile for place, tile in found.items()}


def is_turned_over(tiles: Sequence[TileReading], before: TilesByPlace, lattice: GameLattice) -> bool:
    """Return whether a tile lies below two of the only row, and so upon them: that stood on its head.

    Of one row the bricks do not show which way is up; the first tile of the second row does.

    Args:
        tiles: What was read.
        before: What lay there before, as the camera sees it now.
        lattice: The known places.
    """
    rows = {place.row for place in before}
    there = lattice.places_of([np.array(tile.quad_px) for tile in tiles])
    if len(rows) != 1 or any(place.row > max(rows) for place in there if place):
        return False
    return any(place.row < min(rows) and before.keys() >= {*above(place)} for place in there if place)


def show_way_up(places: Mapping[LatticePlace, object]) -> bool:
    """Return whether a tile lies on two others, so that the bricks show which way is up."""
    return any(places.keys() >= {place.moved(-1, -1), place.moved(-1, 1)} for place in places)


def lies_straight_above(quad: Quad, other: Quad) -> bool:
    """Return whether a tile touches another one where none may lie: that one is seen lying on its side.

    One that has fallen lies askew, and half a tile aside all the same (film 447132).
    """
    lattice = GameLattice({LatticePlace(0, 0): np.array(other, np.float32)})
    ends = [LatticePlace(0, 0).moved(rows, halves) for halves in (0, -1, 1) for rows in (-1, 1)]
    quads = [as_quad(place) for place in lattice.quads_at(ends)]
    nearest = min(quads, key=lambda place: distance(quad, place))
    return nearest in quads[:2] and is_same_place(quad, nearest)


def steps(one: LatticePlace, other: LatticePlace) -> float:
    """Return how many rows or slots two places are apart, whichever is more.

    >>> steps(LatticePlace(0, 0), LatticePlace(1, 5))
    2.5
    """
    return max(abs(one.row - other.row), abs(one.half - other.half) / 2)


def turned_over(reading: Reading) -> Reading:
    """Return the reading of one row as it is if what was taken for upright stands on its head."""
    found = dict(zip(own_places(reading.tiles), reading.tiles, strict=True))
    return with_only(reading, on_its_head(found), 0)


def at_places(
    tiles: Sequence[TileReading], known: Mapping[LatticePlace, TileReading], lattice: GameLattice
) -> TilesByPlace:
    """Return tiles at their places on the known lattice, or else at the places of the reading itself.

    Args:
        tiles: What was read.
        known: What lay there before, as the camera sees it now.
        lattice: The known places.
    """
    own = own_places(tiles)
    there = lattice.places_of([np.array(tile.quad_px) for tile in tiles])
    is_alone = len(lattice.places) == 1 and any(
        at in lattice and not turned_as(np.array(tile.quad_px), lattice.quads_at(lattice.places)[0])
        for tile, at in zip(tiles, there, strict=True)
    )
    if is_alone:
        # It may have been cut badly: a tile beside it seemed to lie two places away (film 407281).
        there = [at if at in lattice else None for at in there]
    lie = [(place, at) for place, at in zip(own, there, strict=True) if at is not None]
    if lie and (2 * len(lie) >= len(tiles) or is_alone):
        # A tile that lies on none of the places is not part of the pyramid, or was laid down badly.
        rows, halves = usual_move(lie)
        places = [at or place.moved(rows, halves) for place, at in zip(own, there, strict=True)]
        if len(set(places)) == len(places):
            return dict(zip(places, tiles, strict=True))
    lay = {tile.code: place for place, tile in known.items()} if lattice else {}
    lie = [(place, lay[tile.code]) for place, tile in zip(own, tiles, strict=True) if tile.code in lay]
    if lay and not lie and (len(lay) > len(tiles) == 1 or not _any_beside(tiles, known)):
        return {}  # nothing tells where it lies (film 384033); a telephone was a millstone far away (407945)
    rows, halves = usual_move(lie) if lie else (0, 0)
    places = [place.moved(rows, halves) for place in own]
    return dict(zip(places, tiles, strict=True))


def _any_beside(tiles: Sequence[TileReading], known: Mapping[LatticePlace, TileReading]) -> bool:
    """Return whether one of some tiles is seen where a tile can touch, or cover, one that lay there."""
    return any(distance(other.quad_px, tile.quad_px) < BESIDE for tile in tiles for other in known.values())


def that_touch(tiles: Sequence[TileReading], known: TilesByPlace) -> list[TileReading]:
    """Return those of some tiles that touch a place where a tile lay, or another that does.

    What was taken lies aside, face up perhaps, and passed for the next tile (470202), or where more lay aside
    than was left for the pyramid (470606). But people may push the whole pyramid, to make room.

    Args:
        tiles: What was read.
        known: What lay there before, as the camera sees it now: where it moved is known.
    """
    near, apart = joined([tile.quad_px for tile in known.values()], [tile.quad_px for tile in tiles])
    as_before = _as_before([tile for tile in tiles if tile.quad_px in apart], known)
    if as_before and as_before >= (len(known) if len(known) < _MANY else _NEARLY_ALL * len(known)):
        return [*tiles]
    return [tile for tile in tiles if tile.quad_px in near]


def _as_before(tiles: Sequence[TileReading], known: TilesByPlace) -> int:
    """Return how many known tiles are among some, beside one another as they lay."""
    lay = {tile.code: place for place, tile in known.items()}
    pairs = [
        (at, lay[tile.code]) for at, tile in zip(own_places(tiles), tiles, strict=True) if tile.code in lay
    ]
    if not pairs:
        return 0
    rows, halves = usual_move(pairs)
    return sum(at.moved(rows, halves) == place for at, place in pairs)


def pushed(tiles: Sequence[TileReading], known: TilesByPlace) -> Matrix | None:
    """Return how people pushed the whole pyramid, as a (3, 3) homography of pixels; None if they did not.

    Most of its tiles moved as one, by less than a tile can fall, or more than half of them lie beside one
    another as they lay. By the places of before, what was laid beside them seemed to lie two slots away.

    Args:
        tiles: What was read.
        known: What lay there before, as the camera sees it now: where it moved is known.
    """
    push = moved_as_one(tuple(known.values()), tiles)
    if push is None:
        return None
    away = (
        distance(tile.quad_px, as_quad(map_points(push, np.array(tile.quad_px)))) for tile in known.values()
    )
    return push if max(away) < _SHORT or 2 * _as_before(tiles, known) > len(known) else None


def within_reach(found: TilesByPlace, known: TilesByPlace) -> TilesByPlace:
    """Return tiles without new ones so far from all known ones that no turn can bring them there."""
    codes = {tile.code for tile in known.values()}
    return {
        at: tile
        for at, tile in found.items()
        if not known or tile.code in codes or any(steps(at, to) <= _REACH for to in known)
    }


def lie_beside(tiles: Sequence[TileReading], found: TilesByPlace) -> bool:
    """Return whether tiles lie on the lattice of those that are in doubt, if these touch one another.

    Of three tiles one was read on a table seen at a flat angle, as if it were the first (film 420018).
    """
    lattice = GameLattice.of(found, with_doubtful=True)
    touch = len(found) > 1 and not any(is_apart(at, found) for at in found)
    return touch and lattice.holds_any(tiles)


def are_put_back(tiles: Sequence[TileReading], left: TilesByPlace, lattice: GameLattice) -> bool:
    """Return whether one of some tiles lay on a table before it became empty, and lies on its places."""
    lay = {tile.code for tile in left.values()}
    quads = [np.array(tile.quad_px) for tile in tiles if tile.code in lay]
    return any(place is not None for place in lattice.places_of(quads, STRAY_OFF_PLACE))


def lay_at(quad: Quad, before: TilesByPlace) -> bool:
    """Return whether one of some tiles lies in a quad."""
    return any(is_same_place(tile.quad_px, quad) for tile in before.values())


def touch(one: Quad, other: Quad) -> bool:
    """Return whether two tiles lie so near that they may touch."""
    return min(distance(one, other), distance(other, one)) < _TOUCHING


def joined(some: Sequence[Quad], others: Sequence[Quad]) -> tuple[list[Quad], list[Quad]]:
    """Return some quads with those of others that touch them, one by one; and the others that do not."""
    near, apart = [*some], [*others]
    while new := [quad for quad in apart if any(touch(quad, other) for other in near)]:
        near += new
        apart = [quad for quad in apart if quad not in new]
    return near, apart


def own_places(tiles: Iterable[TileReading]) -> list[LatticePlace]:
    """Return the places that tiles have by themselves, counted from the lowest of them."""
    return [LatticePlace.of_slot(tile.row, tile.slot) for tile in tiles]


def usual_move(pairs: Sequence[tuple[LatticePlace, LatticePlace]]) -> tuple[int, int]:
    """Return by how many rows and half slots most places lie away from those beside them."""
    away = Counter((there.row - place.row, there.half - place.half) for place, there in pairs)
    return away.most_common(1)[0][0]


def with_only(reading: Reading, found: Mapping[LatticePlace, TileReading], ground: int) -> Reading:
    """Return a reading of the tiles at some places; `ground` is the row on which the pyramid stands."""
    left = min((place.slot for place in found), default=0)
    tiles = tuple(
        replace(found[place], row=place.row - ground, slot=place.slot - left)
        for place in sorted(found, key=lambda place: (place.row, place.half))
    )
    layout = Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in tiles})
    return replace(reading, tiles=tiles, layout=layout)


def _quads_px(
    found: Mapping[LatticePlace, TileReading], *, with_doubtful: bool = False
) -> dict[LatticePlace, Points]:
    return {
        place: np.array(tile.quad_px, np.float32)
        for place, tile in found.items()
        if with_doubtful or is_certain(tile)
    }
