"""The start of a game: the left-over tiles. Rule 5."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.game import Setup
from referee.rules.tiles import TILES
from referee.search.evidence import Evidence
from referee.search.observation import Settled
from referee.tracking.announcements import Remark, TilePlaced
from referee.tracking.follower import Follower
from referee.tracking.game_start import open_game, read_row_later
from referee.tracking.inputs import Answered, Reply
from referee.tracking.questions import QuestionKind
from referee.tracking.state import PATIENCE_S
from tests.referee.tracking.tables import follow, kind_of, table, told


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
    assert told(follower.hear(table("Y6 Y4 R60", 3))) == ["question R60"]
    assert told(follower.hear(Answered(3, Reply.MENDED))) == ["notice"]
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


def test_a_game_does_not_begin_without_the_tiles_that_people_say_lie_there():
    """What was placed on the only two that were seen was told as if they were all (film 381032)."""
    follower = Follower(6)
    follower.hear(table("Y6 Y4"))
    assert follower.hear(Answered(1, Reply.MENDED)) == []
    (line,) = follower.hear(table("Y6 Y4/Y2", 4))
    assert (line.question.kind, line.question.lying) == (QuestionKind.LEFT_OVER, 2)
    assert not follower.has_begun
    assert told(follower.hear(Answered(5, Reply.AS_IT_LIES)))[0] == "notice"
    assert follower.has_begun


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


def test_a_left_over_tile_that_a_hand_hid_was_not_placed_when_it_is_seen_again():
    """It was in doubt, and asked for while the hand lay over it (film 411065)."""
    follower = Follower(2)
    follower.hear(table("G40", G40="G40 0.9 B40 0.05"))
    assert told(follower.hear(table("-", 2))) == ["question "]
    assert told(follower.hear(table("G40", 4))) == ["notice"]


@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_left_over_tile_that_nobody_can_tell_lies_there_all_the_same(is_hidden: bool):
    """It counted as placed, and soon the game was lost (film 411129); or a hand lay over it (438243)."""
    follower, doubt = Follower(2), {"R10": "R10 0.82 R6 0.12 R4 0.05"}
    (lay,) = table("R10", **doubt).tiles
    assert told(follower.hear(Settled(0, (replace(lay, lay_first=True),)))) == ["question R10/R6/R4"]
    if is_hidden:
        assert told(follower.hear(table("-", 1))) == ["question "]
    assert told(follower.hear(table("Y30 R10", 2, **doubt))) == ["question R10/R6/R4"]
    lines = follower.hear(table("Y30 R10/B4", 4, **doubt))
    assert told(lines) == ["notice", "placed Y30 turn 1 player 0", "placed B4 turn 2 player 1"]
    assert lines[0].tiles == ()
    assert follower.unread == {TILES["R10"]}
    line = follower.hear(table("Y30 R10/B4", 6))[0]
    assert (line.remark, line.tiles) == (Remark.READ, (TILES["R10"],))


def test_which_tile_was_left_over_is_no_guess():
    follower, doubt = Follower(2), {"R10": "R10 0.82 R6 0.12 R4 0.05", "R6": "R10 0.4 R6 0.55"}
    follower.hear(table("R10", **doubt))
    follower.hear(table("R6 R10", 2, **doubt))
    assert "placed" not in " ".join(told(follower.hear(table("R6 R10/B4", 4, **doubt))))


def test_a_tile_that_was_not_found_at_first_was_left_over():
    """The picture shows that it lay there; nobody need be asked which of the two was placed (film 411200)."""
    lay, came = table("B30 R6", 5).tiles
    for tiles, placed in (((replace(lay, lay_first=True), came), ["R6"]), ((lay, came), [])):
        follower = Follower(2)
        follower.hear(table("-"))
        lines = follower.hear(Settled(5, tiles))
        assert [line.tile.code for line in lines if isinstance(line, TilePlaced)] == placed
        assert follower.has_begun is bool(placed)


def test_a_tile_that_comes_where_a_thing_passed_for_one_may_have_been_placed():
    """A square of the cloth passed for an incendiary, and the next tile for left over (film 411221)."""
    follower = Follower(2)
    follower.hear(table("B7", B7="B7 0.66 R7 0.31"))
    assert told(follower.hear(table("B10", 3))) == ["question B10"]
    follower = Follower(2)
    follower.hear(table("B7", B7="B7 0.66 B10 0.31"))
    assert told(follower.hear(table("B10", 3))) == ["notice"]


def test_a_tile_that_was_read_as_another_one_at_first_was_left_over():
    """A blue 6 had been a blue 10 or 40 (film 411335)."""
    follower = Follower(2)
    follower.hear(table("B10", B10="B10 0.95 B40 0.03"))
    (lay,) = table("B6").tiles
    assert told(follower.hear(Settled(2, (replace(lay, lay_first=True),)))) == ["notice"]


def test_a_first_table_that_was_seen_late_tells_nothing_of_what_came():
    follower = Follower(2)
    tiles = tuple(replace(each, lay_first=True) for each in table("B30 R6").tiles)
    assert told(follower.hear(Settled(5, tiles))) == ["question B30 R6"]


def test_a_tile_that_was_not_found_and_lies_alone_was_left_over():
    follower = Follower(2)
    follower.hear(table("-"))
    (lay,) = table("B30").tiles
    assert told(follower.hear(Settled(5, (replace(lay, lay_first=True),)))) == ["notice"]


def test_what_lay_there_first_is_known_though_the_camera_was_bumped():
    """Of two left-over tiles one was told as placed from then on (film 411416)."""
    follower, tiles = Follower(6), table("G60 B120/G4").tiles
    follower.hear(Settled(0, tuple(replace(each, lay_first=True) for each in table("G60 B120").tiles)))
    lines = follower.hear(Settled(9, tuple(replace(each, lay_first=each.slot == 1) for each in tiles)))
    assert told(lines)[:2] == ["notice", "placed G4 turn 1 player 0"]


def test_a_note_that_lies_alone_is_no_left_over_tile_when_people_say_so():
    follower = Follower(2)
    note = {"B120": "B120 0.93 Y120 0.04"}
    (line,) = follower.hear(table("B120", 1, **note))
    assert [answer.reply for answer in line.question.answers] == [Reply.TILE, Reply.TILE, Reply.NO_TILE]
    (line,) = follower.hear(Answered(2, Reply.NO_TILE))
    assert (line.question.kind, line.question.lying) == (QuestionKind.LEFT_OVER, 0)
    follower.hear(Answered(3, Reply.MENDED))
    lines = follower.hear(table("R40", 5))
    assert (told(lines), lines[0].tiles) == (["notice"], (TILES["R40"],))


def test_what_was_denied_is_no_left_over_tile_when_it_is_placed_later():
    """A note with a 120 was denied, and the red 120 that was placed passed for it (film 386028)."""
    follower = Follower(2)
    follower.hear(table("R120", 1, R120="R120 0.9 B120 0.09"))
    follower.hear(Answered(2, Reply.NO_TILE))
    follower.hear(Answered(3, Reply.MENDED))
    (line,) = follower.hear(table("Y100 R120", 5))
    assert line.question.kind is QuestionKind.PLACED_FIRST


def test_what_lies_alone_before_anything_was_placed_may_be_no_tile():
    """With 3 players none is left over, and a thing may be taken for the first tile."""
    follower = Follower(3)
    assert follower.left_over == 0
    assert Follower(2).left_over == 1
    note = {"B120": "B120 0.97"}
    (line,) = follower.hear(table("B120", 1, **note))
    assert [answer.reply for answer in line.question.answers] == [
        Reply.TILE, Reply.AS_IT_LIES, Reply.NO_TILE
    ]  # fmt: skip
    assert follower.hear(Answered(2, Reply.NO_TILE)) == []
    assert (follower.is_waiting, follower.question, follower.game.actions) == (False, None, ())
    assert told(follower.hear(table("R40", 5))) == ["placed R40 turn 1 player 0"]


def test_what_is_taken_for_a_new_tile_may_be_none():
    """A mug stood where a tile had been taken, and was read as one (film 367018)."""
    follower = follow("R40", "R40 B20")
    mug = {"G4": "G4 0.6 G6 0.3"}
    assert told(follower.hear(table("R40 B20/G4", 30, **mug))) == ["question G4/G6"]
    assert follower.hear(Answered(31, Reply.NO_TILE)) == []
    assert (follower.is_waiting, follower.question) == (False, None)
    assert follower.hear(table("R40 B20/G4", 32, **mug)) == []
    assert follower.hear(table("R40 B20", 40)) == []
    assert told(follower.hear(table("R40 B20/R4", 50))) == ["placed R4 turn 3 player 2"]


def test_what_lies_alone_before_anything_was_placed_may_be_the_first_tile():
    follower = Follower(3)
    follower.hear(table("B120", 1, B120="B120 0.97"))
    assert told(follower.hear(Answered(2, Reply.TILE, "B120", 0, 0))) == ["placed B120 turn 1 player 0"]


def test_a_game_that_began_before_the_camera_did():
    follower = Follower(2)
    lines = follower.hear(table("R40 B20 Y30/R4 -"))
    assert told(lines) == ["notice", "question B20 Y30 R4"]
    follower.hear(Answered(1, Reply.AS_IT_LIES))
    assert told(follower.hear(table("R40 B20 Y30/R4 B10", 5)))[0].startswith("placed B10")


@pytest.mark.parametrize("heard", [Answered(1, Reply.TILE, "R7", 0, 0), table("R7", 1 + PATIENCE_S)])
def test_an_incendiary_on_the_first_table_is_no_left_over_tile(heard):
    """It has been placed, or is none at all: a yellow die was surely read as a yellow 1 (film 408071)."""
    follower = Follower(2)
    assert told(follower.hear(table("R7"))) == ["question R7"]
    assert told(follower.hear(heard)) == ["notice", "placed R7 turn 1 player 0"]
    assert len(follower.game.out) == 1


def test_a_thing_that_passed_for_an_incendiary_is_none_once_people_say_so():
    follower = Follower(2)
    follower.hear(table("Y1"))
    (line,) = follower.hear(Answered(1, Reply.NO_TILE))
    assert line.question.kind is QuestionKind.LEFT_OVER
    follower.hear(Answered(2, Reply.MENDED))
    assert told(follower.hear(table("Y6", 5))) == ["notice"]
    assert follower.game.setup.left_over == (TILES["Y6"],)


def test_more_incendiaries_than_can_be_there_are_asked_about():
    follower = Follower(6)
    follower.hear(table("-"))
    follower.hear(Answered(1, Reply.AS_IT_LIES))
    assert told(follower.hear(table("B7", 5))) == ["placed B7 turn 1 player 0"]
    # Three are out of the game.
    assert told(follower.hear(table("B7 Y1", 9))) == ["question Y1"]


def test_two_left_over_tiles_are_not_the_same_one():
    follower = Follower(6)
    seen = {"Y4": "Y6 0.6 Y4 0.39"}
    assert told(follower.hear(table("Y6 Y4 R60", 1, **seen))) == ["question Y6/Y4"]
    (line,) = follower.hear(table("Y6 Y4 R60", 2 + PATIENCE_S, **seen))
    assert line.tiles == (TILES["Y6"], TILES["R60"])  # of the other it is not told which it is
    assert follower.game.setup.left_over == (TILES["Y6"], TILES["Y4"], TILES["R60"])
    assert follower.unread == {TILES["Y4"]}


def test_a_left_over_tile_that_can_only_be_another_one_is_asked_about_for_ever():
    follower = Follower(6)
    assert told(follower.hear(table("Y6 Y4 R60", 1, Y4="Y6"))) == ["question Y6"]
    assert follower.hear(table("Y6 Y4 R60", 2 + PATIENCE_S, Y4="Y6")) == []
    assert not follower.has_begun


def test_left_over_tiles_that_could_not_be_told_are_those_that_lie_on_the_next_table():
    row = Evidence.of(table("Y6 G4", Y6="Y6 0.6 Y4 0.3", G4="G4 0.6 G6 0.3"))
    none = (("Y6 R40", ""), ("Y6 Y4 G4", ""), ("R40 G4/Y6", ""))
    for seen, codes in (("Y6 G4 R40", "Y6 G4"), ("Y4 R40 G6", "Y4 G6"), *none):
        found = read_row_later(row, Evidence.of(table(seen)))
        assert " ".join(tile.code for tile in found) == codes
    assert read_row_later(row, Evidence.of(table("Y6 G4", G4="G4 0.9 G6 0.1"))) == ()
    assert read_row_later(None, Evidence.of(table("Y6"))) == ()


@pytest.mark.parametrize(
    ("row", "out", "stand_ins", "others"),
    [
        ("Y6 Y4 R60", "", "", ""), ("Y6 Y4", "", "Y1", "G1 R7 B7"), ("Y6", "", "Y1 G1", "R7 B7"),
        ("Y6", "Y1", "G1", "R7 B7"), ("Y6 Y4", "R7", "", ""),
    ],
)  # fmt: skip
def test_incendiaries_stand_for_left_over_tiles_that_nobody_saw(row, out, stand_ins, others):
    def tiles(codes):
        return tuple(TILES[code] for code in codes.split())

    game, found = open_game(Setup(6), tiles(row), tiles(out))
    assert game.setup.left_over == tiles(f"{row} {out} {stand_ins}")
    assert {*game.out} == {*tiles(f"{out} {stand_ins}")}
    assert found == {tile: tiles(others) for tile in tiles(stand_ins)}


def test_a_left_over_tile_that_was_seen_beside_a_hand_alone():
    follower = Follower(2)
    assert follower.hear(table("Y6", hidden=True)) == []
    assert follower.hear(table("Y6", 1, hidden=True)) == []
    assert told(follower.hear(table("Y6 R40", 5))) == ["notice", "placed R40 turn 1 player 0"]
    assert follower.game.setup.left_over == (TILES["Y6"],)


def test_left_over_tiles_that_were_seen_beside_a_hand_alone_and_have_gone_since():
    """Of 3 left-over tiles 2 were taken, with the first tile that was placed. The rest is no row."""
    follower = Follower(6)
    follower.hear(table("Y30 Y40 B40", hidden=True))
    follower.hear(table("Y30", 1, hidden=True))
    lines = follower.hear(table("Y30 - -/- G100", 5))
    assert told(lines)[:2] == ["notice", "placed G100 turn 1 player 0"]
    assert follower.game.setup.left_over == tuple(TILES[code] for code in ("Y30", "Y40", "B40"))


def test_left_over_tiles_of_which_a_hand_hides_some_are_waited_for():
    follower = Follower(6)
    follower.hear(table("Y30 Y40 B40", hidden=True))
    assert follower.hear(table("Y40 B40", 1, Y40="Y40 0.7 Y4 0.2")) == []
    assert (follower.question, follower.is_waiting) == (None, True)
    assert told(follower.hear(table("Y30 Y40 B40", 2))) == ["notice"]
    assert follower.game.setup.left_over == tuple(TILES[code] for code in ("Y30", "Y40", "B40"))


def test_left_over_tiles_that_do_not_come_back_are_asked_about():
    follower = Follower(6)
    follower.hear(table("Y30 Y40 B40", hidden=True))
    assert follower.hear(table("Y40 B40", 1)) == []
    assert told(follower.hear(table("Y40 B40", 2 + PATIENCE_S))) == ["question "]


def test_fewer_left_over_tiles_beside_a_hand_tell_nothing():
    follower = Follower(6)
    follower.hear(table("Y6", hidden=True))
    assert told(follower.hear(table("Y6 Y4 R60", 5))) == ["notice"]
    follower = Follower(2)
    follower.hear(table("R7", hidden=True))
    follower.hear(table("Y6", 1, hidden=True, Y6="Y6 0.6 Y4 0.4"))
    assert told(follower.hear(table("Y6 R7", 5))) == ["question R7"]


def test_a_first_table_with_one_tile_too_many_of_which_one_cannot_be_read():
    """It is asked which tile that is, and then which was placed first."""
    follower = Follower(2)
    assert told(follower.hear(table("R60 G6", G6="G6 0.8 G4 0.15"))) == ["question G6/G4"]
    assert told(follower.hear(Answered(1, Reply.TILE, "G4", 0, 1))) == ["question R60 G4"]
    lines = follower.hear(Answered(2, Reply.TILE, "R60", 0, 0))
    assert told(lines) == ["notice", "placed R60 turn 1 player 0"]
    assert follower.game.setup.left_over == (TILES["G4"],)


def test_a_first_table_with_one_tile_too_many_of_which_one_is_covered_is_waited_for():
    follower = Follower(2)
    assert follower.hear(table("R60 G6", G6="covered")) == []
    assert (follower.question, follower.is_waiting) == (None, True)
    assert told(follower.hear(table("R60 G6", 2))) == ["question R60 G6"]


def test_a_first_table_on_which_two_tiles_are_read_alike_is_not_asked_about():
    """Which of them was placed first nobody could say by its name; the game begins with what fits."""
    follower = Follower(2)
    follower.hear(table("R60 G6", G6="R60"))
    assert follower.has_begun


def test_the_first_table_has_one_tile_too_many():
    follower = Follower(2)
    assert told(follower.hear(table("Y6 R40"))) == ["question Y6 R40"]
    lines = follower.hear(Answered(1, Reply.TILE, "R40", 0, 1))
    assert told(lines) == ["notice", "placed R40 turn 1 player 0"]
    assert follower.game.setup.left_over == (TILES["Y6"],)
    follower = Follower(2)
    follower.hear(table("Y6 R40"))
    assert told(follower.hear(Answered(1, Reply.AS_IT_LIES)))[0] == "notice"
    follower = Follower(2)
    follower.hear(table("Y6 R40"))
    assert told(follower.hear(table("Y6 R40", 1 + PATIENCE_S)))[0] == "notice"


def test_the_first_table_has_a_tile_in_the_second_row():
    follower = Follower(6)
    assert told(follower.hear(table("Y6 Y4 R60/Y2 -"))) == ["question Y2"]


def test_of_a_table_on_which_more_lies_than_was_left_over_as_many_were_placed_as_were():
    """The left-over tile was not seen when it was laid, and all turns were counted as the next (404299)."""
    follower = Follower(2)
    assert told(follower.hear(table("-"))) == ["question "]
    assert follower.hear(Answered(1, Reply.MENDED)) == []
    assert told(follower.hear(table("G4 Y30/B100", 5))) == ["question G4 Y30"]
    assert told(follower.hear(Answered(6, Reply.AS_IT_LIES)))[0] == "notice"
    assert follower.game.setup.left_over == (TILES["G4"],)
    if follower.question is not None:
        follower.hear(Answered(7, Reply.AS_IT_LIES))
    assert sum(follower.game.stocks) == 42


def test_a_left_over_tile_that_cannot_be_read_is_asked_about_though_another_was_placed_since():
    """It was asked for the third of them again and again, and nothing was told (film 407009)."""
    follower = Follower(6)
    follower.hear(table("Y6 Y4"))
    assert follower.hear(Answered(1, Reply.MENDED)) == []
    unread = {"G40": "G6 0.2 G40 0.15 B60 0.1"}
    assert told(follower.hear(table("Y6 Y4 G40/- B2", 4, **unread))) == ["question G6/G40/B60"]
    lines = follower.hear(Answered(5, Reply.TILE, "G40", 0, 2))
    assert told(lines) == ["notice", "placed B2 turn 1 player 0", "verdict"]
    assert [tile.code for tile in follower.game.setup.left_over] == ["Y6", "Y4", "G40"]


@pytest.mark.parametrize("text", ["Y6 Y4 G40 R2 R4/- B2 - -", "Y6 Y4 R7/- B2"])
def test_where_the_lowest_tiles_are_not_those_that_were_laid_it_is_asked_for_these(text):
    follower = Follower(6)
    follower.hear(table("Y6 Y4"))
    assert follower.hear(Answered(1, Reply.MENDED)) == []
    (line,) = follower.hear(table(text, 4))
    assert line.question.kind is QuestionKind.LEFT_OVER


@pytest.mark.parametrize("players", [2, 4])
def test_play_goes_on_over_which_tile_was_placed_first(players):
    """Nobody answered, and the left-over tile and the first one were to be taken off (film 407922)."""
    follower = Follower(players)
    assert kind_of(follower.hear(table("Y100 R60", 1))[0])[0] is QuestionKind.PLACED_FIRST
    assert follower.hear(table("Y100 R60", 3)) == []
    unclear, *lines = follower.hear(table("Y100 R60/B40", 5))
    assert (unclear.remark, follower.question) == (Remark.UNCLEAR, None)
    assert told(lines) == ["placed B40 turn 2 player 1", "verdict"]


def test_what_was_placed_first_may_lie_where_none_may():
    follower = Follower(2)
    follower.hear(table("Y100 - R60", 1))
    unclear, asked = follower.hear(table("Y100 B40 R60", 5))
    assert unclear.remark is Remark.UNCLEAR
    assert kind_of(asked) == (QuestionKind.NO_PLACE, "R60")
