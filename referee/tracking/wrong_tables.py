"""What is said of a table that no rightful play leads to: a wrong step, or what the rules forbid. Rule 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from referee.rules.game import Game, Place
from referee.rules.layout import Layout, row_of, slot_of
from referee.rules.tiles import TILES, Tile
from referee.search.evidence import RIVAL, Evidence
from referee.search.hypotheses import Candidate
from referee.search.mistakes import Explanation, explain_mistake, find_differences
from referee.search.observation import Settled
from referee.search.reconcile import taken_over
from referee.tracking.announcements import Announcement, Asked, MayhemFound, Remark, StepWrong
from referee.tracking.candidates import set_aside
from referee.tracking.game_start import count_left_over
from referee.tracking.lost import MOST_ODD, ask_turn, lose
from referee.tracking.questions import MAX_NAMED, ask_about_table, ask_first_table, ask_unread, or_no_tile
from referee.tracking.state import NoTiles, State, WrongTable

_NEAR = 2
"""In rows and slots: tiles of one pyramid lie at most so far apart, wherever others have been taken."""


class _Differs(TypedDict):
    put_back: tuple[Tile, ...]
    take_off: tuple[Tile, ...]
    move: tuple[Tile, ...]


def find_mistake(state: State, evidence: Evidence) -> list[Announcement]:
    """Say what is wrong with a table that nothing rightful leads to."""
    state.gone |= evidence.missing(state.game.layout)
    is_late = state.is_late(state.open_since)
    candidates = [] if state.undecided is None else _by_sure_tiles(state.undecided.candidates, evidence)
    game = candidates[0].hypothesis.game if candidates else state.game
    seen = _best_layout(evidence, state.odd_table, game.layout, is_late)
    if isinstance(seen, int):
        state.stay_open()
        return [] if evidence.cells[seen].covered else state.ask(ask_unread(seen))
    if not seen and state.open_since is None and not evidence.lifted.issuperset(game.layout.cells.values()):
        state.stay_open()  # perhaps a hand lies over the last tile
        return []
    if state.wrong is not None and state.undecided is None and _is_nearer(state.wrong, seen):
        announced = state.wrong.announced
        differs = _what_is_wrong(announced.right[0], seen)
        state.wrong = WrongTable(seen, replace(announced, layout=str(seen), **differs))
        return []
    found = explain_mistake(game, seen)
    doubtful = _doubtful(state, found, seen, evidence, is_late=is_late)
    if doubtful is not None:
        return ask_what_lies(state, evidence, *doubtful)
    if not found.is_wrong_step or any(isinstance(each, Place) for each in found.actions):
        return forbid(state, found.right[0], seen, evidence)
    if not all(_is_wrong_step(state, each.layout, each.hypothesis.game, evidence) for each in candidates):
        return forbid(state, found.right[0], seen, evidence)
    if not _agrees(state, evidence, seen, found.right[0]):
        return _look_again(state, found.right[0], seen, evidence, is_late=is_late)
    lines: list[Announcement] = []
    if state.undecided is not None:
        lines = set_aside(state, candidates, state.undecided.evidence)
    said = _say_wrong(state, found, seen, evidence)
    if any(isinstance(line, StepWrong) for line in said):
        # What was due is what was done wrongly: it came as a verdict of a table that was gone (film 460056).
        lines = [line for line in lines if not isinstance(line, MayhemFound)]
    return lines + said


def doubt_first(state: State, evidence: Evidence) -> list[Announcement] | None:
    """Ask about a table of which all lay there first, though none is left over; None where play may begin.

    Two notes had been read as tiles, and were told as placed (film 465834). Nobody's patience ends this:
    every line would hang on a guess.
    """
    is_known = bool(state.game.layout or state.game.actions or count_left_over(state.setup))
    lay_first = {read.lay_first for read in evidence.cells.values()}
    if not is_known and lay_first == {False} and state.things is not None:
        state.settle_at(state.game)  # what lay there was no game
    if lay_first:
        state.things = None if is_known or lay_first != {True} else evidence
    if state.things is None or not lay_first:
        return None
    if len(evidence) == 1:
        state.open_since = None  # which tile it is, if any, is asked
        return None
    seen = evidence.best_layout(state.game.layout, stand_ins=True)
    assert isinstance(seen, Layout)  # any tile may stand for one that cannot be told
    if state.forbidden is not None and len(state.forbidden) == len(seen):
        return []
    state.odd_tables.clear()
    lines = forbid(state, state.game.layout, seen, evidence)
    asked = state.ask(ask_first_table(seen, seen.cells))
    return [line for line in lines if not isinstance(line, Asked)] + asked


def _look_again(
    state: State, expected: Layout, seen: Layout, evidence: Evidence, *, is_late: bool
) -> list[Announcement]:
    """Wait until it shows whether a tile is misread, or another one lies there; not for ever."""
    state.stay_open()
    if _is_one_too_many(state, seen):
        return lose(state, evidence)
    as_read = _read_again(state, seen, evidence)
    if as_read is None and not is_late:
        return []
    return forbid(state, expected, as_read or seen, evidence)


def ask_what_lies(
    state: State, evidence: Evidence, place: int, likely: Sequence[Tile] = ()
) -> list[Announcement]:
    """Ask which tile lies in a place, by its number, if any; the table stays open until that is told.

    Args:
        state: It is changed.
        evidence: What was read.
        place: The number of the place.
        likely: What may lie there; none: what was read there.
    """
    state.stay_open()
    return state.ask(or_no_tile(ask_unread(place, likely or evidence.cells[place].likely)))


def hardly_read(state: State, seen: Layout, evidence: Evidence) -> tuple[int, tuple[Tile, ...]] | None:
    """Return where a known tile is hardly read, if tiles lie just where they lay, and what it may be.

    No new one is surely read. A telephone lay over three tiles: it was asked which one had burned two of them
    unseen, and each turn was told as the one after the next (film 473172).
    """
    known = state.game.layout.cells
    if state.undecided is not None or state.odd_table is not None or known.keys() != evidence.cells.keys():
        return None
    other = [place for place, tile in seen.cells.items() if known[place] is not tile]
    if not other or any(evidence.cells[place].sure is not None for place in other):
        return None
    likely = [known[other[0]], *evidence.cells[other[0]].likely]
    return other[0], tuple(dict.fromkeys(likely))


def _doubtful(
    state: State, found: Explanation, seen: Layout, evidence: Evidence, *, is_late: bool
) -> tuple[int, tuple[Tile, ...]] | None:
    """Return the place number of what makes a table wrong and may be another thing; None if nothing may be.

    And what may lie there, if more is known of that than is read.

    A printed cloth looked like a tile where one had just been taken (film 404085), a yellow 60 was laid where
    a yellow 6 had been (407241), and a tile that had fallen was read as the one that had lain there (407929,
    and hardly as itself: 410254). A blue 6 was said to lie where no blue 10 may: there was none, people said,
    and no tile was seen there any more (416206); and what passed for a tile that had rightly been placed
    before was none, and the tile that had been was said to lie where it may not (422053).
    """
    misread = hardly_read(state, seen, evidence)
    if misread is not None:
        return misread
    if not found.is_wrong_step:
        lay = set(state.game.layout.cells.values())
        new = [place for place, tile in seen.cells.items() if tile not in lay]
        unread = [place for place in new if len(evidence.cells[place].likely) > MAX_NAMED]
        return (unread[0], ()) if unread and not is_late else None
    for each in find_differences(found.right[0], seen):
        place = None if each.seen is None else seen.find(each.seen)
        if each.seen is None or place is None:
            continue
        read = evidence.cells[place]
        is_doubtful = not (read.covered or read.sure is not None or read.is_surely(each.seen))
        may_be = each.expected is None or each.expected in read.logs or not read.is_rather(each.seen)
        if is_doubtful and may_be:
            return place, ()
    return None


def _is_wrong_step(state: State, known: Layout, game: Game, evidence: Evidence) -> bool:
    """Whether a step was done wrongly by one of the explanations, with the tiles that it has."""
    seen = _best_layout(evidence, state.odd_table, known, is_late=True)
    assert isinstance(seen, Layout)  # any tile may stand for one that cannot be told
    return explain_mistake(game, seen).is_wrong_step


def _say_wrong(state: State, found: Explanation, seen: Layout, evidence: Evidence) -> list[Announcement]:
    """Say that a step was done wrongly, unless it was said."""
    wrong = state.wrong
    if (
        wrong is not None
        and {*found.right} == {*wrong.announced.right}
        and evidence.fit(wrong.seen) is not None
    ):
        state.wrong = replace(wrong, seen=seen)
        return []
    if state.open_since is None and _may_be_seen_badly(state.game.layout, found.right[0], seen, evidence):
        state.stay_open()
        return []
    differs = _what_is_wrong(found.right[0], seen)
    named = {*differs["put_back"], *differs["take_off"], *differs["move"]}
    if not named.union(state.gone_from(seen)).isdisjoint(state.announcer.unread):
        # Nobody knows its name (film 411146), nor whether it had to go (426488, unanswered).
        return forbid(state, found.right[0], seen, evidence)
    if _is_one_too_many(state, seen):
        return lose(state, evidence)
    state.announcer.table = str(seen)
    lines = state.announcer.tell(found.actions)
    odd_tables = dict(state.odd_tables)
    state.settle_at(state.game)
    state.odd_tables = odd_tables
    announced = StepWrong(right=tuple(found.right), **differs, **state.announcer.now())
    state.wrong = WrongTable(seen, announced)
    return [*lines, announced]


def _may_be_seen_badly(known: Layout, right: Layout, seen: Layout, evidence: Evidence) -> bool:
    """Whether a table is looked at once more before it is called wrong.

    A hand may lie over what is missing (film 420015), unless the bare table is seen where it lay and where it
    should lie: people put a mistake right before the second look (427067, 427185). And tiles that lie where
    they should may be misread: of two of them no explanation says so (224129, 224388).
    """
    missing = {*right.cells.values()} - {*seen.cells.values()}
    if {*seen.cells.values()} < {*right.cells.values()}:
        there = {lay.seen for lay in find_differences(right, known) if lay.expected in missing}
        return not missing | there <= evidence.lifted
    return any(each.expected is not None and each.seen is not None for each in find_differences(right, seen))


def _what_is_wrong(right: Layout, seen: Layout) -> _Differs:
    """Return how a table differs from the nearest right one."""
    should, lying = list(right.cells.values()), list(seen.cells.values())
    put_back = tuple(tile for tile in should if tile not in lying)
    take_off = tuple(tile for tile in lying if tile not in should)
    move: tuple[Tile, ...] = ()
    if not put_back and not take_off:
        differences = find_differences(right, seen)
        move = tuple(found.seen for found in differences if found.seen is not None)
    return {"put_back": put_back, "take_off": take_off, "move": move}


def forbid(state: State, expected: Layout, seen: Layout, evidence: Evidence) -> list[Announcement]:
    """Ask about a table that the rules forbid."""
    state.announcer.table = str(seen)
    lines: list[Announcement] = []
    lying = state.forbidden if state.may_stay else None
    if lying is not None and _was_played_on(state.game, lying, seen, evidence):
        if state.has_unseen_turns:
            return go_on_with(state, seen) + ask_turn(state)
        lines = take_over(state, lying)
        expected = state.game.layout
    if seen != state.forbidden and _is_one_too_many(state, seen):
        return lose(state, evidence)
    instead = _read_instead(state, expected, seen)
    if instead is not None:
        return ask_what_lies(state, evidence, *instead)
    state.forbidden, state.read_then = seen, evidence
    known = set(state.game.layout.cells.values())
    state.may_stay = all(
        tile in known or (tile.bit & evidence.sure and any(touch(place, other) for other in seen.cells))
        for place, tile in seen.cells.items()
    )
    state.stay_open()
    hardly = state.contrived is not None and state.contrived.candidates[0].layout == seen
    return lines + state.ask(ask_about_table(expected, seen, hardly=hardly))


def _read_instead(state: State, expected: Layout, seen: Layout) -> tuple[int, tuple[Tile, ...]] | None:
    """Return the place where a new tile seems to lie instead of a known one, if all else is right, and both.

    One of them may be misread, however surely: a green 100 that had fallen was read as a green 30, and people
    were asked whether the table was right, and could not say that a tile has another name (film 429273).
    """
    differences = find_differences(expected, seen)
    if len(differences) != 1:
        return None
    new, known = differences[0].seen, differences[0].expected
    if new is None or known is None:
        return None
    place, tiles = seen.find(new), (new, known)
    return (place, tiles) if place is not None and state.told.isdisjoint(tiles) else None


def deny(state: State, settled: Settled, places: Sequence[int]) -> None:
    """Take tiles for other things, as people say.

    Args:
        state: It is changed.
        settled: The table on which they lie.
        places: Their place numbers.
    """
    evidence, known = Evidence.of(settled), state.game.layout
    shift = evidence.shift_from(known)
    older = NoTiles(known, {}, {}) if state.no_tiles is None else state.no_tiles
    read, at_all = dict(older.read), dict(older.at_all)
    for at in places:
        seen = evidence.cells.get(at)
        tiles = [] if seen is None or seen.covered else seen.rivals
        codes = frozenset() if seen is None else frozenset(seen.logs)
        lie = {next(iter(cell.logs), None) for other, cell in evidence.cells.items() if other != at}
        there = row_of(at), slot_of(at) - shift
        for first in tiles[:1]:
            read[there] = (first, *(each for each in tiles[1:] if each not in lie))
            at_all[there] = codes - lie
    lay_first = [evidence.cells[at].lay_first for at in places if at in evidence.cells]
    state.no_tiles = NoTiles(known, read, at_all, len(lay_first) > 1 and all(lay_first))
    state.forbidden = state.contrived = None


def without_things(state: State, settled: Settled) -> Settled:
    """Return a table without what people said is no tile, as long as it may be read as it was then.

    Else a tile that was laid where a hand had been taken for one counted for the hand (film 399036). All that
    a figure of the cloth is likely to have been read as since, it may surely be read as one day (411598); as
    what it was hardly read as it is a tile (422127). And what may be one that is seen nowhere else, and was
    not read there then, may have fallen there (film 412113).
    """
    if state.no_tiles is None:
        return settled
    shift = Evidence.of(settled).shift_from(state.no_tiles.known)
    leftmost = min((tile.slot for tile in settled.tiles), default=0)
    still, kept = {}, []
    for tile in settled.tiles:
        place = tile.row, tile.slot - leftmost - shift
        thing = state.no_tiles.read.get(place)
        codes = [TILES[code] for code, _chance in (tile.codes[:1] if tile.sure else tile.codes)]
        others = {TILES[other.codes[0][0]] for other in settled.tiles if other is not tile}
        known = {*state.game.layout.cells.values()}
        is_read_so = thing is not None and (codes[0] in thing if tile.sure else thing[0] in codes)
        before = state.no_tiles.at_all.get(place, frozenset()).union(thing or ())
        if thing is not None and is_read_so and (known - others).isdisjoint({*codes} - before):
            likely = [TILES[code] for code, chance in tile.codes if chance >= RIVAL * tile.codes[0][1]]
            still[place] = (*thing, *(code for code in likely if code not in known.union(thing)))
        else:
            kept.append(tile)
    if state.no_tiles.are_together and len(still) < len(state.no_tiles.read):
        return settled
    if not settled.hidden:
        state.no_tiles = replace(state.no_tiles, read=still) if still else None
    return replace(settled, tiles=tuple(kept))


def _is_one_too_many(state: State, seen: Layout) -> bool:
    """Count a table that is odd in another way than those before; whether there were too many of them.

    Tiles have gone from it if they have whatever the last table is taken for: a green 20 that may be a 60 was
    the one here and the other there, and the game was lost (`chequered`, unanswered, another network).
    """
    candidates = [] if state.undecided is None else state.undecided.candidates
    tables = [each.layout for each in candidates] or [state.game.layout]
    lies = {*seen.cells.values()}
    state.odd_tables.setdefault(seen, all({*each.cells.values()} - lies for each in tables))
    return len(state.odd_tables) > MOST_ODD


def take_over(state: State, layout: Layout) -> list[Announcement]:
    """Go on with a table as it lies, though the rules forbid it, and say what must be resolved."""
    return go_on_with(state, layout) + state.announcer.conclude()


def go_on_with(state: State, layout: Layout) -> list[Announcement]:
    """Go on with a table as it lies, though the rules forbid it."""
    state.wrong = None
    lines: list[Announcement] = [state.announcer.remark(Remark.TAKEN_OVER)]
    actions = state.since(taken_over(state.game, layout))
    # Where tiles came off that nobody saw come off, nobody knows in which turn another one came on either.
    has_gone = state.gone_from(layout)
    lines += state.announcer.tell(actions, range(len(actions)) if has_gone else ())
    state.settle_at(state.game)
    return lines


def touch(one: int, other: int) -> bool:
    """Whether two places lie side by side, or one upon the other."""
    return sum(_away(one, other)) == 2


def may_be_one_pyramid(one: int, other: int) -> bool:
    """Whether two places lie so near that others may have been taken between them."""
    rows, halves = _away(one, other)
    return rows <= _NEAR and halves <= 2 * _NEAR


def _away(one: int, other: int) -> tuple[int, int]:
    """Return how many rows and half slots two places lie apart."""
    rows = row_of(one) - row_of(other)
    return abs(rows), abs(2 * (slot_of(one) - slot_of(other)) + rows)


def _was_played_on(game: Game, lying: Layout, seen: Layout, evidence: Evidence) -> bool:
    """Whether tiles were added to a table, and none that lay in the game before: it was left as it lay.

    Each of them is surely read: a printed cloth beside the table looked like a tile (film 407409).
    """
    differences = find_differences(lying, seen)
    return bool(differences) and all(
        found.expected is None
        and found.seen is not None
        and found.seen.bit & evidence.sure
        and game.layout.find(found.seen) is None
        for found in differences
    )


def _by_sure_tiles(candidates: list[Candidate], evidence: Evidence) -> list[Candidate]:
    """Return candidates, those first in which most of the tiles lie that are surely read."""
    return sorted(
        candidates,
        key=lambda candidate: (
            -sum(bool(tile.bit & evidence.sure) for tile in candidate.layout.cells.values())
        ),
    )


def _best_layout(evidence: Evidence, lying: Layout | None, known: Layout, is_late: bool) -> Layout | int:
    """Return the likeliest table: the known one changed, or the one that lay there last, if it is an odd one.

    The odd one may itself have been misread; then the known one accounts better for what is seen now.
    """
    best = evidence.best_layout(known, stand_ins=is_late)
    if lying is None:
        return best
    found = evidence.best_layout(lying, stand_ins=is_late)
    if isinstance(best, int) or isinstance(found, int):
        return found
    mine, theirs = evidence.fit(best), evidence.fit(found)
    better = mine is not None and (theirs is None or mine.log_chance > theirs.log_chance)
    return best if better else found


def _agrees(state: State, evidence: Evidence, seen: Layout, right: Layout) -> bool:
    """Whether a tile that was taken for misread had not gone, and would lie there on the right table too.

    People had taken a tile in a wrong step, and placed the next one there before that was told (film 443013).
    """
    fit = evidence.fit(seen)
    odd = {tile for _, tile, _ in fit.odd} if fit is not None else set()
    differs = find_differences(right, seen)
    return odd.isdisjoint(state.gone) and not any(
        each.expected in odd or each.seen in odd for each in differs
    )


def _read_again(state: State, seen: Layout, evidence: Evidence) -> Layout | None:
    """Return a table with the tiles that are surely read instead of known ones, if they were before as well.

    Where a wrong step had taken a tile the next one was placed, and the known one passed for misread until
    both were gone (film 407735).
    """
    fit = evidence.fit(seen)
    before, state.odd = state.odd, {} if fit is None else {known: read for _, known, read in fit.odd}
    return read_instead(seen, evidence) if before == state.odd else None


def read_instead(seen: Layout, evidence: Evidence) -> Layout | None:
    """Return a table with the tiles that are surely read instead of known ones; None where none is."""
    fit = evidence.fit(seen)
    instead = {} if fit is None else {place: read for place, _, read in fit.odd}
    cells = {**seen.cells, **instead}
    return Layout(cells) if instead and len({*cells.values()}) == len(cells) else None


def _is_nearer(wrong: WrongTable, seen: Layout) -> bool:
    """Whether a table is nearer to a right one than the one that was found wrong: it is being put right."""
    return any(
        len(find_differences(right, seen)) < len(find_differences(right, wrong.seen))
        for right in wrong.announced.right
    )
