"""Every kind of question, and every answer to it. Rule 5."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

import pytest

from referee.rules.game import Step
from referee.rules.layout import Layout
from referee.rules.tiles import TILES
from referee.search.observation import Settled
from referee.tracking.announcements import Asked, Remark
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Reply
from referee.tracking.questions import (
    AS_IT_LIES,
    MENDED,
    NO_TILE,
    Answer,
    AskedPlace,
    QuestionKind,
    ask_about_table,
    ask_left_over,
    ask_unread,
    ask_which,
)
from referee.tracking.state import PATIENCE_S
from tests.referee.tracking.tables import QUESTIONS, Asking, follow, lying_first, table, told

Kind = QuestionKind
RIGHT = ["as-it-lies", "mended"]
ASKED = {
    Kind.WHICH_TILE: (
        ["0,1 B20/B10"],
        "B20 B10",
        ["tile B20 at 0,1", "tile B10 at 0,1", "as-it-lies", "no-tile"],
    ),
    Kind.WHICH_COLOUR: (
        ["0,0 Y40/R40", "0,2 Y60/R60"],
        "",
        ["colour Y", "colour R", "colour G", "colour B", "as-it-lies"],
    ),
    Kind.EXCHANGED: (["0,1 B20/B10"], "B20 B10", ["tile B20 at 0,1", "tile B10 at 0,1"]),
    Kind.UNSEEN_TILE: (["1,0 R7/B7"], "R7 B7", ["tile R7 at 1,0", "tile B7 at 1,0", "as-it-lies"]),
    Kind.PLACED_FIRST: (["1,0 R4", "1,1 B10"], "R4 B10", ["tile R4 at 1,0", "tile B10 at 1,1", "as-it-lies"]),
    Kind.ROLL: ([], "", ["roll 4", "roll 5", "as-it-lies"]),
    Kind.WAS_ROLLED: ([], "", ["roll 0", "roll 6", "as-it-lies"]),
    Kind.UNCLEAR: ([], "", RIGHT),
    Kind.NO_PLACE: (["0,3 B10"], "B10", [*RIGHT, "no-tile"]),
    Kind.PUT_BACK: (["0,1 B20"], "B20", RIGHT),
    Kind.TAKE_OFF: (["0,2 Y30", "1,0 R4"], "Y30 R4", [*RIGHT, "no-tile"]),
    Kind.FIRST_TABLE: (["0,0 R40", "0,1 B20", "1,0 R4"], "R40 B20 R4", ["no-tile", "mended", "as-it-lies"]),
    Kind.MOVE_BACK: (["0,0 Y30/R40", "0,2 R40/Y30"], "Y30 R40", RIGHT),
    Kind.PUT_RIGHT: (
        ["0,1 G20/B20", "0,3 Y2", "0,4 Y4", "0,5 Y6", "0,6 Y10", "1,0 G4/R4"],
        "G20 B20 Y2 Y4 Y6 Y10 G4 R4",
        RIGHT,
    ),
    Kind.UNLIKELY: (["0,1 B7/G30", "0,2 R7/B2"], "B7 G30 R7 B2", RIGHT),
    Kind.LOST: ([], "", ["as-it-lies"]),
    Kind.PLACED_LAST: ([], "", ["player", "player", "player"]),
    Kind.LEFT_OVER: ([], "", ["as-it-lies", "tile Y1", "tile G1", "tile R7", "tile B7", "mended"]),
}
"""Kind -> places with what may lie there, the tiles named, the answers."""
ANSWERS = [
    (kind, answer)
    for kind, asking in QUESTIONS.items()
    for answer in asking.follower().question.answers  # type: ignore[union-attr]  # it asks
]


@pytest.mark.parametrize("kind", QuestionKind, ids=lambda kind: kind.value)
def test_every_kind_is_asked_and_has_answers(kind: QuestionKind) -> None:
    question = QUESTIONS[kind].follower().question
    assert question is not None
    assert question.kind is kind
    assert question.answers
    assert len(set(question.answers)) == len(question.answers)


def in_short(answer: Answer) -> str:
    place = "" if answer.row is None else f"at {answer.row},{answer.slot}"
    colour = "" if answer.colour is None else answer.colour.value
    said = (answer.reply.value, answer.code, "" if answer.roll is None else str(answer.roll), colour, place)
    return " ".join(part for part in said if part)


@pytest.mark.parametrize("kind", QuestionKind, ids=lambda kind: kind.value)
def test_a_question_names_its_places_its_tiles_and_its_answers(kind: QuestionKind) -> None:
    question = QUESTIONS[kind].follower().question
    assert question is not None
    places = [f"{place.row},{place.slot} {'/'.join(place.codes)}" for place in question.places]
    tiles = " ".join(tile.code for tile in question.tiles)
    assert (places, tiles, [in_short(answer) for answer in question.answers]) == ASKED[kind]
    assert (question.left_over, question.lying) == ((3, 2) if kind is Kind.LEFT_OVER else (0, 0))
    assert question.takes_any_tile is (kind is Kind.WHICH_TILE)
    assert [answer.at(4.5).time_s for answer in question.answers] == [4.5] * len(question.answers)


@pytest.mark.parametrize("names", [QuestionKind, Remark, Reply], ids=lambda names: names.__name__)
def test_what_stored_games_tell_by_name_keeps_its_name(names: type[Enum]) -> None:
    assert {name.value for name in names} == {name.name.lower().replace("_", "-") for name in names}


@pytest.mark.parametrize(("codes", "named"), [("B20 B10 B30 B40", 4), ("B20 B10 B30 B40 B60", 0)])
def test_a_question_names_four_tiles_at_most(codes: str, named: int) -> None:
    """Where more are possible it may as well be any tile; every answer is there all the same."""
    tiles = [TILES[code] for code in codes.split()]
    question = ask_unread(3, tiles)
    assert len(question.tiles) == named
    assert [answer.code for answer in question.answers] == codes.split()


@pytest.mark.parametrize(("lying", "missing"), [(0, []), (1, []), (2, ["Y1", "G1", "R7", "B7"])])
def test_only_the_last_left_over_tile_is_asked_for_by_name(lying: int, missing: list[str]) -> None:
    question = ask_left_over(3, list(TILES.values())[:lying])
    assert [answer.code for answer in question.answers if answer.code] == missing
    assert (question.left_over, question.lying) == (3, lying)


def test_a_tile_beside_a_forbidden_change_is_not_said_to_have_no_place() -> None:
    """One more tile lies there than is known, but two places differ: another tile was exchanged as well."""
    question = ask_about_table(Layout.parse("R40 B20"), Layout.parse("R40 B10 Y2"))
    assert question.kind is QuestionKind.PUT_RIGHT
    assert [tile.code for tile in question.tiles] == ["B10", "B20", "Y2"]


def test_of_three_ways_that_end_alike_but_for_one_place_none_is_named() -> None:
    ends = ["R40 B20", "R40 B10", "Y4 B20"]
    question = ask_which([(Layout.parse(end), (Step(),) * at) for at, end in enumerate(ends)], 0)
    assert (question.kind, question.answers) == (QuestionKind.UNCLEAR, (AS_IT_LIES, MENDED))


def test_of_ways_that_end_alike_but_for_one_place_that_place_is_asked_about() -> None:
    """The first may have been put back, and the others placed: the tile tells."""
    ends = ["R40 B10 R7", "R40 B60 R7", "R40 B30 R7", "R40 B60 R7"]
    question = ask_which([(Layout.parse(end), (Step(),) * at) for at, end in enumerate(ends)], 0)
    assert question.kind is QuestionKind.WHICH_TILE
    assert question.places == (AskedPlace(0, 1, ("B10", "B60", "B30")),)


def test_a_tile_that_lies_there_or_does_not_is_the_one_that_is_asked_about() -> None:
    question = ask_which([(Layout.parse("R40 B20"), ()), (Layout.parse("R40"), (Step(),))], 0)
    assert question.kind is QuestionKind.WHICH_TILE
    assert [in_short(answer) for answer in question.answers] == ["tile B20 at 0,1", "as-it-lies"]


def again(asking: Asking, time_s: float) -> Settled:
    """The table that is asked about, seen once more."""
    last = asking.inputs[-1]
    assert isinstance(last, Settled)
    return replace(last, time_s=time_s)


@pytest.mark.parametrize(
    ("kind", "answer"), ANSWERS, ids=[f"{k.value}-{a.reply.value}-{a.code or a.roll}" for k, a in ANSWERS]
)
def test_an_answer_ends_the_question(kind: QuestionKind, answer: Answer) -> None:
    """Answered, the same table does not bring the question back."""
    asking = QUESTIONS[kind]
    follower = asking.follower()
    question = follower.question
    said = follower.hear(answer.at(50))
    assert question not in [each.question for each in said if isinstance(each, Asked)]
    assert follower.question != question
    if answer.reply is Reply.MENDED:
        return
    for time_s in (51, 52, 55):
        said = follower.hear(again(asking, time_s))
        assert question not in [each.question for each in said if isinstance(each, Asked)]


@pytest.mark.parametrize("kind", [kind for kind, answer in ANSWERS if answer.reply is Reply.MENDED])
def test_a_table_that_was_corrected_is_not_asked_about(kind: QuestionKind) -> None:
    asking = QUESTIONS[kind]
    tables = [heard for heard in asking.inputs if isinstance(heard, Settled)]
    follower = asking.follower()
    assert follower.hear(Answer(Reply.MENDED).at(50)) == []
    before = tables[-2] if len(tables) > 1 else replace(tables[0], tiles=())
    follower.hear(replace(before, time_s=51))
    if kind is not QuestionKind.LEFT_OVER:  # fewer lie now, and that is asked
        assert follower.question is None


def test_a_tile_that_is_not_named_may_be_the_answer() -> None:
    follower = QUESTIONS[QuestionKind.WHICH_TILE].follower()
    question = follower.question
    assert question is not None
    assert question.takes_any_tile
    place = question.places[0]
    follower.hear(Answer(Reply.TILE, "G100", place.row, place.slot).at(50))
    assert str(follower.game.layout) == "R40 G100"


def test_a_tile_is_the_answer_that_names_it_or_where_any_tile_may_lie() -> None:
    which, exchanged = (QUESTIONS[kind].follower().question for kind in (Kind.WHICH_TILE, Kind.EXCHANGED))
    assert which is not None
    assert exchanged is not None
    assert which.answer_with("B10") == Answer(Reply.TILE, "B10", 0, 1)
    assert which.answer_with("G100") == Answer(Reply.TILE, "G100", 0, 1)
    assert which.answer_with("G101") is None
    assert exchanged.answer_with("B10") in exchanged.answers
    assert exchanged.answer_with("G100") is None


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_tiles_and_rolls_that_are_asked_for_may_be_left_open(
    kind: QuestionKind,
) -> None:
    question = QUESTIONS[kind].follower().question
    assert question is not None
    left_open = [answer for answer in question.answers if question.stays_open_with(answer)]
    # That nothing is left over is an answer.
    asks_for_one = kind is not Kind.LEFT_OVER and {"tile", "roll", "colour"} & {
        answer.reply.value for answer in question.answers
    }
    assert left_open == ([AS_IT_LIES] if asks_for_one and AS_IT_LIES in question.answers else [])


def test_a_tile_that_was_taken_off_can_be_said_to_be_gone() -> None:
    """Asked to put blue 20 back, people may say that the table is correct; then it is not asked again."""
    asking = QUESTIONS[QuestionKind.PUT_BACK]
    follower = asking.follower()
    question = follower.question
    assert question is not None
    assert [answer.reply for answer in question.answers] == [Reply.AS_IT_LIES, Reply.MENDED]
    follower.hear(question.answers[0].at(50))
    assert (str(follower.game.layout), follower.question) == ("R40", None)
    assert follower.hear(again(asking, 55)) == []


def test_a_tile_that_was_taken_for_one_that_came_off_unseen_can_be_told() -> None:
    """Nobody saw which tile burnt, so R7 was put out of the game; now somebody says that R7 is here."""
    follower = follow("R40", "R40 B20")
    assert follower.hear(table("-", 30)) == []
    assert told(follower.hear(table("-", 36))) == ["question R7/B7"]
    follower.hear(table("Y30", 100))
    doubtful = table("Y30 B4", 120, B4="B4 0.4 B2 0.3 R7 0.29")
    assert told(follower.hear(doubtful)) == ["question B4/B2/R7"]
    lines = follower.hear(Answered(121, Reply.TILE, "R7", 0, 1))
    assert told(lines) == ["placed R7 turn 5 player 1", "verdict"]


def test_what_may_have_come_off_unseen_is_asked_about_where_it_may_lie() -> None:
    """It stands for any that may have burnt, so its being read second is no sign against it."""
    follower = follow("R40", "R40 B20")
    assert follower.hear(table("-", 30)) == []
    assert told(follower.hear(table("-", 31))) == ["question R7/B7"]
    follower.hear(table("Y30", 100))
    assert told(follower.hear(table("Y30 B7", 120, B7="B7 0.7 R7 0.29"))) == ["question B7/R7"]


def test_a_roll_that_nobody_waits_for_says_nothing() -> None:
    follower = Follower(3)
    for heard in (Answered(1, Reply.ROLL, roll=3), table("R40", 2), Answered(3, Reply.ROLL, roll=0)):
        lines = follower.hear(heard)
    assert lines == []


@pytest.mark.parametrize("number", range(3))
def test_each_answer_about_an_emptied_table_ends_the_question(number: int) -> None:
    """The game goes on with an empty table, whatever took the tiles."""
    follower = Follower(3)
    for at, text in enumerate(("R40", "R40 B20", "R40 B20/R4", "-", "-")):
        follower.hear(table(text, 10.0 * at))
    question = follower.question
    assert question is not None
    assert len(question.answers) == 3
    follower.hear(question.answers[number].at(50.0))
    assert (follower.question, str(follower.game.layout)) == (None, "-")


def test_where_one_more_lies_lowest_than_was_laid_it_is_asked_which_was_placed_first():
    """Nobody saw the left-over one at first, and it was asked for it again and again (film 420059)."""
    follower = Follower(4)
    follower.hear(table("-"))
    assert follower.hear(Answered(1, Reply.MENDED)) == []
    unread = {"R40": "R60 0.5 R40 0.2"}
    assert told(follower.hear(table("R40 R2/G2", 7, **unread))) == ["question R60/R40"]
    assert told(follower.hear(Answered(8, Reply.TILE, "R40", 0, 0))) == ["question R40 R2"]
    assert follower.hear(table("R40 R2 B2/G2 -", 9, **unread)) == []
    lines = follower.hear(Answered(10, Reply.TILE, "R2", 0, 1))
    assert follower.game.setup.left_over == (TILES["R40"],)
    assert told(lines)[0] == "notice"
    assert [each for each in told(lines) if each.startswith("placed")] == [
        "placed R2 turn 1 player 0",
        "placed G2 turn 2 player 1",
        "placed B2 turn 3 player 2",
    ]


def test_play_goes_on_over_which_was_placed_beside_what_was_laid():
    follower = Follower(4)
    follower.hear(table("-"))
    follower.hear(Answered(1, Reply.MENDED))
    assert told(follower.hear(table("R40 R2/G2", 7))) == ["question R40 R2"]
    assert follower.hear(table("R40 R2/G2", 9)) == []
    assert not follower.has_begun
    follower.hear(table("R40 R2 B2/G2 -", 8 + PATIENCE_S))
    assert follower.game.setup.left_over == (TILES["R40"],)


def test_what_lies_there_before_the_first_tile_may_be_no_tiles() -> None:
    """Playing cards passed for two tiles, and nobody could say that they are none (film 426707)."""
    follower = Follower(3)
    cards = table("R4 R7", 1, R4="R4 0.97", R7="R7 0.97")
    (line,) = follower.hear(cards)
    assert line.question.kind is Kind.UNLIKELY
    assert [answer.reply for answer in line.question.answers][-1] is Reply.NO_TILE
    assert follower.hear(Answered(2, Reply.NO_TILE)) == []
    assert (follower.is_waiting, follower.question, follower.game.actions) == (False, None, ())
    assert told(follower.hear(table("R40", 5))) == ["placed R40 turn 1 player 0"]


def test_what_was_in_doubt_and_is_gone_may_have_been_no_tile() -> None:
    """A figure of the cloth showed where a tile had been taken: each turn was told as the next (459009)."""
    above, follower = "/- Y4 B100 R10/- Y20 Y10/- G20", Follower(3)
    follower.hear(Corrected(5, Layout.parse(f"Y40 - B40 R60 G6{above}"), turn=12))
    follower.hear(table(f"Y40 - - R60 G6{above}", 10))
    (asked,) = follower.hear(table(f"Y40 - G2 R60 G6{above}", 14, G2="G2 0.56 R2 0.1 G1 0.07"))
    assert NO_TILE in asked.question.answers
    (asked,) = follower.hear(table(f"Y40 R30 - R60 G6{above}", 15))
    assert asked.question.kind is Kind.UNSEEN_TILE
    assert NO_TILE in asked.question.answers
    lines = follower.hear(Answered(16, Reply.NO_TILE))
    assert told(lines) == ["placed R30 turn 13 player 0", "missed since 12 payer None"]


@pytest.mark.parametrize(("named", "lines"), [("B20", ["notice"]), (None, [])])
def test_once_people_named_one_of_them_all_left_over_tiles_are_known(named, lines) -> None:
    """A hand lay over them at the next look, and they were asked about again (film 465998)."""
    follower = Follower(6)
    doubts = {"Y1": "Y1 0.8 Y2 0.1"} | ({"B20": "B20 0.97"} if named else {})
    follower.hear(table("B120 B20 B10 Y1", 1, **doubts))
    if named:
        assert told(follower.hear(Answered(2, Reply.TILE, "B20", 0, 1))) == ["question Y1/Y2"]
    assert told(follower.hear(Answered(3, Reply.NO_TILE))) == lines


def test_what_came_in_place_of_four_notes_was_placed() -> None:
    """They lay there first, and another was asked about; the tile counted as left over (470054)."""
    follower = Follower(6)
    follower.hear(lying_first("Y40 B20 B120 B100", 1, B120="B120 0.97"))
    follower.hear(lying_first("G1 G10", 4, "G10", G1="G1 0.97", G10="G10 0.97"))
    assert told(follower.hear(lying_first("G1 G10", 5, "G10"))) == ["notice", "placed G1 turn 1 player 0"]


def test_a_left_over_tile_in_doubt_that_lay_on_the_first_picture_was_not_placed() -> None:
    """It was not seen there, and asked for; then it counted for the first tile (470737, unanswered)."""
    follower, unsure = Follower(2), {"Y10": "Y10 0.94 G10 0.04"}
    follower.hear(table("-"))
    follower.hear(lying_first("Y10", 1, **unsure))
    follower.hear(lying_first("R120 Y10", 3, "Y10", **unsure))
    lines = follower.hear(lying_first("R120 Y10/B10", 5, "Y10", **unsure))
    assert told(lines) == ["notice", "placed R120 turn 1 player 0", "placed B10 turn 2 player 1"]


def test_left_over_tiles_in_doubt_that_were_taken_before_play_was_judged_are_known() -> None:
    """Nobody said which one was, and the game began without any of them (film 470372, unanswered)."""
    follower, doubt = Follower(6), {"Y120": "Y120 0.8 Y20 0.18"}
    follower.hear(lying_first("Y2 Y120", 0, **doubt))
    assert follower.hear(lying_first("Y2 Y120/R4", 3, "Y2 Y120", **doubt)) == []
    assert told(follower.hear(table("- -/R4", 7)))[:2] == ["notice", "placed R4 turn 1 player 0"]


@pytest.mark.parametrize("hidden", [False, True])
def test_once_things_were_left_out_nothing_is_judged_that_was_read_of_them(hidden: bool) -> None:
    """A note may have been the left-over tile by its name, and the next was asked about (film 470146)."""
    follower = Follower(4)
    doubts = {"R4": "R4 0.3 B6 0.25 B4 0.24", "B7": "B7 0.7 R7 0.24"}
    (asked,) = follower.hear(lying_first("R4 B7", 1, **doubts))
    assert asked.question.kind is Kind.WHICH_TILE
    heard = replace(lying_first("R20 B4", 4, "B4"), left_out=True, hidden=hidden)
    lines = told(follower.hear(heard))
    if hidden:
        assert (lines, follower.question) == ([], None)
        lines = told(follower.hear(lying_first("R20 B4", 6, "B4")))
    assert lines == ["notice", "placed R20 turn 1 player 0"]


def test_an_open_hand_beside_the_pyramid_is_no_part_of_a_game() -> None:
    """One of its tiles was placed, and another came in its place; then each was counted (470313)."""
    follower = Follower(2)
    hand = "B120 R2 Y30 R4 {} -/- - - - -/- - - -/- - -/{} R20"
    for time_s, held, placed, lay in ((1, "G30", "-", "G30 "), (4, "B30", "G30", ""), (40, "B30", "G30", "")):
        lines = follower.hear(lying_first(hand.format(held, placed), time_s, f"B120 R2 Y30 R4 {lay}R20"))
        assert [line.question.kind for line in lines] == [Kind.FIRST_TABLE] * (time_s < 40)
    assert not follower.has_begun
    (asked,) = follower.hear(table("G30 R20", 50))  # it was taken away
    assert asked.question.kind is Kind.PLACED_FIRST
