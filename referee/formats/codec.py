"""The values of a JSON object, each checked: type and bounds. For all that comes from outside as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from referee.errors import Fault, NotationError


class JsonType(Enum):
    """What a JSON value is."""

    NULL = "null"
    FLAG = "true-or-false"
    WHOLE = "whole-number"
    NUMBER = "number-with-point"
    TEXT = "text"
    LIST = "list"
    OBJECT = "object"


_JSON_TYPES = {
    type(None): JsonType.NULL,
    bool: JsonType.FLAG,
    int: JsonType.WHOLE,
    float: JsonType.NUMBER,
    str: JsonType.TEXT,
    list: JsonType.LIST,
    dict: JsonType.OBJECT,
}
_FAR = 10**20

_Kind = TypeVar("_Kind")


def json_type(value: object) -> JsonType:
    """Return what a JSON value is."""
    return _JSON_TYPES[type(value)]


def is_far_off(number: int) -> bool:
    """Whether a number has too many digits to be anything on a table, or to be repeated in an error."""
    return abs(number) >= _FAR


def of_type(key: str, kind: type[_Kind], value: object) -> _Kind:
    """Return a value that must be of a JSON type.

    >>> of_type("tile", str, "R40")
    'R40'

    Args:
        key: What the value is called, for errors.
        kind: The Python type that JSON of that type is read as.
        value: Any value that JSON can hold.

    Raises:
        NotationError: It is of another type.
    """
    if type(value) is not kind:
        raise NotationError(
            Fault.WRONG_TYPE, key=key, expected=_JSON_TYPES[kind], found=_JSON_TYPES[type(value)]
        )
    return value


def as_whole(key: str, value: object, least: int, most: int) -> int:
    """Return a value that must be a whole number within bounds.

    Raises:
        NotationError: It is none, or outside of them.
    """
    number = of_type(key, int, value)
    if least <= number <= most:
        return number
    raise _out_of_range(key, number, least, most)


def whole_of(found: Mapping[str, object], key: str, least: int, most: int) -> int:
    """Return the whole number of a key, within its bounds."""
    return as_whole(key, found.get(key), least, most)


def optional_whole_of(found: Mapping[str, object], key: str, least: int, most: int) -> int | None:
    """Return the whole number of a key, within its bounds; None where it is null or not there."""
    value = found.get(key)
    return None if value is None else as_whole(key, value, least, most)


def as_number(key: str, value: object, most: float = math.inf) -> float:
    """Return a value that must be a number from 0 to a bound, with a point or without.

    Raises:
        NotationError: It is none, or outside of the bounds, or infinite.
    """
    if type(value) is int:
        if is_far_off(value):
            raise _out_of_range(key, value, 0, most)
        value = float(value)
    value = of_type(key, float, value)
    if not 0 <= value <= most or not math.isfinite(value):
        raise _out_of_range(key, value, 0, most)
    return value


def text_of(found: Mapping[str, object], key: str) -> str:
    """Return the text of a key."""
    return of_type(key, str, found.get(key))


def flag_of(found: Mapping[str, object], key: str) -> bool:
    """Return whether a key is true."""
    return of_type(key, bool, found.get(key))


def list_of(found: Mapping[str, object], key: str, most: int) -> list[object]:
    """Return the list of a key, which has no more parts than a bound."""
    value: list[object] = of_type(key, list, found.get(key))
    if len(value) > most:
        raise NotationError(Fault.TOO_MANY_PARTS, key=key, most=most)
    return value


def _out_of_range(key: str, value: float, least: float, most: float) -> NotationError:
    """Return what is wrong with a number outside of its bounds."""
    if type(value) is int and is_far_off(value):
        return NotationError(Fault.FAR_OUT_OF_RANGE, key=key, least=least, most=most)
    return NotationError(Fault.OUT_OF_RANGE, key=key, least=least, most=most, value=value)
