"""Where tiles lie on the places of a watched game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.imaging.geometry import turned
from vision.pyramid.lattice import LatticePlace
from vision.recognition.reading import TileReading, corners_of
from vision.tracking.lattice_track import GameLattice, at_places, pushed, that_touch, within_reach

SIDE = 60


def square(x: float, y: float, side: float = SIDE, turn_deg: float = 0) -> np.ndarray:
    """The corners of a square about a middle."""
    turn = np.radians(turn_deg)
    ways = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    return np.asarray(corners @ ways + [x, y], np.float32)


def tile(code: str, row: int, slot: int) -> TileReading:
    x, y = 400 + SIDE * (slot + row / 2), 500 - SIDE * row
    corners = tuple((float(across), float(down)) for across, down in square(x, y))
    return TileReading(code, row, slot, corners, 0.99, unsure=False)


LATTICE = GameLattice.of(
    {LatticePlace.of_slot(row, slot): tile(code, row, slot)
     for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("G60", 1, 0))}
)  # fmt: skip


@pytest.mark.parametrize("turn_deg", [0, 30, 90])
def test_a_tile_three_slots_away_lies_on_its_place_however_it_is_turned(turn_deg):
    assert LATTICE.places_of([square(400 + 4 * SIDE, 503, turn_deg=turn_deg)]) == [LatticePlace.of_slot(0, 4)]


@pytest.mark.parametrize("side", [0.6 * SIDE, 1.6 * SIDE])
def test_what_has_another_size_than_the_tiles_lies_on_no_place(side):
    """A large note with a number, surely read as a tile, was counted to the pyramid (film 370021)."""
    assert LATTICE.places_of([square(400 + 4 * SIDE, 500, side), square(400 + 2 * SIDE, 500)]) == [
        None,
        LatticePlace.of_slot(0, 2),
    ]


def test_what_lies_far_from_the_only_known_tile_is_none_of_the_pyramid():
    """When a hand left, two halves of a telephone were read, and one was told as placed (film 407945)."""
    place = LatticePlace.of_slot(0, 0)
    known = {place: tile("R40", 0, 0)}
    halves = [
        replace(tile(code, 0, at), quad_px=corners_of(square(x, 200, 1.8 * SIDE)))
        for at, (code, x) in enumerate((("Y1", 700), ("M200", 808)))
    ]
    assert at_places(halves, known, GameLattice.of(known)) == {}
    near = [replace(each, quad_px=tile("R40", 0, at).quad_px) for at, each in enumerate(halves)]
    assert len(at_places(near, known, GameLattice.of(known))) == 2, "it may be misread"


def test_beside_one_tile_that_was_cut_badly_others_lie_as_they_lie_among_each_other():
    """A green 2 was cut to two thirds, and a tile beside it seemed to lie two places away (film 407281)."""
    cut = ((694.0, 338.0), (692.0, 276.0), (773.0, 278.0), (771.0, 330.0))
    seen = (
        ("B120", ((689.0, 440.0), (689.0, 362.0), (768.0, 365.0), (764.0, 440.0))),
        ("G2", ((687.0, 360.0), (690.0, 274.0), (774.0, 278.0), (771.0, 363.0))),
    )
    left, right = (replace(tile(code, 0, at), quad_px=quad) for at, (code, quad) in enumerate(seen))
    lattice = GameLattice.of({LatticePlace.of_slot(0, 3): replace(tile("G2", 0, 3), quad_px=cut)})
    there = LatticePlace.of_slot(0, 2)
    assert lattice.places_of([np.array(left.quad_px)]) != [there], "else it shows nothing"
    found = at_places([left, right], {}, lattice)
    assert found == {there: left, LatticePlace.of_slot(0, 3): right}


def test_a_pyramid_that_is_pushed_while_a_tile_falls_is_known_whichever_way_up_it_is_read():
    """Where the fallen one lay was told as the row above, and the step as wrong (film 475443)."""
    codes = (("G40", 0, 1), ("Y10", 1, 0), ("Y1", 2, 0))
    known = {LatticePlace.of_slot(row, slot): tile(code, row, slot) for code, row, slot in codes}
    moved = [
        replace(each, row=row, slot=slot, quad_px=corners_of(np.add(each.quad_px, (20, -12))))
        for each, (row, slot) in zip(known.values(), ((2, 0), (1, 0), (0, 1)), strict=True)
    ]
    fell = replace(moved[2], row=0, quad_px=corners_of(np.add(moved[2].quad_px, (30, SIDE))))
    for tiles in (moved, [*moved[:2], fell]):
        push = pushed(tiles, known)
        assert push is not None
        assert np.allclose(push, [[1, 0, 20], [0, 1, -12], [0, 0, 1]], atol=0.01)
    both_fell = [replace(at, quad_px=corners_of(np.add(at.quad_px, (30, SIDE)))) for at in moved[1:]]
    assert pushed(both_fell, dict(list(known.items())[1:])) is None


def test_tiles_lie_on_their_places_whichever_way_up_they_were_read():
    """Else the first tile of the second row seemed to show that all had lain on their heads (392133)."""
    upright = [tile("R40", 0, 0), tile("B20", 0, 1)]
    on_heads = [
        replace(each, slot=1 - at, quad_px=corners_of(turned(np.array(each.quad_px), 2)))
        for at, each in enumerate(upright)
    ]
    found = at_places(on_heads, {}, LATTICE)
    assert [found[LatticePlace.of_slot(0, at)].code for at in (0, 1)] == ["R40", "B20"]


def test_no_tile_lies_far_from_all_that_are_known() -> None:
    """Beyond the horizon of a plane that was fitted badly one lay on row 275 (film 420018)."""
    places = [LatticePlace.of_slot(10, 2), LatticePlace.of_slot(200, 2)]
    assert LATTICE.places_of(LATTICE.quads_at(places)) == [places[0], None]


@pytest.mark.parametrize("share", [0.6, 0.95])
def test_of_a_tile_of_which_a_part_is_seen_the_place_is_known_from_before(share):
    """Half of the only one was under a hand; the next one beside it lay two places away (film 453097)."""
    place = LatticePlace.of_slot(0, 0)
    known = GameLattice.of({place: tile("R2", 0, 0)})
    part = square(400, 500) * [share, 1] + [430 * (1 - share), 0]
    seen = replace(tile("R2", 0, 0), quad_px=corners_of(part.astype(np.float32)))
    lattice = known.with_tiles({place: seen})
    (quad,) = lattice.quads_at([place])
    assert np.allclose(quad, square(400, 500) if share < 0.8 else part, atol=0.5)
    assert lattice.places_of([square(400 - SIDE, 500)]) == [LatticePlace.of_slot(0, -1)]


def test_what_was_taken_and_lies_aside_touches_nothing_of_the_pyramid():
    """Taken tiles lay face up, two sides away, and passed for its next ones (470202)."""
    known = {LatticePlace.of_slot(row, slot): tile(code, row, slot)
             for code, row, slot in (("R40", 0, 0), ("B20", 0, 1))}  # fmt: skip
    seen = [tile("R40", 0, 0), tile("G4", 0, 2), tile("B7", 1, 2), tile("Y2", 0, 5)]
    assert [each.code for each in that_touch(seen, known)] == ["R40", "G4", "B7"]
    found = {LatticePlace.of_slot(each.row, each.slot): each for each in seen}
    assert [each.code for each in within_reach(found, known).values()] == ["R40", "G4", "B7", "Y2"]
