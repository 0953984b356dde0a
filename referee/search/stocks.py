"""Whose stock a tile is in, as far as play has shown: what mayhem returns goes under a pile. Rule 5."""

from __future__ import annotations

from referee.rules.game import Correct, Game, Place
from referee.rules.tiles import Tile


def owner_of(game: Game, tile: Tile) -> int | None:
    """Return the player under whose pile a tile went last; None where nobody knows of one, or it lies there.

    What people put right says nothing of the tiles that came off by it.
    """
    moment = game
    while moment.before is not None:
        action, before = moment.actions[-1], moment.before
        for taking in moment.takings[len(before.takings) :]:
            if tile in taking.tiles:
                return taking.player
        if isinstance(action, Place | Correct) and before.layout.find(tile) != moment.layout.find(tile):
            return None
        moment = before
    return None


def placed_by_others(game: Game, since: int) -> set[Tile]:
    """Return the tiles that were placed by another player than the one under whose pile they had gone.

    Args:
        game: The moment after.
        since: How many actions of the game came before.
    """
    found, moment = set(), game
    while len(moment.actions) > since and moment.before is not None:
        action = moment.actions[-1]
        if isinstance(action, Place) and owner_of(moment.before, action.tile) not in (None, moment.active):
            found.add(action.tile)
        moment = moment.before
    return found
