"""From detected tiles to the pyramid: which way is up, which tiles belong to it, and where they lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, share_inside, side_px, turned
from vision.imaging.table_background import TableLooks, table_looks
from vision.recognition.lattice import LatticePlace, lay_out

SURE_STRAY_CHANCE = 0.9
"""A tile that touches no other must look this much like one."""
_PLAIN_CHANCE, _PLAIN_SQUARENESS = 0.998, 0.93
_ALONE_CHANCE, _ALONE_SQUARENESS = 0.975, 0.8
"""A candidate without neighbours is doubtful unless it looks like a tile and is square by the first line.
Below the second line it is no tile. Labels and sticky notes mostly fail one of them."""
WAY_IN_DOUBT = 6.0
"""Ways up of which the log-chances differ by less than this are told apart by reading the tiles each way."""
WHOLE_SHARE, PART_SHARE = 0.96, 0.15
"""A tile with less than the first share of its face in the picture is cut; with less than the second it
cannot be reported."""
PARTLY_STRANGE_SHARE = 0.5
"""A place is worth a look if less than this share of it shows the table."""
SAME_PLACE = 0.7
"""Two middles that lie closer than this, in tile sides, belong to one tile."""
_CLEARLY_TURNED = 3.0
"""A face counts as turned against its neighbours only if its own log odds exceed theirs by this."""
_MOST_BY_ONE, _MOST_KNOWN = 4.0, 12.0
"""How much one picture of a game can say against a way up, in log odds, and all of them together: three that
say otherwise outweigh any number before them."""


@dataclass(frozen=True, slots=True)
class FoundTile:
    """A candidate after the first look."""

    quad_px: Points
    """Its corrected corners; the first is the top left one on the screen."""
    up: NDArray[np.float64]
    """(4,) chances that the face lies so that its own top left is the corner 0, -1, -2, -3 of the quad."""
    tile: float
    """Chance that it is a face-up tile."""
    score: float
    """The detector's score."""
    look: int = -1
    """Its index among the crops of the first look."""

    @property
    def is_plain(self) -> bool:
        """Whether it looks like a tile that lies alone: certainly like a tile, and square."""
        return self.tile >= _PLAIN_CHANCE and _squareness(self.quad_px) >= _PLAIN_SQUARENESS

    @property
    def may_lie_alone(self) -> bool:
        """Whether it can be a tile although no other lies beside it."""
        return self.tile >= _ALONE_CHANCE and (
            self.tile >= _PLAIN_CHANCE or _squareness(self.quad_px) >= _ALONE_SQUARENESS
        )


@dataclass(frozen=True, slots=True)
class LatticeTile:
    """A tile of the pyramid: `index` among the found ones, quad from its own top left, place."""

    index: int
    quad_px: Points
    turn: int
    """Quarters by which the quad was turned to stand upright, 0 to 3."""
    place: LatticePlace


class KnownWay:
    """Which way up the tiles of a game lie, as far as its pictures have told."""

    def __init__(self) -> None:
        """Begin without having seen any."""
        self._edge_deg, self._logs = 0.0, np.zeros(4)

    def logs(self, tiles: Sequence[FoundTile]) -> NDArray[np.float64]:
        """Return (4,) log odds of the ways up, the highest 0, as `ways_up` counts them for these tiles."""
        if not tiles:
            return np.zeros(4)
        return np.roll(self._logs, -round((_angle_deg(tiles[0].quad_px) - self._edge_deg) / 90))

    def learn(self, tiles: Sequence[FoundTile], evidence: NDArray[np.float64]) -> None:
        """Hear what a picture says: (4,) log-chances of the ways up of these tiles."""
        if not tiles:
            return
        told = self.logs(tiles) + np.maximum(evidence - evidence.max(), -_MOST_BY_ONE)
        self._edge_deg = _angle_deg(tiles[0].quad_px)
        self._logs = np.maximum(told - told.max(), -_MOST_KNOWN)


