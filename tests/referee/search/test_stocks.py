"""Under whose pile a tile went, and who placed it."""

from __future__ import annotations

import pytest

from referee.rules.layout import Layout
from referee.rules.tiles import TILES
from referee.search.evidence import Evidence
from referee.search.hypotheses import OTHERS_COST, Hypothesis, fit_hypotheses, is_decided
from referee.search.stocks import owner_of, placed_by_others
from tests.referee.search.test_hypotheses import play
from tests.referee.tracking.tables import OVERWEIGHT, follow, table, told

FALLEN = play("R40 0 0", "B20 0 1", "G60 1 0", "step", "left")
"""Player 2 took R40 and B20; player 0 is next."""


def test_what_mayhem_returned_is_its_payers():
    assert owner_of(FALLEN, TILES["R40"]) == owner_of(FALLEN, TILES["B20"]) == 2


def test_of_a_tile_that_lies_there_or_never_came_back_nobody_knows():
    assert [owner_of(FALLEN, TILES[code]) for code in ("G60", "Y30")] == [None, None]


def test_a_tile_that_was_placed_since_is_in_no_stock():
    assert owner_of(play("R40 0 1", game=FALLEN), TILES["R40"]) is None


def test_what_people_put_right_takes_what_was_known():
    there = FALLEN.correct(Layout.parse("G60 R40"), stocks=(14, 14, 15), out=FALLEN.out)
    away = there.correct(Layout.parse("G60"), stocks=FALLEN.stocks, out=FALLEN.out)
    assert owner_of(away, TILES["R40"]) is None
    assert owner_of(away, TILES["B20"]) == 2


@pytest.mark.parametrize(
    ("actions", "found"),
    [(["R40 0 1"], {"R40"}), (["Y30 0 1", "R40 1 0"], {"R40"}), (["Y30 0 1", "G30 1 0", "R40 0 2"], set())],
)
def test_only_its_payer_places_what_was_taken(actions, found):
    after = play(*actions, game=FALLEN)
    assert placed_by_others(after, len(FALLEN.actions)) == {TILES[code] for code in found}
    assert placed_by_others(after, len(after.actions)) == set()


@pytest.mark.parametrize("guessed", [(), (TILES["R40"],)])
def test_a_tile_out_of_anothers_pile_is_in_doubt(guessed):
    seen = Evidence.of(table("G60 R40"))
    (found,), _ = fit_hypotheses([Hypothesis(FALLEN)], seen, FALLEN, guessed=guessed)
    assert is_decided([found]) is bool(guessed)
    assert found.hypothesis.cost == pytest.approx(0 if guessed else OTHERS_COST)


def test_which_tile_lies_there_is_asked_and_the_answer_believed():
    """A tile that nobody doubts may be misread, and out of a stock that it was never in."""
    follower = follow(*OVERWEIGHT, "- -/G60", "G60")
    assert told(follower.hear(table("G60 R40", 60))) == ["question R40"]
    (asked,) = [follower.question]
    assert asked is not None
    assert told(follower.hear(asked.answers[0].at(61))) == ["placed R40 turn 4 player 0"]


def test_another_tile_is_likelier_than_one_out_of_anothers_pile():
    follower = follow(*OVERWEIGHT, "- -/G60", "G60")
    lines = follower.hear(table("G60 R40", 60, R40="R40 0.6 B40 0.39"))
    assert told(lines) == ["question B40/R40"]


def test_two_tiles_at_once_are_no_likelier_because_an_earlier_one_may_be_out_of_anothers_pile():
    """Three were told as placed, one after the other; two of them lay there in one turn (219744)."""
    follower = follow(*OVERWEIGHT, "- -/G60", "G60")
    assert told(follower.hear(table("G60 R10", 60, R10="R40 0.81 R10 0.18"))) == ["question R10/R40"]
    lines = follower.hear(table("G60 R10 B10/R30 -", 62))
    assert [line.split()[0] for line in told(lines)] == ["question"]
