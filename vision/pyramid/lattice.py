"""From quads to rows and slots: the tiles themselves show the brick offset, for there is no board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.imaging.geometry import (
    UNIT_SQUARE,
    Matrix,
    Points,
    map_points,
    side_px,
    square_to_quad,
    turned,
    turned_as,
)

_STEP_TOLERANCE = 0.27
"""How far, in tile sides, a neighbour may lie off its place: half a slot is 0.5, so 0.25 is midway."""
_SNAP_TOLERANCE = 0.3
_PITCH = 1.05
"""Neighbours lie so many sides apart where nothing tells better."""
_MAX_TURN_DEG = 20.0
_ASTRAY, _UNSLANTED, _FITS = 0.1, 2.0, 8
"""Corners further off their places, in sides, count less; how much speaks against a slant of the table; so
often the lattice is fitted anew. Chosen on the true corners of 120 path-traced pictures: four tiles miss
another one, up to 4 slots away, by more than `_SNAP_TOLERANCE` in 4.3 % of cases, in 11 % where one tile in
eight is found badly; a homography by RANSAC in 6.1 % and 23 %."""
SIZE_RATIO = (0.72, 1.38)
"""Between these a side is to another one if both are of tiles of one game."""
_GRID_PITCH, _OFF_GRID = (0.85, 1.35), 0.2
"""The squares of a grid have their middles so many sides apart, and lie at most so far aside: no tile does on
1,006 pictures of tables (decision 70)."""
_JOINED_SIDES, _MAX_JOINED_TURN_DEG, _MAX_REACH = (0.8, 1.25), 14.0, 4
"""A tile across a gap has this side on the plane, lies this straight, and is at most so many slots away."""


@dataclass(frozen=True, slots=True)
class LatticePlace:
    """Where a tile lies: `row` from 0 at the base, `half` in half slots from the leftmost base column.

    A row's slots begin half a slot further to the right than those of the row below:

    >>> LatticePlace.of_slot(1, 2)
    LatticePlace(row=1, half=5)
    >>> LatticePlace(1, 5).slot
    2
    """

    row: int
    half: int

    @classmethod
    def of_slot(cls, row: int, slot: int) -> LatticePlace:
        """Return the place of a row and slot of the layout's notation."""
        return cls(row, 2 * slot + row)

    @property
    def slot(self) -> int:
        """Slot in the row, as the layout's notation counts it."""
        return (self.half - self.row) // 2

    def moved(self, rows: int, halves: int) -> LatticePlace:
        """Return the place so many rows higher and half slots further to the right.

        >>> LatticePlace(0, 4).moved(1, -1)
        LatticePlace(row=1, half=3)
        """
        return LatticePlace(self.row + rows, self.half + halves)

    def middle(self, across: float, upward: float) -> tuple[float, float]:
        """Return the middle on the plane of a lattice with these pitches: x right, y down."""
        return self.half / 2 * across, -self.row * upward


def lay_out(quads_px: list[Points]) -> dict[int, LatticePlace]:
    """Return the place of every quad that belongs to the pyramid, by index; the others are left out.

    Args:
        quads_px: (4, 2) quads, each listed from the corner that is top left when the pyramid stands upright;
            of equally large groups of tiles the one with the first quad is the pyramid.
    """
    if not quads_px:
        return {}
    middles = np.array([map_points(square_to_quad(quad), np.array([[0.5, 0.5]]))[0] for quad in quads_px])
    steps = _steps(quads_px, middles)
    groups = _groups(len(quads_px), steps)
    groups.sort(key=len, reverse=True)
    places = groups[0]
    for _ in range(3):
        before = len(places)
        if before < len(quads_px):
            places = _join(places, quads_px, middles)
        if len(places) == before:
            break
    return grounded({index: LatticePlace(-v, u) for index, (v, u) in places.items()})


def grounded(places: dict[int, LatticePlace]) -> dict[int, LatticePlace]:
    """Return the places with the lowest row as row 0 and the leftmost base column as column 0.

    >>> grounded({7: LatticePlace(2, 4), 8: LatticePlace(3, 5)})
    {7: LatticePlace(row=0, half=0), 8: LatticePlace(row=1, half=1)}
    """
    low = min(place.row for place in places.values())
    # A base slot's left edge lies on an even half slot; row r is shifted by r halves.
    left = min(place.half - (place.row - low) for place in places.values())
    return {index: place.moved(-low, -left) for index, place in places.items()}


def on_their_heads(places: dict[int, LatticePlace]) -> dict[int, LatticePlace]:
    """Return the places that tiles have if what was taken for upright stands on its head.

    >>> on_their_heads({7: LatticePlace(0, 0), 8: LatticePlace(0, 2), 9: LatticePlace(1, 1)})
    {7: LatticePlace(row=1, half=3), 8: LatticePlace(row=1, half=1), 9: LatticePlace(row=0, half=2)}
    """
    return grounded({index: LatticePlace(-place.row, -place.half) for index, place in places.items()})


