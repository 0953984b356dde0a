"""From a reading to what can be announced of it: the one engine behind `check` and the window."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, product
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

    @property
    def unnamed(self) -> Sequence[ReadGroup]:
        """The groups of tiles of which the colour is in doubt."""


class ReadGroup(Protocol):
    """Tiles that have one colour; `vision.recognition.reading.ColourGroup` has what is needed of them."""

    @property
    def codes(self) -> Sequence[str]:
        """The codes that they were read as."""

    @property
    def colours(self) -> Sequence[tuple[str, float]]:
        """(letter, chance) of the colours that they may have, likeliest first."""


@dataclass(frozen=True, slots=True)
class ColourQuestion:
    """Tiles of which the referee must ask the colour, once for all of them."""

    codes: tuple[str, ...]
    """The codes that they were read as."""
    colours: tuple[str, ...]
    """The letters of what they may be, the likeliest first."""


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
    """One for each unsure tile of which more is in doubt than the colour of its group, in scanning order."""
    colour_questions: tuple[ColourQuestion, ...] = ()
    """To be answered before the others, for each tells about several tiles."""
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
    asked = tuple(
        ColourQuestion(tuple(group.codes), tuple(colour for colour, _ in group.colours))
        for group in reading.unnamed
    )
    single = tuple(question for question in questions if not _is_told_by_colour(question, asked))
    if reading.hidden or any(tile.cut for tile in reading.tiles):
        # Where the edge cuts one tile off, others may lie wholly outside.
        return Judged(HELD_BACK, single, asked, hidden=bool(reading.hidden))
    ways = [*_ways_by_colour(questions, asked)]
    if prod(len(way) for way in ways) > MAX_LAYOUTS:
        return Judged(HELD_BACK, single, asked)
    layouts = [reading.layout, *_other_layouts(reading.tiles, ways)]
    return Judged(common_verdict(layouts, options), single, asked)


def _possible_codes(tile: ReadTile, taken: set[str]) -> tuple[str, ...]:
    """Return what an unsure tile may be; a reader that names no alternative leaves every code open."""
    named: Iterable[str] = [code for code, _ in tile.alternatives]
    if not set(named) - {tile.code}:
        named = CODES
    return tuple(dict.fromkeys([tile.code, *(code for code in named if code not in taken)]))


def _is_told_by_colour(question: TileQuestion, asked: Sequence[ColourQuestion]) -> bool:
    """Return whether a tile is known as soon as the colour of its group is."""
    weights = {code[1:] for code in question.codes}
    return len(weights) == 1 and any(question.codes[0] in group.codes for group in asked)


_Way = dict[tuple[int, int], str]
"""(row, slot) -> code, for some tiles."""


def _ways_by_colour(
    questions: Sequence[TileQuestion], asked: Sequence[ColourQuestion]
) -> Iterator[Sequence[_Way]]:
    """Yield what the tiles of each group may be, which have one colour, and what each other tile may be."""
    left = list(questions)
    for group in asked:
        members = [question for question in left if question.codes[0] in group.codes]
        left = [question for question in left if question not in members]
        ways: list[_Way] = []
        for colour in group.colours:
            likely = [_in_colour(question.codes, colour) for question in members]
            places = [(question.row, question.slot) for question in members]
            ways += [
                dict(zip(places, codes, strict=True)) for codes in islice(product(*likely), MAX_LAYOUTS + 1)
            ]
        yield ways
    for question in left:
        yield [{(question.row, question.slot): code} for code in question.codes]


def _in_colour(codes: Sequence[str], colour: str) -> list[str]:
    """Return what a tile that was read as some codes may be if it has a colour."""
    named = dict.fromkeys(f"{colour}{code[1:]}" for code in codes)
    return [code for code in named if code in CODES]


def _other_layouts(tiles: Sequence[ReadTile], ways: Sequence[Sequence[_Way]]) -> Iterator[Layout]:
    sure = {(tile.row, tile.slot): tile.code for tile in tiles if not tile.unsure}
    for chosen in product(*ways):
        lying = sure | {place: code for way in chosen for place, code in way.items()}
        if len({*lying.values()}) == len(lying):
            yield Layout.from_tiles(lying)
