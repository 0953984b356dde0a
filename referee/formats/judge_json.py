"""One `judge` request to its answer, as plain dicts; no input or output."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

from referee.errors import ChoiceError, Fault, NotationError, RefereeError
from referee.formats.codec import flag_of, is_far_off, json_type, of_type, optional_whole_of, text_of
from referee.rules.events import Air, Collapse, Curse, DieNeed, Direction, Event, Explosion, Fall, Fire, Need
from referee.rules.layout import Layout
from referee.rules.options import DEFAULTS, Options, read_options
from referee.rules.outcomes import Outcome, grow_tree, list_outcomes
from referee.rules.placement import Slot, find_places, place_tile
from referee.rules.resolve import (
    Missed,
    ResolutionState,
    begin,
    begin_placed,
    make_terms,
    resolve_from,
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
    raise NotationError(Fault.NOT_A_JSON_NUMBER, name=name)


def _read_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object; one that says a thing twice says nothing sure."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotationError(Fault.DOUBLE_KEY, key=twice)
    return found


_decode = json.JSONDecoder(object_pairs_hook=_read_object, parse_constant=_refuse_constant).decode


def read_request(line: bytes) -> Mapping[str, object]:
    """Return the JSON object of one request line.

    Raises:
        NotationError: The line is too long, not UTF-8, not JSON, or no object.
    """
    line = line.rstrip(b"\r\n")
    if len(line) > MAX_LINE_BYTES:
        raise NotationError(Fault.LINE_TOO_LONG, limit=MAX_LINE_BYTES)
    try:
        request = _decode(line.decode())
    except RefereeError:
        raise
    except UnicodeDecodeError as error:
        raise NotationError(Fault.NOT_UTF8, byte=error.start + 1) from error
    except json.JSONDecodeError as error:
        raise NotationError(Fault.NOT_JSON, what=error.msg, column=error.colno) from error
    except ValueError as error:
        raise NotationError(Fault.NUMBER_TOO_LONG) from error
    except RecursionError as error:
        raise NotationError(Fault.NESTED_TOO_DEEPLY) from error
    if type(request) is not dict:
        raise NotationError(Fault.NOT_AN_OBJECT, found=json_type(request))
    return request


def answer_request(request: Mapping[str, object]) -> Answer:
    """Return the answer to one request.

    >>> answer_request({"layout": "R40 B20", "place": {"tile": "B7", "row": 1, "slot": 0}})["out"]
    ['B7']

    Raises:
        RefereeError: The request is bad; the fault says how.
    """
    get = request.get
    if get("layout") is None:
        raise NotationError(Fault.NO_LAYOUT)
    text = text_of(request, "layout")
    layout, shift = Layout.parse_shifted(text)
    rules = get("rules")
    options = DEFAULTS if rules is None else read_options(of_type("rules", dict, rules))
    players = optional_whole_of(request, "players", 2, 6) or 2
    active = optional_whole_of(request, "active", 0, players - 1) or 0
    missed = _read_missed(get("missed"))
    choices = _read_choices(get("choices"))
    die = optional_whole_of(request, "die", 1, 6)
    tree = get("tree") is not None and flag_of(request, "tree")

    terms = make_terms(players, active, missed)
    place = get("place")
    state: ResolutionState
    if place is None:
        state = begin(layout, terms)
    else:
        tile, row, slot = _read_place(place)
        layout = place_tile(layout, tile, row, slot, shift, text)
        state = begin_placed(layout, tile, terms, options)
    if tree and not choices:
        return _all_outcomes(state, options, die)
    done = resolve_from(state, options, choices, die)
    return resolution_to_dict(done.events, done.state)


def _all_outcomes(state: ResolutionState, options: Options, die: int | None) -> Answer:
    """Return every ending of a resolution that has just begun, as `judge` answers a request for the tree."""
    tree = grow_tree(state, options, die)
    if tree.root.endings > MAX_OUTCOMES:
        raise NotationError(
            Fault.TOO_MANY_ENDINGS, count=tree.root.endings, layout=str(state.layout), limit=MAX_OUTCOMES
        )
    return {"outcomes": [outcome_to_dict(outcome) for outcome in list_outcomes(tree)]}


def _read_missed(value: object) -> Missed | None:
    """Return by which variant the request is an interruption, if it is one."""
    if value is None:
        return None
    name = of_type("missed", str, value)
    if name not in _MISSED:
        raise NotationError(Fault.UNKNOWN_VARIANT, value=name)
    return _MISSED[name]


def _read_choices(value: object) -> list[Direction]:
    """Return the answers to the falls."""
    if value is None:
        return []
    return [_read_choice(of_type("a choice", str, given)) for given in of_type("choices", list, value)]


def _read_choice(name: str) -> Direction:
    """Return the answer to a fall."""
    if name not in _DIRECTIONS:
        raise ChoiceError(Fault.UNKNOWN_CHOICE, value=name)
    return _DIRECTIONS[name]


def _read_place(place: object) -> tuple[Tile, int, int]:
    """Return tile, row and slot of a placement."""
    found = of_type("place", dict, place)
    for key in ("tile", "row", "slot"):
        if found.get(key) is None:
            raise NotationError(Fault.PLACE_LACKS, key=key)
    code = of_type("place.tile", str, found["tile"])
    row = of_type("place.row", int, found["row"])
    slot = of_type("place.slot", int, found["slot"])
    for key, value in (("row", row), ("slot", slot)):
        if is_far_off(value):
            raise NotationError(Fault.PLACE_FAR_OFF, key=key)
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


def resolution_to_dict(events: Sequence[Event], state: ResolutionState) -> Answer:
    """Return a resolution as `judge` answers it."""
    need = state.need
    piles, out = share_out(events)
    answer: Answer = {
        "layout": str(state.layout),
        "stable": need is None,
        "events": [event_to_dict(event) for event in events],
        "needs": need_to_dict(need),
        "piles": {str(player): _codes(tiles) for player, tiles in sorted(piles.items())},
        "out": _codes(out),
    }
    if need is None:
        answer["places"] = places_to_list(find_places(state.layout))
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
