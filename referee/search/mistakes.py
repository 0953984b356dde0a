"""How the table got from where a game knows it to be to where it is now seen. Rule 5.

The game is played on, in the shortest way, until its table is the one seen. Where no play leads there,
the nearest mistake is named: a step done wrongly, tiles shifted within the table, tiles that are others
than was thought. What the rules cannot account for is reported as such, with what would be right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from referee.rules.events import DieNeed, Direction, FallNeed
from referee.rules.game import Action, Game, Place, Whereabouts
from referee.rules.layout import Layout
from referee.rules.tiles import ALL_TILES, Tile


class Account(Enum):
    """What kind of account an explanation gives."""

    UNCHANGED = "unchanged"
    PLAYED = "played"
    """Placements, and steps done rightly."""
    WRONG_STEP = "wrong-step"
    """What had to be carried out was carried out wrongly; `Explanation.mistake` says in which way."""
    SWAPPED = "swapped"
    """The same slots hold other tiles: exchanged, or misread before."""
    MOVED = "moved"
    """The same tiles lie in other slots: bumped."""
    UNEXPLAINED = "unexplained"


class Mistake(Enum):
    """In which way a step was done wrongly."""

    LEFT_LYING = "left-lying"
    """A tile that comes off still lies."""
    WRONG_TILES = "wrong-tiles"
    """Tiles were taken that should lie."""
    WRONG_FALL = "wrong-fall"
    """The falling tile lies where it cannot fall to."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A slot of the table seen whose tile is not the expected one."""

    row: int
    slot: int
    expected: Tile | None
    seen: Tile | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The shortest account of a changed table."""

    account: Account
    actions: tuple[Action, ...]
    """What was done rightly, in order; the OK of the next player is part of a placement."""
    game: Game
    """The game after these actions."""
    mistake: Mistake | None = None
    right: tuple[Layout, ...] = ()
    """Where the account is not a clean one: the tables that would be right now, the nearest first."""
    differences: tuple[Difference, ...] = ()
    """How the table seen differs from the first of these."""
    others: tuple[Explanation, ...] = ()
    """Accounts that are as short as this one. Where there are any, the players must be asked."""


MAX_PLACEMENTS = 2
"""Most placements between two settled tables that are looked for."""
MAX_MOMENTS = 4000
"""Most moments of a game that a search looks at, so that an odd table cannot hold the referee up."""


def explain(game: Game, seen: Layout) -> Explanation:
    """Return the shortest account of how the table came to be the one seen. Rule 5.

    Steps cost one each, a placement as well; of accounts that cost the same the others are listed.

    Args:
        game: The game as it is known.
        seen: The table as it now lies.
    """
    if game.layout == seen:
        return Explanation(Account.UNCHANGED, (), game)
    found = _search(game, seen)
    if not found:
        found = _search_vanished(game, seen)
    if found:
        first, *rest = (Explanation(Account.PLAYED, _since(game, end), end) for end in found)
        return Explanation(first.account, first.actions, first.game, others=tuple(rest))
    return explain_mistake(game, seen)


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
        for roll in (1, 4, 5, 6):  # 2 and 3 do what 1 does
            yield game.roll(roll)
    elif not game.is_stable:
        yield game.step()


def _new_tiles(game: Game, seen: Layout) -> list[Tile]:
    """Return the tiles that are seen and can only have come from a stock."""
    return [tile for tile in seen.cells.values() if game.whereabouts(tile) is Whereabouts.STOCKS]


def _placements(game: Game, tiles: list[Tile]) -> Iterator[Game]:
    """Yield every moment after a placement of one of these tiles. Rule 3."""
    if game.winner is None and not (game.has_placed and game.stocks[game.active] == 0):
        for tile in tiles:
            for row, slot in game.places:
                yield game.place(tile, row, slot)


def _search(game: Game, seen: Layout) -> list[Game]:
    """Return every shortest way of rightful play that ends on the table seen."""
    level, known, looked = [game], set(), 0
    new = _new_tiles(game, seen)
    if len(new) > MAX_PLACEMENTS:
        return []
    while level and looked < MAX_MOMENTS:
        following: list[Game] = []
        for moment in level:
            for after in (*_steps(moment), *_placements(moment, _still_in_stock(moment, new))):
                looked += 1
                key = (after.standing, after.turn)
                if key not in known:
                    known.add(key)
                    following.append(after)
        found = [after for after in following if after.layout == seen]
        if found:
            return _distinct(found)
        level = following
    return []


def _still_in_stock(game: Game, tiles: list[Tile]) -> list[Tile]:
    """Return those of the tiles that were not placed yet. Rule 5."""
    return [tile for tile in tiles if game.whereabouts(tile) is Whereabouts.STOCKS]


def _distinct(found: list[Game]) -> list[Game]:
    """Return the moments without those that differ from an earlier one in nothing but how they are told."""
    kept: dict[tuple[object, ...], Game] = {}
    for game in found:
        kept.setdefault((game.layout, game.stocks, game.out, game.turn, game.missed_since), game)
    return list(kept.values())


def _search_vanished(game: Game, seen: Layout) -> list[Game]:
    """Return every way in which a tile was placed and came off again before the table was seen. Rule 4.

    Only the tile placed now is looked for, and all that follows from it. Where mayhem waits to be
    resolved it is likelier that this was done wrongly than that somebody built on it.
    """
    if not game.is_stable or _new_tiles(game, seen):
        return []
    found: list[Game] = []
    looked = 0
    for placed in _placements(game, _still_in_stock(game, list(ALL_TILES))):
        level = [placed]
        while level and looked < MAX_MOMENTS:
            level = [after for moment in level for after in _steps(moment)]
            looked += 1 + len(level)
            found += [after for after in level if after.layout == seen]
    lengths = {len(end.actions) for end in found}
    return _distinct([end for end in found if len(end.actions) == min(lengths)])


def explain_mistake(game: Game, seen: Layout) -> Explanation:
    """Return what is the matter with a table that no rightful play leads to. Rule 5.

    Args:
        game: The game as it is known.
        seen: The table as it now lies, of which `explain` or `find_continuations` found no rightful account.
    """
    here = _tiles_of(game)
    there = set(seen.cells.values())
    moments = [game, *_line(game)]
    for tile in _new_tiles(game, seen)[:MAX_PLACEMENTS]:
        for placed in _placements(game, [tile]):
            moments += [placed, *_line(placed)]
    ranks = {id(moment): _distance(game, moment, seen) for moment in moments}
    nearest = sorted(moments, key=lambda moment: ranks[id(moment)])
    candidates = (_blamed(game, moment, there) for moment in nearest)
    blamed = next(
        (each for each in candidates if each is not None and not _misplaced(game, each, seen)), None
    )
    if blamed is not None:
        return _wrong_step(game, blamed, seen)
    best = nearest[0]
    right = tuple(dict.fromkeys(moment.layout for moment in nearest))[:3]
    account = Account.UNEXPLAINED
    if here == there:
        account = Account.MOVED
    elif _shape(game.layout) == _shape(seen):
        account = Account.SWAPPED
    if account is not Account.UNEXPLAINED:
        best, right = game, (game.layout,)
    return Explanation(account, _since(game, best), best, None, right, find_differences(right[0], seen))


def _distance(game: Game, moment: Game, seen: Layout) -> tuple[int, int, int]:
    """Return how far a moment is from a known game and from a table seen: changes on both sides, those from
    the table alone, and the actions that lead to it."""
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
    while at < len(moments) and len(moments) < 40:
        moments += _steps(moments[at])
        at += 1
    return moments[1:]


def _wrong_step(game: Game, before: Game, seen: Layout) -> Explanation:
    """Return in which way the step that comes at a moment was done wrongly."""
    right = _right_tables(before)
    goal = min(right, key=lambda layout: len(find_differences(layout, seen)))
    lying = set(seen.cells.values())
    should = set(goal.cells.values())
    if should - lying:
        mistake = Mistake.WRONG_TILES
    elif lying - should:
        mistake = Mistake.LEFT_LYING
    else:
        mistake = Mistake.WRONG_FALL
    ordered = (goal, *(layout for layout in right if layout != goal))
    return Explanation(
        Account.WRONG_STEP, _since(game, before), before, mistake, ordered, find_differences(goal, seen)
    )


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
