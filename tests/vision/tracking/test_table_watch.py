"""What a watched table is taken for before its game begins."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from tests.vision.tracking.test_table_tracker import Look, picture, reading, stray, tile
from vision.recognition.reading import DetectedTile, Reading, TileReading
from vision.sources.frame import Frame
from vision.tracking.table_tracker import TableTracker
from vision.tracking.table_watch import Awaited, PictureFault, TableWatch

LONE = tile("Y60", 0, 0, unsure=True, confidence=0.985)


class Reader(Look):
    """Reads the one thing that lies there, and cannot tell which tile it is."""

    def read(self, _image: np.ndarray) -> Reading:
        return reading(LONE)


def test_where_a_left_over_tile_must_lie_the_thing_that_looks_like_one_is_asked_about() -> None:
    """Nobody saw the yellow 4 on a wooden tile, and the game began without it (film 381037)."""
    seen = replace(stray(LONE), unsure=True, confidence=LONE.confidence, tile=0.985)

    def codes(*, begins_bare: bool) -> list[str]:
        watch = TableWatch(Reader([seen]))
        game = Awaited([], has_begun=False, left_over=int(not begins_bare), is_waiting=True)
        found = None
        for number in range(20):
            found = watch.see(Frame(picture(LONE), number * 0.1, number), game) or found
        assert found is not None
        return [each.code for each in found.tiles]

    assert codes(begins_bare=False) == ["Y60"]
    assert codes(begins_bare=True) == []


def test_who_points_at_the_bare_table_as_the_game_begins_is_not_taken_for_table() -> None:
    """The hand was no news when it pointed there again, over the first tile (film 387068)."""
    hand = picture()
    hand[380:480, 280:] = (60, 80, 120)
    first = tile("G30", 0, 0)
    covered = picture(first)
    covered[380:480, 280:] = (60, 80, 120)
    tables = [
        (picture(), reading(), False),
        (hand, reading(), True),
        (picture(), reading(), True),
        (picture(first), reading(first), True),
        (covered, reading(), True),
    ]

    class Reads(Look):
        def read(self, image: np.ndarray) -> Reading:
            return next(read for table, read, _ in tables if np.array_equal(table, image))

    watch, over = TableWatch(Reads([])), []
    for at, (table, _, has_begun) in enumerate(tables):
        game = Awaited([], has_begun=has_begun, left_over=int(not has_begun), is_waiting=False)
        for number in range(20):
            watch.see(Frame(table, 2.0 * at + number * 0.1, 20 * at + number), game)
        over.append(watch.is_covered)
    assert over == [False, False, False, False, True]


def test_a_table_that_lies_still_is_told_once_what_was_taken_for_the_left_over_tile_is_none() -> None:
    """It was waited for, and the first tile that was placed passed for the left-over one (film 390018)."""
    note = replace(LONE, covered=True, confidence=0.97)

    class Reads(Look):
        def read(self, _image: np.ndarray) -> Reading:
            return reading(note)

    watch, told = TableWatch(Reads([])), []
    game = Awaited([], has_begun=False, left_over=1, is_waiting=True)
    for number in range(40):
        found = watch.see(Frame(picture(LONE), number * 0.1, number), game)
        told += [] if found is None else [([each.code for each in found.tiles], watch.is_covered)]
    assert told == [(["Y60"], True), ([], False)]


def with_hand(*tiles: TileReading) -> np.ndarray:
    """A table with a hand over the place of its first tile."""
    hand = picture(*tiles)
    hand[380:480, 280:370] = hand[410:450, :300] = (60, 80, 120)
    return hand


def told_of(*tables: tuple[np.ndarray, Reading]) -> list[tuple[TileReading, ...]]:
    """What a watch tells of tables before a game with a left-over tile begins, each as it is read."""

    class Reads(Look):
        def read(self, _image: np.ndarray) -> Reading:
            return tables[at][1]

    watch, told = TableWatch(Reads([])), []
    game = Awaited([], has_begun=False, left_over=1, is_waiting=True)
    for at, (table, _) in enumerate(tables):
        for number in range(20):
            found = watch.see(Frame(table, 2.0 * at + number * 0.1, 20 * at + number), game)
            told += [] if found is None else [found.tiles]
    return told


def test_a_tile_under_the_hand_that_lays_it_is_not_read_yet() -> None:
    """Of a yellow 100 under a hand a yellow 10 was surely read, and the game began with it (film 405151)."""
    half, whole = tile("Y10", 0, 0), tile("Y100", 0, 0)
    tables = told_of(
        (picture(), reading()), (with_hand(half), reading(half)), (picture(whole), reading(whole))
    )
    told = [[(each.code, each.covered) for each in tiles] for tiles in tables]
    assert told[0] == []
    assert [("Y10", True)] in told
    assert [("Y10", False)] not in told
    assert told[-1] == [("Y100", False)]


@pytest.mark.parametrize("first", [[], [tile("B10", 0, 0, unsure=True, confidence=0.9)]])
def test_what_lay_on_the_first_picture_is_told_from_what_came(first: list[TileReading]) -> None:
    """The left-over tile was not found (film 411200), or read as another one (411335)."""
    lay, came = tile("B30", 0, 0), tile("R6", 0, 1)
    told = told_of((picture(lay), reading(*first)), (picture(lay, came), reading(lay, came)))
    assert [(each.code, each.lay_first) for each in told[-1]] == [("B30", True), ("R6", False)]


def test_a_hand_that_lay_over_the_first_tile_has_not_come_when_it_leaves() -> None:
    """All tiles were under an arm for 15 s, since none was read while it lay there (film 411065)."""
    first = tile("G40", 0, 0)
    doubt = reading(replace(first, unsure=True))
    told = told_of((picture(first), doubt), (with_hand(first), reading()), (picture(first), reading(first)))
    assert [(each.code, each.covered) for each in told[-1]] == [("G40", False)]


@pytest.mark.parametrize(
    ("slot", "knows_tiles", "is_none"), [(6, False, True), (6, True, False), (1, False, False)]
)
def test_what_lay_alone_in_doubt_is_no_tile_once_one_lies_apart_from_it(slot, knows_tiles, is_none) -> None:
    """Nobody said that a telephone was none, and the game was lost over it (film 411179)."""
    thing, first = tile("M200", 0, 0), tile("G40", 0, slot)

    class Reads(Look):
        def read(self, image: np.ndarray) -> Reading:
            is_there = bool((image[430, 305] == picture(thing)[430, 305]).all())
            return reading(*[thing] * is_there, *[first] * at)

    at, watch = 0, TableWatch(Reads([]))
    game = Awaited([], has_begun=True, left_over=0, is_waiting=True, knows_tiles=knows_tiles)
    for at, table in enumerate((picture(thing), picture(thing, first))):
        for number in range(20):
            watch.see(Frame(table, 2.0 * at + number * 0.1, 20 * at + number), game)
    assert watch.reading is not None
    assert ("M200" not in [each.code for each in watch.reading.tiles]) is is_none


def test_beside_what_was_no_tile_the_first_one_is_compared_with_the_bare_table() -> None:
    """A telephone had passed for one, and then the first tile, hard to read, for table (film 425207)."""
    thing, first = tile("M200", 0, 0, unsure=True), tile("Y30", 0, 6)
    doubtful = replace(first, unsure=True, confidence=0.95)

    class Reads(Look):
        def read(self, image: np.ndarray) -> Reading:
            is_there = bool((image[430, 305] == picture(thing)[430, 305]).all())
            laid = bool((image[430, 665] == picture(first)[430, 665]).all())
            if is_there:
                return reading(thing, *[first] * laid)
            return replace(reading(), elsewhere=(first.quad_px,) * laid)

    watch = TableWatch(Reads([replace(stray(doubtful), unsure=True, confidence=0.95)]))
    game = Awaited([], has_begun=True, left_over=0, is_waiting=True)
    for at, table in enumerate((picture(), picture(thing), picture(thing, first))):
        for number in range(20):
            watch.see(Frame(table, 2.0 * at + number * 0.1, 20 * at + number), game)
    assert watch.reading is not None
    assert [(each.code, each.unsure) for each in watch.reading.tiles] == [("Y30", True)]


def test_what_was_denied_is_not_left_out_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table counted as the first one, and the tile on it for table (film 427081)."""
    thing, first = tile("G1", 0, 0), tile("G6", 0, 6)
    left_out = Mock()
    monkeypatch.setattr(TableTracker, "leave_out", left_out)

    class Reads(Look):
        def read(self, image: np.ndarray) -> Reading:
            is_there = bool((image[430, 305] == picture(thing)[430, 305]).all())
            laid = bool((image[430, 665] == picture(first)[430, 665]).all())
            return reading(*[thing] * is_there, *[first] * laid)

    watch = TableWatch(Reads([]))
    game = Awaited([], has_begun=True, left_over=0, is_waiting=True)
    for at, table in enumerate((picture(thing), picture(thing), picture(thing, first))):
        for number in range(20):
            watch.see(Frame(table, 2.0 * at + number * 0.1, 20 * at + number), game)
        if at == 0:
            watch.deny([(0, 0)])
    assert watch.reading is not None
    assert [each.code for each in watch.reading.tiles] == ["G6"]
    assert not left_out.called


