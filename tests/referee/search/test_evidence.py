"""How well a layout fits what was read of a settled table. Rule 5."""

from __future__ import annotations

import math

import pytest

from referee.rules.layout import Layout, place_number
from referee.rules.tiles import ALL_TILES, TILES
from referee.search.evidence import LEAST_CHANCE, MAX_DOUBT, MIN_CHANCE, Evidence, TileEvidence
from referee.search.observation import ObservedTile, Settled
from tests.referee.tracking.tables import table


def evidence(text: str, **unlike: str) -> Evidence:
    return Evidence.of(table(text, **unlike))


def read(text: str) -> TileEvidence:
    """What was read in the only slot of a table: `R40`, `R40 0.6 B20 0.3` or `covered`."""
    return evidence("R40", R40=text).cells[0]


def bits(codes: str) -> int:
    return sum(TILES[code].bit for code in codes.split())


def best(seen: Evidence, known: str, stand_ins: bool = False) -> str | int:
    found = seen.best_layout(Layout.parse(known), stand_ins)
    return found if isinstance(found, int) else str(found)


def test_what_the_reader_vouches_for_is_hardly_anything_else():
    tile = read("B20")
    assert tile.log(TILES["B20"]) == 0
    assert tile.log(TILES["R40"]) == math.log(LEAST_CHANCE)
    assert (tile.sure, tile.likely, tile.rest) == (TILES["B20"], [TILES["B20"]], 0)
    assert tile.is_surely(TILES["B20"])


def test_what_the_reader_does_not_name_shares_the_rest_of_the_chance():
    tile = read("B20 0.6 R40 0.3")
    assert tile.log(TILES["B20"]) == pytest.approx(math.log(0.6))
    assert tile.log(TILES["G60"]) == pytest.approx(math.log(0.1 / (len(ALL_TILES) - 2)))
    assert tile.rest == pytest.approx(0.1)
    assert tile.doubt(TILES["R40"]) == pytest.approx(0.1 / 0.3)
    assert (tile.sure, tile.likely) == (None, [TILES["B20"], TILES["R40"]])


def test_no_chance_is_less_than_the_least_one():
    tile = read("B20 1.0 R40 0.0")
    assert tile.log(TILES["R40"]) == tile.log(TILES["G60"]) == pytest.approx(math.log(LEAST_CHANCE))
    assert LEAST_CHANCE == 1e-5
    assert tile.rest == 0


def test_of_a_covered_tile_nothing_is_known_whatever_was_read():
    guessed = ObservedTile(0, 0, (("B20", 0.99),), sure=True, covered=True)
    tile = Evidence.of(Settled(0, (guessed,))).cells[0]
    assert (tile.sure, tile.likely, tile.covered, tile.rest) == (None, [], True, 1)
    assert {tile.log(each) for each in ALL_TILES} == {0.0}
    assert not tile.is_surely(TILES["B20"])
    assert read("covered") == tile
    unknown = ObservedTile(0, 0, (), sure=False)
    assert Evidence.of(Settled(0, (unknown,))).cells[0] == tile


@pytest.mark.parametrize(("chance", "is_sure"), [(1 - MAX_DOUBT, True), (0.989, False)])
def test_from_some_chance_on_a_tile_is_certain(chance, is_sure):
    assert MAX_DOUBT == 0.01
    assert read(f"B20 {chance} R40 0.005").is_surely(TILES["B20"]) is is_sure


@pytest.mark.parametrize(("chance", "likely"), [(MIN_CHANCE, "B20 R40"), (MIN_CHANCE - 0.001, "B20")])
def test_below_some_chance_a_code_is_not_considered(chance, likely):
    assert MIN_CHANCE == 0.01
    assert " ".join(tile.code for tile in read(f"B20 0.9 R40 {chance}").likely) == likely


def test_slots_are_counted_from_the_leftmost_tile():
    seen = Settled(0, tuple(ObservedTile(row, slot + 4, (("R40", 0.9),)) for row, slot in ((0, 1), (1, 0))))
    assert Evidence.of(seen).slots == {place_number(0, 1), place_number(1, 0)}
    assert len(Evidence.of(Settled(0, ()))) == 0


def test_what_is_surely_read_is_kept_together():
    assert evidence("R40 B20/G60", B20="B20 0.6 B10 0.3").sure == bits("R40 G60")


def test_a_layout_fits_as_well_as_its_tiles_do():
    seen = evidence("R40 B20", B20="B20 0.6 B10 0.3")
    for text, chance in (("R40 B20", 0.6), ("R40 B10", 0.3), ("R40 Y2", 0.1 / 43)):
        fit = seen.fit(Layout.parse(text))
        assert fit is not None
        assert (fit.log_chance, fit.odd) == (pytest.approx(math.log(chance)), ())


@pytest.mark.parametrize("text", ["R40", "R40 B20 Y2", "R40 - B20", "-"])
def test_a_layout_with_other_slots_does_not_fit(text):
    assert evidence("R40 B20").fit(Layout.parse(text)) is None


