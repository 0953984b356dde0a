"""From detected tiles to the pyramid: which way is up, which tiles belong to it, and where they lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, distance_sides, distances_sides, share_inside, side_px, turned
from vision.imaging.table_background import TableLooks, table_looks
from vision.recognition.lattice import SIZE_RATIO, LatticePlace, in_grid, in_line, lay_out

SURE_STRAY_CHANCE = 0.9
"""A tile that touches no other must look this much like one."""
_PLAIN_CHANCE, _PLAIN_SQUARENESS = 0.998, 0.93
_ALONE_CHANCE, _ALONE_SQUARENESS = 0.975, 0.8
"""A candidate without neighbours is doubtful unless it looks like a tile and is square by the first line.
Below the second line it is no tile. Labels and sticky notes mostly fail one of them."""
_CLOSE_WAYS, _CLOSE_BY_TILE, _CLEARLY_UPRIGHT = 12.0, 3.0, 3.0
"""Ways up that are less likely than the likeliest by no more than the first log chance, or the second for
each tile, are looked at again; if two are then closer than by the third, nobody knows which way is up. The
tiles of a set that looks much the same on its head are wrong together: without the second 436 of 456 pictures
of held-out artists were read the right way up, and 15 surely the wrong one; with it 447 and 4."""
_RIVAL_SIZES = (0.6, 1.65)
"""A tile elsewhere that is smaller or larger, in sides of the pyramid's tiles, is none of this game."""
_MOST_LONE = 6
"""So many things that look like lone tiles are read to tell which of them is one."""
_TOUCHING = 1.4
"""Two tiles beside or upon each other have their middles at most so many sides apart."""
_HAND_SIDES = 1.5
"""Two tiles whose middles are nearer than this, in sides, lie beside or over each other. A tile of a hand
that was laid aside lay on the pyramid's lattice by chance, 1.3 sides from the next one (table-dev 001)."""
_MOST_BY_ONE, _MOST_KNOWN = 4.0, 6.0
"""How much one picture of a game can say against a way up, in log odds, and all of them together: one clear
face outweighs any number of pictures, and so do two pictures that say otherwise."""
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
_CLEARLY_TURNED = 3.0
"""A face counts as turned against its neighbours only if its own log odds exceed theirs by this, and it reads
better by as much: of 89 such tiles of held-out artists the first look alone was wrong about 49, of 32 both
together about 5."""


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


class KnownWay:
    """Which way up the tiles of a game lie, as far as its pictures have told."""

    def __init__(self) -> None:
        """Begin without having seen any."""
        self._edge_deg, self._logs = 0.0, np.zeros(4)

    def logs(self, tiles: Sequence[FoundTile]) -> NDArray[np.float64]:
        """Return (4,) log odds, at most 0, that the first tile is upright if turned by 0 to 3 quarters."""
        return np.roll(self._logs, -round((_angle_deg(tiles[0].quad_px) - self._edge_deg) / 90))

    def learn(self, tiles: Sequence[FoundTile], evidence: NDArray[np.float64]) -> None:
        """Hear what a picture says by itself: (4,) log chances of the same."""
        told = self.logs(tiles) + np.maximum(evidence - evidence.max(), -_MOST_BY_ONE)
        self._edge_deg = _angle_deg(tiles[0].quad_px)
        self._logs = np.maximum(told - told.max(), -_MOST_KNOWN)

    def turn_over(self) -> None:
        """Hear from people that what was taken for upright stands on its head."""
        upright = (int(np.argmax(self._logs)) + 2) % 4
        self._logs = np.full(4, -_MOST_KNOWN)
        self._logs[upright] = 0.0


Legible = Callable[[list[Points]], tuple[float, float]]
"""How well the faces read all together, and that each of them stands upright in its quad, as log chances."""


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
    for quad in _turned(tiles, _level_turns(tiles)):
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
    return [
        turned(tile.quad_px, _own_turn(tile, turn, legible))
        for tile, turn in zip(tiles, _common_turns(tiles, legible, known), strict=True)
    ]


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
    turns, places, is_upright = _standing(tiles, legible, known)
    if len(places) == 1:
        lone = _lone(tiles, legible, known)
        return Pyramid(lone, rivals=_rivals(tiles, lone))
    level = _turned(tiles, turns)
    kept = [index for index in range(len(tiles)) if not _is_stray(index, places, tiles)]
    if len(kept) < len(tiles):
        places = {kept[index]: place for index, place in lay_out([level[index] for index in kept]).items()}
    laid = []
    for index in sorted(places, key=lambda index: (places[index].row, places[index].half)):
        turn = _own_turn(tiles[index], turns[index], legible)
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
    turns = [_lone_turn(tiles[index], legible, known) for index in alone[:_MOST_LONE]]
    laid = [
        LatticeTile(index, turned(tiles[index].quad_px, turn), turn % 4, LatticePlace(0, 0))
        for index, turn in zip(alone, turns, strict=False)
    ]
    if len(laid) > 1 and legible is not None:
        return [max(laid, key=lambda tile: legible([tile.quad_px])[0])]
    return laid[:1]


