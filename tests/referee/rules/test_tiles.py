"""The 45 tiles. Rule 1."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import pytest

from referee.errors import TileError
from referee.rules.tiles import ALL_TILES, CODES, TILES, Colour, Kind, Material, Tile


def test_codes_stand_in_their_fixed_order():
    assert len(CODES) == len(set(CODES)) == 45
    assert CODES[:10] == ("Y2", "Y4", "Y6", "Y10", "Y20", "Y30", "Y40", "Y60", "Y100", "Y120")
    assert [code[0] for code in CODES[::10]] == ["Y", "R", "G", "B", "Y"]
    assert CODES[40:] == ("Y1", "G1", "R7", "B7", "M200")


def test_the_components_are_those_of_the_rulebooks():
    assert Counter(tile.kind for tile in ALL_TILES) == {
        Kind.STRAW: 12, Kind.WOOD: 16, Kind.STONE: 12, Kind.COAL: 2, Kind.BLOWTORCH: 2, Kind.MILLSTONE: 1
    }  # fmt: skip
    assert Counter(tile.material for tile in ALL_TILES) == {
        Material.STRAW: 12, Material.WOOD: 16, Material.STONE: 13, Material.INCENDIARY: 4
    }  # fmt: skip
    assert Counter(tile.colour for tile in ALL_TILES) == {
        Colour.YELLOW: 11, Colour.RED: 11, Colour.GREEN: 11, Colour.BLUE: 11, Colour.EVERY: 1
    }  # fmt: skip


def test_each_tile_knows_its_place_among_the_codes():
    for number, tile in enumerate(ALL_TILES):
        assert (tile.code, tile.index, tile.bit) == (CODES[number], number, 1 << number)
        assert TILES[tile.code] is Tile.from_code(tile.code) is tile
        assert f"{tile.colour.value}{tile.weight}" == tile.code == str(tile)


@pytest.mark.parametrize("one", ALL_TILES, ids=str)
def test_what_two_tiles_share(one):
    for other in ALL_TILES:
        if other is one:
            continue
        colour = one.code[0] == other.code[0] or "M" in one.code + other.code
        weight = one.weight == other.weight
        assert bool(one.colour_mates & other.bit) == colour
        assert bool(one.weight_mates & other.bit) == weight
        assert bool(one.mates & other.bit) == (colour or weight)
        burns = {1: (Material.STRAW,), 7: (Material.STRAW, Material.WOOD)}.get(one.weight, ())
        assert bool(one.fuel & other.bit) == (other.material in burns)
    assert not (one.colour_mates | one.weight_mates | one.mates | one.fuel) & one.bit


@pytest.mark.parametrize(
    "code", ["", "R", "R5", "r40", "R040", "40R", "M100", "R1", "Y7", " R40", "R40 ", "-"]
)
def test_other_codes_are_no_tiles(code):
    with pytest.raises(TileError, match=f"^unknown-tile: code={code!r}$"):
        Tile.from_code(code)


def test_a_copied_tile_is_the_same_tile():
    tile = TILES["R40"]
    assert copy.deepcopy(tile) is tile
    assert pickle.loads(pickle.dumps(tile)) is tile
    assert repr(tile) == "<R40>"
