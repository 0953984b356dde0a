"""Ways in which a game may stand, where a table leaves more than one: weighed and compared. Rule 5."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from referee.rules.events import Event, taken_by, tiles_of
from referee.rules.game import Action, Game, Place, Roll
from referee.rules.layout import Layout
from referee.rules.tiles import Tile
from referee.rules.verdict import said_of
from referee.search.evidence import MAX_DOUBT, Evidence
from referee.search.move_search import CONTRIVED_COST, Continuation, find_continuations
from referee.search.stocks import placed_by_others

MARGIN = math.log(1 / MAX_DOUBT) + 2
"""Explanations that are less likely than the best one by more than this, in log chance, are dropped. So much
it costs, too, to leave what is believed: to explain a table past what was made of those before it, or to let
another tile stand for one that cannot be read."""
OTHERS_COST = math.log(100)
"""Log chance that a player places a tile that had gone under another's pile: what was seen of that may be
wrong, or people may have changed it. Of 5,111 such tiles in 200 games (`tests.simulation`, seeds 219000 to
219199, with mishaps) none was placed by another."""
MAX_HYPOTHESES = 48
"""Most explanations that are carried along; a tile of which nothing is known has 44."""


@dataclass(frozen=True, slots=True)
class UnreadTile:
    """A tile on the table that cannot be read, for which another stands in the game."""

    turn: int
    player: int
    others: tuple[Tile, ...]
    """What it may be instead."""
    doubted: Tile | None = None
    """As what it was surely read when it was set aside: the rules speak against that, and go on doing so."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way in which the game may stand."""

    game: Game
    cost: float = 0.0
    """What is unlikely about how it came about since the game was certain, in log chance."""
    memory: dict[Tile, tuple[float, float]] = field(default_factory=dict)
    """Tile placed since then -> log chance that it is this one when it was last seen, and the least odds so
    far that it is none of those that the reader named."""
    unread: dict[Tile, UnreadTile] | None = None
    """Which tiles stand for others in this hypothesis, where it is otherwise than in the game."""
    of_others: frozenset[Tile] = frozenset()
    """Tiles placed since then that had gone under another player's pile: rather they are other tiles."""
    unclear: frozenset[int] = frozenset()
    """Actions since then, by their numbers in the game, of which nobody knows what they brought about."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hypothesis that fits the table now seen."""

    hypothesis: Hypothesis
    score: float
    odd: tuple[tuple[int, Tile, Tile], ...]
    """Known tiles that were surely read as others, as in `referee.search.evidence.Fit`."""
    tail: tuple[Action, ...]
    """What was played since the game was certain."""

    @property
    def layout(self) -> Layout:
        """The table in this hypothesis."""
        return self.hypothesis.game.layout

    @property
    def placed(self) -> list[Tile]:
        """The tiles placed since the game was certain, in order."""
        return [action.tile for action in self.placements]

    @property
    def placements(self) -> list[Place]:
        """The placements since the game was certain, in order."""
        return [action for action in self.tail if isinstance(action, Place)]

    def number_of(self, at: int) -> int:
        """Return how many placements come before an action of the tail."""
        return sum(isinstance(action, Place) for action in self.tail[:at])

    def steps_before(self, number: int) -> tuple[Action, ...]:
        """Return what was done just before a placement, by its number from 0, since the one before it."""
        numbers = itertools.accumulate(isinstance(action, Place) for action in self.tail)
        done = zip(self.tail, numbers, strict=True)
        return tuple(action for action, placed in done if placed == number and not isinstance(action, Place))

    @property
    def doubt(self) -> float:
        """The odds that some placed tile is another one."""
        return sum(map(self._doubt_of, self.placed))

    def is_doubtful(self, action: Action) -> bool:
        """Whether the tile that was placed may be another one."""
        return isinstance(action, Place) and self._doubt_of(action.tile) > MAX_DOUBT

    @property
    def doubtful(self) -> set[Tile]:
        """The placed tiles that may be others."""
        return {tile for tile in self.placed if self._doubt_of(tile) > MAX_DOUBT}

    def _doubt_of(self, tile: Tile) -> float:
        return max(self.hypothesis.memory[tile][1], float(tile in self.hypothesis.of_others))

    def passed(self, tables: Sequence[tuple[Evidence, float]], start: Game) -> list[Game] | None:
        """Return the moments at which these tables lay there, on the way from a game; None where one did not.

        Args:
            tables: Tables, one after the other, with the least log chance at which a table fits each.
            start: The game that the way begins with.
        """
        left, found = list(tables), []
        at: Game | None = self.hypothesis.game
        while left and at is not None and len(at.actions) >= len(start.actions):
            evidence, least = left[-1]
            fit = evidence.doubting(self.hypothesis.memory).fit(at.layout)
            if fit is not None and fit.log_chance - fit.against >= least:
                found.append(at)
                left.pop()
            else:
                at = at.before
        return None if left else found[::-1]

    @property
    def unclear(self) -> list[int]:
        """Indices in the tail of actions that are not told, for two ways that differ in them end alike."""
        first = len(self.hypothesis.game.actions) - len(self.tail)
        return [number - first for number in self.hypothesis.unclear]

    def events_of(self, at: int) -> tuple[Event, ...]:
        """Return the events that an action of the tail brought about."""
        if at >= len(self.tail) or isinstance(self.tail[at], Place):
            return ()
        after = self.hypothesis.game
        for _ in range(len(self.tail) - 1 - at):
            after = after.undo()
        return after.events[len(after.undo().events) :]


