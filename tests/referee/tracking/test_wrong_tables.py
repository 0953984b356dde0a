"""Tables on which a step was done wrongly, with tiles that are misread or in doubt. Rule 5."""

from __future__ import annotations

import pytest

from referee.rules.layout import Layout
from referee.rules.tiles import TILES
from referee.tracking.announcements import Remark
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Reply
from referee.tracking.questions import NO_TILE, QuestionKind
from referee.tracking.state import PATIENCE_S
from tests.referee.tracking.tables import BASE, OVERWEIGHT, answer_to, follow, kind_of, table, told


def test_a_mistake_that_may_be_a_misreading_is_called_when_it_is_read_rightly():
    """Red 40 would lie there in any case; as yellow 2 it may as well have been exchanged."""
    follower = follow(*OVERWEIGHT)
    assert follower.hear(table("R40 -/G60", 30, R40="Y2")) == []
    assert follower.is_waiting
    assert told(follower.hear(table("R40 -/G60", 32))) == ["wrong-step"]
    assert not follower.is_waiting


@pytest.mark.parametrize(
    ("lying", "lifted", "is_told"),
    [
        ("- - -/G60 -", "R40 B20 Y30", True),
        ("- - -/G60 -", "R40 B20", False),
        ("- - Y30", "R40 B20 G60", True),
        ("-", "R40 B20 Y30 G60", True),
        ("-", "R40 B20 Y30", False),
    ],
)
def test_a_mistake_is_called_at_once_where_the_bare_table_is_seen_instead(lying, lifted, is_told):
    """People put it right before the second look (films 427067, 427185, 429118)."""
    follower = follow("R40", "R40 B20", "R40 B20 Y30", "R40 B20 Y30/G60 -")
    assert told(follower.hear(table(lying, 30, lifted=lifted))) == (["wrong-step"] if is_told else [])


def test_a_fallen_tile_may_lie_under_a_hand_where_nothing_lay_before():
    """Its own place is bare, but not the one to which it falls."""
    follower = follow("R40", "R40 B20", "R40 B20 Y30", "R40 B20 Y30/G60 -", "- - Y30/G60 -")
    assert follower.hear(table("Y30", 50, lifted="G60")) == []
    assert told(follower.hear(table("Y30", 51, lifted="G60"))) == ["wrong-step"]


@pytest.mark.parametrize("late", [False, True])
def test_that_the_last_tile_is_held_in_a_hand_is_no_mistake_yet(late):
    """A hand held it still for a second before it let it fall (film 352011)."""
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("- -/G60", 30)))[0].startswith("collapse")
    assert follower.hear(table("-", 35)) == []
    assert follower.is_waiting
    if late:
        assert told(follower.hear(table("-", 36 + PATIENCE_S))) == ["wrong-step"]
    else:
        assert told(follower.hear(table("G60", 37)))[0].startswith("fall")


def test_a_mistake_that_stays_misread_is_asked_about():
    """The question names the yellow 2, so that who sees a red 40 can say that it lies there."""
    follower = follow(*OVERWEIGHT)
    assert follower.hear(table("R40 -/G60", 30, R40="Y2")) == []
    assert told(follower.hear(table("R40 -/G60", 31, R40="Y2"))) == ["question Y2"]
    assert told(follower.hear(table("R40 -/G60", 35))) == ["wrong-step"]


def test_a_tile_that_was_laid_where_a_wrong_step_had_taken_one_is_no_misreading():
    """Both were gone when it was told, and a turn was missed (film 407735)."""
    follower = follow(*OVERWEIGHT)
    assert follower.hear(table("- B20/G60", 30, B20="Y2")) == []
    (asked,) = follower.hear(table("- B20/G60", 31, B20="Y2"))
    assert kind_of(asked) == (QuestionKind.NO_PLACE, "Y2")
    follower.hear(Answered(32, Reply.AS_IT_LIES))
    assert (str(follower.game.layout), follower.game.turn) == ("- Y2/G60", 4)


