"""From chances to codes: every tile exists once, so the codes of a picture are one assignment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_WORST_LOG_CHANCE = -1e3
KEPT_ALTERNATIVE = 0.01
"""A code that is less likely is no alternative."""
_LEAST_CHANCE = 1e-6
_HOPELESS = 12.0
"""A code that is less likely than a tile's likeliest by this, in logs, is no alternative."""

_HARD_SHARE, _HARD_CONFIDENCE = 0.4, 0.98
_FEWEST_JUDGED = 3
"""Art is hard to read where more than this share of so many tiles is in doubt; then a code is sure only from
this confidence on. What each brings: `models.training.thresholds`, in docs/measurements.md."""

_UNLIKE, _CERTAIN = 0.9, 0.999
"""Where the tiles of a picture are less similar (cosine, median) to those of their set than the first, a code
is sure only from the second on (decision 64)."""


@dataclass(frozen=True, slots=True)
class AssignedCode:
    """The code of one tile, by index, its chance, and the other codes worth naming with theirs."""

    index: int
    confidence: float
    alternatives: tuple[tuple[int, float], ...]


def surely_named_from(assigned: Sequence[AssignedCode], usual: float, *, is_game: bool = False) -> float:
    """Return the confidence from which on a code is sure on a table; more where the art is hard to read.

    In a game three tiles in doubt say so, however many others there are: nobody answers what they are, and of
    34 that were read beside them with less than 0.985 three were others (49 unanswered films).

    >>> codes = [AssignedCode(0, chance, ()) for chance in (0.97, 0.6, 0.5)]
    >>> surely_named_from(codes, 0.93), surely_named_from(codes[:2], 0.93)
    (0.98, 0.93)
    >>> many = codes + [AssignedCode(0, chance, ()) for chance in (0.99,) * 6 + (0.7,)]
    >>> surely_named_from(many, 0.93), surely_named_from(many, 0.93, is_game=True)
    (0.93, 0.98)
    """
    in_doubt = sum(code.confidence < usual for code in assigned)
    is_hard = len(assigned) >= _FEWEST_JUDGED and in_doubt > _HARD_SHARE * len(assigned)
    is_hard |= is_game and in_doubt >= _FEWEST_JUDGED
    return max(usual, _HARD_CONFIDENCE) if is_hard else usual


def sure_by_likeness(likeness: NDArray[np.floating], usual: float) -> float:
    """Return the confidence from which on a code is sure in a picture; more where its tiles look unlike them.

    A camera that moved shows digits that are others: of 1,799 tiles of 23 enrolled sets, shaken by eleven
    pixels, 23 were silently others, and six are so.

    >>> sure_by_likeness(np.array([0.95, 0.88, 0.92]), 0.9)
    0.9
    >>> sure_by_likeness(np.array([0.95, 0.88, 0.87]), 0.9)
    0.999
    >>> sure_by_likeness(np.array([0.85, 0.84]), 0.9)  # two tiles do not tell
    0.9

    Args:
        likeness: (n,) cosine of each tile to the most similar one of the set; 1 where none is enrolled.
        usual: The usual confidence.
    """
    is_unlike = len(likeness) >= _FEWEST_JUDGED and float(np.median(likeness)) < _UNLIKE
    return max(usual, _CERTAIN) if is_unlike else usual


def log_softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return (n, m) logits as log-chances, of which each row sums to 1 in chances."""
    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    log_chances: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return log_chances


def assign_codes(
    log_chances: NDArray[np.float64], copies: int = 1, tile: NDArray[np.floating] | None = None
) -> list[AssignedCode]:
    """Return the likeliest codes of n different tiles.

    A code's chance is its share among all assignments. For each alternative of one tile, the best assignment
    of the whole picture with it counts; other tiles may have to change, too. If some may be no tiles, those
    take no code away from the others.

    Args:
        log_chances: (n, codes) log-chances for each tile by itself.
        copies: How many tiles of each code there are.
        tile: (n,) chance that each is a tile at all; all are where it is left out.

    Raises:
        ValueError: There are more tiles than tiles of all codes.
    """
    count, codes = log_chances.shape
    if count == 0:
        return []
    if tile is None and count > codes * copies:
        raise ValueError(f"{count} tiles cannot have {codes} different codes.")
    cost = _costs(log_chances, copies, tile)
    columns = least_cost_columns(cost)
    excess = _excess(cost, columns)
    of_codes = codes * copies
    none = np.exp(-np.maximum(excess[:, of_codes:], 0)).max(axis=1, initial=0.0)
    # The copies of a code are alike, so its first stands for all.
    excess = np.maximum(excess[:, :of_codes:copies], 0)
    own = cost[:, :of_codes:copies]
    excess[own - own.min(axis=1)[:, None] >= _HOPELESS] = np.inf
    is_named = columns < of_codes
    excess[np.flatnonzero(is_named), columns[is_named] // copies] = 0.0
    indices = np.where(is_named, columns // copies, excess.argmin(axis=1))
    return [
        _with_alternatives(index, shares / (shares.sum() + other))
        for index, shares, other in zip(
            indices.tolist(), np.exp(-excess), np.where(is_named, 0.0, none), strict=True
        )
    ]


def _costs(
    log_chances: NDArray[np.float64], copies: int, tile: NDArray[np.floating] | None
) -> NDArray[np.float64]:
    """Return what each tile costs in each column, in logs: the copies of a code have one each.

    If some may be no tiles, as many columns follow as there are tiles: for being none.
    """
    cost = np.repeat(-np.maximum(log_chances, _WORST_LOG_CHANCE), copies, axis=1)
    if tile is None:
        return cost
    is_tile = np.clip(tile.astype(np.float64), _LEAST_CHANCE, 1 - _LEAST_CHANCE)[:, None]
    return np.hstack([cost - np.log(is_tile), np.repeat(-np.log(1 - is_tile), len(cost), axis=1)])


def _with_alternatives(index: int, chances: NDArray[np.float64]) -> AssignedCode:
    """Return a tile's code with the others worth naming, by its (codes,) chances of all."""
    others = [
        int(code) for code in np.argsort(-chances) if code != index and chances[code] >= KEPT_ALTERNATIVE
    ]
    return AssignedCode(index, float(chances[index]), tuple((code, float(chances[code])) for code in others))


