"""From a reading to what can be announced of it: the one engine behind `check` and the window."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Protocol

from referee.rules.layout import Layout
from referee.rules.options import DEFAULTS, Options
from referee.rules.tiles import CODES
from referee.rules.verdict import Verdict, common_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_LAYOUTS = 256
"""How many readings of one table are judged at most. Each takes some tenths of a millisecond, and a table
with more doubts than that (eight tiles with two codes each) is one to ask about, not to judge."""

NOTHING = Verdict((), None, certain=True)
HELD_BACK = Verdict((), None, certain=False)


class ReadTile(Protocol):
    """What is needed of one tile of a reading; `vision.recognition.reading.TileReading` has it."""

    @property
    def code(self) -> str:
        """Its likeliest code."""

    @property
    def row(self) -> int:
        """Its row, from 0."""

    @property
    def slot(self) -> int:
        """Its slot, from 0."""

    @property
    def unsure(self) -> bool:
        """Whether it may be another."""

    @property
    def alternatives(self) -> Sequence[tuple[str, float]]:
        """(code, confidence) of what else it may be."""

    @property
    def covered(self) -> bool:
        """Whether something lies over it."""

    @property
    def cut(self) -> bool:
        """Whether the picture's edge cuts it."""


class ReadTable(Protocol):
    """What is needed of a reading; `vision.recognition.reading.Reading` has it."""

    @property
    def layout(self) -> Layout | None:
        """What lies on the table; None where no pyramid was found."""

    @property
    def tiles(self) -> Sequence[ReadTile]:
        """The tiles of the layout."""

    @property
    def hidden(self) -> Sequence[object]:
        """Places beside the pyramid where a tile may lie unseen."""


@dataclass(frozen=True, slots=True)
class TileQuestion:
    """A tile that the referee must ask about."""

    row: int
    slot: int
    codes: tuple[str, ...]
    """What it may be, the likeliest first."""
    covered: bool = False
    """Whether something lies over it; then it should be uncovered."""
    cut: bool = False
    """Whether the picture's edge cuts it off; then the camera should be moved."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What can be said about a table."""

    verdict: Verdict
    """What must be resolved, in order, as far as it hangs on no unsure tile."""
    questions: tuple[TileQuestion, ...]
    """One for each unsure tile, in scanning order."""
    hidden: bool = False
    """Whether something lies beside the pyramid that may have a tile under it; then nothing is announced."""


def judge_reading(reading: ReadTable, options: Options = DEFAULTS) -> Judged:
    """Return what can be announced, whatever the unsure tiles of the reading turn out to be.

    An unsure tile may be any of its alternatives, and each tile exists once. With too many doubts to judge
    them all nothing is announced, nor where something hides a place beside the pyramid, or the picture's
    edge cuts it off: then there may be tiles that nobody saw.
    """
    if reading.layout is None or not reading.tiles:
        return Judged(NOTHING, questions=())
    sure_codes = {tile.code for tile in reading.tiles if not tile.unsure}
    unsure = sorted((tile for tile in reading.tiles if tile.unsure), key=lambda tile: (-tile.row, tile.slot))
    questions = tuple(
        TileQuestion(tile.row, tile.slot, _possible_codes(tile, sure_codes), tile.covered, tile.cut)
        for tile in unsure
    )
    if reading.hidden or any(tile.cut for tile in reading.tiles):
        # Where the edge cuts one tile off, others may lie wholly outside.
        return Judged(HELD_BACK, questions, hidden=bool(reading.hidden))
    if prod(len(question.codes) for question in questions) > MAX_LAYOUTS:
        return Judged(HELD_BACK, questions)
    layouts = [reading.layout, *_other_layouts(reading.tiles, questions)]
    return Judged(common_verdict(layouts, options), questions)


def _possible_codes(tile: ReadTile, taken: set[str]) -> tuple[str, ...]:
    """Return what an unsure tile may be; a reader that names no alternative leaves every code open."""
    named: Iterable[str] = [code for code, _ in tile.alternatives]
    if not set(named) - {tile.code}:
        named = CODES
    return tuple(dict.fromkeys([tile.code, *(code for code in named if code not in taken)]))


def _other_layouts(tiles: Sequence[ReadTile], questions: Sequence[TileQuestion]) -> Iterator[Layout]:
    sure = {(tile.row, tile.slot): tile.code for tile in tiles if not tile.unsure}
    for codes in product(*(question.codes for question in questions)):
        if len(set(codes)) == len(codes):
            asked = {(q.row, q.slot): code for q, code in zip(questions, codes, strict=True)}
            yield Layout.from_tiles(sure | asked)