def fit_hypotheses(
    hypotheses: Sequence[Hypothesis],
    evidence: Evidence,
    start: Game,
    fresh: int = 0,
    guessed: Collection[Tile] = (),
) -> tuple[list[Candidate], bool]:
    """Return the hypotheses that lead to a table, the likeliest first.

    Args:
        hypotheses: Where they begin.
        evidence: The table seen.
        start: The game as far as it is certain.
        fresh: Tiles, as bits, that lie in the game but did not on the last table seen: put back where they
            lay they were not placed.
        guessed: Tiles that stood for others when they came off: nobody knows under whose pile they are.

    Returns:
        The hypotheses; and, where there are none, whether there would be some if no tile were covered.
    """
    found: dict[tuple[object, ...], Candidate] = {}
    is_covered = False
    for hypothesis in hypotheses:
        uncertain = sum(tile.bit for tile in hypothesis.memory)
        seen = evidence.doubting(_rivalled(hypothesis, hypotheses, fresh))
        continuations, covered = find_continuations(hypothesis.game, seen, fresh | uncertain)
        is_covered = is_covered or covered
        for continuation in continuations:
            candidate = _candidate(hypothesis, continuation, evidence, start, guessed)
            if any(tile.bit & fresh for tile in candidate.placed):
                continue
            same = found.get(continuation.outcome)
            if same is None or same.score < candidate.score:
                found[continuation.outcome] = candidate
    return sorted(found.values(), key=lambda candidate: -candidate.score), is_covered and not found


def _rivalled(hypothesis: Hypothesis, others: Sequence[Hypothesis], fresh: int) -> list[Tile]:
    """Return the tiles placed in a hypothesis in whose places another likely hypothesis has placed others.

    What one look surely reads against one of them is weighed against the rules: a blue 20 that was burnt out,
    read as yellow in the end, was mayhem that nobody had minded in seven turns (`opposite`, made brighter).
    """
    likely = [other for other in others if other.memory and other.cost < hypothesis.cost + CONTRIVED_COST]
    cells = [other.game.layout.cells for other in likely]
    lying = hypothesis.game.layout.cells.items()
    return [
        tile
        for place, tile in lying
        if tile in hypothesis.memory
        and not tile.bit & fresh
        and any(each.get(place, tile) is not tile for each in cells)
    ]