def test_one_of_two_things_may_be_denied() -> None:
    """Two corners of playing cards passed for tiles; each is asked about by itself (film 412184)."""
    things = [tile("R7", 0, 0), tile("R2", 0, 1)]

    class Reads(Look):
        def read(self, image: np.ndarray) -> Reading:
            colours = [image[430, 300 + 60 * at + 5].tolist() for at in (0, 1)]
            lie = [each for each, colour in zip(things, colours, strict=True) if colour in drawn]
            return reading(*lie)

    image = picture(*things)
    drawn = [image[430, 300 + 60 * at + 5].tolist() for at in (0, 1)]
    watch, told = TableWatch(Reads([])), []
    game = Awaited([], has_begun=False, left_over=1, is_waiting=True)
    for number in range(60):
        found = watch.see(Frame(image, number * 0.1, number), game)
        if found is not None:
            told.append([each.code for each in found.tiles])
            watch.deny([] if len(told) == 1 else [(0, 0)])
    assert told == [["R7", "R2"], ["R7", "R2"], ["R2"]]


def test_a_hand_that_left_after_a_thing_was_denied_has_not_come() -> None:
    """A telephone was no tile; then a hand lay over the first one, and for 30 s all tiles were under an arm
    (film 408040)."""
    thing, first = tile("M200", 0, 6, unsure=True, confidence=0.97), tile("G20", 0, 0)
    hand = with_hand(thing, first)
    reads = [reading(thing), reading(), reading(first)]

    class Reads(Look):
        def read(self, _image: np.ndarray) -> Reading:
            return reads[at]

    watch, told = TableWatch(Reads([stray(thing)])), []
    game = Awaited([], has_begun=False, left_over=1, is_waiting=True)
    for at, table in enumerate((picture(thing, first), hand, picture(thing, first))):
        for number in range(20):
            found = watch.see(Frame(table, 2.0 * at + number * 0.1, 20 * at + number), game)
            told += [] if found is None else [[(each.code, each.covered) for each in found.tiles]]
        if not at:
            watch.deny([])
    assert told[-1] == [("G20", False)]


