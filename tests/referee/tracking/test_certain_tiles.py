"""Which tiles of the table a follower knows for certain. Rule 5."""

from __future__ import annotations

import pytest

from referee.rules.layout import Layout
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Reply
from referee.tracking.questions import QuestionKind
from tests.referee.tracking.tables import QUESTIONS, follow, table


def certain(follower: Follower) -> dict[tuple[int, int], str]:
    return {place: tile.code for place, tile in follower.certain_tiles.items()}


def test_what_was_placed_and_surely_read_is_certain() -> None:
    assert certain(follow("R40", "R40 B20", "R40 B20/R4")) == {(0, 0): "R40", (0, 1): "B20", (1, 0): "R4"}


def test_before_the_game_nothing_is() -> None:
    assert certain(Follower(4)) == {}


@pytest.mark.parametrize("kind", list(QUESTIONS), ids=lambda kind: kind.value)
def test_nothing_is_while_something_is_asked(kind: QuestionKind) -> None:
    assert certain(QUESTIONS[kind].follower()) == {}


def test_an_answer_makes_it_certain() -> None:
    follower = QUESTIONS[QuestionKind.WHICH_TILE].follower()
    follower.hear(Answered(31, Reply.TILE, "B10", 0, 1))
    assert certain(follower) == {(0, 0): "R40", (0, 1): "B10"}


def test_a_tile_that_was_set_aside_is_not() -> None:
    follower = QUESTIONS[QuestionKind.WHICH_TILE].follower()
    follower.hear(Answered(31, Reply.AS_IT_LIES))
    assert certain(follower) == {(0, 0): "R40"}


def test_beliefs_are_of_the_last_table() -> None:
    follower = follow("R40", "R40 B20")
    assert [(str(belief.layout), belief.chance) for belief in follower.beliefs] == [("R40 B20", 1.0)]
    follower = QUESTIONS[QuestionKind.WHICH_TILE].follower()
    assert [str(belief.layout) for belief in follower.beliefs] == ["R40 B20", "R40 B10"]
    assert 1 > follower.beliefs[0].chance > follower.beliefs[1].chance > 0
    follower.hear(Corrected(32, Layout.parse("R40 B10")))
    assert follower.beliefs == ()


def test_nothing_is_while_a_known_tile_is_surely_read_as_another() -> None:
    follower = follow("R40", "R40 B20")
    follower.hear(table("R40 B20", 20, B20="B10"))
    assert certain(follower) == {}
    follower.hear(table("R40 B20", 25))
    assert certain(follower) == {(0, 0): "R40", (0, 1): "B20"}


def test_nothing_is_while_something_lies_over_the_table() -> None:
    follower = follow("R40", "R40 B20")
    follower.hear(table("R40 B20", 20, hidden=True))
    assert certain(follower) == {}
