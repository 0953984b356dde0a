"""The way through a game that is looked back at: turn by turn, and event by event within a turn."""

from __future__ import annotations

from collections.abc import Sequence

from ui.text import table as texts
from ui.text.catalogue import say
from ui.viewmodels.game_view import CardView, Choice, GameView, LookBack, PastView, PlayOn, TurnView
from ui.viewmodels.table_view import Tone


def positions(turns: Sequence[TurnView]) -> list[LookBack]:
    """Return every moment that can be looked at, in order."""
    return [LookBack(at, step) for at, turn in enumerate(turns) for step in range(len(turn.steps))]


def position_of(turns: Sequence[TurnView], past: PastView) -> int:
    """Return which of these moments is looked at."""
    return positions(turns).index(LookBack(past.at, past.step or 0))


def moved(turns: Sequence[TurnView], past: PastView, by: int) -> LookBack:
    """Return the moment so many events later, or earlier for a negative number; at most the ends."""
    every = positions(turns)
    return every[min(max(0, position_of(turns, past) + by), len(every) - 1)]


def past_card(view: GameView) -> CardView:
    """Return the card of a moment that is looked back at."""
    assert view.past is not None  # or there is no such card
    turn, step = view.turns[view.past.at], view.past.step
    shown = turn.steps if step is None else turn.steps[: step + 1]
    choices = [Choice(say(texts.RESUME_LIVE), LookBack(None), "Space")]
    if shown:
        choices.append(Choice(say(texts.PLAY_ON), PlayOn(shown[-1].input), is_quiet=True))
    return CardView(
        Tone.NOTICE,
        say(texts.LOOK_BACK_AT, turn=turn.number, player=turn.player),
        sentences=tuple(sentence for each in shown for sentence in each.sentences),
        choices=tuple(choices),
        topic=view.card.topic,
    )
