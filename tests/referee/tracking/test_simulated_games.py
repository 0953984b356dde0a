"""Simulated games that lead where no short example does: each is followed to its end, and told right."""

from __future__ import annotations

from referee.rules.game import Setup, Variant
from tests.simulation.following import follow_play
from tests.simulation.play import Rates, play_game


def test_a_game_with_mistakes_is_told_right():
    """Among them: a wrong table becomes less wrong, and the same wrong table is seen again."""
    report = follow_play(play_game(113))
    assert (report.wrong, report.unsaid) == ([], [])


def test_a_game_whose_questions_nobody_answers_is_told_right():
    """Among them: a wrong step on a table with unsure tiles, and one that stays in doubt for long."""
    report = follow_play(
        play_game(202, Rates(unsure_new=0.15), setup=Setup(5, variant=Variant.STRATEGY)), answers=False
    )
    assert report.questions
    assert report.false == []
