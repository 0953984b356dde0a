"""What is a tile on the first table of a game, of which nothing is known yet."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from referee.rules.layout import Layout
from tests.vision.tracking.test_table_tracker import A, B, C, Look, picture, reading, stray, tile
from vision.recognition.reading import DetectedTile, Quad, TileReading
from vision.tracking.camera_motion import carried
from vision.tracking.change_detection import is_unchanged
from vision.tracking.initial_table import HAND_S, FirstPicture, InitialTable
from vision.tracking.table_tracker import TableTracker
from vision.tracking.things import FirstLook


@pytest.fixture
def strays() -> list[DetectedTile]:
    """What lies anywhere in the next picture."""
    return []


def test_what_is_hardly_a_tile_is_none_on_a_first_table(strays):
    """The tile that the reader passed over for it is found instead."""
    guess = tile("G1", 0, 5, unsure=True, confidence=0.3)
    pair = [tile(code, 0, at, unsure=True, confidence=0.99) for at, code in enumerate(("G1", "G2"))]
    back = replace(guess, cut=True)

    def codes(*tiles: TileReading) -> list[str]:
        seen = TableTracker(Look(strays)).amend(picture(guess, A), reading(*tiles), 1)
        return [each.code for each in seen.tiles]

    assert (codes(guess), codes(back), codes(*pair)) == ([], [], ["G1", "G2"])
    strays.append(replace(stray(A), tile=0.98))  # a back of a pile
    assert (codes(guess), codes(pair[0])) == ([], [])
    strays[0] = stray(A)
    assert (codes(guess), codes(*pair)) == (["R40"], ["G1", "G2"])


def test_a_certain_tile_among_things_that_may_be_tiles_is_the_pyramid(strays):
    """The reader calls none of them the pyramid, for each lies alone; people say that a tile lies there."""
    thing = replace(stray(A), code="M200", tile=0.92, quad_px=tile("M200", 0, 8).quad_px)
    strays += [thing, stray(A)]

    def codes(*elsewhere: Quad, told: bool = True) -> list[str]:
        tracker = TableTracker(Look(strays))
        if told:
            tracker.expect_tiles()
        seen = replace(reading(), elsewhere=elsewhere)
        return [each.code for each in tracker.amend(picture(A), seen, 1).tiles]

    things = (thing.quad_px, A.quad_px)
    assert (codes(*things), codes(), codes(*things, told=False)) == (["R40"], [], [])
    strays.append(replace(thing, tile=1.0))
    assert codes(*things) == []  # two of them are certain


def test_what_surely_is_a_tile_stays_once_people_say_that_one_lies_there(strays):
    """Which one it is, they are asked."""
    lone = tile("G1", 0, 0, unsure=True, confidence=0.3)

    def codes(*, told: bool, certain: float) -> list[str]:
        strays[:] = [replace(stray(lone), unsure=True, confidence=0.3, tile=certain)]
        tracker = TableTracker(Look(strays))
        if told:
            tracker.expect_tiles()
        return [each.code for each in tracker.amend(picture(lone), reading(lone), 1).tiles]

    assert codes(told=True, certain=0.995) == ["G1"]
    assert codes(told=True, certain=0.98) == codes(told=False, certain=0.995) == []


def test_what_people_say_is_no_tile_is_none_while_it_looks_as_it_did(strays):
    """A square note with a number lies there from the first (film 349020)."""
    note, other = replace(B, slot=0), tile("B120", 0, 1, moved=(24, 15))
    tracker = TableTracker(Look(strays))
    image = picture(note)
    assert tracker.without_things(image) is image
    tracker.amend(image, reading(note), 1)
    tracker.accept()
    tracker.deny()
    assert not tracker.knows_table
    bare = tracker.without_things(image)
    assert not is_unchanged(image, note.quad_px, bare, note.quad_px)
    tracker.amend(bare, reading(), 2)
    tracker.accept()
    assert tracker.knows_table
    image = picture(note, A)
    assert not is_unchanged(image, note.quad_px, tracker.without_things(image), note.quad_px)
    image = picture(A, other)
    assert tracker.without_things(image) is image


@pytest.mark.parametrize(
    ("confidence", "lying", "unsure"), [(0.99, (), True), (0.995, (), False), (0.96, ("R40",), False)]
)
def test_a_lone_tile_is_in_doubt_before_the_game_knows_of_any(strays, confidence, lying, unsure):
    """A note was read as a red 120 with 0.972 (film 406103), a blue 10 as a 40 with 0.988 (398181)."""
    tracker = TableTracker(Look(strays))
    seen = replace(A, confidence=confidence)
    (found,) = tracker.amend(picture(A), reading(seen), 1, lying).tiles
    assert found.unsure is unsure


@pytest.mark.parametrize(
    ("width", "begins_bare", "unsure"), [(390, False, True), (390, True, False), (410, False, False)]
)
def test_a_lone_tile_that_is_large_may_be_a_note_where_one_may_lie_from_the_first(
    strays, width, begins_bare, unsure
):
    """Notes were surely read as a yellow 20 and a blue 120 (films 406036 and 406104)."""
    tracker, seen = TableTracker(Look(strays)), replace(A, confidence=0.999)
    for tiles in ((), (seen,)):
        image = np.ascontiguousarray(picture(*tiles)[:, :width])
        found = tracker.amend(image, reading(*tiles), 1, begins_bare=begins_bare).tiles
        tracker.accept()
    assert [each.unsure for each in found] == [unsure]


def test_a_lone_tile_of_several_that_lie_about_is_in_doubt_however_surely_it_is_read(strays):
    """A square note with a 20 was surely read, and taken for the tile that lay near it (film 351006)."""
    strays += [stray(A), stray(B)]
    seen = replace(A, confidence=0.997, unsure=True)
    (found,) = TableTracker(Look(strays)).amend(picture(A), reading(seen), 1).tiles
    assert (found.unsure, found.confidence) == (True, 0.97)


def test_a_lone_tile_is_in_doubt_where_none_should_lie_until_the_table_was_seen_bare(strays):
    """A playing card's corner and a square note were surely read before anybody played (353009, 350009)."""
    seen = replace(A, confidence=0.999)

    def doubts(*tables, begins_bare: bool) -> list[bool]:
        tracker = TableTracker(Look(strays))
        for lying in tables:
            found = tracker.amend(picture(*lying), reading(*lying), 1, begins_bare=begins_bare).tiles
            tracker.accept()
        return [tile.unsure for tile in found]

    assert doubts([seen], begins_bare=True) == doubts([seen], [seen], begins_bare=True) == [True]
    assert doubts([], [seen], begins_bare=True) == doubts([seen], begins_bare=False) == [False]
    assert doubts([seen, B], begins_bare=True) == [False, False]


