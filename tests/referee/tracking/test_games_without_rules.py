"""A game that keeps no rules is followed all the same."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from referee.formats.announcement_json import announcement_to_dict
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options, Overhang
from referee.search.chances import MISSED_AGAIN_COST, MISSED_COST
from referee.search.evidence import Evidence
from referee.search.hypotheses import close_ones, is_decided
from referee.search.move_search import CONTRIVED_COST, find_continuations
from referee.tracking.announcements import TilePlaced
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Reply
from referee.tracking.questions import QuestionKind
from tests.places import DATA
from tests.referee.tracking.tables import BASE, OVERWEIGHT, answer_to, follow, kind_of, table, told


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_table_of_a_game_without_rules_is_told_in_order(players):
    """Tiles are placed and taken away at will: each settled table is spoken of, and no other."""
    turns = [json.loads(line) for line in (DATA / "following" / "removals.jsonl").read_text().splitlines()]
    follower = Follower(players)
    follower.hear(table("-"))
    follower.hear(Answered(1, Reply.MENDED))  # the left-over tile is laid now
    told_layouts = []
    placed = []
    for number, turn in enumerate(turns, 1):
        lines = follower.hear(table(turn["layout"], 2.0 * number))
        assert lines
        told_layouts += dict.fromkeys(line.layout for line in lines)
        placed += [line.tile.code for line in lines if isinstance(line, TilePlaced)]
        if any(isinstance(line, TilePlaced) for line in lines):
            assert turn["layout"] == lines[0].layout
    assert told_layouts == [turn["layout"] for turn in turns]
    # Whatever was placed is told once, in its order, as far as the players went on from it.
    order = [turn["place"] for turn in turns if "place" in turn]
    assert placed == [code for code in order if code in placed]
    assert len(placed) > len(order) / 2


def test_mayhem_that_was_missed_once_is_easily_missed_again():
    """Else an order of two tiles in which the second one is placed in peace would seem far likelier."""
    courses, _ = find_continuations(follow(*OVERWEIGHT).game, Evidence.of(table("R40 B20 Y2/G60 Y4")))
    assert courses[0].cost == pytest.approx(MISSED_COST + CONTRIVED_COST + MISSED_AGAIN_COST)


def test_after_a_fire_that_nobody_saw_another_tile_may_lie():
    """The next player was quick. Which incendiary it was must be asked."""
    follower = follow("R100", "R100 B20", "R100 B20/R2")
    lines = follower.hear(table("R100 G60", 30))
    assert told(lines) == ["question R7/B7"]
    lines = follower.hear(answer_to(lines[0], "B7").at(31))
    assert told(lines) == ["placed B7 turn 4 player 0", "fire turn 4 player 0", "placed G60 turn 5 player 1"]


@pytest.mark.parametrize(
    ("roll", "said"),
    [(6, ["die turn {0}", "placed Y2 turn 4 player 0"]),
     (0, ["placed Y2 turn 4 player 0", "missed since 3 payer None"])],
)  # fmt: skip
@pytest.mark.parametrize("says_ok", [False, True])
def test_whether_the_die_was_rolled_is_asked_where_nothing_shows_it(says_ok, roll, said):
    """On one such table in twenty it was not (`search.chances`): the die shows smoke once in six times."""
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    if says_ok:
        follower.hear(Answered(35, Reply.OK))
    (line,) = follower.hear(table("R40 B20 Y2/B7 -", 40))
    assert kind_of(line) == (QuestionKind.WAS_ROLLED, "")
    assert [answer.roll for answer in line.question.answers] == [0, 6, None]
    lines = told(follower.hear(Answered(51, Reply.ROLL, roll=roll)))
    turn = "4 player 0" if says_ok else "3 player 2"
    assert lines == [each.format(turn) for each in said]


def test_that_the_die_showed_smoke_is_told_once_the_game_has_gone_on():
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    assert told(follower.hear(table("R40 B20 B100/B7 -", 40))) == ["question "]
    assert follower.hear(table("R40 B20 B100/B7 B120", 45)) == []
    assert follower.hear(table("R40 B20 B100/B7 B120/B60", 50)) == []
    lines = follower.hear(table("R120 R40 B20 B100/- B7 B120/- B60", 55))
    assert told(lines)[:2] == ["die turn 3 player 2", "placed B100 turn 4 player 0"]
    assert announcement_to_dict(lines[0])["step"]["roll"] == 6


TORCH = ("R100", "R100 B120", "R100 B120/B7", "R100 B120 G100/B7 -")
"""Three turns of two players; a blowtorch lies on the base."""


def test_what_burnt_before_another_tile_was_placed_may_have_been_fuel():
    """Incendiaries alone were thought of, and every turn was told wrongly since (218575)."""
    follower = follow(*TORCH, players=2)
    lines = follower.hear(table("R100 B120 G100/- G60", 40))
    assert told(lines)[0].startswith("question")
    lines = follower.hear(answer_to(lines[-1], "B20").at(41))
    assert told(lines) == ["placed B20 turn 4 player 1", "fire turn 4 player 1", "placed G60 turn 5 player 0"]


def test_where_an_incendiary_had_lain_another_tile_is_not_misread():
    """It was seen that it was gone, and not asked yet which tile had burnt (217208: 79 wrong calls)."""
    follower = follow(*TORCH, players=2)
    assert follower.hear(table("R100 B120 G100", 40)) == []
    assert follower.hear(table("R100 B120 G100", 41)) == []
    lines = follower.hear(table("R100 B120 G100/B60 -", 44))
    assert told(lines)[0].startswith("question")
    lines = follower.hear(answer_to(lines[-1], "B20").at(45))
    assert told(lines) == ["placed B20 turn 4 player 1", "fire turn 4 player 1", "placed B60 turn 5 player 0"]


def test_what_a_known_tile_might_be_read_as_was_not_left_over():
    """Which incendiary was left over nobody knew; the other one was seen in a green 1, in doubt (218150)."""
    follower = Follower(2)
    follower.hear(table("-"))
    follower.hear(Answered(1, Reply.AS_IT_LIES))
    follower.hear(table("R100", 10))
    follower.hear(table("R100 G1", 20))
    out = follower.game.out
    follower.hear(table("R100 G1", 30, G1=f"G1 0.83 {out[0].code} 0.15"))
    assert follower.game.out == out
    # One that fell where another had lain is seen all the same (film 416130).
    follower.hear(table(f"R100 {out[0].code}", 40))
    assert out[0] not in follower.game.out


def test_what_stays_unclear_is_left_when_the_players_go_on():
    follower = follow("R40 B20 Y30", players=6)
    follower.hear(table("R40 B20 Y30/R4 B10", 9))
    assert told(follower.hear(Answered(10, Reply.AS_IT_LIES))) == ["question R4 B10"]
    assert told(follower.hear(Answered(10, Reply.AS_IT_LIES))) == ["notice"]
    lines = follower.hear(table("R40 B20 Y30/R4 B10/R2", 20))
    assert told(lines) == ["placed R2 turn 3 player 2"]


def test_a_tile_that_was_seen_to_be_gone_is_not_misread():
    """Another one lies in its place; what happened between must be asked."""
    follower = follow("R40", "R40 B20", "R40 B20/B2")
    assert told(follower.hear(table("Y10 R40 B20", 30))) == ["question B2"]


def test_a_question_is_about_two_explanations_at_least():
    """Many that are much less likely put the likeliest in doubt together."""
    options = [SimpleNamespace(score=score, doubt=0.0) for score in (0.0, *[-7.0] * 20)]
    assert not is_decided(options)
    assert close_ones(options) == options[:2]
    assert close_ones(options[:1]) == options[:1]


def test_a_tile_that_fell_where_a_known_one_had_lain_may_be_read_as_that_one():
    """Rather as red 10, which it had taken; a tile that nobody saw was asked for instead (film 411658)."""
    turns = ("R2", "R2 B60", "R2 B60/R10", "R2 B60 G40/R10 -", "R2 B60 G40/R10 G1")
    follower = follow(*turns, players=2)
    lines = follower.hear(table("R2 B60 G40/R10 -", 50, R10="R10 0.53 R40 0.47"))
    assert [line.split()[0] for line in told(lines)] == ["placed", "collapse", "fall"]


@pytest.mark.parametrize(
    ("read", "said"),
    [("B7", []), ("Y4", []), *((code, [f"placed {code} turn 5 player 1"]) for code in ("Y2", "B4"))],
)
def test_what_is_no_tile_may_surely_be_read_as_what_it_was_likely_read_as(read, said):
    """A figure of the cloth in a hole of the pyramid became a blowtorch (film 411598).

    But a blue 4 was laid where what had been read was a blue 4 with a chance of one in a hundred (422127).
    """
    follower, with_thing = follow(*BASE), "R40 B20 Y30/R4 G4"
    assert told(follower.hear(table(with_thing, 40, G4="G4 0.6 Y4 0.3 B4 0.02")))[0].startswith("question")
    assert follower.hear(Answered(41, Reply.NO_TILE)) == []
    assert follower.hear(table(with_thing, 45, G4="B7 0.5 G4 0.4")) == []
    assert told(follower.hear(table(with_thing, 50, G4=read))) == said


def test_what_one_of_two_ways_brought_about_is_not_told():
    """Three lines were wrong, of which one was told because it came to mind first (222302)."""
    piled = "B20 Y20 B40 M200 G10 Y60/Y40 Y2 - G40 G2/B2 R60 B30 G20/- R30 R20/- R4"
    follower = Follower(3, Options(overhang=Overhang.COLOUR_OR_WEIGHT))
    follower.hear(table("-"))
    follower.hear(Corrected(1, Layout.parse(piled), (9, 9, 10), ()))
    lines = told(follower.hear(table("B20 Y20 B40 M200 G10 Y60/- B2 - - G2/- - B30 G20/- R30 R20/- R4", 9)))
    assert [line.split()[0] for line in lines] == ["collapse", "verdict"]
    assert sum(follower.game.stocks) == 28 + 4  # the tiles that came off are known, and with whom they are


def test_a_tile_that_was_surely_seen_is_not_passed_over():
    """Whether the die was thrown was open; after a wrong step it had shown fire, and no tile was placed."""
    follower = Follower(3, Options(fire_die=FireDie.OLDER))
    follower.hear(table("-"))
    follower.hear(Corrected(1, Layout.parse("R30 M200 R6 - B120 R100/- - - - B4"), (13, 13, 13), ()))
    assert told(follower.hear(table("R30 M200 R6 - B120 R100/R7 - - - B4", 10)))[-1] == "verdict"
    assert told(follower.hear(table("R30 M200 R6 - B120 R100/R7 B20 - - B4", 20))) == ["question "]
    lines = told(follower.hear(table("- M200 R6 - B120 R100/R7 - - - B4", 30)))
    assert [line.split()[0] for line in lines] == ["question"]


def test_what_was_put_right_while_an_answer_was_waited_for_lies_right():
    """As many tiles lay there, so that it was not kept, and the next turn was told wrongly (219514)."""
    follower = Follower(2)
    for time_s, lies in enumerate(("-", "R40", "R40 B20", "R40 B20 Y6", "R40 B20/Y6", "R40 B20 Y2/Y6 -")):
        follower.hear(table(lies, 10.0 * time_s))
    lines = told(follower.hear(Answered(60, Reply.AS_IT_LIES)))
    placed = [line.split()[1] for line in lines if line.startswith("placed")]
    assert placed == ["R40", "B20", "Y6", "Y2"]
