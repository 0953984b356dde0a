"""What lies over the pyramid, told from tiles that come and go."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.rules.layout import EMPTY
from vision.recognition.reading import Reading, TileReading
from vision.tracking.initial_table import HAND_S
from vision.tracking.occlusion import PATIENCE_S, OcclusionCheck, _shows_most

SIDE = 60


def tile(code: str, slot: int, x: float = 400, *, unsure: bool = False) -> TileReading:
    left = x + SIDE * slot
    quad = ((left, 300.0), (left + SIDE, 300.0), (left + SIDE, 300.0 + SIDE), (left, 300.0 + SIDE))
    return TileReading(code, 0, slot, quad, 0.99, unsure=unsure)


def picture(*tiles: TileReading, arm: int | None = None, light: float = 1.0) -> np.ndarray:
    """A grey table with red tiles, and an arm that reaches in from below at some column."""
    image = np.full((720, 1280, 3), 110, np.uint8)
    for each in tiles:
        cv2.fillConvexPoly(image, np.array(each.quad_px, np.int32), (40, 40, 200))
    if arm is not None:
        cv2.line(image, (arm, 720), (arm, 320), (120, 150, 205), 110)
    return np.clip(image * light, 0, 255).astype(np.uint8)


def reading(*tiles: TileReading) -> Reading:
    return Reading(tiles, EMPTY)


A, B, C, D = tile("R40", 0), tile("B20", 1), tile("G60", 2), tile("Y2", 3)


@pytest.fixture
def check() -> OcclusionCheck:
    """One that has seen the tiles A and B."""
    check = OcclusionCheck()
    assert not check.is_over(picture(A, B), reading(A, B), 0)
    return check


def test_an_arm_hides_a_tile(check):
    assert check.is_over(picture(A, B, arm=490), reading(A), 1)
    assert not check.is_over(picture(A, B), reading(A, B), 2)


@pytest.mark.parametrize("light", [0.8, 1.0, 1.2])
def test_a_tile_that_was_taken_is_gone(check, light):
    assert not check.is_over(picture(A, light=light), reading(A), 1)
    assert check.is_over(picture(A, arm=430), reading(), 2)  # and the table without it is the one known


def test_an_arm_beside_the_pyramid_is_none_over_it(check):
    assert not check.is_over(picture(A, B, arm=1000), reading(A, B), 1)
    assert not check.is_over(picture(A), reading(A), 2)  # the arm has gone, and a tile with it


@pytest.mark.parametrize(("arm", "is_over"), [(640, True), (1000, False), (None, False)])
def test_a_hand_beside_a_tile_that_has_come_may_lay_another(check, arm, is_over):
    """The first of two tiles of one turn was told as placed (films 412139, 412214 and 420250)."""
    lying = reading(A, B, C)
    assert check.is_over(picture(A, B, C, arm=arm), lying, 1) is is_over
    assert not check.is_over(picture(A, B, C, arm=arm), lying, 1.1 + HAND_S)  # it rests there
    assert not check.is_over(picture(A, B, C), lying, 3)


@pytest.mark.parametrize(
    ("side", "new", "is_over"),
    [(130, C, True), (60, C, False), (130, B, False)],
    ids=["hand", "tile", "none new"],
)
def test_what_is_as_large_as_a_hand_and_hides_a_place_beside_a_new_tile_may_be_one(check, side, new, is_over):
    """Its sleeve was hardly seen, and the second tile of the turn lay under it (film 426298)."""
    hand = picture(A, B, new)
    cv2.rectangle(hand, (600, 300), (600 + side, 300 + side), (120, 150, 205), -1)
    lying = hiding(A, B, new, place=tile("-", 3, 420))
    assert check.is_over(hand, lying, 1) is is_over
    assert not check.is_over(hand, lying, 1.1 + HAND_S), "it rests there"


def test_where_none_of_two_tiles_is_read_a_hand_may_lie_over_both(check):
    """Its sleeve had the colours of the cloth, and no arm was seen (film 391108)."""
    cuff = tile("Y20", 0, unsure=True)
    assert check.is_over(picture(), reading(cuff), 1)
    assert check.is_over(picture(), reading(cuff), 1 + HAND_S / 2)
    assert not check.is_over(picture(), reading(cuff), 1.1 + HAND_S)  # both were taken
    assert not check.is_over(picture(), reading(), 3)


def test_where_most_tiles_are_not_read_a_hand_may_lie_over_them():
    """Of a sleeve only a cloth's light squares were seen, and two tiles seemed to have gone (film 437080)."""
    check = OcclusionCheck()
    assert not check.is_over(picture(A, B, C), reading(A, B, C), 0)
    assert check.is_over(picture(C), reading(C), 1)
    assert not check.is_over(picture(C), reading(C), 1.1 + HAND_S)