def apart(tiles: list[FoundTile]) -> list[FoundTile]:
    """Return the tiles without those that lie on a more certain one; the most certain first."""
    kept: list[FoundTile] = []
    middles = np.zeros((0, 2))
    for tile in sorted(tiles, key=lambda tile: -tile.tile * tile.score):
        away = middles - tile.quad_px.mean(axis=0)
        if (np.hypot(away[:, 0], away[:, 1]) > 0.5 * side_px(tile.quad_px)).all():
            kept.append(tile)
            middles = np.concatenate([middles, [tile.quad_px.mean(axis=0)]])
    return kept


def oblong_ways(tile: FoundTile, aspect: float) -> list[tuple[float, Points]]:
    """Return the two quads, with log-chances, of which one starts at an oblong tile's own top left."""
    edges = np.hypot(*(np.roll(tile.quad_px, -1, axis=0) - tile.quad_px).T)
    across_first = (edges[0] + edges[2] < edges[1] + edges[3]) == (aspect > 1)
    return [
        (float(np.log(max(tile.up[-way % 4], 1e-3))), turned(tile.quad_px, way))
        for way in ((0, 2) if across_first else (1, 3))
    ]


def upright(tiles: list[FoundTile], told: NDArray[np.float64] | None = None) -> list[Points]:
    """Return each tile's quad from its face's own top left.

    All faces together say which way is up. A single tile may lie turned among the others, but only where
    its own face says so clearly.
    """
    if not tiles:
        return []
    turns, log_up = _common_turns(tiles, told)
    return [
        turned(tile.quad_px, _own_turn(turn, log))
        for tile, turn, log in zip(tiles, turns, log_up, strict=True)
    ]


def find_pyramid(tiles: list[FoundTile], told: NDArray[np.float64] | None = None) -> list[LatticeTile]:
    """Return the tiles that form the pyramid, row by row from the base, each row from left to right.

    Args:
        tiles: What may be tiles.
        told: (4,) log-chances of the ways up, as `ways_up` counts them, that were told besides.
    """
    if not tiles:
        return []
    turns, log_up = _common_turns(tiles, told)
    level = [turned(tile.quad_px, turn) for tile, turn in zip(tiles, turns, strict=True)]
    places = lay_out(level)
    if len(places) == 1:
        return _lone(tiles, told)
    kept = [index for index in range(len(tiles)) if not _is_stray(index, places, tiles)]
    if len(kept) < len(tiles):
        places = {kept[index]: place for index, place in lay_out([level[index] for index in kept]).items()}
    order = sorted(places, key=lambda index: (places[index].row, places[index].half))
    laid = []
    for index in order:
        turn = _own_turn(turns[index], log_up[index])
        laid.append(LatticeTile(index, turned(tiles[index].quad_px, turn), turn % 4, places[index]))
    return laid


def _lone(tiles: list[FoundTile], told: NDArray[np.float64] | None) -> list[LatticeTile]:
    """Return the most likely one of several lone tiles, if any can be a tile."""
    alone = [index for index, tile in enumerate(tiles) if tile.may_lie_alone]
    if not alone:
        return []
    best = max(alone, key=lambda index: (tiles[index].is_plain, -index))
    if told is not None:
        told = np.roll(told, _quarters(tiles[best].quad_px, tiles[0].quad_px))
    turn = _common_turns([tiles[best]], told)[0][0]
    return [LatticeTile(best, turned(tiles[best].quad_px, turn), turn % 4, LatticePlace(0, 0))]


def _common_turns(
    tiles: list[FoundTile], told: NDArray[np.float64] | None
) -> tuple[list[int], NDArray[np.float64]]:
    """Return how many quarters each quad is turned so that all stand upright together, and log-chances."""
    turn = int(np.argmax(ways_up(tiles) if told is None else ways_up(tiles) + told))
    log_up = np.log(np.maximum([tile.up for tile in tiles], 1e-4))
    return [_quarters(tile.quad_px, tiles[0].quad_px) + turn for tile in tiles], log_up


def ways_up(tiles: Sequence[FoundTile]) -> NDArray[np.float64]:
    """Return (4,) log-chances by all faces together that the first quad, and all as it, must be turned.

    It must be turned by 0 to 3 quarters so that its first corner is the face's own top left.
    """
    log_up = np.log(np.maximum([tile.up for tile in tiles], 1e-4)).reshape(-1, 4)
    level = [_quarters(tile.quad_px, tiles[0].quad_px) for tile in tiles]
    return np.array(
        [sum(log[(-turn - way) % 4] for turn, log in zip(level, log_up, strict=True)) for way in range(4)]
    )


