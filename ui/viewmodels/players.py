"""What the table page shows of each player."""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.game import Variant
from ui.text import table as texts
from ui.text.catalogue import say
from ui.text.sentences import Names
from ui.viewmodels.game_timeline import GameTimeline
from ui.viewmodels.game_view import PastView, PlayerView, StepView
from ui.viewmodels.requests import PLAYER_COLOURS
from ui.viewmodels.verdict_card import Moment


def player_view(moment: Moment, player: int, colours: Sequence[str]) -> PlayerView:
    """Return a player as of now; `colours`: those of the players, empty for the usual ones."""
    game, story = moment.game, moment.story
    on_turn = player == moment.to_play and game.winner is None
    state = ""
    if on_turn:
        state = say(texts.RESOLVING) if moment.is_open else say(texts.PLACING)
    elif game.setup.variant is Variant.STRATEGY and game.winner is None:
        after = (moment.to_play + 1) % game.setup.players
        state = say(texts.CHECKS_NEXT) if player == after else ""
    last = texts.with_tile(texts.PLACED_LAST, story.placed[player].code) if player in story.placed else ""
    takings = [taking for taking in game.takings if taking.player == player]
    if takings and takings[-1].turn >= game.turn - game.setup.players + 1:
        turn = takings[-1].turn
        taken = sum(len(taking.tiles) for taking in takings if taking.turn == turn)
        last = say(texts.TOOK_LAST, count=taken, turn=turn)
    return PlayerView(
        texts.name_of(player, moment.names), _colour(colours, player), game.stocks[player],
        on_turn, state, last, game.winner == player,
    )  # fmt: skip


def past_player_view(
    story: GameTimeline, past: PastView, step: StepView, player: int, names: Names, colours: Sequence[str]
) -> PlayerView:
    """Return a player as of a moment, `step`, that somebody looks back at."""
    on_turn = story.turns[past.at].player == player
    return PlayerView(
        texts.name_of(player, names), _colour(colours, player), step.stocks[player], on_turn, "", ""
    )


def _colour(colours: Sequence[str], player: int) -> str:
    known = colours or PLAYER_COLOURS
    return known[player % len(known)]
