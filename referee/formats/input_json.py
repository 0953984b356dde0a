"""What a follower is told, to JSON and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

from referee.errors import NotationError
from referee.formats.judge_json import wrong_type
from referee.rules.layout import MAX_BASE, Layout
from referee.rules.tiles import Tile
from referee.search.observation import SeenTile, Settled
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Input, Noticed, Reply

MAX_TILES = 256
"""Most tiles of one settled table; a reader may see things that are none, but not as many."""
MAX_TEXT = 1000
"""Longest notice, in characters."""

_Kind = TypeVar("_Kind")


def input_to_dict(heard: Input) -> dict[str, object]:
    """Return an input for JSON."""
    match heard:
        case Settled(time_s, tiles, hidden):
            return {
                "input": "settled", "time_s": time_s, "tiles": [_tile_to_dict(tile) for tile in tiles],
                "hidden": hidden,
            }  # fmt: skip
        case CheckCalled(time_s, player):
            return {"input": "check", "time_s": time_s, "player": player}
        case Answered(time_s, reply, code, row, slot, roll):
            return {"input": "answer", "time_s": time_s, "reply": reply.value, "code": code,
                    "row": row, "slot": slot, "roll": roll}  # fmt: skip
        case Corrected(time_s, layout, stocks, out, turn):
            return {
                "input": "correction", "time_s": time_s, "layout": str(layout),
                "stocks": None if stocks is None else list(stocks),
                "out": None if out is None else [tile.code for tile in out],
                "turn": turn,
            }  # fmt: skip
        case Noticed(time_s, text):
            return {"input": "notice", "time_s": time_s, "text": text}


def _tile_to_dict(tile: SeenTile) -> dict[str, object]:
    return {"row": tile.row, "slot": tile.slot, "codes": [[code, chance] for code, chance in tile.codes],
            "sure": tile.sure, "covered": tile.covered}  # fmt: skip


def input_from_dict(found: Mapping[str, object]) -> Input:
    """Return the input that a JSON object describes.

    Raises:
        NotationError: It describes none.
        TileError: It names a tile that does not exist.
    """
    kind, time_s = found.get("input"), _number(found, "time_s")
    match kind:
        case "settled":
            tiles = tuple(_seen_tile(each) for each in _list(found, "tiles", MAX_TILES))
            return Settled(time_s, tiles, _flag(found, "hidden"))
        case "check":
            return CheckCalled(time_s, _optional_whole(found, "player", 0, 5))
        case "answer":
            code = found.get("code")
            if code is not None:
                code = Tile.from_code(_text(found, "code")).code
            row, slot = (_optional_whole(found, key, 0, MAX_BASE) for key in ("row", "slot"))
            roll = _optional_whole(found, "roll", 0, 6)
            return Answered(time_s, _reply(_text(found, "reply")), code, row, slot, roll)
        case "correction":
            return _corrected(found, time_s)
        case "notice":
            return Noticed(time_s, _text(found, "text")[:MAX_TEXT])
    raise NotationError("{kind!r} is no input of a game that is followed.", kind=kind)


def _reply(text: str) -> Reply:
    """Return a reply by its name."""
    for reply in Reply:
        if reply.value == text:
            return reply
    raise NotationError("{kind!r} is no input of a game that is followed.", kind=text)


def _corrected(found: Mapping[str, object], time_s: float) -> Corrected:
    """Return a correction."""
    layout = Layout.parse(_text(found, "layout"))
    stocks = out = None
    if found.get("stocks") is not None:
        stocks = tuple(_whole("stocks", each, 0, 45) for each in _list(found, "stocks", 6))
    if found.get("out") is not None:
        out = tuple(Tile.from_code(_of_type("out", str, each)) for each in _list(found, "out", 45))
    return Corrected(time_s, layout, stocks, out, _optional_whole(found, "turn", 1, MAX_BASE))


def _seen_tile(found: object) -> SeenTile:
    """Return one tile of a settled table."""
    tile = _of_type("a tile", dict, found)
    codes = []
    for pair in _list(tile, "codes", 45):
        if type(pair) is not list or len(pair) != 2:
            raise wrong_type("codes", list, pair)
        code = Tile.from_code(_of_type("codes", str, pair[0])).code
        codes.append((code, _number({"codes": pair[1]}, "codes", 1.0)))
    row, slot = (_whole(key, tile.get(key), 0, MAX_BASE) for key in ("row", "slot"))
    return SeenTile(row, slot, tuple(codes), _flag(tile, "sure"), _flag(tile, "covered"))


def _of_type(key: str, kind: type[_Kind], value: object) -> _Kind:
    """Return a value of a JSON type."""
    if type(value) is not kind:
        raise wrong_type(key, kind, value)
    return value


def _text(found: Mapping[str, object], key: str) -> str:
    return _of_type(key, str, found.get(key))


def _flag(found: Mapping[str, object], key: str) -> bool:
    return _of_type(key, bool, found.get(key))


def _list(found: Mapping[str, object], key: str, most: int) -> list[object]:
    value: list[object] = _of_type(key, list, found.get(key))
    if len(value) > most:
        raise NotationError("{key} has more than {most} parts.", key=key, most=most)
    return value


def _number(found: Mapping[str, object], key: str, most: float = math.inf) -> float:
    value = found.get(key)
    if type(value) is int:
        value = float(value)
    value = _of_type(key, float, value)
    if not 0 <= value <= most or not math.isfinite(value):
        raise NotationError("{key} must be from {least} to {most}, not {value}.",
                            key=key, least=0, most=most, value=value)  # fmt: skip
    return value


def _whole(key: str, value: object, least: int, most: int) -> int:
    value = _of_type(key, int, value)
    if not least <= value <= most:
        raise NotationError("{key} must be from {least} to {most}, not {value}.",
                            key=key, least=least, most=most, value=value)  # fmt: skip
    return value


def _optional_whole(found: Mapping[str, object], key: str, least: int, most: int) -> int | None:
    value = found.get(key)
    return None if value is None else _whole(key, value, least, most)
