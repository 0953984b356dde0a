"""What went wrong as whole sentences: those of the rules, by fault, and those of the program itself."""

from __future__ import annotations

from collections.abc import Mapping

from referee.errors import Fault, RefereeError
from referee.formats.codec import JsonType
from referee.rules.resolve import Needed
from referee.rules.tiles import Tile
from ui.text.catalogue import _, mark, say
from ui.text.sentences import in_words, tile_name
from ui.text.table import capital

FAULTS: Mapping[Fault, str] = {
    Fault.LINE_TOO_LONG: mark("The line is longer than {limit} bytes."),
    Fault.NOT_UTF8: mark("The line is not UTF-8: byte {byte} cannot be read."),
    Fault.NOT_JSON: mark("The line is not JSON: {what}, at column {column}."),
    Fault.NOT_A_JSON_NUMBER: mark("The line is not JSON: {name} is no JSON number."),
    Fault.NUMBER_TOO_LONG: mark("The line is not JSON: a number is too long."),
    Fault.NESTED_TOO_DEEPLY: mark("The line is nested too deeply."),
    Fault.DOUBLE_KEY: mark("The key {key!r} is there twice."),
    Fault.NOT_AN_OBJECT: mark("A request must be a JSON object, not {found}."),
    Fault.WRONG_TYPE: mark("{key} must be {expected}, not {found}."),
    Fault.OUT_OF_RANGE: mark("{key} must be from {least} to {most}, not {value}."),
    Fault.FAR_OUT_OF_RANGE: mark("{key} must be from {least} to {most}, not a number of many digits."),
    Fault.TOO_MANY_PARTS: mark("{key} has more than {most} parts."),
    Fault.NOT_A_PAIR: mark("{key} must be a list of pairs."),
    Fault.NO_LAYOUT: mark("The request has no layout."),
    Fault.UNKNOWN_VARIANT: mark("missed must be family or strategy, not {value!r}."),
    Fault.UNKNOWN_CHOICE: mark("A choice must be left or right, not {value!r}."),
    Fault.PLACE_LACKS: mark("place has no {key}."),
    Fault.PLACE_FAR_OFF: mark("place.{key} is far off any table."),
    Fault.TOO_MANY_ENDINGS: mark(
        "There are {count} ways in which {layout!r} can end; at most {limit} are listed."
    ),
    Fault.TREE_TOO_LARGE: mark("There are too many ways in which {layout!r} can end."),
    Fault.UNKNOWN_TILE: mark(
        "There is no tile {code!r}; a code is a colour letter and a weight, such as R40, Y1 or M200."
    ),
    Fault.UNKNOWN_TILE_IN_LAYOUT: mark("There is no tile {code!r}, in the layout {layout!r}."),
    Fault.DOUBLE_TILE: mark("{code} is there twice."),
    Fault.DOUBLE_TILE_IN_LAYOUT: mark("{code} is there twice in {layout!r}."),
    Fault.EMPTY_SLOT_TEXT: mark(
        "{layout!r} has an empty slot text; rows are separated by one '/', slots by one space, "
        "and an empty slot is '-'."
    ),
    Fault.BASE_TOO_WIDE: mark("A base of {width} slots is wider than any table."),
    Fault.TOO_MANY_ROWS: mark(
        "{layout!r} has {rows} rows; a base of {width} slots carries no row above row {top}."
    ),
    Fault.WRONG_ROW_LENGTH: mark(
        "Row {row} of {layout!r} has {found} slots; over a base of {width} it must have {expected}."
    ),
    Fault.ROW_BELOW_BASE: mark("Row {row} lies below the base, which is row 0."),
    Fault.TILE_LIES_ALREADY: mark("{code} lies on the table already, in {layout!r}."),
    Fault.NO_PLACE_AT_ALL: mark("No tile can be placed on {layout!r}: it has no base to extend."),
    Fault.NOT_A_PLACE: mark(
        "{code} cannot go to row {row}, slot {slot} of {layout!r}; "
        "the allowed places (row, slot) are {places}."
    ),
    Fault.UNKNOWN_RULE: mark("There is no rule {name!r}; the rules are {known}."),
    Fault.UNKNOWN_RULE_VALUE: mark("The rule {name} cannot be {value!r}; it can be {known}."),
    Fault.NOT_NAME_AND_VALUE: mark("{part!r} is not of the form NAME=VALUE."),
    Fault.WRONG_ANSWER: mark("{given!r} does not answer what is needed, which is {need}."),
    Fault.NOTHING_HAPPENS: mark("Nothing happens by itself on {layout!r}."),
    Fault.NOTHING_TO_ACCEPT: mark("There is nothing to say OK to: player {number} has not placed a tile."),
    Fault.GAME_OVER: mark("The game is over: player {number} has won."),
    Fault.TILE_LEFT_GAME: mark("{code} left the game and cannot be placed."),
    Fault.WRONG_TOTAL: mark(
        "{layout!r}, stocks of {stocks} and {out} tiles out of the game make {total} tiles, not 45."
    ),
    Fault.TILE_IN_TWO_PLACES: mark("{code} cannot lie on the table and be out of the game."),
    Fault.WRONG_PLAYERS: mark("2 to 6 can play, not {players}."),
    Fault.WRONG_LEFT_OVER: mark("With {players} players {left} tiles are left over, not {found}."),
    Fault.DOUBLE_LEFT_OVER: mark("A left-over tile is named twice."),
    Fault.UNKNOWN_INPUT: mark("{kind!r} is no input of a game that is followed."),
    Fault.NO_MOVES: mark("The request has no moves."),
    Fault.MOVE_NOT_AN_OBJECT: mark("Move {number} must be an object, not {found}."),
    Fault.MOVE_AT: mark("Move {number}: at must be a list of three whole numbers."),
    Fault.MOVE_FAR_OFF: mark("Move {number}: at is far off the board."),
    Fault.MOVE_COLOUR: mark("Move {number}: colour must be light or dark."),
    Fault.IN_MOVE: mark("Move {number}: {problem}"),
    Fault.NO_SUCH_PLACE: mark("There is no place {at}."),
    Fault.CUBE_LIES_ALREADY: mark("A cube lies at {at} already, and placed cubes never move."),
    Fault.SPACE_OWED: mark("{at} must wait: {side} owes {spaces} first."),
    Fault.NOT_A_SPACE: mark("{at} is no free space: not all three cubes below it are there."),
    Fault.NO_CUBE_LEFT: mark("{side} has no {colour} cube left to place at {at}."),
    Fault.PYRAMID_COMPLETE: mark("The pyramid is complete, no cube can be placed at {at}."),
    Fault.CUT_OFF: mark("Line {number} is cut off or no JSON."),
    Fault.NOT_A_RECORD_LINE: mark("Line {number} is no line of a record."),
    Fault.LINE_CHANGED: mark("Line {number} was changed, or one before it is missing."),
    Fault.OTHER_FORMAT: mark("This is no {format} of version {version}."),
    Fault.IN_LINE: mark("Line {number}: {problem}"),
}
"""Fault of the rules -> its sentence; the places are filled with the values of the error."""

