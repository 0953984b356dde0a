"""Tiles that stay unread: the game goes on, and nothing that hangs on them is said. Rule 5."""

from __future__ import annotations

import pytest

from referee.rules.events import Direction
from referee.rules.game import Game
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.resolve import Missed
from referee.rules.tiles import TILES, Tile
from referee.rules.verdict import Verdict
from referee.search.evidence import Evidence
from referee.search.hypotheses import Candidate, Hypothesis
from referee.tracking.announcements import Asked, Remark, StepWrong
from referee.tracking.candidates import set_aside
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Reply
from referee.tracking.questions import QuestionKind
from referee.tracking.state import PATIENCE_S, Undecided
from referee.tracking.wrong_tables import find_mistake
from tests.referee.tracking.tables import BASE, follow, kind_of, table, tables, told

LATE_S = 41 + PATIENCE_S
TWO = {"Y30": "Y30 0.6 Y20 0.38", "B2": "B2 0.6 G2 0.38"}


def with_unread(text: str, **unsure: str) -> Follower:
    """A follower of a second table with a tile that stayed unread."""
    follower = follow("R40")
    follower.hear(table(text, 10, **unsure))
    assert told(follower.hear(table(text, 11 + PATIENCE_S, **unsure))) == ["notice"]
    return follower


def test_mayhem_that_hangs_on_an_unread_tile_is_told_when_it_can_be_read():
    """On blue 10 red 60 is too heavy, on blue 20 it is not."""
    unsure = {"B10": "B10 0.6 B20 0.4"}
    follower = with_unread("R40 B10", **unsure)
    assert told(follower.hear(table("R40 B10/R60", 50, **unsure))) == ["placed R60 turn 3 player 2"]
    assert told(follower.hear(table("R40 B10 Y2/R60 -", 55, **unsure))) == ["question B10/B20"]
    lines = follower.hear(table("R40 B10 Y2/R60 -", 60))
    assert told(lines) == ["placed Y2 turn 4 player 0", "notice", "verdict"]
    assert follower.game.missed_since == 3


def test_a_tile_that_was_set_aside_is_asked_about_once_more_and_not_again():
    """After each turn it was asked whether it was a green 30 or a green 60 (game-hard, by night)."""
    alike, other = {"B10": "B10 0.6 B20 0.4"}, {"B20": "B20 0.9 B10 0.0013"}
    follower = with_unread("R40 B10", **alike)
    follower.hear(table("R40 B10/R4", 50, **alike))
    assert told(follower.hear(table("G2 R40 B20/- R4", 60, **other))) == ["question B10/B20"]
    assert follower.hear(table("G2 R40 B20/- R4", 61, **other)) == []
    assert follower.question is not None, "people may answer still"
    lines = follower.hear(table("G2 R40 B10/Y2 R4", 70, **alike))
    assert told(lines) == ["placed G2 turn 4 player 0", "placed Y2 turn 5 player 1"]
    lines = follower.hear(table("G2 R40 B20/Y2 R4/R2", 80, **other))
    assert told(lines)[:1] == ["placed R2 turn 6 player 2"]
    assert follower.question is None
    assert follower.unread


def test_what_lies_elsewhere_is_not_the_unread_tile():
    """When blue 20 is placed the unread tile is no blue 20, and red 60 too heavy in any case."""
    unsure = {"B10": "B10 0.6 B20 0.4"}
    follower = with_unread("R40 B10", **unsure)
    follower.hear(table("R40 B10/R60", 50, **unsure))
    lines = follower.hear(table("R40 B10 B20/R60 -", 55, **unsure))
    assert told(lines) == ["placed B20 turn 4 player 0", "missed since 3 payer None"]


