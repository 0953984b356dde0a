"""Games by clicking that are played at random, to an end that is near."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Protocol

from referee.rules.tiles import CODES
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import Act, CarryOut, Hold, LetFall, Put, PutRight, ShowRoll, Tell
from ui.viewmodels.table_view import Tone


class Clicked(Protocol):
    """A game by clicking."""

    model: GameViewModel

    def do(self, act: Act) -> None:
        """Do something in it."""


def play_turns(served: Clicked, turns: int, seed: int = 5) -> None:
    """Let players place whatever comes to hand, and carry out what that brings."""
    chance = random.Random(seed)
    while True:
        view = served.model.view()
        acts = [each.act for each in view.card.choices]
        todo = [act for act in acts if isinstance(act, (CarryOut, LetFall, ShowRoll, Tell))]
        if todo:
            served.do(chance.choice(todo))
        elif view.is_over or len(view.turns) >= turns:
            return
        else:
            place = chance.choice(view.places)
            code = chance.choice([each for each in CODES if each not in view.elsewhere])
            served.do(Put(code, place.row, place.slot))


def win(served: Clicked) -> None:
    """Let whoever places next have but one tile, and place it where it harms nobody."""
    view = served.model.view()
    player = next(at for at, each in enumerate(view.players) if each.is_on_turn)
    stocks = [each.stock for each in view.players]
    stocks[(player + 1) % len(stocks)] += stocks[player] - 1
    stocks[player] = 1
    served.do(PutRight(player, tuple(stocks)))
    served.do(next(_harmless(served)))
    assert served.model.view().is_over


def _harmless(served: Clicked) -> Iterator[Put]:
    """Yield tiles with places where they bring no mayhem."""
    for code in CODES:
        if code not in served.model.view().elsewhere:
            served.do(Hold(code, wants_forecast=True))
            calm = (each for each in served.model.view().places if each.forecast is Tone.CALM)
            yield from (Put(code, place.row, place.slot) for place in calm)
