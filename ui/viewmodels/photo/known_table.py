"""The table of a photo: what was read of it, and what people say lies there. Each change is a new value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee.rules.layout import Layout
from referee.rules.tiles import CODES, Colour
from ui.errors import ToldError
from ui.text.errors import NO_TILE_THERE
from ui.viewmodels.game_view import Slot

if TYPE_CHECKING:
    from vision.recognition.reading import Quad, Reading


@dataclass(frozen=True, slots=True)
class KnownTile:
    """One tile, as far as it is known; `referee.uncertain` judges it."""

    code: str
    """What it is, or most likely is."""
    row: int
    slot: int
    unsure: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()
    """What else it may be, with the chances, likeliest first; empty and unsure: anything."""
    covered: bool = False
    cut: bool = False
    quad_px: Quad | None = None
    """Corners of its face in the picture; None where no picture shows it."""

    @property
    def codes(self) -> tuple[str, ...]:
        """What it may be, likeliest first."""
        return (self.code, *(code for code, _chance in self.alternatives))


@dataclass(frozen=True, slots=True)
class LookAlikes:
    """Tiles that have one colour, of which the name is in doubt."""

    codes: tuple[str, ...]
    """The codes that they were read as."""
    colours: tuple[tuple[str, float], ...]
    """(letter, chance), likeliest first."""


@dataclass(frozen=True, slots=True)
class KnownTable:
    """What lies on the table, as far as it is known."""

    tiles: tuple[KnownTile, ...] = ()
    """From the base up, each row from left to right; the leftmost slot in use is 0."""
    hidden: tuple[object, ...] = ()
    """Places beside the pyramid where a tile may lie unseen."""
    unnamed: tuple[LookAlikes, ...] = ()

    @property
    def layout(self) -> Layout:
        """The layout by the likeliest codes."""
        return Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in self.tiles})

    @property
    def sure_codes(self) -> frozenset[str]:
        """The tiles of which it is certain that they lie here."""
        return frozenset(tile.code for tile in self.tiles if not tile.unsure)

    def at(self, place: Slot) -> KnownTile:
        """Return the tile in a place.

        Raises:
            ToldError: None lies there.
        """
        for tile in self.tiles:
            if (tile.row, tile.slot) == place:
                return tile
        raise ToldError(NO_TILE_THERE, row=place[0], slot=place[1])

    def named(self, place: Slot, code: str) -> KnownTable:
        """Return the table with a tile that is certain; one that was taken for it is asked about again.

        Raises:
            ToldError: No tile lies there.
        """
        before = self.at(place)
        told = _certain(before, code)
        tiles = [told if tile is before else tile for tile in self.tiles]
        return self._with(
            _swapped(tile, before.code) if tile is not told and tile.code == code else tile for tile in tiles
        )

    def with_tile(self, code: str, place: Slot) -> KnownTable:
        """Return the table with one more tile; slot -1 is the place left of the base."""
        return self._with([*self.tiles, KnownTile(code, *place)])

    def without(self, place: Slot) -> KnownTable:
        """Return the table without a tile.

        Raises:
            ToldError: No tile lies there.
        """
        gone = self.at(place)
        return self._with(tile for tile in self.tiles if tile is not gone)

    def shifted(self, place: Slot, to: Slot) -> KnownTable:
        """Return the table with a tile in another place; one that lies there comes to where the first lay.

        Raises:
            ToldError: No tile lies there.
        """
        moved = self.at(place)
        places = {place: to, to: place}
        there = {(tile.row, tile.slot): tile for tile in self.tiles}
        found = [replace(moved, row=to[0], slot=to[1])]
        for at, tile in there.items():
            if tile is not moved:
                row, slot = places.get(at, at)
                found.append(replace(tile, row=row, slot=slot))
        return self._with(found)

    def uncovered(self) -> KnownTable:
        """Return the table where nothing lies hidden beside the pyramid."""
        return replace(self, hidden=())

    def after(self, layout: Layout) -> KnownTable:
        """Return the table as something has left it: the same tiles, or fewer, some of them elsewhere."""
        quads = {tile.code: tile.quad_px for tile in self.tiles}
        return KnownTable(
            tuple(KnownTile(tile.code, *place, quad_px=quads.get(tile.code)) for place, tile in layout.tiles)
        )

    def coloured(self, group: LookAlikes, colour: str) -> KnownTable | None:
        """Return the table with the colour of a group told; None where the tiles cannot all have it."""
        members = [tile for tile in self.tiles if tile.unsure and tile.code in group.codes]
        taken = {tile.code for tile in self.tiles if not tile.unsure}
        told: dict[Slot, KnownTile] = {}
        for tile in members:
            chances = dict(tile.alternatives)
            codes = dict.fromkeys(f"{colour}{code[1:]}" for code in tile.codes)
            free = [code for code in codes if code in CODES and code not in taken]
            if not free:
                return None
            others = tuple((code, chances.get(code, 0.0)) for code in free[1:])
            told[tile.row, tile.slot] = replace(
                tile, code=free[0], unsure=bool(others), alternatives=others, covered=False, cut=False
            )
            taken.add(free[0])
        left = tuple(each for each in self.unnamed if each is not group)
        tiles = [told.get((tile.row, tile.slot), tile) for tile in self.tiles]
        return replace(self, unnamed=left)._with(tiles)

    def colours_of(self, group: LookAlikes) -> tuple[Colour, ...]:
        """Return the colours that a group may have, the likeliest first, then the others that fit."""
        likely = [Colour(letter) for letter, _chance in group.colours]
        every = dict.fromkeys([*likely, *(each for each in Colour if each is not Colour.EVERY)])
        return tuple(each for each in every if self.coloured(group, each.value) is not None)

    def _with(self, tiles: Iterable[KnownTile]) -> KnownTable:
        """Return the table with these tiles, in canonical places, each lying there once."""
        found = _each_once(sorted(tiles, key=lambda tile: (tile.row, tile.slot)))
        leftmost = min((tile.slot for tile in found), default=0)
        placed = tuple(replace(tile, slot=tile.slot - leftmost) for tile in found)
        doubtful = {tile.code for tile in placed if tile.unsure}
        groups = (
            replace(group, codes=tuple(code for code in group.codes if code in doubtful))
            for group in self.unnamed
        )
        told = replace(self, tiles=placed, unnamed=tuple(group for group in groups if len(group.codes) > 1))
        return told._without_contradictions()

    def _without_contradictions(self) -> KnownTable:
        """Return the table without the groups that can have no colour: their tiles are asked about singly."""
        return replace(self, unnamed=tuple(group for group in self.unnamed if self.colours_of(group)))


def as_read(reading: Reading) -> KnownTable:
    """Return the table as a reading has it."""
    tiles = (
        KnownTile(
            tile.code, tile.row, tile.slot, tile.unsure, tile.alternatives,
            tile.covered, tile.cut, tile.quad_px,
        )
        for tile in reading.tiles
    )  # fmt: skip
    groups = (LookAlikes(group.codes, group.colours) for group in reading.unnamed)
    return KnownTable(hidden=reading.hidden, unnamed=tuple(groups))._with(tiles)


def _certain(tile: KnownTile, code: str) -> KnownTile:
    return replace(tile, code=code, unsure=False, alternatives=(), covered=False, cut=False)


def _swapped(tile: KnownTile, code: str) -> KnownTile:
    """Return a tile that was named elsewhere: a certain one must be asked about now."""
    if tile.unsure:
        return tile
    return replace(tile, code=code, unsure=True, alternatives=())


def _each_once(tiles: Sequence[KnownTile]) -> list[KnownTile]:
    """Return the tiles such that no code is there twice: a doubtful one is then the next that is left."""
    taken = {tile.code for tile in tiles if not tile.unsure}
    found = []
    for tile in tiles:
        if tile.unsure:
            left = [code for code in (*tile.codes, *CODES) if code not in taken]
            chances = dict(tile.alternatives)
            if tile.code != left[0]:
                others = tuple(each for each in tile.alternatives if each[0] in left[1:])
                tile = replace(tile, code=left[0], alternatives=others if left[0] in chances else ())
            taken.add(tile.code)
        found.append(tile)
    return found
