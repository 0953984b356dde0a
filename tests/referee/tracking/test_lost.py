"""When the game is lost, and how it is found again. Rule 5."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.game import Variant, Voice
from referee.rules.layout import Layout
from referee.rules.options import Options
from referee.rules.tiles import TILES
from referee.tracking.announcements import Announcement, Asked, Remark, Remarked
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Reply
from referee.tracking.questions import QuestionKind
from referee.tracking.state import PATIENCE_S
from tests.referee.tracking.tables import BASE, QUESTIONS, follow, kind_of, table, told

LATER = "R40 B20 Y30 Y2/R4 B2 -/Y4 -"
"""A table to which the rules lead from what is known, but not in one turn or two."""


def lost(**how: object) -> Follower:
    """A follower that does not know any more how the game stands."""
    follower = follow(*BASE, **how)
    for heard in QUESTIONS[QuestionKind.LOST].inputs[len(BASE) :]:
        follower.hear(heard)
    assert follower.question is not None
    assert follower.question.kind is QuestionKind.LOST
    return follower


def is_lost(lines: list[Announcement]) -> bool:
    """Whether it is said, and nothing else, that the game is lost."""
    (line,) = lines
    return isinstance(line, Asked) and line.question.kind is QuestionKind.LOST


def test_the_third_odd_table_in_a_row_is_not_asked_about() -> None:
    follower = follow(*BASE)
    first, second, third = QUESTIONS[QuestionKind.LOST].inputs[len(BASE) :]
    for odd in (first, second):
        (asked,) = follower.hear(odd)
        assert isinstance(asked, Asked)
        assert kind_of(asked)[0] is QuestionKind.PUT_RIGHT
    assert is_lost(follower.hear(third))
    assert follower.is_waiting
    assert follower.certain_tiles == {}


def test_three_steps_done_wrongly_each_in_another_way_are_one_too_many() -> None:
    follower = follow("R40", "R40 B20", "R40 B20 Y2", "R40 B20 Y2/R4 -", "R40 B20 Y2/R4 G60", players=6)
    lines = []
    for time_s, text in ((60, "R40 - Y2/R4 G60"), (70, "R40 B20 -/- G60"), (80, "- - Y2/- G60")):
        lines += follower.hear(table(text, time_s))
    assert told(lines[:2]) == ["wrong-step", "wrong-step"]
    assert is_lost(lines[2:])


def test_tables_of_which_nobody_knows_what_is_misread_are_odd_as_well() -> None:
    """They were looked at again and again, and nothing was said while eight of them lay there (20008)."""
    known = ("R60", "R60 Y20", "R60 Y20 B40", "R60 Y20 B40/R30 -", "R60 Y20 B40/R30 Y1")
    follower = follow(*known, "R60 Y20 B40/R30 Y1/R120")
    follower.hear(Corrected(80, follower.game.layout, (13, 13, 13), (), 6))
    disorder = ("Y20 R60 -/R30 -/G120", "- - R6/Y1 R30/R120", "Y2 R30 B40/Y20 -", "Y20 R60 B40/- -/R40")
    lines = [follower.hear(table(text, 100 + 4 * at)) for at, text in enumerate(disorder)]
    assert lines[:3] == [[], [], []]
    assert is_lost(lines[3])


def test_a_lost_game_says_nothing_about_tables_that_are_no_game() -> None:
    follower = lost()
    for time_s, text in (
        (70, "G40 B6 R2 Y60 G10/Y120 G100 B120 R120"),
        (80, "G40 B6 R2 Y60 G10/Y120 G100 B120 R100"),
        (90, "-"),
    ):
        assert follower.hear(table(text, time_s)) == []
        assert follower.hear(table(text, time_s + 1)) == []


@pytest.mark.parametrize("unlike", [{"Y2": "covered"}, {"Y2": "Y2 0.6 G2 0.3", "R4": "R4 0.6 B4 0.3"}])
def test_a_table_with_tiles_that_cannot_be_read_is_not_taken(unlike: dict[str, str]) -> None:
    follower = lost()
    assert follower.is_lost
    for time_s in (70, 71, 72):
        assert follower.hear(table(LATER, time_s, **unlike)) == []


def test_a_tile_of_the_table_shown_may_be_in_doubt() -> None:
    follower = lost()
    for time_s in (70, 71):
        lines = follower.hear(table(LATER, time_s, Y2="Y2 0.6 G2 0.3"))
    assert told(lines) == ["notice"]
    assert follower.unread == {TILES["Y2"]}
    assert told(follower.hear(table(LATER, 80))) == ["placed Y2 turn 7 player 0"]


def test_the_game_goes_on_where_the_known_table_lies_again() -> None:
    follower = lost()
    assert follower.hear(table(BASE[-1], 70)) == []
    assert follower.question is None
    assert told(follower.hear(table("R40 B20 Y30/R4 B10", 80))) == ["placed B10 turn 5 player 1"]


def test_the_game_goes_on_where_play_leads_to_what_is_shown() -> None:
    assert told(lost().hear(table("R40 B20 Y30/R4 B10", 70))) == ["placed B10 turn 5 player 1"]


def test_a_table_that_is_surely_read_twice_is_the_game_from_there() -> None:
    follower = lost()
    assert follower.hear(table(LATER, 70)) == []
    (line,) = follower.hear(table(LATER, 71))
    assert line.remark is Remark.FOUND
    assert (str(follower.game.layout), follower.question, follower.is_waiting) == (LATER, None, False)
    assert follower.game.turn == 7
    assert follower.hear(table(LATER, 80)) == []


def test_what_must_be_resolved_on_the_table_shown_is_said() -> None:
    follower = lost()
    mayhem = "R40 B20 Y30 Y2/R4 B2 -/Y120 -"
    follower.hear(table(mayhem, 70))
    assert told(follower.hear(table(mayhem, 71))) == ["notice", "verdict"]


def test_a_table_to_which_play_leads_from_the_one_shown_is_the_game() -> None:
    follower = lost()
    follower.hear(table(LATER, 70))
    lines = follower.hear(table("R40 B20 Y30 Y2/R4 B2 Y6/Y4 -", 80))
    assert told(lines) == ["notice", "placed Y6 turn 8 player 1"]


def test_another_table_is_shown_instead() -> None:
    follower = lost()
    assert follower.hear(table(LATER, 70)) == []
    other = "R40 B20 Y30 G2/R4 B2 -"
    assert follower.hear(table(other, 80)) == []
    assert told(follower.hear(table(other, 81))) == ["notice"]


def test_people_say_that_the_table_is_right() -> None:
    follower = lost()
    follower.hear(table(LATER, 70, Y2="Y2 0.6 G2 0.3"))
    lines = follower.hear(Answered(71, Reply.AS_IT_LIES))
    assert told(lines) == ["notice"]
    assert str(follower.game.layout) == LATER


@pytest.mark.parametrize("reply", [Reply.MENDED, Reply.OK, Reply.TILE, Reply.ROLL])
def test_no_other_answer_finds_a_lost_game(reply: Reply) -> None:
    follower = lost()
    assert follower.hear(Answered(70, reply, "Y2", 0, 3, 4)) == []
    assert follower.question is not None


def test_people_correct_a_lost_game() -> None:
    follower = lost()
    assert told(follower.hear(Corrected(70, Layout.parse(LATER)))) == []
    assert follower.question is None
    assert told(follower.hear(table(LATER.replace("R4 B2 -", "R4 B2 Y6"), 80)))[:1] != ["question"]


def test_a_correction_to_what_was_known_finds_the_game() -> None:
    follower = lost()
    follower.hear(
        Corrected(70, follower.game.layout, follower.game.stocks, follower.game.out, follower.game.turn)
    )
    assert follower.question is None


def test_a_check_of_a_lost_game_says_that_it_is_lost() -> None:
    follower = lost(variant=Variant.STRATEGY, voice=Voice.SILENT)
    assert is_lost(follower.hear(CheckCalled(70)))


def test_tiles_that_were_set_aside_are_known_when_the_game_is_found() -> None:
    follower = follow("R40")
    follower.hear(table("R40 B20", 10, B20="B20 0.6 B10 0.4"))
    follower.hear(table("R40 B20", 50, B20="B20 0.6 B10 0.4"))
    assert follower.unread == {TILES["B20"]}
    for time_s, text in ((60, "G40 G20"), (70, "G40 B40"), (80, "B60 B40")):
        follower.hear(table(text, time_s))
    for time_s in (90, 91):
        lines = follower.hear(table(LATER, time_s))
    assert told(lines) == ["notice"]
    assert follower.unread == frozenset()


def test_what_is_in_doubt_on_one_of_two_tables_is_read_on_the_other() -> None:
    follower = lost()
    assert follower.hear(table(LATER, 70, Y2="G2 0.6 Y2 0.3", R4="R4 0.7 B4 0.2")) == []
    (line,) = follower.hear(table(LATER, 71, B20="B20 0.6 G20 0.3"))
    assert isinstance(line, Remarked)
    assert (line.remark, str(follower.game.layout)) == (Remark.FOUND, LATER)
    assert not follower.unread


def test_a_tile_in_doubt_is_none_that_is_surely_read_elsewhere() -> None:
    follower = lost()
    for time_s in (70, 71):
        follower.hear(table(LATER, time_s, Y2="R40 0.6 Y2 0.3"))
    assert (str(follower.game.layout), follower.unread) == (LATER, frozenset())
    follower = lost()
    for time_s in (70, 71):
        assert follower.hear(table(LATER, time_s, Y2="R40 0.6 B20 0.3")) == []


def test_two_tables_that_are_surely_read_otherwise_are_not_one() -> None:
    follower = lost()
    assert follower.hear(table(LATER, 70)) == []
    assert follower.hear(table(LATER, 71, Y2="G2")) == []


def test_nothing_is_found_from_a_table_with_much_in_doubt() -> None:
    follower = lost()
    follower.hear(table(LATER, 70, Y2="Y2 0.6 G2 0.3", R4="R4 0.6 B4 0.3"))
    assert follower.hear(table("R40 B20 Y30 Y2/R4 B2 Y6/Y4 -", 80)) == []


def test_a_known_tile_that_is_read_as_another_one_is_no_way_back() -> None:
    """Neither to the table that was known, nor from the one that was shown."""
    follower = lost()
    assert follower.hear(table("R40 B20 Y30/R4 B10", 70, R40="G40")) == []
    assert follower.is_lost
    follower.hear(table(LATER, 80))
    assert follower.hear(table("R40 B20 Y30 Y2/R4 B2 Y6/Y4 -", 90, R40="G40")) == []
    assert follower.is_lost


def test_what_was_believed_of_tables_since_the_game_was_certain_is_given_up() -> None:
    follower = lost()
    assert follower.beliefs == ()
    assert not follower._state.odd_tables
    assert follower._state.forbidden is None


def test_a_bare_table_and_the_first_tile_on_it_find_no_game() -> None:
    """All had burnt, and each turn was counted as if the game had just begun (film 411129)."""
    follower = Follower(3)
    for time_s, text in enumerate(("R40 - -/- G60", "- B20 -/R10 -/G4", "Y2 - - -/- - -/- R6")):
        follower.hear(table(text, 40.0 + 10 * time_s))
    assert follower.is_lost
    assert follower.hear(table("-", 70)) == []
    assert follower.hear(table("B120", 80)) == []
    assert follower.is_lost
    follower.hear(table(GONE, 90))
    assert told(follower.hear(table(GONE, 91))) == ["notice", "question "]  # whose turn it is (film 426435)


def test_a_thing_that_lies_apart_or_cannot_be_told_alone_is_no_pyramid() -> None:
    """A telephone passed for a millstone (film 411179)."""
    follower = lost()
    for time_s in (70, 71):
        assert follower.hear(table("G40 Y6 - - -/- - - M200", time_s)) == []
    for time_s in (72, 73):
        assert follower.hear(table("M200", time_s, M200="M200 0.97")) == []
    assert follower.is_lost
    follower.hear(table("G40 Y6", 74))
    follower.hear(table("G40 Y6", 75))
    assert str(follower.game.layout) == "G40 Y6"


GONE = "R40 B20 Y2"
"""Two known tiles have gone, and a new one lies there."""


def found(**how: object) -> Follower:
    """A follower that has found the game again, and does not know whose turn it is."""
    follower = lost(**how)
    follower.hear(table(GONE, 70))
    lines = follower.hear(table(GONE, 71))
    assert told(lines) == ["notice", "question "]
    assert not follower.is_lost
    return follower


@pytest.mark.parametrize(("player", "turn"), [(1, 5), (2, 6), (0, 7)])
def test_where_known_tiles_have_gone_people_say_whose_turn_it_is(player: int, turn: int) -> None:
    """Others may have come and gone: every line would name the wrong player."""
    follower = found()
    assert follower.hear(table(GONE + "/R4 -", 80)) == []
    assert follower.hear(table(GONE + "/R4 -", 81)) == []
    assert follower.hear(table(GONE + "/R4 B2", 90)) == []
    lines = follower.hear(Answered(91, Reply.PLAYER, player=player))
    assert told(lines) == [
        f"placed R4 turn {turn + 1} player {turn % 3}", f"placed B2 turn {turn + 2} player {(turn + 1) % 3}"
    ]  # fmt: skip


def test_where_tiles_have_gone_that_nobody_knew_people_say_it_too() -> None:
    """Nobody named any, and each turn was told as the one three turns before it (film 426964, unanswered)."""
    follower = follow("R40")
    for number, text in enumerate((LATER, "R40 - -/- G60", "R40 - B20/R10 -/G4")):
        follower.hear(table(text, 40.0 + 10 * number))
    assert follower.is_lost
    follower.hear(table(GONE, 90))
    assert told(follower.hear(table(GONE, 91))) == ["notice", "question "]


def test_before_that_is_known_nothing_else_is_said() -> None:
    follower = found(variant=Variant.STRATEGY, voice=Voice.SILENT)
    assert follower.hear(Answered(72, Reply.AS_IT_LIES)) == []
    (line,) = follower.hear(CheckCalled(73))
    assert isinstance(line, Asked)
    assert line.question.kind is QuestionKind.PLACED_LAST


def test_whose_turn_it_is_is_asked_also_where_play_leads_on_from_the_table_shown() -> None:
    follower = lost()
    follower.hear(table(GONE, 70))
    assert told(follower.hear(table(GONE + "/R4 -", 80))) == ["notice", "question "]
    lines = follower.hear(Answered(81, Reply.PLAYER, player=2))
    assert told(lines) == ["placed R4 turn 7 player 0"]


def test_who_says_that_the_table_is_right_says_whose_turn_it_is() -> None:
    follower = lost()
    follower.hear(table("G10 Y2 B40/R6 -", 70))
    assert told(follower.hear(Answered(71, Reply.AS_IT_LIES))) == ["notice", "question "]
    assert told(follower.hear(Answered(72, Reply.PLAYER, player=0))) == ["verdict"]
    assert (follower.game.turn, follower.question) == (10, None)


def test_who_says_that_the_table_is_right_does_not_say_which_tile_lies_there() -> None:
    """A collapse was told of a blue 120 that was a green 30, read badly (film 426611)."""
    follower = lost()
    follower.hear(table("G10 Y2 B40/R6 -", 70, R6="R6 0.5 G6 0.45"))
    follower.hear(Answered(71, Reply.AS_IT_LIES))
    assert told(follower.hear(Answered(72, Reply.PLAYER, player=0))) == ["question R4/R6"], "no verdict"
    assert told(follower.hear(table("G10 Y2 B40/R6 -", 80)))[-1] == "verdict"
    follower = lost()
    follower.hear(table("R40 B20 Y30/R4 B2", 70, B2="B2 0.6", R4="covered"))
    follower.hear(Answered(71, Reply.AS_IT_LIES))
    assert {tile.code for tile in follower.unread} == {"B2"}, "what lay there lies there under a hand"


def test_an_unread_tile_is_rather_one_that_has_not_left_the_game() -> None:
    """It was named as one that was out, not counted as placed, and each turn was told as the one before."""
    follower = follow(*BASE)
    follower.hear(Corrected(35, follower.game.layout, (13, 14, 13), (TILES["B2"],), 4))
    for heard in QUESTIONS[QuestionKind.LOST].inputs[len(BASE) :]:
        follower.hear(heard)
    for at in (70, 71):
        follower.hear(table("R40 B20 Y30/R4 G2", at, G2="B2 0.6 G2 0.39"))
    assert told(follower.hear(table("R40 B20 Y30/R4 G2/Y2", 80)))[0] == "placed Y2 turn 6 player 2"


def test_who_placed_the_last_tile_is_asked_also_where_a_forbidden_table_was_played_on() -> None:
    """Several tiles had gone, and turns may have: the next one was told as one of those (228760)."""
    follower = follow(*BASE)
    follower.hear(table("R40 B20", 40))
    lines = follower.hear(table("R40 B20 G2", 50))
    assert told(lines) == ["notice", "question "]
    assert isinstance(lines[-1], Asked)
    assert lines[-1].question.kind is QuestionKind.PLACED_LAST
    follower.hear(Answered(51, Reply.PLAYER, player=2))
    assert told(follower.hear(table("R40 B20 G2/G4 -", 60)))[0] == "placed G4 turn 7 player 0"


def test_what_leads_past_the_tables_that_were_seen_is_lost_rather_than_told() -> None:
    """A question had waited for too long, and another tile lies there now, in doubt as well."""
    follower = follow("R40")
    assert told(follower.hear(table("R40 B20", 10, B20="B20 0.6 B10 0.39"))) == ["question B20/B10"]
    assert is_lost(follower.hear(table("R40 Y4", 12 + PATIENCE_S, Y4="Y4 0.6 R4 0.39")))


@pytest.mark.parametrize(
    "shown", [("R40", "R40 B20", "R40 B20/Y30", "Y30"), ("R40 B20/Y30", "Y30", "Y30 B4")]
)
def test_before_anything_was_certain_nothing_is_told_once_tiles_have_gone(shown: tuple[str, ...]) -> None:
    """Each turn was told as one or two before it (films 438089 and 438523, unanswered)."""
    follower, unsure = Follower(3), {"R40": "R40 0.6 R10 0.39", "Y30": "Y30 0.6 Y10 0.39"}
    for number, text in enumerate(shown):
        follower.hear(table(text, 10 * number, **unsure))
    assert is_lost(follower.hear(table(shown[-1], 41 + PATIENCE_S, **unsure)))


def test_where_nothing_leads_on_from_what_was_believed_no_known_tile_is_misread_as_well() -> None:
    """Red 2 and yellow 10 had gone; blue 4 passed for red 2, and two turns were lost (438596, unanswered)."""
    follower, unsure = follow("R2"), {"Y10": "Y10 0.86 Y30 0.05", "Y40": "Y40 0.41 Y120 0.2"}
    for number, text in enumerate(("Y10 R2", "Y10 R2/B4", "- -/B4", "B4", "B4 Y100", "B4 Y100/Y40")):
        assert all(isinstance(line, Asked) for line in follower.hear(table(text, 10 + number, **unsure)))
    lines = follower.hear(table("B4 Y100/G60", 20, G60="G60 0.95 B60 0.04"))
    assert all(isinstance(line, Asked) for line in lines)


@pytest.mark.parametrize(
    ("between", "expected"),
    [("Y2 Y30 - R10/B2 - -", "question "), ("R40 B20 Y30 - G6/R4 B2 - -", "notice")],
)
def test_past_an_odd_table_without_known_tiles_nothing_is_told_that_nobody_answered(
    between: str, expected: str
) -> None:
    """Four steps were told as another one (film 425038). Of a tile in a wrong place no other one is gone."""
    follower = follow(*BASE)
    unsure = {"B2": "B2 0.5 B4 0.45"}
    assert told(follower.hear(table("R40 B20 Y30/R4 B2", 40, **unsure))) == ["question B2/B4"]
    assert told(follower.hear(table(between, 50, **unsure)))[0].startswith("question")
    assert told(follower.hear(table("R40 B20 Y30/R4 B2", 55, **unsure))) == ["question B2/B4"]
    assert told(follower.hear(table("R40 B20 Y30/R4 B2", 41 + PATIENCE_S, **unsure))) == [expected]
    assert follower.is_lost is (expected != "notice")


def test_before_anything_was_certain_one_of_two_tiles_may_be_taken_off() -> None:
    """All was lost where people had put right what they were asked about (`chequered`, by night)."""
    follower, unsure = Follower(3), {"R40": "R40 0.6 R10 0.39"}
    for number, text in enumerate(("-", "R40", "R40 B20", "R40 B20 Y30/R4 -", "R40 B20/R4")):
        follower.hear(table(text, 5 * number, **unsure))
        if number == 0:
            follower.hear(Answered(1, Reply.AS_IT_LIES))
    follower.hear(table("R40 B20/R4", 41 + PATIENCE_S, **unsure))
    assert not follower.is_lost


def test_what_a_step_took_before_an_odd_table_is_not_gone_from_it() -> None:
    """A curse had taken three tiles while one was in doubt; all after it was lost (`chequered`, dimmed)."""
    follower = Follower(3, Options(curse=True))
    row = "B6 Y30 G100 B30 R60/{} Y10 G120 R6/"
    follower.hear(Corrected(5, Layout.parse(row.format("-") + "- Y2 G20/- G4"), turn=11))
    row, unsure = row.format("G30"), {"G30": "G60 0.7 G30 0.25"}
    follower.hear(table(f"{row}- Y2 G20/- G4", 10, **unsure))
    for number, above in enumerate(("G2 Y2 G20/- G4", "G2 Y2 G20/R2 G4", "- - G20/- G4", "- Y4 G20/- G4")):
        assert follower.hear(table(row + above, 14 + 4 * number, **unsure)) == []
    odd = "- B6 Y30 G100 B30 R60/R120 G30 Y10 G120 R6/- - Y4 G20/- - G4"
    assert told(follower.hear(table(odd, 30, **unsure))) == ["question R120"]
    lines = follower.hear(table(f"{row}R120 Y4 G20/- G4", 11 + PATIENCE_S, **unsure))
    assert told(lines)[-2:] == ["placed Y4 turn 15 player 2", "placed R120 turn 16 player 0"]


def test_a_tile_in_doubt_that_goes_by_another_name_is_not_gone() -> None:
    """Two were placed in one turn while it was, and one taken back; then all was lost (`chequered`)."""
    follower = Follower(3)
    follower.hear(Corrected(5, Layout.parse("G100 B30 R60/G120 R6"), turn=5))
    lines = follower.hear(table("G100 B30 R60/G120 R6/G20", 40, G20="G60 0.5 G20 0.49"))
    assert told(lines) == ["question G60/G20"]
    unsure = {"G20": "G20 0.75 G60 0.25"}
    (asked,) = follower.hear(table("Y30 G100 B30 R60/G4 G120 R6/- G20", 45, **unsure))
    assert kind_of(asked)[0] is QuestionKind.UNLIKELY
    table_then = "Y30 G100 B30 R60/- G120 R6/- G20"
    assert told(follower.hear(table(table_then, 50, **unsure))) == ["question G20/G60"]
    lines = follower.hear(table(table_then, 41 + PATIENCE_S, **unsure))
    assert told(lines) == ["notice", "placed Y30 turn 7 player 0"]


def test_where_people_say_that_the_table_is_right_a_tile_lies_there_that_is_surely_read() -> None:
    """Where another had lain before the game was lost that one passed for misread (game 231667)."""
    follower = lost()
    follower.hear(table("R40 B10 Y30/R4 -", 70))
    follower.hear(Answered(71, Reply.AS_IT_LIES))
    assert str(follower.game.layout) == "R40 B10 Y30/R4 -"


def test_mayhem_that_waited_before_the_game_was_lost_was_missed_by_who_placed_the_last_tile() -> None:
    """It was told as the mayhem of the last player, who had to pay for it (game 231667)."""
    follower = lost(variant=Variant.STRATEGY)
    follower.hear(Corrected(65, Layout.parse("R40 B20 Y30/G60 -"), turn=4))
    for number, odd in enumerate(QUESTIONS[QuestionKind.LOST].inputs[len(BASE) :]):
        follower.hear(replace(odd, time_s=70.0 + 10 * number))
    follower.hear(table("R40 Y20 Y30 Y2/G60 - -", 100))
    follower.hear(Answered(101, Reply.AS_IT_LIES))
    assert told(follower.hear(Answered(102, Reply.PLAYER, player=1))) == ["missed since 4 payer 1"]
    assert follower.game.missed_since == 4
