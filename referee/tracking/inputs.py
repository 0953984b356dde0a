"""What a follower is told: settled tables, checks, answers, corrections, notices. Rule 5.

Each is a frozen value. `referee.formats.input_json` writes and reads it, so that a game can be followed again
from what was stored of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.rules.layout import Layout
from referee.rules.tiles import Colour, Tile
from referee.search.observation import Settled


@dataclass(frozen=True, slots=True)
class CheckCalled:
    """Somebody calls for a check. Rule 5, missed mayhem."""

    time_s: float
    player: int | None = None
    """Who, from 0; None where nobody knows."""


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
    NO_TILE = "no-tile"
    """Another thing lies there, which was taken for tiles."""
    COLOUR = "colour"
    """Which colour the tiles have that were asked about."""
    PLAYER = "player"
    """Who placed the last tile."""
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
    colour: Colour | None = None
    """With `Reply.COLOUR`: the colour of the tiles that were asked about."""
    player: int | None = None
    """With `Reply.PLAYER`: who, from 0."""


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


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something about the camera or the table that people are told, and that changes nothing."""

    time_s: float
    text: str


Input = Settled | CheckCalled | Answered | Corrected | Noticed