@pytest.mark.parametrize("read", [(A, B), (C, D)])
def test_where_one_of_three_tiles_is_not_read_or_another_has_come_no_hand_lies(read):
    check = OcclusionCheck()
    assert not check.is_over(picture(A, B, C), reading(A, B, C), 0)
    assert not check.is_over(picture(*read), reading(*read), 1)


@pytest.mark.parametrize(("lifted", "is_over"), [(("R40", "B20"), False), (("B20",), True)])
def test_where_the_bare_table_is_seen_no_hand_lies(check, lifted, is_over):
    """A step had been done wrongly, and was put right before anybody was told (film 427277)."""
    assert check.is_over(picture(), replace(reading(), lifted=lifted), 1) is is_over


def test_who_surely_reads_other_tiles_where_two_were_sees_no_hand(check):
    """They had burned, and what had been placed since was not told (film 427051)."""
    assert not check.is_over(picture(C, D), reading(C, D), 1)


def test_each_hand_beside_a_tile_that_has_come_is_waited_for(check):
    assert check.is_over(picture(A, B, C, arm=640), reading(A, B, C), 1)
    assert not check.is_over(picture(A, B), reading(A, B), 2)
    assert check.is_over(picture(A, B, C, arm=640), reading(A, B, C), 3)
    assert not check.is_over(picture(A, B, arm=640), reading(A, B), 4)  # no tile has come
    assert check.is_over(picture(A, B, C, arm=640), reading(A, B, C), 5)
    assert not check.is_over(picture(A, B, C, arm=640), reading(A, B, C), 6)
    assert not check.is_over(picture(A, B, C), reading(A, B, C), 7)
    assert check.is_over(picture(A, B, C, D, arm=700), reading(A, B, C, D), 8)


def test_a_shine_on_a_cloth_is_no_arm():
    """A lamp made the threads beside the pyramid shine when a tile was taken (films 357017, 358012)."""
    cloth = cv2.resize(
        np.random.default_rng(5).integers(70, 120, (90, 160, 3)).astype(np.uint8), (1280, 720),
        interpolation=cv2.INTER_NEAREST,
    )  # fmt: skip
    glow = cv2.line(np.ones((720, 1280), np.float32), (490, 720), (490, 330), 1.7, 150)
    glow = cv2.GaussianBlur(glow, (0, 0), 25)[..., None]

    def on_cloth(*tiles, shine=False, arm=None):
        lying = picture(*tiles, arm=arm)
        bare = (lying == 110).all(axis=2, keepdims=True)
        seen = np.where(bare, cloth, lying)
        return np.clip(seen * (glow if shine else 1), 0, 255).astype(np.uint8)

    def is_over(**how):
        check = OcclusionCheck()
        assert not check.is_over(on_cloth(A, B), reading(A, B), 0)
        return check.is_over(on_cloth(A, **how), reading(A), 1)

    assert (is_over(shine=True), is_over(arm=490), is_over(arm=490, shine=True)) == (False, True, True)


