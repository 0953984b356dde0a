"""What the rules refuse to speak about: kinds of errors, and what exactly is wrong as a `Fault`.

    RefereeError
    ├── NotationError    badly written: a layout, a request, a coordinate (also a ValueError)
    ├── TileError        a tile that does not exist, or is there twice (also a ValueError)
    ├── OptionError      a setting or a value of one that does not exist (also a ValueError)
    ├── PlacementError   well written, but not a place where a tile may go now (also a ValueError)
    ├── ChoiceError      an answer that does not fit what was asked (also a ValueError)
    └── RecordError      a saved game that cannot be read on (also a ValueError)

Mayhem is never an error; it is an answer.
"""

from __future__ import annotations

from enum import Enum


class Fault(Enum):
    """What is wrong. Names in `backquotes` are the values that come with it.

    The engine has no sentences for people; those of the faults are in `ui/text/errors.py`.
    """

    # What is written: a line, a request, a value in one
    LINE_TOO_LONG = "line-too-long"
    """A line has more bytes than are read: `limit`."""
    NOT_UTF8 = "not-utf8"
    """A line is no UTF-8 from its byte number `byte` on."""
    NOT_JSON = "not-json"
    """A line is no JSON: `what`, at character number `column`."""
    NOT_A_JSON_NUMBER = "not-a-json-number"
    """A line holds NaN or an infinity, called `name`."""
    NUMBER_TOO_LONG = "number-too-long"
    """A line holds a number of more digits than are read."""
    NESTED_TOO_DEEPLY = "nested-too-deeply"
    """The lists and objects of a line lie too deep in each other."""
    DOUBLE_KEY = "double-key"
    """An object has its `key` twice."""
    NOT_AN_OBJECT = "not-an-object"
    """A request is not an object but the JSON type `found`."""
    WRONG_TYPE = "wrong-type"
    """The value of `key` is of the JSON type `found`, not of `expected`."""
    OUT_OF_RANGE = "out-of-range"
    """The number `value` of `key` is not from `least` to `most`."""
    FAR_OUT_OF_RANGE = "far-out-of-range"
    """The same, for a number of too many digits to be repeated."""
    TOO_MANY_PARTS = "too-many-parts"
    """The list of `key` has more than `most` parts."""
    NOT_A_PAIR = "not-a-pair"
    """A list in `key` has not two parts."""

    # A request to judge
    NO_LAYOUT = "no-layout"
    """The request has no layout."""
    UNKNOWN_VARIANT = "unknown-variant"
    """There is no way to miss mayhem called `value`."""
    UNKNOWN_CHOICE = "unknown-choice"
    """A choice is neither left nor right but `value`."""
    PLACE_LACKS = "place-lacks"
    """The place of the request has no `key`."""
    PLACE_FAR_OFF = "place-far-off"
    """The number of `key` in the place of the request is far off any table."""
    TOO_MANY_ENDINGS = "too-many-endings"
    """`layout` can end in `count` ways, of which `limit` are listed at most."""
    TREE_TOO_LARGE = "tree-too-large"
    """`layout` can end in more ways than are looked at."""

    # Tiles and layouts
    UNKNOWN_TILE = "unknown-tile"
    """There is no tile `code`."""
    UNKNOWN_TILE_IN_LAYOUT = "unknown-tile-in-layout"
    """There is no tile `code`, which `layout` has."""
    DOUBLE_TILE = "double-tile"
    """The tile `code` is there twice."""
    DOUBLE_TILE_IN_LAYOUT = "double-tile-in-layout"
    """The tile `code` is twice in `layout`."""
    EMPTY_SLOT_TEXT = "empty-slot-text"
    """`layout` has nothing where a tile or `-` must stand."""
    BASE_TOO_WIDE = "base-too-wide"
    """A base has `width` slots, which no table has."""
    TOO_MANY_ROWS = "too-many-rows"
    """`layout` has `rows` rows; over `width` base slots the highest is row `top`."""
    WRONG_ROW_LENGTH = "wrong-row-length"
    """Row `row` of `layout` has `found` slots; over `width` base slots it has `expected`."""
    ROW_BELOW_BASE = "row-below-base"
    """There is no row `row`, as it is below the base."""

    # Placements and settings
    TILE_LIES_ALREADY = "tile-lies-already"
    """The tile `code` lies in `layout` already."""
    NO_PLACE_AT_ALL = "no-place-at-all"
    """Nothing can be placed on `layout`: it has no base."""
    NOT_A_PLACE = "not-a-place"
    """`code` cannot go to `row` and `slot` of `layout`, only to `places`."""
    UNKNOWN_RULE = "unknown-rule"
    """There is no setting `name`; those that exist are `known`."""
    UNKNOWN_RULE_VALUE = "unknown-rule-value"
    """The setting `name` has no value `value`; those that exist are `known`."""
    NOT_NAME_AND_VALUE = "not-name-and-value"
    """The text `part` of a setting is not NAME=VALUE."""

    # A game
    WRONG_ANSWER = "wrong-answer"
    """`given` is no answer to what is needed: `need`."""
    NOTHING_HAPPENS = "nothing-happens"
    """On `layout` nothing happens by itself."""
    NOTHING_TO_ACCEPT = "nothing-to-accept"
    """Player `number`, from 1, has placed nothing that could be accepted."""
    GAME_OVER = "game-over"
    """The game is over: player `number`, from 1, has won."""
    TILE_LEFT_GAME = "tile-left-game"
    """The tile `code` left the game."""
    WRONG_TOTAL = "wrong-total"
    """`layout`, `stocks` and `out` tiles out of the game make `total` tiles, not 45."""
    TILE_IN_TWO_PLACES = "tile-in-two-places"
    """The tile `code` is to lie on the table and be out of the game."""
    WRONG_PLAYERS = "wrong-players"
    """There cannot be `players` players."""
    WRONG_LEFT_OVER = "wrong-left-over"
    """With `players` players `left` tiles are left over, not `found`."""
    DOUBLE_LEFT_OVER = "double-left-over"
    """A tile is left over twice."""
    UNKNOWN_INPUT = "unknown-input"
    """There is no input called `kind`."""

    # The cube game
    NO_MOVES = "no-moves"
    """The request has no moves."""
    MOVE_NOT_AN_OBJECT = "move-not-an-object"
    """Move `number` is not an object but the JSON type `found`."""
    MOVE_AT = "move-at"
    """The place of move `number` is not three whole numbers."""
    MOVE_FAR_OFF = "move-far-off"
    """The place of move `number` is far off the board."""
    MOVE_COLOUR = "move-colour"
    """The colour of move `number` is neither light nor dark."""
    IN_MOVE = "in-move"
    """Move `number` is not allowed; `problem` says why."""
    NO_SUCH_PLACE = "no-such-place"
    """The board has no place `at`."""
    CUBE_LIES_ALREADY = "cube-lies-already"
    """A cube lies at `at`."""
    SPACE_OWED = "space-owed"
    """A cube at `at` must wait: `side` has `spaces` to fill first."""
    NOT_A_SPACE = "not-a-space"
    """At `at` not all three cubes below are there."""
    NO_CUBE_LEFT = "no-cube-left"
    """`side` has no cube of `colour` left for `at`."""
    PYRAMID_COMPLETE = "pyramid-complete"
    """No place is left, so none at `at`."""

    # A saved game
    CUT_OFF = "cut-off"
    """Line `number` is cut off, or no JSON."""
    NOT_A_RECORD_LINE = "not-a-record-line"
    """Line `number` is none of a saved game."""
    LINE_CHANGED = "line-changed"
    """The check sum of line `number` is not that of the lines up to it."""
    OTHER_FORMAT = "other-format"
    """The file is not of `format` and `version`."""
    IN_LINE = "in-line"
    """Line `number` does not fit; `problem` says why."""


