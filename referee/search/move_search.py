"""What can have happened on the table between two looks, and how likely each way is. Rule 5.

A *continuation* is a way of play by the rules, from the game as it is known to a table that fits what is
seen: steps of a resolution, placements, placements over mayhem that nobody resolved. The rules say what can
have happened, the reader's chances which of it did. Simpler kinds come first; the next kind is looked for
only where none of the simpler ones fits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.errors import RefereeError
from referee.rules.events import DieNeed, Direction, Event, Fall, FallNeed, payer_of, removed_by, taken_by
from referee.rules.game import Action, Choose, Game, Place, Roll, Step, Whereabouts
from referee.rules.layout import Layout, place_number
from referee.rules.options import Options
from referee.rules.placement import Slot, find_places
from referee.rules.resolve import ResolutionState, begin_placed, respond, step
from referee.rules.tiles import ALL_TILES, Material, Tile
from referee.rules.verdict import said_of
from referee.search.chances import MISSED_AGAIN_COST, MISSED_COST, MISSED_DIE_COST, WRONG_COST
from referee.search.evidence import Evidence, Fit

EXTRA_COST = 3.0
"""Log chance that each placement after the first between two looks costs."""
VANISHED_COST = EXTRA_COST + math.log(len(ALL_TILES))
"""Log chance that a tile costs that was placed and came off without ever being seen: it may be any."""
HARDLY_COST = 12.0
"""Log chance of what hardly ever happens: a tile is taken and another put in its place between two looks,
or the next tile is placed before one in a forbidden place was put right. A misreading costs less."""
CONTRIVED_COST = MISSED_COST + HARDLY_COST
"""An explanation that costs so much is none, and is asked about. Two tiles placed at once cost it, with
nothing between them: likelier, somebody placed both in one turn."""
MANY_GONE = 2
"""So many tiles hardly come off by mistake."""
MAX_STANDINGS = 700
"""Most states that the search of one kind of continuation looks at: about 30 ms."""
MAX_VANISHED = 12_000
"""The same for a tile that nobody saw: some tenths of a second where a large pyramid fell at one blow."""
MAX_NEW = 6
"""Most tiles that are tried as newly placed ones that do not lie where they were placed."""
ROLLS = {1: math.log(2), 4: math.log(6), 5: math.log(6), 6: math.log(6)}
"""Rolls of the fire die that differ in what they do, and what each costs, in log chance; 2 and 3 do what 1
does."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A way of play that ends on a table that fits what is seen."""

    game: Game
    """The game at its end."""
    fit: Fit
    """How well its table fits what is seen."""
    cost: float
    """What is unlikely about the play, in log chance."""
    unclear: frozenset[int] = frozenset()
    """Actions, by their numbers since the game before, of which another way that ends alike has none."""

    @property
    def outcome(self) -> tuple[object, ...]:
        """What tells the continuation from others; of continuations with one outcome the first is told.

        They may differ in which way a tile fell where that looks the same, or where a tile was placed that
        came off unseen.
        """
        game = self.game
        placed = tuple(action.tile for action in game.actions if isinstance(action, Place))
        return game.layout, game.stocks, frozenset(game.out), game.turn, game.missed_since, placed


@dataclass(frozen=True, slots=True)
class _Node:
    """A state on the way."""

    state: ResolutionState
    actions: tuple[Action, ...]
    changed: int
    """Tiles placed, or fallen, on the way, as bits."""
    placed: tuple[Tile, ...]
    cost: float
    booked: tuple[tuple[int | None, int], ...] = ()
    """(payer, taken tiles as bits) of each event so far; None: they left the game."""
    is_missed: bool = False
    """Whether mayhem was missed when the last tile was placed."""
    laid: Layout | None = None
    """The table just after the last placement on the way."""
    is_idle: bool = False
    """Whether the last step changed nothing that could be seen: a tile found in free air, a die that nobody
    rolled yet, or that showed smoke. Nothing is made of it before something can be seen."""