def around(place: LatticePlace) -> list[LatticePlace]:
    """Return the six places that touch a place."""
    return [
        place.moved(rows, halves) for rows, halves in ((0, -2), (0, 2), (1, -1), (1, 1), (-1, -1), (-1, 1))
    ]


def touching(places: list[LatticePlace]) -> list[bool]:
    """Return of each of the places whether it touches another one of them."""
    taken = set(places)
    return [any(other in taken for other in around(place)) for place in places]


def empty_neighbours(quads_px: list[Points], places: list[LatticePlace]) -> list[tuple[LatticePlace, Points]]:
    """Return the empty places that touch a tile, and where a tile would lie there.

    Args:
        quads_px: (4, 2) quads of the pyramid's tiles, each from its upright top left.
        places: Their places.

    Returns:
        Places in the same coordinates (a column left of the base is negative) with (4, 2) quads.
    """
    middles = np.array([quad.mean(axis=0) for quad in quads_px])
    fitted = fit({index: (-place.row, place.half) for index, place in enumerate(places)}, quads_px, middles)
    if fitted is None:
        return []
    homography, across, upward = fitted
    taken = set(places)
    empty = {other for place in places for other in around(place) if other.row >= 0}
    return [
        (
            place,
            map_points(homography, UNIT_SQUARE - 0.5 + place.middle(across, upward)),
        )
        for place in sorted(empty - taken, key=lambda place: (place.row, place.half))
    ]


def in_grid(quads_px: list[Points], faint_px: list[Points]) -> NDArray[np.bool_]:
    """Return which quads lie two by two with others, or straight beside or below such, (n,).

    No four tiles of a pyramid do: a row lies half a tile beside the one below it.

    Args:
        quads_px: (4, 2) quads.
        faint_px: What else may be a square: it joins others to a grid, and makes none.
    """
    quads, count = [*quads_px, *faint_px], len(quads_px)
    if not count:
        return np.zeros(0, np.bool_)
    steps = np.abs(_offsets(quads, np.array([quad.mean(axis=0) for quad in quads])))
    is_near, is_level = (steps > _GRID_PITCH[0]) & (steps < _GRID_PITCH[1]), steps < _OFF_GRID
    across, down = is_near[..., 0] & is_level[..., 1], is_near[..., 1] & is_level[..., 0]
    across, down = across & across.T, down & down.T
    beside, below = across[:count, :count], down[:count, :count]
    two_by_two = (beside @ below) & (below @ beside) & ~np.eye(count, dtype=np.bool_)
    joined, inside = across | down, np.zeros(len(quads), np.bool_)
    inside[:count], known = two_by_two.any(axis=1), 0
    while inside.sum() > known:
        known = inside.sum()
        inside |= np.asarray(joined[:, inside].any(axis=1))
    return inside[:count]


