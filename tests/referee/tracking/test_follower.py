"""Following a game from settled tables. Rule 5."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from referee.formats.announcement_json import announcement_to_dict
from referee.rules.game import Variant
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options, Overhang, read_options
from referee.rules.tiles import TILES
from referee.tracking.announcements import Asked, StepWrong
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Reply
from referee.tracking.questions import QuestionKind
from tests.places import DATA
from tests.referee.tracking.tables import BASE, OVERWEIGHT, follow, lying_first, table, tables, told

GAMES = DATA / "games"
EXPECTED = {
    "start": [],
    "bumped": [],
    "placed": ["placed"],
    "missed": ["placed", "missed"],
    "step": ["step"],
    "wrong-step": ["wrong-step"],
    "fixed": ["fixed", "step"],
}


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_whole_game_is_told_right(path):
    first, *steps = (json.loads(line) for line in path.read_text().splitlines())
    variant, options = Variant(first["variant"]), read_options(first["rules"])
    follower = Follower(first["players"], options, variant)
    announced = []
    for number, step in enumerate(steps):
        lines = [announcement_to_dict(line) for line in follower.hear(table(step["layout"], float(number)))]
        wanted = list(EXPECTED[step["what"]])
        event = step.get("event") or {}
        if event.get("event") == "fall" and announced[:1] == ["air"]:
            wanted.insert(0, "step")  # the tile was found in free air first
        pending = [each["event"] for each in step["pending"]]
        is_new = step["what"] in ("placed", "step", "fixed") and pending and pending != announced
        assert [line["event"] for line in lines] == wanted + ["verdict"] * bool(is_new), step
        announced = pending
        for line in lines:
            assert (line["turn"], line["player"]) == (step["turn"], step["player"])
            assert line["layout"] == step["layout"]
            assert line["time_s"] == number
            if line["event"] == "placed":
                assert line["tile"] == step["tile"]
                assert Layout.parse(line["layout"]).get(line["row"], line["slot"]).code == step["tile"]
            if line["event"] in ("verdict", "missed"):
                assert line["verdict"] == step["pending"]
                assert line["needs"] == step["needs"]
            if line["event"] == "wrong-step":
                assert step["right"] in line["right"]
        if "event" in step and step["what"] != "wrong-step":
            found = {**lines[-1 - bool(is_new)]["step"]}
            del found["layout"]
            assert found == {key: value for key, value in event.items() if key != "layout"}
        if step["what"] == "missed":
            assert lines[1]["since"] == step["since"]
            assert lines[1]["payer"] is None
        if step["stocks"]:
            assert list(follower.game.stocks) == step["stocks"]


def test_a_line_has_the_keys_of_the_interface():
    follower = follow("R40")
    (line,) = follower.hear(table("B20 R40", 7.5))
    assert announcement_to_dict(line) == {
        "event": "placed", "turn": 2, "player": 1, "tile": "B20", "row": 0, "slot": 0,
        "layout": "B20 R40", "stocks": [14, 14, 15], "time_s": 7.5,
    }  # fmt: skip


def test_nothing_is_said_where_nothing_changed():
    follower = follow(*OVERWEIGHT)
    assert follower.hear(table("R40 B20/G60", 90.0)) == []


def test_a_verdict_is_said_once_and_each_event_of_it_when_it_was_done():
    follower = follow(*OVERWEIGHT[:2])
    assert told(follower.hear(table("R40 B20/G60"))) == ["placed G60 turn 3 player 2", "verdict"]
    assert told(follower.hear(table("G60"))) == ["collapse turn 3 player 2", "fall turn 3 player 2"]
    assert follower.game.stocks == (14, 14, 16)


def test_resolution_and_next_placement_between_two_looks():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("G60 Y2"))) == [
        "collapse turn 3 player 2", "fall turn 3 player 2", "placed Y2 turn 4 player 0",
    ]  # fmt: skip


@pytest.mark.parametrize(("variant", "payer"), [(Variant.FAMILY, None), (Variant.STRATEGY, 0)])
def test_mayhem_that_is_passed_over_was_missed(variant, payer):
    follower = follow(*OVERWEIGHT, variant=variant)
    lines = follower.hear(table("R40 B20 Y2/G60 -"))
    assert told(lines) == ["placed Y2 turn 4 player 0", f"missed since 3 payer {payer}"]
    assert announcement_to_dict(lines[1])["verdict"][0]["payer"] is payer
    # Going on over it again: it is still the mayhem of turn 3, and the payer is who is active now.
    lines = follower.hear(table("R40 B20 Y2/G60 Y4"))
    payer = None if payer is None else 1
    assert told(lines) == ["placed Y4 turn 5 player 1", f"missed since 3 payer {payer}"]


def test_a_wrong_step_is_said_once_and_so_is_its_mending():
    follower = follow(*OVERWEIGHT)
    (line,) = follower.hear(table("R40 -/G60"))
    assert str(line.right[0]) == "- -/G60"
    assert (line.take_off, line.put_back, line.move) == ((TILES["R40"],), (), ())
    assert follower.hear(table("R40 -/G60", 5)) == []
    assert follower.hear(table("R40 -/G60", 6, G60="G6 0.6 G60 0.3")) == []
    assert told(follower.hear(table("- -/G60", 9))) == ["fixed", "collapse turn 3 player 2"]


def test_a_blowtorch_that_was_forgotten_and_is_taken_then_was_not_lit_anew():
    """A tile that nobody saw may have been placed beside it, and have burnt; but hardly."""
    follower = Follower(2)
    for heard in tables("-", "R7", "R7 G30", "R7"):
        follower.hear(heard)
    assert told(follower.hear(table("-", 40.0))) == ["fixed", "fire turn 2 player 1"]


def test_what_was_put_back_to_where_it_lay_is_put_right_too():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60"))) == ["wrong-step"]
    assert told(follower.hear(table("R40 B20/G60"))) == ["fixed"]


def test_while_a_wrong_step_is_put_right_nothing_is_said():
    follower = follow("R40", "R40 B20", "R40 B20/R4", "R40 B20 Y30/R4 -", "R40 B20 Y30/R4 B7")
    assert follower.game.pending.events
    (line,) = follower.hear(table("R40 - -/- B7"))
    assert isinstance(line, StepWrong)
    assert follower.hear(table("R40")) == []
    assert told(follower.hear(table("-"))) == ["fixed", "fire turn 5 player 1"]


def test_a_wrong_table_that_was_misread_is_read_anew():
    follower = follow(*BASE, "R40 B20 Y30/R4 G60")
    # R4 comes off by mistake, and R40 is read as R4.
    assert follower.hear(table("R40 - -/- G60", 50, R40="R4")) == []
    (line,) = follower.hear(table("R40 - -/- G60", 51, R40="R4"))
    assert line.put_back == (TILES["R40"],)
    assert follower.hear(table("R40 - -/- G60", 55)) == []
    (line,) = follower.hear(CheckCalled(56))
    assert line.put_back == (TILES["R4"],)
    # Whatever lies in the place of R4 now is no R4 that was put back.
    assert "fixed" not in told(follower.hear(table("R40 Y2 -/- G60", 60)))


def test_a_wrong_step_that_is_seen_again_with_a_misread_tile_says_nothing():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60"))) == ["wrong-step"]
    assert follower.hear(table("R40 -/G60", 6, G60="G6")) == []


def test_the_second_of_two_steps_done_wrongly():
    follower = follow(*BASE, "R40 B20 Y30/R4 Y2", "R40 B20 Y30/R4 Y2/G60")
    lines = follower.hear(table("R40 - Y30/G60 -", 60))
    assert told(lines) == ["collapse turn 6 player 2", "fall turn 6 player 2", "wrong-step"]
    assert lines[-1].take_off == (TILES["R40"],)


def test_a_tile_that_hardly_can_have_fallen_there_did_not():
    follower = follow("R40")
    assert told(follower.hear(Corrected(5, Layout.parse("Y10 R40 B20 R10/- G60 -"), turn=5))) == ["verdict"]
    # G60 would fall to where R40 lay; but R40 it is that lies there.
    for time_s, said in ((9, []), (10, ["wrong-step"])):
        lines = follower.hear(table("Y10 R40 - R10", time_s, R40="R40 0.992 G60 0.006"))
        assert told(lines) == said


def test_a_tile_that_is_hardly_what_is_read_does_not_explain_a_wrong_step_away():
    follower = follow(*OVERWEIGHT)
    # G60 alone would be right; but R40 it is, in all likelihood.
    for time_s, said in ((30, []), (31, ["wrong-step"])):
        assert told(follower.hear(table("R40", time_s, R40="R40 0.942 Y40 0.048"))) == said


def test_a_forbidden_table_after_a_wrong_step_is_asked_about_once():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60"))) == ["wrong-step"]
    odd = "R40 - Y2 Y4 Y6/G60 - - -"
    assert told(follower.hear(table(odd, 30)))[0].startswith("question")
    assert follower.hear(table(odd, 31)) == []


def test_an_unreadable_tile_beside_a_wrong_step_is_asked_about():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60"))) == ["wrong-step"]
    assert told(follower.hear(table("R40 - Y2/G60 -", 30, Y2="R40 0.9"))) == ["question "]


def test_a_wrong_step_that_stays_is_played_on():
    follower = follow(*OVERWEIGHT)
    follower.hear(table("R40 -/G60"))
    lines = follower.hear(table("R40 Y2/G60"))
    assert told(lines) == ["placed Y2 turn 4 player 0", "missed since 3 payer None"]
    assert follower.game.stocks == (13, 14, 15)  # B20 went to player 2, who had paid


def test_a_wrong_step_that_was_played_on_was_not_put_right_and_done_again():
    """That Y2 was put back, and taken again by another fall, would need more to have happened unseen."""
    follower = Follower(players=4)
    follower.hear(table("R40"))
    stable = "G100 - R120 B40 - R6/- - Y20 R40 B30/- Y2 - -/- - B10/- B2"
    follower.hear(Corrected(5, Layout.parse(stable), turn=5))
    follower.hear(table("G100 Y4 R120 B40 - R6/- - Y20 R40 B30/- Y2 - -/- - B10/- B2", 10))
    follower.hear(table("G100 Y4 R120 B40 - R6/- - Y20 R40 B30/- Y2 B10 -/- - -/- B2", 20))
    follower.hear(table("G100 Y4 R120 B40 - R6/- - Y20 R40 B30/- Y2 B10 -/- B2 -", 30))
    wrong = "G100 Y4 R120 B40 - R6/- - - - B30/- - B10 -/- B2 -"
    assert follower.hear(table(wrong, 40)) == []
    assert told(follower.hear(table(wrong, 41))) == ["wrong-step"]
    lines = follower.hear(table("G100 Y4 R120 B40 R20 R6/- - - - B30/- - B10 -/- B2 -", 50))
    assert told(lines) == ["placed R20 turn 7 player 2", "missed since 5 payer None"]


def test_a_wrong_step_that_is_said_to_be_right_is_played_on_with_what_was_placed_since():
    follower = follow(*OVERWEIGHT, "R40 -/G60")
    doubtful = table("R40 Y2/G60", 40, Y2="Y2 0.5 Y4 0.45")
    assert told(follower.hear(doubtful)) == ["question Y2/Y4"]
    assert told(follower.hear(Answered(41, Reply.AS_IT_LIES))) == ["notice", "question Y2/Y4"]
    lines = follower.hear(Answered(42, Reply.TILE, code="Y2", row=0, slot=1))
    assert told(lines) == ["placed Y2 turn 4 player 0", "missed since 3 payer None"]


@pytest.mark.parametrize("roll", [1, 2, 3, 4, 5])
def test_a_roll_that_somebody_said_is_told_as_it_was_said(roll):
    """No table tells 1, 2 and 3 apart, nor here 4, after which the incendiary leaves, from 5."""
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    assert follower.hear(Answered(30, Reply.ROLL, roll=roll)) == []  # to be seen
    burned = str(follower.game.settle().roll(roll).layout)
    assert announcement_to_dict(follower.hear(table(burned, 40))[0])["step"]["roll"] == roll


def test_a_roll_that_does_not_lead_to_the_table_is_not_told():
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    follower.hear(Answered(30, Reply.ROLL, roll=4))
    burned = str(follower.game.settle().roll(1).layout)
    assert announcement_to_dict(follower.hear(table(burned, 40))[0])["step"]["roll"] == 1


def test_a_roll_that_was_said_is_that_of_its_turn_alone():
    follower = follow("R40", "R40 B20", options=Options(fire_die=FireDie.NEWER))
    follower.hear(Answered(20, Reply.ROLL, roll=3))
    follower.hear(table("R40 B20/B7", 30))
    burned = str(follower.game.settle().roll(1).layout)
    assert announcement_to_dict(follower.hear(table(burned, 40))[0])["step"]["roll"] == 1


def test_a_tile_that_one_table_lacked_and_the_next_has_did_not_come_off():
    """A hand that nobody saw lay over it; two incendiaries seemed to have come and gone (film 411245)."""
    follower = Follower(6)
    follower.hear(table("B120 Y4 R100"))
    assert follower.hear(table("B120 - R100", 2)) == []
    assert follower.hear(table("B120 - R100", 8))  # it is asked
    assert told(follower.hear(table("B120 Y4 R100/B10 -", 9))) == ["placed B10 turn 1 player 0"]


def test_a_known_tile_that_is_missing_for_a_moment_is_not_asked_about():
    """A hand lay over it that was not seen; "we do not know" let two turns go by (film 412233)."""
    follower = follow(*BASE)
    assert follower.hear(table("R40 B20 Y30", 40)) == []
    assert follower.hear(table("R40 B20 Y30/R4 -", 43)) == []
    assert follower.question is None
    assert follower.hear(table("R40 B20 Y30", 50)) == []
    assert told(follower.hear(table("R40 B20 Y30", 56)))[0].startswith("question")


def test_a_tile_that_is_not_seen_at_once_over_the_two_that_it_took_away_was_placed():
    """Which tile had come and gone was asked for, and every turn was one too far since (film 412278)."""
    follower = follow("R40", "R40 B20")
    assert follower.hear(table("-", 30)) == []
    lines = follower.hear(table("- -/Y30", 32))
    assert told(lines) == ["placed Y30 turn 3 player 2", "collapse turn 3 player 2", "verdict"]


def test_left_over_tiles_may_change_places_before_one_of_them_is_read():
    """Two of three counted as left over, and the third, which nobody had named, as placed (film 423725)."""

    def lay_first(text, at, codes, **unread):
        settled = table(text, at, **unread)
        tiles = (replace(tile, lay_first=tile.codes[0][0] in codes.split()) for tile in settled.tiles)
        return replace(settled, tiles=tuple(tiles))

    follower, row, unread = Follower(6), "R20 G120 R10", {"R20": "R20 0.94 R120 0.04"}
    follower.hear(lay_first(row, 0, row, **unread))
    follower.hear(lay_first(row + "/- G20", 3, row, **unread))
    lines = follower.hear(lay_first("R10 G120 R20/- G20", 11, "G120"))
    assert told(lines)[-1] == "placed G20 turn 1 player 0"
    follower.hear(lay_first(row + "/- G20", 15, row))
    assert told(follower.hear(lay_first(row + "/Y120 G20", 16, row)))[-1] == "placed Y120 turn 2 player 1"


def test_a_left_over_tile_that_people_named_lay_there_first() -> None:
    """The game began without it, and each turn was told as the one after the next (film 473179)."""
    follower, row = Follower(6), "Y4 R60 G60"
    follower.hear(table(f"{row}/- B7", 0, hidden=True, B7="covered"))
    unsure = {"G60": "G60 0.47 B60 0.43", "G40": "G40 0.93 B40 0.07"}
    follower.hear(lying_first(f"{row}/- G40", 4, row, **unsure))
    follower.hear(Answered(5, Reply.TILE, "G40", 1, 1))
    lines = follower.hear(Answered(6, Reply.TILE, "G60", 0, 2))
    assert told(lines) == ["notice", "placed G40 turn 1 player 0"]


def test_of_two_tiles_that_came_in_one_look_the_first_is_told_of_the_table_without_the_other():
    """The table between them was told as if the second one lay there already (`opposite`, warmer)."""
    follower = follow("R40 B20 Y30", players=6)
    follower.hear(table("R40 B20 Y30/R4 B10", 9))
    follower.hear(Answered(10, Reply.AS_IT_LIES))
    lines = follower.hear(Answered(11, Reply.TILE, "B10", 1, 1))
    assert [line.layout for line in lines] == ["R40 B20 Y30/- B10", "R40 B20 Y30/R4 B10"]


def test_a_long_way_to_a_table_is_not_told_because_the_table_is_right() -> None:
    """Green 1 burned what lay there and was gone with it; blue 40 seemed to have fallen twice (232098)."""
    follower = Follower(3, Options(overhang=Overhang.COLOUR), Variant.STRATEGY)
    known = Layout.parse("B120 Y60 G30 R40 R60/Y20 G60 G2 R6/B60 R2 G4/B10 -")
    follower.hear(Corrected(0, known, (15, 5, 12), (), 29))
    (asked,) = follower.hear(table("B120 Y60 G30 R40 R60/Y20 G60 - B40/B60 - -/B10 -", 20))
    assert isinstance(asked, Asked)
    assert asked.question.kind is QuestionKind.UNLIKELY
    lines = follower.hear(Answered(21, Reply.AS_IT_LIES))
    assert told(lines) == ["notice", "question "]
    assert follower.question is not None
    assert follower.question.kind is QuestionKind.PLACED_LAST
    assert follower.hear(Answered(22, Reply.PLAYER, player=0)) == []
    assert follower.game.turn == 31


def test_a_roll_is_asked_about_where_the_next_tile_may_have_taken_what_a_fire_would_have() -> None:
    """Yellow 1 was said to have burned yellow 4: the die showed smoke, and blue 2 took both (233109)."""
    follower = Follower(2, Options(fire_die=FireDie.NEWER))
    for time_s, text in ((5, "Y4"), (10, "Y4 Y1")):
        follower.hear(table(text, time_s))
    (asked,) = follower.hear(table("B2", 15))
    assert isinstance(asked, Asked)
    assert asked.question.kind is QuestionKind.WAS_ROLLED
    assert told(follower.hear(Answered(16, Reply.ROLL, roll=6))) == [
        "die turn 1 player 0", "placed B2 turn 2 player 1",
        "collapse turn 2 player 1", "fall turn 2 player 1",
    ]  # fmt: skip


BOOK = "R100 G60 B120/R20 G10/Y4"
"""What a rulebook shows."""


@pytest.mark.parametrize("players", [2, 3])
def test_more_on_the_first_table_than_can_lie_there_is_no_game_until_somebody_says_so(players):
    """Letter tiles lay beside the left-over tile, and the game began with them (film 465785)."""
    follower = Follower(players)
    (line,) = follower.hear(lying_first(BOOK, 1))
    assert (line.question.kind, len(line.question.places)) == (QuestionKind.FIRST_TABLE, 6)
    assert follower.hear(lying_first(BOOK, 90)) == []  # nobody's patience ends that
    assert follower.hear(lying_first(BOOK, 91, G60="G60 0.6 G40 0.39")) == []
    lines = follower.hear(Answered(92, Reply.NO_TILE))
    assert [line.question.kind for line in lines] == [QuestionKind.LEFT_OVER] * follower.left_over
    assert (follower.game.actions, follower.game.layout.cells) == ((), {})


@pytest.mark.parametrize("players", [2, 3])
def test_who_says_that_the_first_table_is_right_plays_on_with_it(players):
    follower = Follower(players)
    follower.hear(lying_first(BOOK, 1))
    follower.hear(Answered(2, Reply.AS_IT_LIES))
    assert str(follower.game.layout) == BOOK
    assert told(follower.hear(lying_first(f"{BOOK.rpartition('/')[0]}/Y4", 5))) == []


@pytest.mark.parametrize("players", [2, 3])
def test_play_that_goes_on_with_the_first_table_is_followed(players):
    follower = Follower(players)
    follower.hear(lying_first("R100 G60 B120 Y40/R20 G10 B30", 1))
    later = "R100 G60 B120 Y40/R20 G10 B30/R4 -"
    lines = follower.hear(lying_first(later, 9, "R100 G60 B120 Y40/R20 G10 B30"))
    assert told(lines)[-1] == f"placed R4 turn 8 player {7 % players}"


def test_what_comes_when_the_first_table_is_gone_may_be_placed():
    """The left-over tile was an incendiary; the first one was taken for it (film 465781)."""
    follower = Follower(2)
    follower.hear(lying_first(BOOK, 1))
    (line,) = follower.hear(lying_first("Y6", 60, BOOK))
    assert line.question.asks_laid
    assert told(follower.hear(Answered(61, Reply.AS_IT_LIES)))[-1] == "placed Y6 turn 1 player 0"


def test_the_left_over_tile_that_lay_beside_the_first_table_is_known():
    follower = Follower(2)
    follower.hear(lying_first(BOOK, 1))
    lines = follower.hear(lying_first("B30 Y6", 60, "B30"))
    assert told(lines) == ["notice", "placed Y6 turn 1 player 0"]
    assert follower.game.setup.left_over == (TILES["B30"],)


def test_where_none_is_left_over_what_lay_first_was_not_placed():
    """Two notes were told as placed, once the first had been set aside (film 465834)."""
    follower = Follower(3)
    note = {"B40": "B40 0.97"}
    assert told(follower.hear(lying_first("B40", 1, **note))) == ["question B40"]
    assert follower.hear(lying_first("B40", 50, **note)) == []
    (line,) = follower.hear(lying_first("B30 B40", 60))
    assert (line.question.kind, len(line.question.places)) == (QuestionKind.FIRST_TABLE, 2)
    assert told(follower.hear(lying_first("R20", 90, BOOK.replace("R20", "R40")))) == [
        "placed R20 turn 1 player 0"
    ]
    assert follower.question is None


def test_where_none_is_left_over_the_first_tile_may_lie_there_already():
    follower = Follower(3)
    assert told(follower.hear(lying_first("B40", 1, B40="B40 0.97"))) == ["question B40"]
    lines = follower.hear(lying_first("B40 R20", 40, "B40"))
    assert told(lines)[-2:] == ["placed B40 turn 1 player 0", "placed R20 turn 2 player 1"]


def test_where_none_may_be_left_over_all_is_asked_about_and_else_not_what_may_be():
    """Who heard that the left-over tile had to go, too, said that the table is right (film 465830)."""
    notes = "Y6 B4 B40 B7 - - -/- - - - - -/- - - - R4"
    (line,) = Follower(3).hear(lying_first(notes, 1))
    assert [tile.code for tile in line.question.tiles] == ["Y6", "B4", "B40", "B7", "R4"]
    follower = Follower(2)
    (line,) = follower.hear(lying_first(notes, 1))
    assert [tile.code for tile in line.question.tiles] == ["Y6", "B4", "B40", "B7"]
    follower.hear(Answered(2, Reply.NO_TILE))
    assert told(follower.hear(lying_first("B30 R4", 5, "R4"))) == ["notice", "placed B30 turn 1 player 0"]


def test_a_tile_that_is_placed_may_be_one_that_was_denied_on_the_first_table():
    """Of a rulebook's tiles one in four is the next one that is placed (films 465821 and 465902)."""
    for denied in (BOOK, "R100 G60 B120"):
        follower = Follower(3)
        follower.hear(lying_first(denied, 1))
        follower.hear(Answered(2, Reply.NO_TILE))
        assert told(follower.hear(lying_first("R100", 5, "Y1"))) == ["placed R100 turn 1 player 0"]