@dataclass(slots=True)
class _Search:
    """The search of one table from one game."""

    options: Options
    evidence: Evidence
    on_table: int
    """The tiles of the known table, as bits."""
    in_stock: list[Tile]
    new: list[Tile]
    """Tiles in stock that may be seen, where no known tile is."""
    before: dict[int, Tile]
    """The table as it was, with the place numbers of the table seen."""
    left: int = MAX_STANDINGS
    covered: bool = False
    """Whether a placement would fit whose tile is covered."""

    def can_follow(self, node: _Node, more: int) -> bool:
        """Whether the table seen can still come about, with so many more placements.

        Tiles come off and never return but by a placement; of those surely seen, one may be misread.
        """
        layout = node.state.layout
        if len(layout) + more < len(self.evidence):
            return False
        known = self.on_table | _bits(node.placed)
        return (self.evidence.sure & known & ~_bits(layout.cells.values())).bit_count() <= 1

    def reach(self, start: _Node, more: int) -> list[_Node]:
        """Return every moment that steps alone lead to, the start first."""
        nodes, seen = [start], {(start.state, start.booked)}
        for node in nodes:
            for after in self._steps(node):
                key = (after.state, after.booked)
                if key not in seen and self.left and self.can_follow(after, more):
                    self.left -= 1
                    seen.add(key)
                    nodes.append(after)
        return nodes

    def _steps(self, node: _Node) -> Iterator[_Node]:
        """Yield every moment after one step of the verdict. Rule 4."""
        state, need = node.state, node.state.need
        if isinstance(need, FallNeed):
            for direction in Direction:
                events, after = respond(state, direction, self.options)
                fallen = self._after(node, Choose(direction), events, after)
                yield replace(fallen, changed=node.changed | need.tile.bit)
        elif isinstance(need, DieNeed):
            for roll, cost in ROLLS.items():
                rolled = self._after(node, Roll(roll), *respond(state, roll, self.options))
                yield replace(rolled, cost=node.cost + cost)
        elif (done := step(state, self.options)) is not None:
            event, after = done
            yield self._after(node, Step(), [] if event is None else [event], after)

    def _after(self, node: _Node, action: Action, events: list[Event], state: ResolutionState) -> _Node:
        booked = node.booked
        for event in events:
            taken, removed = _bits(taken_by(event)), _bits(removed_by(event))
            booked += tuple(entry for entry in ((payer_of(event), taken), (None, removed)) if entry[1])
        return replace(
            node, state=state, actions=(*node.actions, action), booked=booked,
            is_missed=False, is_idle=state.layout == node.state.layout,
        )  # fmt: skip

    def sees_new(self) -> bool:
        """Whether a tile in stock lies where, by what is read, no known tile lies."""
        return any(
            self.before.get(place) not in read.likely and read.likely[:1] in [[tile] for tile in self.new]
            for place, read in self.evidence.cells.items()
        )

    def have_gone(self, nodes: Iterable[_Node]) -> int:
        """Return how many tiles have gone at least that would lie there, had only steps been done."""
        seen = {tile for read in self.evidence.cells.values() for tile in read.likely}
        tables = [set(node.state.layout.cells.values()) for node in nodes]
        return min(len(table - seen) + (self.evidence.sure & ~_bits(table)).bit_count() for table in tables)

    def is_stable(self, node: _Node) -> bool:
        """Whether no check hits. Rule 4."""
        return node.state.need is None and step(node.state, self.options) is None

    def missed_cost(self, node: _Node) -> float:
        """Return what it costs to place a tile now, over mayhem that waits; 0 where none does. Rule 5."""
        need = node.state.need
        if need is None:
            done = step(node.state, self.options)
            if done is None:
                return 0.0
            event, after = done
            need = after.need if event is None else None
        if node.is_missed:
            return MISSED_AGAIN_COST
        return MISSED_DIE_COST if isinstance(need, DieNeed) else MISSED_COST

    def place(self, node: _Node, tile: Tile, place: Slot, missed_cost: float) -> _Node:
        """Return the moment after a placement. Rules 3 and 5.

        Args:
            node: The moment before.
            tile: What is placed.
            place: Where.
            missed_cost: As `missed_cost` gives it for that moment.
        """
        state = node.state
        layout = state.layout.with_tile(tile, *place)
        after = begin_placed(layout, tile, state.terms, self.options)
        if after.spark is None and missed_cost:
            after = replace(after, spark=state.spark)
        is_at_once = state.layout == node.laid
        extra_cost = CONTRIVED_COST if is_at_once else EXTRA_COST if node.placed else 0.0
        cost = node.cost + missed_cost + extra_cost
        return _Node(after, (*node.actions, Place(tile, *place)), node.changed | tile.bit,
                     (*node.placed, tile), cost, is_missed=missed_cost > 0, laid=layout)  # fmt: skip

    def direct(self, node: _Node) -> Iterator[_Node]:
        """Yield every placement after which the table has the slots that are seen. Rule 3."""
        layout = node.state.layout
        if len(layout) + 1 != len(self.evidence):
            return
        missed_cost = None
        for row, slot in find_places(layout):
            at = place_number(row, max(slot, 0))
            shift = -min(slot, 0)
            if at not in self.evidence.slots or {place + shift for place in layout.cells} != (
                self.evidence.slots - {at}
            ):
                continue
            read = self.evidence.cells[at]
            if self.before.get(at) in read.likely:
                continue  # what lay there lies there still
            self.covered = self.covered or read.covered
            if missed_cost is None:
                missed_cost = self.missed_cost(node)
            for tile in read.likely:
                if tile in self.in_stock and tile not in node.placed:
                    yield self.place(node, tile, (row, slot), missed_cost)

    def elsewhere(self, node: _Node, tiles: list[Tile]) -> Iterator[_Node]:
        """Yield every placement of these tiles, wherever it leads. Rule 3."""
        layout = node.state.layout
        missed_cost = self.missed_cost(node)
        for tile in tiles:
            if tile in node.placed:
                continue
            for place in find_places(layout):
                if not self.left:
                    return
                self.left -= 1
                yield self.place(node, tile, place, missed_cost)


