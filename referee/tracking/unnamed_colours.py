"""Ask once which colour several tiles have that look alike, before any of them is asked about. Rule 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.rules.layout import Layout
from referee.rules.tiles import CODES, TILES, Colour
from referee.search.evidence import MAX_DOUBT, Evidence
from referee.search.observation import ObservedGroup, ObservedTile, Settled
from referee.tracking.announcements import Announcement, Asked
from referee.tracking.explain_table import look
from referee.tracking.questions import AskedPlace, Question, QuestionKind, ask_which_colour
from referee.tracking.state import State

Places = tuple[tuple[int, int], ...]
"""(row, slot) of tiles, as they are counted on one table."""


def explain(state: State, settled: Settled) -> list[Announcement]:
    """Explain a settled table; if the colour of some of its tiles is unknown, ask for that first."""
    _count_places(state, settled)
    told = settled
    for group_places, colour in state.colours.items():
        if colour is not None:
            told = _with_colour(told, group_places, colour)
    state.last = told
    open_ones = [
        group for group in settled.groups if group.places not in state.colours and _is_new(state, told, group)
    ]
    question, forbidden, asks_it = state.question, state.forbidden, asks_colour(state)
    lines = look(state, told)
    stays = question is not None and asks_it and not open_ones and _is_open(state, told, question)
    if not (open_ones or stays) or not state.is_in_doubt or state.is_late(state.open_since):
        return lines
    if any(_asks_one_of(state, told, group, lines) for group in open_ones):
        return lines  # who names that tile tells the colour of the others
    # What the table asks for hangs on the colour, which comes first.
    lines = [line for line in lines if not isinstance(line, Asked)]
    state.question = question
    if state.forbidden is not forbidden:
        state.forbidden = state.contrived = None
    if stays:
        return lines
    group = max(open_ones, key=_worth_asking)
    state.coloured_on = told
    tiles = {(tile.row, tile.slot): tile for tile in told.tiles}
    places = [
        AskedPlace(row, slot - _leftmost(told), tuple(code for code, _ in tiles[row, slot].codes))
        for row, slot in group.places
    ]
    asked = ask_which_colour(places, [colour for colour, _ in group.colours])
    if asks_colour(state):
        state.question = asked  # the same doubt on a later table
    return lines + state.ask(asked)


def hear_colour(state: State, colour: Colour | None) -> list[Announcement]:
    """Somebody says which colour the tiles have; None: nobody knows."""
    assert state.last is not None  # it was asked about
    assert state.question is not None
    leftmost = _leftmost(state.last)
    state.colours[tuple((place.row, place.slot + leftmost) for place in state.question.places)] = colour
    state.question = None
    return explain(state, state.last)


def asks_colour(state: State) -> bool:
    """Return whether the open question is one about colours."""
    return state.question is not None and state.question.kind is QuestionKind.WHICH_COLOUR


def _worth_asking(group: ObservedGroup) -> float:
    """Return for how many tiles the answer tells something that is not known."""
    return len(group.places) * (1 - max(chance for _, chance in group.colours))


def _count_places(state: State, settled: Settled) -> None:
    """Count the places of those tiles as they are on a table: others may lie to their left now.

    Where one did, the same was asked once more on each table.
    """
    before = state.coloured_on
    if before is None or not (asks_colour(state) or state.colours) or not settled.tiles:
        return
    state.coloured_on = settled
    lay = Evidence.of(before).best_layout(state.game.layout, stand_ins=True)
    assert isinstance(lay, Layout)  # stand-ins lie where a tile cannot be told
    shift = Evidence.of(settled).shift_from(lay)
    by = shift + _leftmost(settled) - _leftmost(before)
    state.colours = {_moved(places, by): colour for places, colour in state.colours.items()}
    if state.question is not None and asks_colour(state):
        places = tuple(replace(place, slot=place.slot + shift) for place in state.question.places)
        state.question = replace(state.question, places=places)


def _moved(places: Places, by: int) -> Places:
    """Return places so many slots further right."""
    return tuple((row, slot + by) for row, slot in places)


def _leftmost(settled: Settled) -> int:
    return min((tile.slot for tile in settled.tiles), default=0)


def _is_new(state: State, settled: Settled, group: ObservedGroup) -> bool:
    """Return whether two tiles of a group or more are not known from earlier tables."""
    leftmost = _leftmost(settled)
    places = {(tile.row, tile.slot) for tile in settled.tiles}
    known = [state.game.layout.get(row, slot - leftmost) for row, slot in group.places]
    return places.issuperset(group.places) and sum(tile is None for tile in known) > 1


def _is_open(state: State, settled: Settled, question: Question) -> bool:
    """Return whether a tile whose colour was asked is still in doubt, and no other is asked about now.

    Two questions took turns from look to look, for the group was not always as doubtful.
    """
    tiles = {(tile.row, tile.slot): tile for tile in settled.tiles}

    def is_in_doubt(place: AskedPlace) -> bool:
        tile = tiles.get((place.row, place.slot + _leftmost(settled)))
        return tile is not None and not tile.sure and any(code in place.codes for code, _ in tile.codes)

    in_doubt = [is_in_doubt(place) for place in question.places]
    if all(in_doubt):
        return True
    places = {(place.row, place.slot) for place in question.places}
    now = () if state.question is None else state.question.places
    return any(in_doubt) and places.issuperset((place.row, place.slot) for place in now)


def _asks_one_of(state: State, settled: Settled, group: ObservedGroup, lines: Sequence[Announcement]) -> bool:
    """Return whether a tile of a group was asked about by itself on an earlier table, and still is."""
    asked = state.question
    if asked is None or asked.kind is not QuestionKind.WHICH_TILE or lines:
        return False
    places = {(place.row, place.slot + _leftmost(settled)) for place in asked.places}
    return places.issubset(group.places)


def _with_colour(settled: Settled, places: Places, colour: Colour) -> Settled:
    """Return a table on which what is in doubt in some places has a colour; doubt about weights stays."""
    tiles = (
        _coloured(tile, colour) if not tile.sure and (tile.row, tile.slot) in places else tile
        for tile in settled.tiles
    )
    return replace(settled, tiles=tuple(tiles))


def _coloured(tile: ObservedTile, colour: Colour) -> ObservedTile:
    """Return a tile in a colour, by the chances of its weights."""
    chances: dict[str, float] = {}
    for code, chance in tile.codes:
        named = f"{colour.value}{TILES[code].weight}"
        if named in CODES:
            chances[named] = min(1.0, chances.get(named, 0.0) + chance)
    codes = tuple(sorted(chances.items(), key=lambda each: -each[1]))
    return replace(tile, codes=codes, sure=bool(codes) and codes[0][1] >= 1 - MAX_DOUBT)