@pytest.mark.parametrize("is_shown", [True, False])
def test_what_lies_alone_and_hardly_looks_like_a_tile_is_in_doubt(is_shown):
    """The corner of a playing card was surely read as a red 2, and taken for left over (film 423519)."""
    faces = Mock(show_tiles=Mock(side_effect=lambda _image, quads, *_: [is_shown] * len(quads)))
    card = replace(A, confidence=0.999)
    (found,) = TableTracker(Look([]), faces).amend(picture(card), reading(card), 1).tiles
    assert found.unsure is not is_shown


def test_what_is_read_otherwise_by_itself_is_no_certain_tile(strays):
    """A square note at the picture's edge was a blue 4 in doubt, and surely a blue 7 (film 353016)."""
    strays.append(replace(stray(A), code="B7"))
    seen = replace(A, confidence=0.4, unsure=True)
    (found,) = TableTracker(Look(strays)).amend(picture(A), reading(seen), 1).tiles
    assert (found.code, found.unsure) == ("R40", True)


def test_a_lone_tile_of_which_only_the_place_is_in_doubt_is_there_on_a_first_table(strays):
    """It is asked about, rather than overlooked: read twice, each time by itself, it says the same."""
    lone = tile("G1", 0, 0, unsure=True, confidence=0.99)

    def codes(seen: DetectedTile) -> list[str]:
        strays[:] = [seen]
        found = TableTracker(Look(strays)).amend(picture(lone), reading(lone), 1)
        return [each.code for each in found.tiles]

    doubtful = replace(stray(lone), unsure=True, confidence=0.92)
    assert codes(doubtful) == ["G1"]
    assert codes(replace(doubtful, tile=0.98)) == []
    assert codes(replace(doubtful, code="G4")) == []


