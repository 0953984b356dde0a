"""Every way in which a resolution can end. Rules 4 and 5.

Different answers often lead to the same standing; each standing is resolved once, so the tree is kept
as a graph whose leaves may be reached along many paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.events import DieNeed, Direction, Event
from referee.layout import Layout
from referee.options import Options
from referee.resolve import Answer, Standing, answer, settle, share_out
from referee.tiles import Tile

ROLLS = (1, 2, 3, 4, 5, 6)
FALLS = (Direction.LEFT, Direction.RIGHT)


@dataclass(frozen=True, slots=True)
class Node:
    """A standing that waits for an answer or is stable, and what each answer leads to."""

    standing: Standing
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
    events: tuple[Event, ...]


def grow_tree(
    standing: Standing, options: Options, die: int | None = None, known: dict[Standing, Node] | None = None
) -> Tree:
    """Return every way on from a standing.

    Args:
        standing: From `begin` or `begin_placed`.
        options: The settings of the game.
        die: The roll, where it is known already.
        known: Standings resolved before under the same options and roll; new ones are added.
    """
    nodes: dict[Standing, Node] = {} if known is None else known

    def grow(at: Standing) -> Node:
        node = nodes.get(at)
        if node is None:
            branches = []
            for given in _answers(at, die):
                events, after = answer(at, given, options)
                branches.append(Branch(given, tuple(events), grow(after)))
            endings = sum(branch.node.endings for branch in branches) or 1
            node = nodes[at] = Node(at, tuple(branches), endings)
        return node

    events, settled = settle(standing, options)
    return Tree(tuple(events), grow(settled))


def _answers(standing: Standing, die: int | None) -> tuple[Answer, ...]:
    """Return every answer that a standing's need can get."""
    if standing.need is None:
        return ()
    if isinstance(standing.need, DieNeed):
        return ROLLS if die is None else (die,)
    return FALLS


def list_outcomes(standing: Standing, options: Options, die: int | None = None) -> Iterator[Outcome]:
    """Yield every ending, depth first, left before right, 1 to 6; equal endings are not merged."""
    tree = grow_tree(standing, options, die)

    def walk(node: Node, given: tuple[Answer, ...], events: tuple[Event, ...]) -> Iterator[Outcome]:
        if not node.branches:
            piles, out = share_out(events)
            choices = tuple(each for each in given if isinstance(each, Direction))
            roll = next((each for each in given if not isinstance(each, Direction)), None)
            yield Outcome(choices, roll, node.standing.layout, piles, out, events)
        for branch in node.branches:
            yield from walk(branch.node, (*given, branch.given), events + branch.events)

    return walk(tree.root, (), tree.events)