def find_continuations(game: Game, evidence: Evidence, uncertain: int = 0) -> tuple[list[Continuation], bool]:
    """Return the continuations of play from a game to the table seen, the likeliest first.

    Args:
        game: The game as it is known.
        evidence: The table seen.
        uncertain: Tiles of the game, as bits, of which it is not certain that they lie there.

    Returns:
        The continuations; and, where there are none, whether there would be some if no tile were covered.
    """
    on_table = _bits(game.layout.cells.values())
    in_stock = [tile for tile in ALL_TILES if game.whereabouts(tile) is Whereabouts.STOCKS]
    shift = evidence.shift_from(game.layout)
    before = {place + shift: tile for place, tile in game.layout.cells.items()}
    search = _Search(game.options, evidence, on_table, in_stock, _new_tiles(evidence, in_stock), before)
    start = _Node(game.state, (), 0, (), 0.0, is_missed=game.missed_since is not None)
    open_end = game.winner is None
    nodes = search.reach(start, 2 if open_end else 0)
    found: list[Continuation] = []
    # Where likeliest a tile was misread, or a die rolled, something less simple may have happened instead.
    for kind in (_played, _placed_and_stepped, _placed_twice, _vanished) if open_end else (_played,):
        search.left = MAX_STANDINGS
        continuations = _continuations(game, evidence, before, uncertain, kind(search, nodes))
        found += [continuation for continuation in continuations if not (found and continuation.fit.odd)]
        found.sort(key=lambda continuation: continuation.cost - continuation.fit.log_chance)
        is_simple = bool(found) and not (found[0].fit.odd or _has_rolled(game, found[0]))
        if is_simple or (found and kind is _placed_twice and not found[0].fit.odd):
            break
        if search.covered and not found:
            return [], True
    return found, False


def _has_rolled(game: Game, continuation: Continuation) -> bool:
    """Whether a die was rolled, and a tile placed after it: that may have taken what the fire would have."""
    actions = continuation.game.actions[len(game.actions) :]
    rolled = next((at for at, action in enumerate(actions) if isinstance(action, Roll)), len(actions))
    return any(isinstance(action, Place) for action in actions[rolled:])