def test_one_tile_may_be_misread_unless_it_was_just_placed():
    seen, layout = evidence("R40 B20"), Layout.parse("R40 B10")
    fit = seen.fit(layout)
    assert fit is not None
    assert fit.odd == ((1, TILES["B10"], TILES["B20"]),)
    assert fit.log_chance == pytest.approx(math.log(LEAST_CHANCE))
    assert seen.fit(layout, changed=bits("R40")) == fit
    assert seen.fit(layout, changed=bits("B10")) is None
    assert seen.fit(Layout.parse("Y2 B10")) is None
    first = ALL_TILES[0].code
    assert evidence("R40 B20").fit(Layout.parse(f"R40 {first}")) is not None


def test_several_tiles_may_be_misread_in_one_colour_for_another():
    """Two red tiles of a strange set were surely read as blue ones (film 355015)."""
    seen = evidence("B40 B20 Y2")
    fit = seen.fit(Layout.parse("R40 R20 Y2"))
    assert fit is not None
    assert [(known.code, read.code) for _, known, read in fit.odd] == [("R40", "B40"), ("R20", "B20")]
    assert fit.log_chance == pytest.approx(math.log(LEAST_CHANCE) + math.log(0.1))
    assert seen.fit(Layout.parse("R40 R20 Y2"), changed=bits("R20")) is None
    assert [seen.fit(Layout.parse(text)) for text in ("R40 G20 Y2", "R40 R10 Y2", "R30 R20 Y2")] == [None] * 3


def test_a_place_may_be_left_out():
    seen = evidence("- R40 B20/G60 -", B20="B20 0.9 B10 0.05")
    left = seen.without(min(seen.cells))
    assert left == evidence("R40 B20", B20="B20 0.9 B10 0.05")
    assert left.without(0).without(0) == evidence("-")


def test_a_tile_in_doubt_must_be_among_what_was_read_unless_it_is_covered():
    for code in (ALL_TILES[0].code, "B30"):
        layout = Layout.parse(f"R40 {code}")
        seen = evidence("R40 B20", B20="B20 0.9 B10 0.05")
        assert seen.fit(layout) is not None
        assert seen.fit(layout, uncertain=bits("R40")) is not None
        assert seen.fit(layout, uncertain=bits(code)) is None
        assert evidence("R40 B20", B20="covered").fit(layout, uncertain=bits(code)) is not None


@pytest.mark.parametrize(
    ("seen", "unlike", "known", "expected"),
    [
        ("R40 B20", {}, "R40 B20", "R40 B20"),
        # What cannot be read lies where it lay; what is surely another does not.
        ("R40 B20", {"B20": "Y2 0.6 B10 0.3"}, "R40 B20", "R40 B20"),
        ("R40 B20 Y4", {"R40": "Y2", "B20": "Y6"}, "R40 B20", "Y2 Y6 Y4"),
        # One that is surely read as a tile that did not lie there is misread.
        ("R40 B20", {"B20": "Y2"}, "R40 B20", "R40 B20"),
        # Also where the tile that is read still lies in its place.
        ("R40 B20", {"B20": "R40"}, "R40 B20", "R40 B20"),
        ("Y2 R40 B20", {"B20": "R40"}, "R40 B20", "Y2 R40 B20"),
        ("R40 B20", {"R40": "R40 0.6 Y4 0.3", "B20": "Y2"}, "R40 B20", "R40 B20"),
        ("R40 B20 G60", {"R40": "Y2 0.6 Y4 0.3", "B20": "R40"}, "R40 B20 G60", 1),
        # But not where that one has gone, for then it was moved, nor where the known one lies elsewhere now.
        ("R40 B20/Y2", {"R40": "Y4", "Y2": "R40"}, "R40 B20", "Y4 B20/R40"),
        ("G60 B20 R40", {}, "R40 B20 G60", "G60 B20 R40"),
        # The best read ones come first: of two that may be B20 the likelier is.
        ("R40 B20 B10", {"B20": "B20 0.6 B30 0.3", "B10": "B20 0.9"}, "R40", "R40 B30 B20"),
        ("R40 B20 B10", {"B20": "B20 0.6 B30 0.3 Y2 0.05", "B10": "B20 0.5 Y4 0.4"}, "R40", "R40 B20 Y4"),
        # Moved to the side it is the same table.
        ("B20 R40 G60", {}, "R40 G60", "B20 R40 G60"),
        ("B20 R40 G60", {"G60": "Y2 0.6 Y4 0.3"}, "R40 G60", "B20 R40 G60"),
        ("B20 R40 G60", {"G60": "Y2"}, "R40 G60", "B20 R40 G60"),
        ("R40 B20", {"B20": "R40 0.9"}, "R40", 1),
        ("-", {}, "R40 B20", "-"),
    ],
)
def test_the_likeliest_table_is_the_known_one_with_what_is_surely_read(seen, unlike, known, expected):
    assert best(evidence(seen, **unlike), known) == expected


