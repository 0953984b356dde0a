"""Hear what people answer, and what they put right. Rule 5."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from referee.rules.events import DieNeed
from referee.rules.layout import Layout, place_number, row_of, slot_of
from referee.rules.tiles import ALL_TILES, TILES, Tile
from referee.search.evidence import Evidence
from referee.search.hypotheses import Candidate, Hypothesis, close_ones, fit_hypotheses, is_decided
from referee.search.move_search import CONTRIVED_COST, HARDLY_COST
from referee.search.observation import ObservedTile, Settled
from referee.search.reconcile import exchanged, freed, taken_over
from referee.tracking.announcements import Announcement, Asked
from referee.tracking.beginning import asks_first, asks_laid, begin, begin_before, row_below
from referee.tracking.candidates import decide, set_aside
from referee.tracking.explain_table import LONG_WAY, ask_between, look
from referee.tracking.game_start import count_left_over
from referee.tracking.inputs import Answered, Corrected, Reply
from referee.tracking.lost import ask_turn, asks_player, hear_player, pick_up
from referee.tracking.questions import NO_TILE, QuestionKind
from referee.tracking.state import ShownTable, State
from referee.tracking.unnamed_colours import asks_colour, hear_colour
from referee.tracking.wrong_tables import deny, go_on_with, read_instead, without_things


def hear_answer(state: State, heard: Answered) -> list[Announcement]:
    """Return what is said to an answer; nothing where it fits nothing that is open."""
    if state.is_lost:
        return _show(state) if heard.reply is Reply.AS_IT_LIES else []
    if asks_player(state):
        return [] if heard.player is None else _judge(state, hear_player(state, heard.player))
    if asks_colour(state) and heard.reply in (Reply.COLOUR, Reply.AS_IT_LIES):
        return hear_colour(state, heard.colour)
    match heard.reply:
        case Reply.OK:
            return _accept(state)
        case Reply.TILE:
            return _hear_tile(state, heard)
        case Reply.ROLL:
            return _hear_roll(state, heard.roll)
        case Reply.MENDED:
            return _hear_mended(state)
        case Reply.NO_TILE:
            return _hear_no_tile(state)
        case Reply.AS_IT_LIES:
            return _leave(state)
    return []  # a colour, or a player, that was not asked


def _hear_mended(state: State) -> list[Announcement]:
    """Somebody says that the table is put right, or that the left-over tiles are laid."""
    asked = state.question
    if asks_laid(state):
        return _judge(state, begin(state, state.laid))
    if not state.has_begun and asked is not None and asked.kind is QuestionKind.LEFT_OVER:
        state.lay_left_over = True
    # Since when something is in doubt stays known, or a game could hang on this answer for ever.
    state.question = state.forbidden = state.contrived = None
    return []


def _judge(state: State, lines: list[Announcement]) -> list[Announcement]:
    """Return some lines, and what is said of the tables that were seen since something was asked."""
    for settled in state.take_unjudged():
        state.last = settled
        lines += look(state, settled)
    # What a later table answered is not asked.
    return [line for line in lines if not isinstance(line, Asked) or line.question == state.question]


def _leave(state: State) -> list[Announcement]:
    """Go on with the table as it lies."""
    if not state.has_begun:
        return _leave_first(state)
    undecided = state.undecided
    if state.odd_table is not None:
        # Where tiles were placed since, it is the table below them that is right.
        contrived = state.contrived
        if contrived is not None and _tells_the_way(contrived.candidates[0], state.odd_table):
            if not is_decided(contrived.candidates):
                state.forbidden = state.contrived = None
                return ask_between(state, contrived.candidates, contrived.evidence)
            lines = decide(state, contrived.candidates[0], contrived.evidence)
        else:
            is_unseen = state.has_unseen_turns
            lines = go_on_with(state, state.odd_table)
            if is_unseen:
                return lines + ask_turn(state)
        if undecided is None or state.last is None:
            return lines + state.announcer.conclude()
        return lines + look(state, state.last)
    return [] if undecided is None else set_aside(state, undecided.candidates, undecided.evidence)


def _leave_first(state: State) -> list[Announcement]:
    """Go on with the table as it lies, before the game has begun."""
    if asks_first(state) and not state.lay_left_over:
        return _judge(state, begin(state, ()))
    if state.question is not None and state.question.kind is QuestionKind.FIRST_TABLE:
        return _begin_as_it_lies(state)
    if state.row is None:
        return []
    if state.lay_left_over and state.last is not None:
        lying = state.first_table or Evidence.of(state.last)
        return _judge(state, begin(state, row_below(state, lying)))
    is_placed = asks_laid(state)
    lines = begin(state, state.row)
    return _judge(state, lines) if is_placed else lines


def _begin_as_it_lies(state: State) -> list[Announcement]:
    """Begin with a table on which more lies than is left over, as people say that it is right."""
    assert state.last is not None  # it was asked about
    lines = begin(state, ()) + look(state, state.last)
    if state.odd_table is None:
        return lines
    return [line for line in lines if not isinstance(line, Asked)] + _leave(state)


def _tells_the_way(best: Candidate, table: Layout) -> bool:
    """Whether it says how a table came about that it is right: it leads there, and not by a long way."""
    return best.layout == table and len(best.tail) <= LONG_WAY


def _show(state: State) -> list[Announcement]:
    """Go on with the table that is seen, after the game was lost: known tiles may be gone (231667)."""
    assert state.last is not None  # it was lost over a table
    evidence = Evidence.of(state.last)
    known = evidence.best_layout(state.game.layout, stand_ins=True)
    assert isinstance(known, Layout)  # any tile may stand for one that cannot be told
    seen = read_instead(known, evidence) or known
    return pick_up(state, ShownTable(seen, _doubts(state.game.layout, seen, evidence)))


def _doubts(known: Layout, seen: Layout, evidence: Evidence) -> dict[Tile, tuple[Tile, ...]]:
    """Return what else the tiles of a table may be: how they lie was said, not which they are (426611)."""
    doubts: dict[Tile, tuple[Tile, ...]] = {}
    for place, tile in seen.cells.items():
        read = evidence.cells[place]
        is_known = known.find(tile) is not None and (read.covered or read.is_rather(tile))
        if not (is_known or read.is_surely(tile)):
            likely = read.likely if tile in read.likely and len(read.likely) > 1 else ALL_TILES
            doubts[tile] = tuple(other for other in likely if other is not tile)
    return doubts


def _accept(state: State) -> list[Announcement]:
    """The next player says OK. Rule 5 (French rulebook)."""
    if state.undecided or state.wrong or not state.game.has_placed or state.game.winner is not None:
        return []
    state.settle_at(state.game.accept())
    return [*state.announcer.missed(), *state.announcer.conclude()]


def _hear_tile(state: State, heard: Answered) -> list[Announcement]:
    """Somebody says which tile it is."""
    if heard.code is None:
        return []
    tile = TILES[heard.code]
    at = None if heard.row is None or heard.slot is None else (heard.row, heard.slot)
    if asks_first(state):
        return _judge(state, begin_before(state, tile))
    _note_name(state, tile, at)
    if not state.has_begun:
        return _hear_first(state, tile, at)
    lines = _hear_known(state, tile, at)
    if lines is not None:
        return lines
    if state.last is None:
        return []
    if tile in state.stand_ins and state.undecided is not None:
        # It was placed and came off unseen, so that another one is out of the game.
        state.settle_at(state.game)
        state.announcer.game, state.stand_ins = freed(state.game, state.stand_ins, {tile})
        return look(state, state.last, tile)
    question = state.question
    is_asked = question is not None and any((place.row, place.slot) == at for place in question.places)
    candidates = [] if state.undecided is None else state.undecided.candidates
    places = {each.layout.find(tile) for each in candidates if tile in each.placed}
    lies_there = at in [(row_of(place), slot_of(place)) for place in places if place is not None]
    if at is None or not is_asked or None in places or (places and not lies_there):
        return look(state, state.last, tile)
    if not places and state.undecided is not None:
        # Nobody thought of this tile: what was read of it on the tables since says nothing. Where it had
        # seemed to be gone, all that was thought of is wrong.
        seemed_gone = state.game.layout.find(tile) is not None and all(
            each.layout.find(tile) is None for each in candidates
        )
        state.undecided = None if seemed_gone else replace(state.undecided, tables=[])
    # What is told of one place stays told when another one is asked about (film 424949).
    state.last = _with_answer(state.last, at, tile)
    return look(state, state.last, tile)


def _hear_known(state: State, tile: Tile, at: tuple[int, int] | None) -> list[Announcement] | None:
    """Somebody says which tile it is that is known to lie somewhere; None where it is about another one."""
    question = state.question
    known = None if at is None else state.game.layout.get(*at)
    # The places of a question are those of the table, which may lie otherwise than the game (film 390149).
    asks_which = question is not None and question.kind is QuestionKind.WHICH_TILE
    asked_exchanged = question is not None and question.kind is QuestionKind.EXCHANGED
    if asked_exchanged and question is not None and known is not None:
        known = TILES[question.places[0].codes[0]]
    is_other = asks_which and state.announcer.table != str(state.game.layout)
    if known is None or state.undecided is not None or state.odd_table is not None:
        return None
    if is_other and not (known is tile and _lie_where_they_lay(state)):
        return None
    played = _explain_replaced(state, known, tile) if asked_exchanged else None
    if played is not None:
        return played
    state.settle_at(state.game if known is tile else exchanged(state.game, known, tile))
    # A tile may have been placed beside it, of which nothing was said while it was read otherwise.
    looked = look(state, state.last) if asked_exchanged and state.last is not None else []
    return state.announcer.conclude() + looked


def _lie_where_they_lay(state: State) -> bool:
    """Return whether tiles lie just where the known ones lay: if one of them lies still, none was placed."""
    return state.last is not None and Evidence.of(state.last).slots == {*state.game.layout.cells}


def _explain_replaced(state: State, known: Tile, tile: Tile) -> list[Announcement] | None:
    """Say how a tile came to lie where a known one lay that had been well read; None if no play led there.

    A yellow 4 had burned unseen, and a green 20 been placed there: taken for one tile that had two names, all
    that followed was told two turns too early (234835).
    """
    if state.last is None or known not in state.replaced or state.odd.get(known) is not tile:
        return None
    first, last = state.replaced[known], Evidence.of(state.last)
    hypotheses, candidates = [Hypothesis(state.game)], list[Candidate]()
    for evidence in [last] if first.slots == last.slots else [first, last]:
        candidates, _ = fit_hypotheses(hypotheses, evidence, state.game, known.bit)
        hypotheses = [each.hypothesis for each in candidates]
    # That it lies just where another one lay is what people said.
    if not candidates or candidates[0].hypothesis.cost >= CONTRIVED_COST + HARDLY_COST:
        return None
    state.settle_at(state.game)
    close = close_ones(candidates)
    return decide(state, close[0], last) if is_decided(candidates) else ask_between(state, close, last)


def _hear_first(state: State, tile: Tile, at: tuple[int, int] | None) -> list[Announcement]:
    """Somebody says which tile it is, before the game has begun."""
    if at is not None and state.last is not None:
        state.unjudged.clear()  # it is told of the last one
        state.last = _with_answer(state.last, at, tile)
        return look(state, state.last)
    return [] if state.row is None or tile in state.row else begin(state, state.row, (tile,))


def _note_name(state: State, tile: Tile, at: tuple[int, int] | None) -> None:
    """Remember which tile people say lies somewhere, for as long as something else is open."""
    asked = state.question
    if at is not None and asked is not None and asked.kind is QuestionKind.WHICH_TILE:
        state.named[at] = tile
        state.told.add(tile)


def _hear_no_tile(state: State) -> list[Announcement]:
    """Somebody says that what was taken for a tile is none."""
    if state.last is None or state.question is None or NO_TILE not in state.question.answers:
        return []
    state.unjudged.clear()
    if state.question.kind is QuestionKind.UNSEEN_TILE:
        # A figure of the cloth had passed for a tile until the next look (film 459009).
        state.undecided = state.open_since = state.question = None
        return look(state, state.last)
    if len(state.last.tiles) == 1 and not state.game.actions:
        state.last = replace(state.last, tiles=())  # it was the only one
        state.undecided = state.open_since = state.unread_row = None
    else:
        _deny_asked(state, state.last, [place_number(each.row, each.slot) for each in state.question.places])
        state.undecided = state.open_since = state.unread_row = None
    state.question = None
    state.has_begun = state.has_begun and not _began_with_things(state)
    if state.has_begun or not state.last.tiles or _is_named_row(state, state.last):
        return look(state, state.last)
    # What lay beside a thing at first may be one, too: it is looked at once more. What comes meanwhile may be
    # placed (film 412184: the first tile counted as left over, and each turn as the one before it).
    state.row = state.row or ()
    return []


def _is_named_row(state: State, table: Settled) -> bool:
    """Return whether all left-over tiles are surely known, and people named one of them themselves.

    A hand lay over them at the next look, and what they were was asked once more (film 465998).
    """
    sure = [read.sure for read in Evidence.of(table).cells.values()]
    return len(sure) == count_left_over(state.setup) and None not in sure and not state.told.isdisjoint(sure)


def _deny_asked(state: State, table: Settled, places: Sequence[int]) -> None:
    """Take the tiles of a table that lie in some places, by number, for other things.

    Of one that lay on the first picture nothing is remembered: whoever sees the table leaves it out, and a
    tile of the game may lie alike (film 465902).
    """
    cells = Evidence.of(table).cells
    if [cells[place].lay_first for place in places if place in cells] != [True]:
        deny(state, table, places)
        state.last = without_things(state, table)
        return
    left = min(tile.slot for tile in table.tiles)
    kept = [tile for tile in table.tiles if place_number(tile.row, tile.slot - left) not in places]
    state.last = replace(table, tiles=tuple(kept))
    state.forbidden = state.contrived = None


def _began_with_things(state: State) -> bool:
    """Whether the game began on a table of which all is denied, and nobody was asked what was left over.

    Three squares of a cloth passed for tiles; then the left-over one was told as placed (film 387023).
    """
    assert state.last is not None  # something of it was denied
    is_bare = not (state.last.tiles or state.game.layout or state.game.actions)
    return is_bare and state.row is None and count_left_over(state.setup) > 0


def _hear_roll(state: State, roll: int | None) -> list[Announcement]:
    """Somebody says what the fire die showed. What changes the table is believed when it is seen."""
    if roll is None or state.last is None:
        return []
    state.announcer.rolled = roll
    if state.undecided is not None:
        return look(state, state.last, roll)
    if roll == 0:
        return []
    after = state.game.settle()
    if not isinstance(after.needs, DieNeed) or after.roll(roll).layout != state.game.layout:
        return []
    lines = state.announcer.tell(state.since(after.roll(roll)))
    state.settle_at(state.game)
    return lines + state.announcer.conclude()


def hear_correction(state: State, heard: Corrected) -> list[Announcement]:
    """The people put right what is known; nothing is said where it is known so."""
    is_known = (
        heard.turn == state.game.turn
        and heard.layout == state.game.layout
        and heard.stocks in (None, state.game.stocks)
        and heard.out in (None, state.game.out)
    )
    is_odd = state.is_lost or state.odd_table is not None
    is_open = not state.has_begun or state.undecided or is_odd or state.announcer.unread
    if is_known and not is_open:
        return []
    played = _as_played(state, heard)
    if played is not None:
        candidate, table = played
        state.weighed = []
        state.announcer.table = str(heard.layout)
        return decide(state, candidate, table)
    untold: Container[int] = ()
    if is_known and state.has_begun and state.wrong is None:
        game = state.game  # what must fall waits to fall still (225698)
    elif heard.stocks is None and heard.out is None:
        game = taken_over(state.game, heard.layout)
        if heard.turn is not None:
            game = game.correct(heard.layout, turn=heard.turn)
            untold = range(2)  # who says which turn it is says of no tile that it was placed in it
    else:
        game = state.game.correct(heard.layout, heard.stocks, heard.out, heard.turn)
    state.has_begun = True
    state.wrong = None
    state.weighed = []
    state.announcer.table = str(heard.layout)
    has_played_on = heard.turn is None and not state.is_lost and _were_replaced(state, heard.layout)
    lines = state.announcer.tell(state.since(game), untold)
    state.announcer.unread.clear()
    state.settle_at(state.game)
    return lines + (ask_turn(state) if has_played_on else state.announcer.conclude())


def _were_replaced(state: State, layout: Layout) -> bool:
    """Whether several known tiles are hardly read any more, of which people name one otherwise.

    They were not misread, so turns went unseen.

    Two tiles had been taken, and the next two, which nobody could read, lay in their places. People named
    these, and each turn was told as the one two before it (film 426847).
    """
    known = state.game.layout.cells
    cells = {} if state.last is None else Evidence.of(state.last).cells
    if known.keys() != cells.keys():
        return False
    hardly = [tile for at, tile in known.items() if cells[at].is_hardly(tile)]
    return len(hardly) > 1 and any(layout.find(tile) is None for tile in hardly)


def _as_played(state: State, heard: Corrected) -> tuple[Candidate, Evidence] | None:
    """Return how play led to a corrected table, if nothing but rightful play led to all that people said."""
    if heard.stocks is None or heard.layout == state.game.layout or not state.has_begun or state.is_lost:
        return None
    tiles = tuple(ObservedTile(row, slot, ((tile.code, 1.0),)) for (row, slot), tile in heard.layout.tiles)
    table = Evidence.of(Settled(heard.time_s, tiles))
    turn = state.game.turn if heard.turn is None else heard.turn
    for candidate in fit_hypotheses([Hypothesis(state.game)], table, state.game)[0]:
        game = candidate.hypothesis.game
        is_just_so = game.layout == heard.layout and game.stocks == heard.stocks and game.turn == turn
        if is_just_so and heard.out in (None, game.out) and not candidate.hypothesis.cost:
            return candidate, table
    return None


def _with_answer(settled: Settled, at: tuple[int, int], tile: Tile) -> Settled:
    """Return a table with a tile in a slot that was told, not read; it may have been overlooked there.

    Since when it lies there is not told: that a left-over tile had lain there first was forgotten, the game
    began without it, and each turn was told as the one after the next (film 473179).
    """
    row, slot = at[0], at[1] + min((each.slot for each in settled.tiles), default=0)
    others = tuple(each for each in settled.tiles if (each.row, each.slot) != (row, slot))
    lay_first = any(each.lay_first for each in settled.tiles if each not in others)
    told = ObservedTile(row, slot, ((tile.code, 1.0),), lay_first=lay_first)
    return replace(settled, tiles=(*others, told))