def test_an_empty_first_table_may_be_forgotten(strays):
    """A left-over tile that nobody saw there would else count as bare table for ever."""
    tracker, image = TableTracker(Look(strays)), picture(A)

    def codes(*tiles: TileReading) -> list[str]:
        return [each.code for each in tracker.amend(image, reading(*tiles), 1).tiles]

    assert codes() == []
    tracker.accept()
    assert codes(A) == []
    tracker.forget_empty()
    assert codes(A) == ["R40"]
    tracker.accept()
    tracker.forget_empty()
    assert codes() == ["R40"]  # this table was not empty


def test_on_a_first_table_what_does_not_stir_hides_nothing(strays):
    """It is a spot of the table; a hand is never held so still."""
    dark = tile("-", 0, 1).quad_px

    def hidden(time_s: float, *, arm: int = 430) -> int:
        image = cv2.line(picture(A), (arm, 720), (arm, 340), (30, 30, 35), 60)
        return len(tracker.amend(image, reading(A, hidden=(dark,)), time_s).hidden)

    tracker = TableTracker(Look(strays))
    assert [hidden(0), hidden(HAND_S - 0.1), hidden(HAND_S)] == [1, 1, 0]
    tracker = TableTracker(Look(strays))
    assert [hidden(0), hidden(HAND_S, arm=400), hidden(HAND_S + 0.1, arm=400)] == [1, 1, 1]


def test_on_a_first_table_that_a_hand_films_what_does_not_stir_hides_nothing(strays):
    """The camera sways, and the game waited for something over a rulebook's page for ever (film 475220)."""
    tracker, dark = TableTracker(Look(strays)), tile("-", 0, 1).quad_px

    def hidden(time_s: float, by: int) -> int:
        image = np.roll(cv2.line(picture(A, C), (430, 720), (430, 340), (30, 30, 35), 60), by, axis=1)
        place, *tiles = (tuple((x + by, y) for x, y in quad) for quad in (dark, A.quad_px, C.quad_px))
        read = [replace(each, quad_px=quad) for each, quad in zip((A, C), tiles, strict=True)]
        return len(tracker.amend(image, reading(*read, hidden=(place,)), time_s).hidden)

    assert [hidden(0, 0), hidden(HAND_S, 14)] == [1, 0]


def test_on_a_first_table_what_looks_as_before_a_tile_came_hides_nothing(strays):
    """A hand does not come back to where it was as if it had never stirred; a square of the cloth does."""
    dark, placed = tile("-", 0, 1).quad_px, tile("G60", 0, -1)
    tracker = TableTracker(Look(strays))

    def hidden(time_s: float, *tiles: TileReading, arm: int) -> int:
        image = cv2.line(picture(*tiles), (arm, 720), (arm, 340), (30, 30, 35), 60)
        return len(tracker.amend(image, reading(*tiles, hidden=(dark,)), time_s).hidden)

    assert [hidden(0, A, arm=430), hidden(1, A, arm=400), hidden(1.5, A, arm=430)] == [1, 1, 1]
    assert [hidden(2, A, placed, arm=415), hidden(2.1, A, placed, arm=430)] == [1, 0]


def test_on_a_first_table_covered_tiles_that_do_not_stir_are_none(strays):
    """Where no tile is sure, that is; a tile below a cup is one."""
    spot, cup = (replace(tile("Y7", 0, at, unsure=True), covered=True) for at in (1, 5))

    def codes(time_s: float, *tiles: TileReading) -> list[str]:
        return [each.code for each in tracker.amend(picture(*tiles), reading(*tiles), time_s).tiles]

    tracker = TableTracker(Look(strays))
    assert [codes(at, spot) for at in (0, HAND_S)] == [["Y7"], []]
    tracker = TableTracker(Look(strays))
    at_edge = replace(tile("Y7", 0, 16, unsure=True), covered=True, cut=True)  # mostly beyond it (423529)
    assert [codes(at, at_edge) for at in (0, HAND_S)] == [["Y7"], []]
    tracker = TableTracker(Look(strays))
    assert [codes(at, A, spot) for at in (0, HAND_S)] == [["R40", "Y7"], ["R40", "Y7"]]
    assert codes(HAND_S, A, cup) == ["R40"]  # far from all tiles, and in doubt
    doubtful, certain = replace(cup, unsure=False, covered=False), replace(A, confidence=0.999)
    assert codes(HAND_S, certain, doubtful) == ["R40"]
    assert codes(HAND_S, certain, replace(doubtful, confidence=0.999)) == ["R40", "Y7"]


