"""From detected tiles to the pyramid: which way is up, which tiles belong to it, and where they lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, distance_sides, distances_sides, share_inside, side_px, turned
from vision.imaging.table_background import TableLooks, table_looks
from vision.pyramid.lattice import SIZE_RATIO, LatticePlace, in_grid, in_line, lay_out, on_their_heads
from vision.pyramid.way_up import (
    CLEARLY_UPRIGHT,
    KnownWay,
    Legible,
    WaysUp,
    level_turns,
    lone_turn,
)

SURE_STRAY_CHANCE = 0.9
"""A tile that touches no other must look this much like one."""
_PLAIN_CHANCE, _PLAIN_SQUARENESS = 0.998, 0.93
_ALONE_CHANCE, _ALONE_SQUARENESS = 0.975, 0.8
"""A candidate without neighbours is doubtful unless it looks like a tile and is square by the first line.
Below the second line it is no tile. Labels and sticky notes mostly fail one of them."""
_RIVAL_SIZES = (0.6, 1.65)
"""A tile elsewhere that is smaller or larger, in sides of the pyramid's tiles, is none of this game."""
_MOST_LONE = 6
"""So many things that look like lone tiles are read to tell which of them is one."""
_TOUCHING = 1.4
"""Two tiles beside or upon each other have their middles at most so many sides apart."""
_HAND_SIDES = 1.5
"""Two tiles whose middles are nearer than this, in sides, lie beside or over each other. A tile of a hand
that was laid aside lay on the pyramid's lattice by chance, 1.3 sides from the next one (table-dev 001)."""
WHOLE_SHARE, PART_SHARE = 0.96, 0.15
"""A tile with less than the first share of its face in the picture is cut; with less than the second it
cannot be reported."""
PARTLY_STRANGE_SHARE = 0.5
"""A place is worth a look if less than this share of it shows the table."""
ONE_TILE = 0.7
"""Two middles that lie closer than this, in tile sides, belong to one tile."""
_FEW_PLACES = 8
"""So many places beside the pyramid show what the table looks like; of fewer, places further away help."""
_FURTHER = [(right, below) for right in (-3.6, -1.8, 0, 1.8, 3.6) for below in (-3.6, -1.8, 0, 1.8, 3.6)
            if max(abs(right), abs(below)) > 2]  # fmt: skip
"""Where those lie: sides to the right of the middle of the others, and below it."""


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
    cut: bool = False
    """Whether the picture's edge cuts it off."""

    @property
    def is_plain(self) -> bool:
        """Whether it looks like a tile that lies alone: certainly like a tile, square and wholly seen."""
        is_square = _squareness(self.quad_px) >= _PLAIN_SQUARENESS
        return self.tile >= _PLAIN_CHANCE and is_square and not self.cut

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


@dataclass(frozen=True, slots=True)
class Pyramid:
    """The tiles of the pyramid, row by row from the base, each row from left to right."""

    tiles: list[LatticeTile]
    is_upright: bool = True
    """Whether it is clear which way is up."""
    rivals: int = 0
    """How many tiles of the same size lie elsewhere."""


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


def off_grids(tiles: list[FoundTile], seen_px: list[Points]) -> list[FoundTile]:
    """Return the tiles without those of printed grids, as of calendars; `seen_px`: all that was detected."""
    inside = in_grid([tile.quad_px for tile in tiles], seen_px)
    return [tile for tile, is_in in zip(tiles, inside, strict=True) if not is_in]


def of_size(tiles: list[FoundTile], usual_px: float) -> list[FoundTile]:
    """Return the tiles whose sides are about as long as is usual."""
    return [tile for tile in tiles if SIZE_RATIO[0] < side_px(tile.quad_px) / usual_px < SIZE_RATIO[1]]


