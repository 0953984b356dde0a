"""One `judge` request to its answer, as plain dicts; no input or output."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

from referee.errors import ChoiceError, NotationError, Phrase, RefereeError
from referee.rules.events import Air, Collapse, Curse, DieNeed, Direction, Event, Explosion, Fall, Fire, Need
from referee.rules.layout import Layout
from referee.rules.options import DEFAULTS, Options, read_options
from referee.rules.outcomes import Outcome, grow_tree, list_outcomes
from referee.rules.placement import Slot, find_places, place_tile
from referee.rules.resolve import (
    Missed,
    Standing,
    begin,
    begin_placed,
    make_terms,
    resolve_standing,
    share_out,
)
from referee.rules.tiles import Tile

MAX_LINE_BYTES = 1 << 20
"""Longest request line that is read; a layout of all 45 tiles is far below it."""

MAX_OUTCOMES = 100_000
"""Most endings that one answer lists; each takes about 300 bytes."""

Answer = dict[str, object]

_DIRECTIONS = {direction.value: direction for direction in Direction}
_MISSED = {missed.value: missed for missed in Missed}


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which JSON does not have."""
    raise NotationError("The line is not JSON: {name} is no JSON number.", name=name)


def _read_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object; one that says a thing twice says nothing sure."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotationError("The key {key!r} is there twice.", key=twice)
    return found


_decode = json.JSONDecoder(object_pairs_hook=_read_object, parse_constant=_refuse_constant).decode


def read_request(line: bytes) -> Mapping[str, object]:
    """Return the JSON object of one request line.

    Raises:
        NotationError: The line is too long, not UTF-8, not JSON, or no object.
    """
    line = line.rstrip(b"\r\n")
    if len(line) > MAX_LINE_BYTES:
        raise NotationError("The line is longer than {limit} bytes.", limit=MAX_LINE_BYTES)
    try:
        request = _decode(line.decode())
    except RefereeError:
        raise
    except UnicodeDecodeError as error:
        raise NotationError(
            "The line is not UTF-8: byte {byte} cannot be read.", byte=error.start + 1
        ) from error
    except json.JSONDecodeError as error:
        raise NotationError(
            "The line is not JSON: {what}, at column {column}.", what=error.msg, column=error.colno
        ) from error
    except ValueError as error:
        raise NotationError("The line is not JSON: a number is too long.") from error
    except RecursionError as error:
        raise NotationError("The line is nested too deeply.") from error
    if type(request) is not dict:
        raise NotationError("A request must be a JSON object, not {found}.", found=json_type(request))
    return request


_JSON_TYPES = {
    type(None): Phrase("null"),
    bool: Phrase("true or false"),
    int: Phrase("a whole number"),
    float: Phrase("a number with a point"),
    str: Phrase("a text"),
    list: Phrase("a list"),
    dict: Phrase("an object"),
}


def json_type(value: object) -> Phrase:
    """Return what JSON calls a value."""
    return _JSON_TYPES[type(value)]


def wrong_type(key: str, expected: type, value: object) -> NotationError:
    """Return what to say of a value of the wrong JSON type."""
    return NotationError(
        "{key} must be {expected}, not {found}.",
        key=key, expected=_JSON_TYPES[expected], found=json_type(value),
    )  # fmt: skip


def answer_request(request: Mapping[str, object]) -> Answer:
    """Return the answer to one request.

    >>> answer_request({"layout": "R40 B20", "place": {"tile": "B7", "row": 1, "slot": 0}})["out"]
    ['B7']

    Raises:
        RefereeError: The request is bad; the sentence says how.
    """
    get = request.get
    text = get("layout")
    if type(text) is not str:
        if text is None:
            raise NotationError("The request has no layout.")
        raise wrong_type("layout", str, text)
    layout, shift = Layout.parse_shifted(text)
    rules = get("rules")
    options = DEFAULTS if rules is None else _read_rules(rules)
    players = _read_number(request, "players", 2, 2, 6)
    active = _read_number(request, "active", 0, 0, players - 1)
    missed = _read_missed(get("missed"))
    choices = _read_choices(get("choices"))
    die = None if get("die") is None else _read_number(request, "die", 0, 1, 6)
    tree = get("tree")
    if tree is not None and type(tree) is not bool:
        raise wrong_type("tree", bool, tree)

    terms = make_terms(players, active, missed)
    place = get("place")
    standing: Standing
    if place is None:
        standing = begin(layout, terms)
    else:
        tile, row, slot = _read_place(place)
        layout = place_tile(layout, tile, row, slot, shift, text)
        standing = begin_placed(layout, tile, terms, options)
    if tree and not choices:
        tree_ = grow_tree(standing, options, die)
        if tree_.root.endings > MAX_OUTCOMES:
            raise NotationError(
                "There are {count} ways in which {layout!r} can end; at most {limit} are listed.",
                count=tree_.root.endings, layout=str(layout), limit=MAX_OUTCOMES,
            )  # fmt: skip
        return {"outcomes": [outcome_to_dict(outcome) for outcome in list_outcomes(tree_)]}
    done = resolve_standing(standing, options, choices, die)
    return resolution_to_dict(done.events, done.standing)


def _read_rules(rules: object) -> Options:
    """Return the options of a request."""
    if type(rules) is not dict:
        raise wrong_type("rules", dict, rules)
    return read_options(rules)