class Mirrored(Look):
    """Reads three tiles, and is sure of them where the picture is turned round."""

    def __init__(self, *, reads_otherwise: bool) -> None:
        super().__init__([])
        self.read_pictures = 0
        self._reads_otherwise = reads_otherwise

    def read(self, image: np.ndarray) -> Reading:
        self.read_pictures += 1
        is_turned = self._reads_otherwise and image[0, -1, 0] == 0
        doubt = {} if is_turned else {"unsure": True, "confidence": 0.9}
        tiles = [tile(code, 0, slot, **doubt) for slot, code in enumerate(("B4", "R4", "G4"))]
        return reading(*tiles)


def faults_of(watch: TableWatch, table: np.ndarray) -> list[PictureFault]:
    """Return what was found to be wrong with the pictures in a minute."""
    game, found = Awaited([], has_begun=False, left_over=1, is_waiting=True), []
    for number in range(120):
        is_news = watch.see(Frame(table, number * 0.5, number), game) is not None
        found += [watch.fault] if is_news and watch.fault is not None else []
    return found


@pytest.mark.parametrize("reads_otherwise", [False, True])
def test_a_camera_that_mirrors_the_table_is_found_out_once(reads_otherwise: bool) -> None:
    table = picture(*reading(LONE).tiles)
    table[:8, :8] = 0
    found = faults_of(TableWatch(Mirrored(reads_otherwise=reads_otherwise)), table)
    assert found == [PictureFault.MIRRORED] * reads_otherwise


@pytest.mark.parametrize(
    ("light", "fault"), [(0.1, PictureFault.DARK), (1.0, None), (4.0, PictureFault.BRIGHT)], ids=str
)
@pytest.mark.parametrize("is_in_doubt", [False, True])
def test_light_that_leaves_tiles_in_doubt_is_told_once(
    light: float, fault: PictureFault | None, is_in_doubt: bool
) -> None:
    lone = replace(LONE, unsure=is_in_doubt)

    class Reads(Look):
        def read(self, _image: np.ndarray) -> Reading:
            return reading(lone)

    found = faults_of(TableWatch(Reads([stray(lone)])), picture(lone, light=light))
    assert found == [fault] * (is_in_doubt and fault is not None)


