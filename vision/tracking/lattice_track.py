"""The places of a watched game, and where the camera sees them; once known, they do not change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.rules.layout import Layout
from vision.imaging.geometry import UNIT_SQUARE, Matrix, Points, map_points, side_px
from vision.recognition.lattice import SIZE_RATIO, LatticePlace, fit
from vision.recognition.reading import Reading, TileReading
from vision.tracking.camera_motion import is_certain

OFF_PLACE = 0.35
"""How far from its place, in tile sides, a tile may lie."""
STRAY_OFF_PLACE = 0.3
"""The same for one that touches no other."""
_MOST_QUADS = 40

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

    def seen_from(self, view: Matrix | None) -> GameLattice:
        """Return it after the camera moved by a (3, 3) homography of pixels; None if it did not move."""
        if view is None:
            return self
        return GameLattice({place: map_points(view, quad) for place, quad in self._quads_px.items()})

    def places_of(
        self, quads_px: Sequence[NDArray[np.floating]], most_off: float = OFF_PLACE
    ) -> list[LatticePlace | None]:
        """Return the places on which tiles lie; None for one that lies on none, or is of another size.

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
            places.append(LatticePlace(row, half) if is_there else None)
        return places

    def quads_at(self, places: Sequence[LatticePlace]) -> list[Points]:
        """Return the (4, 2) corners that tiles at some places have; none where they are not known."""
        if self._fit is None:
            return []
        homography, across, upward = self._fit
        squares = [UNIT_SQUARE - 0.5 + place.middle(across, upward) for place in places]
        return [map_points(homography, square).astype(np.float32) for square in squares]

    def with_tiles(self, found: Mapping[LatticePlace, TileReading]) -> GameLattice:
        """Return it with the tiles that lie there now, without older ones that do not fit them."""
        lie = _quads_px(found)
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

    def _off(self) -> NDArray[np.float64] | None:
        """Return how far each tile lies from its place, in sides."""
        if self._fit is None:
            return None
        homography, across, upward = self._fit
        middles = np.array([quad.mean(axis=0) for quad in self._quads_px.values()])
        lies = map_points(np.asarray(np.linalg.inv(homography), np.float64), middles)
        meant = np.array([place.middle(across, upward) for place in self._quads_px])
        return np.asarray(np.hypot(*(lies - meant).T), np.float64)


def around(place: LatticePlace) -> list[LatticePlace]:
    """Return the six places that touch a place."""
    return [
        place.moved(rows, halves) for rows, halves in ((0, -2), (0, 2), (1, -1), (1, 1), (-1, -1), (-1, 1))
    ]


def above(place: LatticePlace) -> list[LatticePlace]:
    """Return the two places that a tile at a place bears.

    >>> above(LatticePlace(0, 2))
    [LatticePlace(row=1, half=1), LatticePlace(row=1, half=3)]
    """
    return [place.moved(1, halves) for halves in (-1, 1)]


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
