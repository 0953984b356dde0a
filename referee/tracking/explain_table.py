"""Explain a settled table: take what is certain about it, ask about the rest. Rule 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.rules.game import Correct, Place, Whereabouts
from referee.rules.layout import row_of, slot_of
from referee.rules.placement import is_place
from referee.rules.resolve import resolve_from
from referee.rules.tiles import Tile
from referee.rules.verdict import common_resolution
from referee.search.chances import WRONG_COST
from referee.search.evidence import Evidence
from referee.search.hypotheses import MARGIN, Candidate, answered, close_ones, first_open, is_decided
from referee.search.move_search import CONTRIVED_COST, EXTRA_COST, HARDLY_COST, VANISHED_COST
from referee.search.observation import Settled
from referee.search.reconcile import freed
from referee.tracking.announcements import Announcement
from referee.tracking.beginning import begin_with
from referee.tracking.candidates import decide, find_candidates, look_for_exchanges, pass_over, set_aside
from referee.tracking.lost import asks_player, find_again, lose
from referee.tracking.questions import MAX_NAMED, NO_TILE, QuestionKind, ask_which, or_no_tile
from referee.tracking.state import State, Undecided
from referee.tracking.wrong_tables import (
    ask_what_lies,
    deny,
    doubt_first,
    find_mistake,
    forbid,
    hardly_read,
    touch,
    without_things,
)

UNSEEN_S = 5.0
"""Where a hand may lie over known tiles, so many seconds go by before which tile went unseen is asked: more
than a hand rests on the films. The table is looked at again after 1 and 8 seconds."""
LONG_WAY = 4
"""After more actions than these between two looks a tile that lies just where another one lay is asked about:
an incendiary had burned what lay there, and nobody saw it (232098). A tile that is placed, takes others and
falls needs three; of 10,833 turns without pictures 82 ended like that, six of them after more than four."""
_OF_THE_WAY = (QuestionKind.PLACED_FIRST, QuestionKind.WAS_ROLLED, QuestionKind.ROLL)
"""What is asked about how a table came about, where all that lies there is known."""
LONG_HIDDEN = 3
"""On so many tables in a row a hand that places one tile hardly lies over the table."""


def look(state: State, settled: Settled, told: Tile | int | None = None) -> list[Announcement]:
    """Explain a settled table; `told` is the tile, or roll, that answers a question; 0: no roll."""
    evidence = _as_it_lay(state, Evidence.of(settled))
    state.weighed = []
    first = _look_at_first(state, settled, evidence, is_told=told is not None)
    if first is not None:
        return first
    if asks_player(state):
        state.judge_later()
        return []
    _forget_wrong_guesses(state, evidence, is_told=told is not None)
    _take_up_unseen(state, evidence)
    if state.is_lost:
        return find_again(state, evidence)
    candidates, covered = find_candidates(state, evidence)
    lying = None if state.odd_table is None else evidence.fit(state.odd_table)
    if lying is not None and (not candidates or lying.log_chance >= candidates[0].score):
        # What was said of this table is said; but perhaps a tile of it is read rightly only now.
        lie_still = any(state.game.layout.find(seen) is not None for _, _, seen in lying.odd)
        return find_mistake(state, evidence) if lie_still or (state.wrong is not None and lying.odd) else []
    waits = state.contrived if state.forbidden is None else None
    placed = None if waits is None else _surely_placed(waits)
    if candidates and (placed is None or not _has_vanished(candidates[0])):
        return _take(state, candidates, evidence, told)
    if covered and state.is_late(state.open_since) and any(tile.covered for tile in settled.tiles):
        return look(state, settled.uncovered(), told)
    if covered:
        state.stay_open()
        return []
    if state.undecided is not None and any(_is_back(state, tile, evidence) for tile in state.stand_ins):
        state.undecided = None
        return look(state, settled, told)
    if waits is not None and placed is not None:
        return decide(state, placed, waits.evidence) + look(state, settled, told)
    return _without_thing(state, settled, evidence) or find_mistake(state, evidence)


def _without_thing(state: State, settled: Settled, evidence: Evidence) -> list[Announcement]:
    """Say what is said of a table without a new thing that could not be read, if play leads to all else.

    A figure of the cloth passed for a tile beside each that was placed: the game was lost over it, and found
    with it (462041, unanswered).
    """
    shift = evidence.shift_from(state.game.layout)
    new = [place for place in evidence.cells if place - shift not in state.game.layout.cells]
    things = [place for place in new if evidence.cells[place].is_unread]
    if len(things) != 1 or state.undecided is not None:
        return []
    candidates, _covered = find_candidates(state, evidence.without(things[0]))
    is_played = bool(candidates) and is_decided(candidates) and bool(candidates[0].tail)
    if not is_played or _is_contrived(state, candidates[0]):
        return []
    deny(state, settled, things)
    state.last = without_things(state, settled)
    return look(state, state.last) if len(state.last.tiles) < len(settled.tiles) else []


def _is_back(state: State, tile: Tile, evidence: Evidence) -> bool:
    """Whether a tile surely lies there that was taken for one that left the game: what followed is wrong."""
    return bool(tile.bit & evidence.sure) and state.game.whereabouts(tile) is Whereabouts.OUT


def _as_it_lay(state: State, evidence: Evidence) -> Evidence:
    """Return what was read, with what was read before of the only new tile, if it lay where none may lie.

    Green 100 was asked about there, moved, and then surely read as green 60 (film 416088); of another one it
    was forgotten what it might be as well (416133).
    """
    earlier, before = state.forbidden_new, state.forbidden_read
    place = evidence.new_place(state.game.layout)
    if earlier is None or before is None or place is None or before.slots == evidence.slots:
        return evidence
    return evidence.seen_twice(place, earlier)


def _look_at_first(
    state: State, settled: Settled, evidence: Evidence, *, is_told: bool
) -> list[Announcement] | None:
    """Begin with a table, and those before it on which something was left open; None where play goes on."""
    if state.has_begun:
        return None if is_told else doubt_first(state, evidence)
    lines = begin_with(state, evidence)
    if not state.has_begun:
        return lines
    kept = [each for each in state.take_unjudged() if each is not state.last]
    return lines + [line for each in [*kept, settled] for line in look(state, each)]


def _forget_wrong_guesses(state: State, evidence: Evidence, *, is_told: bool) -> None:
    """Take back what was supposed and a table shows to be wrong."""
    if state.stand_ins and state.undecided is None:
        known, shift = state.game.layout.cells, evidence.shift_from(state.game.layout)
        # What may be the known tile that lay there says of no other that it is seen.
        new = [
            read.likely
            for place, read in evidence.cells.items()
            if known.get(place - shift) not in read.likely
        ]
        seen = {tile for likely in new for tile in likely}
        state.announcer.game, state.stand_ins = freed(state.game, state.stand_ins, seen)
    if not is_told and _was_none(state, evidence):
        state.undecided = state.question = None


def _take_up_unseen(state: State, evidence: Evidence) -> None:
    """Carry along what was waited for, once another table is seen, and the tiles that had gone are not back.

    The next player placed a tile where an incendiary had lain, for which it passed, misread (217208).
    """
    unseen, state.unseen = state.unseen, None
    if unseen is None or state.undecided is not None or unseen.evidence.slots == evidence.slots:
        return
    gone = {*state.game.layout.cells.values()} - {*unseen.candidates[0].layout.cells.values()}
    seen = {tile for read in evidence.cells.values() for tile in read.likely}
    if gone.isdisjoint(seen) and not any(read.covered for read in evidence.cells.values()):
        state.undecided = unseen


def _was_none(state: State, evidence: Evidence) -> bool:
    """Whether the only thing that lay there was no tile: it could not be told, and another lies there now.

    Nobody said that a note was none; two tiles seemed to have come and gone, and each turn was told as the
    one after the next (film 411454). Where nothing lies there now no tile alone would have gone, either: a
    square of a cloth passed for one that had burned unseen (film 425207: no call of 16 right).
    """
    if state.undecided is None or state.game.actions or len(evidence) > 1:
        return False
    lone = [read for table, _ in state.undecided.tables for read in table.cells.values()]
    return (
        len(lone) == len(state.undecided.tables)
        and all(read.sure is None for read in lone)
        and {tile for read in lone for tile in read.likely}.isdisjoint(
            tile for read in evidence.cells.values() for tile in read.likely
        )
    )


def _has_vanished(best: Candidate) -> bool:
    """Whether a tile seems to have been placed, and to have gone again before anybody saw it."""
    is_gone = any(best.layout.find(tile) is None for tile in best.placed)
    return is_gone and best.hypothesis.cost >= VANISHED_COST


def _surely_placed(contrived: Undecided) -> Candidate | None:
    """Return what a table meant that was waited for to be read better, if what was placed was surely read."""
    best = contrived.candidates[0]
    return best if all(tile.bit & contrived.evidence.sure for tile in best.placed) else None


def _take(
    state: State, candidates: list[Candidate], evidence: Evidence, told: Tile | int | None
) -> list[Announcement]:
    """Take what is certain of the explanations of a table, and ask about the rest."""
    if told is not None:
        asked = state.question
        is_name = asked is not None and asked.kind is QuestionKind.WHICH_TILE
        candidates = answered(candidates, told, is_name=is_name)
    best = candidates[0]
    state.announcer.table = str(best.layout)
    state.weighed = close = close_ones(candidates)
    if _may_be_replaced(state, best):
        state.undecided = None  # the answer tells how the table came about
        state.stay_open()
        return look_for_exchanges(state, best)
    if told is None and _is_beside_misread(state, best, evidence):
        state.contrived = Undecided(close, evidence, [])
        if not state.is_late(state.open_since):
            state.stay_open()
            return look_for_exchanges(state, best)
        return forbid(state, state.likely_table, best.layout, evidence)
    is_contrived = _is_contrived(state, best)
    misread = hardly_read(state, best.layout, evidence) if is_contrived and told is None else None
    if misread is not None:
        return ask_what_lies(state, evidence, *misread)
    is_contrived &= _places_two(state, best) or is_decided(candidates) or bool(best.hypothesis.of_others)
    if is_contrived or _may_lie_wrongly(state, best, evidence):
        known = state.likely_table
        doubtful = _doubtful_new(state, best, evidence)
        if doubtful is not None and told is None and not state.is_late(state.open_since):
            return ask_what_lies(state, evidence, doubtful)
        state.contrived = Undecided(close, evidence, [])
        return forbid(state, known, best.layout, evidence)
    unread = _moved_unread(state, best, evidence)
    if unread is not None and told is None and not state.is_late(state.open_since):
        return ask_what_lies(state, evidence, unread)
    if is_decided(candidates):
        return lose(state, evidence) if _leads_past(state, best) else decide(state, best, evidence)
    return _leave_open(state, close, evidence, is_told=told is not None)


def _leads_past(state: State, best: Candidate) -> bool:
    """Whether by an explanation a tile was never there that lay, surely read, on the tables seen since.

    Green 2 had been placed, collapsed and fallen; once it was gone a fire that nobody had seen was told, and
    the next tile as the one before it (236111, unanswered). On one table a tile may have lain by mistake.
    """
    tables = [] if state.undecided is None else state.undecided.tables
    if len(tables) < 2 or best.passed(tables, state.game) is not None:
        return False
    placed = sum(tile.bit for tile in (*state.game.layout.cells.values(), *best.placed))
    return all(table.sure & ~placed for table, _ in tables[-2:])


def _leave_open(
    state: State, close: list[Candidate], evidence: Evidence, *, is_told: bool
) -> list[Announcement]:
    """Ask about what is open, or wait; go on without it where nobody is going to say what it was."""
    if _is_only_way_open(state, close, evidence):
        return pass_over(state, close, evidence)
    renamed = _renamed(state, close)
    if state.undecided is None and renamed and renamed <= state.asked_unread:
        return decide(state, close[0], evidence)
    if state.is_late(state.open_since):
        tables = [] if state.undecided is None else state.undecided.tables
        # On a table that nothing led to known tiles had gone: four steps seemed to be one (film 425038).
        places = {*close[0].layout.cells}
        has_gone = any(gone for odd, gone in state.odd_tables.items() if {*odd.cells} != places)
        if has_gone or close[0].passed(tables, state.game) is None:
            return lose(state, evidence)  # it leads past what was seen since
        if not state.game.actions and (
            state.has_shrunk or not {*close[0].placed} <= {*close[0].layout.cells.values()}
        ):
            return lose(state, evidence)  # nobody knows how many turns they were (438089, 438523, unanswered)
        return set_aside(state, close, evidence)
    waits = not is_told and state.undecided is None and not state.is_late(state.open_since, UNSEEN_S)
    if waits and _seems_unseen(state, close):
        state.stay_open()
        state.unseen = _carried(close, evidence)
        return []
    state.asked_unread |= renamed
    return ask_between(state, close, evidence, is_told=is_told)


def _is_only_way_open(state: State, close: list[Candidate], evidence: Evidence) -> bool:
    """Whether play has gone on over a question that no look can answer: tiles are known, the way is not.

    Where nobody answered, two tiles were forgotten, and the third was told as the first (film 407940). And
    while nobody said what the fire die had shown, three turns went by without a word (462034, unanswered).
    """
    asked, undecided = state.question, state.undecided
    if asked is None or asked.kind not in _OF_THE_WAY or undecided is None:
        return False
    ways = {(candidate.layout, frozenset(candidate.placed)) for candidate in close}
    is_known = len(ways) == 1 and not any(map(close[0].is_doubtful, close[0].tail))
    games = [each.hypothesis.game for each in close]
    is_same = common_resolution([resolve_from(game.state, game.options) for game in games]).certain
    return is_known and is_same and undecided.evidence.slots != evidence.slots


def _renamed(state: State, close: list[Candidate]) -> set[frozenset[Tile]]:
    """Return between which tiles it is open what those are that were set aside, if nothing else is open.

    That is asked once more: it was asked after each turn, of a tile of which nobody had said anything for a
    minute (game-hard, by night).
    """
    best, unread = close[0], state.announcer.unread.keys()
    ways = {tuple(action for action in each.tail if not isinstance(action, Correct)) for each in close}
    if len(ways) > 1 or best.doubtful:
        return set()
    named = [each.hypothesis.unread.keys() for each in close if each.hypothesis.unread is not None]
    return {frozenset(unread ^ names) for names in named if names != unread}


def _seems_unseen(state: State, close: list[Candidate]) -> bool:
    """Whether a tile seems to have come and gone before anybody saw it, where nothing but known tiles lies.

    Rather a hand lies over them (films 411245 and 412233), or over the only one (408079), and what can be
    seen of one looks like another (391108). Where several are gone, the one that was placed may not be seen
    yet, for a look (412278); but an incendiary leaves such a table, too (414023).
    """
    at, best = first_open(close), close[0]
    unseen = best.tail[at] if at < len(best.tail) else None
    if not isinstance(unseen, Place) or best.layout.find(unseen.tile) is not None:
        return False
    known = state.game.layout
    if not best.layout.cells and len(known) > 1:
        return state.open_since is None
    return all(known.find(tile) is not None for tile in best.layout.cells.values())


def ask_between(
    state: State, close: list[Candidate], evidence: Evidence, *, is_told: bool = False
) -> list[Announcement]:
    """Carry explanations along, and ask about what they differ in; `is_told`: what was asked is answered."""
    state.stay_open()
    best, is_carried = close[0], state.undecided is not None
    tables = [] if state.undecided is None else state.undecided.tables
    lines: list[Announcement] = []
    at = first_open(close)
    if at and state.wrong is None and not _may_be_left_lying(state, best, at):
        passed = best.passed(tables, state.game) or []
        lines = state.announcer.tell(best.tail[:at], best.unclear, passed)
        if any(isinstance(action, Place) for action in best.tail[:at]):
            state.forbidden = state.contrived = None  # they began before what is told now
        close = [replace(candidate, tail=candidate.tail[at:]) for candidate in close]
        told, at = len(state.game.actions), 0
        tables = [table for table, then in zip(tables, passed, strict=False) if len(then.actions) >= told]
        state.open_since = state.announcer.time_s
        state.odd_tables.clear()
    state.undecided = _carried(close, evidence, tables)
    question = ask_which([(candidate.layout, candidate.tail) for candidate in close], at)
    is_new = any(isinstance(action, Place) for action in close[0].tail[at : at + 1])
    was_seen = state.question is not None and NO_TILE in state.question.answers  # what is gone may be none
    if (question.kind is QuestionKind.WHICH_TILE and is_new) or (
        question.kind is QuestionKind.UNSEEN_TILE and was_seen
    ):
        question = or_no_tile(question)
    is_same = state.question is not None and question.kind is state.question.kind and not is_told
    if is_carried and not lines and is_same:
        state.question = question  # it was asked on an earlier table, where the same lay elsewhere
    return lines + state.ask(question)


def _may_be_left_lying(state: State, best: Candidate, at: int) -> bool:
    """Whether a new tile that is in doubt may be one that the steps before it took: it lies where that lay.

    What collapsed lay there still, misread; the step was told as done, and once people had named the tile it
    passed for the next player's (190435).
    """
    new = best.tail[at] if at < len(best.tail) else None
    if not isinstance(new, Place) or not best.is_doubtful(new):
        return False
    place = best.layout.find(new.tile)
    lay = None if place is None else state.game.layout.cells.get(place)
    return lay is not None and best.layout.find(lay) is None


def _carried(
    close: list[Candidate], evidence: Evidence, tables: Sequence[tuple[Evidence, float]] = ()
) -> Undecided:
    """Return explanations of a table, to be carried along; `tables` are those that were seen before it.

    Where a new tile is hardly what it must be, and a known one is misread, too, the table says nothing of the
    way that led there (film 423728, unanswered: the game ended in an error).
    """
    least = evidence.fit(close[0].layout)
    last = [] if least is None else [(evidence, least.log_chance - MARGIN)]
    return Undecided(close, evidence, [*tables, *last])


def _is_beside_misread(state: State, best: Candidate, evidence: Evidence) -> bool:
    """Whether no more than a tile that touches a known one is new, and that was well read and is not now.

    A thing that lies over the one was taken for the other.
    """
    if len(best.tail) > 1:
        return False
    known = set(state.likely_table.cells.values())
    cells = best.layout.cells.items()
    new = [place for place, tile in cells if tile not in known]
    misread = [
        place for place, tile in cells if tile in state.well_read and evidence.cells[place].is_hardly(tile)
    ]
    return any(touch(one, other) for one in new for other in misread)


def _may_be_replaced(state: State, best: Candidate) -> bool:
    """Whether people are to say first if a tile lies where a known one lay that had been well read.

    An incendiary had burned a yellow 4 unseen, and a green 20 lay there: what was placed next was told of the
    yellow 4, and all that followed two turns too early (234835).
    """
    if state.is_late(state.open_since) or (state.undecided is not None and len(state.undecided.tables) > 1):
        return False
    odd = {known: seen for _, known, seen in best.odd if known in state.replaced}
    asked = state.question is not None and state.question.kind is QuestionKind.EXCHANGED
    return any(
        state.odd.get(known) is seen and (asked or (known, seen) not in state.asked_odd)
        for known, seen in odd.items()
    )


def _doubtful_new(state: State, best: Candidate, evidence: Evidence) -> int | None:
    """Return the place of the one new tile of an unlikely table that may be almost any; None if not just one.

    The pattern of a cloth was taken for a tile, and play for two tiles in one turn (film 381059).
    """
    known = set(state.likely_table.cells.values())
    new = [place for place, tile in best.layout.cells.items() if tile not in known]
    doubtful = [place for place in new if len(evidence.cells[place].likely) > MAX_NAMED]
    return doubtful[0] if len(doubtful) == 1 else None


def _moved_unread(state: State, best: Candidate, evidence: Evidence) -> int | None:
    """Return where a known tile would lie that has moved, and is not read there, or less than what lay there.

    None if none has. The figures of a cloth passed for a tile that had fallen, and people had taken it off
    (film 407082); and green 10 seemed to have fallen where blue 10 lay still (233648). What was put back
    after a wrong step may be the next player's as well: a green 120 passed for the blue one (235611).
    """
    known, game = state.likely_table, state.game
    shift = evidence.shift_from(known)
    for place, tile in best.layout.cells.items():
        lay, read = known.find(tile), evidence.cells[place]
        has_moved = lay is not None and lay + shift != place and bool(read.logs)
        if has_moved and (tile not in read.likely or read.likely[0] is known.cells.get(place - shift)):
            return place
        is_back = state.wrong is not None and lay is not None and state.wrong.seen.find(tile) is None
        rivals = [other for other in read.rivals if game.whereabouts(other) is Whereabouts.STOCKS]
        if is_back and rivals and not (read.covered or read.is_surely(tile)):
            return place
    return None


def _is_contrived(state: State, best: Candidate) -> bool:
    """Whether the last table is hardly likely even as the likeliest explanation has it."""
    before = [] if state.undecided is None else [*state.undecided.candidates]
    # The table that was asked about is not likelier because another one lay there in between, nor because of
    # what may be no tile: a glass that was put down told two tiles in one turn as two turns (film 420196).
    asked = None if state.contrived is None else state.contrived.candidates
    if asked is not None and asked[0].layout != best.layout:
        since = best.tail[len(asked[0].tail) :]
        before += [] if any(map(best.is_doubtful, since)) else asked
    earlier = [each.hypothesis.cost for each in before if best.tail[: len(each.tail)] == each.tail]
    # While something lay over the table for long, two players may have placed a tile.
    is_long_hidden = state.hidden_tables >= LONG_HIDDEN
    likely = CONTRIVED_COST - EXTRA_COST if is_long_hidden and _places_two(state, best) else 0.0
    is_new = best.layout != state.likely_table
    cost = best.hypothesis.cost - max(earlier, default=0.0) - likely
    return is_new and cost >= (HARDLY_COST if len(best.tail) > LONG_WAY else CONTRIVED_COST)


def _may_lie_wrongly(state: State, best: Candidate, evidence: Evidence) -> bool:
    """Whether it is likelier than the likeliest play that a new tile lies where the rules forbid it.

    Two players overlook mayhem, one after the other, less often than one lays a tile in a wrong place.
    """
    if best.hypothesis.cost <= WRONG_COST + EXTRA_COST or state.undecided is not None or state.odd_table:
        return False
    known = set(state.game.layout.cells.values())
    for place, tile in best.layout.cells.items():
        if tile in known:
            continue
        others, _covered = find_candidates(state, evidence.without(place))
        if not others or others[0].hypothesis.cost + WRONG_COST + EXTRA_COST >= best.hypothesis.cost:
            continue
        layout = others[0].layout
        shift = evidence.shift_from(layout)
        if not is_place(layout, row_of(place), slot_of(place) - shift):
            return True
    return False


def _places_two(state: State, best: Candidate) -> bool:
    """Whether two tiles were placed since the last table, one just after the other."""
    before = [] if state.undecided is None else state.undecided.candidates[0].placed
    at_last = all(isinstance(action, Place) for action in best.tail[-2:])
    return len(best.placed) > len(before) + 1 and at_last
