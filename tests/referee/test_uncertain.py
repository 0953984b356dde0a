"""What may be announced of a table on which some tiles are unsure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from referee.rules.events import Collapse
from referee.rules.layout import Layout
from referee.uncertain import MAX_LAYOUTS, NOTHING, ColourQuestion, Judged, TileQuestion, judge_reading


@dataclass(frozen=True)
class FakeTile:
    code: str
    row: int
    slot: int
    unsure: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()
    covered: bool = False
    cut: bool = False


@dataclass(frozen=True)
class FakeGroup:
    codes: tuple[str, ...]
    colours: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class FakeReading:
    layout: Layout | None
    tiles: tuple[FakeTile, ...]
    hidden: tuple[object, ...] = ()
    unnamed: tuple[FakeGroup, ...] = ()


def read(text: str, **doubts: tuple[str, ...]) -> FakeReading:
    """Return a reading of a layout; `doubts` gives the other codes of its unsure tiles."""
    layout = Layout.parse(text)
    tiles = tuple(
        FakeTile(
            tile.code, row, slot, tile.code in doubts, tuple((c, 0.3) for c in doubts.get(tile.code, ()))
        )
        for (row, slot), tile in layout.tiles
    )
    return FakeReading(layout, tiles)


def test_no_pyramid_is_calm() -> None:
    judged = judge_reading(FakeReading(None, ()))
    assert judged.verdict.certain
    assert (judged.verdict.events, judged.questions) == ((), ())


@pytest.mark.parametrize("missing", ["layout", "tiles"])
def test_of_a_table_without_layout_or_without_tiles_nothing_is_said(missing: str) -> None:
    reading = replace(read("R40 B20/G60"), **{missing: None if missing == "layout" else ()})  # type: ignore[arg-type]
    assert judge_reading(reading) == Judged(NOTHING, ())


def test_a_sure_table_is_judged_as_it_lies() -> None:
    judged = judge_reading(read("R40 B20/G60"))
    assert judged.verdict.certain
    (collapse,) = judged.verdict.events
    assert isinstance(collapse, Collapse)
    assert collapse.tile.code == "G60"


def test_a_doubt_that_changes_nothing_holds_nothing_back() -> None:
    judged = judge_reading(read("R40 B20/R4", R40=("R30",)))
    assert judged.verdict.certain
    assert judged.questions[0].codes == ("R40", "R30")


def test_a_doubt_that_decides_holds_the_verdict_back() -> None:
    judged = judge_reading(read("R40 B20/G6", G6=("B6",)))
    assert not judged.verdict.certain
    assert judged.verdict.events == ()


def test_questions_come_in_scanning_order() -> None:
    judged = judge_reading(read("R40 B20/R4", B20=("B30",), R40=("R10",), R4=("R2",)))
    assert [(asked.row, asked.slot) for asked in judged.questions] == [(1, 0), (0, 0), (0, 1)]


def test_a_tile_that_lies_elsewhere_for_sure_is_no_alternative() -> None:
    judged = judge_reading(read("R40 B20/R4", R4=("B20", "R6")))
    assert judged.questions[0].codes == ("R4", "R6")


def test_a_tile_without_alternatives_may_be_anything() -> None:
    judged = judge_reading(read("R40 B20/R4", R4=()))
    assert len(judged.questions[0].codes) == 43
    assert not judged.verdict.certain


@pytest.mark.parametrize("others", [("Y10", "Y20", "Y30")], ids=["four codes each"])
def test_as_many_ways_to_read_a_table_as_this_are_judged(others: tuple[str, ...]) -> None:
    base = ("R10", "R20", "R30", "R40")
    assert 4 ** len(base) == MAX_LAYOUTS == 256
    assert judge_reading(read(" ".join(base), **dict.fromkeys(base, others))).verdict.certain


@pytest.mark.parametrize("others", [("Y10", "Y20", "Y30")], ids=["four codes each"])
def test_too_many_doubts_announce_nothing(others: tuple[str, ...]) -> None:
    base = ("R10", "R20", "R30", "R40", "R60")
    judged = judge_reading(read(" ".join(base), **dict.fromkeys(base, others)))
    assert 4 ** len(base) > MAX_LAYOUTS
    assert not judged.verdict.certain
    assert judged.verdict.events == ()
    assert len(judged.questions) == len(base)


def seen_in_part(reading: FakeReading, code: str, **how: bool) -> FakeReading:
    """Return a reading in which one tile is covered or cut, and so may be any."""
    tiles = (replace(tile, unsure=True, **how) if tile.code == code else tile for tile in reading.tiles)
    return replace(reading, tiles=tuple(tiles))


def test_a_covered_tile_may_be_any_and_holds_back_what_hangs_on_it() -> None:
    judged = judge_reading(seen_in_part(read("R40 B20/G60"), "R40", covered=True))
    (question,) = judged.questions
    assert (question.row, question.slot, question.covered, question.cut) == (0, 0, True, False)
    assert len(question.codes) == 43
    assert (judged.verdict.certain, judged.verdict.events) == (False, ())


def test_a_covered_tile_that_changes_nothing_holds_nothing_back() -> None:
    """The base tile at the far end has no part in the collapse."""
    judged = judge_reading(seen_in_part(read("R40 B20 G30 Y2 R2/G60 - - -"), "R2", covered=True))
    assert isinstance(judged.verdict.events[0], Collapse)


@pytest.mark.parametrize("text", ["R40 B20/G60", "R40 B20/R4"], ids=["mayhem", "calm"])
def test_nothing_is_announced_while_something_hides_the_table(text: str) -> None:
    judged = judge_reading(replace(read(text), hidden=("a place",)))
    assert judged.hidden
    assert (judged.verdict.certain, judged.verdict.events, judged.verdict.needs) == (False, (), None)


def test_nothing_is_announced_of_a_pyramid_that_the_edge_cuts_off() -> None:
    """Beside a tile that is cut off others may lie wholly outside."""
    judged = judge_reading(seen_in_part(read("R40 B20/G60"), "B20", cut=True))
    assert not judged.hidden
    assert judged.questions[0].cut
    assert (judged.verdict.certain, judged.verdict.events) == (False, ())


def test_what_the_edge_cuts_off_holds_back_even_what_is_certain() -> None:
    """G60 has no part in it, but what nobody sees beside it may."""
    reading = read("R40 B20 G30 Y2 R2/G60 - - -")
    judged = judge_reading(seen_in_part(reading, "R2", cut=True))
    assert (judged.verdict.certain, judged.verdict.events, judged.hidden) == (False, (), False)
    (question,) = judged.questions
    assert (question.covered, question.cut) == (False, True)


def test_what_one_unsure_tile_may_be_another_may_be_too() -> None:
    judged = judge_reading(read("R40 B20/R4", R40=("B20", "Y2"), B20=("R40", "R4")))
    assert [question.codes for question in judged.questions] == [("R40", "B20", "Y2"), ("B20", "R40")]
    assert TileQuestion(0, 0, ()) == TileQuestion(0, 0, (), covered=False, cut=False)
    assert not judged.hidden


def test_no_tile_lies_in_two_places():
    """Two unsure tiles that may be the same one are not taken for it both at once."""
    judged = judge_reading(read("R40 B20", R40=("B10",), B20=("B10",)))
    assert (judged.verdict.events, len(judged.questions)) == ((), 2)


def yellow_or_red(reading: FakeReading, *codes: str) -> FakeReading:
    """The reading, of which these tiles have one colour."""
    return replace(reading, unnamed=(FakeGroup(codes, (("Y", 0.6), ("R", 0.4))),))


def test_tiles_of_one_colour_are_asked_about_once() -> None:
    reading = read("Y40 Y20 B60/Y10 G4", Y40=("R40",), Y20=("R20",), Y10=("R10",))
    judged = judge_reading(yellow_or_red(reading, "Y40", "Y20", "Y10"))
    assert judged.colour_questions == (ColourQuestion(("Y40", "Y20", "Y10"), ("Y", "R")),)
    assert judged.questions == ()


def test_a_tile_of_which_the_weight_is_in_doubt_as_well_is_asked_about_too() -> None:
    reading = read("Y40 Y20", Y40=("R40", "Y10", "R10"), Y20=("R20",))
    judged = judge_reading(yellow_or_red(reading, "Y40", "Y20"))
    assert [question.codes[0] for question in judged.questions] == ["Y40"]


def test_tiles_of_one_colour_are_not_thought_to_differ() -> None:
    """One by one, nine tiles may be 512 tables; together they are two, and both are calm."""
    names = [f"Y{weight}" for weight in (2, 4, 6, 10, 20, 30, 40, 60, 100)]
    reading = read(" ".join(names), **{name: (f"R{name[1:]}",) for name in names})
    assert not judge_reading(reading).verdict.certain
    assert judge_reading(yellow_or_red(reading, *names)).verdict.certain


def test_a_colour_in_which_a_weight_does_not_exist_is_none_of_the_group() -> None:
    reading = read("G1 G20", G1=("Y1",), G20=("Y20", "R20"))
    group = FakeGroup(("G1", "G20"), (("G", 0.5), ("Y", 0.3), ("R", 0.2)))
    judged = judge_reading(replace(reading, unnamed=(group,)))
    assert judged.verdict.certain


def test_a_group_of_too_many_doubts_is_not_judged() -> None:
    codes = [f"{colour}{weight}" for colour in "YR" for weight in (2, 4, 6, 10, 20)]
    names = ("Y2", "Y4", "Y6", "Y10")
    reading = read(" ".join(names), **{name: tuple(codes) for name in names})
    judged = judge_reading(yellow_or_red(reading, *names))
    assert not judged.verdict.certain
    assert judged.verdict.events == ()