def _bits(tiles: Iterable[Tile]) -> int:
    """Return a set of tiles as bits."""
    return sum(tile.bit for tile in tiles)


def _new_tiles(evidence: Evidence, in_stock: list[Tile]) -> list[Tile]:
    """Return the tiles in stock that may be seen, first those where the likeliest is no tile of the table.

    A tile that fell where a known one had lain may be rather that one to the reader (film 411658). The
    likeliest come first: all that one doubtful tile may be left no room for another one that people had
    named (film 428203).
    """
    chances: dict[Tile, tuple[bool, float]] = {}
    for read in evidence.cells.values():
        is_first = bool(read.likely) and read.likely[0] in in_stock
        for tile in read.likely:
            if tile in in_stock and (is_first or not read.is_hardly(tile)):
                chances[tile] = max(chances.get(tile, (False, -math.inf)), (is_first, read.log(tile)))
    return sorted(chances, key=lambda tile: chances[tile], reverse=True)[:MAX_NEW]


def _played(search: _Search, nodes: list[_Node]) -> Iterator[_Node]:
    """Yield steps, and a placement among them that nothing follows."""
    yield from nodes
    for node in nodes:
        yield from search.direct(node)


def _placed_and_stepped(search: _Search, nodes: list[_Node]) -> Iterator[_Node]:
    """Yield a placement, and some of what it led to."""
    for node in nodes:
        for placed in search.elsewhere(node, search.new):
            yield from filter(_shows_placed, search.reach(placed, 0)[1:])


def _placed_twice(search: _Search, nodes: list[_Node]) -> Iterator[_Node]:
    """Yield two placements, with steps before, between and after them."""
    if len(search.new) < 2:
        return
    for node in nodes:
        for placed in search.elsewhere(node, search.new):
            if search.can_follow(placed, 1):
                for between in search.reach(placed, 1):
                    yield from search.direct(between)
                    if len(between.state.layout) + 1 > len(search.evidence):
                        for again in search.elsewhere(between, search.new):
                            yield from filter(_shows_placed, search.reach(again, 0)[1:])


def _shows_placed(node: _Node) -> bool:
    """Whether all that was placed lies there: what is read on the table has not come off."""
    return all(node.state.layout.find(tile) is not None for tile in node.placed)


def _vanished(search: _Search, nodes: list[_Node]) -> Iterator[_Node]:
    """Yield a placement whose tile came off again; where it burnt, or blew up, another one may be seen.

    Where mayhem waits to be resolved it is likelier that this was done wrongly than that somebody built
    on it, or, once it was resolved, beside it; unless several tiles have gone that no step takes.
    """
    start = nodes[0]
    begins = [start] if search.is_stable(start) else []
    if not begins and search.have_gone(nodes) >= MANY_GONE:
        begins = [node for node in nodes if search.is_stable(node)]
    search.left = MAX_VANISHED
    # Fires and explosions take most, and their cause with them.
    fuel = 0
    for tile in start.state.layout.cells.values():
        fuel |= tile.fuel
    tiles = [tile for tile in search.in_stock if tile.material is Material.INCENDIARY or tile.bit & fuel]
    sees_new = search.sees_new()
    if not sees_new and start in begins:
        tiles += [tile for tile in search.in_stock if tile not in tiles]
    for node in begins:
        for placed in search.elsewhere(node, tiles):
            for after in search.reach(placed, int(sees_new))[1:]:
                for end in search.direct(after) if sees_new else [after]:
                    yield replace(end, cost=end.cost + VANISHED_COST)


