"""The start of a game as it is seen: which tiles are left over. Rule 5 (English, French rulebooks).

Nobody tells the follower which tiles were left over; they lie on the table when the game begins. Left-over
incendiaries left the game unseen; others stand for them until they turn up in somebody's hand.
"""

from __future__ import annotations

from dataclasses import replace

from referee.rules.game import Game, Setup, start_game
from referee.rules.layout import row_of
from referee.rules.tiles import ALL_TILES, Material, Tile
from referee.search.evidence import Evidence
from referee.search.reconcile import StandIns

INCENDIARIES = tuple(tile for tile in ALL_TILES if tile.material is Material.INCENDIARY)


def count_left_over(setup: Setup) -> int:
    """Return how many tiles nobody gets."""
    return len(ALL_TILES) - setup.players * setup.share


def read_left_over(setup: Setup, evidence: Evidence) -> list[int] | None:
    """Return the place numbers of the left-over tiles; None where the table is no start of a game."""
    places = sorted(evidence.cells)
    if len(places) > count_left_over(setup) or places != list(range(len(places))):
        return None
    if any(evidence.cells[place].sure in INCENDIARIES for place in places):
        return None
    return places


def has_one_more(setup: Setup, evidence: Evidence) -> bool:
    """Return whether a table may have one tile beside the left-over ones, of which incendiaries leave."""
    return 0 < len(evidence) - 1 <= count_left_over(setup)


def read_one_more(setup: Setup, evidence: Evidence) -> list[tuple[int, Tile]]:
    """Return which tiles, by place number, may have been placed first on a table that `has_one_more`.

    The others are then the left-over ones. Empty where the tiles cannot be told, or do not lie like that.
    """
    read = {place: each.sure for place, each in evidence.cells.items() if each.sure is not None}
    if not has_one_more(setup, evidence) or len({*read.values()}) != len(evidence):
        return []
    return [
        (first, tile)
        for first, tile in read.items()
        if _is_row([place for place in read if place != first])
        and not any(other in INCENDIARIES for other in read.values() if other is not tile)
    ]


def _is_row(places: list[int]) -> bool:
    """Return whether some place numbers, lowest first, lie side by side on the table."""
    first = min(places)
    return row_of(first) == 0 and sorted(places) == list(range(first, first + len(places)))


def read_row_later(row: Evidence | None, evidence: Evidence) -> tuple[Tile, ...]:
    """Return left-over tiles that could not be told when they lay alone, as read on the next table.

    Args:
        row: How they were seen; None where nothing lay there.
        evidence: The next table. If more tiles may have lain there than did, none is taken to; what lies
            upon others was none of them (film 438101, unanswered).
    """
    if row is None:
        return ()
    found = tuple(
        tile
        for tile in (read.sure for place, read in evidence.cells.items() if row_of(place) == 0)
        if tile is not None and any(tile in lay.likely for lay in row.cells.values())
    )
    return found if len(found) == len(row) else ()


def open_game(setup: Setup, row: tuple[Tile, ...], out: tuple[Tile, ...] = ()) -> tuple[Game, StandIns]:
    """Return the start of a game, and the tiles that stand for left-over ones that nobody saw.

    Args:
        setup: What is agreed, but for the left-over tiles.
        row: The left-over tiles on the table, from the left.
        out: Left-over incendiaries, as far as they are known.
    """
    missing = max(0, count_left_over(setup) - len(row) - len(out))
    stand_ins = [tile for tile in INCENDIARIES if tile not in out][:missing]
    game = start_game(replace(setup, left_over=(*row, *out, *stand_ins)))
    others = [tile for tile in INCENDIARIES if tile not in out and tile not in stand_ins]
    return game, {tile: tuple(others) for tile in stand_ins}