def test_a_mistake_that_is_read_otherwise_each_time_is_asked_about_at_last():
    follower = follow(*OVERWEIGHT)
    follower.hear(table("R40 -/G60", 30, R40="Y2"))
    assert follower.hear(table("R40 -/G60", 30 + PATIENCE_S, R40="Y4")) == []
    lines = follower.hear(table("R40 -/G60", 30.5 + PATIENCE_S, R40="Y2"))
    assert told(lines)[0].startswith("question")
    lines = follower.hear(Answered(70, Reply.AS_IT_LIES))
    assert told(lines) == ["notice", "verdict"]
    assert lines[0].remark is Remark.TAKEN_OVER
    assert (str(follower.game.layout), follower.is_waiting) == ("R40 -/G60", False)


@pytest.mark.parametrize(("player", "turn"), [(4, 6), (0, 7)])
def test_who_placed_last_is_asked_where_several_tiles_went_that_no_step_had_to_take(player, turn):
    """A third 6 came and went with the two in one look, as the curse says (film 416092: 5 of 14 calls)."""
    follower = Follower(5)
    base = "B2 G10 Y2"
    follower.hear(Corrected(5, Layout.parse(f"{base}/B6 Y6"), turn=5))
    follower.hear(table(f"{base}/B6 Y6", 10))
    assert kind_of(follower.hear(table(base, 20))[0])[0] is QuestionKind.PUT_BACK
    lines = follower.hear(Answered(21, Reply.AS_IT_LIES))
    assert kind_of(lines[-1])[0] is QuestionKind.PLACED_LAST
    assert told(follower.hear(Answered(22, Reply.PLAYER, player=player))) == []
    assert told(follower.hear(table(f"{base}/B4 -", 30))) == [f"placed B4 turn {turn} player {turn % 5 - 1}"]


@pytest.mark.parametrize(
    ("wrongly", "then", "asked"),
    [
        ("G100", "G60", "question G60/G100"),
        ("Y120 0.6 Y20 0.35", "Y120 0.8 Y20 0.17", "question Y120/Y20"),
        ("Y120 0.6 Y20 0.35", "Y120", "placed Y120 turn 5 player 1"),
        ("Y120 0.6 Y20 0.35", "covered", ""),
        ("B4", "B4", "placed B4 turn 5 player 1"),
        ("G60 0.95", "G60 0.88 G1 0.03", "question G60"),
    ],
)
def test_what_lay_in_a_forbidden_place_is_one_tile_with_what_lies_elsewhere_then(wrongly, then, asked):
    """It was told by its second look alone (film 416088), or by its name of before (416133).

    Two looks at one print do not make it certain (420130).
    """
    follower = follow(*BASE)
    assert told(follower.hear(table("R40 B20 Y30/R4 -/G6", 40, G6=wrongly)))[0].startswith("question")
    lines = told(follower.hear(table("R40 B20 Y30/R4 G6", 50, G6=then)))
    assert lines[:1] == ([asked] if asked else [])


def test_what_may_be_almost_any_tile_is_named_before_it_is_said_to_lie_wrongly():
    """There was no blue 10, people said, and the blue 6 there was not seen any more (film 416206)."""
    follower = follow(*BASE)
    unread = {"G6": "G10 0.3 G120 0.2 G40 0.15 G30 0.1 G6 0.1"}
    wrongly = "R40 B20 Y30/R4 -/G6"
    assert told(follower.hear(table(wrongly, 40, **unread))) == ["question G10/G120/G40/G30/G6"]
    assert told(follower.hear(Answered(41, Reply.TILE, "G6", 2, 0))) == ["question G6"]
    assert follower.question is not None
    assert follower.question.kind is QuestionKind.NO_PLACE


def test_what_nobody_names_is_said_to_lie_wrongly_in_the_end():
    follower = follow(*BASE)
    unread = {"G6": "G10 0.3 G120 0.2 G40 0.15 G30 0.1 G6 0.1"}
    for at in (40, 50):
        follower.hear(table("R40 B20 Y30/R4 -/G6", at, **unread))
        assert follower.question is not None
        assert follower.question.kind is QuestionKind.WHICH_TILE
    assert told(follower.hear(table("R40 B20 Y30/R4 -/G6", 41 + PATIENCE_S, **unread))) == ["question G10"]


