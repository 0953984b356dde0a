"""How sure a reader must be of a tile so that silent errors stay rare on a tile set that it never saw.

The set is the unit, not the tile: the tiles of one set are right or wrong together. Each set gives one loss,
the share of its tiles that are wrong and not asked about. Losses of sets that are drawn independently bound
the mean loss of all such sets; the thresholds are tried from the strictest down, until the bound no longer
holds ("learn then test" with a fixed sequence, Angelopoulos and others 2021; the bound by betting,
Waudby-Smith and Ramdas 2020).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.recognition.places_beside import CLEAR_TILE_CHANCE
from vision.recognition.reader import TileReader

if TYPE_CHECKING:
    from models.training.calibration.sets import PicturedSet

ALLOWED, CONFIDENCE = 0.005, 0.9
"""The mean share of silent errors that a new set may have, and how certain the calibration is of that."""
THRESHOLDS = np.round(1 - np.geomspace(0.001, 0.3, 60), 4)
"""The chances below which a tile may be asked about, the strictest first."""
LEAST_TILES = 4
"""Sets of which fewer tiles can be seen say nothing: one tile of them would be the whole loss."""
_ORDER_SEED = 9

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ReadSet:
    """How the n tiles of one set were read."""

    group: str
    right: NDArray[np.bool_]
    confidence: Array
    """(n,) chance of the code that was read, 0 where the tile is unsure for another reason."""

    def silent(self, threshold: float) -> float:
        """Return the share of tiles that are wrong and not asked about."""
        return float((~self.right & (self.confidence >= threshold)).mean())

    def asked(self, threshold: float) -> float:
        """Return the share of tiles that are asked about."""
        return float((self.confidence < threshold).mean())


@dataclass(frozen=True, slots=True)
class SureConfidence:
    """The threshold of `unsure`, and what is known of it."""

    threshold: float
    bound: float
    """With CONFIDENCE, the mean share of silent errors of a new set is not above this."""
    sets: int
    left_out: dict[str, LeftOut]
    """What a group gives with the threshold that the other groups set, by group."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A group that took no part in choosing the threshold: shares of its tiles, as means of its sets."""

    threshold: float
    right: float
    asked: float
    silent: float
    sets: int


def upper_bound(losses: Array, confidence: float = CONFIDENCE) -> float:
    """Return what the mean of such losses does not exceed, with this confidence; (n,) losses in 0..1.

    A gambler bets, one set after the other, that the mean is below a value; with a fair game his money grows
    tenfold with a chance of one in ten at most. The least value at which it does so is the bound.
    """
    if not len(losses):
        return 1.0
    losses = np.random.default_rng(_ORDER_SEED).permutation(losses)
    count = len(losses)
    means = (0.5 + np.cumsum(losses)) / np.arange(2, count + 2)
    spread = (0.25 + np.cumsum((losses - means) ** 2)) / np.arange(2, count + 2)
    # The stake depends on what was seen before alone.
    before = np.concatenate([[0.25], spread[:-1]])
    stakes = np.minimum(1.0, np.sqrt(2 * np.log(1 / (1 - confidence)) / (count * before)))

    def is_excluded(mean: float) -> bool:
        money = np.cumsum(np.log1p(-stakes * (losses - mean)))
        return bool(money.max() > np.log(1 / (1 - confidence)))

    low, high = 0.0, 1.0
    if not is_excluded(high):
        return high
    while high - low > 1e-5:
        middle = (low + high) / 2
        low, high = (low, middle) if is_excluded(middle) else (middle, high)
    return high


def least_threshold(sets: Sequence[ReadSet], allowed: float = ALLOWED) -> float:
    """Return the lowest threshold of THRESHOLDS that keeps to what is allowed; the strictest if none does."""
    held = float(THRESHOLDS[0])
    for threshold in THRESHOLDS.tolist():
        if upper_bound(np.array([each.silent(threshold) for each in sets])) > allowed:
            break
        held = threshold
    return held


def sure_confidence(sets: Sequence[ReadSet], allowed: float = ALLOWED) -> SureConfidence:
    """Return the threshold that these sets give, and what each group gets from that of the others."""
    sets = [each for each in sets if len(each.right) >= LEAST_TILES]
    left_out = {}
    for group in sorted({each.group for each in sets}):
        own = [each for each in sets if each.group == group]
        threshold = least_threshold([each for each in sets if each.group != group], allowed)
        left_out[group] = _left_out(own, threshold)
    threshold = least_threshold(sets, allowed)
    bound = upper_bound(np.array([each.silent(threshold) for each in sets]))
    return SureConfidence(threshold, bound, len(sets), left_out)


def _left_out(sets: Sequence[ReadSet], threshold: float) -> LeftOut:
    return LeftOut(
        threshold,
        float(np.mean([each.right.mean() for each in sets])),
        float(np.mean([each.asked(threshold) for each in sets])),
        float(np.mean([each.silent(threshold) for each in sets])),
        len(sets),
    )


def read_sets(reader: TileReader, sets: Iterable[PicturedSet]) -> list[ReadSet]:
    """Return how a reader names the tiles of sets, their places given and their codes found together."""
    found = []
    for each in sets:
        if each.codes:
            tiles = reader.name(each.image, list(each.quads_px))
            right = [tile.code == code for tile, code in zip(tiles, each.codes, strict=True)]
            confidence = [tile.confidence if tile.tile >= CLEAR_TILE_CHANCE else 0.0 for tile in tiles]
            found.append(ReadSet(each.group, np.array(right), np.array(confidence)))
    return found