def ways_to_stand(tiles: list[FoundTile], aspect: float) -> list[list[Points]]:
    """Return the quads in which each tile may stand, four of a square, two of an oblong one.

    Tiles that lie the same way stand so in quads of one number.

    Args:
        tiles: What was found.
        aspect: The height of a tile by its width.
    """
    if not tiles:
        return []
    ways = []
    quads = [tile.quad_px for tile in tiles]
    for quad in (turned(quad, turn) for quad, turn in zip(quads, level_turns(quads), strict=True)):
        edges = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
        is_across = (edges[0] + edges[2] < edges[1] + edges[3]) == (aspect > 1)
        turns = range(4) if aspect == 1 else (0, 2) if is_across else (1, 3)
        ways.append([turned(quad, turn) for turn in turns])
    return ways


def upright(
    tiles: list[FoundTile], legible: Legible | None = None, known: KnownWay | None = None
) -> list[Points]:
    """Return each tile's quad from its face's own top left; the tiles need not form a pyramid.

    All faces together say which way is up. A single tile may lie turned among the others, but only where
    its own face says so clearly.

    Args:
        tiles: All that were found.
        legible: Is asked where the tiles' first looks leave doubt which way is up.
        known: Which way up the tiles of this game have lain so far.
    """
    if not tiles:
        return []
    ways_up = _ways_up(tiles, legible, known)
    way = int(ways_up.logs.argmax())
    return [turned(tile.quad_px, ways_up.own_turn(index, way, legible)) for index, tile in enumerate(tiles)]


def find_pyramid(
    tiles: list[FoundTile], legible: Legible | None = None, known: KnownWay | None = None
) -> Pyramid:
    """Return the tiles that form the pyramid.

    Args:
        tiles: All that were found.
        legible: Is asked where the tiles' first looks leave doubt which way is up.
        known: Which way up the tiles of this game have lain so far; hears what this picture says.
    """
    if not tiles:
        return Pyramid([])
    ways_up, way, places, is_upright = _standing(tiles, legible, known)
    if len(places) == 1:
        lone = _lone(tiles, legible, known)
        return Pyramid(lone, is_upright, _rivals(tiles, lone))
    level = _turned(tiles, ways_up.turns(way))
    kept = [index for index in range(len(tiles)) if not _is_stray(index, places, tiles)]
    if len(kept) < len(tiles):
        places = {kept[index]: place for index, place in lay_out([level[index] for index in kept]).items()}
    laid = []
    for index in sorted(places, key=lambda index: (places[index].row, places[index].half)):
        turn = ways_up.own_turn(index, way, legible)
        laid.append(LatticeTile(index, turned(tiles[index].quad_px, turn), turn % 4, places[index]))
    return Pyramid(laid, is_upright, _rivals(tiles, laid))


def _rivals(tiles: list[FoundTile], laid: list[LatticeTile]) -> int:
    """Return how many of the tiles that are not laid have the size of those that are.

    A lone tile does not tell how large tiles are: beside it all count that certainly look like one.
    """
    inside = {tile.index for tile in laid}
    sides = np.array([side_px(tile.quad_px) for tile in tiles])
    ratios = sides / np.median(sides[list(inside)]) if inside else np.zeros(0)
    alike = (ratios > _RIVAL_SIZES[0]) & (ratios < _RIVAL_SIZES[1])
    if len(inside) == 1:
        alike |= np.array([tile.tile >= _PLAIN_CHANCE and not tile.cut for tile in tiles])
    return sum(bool(each) for index, each in enumerate(alike) if index not in inside)


def may_be_none(tiles: list[FoundTile], laid: list[LatticeTile]) -> bool:
    """Return whether no laid tile is plainly one, where it is alone or another thing looks more like one."""
    if any(tiles[tile.index].is_plain for tile in laid):
        return False
    surest = max((tiles[tile.index].tile for tile in laid), default=0.0)
    return len(laid) == 1 or any(tile.tile > surest for tile in tiles)


