"""The start of a game: the left-over tiles. Rule 5."""

from __future__ import annotations

from referee.rules.tiles import TILES
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Reply
from referee.tracking.state import PATIENCE_S
from tests.referee.tracking.tables import table, told


def test_the_left_over_tile_lies_on_the_first_table():
    follower = Follower(2)
    assert told(follower.hear(table("Y6"))) == ["notice"]
    assert follower.game.setup.left_over == (TILES["Y6"],)
    assert told(follower.hear(table("Y6 R40", 5))) == ["placed R40 turn 1 player 0"]


def test_a_left_over_tile_that_cannot_be_told_is_asked_about():
    follower = Follower(2)
    assert told(follower.hear(table("Y6", Y6="Y6 0.6 Y4 0.4"))) == ["question Y6/Y4"]
    assert told(follower.hear(table("Y6", 5))) == ["notice"]
    assert follower.game.setup.left_over == (TILES["Y6"],)
    follower = Follower(2)
    follower.hear(table("Y6", 5, Y6="Y6 0.6 Y4 0.4"))
    assert told(follower.hear(table("Y6", 6 + PATIENCE_S, Y6="Y6 0.6 Y4 0.4"))) == ["notice"]


def test_left_over_tiles_that_are_still_being_laid():
    follower = Follower(6)
    assert told(follower.hear(table("-"))) == ["question "]
    follower.hear(table("Y6", 1))
    follower.hear(table("Y6 Y4", 2))
    assert told(follower.hear(table("Y6 Y4 R60", 3))) == ["notice"]
    assert len(follower.game.setup.left_over) == 3
    assert told(follower.hear(table("Y6 Y4 R60/Y2 -", 4))) == ["placed Y2 turn 1 player 0"]


def test_left_over_incendiaries_leave_the_game_unseen():
    follower = Follower(6)
    follower.hear(table("Y6 Y4"))
    assert told(follower.hear(table("Y6 Y4/Y2", 4))) == ["notice", "placed Y2 turn 1 player 0"]
    (out,) = follower.game.out
    # Nobody knows which it was: the one that was thought out of the game is played.
    lines = follower.hear(table(f"Y6 Y4 {out.code}/Y2 -", 9))
    assert told(lines)[0] == f"placed {out.code} turn 2 player 1"
    assert len(follower.game.out) == 1


def test_an_answer_says_that_the_left_over_tile_was_an_incendiary():
    follower = Follower(2)
    follower.hear(table("-"))
    assert told(follower.hear(Answered(1, Reply.TILE, "R7"))) == ["notice"]
    assert follower.game.out == (TILES["R7"],)
    assert told(follower.hear(table("R40", 5))) == ["placed R40 turn 1 player 0"]
    follower = Follower(2)
    follower.hear(table("-"))
    follower.hear(Answered(1, Reply.AS_IT_LIES))
    assert told(follower.hear(table("R40", 5))) == ["placed R40 turn 1 player 0"]


def test_a_game_that_began_before_the_camera_did():
    follower = Follower(2)
    lines = follower.hear(table("R40 B20 Y30/R4 -"))
    assert told(lines) == ["notice", "question B20 Y30 R4"]
    follower.hear(Answered(1, Reply.AS_IT_LIES))
    assert told(follower.hear(table("R40 B20 Y30/R4 B10", 5)))[0].startswith("placed B10")


def test_an_incendiary_on_the_first_table_is_no_left_over_tile():
    follower = Follower(2)
    assert told(follower.hear(table("R7"))) == ["notice", "placed R7 turn 1 player 0"]
    assert len(follower.game.out) == 1


def test_more_incendiaries_than_can_be_there_are_asked_about():
    follower = Follower(6)
    follower.hear(table("-"))
    follower.hear(Answered(1, Reply.AS_IT_LIES))
    assert told(follower.hear(table("B7", 5))) == ["placed B7 turn 1 player 0"]
    # Three are out of the game.
    assert told(follower.hear(table("B7 Y1", 9))) == ["question Y1"]
