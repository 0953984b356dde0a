"""Colours at the edge of the faces of a set, beside the corners that were found."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.imaging.geometry import UNIT_SQUARE, Points
from vision.recognition.edge_colours import AtEdge, KnownEdges, seen_to_the_edge

BLUE, RED = np.array([-0.6, -0.4, -0.4, 1.4]), np.array([-1.0, 6.0, -2.0, -3.0])
VAGUE = np.array([0.1, 0.0, -0.2, 0.1])
LEFT, TOP, RIGHT, BOTTOM = (0, -0.1), (1, -0.1), (0, 1.1), (1, 1.1)
"""The axis of a quad in sides from its tile's corner, and how far it reaches there."""


def quads(count: int) -> NDArray[np.float32]:
    """Tiles of 100 pixels, side by side."""
    return np.array([UNIT_SQUARE * 100 + [100 * index, 0] for index in range(count)], np.float32)


class Table:
    """Tiles that look rather blue within their corners, and red where they are seen to one side beyond."""

    def __init__(self, side: tuple[int, float] | None) -> None:
        self._side, self.looks = side, 0

    def __call__(self, seen: list[Points]) -> NDArray[np.float64]:
        self.looks += len(seen)
        return np.array([self._colour(quad) for quad in seen]).reshape(-1, 4)

    def _colour(self, quad: Points) -> NDArray[np.float64]:
        if self._side is None:
            return BLUE
        axis, reach = self._side
        end = quad[:, axis].min() if reach < 0 else quad[:, axis].max()
        goes_on = np.isclose(end % 100, (reach * 100) % 100, atol=0.01)
        return RED if goes_on else BLUE


def look(table: Table, edges: KnownEdges, count: int = 3, *, learns: bool = True) -> dict[int, AtEdge]:
    tints = np.tile(BLUE, (count, 1))
    seen = np.ones(count, bool)
    return dict(seen_to_the_edge(quads(count), tints, seen, table, edges, learns=learns))


@pytest.mark.parametrize("side", [LEFT, TOP, RIGHT, BOTTOM])
def test_a_stripe_beside_the_corners_is_seen_on_its_side(side):
    edges = KnownEdges()
    for _ in range(12):
        found = look(Table(side), edges)
    assert {index: chance for index, (_, chance) in found.items()} == {0: 1.0, 1: 1.0, 2: 1.0}
    assert all(np.allclose(tint, RED) for tint, _ in found.values())


def test_faces_that_gain_nothing_end_where_they_were_found():
    edges, table = KnownEdges(), Table(None)
    assert look(table, edges) == {}
    assert edges.shares().tolist() == [1, 0, 0, 0, 0]


def test_after_many_faces_nothing_is_looked_at_again():
    """A game with a set without stripes takes no longer than it did."""
    edges, table = KnownEdges(), Table(None)
    for _ in range(12):
        look(table, edges)
    looks, table.looks = table.looks, 0
    look(table, edges)
    assert looks
    assert not table.looks


def test_while_it_is_open_where_faces_end_each_likely_end_counts():
    edges = KnownEdges()
    edges.learn(quads(1), np.array([[VAGUE, VAGUE, BLUE, VAGUE, VAGUE]]))
    assert 0 < edges.shares()[2] < 1
    found = look(Table(TOP), edges, learns=False)
    assert all(0 < chance < 1 for _, chance in found.values())


def test_only_tiles_of_the_pyramid_tell_of_the_set():
    edges = KnownEdges()
    look(Table(TOP), edges, learns=False)
    assert edges.is_open
    assert edges.shares()[0] == 1


def test_a_clear_colour_is_not_looked_at_again():
    table, clear = Table(TOP), np.tile(2 * RED, (3, 1))
    assert not seen_to_the_edge(quads(3), clear, np.ones(3, bool), table, KnownEdges(), learns=True)
    assert not table.looks


def test_what_cannot_be_seen_is_not_looked_at():
    table, edges = Table(TOP), KnownEdges()
    assert not seen_to_the_edge(quads(3), np.tile(BLUE, (3, 1)), np.zeros(3, bool), table, edges, learns=True)
    assert not table.looks


def test_what_was_the_top_is_the_bottom_once_the_tiles_are_turned_over():
    edges = KnownEdges()
    for _ in range(12):
        look(Table(TOP), edges)
    edges.turn_over()
    assert edges.shares().tolist() == [0, 0, 0, 0, 1]


def test_the_side_is_known_by_what_people_and_rules_tell_of_a_colour():
    """On dark faces a stripe made the colour no clearer, but right (film 404039)."""
    yellow, blue = np.array([3.0, -1.0, -1.0, -1.0]), np.array([-1.0, -1.0, -1.0, 3.5])
    edges = KnownEdges()
    edges.learn(quads(2), np.array([[blue, blue, yellow, blue, blue]] * 2))
    assert edges.shares()[0] == 1
    edges.confirm(((103.0, 2.0), (203.0, 2.0), (203.0, 102.0), (103.0, 102.0)), 0)
    assert edges.shares().tolist() == [0, 0, 1, 0, 0]
    told = edges.shares().tolist()
    for quad in (quads(2)[1], quads(4)[3]):  # it was told before, and no face was shown there
        edges.confirm(tuple((float(x), float(y)) for x, y in quad), 3)
        assert edges.shares().tolist() == told


def test_what_was_shown_on_an_earlier_picture_is_told_no_more():
    edges = KnownEdges()
    edges.learn(quads(1), np.array([[BLUE, BLUE, RED, BLUE, BLUE]]))
    before = edges.shares().tolist()
    look(Table(None), edges, count=0)
    edges.confirm(tuple((float(x), float(y)) for x, y in quads(1)[0]), 3)
    assert edges.shares().tolist() == before