def test_where_nothing_is_known_any_tile_may_stand():
    seen = evidence("R40 B20", B20="covered")
    assert best(seen, "R40") == 1
    assert best(seen, "R40", stand_ins=True) == f"R40 {ALL_TILES[0].code}"
    first, second = (tile.code for tile in ALL_TILES[:2])
    assert best(evidence(f"{first} B20", B20="covered"), first, stand_ins=True) == f"{first} {second}"


@pytest.mark.parametrize(
    ("seen", "unlike", "known", "gone"),
    [
        ("R40", {}, "R40 B20/R4", "B20 R4"),
        ("R40 B20", {}, "R40 B20", ""),
        ("R40 B20", {"B20": "Y2 0.6 Y4 0.3"}, "R40 B20", ""),
        # It may lie elsewhere, or under something.
        ("B20 - R40", {}, "R40 - - B20", ""),
        ("R40", {"R40": "covered"}, "R40 B20", ""),
        ("R40 Y2", {"Y2": "covered"}, "R40 - B20", ""),
        ("Y2 R40 G60", {}, "R40 G60 B20", "B20"),
        ("R40", {"R40": "R40 0.6 B20 0.3"}, "R40 B20", ""),
    ],
)
def test_a_tile_whose_place_is_empty_and_that_is_not_seen_is_missing(seen, unlike, known, gone):
    missing = evidence(seen, **unlike).missing(Layout.parse(known))
    assert {tile.code for tile in missing} == {*gone.split()}


@pytest.mark.parametrize(
    ("seen", "known", "shift"),
    [
        ("R40 B20", "R40 B20", 0),
        ("Y2 R40 B20", "R40 B20", 1),
        ("Y2 Y4 R40 B20", "R40 B20", 2),
        ("B20 G60", "R40 B20 G60", -1),
        ("G60", "R40 B20 G60", -2),
        ("R40", "-", 0),
        ("Y2 Y4", "R40 B20", 0),
    ],
)
def test_by_how_much_a_table_was_shifted_is_told_by_its_tiles(seen, known, shift):
    assert evidence(seen).shift_from(Layout.parse(known)) == shift


def test_of_two_known_tiles_that_are_hardly_there_one_at_least_has_gone():
    """Nobody vouches for what lies there, but it is neither of them (film 371003)."""
    unread = {"R40": "B20 0.6 B10 0.399", "Y2": "G30 0.7 G60 0.299"}
    assert evidence("R40 Y2", **unread).fit(Layout.parse("R40 Y2")) is None
    one = evidence("R40 Y2", R40=unread["R40"]).fit(Layout.parse("R40 Y2"))
    assert one is not None
    assert one.odd == ((0, TILES["R40"], TILES["B20"]),)
    likelier = evidence("R40 Y2", R40="B20 0.6 B10 0.3", Y2=unread["Y2"]).fit(Layout.parse("R40 Y2"))
    assert likelier is not None
    # What was placed there since may be badly read.
    assert evidence("R40 Y2", **unread).fit(Layout.parse("R40 Y2"), changed=bits("Y2")) is not None


def test_a_known_tile_that_is_hardly_there_does_not_hide_what_lies_there():
    assert best(evidence("R40 Y2", R40="B20 0.6 B10 0.3"), "R40 Y2") == "R40 Y2"
    assert best(evidence("R40 Y2", R40="B20 0.6 B10 0.399"), "R40 Y2") == "B20 Y2"


def test_a_known_tile_that_is_read_as_one_that_lies_elsewhere_is_misread():
    """Two of them were taken for others, and a right step for a wrong one (game 200510)."""
    twice = {"G20": "B20 0.78 R20 0.219", "R7": "B7 0.7 R2 0.299"}
    known = "R7 B20 G20/B7 -"
    read = evidence(known, **twice)
    assert best(read, known) == known
    fit = read.fit(Layout.parse(known))
    assert fit is not None
    assert fit.odd == ()
    gone = evidence("R7 - G20/B7 -", **twice)
    assert best(gone, known) == "R7 - B20/B7 -", "the blue 20 may have moved there"


def test_a_tile_of_which_nothing_can_be_read_is_not_read_as_another_one():
    nothing = evidence("R40 Y2", R40="R40 0.0009 B20 0.0005").cells[0]
    assert nothing.instead_of(TILES["R40"]) is None
    assert nothing.instead_of(TILES["B20"]) is TILES["R40"]


@pytest.mark.parametrize(("seen", "fits"), [("Y20", True), ("B10", True), ("Y10", False), ("B20", True)])
def test_a_tile_that_was_in_doubt_may_surely_be_read_as_one_of_its_colour_or_weight(seen, fits):
    """One look may err; how a belief fits the table is kept apart from how much that speaks against it."""
    layout = Layout.parse("R40 B20")
    found = evidence("R40 B20", B20=seen).doubting([TILES["B20"]]).fit(layout, uncertain=TILES["B20"].bit)
    assert (found is not None) is fits
    if found is not None:
        assert (found.against < 0) is (seen != "B20")
        assert (found.log_chance - found.against, found.odd) == (0, ())
