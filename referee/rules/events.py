"""What happens during a resolution: one frozen dataclass an event, and what may be needed to go on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.rules.layout import Layout
from referee.rules.tiles import Tile


class Direction(Enum):
    """Where a tile falls to, as the printed numbers are read. Rule 2."""

    LEFT = "left"
    RIGHT = "right"


class Reason(Enum):
    """Why a tile is illegal. Rule 4.2. The order is that in which reasons are named."""

    MISMATCH = "mismatch"
    """It shares neither colour nor weight with what it rests on (of an overhang: see Options)."""
    OVERWEIGHT = "overweight"
    """It is heavier than what it rests on together."""


@dataclass(frozen=True, slots=True)
class Air:
    """A tile was found in free air. Its fall follows. Rule 4.1 (newer help)."""

    tile: Tile
    chooser: int | None
    """Who says where it falls to; None where nobody in particular does."""
    layout: Layout
    """The table after the event; so in every event."""


@dataclass(frozen=True, slots=True)
class Collapse:
    """An illegal tile lost its supports. Its fall follows. Rule 4.2 (all four rulebooks)."""

    tile: Tile
    reasons: tuple[Reason, ...]
    taken: tuple[Tile, ...]
    """What goes under the payer's pile, in this order; so in every event."""
    payer: int | None
    """Who takes it; None where it leaves the game."""
    layout: Layout


@dataclass(frozen=True, slots=True)
class Fall:
    """A tile fell one row. Rules 4.1 and 4.2."""

    tile: Tile
    direction: Direction
    chooser: int | None
    layout: Layout


@dataclass(frozen=True, slots=True)
class Explosion:
    """Incendiaries went off. Rule 4.3 (all four rulebooks), and the fire die's 5."""

    tiles: tuple[Tile, ...]
    """What leaves the game, in scanning order."""
    taken: tuple[Tile, ...]
    payer: int | None
    layout: Layout


@dataclass(frozen=True, slots=True)
class Fire:
    """An incendiary burned what could be reached from it. Rule 4.4 (all four rulebooks)."""

    tile: Tile
    taken: tuple[Tile, ...]
    """May be empty with the die, when an earlier incendiary left nothing to burn."""
    payer: int | None
    leaves: bool
    """Whether the incendiary left the game."""
    layout: Layout


@dataclass(frozen=True, slots=True)
class Curse:
    """Three tiles of one weight were cursed. Rule 4.5 (helps, French rulebook)."""

    tiles: tuple[Tile, ...]
    taken: tuple[Tile, ...]
    payer: int | None
    layout: Layout


@dataclass(frozen=True, slots=True)
class Die:
    """The fire die was rolled. Rule 4, fire die (helps, French rulebook)."""

    roll: int
    """1 to 6."""
    layout: Layout


Event = Air | Collapse | Fall | Explosion | Fire | Curse | Die


@dataclass(frozen=True, slots=True)
class FallNeed:
    """The resolution waits for somebody to say where a tile falls to."""

    tile: Tile
    chooser: int | None
    place: int
    """The tile's place number in the layout as it lies."""


@dataclass(frozen=True, slots=True)
class DieNeed:
    """The resolution waits for the fire die."""


Need = FallNeed | DieNeed


def taken_by(event: Event) -> tuple[Tile, ...]:
    """Return what an event put under the payer's pile."""
    return event.taken if isinstance(event, (Collapse, Explosion, Fire, Curse)) else ()


def payer_of(event: Event) -> int | None:
    """Return who took what an event took; None where it left the game, or where nothing is ever taken."""
    return event.payer if isinstance(event, (Collapse, Explosion, Fire, Curse)) else None


def removed_by(event: Event) -> tuple[Tile, ...]:
    """Return what an event itself removed from the game, beside what was taken."""
    if isinstance(event, Explosion):
        return event.tiles
    return (event.tile,) if isinstance(event, Fire) and event.leaves else ()


def tiles_of(event: Event) -> tuple[Tile, ...]:
    """Return the tiles that an event is about, but for those that it took."""
    if isinstance(event, Die):
        return ()
    return event.tiles if isinstance(event, (Explosion, Curse)) else (event.tile,)
