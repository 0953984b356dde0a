"""What the referee asks, and what it says of a step done wrongly: doubts and sentences. Rule 5."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.errors import Phrase
from referee.game import Action, Place, Roll
from referee.layout import Layout, row_of, slot_of
from referee.lines import Doubt, Sentence
from referee.observe import find_differences
from referee.tiles import Tile

_WHICH = Phrase("Which tile lies in row {row} from below, place {place} from the left: {codes}?")
_IS_IT = Phrase("Is the tile in row {row} from below, place {place} from the left {codes}?")
_UNREAD = Phrase("Which tile lies in row {row} from below, place {place} from the left?")
_UNSEEN = Phrase("Tiles came off that nobody showed me. Which tile was placed: {codes}?")
_ROLL = Phrase("What did the fire die show: {rolls}?")
_ORDER = Phrase("Which tile was placed first: {codes}?")
_UNCLEAR = Phrase("What happened on the table is not clear. Please put me right, or go on.")
_NO_PLACE = Phrase(
    "{tile} may not be placed there: gaps must be filled first, and the base grows at its ends. Move it, or "
    "say that it is right as it lies."
)
_FORBIDDEN = Phrase(
    "By the rules the table cannot have come to lie like this. Missing: {missing}. Not expected: "
    "{unexpected}. In another place: {moved}. Put it right, or say that it is right as it lies."
)
_EXCHANGED = Phrase(
    "In row {row} from below, place {place} from the left {known} lay, and now {seen} is read. "
    "Which of the two is it?"
)
_LEFT_LYING = Phrase("Done wrongly: {left} must come off as well. It should be {layout}.")
_TAKEN = Phrase("Done wrongly: {gone} must stay. It should be {layout}.")
_LEFT_AND_TAKEN = Phrase("Done wrongly: {left} must come off, and {gone} must stay. It should be {layout}.")
_FALLEN = Phrase("Done wrongly: {moved} cannot lie there. It should be {layout}.")

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
            return (), _ask_unseen([each[at] for _, each in alternatives if at < len(each)])
        place = layout.find(action.tile)
        where = (action.row, max(action.slot, 0)) if place is None else (row_of(place), slot_of(place))
        found = codes.setdefault((*where, place is not None), [])
        if action.tile.code not in found:
            found.append(action.tile.code)
    doubts = tuple(Doubt(row, slot, tuple(named)) for (row, slot, _), named in codes.items())
    named = ", ".join(dict.fromkeys(code for doubt in doubts for code in doubt.codes))
    (row, slot, is_seen), *others = codes
    if not is_seen:
        return doubts, Sentence(_UNSEEN, {"codes": named})
    if others:
        return doubts, Sentence(_ORDER, {"codes": named})
    pattern = _WHICH if len(doubts[0].codes) > 1 else _IS_IT
    return doubts, Sentence(pattern, {"row": row + 1, "place": slot + 1, "codes": named})


def _ask_unseen(actions: Sequence[Action]) -> Sentence:
    """Return what to ask about something that left no trace by which to tell it."""
    rolls = [str(action.roll) for action in actions if isinstance(action, Roll)]
    if len(rolls) == len(actions):
        return Sentence(_ROLL, {"rolls": ", ".join(dict.fromkeys(rolls))})
    return Sentence(_UNCLEAR)


def ask_unread(place: int, likely: Sequence[Tile] = ()) -> Asked:
    """Return what to ask about a tile that cannot be told, and that is probably one of a few, if of any."""
    row, slot = row_of(place), slot_of(place)
    codes = tuple(tile.code for tile in likely)
    values: dict[str, object] = {"row": row + 1, "place": slot + 1}
    if len(codes) > 1:
        values["codes"] = ", ".join(codes)
    return (Doubt(row, slot, codes),), Sentence(_WHICH if len(codes) > 1 else _UNREAD, values)


def ask_about_table(expected: Layout, seen: Layout) -> Asked:
    """Return what to ask about a table that the rules forbid."""
    doubts: list[Doubt] = []
    for found in find_differences(seen, expected):
        codes = [tile.code for tile in (found.expected, found.seen) if tile is not None]
        doubts.append(Doubt(found.row, found.slot, tuple(codes)))
    known, lying = _tiles(expected), _tiles(seen)
    if len(doubts) == 1 and len(lying) == len(known) + 1:
        (doubt,) = doubts
        values: dict[str, object] = {"tile": doubt.codes[0]}
        return (doubt,), Sentence(_NO_PLACE, values)
    changed = {code for doubt in doubts for code in doubt.codes}
    moved = [tile for tile in known if tile in lying and tile.code in changed]
    values = {
        "missing": _codes(tile for tile in known if tile not in lying),
        "unexpected": _codes(tile for tile in lying if tile not in known),
        "moved": _codes(moved),
    }
    return tuple(doubts), Sentence(_FORBIDDEN, values)


def ask_exchanged(place: int, known: Tile, seen: Tile) -> Asked:
    """Return what to ask when another tile than the known one is surely read, again and again."""
    row, slot = row_of(place), slot_of(place)
    values = {"row": row + 1, "place": slot + 1, "known": known.code, "seen": seen.code}
    return (Doubt(row, slot, (known.code, seen.code)),), Sentence(_EXCHANGED, values)


def tell_wrong(right: Layout, seen: Layout) -> Sentence:
    """Return what is wrong with a step, given the nearest right table."""
    should, lying = _tiles(right), _tiles(seen)
    gone = [tile for tile in should if tile not in lying]
    left = [tile for tile in lying if tile not in should]
    moved = [found.seen for found in find_differences(right, seen) if found.seen in should]
    pattern = _FALLEN
    if left or gone:
        pattern = _LEFT_AND_TAKEN if left and gone else _LEFT_LYING if left else _TAKEN
    values = {"left": _codes(left), "gone": _codes(gone), "moved": _codes(tile for tile in moved if tile)}
    return Sentence(pattern, {**values, "layout": str(right)})


def _tiles(layout: Layout) -> list[Tile]:
    return list(layout.cells.values())


def _codes(tiles: Iterable[Tile]) -> str:
    return ", ".join(tile.code for tile in tiles) or "-"