def test_who_names_one_of_two_tiles_does_not_say_that_it_was_placed_first():
    """Of two that were seen at once the one that people named was told as the first (420018, 420064)."""
    follower = Follower(3)
    unread = {"R4": "R4 0.4 R30 0.2 R40 0.15 R60 0.1 R2 0.05", "R20": "R20 0.98 B20 0.013"}
    assert told(follower.hear(table("R4 R20", 20, **unread))) == ["question R4/R30/R40/R60/R2"]
    assert told(follower.hear(Answered(21, Reply.TILE, "R4", 0, 0))) == ["question R4 R20"]
    assert told(follower.hear(Answered(22, Reply.AS_IT_LIES))) == ["question R20/B20"]
    assert told(follower.hear(Answered(23, Reply.TILE, "R20", 0, 1))) == ["question R4 R20"]
    assert follower.question is not None
    assert follower.question.kind is QuestionKind.PLACED_FIRST
    assert told(follower.hear(Answered(24, Reply.TILE, "R20", 0, 1))) == [
        "placed R20 turn 1 player 0",
        "placed R4 turn 2 player 1",
    ]


def test_what_is_left_of_two_tiles_is_in_doubt_as_before():
    """It was told by the name that it had when both lay there (film 414156)."""
    follower = follow("G30", "G30 M200")
    both = "G1 G30 M200/- B6"
    asked = follower.hear(table(both, 40, B6="B6 0.6 Y6 0.35"))
    assert kind_of(asked[0])[0] is QuestionKind.UNLIKELY
    assert follower.hear(table(both, 41, B6="Y6 0.76 B6 0.21")) == []
    assert told(follower.hear(table("G30 M200/B6", 42, B6="B6 0.55 Y6 0.41"))) == ["question B6/Y6"]


def test_a_mistake_after_a_tile_that_is_in_doubt_sets_that_tile_aside():
    follower = follow(*OVERWEIGHT[:2])
    unsure = {"G60": "G60 0.5 Y60 0.45"}
    assert told(follower.hear(table("R40 B20/G60", 30, **unsure))) == ["question G60/Y60"]
    aside, wrong = lines = follower.hear(table("R40 -/G60", 35, **unsure))
    assert told(lines) == ["notice", "wrong-step"]
    assert (aside.remark, aside.row, aside.slot) == (Remark.SET_ASIDE, 1, 0)
    assert (wrong.turn, wrong.take_off) == (3, (TILES["R40"],))
    # That G60 lost what it lay on happened while nobody knew that it was G60.
    assert told(follower.hear(table("- -/G60", 40))) == ["fixed", "placed G60 turn 3 player 2", "verdict"]


def test_what_is_a_mistake_with_one_tile_alone_of_two_is_asked_about():
    """Green 60 is too heavy there, blue 2 is not."""
    follower = follow(*OVERWEIGHT[:2])
    unsure = {"G60": "G60 0.5 B2 0.45"}
    assert told(follower.hear(table("R40 B20/G60", 30, **unsure))) == ["question G60/B2"]
    (line,) = follower.hear(table("R40 -/G60", 35, **unsure))
    assert told([line])[0].startswith("question")


def test_a_tile_that_fell_to_a_wrong_place_must_move():
    before = (*BASE[:3], "R40 B20 G100/R4 -", "R40 B20 G100/R4 G30", "R40 B20 G100/R4 G30/Y120")
    lines = follow(*before).hear(table("R40 B20 G100 Y120", 70))
    assert told(lines) == ["collapse turn 6 player 2", "wrong-step"]
    wrong = lines[-1]
    assert (wrong.put_back, wrong.take_off, wrong.move) == ((), (), (TILES["Y120"],))
    assert {*map(str, wrong.right)} == {"R40 B20 G100/Y120 -", "R40 B20 G100/- Y120"}


def test_mayhem_that_is_missed_over_a_tile_that_came_off_unread_is_told():
    """What may have stood for the unread tile has no part in it any more."""
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4"}
    follower.hear(table("R40 B20", 10, **unsure))
    assert told(follower.hear(table("R40 B20", 11 + PATIENCE_S, **unsure))) == ["notice"]
    assert told(follower.hear(table("R40 B20/G60", 50, **unsure))) == ["placed G60 turn 3 player 2"]
    lines = follower.hear(table("G60 Y2", 60))
    assert told(lines) == ["fall turn 3 player 2", "placed Y2 turn 4 player 0"]
    assert told(follower.hear(table("G60 Y2/R100", 70))) == ["placed R100 turn 5 player 1", "verdict"]