def test_two_tiles_are_set_aside_each_where_it_lies():
    follower = follow(*BASE[:3])
    assert told(follower.hear(table("R40 B20 Y30/R4 -", 40, **TWO))) == ["question Y30/Y20"]
    assert follower.hear(table("R40 B20 Y30/R4 B2", 45, **TWO)) == []
    lines = follower.hear(table("R40 B20 Y30/R4 B2", LATE_S, **TWO))
    assert [(line.remark, line.row, line.slot) for line in lines] == [
        (Remark.SET_ASIDE, 0, 2), (Remark.SET_ASIDE, 1, 1),
    ]  # fmt: skip
    assert (follower.game.turn, follower.game.stocks) == (5, (13, 13, 14))
    # The newest is told as placed; of the other it is said what it is.
    lines = follower.hear(table("R40 B20 Y30/R4 B2", 80, Y30="Y30 0.6 Y20 0.38"))
    assert told(lines) == ["placed B2 turn 5 player 1"]
    assert set(follower.unread) == {TILES["Y30"]}
    lines = follower.hear(table("R40 B20 Y30/R4 B2", 85))
    assert [(line.remark, line.tiles) for line in lines] == [(Remark.READ, (TILES["Y30"],))]
    assert follower.hear(table("R40 B20 Y30/R4 B2", 90)) == []


def test_what_is_certain_is_told_beside_what_is_set_aside():
    follower = follow(*BASE[:3])
    unsure = {"Y30": "Y30 0.6 Y20 0.38"}
    follower.hear(table("R40 B20 Y30/R4 -", 40, **unsure))
    lines = follower.hear(table("R40 B20 Y30/R4 B2", LATE_S, **unsure))
    assert told(lines) == ["notice", "placed B2 turn 5 player 1"]


def test_an_unread_tile_may_turn_out_to_be_one_that_nobody_thought_of():
    """The reader was in doubt between two, and it is none of them."""
    unsure = {"B20": "B20 0.5 B10 0.2"}
    follower = with_unread("R40 B20", **unsure)
    assert told(follower.hear(table("R40 Y4", 60))) == ["placed Y4 turn 2 player 1"]
    assert str(follower.game.layout) == "R40 Y4"
    assert told(follower.hear(table("R40 Y4/R4", 70))) == ["placed R4 turn 3 player 2"]


def test_what_stood_for_an_unread_tile_may_turn_up_in_a_hand():
    unsure = {"B20": "B20 0.6 B10 0.4"}
    follower = with_unread("R40 B20", **unsure)
    assert told(follower.hear(table("R40 B20/G4", 50, B20="covered"))) == ["placed G4 turn 3 player 2"]
    lines = follower.hear(table("R40 B10 B20/G4 -", 60, B10="B20 0.5 B10 0.4"))
    assert told(lines)[:1] == ["placed B20 turn 4 player 0"]
    (line,) = follower.hear(table("R40 B10 B20/G4 -", 70))
    assert (line.remark, line.tiles) == (Remark.READ, (TILES["B10"],))
    assert str(follower.game.layout) == "R40 B10 B20/G4 -"


def test_a_tile_is_set_aside_while_another_one_turns_out_to_be_blue_10():
    """The newest one stays unread: it was taken for read."""
    follower = with_unread("R40 B20", B20="B20 0.6 B10 0.4")
    for time_s in (50, 55, 60 + PATIENCE_S):
        follower.hear(table("R40 B10/R4", time_s, R4="R4 0.6 R2 0.38"))
    assert set(follower.unread) == {TILES["R4"]}
    assert follower.renamed == [(TILES["B20"], TILES["B10"])]
    assert told(follower.hear(table("R40 B10/R4", 100))) == ["placed R4 turn 3 player 2"]


def test_that_a_step_was_put_right_is_told_where_a_tile_gets_its_name():
    """Blue 10 is read on that table for the first time (game-hard, bright and upside down)."""
    unsure = {"B20": "B20 0.6 B10 0.4"}
    follower = with_unread("R40 B20", **unsure)
    for time_s, text in enumerate(
        ("R40 B20/R4", "R40 B20 Y30/R4 -", "R40 B20 Y30/R4 Y4", "R40 B20 Y30/R4 Y4/G1"), 60
    ):
        follower.hear(table(text, time_s, **unsure))
    follower.hear(table("R40 B20 Y30/- Y4", 70, **unsure))
    assert told(follower.hear(table("R40 B20 Y30/- Y4", 75, **unsure))) == ["wrong-step"]
    lines = told(follower.hear(table("R40 B10 Y30/G1 -", 85)))
    assert lines[:3] == ["fixed", "collapse turn 6 player 2", "fall turn 6 player 2"]