def test_an_arm_beside_the_pyramid_may_hold_a_tile_that_has_gone():
    """So it did when a tile fell; the step was said to be wrong (film 356002)."""
    check = OcclusionCheck()
    for at, lying in enumerate(((A, B), (A, B, C), (A, B))):
        assert not check.is_over(picture(*lying), reading(*lying), at)
    assert check.is_over(picture(A, arm=1000), reading(A), 3)
    assert check.is_over(picture(A, arm=1040), reading(A), 4)
    assert not check.is_over(picture(A), reading(A), 5)


def test_a_telephone_that_is_laid_far_from_the_tiles_holds_none_of_them():
    """A collapse was told half a minute later, and all that came until then (film 475315)."""
    check = OcclusionCheck()
    assert not check.is_over(picture(A, B), reading(A, B), 0)
    assert check.is_over(picture(A, arm=1000), reading(A), 1)
    assert not check.is_over(picture(A, arm=1000), reading(A), 2)
    assert not check.is_over(picture(A, B, arm=1000), reading(A, B), 3)
    assert check.is_over(picture(B, arm=350), reading(B), 4)
    assert check.is_over(picture(B, arm=350), reading(B), 5), "it may lie over the other tile"


def test_what_the_camera_had_not_seen_does_not_reach_in_when_it_is_moved_far():
    """A tile lay half outside; moved back, the camera saw all of one side for the first time (475333)."""
    wide = cv2.resize(
        np.random.default_rng(7).integers(80, 140, (90, 215, 3)).astype(np.uint8), (1720, 720),
        interpolation=cv2.INTER_CUBIC,
    )  # fmt: skip

    def seen(left: int, *tiles: TileReading) -> tuple[np.ndarray, Reading]:
        image = wide.copy()
        for each in tiles:
            cv2.fillConvexPoly(image, np.array(each.quad_px, np.int32), (40, 40, 200))
        image[280:, :430] = 240  # a cloth, and what is white of the first tile
        lying = [replace(each, quad_px=tuple((x - left, y) for x, y in each.quad_px)) for each in tiles]
        return image[:, left : left + 1280], reading(*lying)

    check = OcclusionCheck()
    assert not check.is_over(*seen(430, replace(A, code="B7", unsure=True), B, C), 0)
    assert not check.is_over(*seen(0, A, B, C), 1)


def test_a_pyramid_that_was_pushed_is_not_hidden():
    """Its faces had changed, as if an arm lay over them and over a tile that was not read."""

    cloth = np.random.default_rng(7).integers(70, 150, (90, 160, 3)).astype(np.uint8)

    def striped(*tiles: TileReading) -> np.ndarray:
        image = cv2.resize(cloth, (1280, 720), interpolation=cv2.INTER_CUBIC)
        for each in tiles:
            (left, top), *_ = np.array(each.quad_px, int)
            image[top : top + SIDE, left : left + SIDE][:, np.arange(SIDE) % 20 < 8] = 250
        return image

    def pushed(*tiles: TileReading) -> list[TileReading]:
        return [replace(each, quad_px=tuple((x + 10, y) for x, y in each.quad_px)) for each in tiles]

    check = OcclusionCheck()
    assert not check.is_over(striped(A, B, C, D), reading(A, B, C, D), 0)
    *lying, gone = pushed(A, B, C, D)
    assert not check.is_over(striped(*lying), replace(reading(*lying), hidden=(gone.quad_px,)), 1)


@pytest.mark.parametrize("beside", [(), (B, C)])
def test_an_arm_that_lay_there_while_the_camera_was_bumped_is_none_of_the_table(beside):
    """It was compared with, and hid the first tile when it came again (film 370007)."""
    cloth = cv2.resize(
        np.random.default_rng(7).integers(90, 130, (90, 160, 3)).astype(np.uint8), (1280, 720),
        interpolation=cv2.INTER_CUBIC,
    )  # fmt: skip

    def bumped(*tiles, arm=None):
        lying = picture(*tiles, arm=arm)
        bare = (lying == 110).all(axis=2, keepdims=True)
        return np.where(bare, np.roll(cloth, 12, axis=1), lying)

    check, first = OcclusionCheck(), np.where((picture(*beside) == 110).all(axis=2, keepdims=True), cloth, 0)
    for each in beside:
        cv2.fillConvexPoly(first, np.array(each.quad_px, np.int32) - (12, 0), (40, 40, 200))
    before = [replace(each, quad_px=tuple((x - 12, y) for x, y in each.quad_px)) for each in beside]
    assert not check.is_over(first, reading(*before), 0)
    assert not check.is_over(bumped(*beside, arm=400), reading(*beside), 1)
    assert not check.is_over(bumped(A, *beside), reading(A, *beside), 2)
    assert check.is_over(bumped(A, *beside, arm=400), reading(*beside), 3)
    assert not check.is_over(bumped(A, *beside), reading(A, *beside), 4)