def test_a_left_over_tile_that_came_off_unseen_was_another_one():
    """Yellow 1 was thought to be out of the game; it was placed, and green 1 is out in its stead."""
    follower = Follower(6)
    follower.hear(table("Y6 Y4"))
    follower.hear(Answered(1, Reply.AS_IT_LIES))
    assert follower.game.out == (TILES["Y1"],)
    follower.hear(table("Y6 Y4/Y2", 5))
    assert follower.hear(table("-", 6)) == []
    (asked,) = follower.hear(table("-", 12))
    assert told([asked]) == ["question G1/R7/B7"]
    place = answer_to(asked, "G1")
    lines = follower.hear(Answered(13, Reply.TILE, "Y1", place.row, place.slot))
    assert told(lines) == ["placed Y1 turn 2 player 1", "fire turn 2 player 1"]
    assert {*follower.game.out} == {TILES["G1"], TILES["Y1"]}


def test_that_nobody_rolled_the_die_is_no_news_where_nothing_is_in_doubt():
    follower = follow("R40", "R40 B20")
    assert follower.hear(Answered(30, Reply.ROLL, roll=0)) == []
    assert str(follower.game.layout) == "R40 B20"


def test_a_tile_in_a_wrong_place_is_asked_about_where_much_must_be_overlooked_for_it_to_be_right():
    """Nobody saw the table before it; two players would have overlooked mayhem (film 355011)."""
    follower = Follower(6)
    for at, seen in enumerate(("Y2 B10 R60", "Y2 B10 R60/- B60", "Y2 B10 R60/R7 B60")):
        follower.hear(table(seen, at))
    for at in range(3, 6):
        assert follower.hear(table("R7 R60 G30/B60 -", at, hidden=True)) == []
    assert told(follower.hear(table("- R7 R60 G30/- B60 -/G10 -", 6))) == ["question Y2 R7/B10 G30 R7 G10"]
    assert follower.question.kind is QuestionKind.UNLIKELY
    assert told(follower.hear(table("R7 R60 G30/B60 -", 8))) == [
        "collapse turn 2 player 1", "fall turn 2 player 1", "placed G30 turn 3 player 2"
    ]  # fmt: skip
    assert told(follower.hear(table("R7 R60 G30/B60 G10", 10))) == ["placed G10 turn 4 player 3"]


def test_two_tiles_at_once_are_not_right_because_a_thing_lay_there_in_between():
    """A glass beside them was an incendiary for two looks; then both were taken as placed (film 357008)."""
    follower = follow("R40", "R40 B20")
    unsure = {"Y30": "Y30 0.95 Y20 0.03"}
    assert told(follower.hear(table("R40 B20 Y30/R4 -", 30, **unsure))) == ["question Y30 R4"]
    assert told(follower.hear(table("R7 R40 B20 Y30/- R4 -", 32, **unsure))) == ["question R7 Y30"]
    assert told(follower.hear(table("R40 B20 Y30/R4 -", 34, **unsure))) == ["question Y30 R4"]
    assert follower.hear(table("R40 B20 Y30/R4 -", 36, **unsure)) == []
    assert told(follower.hear(table("R40 B20/R4", 40))) == ["placed R4 turn 3 player 2"]


THING = "R40 B20 - M200"


def with_a_thing() -> Follower:
    """A telephone beside the pyramid was taken for a millstone; people say that it is none."""
    follower = follow("R40", "R40 B20")
    assert told(follower.hear(table(THING, 30))) == ["question M200"]
    assert follower.hear(Answered(31, Reply.NO_TILE)) == []
    assert (follower.question, follower.table, follower.is_waiting) == (None, "R40 B20", False)
    return follower


def test_what_people_say_is_no_tile_counts_for_none_while_it_is_read_like_that():
    follower = with_a_thing()
    assert follower.hear(table(THING, 35)) == []
    assert follower.hear(table(THING, 37, M200="M200 0.6 Y1 0.3")) == []
    assert told(follower.hear(table(f"{THING}/R4 - -", 40))) == ["placed R4 turn 3 player 2"]
    assert follower.hear(table(f"{THING}/R4 - -", 41, hidden=True)) == []
    lines = follower.hear(table(f"Y30 {THING}/- R4 - -", 50))
    assert told(lines) == ["placed Y30 turn 4 player 0"]