def test_one_of_two_things_may_be_denied_beside_the_other():
    follower = Follower(2)
    follower.hear(lying_first("B10 B4", 1, B10="B10 0.7 R10 0.28", B4="B4 0.7 R4 0.28"))
    follower.hear(Answered(2, Reply.NO_TILE))
    lines = follower.hear(lying_first("B10 R60", 5, "B10"))
    assert told(lines) == ["notice", "placed R60 turn 1 player 0"]


def test_two_notes_were_neither_left_over_nor_placed_once_they_are_gone():
    """One of them had the name of the tile that was placed (film 465814)."""
    follower = Follower(2)
    assert told(follower.hear(lying_first("B4 B100", 1))) == ["question B4 B100"]
    lines = follower.hear(lying_first("R6 B4", 9, "R6"))
    assert told(lines) == ["notice", "placed B4 turn 1 player 0"]
    follower = Follower(2)
    follower.hear(lying_first("B4 B100", 1))
    assert told(follower.hear(lying_first("B4 B100/R4", 9, "Y1"))) != lines  # the camera was bumped


def test_left_over_tiles_beside_things_are_known_though_none_can_be_told():
    """Their colour was in doubt until two had been placed (film 465812)."""
    follower = Follower(6)
    follower.hear(lying_first(BOOK, 1))
    unread = {code: f"{code} 0.8 R{code[1:]} 0.15" for code in ("Y10", "Y100")}
    follower.hear(lying_first("Y10 B100 Y100/- Y2", 5, "Y10 B100 Y100", **unread))
    lines = follower.hear(lying_first("Y10 B100 Y100/B6 Y2", 9, "Y10 B100 Y100"))
    assert told(lines)[-2:] == ["placed Y2 turn 1 player 0", "placed B6 turn 2 player 1"]


def test_which_tile_lies_on_a_first_table_that_is_right_may_be_asked_next():
    follower = Follower(2)
    follower.hear(lying_first(BOOK, 1, G60="G60 0.2 G40 0.1 G30 0.1 G4 0.1 G6 0.1 B40 0.1"))
    lines = follower.hear(Answered(2, Reply.AS_IT_LIES))
    assert told(lines) == ["notice", "question G60/G40/G30/G4/G6/B40"]


def test_where_more_lay_beside_things_than_is_left_over_that_is_asked_about():
    follower = Follower(2)
    follower.hear(lying_first(BOOK, 1))
    lines = follower.hear(lying_first("B30 Y6/R4", 5, "B30 Y6"))
    assert "placed" not in " ".join(told(lines))


def test_two_left_over_tiles_that_people_name_alike_are_one():
    """The film ended in an error (465998)."""
    follower = Follower(6)
    follower.hear(lying_first(BOOK, 1))
    follower.hear(lying_first("Y10 B100 Y100/- Y2", 5, "Y10 B100 Y100", Y100="Y100 0.6 R100 0.39"))
    follower.hear(Answered(6, Reply.TILE, "B100", 0, 2))
    assert follower.has_begun
    assert len({*follower.game.setup.left_over}) == 3
