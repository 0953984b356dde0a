"""The start of a game as it is seen: which tiles are left over. Rule 5 (English, French rulebooks).

Nobody tells the follower which tiles were left over; they lie on the table when the game begins. Left-over
incendiaries left the game unseen; others stand for them until they turn up in somebody's hand.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game import Game, Setup, Whereabouts, start_game
from referee.sight import Sight
from referee.tiles import ALL_TILES, Material, Tile

INCENDIARIES = tuple(tile for tile in ALL_TILES if tile.material is Material.INCENDIARY)


def count_left_over(setup: Setup) -> int:
    """Return how many tiles nobody gets."""
    return len(ALL_TILES) - setup.players * setup.share


def read_left_over(setup: Setup, sight: Sight) -> tuple[Tile, ...] | None:
    """Return the left-over tiles on the table, or None where what lies there is no start of a game."""
    places = sorted(sight.cells)
    if len(places) > count_left_over(setup) or places != list(range(len(places))):
        return None
    found: list[Tile] = []
    for place in places:
        tile = next((tile for tile in sight.cells[place].likely if tile not in found), None)
        if tile is None or tile in INCENDIARIES:
            return None
        found.append(tile)
    return tuple(found)


def open_game(setup: Setup, row: tuple[Tile, ...], out: tuple[Tile, ...] = ()) -> tuple[Game, set[Tile]]:
    """Return the start of a game, and the tiles that stand for left-over ones that nobody saw.

    Args:
        setup: What is agreed, but for the left-over tiles.
        row: The left-over tiles on the table, from the left.
        out: Left-over incendiaries, as far as they are known.
    """
    missing = max(0, count_left_over(setup) - len(row) - len(out))
    stand_ins = [tile for tile in INCENDIARIES if tile not in out][:missing]
    game = start_game(replace(setup, left_over=(*row, *out, *stand_ins)))
    return game, set(stand_ins)


def free_stand_ins(game: Game, stand_ins: set[Tile], sight: Sight) -> tuple[Game, set[Tile]]:
    """Return the game with others out of it, for stand-ins that are seen on the table after all."""
    seen = {glimpse.likely[0] for glimpse in sight.cells.values() if glimpse.likely}
    for tile in sorted(stand_ins & seen, key=lambda tile: tile.index):
        for other in INCENDIARIES:
            if other not in seen and game.whereabouts(other) is Whereabouts.STOCKS:
                out = tuple(other if each is tile else each for each in game.out)
                game = game.correct(game.layout, out=out)
                stand_ins = stand_ins - {tile} | {other}
                break
    return game, stand_ins