def test_what_people_say_is_no_tile_counts_for_none_on_a_table_that_stays_hidden():
    follower = with_a_thing()
    assert follower.hear(table("R40 B20", 35, hidden=True)) == []
    assert told(follower.hear(table(THING, 36 + PATIENCE_S, hidden=True))) == ["notice"]
    assert follower.hear(table(THING, 40 + PATIENCE_S)) == []


def test_a_tile_is_one_again_once_the_thing_has_gone():
    follower = with_a_thing()
    assert follower.hear(table("R40 B20", 35)) == []
    assert told(follower.hear(table(THING, 40))) == ["question M200"]


def test_only_what_was_asked_about_is_said_to_be_no_tile():
    """A known tile that may be read alike stays one."""
    follower = follow("R40", "R40 B20")
    unsure = {"B20": "B20 0.6 M200 0.39"}
    assert told(follower.hear(table(THING, 30, **unsure))) == ["question M200"]
    assert follower.hear(Answered(31, Reply.NO_TILE)) == []
    assert follower.hear(table(THING, 35, **unsure)) == []
    assert (follower.question, follower.table) == (None, "R40 B20")


def test_another_tile_in_the_place_of_the_thing_is_one():
    follower = with_a_thing()
    assert told(follower.hear(table("R40 B20 - Y2", 35))) == ["question Y2"]


def test_what_can_hardly_be_read_in_the_place_of_the_thing_is_asked_about():
    """A hand had been taken for a millstone; then a red tile was laid where it was (film 399036)."""
    follower = with_a_thing()
    lines = follower.hear(table("R40 B20 - R60", 35, R60="R60 0.4 R100 0.3 R40 0.2"))
    assert told(lines) == ["question R60"]


def test_a_tile_that_may_have_fallen_on_the_place_of_the_thing_counts_for_it_no_longer():
    """A telephone lay there, and the fallen tile was to be put back at once (film 412113)."""
    follower = follow("R40", "R40 B20", "R40 B20/Y4")
    thing = "R40 B20 M200/Y4 -"
    follower.hear(table(thing, 40, M200="M200 0.5 B4 0.2 Y4 0.1"))
    follower.hear(Answered(41, Reply.NO_TILE))
    assert told(follower.hear(table(thing, 42, M200="M200 0.5 B4 0.2 Y4 0.1"))) == []
    fell = table("R40 - M200", 43, M200="M200 0.4 Y4 0.2 B4 0.1")
    assert "wrong-step" not in " ".join(told(follower.hear(fell)))


def test_what_lay_beside_a_thing_before_the_game_is_looked_at_once_more():
    """Two corners of playing cards passed for a red 7 and a red 2 (film 412184)."""
    follower = Follower(2)
    cards = table("R7 R2", 0, R7="R7 0.97", R2="R2 0.9999")
    (asked,) = follower.hear(cards)
    assert NO_TILE in asked.question.answers
    assert follower.hear(Answered(1, Reply.NO_TILE)) == []
    assert not follower.has_begun
    (asked,) = follower.hear(table("R2", 2, R2="R2 0.95"))
    assert NO_TILE in asked.question.answers
    (asked,) = follower.hear(Answered(3, Reply.NO_TILE))
    assert asked.question.kind is QuestionKind.LEFT_OVER


def test_what_comes_after_a_thing_was_denied_may_be_the_first_tile_placed():
    """Nobody was asked for the left-over tile: a hand lay over what else was there (film 412184)."""
    follower = Follower(2)
    follower.hear(table("R7 R2", 0, R7="R7 0.97", R2="R2 0.97"))
    follower.hear(Answered(1, Reply.NO_TILE))
    follower.hear(table("R2", 2, hidden=True, R2="R2 0.5"))
    (asked,) = follower.hear(table("G2", 3))
    assert asked.question.asks_laid


def test_that_no_tile_lies_there_answers_no_other_question():
    follower = follow("R40", "R40 B20")
    assert follower.hear(Answered(31, Reply.NO_TILE)) == []
    assert told(follower.hear(table("R40 B20", 32))) == []
    follower.hear(table("R40 -", 33))
    question = follower.question
    assert follower.hear(Answered(34, Reply.NO_TILE)) == []
    assert follower.question == question


