"""Ways in which a game may stand, where a table leaves more than one: weighed and compared. Rule 5."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from referee.rules.events import Event, taken_by, tiles_of
from referee.rules.game import Action, Game, Place, Roll
from referee.rules.layout import Layout
from referee.rules.tiles import Tile
from referee.rules.verdict import said_of
from referee.tracking.announcer import Guess
from referee.tracking.likelihood import Sight
from referee.tracking.move_search import Course, find_courses

MAX_DOUBT = 0.02
"""An explanation is taken when the odds of all others together are at most this: 98 to 2."""
MARGIN = math.log(1 / MAX_DOUBT) + 2
"""Explanations that are less likely than the best one by more than this, in log chance, are dropped."""
MAX_WORLDS = 48
"""Most explanations that are carried along; a tile of which nothing is known has 44."""


@dataclass(frozen=True, slots=True)
class World:
    """One way in which the game may stand."""

    game: Game
    cost: float = 0.0
    """What is unlikely about how it came about since the game was certain, in log chance."""
    memory: dict[Tile, tuple[float, float]] = field(default_factory=dict)
    """Tile placed since then -> log chance that it is this one when it was last seen, and the least odds so
    far that it is none of those that the reader named."""
    guesses: dict[Tile, Guess] | None = None
    """Which tiles stand for others in this world, where it is otherwise than in the game."""


@dataclass(frozen=True, slots=True)
class Option:
    """A world that fits the table now seen."""

    world: World
    score: float
    odd: tuple[tuple[int, Tile, Tile], ...]
    """Known tiles that were surely read as others, as in `referee.tracking.likelihood.Fit`."""
    tail: tuple[Action, ...]
    """What was played since the game was certain."""

    @property
    def layout(self) -> Layout:
        """The table in this world."""
        return self.world.game.layout

    @property
    def placed(self) -> list[Tile]:
        """The tiles placed since the game was certain, in order."""
        return [action.tile for action in self.tail if isinstance(action, Place)]

    @property
    def doubt(self) -> float:
        """The odds that some placed tile is another one."""
        return sum(self.world.memory[tile][1] for tile in self.placed)

    def is_doubtful(self, action: Action) -> bool:
        """Whether the tile that was placed may be another one."""
        return isinstance(action, Place) and self.world.memory[action.tile][1] > MAX_DOUBT

    def passes(self, tables: Sequence[tuple[Sight, float]], start: Game) -> bool:
        """Whether all these tables lay there, one after the other, on the way from a game.

        Args:
            tables: Sights, with the least log chance at which a table fits each.
            start: The game that the way begins with.
        """
        left = list(tables)
        at: Game | None = self.world.game
        while left and at is not None and len(at.actions) >= len(start.actions):
            sight, least = left[-1]
            fit = sight.fit(at.layout)
            if fit is not None and fit.log_chance >= least:
                left.pop()
            else:
                at = at.before
        return not left

    def events_of(self, at: int) -> tuple[Event, ...]:
        """Return the events that an action of the tail brought about."""
        if at >= len(self.tail) or isinstance(self.tail[at], Place):
            return ()
        after = self.world.game
        for _ in range(len(self.tail) - 1 - at):
            after = after.undo()
        return after.events[len(after.undo().events) :]


def fit_worlds(
    worlds: Iterable[World], sight: Sight, start: Game, fresh: int = 0
) -> tuple[list[Option], bool]:
    """Return the worlds that lead to a table, the likeliest first.

    Args:
        worlds: Where they begin.
        sight: The table seen.
        start: The game as far as it is certain.
        fresh: Tiles, as bits, that lie in the game but did not on the last table seen: put back where they
            lay they were not placed.

    Returns:
        The worlds; and, where there are none, whether there would be some if no tile were covered.
    """
    found: dict[tuple[object, ...], Option] = {}
    is_covered = False
    for world in worlds:
        uncertain = sum(tile.bit for tile in world.memory)
        courses, covered = find_courses(world.game, sight, fresh | uncertain)
        is_covered = is_covered or covered
        for course in courses:
            option = _option(world, course, sight, start)
            if any(tile.bit & fresh for tile in option.placed):
                continue
            same = found.get(course.outcome)
            if same is None or same.score < option.score:
                found[course.outcome] = option
    return sorted(found.values(), key=lambda option: -option.score), is_covered and not found


def _option(world: World, course: Course, sight: Sight, start: Game) -> Option:
    """Return the world that a course leads to."""
    game = course.game
    tail = game.actions[len(start.actions) :]
    memory = {}
    forgotten = 0.0
    for action in tail:
        if isinstance(action, Place):
            tile, place = action.tile, game.layout.find(action.tile)
            memory[tile] = world.memory.get(tile, (0.0, math.inf))
            if place is not None:
                glimpse = sight.cells[place]
                memory[tile] = glimpse.log(tile), min(glimpse.doubt(tile), memory[tile][1])
            else:
                forgotten += memory[tile][0]
    cost = world.cost + course.cost
    score = course.fit.log_chance + forgotten - cost
    return Option(World(game, cost, memory, world.guesses), score, course.fit.odd, tail)


def is_decided(options: Sequence[Option]) -> bool:
    """Whether the first option is clearly the likeliest, and nothing about it is in doubt."""
    best = options[0]
    others = sum(math.exp(option.score - best.score) for option in options[1:])
    return others + best.doubt <= MAX_DOUBT


def close_ones(options: Sequence[Option]) -> list[Option]:
    """Return the options that are not clearly less likely than the first, and always the second.

    Many that are less likely may put the first in doubt together.
    """
    close = [option for option in options if option.score >= options[0].score - MARGIN]
    return (close if len(close) > 1 else list(options[:2]))[:MAX_WORLDS]


def first_open(options: Sequence[Option]) -> int:
    """Return the index of the first action of the likeliest option that is open."""
    tail = options[0].tail
    return next((at for at in range(len(tail)) if is_open(options, at)), len(tail))


def is_open(options: Sequence[Option], at: int) -> bool:
    """Whether the options do not share an action, or its tile is in doubt."""
    best = options[0]
    action = best.tail[at]
    return best.is_doubtful(action) or any(action not in option.tail[at : at + 1] for option in options)


def is_untold(options: Sequence[Option], at: int) -> bool:
    """Whether it is not certain what an action of the likeliest option brought about."""
    best = options[0]
    if isinstance(best.tail[at], Place):
        return is_open(options, at)
    if len({tuple(map(said_of, option.events_of(at))) for option in options}) > 1:
        return True
    doubtful = {action.tile for action in best.tail if isinstance(action, Place) and best.is_doubtful(action)}
    return any(
        tile in doubtful for event in best.events_of(at) for tile in (*tiles_of(event), *taken_by(event))
    )


def others_there(options: Sequence[Option], at: int) -> list[Tile]:
    """Return the tiles that other options place in the slot where the likeliest places one."""
    best = options[0].tail[at]
    found: list[Tile] = []
    for option in options:
        action = option.tail[at] if at < len(option.tail) else None
        if (
            isinstance(action, Place)
            and isinstance(best, Place)
            and (action.row, action.slot) == (best.row, best.slot)
            and action.tile is not best.tile
            and action.tile not in found
        ):
            found.append(action.tile)
    return found


def answered(options: Sequence[Option], told: Tile | int) -> list[Option]:
    """Return those of the options that an answer leaves; its tile is not in doubt any more.

    Args:
        options: The likeliest first.
        told: The tile that was placed first of those in doubt, or the roll of the die; 0: nobody rolled it.
    """
    at = first_open(options)
    kept = []
    for option in options:
        action = option.tail[at] if at < len(option.tail) else None
        if isinstance(action, Place) and action.tile is told:
            kept.append(_certain_of(option, told))
        elif isinstance(told, int) and roll_of(option.tail[at:]) == (min(told, 1) if told < 4 else told):
            kept.append(option)
    if not kept and isinstance(told, Tile):
        kept = [_certain_of(option, told) for option in options if option.layout.find(told) is not None]
    return kept or list(options)


def roll_of(actions: Sequence[Action]) -> int:
    """Return what the die showed before the next placement; 0 where nobody rolled it."""
    for action in actions:
        if isinstance(action, Roll):
            return action.roll
        if isinstance(action, Place):
            break
    return 0


def _certain_of(option: Option, tile: Tile) -> Option:
    """Return an option in which a tile, if it was placed since the game was certain, is not in doubt."""
    if tile not in option.world.memory:
        return option
    return replace(option, world=replace(option.world, memory=option.world.memory | {tile: (0.0, 0.0)}))
