"""What the referee asks, and what it says of a step done wrongly: doubts and sentences. Rule 5."""

from __future__ import annotations

from collections.abc import Sequence

from referee.errors import Phrase
from referee.rules.game import Action, Place
from referee.rules.layout import Layout, place_number, row_of, slot_of
from referee.rules.tiles import TILES, Tile
from referee.tracking.announcements import Doubt, Either, Sentence, Tiles
from referee.tracking.hypotheses import roll_of
from referee.tracking.mistakes import find_differences

_IS_IT = Phrase("Is the tile in row {row} from the bottom, slot {slot} from the left, {tiles}?")
_UNREAD = Phrase("Which tile lies in row {row} from the bottom, slot {slot} from the left?")
_UNSEEN = Phrase("A tile was placed, and tiles came off before I could see it. Was it {tiles}?")
_ROLL = Phrase("What did the fire die show?")
_ROLLED = Phrase("Was the fire die rolled, and what did it show?")
_ORDER = Phrase("Which was placed first, {tiles}?")
_UNCLEAR = Phrase("I cannot tell what happened. Please correct the table, or just go on.")
_NO_PLACE = Phrase(
    "{tile} may not be placed there: gaps are filled first, and the base grows only at its ends. Move the "
    "tile, or say that the table is right as it lies."
)
_PUT_BACK = Phrase(
    "The rules do not lead to this table. Put {tiles} back, or say that the table is right as it lies."
)
_TAKE_OFF = Phrase(
    "The rules do not lead to this table. Take {tiles} off, or say that the table is right as it lies."
)
_MOVE_BACK = Phrase(
    "The rules do not lead to this table. Move {tiles} back, or say that the table is right as it lies."
)
_PUT_RIGHT = Phrase(
    "The rules do not lead to this table. Look at {tiles}: put right what is wrong, or say that the table is "
    "right as it lies."
)
_HARDLY = Phrase(
    "The rules hardly lead to this table. Look at {tiles}: put right what is wrong, or say that the table is "
    "right as it lies."
)
_EXCHANGED = Phrase(
    "In row {row} from the bottom, slot {slot} from the left, there was {known}, and now I read {seen}. "
    "Which of the two is it?"
)
_LEFT_LYING = Phrase("Done wrongly: take {left} off as well.")
_TAKEN = Phrase("Done wrongly: put {gone} back.")
_LEFT_AND_TAKEN = Phrase("Done wrongly: put {gone} back, and take {left} off.")
_FALLEN = Phrase("Done wrongly: move {moved}. A tile falls one row, to the left or to the right.")

MAX_NAMED = 4
"""Most tiles that a question about one slot names."""

Alternative = tuple[Layout, Sequence[Action]]
"""A table, and how it came about since the game was certain."""

Asked = tuple[tuple[Doubt, ...], Sentence]
"""A question: the places it is about, and the sentence."""


def ask_which(alternatives: Sequence[Alternative], at: int) -> Asked:
    """Return what to ask when several explanations remain, the likeliest first.

    Args:
        alternatives: The explanations.
        at: Index of the first action that is in doubt.
    """
    codes: dict[tuple[int, int, bool], list[str]] = {}
    for layout, actions in alternatives:
        action = actions[at] if at < len(actions) else None
        if not isinstance(action, Place):
            return _ask_unseen(alternatives, at)
        place = layout.find(action.tile)
        where = (action.row, max(action.slot, 0)) if place is None else (row_of(place), slot_of(place))
        found = codes.setdefault((*where, place is not None), [])
        if action.tile.code not in found:
            found.append(action.tile.code)
    doubts = tuple(Doubt(row, slot, tuple(named)) for (row, slot, _), named in codes.items())
    tiles = Either(TILES[code] for code in dict.fromkeys(code for doubt in doubts for code in doubt.codes))
    (row, slot, is_seen), *others = codes
    if not is_seen:
        return doubts, Sentence(_UNSEEN, {"tiles": tiles})
    if others:
        return doubts, Sentence(_ORDER, {"tiles": tiles})
    return doubts, _ask_tile(row, slot, tiles)