def _candidate(
    hypothesis: Hypothesis,
    continuation: Continuation,
    evidence: Evidence,
    start: Game,
    guessed: Collection[Tile],
) -> Candidate:
    """Return the hypothesis that a continuation leads to."""
    game = continuation.game
    tail = game.actions[len(start.actions) :]
    memory = {}
    forgotten = 0.0
    for action in tail:
        if isinstance(action, Place):
            tile, place = action.tile, game.layout.find(action.tile)
            memory[tile] = hypothesis.memory.get(tile, (0.0, math.inf))
            if place is not None:
                read = evidence.cells[place]
                doubt = math.inf if read.is_like_sure(tile) else read.doubt(tile)
                memory[tile] = read.log_then(tile), min(doubt, memory[tile][1])
            else:
                forgotten += memory[tile][0]
    of_others = placed_by_others(game, len(hypothesis.game.actions)).difference(guessed)
    cost = hypothesis.cost + continuation.cost + OTHERS_COST * len(of_others)
    score = continuation.fit.log_chance + forgotten - cost
    unclear = {len(hypothesis.game.actions) + at for at in continuation.unclear}
    now = Hypothesis(
        game,
        cost,
        memory,
        hypothesis.unread,
        hypothesis.of_others.union(of_others),
        hypothesis.unclear.union(unclear),
    )
    return Candidate(now, score, continuation.fit.odd, tail)


@dataclass(frozen=True, slots=True)
class Belief:
    """A table that was taken for the one that lies there, and how likely that was."""

    layout: Layout
    chance: float
    """0 to 1; what is left to 1 over all tables is a tile that the reader did not name."""


def beliefs(candidates: Sequence[Candidate]) -> tuple[Belief, ...]:
    """Return the tables of the candidates, each once, the likeliest first."""
    weights: dict[Layout, float] = {}
    for candidate in candidates:
        weight = math.exp(candidate.score - candidates[0].score)
        weights[candidate.layout] = weights.get(candidate.layout, 0.0) + weight
    total = sum(weights.values()) + (candidates[0].doubt if candidates else 0.0)
    found = [Belief(layout, weight / total) for layout, weight in weights.items()]
    return tuple(sorted(found, key=lambda belief: -belief.chance))


def is_decided(candidates: Sequence[Candidate]) -> bool:
    """Whether the first candidate is clearly the likeliest, and nothing about it is in doubt."""
    best = candidates[0]
    others = sum(math.exp(candidate.score - best.score) for candidate in candidates[1:])
    return others + best.doubt <= MAX_DOUBT


