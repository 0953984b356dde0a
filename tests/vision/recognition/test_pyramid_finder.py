"""Which way is up, and which tiles are the pyramid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.imaging.geometry import UNIT_SQUARE, Points, turned
from vision.pyramid.lattice import LatticePlace, empty_neighbours
from vision.pyramid.way_up import KnownWay
from vision.recognition.pyramid_finder import (
    PARTLY_STRANGE_SHARE,
    FoundTile,
    apart,
    find_pyramid,
    may_be_none,
    upright,
    worth_a_look,
)

BASE_AND_ONE = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.5, -1.0)]
Legibility = tuple[NDArray[np.float64], NDArray[np.float64]]
PLACES = [LatticePlace(0, 0), LatticePlace(0, 2), LatticePlace(0, 4), LatticePlace(1, 1)]


def quad_at(x: float, y: float, side: float = 40, degrees: float = 0) -> Points:
    """Return the upright quad of a tile in a pyramid that is seen turned by `degrees`."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return ((UNIT_SQUARE + np.array([x, y]) * 1.03) * side @ turn.T + 300).astype(np.float32)


def read(faces: list[Points], reads: float, stands: float = 0.0) -> Legibility:
    """What is said of faces, alike for all: log chances that they read, and stand upright, all together."""
    return np.full(len(faces), reads / len(faces)), np.full(len(faces), stands / len(faces))


def seen(quad: Points, *, sure: float = 0.97, own: int = 0, score: float = 0.9) -> FoundTile:
    """Return what the first look gives for a quad: listed from its top left on the screen, with its chances.

    `own` quarters of the face's own turn within the pyramid.
    """
    first = int(np.argmin(quad.sum(axis=1)))
    chances = np.full(4, (1 - sure) / 3)
    chances[(first + own) % 4] = sure
    return FoundTile(turned(quad, first), chances, 0.99, score)


@pytest.mark.parametrize("degrees", [0, 30, 90, 130, 180, 265, 320])
def test_a_pyramid_stands_upright_from_every_side(degrees: float) -> None:
    """However the picture is turned, the base is row 0 and each quad starts at its face's top left."""
    quads = [quad_at(x, y, degrees=degrees) for x, y in BASE_AND_ONE]
    laid = find_pyramid([seen(quad) for quad in quads]).tiles
    assert [tile.place for tile in laid] == PLACES
    for tile in laid:
        assert np.allclose(tile.quad_px, quads[tile.index], atol=1e-3)


def test_one_doubtful_face_follows_its_neighbours() -> None:
    """A face that cannot say which way it lies is read as the others lie."""
    quads = [quad_at(x, y) for x, y in BASE_AND_ONE]
    laid = find_pyramid(
        [seen(quad, sure=0.4 if at == 3 else 0.97, own=2 if at == 3 else 0) for at, quad in enumerate(quads)]
    ).tiles
    assert all(np.allclose(tile.quad_px, quads[tile.index], atol=1e-3) for tile in laid)


def test_a_tile_may_lie_turned_where_its_face_says_so() -> None:
    """One tile upside down keeps its place, and its quad starts at its own top left."""
    quads = [quad_at(x, y) for x, y in BASE_AND_ONE]
    found = [seen(quad, sure=0.999, own=2 if at == 1 else 0) for at, quad in enumerate(quads)]
    laid = find_pyramid(found).tiles
    assert [tile.place for tile in laid] == PLACES
    (odd,) = [tile for tile in laid if tile.index == 1]
    assert np.allclose(odd.quad_px, turned(quads[1], -2), atol=1e-3) or np.allclose(
        odd.quad_px, turned(quads[1], 2), atol=1e-3
    )


@pytest.mark.parametrize(("reads_turned", "turn"), [(True, 2), (False, 0)])
def test_a_tile_lies_turned_only_where_it_reads_better_so(*, reads_turned: bool, turn: int) -> None:
    """Of held-out artists every second face that said so alone was wrong."""
    quads = [quad_at(x, y) for x, y in BASE_AND_ONE]
    found = [seen(quad, sure=0.999, own=2 if at == 1 else 0) for at, quad in enumerate(quads)]

    def legible(each: list[Points]) -> Legibility:
        (quad,) = each
        return read(each, -1.0 if np.allclose(quad, quads[1], atol=1e-3) is not reads_turned else -9.0)

    (odd,) = [tile for tile in find_pyramid(found, legible).tiles if tile.index == 1]
    assert np.allclose(odd.quad_px, turned(quads[1], turn), atol=1e-3)