def test_a_tile_that_came_off_unread_may_be_placed_again_under_its_own_name():
    """Blue 20 stood for it; what fell in truth was blue 10, and blue 20 is still in a hand."""
    unsure = {"B20": "B20 0.6 B10 0.4"}
    follower = with_unread("R40 B20", **unsure)
    follower.hear(table("R40 B20/G60", 50, **unsure))
    follower.hear(table("G60", 60))
    assert told(follower.hear(table("G60 B20", 70))) == ["placed B20 turn 4 player 0"]
    assert told(follower.hear(table("G60 B20/G4", 80))) == ["placed G4 turn 5 player 1"]


def test_a_covered_tile_that_is_set_aside_may_be_any():
    follower = follow("R40")
    follower.hear(table("R40 B20", 10, B20="covered"))
    assert follower.is_waiting
    assert follower.hear(table("R40 B20", 10 + PATIENCE_S, B20="covered")) == []
    (line,) = follower.hear(table("R40 B20", 11 + PATIENCE_S, B20="covered"))
    assert (line.remark, line.row, line.slot) == (Remark.SET_ASIDE, 0, 1)
    assert not follower.is_waiting
    assert told(follower.hear(table("R40 M200", 60))) == ["placed M200 turn 2 player 1"]


def test_what_was_done_wrongly_with_a_tile_in_doubt_above_it_is_asked_about_first():
    follower = follow(*BASE)
    assert told(follower.hear(table("R40 B20/R4", 40))) == ["question Y30"]
    doubtful = table("R40 B20 B2/R4 -", 45, B2="B2 0.6 G2 0.38")
    asked = follower.hear(doubtful)
    assert told(asked) == ["question B2/G2"]
    # The table below is right; which tile lies on it is still in doubt.
    lines = follower.hear(Answered(46, Reply.AS_IT_LIES))
    assert told(lines) == ["notice", "question B2/G2"]
    assert lines[0].remark is Remark.TAKEN_OVER
    assert str(follower.game.layout) == "R40 B20/R4"
    assert told(follower.hear(Answered(47, Reply.TILE, "G2", 0, 2))) == ["placed G2 turn 5 player 1"]


@pytest.mark.parametrize(
    ("reads", "asked"),
    [("B20 0.6 B10 0.4", "B20 B10"), ("B20 0.96 B10 0.04", "B20 B10"), ("B20 0.979 B10 0.001", "B20")],
)
def test_what_the_reader_doubts_is_asked_about(reads, asked):
    (line,) = follow("R40").hear(table("R40 B20", 5, B20=reads))
    assert kind_of(line)[1] == asked


def test_a_table_is_told_as_it_was_read_even_where_nothing_is_known_of_it():
    follower = follow("R40")
    assert follower.hear(table("R40 B20", 9, B20="covered")) == []
    seen = Layout.parse(follower.table)
    assert (len(seen), seen.get(0, 0)) == (2, TILES["R40"])


def test_who_answers_nothing_goes_on_with_what_is_likeliest():
    follower = follow("R40")
    follower.hear(table("R40 B20", 5, B20="B20 0.6 B10 0.4"))
    (line,) = follower.hear(Answered(6, Reply.AS_IT_LIES))
    assert (line.remark, follower.question) == (Remark.SET_ASIDE, None)
    assert follower.game.layout.get(0, 1) is TILES["B20"]


def test_a_lone_thing_of_which_nobody_said_what_it_is_was_none_once_a_tile_lies_elsewhere():
    """A note was taken for the first tile, and two seemed to have come and gone since (film 411454)."""
    follower = Follower(5)
    (asked,) = follower.hear(table("R40", 1, R40="R40 0.9 R4 0.07"))
    assert told([asked]) == ["question R40/R4"]
    assert told(follower.hear(table("R120", 4, R120="R120 0.97"))) == ["question R120"]
    lines = follower.hear(table("B30 R120", 7))
    assert told(lines) == ["placed R120 turn 1 player 0", "placed B30 turn 2 player 1"]


def test_a_lone_thing_of_which_nobody_said_what_it_is_was_none_once_the_table_is_bare_again():
    """It seemed to be a blue 10 that had burned unseen, two turns were counted (film 425207)."""
    follower = Follower(5)
    follower.hear(table("M200", 1, M200="M200 0.89 B10 0.05 R10 0.03"))
    assert follower.hear(table("-", 4)) == []
    assert follower.question is None
    assert told(follower.hear(table("R6", 7))) == ["placed R6 turn 1 player 0"]