class Shows:
    """Stands for a place head that sees tiles in some places."""

    def __init__(self, *tiles: TileReading) -> None:
        self.quads = [np.array(each.quad_px) for each in tiles]

    def show_tiles(
        self, _image: np.ndarray, quads: list[np.ndarray], _least: float, _before: object = None
    ) -> list[bool]:
        assert quads, "a model takes one crop at least"
        return [any(np.allclose(quad, other, atol=3) for other in self.quads) for quad in quads]


@pytest.mark.parametrize(("shown", "expected"), [((A, B), "R40 B20"), ((A,), "-"), ((), "-"), (None, "-")])
def test_doubtful_tiles_side_by_side_are_tiles_if_they_all_look_like_some(shown, expected):
    """On a tartan cloth three dark tiles were taken for its squares (film 375014)."""
    read = [replace(each, unsure=True, confidence=0.8) for each in (A, B)]
    faces = None if shown is None else Shows(*shown)
    first = InitialTable(Look([]), faces).amend(picture(A, B), reading(*read), 0)  # type: ignore[arg-type]
    assert str(Layout.from_tiles({(each.row, each.slot): each.code for each in first.tiles})) == expected


def test_doubtful_tiles_side_by_side_are_asked_about_once_people_say_that_some_lie_there():
    """They said so five times, and what lay there could hardly be read (film 424005)."""
    read = reading(*(replace(each, unsure=True, confidence=0.3) for each in (A, B)))
    looks = InitialTable(Look([]), Shows(A))  # type: ignore[arg-type]
    looks.is_told_of_tiles = True
    assert looks.amend(picture(A, B), read, 0).unsure == ("R40", "B20")
    surely = tile("G60", 0, 6)
    looks = InitialTable(Look([stray(surely)]), Shows(surely))  # type: ignore[arg-type]
    looks.is_told_of_tiles = True
    assert [each.code for each in looks.amend(picture(A, B, surely), read, 0).tiles] == ["G60"]


def test_what_looks_like_no_tile_makes_no_pyramid_though_it_is_likely_read():
    """A telephone was taken for two tiles, and the one that lay alone was forgotten (film 374011)."""
    alone = tile("G120", 0, 6)
    read = [replace(A, unsure=True, confidence=0.2), replace(B, unsure=True, confidence=0.985)]
    looks = InitialTable(Look([stray(alone)]), Shows(alone))  # type: ignore[arg-type]
    assert [each.code for each in looks.amend(picture(A, B, alone), reading(*read), 0).tiles] == ["G120"]


def test_where_a_tile_must_lie_a_lone_doubtful_one_needs_less():
    """Nobody could read the left-over tile on a cloth of its own colour (film 381037)."""
    lone = replace(A, unsure=True, confidence=0.4)
    looks = InitialTable(Look([]), Shows(A))  # type: ignore[arg-type]
    assert looks.amend(picture(A), reading(lone), 0).tiles == ()
    looks.must_lie = True
    assert looks.amend(picture(A), reading(lone), 0).tiles == (lone,)
    looks.is_told_of_tiles = True
    assert looks.amend(picture(A), replace(reading(), elsewhere=(A.quad_px,)), 0).tiles == ()


def test_what_is_read_as_well_as_certain_is_a_tile_beside_others_whatever_it_looks_like():
    """A lamp shone on a yellow 120, and on the millstone beside it not (film 399149)."""

    def codes(confidence: float) -> list[str]:
        read = [replace(A, unsure=True, confidence=confidence), replace(B, unsure=True, confidence=0.99)]
        looks = InitialTable(Look([stray(B)]), Shows(B))  # type: ignore[arg-type]
        return [each.code for each in looks.amend(picture(A, B), reading(*read), 0).tiles]

    assert (codes(0.999), codes(0.98)) == (["R40", "B20"], ["B20"])


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        ({}, ["R40", "B20"]),
        ({"tile": 0.95}, ["R40"]),
        ({"code": "R40"}, ["R40"]),
        ({"code": "R40", "unsure": True, "alternatives": (("B20", 0.1),)}, ["R40", "B20"]),
    ],
)
def test_a_tile_that_was_passed_over_beside_a_lone_one_is_seen(beside, expected):
    """On a cloth of its colour the left-over tile was not seen, and the next one passed for it (445221)."""
    look = Look([], (replace(stray(B), **beside), stray(A)))

    def codes(*shown: TileReading, lone: TileReading = A) -> list[str]:
        first = InitialTable(look, Shows(*shown))  # type: ignore[arg-type]
        first.must_lie = True
        return [each.code for each in first.amend(picture(A, B), reading(lone), 0).tiles]

    assert (codes(B), codes(A)) == (expected, ["R40"])
    # Of a lone tile that can hardly be read nobody knows which way up it lies.
    lying = tuple(A.quad_px[corner] for corner in (1, 2, 3, 0))
    on_its_side = replace(A, code="R4", unsure=True, quad_px=lying)
    assert codes(B, on_its_side, lone=on_its_side) == (expected if len(expected) > 1 else ["R4"])


