"""How good readings are: tiles and layouts right, silent errors, how well confidence is calibrated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.annotations import KnownPicture
from vision.reading import Reading, TileReading

_SAME_PLACE = 0.5
"""A tile counts as found where its middle lies within half a side of the known one's."""


@dataclass(slots=True)
class Score:
    """Counts over pictures; the shares are properties."""

    pictures: int = 0
    tiles: int = 0
    found: int = 0
    right: int = 0
    silent: int = 0
    """Tiles named wrongly, or found where there is none, without being listed as unsure."""
    unsure: int = 0
    reported: int = 0
    layouts: int = 0
    layouts_vouched: int = 0
    """Layouts with nothing unsure."""
    layouts_wrong_silently: int = 0
    """Layouts that are wrong although nothing was unsure."""
    corner_errors: list[float] = field(default_factory=list)
    """Mean corner distance of each found tile, in shares of its side."""
    confidences: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence and whether the code was right, for each found tile."""
    confusions: dict[tuple[str, str], int] = field(default_factory=dict)
    """How often one code was read as another."""

    def add(self, known: KnownPicture, reading: Reading) -> None:
        """Count one picture."""
        self.pictures += 1
        self.tiles += len(known.tiles)
        self.reported += len(reading.tiles)
        self.unsure += len(reading.unsure)
        same = reading.layout == known.layout
        self.layouts += same
        self.layouts_vouched += not reading.unsure
        self.layouts_wrong_silently += not same and not reading.unsure
        matched: set[int] = set()
        for tile in known.tiles:
            index = _match(tile.quad_px, reading.tiles, matched)
            if index is None:
                continue
            matched.add(index)
            read = reading.tiles[index]
            self.found += 1
            is_right = read.code == tile.code
            self.right += is_right
            self.silent += not is_right and not read.unsure
            side = float(np.mean(np.hypot(*(np.roll(tile.quad_px, -1, axis=0) - tile.quad_px).T)))
            self.corner_errors.append(
                float(np.hypot(*(np.array(read.quad_px) - tile.quad_px).T).mean()) / side
            )
            self.confidences.append((read.confidence, is_right))
            if not is_right:
                self.confusions[tile.code, read.code] = self.confusions.get((tile.code, read.code), 0) + 1
        self.silent += sum(
            not tile.unsure for index, tile in enumerate(reading.tiles) if index not in matched
        )

    def shares(self) -> dict[str, float]:
        """Return the figures as shares, 0..1, rounded to 5 digits."""
        tiles, pictures = max(self.tiles, 1), max(self.pictures, 1)
        figures = {
            "tiles_found": self.found / tiles,
            "tiles_right": self.right / tiles,
            "silent_errors": self.silent / tiles,
            "unsure": self.unsure / max(self.reported, 1),
            "layouts_right": self.layouts / pictures,
            "layouts_vouched": self.layouts_vouched / pictures,
            "layouts_wrong_silently": self.layouts_wrong_silently / pictures,
            "corner_error": float(np.mean(self.corner_errors)) if self.corner_errors else 0.0,
            "calibration_error": calibration_error(self.confidences),
        }
        return {name: round(value, 5) for name, value in figures.items()}


def _match(quad: np.ndarray, tiles: Sequence[TileReading], taken: set[int]) -> int | None:
    middle = quad.mean(axis=0)
    side = float(np.hypot(*(quad[1] - quad[0])))
    best, nearest = None, _SAME_PLACE * side
    for index, tile in enumerate(tiles):
        distance = float(np.hypot(*(np.array(tile.quad_px).mean(axis=0) - middle)))
        if index not in taken and distance < nearest:
            best, nearest = index, distance
    return best


def calibration_error(confidences: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    """Return the expected calibration error: the mean gap of confidence and share right, over equal bins."""
    if not confidences:
        return 0.0
    values = np.array([value for value, _ in confidences])
    right = np.array([is_right for _, is_right in confidences], float)
    which = np.minimum((values * bins).astype(int), bins - 1)
    return float(
        sum(
            abs(values[which == index].mean() - right[which == index].mean()) * (which == index).mean()
            for index in set(which)
        )
    )
