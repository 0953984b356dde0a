"""What a follower announces: one frozen value each, for a user interface to put into words. Rule 5.

`referee.formats.announcement_json` writes them as `watch --json` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.rules.events import Event
from referee.rules.layout import Layout
from referee.rules.tiles import Tile
from referee.rules.verdict import Verdict
from referee.tracking.questions import Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One thing that is said."""

    turn: int
    """From 1."""
    player: int
    """Whose turn it is, from 0."""
    layout: str
    """The settled table, in canonical form."""
    stocks: tuple[int, ...]
    """Each player's tiles after what is said here."""
    time_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TilePlaced(Announcement):
    """A tile was placed."""

    tile: Tile
    row: int
    slot: int
    """In the canonical layout just after the placement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MayhemFound(Announcement):
    """What must be resolved now."""

    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class MayhemMissed(Announcement):
    """Mayhem was missed, and must be resolved as an interruption."""

    since: int
    """The turn whose mayhem nobody resolved in time."""
    verdict: Verdict
    payer: int | None
    """Who pays; None: what comes off leaves the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone(Announcement):
    """An event of a verdict was carried out."""

    step: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWrong(Announcement):
    """A step was done wrongly."""

    right: tuple[Layout, ...]
    """The tables that would be right, the nearest first."""
    put_back: tuple[Tile, ...] = ()
    """What was taken and should lie on the nearest right table."""
    take_off: tuple[Tile, ...] = ()
    """What still lies and should not."""
    move: tuple[Tile, ...] = ()
    """What lies in a wrong slot, where nothing is to be put back or taken off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFixed(Announcement):
    """What was done wrongly was put right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Announcement):
    """The referee must ask."""

    question: Question


class Remark(Enum):
    """Something that people should know, and need not answer."""

    STABLE = "stable"
    """A check was called, and nothing must be resolved."""
    COVERED = "covered"
    """Something has been lying over the table for a while."""
    SET_ASIDE = "set-aside"
    """A tile cannot be read; the game goes on, and nothing that depends on it is announced."""
    UNCLEAR = "unclear"
    """What happened stays unclear; the game goes on with the table as it lies."""
    TAKEN_OVER = "taken-over"
    """The table is taken as it lies, though the rules do not lead to it."""
    BEGINS = "begins"
    """The game begins; the left-over tiles are known."""
    READ = "read"
    """A tile that could not be read so far can be read now."""
    FOUND = "found"
    """The game was lost and goes on with a table that was shown; turn and stocks are not certain."""
    OUTSIDE = "outside"
    """Something about the camera or the table that comes from outside, in the user's own language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remarked(Announcement):
    """A remark is made."""

    remark: Remark
    row: int = 0
    slot: int = 0
    """With `SET_ASIDE` and `READ`: where the tile lies."""
    tiles: tuple[Tile, ...] = ()
    """With `BEGINS`: the left-over tiles on the table, from the left. With `READ`: the tile."""
    text: str = ""
    """With `OUTSIDE`: what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver(Announcement):
    """Somebody has won."""

    winner: int | None
    """Index of the player; None in records that do not tell."""