def _ask_unseen(alternatives: Sequence[Alternative], at: int) -> Asked:
    """Return what to ask where not all that may have happened begins with a placement."""
    second = alternatives[min(1, len(alternatives) - 1)][0]
    differences = find_differences(alternatives[0][0], second)
    rolls = {roll_of(actions[at:]) for _, actions in alternatives}
    if not differences and len(rolls) > 1:
        return (), Sentence(_ROLLED if 0 in rolls else _ROLL, {"rolls": range(0 not in rolls, 7)})
    if len(alternatives) == 2 and len(differences) == 1:
        (found,) = differences
        tiles = [tile for tile in (found.expected, found.seen) if tile is not None]
        return ask_unread(place_number(found.row, found.slot), tiles)
    return (), Sentence(_UNCLEAR)


def ask_unread(place: int, likely: Sequence[Tile] = ()) -> Asked:
    """Return what to ask about a tile that cannot be told, and that is probably one of a few, if of any."""
    row, slot = row_of(place), slot_of(place)
    return (Doubt(row, slot, tuple(tile.code for tile in likely)),), _ask_tile(row, slot, likely)


def _ask_tile(row: int, slot: int, likely: Sequence[Tile]) -> Sentence:
    """Return what to ask about one tile on the table; few that it may be are named."""
    where: dict[str, object] = {"row": row + 1, "slot": slot + 1}
    if 0 < len(likely) <= MAX_NAMED:
        return Sentence(_IS_IT, {**where, "tiles": Either(likely)})
    return Sentence(_UNREAD, where)


def ask_about_table(expected: Layout, seen: Layout, *, hardly: bool = False) -> Asked:
    """Return what to ask about a table that the rules forbid, or hardly lead to."""
    doubts: list[Doubt] = []
    for found in find_differences(seen, expected):
        codes = [tile.code for tile in (found.expected, found.seen) if tile is not None]
        doubts.append(Doubt(found.row, found.slot, tuple(codes)))
    if not doubts:
        return (), Sentence(_UNCLEAR)
    known, lying = _tiles(expected), _tiles(seen)
    if not hardly and len(doubts) == 1 and len(lying) == len(known) + 1:
        return tuple(doubts), Sentence(_NO_PLACE, {"tile": TILES[doubts[0].codes[0]]})
    tiles = Tiles(TILES[code] for code in dict.fromkeys(code for doubt in doubts for code in doubt.codes))
    pattern = _PUT_RIGHT
    if hardly:
        pattern = _HARDLY
    elif all(tile in known and tile in lying for tile in tiles):
        pattern = _MOVE_BACK
    elif all(tile not in lying for tile in tiles):
        pattern = _PUT_BACK
    elif all(tile not in known for tile in tiles):
        pattern = _TAKE_OFF
    return tuple(doubts), Sentence(pattern, {"tiles": tiles})


def ask_exchanged(place: int, known: Tile, seen: Tile) -> Asked:
    """Return what to ask when another tile than the known one is surely read, again and again."""
    row, slot = row_of(place), slot_of(place)
    values = {"row": row + 1, "slot": slot + 1, "known": known, "seen": seen}
    return (Doubt(row, slot, (known.code, seen.code)),), Sentence(_EXCHANGED, values)


def tell_wrong(right: Layout, seen: Layout) -> Sentence:
    """Return what is wrong with a step, given the nearest right table."""
    should, lying = _tiles(right), _tiles(seen)
    gone = Tiles(tile for tile in should if tile not in lying)
    left = Tiles(tile for tile in lying if tile not in should)
    if left and gone:
        return Sentence(_LEFT_AND_TAKEN, {"left": left, "gone": gone})
    if left:
        return Sentence(_LEFT_LYING, {"left": left})
    if gone:
        return Sentence(_TAKEN, {"gone": gone})
    moved = Tiles(found.seen for found in find_differences(right, seen) if found.seen is not None)
    return Sentence(_FALLEN, {"moved": moved})


def _tiles(layout: Layout) -> list[Tile]:
    return list(layout.cells.values())
