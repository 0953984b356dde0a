"""Where the tiles of a picture lie: in a pyramid, strewn, in rows, or fanned out beside a pyramid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.training.scenes.table_plane import Place


def pyramid_places(rng: np.random.Generator) -> list[Place]:
    """Return a pyramid's tile centres and turns: x, y in tile sides (y down), degrees."""
    base = int(rng.integers(1, 10))
    gap = abs(rng.normal(0, 0.04))
    wobble, twist = rng.uniform(0, 0.035), rng.uniform(0, 3)
    if rng.random() < 0.15:
        wobble, twist = 0.07, 7
    filled: set[tuple[int, int]] = {(0, slot) for slot in range(base) if rng.random() < 0.92}
    keep = rng.uniform(0.4, 1.0)
    for row in range(1, base):
        for slot in range(base - row):
            supports = ((row - 1, slot) in filled) + ((row - 1, slot + 1) in filled)
            if (supports == 2 and rng.random() < keep) or (supports == 1 and rng.random() < 0.12):
                filled.add((row, slot))
    if not filled:
        filled = {(0, 0)}
    laid = []
    for row, slot in filled:
        turn = rng.normal(0, twist) + (rng.choice([90, 180, 270]) if rng.random() < 0.02 else 0)
        laid.append(
            (
                (slot + row / 2) * (1 + gap) + rng.normal(0, wobble),
                -row * (1 + gap * rng.uniform(0.7, 1.3)) + rng.normal(0, wobble),
                turn,
            )
        )
    return laid


def strewn_places(rng: np.random.Generator, aspect: float) -> list[Place]:
    """Return places of another game's tiles: strewn, in touching rows, or in a pyramid."""
    kind = rng.random()
    if kind < 0.3:
        return crossed_places(rng, aspect)
    if kind < 0.47:
        return [(x, y * aspect, turn) for x, y, turn in pyramid_places(rng)]
    if kind < 0.72:
        gap, lean = 1 + abs(rng.normal(0, 0.06)), rng.normal(0, 2)
        return [
            (column * gap + rng.normal(0, 0.01), row * aspect * rng.uniform(1, 1.15), lean)
            for row in range(int(rng.integers(1, 4)))
            for column in range(int(rng.integers(2, 10)))
            if rng.random() < 0.85
        ] or [(0.0, 0.0, lean)]
    spread, apart = rng.uniform(1.5, 5), rng.uniform(0.68, 1) * np.hypot(1, aspect)
    laid: list[Place] = []
    for _ in range(60):
        x, y, turn = rng.uniform(-spread, spread), rng.uniform(-spread, spread) * 0.7, rng.uniform(0, 360)
        if all(np.hypot(x - other[0], y - other[1]) > apart for other in laid):
            laid.append((x, y, turn))
        if len(laid) > 18:
            break
    return laid


def crossed_places(rng: np.random.Generator, aspect: float) -> list[Place]:
    """Return places of tiles that touch in rows and columns that cross, as on a board of squares."""
    gap = 1 + abs(rng.normal(0, 0.012)) if rng.random() < 0.7 else rng.uniform(1, 1.12)
    wobble, twist = rng.uniform(0, 0.03), rng.uniform(0, 3)
    filled = {(0, 0)}
    for _ in range(int(rng.integers(1, 8))):
        column, row = sorted(filled)[rng.integers(len(filled))]
        across, down = ((1, 0), (0, 1))[rng.integers(2)]
        start = -int(rng.integers(0, 4))
        run = range(start, start + int(rng.integers(2, 7)))
        filled |= {(column + step * across, row + step * down) for step in run}
    return [
        (
            column * gap + rng.normal(0, wobble),
            row * aspect * gap + rng.normal(0, wobble),
            rng.normal(0, twist),
        )
        for column, row in sorted(filled)
    ]


def places_aside(rng: np.random.Generator, xy: NDArray[np.float64]) -> list[Place]:
    """Return places of a hand of face-up tiles beside the pyramid, often fanned so that they overlap."""
    count, step, turn = (
        int(rng.integers(1, 6)),
        rng.uniform(0.35, 1.1),
        rng.normal(0, 25) + rng.choice([0, 0, 90, 180]),
    )
    x = (
        xy[:, 0].max() + rng.uniform(1.7, 4)
        if rng.random() < 0.5
        else xy[:, 0].min() - rng.uniform(1.7, 4) - count * step
    )
    y = rng.uniform(xy[:, 1].min() - 2, xy[:, 1].max() + 2)
    return [
        (
            x + index * step,
            y + index * step * np.tan(np.radians(rng.normal(0, 6))),
            turn + rng.normal(0, 4),
        )
        for index in range(count)
    ]