def test_over_what_touches_no_tile_nothing_is_told_before_people_say_what_it_is():
    """A telephone was read as a millstone, and counted as placed when play went on (film 370012)."""
    follower = follow("R40", "R40 B20")
    (asked,) = follower.hear(table("R40 B20 - - - M200", 20))
    assert NO_TILE in asked.question.answers
    assert follower.hear(table("R40 B20 - - - M200/R4 - - - -", 30)) == []
    assert told(follower.hear(Answered(31, Reply.NO_TILE))) == ["placed R4 turn 3 player 2"]


def test_over_a_forbidden_tile_that_touches_others_play_goes_on():
    follower = follow(*BASE)
    assert follower.hear(table("R40 B20 Y30 B10/R4 - -", 40)) != []
    lines = told(follower.hear(table("R40 B20 Y30 B10/R4 G2 -", 50)))
    assert lines[1:3] == ["placed B10 turn 5 player 1", "placed G2 turn 6 player 2"]


def test_a_tile_that_may_be_any_on_an_unlikely_table_is_asked_about_first_and_may_be_none():
    """The pattern of the cloth was taken for a tile beside the one that was placed (film 381059)."""
    spot = {"Y10": "Y10 0.5 Y60 0.14 Y6 0.13 Y4 0.04 Y100 0.03"}
    follower = follow("R40", "R40 B20")
    (asked,) = follower.hear(table("R40 B20 Y10/R4 -", 30, **spot))
    assert (kind_of(asked)[0], asked.question.answers[-1]) == (QuestionKind.WHICH_TILE, NO_TILE)
    assert told(follower.hear(Answered(31, Reply.NO_TILE))) == ["placed R4 turn 3 player 2"]
    follower = follow("R40", "R40 B20")
    follower.hear(table("R40 B20 Y10/R4 -", 30, **spot))
    (asked,) = follower.hear(Answered(31, Reply.TILE, "Y2", 0, 2))  # and film 383052
    assert kind_of(asked) == (QuestionKind.UNLIKELY, "Y2 R4")


def test_what_is_said_of_a_new_tile_renames_none_that_lay_in_its_slot_before():
    """A green 10 came to the left of a red 30, two in one turn, and the 30 was a 10 then (film 390149)."""
    spot = {"Y10": "Y10 0.5 Y60 0.14 Y6 0.13 Y4 0.04 Y100 0.03"}
    follower = follow("R40", "R40 B20")
    (asked,) = follower.hear(table("Y10 R40 B20/- R4", 30, **spot))
    assert (asked.question.places[0].row, asked.question.places[0].slot) == (0, 0)
    (asked,) = follower.hear(Answered(31, Reply.TILE, "Y2", 0, 0))
    assert kind_of(asked) == (QuestionKind.UNLIKELY, "Y2 R4")
    assert str(follower.game.layout) == "R40 B20"


def test_of_two_tiles_that_hardly_anybody_can_read_one_comes_off_again():
    """What was asked of the first table began before what was told of the second (film 383052)."""
    unread = {"G2": "G60 0.8 B60 0.05 G30 0.05 G40 0.04 G100 0.03 G2 0.01", "B4": "B4 0.6 B6 0.2 G4 0.1"}
    follower = Follower(5)
    assert kind_of(follower.hear(table("G2 B4", 1, **unread))[0])[0] is QuestionKind.WHICH_TILE
    (asked,) = follower.hear(Answered(2, Reply.TILE, "G2", 0, 0))
    assert kind_of(asked) == (QuestionKind.UNLIKELY, "G2 B4")
    assert follower.certain_tiles == {(0, 0): TILES["G2"]}, "that was said"
    assert follower.told_tiles == {TILES["G2"]}
    assert told(follower.hear(table("G2", 5, **unread))) == ["question G2/G60"]
    assert follower.certain_tiles == {}
    assert told(follower.hear(Answered(6, Reply.TILE, "G2", 0, 0))) == ["placed G2 turn 1 player 0"]
    assert follower.question is None


def test_of_two_tiles_one_is_taken_off_though_nobody_answers():
    """A third, that nobody had seen, seemed to have come and gone (film 407909)."""
    follower = Follower(5)
    assert kind_of(follower.hear(table("B2 G40", 1))[0]) == (QuestionKind.UNLIKELY, "B2 G40")
    taken_over, asked = follower.hear(table("B2 G40 G4/G20 -", 5))
    assert (taken_over.remark, kind_of(asked)[0]) == (Remark.TAKEN_OVER, QuestionKind.TAKE_OFF)
    assert told(follower.hear(table("B2 G40/G20", 10))) == ["placed G20 turn 3 player 2"]


