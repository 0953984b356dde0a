"""What is the matter with a table that no rightful play leads to, and how two tables differ. Rule 5.

A step may have been done wrongly: then the tables that would be right are named. Else tiles were shifted,
exchanged or read wrongly: then the nearest table that play leads to is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee.rules.events import DieNeed, Direction, FallNeed
from referee.rules.game import Action, Game, Place, Whereabouts
from referee.rules.layout import Layout
from referee.rules.tiles import Tile
from referee.search.move_search import ROLLS


@dataclass(frozen=True, slots=True)
class Difference:
    """A slot of the table seen whose tile is not the expected one."""

    row: int
    slot: int
    expected: Tile | None
    seen: Tile | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is the matter with a table."""

    is_wrong_step: bool
    """Whether what had to be carried out was carried out wrongly."""
    actions: tuple[Action, ...]
    """What was done rightly before that step, in order."""
    right: tuple[Layout, ...]
    """The tables that would be right now, the nearest first; at least one."""


MAX_PLACEMENTS = 2
"""Most tiles that are taken to be newly placed."""
MAX_MOMENTS = 40
"""So many moments that lie ahead are looked at, so that an odd table cannot hold the referee up."""


def _since(game: Game, end: Game) -> tuple[Action, ...]:
    """Return the actions between two moments of one game."""
    return end.actions[len(game.actions) :]


def _steps(game: Game) -> Iterator[Game]:
    """Yield every moment after one step of the verdict. Rule 4."""
    need = game.needs
    if isinstance(need, FallNeed):
        yield game.choose(Direction.LEFT)
        yield game.choose(Direction.RIGHT)
    elif isinstance(need, DieNeed):
        for roll in ROLLS:
            yield game.roll(roll)
    elif not game.is_stable:
        yield game.step()


def _new_tiles(game: Game, seen: Layout) -> list[Tile]:
    """Return the tiles that are seen and can only have come from a stock."""
    return [tile for tile in seen.cells.values() if game.whereabouts(tile) is Whereabouts.STOCKS]


def _placements(game: Game, tile: Tile) -> Iterator[Game]:
    """Yield every moment after a placement of the tile. Rule 3."""
    if game.winner is None and not (game.has_placed and game.stocks[game.active] == 0):
        for row, slot in game.places:
            yield game.place(tile, row, slot)


def explain_mistake(game: Game, seen: Layout) -> Explanation:
    """Return what is the matter with a table that no rightful play leads to. Rules 4 and 5.

    Args:
        game: The game as it is known.
        seen: The table as it now lies, of which `find_continuations` found no rightful account.
    """
    here = _tiles_of(game)
    there = set(seen.cells.values())
    moments = [game, *_line(game)]
    for tile in _new_tiles(game, seen)[:MAX_PLACEMENTS]:
        for placed in _placements(game, tile):
            moments += [placed, *_line(placed)]
    ranks = {id(moment): _distance(game, moment, seen) for moment in moments}
    nearest = sorted(moments, key=lambda moment: ranks[id(moment)])
    candidates = (_blamed(game, moment, there) for moment in nearest)
    blamed = next(
        (each for each in candidates if each is not None and not _misplaced(game, each, seen)), None
    )
    if blamed is not None:
        return _wrong_step(game, blamed, seen)
    if here == there or _shape(game.layout) == _shape(seen):
        return Explanation(False, (), (game.layout,))
    return Explanation(False, (), (nearest[0].layout,))


def _distance(game: Game, moment: Game, seen: Layout) -> tuple[int, int, int]:
    """Return how far a moment is from a known game and from a table seen.

    Returns:
        Changes on both sides, those from the table alone, and how many actions lead to it.
    """
    differences = len(find_differences(moment.layout, seen))
    return differences + _count_changes(game, moment), differences, len(moment.actions)


def _count_changes(game: Game, moment: Game) -> int:
    """Return how often the table changed between two moments of one game."""
    count = 0
    while len(moment.actions) > len(game.actions) and moment.before is not None:
        count += moment.layout != moment.before.layout
        moment = moment.before
    return count


def _blamed(game: Game, best: Game, there: set[Tile]) -> Game | None:
    """Return the moment whose step was done wrongly, given the moment that is nearest to what is seen.

    That is the step that led there if more came off than it takes, or less; else the one that comes next.
    """
    following = None if best.is_stable or not there <= _tiles_of(best) else best
    previous = best.before if len(best.actions) > len(game.actions) else None
    if previous is None or previous.is_stable or not there <= _tiles_of(previous):
        return following
    if following is not None:
        stays = _tiles_of(best).intersection(*(_tiles_of(after) for after in _steps(best)))
        if not stays - there:
            return following
    return previous


def _misplaced(game: Game, blamed: Game, seen: Layout) -> bool:
    """Whether a tile placed since the game was known lies where it was not placed, nor is about to fall."""
    placed = {action.tile for action in _since(game, blamed) if isinstance(action, Place)}
    falling = blamed.needs.tile if isinstance(blamed.needs, FallNeed) else None
    return any(
        found.expected in placed and found.expected is not falling
        for found in find_differences(blamed.layout, seen)
    )


def _tiles_of(game: Game) -> set[Tile]:
    """Return the tiles on the table of a game."""
    return set(game.layout.cells.values())


def _line(game: Game) -> list[Game]:
    """Return the moments that lie ahead on the table, with both ways to fall, up to some number. Rule 4."""
    moments, at = [game], 0
    while at < len(moments) and len(moments) < MAX_MOMENTS:
        moments += _steps(moments[at])
        at += 1
    return moments[1:]


def _wrong_step(game: Game, before: Game, seen: Layout) -> Explanation:
    """Return in which way the step that comes at a moment was done wrongly."""
    right = _right_tables(before)
    goal = min(right, key=lambda layout: len(find_differences(layout, seen)))
    ordered = (goal, *(layout for layout in right if layout != goal))
    return Explanation(True, _since(game, before), ordered)


def _right_tables(before: Game) -> list[Layout]:
    """Return the tables that the next step may leave; a collapse and its fall are one step. Rule 4."""
    tables = []
    for after in _steps(before):
        if after.layout != before.layout:
            tables.append(after.layout)
        if after.needs is not None:
            tables += [fallen.layout for fallen in _steps(after)]
    return list(dict.fromkeys(tables))


def _shape(layout: Layout) -> frozenset[int]:
    """Return the slots in use."""
    return frozenset(layout.cells)


def find_differences(expected: Layout, seen: Layout) -> tuple[Difference, ...]:
    """Return the slots in which two tables differ, from the base up, laid over each other at best.

    Rows and slots are those of the expected table.
    """
    mine = {(row, slot): tile for (row, slot), tile in expected.tiles}
    theirs = {(row, slot): tile for (row, slot), tile in seen.tiles}
    lies = {tile: slot for (_, slot), tile in theirs.items()}
    shifts = {slot - lies[tile] for (_, slot), tile in mine.items() if tile in lies}
    compared = [_compare(mine, theirs, shift) for shift in sorted(shifts or {0}, key=abs)]
    return min(compared, key=len)


def _compare(
    mine: Mapping[tuple[int, int], Tile], theirs: Mapping[tuple[int, int], Tile], shift: int
) -> tuple[Difference, ...]:
    """Return the differences where the second table lies some slots further right."""
    moved = {(row, slot + shift): tile for (row, slot), tile in theirs.items()}
    return tuple(
        Difference(row, slot, mine.get((row, slot)), moved.get((row, slot)))
        for row, slot in sorted({*mine, *moved})
        if mine.get((row, slot)) is not moved.get((row, slot))
    )