def lies_among(quad: Points, others: NDArray[np.floating]) -> bool:
    """Return whether a tile that touches none of the pyramid's lies beside others: in a hand of tiles.

    What is smaller is a part of it: the number in its corner may look like a tile.
    """
    side = side_px(quad)
    return any(
        np.hypot(*(other.mean(axis=0) - quad.mean(axis=0))) < _HAND_SIDES * side
        and SIZE_RATIO[0] < side_px(other) / side < SIZE_RATIO[1]
        for other in others
    )


def _lone(tiles: list[FoundTile], legible: Legible | None, known: KnownWay | None) -> list[LatticeTile]:
    """Return the most likely one of several lone tiles, if any can be a tile.

    It is the one that reads best, as notes and the squares of a cloth look like tiles, too; one that the
    picture's edge cuts only where no other plainly is a tile.
    """
    alone = [index for index, tile in enumerate(tiles) if tile.may_lie_alone]
    if any(tiles[index].is_plain for index in alone):
        alone = [index for index in alone if not tiles[index].cut]
    alone.sort(key=lambda index: (tiles[index].cut, not tiles[index].is_plain))
    turns = [lone_turn(tiles[index].quad_px, tiles[index].up, legible, known) for index in alone[:_MOST_LONE]]
    laid = [
        LatticeTile(index, turned(tiles[index].quad_px, turn), turn % 4, LatticePlace(0, 0))
        for index, turn in zip(alone, turns, strict=False)
    ]
    if len(laid) > 1 and legible is not None:
        return [max(laid, key=lambda tile: float(legible([tile.quad_px])[0].sum()))]
    return laid[:1]


def _standing(
    tiles: list[FoundTile], legible: Legible | None, known: KnownWay | None
) -> tuple[WaysUp, int, dict[int, LatticePlace], bool]:
    """Return what the faces say, which way up all stand, the places of the pyramid, and if that is clear.

    It counts as well that every tile rests on two of the row below.
    """
    ways_up = _ways_up(tiles, legible, known)
    logs = ways_up.logs
    laid: list[dict[int, LatticePlace]] = [{}] * 4
    for way in np.argsort(-logs).tolist():
        other = laid[(way + 2) % 4]
        if other:
            laid[way] = on_their_heads(other)
        elif not any(len(places) == len(tiles) > 1 for places in laid):
            laid[way] = lay_out(_turned(tiles, ways_up.turns(way)))
    chances = logs + [ways_up.stands(places) for places in laid]
    close = np.flatnonzero(chances > chances.max() - CLEARLY_UPRIGHT).tolist()
    best = int(chances.argmax())
    if known is not None:  # two tiles of a game that lie on one side are no column (film 472300)
        best = max(close, key=lambda way: (len(laid[way]), chances[way]))
        close = [way for way in close if len(laid[way]) == len(laid[best])]
    places = laid[best]
    if known is not None and len(places) > 1:  # what lies alone may be no tile, and lie any way
        known.learn(tiles[0].quad_px, chances - ways_up.before, ways_up.carelessness(best))
    if len(places) == 1:  # it lies any way, unless others may lie in a row with it
        return ways_up, best, places, not any(len(laid[way]) > 1 for way in close)
    if known is not None and len({place.row for place in places.values()}) == 1:
        # From which end one row is to be read does not matter to a game: the next row shows it.
        close = [way for way in close if way != (best + 2) % 4]
    return ways_up, best, places, close == [best]


def _ways_up(tiles: list[FoundTile], legible: Legible | None, known: KnownWay | None) -> WaysUp:
    """Return what the faces of tiles say of how all of them stand."""
    quads, ups = [tile.quad_px for tile in tiles], [tile.up for tile in tiles]
    return WaysUp.of(quads, ups, _telling(tiles), legible, known)


def _turned(tiles: list[FoundTile], turns: list[int]) -> list[Points]:
    return [turned(tile.quad_px, turn) for tile, turn in zip(tiles, turns, strict=True)]


