"""Staged cases of a game that is lost: tables in disorder until it is said, and then a clear table."""

from __future__ import annotations

import random
from dataclasses import dataclass

from referee.rules.layout import Layout
from referee.rules.tiles import ALL_TILES, Tile
from referee.search.observation import ObservedTile, Settled
from referee.tracking.follower import Follower
from referee.tracking.inputs import Corrected
from tests.simulation.following import ASIDE
from tests.simulation.play import Moment, play_game

LEAST_TILES = 5
"""On a smaller table there is too little to bring into disorder."""
MOST_DISORDER = 8
"""Tables in disorder, before the staging gives up."""


@dataclass(frozen=True)
class Case:
    """What came of one staged case."""

    lost: bool
    """Whether it was said that the game is lost."""
    calls: int
    """What was called while the table was in disorder, or on the way back: each is wrong."""
    found_after: int | None
    """How many settled tables after the table was clear the game was found; None: not within two."""
    is_right: bool
    """Whether the table of the game that was found is the true one, but for tiles that are kept in doubt."""


def disorder(layout: Layout, rng: random.Random) -> Layout:
    """Return a table on which some tiles were exchanged, some taken off and some put elsewhere."""
    cells: dict[tuple[int, int], Tile] = dict(layout.tiles)
    places = sorted(cells)
    one, other, *rest = rng.sample(places, min(len(places), 5))
    cells[one], cells[other] = cells[other], cells[one]
    for place in rest[:2]:
        del cells[place]
    free = [tile for tile in ALL_TILES if tile not in set(layout.cells.values())]
    for place, tile in zip(rest[2:], rng.sample(free, 3), strict=False):
        cells[place] = tile
    return Layout.from_tiles(cells)


def read(layout: Layout, time_s: float) -> Settled:
    """Return a table that is surely read."""
    tiles = (ObservedTile(row, slot, ((tile.code, 0.999),)) for (row, slot), tile in layout.tiles)
    return Settled(round(time_s, 2), tuple(tiles))


def stage(seed: int) -> Case | None:
    """Return what came of the case of a seed; None where its game is over, or has no large table."""
    rng = random.Random(f"losing {seed}")
    play = play_game(seed)
    large = [at for at, moment in enumerate(play.moments) if _may_go_wrong(moment)]
    if len(large) < 2:
        return None
    at = rng.choice(large[:-1])
    later = rng.choice([each for each in large if each > at][:12])
    follower = _followed(seed, at)
    if follower.game.winner is not None:
        return None
    time_s, calls = play.moments[at].time_s, 0
    for _ in range(MOST_DISORDER):
        time_s += 4
        lines = follower.hear(read(disorder(play.moments[at].layout, rng), time_s))
        calls += sum(not isinstance(line, ASIDE) for line in lines)
        if follower.is_lost:
            break
    lost, moment = follower.is_lost, play.moments[later]
    if not lost:
        return Case(False, calls, None, is_right=False)
    for number in (1, 2):
        tiles = moment.settled.tiles if number == 1 else moment.again.tiles
        follower.hear(Settled(round(time_s + 10 + number, 2), tiles))
        if not follower.is_lost:
            return Case(True, calls, number, is_right=_is_true(follower, moment.layout))
    return Case(True, calls, None, is_right=False)


def _is_true(follower: Follower, true: Layout) -> bool:
    """Whether a game has the true table, but for tiles that it keeps in doubt."""
    found, lying = dict(follower.game.layout.tiles), dict(true.tiles)
    return found.keys() == lying.keys() and all(
        tile is lying[place] or tile in follower.unread for place, tile in found.items()
    )


def _may_go_wrong(moment: Moment) -> bool:
    """Whether a table is large enough, and neither a hand nor a mistake is on it."""
    is_calm = not moment.settled.hidden and moment.layout == moment.game.layout
    return is_calm and len(moment.layout) >= LEAST_TILES


def _followed(seed: int, at: int) -> Follower:
    """Return a follower that knows the game of a seed up to a moment: people put right what is in doubt."""
    play = play_game(seed)
    setup = play.setup
    follower = Follower(setup.players, setup.options, setup.variant, setup.voice)

    game = play.moments[at].game
    follower.hear(Settled(0.0, ()))
    follower.hear(Corrected(0.0, game.layout, game.stocks, game.out, game.turn))
    return follower