@pytest.mark.parametrize(("players", "said"), [(4, ["question"]), (3, ["placed G40 turn 1 player 0"])])
def test_a_game_that_began_with_things_alone_begins_once_more(players, said):
    """Squares of a cloth were denied; then the left-over tile was told as placed (film 387023)."""
    follower = Follower(players)
    squares = {"R10": "R10 0.67 M200 0.16 B10 0.15", "R7": "R7 0.2 R10 0.17 B7 0.13"}
    follower.hear(table("R10 R7 M200", 1, **squares))
    for at in range(2):
        lines = follower.hear(Answered(2 + at, Reply.NO_TILE))
    asked = lines[-1].question.kind if lines else None
    assert asked is (QuestionKind.LEFT_OVER if players == 4 else None)
    lines = follower.hear(table("G40", 5))
    assert [line.removesuffix(" G40") for line in told(lines)] == said


def test_play_goes_on_over_the_order_in_which_two_tiles_were_placed():
    """Nobody answered; the two were forgotten, and the third was told as the first (film 407940)."""
    follower = Follower(3)
    follower.hear(table("G120", 1, G120="Y20 0.97"))
    assert kind_of(follower.hear(table("G120 G2", 5))[0])[0] is QuestionKind.PLACED_FIRST
    assert [tile.code for tile in follower.lying] == ["G120", "G2"]
    assert follower.hear(table("G120 G2", 7)) == []
    unclear, *lines = follower.hear(table("G120 G2/Y30", 9))
    assert (unclear.remark, follower.question) == (Remark.UNCLEAR, None)
    assert told(lines) == ["placed Y30 turn 3 player 2", "verdict"]


def test_a_doubtful_tile_alone_lies_there_only_when_that_is_certain():
    """A note that was asked about counted as a tile, and was surely read a second later (film 407917)."""
    follower = Follower(3)
    follower.hear(table("Y20", 1, Y20="Y20 0.9 Y10 0.05"))
    assert follower.lying == ()
    follower.hear(table("Y20", 2))
    assert follower.lying == (TILES["Y20"],)


def test_nothing_is_told_of_the_fall_of_a_tile_that_cannot_be_read():
    """Its name was a guess (film 411146)."""
    unsure = {"G60": "G60 0.6 G100 0.4"}
    follower = follow("R4", "R4 B2", "R4 B2 Y30")
    follower.hear(table("R4 B2 Y30/G60 -", 40, **unsure))
    assert told(follower.hear(table("R4 B2 Y30/G60 -", 41 + PATIENCE_S, **unsure))) == ["notice"]
    assert follower.hear(table("- - Y30/G60 -", 80, **unsure)) == []
    assert str(follower.game.layout) == "- - Y30/G60 -"
    assert "verdict" in told(follower.hear(table("- - Y30/G60 -", 84)))


def test_a_step_that_a_tile_without_a_name_makes_wrong_is_asked_about():
    """Which tile was to be put back was a guess (film 411146)."""
    unsure = {"G30": "G30 0.6 G20 0.4"}
    follower = follow(*BASE[:3])
    for text, time_s in (("R40 B20 G30/R4 -", 40), ("R40 B20 G30/R4 -", LATE_S), ("R40 B20 G30/R4 B2", 80)):
        follower.hear(table(text, time_s, **unsure))
    assert "verdict" in told(follower.hear(table("R40 B20 G30/R4 B2/G60", 85, **unsure)))
    (line,) = follower.hear(table("R40 B20 -/- B2/G60", 90))
    assert isinstance(line, Asked)


@pytest.mark.parametrize("unread", ["B2 0.6 Y2 0.4", "B2"])
def test_a_step_at_which_a_tile_without_a_name_has_gone_is_not_said_to_be_wrong(unread: str):
    """Another tile would have had to go before it (film 426488, unanswered)."""
    follower = follow(*BASE[:3], "R40 B20 G30", "R40 B20 G30/R4 -")
    for text, time_s in (("R40 B20 G30/R4 B2", 60), ("R40 B20 G30/R4 B2", 61 + PATIENCE_S)):
        follower.hear(table(text, time_s, B2=unread))
    follower.hear(table("R40 B20 G30/R4 B2/G60", 100, B2=unread))
    lines = follower.hear(table("R40 - G30/- -/G60", 110)) + follower.hear(table("R40 - G30/- -/G60", 111))
    assert told(lines)[0].split()[0] == ("wrong-step" if unread == "B2" else "question")


