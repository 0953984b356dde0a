"""Begin a game with the left-over tiles that are seen on the table. Rule 5."""

from __future__ import annotations

from referee.rules.layout import Layout
from referee.rules.tiles import Tile
from referee.search.evidence import Evidence
from referee.tracking.announcements import Announcement, Remark
from referee.tracking.game_start import count_left_over, open_game, read_left_over, read_row_later
from referee.tracking.questions import ask_left_over, ask_unread
from referee.tracking.state import State


def begin_with(state: State, evidence: Evidence) -> list[Announcement]:
    """Find the left-over tiles on the table. Rule 5."""
    places = read_left_over(state.setup, evidence)
    if places is None:
        return begin(state, state.row or read_row_later(state.unread_row, evidence))
    row: list[Tile] = []
    for place in places:
        read = evidence.cells[place]
        tile = next((each for each in read.likely if each not in row), None)
        if tile is None or not (read.is_surely(tile) or state.is_late(state.open_since)):
            state.stay_open()
            state.unread_row = evidence
            return [] if read.covered else state.ask(ask_unread(place, read.likely))
        row.append(tile)
    state.announcer.table = str(Layout.from_tiles({(0, slot): tile for slot, tile in enumerate(row)}))
    if len(row) == count_left_over(state.setup):
        return begin(state, tuple(row))
    state.row = tuple(row)
    return state.ask(ask_left_over(count_left_over(state.setup), row))


def begin(state: State, row: tuple[Tile, ...], out: tuple[Tile, ...] = ()) -> list[Announcement]:
    """Begin with these left-over tiles on the table, and these out of the game."""
    game, state.stand_ins = open_game(state.setup, row, out)
    state.has_begun = True
    state.settle_at(game)
    return [state.announcer.remark(Remark.BEGINS, tiles=row)]
