"""Every way in which a resolution can end. Rules 4 and 5.

Different answers often lead to the same state; each state is resolved once, so the tree is kept
as a graph whose leaves may be reached along many paths.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from referee.errors import Fault, NotationError
from referee.rules.events import DieNeed, Direction, Event, payer_of, removed_by, taken_by
from referee.rules.layout import Layout
from referee.rules.options import DEFAULTS, Options
from referee.rules.placement import find_places, place_tile
from referee.rules.resolve import Answer, ResolutionState, answer, begin_placed, make_terms, settle, share_out
from referee.rules.tiles import Tile

MAX_NODES = 200_000
"""Most different states that a tree may have, which take seconds and half a gigabyte. Some pyramids of
36 tiles that play leads to have more, and tables strewn with tiles in free air more than any memory holds."""

ROLLS = (1, 2, 3, 4, 5, 6)
FALLS = (Direction.LEFT, Direction.RIGHT)


@dataclass(frozen=True, slots=True)
class Node:
    """A state that waits for an answer or is stable, and what each answer leads to."""

    state: ResolutionState
    branches: tuple[Branch, ...]
    """In the order left, right or 1 to 6; none where the pyramid is stable."""
    endings: int
    """Number of paths from here to a stable pyramid."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One answer to a node's need, the events it brings about, and where they lead."""

    given: Answer
    events: tuple[Event, ...]
    node: Node


@dataclass(frozen=True, slots=True)
class Tree:
    """All endings of a resolution."""

    events: tuple[Event, ...]
    """What happens before the first answer."""
    root: Node


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way in which a resolution ends."""

    choices: tuple[Direction, ...]
    die: int | None
    """What was rolled; None where the die did not come up."""
    layout: Layout
    piles: dict[int, tuple[Tile, ...]]
    out: tuple[Tile, ...]


def grow_tree(
    state: ResolutionState,
    options: Options,
    die: int | None = None,
    known: dict[ResolutionState, Node] | None = None,
) -> Tree:
    """Return every way on from a state.

    Args:
        state: From `begin` or `begin_placed`.
        options: The settings of the game.
        die: The roll, where it is known already.
        known: Standings resolved before under the same options and roll; new ones are added.

    Raises:
        NotationError: There are more than `MAX_NODES` states.
    """
    nodes: dict[ResolutionState, Node] = {} if known is None else known

    def grow(at: ResolutionState) -> Node:
        node = nodes.get(at)
        if node is None:
            branches = []
            for given in _answers(at, die):
                events, after = answer(at, given, options)
                branches.append(Branch(given, tuple(events), grow(after)))
            if len(nodes) >= MAX_NODES:
                raise _too_many(state)
            endings = sum(branch.node.endings for branch in branches) or 1
            node = nodes[at] = Node(at, tuple(branches), endings)
        return node

    events, settled = settle(state, options)
    try:
        with _no_search_for_garbage():
            return Tree(tuple(events), grow(settled))
    except RecursionError as error:  # a tile hundreds of rows up in the air
        raise _too_many(state) from error


@contextmanager
def _no_search_for_garbage() -> Iterator[None]:
    """Keep Python from looking through all nodes, again and again, for some that are no longer used.

    None are, and on the largest trees looking takes longer than all the rest. What was made meanwhile
    counts as old afterwards, or else it would be looked through right then.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def _too_many(state: ResolutionState) -> NotationError:
    """Return what to say of a tree that cannot be grown."""
    return NotationError(Fault.TREE_TOO_LARGE, layout=str(state.layout))


def _answers(state: ResolutionState, die: int | None) -> tuple[Answer, ...]:
    """Return every answer that a state's need can get."""
    if state.need is None:
        return ()
    if isinstance(state.need, DieNeed):
        return ROLLS if die is None else (die,)
    return FALLS


def list_outcomes(tree: Tree) -> Iterator[Outcome]:
    """Yield every ending, depth first, left before right, 1 to 6; equal endings are not merged."""

    def walk(node: Node, given: tuple[Answer, ...], events: tuple[Event, ...]) -> Iterator[Outcome]:
        if not node.branches:
            piles, out = share_out(events)
            choices = tuple(each for each in given if isinstance(each, Direction))
            roll = next((each for each in given if not isinstance(each, Direction)), None)
            yield Outcome(choices, roll, node.state.layout, piles, out)
        for branch in node.branches:
            yield from walk(branch.node, (*given, branch.given), events + branch.events)

    return walk(tree.root, (), tree.events)


@dataclass(frozen=True, slots=True)
class Ending:
    """A way to end, whatever the path; endings that cost everybody the same on the same table are one."""

    answers: tuple[Answer, ...]
    """The first answers that lead here, in the order of the tree."""
    layout: Layout
    cost: tuple[tuple[int, int], ...]
    """(player, number of tiles taken), for those who take some, in the order of the players."""
    lost: int
    """Number of tiles that leave the game."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What placing a tile in one place can lead to."""

    row: int
    slot: int
    endings: tuple[Ending, ...]
    paths: int
    """Number of different sequences of answers."""

    def cost_range(self, player: int) -> tuple[int, int]:
        """Return the fewest and the most tiles that a player takes."""
        counts = [dict(ending.cost).get(player, 0) for ending in self.endings]
        return min(counts), max(counts)


def find_consequences(
    layout: Layout,
    tile: Tile,
    options: Options = DEFAULTS,
    *,
    players: int = 2,
    active: int = 0,
    die: int | None = None,
) -> tuple[Consequence, ...]:
    """Return what a tile would lead to in each place where it may go, in scanning order. Rules 3 and 4.

    Raises:
        TileError: The tile lies on the table already.
        NotationError: There are more than `MAX_NODES` states in all places together.
    """
    terms = make_terms(players, active)
    known: dict[ResolutionState, Node] = {}
    found = []
    for row, slot in find_places(layout):
        placed = place_tile(layout, tile, row, slot)
        tree = grow_tree(begin_placed(placed, tile, terms, options), options, die, known)
        found.append(Consequence(row, slot, _different_endings(tree), tree.root.endings))
    return tuple(found)


_Cost = tuple[tuple[int, int], ...]


def _different_endings(tree: Tree) -> tuple[Ending, ...]:
    """Return the endings of a tree, each by the first answers that lead to it.

    A node is walked on from once for each cost at which it is reached: whatever is reached from it again
    at the same cost was found before, by earlier answers.
    """
    found: dict[tuple[Layout, _Cost, int], Ending] = {}
    seen: set[tuple[int, _Cost, int]] = set()

    def walk(node: Node, answers: tuple[Answer, ...], cost: _Cost, lost: int) -> None:
        if not node.branches:
            layout = node.state.layout
            found.setdefault((layout, cost, lost), Ending(answers, layout, cost, lost))
        for branch in node.branches:
            paid = _paid(branch.events, cost, lost)
            at = (id(branch.node), *paid)
            if at not in seen:
                seen.add(at)
                walk(branch.node, (*answers, branch.given), *paid)

    with _no_search_for_garbage():
        walk(tree.root, (), *_paid(tree.events, (), 0))
    return tuple(found.values())


def _paid(events: tuple[Event, ...], cost: _Cost, lost: int) -> tuple[_Cost, int]:
    """Return what was taken and lost before, and by these events."""
    counts = dict(cost)
    for event in events:
        lost += len(removed_by(event))
        taken = len(taken_by(event))
        payer = payer_of(event)
        if taken and payer is not None:
            counts[payer] = counts.get(payer, 0) + taken
    return tuple(sorted(counts.items())), lost
