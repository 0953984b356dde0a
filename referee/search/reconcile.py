"""Bring a game into line with a table, where play by the rules does not account for it. Rule 5."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from referee.rules.events import DieNeed, FallNeed, payer_of, removed_by, taken_by
from referee.rules.game import Game, Whereabouts
from referee.rules.layout import Layout
from referee.rules.mayhem import find_first
from referee.rules.resolve import make_terms
from referee.rules.tiles import Tile

StandIns = Mapping[Tile, tuple[Tile, ...]]
"""Tiles that are out of the game as far as is known -> those that may be in their place."""


def taken_over(game: Game, layout: Layout) -> Game:
    """Return a game with the table as it lies; what came off or on is reckoned as well as it can be.

    New tiles are placements of the players whose turn it is, one after the other. What came off goes to the
    payer, but for what the resolution would take out of the game. Where the fire die was awaited and tiles
    have gone, it was rolled.
    """
    lay, lie = set(game.layout.cells.values()), set(layout.cells.values())
    leaving: set[Tile] = set()
    for event in game.pending.events:
        leaving.update(removed_by(event))
        if payer_of(event) is None:
            leaving.update(taken_by(event))
    payer = game.state.terms.payer
    gone = [tile for tile in game.layout.cells.values() if tile not in lie]
    leaves = [tile for tile in gone if tile in leaving or payer is None]
    stocks = list(game.stocks)
    if payer is not None:
        stocks[payer] += len(gone) - len(leaves)
    out = [tile for tile in game.out if tile not in lie] + leaves
    turn = game.turn - (not game.has_placed)
    new = [tile for tile in layout.cells.values() if tile not in lay and tile not in game.out]
    for _ in new:
        turn += 1
        player = (turn - 1) % len(stocks)
        if stocks[player] <= 0:
            player = max(range(len(stocks)), key=lambda each: stocks[each])
        stocks[player] -= 1
    after = game.correct(layout, stocks, out, turn if new else None)
    if gone and isinstance(game.needs, DieNeed):
        after = replace(after, state=replace(after.state, spark=None))
    return after


def with_missed(before: Game, game: Game) -> Game:
    """Return a game in which mayhem was missed, if it waited when the last tile was placed. Rule 5.

    Args:
        before: The game as it was known last.
        game: It, with the table as it lies since and the turn that people told.
    """
    since = before.waits_since
    if since is None or game.turn == before.turn or game.is_stable:
        return game
    new = [place for place, tile in game.layout.cells.items() if before.layout.find(tile) is None]
    if find_first(game.layout.without(new), game.options, None) is None:
        return game  # what came brought it about
    terms = make_terms(game.setup.players, game.active, game.setup.variant)
    return replace(game, missed_since=since, state=replace(game.state, terms=terms))


def exchanged(game: Game, tile: Tile, other: Tile) -> Game:
    """Return a game with another tile in the place of one on the table, and that one where the other was."""
    cells = {
        (row, slot): other if each is tile else tile if each is other else each
        for (row, slot), each in game.layout.tiles
    }
    out = tuple(tile if each is other else each for each in game.out)
    is_falling = isinstance(game.needs, FallNeed) and game.needs.tile in (tile, other)
    return game.correct(Layout.from_tiles(cells), out=out, need=None if is_falling else game.needs)


def freed(game: Game, stand_ins: StandIns, seen: Collection[Tile]) -> tuple[Game, StandIns]:
    """Return the game with others out of it, for stand-ins that are seen on the table after all."""
    for tile, others in list(stand_ins.items()):
        if tile in seen and game.whereabouts(tile) is Whereabouts.OUT:
            for other in others:
                if other not in seen and game.whereabouts(other) is Whereabouts.STOCKS:
                    out = tuple(other if each is tile else each for each in game.out)
                    game = game.correct(game.layout, out=out, need=game.needs)
                    left = {each: kept for each, kept in stand_ins.items() if each is not tile}
                    rest = tuple(tile if each is other else each for each in others)
                    stand_ins = left | {other: rest}
                    break
    return game, stand_ins