@pytest.mark.parametrize(
    ("seen", "row", "must_lie", "expected"),
    [
        (0.95, 2, True, ["R40", "B20", "G20"]),
        (0.95, 2, False, ["R40", "B20"]),
        (0.98, 2, False, ["R40", "B20", "G20"]),
        (0.85, 2, True, ["R40", "B20"]),
        (0.95, 1, True, ["R40"]),
    ],
)
def test_of_three_left_over_tiles_the_last_one_is_looked_for(seen, row, must_lie, expected):
    """A blue 120 on a printed cloth was passed over, and told as placed a turn later (film 430466)."""
    third = tile("G20", 0, row)
    first = InitialTable(Look([], (replace(stray(third), tile=seen),)), Shows(third))  # type: ignore[arg-type]
    first.must_lie = must_lie
    lying = (A, B)[:row]
    found = first.amend(picture(*lying, third), reading(*lying), 0)
    assert [each.code for each in found.tiles] == expected


def test_what_is_covered_has_no_others_at_its_ends():
    """A score sheet at the picture's edge was two tiles before the game began (`chequered`, upside down)."""
    sheet, end = tile("B2", 0, 0, unsure=True, confidence=0.43, covered=True), tile("B120", 0, 1)
    first = InitialTable(Look([], (stray(end),)), Shows(end))  # type: ignore[arg-type]
    found = first.amend(picture(sheet, end), reading(sheet), 0)
    assert [(each.code, each.covered) for each in found.tiles] == [("B2", True)]


@pytest.mark.parametrize(
    ("shown", "unsure", "looks", "expected"),
    [
        ([True, False], False, 0.92, ["R40"]),
        ([True, False], True, 0.92, ["R40", "B20"]),
        ([True, True], False, 0.92, ["R40", "B20"]),
        ([False, False], False, 0.92, ["R40", "B20"]),
        ([True, False], False, 0.999, ["R40", "B20"]),
    ],
)
def test_what_is_surely_read_beside_a_tile_and_looks_like_none_is_none(shown, unsure, looks, expected):
    """Some figures of a printed cloth beside the left-over tile were a red 7 (film 407050).

    Tiles of a strange set hardly looked like some to the place head alone (film 392115).
    """

    class Faces(Mock):
        def show_tiles(self, _image, quads, _least, _before=None):
            return shown[: len(quads)]

    read = reading(A, replace(B, unsure=unsure))
    look = Look([], (replace(stray(B), tile=looks),))
    found = InitialTable(look, Faces()).amend(picture(A, B), read, 1)
    assert [each.code for each in found.tiles] == expected


def test_what_lay_there_first_is_known_after_a_bump_of_the_camera() -> None:
    """Six notes were no longer what had lain there, and a game began with them (film 470045)."""
    view = np.array([[1.0, 0.02, 20], [-0.02, 1.0, -15], [0, 0, 1]])
    first = FirstPicture(Look([]))
    first.things(picture(A, B), reading(A, B), 0)
    now = cv2.warpPerspective(picture(A, B, C), view, (1280, 720))
    seen = reading(*carried((A, B, C), view))

    def lay(moved: np.ndarray | None) -> list[bool]:
        return [each.lay_first for each in first.marked(now, seen, moved).tiles]

    assert (lay(None), lay(view)) == ([False] * 3, [True, True, False])
    first.see_from(None)
    first.see_from(view)
    assert lay(None) == [True, True, False]


ROW = [tile(code, 0, at) for at, code in enumerate(("Y4", "B7", "G10"))]
"""A row of numbers that lies beside a game."""