def least_cost_columns(cost: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the column of each row, all different, whose costs are together as low as can be.

    Args:
        cost: (n, m) cost of each row in each column, finite, n <= m.

    Raises:
        ValueError: A cost is no finite number, or there are too few columns.
    """
    count, width = cost.shape
    if count > width or not np.isfinite(cost).all():
        raise ValueError("A cost is no finite number, or there are more rows than columns.")
    columns = cost.argmin(axis=1) if count else np.zeros(0, np.intp)
    if len(set(columns.tolist())) == count:
        return columns  # nobody stands in another's way
    return _by_shortest_ways(cost)


def _by_shortest_ways(cost: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the same where rows are in each other's way.

    Row after row is added. Each takes the shortest way to a free column; rows on this way move over. Prices
    of rows and columns keep the costs of all steps at 0 or more (Jonker and Volgenant, Computing 38, 1987).
    """
    count, width = cost.shape
    columns, owners = np.full(count, -1), np.full(width, -1)
    row_prices, column_prices = np.zeros(count), np.zeros(width)
    for newcomer in range(count):
        lengths, before = np.full(width, np.inf), np.full(width, -1)
        ahead = np.zeros(width)  # infinite where the way has been
        row, length = newcomer, 0.0
        passed = [newcomer]
        while True:
            through = cost[row] - column_prices + ahead + (length - row_prices[row])
            shorter = through < lengths
            lengths[shorter] = through[shorter]
            before[shorter] = row
            end = int((lengths + ahead).argmin())
            length = float(lengths[end])
            if owners[end] < 0:
                break
            ahead[end] = np.inf
            row = int(owners[end])
            passed.append(row)
        row_prices[newcomer] += length
        row_prices[passed[1:]] += length - lengths[columns[passed[1:]]]
        column_prices[ahead > 0] -= length - lengths[ahead > 0]
        while end >= 0:
            row = int(before[end])
            owners[end] = row
            columns[row], end = end, int(columns[row])
    return columns


def _excess(cost: NDArray[np.float64], columns: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return (n, m) what it costs in all to have each tile in each column rather than the best assignment.

    Args:
        cost: (n, m) cost of each tile in each column.
        columns: (n,) the column of each tile in the best assignment.
    """
    least = cost[np.arange(len(cost)), columns]
    return cost - least[:, None] + _ways(cost, columns)[:, columns].T


def _ways(cost: NDArray[np.float64], columns: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return what it costs at least to free one column and to fill another instead.

    Args:
        cost: (n, m) cost of each tile in each column.
        columns: (n,) the column of each tile in the best assignment.

    Returns:
        (m, m) least cost of moving the tiles about so that the first column, where one tile too many
        lies, has one less, and the second one more. Free columns are joined by a node of their own:
        one of them may be filled, and any tile's column may become free instead.
    """
    size = cost.shape[1] + 1
    ways = np.full((size, size), np.inf)
    ways[columns, :-1] = cost - cost[np.arange(len(cost)), columns][:, None]
    is_free = np.ones(size - 1, bool)
    is_free[columns] = False
    ways[:-1, -1][is_free] = 0.0
    ways[-1, columns] = 0.0
    np.fill_diagonal(ways, 0.0)
    for node in range(size):
        np.minimum(ways, ways[:, node, None] + ways[None, node], out=ways)
    return ways[:-1, :-1]
