"""The buttons under a question."""

from __future__ import annotations

from referee.rules.tiles import TILES
from referee.tracking.questions import Question, ask_laid, ask_left_over, ask_player
from ui.viewmodels.verdict_card import answer_choices


def buttons(question: Question, names: tuple[str, ...] | None = None) -> list[tuple[str, str]]:
    """What is on each button, and its key; none where the button is a quiet one."""
    return [(choice.label, choice.key) for choice in answer_choices(question, names)]


def test_left_over_and_placed_are_answers_of_one_kind():
    assert buttons(ask_laid(1, (TILES["R40"],), 0)) == [
        ("It was placed", "1"), ("It was left over", "2"), ("No tile lies there", "")
    ]  # fmt: skip
    assert ("We lay them now", "") in buttons(ask_left_over(1, ()))


def test_players_are_called_by_their_names():
    assert buttons(ask_player(2)) == [("Player 1", "1"), ("Player 2", "2")]
    assert buttons(ask_player(2), ("left", "right")) == [("left", "1"), ("right", "2")]