def test_a_hand_that_is_taken_for_a_tile(check):
    false = tile("R7", 2, unsure=True)
    assert check.is_over(picture(A, B, arm=550), reading(A, B, false), 1)
    assert not check.is_over(picture(A, B, C), reading(A, B, tile("G60", 2, unsure=True)), 2)


def test_a_camera_that_was_moved_sees_another_table(check):
    moved = [tile("R40", 0, x=600), tile("B20", 1, x=600)]
    assert not check.is_over(picture(*moved), reading(*moved), 1)
    assert not check.is_over(picture(moved[0]), reading(moved[0]), 2)


def test_a_camera_that_was_moved_while_all_tiles_were_taken():
    """No tile tells how it was moved; but everything in the picture has changed, and not in one place.

    A hand that points at the only tile is waited for (film 423263).
    """
    rng = np.random.default_rng(3)
    ground = cv2.resize(rng.integers(60, 200, (60, 100, 3)).astype(np.uint8), (1320, 760))

    def seen(at: int, arm: int | None = None) -> np.ndarray:
        view = ground[at : at + 720, at : at + 1280].copy()
        return view if arm is None else cv2.line(view, (arm, 720), (arm, 320), (120, 150, 205), 110)

    check = OcclusionCheck()
    with_tiles = np.where(picture(A, B) == 110, seen(0), picture(A, B))
    assert not check.is_over(with_tiles, reading(A, B), 0)
    assert check.is_over(seen(0, arm=430), reading(), 1)
    assert check.is_over(seen(25), reading(), 2)
    assert not check.is_over(seen(25), reading(), 2.1 + HAND_S)


def test_what_stays_over_the_pyramid_belongs_to_the_table(check):
    assert check.is_over(picture(A, B, arm=490), reading(A), 1)
    assert check.is_over(picture(A, B, arm=490), reading(A), PATIENCE_S)
    assert not check.is_over(picture(A, B, arm=490), reading(A), PATIENCE_S + 2)


def test_of_a_game_that_goes_on_tiles_must_be_there():
    check = OcclusionCheck(2)
    assert check.is_over(picture(A), reading(A), 0)
    assert not OcclusionCheck(2).is_over(picture(A, C), reading(A, C), 0), "whichever they are"
    assert not check.is_over(picture(A, B, C), reading(A, B, C), 1)
    assert check.is_over(picture(A, B, C, arm=490), reading(A, C), 2)


def test_a_dazzling_table_darkens_less_than_the_rest():
    """What is brighter than the camera can show is still as bright by less light."""

    def lit(*tiles: TileReading, light: float, arm: int | None = None) -> np.ndarray:
        bright = np.ones((720, 1280), np.float32)
        bright[200:380, 380:760] = 3.5
        bright = cv2.GaussianBlur(bright, (0, 0), 20)
        return np.clip(picture(*tiles, arm=arm) * bright[..., None] * light, 0, 255).astype(np.uint8)

    check = OcclusionCheck()
    assert not check.is_over(lit(A, B, light=1.0), reading(A, B), 0)
    assert check.is_over(lit(A, B, arm=490, light=0.75), reading(A), 1)
    assert not check.is_over(lit(A, light=0.75), reading(A), 2)


def hiding(*tiles: TileReading, place: TileReading) -> Reading:
    """What is read where the reader takes a place for hidden."""
    return Reading(tiles, EMPTY, hidden=(place.quad_px,))