_JSON_TYPES: Mapping[JsonType, str] = {
    JsonType.NULL: mark("null"),
    JsonType.FLAG: mark("true or false"),
    JsonType.WHOLE: mark("a whole number"),
    JsonType.NUMBER: mark("a number with a point"),
    JsonType.TEXT: mark("a text"),
    JsonType.LIST: mark("a list"),
    JsonType.OBJECT: mark("an object"),
}
_NEEDED: Mapping[Needed, str] = {
    Needed.NOTHING: mark("nothing"),
    Needed.DIRECTION: mark("left or right"),
    Needed.ROLL: mark("a roll of 1 to 6"),
}

NO_GAME = mark("There is no game {number}.")
NO_GAME_OF_THIS_NUMBER = mark("There is no game of this number.")
GAME_FOLLOWED = mark(
    "Game {number} is already being followed, by process {process} of this computer: the app or watch. "
    "Only one may follow it. Stop that one first."
)
NO_TILE_THERE = mark("There is no tile in row {row}, slot {slot}.")
NO_LAYOUT_FILE = mark("{name!r} holds no layout: {problem}")
NOT_READABLE = mark("{name!r} cannot be read: {reason}.")
GAME_UNREADABLE = mark("The stored game cannot be read any more.")
SETTINGS_UNREADABLE = mark("The settings of this game cannot be understood.")
ENTRY_CHANGED = mark("Entry {number} of game {game} was changed, or one before it is missing.")
ENTRY_TOO_LARGE = mark("A stored entry may have up to {limit} bytes, not {size}.")
NOT_STORABLE = mark("This cannot be stored as JSON: {reason}.")
PICTURE_TOO_LARGE = mark("A stored picture may have up to {limit} bytes, not {size}.")
PICTURE_DAMAGED = mark("A stored picture cannot be shown: {problem}")
PICTURE_FOREIGN = mark("A stored picture cannot be shown: it has another size or format.")
GAMES_DAMAGED = mark(
    "The recorded games in {name!r} are damaged. Start the program again: it sets the file aside and "
    "begins a new one."
)
GAMES_REFUSED = mark(
    "The recorded games in {name!r} cannot be read or written: {reason}. Free some space, allow "
    "access, or name another folder in PYRAMID_REFEREE_DATA."
)
GAMES_OF_ANOTHER_PROGRAM = mark(
    "{name!r} is another program's file. Name another folder in PYRAMID_REFEREE_DATA."
)
GAMES_OF_NEWER_VERSION = mark(
    "The recorded games in {name!r} were written by a newer version of this program. Install it."
)
EXPORT_LINE_WRONG = mark("Line {number} is incomplete or wrong.")
EXPORT_ENDS_EARLY = mark("The file ends after {number} of {entries} entries.")
NO_INPUT = mark("The standard input is closed. Name a file of requests.")
NOT_OURS = mark(
    "{name!r} is there already, and this version did not write it: it is left as it is. Name another file, "
    "or rename or remove that one first."
)
IS_ORIGINAL = mark("{name!r} is what is read here, and is left as it is. Name another file.")
NOT_WRITTEN = mark("{name!r} cannot be written: {reason}. Name a file in another folder.")
NOT_SERVED = mark("Phones cannot be used now: {reason}. Check the network of this computer, then try again.")
TOO_MANY_PAGES = mark("The strip has {pages} pages; a PNG can hold {limit}. Write it as a PDF.")


def error_sentence(error: object) -> str:
    """Return what is wrong, as one sentence in the chosen language.

    Args:
        error: An error, or whatever else has a sentence's template and values; of others, their own words.
    """
    if isinstance(error, RefereeError):
        template, values = FAULTS[error.fault], error.values
    elif hasattr(error, "template") and hasattr(error, "values"):
        template, values = error.template, error.values
    else:
        return str(error)
    sentence = say(template, **{name: _in_words(value) for name, value in values.items()})
    tiles = [value for value in values.values() if isinstance(value, Tile)]
    is_first = any(sentence.startswith(tile_name(tile)) for tile in tiles)
    return capital(sentence) if is_first else sentence


def _in_words(value: object) -> object:
    """Return a value of a sentence as people say it; what has no words of its own stays as it is."""
    match value:
        case Exception():
            return error_sentence(value)
        case JsonType():
            return _(_JSON_TYPES[value])
        case Needed():
            return _(_NEEDED[value])
    return in_words(value)
