"""The 45 tiles and their codes. Rule 1 (components: all four rulebooks)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from referee.errors import Fault, TileError


class Colour(Enum):
    """A tile's colour; the value is the letter of its code."""

    YELLOW = "Y"
    RED = "R"
    GREEN = "G"
    BLUE = "B"
    EVERY = "M"
    """The millstone's: it shares a colour with every tile."""


class Material(Enum):
    """What a tile is made of."""

    STRAW = "straw"
    WOOD = "wood"
    STONE = "stone"
    INCENDIARY = "incendiary"


class Kind(Enum):
    """The rulebook's word for a tile; finer than the material for the five special ones."""

    STRAW = "straw"
    WOOD = "wood"
    STONE = "stone"
    COAL = "coal"
    BLOWTORCH = "blowtorch"
    MILLSTONE = "millstone"

    @property
    def material(self) -> Material:
        """The material of every tile of this kind."""
        return _MATERIALS[self]


_MATERIALS = {
    Kind.STRAW: Material.STRAW,
    Kind.WOOD: Material.WOOD,
    Kind.STONE: Material.STONE,
    Kind.COAL: Material.INCENDIARY,
    Kind.BLOWTORCH: Material.INCENDIARY,
    Kind.MILLSTONE: Material.STONE,
}


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """One of the 45 tiles. Each exists once, so tiles are compared by identity.

    Sets of tiles are integers with one bit a tile; the masks below make each rule about two
    tiles a single `&`.
    """

    code: str
    """Colour letter and weight: `R40`."""
    colour: Colour
    weight: int
    kind: Kind
    material: Material
    index: int
    """Place in `CODES`."""
    bit: int
    """1 << index: the set that holds this tile alone."""
    colour_mates: int
    """Every tile that shares a colour with this one, itself left out."""
    weight_mates: int
    """Every tile of the same weight, itself left out."""
    mates: int
    """Every tile that shares a colour or the weight."""
    fuel: int
    """What this incendiary sets alight; 0 for every other tile."""

    @staticmethod
    def from_code(code: str) -> Tile:
        """Return the tile with this code.

        >>> Tile.from_code("R40").weight
        40

        Raises:
            TileError: There is no such tile.
        """
        tile = TILES.get(code)
        if tile is None:
            raise TileError(Fault.UNKNOWN_TILE, code=code)
        return tile

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"<{self.code}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Return what copy and pickle need to find this same tile again."""
        return Tile.from_code, (self.code,)


_KIND_OF_WEIGHT = {
    1: Kind.COAL, 2: Kind.STRAW, 4: Kind.STRAW, 6: Kind.STRAW, 7: Kind.BLOWTORCH,
    10: Kind.WOOD, 20: Kind.WOOD, 30: Kind.WOOD, 40: Kind.WOOD,
    60: Kind.STONE, 100: Kind.STONE, 120: Kind.STONE, 200: Kind.MILLSTONE,
}  # fmt: skip
_BURNS = {
    Kind.COAL: {Kind.STRAW},
    Kind.BLOWTORCH: {Kind.STRAW, Kind.WOOD},
}

CODES: tuple[str, ...] = (
    *(f"{letter}{weight}" for letter in "YRGB" for weight in (2, 4, 6, 10, 20, 30, 40, 60, 100, 120)),
    "Y1", "G1", "R7", "B7", "M200",
)  # fmt: skip
"""All codes, in the fixed order that models and tables may rely on."""


def _mask(codes: list[str]) -> int:
    """Return the set of these tiles as bits."""
    return sum(1 << CODES.index(code) for code in codes)


def _make_tile(index: int, code: str) -> Tile:
    """Return the tile at this place of `CODES`. Rule 1."""
    letter, weight = code[0], code[1:]
    kind = _KIND_OF_WEIGHT[int(weight)]
    others = [other for other in CODES if other != code]
    colour_mates = _mask([other for other in others if "M" in (letter, other[0]) or letter == other[0]])
    weight_mates = _mask([other for other in others if other[1:] == weight])
    return Tile(
        code=code,
        colour=Colour(letter),
        weight=int(weight),
        kind=kind,
        material=kind.material,
        index=index,
        bit=1 << index,
        colour_mates=colour_mates,
        weight_mates=weight_mates,
        mates=colour_mates | weight_mates,
        fuel=_mask([other for other in others if _KIND_OF_WEIGHT[int(other[1:])] in _BURNS.get(kind, ())]),
    )


ALL_TILES: tuple[Tile, ...] = tuple(_make_tile(index, code) for index, code in enumerate(CODES))
"""The tiles in the order of `CODES`."""

TILES: Mapping[str, Tile] = MappingProxyType({tile.code: tile for tile in ALL_TILES})
"""Code -> tile."""
