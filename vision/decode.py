"""Chances to codes: every tile exists once, so the codes of a picture are one assignment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

_WORST_LOG_CHANCE = -1e3
_KEPT_ALTERNATIVE = 0.01


@dataclass(frozen=True, slots=True)
class Decoded:
    """The code of one tile, by index, its chance, and the other codes worth naming with theirs."""

    index: int
    confidence: float
    alternatives: tuple[tuple[int, float], ...]


def decode(log_chances: NDArray[np.float64], copies: int = 1) -> list[Decoded]:
    """Return the likeliest codes of n different tiles.

    A code's chance is its share among all assignments, each alternative of one tile standing for the best
    assignment of the whole picture that has it (the others may have to change with it).

    Args:
        log_chances: (n, codes) log-chances for each tile by itself.
        copies: How many tiles of each code there are.
    """
    count, codes = log_chances.shape
    if count == 0:
        return []
    if count > codes * copies:
        raise ValueError(f"{count} tiles cannot have {codes} different codes.")
    cost = np.repeat(-np.maximum(log_chances, _WORST_LOG_CHANCE), copies, axis=1)
    rows, columns = linear_sum_assignment(cost)
    best = float(cost[rows, columns].sum())
    chosen = np.empty(count, int)
    chosen[rows] = columns // copies
    decoded = []
    for tile in range(count):
        excess = np.full(codes, np.inf)
        excess[chosen[tile]] = 0.0
        own = cost[tile, ::copies]
        for code in np.nonzero(own - own.min() < 12)[0]:
            if code != chosen[tile]:
                excess[code] = _cost_with(cost, tile, int(code) * copies) - best
        chances = np.exp(-excess)
        chances /= chances.sum()
        others = [
            int(code)
            for code in np.argsort(-chances)
            if code != chosen[tile] and chances[code] >= _KEPT_ALTERNATIVE
        ]
        decoded.append(
            Decoded(
                int(chosen[tile]),
                float(chances[chosen[tile]]),
                tuple((code, float(chances[code])) for code in others),
            )
        )
    return decoded


def _cost_with(cost: NDArray[np.float64], tile: int, column: int) -> float:
    """Return the cost of the best assignment in which `tile` has `column`."""
    others = np.delete(np.delete(cost, tile, axis=0), column, axis=1)
    rows, columns = linear_sum_assignment(others)
    return float(others[rows, columns].sum() + cost[tile, column])
