"""Where the tiles of a simulated game lie, moment by moment: what is not moved stays where it was put."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from referee.rules.layout import Layout
from tests.simulation.play import Play

_GAP = 1.04
"""How far tiles lie apart, in sides."""
_LOOSE_GAP = (1.02, 1.18)
_Off = tuple[float, float, float]
_NEATLY: _Off = (0.012, 1.2, math.inf)
_LOOSELY: _Off = (0.055, 5.0, 2.0)
"""By how many sides, and degrees, a tile lies beside its place and askew: the standard deviations, and how
many of them at most."""
_PUSHED, _PUSH, _PUSH_DEG = 0.12, (0.15, 0.5), (2.0, 9.0)
"""So many changes push the whole pyramid, by how many sides, and how far they turn it."""
Pose = tuple[float, float, float]
"""Where the middle of a tile lies, in tile sides (y down), and its turn in degrees."""
Poses = dict[str, Pose]
"""By code."""


def poses_of(
    play: Play,
    rng: np.random.Generator,
    *,
    any_way_up: bool = False,
    loosely: bool = False,
    pushed: bool = False,
) -> list[Poses]:
    """Return where the tiles lie at each moment; what is not moved stays where it was put.

    Args:
        play: What happens.
        rng: Draws how people put tiles down.
        any_way_up: Whether they lay each tile as it comes, on its head or a side, too; what falls keeps its
            way up.
        loosely: Whether they lay tiles askew and with gaps between them, as people do who talk.
        pushed: Whether who lays or takes a tile sometimes pushes the whole pyramid, to make room.
    """
    poses: list[Poses] = []
    gap, off = (rng.uniform(*_LOOSE_GAP), _LOOSELY) if loosely else (_GAP, _NEATLY)
    cells: dict[str, tuple[int, int]] = {}
    shift = 0
    lying: Poses = {}
    bumped: tuple[str, ...] = ()
    for moment in play.moments:
        found, shift = _cells(moment.layout, cells, shift if cells else 0)
        before, stays = lying, {code for code, at in found.items() if cells.get(code) == at}
        lying = {
            code: before[code] if code in stays else _laid(at, rng, gap, off) for code, at in found.items()
        }
        if any_way_up:
            new = [code for code in lying if code not in stays]
            lying |= {code: _turned(lying[code], before.get(code), rng) for code in new}
        cells = found
        if moment.bumped != bumped:
            bumped = moment.bumped
            for code in bumped:
                x, y, turn = lying[code]
                way = rng.uniform(0, 2 * np.pi)
                lying[code] = x + 0.1 * np.cos(way), y + 0.1 * np.sin(way), turn + rng.choice([-7, 7])
        poses.append(dict(lying))
    return _pushed(poses, rng) if pushed else poses


def _pushed(poses: list[Poses], rng: np.random.Generator) -> list[Poses]:
    """Return where the tiles lie if the pyramid is pushed and turned a little now and then."""
    changed: list[Poses] = []
    turn_deg, there = 0.0, np.hstack([np.eye(2), np.zeros((2, 1))])
    for before, lying in pairwise([{}, *poses]):
        if len(lying) > 1 and lying != before and rng.random() < _PUSHED:
            middle = there @ [*np.mean([pose[:2] for pose in lying.values()], axis=0), 1]
            by_deg = float(rng.choice([-1, 1]) * rng.uniform(*_PUSH_DEG))
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(*_PUSH)
            c, s = np.cos(np.radians(by_deg)), np.sin(np.radians(by_deg))
            there = np.array([[c, -s], [s, c]]) @ (there - [[0, 0, each] for each in middle])
            there[:, 2] += middle + far * np.array([np.cos(way), np.sin(way)])
            turn_deg += by_deg
        changed.append(
            {code: (*map(float, there @ [x, y, 1]), turn + turn_deg) for code, (x, y, turn) in lying.items()}  # type: ignore[misc]
        )
    return changed


def _cells(
    layout: Layout, before: Mapping[str, tuple[int, int]], last_shift: int
) -> tuple[dict[str, tuple[int, int]], int]:
    """Return row and half slot of each tile on the table, where most lie as before, and the shift of all.

    A layout counts its slots from the leftmost tile, which comes and goes. Where a new tile has taken all
    others, the shift is the last one: it lies over them.
    """
    found = {tile.code: (row, 2 * slot + row) for (row, slot), tile in layout.tiles}
    common = [(before[code], at) for code, at in found.items() if code in before]

    def moved(shift: int) -> tuple[int, int]:
        away = [abs(old[1] - new[1] - shift) + abs(old[0] - new[0]) for old, new in common]
        return sum(each > 0 for each in away), sum(away)

    shifts = {2 * round((old[1] - new[1] + aside) / 2) for old, new in common for aside in (0, 1)}
    shift = min(sorted(shifts), key=moved, default=last_shift)
    return {code: (row, half + shift) for code, (row, half) in found.items()}, shift


def _laid(at: tuple[int, int], rng: np.random.Generator, gap: float, off: _Off) -> Pose:
    """Return where a tile comes to lie that is put down at a row and half slot."""
    row, half = at
    away, askew, most = off
    x, y = np.clip(rng.normal(0, away, 2), -most * away, most * away)
    turn = float(np.clip(rng.normal(0, askew), -most * askew, most * askew))
    return half / 2 * gap + x, -row * gap + y, turn


def _turned(pose: Pose, was: Pose | None, rng: np.random.Generator) -> Pose:
    """Return how a tile lies that people put down any way up, or that fell as it lay."""
    x, y, turn = pose
    return x, y, turn + 90 * (rng.integers(4) if was is None else round(was[2] / 90))