def _lone_turn(tile: FoundTile, legible: Legible | None, known: KnownWay | None) -> int:
    """Return by how many quarters the quad of a lone tile is turned to stand upright.

    The first look at its face and how well that reads are weighed together: of 115 first tiles of filmed
    games the one alone turned eleven, both turn two.
    """
    first_look = _log_up(tile)
    ways = [(chance, turns[0]) for chance, turns in _likely_turns([tile], legible, known)]
    return max((chance + first_look[-turn % 4], turn) for chance, turn in ways)[1]


def _standing(
    tiles: list[FoundTile], legible: Legible | None, known: KnownWay | None
) -> tuple[list[int], dict[int, LatticePlace], bool]:
    """Return by how many quarters each quad is turned, the places of the pyramid, and whether that is clear.

    The first looks say which way is up. Where they leave doubt the faces are read each way, and it counts
    that every tile rests on two of the row below.
    """
    found, evidence = [], np.full(4, -np.inf)
    before = np.zeros(4) if known is None else known.logs(tiles)
    for chance, turns in _likely_turns(tiles, legible, known):
        places = lay_out(_turned(tiles, turns))
        chance += _stands(places)
        found.append((chance, turns, places))
        evidence[turns[0] % 4] = chance - before[turns[0] % 4]
    found.sort(key=lambda each: -each[0])
    _, turns, places = found[0]
    if known is not None and len(places) > 1:  # what lies alone may be no tile, and lie any way
        known.learn(tiles, evidence)
    return turns, places, len(found) == 1 or found[0][0] - found[1][0] >= _CLEARLY_UPRIGHT


def _stands(places: dict[int, LatticePlace]) -> float:
    """Return the log chance that bricks at these places stand, from below or from above.

    One for each tile that holds another, less one for each that is missing below another. Upside down as many
    hold each other: the wider of the lowest and the highest row is the base.
    """
    taken = set(places.values())
    above = [place for place in taken if place.row]
    held = sum(place.moved(-1, half) in taken for place in above for half in (-1, 1))
    return 2.0 * (held - len(above))


def _common_turns(tiles: list[FoundTile], legible: Legible | None, known: KnownWay | None) -> list[int]:
    """Return by how many quarters each quad is turned so that all stand upright together."""
    return max(_likely_turns(tiles, legible, known))[1]


def _likely_turns(
    tiles: list[FoundTile], legible: Legible | None, known: KnownWay | None
) -> list[tuple[float, list[int]]]:
    """Return the turns of all quads that may stand them upright, each with its log chance."""
    level = _level_turns(tiles)
    telling = _telling(tiles)
    evidence = _ways_up([tiles[index] for index in telling], [level[index] for index in telling])
    before = np.zeros(4) if known is None else known.logs(tiles)
    together = evidence + before
    close = max(_CLOSE_WAYS, _CLOSE_BY_TILE * len(telling))
    ways = [int(way) for way in np.flatnonzero(together >= together.max() - close)]
    likely = []
    for way in ways:
        turns = [turn + way for turn in level]
        seen = float(evidence[way])
        if legible is not None and len(ways) > 1:
            upright_quads = _turned(tiles, turns)
            seen = sum(legible([upright_quads[index] for index in telling]))
        likely.append((seen + float(before[way]), turns))
    return likely


def _turned(tiles: list[FoundTile], turns: list[int]) -> list[Points]:
    return [turned(tile.quad_px, turn) for tile, turn in zip(tiles, turns, strict=True)]


def _level_turns(tiles: list[FoundTile]) -> list[int]:
    """Return by how many quarters each quad is turned so that all lie within 45 degrees of one direction."""
    first = _angle_deg(tiles[0].quad_px)
    return [round((first - _angle_deg(tile.quad_px)) / 90) for tile in tiles]


def _ways_up(tiles: list[FoundTile], level: list[int]) -> NDArray[np.float64]:
    """Return (4,) the log chance that the faces of levelled tiles give each way up."""
    logs = [_log_up(tile) for tile in tiles]
    return np.array(
        [sum(log[(-turn - way) % 4] for log, turn in zip(logs, level, strict=True)) for way in range(4)]
    )


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


def _log_up(tile: FoundTile) -> NDArray[np.float64]:
    return np.log(np.maximum(tile.up, 1e-4))


def _own_turn(tile: FoundTile, turn: int, legible: Legible | None) -> int:
    """Return by how many quarters a quad is turned: as all others, or as its own face and reading say."""
    log_up = _log_up(tile)
    own = int(log_up.argmax())
    if log_up[own] - log_up[-turn % 4] <= _CLEARLY_TURNED:
        return turn
    if legible is not None:
        as_others, as_own = (sum(legible([turned(tile.quad_px, way)])) for way in (turn, -own))
        if as_own - as_others <= _CLEARLY_TURNED:
            return turn
    return -own


def _squareness(quad: Points) -> float:
    """Return a quad's shortest side as a share of its longest."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(sides.min() / sides.max())


def _angle_deg(quad: Points) -> float:
    edge = quad[1] - quad[0] + quad[2] - quad[3]
    return float(np.degrees(np.arctan2(edge[1], edge[0])))


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
