"""What the last clear table tells about the next one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.rules.layout import EMPTY
from vision.imaging.geometry import map_points
from vision.recognition.reading import DetectedTile, Reading, TileReading
from vision.tracking.camera_motion import view_change
from vision.tracking.table_tracker import GROUND_S, TableTracker

SIDE = 60
GROUND = np.random.default_rng(1).integers(80, 140, (90, 160, 3)).astype(np.uint8)


def tile(
    code: str, row: int, slot: int, *, moved: tuple[float, float] = (0, 0), **how: object
) -> TileReading:
    """A tile as it lies in the picture, whatever row and slot it is read at."""
    x, y = 300 + SIDE * (slot + row / 2) + moved[0], 400 - SIDE * row + moved[1]
    quad = ((x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE))
    return TileReading(code, row, slot, quad, **{"confidence": 0.99, "unsure": False, **how})  # type: ignore[arg-type]


def picture(*tiles: TileReading, light: float = 1.0) -> np.ndarray:
    """A mottled table on which each tile has a colour of its own."""
    image = cv2.resize(GROUND, (1280, 720))
    for each in tiles:
        colour = np.random.default_rng(sum(each.code.encode())).integers(0, 255, 3).tolist()
        corners = np.array(each.quad_px, np.int32)
        cv2.fillConvexPoly(image, corners, colour)
        cv2.putText(image, each.code, corners[3] + [4, -8], cv2.FONT_HERSHEY_SIMPLEX, 0.8, (255, 255, 255), 3)
    return np.clip(image * light, 0, 255).astype(np.uint8)


def reading(*tiles: TileReading, hidden: tuple = ()) -> Reading:
    return Reading(tiles, EMPTY, hidden=hidden)


class Look:
    """Sees tiles that lie alone; where others lie it can only name them."""

    def __init__(
        self, strays: list[DetectedTile], passed_over: tuple[DetectedTile, ...] = (), covered: float = 0.0
    ) -> None:
        self.strays, self.passed_over, self.covered = strays, passed_over, covered

    def tiles(self, _image: np.ndarray) -> list[DetectedTile]:
        return self.strays

    def name(self, _image: np.ndarray, quads: list[np.ndarray]) -> list[DetectedTile]:
        table = tuple((float(x), float(y)) for x, y in quads[0])
        bare = DetectedTile("Y1", table, 0.2, True, 0.1, 1.0, self.covered)  # type: ignore[arg-type]
        return [
            next((one for one in self.passed_over if np.allclose(one.quad_px, quad, atol=3)), bare)
            for quad in quads
        ]


def stray(one: TileReading) -> DetectedTile:
    return DetectedTile(one.code, one.quad_px, 0.99, False, 0.999, 1.0)


def layout(tracker: TableTracker, image: np.ndarray, *tiles: TileReading, time_s: float = 1) -> str:
    seen = replace(reading(*tiles), elsewhere=tuple(each.quad_px for each in tracker._look.strays))
    return str(tracker.amend(image, seen, time_s).layout)


A, B, C = tile("R40", 0, 0), tile("B20", 0, 1), tile("G60", 1, 0)


@pytest.fixture
def strays() -> list[DetectedTile]:
    """What lies anywhere in the next picture."""
    return []


@pytest.fixture
def tracker(strays) -> TableTracker:
    """One that has seen two tiles and a third one on them."""
    tracker = TableTracker(Look(strays))
    tracker.amend(picture(A, B, C), reading(A, B, C), 0)
    tracker.accept()
    return tracker


def test_a_tile_over_an_empty_base_lies_on_its_row(tracker):
    """By itself it is read as the base."""
    alone = replace(C, row=0)
    assert layout(tracker, picture(C), alone) == "- -/G60"
    tracker.accept()
    assert layout(tracker, picture(C), alone, time_s=2 + GROUND_S) == "G60"  # so it is the base


def test_places_are_known_by_tiles_of_which_only_the_pyramid_is_in_doubt(strays):
    """So it is where backs lie about."""
    tracker = TableTracker(Look(strays))
    tracker.amend(picture(A, B), reading(replace(A, unsure=True), replace(B, unsure=True)), 0)
    tracker.accept()
    assert layout(tracker, picture(C), replace(C, row=0)) == "- -/G60"


def test_a_lone_tile_lies_as_it_is_read_among_others(strays):
    """It was read upside down alone, and the pyramid was built downwards from then on (film 359011)."""
    tracker = TableTracker(Look(strays))
    lone = replace(A, quad_px=(*A.quad_px[2:], *A.quad_px[:2]))
    tracker.amend(picture(A), reading(lone), 0)
    tracker.accept()
    assert layout(tracker, picture(A, B), A, B) == "R40 B20"
    tracker.accept()
    assert layout(tracker, picture(A, B, C), A, B, C) == "R40 B20/G60"


def test_a_tile_that_fell_there_lies_on_the_base(tracker):
    fallen = tile("G60", 0, 1)
    assert layout(tracker, picture(fallen), replace(fallen, slot=0)) == "G60"


def test_a_tile_that_fell_beside_all_others_is_found(tracker, strays):
    """The reader leaves out what touches no other tile."""
    fallen = tile("G60", 0, 1)
    strays += [stray(fallen), stray(tile("B20", 0, 3))]
    assert layout(tracker, picture(A, fallen), A) == "R40 G60"
    aside = tile("G60", 0, 3)
    strays[0] = stray(aside)
    assert layout(tracker, picture(A, aside), A) == "R40"  # nothing falls so far


def test_a_tile_that_the_finder_passed_over_is_looked_for_where_it_can_lie(strays):
    """It lies where it lay, in another light perhaps, or has fallen."""
    raised, fallen, aside = tile("G60", 1, 0, moved=(2, 2)), tile("G60", 0, 1), tile("G60", 0, 2)
    for lies, expected in ((raised, "R40 -/G60"), (fallen, "R40 G60"), (aside, "R40")):
        tracker = TableTracker(Look(strays, (stray(lies),)))
        tracker.amend(picture(A, B, C), reading(A, B, C), 0)
        tracker.accept()
        assert layout(tracker, picture(A, lies, light=0.6), A) == expected


def test_a_tile_that_is_put_back_lies_on_its_place(tracker):
    """All were taken by mistake; the first that comes back is not the base of a new pyramid."""
    tracker.amend(picture(), reading(), 1)
    tracker.accept()
    assert layout(tracker, picture(C), replace(C, row=0)) == "- -/G60"
    assert layout(tracker, picture(), time_s=2) == "-"
    new = tile("Y4", 0, 1, moved=(25, 20))
    assert layout(tracker, picture(new), replace(new, slot=0)) == "Y4"


def test_a_tile_beside_all_others_that_is_moved_is_found(tracker, strays):
    """Somebody put it down on the wrong side, and puts it right."""
    fallen, right = tile("G60", 0, 2), tile("G60", 0, 3)
    tracker.amend(picture(A, fallen), reading(A, fallen), 1)
    tracker.accept()
    strays.append(stray(right))
    assert layout(tracker, picture(A, right), A) == "R40 - - G60"


def test_a_tile_that_is_put_back_beside_all_others_is_found(tracker, strays):
    """Nothing has gone that would be looked for; but the reader saw something there."""
    gap, far = tile("Y10", 0, 2), tile("Y4", 0, 3)
    for lying in ((A, B, C, gap, far), (A, B, C, far), (A, B, C)):
        tracker.amend(picture(*lying), reading(*lying), 1)
        tracker.accept()
    strays.append(stray(far))
    image = picture(A, B, C, far)
    seen = replace(reading(A, B, C), elsewhere=(far.quad_px,))
    assert str(tracker.amend(image, seen, 2).layout) == "R40 B20 - Y4/G60 - -"
    seen = replace(seen, elsewhere=(tile("Y4", 3, 7).quad_px,))
    assert str(tracker.amend(image, seen, 2).layout) == "R40 B20/G60"


def test_a_tile_that_a_thumb_hides_a_little_lies_where_it_lay(tracker, strays):
    """Too much has changed to take it for the same picture, and too little for a new one."""
    strays.append(stray(tile("R40", 0, 0, moved=(1.5, 0))))
    image = picture(A, B, C)
    cv2.rectangle(image, (300, 400), (318, 414), (200, 220, 240), -1)
    assert layout(tracker, image, B, C) == "R40 B20/G60"


def test_tiles_that_the_finder_passed_over_are_looked_for_where_tiles_lay_and_over_those_that_have_gone():
    """One that was moved further than it can fall, and one that took those below it."""
    far, base, other = tile("Y4", 0, 3), tile("Y10", 0, 2), tile("Y6", 1, 1)
    moved, new, beside = tile("B20", 0, 3), tile("R120", 2, 0), tile("R6", 3, 1)
    tracker = TableTracker(Look([], (stray(moved), stray(new), stray(beside))))
    for lying in ((A, B, C, base, other, far), (A, B, C, base, other)):
        tracker.amend(picture(*lying), reading(*lying), 0)
        tracker.accept()
    image = picture(A, base, moved, new, beside)
    assert layout(tracker, image, A, base) == "R40 - Y10 B20/- - -/R120 -"


def test_a_new_tile_is_found_over_those_that_were_taken_since(tracker, strays):
    """It was placed on C and another one, and they came off before anybody looked."""
    other, new, aside = tile("Y4", 1, 1), tile("R120", 2, 0), tile("B60", 3, 0)
    base = tile("Y10", 0, 2)
    tracker.amend(picture(A, B, C, base, other), reading(A, B, C, base, other), 1)
    tracker.accept()
    strays += [stray(new), stray(aside)]
    assert layout(tracker, picture(A, B, base, new, aside), A, B, base) == "R40 B20 Y10/- -/R120"


def test_a_tile_in_doubt_beside_all_others_becomes_clear(tracker, strays):
    doubtful = tile("Y100", 0, 3, unsure=True)
    near = tile("Y4", 0, 2)
    tracker.amend(picture(A, B, near, doubtful), reading(A, B, near, doubtful), 1)
    strays.append(stray(tile("Y120", 0, 3)))
    assert layout(tracker, picture(A, B, tile("Y120", 0, 3)), A, B) == "R40 B20 - Y120"


def test_what_lay_there_before_without_being_a_tile_is_none_now(tracker, strays):
    """Such as the back of a pile, once nothing looks more like a tile."""
    tracker.amend(picture(), reading(), 1)
    tracker.accept()
    doubtful = tile("G1", 0, 5, unsure=True)
    assert layout(tracker, picture(), doubtful) == "-"
    strays.append(stray(A))
    assert layout(tracker, picture(A), doubtful) == "R40"
    assert layout(tracker, picture(doubtful), doubtful) == "G1"


def test_what_lay_there_is_none_in_the_light_of_another_lamp(tracker):
    note = tile("Y100", 0, 5, unsure=True)
    tracker.amend(picture(note), reading(), 1)
    tracker.accept()
    lamp = 0.3 + 1.4 * np.exp(-(((np.arange(1280) - 560) / 300) ** 2))[None, :, None]
    assert layout(tracker, np.clip(picture(note) * lamp, 0, 255).astype(np.uint8), note) == "-"


def test_a_hole_between_tiles_is_none_though_it_is_read_surely(tracker, strays):
    """What the table looks like there was never seen, but nothing has changed since a tile was taken."""
    tracker.amend(picture(A, C), reading(A, C), 1)
    tracker.accept()
    ghost = replace(B, code="G6", confidence=0.98)
    new = tile("Y4", 0, 2)
    assert layout(tracker, picture(A, C, new), A, C, ghost, new) == "R40 - Y4/G60 -"
    lies = picture(A, C, ghost, new)
    assert layout(tracker, lies, A, C, ghost, new) == "R40 G6 Y4/G60 -"


def test_what_lay_far_from_the_pyramid_does_not_come_to_belong_to_it(tracker):
    back = tile("B60", 4, -4)
    tracker.amend(picture(A, B, C, back), reading(A, B, C), 1)
    tracker.accept()
    assert layout(tracker, picture(A, B, C, back), A, B, C, back) == "R40 B20/G60"
    near = tile("B60", 1, 1)
    assert layout(tracker, picture(A, B, C, back, near), A, B, C, near) == "R40 B20 -/G60 B60"


def test_a_tile_that_was_passed_over_on_the_first_table_is_one_all_the_same(strays):
    """It is certain now, though nothing has changed where it lies."""
    certain, doubtful = (tile("M200", 0, 0, unsure=True, confidence=each) for each in (1.0, 0.99))
    beside = tile("B4", 0, 1, unsure=True)
    for lies, expected in ((certain, "M200 B4"), (doubtful, "B4")):
        strays[:] = [replace(stray(lies), confidence=lies.confidence)]
        tracker = TableTracker(Look(strays, tuple(strays)))
        tracker.amend(picture(lies), reading(), 0)
        tracker.accept()
        assert layout(tracker, picture(lies, beside), lies, beside) == expected


def test_a_tile_of_which_the_players_said_that_it_lies_there_is_one():
    """Nobody saw it on the first table, and nothing has changed where it lies."""
    first, second = tile("M200", 0, 0), tile("B4", 0, 1)
    tracker = TableTracker(Look([]))
    tracker.amend(picture(first), reading(), 0)
    tracker.accept()
    image = picture(first, second)
    assert str(tracker.amend(image, reading(first, second), 1).layout) == "B4"
    assert str(tracker.amend(image, reading(first, second), 1, ["M200"]).layout) == "M200 B4"
    back = tile("B4", 0, 9)
    tracker.amend(picture(first, second, back), reading(first, second), 1, ["M200"])
    tracker.accept()
    seen = reading(first, back)
    assert str(tracker.amend(picture(first, back), seen, 2, ["M200", "B4"]).layout) == "M200"


def test_a_tile_that_was_overlooked_for_a_back_is_covered_if_a_hand_lies_over_it(tracker, strays):
    """The back is no tile once that one is found."""
    tracker.amend(picture(C), reading(C), 1)
    tracker.accept()
    back = tile("R60", 0, 9, unsure=True, confidence=0.4)
    strays.append(replace(stray(C), covered=0.9))
    hand = cv2.line(picture(C, back), (360, 720), (360, 370), (120, 150, 205), 30)
    (seen,) = tracker.amend(hand, replace(reading(back), elsewhere=(C.quad_px,)), 2).tiles
    assert (seen.code, seen.covered, seen.unsure) == ("G60", True, True)


def test_what_comes_into_view_far_from_the_pyramid_is_no_part_of_it(tracker):
    """Nor is a tile that was taken and lies there face up; what fell touches where it lay, or others."""
    back = tile("B60", 0, -4, unsure=True)
    assert layout(tracker, picture(A, B, C, back), A, B, C, back) == "R40 B20/G60"
    taken = tile("G60", 0, -4)
    assert layout(tracker, picture(A, B, taken), A, B, taken) == "R40 B20"
    fell = tile("G60", 0, -1, unsure=True)
    assert layout(tracker, picture(A, B, fell), A, B, fell) == "G60 R40 B20"


def test_a_pyramid_that_was_pushed_to_make_room_is_the_same_one(tracker):
    moved = [replace(each, quad_px=tuple((x + 200, y - 130) for x, y in each.quad_px)) for each in (A, B, C)]
    assert layout(tracker, picture(*moved), *moved) == "R40 B20/G60"
    tracker.accept()
    new = tile("Y4", 0, 2, moved=(200, -130))
    assert layout(tracker, picture(*moved, new), *moved, new) == "R40 B20 Y4/G60 -"


def test_what_no_turn_can_bring_there_is_no_part_of_the_pyramid_however_surely_it_is_read(tracker):
    """A square note with a 20, when a hand lay over all tiles (film 351006)."""
    note = tile("Y20", 0, 9)
    assert layout(tracker, picture(A, B, C, note), A, B, C, note) == "R40 B20/G60"
    assert layout(tracker, picture(note), note) == "-"
    new = tile("Y20", 0, 2)
    assert layout(tracker, picture(A, B, C, new), A, B, C, new) == "R40 B20 Y20/G60 -"


def test_a_bare_place_of_a_striped_table_is_none_though_the_camera_was_bumped(strays):
    """Where it lies is not known to the pixel then."""

    def seen(*tiles: TileReading, across: int = 0) -> np.ndarray:
        image = np.full((720, 1280, 3), 110, np.uint8)
        for x in range(-20, 1300, 40):
            cv2.line(image, (x + across, 0), (x + across, 720), (60, 200, 170), 12)
        for each in tiles:
            colour = (40, 140, 40) if each.unsure else (40, 40, 200)
            cv2.fillConvexPoly(image, np.array(each.quad_px, np.int32), colour)
        return image

    tracker = TableTracker(Look(strays))
    for lying in ((), (A, B, C)):
        tracker.amend(seen(*lying), reading(*lying), 0)
        tracker.accept()
    ghost = replace(A, code="G6", confidence=0.3, unsure=True)
    assert layout(tracker, seen(B, C, across=3), ghost, B, C) == "- B20/G60"
    assert layout(tracker, seen(ghost, B, C, across=3), ghost, B, C) == "G6 B20/G60"
    beside = tile("M200", 0, 2, confidence=0.999)
    assert layout(tracker, seen(A, B, C, across=3), A, B, C, beside) == "R40 B20/G60"
    assert layout(tracker, seen(A, B, C, beside, across=3), A, B, C, beside) == "R40 B20 M200/G60 -"
    instead = replace(C, code="M200", confidence=0.97)
    assert layout(tracker, seen(A, B, across=3), A, B, instead) == "R40 B20"
    strays.append(replace(stray(instead), tile=0.96))
    assert layout(tracker, seen(A, B, across=3), A, B, instead) == "R40 B20"


@pytest.mark.parametrize("light", [0.8, 1.0, 1.15])
def test_a_tile_that_was_passed_over_is_there_if_nothing_has_changed(tracker, light):
    assert layout(tracker, picture(A, B, C, light=light), B, C) == "R40 B20/G60"
    assert layout(tracker, picture(B, C, light=light), B, C) == "- B20/G60"
    assert layout(tracker, picture(light=light)) == "-"


def test_a_tile_in_doubt_stays_when_the_one_it_was_taken_for_is_placed(tracker):
    """It lies where it lay, and nothing has changed there: it was another one."""
    likely = Look([], (replace(stray(C), unsure=True),))
    tracker = TableTracker(likely)
    doubtful = replace(C, code="Y4", unsure=True, confidence=0.6, alternatives=(("B60", 0.2), ("G60", 0.1)))
    image = picture(A, B, C)
    tracker.amend(image, reading(A, B, doubtful), 0)
    tracker.accept()
    placed = tile("Y4", 0, 2)
    assert layout(tracker, picture(A, B, C, placed), A, B, placed) == "R40 B20 Y4/B60 -"
    certain = replace(doubtful, unsure=False, confidence=0.99, alternatives=())
    tracker.amend(image, reading(A, B, certain), 2)
    tracker.accept()
    assert layout(tracker, picture(A, B, C, placed), A, B, placed) == "R40 B20 Y4"


def test_a_tile_of_the_colour_of_the_table_has_gone_when_it_was_taken():
    """It is not there in another light."""

    def seen(*tiles: TileReading, light: float = 1.0) -> np.ndarray:
        image = np.full((720, 1280, 3), (80, 115, 88), np.uint8)
        for each in tiles:
            corners = np.array(each.quad_px, np.int32)
            cv2.fillConvexPoly(image, corners, (140, 200, 150))
            cv2.putText(
                image, each.code[1:], corners[3] + [4, -8], cv2.FONT_HERSHEY_SIMPLEX, 0.3, (5, 5, 5), 1
            )
        return (image * light).astype(np.uint8)

    tracker = TableTracker(Look([]))
    tracker.amend(seen(A, B), reading(A, B), 0)
    tracker.accept()
    assert layout(tracker, seen(A), A) == "R40"
    assert layout(tracker, seen(A, B, light=0.8), A) == "R40 B20"


def test_a_tile_in_doubt_is_what_it_was_if_nothing_has_changed(tracker):
    doubtful = replace(A, code="R10", unsure=True, confidence=0.5)
    assert layout(tracker, picture(A, B, C), doubtful, B, C) == "R40 B20/G60"
    other = replace(A, code="Y120", unsure=True, confidence=0.5)
    assert layout(tracker, picture(other, B, C), other, B, C) == "Y120 B20/G60"


def test_a_tile_that_is_surely_another_one_now_is_not_what_it_was(tracker):
    """Little of a pale tile changes when another one falls into its place."""
    doubtful = replace(A, code="R10", unsure=True, confidence=0.95)
    assert layout(tracker, picture(A, B, C), doubtful, B, C) == "R10 B20/G60"


def test_a_dark_spot_of_the_table_hides_nothing(tracker):
    place = tile("-", 1, 1).quad_px
    seen = tracker.amend(picture(A, B, C), reading(A, B, C, hidden=(place,)), 1)
    assert seen.hidden == ()
    arm = cv2.line(picture(A, B, C), (430, 720), (430, 340), (120, 150, 205), 60)
    assert tracker.amend(arm, reading(A, B, C, hidden=(place,)), 1).hidden == (place,)


def test_the_table_that_comes_to_light_again_hides_nothing():
    tracker = TableTracker(Look([]))
    for lying in ((), (A, B, C)):
        tracker.amend(picture(*lying), reading(*lying), 0)
        tracker.accept()
    assert tracker.amend(picture(B, C), reading(B, C, hidden=(A.quad_px,)), 1).hidden == ()
    arm = cv2.line(picture(B, C), (330, 720), (330, 440), (120, 150, 205), 60)
    assert tracker.amend(arm, reading(B, C, hidden=(A.quad_px,)), 1).hidden == (A.quad_px,)


@pytest.mark.parametrize("was_bare", [True, False])
@pytest.mark.parametrize("covered", [0.9, 0.1])
def test_where_a_tile_has_gone_the_table_must_come_to_light(was_bare, covered):
    """A hand in a sleeve of the table's colour is told from the bare table, if that was seen."""
    tracker = TableTracker(Look([], covered=covered))
    for lying in ((), (A, B, C)) if was_bare else ((A, B, C),):
        tracker.amend(picture(*lying), reading(*lying), 0)
        tracker.accept()
    hand = cv2.line(picture(B, C), (330, 470), (330, 440), (120, 150, 205), 60)
    seen = tracker.amend(hand, reading(B, C), 1)
    assert (seen.hidden, seen.lifted) == ((A.quad_px,) if was_bare or covered > 0.5 else (), ())
    if was_bare:
        seen = tracker.amend(picture(B, C), reading(B, C), 2)
        assert (seen.hidden, seen.lifted) == ((), ("R40",))