def test_no_step_is_called_wrong_by_what_is_hardly_the_tile_for_which_it_passes():
    """A red figure of the cloth lay where the red 60 had just been taken (film 404085)."""
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60", 30, R40="R7 0.4 B7 0.3 R40 0.09"))) == ["question R7/B7/R40"]
    assert NO_TILE in follower.question.answers
    lines = follower.hear(Answered(31, Reply.NO_TILE))
    assert told(lines)[0].startswith("collapse")


def test_no_step_is_called_wrong_by_a_tile_that_may_be_the_right_one():
    """A red 6 that had fallen was read as the yellow 30 that had lain there (film 407929)."""
    follower = follow(*OVERWEIGHT)
    doubt = "R40 0.9 G60 0.03"
    assert told(follower.hear(table("R40", 30, R40=doubt))) == ["question R40/G60"]
    assert told(follower.hear(table("R40", 32, R40=doubt))) == []
    lines = follower.hear(table("G60", 35))
    assert [told([line])[0].split()[0] for line in lines] == ["collapse", "fall"]


def test_no_step_is_called_wrong_by_a_tile_that_is_hardly_read_as_the_right_one():
    """A red 10 that had fallen was taken for the blue 30 that had lain there (film 410254)."""
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40", 30, R40="R40 0.9 G60 0.0003"))) == ["question R40"]


def test_no_step_is_called_wrong_by_a_tile_that_may_be_a_new_one():
    """A yellow 60 was laid where a yellow 6 had been, which was remembered there (film 407241)."""
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60", 30, R40="R40 0.9 R4 0.1"))) == ["question R40/R4"]
    lines = follower.hear(Answered(31, Reply.TILE, "R40", 0, 0))
    assert told(lines) == ["wrong-step"]


def test_what_cannot_be_read_at_all_is_no_tile_once_people_say_so():
    """They said so five times over, for nothing was remembered of what was read there (film 404085)."""
    unread = {"R40": "R7 0.004 B7 0.003 R40 0.002"}
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60", 30, **unread)))[0].startswith("question")
    assert told(follower.hear(Answered(31, Reply.NO_TILE)))[0].startswith("collapse")
    assert follower.hear(table("R40 -/G60", 35, **unread)) == []


def test_that_a_tile_has_fallen_is_not_told_where_it_is_not_read():
    """The figures of a cloth passed for it, and people had taken it off (film 407082)."""
    follower = follow(*OVERWEIGHT)
    lines = follower.hear(table("G60", 30, G60="B4 0.3 B100 0.2 B60 0.1"))
    assert told(lines) == ["question B4/B100/B60"]
    assert NO_TILE in follower.question.answers
    assert follower.hear(Answered(31, Reply.NO_TILE)) == []
    assert told(follower.hear(table("G60", 35)))[0].startswith("collapse")


@pytest.mark.parametrize(("read", "taken_over"), [("G2", True), ("G2 0.4 G20 0.3", False)])
def test_only_a_tile_that_is_surely_read_tells_that_a_forbidden_table_was_played_on(read, taken_over):
    """While it was asked about two tiles, the circles of a printed cloth looked like a third (407409)."""
    follower = follow(*BASE)
    assert told(follower.hear(table("R40 B20 Y30 B10/R4 - -", 40))) == ["question B10"]
    lines = follower.hear(table("R40 B20 Y30 B10 G2/R4 - - -", 50, G2=read))
    assert (told(lines)[0] == "notice") == taken_over
    assert (str(follower.game.layout) == "R40 B20 Y30/R4 -") != taken_over


def test_what_may_be_no_tile_is_asked_about_before_a_place_that_it_makes_wrong():
    """A red tile seemed to have been placed rightly, and the green one wrongly: it was none (film 422053)."""
    follower = follow("G30 Y20 Y10", players=2)
    unread = {"R7": "R7 0.12 " + " ".join(f"{code} 0.1" for code in ("R2", "R4", "R6", "R20", "R30", "R40"))}
    follower.hear(table("R7 G30 Y20 Y10/- - -/G120 -", 20, **unread))
    assert [(place.row, place.slot) for place in follower.question.places] == [(0, 0)]
    assert follower.judged is not None
    assert follower.judged.time_s == 20
