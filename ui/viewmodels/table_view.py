"""What the window shows, as plain frozen values: no Qt, no rules, no sentences of its own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.rules.layout import Layout


class Tone(Enum):
    """How the referee speaks."""

    CALM = "calm"
    """Nothing to do."""
    MAYHEM = "mayhem"
    """Something must be resolved."""
    QUESTION = "question"
    """The referee must be told something first."""
    MISSED = "missed"
    """Mayhem was missed, and is found out now."""
    NOTICE = "notice"
    """The picture could not be read, or is being read: no alarm."""


class Ring(Enum):
    """How a tile of the current step is marked, on the photo and on the drawing alike."""

    NONE = "none"
    CAUSE = "cause"
    """The tile that the step is about."""
    TAKEN = "taken"
    """A tile that the step takes."""


@dataclass(frozen=True, slots=True)
class TileView:
    """One tile of the drawn pyramid."""

    code: str
    """Colour letter and number."""
    row: int
    slot: int
    unsure: bool = False
    ring: Ring = Ring.NONE


@dataclass(frozen=True, slots=True)
class Outline:
    """One tile of the live picture."""

    code: str
    """Colour letter and number."""
    quad: tuple[tuple[float, float], ...]
    """Its corners, as shares of the picture's width and height."""
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class FallArrow:
    """A fall that is shown at the tile which falls."""

    row: int
    slot: int
    left: bool
    right: bool


def wrong_tiles(lying: Layout, right: Layout) -> dict[str, Ring]:
    """Return how tiles are marked that must come off, or lie in the wrong place."""
    marks = {}
    for tile in lying.cells.values():
        if right.find(tile) is None:
            marks[tile.code] = Ring.TAKEN
        elif right.find(tile) != lying.find(tile):
            marks[tile.code] = Ring.CAUSE
    return marks
