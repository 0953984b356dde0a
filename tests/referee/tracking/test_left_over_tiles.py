"""The start of a game where it was asked for left-over tiles, and tiles came. Rule 5."""

from __future__ import annotations

from dataclasses import replace

from referee.rules.tiles import TILES
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Reply
from referee.tracking.questions import AS_IT_LIES, MENDED, QuestionKind
from tests.referee.tracking.tables import table, told


def test_a_tile_that_comes_after_it_was_asked_for_may_have_been_placed():
    """The left-over tile was an incendiary, nobody said so, and each turn was counted one too low."""
    for answer, left_over, lines in (
        (AS_IT_LIES, None, ["notice", "placed R40 turn 1 player 0", "placed B20 turn 2 player 1"]),
        (MENDED, "R40", ["notice", "placed B20 turn 1 player 0"]),
    ):
        follower = Follower(2)
        follower.hear(table("-"))
        (line,) = follower.hear(table("R40", 5))
        assert (line.question.kind, line.question.lying) == (QuestionKind.LEFT_OVER, 0)
        assert line.question.tiles == (TILES["R40"],)
        assert follower.hear(table("R40 B20", 40)) == []
        assert follower.hear(table("R40 B20", 41)) == []
        assert not follower.has_begun
        assert told(follower.hear(answer.at(42))) == lines
        assert (TILES["R40"] in follower.game.setup.left_over) is (left_over is not None)


def test_a_doubtful_tile_that_comes_after_it_was_asked_for_may_have_been_placed():
    follower = Follower(2)
    follower.hear(table("-"))
    assert told(follower.hear(table("R40", 5, R40="R40 0.9 B40 0.05"))) == ["question R40/B40"]
    assert told(follower.hear(table("R40", 7))) == ["question R40"]


def test_of_two_tiles_after_it_was_asked_for_the_left_over_one_both_may_have_been_placed():
    follower = Follower(2)
    follower.hear(table("-"))
    assert told(follower.hear(table("R40 B20", 5))) == ["question R40 B20"]
    assert follower.hear(table("R40 B20/R4", 9)) == []
    assert not follower.has_begun
    assert told(follower.hear(Answered(10, Reply.TILE, "R40", 0, 0))) == [
        "notice", "placed R40 turn 1 player 0", "placed R4 turn 2 player 1"
    ]  # fmt: skip


def test_a_tile_that_is_taken_up_again_was_neither_placed_nor_left_over():
    follower = Follower(6)
    follower.hear(table("Y6 Y4"))
    assert told(follower.hear(table("Y6 Y4 R60", 1))) == ["question R60"]
    assert told(follower.hear(table("Y6 Y4", 40))) == ["question "]
    assert told(follower.hear(table("Y6 Y4/Y2", 44))) == ["notice", "placed Y2 turn 1 player 0"]


def test_what_comes_after_it_was_asked_for_may_be_no_tile():
    follower = Follower(2)
    follower.hear(table("-"))
    follower.hear(table("B120", 5))
    (line,) = follower.hear(Answered(6, Reply.NO_TILE))
    assert (line.question.kind, line.question.tiles) == (QuestionKind.LEFT_OVER, ())


def test_a_tile_under_a_hand_is_not_taken_for_the_left_over_one_that_was_asked_for():
    follower = Follower(2)
    follower.hear(table("-"))
    follower.hear(replace(table("R40", 5), hidden=True))
    assert told(follower.hear(table("R40 B20", 9)))[0] == "question R40 B20"
    assert not follower.has_begun


def test_a_tile_in_doubt_that_came_alone_came_before_the_one_beside_which_it_is_told():
    """Nobody said which of them had come first, and all that followed waited for it (film 475381)."""
    for answer, lines in (
        (
            AS_IT_LIES,
            ["notice", "placed R40 turn 1 player 0", "placed B20 turn 2 player 1"],
        ),
        (MENDED, ["notice", "placed B20 turn 1 player 0"]),
    ):
        follower = Follower(2)
        for seen in (table("-"), table("R40", 5, R40="R4 0.6 R40 0.3"), table("-", 7)):
            follower.hear(seen)
        (line,) = follower.hear(table("B20 R40", 9))
        assert (line.question.kind, line.question.tiles) == (QuestionKind.LEFT_OVER, (TILES["R40"],))
        assert told(follower.hear(answer.at(10))) == lines


def test_a_tile_that_stays_in_doubt_came_first_all_the_same():
    """Two ways led to the table, alike but for that, and the game was never told (film 475180)."""
    follower = Follower(2)
    doubt = {"R4": "R4 0.6 R7 0.4"}
    for seen in (table("-"), table("R4", 5, **doubt), table("-", 7), table("R4 G10", 9, **doubt)):
        follower.hear(seen)
    follower.hear(table("R4 G10/B10", 80, **doubt))
    assert told(follower.hear(table("R4 G10/B10", 90))) == [
        "placed R4 turn 1 player 0", "placed G10 turn 2 player 1", "placed B10 turn 3 player 0"
    ]  # fmt: skip
