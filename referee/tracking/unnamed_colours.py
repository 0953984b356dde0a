"""Ask once which colour several tiles have that look alike, before any of them is asked about. Rule 5."""

from __future__ import annotations

from dataclasses import replace

from referee.rules.tiles import CODES, TILES, Colour
from referee.search.evidence import MAX_DOUBT
from referee.search.observation import ObservedGroup, ObservedTile, Settled
from referee.tracking.announcements import Announcement, Asked
from referee.tracking.explain_table import look
from referee.tracking.questions import AskedPlace, QuestionKind, ask_which_colour
from referee.tracking.state import State


def explain(state: State, settled: Settled) -> list[Announcement]:
    """Explain a settled table; if the colour of some of its tiles is unknown, ask for that first."""
    told = settled
    for group in settled.groups:
        colour = state.colours.get(group.places)
        if colour is not None:
            told = _with_colour(told, group, colour)
    state.last = told
    open_ones = [
        group for group in settled.groups if group.places not in state.colours and _is_new(state, told, group)
    ]
    question, forbidden, asks_it = state.question, state.forbidden, asks_colour(state)
    lines = look(state, told)
    stays = asks_it and not open_ones and _is_open(state.unnamed, told)
    if not (open_ones or stays) or not state.is_in_doubt or state.is_late(state.open_since):
        return lines
    # What the table asks for hangs on the colour, which comes first.
    lines = [line for line in lines if not isinstance(line, Asked)]
    state.question = question
    if state.forbidden is not forbidden:
        state.forbidden = state.contrived = None
    if stays:
        return lines
    state.unnamed = max(open_ones, key=_worth_asking)
    tiles = {(tile.row, tile.slot): tile for tile in told.tiles}
    leftmost = min(tile.slot for tile in told.tiles)
    places = [
        AskedPlace(row, slot - leftmost, tuple(code for code, _ in tiles[row, slot].codes))
        for row, slot in state.unnamed.places
    ]
    asked = ask_which_colour(places, [colour for colour, _ in state.unnamed.colours])
    if asks_colour(state):
        state.question = asked  # the same doubt on a later table
    return lines + state.ask(asked)


def hear_colour(state: State, colour: Colour | None) -> list[Announcement]:
    """Somebody says which colour the tiles have; None: nobody knows."""
    assert state.last is not None  # it was asked about
    assert state.unnamed is not None
    state.colours[state.unnamed.places] = colour
    state.question = None
    return explain(state, state.last)


def asks_colour(state: State) -> bool:
    """Return whether the open question is one about colours."""
    return state.question is not None and state.question.kind is QuestionKind.WHICH_COLOUR


def _worth_asking(group: ObservedGroup) -> float:
    """Return for how many tiles the answer tells something that is not known."""
    return len(group.places) * (1 - max(chance for _, chance in group.colours))


def _is_new(state: State, settled: Settled, group: ObservedGroup) -> bool:
    """Return whether two tiles of a group or more are not known from earlier tables."""
    leftmost = min(tile.slot for tile in settled.tiles)
    places = {(tile.row, tile.slot) for tile in settled.tiles}
    known = [state.game.layout.get(row, slot - leftmost) for row, slot in group.places]
    return places.issuperset(group.places) and sum(tile is None for tile in known) > 1


def _is_open(group: ObservedGroup | None, settled: Settled) -> bool:
    """Return whether the tiles of a group lie there still, and none of them can be told without its colour.

    Two questions took turns from look to look, for the group was not always as doubtful.
    """
    doubtful = {(tile.row, tile.slot) for tile in settled.tiles if not tile.sure}
    return group is not None and doubtful.issuperset(group.places)


def _with_colour(settled: Settled, group: ObservedGroup, colour: Colour) -> Settled:
    """Return a table on which all tiles of a group have a colour; doubt about their weights stays."""
    return replace(
        settled,
        tiles=tuple(
            _coloured(tile, colour) if (tile.row, tile.slot) in group.places else tile
            for tile in settled.tiles
        ),
    )


def _coloured(tile: ObservedTile, colour: Colour) -> ObservedTile:
    """Return a tile in a colour, by the chances of its weights."""
    chances: dict[str, float] = {}
    for code, chance in tile.codes:
        named = f"{colour.value}{TILES[code].weight}"
        if named in CODES:
            chances[named] = min(1.0, chances.get(named, 0.0) + chance)
    codes = tuple(sorted(chances.items(), key=lambda each: -each[1]))
    return replace(tile, codes=codes, sure=bool(codes) and codes[0][1] >= 1 - MAX_DOUBT)