def _read_number(request: Mapping[str, object], key: str, default: int, least: int, most: int) -> int:
    """Return a whole number of a request, within its bounds."""
    value = request.get(key)
    if value is None:
        return default
    if type(value) is not int:
        raise wrong_type(key, int, value)
    if not least <= value <= most:
        raise NotationError("{key} must be from {least} to {most}, not {value}.",
                            key=key, least=least, most=most, value=_short(value))  # fmt: skip
    return value


def _short(value: int) -> str:
    """Return a number as text, a monstrous one by its length alone."""
    return str(value) if abs(value) < 10**20 else "a number of many digits"


def _read_missed(value: object) -> Missed | None:
    """Return by which variant the request is an interruption, if it is one."""
    if value is None:
        return None
    if type(value) is not str:
        raise wrong_type("missed", str, value)
    if value not in _MISSED:
        raise NotationError("missed must be family or strategy, not {value!r}.", value=value)
    return _MISSED[value]


def _read_choices(value: object) -> list[Direction]:
    """Return the answers to the falls."""
    if value is None:
        return []
    if type(value) is not list:
        raise wrong_type("choices", list, value)
    try:
        return [_DIRECTIONS[given] for given in value]
    except (KeyError, TypeError):
        wrong = next(given for given in value if type(given) is not str or given not in _DIRECTIONS)
    if type(wrong) is not str:
        raise wrong_type("a choice", str, wrong)
    raise ChoiceError("A choice must be left or right, not {value!r}.", value=wrong)


def _read_place(place: object) -> tuple[Tile, int, int]:
    """Return tile, row and slot of a placement."""
    if type(place) is not dict:
        raise wrong_type("place", dict, place)
    code, row, slot = place.get("tile"), place.get("row"), place.get("slot")
    for key, value in (("tile", code), ("row", row), ("slot", slot)):
        if value is None:
            raise NotationError("place has no {key}.", key=key)
    if type(code) is not str:
        raise wrong_type("place.tile", str, code)
    if type(row) is not int:
        raise wrong_type("place.row", int, row)
    if type(slot) is not int:
        raise wrong_type("place.slot", int, slot)
    for key, value in (("row", row), ("slot", slot)):
        if abs(value) >= 10**20:
            raise NotationError("place.{key} is far off any table.", key=key)
    return Tile.from_code(code), row, slot


def _codes(tiles: Iterable[Tile]) -> list[str]:
    """Return the codes of some tiles."""
    return [tile.code for tile in tiles]


def event_to_dict(event: Event) -> Answer:
    """Return an event as `judge`, `check` and `watch` write it."""
    found: Answer
    match event:
        case Air(tile, chooser):
            found = {"event": "air", "tile": tile.code, "chooser": chooser}
        case Collapse(tile, reasons, taken, payer):
            found = {"event": "collapse", "tile": tile.code, "reasons": [reason.value for reason in reasons],
                     "taken": _codes(taken), "payer": payer}  # fmt: skip
        case Fall(tile, direction, chooser):
            found = {"event": "fall", "tile": tile.code, "direction": direction.value, "chooser": chooser}
        case Explosion(tiles, taken, payer):
            found = {"event": "explosion", "tiles": _codes(tiles), "taken": _codes(taken), "payer": payer}
        case Fire(tile, taken, payer, leaves):
            found = {"event": "fire", "tile": tile.code, "taken": _codes(taken), "payer": payer,
                     "leaves": leaves}  # fmt: skip
        case Curse(tiles, taken, payer):
            found = {"event": "curse", "tiles": _codes(tiles), "taken": _codes(taken), "payer": payer}
        case _:
            found = {"event": "die", "roll": event.roll}
    found["layout"] = str(event.layout)
    return found


def need_to_dict(need: Need | None) -> Answer | None:
    """Return what stops a resolution as `judge`, `check` and `watch` write it."""
    if need is None:
        return None
    if isinstance(need, DieNeed):
        return {"choice": "die"}
    return {"choice": "fall", "tile": need.tile.code, "chooser": need.chooser}


def places_to_list(places: Iterable[Slot]) -> list[dict[str, int]]:
    """Return places as `judge` writes them."""
    return [{"row": row, "slot": slot} for row, slot in places]


def resolution_to_dict(events: Sequence[Event], standing: Standing) -> Answer:
    """Return a resolution as `judge` answers it."""
    need = standing.need
    piles, out = share_out(events)
    answer: Answer = {
        "layout": str(standing.layout),
        "stable": need is None,
        "events": [event_to_dict(event) for event in events],
        "needs": need_to_dict(need),
        "piles": {str(player): _codes(tiles) for player, tiles in sorted(piles.items())},
        "out": _codes(out),
    }
    if need is None:
        answer["places"] = places_to_list(find_places(standing.layout))
    return answer


def outcome_to_dict(outcome: Outcome) -> Answer:
    """Return one ending of a tree as `judge` writes it."""
    return {
        "choices": [choice.value for choice in outcome.choices],
        "die": outcome.die,
        "layout": str(outcome.layout),
        "piles": {str(player): _codes(tiles) for player, tiles in sorted(outcome.piles.items())},
        "out": _codes(outcome.out),
    }


def error_to_dict(sentence: str, line: int) -> Answer:
    """Return what stands in the place of an answer to a bad request."""
    return {"error": sentence, "line": line}


encode = json.JSONEncoder(check_circular=False).encode
"""Any answer as one line of JSON."""
