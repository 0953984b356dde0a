"""How good readings are: tiles and layouts right, silent errors, how well confidence is calibrated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from vision.dataset.label_file import Label, LabelledPicture
from vision.pyramid.lattice import LatticePlace
from vision.recognition.reading import Reading, TileReading

_SAME_PLACE = 0.5
"""A tile counts as found where its middle lies within half a side of the known one's."""


@dataclass(slots=True)
class Score:
    """Counts over pictures; the shares are properties.

    A tile that something covers or the picture's edge cuts off is right where its place is reported, either
    as covered, cut or unsure or with the right code; one that lies outside the picture does not count.
    """

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
    """Layouts with nothing unsure or hidden."""
    layouts_wrong_silently: int = 0
    """Layouts that are wrong although nothing was unsure or hidden."""
    covered: int = 0
    covered_found: int = 0
    cut: int = 0
    cut_found: int = 0
    corner_errors: list[float] = field(default_factory=list)
    """Mean corner distance of each found tile that can be seen whole, in shares of its side."""
    confidences: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence and whether the code was right, for each found tile that can be seen whole."""
    confusions: dict[tuple[str, str], int] = field(default_factory=dict)
    """How often one code was read as another."""

    def add(self, known: LabelledPicture, reading: Reading) -> None:
        """Count one picture."""
        matches = _matches(known.labels, reading.tiles)
        outside = {matches[index] for index, tile in enumerate(known.labels) if tile.is_outside} - {None}
        reported = [tile for index, tile in enumerate(reading.tiles) if index not in outside]
        inside = [
            (tile, None if index is None else reading.tiles[index])
            for tile, index in zip(known.labels, matches, strict=True)
            if not tile.is_outside
        ]
        self.pictures += 1
        self.tiles += len(inside)
        self.reported += len(reported)
        self.unsure += sum(tile.unsure for tile in reported)
        for tile, read in inside:
            self._add_tile(tile, read)
        self.silent += sum(
            not tile.unsure for index, tile in enumerate(reading.tiles) if index not in matches
        )
        if all(tile.is_whole for tile in known.labels):
            same = reading.layout == known.layout
        else:
            same = _lie_alike(inside, reported)
        vouched = not reading.unsure and not reading.hidden
        self.layouts += same
        self.layouts_vouched += vouched
        self.layouts_wrong_silently += not same and vouched

    def include(self, other: Score) -> None:
        """Count all that another score has counted."""
        for field_ in fields(self):
            mine, others = getattr(self, field_.name), getattr(other, field_.name)
            if not isinstance(mine, dict):
                setattr(self, field_.name, mine + others)
        for pair, count in other.confusions.items():
            self.confusions[pair] = self.confusions.get(pair, 0) + count

    def _add_tile(self, tile: Label, read: TileReading | None) -> None:
        if read is not None:
            self.found += 1
            self.silent += read.code != tile.code and not read.unsure
        is_right = _is_right(tile, read)
        self.right += is_right
        if not tile.is_whole:
            self.covered += tile.is_covered
            self.covered_found += tile.is_covered and is_right
            self.cut += tile.is_cut
            self.cut_found += tile.is_cut and is_right
        elif read is not None:
            quad = np.array(tile.quad_px, np.float32)
            side = float(np.mean(np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)))
            self.corner_errors.append(float(np.hypot(*(np.array(read.quad_px) - quad).T).mean()) / side)
            self.confidences.append((read.confidence, is_right))
            if not is_right:
                self.confusions[tile.code, read.code] = self.confusions.get((tile.code, read.code), 0) + 1

    def shares(self) -> dict[str, float]:
        """Return the figures as shares, 0..1, rounded to 5 digits; the last two only where there are such."""
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
        if self.covered:
            figures["covered_found"] = self.covered_found / self.covered
        if self.cut:
            figures["cut_found"] = self.cut_found / self.cut
        return {name: round(value, 5) for name, value in figures.items()}


def _is_right(tile: Label, read: TileReading | None) -> bool:
    """Return whether a tile is reported as well as can be asked for."""
    return read is not None and (read.code == tile.code or (not tile.is_whole and read.unsure))


def _lie_alike(tiles: Sequence[tuple[Label, TileReading | None]], reported: Sequence[TileReading]) -> bool:
    """Return whether the tiles are right, all in their places, and no other is reported.

    Where a part of the pyramid lies outside the picture, row 0 and slot 0 are those of the part in it.
    """
    if len(tiles) != len(reported) or not all(_is_right(tile, read) for tile, read in tiles):
        return False
    known = _from_corner([(tile.row, tile.slot) for tile, _ in tiles])
    return known == _from_corner([(read.row, read.slot) for _, read in tiles if read is not None])


def _from_corner(places: Sequence[tuple[int, int]]) -> list[LatticePlace]:
    """Return places counted from the lowest row and the leftmost tile."""
    counted = [LatticePlace.of_slot(row, slot) for row, slot in places]
    low = min((place.row for place in counted), default=0)
    left = min((place.half for place in counted), default=0)
    return [place.moved(-low, -left) for place in counted]


def _matches(known: Sequence[Label], tiles: Sequence[TileReading]) -> list[int | None]:
    """Return the index of the reported tile at each known tile's place, or None."""
    taken: set[int] = set()
    matches = []
    for tile in known:
        index = _match(np.array(tile.quad_px, np.float32), tiles, taken)
        if index is not None:
            taken.add(index)
        matches.append(index)
    return matches


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
    """Return the expected calibration error: the mean gap of confidence and share right, over equal bins.

    >>> round(calibration_error([(0.8, True), (0.8, True), (0.8, False), (0.8, False)]), 3)
    0.3
    """
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