def _telling(tiles: list[FoundTile]) -> list[int]:
    """Return the tiles that tell which way is up: those that certainly are some, or all where none is.

    The figures of a cloth are many, and all lie the same way. Where some touch others, only those tell that
    lie in one pyramid with them: what lies about alone, or in a hand, lies any way. Where none touches
    another, likely ones that do tell as well, or a note would stand two tiles on their head.
    """
    certain = [index for index, tile in enumerate(tiles) if tile.tile >= _PLAIN_CHANCE]
    if not certain:
        return list(range(len(tiles)))
    likely = [index for index, tile in enumerate(tiles) if tile.tile >= _ALONE_CHANCE]
    return _pyramid_of(certain, tiles) or sorted({*certain, *_pyramid_of(likely, tiles)})


def _pyramid_of(certain: list[int], tiles: list[FoundTile]) -> list[int]:
    """Return most of the tiles that touch a certain one of their size, and what is certain and in line."""
    likely = [index for index, tile in enumerate(tiles) if tile.tile >= SURE_STRAY_CHANCE]
    quads = [tiles[index].quad_px for index in likely]
    sides = np.array([side_px(quad) for quad in quads])
    ratios = sides[:, None] / sides
    touch = (
        (distances_sides(quads, quads) < _TOUCHING) & (_RIVAL_SIZES[0] < ratios) & (ratios < _RIVAL_SIZES[1])
    )
    is_certain = np.isin(likely, certain)
    touch &= is_certain | is_certain[:, None]
    for _ in range(len(likely).bit_length()):
        touch = touch @ touch  # what is joined over twice as many tiles
    group = touch[touch.sum(axis=1).argmax()] if likely else is_certain
    if group.sum() < 2:
        return []
    group |= is_certain & in_line(quads, group)
    return [index for index, is_in in zip(likely, group, strict=True) if is_in]


def _squareness(quad: Points) -> float:
    """Return a quad's shortest side as a share of its longest."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(sides.min() / sides.max())


def nearer(seen: Points, expected: Points) -> Points:
    """Return the corners as seen if they lie where a tile is expected, else the expected ones."""
    return seen if distance_sides(seen, expected) < 0.25 else expected


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
    quads = [quad for _, quad in empty]
    table = table_looks(image_bgr, [*quads, *_further_away(quads, size_wh)]).only(range(len(quads)))
    worth = []
    for index, (_, quad) in enumerate(empty):
        away = seen_px - quad.mean(axis=0)
        is_seen = (np.hypot(away[:, 0], away[:, 1]) <= ONE_TILE * side_px(quad)).any()
        if (
            is_seen
            or not table.bare[index]
            or table.shown[index] < PARTLY_STRANGE_SHARE
            or shares[index] < WHOLE_SHARE
        ):
            worth.append(index)
    return [empty[index] for index in worth], table.only(worth)


def _further_away(quads_px: list[Points], size_wh: tuple[int, int]) -> list[Points]:
    """Return more places to compare a few with, in the picture and beyond the reach of what lies there.

    A few places alone do not show the pattern of a cloth.
    """
    if not quads_px or len(quads_px) >= _FEW_PLACES:
        return []
    across, down = (np.mean([quad[to] - quad[0] for quad in quads_px], axis=0) for to in (1, 3))
    middles = np.array([quad.mean(axis=0) for quad in quads_px])
    found = []
    for right, below in _FURTHER:
        quad = (quads_px[0] + (middles.mean(axis=0) - middles[0]) + right * across + below * down).astype(
            np.float32
        )
        if share_inside(quad, size_wh) >= WHOLE_SHARE:
            found.append(quad)
    return found


def _is_stray(index: int, places: dict[int, LatticePlace], tiles: list[FoundTile]) -> bool:
    """Return whether a doubtful candidate lies apart from all others, so that it is probably no tile."""
    if index not in places or tiles[index].tile >= SURE_STRAY_CHANCE or len(places) == 1:
        return False
    own = places[index]
    near = (place for other, place in places.items() if other != index and abs(place.row - own.row) <= 1)
    return all(abs(place.row - own.row) + abs(place.half - own.half) > 2 for place in near)