def test_a_pyramid_that_comes_to_the_edge_is_told_once_and_again_when_it_comes_again() -> None:
    """The next tile would be seen in part, and was taken for another one (film 475381)."""
    row = [tile("R40", 0, 0), tile("B20", 0, 1)]
    lying = [
        [replace(each, quad_px=tuple((x + by, y) for x, y in each.quad_px)) for each in row]
        for by in (0, -290)
    ]

    class Reads(Look):
        def read(self, image: np.ndarray) -> Reading:
            return reading(*lying[int(image[0, 0, 0] == 0)])

    watch, told = TableWatch(Reads([])), []
    game = Awaited(["R40", "B20"], has_begun=True, left_over=0, is_waiting=True)
    for at, is_moved in enumerate((False, True, True, False, True)):
        seen = picture(*lying[is_moved])
        seen[:8, :8] = 255 * (not is_moved)
        for number in range(12):
            is_news = watch.see(Frame(seen, 12.0 * at + number, 12 * at + number), game) is not None
            told += [(at, watch.fault)] if is_news and watch.fault is not None else []
    assert told == [(1, PictureFault.NARROW), (4, PictureFault.NARROW)]


def test_a_table_in_the_dark_is_read_as_if_a_lamp_were_lit() -> None:
    """And as it is again once one is lit."""
    lone, seen = replace(LONE, unsure=False), []

    class Reads(Look):
        def read(self, image: np.ndarray) -> Reading:
            seen.append(round(float(image.mean())))
            return reading(lone)

    watch = TableWatch(Reads([stray(lone)]))
    game = Awaited([], has_begun=True, left_over=0, is_waiting=True)
    bare = picture(lone)
    for at, light in enumerate((1.0, 0.2, 1.0)):
        for number in range(12):
            watch.see(Frame(picture(lone, light=light), 12.0 * at + number * 0.5, 24 * at + number), game)
    assert len(seen) >= 3
    assert min(seen) > 0.9 * bare.mean()
    assert watch.in_enough_light(bare) is bare


class Drawn(Look):
    """Reads those of some tiles that are drawn, as the last pyramid of them that any of is in."""

    def __init__(self, *pyramids: list[TileReading]) -> None:
        super().__init__([], tuple(stray(each) for pyramid in pyramids for each in pyramid))
        self._pyramids = pyramids

    def read(self, image: np.ndarray) -> Reading:
        lie = [[each for each in pyramid if _is_drawn(each, image)] for pyramid in self._pyramids]
        first, *others = [pyramid for pyramid in lie if pyramid] or [[]]
        return replace(reading(*first), elsewhere=tuple(each.quad_px for rest in others for each in rest))

    def tiles(self, image: np.ndarray) -> list[DetectedTile]:
        return [stray(each) for pyramid in self._pyramids for each in pyramid if _is_drawn(each, image)]


def _is_drawn(one: TileReading, image: np.ndarray) -> bool:
    x, y = (round(each) for each in one.quad_px[0])
    return bool((image[y + 30, x + 5] == picture(one)[y + 30, x + 5]).all())


@pytest.mark.parametrize("left_over", [0, 1])
def test_a_printed_pyramid_that_lies_there_from_the_first_is_left_out(left_over: int) -> None:
    """So is a second one, which is read once the first is painted over."""
    printed = [tile("Y4", 0, 0), tile("B7", 0, 1), tile("G10", 1, 0)], [tile("R2", 5, -3), tile("R4", 5, -2)]
    game = [tile("B10", 0, 8), tile("R60", 0, 9), tile("G100", 0, 10)]
    lay = [*printed[0], *printed[1], *game[:left_over]]
    watch, told, left_out = TableWatch(Drawn(*printed, game)), [], []
    for at, tiles in enumerate(([], game[: left_over + 1], game)):
        awaited = Awaited(
            [], has_begun=not left_over, left_over=left_over, is_waiting=True, knows_tiles=at == 2
        )
        for number in range(20):
            image = picture(*lay, *tiles)
            found = watch.see(Frame(image, 2.0 * at + number * 0.1, 20 * at + number), awaited)
            if found is not None:
                told.append([each.code for each in found.tiles])
                left_out.append(watch.has_left_out)
    assert told[0] == ["Y4", "B7", "G10"]
    assert [codes for codes, is_new in zip(told, left_out, strict=True) if is_new] == [
        [each.code for each in game[: left_over + 1]]
    ]
    assert told[-1] == ["B10", "R60", "G100"]