def test_which_tile_lies_there_is_asked_before_what_else_is_open():
    """It was asked what had happened: a die may have been rolled, and a tile was in doubt (film 404089)."""
    follower = Follower(2, Options(fire_die=FireDie.OLDER), Missed.STRATEGY)
    base = ("R10", "R60 R10", "R60 R10/R30", "R60 R10 G60/R30 -", "R60 R10 G60/R30 B100")
    for lying in tables(*base, "R60 R10 G60/R30 B100/R7", "R60 - B100/R30 -/R7"):
        follower.hear(lying)
    new = "Y40 0.36 Y60 0.2 Y20 0.1 Y120 0.09 Y6 0.05"
    (asked,) = follower.hear(table("R60 Y6 B100/R30 -/R7", 75, Y6=new))
    assert asked.question.kind is QuestionKind.WHICH_TILE
    (asked,) = follower.hear(Answered(76, Reply.TILE, "Y6", 0, 1))
    assert asked.question.kind is QuestionKind.WAS_ROLLED
    assert told(follower.hear(Answered(77, Reply.ROLL, roll=0)))[-1] == "missed since 4 payer 1"


def overhung(read: str) -> Follower:
    """Under an overhanging red 120 a red 20 or a blue 20 was placed; it collapsed with yellow 2."""
    follower = Follower(3)
    follower.hear(Corrected(0, Layout.parse("B6 G60 R60/- Y2/R120"), (13, 13, 14), (), 5))
    follower.hear(table("B6 G60 R60/R20 Y2/R120", 10, R20=read))
    for at in (15, 20):
        follower.hear(table("B6 G60 R60/R120 -", at))
    return follower


def test_what_was_missed_is_not_told_where_an_unread_tile_that_is_gone_was_taken() -> None:
    """Red 20 was said to have been taken, and it was blue 20 (no pictures, 228753, unanswered)."""
    follower = overhung("R20 0.57 B20 0.42")
    lines = follower.hear(table("B6 G60 R60/R120 -", LATE_S))
    assert told(lines) == ["notice", "fall turn 6 player 2", "verdict"]
    assert follower.hear(table("B6 G60 R60/R120 -", LATE_S + 5)) == []


def test_a_tile_that_had_stood_for_another_may_be_placed_while_something_is_in_doubt() -> None:
    """It passed for one that the rules forbid, and all that followed was wrong (228753)."""
    follower = overhung("R20 0.57 B20 0.42")
    follower.hear(table("B6 G60 R60/R120 -", LATE_S))
    follower.hear(table("R120 R60", LATE_S + 10))
    follower.hear(table("R120 R60/G4", LATE_S + 20, G4="G4 0.6 B4 0.39"))
    (asked,) = follower.hear(table("R120 R60 R20/G4 -", LATE_S + 25))
    assert isinstance(asked, Asked)
    assert kind_of(asked) == (QuestionKind.UNLIKELY, "R20 G4")


def explanations(before: Game, placed: Tile, *games: Game) -> list[Candidate]:
    """Equally likely ones of the same table, each a game that goes on from `before`."""
    return [
        Candidate(
            Hypothesis(game, memory={placed: (0.0, 0.0)}), -14.0, (), game.actions[len(before.actions) :]
        )
        for game in games
    ]


@pytest.mark.parametrize("is_sure", [False, True])
def test_mayhem_that_may_have_been_resolved_in_time_is_not_said_to_be_missed(is_sure: bool):
    """The tile that collapsed had fallen to the left, or to the right after the next was placed (434118)."""
    state = follow("B7", "B7 R100", "B7 R100/G20")._state
    tile, pending = TILES["R120"], state.game
    missed = pending.place(tile, 0, 2)
    late = missed.step().choose(Direction.RIGHT)
    early = missed if is_sure else pending.step().choose(Direction.LEFT).place(tile, 0, 1)
    close = explanations(pending, tile, late, early)
    _unclear, *lines = set_aside(state, close, Evidence.of(table("G20 R120")))
    assert [line.split()[0] for line in told(lines)] == (["placed", "missed"] if is_sure else [])