def _continuations(
    game: Game, evidence: Evidence, before: Mapping[int, Tile], uncertain: int, nodes: Iterator[_Node]
) -> list[Continuation]:
    """Return those moments whose table fits as continuations, the likeliest first, each outcome once.

    Args:
        game: Where they begin.
        evidence: The table seen.
        before: The table as it was, with the place numbers of the table seen.
        uncertain: As for `find_continuations`.
        nodes: The moments.
    """
    fitting: list[tuple[float, _Node, Fit]] = []
    for node in nodes:
        layout = node.state.layout
        fit = None if node.is_idle else evidence.fit(layout, node.changed, uncertain)
        if fit is not None and not _lies_still(evidence, _lay_before(game.layout, before, node), node):
            cost = node.cost + HARDLY_COST * _count_replaced(before, node)
            fitting.append((fit.log_chance - cost, replace(node, cost=cost), fit))
    fitting.sort(key=lambda each: (-each[0], len(each[1].actions)))
    found: dict[tuple[object, ...], Continuation] = {}
    for _, node, fit in fitting:
        try:
            continuation = Continuation(play_all(game, node.actions), fit, node.cost)
        except RefereeError:  # the game ended on the way
            continue
        if min(continuation.game.stocks) < 0:
            continue
        first = found.setdefault(continuation.outcome, continuation)
        if first is not continuation and continuation.cost - first.cost < EXTRA_COST:
            unclear = first.unclear.union(_unlike(game, first.game, continuation.game))
            found[continuation.outcome] = replace(first, unclear=unclear)
    return list(found.values())


def _unlike(start: Game, one: Game, other: Game) -> set[int]:
    """Return the numbers of actions of one way that brought about what the other has not, and those between.

    Where the same happens in the same order, and only which way tiles fell is otherwise, it may be told
    either way. Not so where a fire burned before others were taken, or after that (film 424712).
    """
    ways = [
        [(at, said_of(event)) for at, events in enumerate(_events_since(start, game)) for event in events]
        for game in (one, other)
    ]
    events, others = ([said for _, said in way] for way in ways)
    if len(events) == len(others) and all(map(_are_same_but_for_direction, events, others)):
        return set()
    alike = _count_alike(events, others)
    left, others_left = events[alike:], others[alike:]
    at_the_end = _count_alike(left[::-1], others_left[::-1])
    unlike = ways[0][alike : len(events) - at_the_end]
    return set(range(unlike[0][0], unlike[-1][0] + 1)) if unlike else set()


def _count_alike(one: Sequence[object], other: Sequence[object]) -> int:
    """Return with how many of the same events two ways begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (event, same) in pairs if event != same), min(len(one), len(other)))


def _are_same_but_for_direction(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return one == other or (one[0] is other[0] is Fall and one[1] is other[1])


def _events_since(start: Game, game: Game) -> list[tuple[Event, ...]]:
    """Return what each action since a game brought about."""
    found: list[tuple[Event, ...]] = []
    while len(game.actions) > len(start.actions) and game.before is not None:
        is_placed = isinstance(game.actions[-1], Place)
        found.append(() if is_placed else game.events[len(game.before.events) :])
        game = game.before
    return found[::-1]


def _lay_before(known: Layout, before: Mapping[int, Tile], node: _Node) -> Mapping[int, Tile]:
    """Return the table as it was, with the place numbers of a moment's, if a tile of it lies there still.

    By what was read, the yellow 4 at the other end was the green 4, and all had moved a slot (223390).
    """
    cells = node.state.layout.cells
    for place, tile in cells.items():
        lay = None if tile.bit & node.changed else known.find(tile)
        if lay is not None and len(cells) > 1:  # where a tile lies that is alone nobody sees
            return {other + place - lay: each for other, each in known.cells.items()}
    return before


def _count_replaced(before: Mapping[int, Tile], node: _Node) -> int:
    """Return how many tiles were placed just where others lay. Of a tile that lies alone none can tell."""
    layout = node.state.layout
    return 0 if len(layout) == 1 else sum(layout.find(tile) in before for tile in node.placed)


def _lies_still(evidence: Evidence, before: Mapping[int, Tile], node: _Node) -> bool:
    """Whether a tile came to where, by what is read, another one lay and likelier lies: a wrong step."""
    for place, lay in before.items():
        tile = node.state.layout.cells.get(place)
        if tile is not None and tile is not lay:
            read = evidence.cells[place]
            if lay in read.likely and read.log(lay) - WRONG_COST > read.log(tile) - node.cost:
                return True
    return False


def play_all(game: Game, actions: tuple[Action, ...]) -> Game:
    """Return the game after some actions.

    Raises:
        RefereeError: One of them does not fit the game.
    """
    for action in actions:
        game = game.play(action)
    return game
