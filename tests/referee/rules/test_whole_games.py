"""Complete game trees of small tile sets, counted: every tile, every place, every choice and roll.

The counts were made with the slow resolver (`count_slowly`), which a smaller set still confirms here.
"""

from __future__ import annotations

import pytest

from referee.rules.layout import EMPTY
from referee.rules.options import read_options
from referee.rules.outcomes import grow_tree, list_outcomes
from referee.rules.placement import find_places, place_tile
from referee.rules.resolve import begin_placed, make_terms
from referee.rules.tiles import TILES
from tests.referee import slow_rules

CURSE, DIE = {"curse": True}, {"fire_die": "newer"}

pytestmark = pytest.mark.no_cover  # measured, these take three times as long; the others reach every line
COUNTS = [
    ("R40 B20 G60 B7", {}, [4, 24, 76, 380, 1072, 4976]),
    ("Y1 R4 G2 R7 B60", {}, [5, 40, 188, 1312, 5408, 34272]),
    ("R40 B40 G40 Y20 R4", CURSE, [5, 40, 168, 1068, 4312, 25168]),
    ("R7 R4 B10 Y100 G1", DIE, [5, 100, 1300, 19060]),
    ("M200 R2 B120 G6 Y30", {"overhang": "colour-or-weight"}, [5, 40, 192, 1344, 5472, 35136]),
]


def count(layout, stock, depth, options):
    """Number of different plays of so many placements; what is taken can be placed again."""
    if depth == 0:
        return 1
    total = 0
    for code in stock:
        for row, slot in find_places(layout):
            placed = place_tile(layout, TILES[code], row, slot)
            state = begin_placed(placed, TILES[code], make_terms(), options)
            for outcome in list_outcomes(grow_tree(state, options)):
                back = {tile.code for pile in outcome.piles.values() for tile in pile}
                total += count(outcome.layout, stock - {code} | back, depth - 1, options)
    return total


def count_slowly(text, stock, depth, rules):
    """The same number, by the slow resolver."""
    if depth == 0:
        return 1
    total = 0
    for code in stock:
        for row, slot in slow_rules.places(slow_rules.read(text)):
            place = {"tile": code, "row": row, "slot": slot}
            for outcome in slow_rules.outcomes({"layout": text, "place": place, "rules": rules}):
                back = {each for pile in outcome["piles"].values() for each in pile}
                total += count_slowly(outcome["layout"], stock - {code} | back, depth - 1, rules)
    return total


@pytest.mark.parametrize(("tiles", "rules", "expected"), COUNTS, ids=[tiles for tiles, _, _ in COUNTS])
def test_the_number_of_plays(tiles, rules, expected):
    stock = frozenset(tiles.split())
    options = read_options(rules)
    assert [count(EMPTY, stock, depth, options) for depth in range(1, len(expected) + 1)] == expected
    assert [count_slowly("-", stock, depth, rules) for depth in (1, 2, 3)] == expected[:3]
