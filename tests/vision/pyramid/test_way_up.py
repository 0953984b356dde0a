"""Which way up tiles lie that people lay as they come."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.imaging.geometry import UNIT_SQUARE, Points, turned, turned_as
from vision.pyramid.lattice import LatticePlace, lay_out, on_their_heads
from vision.pyramid.way_up import KnownWay, WaysUp, lone_turn

ROW_AND_ONE = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.5, -1.0)]


def quad_at(x: float, y: float) -> Points:
    """The quad of a tile, from its top left on the screen."""
    return ((UNIT_SQUARE + np.array([x, y]) * 1.03) * 40 + 300).astype(np.float32)


def lies(own: int, sure: float = 0.97) -> NDArray[np.float64]:
    """What a first look says of a face that lies so many quarters turned."""
    chances = np.full(4, (1 - sure) / 3)
    chances[own] = sure
    return chances


def ways_up(*own: int, known: KnownWay | None = None, sure: float = 0.97) -> WaysUp:
    """What the faces of a row, and of one tile upon it, say that lie so many quarters turned."""
    quads = [quad_at(*at) for at in ROW_AND_ONE[: len(own)]]
    return WaysUp.of(quads, [lies(each, sure) for each in own], range(len(own)), None, known)


def test_faces_that_agree_say_much_and_faces_that_contradict_each_other_hardly_anything() -> None:
    """Of a row of three two lay on their heads, and the pyramid was read from its top (film 472010)."""
    (agree, *_), (differ, _, on_head, _) = ways_up(0, 0, 0).logs, ways_up(0, 2, 2).logs
    assert agree - ways_up(0, 0, 0).logs[2] > 4
    assert 0 < on_head - differ < 2


def test_bricks_tell_which_way_is_up_where_faces_do_not() -> None:
    faces = ways_up(0, 2, 2, 2)
    upright = lay_out([quad_at(*at) for at in ROW_AND_ONE])
    by_bricks = faces.stands(upright) - faces.stands(on_their_heads(upright))
    assert by_bricks > faces.logs[2] - faces.logs[0] > 0
    aside = {index: place for index, place in upright.items() if index}
    assert faces.stands(upright) > faces.stands(aside), "what has a place speaks for it"


def test_tiles_on_their_heads_lie_in_the_places_that_the_lattice_has_then() -> None:
    upright = lay_out([quad_at(*at) for at in ROW_AND_ONE])
    from_above = lay_out([turned(quad_at(*at), 2) for at in ROW_AND_ONE])
    assert on_their_heads(upright) == from_above
    assert from_above[3] == LatticePlace(0, 4)


@pytest.mark.parametrize(("others", "turns"), [((0, 0, 0), 0), ((2, 0, 3), 2)])
def test_a_face_that_leans_to_its_head_lies_so_where_others_lie_as_they_come(
    others: tuple[int, ...], turns: int
) -> None:
    """A blue 6 on its head was read as a 7, whatever the others showed (film 472021)."""
    quads = [quad_at(*at) for at in ROW_AND_ONE]
    ups = [lies(2, 0.8), *(lies(own, 0.999) for own in others)]
    faces = WaysUp.of(quads, ups, range(4), None, None)

    def legible(each: list[Points]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        on_head = turned_as(each[0], quads[0]) == 2
        return np.array([0.0 if on_head else -2.0]), np.array([0.0])

    assert faces.own_turn(0, 0, legible) % 4 == turns


def test_the_way_that_reads_best_counts_not_only_the_one_that_a_first_look_prefers() -> None:
    quads = [quad_at(*at) for at in ROW_AND_ONE]
    leans = np.array([0.2, 0.63, 0.01, 0.16])  # it lies three quarters turned, and seems to lie one
    faces = WaysUp.of(quads, [leans, lies(2), lies(1), lies(3)], range(4), None, None)
    reads = {0: -2.4, 1: -2.4, 2: -5.0, 3: 0.0}

    def legible(each: list[Points]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.array([reads[turned_as(each[0], quads[0])]]), np.array([0.0])

    assert faces.own_turn(0, 0, legible) % 4 == turned_back(3)


def turned_back(quarters: int) -> int:
    """By how many quarters a quad is turned that lies so many turned."""
    return -quarters % 4


def test_a_game_remembers_that_people_lay_tiles_as_they_come() -> None:
    known = KnownWay()
    before, faces = known.careless, ways_up(0, 2, 1, 3, known=known)
    known.learn(quad_at(0, 0), faces.logs, faces.carelessness(0))
    assert known.careless > before + 2
    still = known.careless
    neat = ways_up(0, 0, 0, known=known)
    known.learn(quad_at(0, 0), neat.logs, neat.carelessness(0))
    assert known.careless == still


def test_a_lone_tile_lies_as_the_others_have_where_people_lay_them_upright_and_else_any_way() -> None:
    known = KnownWay()
    known.show(quad_at(0, 0))
    on_its_head = lies(2, 0.9)
    assert lone_turn(quad_at(0, 0), on_its_head, None, known) == 2
    leans = lies(2, 0.45)
    assert lone_turn(quad_at(0, 0), leans, None, known) == 0
    known.careless = 4.0
    assert lone_turn(quad_at(0, 0), lies(2, 0.7), None, known) == 2


def test_bricks_show_how_an_upright_tile_lies() -> None:
    known = KnownWay()
    for _ in range(3):
        known.learn(quad_at(0, 0), np.array([0.0, -9.0, -9.0, -9.0]), 0.0)
    known.show(turned(quad_at(0, 0), 2))
    assert known.logs(quad_at(0, 0)).argmax() == 2
    assert known.logs(turned(quad_at(0, 0), 2)).argmax() == 0
