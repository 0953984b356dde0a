"""Teaches the reader the tiles of a game while it is played: what is certain on a settled table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import numpy as np

from vision.imaging.arrays import ImageU8
from vision.recognition.own_set import Learned, OwnSet, Shown
from vision.recognition.reading import Reading, TileReading
from vision.tracking.lattice_track import turned_over

Place = tuple[int, int]
"""Row and slot of the canonical notation."""

SURE_TABLES, DECIDED_TABLES = 2, 3
"""A tile is learned once it was read for what it is on so many tables running: with certainty on the first
number of them, or as the likeliest tile on the second number, while the game was certain of it."""


class LearningReader(Protocol):
    """A reader that can be taught, as `vision.recognition.reader.TileReader`."""

    @property
    def own_set(self) -> OwnSet | None:
        """What it was taught; None if nothing can be."""


class TileLearner:
    """Watches one game's settled tables over which nothing lies. For one thread."""

    def __init__(self, reader: LearningReader, learned: Sequence[Learned] = ()) -> None:
        """Teach a reader, which first forgets other games.

        Args:
            reader: Is not touched before something is seen or heard, for it may take long to open.
            learned: What this game taught before it was left.
        """
        self._reader, self._before = reader, learned
        self._has_begun = False
        self._agreed: dict[str, tuple[Place, int, int]] = {}
        """Code -> where it lies, and on how many tables running it was read there, and surely so."""
        self._last: tuple[ImageU8, Reading] | None = None
        self._named: set[str] = set()
        """What people named when it lay alone or could not be seen well."""

    @property
    def own_set(self) -> OwnSet | None:
        """What was learned; None if nothing can be."""
        own_set = self._reader.own_set
        if not self._has_begun and own_set is not None:
            own_set.restore(self._before)
        self._has_begun = True
        return own_set

    def see(self, image_bgr: ImageU8, reading: Reading | None, lying: Mapping[Place, str], at: int) -> bool:
        """Learn what is certain on a settled table; return whether anything was learned.

        Args:
            image_bgr: (H, W, 3) uint8 BGR; kept until the next, and must not be written into.
            reading: What was read there; None if something lies over the table.
            lying: The tiles that the game knows for certain, by place; what is in doubt is left out.
            at: The number of the game's input.
        """
        # Which way up a tile lies that lies alone is not certain.
        self._last = None if reading is None or len(reading.tiles) < 2 else (image_bgr, reading)
        if reading is None or self._last is None:
            return False
        found = _by_place(reading)
        # A table that is read otherwise than the game has it teaches nothing.
        if any(place not in found or _is_other(found[place], code) for place, code in lying.items()):
            self._agreed.clear()
            return False
        agreed = {}
        shown: list[Shown] = []
        for place, code in lying.items():
            tile = found[place]
            if code in self._named and not (tile.covered or tile.cut):
                shown.append(_shown(tile, code, is_told=True))
                self._named.remove(code)
            # What it is read as because the game knows it says nothing that the game does not know.
            if tile.code != code or tile.covered or tile.cut or tile.remembered:
                continue
            before, tables, surely = self._agreed.get(code, (place, 0, 0))
            if before != place:
                tables = surely = 0
            tables, surely = tables + 1, surely + (not tile.unsure)
            agreed[code] = place, tables, surely
            if surely >= SURE_TABLES or tables >= DECIDED_TABLES:
                shown.append(_shown(tile, code, is_told=False))
        self._agreed = agreed
        return self._learn(shown, at)

    def hear(
        self, lying: Mapping[Place, str], told: Collection[str], denied: Collection[str], at: int
    ) -> bool:
        """Learn what people say of the table that was seen last; return whether anything has changed.

        Args:
            lying: The tiles that the game knows for certain since they said it.
            told: The codes of the tiles that they named.
            denied: The codes of tiles that lie somewhere else than was thought, or nowhere.
            at: The number of the game's input.
        """
        own_set = self.own_set
        if own_set is None:
            return False
        before = own_set.learned
        if denied:
            own_set.forget(denied)
            self._agreed.clear()
            self._named -= set(denied)
        found = {} if self._last is None else _by_place(self._last[1])
        shown = []
        for place, code in lying.items():
            tile = found.get(place)
            if code in told and (tile is None or tile.covered or tile.cut):
                self._named.add(code)
            elif code in told and tile is not None:
                shown.append(_shown(tile, code, is_told=True))
        self._learn(shown, at)
        return own_set.learned != before

    def correct(self, reading: Reading) -> None:
        """Hear what was read on the table that was seen last, without what people say is no tile."""
        if self._last is not None and {*reading.tiles} <= {*self._last[1].tiles}:
            self._last = self._last[0], reading

    def turn_over(self) -> None:
        """Hear that the one row that was seen last is read from its wrong end, and each tile on its head."""
        if self._last is not None:
            image_bgr, reading = self._last
            self._last = image_bgr, turned_over(reading)

    def take_back(self, at: int) -> None:
        """Unlearn everything since one of the game's inputs, which does not count any more."""
        self._agreed.clear()
        self._named.clear()
        if self.own_set is not None:
            self.own_set.forget_since(at)

    def _learn(self, shown: Sequence[Shown], at: int) -> bool:
        own_set = self.own_set
        if own_set is None or self._last is None:
            return False
        return own_set.learn(self._last[0], shown, at)


def _shown(tile: TileReading, code: str, *, is_told: bool) -> Shown:
    return Shown(code, np.array(tile.quad_px, np.float32), is_told)


def _by_place(reading: Reading) -> dict[Place, TileReading]:
    leftmost = min((tile.slot for tile in reading.tiles), default=0)
    return {(tile.row, tile.slot - leftmost): tile for tile in reading.tiles}


def _is_other(tile: TileReading, code: str) -> bool:
    return not tile.unsure and not tile.covered and tile.code != code