def test_bricks_and_reading_tell_which_way_is_up_where_faces_hardly_do() -> None:
    """All faces lean upside down; but so the bricks would not stand, and the numbers read better upright."""
    quads = [quad_at(x, y) for x, y in BASE_AND_ONE]
    found = [seen(quad, sure=0.65, own=2) for quad in quads]
    asked: list[list[Points]] = []

    def legible(each: list[Points]) -> Legibility:
        asked.append(each)
        return read(each, -1.0 if np.allclose(each[0], quads[0], atol=1e-3) else -9.0)

    by_bricks, by_both = find_pyramid(found), find_pyramid(found, legible)
    for pyramid in (by_bricks, by_both):
        assert [tile.place for tile in pyramid.tiles] == PLACES
    assert not by_bricks.is_upright, "bricks and faces contradict each other"
    assert by_both.is_upright
    assert asked
    asked.clear()
    assert find_pyramid([seen(quad) for quad in quads], legible).is_upright
    assert not asked, "clear faces are not read again"


@pytest.mark.parametrize(
    ("rows", "sure", "upright", "on_head"),
    [((6, 5), 0.8, -1.0, -9.0), ((6, 5, 4, 3), 0.4, -2.0, -1.0)],
    ids=["by the numbers", "by the bricks"],
)
def test_faces_that_all_lean_a_little_to_the_wrong_way_stand_upright_however_many_they_are(
    rows: tuple[int, ...], sure: float, upright: float, on_head: float
) -> None:
    """The numbers tell; or the wider end does, though they read a little better upside down."""
    quads = [quad_at(x + row / 2, -row) for row, wide in enumerate(rows) for x in range(wide)]
    found = [seen(quad, sure=sure, own=2) for quad in quads]

    def legible(each: list[Points]) -> Legibility:
        return read(each, upright if np.allclose(each[0], quads[0], atol=1e-3) else on_head)

    assert all(
        np.allclose(tile.quad_px, quads[tile.index], atol=1e-3) for tile in find_pyramid(found, legible).tiles
    )


def test_a_lone_face_is_read_each_way_and_its_first_look_counts_as_well() -> None:
    """A yellow 100 that nobody had seen before was taken to stand on its head (film 359011)."""
    quad = quad_at(0, 0)
    leans = seen(quad, sure=0.6, own=2)
    leans.up[:] = np.maximum(leans.up, 0.02)
    leans.up[int(np.argmin(leans.up))] = 0.35

    def reads_upright(by: float) -> bool:
        (lone,) = find_pyramid(
            [leans], lambda each: read(each, 0.0 if np.allclose(each[0], quad, atol=1e-3) else -by)
        ).tiles
        return np.allclose(lone.quad_px, quad, atol=1e-3)

    assert (reads_upright(6.0), reads_upright(0.01)) == (True, False)


def test_of_things_that_look_like_lone_tiles_the_one_that_reads_best_is_the_tile() -> None:
    """A square note with a 30 looked more like a tile than the red 60, and read worse (film 387118)."""
    note, tile = (seen(quad_at(x, 0), sure=sure) for x, sure in ((9.0, 0.999), (0.0, 0.9)))
    note, tile = replace(note, tile=0.9998), replace(tile, tile=0.98)

    def legible(each: list[Points]) -> Legibility:
        is_tile = abs(each[0].mean(axis=0) - tile.quad_px.mean(axis=0)).max() < 1
        return read(each, -0.01, -0.2) if is_tile else read(each, -0.05)

    found = [note, tile]
    assert [each.index for each in find_pyramid(found, legible).tiles] == [1]
    assert [each.index for each in find_pyramid(found).tiles] == [0], "the likeliest, if none can be read"


def test_rivals_have_the_size_of_the_pyramid() -> None:
    """Letters on a box of cereals and the die are smaller than the tiles, whatever else they look like."""
    quads = [quad_at(x, y) for x, y in BASE_AND_ONE]
    small, alike = quad_at(16, 0, side=20), quad_at(9, 4)
    assert find_pyramid([seen(quad) for quad in (*quads, small)]).rivals == 0
    assert find_pyramid([seen(quad) for quad in (*quads, small, alike)]).rivals == 1


def test_beside_a_lone_tile_whatever_looks_like_one_is_a_rival() -> None:
    """A red 30 lay alone beside a large sticky note with a 4: which of them is the tile, nobody can know."""
    tile, note = (
        replace(seen(quad), tile=0.999) for quad in (quad_at(0, 0, side=20), quad_at(9, 4, side=40))
    )
    assert find_pyramid([note, tile]).rivals == 1
    assert find_pyramid([note, replace(tile, tile=0.99)]).rivals == 0, "this may be a die"
    assert find_pyramid([tile]).rivals == 0
    leans = replace(tile, quad_px=tile.quad_px * np.float32([1, 0.9]))
    assert not leans.is_plain
    assert find_pyramid([note, leans]).rivals == 1, "the camera sees it aslant (film 379004)"


