"""What was in doubt can come undone."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.rules.layout import Layout
from tests.vision.tracking.test_missed_tiles import Shows
from tests.vision.tracking.test_table_tracker import (
    SIDE,
    A,
    B,
    C,
    Look,
    layout,
    picture,
    reading,
    stray,
    tile,
)
from vision.imaging.geometry import turned
from vision.recognition.reading import TileReading, corners_of
from vision.tracking.comparison import Comparison
from vision.tracking.initial_table import ALONE
from vision.tracking.table_tracker import TableTracker


@pytest.fixture
def strays() -> list:
    """What lies anywhere in the next picture."""
    return []


@pytest.fixture
def tracker(strays) -> TableTracker:
    """One that has seen two tiles and a third one on them."""
    tracker = TableTracker(Look(strays))
    tracker.amend(picture(A, B, C), reading(A, B, C), 0)
    tracker.accept()
    return tracker


def test_without_a_pyramid_nothing_is_hidden_on_a_first_table(strays):
    """A square of the cloth was taken for a tile, and those beside it for hidden ones."""
    guess = tile("B2", 0, 0, unsure=True, confidence=0.4)
    seen = reading(guess, hidden=(tile("-", 0, 1).quad_px,))
    assert TableTracker(Look(strays)).amend(picture(), seen, 0).hidden == ()


@pytest.mark.parametrize(
    ("moved", "how", "is_tile"),
    [
        (40, {}, False),
        (20, {}, True),
        (40, {"unsure": False}, True),
    ],
)
def test_what_is_new_and_mostly_lies_beyond_the_edge_is_no_tile(moved, how, is_tile):
    """A figure of the cloth was one there, and then something that hides one (film 445197)."""
    lying = [tile(code, 0, slot, moved=(-moved, 0)) for code, slot in (("R40", -4), ("B20", -3))]
    new = tile("R7", 0, -5, moved=(-moved, 0), **{"unsure": True, "cut": True, **how})
    tracker = TableTracker(Look([]))
    tracker.amend(picture(*lying), reading(*lying), 0)
    tracker.accept()
    seen = [replace(each, slot=slot) for slot, each in enumerate((new, *lying))]
    found = tracker.amend(picture(new, *lying), reading(*seen), 1, lying=["R40", "B20"])
    assert [each.code for each in found.tiles] == ["R7", "R40", "B20"][not is_tile :]
    assert not found.hidden


@pytest.mark.parametrize(("chance", "expected"), [(0.9, "R40 B20 Y4/G60 -"), (0.1, "R40 B20/G60")])
def test_what_was_in_doubt_and_is_not_read_any_more_was_no_tile(strays, chance, expected):
    """Nothing has changed where it lies; but the reader takes it for a tile no longer."""
    doubtful = tile("Y4", 0, 2, unsure=True)
    look = Look(strays, (replace(stray(doubtful), unsure=True, tile=chance),))
    tracker = TableTracker(look)
    lying = picture(A, B, C, doubtful)
    tracker.amend(lying, reading(A, B, C, doubtful), 0)
    tracker.accept()
    assert layout(tracker, lying, A, B, C) == expected


def test_below_the_base_lies_no_tile(tracker):
    """A back in doubt that touches the base from below is none."""
    below = tile("Y4", -1, 1, unsure=True)
    image = picture(A, B, C, below)
    moved = [replace(each, row=each.row + 1) for each in (A, B, C)]
    assert layout(tracker, image, replace(below, row=0), *moved) == "R40 B20/G60"


@pytest.mark.parametrize(("lying", "expected"), [({"R40"}, "R40 B20"), ((), "R40")])
def test_a_lone_tile_in_doubt_has_its_places_once_the_game_knows_it(strays, lying, expected):
    """Somebody said which tile it is; the next one is overlooked at first (film 347010)."""
    doubtful = replace(A, unsure=True, confidence=0.6)
    tracker = TableTracker(Look(strays, (stray(B),)))
    for seen in ((), (doubtful,)):
        tracker.amend(picture(*seen), reading(*seen), 0)
        tracker.accept()
    amended = tracker.amend(picture(doubtful, B), reading(doubtful), 1, lying)
    assert " ".join(each.code for each in amended.tiles) == expected


def test_where_a_tile_in_doubt_has_gone_the_table_must_come_to_light_too(strays):
    """A phone lies over the only tile, of which nobody is sure; a square of the cloth is read instead."""
    doubtful = replace(A, unsure=True)
    tracker = TableTracker(Look(strays))
    for lying in ((), (doubtful,)):
        tracker.amend(picture(*lying), reading(*lying), 0)
        tracker.accept()
    phone = cv2.rectangle(picture(doubtful), (280, 380), (350, 470), (30, 60, 30), -1)
    square = tile("Y40", 0, 5, unsure=True, confidence=0.4)
    assert tracker.amend(phone, reading(square), 1).hidden == (A.quad_px,)
    assert tracker.amend(picture(), reading(square), 1).hidden == ()


def test_a_lone_tile_that_people_had_to_name_lies_as_it_is_read_among_others(strays):
    """It was read upside down as another tile, so the two were mirrored (films 370015 and 382034)."""
    tracker = TableTracker(Look(strays))
    lone = replace(A, code="R2", unsure=True, quad_px=(*A.quad_px[2:], *A.quad_px[:2]))
    tracker.amend(picture(A), reading(lone), 0)
    tracker.accept()
    assert str(tracker.amend(picture(A, B), reading(A, B), 1, ["R40"]).layout) == "R40 B20"


def test_a_doubtful_tile_that_touches_none_is_one_where_a_tile_lay(tracker):
    """It fell there, the tiles round it were taken, and it was left out as a spot (film 381064)."""
    right, fallen = tile("R6", 0, 2), tile("G100", 0, 2, unsure=True, confidence=0.99)
    tracker.amend(picture(A, B, right), reading(A, B, right), 1)
    tracker.accept()
    assert layout(tracker, picture(A, fallen), A, fallen) == "R40 - G100"
    further = tile("G100", 0, 3, unsure=True, confidence=0.99)
    assert layout(tracker, picture(A, further), A, further) == "R40"


def test_a_doubtful_tile_that_touches_none_is_one_where_another_may_have_fallen(tracker):
    """A red 40 fell, was read as a 60, and counted for taken (film 412016)."""
    upon = tile("B4", 1, 1)
    tracker.amend(picture(A, B, upon), reading(A, B, upon), 1)
    tracker.accept()
    fallen = tile("B6", 0, 2, unsure=True, confidence=0.5, alternatives=(("B10", 0.2), ("B4", 0.1)))
    assert layout(tracker, picture(A, fallen), A, fallen) == "R40 - B6"
    other = replace(fallen, alternatives=(("B10", 0.2), ("B7", 0.1)))
    assert layout(tracker, picture(A, other), A, other) == "R40", "none of those has gone"
    further = tile("B6", 0, 3, unsure=True, confidence=0.5, alternatives=(("B4", 0.1),))
    assert layout(tracker, picture(A, further), A, further) == "R40", "it cannot have fallen there"


def test_a_tile_on_no_place_of_the_game_lies_nowhere_where_no_other_is_read(tracker):
    """Beside a telephone one was read alone, cut too large, and taken for the first tile (film 384033)."""
    new = tile("Y30", 0, 2)
    badly_cut = replace(tile("Y30", 0, 2, moved=(20, -24)), slot=0)
    assert layout(tracker, picture(A, B, C, new), badly_cut) == "R40 B20/G60"


@pytest.mark.parametrize(
    ("first", "shows_tiles", "is_tile"), [((), True, True), ((), False, False), ((B,), False, True)]
)
def test_a_tile_that_lay_unseen_on_the_last_table_is_no_table(strays, first, shows_tiles, is_tile):
    """A note was taken for the first tile, or that was not seen on a tartan (films 390044 and 390081)."""
    tracker = TableTracker(Look(strays), Shows() if shows_tiles else None)
    tracker.amend(picture(), reading(), 0)
    tracker.accept()
    tracker.amend(picture(A, *first), reading(*(replace(each, slot=0) for each in first)), 1)
    tracker.accept()
    doubtful = replace(A, unsure=True, confidence=0.7)
    amended = tracker.amend(picture(A, *first), reading(doubtful, *first), 2)
    assert (A.code in [each.code for each in amended.tiles]) == is_tile


@pytest.mark.parametrize(("other", "expected"), [(B, "R40 B20/G60"), (tile("B20", 0, 5), "G60")])
def test_a_tile_upon_two_that_are_in_doubt_lies_on_their_places(other, expected):
    """At a flat angle the third tile alone was read, and taken for the first (film 420018)."""
    unsure = [replace(each, unsure=True) for each in (A, other)]
    tracker = TableTracker(Look([], (stray(A), stray(other))))
    tracker.amend(picture(A, other), reading(*unsure), 0)
    tracker.accept()
    alone = replace(C, row=0, slot=0, unsure=True, confidence=0.8)
    assert str(tracker.amend(picture(A, other, C), reading(alone), 1).layout) == expected


@pytest.mark.parametrize(("shows_tiles", "is_tile"), [(True, True), (False, False)])
def test_what_has_come_since_is_a_tile_though_the_cloth_has_its_colours(
    strays, monkeypatch, shows_tiles, is_tile
):
    """A yellow 4 on a chequered cloth was not seen in two turns (film 420241)."""
    tracker = TableTracker(Look(strays), Shows() if shows_tiles else None)
    tracker.amend(picture(A, B), reading(A, B), 0)
    tracker.accept()
    monkeypatch.setattr(Comparison, "is_bare", lambda *_: True)
    doubtful = replace(C, unsure=True, confidence=0.8)
    amended = tracker.amend(picture(A, B, C), reading(A, B, doubtful), 1)
    assert (C.code in [each.code for each in amended.tiles]) == is_tile


def test_a_thing_that_lay_there_from_the_first_is_table_though_it_looks_like_a_tile(strays):
    tracker = TableTracker(Look(strays), Shows())
    tracker.amend(picture(A), reading(), 0)
    tracker.accept()
    assert not tracker.amend(picture(A), reading(replace(A, unsure=True, confidence=0.7)), 1).tiles


NOTE = tile("Y100", 0, -4)


@pytest.mark.parametrize(("unsure", "expected"), [(False, "B20"), (True, "Y100")])
def test_what_lay_alone_was_a_note_if_the_pyramid_is_elsewhere(strays, unsure, expected):
    """A 20 on a note was the left-over tile, and lay beside the red 30 from then on (391074); but the figures
    of a cloth are no pyramid (396064)."""
    quad = tuple((x - 40, y - 250 + 1.7 * (y - 400)) for x, y in NOTE.quad_px)
    note = replace(NOTE, quad_px=quad, slot=0)
    tracker = TableTracker(Look(strays))
    tracker.amend(picture(note, A), reading(note), 0)
    tracker.accept()
    read = [replace(each, unsure=unsure, confidence=0.4 if unsure else 0.99) for each in (A, B)]
    assert layout(tracker, picture(note, A, *(() if unsure else (B,))), *read) == expected


def test_what_lay_there_before_is_not_the_pyramid_because_it_is_more(strays):
    """The left-over tile was read first, and then two notes that had lain there all along (film 465868)."""
    notes = [tile("Y10", 0, 0, moved=(0, 209)), tile("R60", 0, 1, moved=(0, 209))]
    tracker = TableTracker(Look(strays))
    tracker.amend(picture(A, *notes), reading(replace(A, confidence=0.999)), 0)
    tracker.accept()
    assert layout(tracker, picture(A, *notes), *notes) == "R40"
    tracker.accept()
    assert layout(tracker, picture(A, *notes, B), A, B) == "R40 B20"


def test_a_note_and_a_telephone_that_lie_apart_are_no_pyramid(strays):
    """Both were surely read while a telephone lay over the corner of the only tile (film 398206)."""
    phone, other = replace(A, code="M200", quad_px=_away(A, 500)), replace(B, code="R120", row=3, slot=4)
    other = replace(other, quad_px=_away(other, 300))
    tracker = TableTracker(Look(strays))
    tracker.amend(picture(A), reading(A), 0)
    tracker.accept()
    assert A.code in layout(tracker, picture(A, phone, other), phone, other)


def _away(each, down: float):
    """The corners of a tile that lies further down, and a little aslant."""
    return tuple((x + 0.3 * (y - 400), y + down) for x, y in each.quad_px)


def test_the_place_of_one_tile_is_no_lattice_where_the_game_knows_two(strays):
    """The first was cut badly as it lay alone, and then none lay on its place (film 393017)."""
    large = replace(A, unsure=True, quad_px=tuple((1.5 * x - 150, 1.5 * y - 200) for x, y in A.quad_px))
    doubtful = [replace(each, unsure=True, confidence=0.6) for each in (A, B)]
    tracker = TableTracker(Look(strays))
    for lying, seen in (((), ()), ((A,), (large,)), ((A, B), doubtful)):
        tracker.amend(picture(*lying), reading(*seen), 0, [each.code for each in lying])
        tracker.accept()
    alone = replace(C, row=0)
    amended = tracker.amend(picture(C), reading(alone), 1, [A.code, B.code])
    assert str(amended.layout) == "- -/G60"


@pytest.mark.parametrize(("lying", "expected"), [(["R40"], "R40 B20"), (["G2"], "B20 R40")])
def test_a_lone_tile_that_was_another_one_does_not_tell_which_way_is_up(strays, lying, expected):
    """A green 6 was surely read as a 2 that lay on its head, and people renamed it (film 399334)."""
    tracker = TableTracker(Look(strays))
    on_its_head = replace(A, code="G2", quad_px=corners_of(turned(np.array(A.quad_px), 2)))
    tracker.amend(picture(A), reading(on_its_head), 0)
    tracker.accept()
    found = tracker.amend(picture(A, B), reading(A, B), 1, lying)
    assert str(Layout.from_tiles({(each.row, each.slot): each.code for each in found.tiles})) == expected


@pytest.mark.parametrize(("way", "lying"), [(0, ["R40"]), (1, ["R40"]), (3, ["R40"])])
def test_beside_one_that_people_had_to_name_another_of_its_supposed_name_may_come(way, lying):
    """It passed for the one that lay there, which lay on its side besides, as exchanged (film 430335)."""
    named = replace(A, code="B20", unsure=True, quad_px=corners_of(turned(np.array(A.quad_px), way)))
    tracker = TableTracker(Look([], (replace(stray(A), unsure=True, confidence=0.6, tile=0.95),)))
    for tiles in ((), (named,)):
        tracker.amend(picture(*[A][: len(tiles)]), reading(*tiles), 0)
        tracker.accept()
    found = tracker.amend(picture(A, B), reading(replace(B, unsure=True)), 1, lying)
    assert str(found.layout) == "R40 B20"


@pytest.mark.parametrize("aside", [-0.46, 0.46])
def test_a_lone_tile_that_fell_is_no_other_one_on_its_side(aside):
    """People had named it, and it fell and lay on its head: that was told as a wrong step (film 447132)."""
    named = tile("R6", 1, 0, unsure=True, confidence=0.2)
    x, _y = named.quad_px[0]
    fallen = tile("R6", 0, 0, moved=(x + SIDE * aside - 300, 0), unsure=True, confidence=0.2)
    on_its_head = replace(fallen, quad_px=corners_of(turned(np.array(fallen.quad_px), 2)))
    tracker = TableTracker(Look([]))
    tracker.amend(picture(A, B, named), reading(A, B, named), 0)
    tracker.accept()
    tracker.amend(picture(named), reading(replace(named, row=0)), 1, [named.code])
    tracker.accept()
    assert str(tracker.amend(picture(fallen), reading(on_its_head), 2, [named.code]).layout) == "R6"


@pytest.mark.parametrize(("taken", "expected"), [(True, "R40 B20 Y30/- -/R4"), (False, "R40 B20 Y30")])
def test_a_doubtful_tile_hangs_where_those_that_held_it_were_taken(strays, taken, expected):
    """A yellow 100 hung over two that its collapse had taken, and nobody saw it (film 391127)."""
    base = [tile("R40", 0, 0), tile("B20", 0, 1), tile("Y30", 0, 2)]
    row = [tile("G60", 1, 0), tile("G40", 1, 1)]
    hangs = tile("R4", 2, 0, unsure=True, confidence=0.6)
    tracker = TableTracker(Look(strays))
    held = [*base, *row] if taken else base
    tracker.amend(picture(*held), reading(*held), 0)
    tracker.accept()
    assert layout(tracker, picture(*base, hangs), *base, hangs) == expected


@pytest.mark.parametrize("begins_bare", [False, True])
def test_a_thing_that_is_surely_read_beside_another_may_have_lain_there_before(strays, begins_bare):
    """A note lay at the edge of the picture, with a figure of the cloth beside it (film 404101)."""
    figure = replace(B, unsure=True, confidence=0.39)
    tracker = TableTracker(Look(strays))
    found = tracker.amend(picture(A, B), reading(A, figure), 0, begins_bare=begins_bare).tiles
    assert [(each.code, each.unsure) for each in found] == (
        [("R40", True)] if begins_bare else [("R40", False), ("B20", True)]
    )


def test_the_first_tile_lies_on_the_table_though_something_was_read_below_it(strays):
    """A note was taken for table, and the first tile lay on the fifth row (film 407080)."""
    note = tile("Y4", 0, 3, unsure=True, confidence=0.9)
    first = tile("B6", 4, 2)
    tracker = TableTracker(Look(strays))
    tracker.amend(picture(note), reading(), 0)
    tracker.accept()
    assert layout(tracker, picture(note, first), note, first) == "B6"


@pytest.mark.parametrize("begins_bare", [False, True])
def test_of_several_first_tiles_in_doubt_none_is_certain(strays, begins_bare):
    """The screen of a phone was read as a millstone and another tile (films 423271 and 423292)."""
    seen = [replace(each, unsure=True, confidence=0.998) for each in (A, B)]
    tracker = TableTracker(Look(strays))
    found = tracker.amend(picture(*seen), reading(*seen), 0, begins_bare=begins_bare).tiles
    assert [(each.unsure, each.confidence) for each in found] == [(True, ALONE)] * 2


@pytest.mark.parametrize(("lay_at_first", "is_doubtful"), [(True, True), (False, False)])
def test_what_lay_on_the_first_table_is_no_first_tile_for_certain(strays, lay_at_first, is_doubtful):
    """The back of a pile hardly looked like a tile, and was surely a millstone later (film 425075)."""
    thing = tile("M200", 0, 0)
    tracker = TableTracker(Look([], (replace(stray(thing), confidence=0.9999),)))
    tracker.amend(picture(*[thing] * lay_at_first), reading(), 0, begins_bare=True)
    tracker.accept()
    (found,) = tracker.amend(picture(thing), reading(thing), 2, begins_bare=True).tiles
    assert found.unsure is is_doubtful


def test_tiles_that_people_had_to_name_show_where_the_places_are():
    """A sleeve had cut a corner of the only sure tile, and the fourth one seemed to lie apart (436072)."""

    def seen(code: str, row: int, slot: int, *corners: tuple[float, float]) -> TileReading:
        return replace(tile(code, row, slot, unsure=True, confidence=0.3), quad_px=corners)

    sure = {"unsure": False, "confidence": 0.99}
    gone = replace(seen("G10", 0, 1, (349, 234), (352, 165), (423, 168), (425, 232)), **sure)
    lone = seen("R40", 0, 0, (355, 296), (355, 230), (425, 231), (425, 296))
    cut = replace(lone, quad_px=((357, 293), (354, 230), (426, 229), (434, 276)), **sure)
    beside = seen("B20", 0, -1, (356, 364), (356, 298), (427, 299), (430, 366))
    above = seen("G60", 1, -1, (279, 331), (282, 267), (349, 267), (350, 332))
    new = seen("Y2", 0, -2, (355, 441), (359, 368), (432, 373), (431, 446))
    tracker = TableTracker(Look([]))
    codes: list[str] = []
    for time_s, tiles in enumerate([[cut, gone], [lone], [lone, beside], [lone, beside, above]]):
        tracker.amend(picture(*tiles), reading(*tiles), time_s, lying=codes)
        tracker.accept()
        codes = [each.code for each in tiles]
    found = tracker.amend(
        picture(lone, beside, above, new), reading(new, beside, lone, above), 4, lying=codes
    )
    assert str(found.layout) == "Y2 B20 R40/- G60"