def test_what_the_reader_calls_hidden_is_not_where_a_tile_was_just_taken(check):
    assert not check.is_over(picture(A), hiding(A, place=B), 1)
    assert not check.is_over(picture(), hiding(place=A), 2)


def test_what_the_reader_calls_hidden_is_where_something_reaches_in(check):
    """A dark sleeve on a dark table shows but a little beyond the tiles."""
    sleeve = picture(A, B)
    cv2.rectangle(sleeve, (465, 305), (505, 400), (120, 150, 205), -1)
    assert check.is_over(sleeve, hiding(A, place=B), 1)
    assert not check.is_over(sleeve, reading(A), 1)


@pytest.mark.parametrize(("share", "is_over"), [(0.2, True), (1.0, False)])
def test_what_hides_little_of_a_tile_lies_over_it(check, share, is_over):
    """The rest looks as before, and a tile that goes changes all of its place (film 416162)."""
    image = picture(A, B)
    cv2.rectangle(image, (460, 300), (519, 300 + int(share * SIDE)), (110, 110, 110), -1)
    assert check.is_over(image, hiding(A, place=B), 1) is is_over


def test_on_a_first_table_the_reader_alone_tells_what_is_hidden():
    check = OcclusionCheck()
    assert check.is_over(picture(A), hiding(A, place=B), 0)
    assert not check.is_over(picture(A), reading(A), 1)