def test_a_hole_that_shows_nothing_but_the_table_hides_nothing():
    """It looks covered, and what the table looks like there was never seen."""

    def seen(*tiles: TileReading) -> np.ndarray:
        image = np.full((720, 1280, 3), (80, 115, 88), np.uint8)
        for each in tiles:
            cv2.fillConvexPoly(image, np.array(each.quad_px, np.int32), (150, 115, 88))
        return image

    row = [tile(code, 0, at) for at, code in enumerate(("R40", "B20", "G60", "Y4", "Y6", "R2", "R4", "R6"))]
    tracker = TableTracker(Look([], covered=0.9))
    for lying in (row, row[:2]):
        tracker.amend(seen(*lying), reading(*lying), 0)
        tracker.accept()
    assert tracker.amend(seen(row[1]), reading(row[1]), 1).hidden == ()
    hand = cv2.line(seen(row[1]), (330, 470), (330, 440), (120, 150, 205), 60)
    assert tracker.amend(hand, reading(row[1]), 1).hidden == (row[0].quad_px,)


def test_two_groups_of_tiles_far_from_each_other_tell_how_the_camera_was_bumped(strays):
    """The reader takes but one for the pyramid, and is not sure which."""
    view = np.array([[1.02, 0.01, 14], [-0.01, 1.02, -11], [0, 0, 1]])

    def seen(one: TileReading) -> TileReading:
        corners = map_points(view, np.array(one.quad_px))
        return replace(one, quad_px=tuple(tuple(map(float, corner)) for corner in corners), unsure=True)  # type: ignore[arg-type]

    far = [tile("Y60", 1, 9), tile("G6", 0, 10), tile("B4", 0, 9)]
    tracker = TableTracker(Look(strays))
    tracker.amend(picture(A, B, C, *far), reading(A, B, C, *far), 0)
    tracker.accept()
    strays += [stray(seen(far[0])), stray(seen(far[1]))]
    image = cv2.warpPerspective(picture(A, B, C, *far[:2]), view, (1280, 720))
    found = tracker.amend(image, reading(seen(A), seen(B), seen(C)), 1)
    assert str(found.layout) == "R40 B20 - - - - - - - - G6/G60 - - - - - - - - Y60"