def close_ones(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that are not clearly less likely than the first, and always the second.

    Many that are less likely may put the first in doubt together. Where they are too many, all that any of
    them does stays in one of those that are kept: of five tiles that could not be read the first seemed
    certain, for those 48 that were likelier in the others had it alike (film 423731, unanswered).
    """
    close = [candidate for candidate in candidates if candidate.score >= candidates[0].score - MARGIN]
    if len(close) <= MAX_HYPOTHESES:
        return close if len(close) > 1 else list(candidates[:2])
    done: set[tuple[int, Action]] = set()
    apart: list[int] = []
    for number, candidate in enumerate(close):
        if not done.issuperset(enumerate(candidate.tail)):
            apart.append(number)
            done.update(enumerate(candidate.tail))
    kept = dict.fromkeys([*apart, *range(len(close))])
    return [close[number] for number in sorted([*kept][:MAX_HYPOTHESES])]


def agreed_tiles(candidates: Sequence[Candidate]) -> dict[tuple[int, int], Tile]:
    """Return the tiles that all candidates, at least one, have on the table, by row and slot.

    What may be another one than it was placed as is left out.
    """
    best, others = candidates[0], candidates[1:]
    doubtful = best.doubtful
    return {
        place: tile
        for place, tile in best.layout.tiles
        if tile not in doubtful and all(each.layout.get(*place) is tile for each in others)
    }


def first_open(candidates: Sequence[Candidate]) -> int:
    """Return the index of the first action of the likeliest candidate that is open."""
    tail = candidates[0].tail
    return next((at for at in range(len(tail)) if is_open(candidates, at)), len(tail))


def is_open(candidates: Sequence[Candidate], at: int) -> bool:
    """Whether the candidates do not share an action, or its tile is in doubt."""
    best = candidates[0]
    action = best.tail[at]
    return best.is_doubtful(action) or any(
        action not in candidate.tail[at : at + 1] for candidate in candidates
    )


def is_unannounced(candidates: Sequence[Candidate], at: int) -> bool:
    """Whether it is not certain what an action of the likeliest candidate brought about.

    A tile was placed in its turn, whatever happened before that.
    """
    best = candidates[0]
    action = best.tail[at]
    if isinstance(action, Place):
        number = best.number_of(at)
        shared = all(each.placements[number : number + 1] == [action] for each in candidates)
        return best.is_doubtful(action) or not shared
    if len({tuple(map(said_of, candidate.events_of(at))) for candidate in candidates}) > 1:
        return True
    doubtful = best.doubtful
    return any(
        tile in doubtful for event in best.events_of(at) for tile in (*tiles_of(event), *taken_by(event))
    )


def may_be_resolved_before(candidates: Sequence[Candidate], at: int) -> bool:
    """Whether other steps may have been done where the likeliest candidate places a tile.

    Then what was due may have been resolved before the tile was placed, and was missed by nobody.
    """
    number = candidates[0].number_of(at)
    return len({each.steps_before(number) for each in candidates}) > 1


def others_there(candidates: Sequence[Candidate], at: int) -> list[Tile]:
    """Return the tiles that other candidates place in the slot where the likeliest places one."""
    best = candidates[0].tail[at]
    found: list[Tile] = []
    for candidate in candidates:
        action = candidate.tail[at] if at < len(candidate.tail) else None
        if (
            isinstance(action, Place)
            and isinstance(best, Place)
            and (action.row, action.slot) == (best.row, best.slot)
            and action.tile is not best.tile
            and action.tile not in found
        ):
            found.append(action.tile)
    return found


def answered(candidates: Sequence[Candidate], told: Tile | int, *, is_name: bool = False) -> list[Candidate]:
    """Return those of the candidates that an answer leaves; its tile is not in doubt any more.

    Args:
        candidates: The likeliest first.
        told: The tile that was placed first of those in doubt, or the roll of the die; 0: nobody rolled it.
        is_name: Whether it was only asked which tile it is: then it may have been placed later. Of two that
            were seen at once the one that people named was told as the first (films 420018 and 420064).
    """
    at = first_open(candidates)
    kept = []
    for candidate in candidates:
        placed = [action.tile for action in candidate.tail[at:] if isinstance(action, Place)]
        lie = [tile for tile in placed if candidate.layout.find(tile) is not None]
        may_be = lie if is_name and lie == placed else placed[:1]
        if isinstance(told, Tile) and told in may_be:
            kept.append(_certain_of(candidate, told))
        elif (
            isinstance(told, Tile)
            and told not in candidate.placed
            and candidate.layout.find(told) is not None
        ):
            kept.append(candidate)  # it lay there before, or was put back
        elif isinstance(told, int) and roll_of(candidate.tail[at:]) == told_roll(told):
            kept.append(candidate)
    if not kept and isinstance(told, Tile):
        kept = [
            _certain_of(candidate, told)
            for candidate in candidates
            if candidate.layout.find(told) is not None
        ]
    return kept or list(candidates)


def told_roll(roll: int) -> int:
    """Return the roll of those in `move_search.ROLLS` that does what this one does; 0 for none."""
    return min(roll, 1) if roll < 4 else roll


def roll_of(actions: Sequence[Action]) -> int:
    """Return what the die showed before the next placement; 0 where nobody rolled it."""
    for action in actions:
        if isinstance(action, Roll):
            return action.roll
        if isinstance(action, Place):
            break
    return 0


def _certain_of(candidate: Candidate, tile: Tile) -> Candidate:
    """Return a candidate in which a tile that was placed since the game was certain is not in doubt."""
    known = candidate.hypothesis
    certain = replace(known, memory=known.memory | {tile: (0.0, 0.0)}, of_others=known.of_others - {tile})
    return replace(candidate, hypothesis=certain)
