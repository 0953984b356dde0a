"""Tiles that people lay as they come, on their heads and on a side, and pyramids that they push."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.rules.layout import Layout
from tests.vision.tracking.test_lattice_track import square
from tests.vision.tracking.test_table_tracker import SIDE, A, B, C, Look, picture, reading, tile
from vision.imaging.geometry import map_points, turned
from vision.pyramid.lattice import LatticePlace, on_their_heads
from vision.recognition.reading import DetectedTile, TileReading, corners_of, either_way
from vision.tracking.lattice_track import GameLattice
from vision.tracking.table_tracker import TableTracker


def lying(one: TileReading, quarters: int) -> TileReading:
    """A tile whose face lies turned."""
    return replace(one, quad_px=corners_of(turned(np.array(one.quad_px), quarters)))


def from_above(*tiles: TileReading) -> list[TileReading]:
    """Tiles as they are read if what is their top passes for their base; their faces lie as they lie."""
    places = on_their_heads({at: LatticePlace.of_slot(one.row, one.slot) for at, one in enumerate(tiles)})
    return [replace(one, row=places[at].row, slot=places[at].slot) for at, one in enumerate(tiles)]


def see(tracker: TableTracker, *tiles: TileReading, read: Sequence[TileReading] | None = None) -> str:
    """Let a tracker see a table, if need be as others read it; return what lies there."""
    found = tracker.amend(picture(*tiles), reading(*(tiles if read is None else read)), 0).tiles
    tracker.accept()
    return str(Layout.from_tiles({(each.row, each.slot): each.code for each in found}))


@pytest.fixture
def tracker() -> TableTracker:
    """One that has seen nothing."""
    return TableTracker(Look([]))


def push(*tiles: TileReading) -> list[TileReading]:
    """Tiles that were pushed to the right and up by half a side, and turned a little."""
    c, s = np.cos(np.radians(8)), np.sin(np.radians(8))
    view = np.array([[c, -s, 85], [s, c, -75], [0, 0, 1]])
    return [replace(each, quad_px=corners_of(map_points(view, np.array(each.quad_px)))) for each in tiles]


def test_places_move_with_a_pyramid_that_is_pushed(tracker: TableTracker) -> None:
    """By a place where a tile had lain before, the next one lay two slots from all others (film 475312)."""
    left, lone, gone = tile("B30", 0, -1), tile("Y20", 0, 0), tile("R4", 0, 1)
    assert see(tracker, lone, gone) == "Y20 R4"
    assert see(tracker, lone) == "Y20"
    assert see(tracker, left, lone) == "B30 Y20"
    left, lone, right = push(left, lone, tile("B2", 0, 1))
    assert see(tracker, left, lone) == "B30 Y20"
    assert see(tracker, left, lone, right) == "B30 Y20 B2"


def test_a_tile_far_from_others_is_looked_for_where_the_pyramid_was_pushed(tracker: TableTracker) -> None:
    """It was not read at once after two others had collapsed, and the step was called wrong (film 475350)."""
    far = tile("R2", 0, 4)
    base = [A, B, *(tile(code, 0, at) for at, code in enumerate(("Y6", "G2"), 2)), far]
    assert see(tracker, *base, C) == "R40 B20 Y6 G2 R2/G60 - - -"
    *moved, lies = push(A, B, C, far)
    hidden = tracker.amend(picture(*moved, lies), reading(*moved), 0)
    assert str(hidden.layout) == "R40 B20/G60"
    assert [
        np.round(np.mean(quad, axis=0) - np.mean(lies.quad_px, axis=0)).tolist() for quad in hidden.hidden
    ] == [[0, 0]]


def test_the_last_tile_of_a_pyramid_stays_where_taken_ones_lie_side_by_side(tracker: TableTracker) -> None:
    """It passed for a note and they for the pyramid, and what was put back was not read (film 475223)."""
    assert see(tracker, A, B, C) == "R40 B20/G60"
    taken = [replace(tile(code, 0, at), slot=at - 7) for at, code in ((7, "B20"), (8, "G60"), (9, "Y6"))]
    assert see(tracker, A, *taken[:2], read=taken[:2]) == "R40"
    assert see(tracker, A, *taken, read=taken) == "R40"
    assert see(tracker, A, C, *taken[2:], read=[replace(A, slot=0), C]) == "R40 -/G60"


@pytest.mark.parametrize("is_read_upright", [True, False])
def test_the_first_tile_upon_a_row_shows_which_way_is_up(
    tracker: TableTracker, is_read_upright: bool
) -> None:
    """Of a row of three more lay on their heads; what came upon it was told as out of place (film 472010)."""
    row, upon = [A, lying(B, 2)], [A, lying(B, 2), C]
    assert see(tracker, *row, read=from_above(*row)) == "B20 R40"
    assert tracker.turned_over_px is None
    assert see(tracker, *upon, read=None if is_read_upright else from_above(*upon)) == "R40 B20/G60"
    assert tracker.turned_over_px is not None
    top_left, _, bottom_right, _ = tracker.turned_over_px
    assert (top_left < bottom_right).all()


@pytest.mark.parametrize("before", [[(A, B, C), (A, B)], [(A, B), (A, B, C), (A, B)]])
def test_once_the_bricks_have_shown_it_nothing_turns_the_pyramid(tracker, before) -> None:
    """A row that is left after a collapse is not new; a tile below it is one that nobody placed."""
    for seen in before:
        see(tracker, *seen)
    assert tracker.has_stood
    below = tile("Y4", -1, 1)
    see(
        tracker, A, B, below, read=[replace(below, row=0, slot=0), *(replace(each, row=1) for each in (A, B))]
    )
    assert tracker.turned_over_px is None


def test_a_tile_below_one_alone_turns_nothing(tracker: TableTracker) -> None:
    see(tracker, A, B)
    beside = tile("Y4", -1, 0)
    see(tracker, A, B, beside, read=[replace(beside, row=0), *(replace(each, row=1) for each in (A, B))])
    assert tracker.turned_over_px is None


def test_a_tile_that_is_left_alone_tells_nothing_of_the_way_up_once_bricks_have_shown_it(tracker) -> None:
    """It lay on a side; the next row was read from its other end, and what came upon it hung (472551)."""
    on_side = lying(A, 1)
    for seen in ((on_side, B), (on_side, B, C), (on_side,)):
        see(tracker, *seen)
    row = [on_side, lying(B, 1)]
    assert see(tracker, *row, read=from_above(*row)) == "R40 B20"


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_a_row_has_its_places_though_all_its_tiles_lie_turned_alike(quarters: int) -> None:
    """The lattice was fitted as if they stood upright, and a tile upon them lay nowhere (film 472030)."""
    quads = {LatticePlace(0, 2 * at): turned(square(400 + SIDE * at, 500, SIDE), quarters) for at in range(3)}
    upon = turned(square(400 + SIDE / 2, 500 - SIDE, SIDE), quarters)
    assert GameLattice(quads).places_of([upon]) == [LatticePlace(1, 1)]


def names(tile_of_game: TileReading) -> dict[str, float]:
    return dict([(tile_of_game.code, tile_of_game.confidence), *tile_of_game.alternatives])


def test_what_is_in_doubt_is_told_as_it_reads_in_either_way() -> None:
    """A blue 20 on its side was read as a 6, in doubt, and the 20 was no answer (film 472225)."""
    read = TileReading("B6", 0, 0, A.quad_px, 0.7, unsure=True, alternatives=(("B60", 0.2),))
    other = DetectedTile("B20", A.quad_px, 1.0, False, 1.0, 1.0)
    either = either_way(read, 0.5, other, 0.3)
    assert (either.code, either.unsure) == ("B20", True)
    assert sum(names(either).values()) == pytest.approx(1, abs=0.001)
    assert names(either)["B20"] > names(either)["B6"] > names(either)["B60"] > 0


@pytest.mark.parametrize(("confidence", "doubt"), [(0.99, 0.0), (0.9, 1.0)])
def test_what_is_in_doubt_for_its_place_alone_may_have_no_other_weight(
    confidence: float, doubt: float
) -> None:
    """A table whose way up was in doubt was said to be mirrored (film 472300)."""
    assert reading(replace(A, unsure=True, confidence=confidence)).weight_doubt == doubt
