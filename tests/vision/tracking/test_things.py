"""Things of which people said that they are no tiles, and places that nothing hides, though they look so."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from tests.vision.tracking.test_change_detection import cloth
from tests.vision.tracking.test_table_tracker import A, B, C, Look, picture, reading, stray, tile
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import map_points
from vision.pyramid.lattice import LatticePlace
from vision.recognition.reading import TileReading
from vision.tracking import false_tiles
from vision.tracking.camera_motion import as_quad
from vision.tracking.change_detection import changed_share
from vision.tracking.false_tiles import ComparedTable, keep_unchanged, take_out_prints
from vision.tracking.table_tracker import TableTracker
from vision.tracking.things import DeniedThings, StillPlaces, hidden_places, seen_bare, seen_beside

VIEW = np.array([[1.0, 0.02, 20], [-0.02, 1.0, -15], [0, 0, 1]])


@pytest.fixture
def things() -> DeniedThings:
    """One, that lies where tile B is drawn."""
    things = DeniedThings()
    things.deny(picture(A, B), [B.quad_px])
    return things


def still_there(image: np.ndarray, *, view: np.ndarray | None = None) -> list[str]:
    """Which of the two can still be seen in a picture."""
    moved = np.eye(3) if view is None else view
    places = {each.code: as_quad(map_points(moved, np.array(each.quad_px))) for each in (A, B)}
    seen = cv2.warpPerspective(picture(A, B), moved, (1280, 720))
    return [code for code, quad in places.items() if changed_share(seen, quad, image, quad) < 0.3]


def test_the_table_around_it_is_painted_over_a_thing(things: DeniedThings) -> None:
    assert still_there(things.painted_over(picture(A, B), None)) == ["R40"]


def test_a_thing_stays_one_while_a_sleeve_lies_over_a_part_of_it(things: DeniedThings) -> None:
    """A note was the next tile as soon as an arm lay over its corner (film 363005)."""
    x, y = (round(each) for each in B.quad_px[1])
    sleeve = cv2.rectangle(picture(A, B), (x - 25, y - 10), (x + 20, y + 30), (60, 60, 60), -1)
    assert "B20" not in still_there(things.painted_over(sleeve, None))
    assert things.painted_over(picture(A), None).tobytes() == picture(A).tobytes()


def test_a_tile_that_hides_the_half_of_a_thing_is_not_painted_over(things: DeniedThings) -> None:
    """Two fifths of the thing's pattern are seen beside it."""
    corners = np.array(B.quad_px)
    (left, top), (right, bottom) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    tile = picture(A, B)
    tile[top:bottom, (left + right) // 2 : right] = (40, 60, 170)
    assert things.painted_over(tile, None) is tile


def test_where_something_else_lies_by_now_nothing_is_painted(things: DeniedThings) -> None:
    other = picture(A)
    assert things.painted_over(other, None) is other


def test_a_thing_stays_one_when_the_camera_was_bumped(things: DeniedThings) -> None:
    """A square note was taken for a tile again after the table was pushed (films 351006, 354001)."""
    now = cv2.warpPerspective(picture(A, B), VIEW, (1280, 720))
    assert still_there(now, view=VIEW) == ["R40", "B20"]
    assert still_there(things.painted_over(now, picture(A, B)), view=VIEW) == ["R40"]
    # So it is where no table was clear since (film 465848).
    assert still_there(things.painted_over(now, None), view=VIEW) == ["R40"]
    things.see_from(VIEW)
    assert still_there(things.painted_over(now, None), view=VIEW) == ["R40"]


def test_what_is_laid_on_a_large_thing_is_not_painted_over() -> None:
    """A square of the cloth had passed for a tile, and the pyramid that was built there was gone (407576)."""
    square = ((250.0, 300.0), (520.0, 300.0), (520.0, 570.0), (250.0, 570.0))
    rows, columns = np.mgrid[0:720, 0:1280] // 45
    cloth = np.where((rows + columns)[..., None] % 2, [60, 50, 45], [190, 220, 210]).astype(np.uint8)
    laid = cloth.copy()
    for each in (A, B):
        (left, top), _, (right, low), _ = np.array(each.quad_px, int)
        laid[top:low, left:right] = picture(A, B)[top:low, left:right]
    things = DeniedThings()
    things.deny(cloth, [square])
    assert still_there(things.painted_over(cloth, None)) == []
    painted = things.painted_over(laid, None)
    assert painted is not laid, "the cloth about them is"
    assert still_there(painted) == ["R40", "B20"]


def test_a_thing_that_was_denied_over_another_does_not_show_that_again(things: DeniedThings) -> None:
    """What was left of a page seemed to be one large tile; denied, it let the page come back (465900)."""
    large = ((300.0, 300.0), (460.0, 300.0), (460.0, 460.0), (300.0, 460.0))
    things.deny(things.painted_over(picture(A, B), None), [large])
    assert "B20" not in still_there(things.painted_over(picture(A, B), None))


def test_another_lamp_lays_nothing_over_a_thing(things: DeniedThings) -> None:
    """A rulebook's page came back when lamps were switched, for all of it looked changed (film 465864)."""
    lit = np.clip(picture(A, B) * 0.5 + 90, 0, 255).astype(np.uint8)
    painted = things.painted_over(lit, None)
    corners = np.array(B.quad_px, int)
    (left, top), (right, low) = corners.min(axis=0), corners.max(axis=0)
    inside = np.s_[top + 6 : low - 6, left + 6 : right - 6]
    changed = np.abs(painted[inside].astype(int) - lit[inside].astype(int)).max(axis=-1) > 8
    assert changed.mean() > 0.9


@pytest.mark.parametrize(("bare", "seen"), [(None, []), (picture(), ["R40"])])
def test_what_has_come_since_is_none_of_a_thing_that_lay_there_before(bare, seen) -> None:
    """A square of the cloth with the first tile on it was read as one large tile (films 407576, 408088)."""
    square = ((250.0, 300.0), (520.0, 300.0), (520.0, 570.0), (250.0, 570.0))
    things = DeniedThings()
    things.deny(picture(A), [square], bare)
    assert [code for code in still_there(things.painted_over(picture(A), None)) if code == "R40"] == seen
    note = DeniedThings()
    note.deny(picture(A), [A.quad_px], bare)
    assert "R40" not in still_there(note.painted_over(picture(A), None)), "it has come itself"


def test_a_tile_that_was_denied_with_the_cloth_about_it_is_not_painted_over_once_it_is_read() -> None:
    """The two had been read as one large tile; when those beside it were taken it was gone (film 412279)."""
    square = ((250.0, 300.0), (520.0, 300.0), (520.0, 570.0), (250.0, 570.0))
    tracker = TableTracker(Look([]))
    tracker.amend(picture(A), replace(reading(A), tiles=(replace(A, quad_px=square),)), 0)
    tracker.deny()
    assert still_there(tracker.without_things(picture(A))) == []
    tracker.accept()
    tracker.amend(picture(A, B), reading(A, B), 1)
    tracker.accept()
    painted = tracker.without_things(picture(A))
    assert "R40" in still_there(painted)
    assert (painted != picture(A)).any(), "the cloth about it is"


HIDDEN = tile("-", 0, 4).quad_px


def test_what_looks_as_it_did_when_tiles_lay_otherwise_hides_nothing() -> None:
    places = StillPlaces()
    assert places.look(picture(A), [HIDDEN], [A]) == set()
    assert places.look(picture(A), [HIDDEN], [A]) == set(), "an arm may lie still"
    assert places.look(picture(A, B), [HIDDEN], [A, B]) == {HIDDEN}


def test_a_hand_looks_otherwise_once_it_has_moved_a_tile() -> None:
    places, first, then = StillPlaces(), picture(A), picture(A, B)
    first[390:470, 530:600], then[390:470, 530:600] = (60, 80, 120), (130, 160, 210)
    assert places.look(first, [HIDDEN], [A]) == set()
    assert places.look(then, [HIDDEN], [A, B]) == set()


def test_the_last_picture_of_tiles_that_lay_there_before_counts_as_well_as_the_first() -> None:
    """A tile came to lie where the first one had lain, and the cloth there hid the game (film 388027)."""
    places, there = StillPlaces(), tile("R6", 0, 0)
    under_a_hand, bare = picture(A), picture()
    under_a_hand[390:470, 530:600], bare[390:470, 530:600] = (60, 80, 120), (130, 160, 210)
    for image, tiles in ((under_a_hand, [A]), (bare, []), (picture(there), [there])):
        assert places.look(image, [HIDDEN], tiles, [A, there]) == set()
    assert places.look(picture(there, B), [HIDDEN], [there, B]) == {HIDDEN}


def test_a_tile_that_was_read_as_another_lay_where_it_lies() -> None:
    """A telephone over a tile spoiled the next one's colour; once that was read, it hid nothing (407303)."""
    places, misread = StillPlaces(), replace(A, code="B40")
    assert places.look(_with_hand(misread), [HIDDEN], [misread], [A]) == set()
    assert places.look(_with_hand(A), [HIDDEN], [A], [A]) == set()


def _with_hand(*tiles: TileReading) -> ImageU8:
    image = picture(*tiles)
    image[390:470, 530:600] = (60, 80, 120)
    return image


def test_what_was_read_of_a_tile_under_a_thing_lay_there_whether_it_is_read_again_or_not() -> None:
    """A mug over a tile hid nothing any more when that was not read a second time (film 407930)."""
    places, under = StillPlaces(), replace(B, unsure=True)
    places.look(picture(A, B), [], [A, B])
    places.is_clear()
    assert places.look(_with_hand(A, B), [B.quad_px], [A, under], [A, B], [B.quad_px]) == set()
    assert places.look(_with_hand(A, B), [B.quad_px], [A], [A, B], [B.quad_px]) == set()


@pytest.mark.parametrize(("chance", "expected"), [(0.31, set()), (0.9, {HIDDEN})])
def test_a_corner_of_a_telephone_that_is_hardly_read_as_a_tile_moves_none(chance, expected) -> None:
    """The tile under the telephone was told as taken (film 434162)."""
    places, corner = StillPlaces(), replace(B, unsure=True, confidence=chance)
    assert places.look(_with_hand(A, B), [HIDDEN], [A], [A]) == set()
    assert places.look(_with_hand(A, B), [HIDDEN], [A, corner], [A]) == expected


@pytest.mark.parametrize(("laid_over", "expected"), [([HIDDEN], set()), ([], {HIDDEN})])
def test_a_hand_that_comes_again_hides_a_tile_that_was_seen_in_between(laid_over, expected) -> None:
    """A hand lay over three tiles where one had lain before, and they were told as taken (film 398032)."""
    places = StillPlaces()
    places.look(_with_hand(A), [HIDDEN], [A])
    places.look(picture(A, B), [], [A, B])
    places.is_clear()
    assert places.look(_with_hand(A, B), [HIDDEN], [A, B], (), laid_over) == expected


def test_what_was_laid_over_a_tile_hides_it_no_longer_once_others_were_moved() -> None:
    places = StillPlaces()
    places.look(picture(A), [], [A])
    places.is_clear()
    assert places.look(_with_hand(A), [HIDDEN], [A], (), [HIDDEN]) == set()
    assert places.look(_with_hand(A, B), [HIDDEN], [A, B], (), [HIDDEN]) == {HIDDEN}


def test_a_square_of_the_cloth_like_the_tile_that_lay_on_it_hides_nothing() -> None:
    """A blue 2 was taken from a blue square, and for three turns a thing seemed to lie there (398253)."""
    beside = Mock()
    beside.is_strange.return_value, beside.holds.return_value = False, True
    place = LatticePlace(0, 0)
    for is_bare, hidden in ((True, []), (False, [A.quad_px])):
        beside.is_bare.return_value = is_bare
        assert hidden_places(reading(), {}, {place: A}, {A.code: place}, [], beside) == hidden


@pytest.mark.parametrize(("is_alike", "is_open"), [(True, True), (True, False), (False, True)])
def test_a_bare_place_hides_nothing_though_its_pattern_is_seen_nowhere_else(is_alike, is_open) -> None:
    """Tiles had been taken that should stay, and nobody was told of it (films 423280 and 422245)."""
    beside, faces = Mock(), Mock()
    beside.is_open.return_value, beside.before.return_value = True, (picture(A), [])
    faces.show_nothing_over.return_value = [is_open]
    image = picture() if is_alike else _with_hand_at(A)
    expected = {A.quad_px} if is_alike and is_open else set()
    assert seen_bare(image, [A.quad_px], {}, beside, faces) == expected


def _with_hand_at(at: TileReading) -> ImageU8:
    image, (x, y) = picture(), np.array(at.quad_px, int)[0]
    image[y - 20 : y + 80, x - 20 : x + 80] = (60, 80, 120)
    return image


@pytest.mark.parametrize(("before", "is_thing", "expected"), [
    ((A,), True, {B.quad_px}), ((A,), False, set()), ((A, B), True, set()),
])  # fmt: skip
def test_a_thing_where_no_tile_lay_hides_nothing(before, is_thing, expected) -> None:
    """The back of a taken tile lay at the picture's edge, and passed for an arm (film 408151)."""
    beside, faces = Mock(), Mock()
    faces.show_things.return_value = [is_thing]
    lay = {LatticePlace(0, 2 * number): each for number, each in enumerate(before)}
    assert seen_beside(picture(A, B), [B.quad_px], lay, beside, faces) == expected
    assert seen_beside(picture(A, B), [B.quad_px], lay, beside, None) == set()


def on_cloth(*tiles: TileReading) -> ImageU8:
    """Tiles on a cloth with rings."""
    image, lying = cloth(), picture(*tiles)
    bare = (lying == picture()).all(axis=2)
    return np.where(bare[..., None], image, lying).astype(np.uint8)


def test_the_figures_of_a_cloth_in_a_hole_of_the_pyramid_are_no_tile() -> None:
    """They were surely read as a blowtorch (film 411598)."""
    tracker = TableTracker(Look([]))
    tracker.amend(on_cloth(A, B, C), reading(A, B, C), 0)
    tracker.accept()
    figures = replace(tile("B7", 0, 1), confidence=0.98)
    seen = tracker.amend(on_cloth(A, C), reading(A, figures, C), 1)
    assert [each.code for each in seen.tiles] == ["R40", "G60"]


def _irregular(*tiles: TileReading) -> ImageU8:
    """Tiles on a cloth whose figures come nowhere again in the same order."""
    image, rng = picture(), np.random.default_rng(4)
    for x, y in rng.integers(0, (1280, 720), (900, 2)).tolist():
        cv2.circle(image, (x, y), int(rng.integers(5, 9)), (60, 30, 90), 2)
    lying = picture(*tiles)
    bare = (lying == picture()).all(axis=2)
    return np.where(bare[..., None], image, lying).astype(np.uint8)


RIGHT = tile("G60", 0, 2)


@pytest.mark.parametrize(
    ("is_shown", "tiles", "expected"),
    [
        (False, (A, RIGHT), ["R40", "G60"]),
        (True, (A, RIGHT), ["R40", "B7", "G60"]),
        (False, (A, B, RIGHT), ["R40", "B7", "G60"]),
    ],
)
def test_what_has_all_of_the_cloth_is_no_tile_unless_it_surely_looks_like_one(
    is_shown, tiles, expected
) -> None:
    """The figures of a cloth were surely read as a tile where one had been taken (film 423452)."""
    beside, faces = Mock(), Mock()
    faces.show_tiles.return_value = [is_shown]
    before = {LatticePlace(0, 2 * each.slot): each for each in (A, B, RIGHT)}
    beside.before.side_effect = lambda quads: (_irregular(A, B, RIGHT), list(quads))
    compared = ComparedTable(_irregular(*tiles), before, beside, Look([]), faces)
    figures = replace(B, code="B7")
    found = {LatticePlace(0, 2 * each.slot): each for each in (A, figures, RIGHT)}
    take_out_prints(compared, found)
    assert [each.code for each in found.values()] == expected


@pytest.mark.parametrize(
    ("chance", "figures", "expected"),
    [
        (0.12, replace(B, code="R7", unsure=True), ["R40"]),
        (0.6, replace(B, code="R7", unsure=True), ["R40", "R7"]),
        (0.12, replace(B, code="R7"), ["R40", "R7"]),
        (0.12, replace(B, unsure=True), ["R40", "B20"]),
    ],
)
def test_what_is_in_doubt_and_hardly_shows_a_tile_where_another_lay_is_none(
    chance, figures, expected
) -> None:
    """It passed for the tile that a wrong step had taken, and the step for a right one (film 426048)."""
    beside, faces = Mock(), Mock()
    faces.show_tiles.side_effect = lambda _image, quads, least, _before: [chance >= least] * len(quads)
    before = {LatticePlace(0, 2 * each.slot): each for each in (A, B)}
    beside.before.side_effect = lambda quads: (picture(A, B), list(quads))
    found = {LatticePlace(0, 2 * each.slot): each for each in (A, figures)}
    take_out_prints(ComparedTable(picture(A, figures), before, beside, Look([]), faces), found)
    assert [each.code for each in found.values()] == expected


@pytest.mark.parametrize(
    ("figure", "is_unchanged", "expected", "prints"),
    [
        (LatticePlace(0, 2), True, ["R40"], {LatticePlace(0, 2)}),
        (LatticePlace(0, 2), False, ["R40", "B20"], set()),
        (LatticePlace(0, -2), True, ["R40", "B20"], {LatticePlace(0, -2)}),
    ],
)
def test_what_was_a_figure_of_the_cloth_is_one_while_it_has_not_changed(
    figure, is_unchanged, expected, prints
) -> None:
    """On the fourth table less of it was seen elsewhere, and it was told as placed (film 411598)."""
    beside = Mock()
    beside.is_unchanged.return_value = is_unchanged
    beside.before.side_effect = lambda quads: (picture(A), list(quads))
    found = {LatticePlace(0, 2 * each.slot): each for each in (A, B)}
    before = {LatticePlace(0, 0): A}
    compared = ComparedTable(picture(A, B), before, beside, Look([]), None, [figure])
    assert take_out_prints(compared, found) == prints
    assert [each.code for each in found.values()] == expected


@pytest.mark.parametrize(
    ("last", "seen"), [(picture(A, B), ["R40"]), (picture(A, replace(B, code="B7")), ["R40", "B20"])]
)
def test_the_tracker_knows_the_figures_of_the_last_clear_table(monkeypatch, last, seen) -> None:
    tracker = TableTracker(Look([stray(B)]))
    tracker.amend(picture(A), reading(A), 0)
    tracker.accept()
    for image, is_figure, expected in ((picture(A, B), True, ["R40"]), (last, False, seen)):
        monkeypatch.setattr(false_tiles, "is_print", lambda *_, is_it=is_figure: is_it)
        assert [each.code for each in tracker.amend(image, reading(A, B), 1).tiles] == expected
        tracker.accept()


@pytest.mark.parametrize(
    ("chance", "is_faint", "read", "expected"),
    [
        (0.02, True, (), []),
        (0.9, True, (), ["R40"]),
        (0.02, False, (), ["R40"]),
        (0.02, True, (replace(A, unsure=True),), ["R40"]),
    ],
)
def test_a_tile_on_a_square_of_its_colour_lies_there_no_longer(chance, is_faint, read, expected) -> None:
    """What showed where it had been taken hardly looked otherwise: that was a wrong step (film 432619)."""
    beside, faces = Mock(), Mock()
    beside.is_unchanged.return_value, beside.is_faintly_changed.return_value = True, is_faint
    beside.before.side_effect = lambda quads: (picture(A), list(quads))
    faces.show_tiles.side_effect = lambda _image, quads, least, _before: [chance >= least] * len(quads)
    at = LatticePlace(0, 0)
    found = {at: read[0]} if read else {}
    keep_unchanged(ComparedTable(picture(*read), {at: A}, beside, Look([]), faces), found)
    assert [each.code for each in found.values()] == expected


def test_the_figures_of_a_cloth_under_a_first_tile_hide_nothing() -> None:
    """They passed for a hand for the rest of the game (films 414181 and 414182)."""
    beside, faces = Mock(), Mock()
    beside.is_open.return_value = True
    quads = [np.array(each.quad_px, np.float32) for each in (A, B)]
    beside.before.return_value = on_cloth(A, B), quads
    lay = {LatticePlace(0, 0): A, LatticePlace(0, 2): B}
    assert seen_bare(on_cloth(B), [A.quad_px, B.quad_px], lay, beside, faces) == {A.quad_px}


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("hidden", [(), (B.quad_px,)])
def test_a_tile_was_lifted_where_the_table_shows_though_nobody_had_seen_it_bare(is_open, hidden) -> None:
    """Left-over tiles had been taken, and lay there again a second later (films 443057 and 425147).

    One that was misread has the name that the game knows (film 430304: it had burned, and lay there still).
    """
    faces = Mock()
    faces.name_of.side_effect = lambda _place, read: "B100" if read == "B20" else read
    faces.missing.return_value = {}
    faces.show_nothing_over.side_effect = lambda _image, quads, _before: [is_open] * len(quads)
    faces.show_things.side_effect = lambda _image, quads, _before: [False] * len(quads)
    faces.show_tiles.side_effect = lambda _image, quads, *_others: [True] * len(quads)
    tracker = TableTracker(Look([]), faces)
    tracker.amend(picture(A, B, C), reading(A, B, C), 0)
    tracker.accept()
    image = picture(C)
    if hidden:
        cv2.line(image, (390, 720), (390, 440), (120, 150, 205), 60)
    seen = tracker.amend(image, reading(C, hidden=hidden), 1, ["R40", "B20", "G60"])
    assert seen.hidden == hidden
    assert seen.lifted == (*["R40"] * is_open, *["B100"] * (is_open and not hidden))


def test_what_lay_unread_apart_from_the_pyramid_is_none_of_it() -> None:
    """Two notes were read as tiles of it once its third row lay there (film 465994)."""
    notes = tile("G10", 4, 1), tile("B7", 4, 2)
    seen = [replace(stray(each), confidence=1.0, tile=1.0) for each in notes]
    tracker = TableTracker(Look([], tuple(seen)))
    tracker.amend(picture(A, B, *notes), reading(A, B), 0)
    tracker.accept()
    amended = tracker.amend(picture(A, B, C, *notes), reading(A, B, C, *notes), 1, ["R40", "B20"])
    assert str(amended.layout) == "R40 B20/G60"
