"""What may have led to a settled table, and what is said once that is decided. Rule 5."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from referee.rules.game import Correct, Place, Whereabouts
from referee.rules.layout import Layout, row_of, slot_of
from referee.rules.tiles import TILES, Tile
from referee.search.chances import LEFT_LYING_COST
from referee.search.evidence import Evidence
from referee.search.hypotheses import (
    MARGIN,
    Candidate,
    Hypothesis,
    UnreadTile,
    fit_hypotheses,
    is_unannounced,
    may_be_resolved_before,
    others_there,
)
from referee.search.move_search import HARDLY_COST
from referee.search.reconcile import exchanged, taken_over
from referee.tracking.announcements import Announcement, Remark, StepFixed
from referee.tracking.questions import ask_exchanged
from referee.tracking.state import State


def find_candidates(state: State, evidence: Evidence) -> tuple[list[Candidate], bool]:
    """Return the hypotheses that fit, the likeliest first, and whether a covered tile keeps one from it."""
    hypotheses, fresh = [Hypothesis(state.game)], 0
    if state.odd_table is not None:
        known, lying = set(state.game.layout.cells.values()), set(state.odd_table.cells.values())
        fresh = sum(tile.bit for tile in known - lying)
        # A tile that lay in a forbidden place was not placed after another one.
        hypotheses = [Hypothesis(state.game, HARDLY_COST if lying - known else 0.0)]
        may_stay = state.wrong is not None or (state.may_stay and not state.has_unseen_turns)
        if state.contrived is None and may_stay:
            hypotheses.append(Hypothesis(taken_over(state.game, state.odd_table), LEFT_LYING_COST))
    if state.contrived is not None:
        on_table = sum(tile.bit for tile in state.game.layout.cells.values())
        # A tile waits that was surely seen: it hardly was never there.
        if state.odd_table is None and state.contrived.evidence.sure & ~on_table:
            hypotheses = [replace(each, cost=each.cost + 2 * MARGIN) for each in hypotheses]
        hypotheses += [each.hypothesis for each in state.contrived.candidates]
    if state.undecided is None:
        candidates, covered = fit_hypotheses(
            [*hypotheses, *_with_other_tiles(state, evidence)], evidence, state.game, fresh, state.stand_ins
        )
        if state.odd_table is not None:
            candidates = _with_one_left(candidates, _may_be_left(state, state.odd_table, evidence))
        # What came off is not misread.
        return [each for each in candidates if state.gone.isdisjoint(odd[1] for odd in each.odd)], covered
    # Those that were carried along count, and any other way from what is certain that leads over the
    # tables seen since; or else any way at all, for what lay there may have been taken back.
    on_table = sum(tile.bit for tile in state.game.layout.cells.values())
    # A tile that was surely seen on them hardly was never there (219969).
    margins = 3 if state.undecided.evidence.sure & ~on_table else 1
    hypotheses = [replace(hypothesis, cost=hypothesis.cost + margins * MARGIN) for hypothesis in hypotheses]
    hypotheses = [*(candidate.hypothesis for candidate in state.undecided.candidates), *hypotheses]
    candidates, covered = fit_hypotheses(hypotheses, evidence, state.game, fresh, state.stand_ins)
    tables = state.undecided.tables
    passing = [each for each in candidates if each.passed(tables, state.game) is not None]
    if not passing or candidates[0].score > passing[0].score + MARGIN:
        # Nor are known tiles misread as well (film 438596, unanswered).
        return [each for each in candidates if not each.odd], covered
    return passing, covered


def _may_be_left(state: State, lying: Layout, evidence: Evidence) -> set[Tile]:
    """Return what may be left of an odd table: all that its tiles, and its only new one as it is now, may be.

    Of two tiles one was left, as much in doubt as before, and told by its name (film 414156).
    """
    forbidden = state.forbidden_read
    reads = [] if forbidden is None else [*forbidden.cells.values()]
    if state.forbidden_new is not None and (place := evidence.new_place(state.game.layout)) is not None:
        reads.append(evidence.cells[place])
    return {*lying.cells.values(), *(tile for read in reads for tile in read.likely)}


def _with_one_left(candidates: list[Candidate], lying: set[Tile]) -> list[Candidate]:
    """Return candidates, the likeliest first; it is likely that one tile of an odd table is left.

    Where two had lain, and one was taken off, a third that nobody saw seemed to have come and gone (407909).
    """

    def weighed(candidate: Candidate) -> Candidate:
        placed = candidate.placed
        is_left = len(candidate.tail) == len(placed) == 1 and placed[0] in lying
        cost = candidate.hypothesis.cost
        if not is_left or cost < HARDLY_COST:
            return candidate
        hypothesis = replace(candidate.hypothesis, cost=cost - HARDLY_COST)
        return replace(candidate, hypothesis=hypothesis, score=candidate.score + HARDLY_COST)

    return sorted(map(weighed, candidates), key=lambda candidate: -candidate.score)


def decide(
    state: State,
    candidate: Candidate,
    evidence: Evidence,
    untold: Sequence[int] = (),
    perhaps_in_time: Sequence[int] = (),
) -> list[Announcement]:
    """Take an explanation; what the actions with the `untold` indices brought about is not said.

    Nor is it that something was missed when a tile was placed that came `perhaps_in_time`.
    """
    lines: list[Announcement] = []
    is_left = state.odd_table is not None and _is_correction(candidate)
    if state.wrong is not None and not is_left:
        lines.append(StepFixed(**state.announcer.now()))
    elif state.wrong is None and is_left:
        lines.append(state.announcer.remark(Remark.TAKEN_OVER))
    state.wrong = None
    if candidate.hypothesis.unread is not None:
        state.announcer.rename(candidate.hypothesis.unread)
    tables = [] if state.undecided is None else state.undecided.tables
    settled = candidate.passed(tables, state.game) or []
    lines += state.announcer.tell(candidate.tail, {*untold, *candidate.unclear}, settled, perhaps_in_time)
    state.settle_at(state.game)
    cells = candidate.layout.cells.items()
    state.replaced = {
        known: state.replaced.get(known, evidence)
        for _, known, _ in candidate.odd
        if known in state.replaced or known in state.well_read
    }
    state.well_read = {tile for place, tile in cells if evidence.cells[place].is_rather(tile)}
    lines += _name_unread(state, evidence)
    lines += state.announcer.conclude()
    return lines + look_for_exchanges(state, candidate)


def look_for_exchanges(state: State, candidate: Candidate) -> list[Announcement]:
    """Ask about a known tile that is surely read as the same other one on two tables running."""
    lines: list[Announcement] = []
    for place, known, seen in candidate.odd:
        if state.odd.get(known) is seen and (known, seen) not in state.asked_odd:
            state.asked_odd.add((known, seen))
            lines += state.ask(ask_exchanged(place, known, seen))
    state.odd = {known: seen for _, known, seen in candidate.odd}
    return lines


def set_aside(state: State, close: list[Candidate], evidence: Evidence) -> list[Announcement]:
    """Go on with the likeliest explanation; what is in doubt about it is not told, and stays open."""
    close = _by_all_looks(state, close, evidence)
    best = close[0]
    game = best.hypothesis.game
    if best.hypothesis.unread is not None:
        state.announcer.rename(best.hypothesis.unread)
    state.announcer.table = str(best.layout)
    lines: list[Announcement] = []
    untold = [at for at in range(len(best.tail)) if is_unannounced(close, at)]
    turn = state.game.turn - (not state.game.has_placed)
    for at, action in enumerate(best.tail):
        if not isinstance(action, Place):
            continue
        turn += 1
        others = others_there(close, at)
        if best.is_doubtful(action):
            free = [tile for tile in TILES.values() if game.whereabouts(tile) is Whereabouts.STOCKS]
            others = [*dict.fromkeys([*others, *free])]
        if at not in untold or not others:
            continue
        player = (turn - 1) % state.setup.players
        place = game.layout.find(action.tile)
        read = None if place is None else evidence.cells[place].sure
        state.announcer.unread[action.tile] = UnreadTile(turn, player, tuple(others), read)
        if place is not None:
            lines.append(state.announcer.remark(Remark.SET_ASIDE, row_of(place), slot_of(place)))
    if not lines:
        lines.append(state.announcer.remark(Remark.UNCLEAR))
    return lines + _decide_between(state, close, evidence, untold)


def _by_all_looks(state: State, close: list[Candidate], evidence: Evidence) -> list[Candidate]:
    """Return explanations, first the one that fits best in the mean of all tables since the game was certain.

    The name that the last look gives a tile would be the one that all later tables have there: a blue 30 was
    a 100 in that one of twenty-one (`chequered`, by night and tilted).
    """
    before = [] if state.undecided is None else [table for table, _ in state.undecided.tables]

    def mean(candidate: Candidate) -> float:
        lay = candidate.passed([(table, -math.inf) for table in before], state.game)
        fits = [evidence.fit(candidate.layout)]
        fits += [table.fit(game.layout) for table, game in zip(before, lay or [], strict=False)]
        logs = [fit.log_chance for fit in fits if fit is not None]
        return (sum(logs) / len(logs) if logs else -math.inf) - candidate.hypothesis.cost

    return sorted(close, key=mean, reverse=True)


def pass_over(state: State, close: list[Candidate], evidence: Evidence) -> list[Announcement]:
    """Go on from a table that is known, though nobody knows how it came about; that is not told."""
    untold = [at for at in range(len(close[0].tail)) if is_unannounced(close, at)]
    return [state.announcer.remark(Remark.UNCLEAR), *_decide_between(state, close, evidence, untold)]


def _decide_between(
    state: State, close: list[Candidate], evidence: Evidence, untold: Sequence[int]
) -> list[Announcement]:
    """Take the likeliest explanation; that mayhem was missed is said only where it was in all of them.

    A collapse was resolved before the next tile was placed, or after it: who placed it was blamed (434118).
    """
    placed = [at for at, action in enumerate(close[0].tail) if isinstance(action, Place)]
    in_time = [at for at in placed if may_be_resolved_before(close, at)]
    return decide(state, close[0], evidence, untold, in_time)


def _with_other_tiles(state: State, evidence: Evidence) -> list[Hypothesis]:
    """Return the game with other tiles in the place of an unread one, as far as they are seen now."""
    seen = {tile for read in evidence.cells.values() for tile in read.likely[:1]}
    hypotheses = []
    for tile, unread in state.announcer.unread.items():
        free = [each for each in unread.others if state.game.whereabouts(each) is Whereabouts.STOCKS]
        tried = [each for each in free if each in seen]
        if tile in seen:
            tried += [each for each in free if each not in seen][:1]
        for other in tried:
            left = {each: kept for each, kept in state.announcer.unread.items() if each is not tile}
            others = tuple(tile if each is other else each for each in unread.others)
            unread_then = left | {other: replace(unread, others=others)}
            game = exchanged(state.game, tile, other)
            hypotheses.append(Hypothesis(game, MARGIN, unread=unread_then))
    return hypotheses


def _name_unread(state: State, evidence: Evidence) -> list[Announcement]:
    """Tell the placement of tiles that were set aside and can be read now; forget those that came off."""
    lines: list[Announcement] = []
    for tile, unread in list(state.announcer.unread.items()):
        place = state.game.layout.find(tile)
        if place is None:
            del state.announcer.unread[tile]
            state.stand_ins = {**state.stand_ins, tile: unread.others}
        elif evidence.cells[place].is_surely(tile) and unread.doubted is not tile:
            del state.announcer.unread[tile]
            if unread.turn == state.game.turn:
                lines.append(state.announcer.placed(tile, unread))
            else:
                lines.append(state.announcer.remark(Remark.READ, row_of(place), slot_of(place), (tile,)))
    return lines


def _is_correction(candidate: Candidate) -> bool:
    """Whether a candidate goes on from a table that was taken as it lay, not from another name of a tile."""
    return candidate.hypothesis.unread is None and isinstance(next(iter(candidate.tail), None), Correct)
