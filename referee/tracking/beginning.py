"""Begin a game with the left-over tiles that are seen on the table. Rule 5."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence

from referee.rules.layout import Layout, row_of
from referee.rules.tiles import ALL_TILES, Tile
from referee.search.evidence import MAX_DOUBT, Evidence, TileEvidence
from referee.search.hypotheses import Hypothesis, UnreadTile, fit_hypotheses
from referee.search.observation import Settled
from referee.tracking.announcements import Announcement, Remark
from referee.tracking.candidates import decide
from referee.tracking.game_start import (
    INCENDIARIES,
    count_left_over,
    has_one_more,
    open_game,
    read_left_over,
    read_one_more,
    read_row_later,
)
from referee.tracking.questions import (
    Question,
    QuestionKind,
    ask_at_first,
    ask_first,
    ask_first_table,
    ask_laid,
    ask_left_over,
)
from referee.tracking.state import State
from referee.tracking.wrong_tables import may_be_one_pyramid, touch


def begin_with(state: State, evidence: Evidence) -> list[Announcement]:
    """Find the left-over tiles on the table. Rule 5."""
    if _has_gone(state, evidence):
        begin_beside_things(state, evidence)
    seen = ((read.sure, read.lay_first) for read in evidence.cells.values())
    state.lay_first |= {tile for tile, lay_first in seen if tile is not None and lay_first}
    if asks_laid(state) and len(evidence) > len(state.laid):
        state.judge_later()
        return []  # either guess counts each turn wrongly
    kept = _kept_row(state)
    if kept and evidence.sure & ~sum(tile.bit for tile in kept):
        return begin(state, kept)  # something was placed, and some of them may be gone already
    if len(evidence) < len(kept) and not state.is_late(state.open_since):
        state.stay_open()
        return []  # a hand lies over the others, or takes them up once more
    places = read_left_over(state.setup, evidence)
    if places is None:
        return _begin_late(state, evidence)
    return _begin_with_row(state, evidence, places)


def _begin_with_row(state: State, evidence: Evidence, places: Sequence[int]) -> list[Announcement]:
    """Begin with the tiles in these places, by number, once they can be told and are all."""
    row: list[Tile] = []
    unread: dict[Tile, Sequence[Tile]] = {}
    for place in places:
        read = evidence.cells[place]
        tile = next((each for each in read.likely if each not in row), None)
        if tile is None or not (read.is_surely(tile) or state.is_late(state.open_since)):
            state.stay_open()
            if _lay_there(evidence) or not _may_be_placed(state):
                state.unread_row = evidence
            else:
                state.judge_later()  # whichever it is, it came first
            return [] if read.covered else state.ask(ask_at_first(place, read.likely))
        row.append(tile)
        if not read.is_surely(tile):
            unread[tile] = _others(read, tile)
    state.announcer.table = str(Layout.from_tiles({(0, slot): tile for slot, tile in enumerate(row)}))
    if len(row) < count_left_over(state.setup):
        return _ask_for_others(state, tuple(row))
    lay_first = [
        tile
        for tile, place in zip(row, places, strict=True)
        if evidence.cells[place].lay_first or tile in state.lay_first
    ]
    if state.row is None and state.unread_row is not None and not _may_be_row(state.unread_row, row):
        state.row = ()  # what lay there was no tile (film 411221)
    came_last = _came_last(state, row, lay_first)
    if came_last is None:
        return begin(state, tuple(row), unread=unread)
    state.unjudged.clear()
    return _ask_laid(state, row, came_last)


def _ask_laid(state: State, row: Sequence[Tile], came_last: Tile) -> list[Announcement]:
    """Ask whether the last tile of a row is left over as the others are, or was placed."""
    state.stay_open()
    state.laid = tuple(row)
    state.judge_later()
    return state.ask(ask_laid(len(row), row, row.index(came_last)))


def _came_last(state: State, row: Sequence[Tile], lay_first: Container[Tile]) -> Tile | None:
    """Return the tile that came after it was asked for the last left-over one; None where none did."""
    came = [tile for tile in row if state.row is not None and tile not in state.row]
    # It lay there from the first, or a hand over it.
    is_hidden = state.unread_row is not None and _may_be_row(state.unread_row, came)
    is_known = is_hidden or any(tile in lay_first for tile in came)
    is_last = len(came) == 1 and len(row) - 1 == len(state.row or ())
    return came[0] if is_last and not is_known and _may_be_placed(state) else None


def _lay_there(row: Evidence | None) -> bool:
    """Return whether all tiles of a row lay on the first picture: none was placed (438243, unanswered)."""
    return row is not None and all(read.lay_first for read in row.cells.values())


def _may_be_row(unread_row: Evidence, tiles: Sequence[Tile]) -> bool:
    """Return whether one of some tiles may be in a row that could not be told."""
    return any(tile in read.likely for read in unread_row.cells.values() for tile in tiles)


def _may_be_placed(state: State) -> bool:
    """Return whether a tile that is seen now may have been placed, for it was asked for left-over ones."""
    return state.row is not None and not state.lay_left_over


def _begin_late(state: State, evidence: Evidence) -> list[Announcement]:
    """Begin on a table on which more lies than what is left over, unless something has to be asked."""
    lay_first = _that_lay_first(state, evidence)
    if lay_first:
        return begin(state, lay_first)
    is_over = state.lay_left_over and state.is_late(state.open_since)
    if state.first_table is not None and len(evidence) > len(state.first_table) and not is_over:
        if _may_be_placed(state) or state.lay_left_over:
            state.judge_later()
            return []  # of two that came both may have been placed
        return _begin_untold(state, state.first_table)
    found = state.row or read_row_later(state.unread_row, evidence)
    came = _came_alone(state, evidence)
    if came is not None and state.row is not None:
        return _ask_laid(state, [*state.row, came], came)
    if not (found or state.is_late(state.open_since)):
        lines = _ask_about_first(state, evidence)
        if lines is not None:
            return lines
    if not found and _may_be_things(state, evidence):
        state.things = evidence
        state.lay_first.clear()
        state.stay_open()
        state.judge_later()
        asked = _ask_about_things(state, evidence)
        before = state.question
        is_asked = before is not None and (before.kind, len(before.places)) == (asked.kind, len(asked.places))
        return [] if is_asked else state.ask(asked)
    unread = {} if found or state.unread_row is None else _row_later(state, state.unread_row, evidence)
    if unread and (_lay_there(state.unread_row) or not _may_be_placed(state)):
        return begin(state, tuple(unread), unread={tile: others for tile, others in unread.items() if others})
    if state.lay_left_over and len(found) < count_left_over(state.setup):
        return _begin_with_laid(state, evidence, tuple(found))
    return begin(state, found)


def _came_alone(state: State, evidence: Evidence) -> Tile | None:
    """Return the tile that came after it was asked for the last left-over one, if it is told only now.

    It was in doubt until another one lay beside it. Nobody said which had come first, and all that followed
    was waiting for it (film 475381, unanswered).
    """
    known = () if state.row is None else state.row
    before = Evidence.of(state.unjudged[0]) if state.unjudged else None
    if (
        before is None
        or not len(before) == count_left_over(state.setup) == len(known) + 1 == len(evidence) - 1
    ):
        return None
    likely = {tile for read in before.cells.values() for tile in read.likely}
    now = [read.sure for read in evidence.cells.values()]
    came = [tile for tile in now if tile is not None and tile in likely and tile not in known]
    return came[0] if len(came) == 1 and None not in now and _may_be_placed(state) else None


def _that_lay_first(state: State, evidence: Evidence) -> tuple[Tile, ...]:
    """Return the tiles that lay on the first picture, if others came; none where one of them is in doubt.

    Once the camera was bumped that is known from the tables before alone (film 411416). Where fewer of them
    lie there than did, others lie in their places: two had been exchanged (film 423725, unanswered). What
    came beside them is none of them, though all were in doubt (470054).
    """

    def lay_first(read: TileEvidence) -> bool:
        return read.lay_first or read.sure in state.lay_first

    if all(lay_first(read) for read in evidence.cells.values()):
        return ()
    lay = [read.sure for read in _lowest(evidence).values() if lay_first(read)]
    sure = tuple(tile for tile in lay if tile is not None and tile not in INCENDIARIES)
    left_over = count_left_over(state.setup)
    unread = [] if state.unread_row is None else [*state.unread_row.cells.values()]
    lay_there = sum(read.lay_first for read in unread) or len(unread)
    return sure if min(lay_there, left_over) <= len(sure) == len(lay) <= left_over else ()


def _may_be_things(state: State, evidence: Evidence) -> bool:
    """Return whether more lies there than is left over and one tile, all of it from the first picture on.

    A rulebook that shows a pyramid lay beside the left-over tile: the game began with it (film 465785). Or it
    lies in groups far from one another, of which tiles may have changed.
    """
    lay_first = all(read.lay_first for read in evidence.cells.values())
    is_more = len(evidence) > count_left_over(state.setup) + 1
    return is_more and (lay_first or _lie_apart(evidence.cells))


def _lie_apart(places: Collection[int]) -> bool:
    """Return whether some places, by number, are two groups with room for two rows or slots between them.

    No play leads to that: an open hand lay beside the pyramid, and 13 wrong lines were told (470313).
    """
    first = next(iter(places))
    return len(_joined(first, places, may_be_one_pyramid)) < len(places)


def _has_gone(state: State, evidence: Evidence) -> bool:
    """Return whether what lay there first is gone: at most half of it is read, and of few none as it lay.

    Two notes passed for the left-over tile and the one that was placed first (film 465814); of four another
    was asked about first (470054). A page may show the tiles that are left over, which lay there first, too.
    """
    unjudged = Evidence.of(state.unjudged[0]) if state.unjudged else None
    first = state.things or state.first_table or unjudged
    if first is None or not evidence.cells:
        return False
    if state.things is None and not all(read.lay_first for read in first.cells.values()):
        return False
    now = evidence.cells.values()
    there = [
        [read.lay_first for read in now if {*read.likely} & {*lay.likely}] for lay in first.cells.values()
    ]
    is_half = 2 * sum(map(bool, there)) <= len(first)
    return is_half and (state.things is not None or not any(map(any, there)))


def begin_beside_things(state: State, evidence: Evidence) -> None:
    """Look at a table as if it were the first, for what lay there before was no game.

    What has come since may be placed (film 465781).

    Args:
        state: It is changed; its game has not begun.
        evidence: What was read of that table; nothing where something lies over it.
    """
    state.open_since = state.question = None
    state.things = state.first_table = state.unread_row = None
    state.unjudged.clear()
    if not evidence.cells:
        return
    came = [place for place, read in evidence.cells.items() if not read.lay_first]
    if len(came) == len(evidence) and state.row is None:
        state.row = ()
    elif read_left_over(state.setup, row := _without(evidence, came)) is not None:
        state.unread_row = row


def _without(evidence: Evidence, places: Sequence[int]) -> Evidence:
    """Return what was read without what lies in some places, by number."""
    for place in places:
        evidence = evidence.without(place)
    return evidence


def _ask_about_things(state: State, evidence: Evidence) -> Question:
    """Return what to ask where more lies there than can: not about what may be the left-over tiles.

    Who heard that these had to go, too, said that the table is right (film 465830).
    """
    seen = evidence.best_layout(state.game.layout, stand_ins=True)
    assert isinstance(seen, Layout)  # any tile may stand for one that cannot be told
    most = count_left_over(state.setup)
    are_many = {place for place in seen.cells if len(_joined(place, seen.cells)) > most}
    return ask_first_table(seen, are_many or seen.cells)


def _joined(place: int, others: Iterable[int], are_joined: Callable[[int, int], bool] = touch) -> set[int]:
    """Return the places, by number, that are joined to one, or to others that are: that touch."""
    joined, left = {place}, {*others} - {place}
    while near := {other for other in left if any(are_joined(other, one) for one in joined)}:
        joined |= near
        left -= near
    return joined


def _may_be_thing(state: State, evidence: Evidence) -> bool:
    """Return whether an incendiary lies alone on the first table: if it was left over it left the game.

    A yellow die was surely read as a yellow 1, and told as placed (film 408071).
    """
    lone = evidence.cells[0].sure if [*evidence.cells] == [0] else None
    is_first = state.row is None and state.unread_row is None
    return is_first and lone in INCENDIARIES and lone not in state.told


def _ask_for_others(state: State, row: tuple[Tile, ...]) -> list[Announcement]:
    """Ask where the other left-over tiles are."""
    if row != state.row or asks_laid(state):
        state.row = row
        state.unjudged.clear()
    return state.ask(ask_left_over(count_left_over(state.setup), row))


def _ask_about_first(state: State, evidence: Evidence) -> list[Announcement] | None:
    """Ask about a table on which one tile may have been placed, or is none; None where nothing is to ask."""
    if _may_be_thing(state, evidence):
        state.stay_open()
        return state.ask(ask_at_first(0, evidence.cells[0].likely))
    if not has_one_more(state.setup, evidence):
        return None
    unread = next((place for place, read in evidence.cells.items() if read.sure is None), None)
    firsts = read_one_more(state.setup, evidence)
    if unread is None and not firsts:
        return None
    state.stay_open()
    state.announcer.table = str(evidence.best_layout(state.game.layout, stand_ins=True))
    if unread is None:
        state.first_table = evidence
        state.unjudged.clear()
        state.judge_later()
        return state.ask(ask_first(firsts))
    read = evidence.cells[unread]
    if read.covered:
        return []
    state.judge_later()
    return state.ask(ask_at_first(unread, read.likely))


def _row_later(state: State, row: Evidence, evidence: Evidence) -> dict[Tile, Sequence[Tile]]:
    """Return the same as `_row_of` where it is still seen, or was on a table that nobody judged yet.

    By the time play had gone on the left-over tiles were taken (film 470372, unanswered).
    """
    tables = [evidence, *map(Evidence.of, state.unjudged)]
    return next(filter(None, (_row_of(row, each) for each in tables)), {})


def _row_of(row: Evidence, evidence: Evidence) -> dict[Tile, Sequence[Tile]]:
    """Return the left-over tiles that nobody could tell, each with what it may be instead, as read later.

    Nobody said which they were, and play has gone on: none counted as left over, each of them as placed, and
    soon the game was lost (film 411129). Empty where others may be they as well.
    """
    base = _lowest(evidence)
    found = []
    for shift in range(-len(row), len(base) + 1):
        ways = [(base.get(place + shift), lay) for place, lay in row.cells.items()]
        common = [
            [] if read is None else [tile for tile in read.likely if tile in lay.likely] for read, lay in ways
        ]
        if all(common) and len({tiles[0] for tiles in common}) == len(common):
            found.append(
                {
                    tiles[0]: [] if read.is_surely(tiles[0]) else _others(read, tiles[0])
                    for tiles, (read, _lay) in zip(common, ways, strict=True)
                    if read is not None
                }
            )
    return found[0] if len(found) == 1 else {}


def _others(read: TileEvidence, tile: Tile) -> Sequence[Tile]:
    """Return what a tile that cannot be told may be instead."""
    choice = ALL_TILES if read.doubt(tile) > MAX_DOUBT else read.likely
    return [other for other in choice if other is not tile]


def _begin_untold(state: State, evidence: Evidence) -> list[Announcement]:
    """Begin before a table of which nobody said which tile was placed first, when play has gone on.

    Args:
        state: It is changed.
        evidence: That table. Which tile it was is not told, but the turns are counted.
    """
    unclear = state.announcer.remark(Remark.UNCLEAR)
    row = [read.sure for read in evidence.cells.values() if read.sure is not None]
    for _place, first in read_one_more(state.setup, evidence):
        begin(state, tuple(tile for tile in row if tile is not first))
        ways, _covered = fit_hypotheses([Hypothesis(state.game)], evidence, state.game)
        if ways:
            return [unclear, *decide(state, ways[0], evidence, range(len(ways[0].tail)))]
    return [unclear]  # where it lay no tile may be placed, and that is asked next


def keep_row(state: State, settled: Settled) -> None:
    """Remember the left-over tiles while something seems to lie beside them, before the game begins."""
    evidence = Evidence.of(settled)
    if (
        state.unread_row is None
        and not _may_be_placed(state)
        and len(evidence) == count_left_over(state.setup) > 0
    ):
        is_row = read_left_over(state.setup, evidence) is not None
        is_read = all(read.sure is not None for read in evidence.cells.values())
        state.unread_row = evidence if is_row and is_read else None


def _kept_row(state: State) -> tuple[Tile, ...]:
    """Return all left-over tiles, if each of them was surely read, though something seemed to lie there."""
    row = [] if state.unread_row is None else state.unread_row.cells.values()
    sure = tuple(read.sure for read in row if read.sure is not None)
    return sure if len(set(sure)) == len(row) == count_left_over(state.setup) else ()


def begin_before(state: State, first: Tile) -> list[Announcement]:
    """Begin with the tiles that lay on the first table but for the one that was placed first."""
    assert state.first_table is not None  # it was asked about
    read = [each.sure for _, each in sorted(_lowest(state.first_table).items())]
    return begin(state, tuple(tile for tile in read if tile is not None and tile is not first))


def _begin_with_laid(state: State, evidence: Evidence, row: tuple[Tile, ...]) -> list[Announcement]:
    """Begin with the lowest tiles, if they are as many as people laid; to begin with fewer would be a guess.

    Nobody could read one of them, and it was asked for the others again and again (film 407009). Where there
    is one more, it is asked which was placed first (film 420059).
    """
    lowest, laid = _lowest(evidence), count_left_over(state.setup)
    if state.first_table is not None and state.is_late(state.open_since):
        return begin(state, row_below(state, state.first_table))
    unread = next((place for place, read in lowest.items() if read.sure is None), None)
    if not laid <= len(lowest) <= laid + 1 or any(read.covered for read in lowest.values()):
        return _ask_for_others(state, row)
    if unread is not None:
        state.row = row
        return state.ask(ask_at_first(unread, lowest[unread].likely))
    sure = {place: read.sure for place, read in lowest.items() if read.sure is not None}
    if not {*sure.values()}.isdisjoint(INCENDIARIES):
        return _ask_for_others(state, row)
    if len(sure) == laid:
        return begin(state, tuple(sure.values()))
    if state.first_table is None:
        state.first_table, state.row = evidence, row
        state.unjudged.clear()
    state.stay_open()
    state.judge_later()
    return state.ask(ask_first([(place, tile) for place, tile in sure.items() if tile not in row]))


def row_below(state: State, evidence: Evidence) -> tuple[Tile, ...]:
    """Return the left-over tiles that people laid, if others were placed before they were seen.

    Which of the lowest tiles they are nobody saw: those most to the left count for them, so that as many were
    placed as were (film 404299).
    """
    assert state.row is not None  # it was asked for them
    most = count_left_over(state.setup)
    sure = [read.sure for read in _lowest(evidence).values()]
    laid = [tile for tile in sure if tile is not None and tile not in INCENDIARIES]
    return state.row if len(laid) < most else tuple(laid[:most])


def _lowest(evidence: Evidence) -> dict[int, TileEvidence]:
    """Return what was read on the table itself, by place number, from the left."""
    return {place: read for place, read in evidence.cells.items() if row_of(place) == 0}


def asks_laid(state: State) -> bool:
    """Return whether it is asked if the tile that came last is left over, or was placed."""
    return state.question is not None and state.question.asks_laid and not state.has_begun


def asks_first(state: State) -> bool:
    """Return whether it is asked which tile of the first table was placed."""
    asked = state.question
    return not state.has_begun and asked is not None and asked.kind is QuestionKind.PLACED_FIRST


def begin(
    state: State,
    row: tuple[Tile, ...],
    out: tuple[Tile, ...] = (),
    unread: Mapping[Tile, Sequence[Tile]] | None = None,
) -> list[Announcement]:
    """Begin with left-over tiles on the table.

    Args:
        state: It is changed.
        row: These tiles, from the left.
        out: Those that left the game, as far as people know them.
        unread: The tiles of the row that cannot be told -> what they may be instead; None: there are none.
    """
    unread = unread or {}
    row = tuple(dict.fromkeys(row))  # people may name two alike (film 465998)
    game, state.stand_ins = open_game(state.setup, row, out)
    state.has_begun = True
    state.settle_at(game)
    for tile, others in unread.items():
        state.announcer.unread[tile] = UnreadTile(0, 0, tuple(each for each in others if each not in row))
    return [state.announcer.remark(Remark.BEGINS, tiles=tuple(tile for tile in row if tile not in unread))]