def test_a_camera_that_was_bumped_while_tiles_were_taken():
    """The one tile that is left does not tell how; the table does."""
    rng = np.random.default_rng(5)
    ground = cv2.resize(rng.integers(40, 220, (60, 100, 3)).astype(np.uint8), (1280, 720))
    view = np.array([[1.02, 0.02, 14], [-0.02, 1.02, -11]], np.float32)

    def seen(*tiles: TileReading, arm: int | None = None, bumped: bool = False) -> np.ndarray:
        image = ground.copy()
        for each in tiles:
            cv2.fillConvexPoly(image, np.array(each.quad_px, np.int32), (40, 40, 200))
        if bumped:
            image = cv2.warpAffine(image, view, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
        if arm is not None:
            cv2.line(image, (arm, 720), (arm, 320), (120, 150, 205), 110)
        return image

    check = OcclusionCheck()
    assert not check.is_over(seen(A, B, C), reading(A, B, C), 0)
    corners = cv2.transform(np.array([C.quad_px], np.float32), view)[0]
    there = replace(C, quad_px=tuple(tuple(map(float, corner)) for corner in corners))  # type: ignore[arg-type]
    assert check.is_over(seen(A, B, C, arm=450, bumped=True), reading(there), 1)
    lifted = replace(reading(there), lifted=("R40", "B20"))
    assert not check.is_over(seen(C, bumped=True), lifted, 2)


def test_an_arm_that_the_picture_cuts_short_is_one():
    """Only half a tile's area of it shows beyond the tiles."""
    low = [replace(each, quad_px=tuple((x, y + 300) for x, y in each.quad_px)) for each in (A, B, C)]  # type: ignore[arg-type]
    check = OcclusionCheck()
    assert not check.is_over(picture(*low), reading(*low), 0)
    arm = picture(*low)
    cv2.rectangle(arm, (470, 590), (510, 719), (120, 150, 205), -1)
    assert check.is_over(arm, reading(low[0], low[2]), 1)
    spot = picture(low[0], low[2])
    cv2.rectangle(spot, (470, 590), (510, 700), (120, 150, 205), -1)
    assert not check.is_over(spot, reading(low[0], low[2]), 2)


def test_a_hand_in_an_invisible_sleeve_lies_over_a_tile_that_is_still_read():
    """Nothing reaches beyond the tiles; but a tile that was taken leaves the face of the next as it was."""
    check = OcclusionCheck()
    assert not check.is_over(picture(A, B, C), reading(A, B, C), 0)
    hand = picture(A, B, C)
    cv2.rectangle(hand, (435, 310), (515, 355), (120, 150, 205), -1)
    assert check.is_over(hand, hiding(A, C, place=B), 1)
    assert not check.is_over(picture(A, C), hiding(A, C, place=B), 2)
    askew = replace(C, quad_px=tuple((x + 6, y - 6) for x, y in C.quad_px))  # type: ignore[arg-type]
    assert not check.is_over(picture(askew), hiding(askew, place=A), 3)


def test_what_is_laid_down_beside_the_pyramid_covers_nothing(check):
    """A back that touches the place of the tile that was taken does not come from the edge of the picture."""
    taken = picture(A)
    cv2.rectangle(taken, (515, 310), (575, 370), (150, 190, 210), -1)
    beside = tile("-", 2)
    assert not check.is_over(taken, hiding(A, place=beside), 1)
    assert not check.is_over(taken, reading(A), 2)


def test_an_arm_that_holds_the_tile_it_took_lies_over_another_one(check):
    assert check.is_over(picture(A, arm=430), reading(A), 1)


@pytest.mark.parametrize(("tiles", "is_over"), [((A, B), False), ((B,), True)])
def test_a_thing_over_a_part_of_a_tile_tells_nothing_of_a_new_one_in_doubt(check, tiles, is_over):
    """A box lay over the corner of a tile that was read, and nothing was told (`opposite`, warmer)."""
    new = tile("Y2", 3, unsure=True)
    lying = picture(A, B, new)
    lying[:325, 300:425] = (40, 30, 30)
    assert check.is_over(lying, reading(*tiles, new), 1) is is_over


@pytest.mark.parametrize(("neck", "is_over"), [(4, False), (110, True)])
def test_a_back_that_was_laid_between_the_pyramid_and_the_edge_is_no_arm(check, neck, is_over):
    """Taken tiles touched the place where they had lain: nothing was said for three turns (film 404209)."""
    lying = picture(A)
    lying[655:, 460:525] = (160, 200, 220)
    lying[300:655, 490 : 490 + neck] = (160, 200, 220)
    assert check.is_over(lying, reading(A), 1) == is_over


@pytest.mark.parametrize(("is_seen_between", "is_over"), [(True, False), (False, True)])
def test_the_shadow_of_an_arm_that_laid_the_last_tile_is_no_arm(is_seen_between, is_over):
    """It had gone when the table was looked at again, with the same tiles (film 414198)."""
    shadow = cv2.line(np.ones((720, 1280), np.float32), (490, 720), (490, 480), 0.86, 150)
    shadow = cv2.GaussianBlur(shadow, (0, 0), 20)[..., None]
    back = replace(B, quad_px=((460.0, 362.0), (520.0, 362.0), (520.0, 470.0), (460.0, 470.0)))
    check = OcclusionCheck()
    assert not check.is_over((picture(A, B) * shadow).astype(np.uint8), reading(A, B), 0)
    if is_seen_between:
        assert not check.is_over(picture(A, B), reading(A, B), 1)
    assert check.is_over(picture(A, back), reading(A), 2) is is_over


def test_after_what_was_seen_were_things_the_next_table_is_the_first_one(check):
    """A note that reached to the edge was painted over, and hid the table for a whole game (film 404101)."""
    check.forget()
    assert not check.is_over(picture(A, arm=490), reading(A), 1)
    # Where it was seen without them, an arm that lies over the next one is none of it (film 470050).
    check.forget(picture(A))
    assert check.is_over(picture(A, arm=490), reading(replace(A, unsure=True)), 1)


def test_a_place_beyond_the_picture_shows_nothing():
    """A phone was moved, so that tiles that had lain there are out of sight."""
    changed = np.zeros((90, 160), np.uint8)
    beyond = ((300.0, 10.0), (340.0, 10.0), (340.0, 50.0), (300.0, 50.0))
    within = ((30.0, 10.0), (70.0, 10.0), (70.0, 50.0), (30.0, 50.0))
    assert not _shows_most(changed, [beyond], 1.0)
    assert _shows_most(changed, [beyond, within], 1.0)