def test_what_was_due_is_not_told_beside_the_wrong_step_that_it_led_to() -> None:
    """Nobody knew whether B6 was placed before G20 collapsed, and then G20 fell too far (film 460056)."""
    base = ("B7", "B7 R100", "B7 R100 B100", "B7 R100 B100 Y100", "B7 R100 B100 Y100/G20 - -")
    state, tile = follow(*base)._state, TILES["B6"]
    late, early = state.game.place(tile, 1, 2).step(), state.game.step().place(tile, 1, 2)
    state.undecided = Undecided(
        explanations(state.game, tile, late, early), Evidence.of(table("- - B100 Y100/G20 - B6", 20)), []
    )
    unclear, placed, wrong = find_mistake(state, Evidence.of(table("- - B100 Y100/- G20 B6", 30)))
    assert told([placed]) == ["placed B6 turn 6 player 2"]
    assert isinstance(wrong, StepWrong)
    assert (unclear.remark, wrong.move) == (Remark.UNCLEAR, (TILES["G20"],))


def rolled(*texts: str) -> tuple[Follower, list[str]]:
    """A follower that was asked whether the fire die was rolled, and what it says of tables after that."""
    follower = Follower(4, Options(fire_die=FireDie.NEWER))
    for number, text in enumerate(("Y100", "G6 Y100", "G6 Y100/G1", "G2 G6 Y100/- G1")):
        lines = follower.hear(table(text, 5.0 * number))
    assert kind_of(lines[-1])[0] is QuestionKind.WAS_ROLLED
    said = [told(follower.hear(table(text, 20 + 5.0 * number))) for number, text in enumerate(texts)]
    return follower, said[-1]


def test_play_goes_on_over_what_the_fire_die_showed():
    """Three turns went by without a word, and were forgotten with the next table (462034, unanswered)."""
    _, lines = rolled("G2 G6 Y100/Y2 G1")
    assert lines == ["notice", "placed G2 turn 3 player 2", "placed Y2 turn 4 player 3", "verdict"]
    assert rolled("G2 G6 Y100/- G1")[1] == []


def test_play_does_not_go_on_over_a_roll_on_which_hangs_what_is_due(monkeypatch):
    monkeypatch.setattr(
        "referee.tracking.explain_table.common_resolution", lambda _: Verdict((), None, certain=False)
    )
    assert rolled("G2 G6 Y100/Y2 G1")[1] == []


THING = "R7 0.28 Y1 0.05"


def test_a_figure_of_the_cloth_is_left_out_once_play_leads_to_all_else():
    """The game was lost over it, and found with it (462041, unanswered)."""
    follower = follow("R20", "R20 B30", "R20 B30/B4")
    (asked,) = follower.hear(table("R20 B30 -/B4 R7/B10", 40, R7=THING))
    assert kind_of(asked)[0] is QuestionKind.TAKE_OFF
    lines = told(follower.hear(table("B10 R20 B30 -/- B4 R7", 45, R7=THING)))
    assert lines == ["placed B10 turn 4 player 0"]
    assert follower.hear(table("B10 R20 B30 -/- B4 R7", 46, R7=THING)) == []
    lines = told(follower.hear(table("B10 R20 B30 -/G10 B4 R7", 50, R7=THING)))
    assert (lines, str(follower.game.layout)) == (["placed G10 turn 5 player 1"], "B10 R20 B30/G10 B4")


@pytest.mark.parametrize("text", ["B10 R20 B30 -/- B4 R7", "R20 B30 -/B4 R7"])
def test_what_may_be_a_tile_in_a_wrong_place_is_asked_about(text):
    """It is one that was read, or nothing else is new."""
    follower = follow("R20", "R20 B30", "R20 B30/B4")
    read = "R7 0.6 R6 0.3" if "B10" in text else THING
    (asked,) = follower.hear(table(text, 45, R7=read))
    assert isinstance(asked, Asked)
    assert "R7" in kind_of(asked)[1]


def test_where_two_things_cannot_be_read_none_is_left_out():
    follower = follow("R20", "R20 B30", "R20 B30/B4")
    (asked,) = follower.hear(table("B10 R20 B30 - -/- B4 R7 G6", 45, R7=THING, G6="G6 0.3"))
    assert isinstance(asked, Asked)