def test_two_things_that_hardly_look_like_tiles_are_doubtful_beside_a_surer_tile() -> None:
    """A yellow 120 lay alone; two small things beside each other made a pyramid of green 1 and yellow 6."""
    things = [replace(seen(quad_at(x, 0, side=20)), tile=0.95) for x in (0.0, 1.0)]
    tile = replace(seen(quad_at(9, 4)), tile=0.996)
    found = [tile, *things]
    laid = find_pyramid(found).tiles
    assert [each.index for each in laid] == [1, 2]
    assert may_be_none(found, laid)
    assert not may_be_none([replace(tile, tile=0.94), *things], laid), "nothing looks more like a tile"
    plain = [tile, things[0], replace(things[1], tile=0.999)]
    assert not may_be_none(plain, find_pyramid(plain).tiles)


def test_what_the_pictures_edge_cuts_off_is_no_rival_of_a_lone_tile() -> None:
    """The first tile lay on the table, and a square note with a 20 at the picture's edge (film 350020)."""
    note, tile = (replace(seen(quad), tile=0.999) for quad in (quad_at(9, 4, side=70), quad_at(0, 0)))
    pyramid = find_pyramid([replace(note, cut=True), tile])
    assert ([each.index for each in pyramid.tiles], pyramid.rivals) == ([1], 0)
    assert find_pyramid([note, tile]).rivals == 1


def test_what_the_pictures_edge_cuts_off_is_not_the_tile_however_well_it_reads() -> None:
    """A large note with a 120 read better than the left-over tile, which lay sideways (film 395108)."""
    note, tile = (replace(seen(quad), tile=0.999) for quad in (quad_at(9, 4, side=50), quad_at(0, 0)))
    note = replace(note, cut=True)

    def legible(each: list[Points]) -> Legibility:
        is_tile = abs(each[0].mean(axis=0) - tile.quad_px.mean(axis=0)).max() < 1
        return read(each, -2.0, -0.2) if is_tile else read(each, -0.01)

    assert [each.index for each in find_pyramid([note, tile], legible).tiles] == [1]
    doubtful = replace(tile, tile=0.98)
    assert [each.index for each in find_pyramid([note, doubtful], legible).tiles] == [0], "no plain tile"


def test_of_two_on_one_spot_the_surer_stays() -> None:
    """Two candidates for one tile are one tile."""
    tiles = [seen(quad_at(0, 0), score=0.4), seen(quad_at(0.1, 0), score=0.9), seen(quad_at(2, 0))]
    assert len(apart(tiles)) == 2
    assert apart(tiles)[0].score == 0.9


def test_nothing_found_is_no_pyramid() -> None:
    """An empty table has no tiles, and says so without an error."""
    assert find_pyramid([]).tiles == []
    assert upright([]) == []


def test_a_game_knows_which_way_its_tiles_lie() -> None:
    """One strange picture does not turn it; but if picture after picture says otherwise, it was wrong."""
    known = KnownWay()
    row = BASE_AND_ONE[:3]
    plain, doubtful, odd = (
        [seen(quad_at(*at), sure=sure, own=own) for at in row]
        for sure, own in ((0.97, 0), (0.4, 2), (0.97, 2))
    )
    for _ in range(5):
        find_pyramid(plain, known=known)
    upright_px = quad_at(*row[0])
    assert np.allclose(find_pyramid(doubtful, known=known).tiles[0].quad_px, upright_px, atol=1e-3)
    assert np.allclose(upright(doubtful, known=known)[0], upright_px, atol=1e-3)
    (lone,) = find_pyramid(doubtful[:1], known=known).tiles
    assert np.allclose(lone.quad_px, upright_px, atol=1e-3)
    for _ in range(6):
        find_pyramid(odd, known=known)
    (last, *_others) = find_pyramid(doubtful, known=known).tiles
    assert np.allclose(last.quad_px, turned(quad_at(*row[2]), 2), atol=1e-3)


def test_people_know_which_way_is_up() -> None:
    """They said that the one row runs the other way (film 395106)."""
    known, row = KnownWay(), BASE_AND_ONE[:2]
    doubtful = [seen(quad_at(*at), sure=0.4) for at in row]
    assert np.allclose(find_pyramid(doubtful, known=known).tiles[0].quad_px, quad_at(*row[0]), atol=1e-3)
    known.turn_over()
    first = find_pyramid(doubtful, known=known).tiles[0]
    assert np.allclose(first.quad_px, turned(quad_at(*row[1]), 2), atol=1e-3)


def test_a_game_knows_its_way_though_the_camera_was_turned_a_little() -> None:
    known = KnownWay()
    for degrees in (0, 20, 40, 60):
        find_pyramid([seen(quad_at(*at, degrees=degrees)) for at in BASE_AND_ONE], known=known)
    row = [quad_at(*at, degrees=60) for at in BASE_AND_ONE[:3]]
    laid = find_pyramid([seen(quad, sure=0.4, own=2) for quad in row], known=known).tiles
    assert np.allclose(laid[0].quad_px, row[0], atol=1e-3)


