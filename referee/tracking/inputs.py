"""What a follower is told: settled tables, checks, answers, corrections, notices. Rule 5.

Each is a frozen value that goes to JSON and back, so that a game can be followed again from what was
stored of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from referee.errors import Fault, NotationError
from referee.formats.codec import (
    as_number,
    as_whole,
    flag_of,
    list_of,
    of_type,
    optional_whole_of,
    text_of,
    whole_of,
)
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


Input = Settled | CheckCalled | Answered | Corrected | Noticed


def input_from_dict(found: Mapping[str, object]) -> Input:
    """Return the input that a JSON object describes.

    Raises:
        NotationError: It describes none.
        TileError: It names a tile that does not exist.
    """
    kind, time_s = found.get("input"), as_number("time_s", found.get("time_s"))
    match kind:
        case "settled":
            tiles = tuple(_seen_tile(each) for each in list_of(found, "tiles", MAX_TILES))
            return Settled(time_s, tiles, flag_of(found, "hidden"))
        case "check":
            return CheckCalled(time_s, optional_whole_of(found, "player", 0, 5))
        case "answer":
            code = found.get("code")
            if code is not None:
                code = Tile.from_code(text_of(found, "code")).code
            row, slot = (optional_whole_of(found, key, 0, MAX_BASE) for key in ("row", "slot"))
            roll = optional_whole_of(found, "roll", 0, 6)
            return Answered(time_s, _reply(text_of(found, "reply")), code, row, slot, roll)
        case "correction":
            return _corrected(found, time_s)
        case "notice":
            return Noticed(time_s, text_of(found, "text")[:MAX_TEXT])
    raise NotationError(Fault.UNKNOWN_INPUT, kind=kind)


def _reply(text: str) -> Reply:
    """Return a reply by its name."""
    for reply in Reply:
        if reply.value == text:
            return reply
    raise NotationError(Fault.UNKNOWN_INPUT, kind=text)


def _corrected(found: Mapping[str, object], time_s: float) -> Corrected:
    """Return a correction."""
    layout = Layout.parse(text_of(found, "layout"))
    stocks = out = None
    if found.get("stocks") is not None:
        stocks = tuple(as_whole("stocks", each, 0, 45) for each in list_of(found, "stocks", 6))
    if found.get("out") is not None:
        out = tuple(Tile.from_code(of_type("out", str, each)) for each in list_of(found, "out", 45))
    return Corrected(time_s, layout, stocks, out, optional_whole_of(found, "turn", 1, MAX_BASE))


def _seen_tile(found: object) -> SeenTile:
    """Return one tile of a settled table."""
    tile = of_type("a tile", dict, found)
    codes = []
    for pair in list_of(tile, "codes", 45):
        parts = of_type("codes", list, pair)
        if len(parts) != 2:
            raise NotationError(Fault.NOT_A_PAIR, key="codes")
        code = Tile.from_code(of_type("codes", str, parts[0])).code
        codes.append((code, as_number("codes", parts[1], 1.0)))
    row, slot = (whole_of(tile, key, 0, MAX_BASE) for key in ("row", "slot"))
    return SeenTile(row, slot, tuple(codes), flag_of(tile, "sure"), flag_of(tile, "covered"))