def test_places_are_known_though_the_camera_was_bumped(tracker):
    """It is found again by the tile that lies where it lay; what hung from the others is not lost."""
    view = np.array([[1.02, 0.01, 12], [-0.01, 1.02, -9], [0, 0, 1]])

    def seen(one: TileReading) -> TileReading:
        corners = map_points(view, np.array(one.quad_px))
        return replace(one, quad_px=tuple(tuple(map(float, corner)) for corner in corners))  # type: ignore[arg-type]

    found = view_change((A, B, C), (seen(A), seen(B), seen(C)))
    assert found is not None
    assert np.allclose(found, view, atol=0.05 * SIDE)
    assert view_change((A, B, C), (A, B, C)) is None
    assert view_change((A, B), (tile("R40", 0, 1),)) is None  # the tile has moved, not the camera
    upper, fallen = (tile("Y4", 1, 1), tile("Y4", 0, 2)), (A, tile("B20", 1, 0), tile("B20", 0, 1))
    assert view_change((A, fallen[1], upper[0]), (A, fallen[2], upper[1])) is None  # two tiles have
    image = cv2.warpPerspective(picture(A, B, C), view, (1280, 720))
    assert layout(tracker, image, replace(seen(C), row=0), seen(A)) == "R40 B20/G60"
    bare = cv2.warpPerspective(picture(C), view, (1280, 720))
    assert layout(tracker, bare, replace(seen(C), row=0)) == "- -/G60"
