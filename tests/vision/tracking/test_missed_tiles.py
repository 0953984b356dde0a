"""What the reader did not see, and the pictures and the lattice tell."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from tests.vision.tracking.test_table_tracker import A, B, C, Look, layout, picture, reading, stray, tile
from vision.imaging.geometry import map_points
from vision.pyramid.lattice import LatticePlace
from vision.recognition.reading import DetectedTile, TileReading
from vision.tracking.camera_motion import as_quad
from vision.tracking.change_detection import still_holds
from vision.tracking.comparison import Comparison
from vision.tracking.table_tracker import TableTracker

NEW = tile("R120", 0, 2)
ALIKE = replace(stray(NEW), code="R40", unsure=True, confidence=0.9, alternatives=(("R120", 0.02),))
"""It is rather read as one that lies beside it (film 420121)."""


class Shows(Mock):
    """Stands for a place head that sees a tile wherever it looks, and knows none."""

    def show_tiles(
        self, _image: np.ndarray, quads: list[np.ndarray], _least: float, _before: object = None
    ) -> list[bool]:
        return [True for _ in quads]

    def missing(self, _seen: object) -> dict[str, LatticePlace]:
        return {}


def followed(*passed_over: DetectedTile) -> TableTracker:
    """Return a tracker that knows a table with three tiles, of which one was there from the first."""
    tracker = TableTracker(Look([], passed_over))
    for lying in ((A,), (A, B, C)):
        tracker.amend(picture(*lying), reading(*lying), 0)
        tracker.accept()
    return tracker


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (stray(NEW), "R40 B20 R120/G60 -"),
        (replace(stray(NEW), unsure=True, confidence=0.7), "R40 B20 R120/G60 -"),
        (replace(stray(NEW), unsure=True, confidence=0.3), "R40 B20/G60"),
        (replace(stray(NEW), unsure=True, confidence=0.7, tile=0.95), "R40 B20/G60"),
        (replace(stray(NEW), tile=0.5), "R40 B20/G60"),
        (replace(stray(NEW), code="R40"), "R40 B20/G60"),
        (ALIKE, "R40 B20 R120/G60 -"),
        (replace(ALIKE, tile=0.95), "R40 B20/G60"),
    ],
)
def test_a_tile_that_was_passed_over_is_seen_where_the_table_has_changed(seen, expected):
    """On a table with a pattern the reader may find nothing at all; a glass is no tile in particular."""
    assert layout(followed(seen), picture(A, B, C, NEW)) == expected


@pytest.mark.parametrize(("levels", "expected"), [(25, "R40 B20 R120/G60 -"), (8, "R40 B20/G60")])
def test_a_tile_of_the_colour_of_the_cloth_is_seen_though_it_hardly_changes_the_table(levels, expected):
    """It was not seen where it was placed (film 423363: 1 call of 20 right)."""
    image = picture(A, B, C)
    (left, top), (right, bottom) = (np.array(NEW.quad_px[corner], int) for corner in (0, 2))
    face = image[top:bottom, left:right]
    face[:20] = cv2.add(face[:20], (levels, levels, levels, 0))
    face[40:] = cv2.subtract(face[40:], (levels, levels, levels, 0))
    assert layout(followed(stray(NEW)), image) == expected


@pytest.mark.parametrize(
    ("code", "confidence", "certain", "expected"),
    [
        ("G60", 0.7, 0.95, "R40 G60"),
        ("G60", 0.3, 0.95, "R40"),
        ("Y60", 0.7, 0.99, "R40 Y60"),
        ("Y60", 0.7, 0.95, "R40"),
        ("G60", 0.97, 0.8, "R40 G60"),
        ("Y60", 0.97, 0.8, "R40"),
    ],
)
def test_a_tile_that_has_fallen_and_cannot_be_told_surely_has_not_gone(code, confidence, certain, expected):
    """Else a step would be called wrong that was done rightly (films 347010 and 347016)."""
    fell = tile(code, 0, 1)
    seen = replace(stray(fell), unsure=True, confidence=confidence, tile=certain)
    assert layout(followed(seen), picture(A, fell), A) == expected


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (stray(B), "R40 B20/G60"),
        (replace(stray(B), unsure=True, confidence=0.7), "R40 B20/G60"),
        (replace(stray(B), tile=0.3), "R40 -/G60"),
        (replace(stray(B), unsure=True, confidence=0.3), "R40 -/G60"),
    ],
)
def test_what_a_new_tile_lies_upon_is_looked_for_though_it_passed_for_table(seen, expected):
    """A lamp shone on a tile when the table was first seen: it was bare table ever since (film 407577)."""
    tracker = TableTracker(Look([], (seen,)))
    for _ in range(2):
        found = tracker.amend(picture(A, B), reading(A), 0).tiles
        tracker.accept()
    assert [each.code for each in found] == ["R40"], "nothing lies upon the other one yet"
    assert layout(tracker, picture(A, B, C), A, C) == expected


def test_beside_the_first_tile_one_is_seen_that_had_come_unseen_to_the_bare_table():
    """It had the colour of the cloth: the next one was told as the first (film 445146)."""
    doubtful = replace(A, unsure=True, confidence=0.6)

    def codes(*lying: TileReading) -> list[str]:
        tracker = TableTracker(Look([], (stray(B),)))
        tracker.amend(picture(), reading(), 0)
        tracker.accept()
        tracker._faces = Shows()  # type: ignore[assignment]
        return [each.code for each in tracker.amend(picture(*lying), reading(doubtful), 1).tiles]

    assert (codes(A, B), codes(A)) == (["R40", "B20"], ["R40"])


def test_the_one_new_thing_on_a_bare_table_is_the_first_tile():
    """What lay there before looks like a tile, too, and which tile it is nobody can tell."""
    thing = tile("Y100", 0, 6)

    def codes(*lying, certain: float = 0.995, shows: bool = False) -> list[str]:
        seen = [replace(stray(each), unsure=True, confidence=0.4, tile=certain) for each in lying]
        tracker = TableTracker(Look([]), Shows() if shows else None)  # type: ignore[arg-type]
        tracker.amend(picture(thing), reading(), 0)
        tracker.accept()
        tracker._look = Look(seen)
        found = replace(reading(), elsewhere=tuple(each.quad_px for each in lying))
        tiles = tracker.amend(picture(*lying), found, 1).tiles
        return [each.code for each in tiles if each.unsure or each.confidence > 0.9]

    assert (codes(thing), codes(thing, A), codes(thing, A, NEW)) == ([], ["R40"], [])
    assert codes(thing, A, certain=0.98) == []
    assert codes(thing, A, certain=0.6, shows=True) == ["R40"], "a place head sees it (film 377003)"
    assert codes(thing, certain=0.6, shows=True) == []


def test_what_lay_there_from_the_first_is_no_first_tile_though_it_is_surely_read_now():
    """A note with a 7 on it looked a little otherwise, and was told as placed (film 423012)."""
    note = tile("B7", 0, 6)
    tracker = TableTracker(Look([stray(note)]))
    (left, top), (right, bottom) = (np.array(note.quad_px[corner], int) for corner in (0, 2))
    for levels in (0, 25):
        image = picture(note)
        face = image[top:bottom, left:right]
        face[:20] = cv2.add(face[:20], (levels, levels, levels, 0))
        face[40:] = cv2.subtract(face[40:], (levels, levels, levels, 0))
        seen = tracker.amend(image, replace(reading(), elsewhere=(note.quad_px,)), 0)
        assert not seen.tiles
        tracker.accept()


def test_the_table_that_has_come_to_light_is_no_tile_though_it_is_surely_read():
    """A figure of the cloth was a red 7 where the blue 100 had lain (film 423452)."""
    tracker = TableTracker(Look([]))
    for lying in ((), (A, B, C)):
        tracker.amend(picture(*lying), reading(*lying), 0)
        tracker.accept()
    tracker._look = Look([replace(stray(C), code="R7")])
    assert layout(tracker, picture(A, B), A, B) == "R40 B20"


def test_nothing_is_looked_for_where_the_table_is_as_it_was():
    assert layout(followed(stray(NEW)), picture(A, B, C)) == "R40 B20/G60"


def test_what_looks_as_it_did_when_tiles_lay_otherwise_hides_nothing():
    """A square of the cloth under a tile that lay there from the first looks covered."""
    tracker = followed()

    def hidden(*tiles, arm: int) -> int:
        image = cv2.line(picture(*tiles), (arm, 720), (arm, 440), (30, 30, 35), 40)
        return len(tracker.amend(image, reading(*tiles, hidden=(A.quad_px,)), 1).hidden)

    assert [hidden(B, C, arm=320), hidden(B, C, arm=320), hidden(B, C, NEW, arm=320)] == [1, 1, 0]
    assert hidden(B, C, NEW, arm=340) == 1


def test_a_thing_that_was_read_once_does_not_tell_that_tiles_lay_otherwise():
    """A telephone over a tile was a millstone beside it for one look; then the tile was gone (355013)."""
    tracker = followed()
    for tiles in ((B, C, tile("M200", 0, 2)), (B, C)):
        image = cv2.line(picture(*tiles), (320, 720), (320, 440), (30, 30, 35), 40)
        assert len(tracker.amend(image, reading(*tiles, hidden=(A.quad_px,)), 1).hidden) == 1


def test_a_tile_that_is_seen_in_part_lies_there_still():
    """A telephone lay over its corner, and on a printed cloth it counted as taken (film 360006)."""
    tracker = TableTracker(Look([]))
    tracker.amend(picture(A, B, C), reading(A, B, C), 0)
    tracker.accept()
    corner = (np.array(C.quad_px[0]) - 30).astype(int)
    phone = cv2.rectangle(picture(A, B, C), tuple(corner), tuple(corner + 60), (25, 25, 25), -1)
    assert tracker.amend(phone, reading(A, B), 1).hidden == (C.quad_px,)
    assert tracker.amend(picture(A, B), reading(A, B), 2).hidden == ()


def test_where_something_unknown_lay_a_tile_may_have_lain():
    """A blue tile on a blue cloth was nothing at first, and table from then on (film 360022)."""
    tracker = followed()
    lying = picture(A, B, C, NEW)
    tracker.amend(lying, reading(A, B, C, hidden=(NEW.quad_px,)), 1)
    tracker.accept()
    doubtful = replace(NEW, unsure=True, confidence=0.9)
    (found,) = [tile for tile in tracker.amend(lying, reading(A, B, C, doubtful), 2).tiles if tile.unsure]
    assert found.code == NEW.code
    from_the_first = TableTracker(Look([]))
    from_the_first.amend(lying, reading(A, B, C), 1)
    from_the_first.accept()
    assert len(from_the_first.amend(lying, reading(A, B, C, doubtful), 2).tiles) == 3


def test_a_tile_that_was_passed_over_beside_the_pyramid_may_have_lain_there():
    """A yellow 4 was not seen on the table on which it came, and was table from then on (film 390038)."""
    tracker = followed()
    lying = picture(A, B, C, NEW)
    tracker.amend(lying, reading(A, B, C), 1)
    tracker.accept()
    doubtful = replace(NEW, unsure=True, confidence=0.9)
    assert len(tracker.amend(lying, reading(A, B, C, doubtful), 2).tiles) == 4


PLACE = ((40.0, 40.0), (140.0, 40.0), (140.0, 140.0), (40.0, 140.0))


def test_a_tile_on_the_plain_part_of_a_cloth_is_not_what_lay_there_though_a_stripe_stayed():
    """It was taken for the tartan that had lain there (film 392270)."""
    noise = np.random.default_rng(3).normal(0, 1, (200, 200, 1))
    cloth = np.full((200, 200, 3), 90.0)
    cloth[:, 50:55], cloth[:, 65:70] = 200, 30
    face = cloth.copy()
    face[42:138, 90:138] = np.array([150, 60, 60]) + 45 * noise[42:138, 90:138]
    before, now, dark = (np.clip(each, 0, 255).astype(np.uint8) for each in (cloth, face, 0.6 * cloth))
    assert Comparison(dark, before, None, None).lay_there(PLACE)
    laid = Comparison(now, before, None, None)
    assert still_holds(before, PLACE, now, PLACE, least=0.6)
    assert not laid.lay_there(PLACE)


def test_what_is_unknown_on_table_after_table_is_remembered_once():
    image = np.random.default_rng(4).integers(0, 255, (200, 200, 3), np.uint8)
    nearly = tuple((x + 2, y) for x, y in PLACE)
    seen = Comparison(image, image, None, None, [PLACE, nearly])
    assert len(seen.unknown((), ())) == len(seen.unknown((), [PLACE])) == 1
    assert seen.unknown([replace(A, quad_px=PLACE)], ()) == []


def test_a_tile_that_fell_apart_from_the_others_is_no_spot_though_it_was_read_as_another_before():
    """People had named the red 4, and the last table still had it as a red 20 (film 404089)."""
    named = tile("R4", 0, 3, unsure=True, confidence=0.6)

    class Knows(Shows):
        def show_tiles(self, _image, quads, _least, _before=None):
            return [False for _ in quads]

        def missing(self, _seen: object) -> dict[str, LatticePlace]:
            return {"R4": LatticePlace(1, 5)}

    look = Look([], (replace(stray(named), unsure=True, confidence=0.6),))
    tracker = TableTracker(look, Knows())
    over, held = tile("R20", 1, 2, unsure=True), tile("B10", 0, 2)
    for lying in ((A,), (A, B, held, C, over)):
        tracker.amend(picture(*lying), reading(*lying), 0)
        tracker.accept()
    assert "R4" in layout(tracker, picture(A, named), A).replace("R40", "")


def test_a_tile_that_was_passed_over_far_from_the_others_is_seen_once_they_lie_beside_it():
    """It lay there unseen on the table before, but not on the first one (film 407029)."""
    tracker = TableTracker(Look([], (stray(NEW),)))
    for lying in ((A,), (A, NEW)):
        tracker.amend(picture(*lying), reading(A), 0)
        tracker.accept()
    assert layout(tracker, picture(A, B, C, NEW), A, B, C) == "R40 B20 R120/G60 -"


def test_the_table_is_bare_once_people_say_that_what_lay_there_was_none():
    """The first tile was not seen, and was table from then on (film 407029)."""
    note = tile("G1", 0, 9)
    tracker = TableTracker(Look([], (stray(A),)))
    tracker.amend(picture(note), reading(note), 0)
    bare = tracker.deny()
    assert bare is not None
    assert not (bare == picture(note)).all()
    tracker.accept()
    tracker.amend(tracker.without_things(picture(note, A)), reading(), 1)
    tracker.accept()
    assert layout(tracker, tracker.without_things(picture(note, A, B)), B) == "R40 B20"
    assert TableTracker(Look([])).deny() is None


def test_a_tile_is_put_back_on_its_place_though_the_camera_was_bumped_over_the_empty_table():
    """It lay in the second row again, and was taken for fallen (film 412275)."""
    tracker = followed()
    tracker.amend(picture(), reading(), 1)
    tracker.accept()
    view = np.array([[1.0, 0, 38], [0, 1.0, 24], [0, 0, 1]])
    tracker.amend(cv2.warpPerspective(picture(), view, (1280, 720)), reading(), 2)
    tracker.accept()
    corners = map_points(view, np.array(C.quad_px))
    back = replace(C, row=0, quad_px=tuple((float(x), float(y)) for x, y in corners))
    image = cv2.warpPerspective(picture(C), view, (1280, 720))
    assert layout(tracker, image, back, time_s=3) == "- -/G60"


class SeesWhere(Look):
    """Reads the same tile wherever it is asked, and finds none by itself."""

    def name(self, _image: np.ndarray, quads: list[np.ndarray]) -> list[DetectedTile]:
        return [replace(stray(A), quad_px=as_quad(quad)) for quad in quads]


@pytest.mark.parametrize(
    ("corners", "is_found"),
    [
        (((600, 300), (660, 360)), True),
        (((600, 300), (635, 360)), True),  # half of it has the colour of what it lies on
        (((600, 300), (620, 360)), False),
        (((600, 300), (760, 460)), False),
        (((600, 300), (615, 315)), False),
        (((600, 0), (660, 60)), False),
    ],
)
def test_a_square_that_has_come_to_a_bare_table_is_the_first_tile(corners, is_found):
    """The finder took the square of the cloth on which it lay for a tile (films 425018, 425033, 425189)."""
    tracker = TableTracker(SeesWhere([]))
    assert layout(tracker, picture()) == "-"
    tracker.accept()
    table = cv2.rectangle(picture(), *corners, (20, 30, 200), -1)
    seen = tracker.amend(table, reading(), 1, begins_bare=True)
    assert [each.code for each in seen.tiles] == (["R40"] if is_found else [])
    assert [each.unsure for each in seen.tiles] == ([corners[1][0] == 635] if is_found else [])
    tracker.accept()
    assert layout(tracker, table) == ("R40" if is_found else "-"), "nor later"


@pytest.mark.parametrize(
    ("upright", "upside_down", "is_asked"), [(0.97, 0.95, True), (0.97, 0.8, False), (0.996, 0.99, False)]
)
def test_a_first_tile_that_reads_as_another_one_upside_down_is_in_doubt(upright, upside_down, is_asked):
    """Nothing lies beside it that tells which way is up: a 2 on its head was told as a 60 (film 437010)."""

    class ReadsBothWays(SeesWhere):
        def name(self, image: np.ndarray, quads: list[np.ndarray]) -> list[DetectedTile]:
            seen = [replace(each, confidence=upright) for each in super().name(image, quads)]
            if len(seen) == 4:
                seen[2] = replace(seen[2], code="R7", confidence=upside_down)
            return seen

    tracker = TableTracker(ReadsBothWays([]))
    tracker.amend(picture(), reading(), 0)
    tracker.accept()
    table = cv2.rectangle(picture(), (600, 300), (660, 360), (20, 30, 200), -1)
    (tile,) = tracker.amend(table, reading(), 1, begins_bare=True).tiles
    assert (tile.code, tile.unsure, [code for code, _ in tile.alternatives]) == (
        "R40", is_asked, ["R7"] if is_asked else [],
    )  # fmt: skip


def test_of_two_squares_that_have_come_to_a_bare_table_none_is_the_first_tile():
    tracker = TableTracker(SeesWhere([]))
    tracker.amend(picture(), reading(), 0)
    tracker.accept()
    table = cv2.rectangle(picture(), (600, 300), (660, 360), (20, 30, 200), -1)
    assert layout(tracker, cv2.rectangle(table, (900, 300), (960, 360), (20, 30, 200), -1)) == "-"


@pytest.mark.parametrize("is_sure", [True, False])
def test_the_square_that_has_come_is_the_first_tile_rather_than_a_thing_in_doubt(is_sure):
    """The square of the cloth below it was one large tile in doubt, and denied (film 407576)."""

    class Doubts(SeesWhere):
        def name(self, image: np.ndarray, quads: list[np.ndarray]) -> list[DetectedTile]:
            return [replace(each, unsure=not is_sure) for each in super().name(image, quads)]

    tracker = TableTracker(Doubts([]))
    tracker.amend(picture(), reading(), 0)
    tracker.accept()
    quad = ((540.0, 240.0), (660.0, 240.0), (660.0, 360.0), (540.0, 360.0))
    large = replace(tile("R6", 0, 0, unsure=True, confidence=0.6), quad_px=quad)
    table = cv2.rectangle(picture(), (600, 300), (660, 360), (20, 30, 200), -1)
    seen = tracker.amend(table, reading(large), 1)
    assert [each.code for each in seen.tiles] == (["R40"] if is_sure else ["R6"])


@pytest.mark.parametrize(("left", "is_found"), [(600, True), (840, False)])
def test_a_square_that_has_come_beside_a_denied_thing_is_the_first_tile(left, is_found):
    """Nor is the thing one that has moved (film 390081)."""
    tracker = TableTracker(SeesWhere([]))
    note = tile("G1", 0, 9)
    tracker.amend(picture(note), reading(note), 0)
    tracker.deny()
    tracker.accept()
    table = cv2.rectangle(picture(note), (left, 400), (left + 60, 460), (20, 30, 200), -1)
    seen = tracker.amend(tracker.without_things(table), reading(), 1)
    assert bool(seen.tiles) is is_found


def test_what_lay_aside_is_no_first_tile_once_the_pyramid_is_gone() -> None:
    """All had burned, and a tile that had been taken, face up, was told as a wrong step (film 470400)."""
    taken, first = tile("Y4", 0, 5), tile("G10", 3, 1)
    strays: list[DetectedTile] = []
    tracker, lying = TableTracker(Look(strays)), ["R40", "B20", "G60"]
    tracker.amend(picture(A, B, C), reading(A, B, C), 0, lying)
    tracker.accept()
    for time_s, lie in ((1, (A, B, C)), (2, ())):
        seen = tracker.amend(picture(*lie, taken), reading(*lie, taken), time_s, lying)
        assert [each.code for each in seen.tiles] == [each.code for each in lie]
        tracker.accept()
    assert not tracker.amend(picture(taken), reading(taken), 3, []).tiles
    tracker.accept()
    strays += [stray(taken), stray(first)]
    seen = replace(reading(taken), elsewhere=(first.quad_px,))
    assert str(tracker.amend(picture(taken, first), seen, 4, []).layout) == "G10"
    below = tile("Y10", 0, 5)  # it lay on that one (film 470610)
    assert not tracker.amend(picture(below), reading(below), 5, []).tiles


def test_what_fell_is_found_though_more_lies_aside_than_is_left() -> None:
    """Its place was told by those that had been taken from below it (film 470606)."""
    tracker, fell = TableTracker(Look([])), replace(C, quad_px=A.quad_px)
    tracker.amend(picture(A, B, C), reading(A, B, C), 0)
    tracker.accept()
    aside = [tile("R40", -3, 5), tile("B20", -3, 7)]
    seen = [replace(aside[0], row=0, slot=0), replace(aside[1], row=0, slot=2), replace(fell, row=3, slot=1)]
    drawn = picture(*aside, fell)
    assert str(tracker.amend(drawn, reading(*seen), 1, ["R40", "B20", "G60"]).layout) == "G60"


def test_a_tile_that_was_taken_is_not_put_back_where_it_lies_apart() -> None:
    """A tile had lain in that place before; after a fire that was told as a wrong step (film 470444)."""
    gap, far, taken = tile("Y10", 0, 2), tile("Y4", 0, 3), tile("G60", 0, 3)
    for strays in ([stray(taken)], []):
        tracker = TableTracker(Look(strays, (stray(taken),)))
        for lying in ((A, B, C, gap, far), (A, B, C, far), (A, B, C)):
            tracker.amend(picture(*lying), reading(*lying), 0)
            tracker.accept()
        seen = replace(reading(A, B), elsewhere=(taken.quad_px,))
        assert str(tracker.amend(picture(A, B, taken), seen, 1).layout) == "R40 B20"