def test_no_fire_is_told_by_which_a_tile_was_never_there_that_was_surely_read():
    """Green 2 was placed, collapsed and fell, and then was gone; all was told one turn too early (236111)."""
    follower = Follower(4, Options(fire_die=FireDie.NEWER))
    follower.hear(Corrected(5, Layout.parse("B120 G100 B7/B30 B100/Y30"), turn=52))
    texts = (
        "B120 G100 B7 R10/B30 B100 -/Y30 -",
        "B120 G100 B7 R10/B30 B100 G2/Y30 -",
        "B120 G100 - -/B30 B100 G2/Y30 -",
        "B120 G100 - G2/B30 B100 -/Y30 -",
        "B120 - -/B30 B100/Y30",
    )
    for number, text in enumerate(texts):
        follower.hear(table(text, 10 + 5.0 * number))
    (asked,) = follower.hear(table("B120 M200 -/B30 B100/Y30", 40))
    assert kind_of(asked)[0] is QuestionKind.LOST


def test_what_one_look_surely_reads_is_weighed_against_the_rules():
    """Nobody had minded in seven turns what a yellow 20 would have brought about (`opposite`, brighter)."""
    follower = Follower(5)
    texts = (
        "R30",
        "R30 B30",
        "R30 B30/B20",
        "G40 R30 B30/- B20",
        "G40 R30 B30/G10 B20",
        "G40 R30 B30/G10 B20/G6",
        "G40 R30 B30 R20/G10 B20 -/G6 -",
    )
    follower.hear(table("-"))
    said = [told(follower.hear(table(text, 5 + 3.0 * at, B20=DOUBT))) for at, text in enumerate(texts)]
    assert said[1:] == [["placed B30 turn 2 player 1"], ["question Y20/B20"], [], [], [], []]
    last = texts[-1]
    assert follower.hear(table(last, 30, B20="Y20")) == []
    lines = follower.hear(table(last, 42 + PATIENCE_S, B20="Y20"))
    assert told(lines)[0] == "notice"
    assert not [line for line in told(lines) if line.startswith("missed")]
    assert follower.hear(table(last, 80, B20="Y20")) == [], "it is not named against the rules"
    (named,) = follower.hear(table(last, 90))
    assert (named.remark, named.tiles) == (Remark.READ, (TILES["B20"],))


def test_what_is_surely_read_in_the_end_is_told_where_the_rules_say_nothing_against_it():
    follower = follow("R40", "R40 B20")
    assert told(follower.hear(table("R40 B20/R4", 30, R4="R4 0.5 Y4 0.45"))) == ["question R4/Y4"]
    assert told(follower.hear(table("R40 B20/R4", 32, R4="Y4"))) == ["placed Y4 turn 3 player 2", "verdict"]


def test_the_name_that_stands_for_an_unread_tile_is_that_of_all_looks():
    """The last of twenty-one looks named it, and every later table had that name (`chequered`, by night)."""
    follower, often = follow("R40"), "B20 0.75 B10 0.2"
    for number in range(6):
        follower.hear(table("R40 B20", 10 + number, B20=often))
    follower.hear(table("R40 B20/R4", 20, B20=often))
    lines = follower.hear(table("R40 B20/R4", 11 + PATIENCE_S, B20="B10 0.6 B20 0.3"))
    assert told(lines) == ["notice", "placed R4 turn 3 player 2"]
    assert {line.layout for line in lines[1:]} == {"R40 B20/R4"}


def test_a_tile_that_nobody_thought_of_is_read_against_the_one_that_was_thought_of():
    """It was held for the other one against a sure look, and the game was lost (203, unanswered)."""
    follower = follow("B120", "B120 R120", "B120 R120 Y120", "B120 R120 Y120/B100 -")
    lines = follower.hear(table("B120 R120 Y120/B100 Y100", 50, Y100="B100 0.67 G100 0.32"))
    assert told(lines) == ["question G100"]
    assert told(follower.hear(table("B120 R120 Y120/B100 Y100/Y6", 60))) == ["question Y100/G100 Y6"]
    lines = told(follower.hear(table("Y40 B120 R120 Y120/- B100 Y100/- Y6", 70)))
    expected = ["placed Y100 turn 5 player 1", "placed Y6 turn 6 player 2", "placed Y40 turn 7 player 0"]
    assert lines == expected


DOUBT = "Y20 0.55 B20 0.42"