class RefereeError(Exception):
    """Any input that the rules cannot speak about: a fault and its values. `str` is for developers."""

    def __init__(self, fault: Fault, **values: object) -> None:
        super().__init__(fault)
        self.fault = fault
        self.values = {name: _shortened(value) for name, value in values.items()}

    def __str__(self) -> str:
        """Return the fault with its values, such as `unknown-tile: code='R41'`."""
        told = ", ".join(f"{name}={_told(value)}" for name, value in self.values.items())
        return f"{self.fault.value}: {told}" if told else self.fault.value

    def __reduce__(self) -> tuple[object, ...]:
        """Return what pickle needs, for errors that cross a process border."""
        return _rebuild, (type(self), self.fault, self.values)


class NotationError(RefereeError, ValueError):
    """Badly written."""


class TileError(RefereeError, ValueError):
    """An unknown tile, or one that is there twice."""


class OptionError(RefereeError, ValueError):
    """An unknown setting, or a value it does not have."""


class PlacementError(RefereeError, ValueError):
    """Well written, but not an allowed place; the values name the allowed ones."""


class ChoiceError(RefereeError, ValueError):
    """An answer that does not fit the question."""


class RecordError(RefereeError, ValueError):
    """A saved game that cannot be read on."""


MAX_QUOTE = 400
"""Longest text, in characters, that an error quotes whole; the largest layout of 45 tiles has fewer."""


def _shortened(value: object) -> object:
    """Return a value fit for an error: a text of any length is cut to what can be read."""
    if type(value) is str and len(value) > MAX_QUOTE:
        return f"{value[:MAX_QUOTE]}…"
    return value


def _told(value: object) -> str:
    """Return a value as a developer reads it; what is wrong within a line or a move stands in brackets."""
    if isinstance(value, RefereeError):
        return f"({value})"
    return value.value if isinstance(value, Enum) else repr(value)


def _rebuild(kind: type[RefereeError], fault: Fault, values: dict[str, object]) -> RefereeError:
    """Return an equal error from its fault and values."""
    return kind(fault, **values)
