"""Following a game from settled tables. Rule 5."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.errors import RefereeError
from referee.rules.game import Step, Variant, Voice
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options, read_options
from referee.rules.tiles import TILES
from referee.tracking.follower import PATIENCE_S, Follower
from referee.tracking.hypotheses import close_ones, is_decided
from referee.tracking.inputs import (
    Answered,
    CheckCalled,
    Corrected,
    Noticed,
    Reply,
    SeenTile,
    Settled,
    input_from_dict,
)
from referee.tracking.likelihood import Sight
from referee.tracking.move_search import EXTRA_COST, MISSED_AGAIN_COST, MISSED_COST, find_courses
from referee.tracking.questions import ask_which

DATA = Path(__file__).parents[2] / "data"
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


def table(text, time_s=0.0, hidden=False, **unlike):
    """A settled table, surely read; but R40="R40 0.6 R10 0.3", R40="R10" or R40="covered"."""
    tiles = []
    for (row, slot), tile in Layout.parse(text).tiles:
        read = unlike.get(tile.code, tile.code).split()
        if read == ["covered"]:
            tiles.append(SeenTile(row, slot, (), sure=False, covered=True))
        elif len(read) == 1:
            tiles.append(SeenTile(row, slot, ((read[0], 0.999),)))
        else:
            codes = zip(read[::2], map(float, read[1::2]), strict=True)
            tiles.append(SeenTile(row, slot, tuple(codes), sure=False))
    return Settled(time_s, tuple(tiles), hidden)


def told(lines):
    """Lines in short: the event, and what distinguishes it."""
    return [short(line.to_dict()) for line in lines]


def short(line):
    match line["event"]:
        case "placed":
            return f"placed {line['tile']} turn {line['turn']} player {line['player']}"
        case "step":
            return f"{line['step']['event']} turn {line['turn']} player {line['player']}"
        case "missed":
            return f"missed since {line['since']} payer {line['payer']}"
        case "question":
            return "question " + " ".join("/".join(tile["codes"]) for tile in line["tiles"])
        case "end":
            return f"end {line['winner']}"
    return line["event"]


def follow(*texts, **how):
    """A follower that saw these tables, one every ten seconds."""
    follower = Follower(**{"players": 3, **how})
    for number, text in enumerate(texts):
        follower.hear(table(text, 10.0 * number))
    return follower


OVERWEIGHT = ("R40", "R40 B20", "R40 B20/G60")
"""Player 2 placed G60 on too little."""


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_whole_game_is_told_right(path):
    first, *steps = (json.loads(line) for line in path.read_text().splitlines())
    variant, options = Variant(first["variant"]), read_options(first["rules"])
    follower = Follower(first["players"], options, variant)
    announced = []
    for number, step in enumerate(steps):
        lines = [line.to_dict() for line in follower.hear(table(step["layout"], float(number)))]
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
    assert line.to_dict() == {
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
    assert lines[1].to_dict()["verdict"][0]["payer"] is payer
    # Going on over it again: it is still the mayhem of turn 3, and the payer is who is active now.
    lines = follower.hear(table("R40 B20 Y2/G60 Y4"))
    payer = None if payer is None else 1
    assert told(lines) == ["placed Y4 turn 5 player 1", f"missed since 3 payer {payer}"]


def test_a_wrong_step_is_said_once_and_so_is_its_mending():
    follower = follow(*OVERWEIGHT)
    (line,) = follower.hear(table("R40 -/G60"))
    assert line.right[0] == "- -/G60"
    assert "take R40 off" in str(line.sentence)
    assert follower.hear(table("R40 -/G60", 5)) == []
    assert follower.hear(table("R40 -/G60", 6, G60="G6 0.6 G60 0.3")) == []
    assert told(follower.hear(table("- -/G60", 9))) == ["fixed", "collapse turn 3 player 2"]


def test_a_blowtorch_that_was_forgotten_and_is_taken_then_was_not_lit_anew():
    """A tile that nobody saw may have been placed beside it, and have burnt; but hardly."""
    follower = follow("R7", "R7 G30", "R7", players=2)
    assert told(follower.hear(table("-", 30.0))) == ["fixed", "fire turn 2 player 1"]


def test_what_was_put_back_to_where_it_lay_is_put_right_too():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60"))) == ["wrong-step"]
    assert told(follower.hear(table("R40 B20/G60"))) == ["fixed"]


def test_while_a_wrong_step_is_put_right_nothing_is_said():
    follower = follow("R40", "R40 B20", "R40 B20/R4", "R40 B20 Y30/R4 -", "R40 B20 Y30/R4 B7")
    assert follower.game.pending.events
    (line,) = follower.hear(table("R40 - -/- B7"))
    assert line.event == "wrong-step"
    assert follower.hear(table("R40")) == []
    assert told(follower.hear(table("-"))) == ["fixed", "fire turn 5 player 1"]


def test_a_wrong_table_that_was_misread_is_read_anew():
    follower = follow(*BASE, "R40 B20 Y30/R4 G60")
    # R4 comes off by mistake, and R40 is read as R4.
    (line,) = follower.hear(table("R40 - -/- G60", 50, R40="R4"))
    assert "put R40 back" in str(line.sentence)
    assert follower.hear(table("R40 - -/- G60", 55)) == []
    (line,) = follower.hear(CheckCalled(56))
    assert "put R4 back" in str(line.sentence)
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
    assert "take R40 off" in str(lines[-1].sentence)


def test_a_tile_that_hardly_can_have_fallen_there_did_not():
    follower = follow("R40")
    assert told(follower.hear(Corrected(5, Layout.parse("Y10 R40 B20 R10/- G60 -"), turn=5))) == ["verdict"]
    # G60 would fall to where R40 lay; but R40 it is that lies there.
    lines = follower.hear(table("Y10 R40 - R10", 9, R40="R40 0.985 G60 0.013"))
    assert told(lines) == ["wrong-step"]


def test_a_tile_that_is_hardly_what_is_read_does_not_explain_a_wrong_step_away():
    follower = follow(*OVERWEIGHT)
    # G60 alone would be right; but R40 it is, in all likelihood.
    assert told(follower.hear(table("R40", 30, R40="R40 0.942 Y40 0.048"))) == ["wrong-step"]


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
    lines = follower.hear(table("G100 Y4 R120 B40 - R6/- - - - B30/- - B10 -/- B2 -", 40))
    assert told(lines) == ["wrong-step"]
    lines = follower.hear(table("G100 Y4 R120 B40 R20 R6/- - - - B30/- - B10 -/- B2 -", 50))
    assert told(lines) == ["placed R20 turn 7 player 2", "missed since 5 payer None"]


def test_a_wrong_step_that_is_said_to_be_right_is_played_on_with_what_was_placed_since():
    follower = follow(*OVERWEIGHT, "R40 -/G60")
    doubtful = table("R40 Y2/G60", 40, Y2="Y2 0.5 Y4 0.45")
    assert told(follower.hear(doubtful)) == ["question Y2/Y4"]
    assert told(follower.hear(Answered(41, Reply.AS_IT_LIES))) == ["notice", "question Y2/Y4"]
    lines = follower.hear(Answered(42, Reply.TILE, code="Y2", row=0, slot=1))
    assert told(lines) == ["placed Y2 turn 4 player 0", "missed since 3 payer None"]


BASE = ("R40", "R40 B20", "R40 B20/R4", "R40 B20 Y30/R4 -")
"""Four turns of three players; the next tile must go to row 1, slot 1."""


def test_a_taken_tile_that_is_put_back_is_no_placement():
    follower = follow(*BASE[:3], "R40 B20 R20/R4 -", "R40 B20 R20/R4 Y2")
    # B20 and R20 come off, and by mistake R4 as well.
    assert told(follower.hear(table("R40 - -/- Y2"))) == ["wrong-step"]
    lines = follower.hear(table("R40 - -/R4 Y2"))
    assert told(lines) == ["fixed", "collapse turn 5 player 1"]


def test_a_tile_that_may_be_two_is_asked_about_once_and_told_when_it_can_be_read():
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4"}
    (line,) = follower.hear(table("R40 B20", **unsure))
    assert line.to_dict()["tiles"] == [{"row": 0, "slot": 1, "codes": ["B20", "B10"]}]
    assert follower.hear(table("R40 B20", 5, **unsure)) == []
    assert told(follower.hear(table("R40 B20", 9))) == ["placed B20 turn 2 player 1"]


def test_a_tile_for_which_the_reader_names_but_one_code_is_asked_about():
    follower = follow("R40")
    (line,) = follower.hear(table("R40 B20", B20="B20 0.9"))
    assert "Is the tile" in str(line.sentence)
    assert told(follower.hear(table("R40 B20", 9, B20="B10"))) == ["placed B10 turn 2 player 1"]


def test_an_answer_decides():
    follower = follow("R40")
    follower.hear(table("R40 B20", B20="B20 0.6 B10 0.4"))
    assert told(follower.hear(Answered(3, Reply.TILE, "B10", 0, 1))) == ["placed B10 turn 2 player 1"]
    # The reader still thinks otherwise, and nobody asks again.
    assert follower.hear(table("R40 B20", 5, B20="B20 0.6 B10 0.4")) == []


def test_an_answer_may_be_a_tile_that_nobody_thought_of():
    follower = follow("R40")
    follower.hear(table("R40 B20", B20="B20 0.6 B10 0.4"))
    assert told(follower.hear(Answered(3, Reply.TILE, "Y4", 0, 1))) == ["placed Y4 turn 2 player 1"]


def test_the_rules_read_a_tile_that_the_camera_cannot():
    follower = follow("R40", "R40 B10")
    # B10 lies on the table already.
    lines = follower.hear(table("R40 B10/B4", B4="B10 0.7 B4 0.2995"))
    assert told(lines) == ["placed B4 turn 3 player 2"]


def test_a_question_is_dropped_when_the_players_go_on():
    follower = follow("R40")
    assert told(follower.hear(table("R40 B20", B20="B20 0.6 B10 0.4"))) == ["question B20/B10"]
    lines = follower.hear(table("R40 B20/R4", 8))
    assert told(lines) == ["placed B20 turn 2 player 1", "placed R4 turn 3 player 2"]


def test_doubts_about_several_tiles_are_carried_along():
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4", "R4": "R4 0.6 R6 0.4", "Y30": "Y30 0.9 Y20 0.1"}
    for number, text in enumerate(BASE[1:]):
        lines = follower.hear(table(text, number, **unsure))
        # The first is asked about, and not over and over.
        assert told(lines) == ([] if number else ["question B20/B10"])
    lines = follower.hear(table(BASE[-1], 9))
    assert [line.tile.code for line in lines if line.event == "placed"] == ["B20", "R4", "Y30"]
    assert follower.game.turn == 4


def test_what_is_certain_of_an_explanation_is_told_at_once():
    follower = follow(*BASE[:3], "R40 B20 R20/R4 -", "R40 B20 R20/R4 Y2")
    lines = follower.hear(table("R40 Y2 Y6/R4 -", Y6="Y6 0.5 Y4 0.5"))
    assert told(lines) == ["collapse turn 5 player 1", "fall turn 5 player 1", "question Y6/Y4"]


def test_what_hangs_on_an_unsure_tile_is_not_announced():
    follower = follow("R40", "R40 B20")
    lines = follower.hear(table("R40 B20/G60", G60="G60 0.5 B2 0.5"))
    assert told(lines) == ["question G60/B2"]


def test_a_tile_that_stays_unreadable_is_set_aside():
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4"}
    follower.hear(table("R40 B20", 10.0, **unsure))
    assert follower.hear(table("R40 B20", 10.0 + PATIENCE_S, **unsure)) == []
    assert told(follower.hear(table("R40 B20", 10.5 + PATIENCE_S, **unsure))) == ["notice"]
    # The game goes on. R60 is too heavy for R40 and B10, and not for R40 and B20: no verdict.
    lines = follower.hear(table("R40 B20/R60", 60.0, **unsure))
    assert told(lines) == ["placed R60 turn 3 player 2"]
    # When the tile can be read its placement is told, for the turn it was placed in.
    lines = follower.hear(table("R40 B20/R60", 70.0, B20="B10"))
    assert told(lines) == ["placed B10 turn 2 player 1", "verdict"]
    assert str(follower.game.layout) == "R40 B10/R60"


def test_a_tile_that_was_set_aside_may_come_off_unread():
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4"}
    follower.hear(table("R40 B20", 10.0, **unsure))
    follower.hear(table("R40 B20", 11 + PATIENCE_S, **unsure))
    # A collapse it is, but who can say of what?
    assert told(follower.hear(table("R40 B20/G60", 50.0, **unsure))) == ["placed G60 turn 3 player 2"]
    assert told(follower.hear(table("G60", 60.0))) == ["fall turn 3 player 2"]
    assert follower.game.stocks == (14, 14, 16)
    assert told(follower.hear(table("G60 B10", 70.0))) == ["placed B10 turn 4 player 0"]


def test_a_covered_tile_never_causes_a_call():
    follower = follow("R40")
    assert follower.hear(table("R40 B20", B20="covered")) == []
    assert told(follower.hear(table("R40 B20", 5))) == ["placed B20 turn 2 player 1"]
    assert told(follower.hear(table("R40 B20/R4", 9, B20="covered"))) == ["placed R4 turn 3 player 2"]


def test_a_tile_that_stays_covered_is_set_aside_and_told_later():
    follower = follow("R40")
    follower.hear(table("R40 B20", 10, B20="covered"))
    assert told(follower.hear(table("R40 B20", 11 + PATIENCE_S, B20="covered"))) == ["notice"]
    assert told(follower.hear(table("R40 B20/R4", 50, B20="covered"))) == ["placed R4 turn 3 player 2"]
    # Whatever stands for it turns up in a hand.
    stand_in = follower.game.layout.get(0, 1).code
    lines = follower.hear(table(f"R40 B20 {stand_in}/R4 -", 60, B20="covered"))
    assert told(lines) == [f"placed {stand_in} turn 4 player 0"]
    lines = follower.hear(table(f"R40 B20 {stand_in}/R4 -", 70))
    assert told(lines)[0] == "placed B20 turn 2 player 1"
    assert follower.game.layout == Layout.parse(f"R40 B20 {stand_in}/R4 -")


def test_a_hidden_table_never_causes_a_call_until_it_stays_hidden():
    follower = follow("R40")
    assert follower.hear(table("R40 B20", 10, hidden=True)) == []
    assert follower.hear(table("-", 12, hidden=True)) == []
    assert told(follower.hear(table("R40 B20", 11 + PATIENCE_S, hidden=True))) == [
        "notice", "placed B20 turn 2 player 1",
    ]  # fmt: skip
    assert told(follower.hear(table("R40 B20/R4", 50, hidden=True))) == ["placed R4 turn 3 player 2"]
    assert follower.hear(table("R40 B20/R4", 60)) == []
    assert follower.hear(table("R40 B20", 61, hidden=True)) == []


def test_a_misread_tile_is_no_event():
    follower = follow("R40", "R40 B20")
    assert follower.hear(table("R40 B20", 20, B20="B10")) == []
    assert follower.hear(table("R40 B20", 25)) == []
    assert told(follower.hear(table("R40 B20/R4", 30, B20="Y10"))) == ["placed R4 turn 3 player 2"]


def test_a_misread_tile_does_not_hide_a_mistake():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(table("R40 -/G60", 30, G60="G6"))) == ["wrong-step"]


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


def test_what_the_rules_forbid_is_asked_about_and_not_taken():
    follower = follow(*BASE)
    lines = follower.hear(table("R40 B20/R4", 40))
    assert told(lines) == ["question Y30"]
    assert "Put Y30 back" in str(lines[0].sentence)
    assert lines[0].layout == "R40 B20/R4"
    assert follower.hear(table("R40 B20/R4", 42)) == []
    # Put back, nothing happened.
    assert follower.hear(table(BASE[-1], 44)) == []
    assert told(follower.hear(table("R40 B20 Y30/R4 B10", 46))) == ["placed B10 turn 5 player 1"]


def test_a_tile_where_one_came_off_against_the_rules_is_not_taken_for_that_one():
    follower = follow(*BASE)
    follower.hear(table("R40 B20/R4", 40))
    lines = follower.hear(table("R40 B20 G2 G6/R4 - -", 46))
    assert told(lines) == ["notice", "question G2 G6"]
    assert {line.layout for line in lines} == {"R40 B20 G2 G6/R4 - -"}


def test_time_may_tell_what_is_hidden_or_in_doubt():
    follower = follow(*BASE)
    assert not follower.is_waiting
    follower.hear(table("R40 B20/R4", 40))
    assert follower.is_waiting
    follower.hear(table(BASE[-1], 44))
    assert not follower.is_waiting
    follower.hear(table("R40", 46, hidden=True))
    assert follower.is_waiting


def test_a_tile_in_a_forbidden_place_is_asked_about():
    follower = follow(*BASE)
    lines = follower.hear(table("R40 B20 Y30 B10/R4 - -", 40))
    assert told(lines) == ["question B10"]
    assert "may not be placed" in str(lines[0].sentence)
    assert told(follower.hear(Answered(41, Reply.AS_IT_LIES))) == ["notice", "placed B10 turn 5 player 1"]
    assert (follower.game.turn, follower.game.active) == (5, 1)
    assert follower.game.stocks == (13, 13, 14)
    lines = follower.hear(table("R40 B20 Y30 B10/R4 B2 -", 50))
    assert told(lines) == ["placed B2 turn 6 player 2"]


def test_a_tile_in_a_forbidden_place_beside_mayhem_is_no_wrong_step():
    follower = follow(*OVERWEIGHT, "R40 B20 Y2/G60 -")
    assert told(follower.hear(table("R40 B20 Y2 Y4/G60 - -", 40))) == ["question Y4"]


def test_tiles_in_forbidden_places_that_are_built_on_were_placed_in_their_order():
    follower = follow("R40", "R40 B20")
    assert told(follower.hear(table("R40 B20 Y30", 20))) == ["question Y30"]
    lines = follower.hear(table("R40 B20 Y30/R4 -", 30))
    assert told(lines) == ["notice", "placed Y30 turn 3 player 2", "placed R4 turn 4 player 0"]
    assert told(follower.hear(table("R40 B20 Y30 G2/R4 - -", 40))) == ["question G2"]
    lines = follower.hear(table("R40 B20 Y30 G2 G4/R4 - - -", 50))
    assert told(lines) == ["notice", "placed G2 turn 5 player 1", "question G4"]
    assert {line.layout for line in lines} == {"R40 B20 Y30 G2 G4/R4 - - -"}


def test_a_left_over_tile_that_cannot_be_told_is_named_by_the_players():
    follower = Follower(2)
    unsure = {"G100": "Y100 0.6 G100 0.39"}
    (line,) = follower.hear(table("G100", 1, **unsure))
    assert (short(line.to_dict()), follower.game.turn) == ("question Y100/G100", 1)
    (line,) = follower.hear(Answered(2, Reply.TILE, "G100", 0, 0))
    assert "G100" in str(line.sentence)
    assert told(follower.hear(table("R6 G100", 5, **unsure))) == ["placed R6 turn 1 player 0"]


def test_a_left_over_tile_that_cannot_be_told_is_read_later():
    follower = Follower(2)
    follower.hear(table("G100", 1, G100="Y100 0.6 G100 0.39"))
    assert told(follower.hear(table("R6 G100", 5))) == ["notice", "placed R6 turn 1 player 0"]


def test_a_table_that_the_rules_forbid_holds_the_game_up_for_so_long_and_no_longer():
    """Whatever is answered: who says each time that it was put right does not start the patience anew."""
    follower = follow(*BASE)
    assert told(follower.hear(table("R40 B20/R4", 40))) == ["question Y30"]
    follower.hear(Answered(41, Reply.MENDED))
    assert told(follower.hear(table("R40 - - Y10", 42 + PATIENCE_S)))[:1] == ["notice"]
    assert str(follower.game.layout) == "R40 - - Y10"


def test_what_is_asked_and_what_lies_can_be_looked_up():
    follower = Follower(3)
    assert (follower.has_begun, follower.question, follower.table) == (True, None, "-")
    assert not Follower(2).has_begun
    follower.hear(table("R40", 1))
    follower.hear(table("R40 B20", 2, B20="B20 0.6 R20 0.39"))
    doubts, _ = follower.question
    assert (doubts[0].codes, follower.table) == (("B20", "R20"), "R40 B20")
    assert str(follower.game.layout) == "R40"


def test_people_say_that_the_table_was_put_right():
    follower = follow(*BASE)
    assert told(follower.hear(table("R40 B20/R4", 40))) == ["question Y30"]
    assert follower.hear(Answered(41, Reply.MENDED)) == []
    assert told(follower.hear(table("R40 B20/R4", 42))) == ["question Y30"]


def test_a_forbidden_table_that_is_played_on_is_taken_as_it_lies():
    follower = follow(*BASE)
    follower.hear(table("R40 B20/R4", 40))
    lines = follower.hear(table("R40 B20 G2/R4 -", 46))
    assert told(lines) == ["notice", "placed G2 turn 5 player 1"]
    assert sum(follower.game.stocks) + len(follower.game.layout) == 45


def test_a_tile_that_is_put_back_was_not_placed():
    follower = follow(*BASE)
    follower.hear(table("R40 B20", 40))
    assert told(follower.hear(table("R40 B20/R4", 42))) == ["question Y30"]
    assert follower.hear(table(BASE[-1], 46)) == []
    assert follower.game.turn == 4


def test_a_forbidden_table_that_nobody_explains_is_taken_as_it_lies():
    follower = follow(*BASE)
    odd = "R40 G20 Y30 Y2 Y4 Y6 Y10/G4 - - - - -"
    assert told(follower.hear(table(odd, 40)))[0].startswith("question")
    assert told(follower.hear(table(odd, 41 + PATIENCE_S)))[0] == "notice"
    assert len(follower.game.layout) == 8
    assert sum(follower.game.stocks) + len(follower.game.layout) == 45
    assert follower.hear(table(odd, 80)) == []


def test_a_table_to_which_the_rules_hardly_lead_is_asked_about():
    """Red 7 fell, and blue 7 was put where a tile had just been taken: or nothing of the kind."""
    before = ("R20", "R20 G30", "R20 G30 B2", "R20 G30 B2/R10 -")
    follower = follow(*before, players=6)
    lines = follower.hear(table("R20 B7 R7/R10 -", 40))
    assert told(lines) == ["question B7/G30 R7/B2"]
    assert "hardly lead" in str(lines[0].sentence)
    assert told(follower.hear(Answered(41, Reply.AS_IT_LIES))) == [
        "placed R7 turn 2 player 1", "collapse turn 2 player 1", "fall turn 2 player 1",
        "placed B7 turn 3 player 2", "verdict",
    ]  # fmt: skip
    follower = follow(*before, players=6)
    follower.hear(table("R20 B7 R7/R10 -", 40))
    assert follower.hear(table(before[-1], 45)) == []


def test_a_correction_that_changes_nothing_says_nothing():
    follower = follow(*OVERWEIGHT)
    corrected = Corrected(30, follower.game.layout, turn=follower.game.turn)
    assert follower.hear(corrected) == []
    assert told(follower.hear(replace(corrected, stocks=(15, 14, 13)))) == ["verdict"]


def test_exchanged_tiles_are_asked_about():
    follower = follow(*BASE)
    lines = follower.hear(table("Y30 B20 R40/R4 -"))
    assert told(lines) == ["question Y30/R40 R40/Y30"]
    assert "Move Y30, R40 back" in str(lines[0].sentence)


def test_a_tile_of_which_nothing_fits_is_asked_about():
    follower = follow("R40")
    lines = follower.hear(table("R40 B20", B20="R40 0.9"))
    assert told(lines) == ["question "]
    assert follower.hear(table("R40 B20", 3, B20="R40 0.9")) == []
    assert told(follower.hear(Answered(4, Reply.TILE, "B20", 0, 1))) == ["placed B20 turn 2 player 1"]


def test_a_tile_that_came_off_unseen_is_asked_about():
    follower = follow("R40", "R40 B20")
    lines = follower.hear(table("-", 30))
    assert told(lines) == ["question R7/B7"]
    lines = follower.hear(Answered(31, Reply.TILE, "B7", lines[0].doubts[0].row, lines[0].doubts[0].slot))
    assert told(lines) == ["placed B7 turn 3 player 2", "fire turn 3 player 2"]


def test_a_tile_that_lies_there_unseen_can_be_told():
    """It was not one of those that came off unseen, of which was asked."""
    options = Options(curse=True, fire_die=FireDie.NEWER)
    before = ("B60", "B60 G4", "B60 G4 Y20", "B60 G4 Y20/- G20", "B60 G4 Y20/B20 G20")
    follower = follow(*before, players=5, options=options)
    assert told(follower.hear(table("B60 G4 Y20", 60))) == ["question R20/B7"]
    lines = follower.hear(Answered(61, Reply.TILE, "R120", 2, 0))
    assert told(lines) == ["placed R120 turn 6 player 0", "collapse turn 6 player 0", "verdict"]
    assert told(follower.hear(table("B60 G4 Y20/- R120", 70))) == ["fall turn 6 player 0", "verdict"]


def test_two_placements_whose_order_nobody_saw_are_asked_about():
    follower = follow("R40 B20 Y30", players=6)
    assert told(follower.hear(table("R40 B20 Y30/R4 B10", 9))) == ["question R4 B10"]
    lines = follower.hear(Answered(11, Reply.TILE, "B10", 1, 1))
    assert told(lines) == ["placed B10 turn 1 player 0", "placed R4 turn 2 player 1"]


def test_an_order_that_nobody_tells_stays_untold():
    follower = follow("R40 B20 Y30", players=6)
    follower.hear(table("R40 B20 Y30/R4 B10", 9))
    assert told(follower.hear(table("R40 B20 Y30/R4 B10", 10 + PATIENCE_S))) == ["notice"]
    assert follower.game.stocks == (6, 6, 7, 7, 7, 7)
    lines = follower.hear(table("R40 B20 Y30/R4 B10/R2", 60))
    assert told(lines) == ["placed R2 turn 3 player 2"]


def test_where_a_fire_was_put_out_wrongly_the_die_was_rolled():
    """Red 20 was forgotten, and the next player builds on."""
    base = "R120 R100 G120 B6/R6 R20 G2/G6 "
    follower = follow(base + "-", players=4, options=Options(fire_die=FireDie.NEWER))
    assert told(follower.hear(table(base + "R7", 10)))[-1] == "verdict"
    assert told(follower.hear(table("R120 R100 G120 -/- R20 -/- R7", 20))) == ["wrong-step"]
    lines = told(follower.hear(table("R120 R100 G120 -/Y30 R20 -/- R7", 30)))
    assert [line.split()[0] for line in lines] == ["placed", "missed"]


def test_a_die_that_showed_smoke_is_seen_when_the_game_goes_on():
    follower = follow("R40", "R40 B20", options=Options(fire_die=FireDie.NEWER))
    assert told(follower.hear(table("R40 B20/B7"))) == ["placed B7 turn 3 player 2", "verdict"]
    assert follower.hear(table("R40 B20/B7", 5)) == []
    lines = follower.hear(table("R40 B20 Y2/B7 -", 9))
    assert told(lines) == ["die turn 3 player 2", "placed Y2 turn 4 player 0"]
    assert lines[0].to_dict()["step"]["roll"] == 6


@pytest.mark.parametrize(
    ("roll", "step", "stocks"), [(4, "fire", (14, 14, 16)), (5, "explosion", (14, 14, 14))]
)
def test_rolls_that_leave_the_same_table_are_asked_about(roll, step, stocks):
    follower = follow("R40", "R40 B20", options=Options(fire_die=FireDie.OLDER))
    follower.hear(table("R40 B20/B7", 30))
    # 4: what burns goes to player 2. 5: it leaves the game with B7.
    (line,) = follower.hear(table("-", 40))
    assert str(line.sentence) == "What did the fire die show?"
    lines = follower.hear(Answered(41, Reply.ROLL, roll=roll))
    assert told(lines) == ["die turn 3 player 2", f"{step} turn 3 player 2"]
    assert follower.game.stocks == stocks


def test_a_roll_that_nobody_can_see_is_told():
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    assert follower.hear(Answered(30, Reply.ROLL, roll=1)) == []  # to be seen
    assert told(follower.hear(Answered(31, Reply.ROLL, roll=6))) == ["die turn 3 player 2"]
    assert follower.hear(Answered(32, Reply.ROLL, roll=6)) == []
    assert follower.game.is_stable


@pytest.mark.parametrize(
    ("answer", "said"), [("Y4", ["die", "fire", "placed", "verdict"]), ("R2", [])], ids=["new", "known"]
)
def test_a_tile_in_the_place_of_one_that_may_have_burnt_is_asked_about(answer, said):
    follower = follow("R120", "Y1 R120", "Y1 R120/R2", options=Options(fire_die=FireDie.NEWER))
    lines = follower.hear(table("Y1 R120/Y4", 40))
    assert told(lines) == ["question R2/Y4"]
    lines = follower.hear(Answered(41, Reply.TILE, answer, 1, 0))
    assert [line.split()[0] for line in told(lines)] == said


def test_tables_that_differ_in_several_places_are_not_asked_about_one_by_one():
    tables = [Layout.parse("R40 B20"), Layout.parse("Y2 Y4")]
    doubts, sentence = ask_which([(tables[0], ()), (tables[1], (Step(),))], 0)
    assert doubts == ()
    assert str(sentence).startswith("I cannot tell what happened.")


def test_the_end():
    follower = follow("R40", players=3)
    follower.hear(Corrected(1, Layout.parse("R40"), (30, 1, 13)))
    assert told(follower.hear(table("R40 B20", 5))) == ["placed B20 turn 2 player 1", "end 1"]
    assert follower.hear(table("R40 B20/R4", 9)) == []


def test_nobody_plays_on_when_the_game_has_ended():
    follower = follow("R40")
    follower.hear(Corrected(1, Layout.parse("R40"), (30, 1, 13)))
    assert told(follower.hear(table("R40 B20/R4", 5)))[0].startswith("question")
    assert follower.game.winner is None


def test_the_end_of_the_strategy_variant_waits_for_the_ok():
    follower = follow("R40", variant=Variant.STRATEGY)
    follower.hear(Corrected(1, Layout.parse("R40"), (30, 1, 13)))
    assert told(follower.hear(table("R40 B20", 5))) == ["placed B20 turn 2 player 1"]
    assert told(follower.hear(Answered(6, Reply.OK))) == ["end 1"]


def test_a_tile_of_a_player_who_has_none_is_taken_from_the_fullest_stock():
    follower = follow("R40")
    follower.hear(Corrected(1, Layout.parse("R40"), (20, 0, 24)))
    (line,) = follower.hear(table("R40 B20", 5))
    assert str(line.sentence).startswith("I cannot tell what happened.")
    assert told(follower.hear(Answered(6, Reply.AS_IT_LIES)))[0] == "notice"
    assert follower.game.stocks == (20, 0, 23)


# Voices


def test_a_check_tells_a_mistake_that_was_put_right_since():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    follower.hear(table("R40 -/G60"))
    follower.hear(table("G60"))
    assert told(follower.hear(CheckCalled(1, 1))) == ["wrong-step", "fixed"]


def test_the_silent_voice_keeps_calls_back_until_a_check_is_called():
    follower = follow(*OVERWEIGHT[:2], voice=Voice.SILENT, variant=Variant.STRATEGY)
    assert told(follower.hear(table("R40 B20/G60"))) == ["placed G60 turn 3 player 2"]
    assert told(follower.hear(table("R40 B20 Y2/G60 -", 5))) == ["placed Y2 turn 4 player 0"]
    assert told(follower.hear(table("R40 B20 Y2/G60 Y4", 9))) == ["placed Y4 turn 5 player 1"]
    (line,) = follower.hear(CheckCalled(12, 2))
    assert told([line]) == ["missed since 3 payer 1"]
    assert line.time_s == 12
    # From now to the next placement everything is said.
    assert told(follower.hear(table("R40 - Y2/G60 Y4", 15))) == ["wrong-step"]


def test_a_check_of_a_stable_pyramid_finds_nothing():
    follower = follow("R40", voice=Voice.SILENT)
    (line,) = follower.hear(CheckCalled(1, 1))
    assert "stable" in str(line.sentence)


def test_the_silent_voice_forgets_what_was_resolved_rightly():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    assert told(follower.hear(table("G60"))) == ["collapse turn 3 player 2", "fall turn 3 player 2"]
    assert told(follower.hear(CheckCalled(1, 1))) == ["notice"]
    assert follower.close() == []


def test_the_silent_voice_tells_mistakes_at_the_end():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    assert follower.hear(table("R40 -/G60")) == []
    assert told(follower.hear(table("- -/G60"))) == ["collapse turn 3 player 2"]
    assert told(follower.close()) == ["wrong-step", "fixed"]
    assert follower.close() == []


def test_the_silent_voice_tells_mistakes_when_somebody_wins():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    assert told(follower.hear(table("R40 B20 Y2/G60 -"))) == ["placed Y2 turn 4 player 0"]
    follower.hear(table("- G60 Y2"))
    follower.hear(Corrected(1, Layout.parse("G60 Y2"), (20, 1, 20), (TILES["R40"], TILES["B20"])))
    lines = follower.hear(table("G60 Y2/G10"))
    assert told(lines) == ["placed G10 turn 5 player 1", "missed since 3 payer None", "end 1"]


def test_a_check_in_the_announce_voice_says_again_what_must_be_done():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(CheckCalled(1))) == ["verdict"]
    assert told(follower.hear(table("R40 -/G60"))) == ["wrong-step"]
    assert told(follower.hear(CheckCalled(1))) == ["wrong-step"]


def test_after_the_next_player_said_ok_mayhem_is_missed():
    follower = follow(*OVERWEIGHT, variant=Variant.STRATEGY)
    assert told(follower.hear(Answered(30, Reply.OK))) == ["missed since 3 payer 0"]
    assert told(follower.hear(table("G60", 40))) == ["collapse turn 4 player 0", "fall turn 4 player 0"]
    assert follower.game.stocks == (16, 14, 14)


@pytest.mark.parametrize(
    ("variant", "payer", "stocks", "out"),
    [(Variant.FAMILY, None, (13, 13, 14), 3), (Variant.STRATEGY, 1, (13, 16, 14), 0)],
)
@pytest.mark.parametrize("voice", Voice)
def test_mayhem_that_is_found_turns_later_is_paid_by_the_right_player(variant, payer, stocks, out, voice):
    follower = follow(*OVERWEIGHT, "R40 B20 Y2/G60 -", "R40 B20 Y2/G60 Y4", variant=variant, voice=voice)
    assert told(follower.hear(CheckCalled(60, 2))) == [f"missed since 3 payer {payer}"]
    done = ["collapse turn 5 player 1", "fall turn 5 player 1"]
    assert told(follower.hear(table("G60 - Y2/- Y4", 70))) == [*done, "verdict"]
    assert told(follower.hear(table("G60 Y4", 80))) == done
    assert (follower.game.stocks, len(follower.game.out)) == (stocks, out)
    assert told(follower.hear(table("G60 Y4/R60", 90))) == ["placed R60 turn 6 player 2"]


# Corrections and notices


def test_a_mistaken_call_is_undone():
    follower = follow("R40", "R40 B20", "R40 B20/G60")
    before = Corrected(50, Layout.parse("R40 B20"), (14, 14, 15), (), turn=2)
    assert follower.hear(before) == []
    assert (follower.game.turn, follower.game.active, follower.game.is_stable) == (2, 1, True)
    assert told(follower.hear(table("R40 B20/R4", 60))) == ["placed R4 turn 3 player 2"]
    assert follower.game.stocks == (14, 14, 14)


def test_a_correction_of_the_table_alone_reckons_turn_and_stocks():
    follower = follow("R40", "R40 B20")
    assert told(follower.hear(Corrected(30, Layout.parse("R40 B20/R4")))) == ["placed R4 turn 3 player 2"]
    assert follower.game.stocks == (14, 14, 14)


def test_a_tile_that_is_another_may_undo_mayhem():
    follower = follow(*OVERWEIGHT)
    follower.hear(table("R40 B20/G60", 40, G60="R4"))
    assert told(follower.hear(table("R40 B20/G60", 45, G60="R4"))) == ["question G60/R4"]
    assert follower.hear(Answered(46, Reply.TILE, "R4", 1, 0)) == []
    assert follower.game.is_stable


def test_what_must_fall_still_must_when_a_tile_turns_out_to_be_another():
    follower = follow(*BASE, "R40 B20 Y30/R4 G60")
    follower.hear(table("R40 - -/R4 G60", 60))
    follower.hear(table("R40 - -/R4 G60", 62, R4="R2"))
    follower.hear(table("R40 - -/R4 G60", 64, R4="R2"))
    follower.hear(Answered(65, Reply.TILE, "R2", 1, 0))
    assert told(follower.hear(table("R40 G60/R2", 70)))[0] == "fall turn 5 player 1"


@pytest.mark.parametrize(
    "heard",
    [
        Answered(1, Reply.TILE), Answered(1, Reply.TILE, "R40", 0, 0), Answered(1, Reply.OK),
        Answered(1, Reply.ROLL), Answered(1, Reply.ROLL, roll=3), Answered(1, Reply.AS_IT_LIES),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("players", [2, 3])
def test_an_answer_to_nothing_says_nothing(heard, players):
    assert Follower(players).hear(heard) == []


def test_a_correction_counts_at_once():
    follower = follow("R40", "R40 B20")
    lines = follower.hear(Corrected(30, Layout.parse("R40 B10/G60"), turn=3))
    assert told(lines) == ["verdict"]
    assert (follower.game.turn, follower.game.active) == (3, 2)
    assert sum(follower.game.stocks) == 42


def test_a_correction_of_everything():
    follower = follow("R40")
    follower.hear(Corrected(1, Layout.parse("R40 B20"), (10, 10, 10), tuple(TILES.values())[2:15], 9))
    assert (follower.game.turn, follower.game.active, follower.game.stocks) == (9, 2, (10, 10, 10))
    with pytest.raises(RefereeError, match="wrong-total"):
        follower.hear(Corrected(1, Layout.parse("R40 B20"), (10, 10, 11), ()))


def test_a_notice_is_passed_on():
    (line,) = follow("R40").hear(Noticed(4, "The camera {is} gone."))
    assert line.to_dict()["text"] == "The camera {is} gone."


def test_sentences_go_through_the_hands_of_the_user_interface():
    follower = follow(*BASE)
    (line,) = follower.hear(table("R40 B20/R4"))
    assert line.to_dict(lambda sentence: sentence.template)["text"].startswith("The rules")


# The start


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
    assert [line.event for line in lines] == ["notice", "question"]
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


# Inputs as JSON

INPUTS = [
    table("R40 B20/G4", 1.5, B20="B20 0.6 B10 0.3", G4="covered"),
    Settled(0.0, (), hidden=True),
    CheckCalled(3.0, 1),
    CheckCalled(3.0),
    Answered(2.0, Reply.TILE, "R40", 1, 0),
    Answered(2.0, Reply.AS_IT_LIES),
    Corrected(2.0, Layout.parse("R40"), (1, 2), (TILES["G1"],), 3),
    Corrected(2.0, Layout.parse("-")),
    Noticed(1.0, "The camera is gone."),
]


@pytest.mark.parametrize("heard", INPUTS, ids=lambda heard: type(heard).__name__)
def test_an_input_survives_json(heard):
    assert input_from_dict(json.loads(json.dumps(heard.to_dict()))) == heard


def test_a_time_may_be_a_whole_number():
    assert input_from_dict({"input": "check", "time_s": 3}) == CheckCalled(3.0)


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"input": "wink", "time_s": 1.0},
        {"input": "settled", "time_s": -1.0, "tiles": [], "hidden": False},
        {"input": "settled", "time_s": float("inf"), "tiles": [], "hidden": False},
        {"input": "settled", "time_s": 1.0, "tiles": [], "hidden": 0},
        {"input": "settled", "time_s": 1.0, "tiles": [{}] * 300, "hidden": False},
        {"input": "settled", "time_s": 1.0, "tiles": [["R40"]], "hidden": False},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": -1, "slot": 0, "codes": [], "sure": True, "covered": False}]},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": 0, "slot": 0, "codes": [["R41", 0.5]], "sure": True, "covered": False}]},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": 0, "slot": 0, "codes": [["R40", 1.5]], "sure": True, "covered": False}]},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": 0, "slot": 0, "codes": ["R40"], "sure": True, "covered": False}]},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": 0, "slot": 0, "codes": [["R40"]], "sure": True, "covered": False}]},
        {"input": "check", "time_s": 10**400},
        {"input": "check", "time_s": 1.0, "player": 9},
        {"input": "answer", "time_s": 1.0, "reply": "perhaps"},
        {"input": "correction", "time_s": 1.0, "layout": "R40 R40"},
        {"input": "correction", "time_s": 1.0, "layout": "R40", "stocks": [1.5]},
        {"input": "notice", "time_s": 1.0, "text": 7},
    ],
)  # fmt: skip
def test_a_broken_input_is_refused(broken):
    with pytest.raises(RefereeError):
        input_from_dict(broken)


def test_a_game_with_too_few_or_too_many_players_is_refused():
    with pytest.raises(RefereeError):
        Follower(7)


# A game that keeps no rules


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_table_of_a_game_without_rules_is_told_in_order(players):
    """Tiles are placed and taken away at will: each settled table is spoken of, and no other."""
    turns = [json.loads(line) for line in (DATA / "following" / "removals.jsonl").read_text().splitlines()]
    follower = Follower(players)
    follower.hear(table("-"))
    told_layouts = []
    placed = []
    for number, turn in enumerate(turns, 1):
        lines = follower.hear(table(turn["layout"], 2.0 * number))
        assert lines
        told_layouts += dict.fromkeys(line.layout for line in lines)
        placed += [line.tile.code for line in lines if line.event == "placed"]
        assert not [line for line in lines if line.event == "placed"] or turn["layout"] == lines[0].layout
    assert told_layouts == [turn["layout"] for turn in turns]
    # Whatever was placed is told once, in its order, as far as the players went on from it.
    order = [turn["place"] for turn in turns if "place" in turn]
    assert placed == [code for code in order if code in placed]
    assert len(placed) > len(order) / 2


def test_mayhem_that_was_missed_once_is_easily_missed_again():
    """Else an order of two tiles in which the second one is placed in peace would seem far likelier."""
    courses, _ = find_courses(follow(*OVERWEIGHT).game, Sight.of(table("R40 B20 Y2/G60 Y4")))
    assert courses[0].cost == MISSED_COST + EXTRA_COST + MISSED_AGAIN_COST


def test_after_a_fire_that_nobody_saw_another_tile_may_lie():
    """The next player was quick. Which incendiary it was must be asked."""
    follower = follow("R100", "R100 B20", "R100 B20/R2")
    lines = follower.hear(table("R100 G60", 30))
    assert told(lines) == ["question R7/B7"]
    lines = follower.hear(Answered(31, Reply.TILE, "B7", lines[0].doubts[0].row, lines[0].doubts[0].slot))
    assert told(lines) == ["placed B7 turn 4 player 0", "fire turn 4 player 0", "placed G60 turn 5 player 1"]


@pytest.mark.parametrize(
    ("roll", "said"),
    [(6, ["die turn 4 player 0", "placed Y2 turn 4 player 0"]),
     (0, ["placed Y2 turn 4 player 0", "missed since 3 payer None"])],
)  # fmt: skip
def test_whether_the_die_was_rolled_is_asked_where_nothing_shows_it(roll, said):
    """Who missed it before may miss it again."""
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    follower.hear(Answered(35, Reply.OK))
    (line,) = follower.hear(table("R40 B20 Y2/B7 -", 40))
    assert str(line.sentence) == "Was the fire die rolled, and what did it show?"
    assert list(line.sentence.values["rolls"]) == list(range(7))
    assert told(follower.hear(Answered(51, Reply.ROLL, roll=roll))) == said


def test_what_stays_unclear_is_left_when_the_players_go_on():
    follower = follow("R40 B20 Y30", players=6)
    follower.hear(table("R40 B20 Y30/R4 B10", 9))
    assert told(follower.hear(Answered(10, Reply.AS_IT_LIES))) == ["notice"]
    lines = follower.hear(table("R40 B20 Y30/R4 B10/R2", 20))
    assert told(lines) == ["placed R2 turn 3 player 2"]


def test_a_tile_that_was_seen_to_be_gone_is_not_misread():
    """Another one lies in its place; what happened between must be asked."""
    follower = follow("R40", "R40 B20", "R40 B20/B2")
    assert told(follower.hear(table("Y10 R40 B20", 30))) == ["question B2"]


def test_a_question_is_about_two_explanations_at_least():
    """Many that are much less likely put the likeliest in doubt together."""
    options = [SimpleNamespace(score=score, doubt=0.0) for score in (0.0, *[-6.0] * 20)]
    assert not is_decided(options)
    assert close_ones(options) == options[:2]
    assert close_ones(options[:1]) == options[:1]