def test_what_lay_first_is_told_where_none_is_left_over() -> None:
    lay, came = tile("B30", 0, 0), tile("R6", 0, 1)
    watch, told = TableWatch(Drawn([lay, came])), []
    for knows_tiles in (False, True):
        awaited = Awaited([], has_begun=True, left_over=0, is_waiting=True, knows_tiles=knows_tiles)
        for number in range(20):
            table = picture(lay, *[came] * knows_tiles)
            found = watch.see(Frame(table, 2.0 * knows_tiles + number * 0.1, number), awaited)
            told += [] if found is None else [[each.lay_first for each in found.tiles]]
    assert told[0] == [True]
    assert told[-1] == [False, False]  # it is the game's


def test_beside_things_of_another_size_a_tile_is_seen_without_them() -> None:
    """Three turns went by before one was seen (film 465925)."""
    things, game = [tile("Y4", 0, 0), tile("B7", 0, 1)], [tile("R60", 0, 8)]

    class Sized(Drawn):
        def tiles(self, image: np.ndarray) -> list[DetectedTile]:
            seen = super().tiles(image)
            return seen[: len(things)] if len(seen) > len(things) else seen

    watch, awaited = TableWatch(Sized(things, game)), Awaited([], True, 0, True)
    for number in range(40):
        image = picture(*things, *game[: number // 20])
        watch.see(Frame(image, number * 0.1, number), awaited)
    assert watch.reading is not None
    assert [each.code for each in watch.reading.tiles] == ["R60"]


def test_what_was_left_out_alone_need_not_lie_on_the_first_picture_any_more() -> None:
    """One of three letters was read first, and left out; then the others hid the game (film 465958)."""
    alone = [tile("G4", 0, 0, unsure=True)]
    others, game = [tile("Y4", 0, 1), tile("B7", 0, 2)], [tile("R60", 0, 8)]

    class Later(Drawn):
        def read(self, image: np.ndarray) -> Reading:
            found = super().read(image)
            return found if is_later or not found.tiles else reading(*found.tiles[:1])

    is_later, watch = False, TableWatch(Later([*alone, *others], game))
    for number in range(60):
        is_later = number >= 40
        awaited = Awaited([], True, 0, True)
        watch.see(Frame(picture(*alone, *others, *game[: number // 20]), number * 0.1, number), awaited)
    assert watch.reading is not None
    assert [each.code for each in watch.reading.tiles] == ["R60"]


def test_once_things_are_denied_the_table_is_looked_at_at_once() -> None:
    """A hand came within the second, and was part of the first table for half a minute (film 465900)."""
    things, lone = [tile("G4", 0, 0), tile("Y4", 0, 1)], tile("R60", 0, 8)
    watch, told = TableWatch(Drawn([*things], [lone])), []
    for number in range(20):
        found = watch.see(Frame(picture(*things, lone), number * 0.1, number), Awaited([], False, 1, True))
        if found is not None:
            told.append((number, [each.code for each in found.tiles]))
            watch.deny([(0, 0), (0, 1)] if len(told) == 1 else [])
    (first, codes), (second, left), *_ = told
    assert (codes, left, second) == (["G4", "Y4"], ["R60"], first + 1)


@pytest.mark.parametrize("lying", [["G30"], []])
def test_beside_somebody_who_moves_all_the_time_a_game_is_followed(lying: list[str]) -> None:
    """The referee waited for hands that never rested at the table's edge, and saw no turn (film 472710)."""
    first, second = tile("G30", 0, 0), tile("R40", 0, 1)
    watch = TableWatch(Drawn([first, second]))
    game = Awaited(lying, has_begun=True, left_over=0, is_waiting=False, knows_tiles=bool(lying))
    found = []
    for number in range(60):
        table = picture(first) if number < 30 else picture(first, second)
        if number >= 10:
            table[600:700, 1100:1200] = 40 + 150 * (number % 2)
        found.append(watch.see(Frame(table, number * 0.1, number), game))
    read = [[each.code for each in each_reading.tiles] for each_reading in found[30:] if each_reading]
    assert ["G30", "R40"] in read