def told_way(
    tiles: Sequence[FoundTile], known: KnownWay | None, read: Callable[[list[Points]], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return what tells which way is up besides the faces' own directions, (4,) as `ways_up` counts it.

    These are the earlier pictures of a game; and where that leaves a doubt, how well tiles are read each way.

    Args:
        tiles: What may be tiles.
        known: The earlier pictures, which learn of this one.
        read: Returns log-chances of how well the faces that stand upright in some quads are read.
    """
    before = np.zeros(4) if known is None else known.logs(tiles)
    if not tiles:
        return before
    seen, again = ways_up(tiles), np.zeros(4)
    together = seen + before
    likely = np.nonzero(together >= together.max() - WAY_IN_DOUBT)[0].tolist()
    if len(likely) > 1:
        turns = [_quarters(tile.quad_px, tiles[0].quad_px) for tile in tiles]
        quads = [
            turned(tile.quad_px, turn + way)
            for way in likely
            for tile, turn in zip(tiles, turns, strict=True)
        ]
        again[likely] = read(quads).reshape(len(likely), -1).sum(axis=1)
        again[likely] -= again[likely].max()
    if known is not None:
        known.learn(tiles, seen + again)
    return before + again


def worth_a_look(
    image_bgr: ImageU8, seen_px: NDArray[np.floating], empty: list[tuple[LatticePlace, Points]]
) -> tuple[list[tuple[LatticePlace, Points]], TableLooks]:
    """Return the empty places where a tile may lie: something was detected there, or no bare table is seen.

    A place at the picture's edge is always among them. Also returns what each of them looks like.

    Args:
        image_bgr: (H, W, 3) uint8 BGR.
        seen_px: (n, 2) the middles of what was detected.
        empty: Places with the (4, 2) quads of tiles there.
    """
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    shares = [share_inside(quad, size_wh) for _, quad in empty]
    empty = [one for one, share in zip(empty, shares, strict=True) if share >= PART_SHARE]
    shares = [share for share in shares if share >= PART_SHARE]
    table = table_looks(image_bgr, [quad for _, quad in empty])
    worth = []
    for index, (_, quad) in enumerate(empty):
        away = seen_px - quad.mean(axis=0)
        is_seen = (np.hypot(away[:, 0], away[:, 1]) <= SAME_PLACE * side_px(quad)).any()
        if (
            is_seen
            or not table.bare[index]
            or table.shown[index] < PARTLY_STRANGE_SHARE
            or shares[index] < WHOLE_SHARE
        ):
            worth.append(index)
    return [empty[index] for index in worth], table.only(worth)


def _quarters(quad: Points, first: Points) -> int:
    """Return by how many quarters a quad must be turned to lie within 45 degrees of another one."""
    return round((_angle_deg(first) - _angle_deg(quad)) / 90)


def _own_turn(turn: int, log_up: NDArray[np.float64]) -> int:
    own = int(log_up.argmax())
    return -own if log_up[own] - log_up[-turn % 4] > _CLEARLY_TURNED else turn


def _squareness(quad: Points) -> float:
    """Return a quad's shortest side as a share of its longest."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(sides.min() / sides.max())


def _angle_deg(quad: Points) -> float:
    edge = quad[1] - quad[0] + quad[2] - quad[3]
    return float(np.degrees(np.arctan2(edge[1], edge[0])))


def _is_stray(index: int, places: dict[int, LatticePlace], tiles: list[FoundTile]) -> bool:
    """Return whether a doubtful candidate lies apart from all others, so that it is probably no tile."""
    if index not in places or tiles[index].tile >= SURE_STRAY_CHANCE or len(places) == 1:
        return False
    own = places[index]
    near = (place for other, place in places.items() if other != index and abs(place.row - own.row) <= 1)
    return all(abs(place.row - own.row) + abs(place.half - own.half) > 2 for place in near)
