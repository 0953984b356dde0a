"""Known tiles: which are certain, and what is said where one is surely read as another. Rule 5."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.game import Place, Variant
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.tiles import TILES
from referee.search.evidence import Evidence
from referee.search.hypotheses import Candidate, Hypothesis
from referee.tracking.announcements import Asked, StepWrong
from referee.tracking.explain_table import ask_between
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Reply
from referee.tracking.questions import QuestionKind
from referee.tracking.state import PATIENCE_S
from tests.referee.tracking.tables import OVERWEIGHT, QUESTIONS, follow, kind_of, table, told


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


def test_what_is_told_of_one_place_stays_told_when_another_one_is_asked_about() -> None:
    """People named both of two tiles; the first was forgotten, and the second another one (film 424949)."""
    follower = follow("B20", players=5)
    read = {"G4": "G4 0.9727 G1 0.0105", "G2": "G60 0.6531 G1 0.175 G40 0.0396 G100 0.03 G120 0.02 G30 0.02"}
    follower.hear(table("G4 B20/G2", 20, **read))
    follower.hear(Answered(21, Reply.TILE, "G2", 1, 0))
    follower.hear(Answered(22, Reply.AS_IT_LIES))
    lines = follower.hear(Answered(23, Reply.TILE, "G4", 0, 0))
    assert told(lines) == ["placed G4 turn 2 player 1", "placed G2 turn 3 player 2"]


def test_a_tile_that_was_set_aside_is_not() -> None:
    follower = QUESTIONS[QuestionKind.WHICH_TILE].follower()
    follower.hear(Answered(31, Reply.AS_IT_LIES))
    assert certain(follower) == {(0, 0): "R40"}


def agreed(follower: Follower) -> dict[tuple[int, int], str]:
    return {place: tile.code for place, tile in follower.agreed_tiles.items()}


def test_what_nobody_doubts_is_agreed_on_once_nobody_answers() -> None:
    follower, doubt = follow("R40"), {"B20": "B20 0.6 B10 0.39"}
    follower.hear(table("B20 R40", 10, **doubt))
    follower.hear(table("B20 R40", 20, **doubt))
    assert agreed(follower) == {}, "they may answer yet"
    follower.hear(table("B20 R40", 26, **doubt))
    assert agreed(follower) == {(0, 1): "R40"}
    follower.hear(table("B20 R40/Y2", 30, **doubt))
    assert agreed(follower) == {(0, 1): "R40", (1, 0): "Y2"}
    assert certain(follower) == {}
    follower.hear(table("B20 R40/Y2", 31, hidden=True))
    assert agreed(follower) == {}, "something lies over it"
    follower.hear(table("B20 R40/Y2", 41, **doubt))
    assert follower.unread
    assert agreed(follower) == {}, "what was in doubt was set aside"


def test_nothing_is_agreed_on_where_the_rules_forbid_a_table() -> None:
    assert agreed(follow("R40", "R40 B20")) == {}, "all is certain"
    for kind in (QuestionKind.NO_PLACE, QuestionKind.LOST):
        follower = QUESTIONS[kind].follower()
        assert follower.judged is not None
        follower.hear(replace(follower.judged, time_s=follower.judged.time_s + 20))
        assert agreed(follower) == {}


def test_a_tile_that_stands_for_one_that_was_set_aside_is_not_agreed_on() -> None:
    follower = QUESTIONS[QuestionKind.WHICH_TILE].follower()
    follower.hear(Answered(31, Reply.AS_IT_LIES))
    doubt = {"B20": "B20 0.6 B10 0.39", "Y2": "Y2 0.6 R2 0.39"}
    for time_s in (40, 60):
        follower.hear(table("R40 B20/Y2", time_s, **doubt))
    assert follower.question is not None
    assert agreed(follower) == {(0, 0): "R40"}


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


def test_a_misread_tile_is_no_event():
    follower = follow("R40", "R40 B20", "R40 B20/R4")
    assert follower.hear(table("R40 B20/R4", 25, B20="B10")) == []
    assert follower.hear(table("R40 B20/R4", 30)) == []
    lines = follower.hear(table("R40 B20 Y30/R4 -", 35, R40="Y10"))
    assert told(lines) == ["placed Y30 turn 4 player 0"]


@pytest.mark.parametrize("seen", ["R10", "R10 0.93 R40 0.05", "R10 0.5 R60 0.3"])
def test_a_new_tile_beside_a_misread_one_may_be_a_thing_that_lies_there(seen):
    """A telephone over red 40 made that a red 10, and was itself a millstone (film 348024)."""
    follower = follow("R40", "R40 B20", "R40 B20/R4")
    assert follower.hear(table("M200 R40 B20/- R4", 30, R40=seen)) == []
    assert follower.is_waiting
    assert follower.hear(table("R40 B20/R4", 35)) == []
    assert (follower.table, follower.is_waiting) == ("R40 B20/R4", False)


def test_a_thing_that_was_hardly_taken_for_a_tile_was_none_when_it_has_gone():
    """A glass over green 10 was perhaps a blue 4 beside it, while mayhem was overlooked (film 356010)."""
    base = ("G10", "G10 B30", "G10 B30/G40", "G10 B30 Y30/G40 -", "G10 B30 Y30/G40 R10")
    follower = follow(*base, "G10 B30 Y30/G40 R10/Y4", "G10 B30 Y30/- -/Y4")
    glass = {"G10": "G4 0.276 G2 0.2 G10 0.05", "B4": "B4 0.57 B2 0.2"}
    assert follower.hear(table("G10 B30 Y30/B4 -/Y4", 80, **glass)) == []
    follower.hear(table("G10 B30 Y30/- -/Y4", 82, G10="G10 0.356 G4 0.3"))
    assert told(follower.hear(Answered(83, Reply.AS_IT_LIES))) == ["notice"]
    assert follower.game.turn == 6


def test_a_new_tile_beside_one_that_stays_misread_is_asked_about():
    follower = follow("R40", "R40 B20")
    assert follower.hear(table("R40 B20/R4", 30, B20="Y10")) == []
    (asked,) = follower.hear(table("R40 B20/R4", 31 + PATIENCE_S, B20="Y10"))
    assert kind_of(asked) == (QuestionKind.UNLIKELY, "R4")
    lines = follower.hear(Answered(70, Reply.AS_IT_LIES))
    assert told(lines) == ["placed R4 turn 3 player 2", "question B20/Y10"]


@pytest.mark.parametrize(("code", "said"), [("Y100", ["placed Y6 turn 1 player 0"]), ("Y10", [])])
def test_a_known_tile_that_is_surely_another_is_asked_about_before_what_lies_beside_it(code, said):
    """A yellow 100 was the left-over 10 at first, and nothing was said for twelve turns (film 405151)."""
    follower = follow("Y10", players=2)
    assert follower.hear(table("Y100 Y6", 6)) == []
    assert told(follower.hear(table("Y100 Y6", 8))) == ["question Y10/Y100"]
    assert told(follower.hear(Answered(9, Reply.TILE, code, 0, 0))) == said
    assert follower.hear(table("Y100 Y6", 12)) == []
    assert follower.is_waiting == (not said)


def test_a_new_tile_beside_one_that_was_misread_before_is_one():
    """That one is asked about first; where nobody answers it is the one that lay there."""
    follower = follow("R40", "R40 B20")
    assert follower.hear(table("R40 B20", 30, B20="Y10")) == []
    assert told(follower.hear(table("R40 B20/R4", 40, B20="Y10"))) == ["question B20/Y10"]
    assert follower.hear(table("R40 B20/R4", 41, B20="Y10")) == []
    lines = follower.hear(table("R40 B20/R4", 41 + PATIENCE_S, B20="Y10"))
    assert told(lines) == ["placed R4 turn 3 player 2"]


BURNED = ("B40", "B40 Y4", "B40 Y4 Y30", "B40 Y4 Y30/B20 -")
"""Next somebody places Y1, which burns Y4, and the next one G20 where that lay; nobody sees it."""


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("G20", ["question Y1"]),
        ("Y4", ["placed G1 turn 4 player 1", "verdict"]),
    ],
)
def test_what_lies_where_a_known_tile_lay_is_asked_about_before_anything_is_told_of_it(code, lines):
    """All that followed was told two turns too early, and of the tile that was gone (234835)."""
    follower = follow(*BURNED, players=2)
    assert follower.hear(table("B40 G20 Y30/B20 -", 50)) == []
    assert told(follower.hear(table("B40 G20 Y30/B20 G1", 60))) == ["question Y4/G20"]
    assert follower.hear(table("B40 G20 Y30/B20 G1", 61)) == []
    assert told(follower.hear(Answered(62, Reply.TILE, code, 0, 1))) == lines


@pytest.mark.parametrize("last", ["B40 G20 Y30/B20 G1", "B40 G20 Y30/B20 -"])
def test_a_tile_that_burned_unseen_was_placed_in_its_turn(last):
    """It is asked which one, and then told with all that followed; also where nothing lies there since."""
    follower = follow(*BURNED, players=2)
    follower.hear(table("B40 G20 Y30/B20 -", 50))
    assert told(follower.hear(table(last, 60))) == ["question Y4/G20"]
    follower.hear(Answered(61, Reply.TILE, "G20", 0, 1))
    lines = told(follower.hear(Answered(62, Reply.TILE, "Y1", 1, 1)))
    expected = ["placed Y1 turn 4 player 1", "fire turn 4 player 1", "placed G20 turn 5 player 0"]
    assert lines == [*expected, *["placed G1 turn 6 player 1"][: "G1" in last]]


def test_where_no_play_led_to_what_people_say_lies_there_it_had_another_name():
    follower = follow("R40", "R40 B20")
    follower.hear(table("R40 B20", 30, B20="M200"))
    assert told(follower.hear(table("R40 B20/R4", 40, B20="M200"))) == ["question B20/M200"]
    assert told(follower.hear(Answered(41, Reply.TILE, "M200", 0, 1))) == ["placed R4 turn 3 player 2"]
    assert str(follower.game.layout) == "R40 M200/R4"


def test_a_misread_tile_does_not_hide_a_mistake():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60", 30, G60="G6"))) == ["wrong-step"]


def test_what_lies_where_a_tile_had_gone_is_not_that_one_misread():
    """It had been taken in a wrong step, and the next one was placed there (film 443013)."""
    base = ("B4", "B4 B40", "B4 B40 G1", "B4 B40 G1/B2 -", "B4 B40 G1/B2 B10", "B4 B40 G1/B2 B10/Y40")
    follower = follow(*base)
    assert follower.hear(table("B4 - G1/- -/Y40", 70)) == []
    assert told(follower.hear(table("B4 B7 G1/- -/Y40", 73))) == []
    assert follower.is_waiting


def test_a_tile_that_is_surely_another_on_two_tables_running_is_asked_about():
    follower = follow("R40", "R40 B20")
    assert follower.hear(table("R40 B20", 20, B20="B10")) == []
    assert told(follower.hear(table("R40 B20", 25, B20="B10"))) == ["question B20/B10"]
    assert follower.hear(table("R40 B20", 30, B20="B10")) == []
    assert follower.hear(Answered(31, Reply.TILE, "B10", 0, 1)) == []
    assert str(follower.game.layout) == "R40 B10"
    assert follower.hear(table("R40 B20", 35, B20="B10")) == []
    assert follower.game.stocks == (14, 14, 15)


def test_the_known_tile_is_the_answer():
    follower = follow("R40", "R40 B20")
    follower.hear(table("R40 B20", 20, B20="B10"))
    follower.hear(table("R40 B20", 25, B20="B10"))
    assert follower.hear(Answered(31, Reply.TILE, "B20", 0, 1)) == []
    assert follower.hear(table("R40 B20", 35, B20="B10")) == []
    assert str(follower.game.layout) == "R40 B20"


def test_two_turns_that_nobody_saw_are_asked_about_though_no_tile_can_be_read():
    """They were taken for the two tiles that had lain there, badly read (film 371003)."""
    follower = follow("G10", "G100 G10", players=2)
    unread = {"Y6": "Y40 0.5 Y30 0.16 Y6 0.14 G100 0.0005", "R4": "R30 0.7 R60 0.2 R4 0.1"}
    (asked,) = follower.hear(table("Y6 R4", 30, **unread))
    assert kind_of(asked)[0] is QuestionKind.WHICH_TILE
    assert told(follower.hear(Answered(31, Reply.TILE, "Y6", 0, 0))) == ["question R30/R60/R4"]
    assert told(follower.hear(Answered(32, Reply.TILE, "R4", 0, 1))) == ["question Y6 R4"]
    assert told(follower.hear(Answered(33, Reply.TILE, "Y6", 0, 0)))[:3] == [
        "placed Y6 turn 2 player 1",
        "collapse turn 2 player 1",
        "fall turn 2 player 1",
    ]


_BASE = ("G10", "Y40 G10", "Y40 G10/G2", "Y10 Y40 G10/- G2", "Y10 Y40 G10/Y20 G2", "Y10 Y40 G10/Y20 G2/R2")
_UNDER_TELEPHONE = {
    "Y10": "Y60 0.6668 Y10 0.1176 Y1 0.0629 Y30 0.0477 Y6 0.031 Y40 0.0197 Y120 0.0175 Y100 0.0157 Y4 0.0126",
    "Y40": "Y100 0.6553 Y2 0.135 Y1 0.0382 Y30 0.0253 Y120 0.022 Y10 0.0205 Y60 0.0164 Y40 0.0001",
    "G10": "G60 0.4474 G40 0.3798 G30 0.0466 G1 0.0343 G100 0.0267 G6 0.0214 G120 0.0155 G4 0.0132",
}
_IN_NO_WAY = _UNDER_TELEPHONE | {"G10": "G60 0.5 G40 0.4 G30 0.06 G1 0.04 G10 0.0001"}
"""No play at all leads to that."""


@pytest.mark.parametrize("read", [_UNDER_TELEPHONE, _IN_NO_WAY])
def test_tiles_that_are_hardly_read_where_they_lay_were_not_burned_unseen(read: dict[str, str]) -> None:
    """A telephone lay over the base, and each turn was told as the one after the next (film 473172)."""
    follower = follow(*_BASE, players=5)
    (asked,) = follower.hear(table(_BASE[-1], 70, **read))
    assert kind_of(asked)[0] is QuestionKind.WHICH_TILE
    place = asked.question.places[0]
    assert place.codes[0] == follower.game.layout.get(place.row, place.slot).code
    assert follower.hear(Answered(71, Reply.TILE, place.codes[0], place.row, place.slot)) == []
    assert follower.question is None
    lines = follower.hear(table("Y10 Y40 G10 B10/Y20 G2 -/R2 -", 80))
    assert told(lines) == ["placed B10 turn 7 player 1"]


def test_tiles_that_are_hardly_read_for_long_lie_there_still() -> None:
    follower = follow(*_BASE, players=5)
    follower.hear(table(_BASE[-1], 70, **_UNDER_TELEPHONE))
    assert follower.hear(table(_BASE[-1], 75 + PATIENCE_S, **_UNDER_TELEPHONE)) == []
    lines = follower.hear(table("Y10 Y40 G10 B10/Y20 G2 -/R2 -", 120))
    assert told(lines) == ["placed B10 turn 7 player 1"]


def test_while_a_step_is_wrong_no_tile_is_certain() -> None:
    follower = follow("R40", "R40 B20", "R40 B20 Y2", "R40 B20 Y2/R4 -", "R40 B20 Y2/R4 G60", players=6)
    (wrong,) = follower.hear(table("R40 - Y2/R4 G60", 60))
    assert isinstance(wrong, StepWrong)
    assert not follower.is_waiting
    assert follower.certain_tiles == {}


def test_what_people_named_is_forgotten_once_the_game_is_certain() -> None:
    follower = follow("R40")
    follower.hear(table("R40 B20", 10, B20="B20 0.6 B10 0.39"))
    follower.hear(Answered(11, Reply.TILE, "B10", 0, 1))
    assert str(follower.game.layout) == "R40 B10"
    assert follower.told_tiles == frozenset()
    assert follower.certain_tiles == {(0, 0): TILES["R40"], (0, 1): TILES["B10"]}


@pytest.mark.parametrize("how_often", [2, 4])
def test_tables_over_which_something_lay_count_until_one_is_clear(how_often: int) -> None:
    follower = follow("R40")
    for number in range(how_often):
        follower.hear(table("R40", 10 + number, hidden=True))
    assert follower._state.hidden_tables == how_often
    follower.hear(table("R40", 20))
    assert follower._state.hidden_tables == 0


def _fell_read_as_another() -> Follower:
    """A green 100 that fell, and was surely read as a green 30."""
    follower = follow("R30 Y1 Y120", "R30 Y1 Y120/- Y30", "R30 Y1 Y120/G100 Y30", players=6)
    follower.hear(table("G30 - Y120/- Y30", 40))
    return follower


def test_what_is_read_where_a_known_tile_has_fallen_is_asked_for_its_name() -> None:
    """Whether the table was right was asked, and each turn then counted as a later one (film 429273)."""
    follower = _fell_read_as_another()
    (asked,) = follower.hear(table("G30 - Y120/- Y30", 42))
    assert kind_of(asked) == (QuestionKind.WHICH_TILE, "G30 G100")
    named = follower.hear(Answered(43, Reply.TILE, "G100", 0, 0))
    assert told(named) == ["collapse turn 5 player 4", "fall turn 5 player 4"]
    assert told(follower.hear(table("G100 B10 Y120/- Y30", 50))) == ["placed B10 turn 6 player 5"]


def test_what_lies_instead_of_a_known_tile_is_asked_about_once_more_when_it_has_its_name() -> None:
    follower = _fell_read_as_another()
    follower.hear(table("G30 - Y120/- Y30", 42))
    (asked,) = follower.hear(Answered(43, Reply.TILE, "G30", 0, 0))
    assert kind_of(asked) == (QuestionKind.PUT_RIGHT, "G30 G100")


def test_a_new_tile_that_is_hardly_what_it_must_be_is_asked_about_beside_a_misread_one() -> None:
    """The game ended in an error (film 423728, unanswered)."""
    state = follow("Y60", "Y60 B20")._state
    new, known = TILES["R4"], TILES["Y60"]
    evidence = Evidence.of(table("Y60 B20/R4", 30, R4="G100 0.96", Y60="R100 0.96"))
    placed = Hypothesis(state.game.place(new, 1, 0), memory={new: (-7.0, 0.5)})
    (asked,) = ask_between(
        state, [Candidate(placed, -14.0, ((0, known, TILES["R100"]),), (Place(new, 1, 0),))], evidence
    )
    assert isinstance(asked, Asked)
    assert kind_of(asked) == (QuestionKind.WHICH_TILE, "R4")


def test_two_tiles_each_read_where_the_other_one_lay_are_exchanged_though_one_is_in_doubt() -> None:
    """Both passed for misread, and one was asked about as if the table had been moved (film 427269)."""
    follower = follow("R120", "R120 R6")
    (asked,) = follower.hear(table("R6 R120", 30, R120="R120 0.9936 R60 0.0024"))
    assert isinstance(asked, Asked)
    assert kind_of(asked) == (QuestionKind.MOVE_BACK, "R6")
    assert follower.hear(table("R120 R6", 40)) == []


def test_what_is_hardly_read_as_a_tile_that_a_collapse_had_taken_is_no_tile_still():
    """The same was asked each time that people said so, and nothing more was told (film 434098)."""
    follower = follow("R40", "R40 B20", "R40 B20 Y30", "R40 B20 Y30/G4 -")
    thing = table("G4 M200 Y30", 40, M200="M200 0.95 B20 0.02 B4 0.01")
    assert told(follower.hear(thing)) == ["question M200/B20/B4"]
    lines = told(follower.hear(Answered(41, Reply.NO_TILE)))
    assert [line.split()[0] for line in lines] == ["collapse", "fall"]


def test_what_was_surely_placed_beside_a_misread_tile_is_no_tile_that_nobody_saw() -> None:
    """It was asked which tile had come and gone, and the turns that followed were not told (232622)."""
    follower = Follower(6, Options(fire_die=FireDie.OLDER), Variant.STRATEGY)
    follower.hear(Corrected(0, Layout.parse("G2 - B7/- G100/B2"), (7, 8, 7, 4, 11, 4), (), 21))
    for time_s, text in ((5, "G2 - B7/- -/B2"), (10, "G2 - B7/- B2")):
        follower.hear(table(text, time_s))
    assert follower.hear(table("G2 B6 B7/- B2", 20, G2="B2 0.9 G2 0.05")) == []
    assert told(follower.hear(table("B6 B7", 28))) == ["placed B6 turn 22 player 3", "verdict", "wrong-step"]


@pytest.mark.parametrize(("lies", "said"), [("B20", "wrong-step"), ("G10", "collapse")])
def test_what_fell_where_another_tile_lies_still_by_what_is_read_is_asked_about(lies: str, said: str) -> None:
    """It was said to have fallen there, and had been taken itself (as in 233648)."""
    follower = Follower(3)
    follower.hear(Corrected(0, Layout.parse("Y100 R10 G6/R4 B20"), (14, 13, 13), (), 5))
    follower.hear(table("Y100 R10 G6/R4 B20/G10", 10))
    asked = follower.hear(table("Y100 R10 G6/- B20", 20, B20="B20 0.6 G10 0.39"))
    assert told(asked) == ["question B20/G10"]
    assert told(follower.hear(Answered(21, Reply.TILE, lies, 1, 1)))[0].split()[0] == said
