"""Notation, geometry, drawing, places. Rules 2 and 3."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import NotationError, PlacementError, TileError
from referee.rules.layout import EMPTY, MAX_BASE, STRIDE, Layout, place_number, row_of, slot_of
from referee.rules.placement import find_places, is_place, place_tile
from referee.rules.tiles import TILES
from tests.referee.random_tables import random_table, seeded, written
from tests.referee.slow_rules import places as slow_places
from tests.referee.slow_rules import read, write

tables = st.integers(0, 10**6).map(lambda number: random_table(seeded(number)))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("-", "-"),
        ("- - -", "-"),
        ("- -/-", "-"),
        ("R40", "R40"),
        ("- R40 -", "R40"),
        ("R40 B20 G60/R4 -", "R40 B20 G60/R4 -"),
        ("R40 B20 G60 -/R4 - -", "R40 B20 G60/R4 -"),
        ("R40 B20 G60/R4 -/-", "R40 B20 G60/R4 -"),
        ("- -/R40", "- -/R40"),
        ("- - -/- R40", "- -/R40"),
        ("- R40 B20/- R4", "R40 B20/R4"),
        ("- - R40/R4 -", "- - R40/R4 -"),
    ],
)
def test_a_text_is_answered_in_canonical_form(text, canonical):
    assert str(Layout.parse(text)) == canonical
    assert Layout.parse(text) == Layout.parse(canonical)
    assert hash(Layout.parse(text)) == hash(Layout.parse(canonical))


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("", NotationError, "empty-slot-text"),
        (" ", NotationError, "empty-slot-text"),
        ("R40  B20", NotationError, "empty-slot-text"),
        ("R40 ", NotationError, "empty-slot-text"),
        (" R40", NotationError, "empty-slot-text"),
        ("R40/", NotationError, "too-many-rows: layout='R40/', rows=2, width=1, top=0"),
        ("R40 B20/", NotationError, "empty-slot-text"),
        (
            "R40 B20/R4 -",
            NotationError,
            "wrong-row-length: row=1, layout='R40 B20/R4 -', found=2, width=2, expected=1",
        ),
        ("R40 B20 G60/R4", NotationError, "found=1, width=3, expected=2"),
        ("r40", TileError, "unknown-tile-in-layout: code='r40'"),
        ("R40\tB20", TileError, "unknown-tile-in-layout"),
        ("R40\n", TileError, "unknown-tile-in-layout"),
        ("B20 R41", TileError, "unknown-tile-in-layout: code='R41', layout='B20 R41'"),
        ("\u2013", TileError, "unknown-tile-in-layout"),
        ("R40 B20 R40", TileError, "double-tile-in-layout: code='R40', layout='R40 B20 R40'"),
        ("R40 B20/R40", TileError, "double-tile-in-layout: code='R40'"),
        ("- " * MAX_BASE + "-", NotationError, "base-too-wide: width=65537"),
    ],
)
def test_anything_else_is_an_error(text, error, words):
    with pytest.raises(error, match=words):
        Layout.parse(text)


def test_the_widest_base_is_read():
    assert Layout.parse("R40" + " -" * (MAX_BASE - 1)) == Layout.parse("R40")


def test_how_far_right_a_text_lies():
    assert Layout.parse_shifted("- - R40 B20/- - R4") == (Layout.parse("R40 B20/R4"), 2)
    assert Layout.parse_shifted("- -") == (EMPTY, 0)


def test_a_layout_is_made_from_tiles_wherever_they_lie():
    tiles = {(0, -3): "R40", (0, -2): TILES["B20"], (1, -3): "R4"}
    assert str(Layout.from_tiles(tiles)) == "R40 B20/R4"
    assert Layout.from_tiles({}) is EMPTY


@pytest.mark.parametrize(
    ("tiles", "error", "words"),
    [
        ({(-1, 0): "R40"}, NotationError, "row-below-base: row=-1"),
        ({(0, 0): "R40", (0, MAX_BASE): "R4"}, NotationError, "base-too-wide: width=65537"),
        ({(0, 0): "R40", (0, 1): "R40"}, TileError, "double-tile: code='R40'"),
        ({(0, 0): "R40", (0, 1): "B2", (0, 2): "R40"}, TileError, "double-tile: code='R40'"),
        ({(0, 0): "X1"}, TileError, "unknown-tile: code='X1'"),
    ],
)
def test_tiles_that_make_no_layout(tiles, error, words):
    with pytest.raises(error, match=words):
        Layout.from_tiles(tiles)


def test_the_widest_table_made_of_tiles():
    assert Layout.from_tiles({(0, 5): "R40", (0, MAX_BASE + 4): "R4"}).width == MAX_BASE


def test_tiles_come_from_the_base_up():
    layout = Layout.parse("R40 B20 G60/R4 -")
    assert [(at, tile.code) for at, tile in layout.tiles] == [
        ((0, 0), "R40"), ((0, 1), "B20"), ((0, 2), "G60"), ((1, 0), "R4")
    ]  # fmt: skip
    assert layout.get(1, 0) is TILES["R4"]
    assert layout.get(1, 1) is None
    assert layout.get(0, -1) is None
    assert layout.get(0, -STRIDE) is None
    assert layout.find(TILES["R4"]) == place_number(1, 0)
    assert layout.find(TILES["R2"]) is None
    assert (layout.width, layout.height, len(layout)) == (3, 2, 4)
    assert (EMPTY.width, EMPTY.height, len(EMPTY)) == (0, 0, 0)


@given(st.integers(0, 500), st.integers(0, 60000))
def test_place_numbers_hold_row_and_slot(row, slot):
    assert (row_of(place_number(row, slot)), slot_of(place_number(row, slot))) == (row, slot)


def test_the_six_neighbours():
    layout = Layout.parse("Y2 Y4 Y6 Y10/G2 G4 G6/R2 R4/B2")
    codes = [tile.code for tile in layout.touching(place_number(1, 1))]
    assert codes == ["R2", "R4", "G2", "G6", "Y4", "Y6"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("-", ["-"]),
        ("R40", ["R40"]),
        ("R40 B20 G60/R4 -", ["  R4", "R40 B20 G60"]),
        ("R40 - G60/- R4", ["      R4", "R40 -   G60"]),
        ("R100 M200/R4", ["   R4", "R100  M200"]),
    ],
)
def test_the_drawing_for_people(text, lines):
    assert Layout.parse(text).drawing().splitlines() == lines


@given(tables)
def test_what_is_written_is_read_again(table):
    layout = Layout.parse(write(table))
    assert str(layout) == write(table)
    assert Layout.parse(str(layout)) == layout
    assert Layout.from_tiles(dict(layout.tiles)) == layout
    assert read(str(layout)).keys() == {at for at, _ in layout.tiles}


@given(tables)
def test_a_mirrored_layout_has_mirrored_places(table):
    layout = Layout.parse(write(table))
    mirror = layout.mirrored()
    assert mirror.mirrored() == layout
    span = layout.width - 1
    if table:
        assert sorted((row, span - row - slot) for row, slot in find_places(layout)) == sorted(
            find_places(mirror)
        )


@given(tables, st.integers(0, 10**6))
def test_places_agree_with_the_slow_rules(table, seed):
    text = written(seeded(seed), table)
    layout, shift = Layout.parse_shifted(text)
    found = [(row, slot + shift) for row, slot in find_places(layout)]
    assert found == ([(0, 0)] if not table else slow_places(read(text)))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("-", [(0, 0)]),
        ("R40", [(0, -1), (0, 1)]),
        ("R40 B20", [(1, 0)]),
        ("R40 B20/R4", [(0, -1), (0, 2)]),
        ("R40 - B20", [(0, 1)]),
        ("R40 B20 - G60 G100", [(1, 0), (1, 3), (0, 2)]),
        ("- R60/B60", [(0, 0), (0, 2)]),
        ("R60 -/B60", [(0, -1), (0, 1)]),
        ("- - -/R40 B20", [(2, 0)]),
        ("- -/R40", []),
    ],
)
def test_where_the_next_tile_may_go(text, places):
    assert find_places(Layout.parse(text)) == places
    assert all(is_place(Layout.parse(text), *place) for place in places)
    assert not any(is_place(Layout.parse(text), row, slot) for row in range(-1, 5) for slot in range(-2, 7)
                   if (row, slot) not in places)  # fmt: skip


def test_a_slot_far_off_the_table_is_no_place():
    layout = Layout.parse("R40 B20 G60/R4 -")
    assert find_places(layout) == [(1, 1)]
    for times in (1, -1, 10**12):
        assert not is_place(layout, 1 + times, 1 + times * STRIDE)


def test_a_tile_placed_left_of_the_base_shifts_the_layout():
    assert str(place_tile(Layout.parse("R40"), TILES["R4"], 0, -1)) == "R4 R40"
    assert str(place_tile(Layout.parse("- R60/B60"), TILES["R4"], 0, 0)) == "R4 R60/B60"


@pytest.mark.parametrize(
    ("text", "tile", "at", "error", "words"),
    [
        (
            "R40 B20",
            "R4",
            (0, 2),
            PlacementError,
            r"not-a-place: code='R4', row=0, slot=2, layout='R40 B20', places='\(1, 0\)'",
        ),
        ("R40", "R4", (1, 0), PlacementError, r"places='\(0, -1\), \(0, 1\)'"),
        ("- -/R40", "R4", (0, 0), PlacementError, "no-place-at-all: layout='- -/R40'"),
        ("R40", "R40", (0, 1), TileError, "tile-lies-already: code='R40', layout='R40'"),
    ],
)
def test_a_wrong_placement_is_refused_with_the_right_ones(text, tile, at, error, words):
    with pytest.raises(error, match=words):
        place_tile(Layout.parse(text), TILES[tile], *at)


def test_errors_speak_in_the_coordinates_of_the_text():
    layout, shift = Layout.parse_shifted("- - R40")
    for at, words in (((0, 0), r"slot=0, layout='- - R40', places='\(0, 1\), \(0, 3\)'"), ((0, 2), "slot=2")):
        with pytest.raises(PlacementError, match=words):
            place_tile(layout, TILES["R4"], *at, shift, "- - R40")
    with pytest.raises(TileError, match="layout='- - R40'"):
        place_tile(layout, TILES["R40"], 0, 1, shift, "- - R40")
    empty, shift = Layout.parse_shifted("- -/-")
    with pytest.raises(PlacementError, match="layout='- -/-'"):
        place_tile(empty, TILES["R4"], 1, 0, shift, "- -/-")
    stuck, shift = Layout.parse_shifted("- - -/- R40")
    with pytest.raises(PlacementError, match="no-place-at-all: layout='- - -/- R40'"):
        place_tile(stuck, TILES["R4"], 1, 0, shift, "- - -/- R40")
