"""Pyramids as players build them: which tile lies where, not quite straight."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from referee.rules.layout import Layout
from referee.rules.tiles import CODES


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A tile on the table; unit: a tile's side."""

    code: str
    row: int
    slot: int
    at: tuple[float, float]
    """Its middle: x to the right, y towards the players."""
    turn: float
    """Radians, clockwise as seen from above."""


def draw_layout(rng: np.random.Generator) -> Layout:
    """Return a pyramid of 1 to 45 tiles on a base of 1 to 9; about a third has holes or overhangs."""
    base = int(rng.integers(1, 10))
    full = base * (base + 1) // 2
    goal = int(rng.integers(base, full + 1))
    taken = {(0, slot) for slot in range(base)}
    while len(taken) < goal:
        free = [(r + 1, s) for r, s in taken if (r, s + 1) in taken and (r + 1, s) not in taken]
        odds = np.array([0.55**row for row, _ in sorted(free)])
        taken.add(sorted(free)[rng.choice(len(free), p=odds / odds.sum())])
    if rng.random() < 0.35:
        for _ in range(int(rng.integers(1, 4))):
            _disturb(taken, rng)
    codes = rng.permutation(CODES)[: len(taken)]
    return Layout.from_tiles({place: str(code) for place, code in zip(sorted(taken), codes, strict=True)})


def _disturb(taken: set[tuple[int, int]], rng: np.random.Generator) -> None:
    """Take a tile out, or add one that overhangs, where every tile keeps a support."""
    overhangs = sorted(
        (row + 1, slot + step)
        for row, slot in taken
        for step in (-1, 0)
        if (row + 1, slot + step) not in taken and ((row, slot - 1 if step else slot + 1) not in taken)
    )
    if overhangs and len(taken) < len(CODES) and rng.random() < 0.45:
        taken.add(overhangs[rng.integers(len(overhangs))])
        return
    candidate = sorted(taken)[rng.integers(len(taken))]
    rest = taken - {candidate}
    supported = all(row == 0 or (row - 1, slot) in rest or (row - 1, slot + 1) in rest for row, slot in rest)
    base = sorted(slot for row, slot in rest if row == 0)
    near = all(b - a <= 2 for a, b in pairwise(base))
    bridged = all(b - a == 1 or ((1, a) in rest and (1, a + 1) in rest) for a, b in pairwise(base))
    if base and supported and near and bridged:
        taken.discard(candidate)


def lay_pyramid(layout: Layout, rng: np.random.Generator) -> list[LyingTile]:
    """Return the tiles as they lie, row 0 nearest to the players, the base line's middle at the origin."""
    gap = rng.uniform(0.0, 0.06)
    play = min(1.0, gap / 0.04)
    turn_limit = np.radians(0.4 + 2.6 * play)
    lying = []
    row_shifts = rng.normal(0, 0.012, layout.height)
    pitch = 1.006 + gap
    rise = np.concatenate([[0.0], np.cumsum(1.006 + gap * rng.uniform(0.6, 1.2, max(layout.height - 1, 0)))])
    for (row, slot), tile in layout.tiles:
        jitter = rng.uniform(-0.4, 0.4, 2) * gap
        x = (slot + row / 2 - (layout.width - 1) / 2) * pitch + row_shifts[row] + jitter[0]
        turn = float(np.clip(rng.normal(0, turn_limit / 2), -turn_limit, turn_limit))
        lying.append(LyingTile(tile.code, row, slot, (float(x), float(jitter[1] - rise[row])), turn))
    return lying


def lay_loosely(codes: list[str], rng: np.random.Generator) -> list[LyingTile]:
    """Return 15 tiles in 3 rows of 5, not touching, roughly upright; row 0 is the nearest."""
    lying = []
    for number, code in enumerate(codes):
        row, slot = 2 - number // 5, number % 5
        shift: NDArray[np.float64] = rng.uniform(-0.09, 0.09, 2)
        turn = float(np.radians(rng.uniform(-5, 5)))
        lying.append(
            LyingTile(
                code, row, slot, ((slot - 2) * 1.42 + float(shift[0]), -row * 1.42 + float(shift[1])), turn
            )
        )
    return lying
