"""What a follower is told: settled tables, checks, answers, corrections, notices. Rule 5.

Each is a frozen value that goes to JSON and back, so that a game can be followed again from what was
stored of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from referee.errors import NotationError
from referee.formats.judge_json import wrong_type
from referee.rules.layout import MAX_BASE, Layout
from referee.rules.tiles import Tile

MAX_TILES = 256
"""Most tiles of one settled table; a reader may see things that are none, but not as many."""
MAX_TEXT = 1000
"""Longest notice, in characters."""


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile of a settled table."""

    row: int
    """0 is the base."""
    slot: int
    """From the leftmost slot in use, which need not be 0."""
    codes: tuple[tuple[str, float], ...]
    """(code, chance) of what it may be, likeliest first; chances of 0 to 1, together at most 1. None where
    nothing is known."""
    sure: bool = True
    """Whether the reader vouches for the first code."""
    covered: bool = False
    """Whether something lies over it: the place is right, the codes are guesses."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The table at rest, as it was read."""

    time_s: float
    """Seconds in the source; never falls from one input to the next."""
    tiles: tuple[SeenTile, ...]
    hidden: bool = False
    """Whether something lies over the table that may hide tiles."""

    def to_dict(self) -> dict[str, object]:
        """Return the table for JSON."""
        tiles = [
            {"row": tile.row, "slot": tile.slot, "codes": [[code, chance] for code, chance in tile.codes],
             "sure": tile.sure, "covered": tile.covered}
            for tile in self.tiles
        ]  # fmt: skip
        return {"input": "settled", "time_s": self.time_s, "tiles": tiles, "hidden": self.hidden}


@dataclass(frozen=True, slots=True)
class CheckCalled:
    """Somebody calls for a check. Rule 5, missed mayhem."""

    time_s: float
    player: int | None = None
    """Who, from 0; None where nobody knows."""

    def to_dict(self) -> dict[str, object]:
        """Return the check for JSON."""
        return {"input": "check", "time_s": self.time_s, "player": self.player}


class Reply(Enum):
    """What an answer says."""

    TILE = "tile"
    """Which tile it is that was asked about."""
    ROLL = "roll"
    """What the fire die showed."""
    AS_IT_LIES = "as-it-lies"
    """The table is right as it lies."""
    MENDED = "mended"
    """The table was put right; look again."""
    OK = "ok"
    """The next player says OK to the active player's tile. Rule 5 (French rulebook)."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question was answered."""

    time_s: float
    reply: Reply
    code: str | None = None
    """With `Reply.TILE`: the tile that lies, or was placed, there."""
    row: int | None = None
    """With `Reply.TILE`: where, as the question told it."""
    slot: int | None = None
    roll: int | None = None
    """With `Reply.ROLL`: 1 to 6; or 0: nobody rolled the die."""

    def to_dict(self) -> dict[str, object]:
        """Return the answer for JSON."""
        return {"input": "answer", "time_s": self.time_s, "reply": self.reply.value, "code": self.code,
                "row": self.row, "slot": self.slot, "roll": self.roll}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Corrected:
    """The people put right what the referee knows."""

    time_s: float
    layout: Layout
    """The table as it lies."""
    stocks: tuple[int, ...] | None = None
    """Each player's tiles; None: what came off or on is reckoned with the player whose turn it is."""
    out: tuple[Tile, ...] | None = None
    """The tiles out of the game; None: as they were."""
    turn: int | None = None
    """The turn, from 1, whose tile lies; None: as it was."""

    def to_dict(self) -> dict[str, object]:
        """Return the correction for JSON."""
        return {
            "input": "correction", "time_s": self.time_s, "layout": str(self.layout),
            "stocks": None if self.stocks is None else list(self.stocks),
            "out": None if self.out is None else [tile.code for tile in self.out],
            "turn": self.turn,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something about the camera or the table that people are told, and that changes nothing."""

    time_s: float
    text: str

    def to_dict(self) -> dict[str, object]:
        """Return the notice for JSON."""
        return {"input": "notice", "time_s": self.time_s, "text": self.text}


_Kind = TypeVar("_Kind")

Input = Settled | CheckCalled | Answered | Corrected | Noticed


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