def in_line(quads_px: list[Points], group: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which quads lie where tiles of a pyramid may that the group's tiles lie in, any side up, (n,).

    Args:
        quads_px: (4, 2) quads, listed from any corner.
        group: (n,) which of them touch.
    """
    quads = np.array(quads_px, np.float64)
    middles, edges = quads.mean(axis=1), np.roll(quads, -1, axis=1) - quads
    sides = np.hypot(edges[..., 0], edges[..., 1]).mean(axis=1)
    turns = np.degrees(np.arctan2(edges[..., 1], edges[..., 0]))[:, :1]
    away = middles[:, None] - middles
    apart = np.hypot(away[..., 0], away[..., 1]) + np.where(group, 0, np.inf)
    nearest = apart.argmin(axis=1)
    own = edges[nearest, :2].transpose(0, 2, 1)  # columns: a step to the right, a step down
    steps = np.linalg.solve(own, away[np.arange(len(quads)), nearest][..., None])[..., 0] / _PITCH
    is_there = np.zeros(len(quads), np.bool_)
    for row, half in ((steps[:, 1], 2 * steps[:, 0]), (steps[:, 0], 2 * steps[:, 1])):
        shift = np.round(row) % 2
        off = np.hypot(row - np.round(row), half / 2 - np.round((half - shift) / 2) - shift / 2)
        is_there |= off < _SNAP_TOLERANCE
    turned = np.abs((turns[:, 0] - turns[nearest, 0] + 45) % 90 - 45)
    ratios = sides / sides[nearest]
    is_alike = (ratios > _JOINED_SIDES[0]) & (ratios < _JOINED_SIDES[1]) & (turned < _MAX_JOINED_TURN_DEG)
    is_near = np.abs(steps).max(axis=1) < _MAX_REACH + _SNAP_TOLERANCE
    found: NDArray[np.bool_] = is_there & is_alike & is_near
    return found


def _inverse(matrix: Matrix) -> Matrix:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _offsets(quads: list[Points], middles: Points) -> NDArray[np.float64]:
    """Return where each tile's middle lies from each other's, in sides of the first, (n, n, 2)."""
    to_tile = np.linalg.inv(np.array([square_to_quad(quad) for quad in quads]))
    points = np.concatenate([middles, np.ones((len(middles), 1))], axis=1)
    mapped = np.einsum("aij,bj->abi", to_tile, points)
    away: NDArray[np.float64] = mapped[..., :2] / mapped[..., 2:] - 0.5
    return away


def _steps(quads: list[Points], middles: Points) -> dict[tuple[int, int], tuple[int, int]]:
    """Return neighbours as pairs of indices to (rows down, half slots right)."""
    sides = np.array([side_px(quad) for quad in quads])
    edges = np.array([quad[1] - quad[0] for quad in quads])
    angles = np.degrees(np.arctan2(edges[:, 1], edges[:, 0]))
    away = middles[:, None] - middles[None]
    ratios = sides[None] / np.maximum(sides[:, None], 1e-6)
    # Two tiles of one pyramid are of about one size and lie the same way.
    may_touch = (
        (np.hypot(away[..., 0], away[..., 1]) <= 2.2 * sides[:, None])
        & (ratios > SIZE_RATIO[0])
        & (ratios < SIZE_RATIO[1])
        & (np.abs((angles[:, None] - angles[None] + 180) % 360 - 180) < _MAX_TURN_DEG)
    )
    away_in_sides = _offsets(quads, middles)
    steps: dict[tuple[int, int], tuple[int, int]] = {}
    for one, two in np.argwhere(np.triu(may_touch, 1)):
        step = _step((away_in_sides[one, two] - away_in_sides[two, one]) / 2)
        if step is not None:
            steps[int(one), int(two)] = step
            steps[int(two), int(one)] = (-step[0], -step[1])
    return steps


def _step(offset: NDArray[np.float64]) -> tuple[int, int] | None:
    """Return the step that an offset in tile sides amounts to: beside, or half aside in the next row."""
    for rows, halves in ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)):
        if (
            abs(offset[0] - halves / 2 * _PITCH) < _STEP_TOLERANCE
            and abs(offset[1] - rows * _PITCH) < _STEP_TOLERANCE
        ):
            return rows, halves
    return None


def _groups(count: int, steps: dict[tuple[int, int], tuple[int, int]]) -> list[dict[int, tuple[int, int]]]:
    """Return connected tiles with coordinates (rows down, half slots right) from a tile of each group."""
    near: dict[int, list[int]] = {index: [] for index in range(count)}
    for one, two in steps:
        near[one].append(two)
    groups, seen = [], set[int]()
    for start in range(count):
        if start in seen:
            continue
        group: dict[int, tuple[int, int]] = {start: (0, 0)}
        queue = [start]
        while queue:
            one = queue.pop(0)
            for two in near[one]:
                rows, halves = steps[one, two]
                at = (group[one][0] + rows, group[one][1] + halves)
                if two not in group and at not in group.values():
                    group[two] = at
                    queue.append(two)
        seen.update(group)
        groups.append(group)
    return groups


def _pitch(places: dict[int, tuple[int, int]], quads: list[Points], middles: Points) -> tuple[float, float]:
    """Return the distance of neighbours across and up, in tile sides; `_PITCH` where there are none."""
    indices = list(places)
    away = np.abs(_offsets([quads[index] for index in indices], middles[indices]))
    at = np.array(list(places.values()))
    rows, halves = np.moveaxis(np.abs(at[:, None] - at[None]), -1, 0)
    near = np.triu((rows <= 1) & (halves <= 2), 1)
    across, upward = away[near & (rows == 0), 0], away[near & (rows == 1), 1]
    wide = float(np.median(across)) if len(across) else float(np.median(upward)) if len(upward) else _PITCH
    return wide, float(np.median(upward)) if len(upward) else wide


def fit(
    places: dict[int, tuple[int, int]], quads: list[Points], middles: Points
) -> tuple[Matrix, float, float] | None:
    """Return the homography from the plane (tile sides, y down) to pixels, and the pitches across and up.

    Tiles may lie turned in their places.
    """
    quads = _levelled(places, quads, middles)
    across, upward = _pitch(places, quads, middles)
    plane = [UNIT_SQUARE - 0.5 + [half / 2 * across, row * upward] for row, half in places.values()]
    side = float(np.median([side_px(quads[index]) for index in places]))
    homography = _homography(np.concatenate(plane), np.concatenate([quads[index] for index in places]), side)
    return None if abs(np.linalg.det(homography)) < 1e-12 else (homography, across, upward)


def _homography(plane: Points, pixels: Points, side: float) -> Matrix:
    """Return the homography that takes (n, 2) corners on the plane, in tile sides, to those in pixels.

    Least squares, reweighted after Huber: tiles lie a little askew, and some corners are found badly. Two or
    three such tiles seem to show a table that slants, so a slant is only believed as far as it is needed.

    Args:
        plane: Four corners of one tile at least.
        pixels: The same corners.
        side: Of a tile, in pixels.
    """
    middle, middle_px = plane.mean(axis=0), pixels.mean(axis=0)
    at, seen = plane - middle, (pixels - middle_px) / side
    one, none = np.ones((len(at), 1)), np.zeros((len(at), 3))
    rows = np.concatenate(
        [np.hstack([at, one, none, -seen[:, :1] * at]), np.hstack([none, at, one, -seen[:, 1:] * at])]
    )
    sought, against = seen.T.reshape(-1), np.diag([0.0] * 6 + [_UNSLANTED**2] * 2)
    found, weights, depths = np.zeros(8), np.ones(len(at)), np.ones(len(at))
    for _ in range(_FITS):
        weighted = rows * np.tile(weights / depths**2, 2)[:, None]
        found = np.linalg.solve(weighted.T @ rows + against, weighted.T @ sought)
        depths = np.maximum(1 + at @ found[6:], 0.2)  # nothing lies behind the camera
        off = np.hypot(*(rows @ found - sought).reshape(2, -1) / depths)
        weights = _ASTRAY / np.maximum(off, _ASTRAY)
    to_middle, to_pixels = np.eye(3), np.diag([side, side, 1.0])
    to_middle[:2, 2], to_pixels[:2, 2] = -middle, middle_px
    return np.asarray(to_pixels @ np.append(found, 1.0).reshape(3, 3) @ to_middle, np.float64)


def _levelled(places: dict[int, tuple[int, int]], quads: list[Points], middles: Points) -> list[Points]:
    """Return quads listed from the same corner each, the one that is top left as the places say.

    A green 2 lay on its side; the lattice was fitted to its corners as they were, and tiles that had stayed
    seemed to lie 13 slots away (film 420059).
    """
    first, *others = places
    turns = dict.fromkeys(range(len(quads)), 0)
    for index in others:
        turns[index] = turned_as(quads[index] - middles[index], quads[first] - middles[first])
    if not others:
        return quads
    plane = np.array([(half / 2, row) for row, half in places.values()]) @ (1, 1j)
    pixels = middles[list(places)] @ (1, 1j)
    across = np.sum((pixels - pixels.mean()) * (plane - plane.mean()).conj())
    edges = [np.diff(turned(quads[first], way)[:2], axis=0)[0] @ (1, 1j) for way in range(4)]
    way = max(range(4), key=lambda way: float((across.conj() * edges[way]).real / abs(edges[way])))
    return [turned(quad, turns[index] + way) for index, quad in enumerate(quads)]


def _join(
    places: dict[int, tuple[int, int]], quads: list[Points], middles: Points
) -> dict[int, tuple[int, int]]:
    """Return `places` with every other quad added that lies on the same lattice across a gap."""
    fitted = fit(places, quads, middles)
    if fitted is None:
        return places
    homography, across, upward = fitted
    back = _inverse(homography)
    joined = dict(places)
    taken = set(places.values())
    for index, quad in enumerate(quads):
        if index in joined:
            continue
        flat = map_points(back, quad)
        middle = flat.mean(axis=0)
        row = round(float(middle[1]) / upward)
        # Left edges of one row lie on every second half slot.
        shift = (row + _parity(places)) % 2
        half = 2 * round((float(middle[0]) / across * 2 - shift) / 2) + shift
        off = np.hypot(middle[0] - half / 2 * across, middle[1] - row * upward)
        side = side_px(flat)
        edge = flat[1] - flat[0]
        turn = abs(np.degrees(np.arctan2(edge[1], edge[0])))
        reach = min(max(abs(row - r), abs(half - h) / 2) for r, h in taken)
        if (
            off < _SNAP_TOLERANCE
            and _JOINED_SIDES[0] < side < _JOINED_SIDES[1]
            and turn < _MAX_JOINED_TURN_DEG
            and (row, half) not in taken
            and reach <= _MAX_REACH
        ):
            joined[index] = (row, half)
            taken.add((row, half))
    return joined


def _parity(places: dict[int, tuple[int, int]]) -> int:
    row, half = next(iter(places.values()))
    return (row + half) % 2
