"""Codes of a picture are one assignment."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from vision.recognition.assignment import assign_codes, least_cost_columns


def log_rows(*rows: list[float]) -> np.ndarray:
    return np.log(np.array(rows))


def test_no_tiles() -> None:
    """An empty table has no codes."""
    assert assign_codes(np.zeros((0, 45))) == []


def test_a_code_is_given_once() -> None:
    """Where two tiles look like one code, the one that can be another yields."""
    first, second = assign_codes(log_rows([0.6, 0.3, 0.1], [0.9, 0.05, 0.05]))
    assert (first.index, second.index) == (1, 0)


def test_confidence_knows_of_the_others() -> None:
    """A tile that a sure neighbour crowds out of its likeliest code becomes surer of its second."""
    alone = assign_codes(log_rows([0.49, 0.5, 0.01]))[0]
    beside = assign_codes(log_rows([0.49, 0.5, 0.01], [0.001, 0.998, 0.001]))[0]
    assert alone.confidence == pytest.approx(0.5, abs=0.01)
    assert beside.index == 0
    assert beside.confidence > 0.9


def test_what_is_no_tile_takes_no_code() -> None:
    """Even many empty places that look a little like one tile do not crowd out that tile."""
    table = [0.4, 0.3, 0.3]
    log_chances = log_rows(table, [0.9, 0.05, 0.05], table, table)
    tile = assign_codes(log_chances, tile=np.array([0.5, 0.999, 0.5, 0.5]))[1]
    assert (tile.index, round(tile.confidence, 1)) == (0, 0.9)
    chances = [one.confidence for one in assign_codes(log_chances, tile=np.full(4, 0.01))]
    assert max(chances) < 0.1
    same = assign_codes(log_rows([0.9, 0.05, 0.05], [0.95, 0.04, 0.01]), tile=np.array([0.99, 1.0]))
    assert [one.index for one in same] == [1, 0]  # both are tiles


def test_alternatives_carry_their_chances_likeliest_first() -> None:
    """What cannot be ruled out is listed; what is below one in a hundred is not."""
    (tile,) = assign_codes(log_rows([0.05, 0.7, 0.245, 0.005]))
    assert tile.index == 1
    assert [code for code, _ in tile.alternatives] == [2, 0]
    assert tile.confidence + sum(chance for _, chance in tile.alternatives) == pytest.approx(1, abs=0.01)


def test_more_tiles_than_codes_are_refused() -> None:
    """Three tiles cannot have two codes."""
    with pytest.raises(ValueError, match="3 tiles"):
        assign_codes(np.zeros((3, 2)))


@pytest.mark.parametrize("kind", ["chances", "far apart", "many alike"])
def test_the_assignment_is_the_cheapest_as_another_hand_finds_it(kind: str) -> None:
    rng = np.random.default_rng(3)
    for count, free in rng.integers(0, 40, (60, 2)).tolist():
        shape = (count, count + free)
        cost = {
            "chances": lambda shape=shape: -np.log(rng.random(shape)),
            "far apart": lambda shape=shape: np.minimum(rng.exponential(400, shape), 1000),
            "many alike": lambda shape=shape: rng.integers(0, 4, shape).astype(float),
        }[kind]()
        rows, theirs = linear_sum_assignment(cost)
        ours = least_cost_columns(cost)
        assert len(set(ours.tolist())) == count
        assert cost[rows, ours].sum() == pytest.approx(cost[rows, theirs].sum())
        if kind != "many alike":
            assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("cost", [np.zeros((3, 2)), np.full((2, 2), np.nan), np.full((1, 2), -np.inf)])
def test_what_has_no_cheapest_assignment_is_refused(cost: np.ndarray) -> None:
    with pytest.raises(ValueError, match="no finite number, or"):
        least_cost_columns(cost)
