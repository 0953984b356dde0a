"""What was seen of the table at rest."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.rules.tiles import CODES, Colour


@dataclass(frozen=True, slots=True)
class ObservedTile:
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
    lay_first: bool = False
    """While the game knows of no tile: whether it lay there on the first picture, read or not."""


@dataclass(frozen=True, slots=True)
class ObservedGroup:
    """Tiles that have one colour, of which nobody knows for certain which one it is."""

    places: tuple[tuple[int, int], ...]
    """(row, slot) of the tiles; these may have codes in any of the colours."""
    colours: tuple[tuple[Colour, float], ...]
    """What it may be, with chances of 0 to 1, likeliest first."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The table at rest, as it was read."""

    time_s: float
    """Seconds in the source; never falls from one input to the next."""
    tiles: tuple[ObservedTile, ...]
    hidden: bool = False
    """Whether something lies over the table that may hide tiles."""
    groups: tuple[ObservedGroup, ...] = ()
    """Tiles of which one answer tells the colour; each tile is in one of them at most."""
    lifted: tuple[str, ...] = ()
    """The codes of tiles that have gone since the last clear table, and where the bare table is plainly seen
    now: nothing lies over their places."""
    left_out: bool = False
    """Whether things that had passed for tiles are left out since the last one: they lay there first."""

    def uncovered(self) -> Settled:
        """Return it with tiles that may be any, where something lies over them: their codes are guesses."""
        anything = tuple((code, 1 / len(CODES)) for code in CODES)
        tiles = tuple(
            replace(tile, codes=anything, sure=False, covered=False)
            if tile.covered or not tile.codes
            else tile
            for tile in self.tiles
        )
        return replace(self, tiles=tiles)