def test_the_figures_of_a_cloth_do_not_tell_which_way_is_up() -> None:
    """They are many, and all lie the same way; the tiles are surer to be some (film 320001)."""
    quads = [quad_at(x, y) for x, y in BASE_AND_ONE]
    tiles = [replace(seen(quad, sure=0.9), tile=0.999) for quad in quads]
    figures = [seen(quad_at(8 + 3 * at, 9, side=16), own=2) for at in range(20)]
    pyramid = find_pyramid([*tiles, *figures])
    assert [tile.place for tile in pyramid.tiles] == PLACES
    assert all(np.allclose(tile.quad_px, quads[tile.index], atol=1e-3) for tile in pyramid.tiles)


def test_notes_that_lie_about_do_not_tell_which_way_two_tiles_lie() -> None:
    """They are surer to be tiles, and larger, and lie another way; but touch none (film 347012)."""
    quads = [quad_at(x, 0) for x in (0.0, 1.0)]
    tiles = [replace(seen(quad, sure=0.9), tile=0.9985 - 0.002 * at) for at, quad in enumerate(quads)]
    notes = [replace(seen(quad_at(x, 3, side=70), own=1), tile=1.0) for x in (-3.0, 2.0)]
    pyramid = find_pyramid([*notes, *tiles])
    assert [(tile.index, tile.place) for tile in pyramid.tiles] == [(2, PLACES[0]), (3, PLACES[1])]


@pytest.mark.parametrize("chances", [(0.99, 0.99), (0.978, 0.96, 0.996)], ids=["two", "three"])
def test_one_note_does_not_stand_tiles_on_their_head(chances: tuple[float, ...]) -> None:
    """It was certainly a tile to the reader, and they were a little less (films 416284 and 424005)."""
    quads = [quad_at(x, 0) for x in range(len(chances))]
    tiles = [replace(seen(quad, sure=0.9), tile=tile) for quad, tile in zip(quads, chances, strict=True)]
    note = replace(seen(quad_at(-3.0, 3), own=2), tile=0.999)
    pyramid = find_pyramid([note, *tiles])
    assert [(tile.index - 1, tile.place) for tile in pyramid.tiles] == list(enumerate(PLACES[: len(chances)]))
    assert all(np.allclose(tile.quad_px, quads[tile.index - 1], atol=1e-3) for tile in pyramid.tiles)


def test_neither_a_hand_tells_which_way_is_up_nor_is_a_tile_across_a_gap_forgotten() -> None:
    """Three tiles of a hand touch each other too, and the base's last one none (table_018 of table-dev2)."""

    def certain(x: float, y: float, sure: float = 0.97, own: int = 0) -> FoundTile:
        return replace(seen(quad_at(x, y), sure=sure, own=own), tile=0.9995)

    weak = [certain(x, y, 0.6) for x, y in ((0.0, 0.0), (1.0, 0.0), (0.5, -1.0), (1.5, -1.0))]
    hand = [certain(1.3 + x, 3.5, own=2) for x in (0.0, 1.0, 2.0)]
    pyramid = find_pyramid([*weak, certain(4, 0), *hand])
    assert [tile.index for tile in pyramid.tiles] == [0, 1, 4, 2, 3], "from left to right, the base first"
    weak = [certain(x, 0, 0.26) for x in (0.0, 1.0)]
    assert [tile.index for tile in find_pyramid([*weak, certain(4, 0)]).tiles] == [0, 1, 2]
    assert [tile.index for tile in find_pyramid([*weak, certain(4, 0, own=2)]).tiles] == [2, 1, 0]


def test_places_beside_a_lone_tile_are_compared_with_more_of_the_cloth() -> None:
    """Four places alone do not show that a chequered cloth has light and dark squares (film 310013)."""
    rows, columns = np.mgrid[0:720, 0:1280] // 90
    cloth = np.where((rows + columns)[..., None] % 2, [60, 50, 45], [190, 220, 210]).astype(np.uint8)
    quad = (UNIT_SQUARE * 80 + [640, 290]).astype(np.float32)
    cloth[290:370, 640:720] = (40, 140, 40)
    empty = empty_neighbours([quad], [LatticePlace(0, 0)])
    worth, looks = worth_a_look(cloth, np.array([each.mean(axis=0) for _, each in empty]), empty)
    assert len(worth) == len(empty)
    assert looks.shown.min() > PARTLY_STRANGE_SHARE
    plain = np.full_like(cloth, 90)
    assert not worth_a_look(plain, np.zeros((0, 2)), empty)[0]
