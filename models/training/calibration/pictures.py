"""The rendered pictures that a calibration looks at, and how many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.calibration.sets import CALIBRATION_SEED, PicturedSet, pictured_sets
from models.training.networks.reader_data import ReaderCrops
from models.training.scenes import corpus, families

HELD_OUT_SEED = 7_702_026
_CROPS_AT_ONCE = 200

Answers = Callable[[NDArray[np.uint8]], list[NDArray[np.float32]]]
"""From n crops (n, 3, side, side) uint8 RGB to the reader's outputs, in the order of READER_OUTPUTS."""


@dataclass(frozen=True, slots=True)
class CalibrationSize:
    """How much is rendered and looked at for a calibration."""

    shards: int
    """Of tables."""
    family_shards: int
    crops: int
    """Of tables; a multiple of 200."""
    families: int
    set_shards: int
    """Of each group of artists."""
    sets_per_shard: int


FULL = CalibrationSize(10, 4, 6000, 90, 24, 15)
SMALL = CalibrationSize(1, 1, 200, 16, 1, 2)


@dataclass(frozen=True, slots=True)
class HeldOutPictures:
    """Rendered pictures that no network learns from, in a folder; those that are missing are rendered."""

    directory: Path
    size: CalibrationSize

    def render(self) -> None:
        """Render the tables and families that are missing."""
        for _ in corpus.render(self.directory, HELD_OUT_SEED, self.size.shards, workers=2):
            pass
        for _ in families.render(
            self.directory, HELD_OUT_SEED, self.size.family_shards, workers=2, one_printing=True
        ):
            pass

    def crops(self, count: int) -> Iterator[list[dict[str, np.ndarray]]]:
        """Yield `count` crops of tables with their targets, 200 at a time."""
        stream = iter(ReaderCrops(self.directory, 5, pool=400))
        for _ in range(count // _CROPS_AT_ONCE):
            yield [next(stream) for _ in range(_CROPS_AT_ONCE)]

    def sets(self, groups: Iterable[str]) -> Iterator[PicturedSet]:
        """Yield the sets to calibrate on, of one group after the other."""
        size = self.size
        folder = self.directory / f"sets-{size.sets_per_shard}"
        for group in groups:
            yield from pictured_sets(
                folder, group, CALIBRATION_SEED, size.set_shards, pictures=size.sets_per_shard
            )
