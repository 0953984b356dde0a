"""How a game went: ranks, stocks over the turns, who caused and who suffered what, and what was missed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.rules.events import Fall, payer_of, taken_by
from referee.rules.game import Game
from referee.tracking.announcements import MayhemMissed, StepDone
from ui.text.catalogue import say
from ui.text.rulebook import ending as texts
from ui.text.rulebook.challenge import count_sentence
from ui.text.sentences import Names
from ui.text.table import name_of
from ui.viewmodels.game_timeline import GameTimeline


@dataclass(frozen=True, slots=True)
class RankView:
    """One player at the end."""

    player: int
    """Index, in the order of turns."""
    place: int
    """From 1; players with as many tiles share one."""
    name: str
    colour: str
    stock: int
    caused: int
    """Tiles that came off by mayhem which this player's tiles began."""
    suffered: int
    """Tiles that this player had to take."""
    wins: int
    """Rounds won so far, this one included."""


@dataclass(frozen=True, slots=True)
class EndingView:
    """How a game went."""

    headline: str
    ranks: tuple[RankView, ...]
    """In the order of their places."""
    names: tuple[str, ...]
    """In the order of turns, as are the next."""
    colours: tuple[str, ...]
    stocks: tuple[tuple[int, ...], ...]
    """For each turn, and for the end, how many tiles every player had."""
    remarks: tuple[str, ...]
    """The longest chain, and what was missed."""
    rounds: int
    """How many rounds were won so far, this one included."""


def ending_of(
    game: Game, story: GameTimeline, names: Names, colours: Sequence[str], wins: Sequence[int] = ()
) -> EndingView:
    """Return how a game went that somebody has won.

    Args:
        game: At its end.
        story: All that was said.
        names: How players are called.
        colours: One for each player.
        wins: Rounds that each player won before; none for the first round.
    """
    players = range(game.setup.players)
    called = tuple(name_of(player, names) for player in players)
    before = wins or [0] * len(players)
    won = [before[player] + (player == game.winner) for player in players]
    caused, suffered = _mayhem(story, len(players))
    order = sorted(players, key=lambda player: (player != game.winner, game.stocks[player]))
    ranks = tuple(
        RankView(
            player, 1 + sum(game.stocks[other] < game.stocks[player] for other in players),
            called[player], colours[player % len(colours)], game.stocks[player],
            caused[player], suffered[player], won[player],
        )
        for player in order
    )  # fmt: skip
    return EndingView(
        say(texts.WON, player=called[game.winner or 0]),
        ranks,
        called,
        tuple(colours[player % len(colours)] for player in players),
        (*(turn.stocks for turn in story.turns), game.stocks),
        (*_chain(story, called), *_missed(story, called), *_challenged(story)),
        sum(won),
    )


def _mayhem(story: GameTimeline, players: int) -> tuple[list[int], list[int]]:
    """Return for each player how many tiles came off because of the own tiles, and how many were taken."""
    caused, suffered = [0] * players, [0] * players
    placers = {turn.number: turn.player for turn in story.turns}
    for turn in story.turns:
        culprit = turn.player
        for said in turn.said:
            if isinstance(said, MayhemMissed):
                culprit = placers.get(said.since, culprit)
            elif isinstance(said, StepDone):
                taken = len(taken_by(said.step))
                caused[culprit] += taken
                payer = payer_of(said.step)
                if payer is not None:
                    suffered[payer] += taken
    return caused, suffered


def _chain(story: GameTimeline, called: Sequence[str]) -> Iterator[str]:
    """Yield which turn had the most events, if there were any."""
    chains = [
        sum(isinstance(said, StepDone) and not isinstance(said.step, Fall) for said in turn.said)
        for turn in story.turns
    ]
    longest = max(chains, default=0)
    if longest:
        turn = story.turns[chains.index(longest)]
        yield say(texts.CHAIN, count=longest, turn=turn.number, player=called[turn.player])


def _missed(story: GameTimeline, called: Sequence[str]) -> Iterator[str]:
    """Yield what was missed, and on whose turn it was found; or that nothing was."""
    placers = {turn.number: turn.player for turn in story.turns}
    found = dict.fromkeys(
        (said.since, turn.number)
        for turn in story.turns
        for said in turn.said
        if isinstance(said, MayhemMissed)
    )
    for since, turn in found:
        by = called[placers[turn]]
        culprit = called[placers.get(since, placers[turn])]
        yield say(texts.MISSED, since=since, culprit=culprit, turn=turn, player=by)
    if not found:
        yield say(texts.NOTHING_MISSED)


def _challenged(story: GameTimeline) -> Iterator[str]:
    """Yield how many calls were challenged and overturned, if any was."""
    if story.rulings:
        yield count_sentence(story.rulings)


def stock_words(view: EndingView) -> str:
    """Return the stocks over the turns in words, for those who do not see the drawing."""
    told = []
    for player, name in enumerate(view.names):
        own = [stocks[player] for stocks in view.stocks]
        told.append(say(texts.STOCK_WORDS, player=name, first=own[0], most=max(own), last=own[-1]))
    return " ".join(told)