def things_beside(
    *lie: TileReading, came: TileReading, left_over: int, unsure: bool = False, read_since: bool = False
) -> list[str]:
    """Which of the tiles of a later picture are things; those of the row lay on the first one, and others."""
    first_px = picture(*ROW, *lie)
    first = FirstLook(first_px, [] if read_since else [each.quad_px for each in ROW])
    if read_since:
        first = first.with_read(first_px, [each.quad_px for each in (*ROW, came)])
    later = picture(*ROW, *lie, came)
    seen = [stray(each) for each in (*ROW, *lie, came)]
    has_come = [each for each in seen if first.has_come(later, each.quad_px)]
    assert [each.code for each in has_come] == [came.code]
    has_come = [replace(has_come[0], unsure=unsure)]
    found = first.things(later, [] if read_since else ROW, seen, has_come, left_over)
    return [each.code for each in (*ROW, *lie, came) if each.quad_px in found]


@pytest.mark.parametrize(
    ("slot", "left_over", "unsure", "are_things"),
    [
        (8, 0, False, True),
        (8, 0, True, True),  # where none is left over, all that lay there first is none
        (8, 1, False, True),
        (
            8,
            1,
            True,
            False,
        ),  # something was put down, and the left-over tile may be among those that lie there
        (8, 3, False, False),  # they may be the left-over ones
        (3, 0, False, False),  # it touches them: a game had begun
    ],
)
def test_what_lay_there_first_is_no_game_once_a_tile_comes_elsewhere(slot, left_over, unsure, are_things):
    """A rulebook showed a pyramid, and numbers lay in a row (films 465780 to 465788)."""
    came = tile("R60", 0, slot)
    for read_since in (False, True):
        found = things_beside(came=came, left_over=left_over, unsure=unsure, read_since=read_since)
        assert found == ["Y4", "B7", "G10"] * are_things


def test_the_left_over_tile_beside_what_has_come_is_none_of_the_things() -> None:
    lay, came = tile("B20", 0, 8), tile("R60", 0, 9)
    for unsure in (False, True):
        assert things_beside(lay, came=came, left_over=1, unsure=unsure) == ["Y4", "B7", "G10"]
    assert things_beside(tile("B20", 4, 0), came=came, left_over=0) == ["Y4", "B7", "G10", "B20"]
    assert things_beside(lay, tile("G2", 0, 7), came=came, left_over=3) == ["Y4", "B7", "G10"]
    assert things_beside(lay, came=came, left_over=0) == []  # the first tile lay there already
    assert things_beside(lay, tile("G2", 0, 6), came=came, left_over=3) == ["Y4", "B7", "G10"]  # under a hand
    assert things_beside(lay, tile("G2", 1, 0), came=came, left_over=1) == ["Y4", "B7", "G10", "G2"]


def test_what_changed_since_was_a_game() -> None:
    first = FirstLook(picture(*ROW), [each.quad_px for each in ROW])
    came = stray(tile("R60", 0, 8))
    later = picture(*ROW[1:], tile("R60", 0, 8))
    assert first.things(later, ROW[1:], [came], [came], 0) == []
    assert first.things(later[:700], ROW[1:], [came], [came], 0) == []
    assert first.things(picture(*ROW), ROW, [], [], 0) == []


@pytest.mark.parametrize(
    ("left_over", "figures", "beside", "are_things"),
    [
        (3, 1, False, False),
        (3, 1, True, False),  # nor does a figure beside what has come make one of them less
        (3, 2, False, True),  # a page
        (2, 1, False, True),
    ],
)
def test_just_as_many_sure_tiles_as_are_left_over_are_they(left_over, figures, beside, are_things):
    """The figure of a cloth beside them made a page of them, and nobody answered (film 474282)."""
    lie = [*ROW, *(tile("R7", 1, at) for at in range(figures)), *[tile("R6", 1, 8)] * beside]
    came = tile("R60", 0, 8)
    seen = [replace(stray(each), unsure=each.code in ("R7", "R6")) for each in (*lie, came)]
    first = FirstLook(picture(*lie), [each.quad_px for each in lie])
    found = first.things(picture(*lie, came), lie, seen, seen[-1:], left_over)
    things = [each.code for each in lie if each.quad_px in found]
    assert things == [each.code for each in lie if each.code != "R6"] * are_things
