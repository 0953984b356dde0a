"""Single checks: hits, near misses, every value of the settings. Rule 4."""

from __future__ import annotations

import pytest

from referee.rules.events import Reason
from referee.rules.layout import Layout, place_number
from referee.rules.mayhem import (
    Blast,
    Blaze,
    Cursed,
    Hanging,
    Illegal,
    find_air,
    find_collapse,
    find_curse,
    find_explosion,
    find_fire,
    find_spark,
    judge_tile,
)
from referee.rules.options import FireDie, FireOrder, Options, Overhang
from referee.rules.tiles import TILES

MISMATCH, OVERWEIGHT = Reason.MISMATCH, Reason.OVERWEIGHT
BY_WEIGHT = Options(overhang=Overhang.COLOUR_OR_WEIGHT)
CURSE = Options(curse=True)


def at(*slots):
    return tuple(place_number(row, slot) for row, slot in slots)


def find(check, text, options=None):
    return check(Layout.parse(text), options or Options(), None)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("R40", None),
        ("R40 B20/R4", None),
        ("R40 -/R4", None),
        ("- B20/R4", None),
        ("R40 B20 G60/R4 -", None),
        ("R40 - -/- R4", (1, 1)),
        ("R40 - - -/- R4 G4", (1, 1)),
        ("R40 - - -/- R4 -/- G4", (1, 1)),
        ("R40 - - - -/- R4 - -/- - G4", (2, 2)),
        ("- -/R4", (1, 0)),
    ],
)
def test_free_air(text, slot):
    assert find(find_air, text) == (slot and Hanging(*at(slot)))


@pytest.mark.parametrize(
    ("text", "reasons", "reasons_by_weight"),
    [
        ("R40 B20/R10", None, None),
        ("R40 B20/B60", None, None),
        ("R40 B20/G40", None, None),
        ("R40 B20/G20", None, None),
        ("R40 B20/R100", (OVERWEIGHT,), (OVERWEIGHT,)),
        ("R40 B20/G10", (MISMATCH,), (MISMATCH,)),
        ("R40 B20/G100", (MISMATCH, OVERWEIGHT), (MISMATCH, OVERWEIGHT)),
        ("R100 B120/M200", None, None),
        ("R60 B120/M200", (OVERWEIGHT,), (OVERWEIGHT,)),
        ("M200 B2/G120", None, None),
        ("R40 -/R30", None, None),
        ("- R40/R30", None, None),
        ("R40 -/R60", (OVERWEIGHT,), (OVERWEIGHT,)),
        ("R40 -/G40", (MISMATCH,), None),
        ("- R40/G40", (MISMATCH,), None),
        ("R40 -/G30", (MISMATCH,), (MISMATCH,)),
        ("- R40/G60", (MISMATCH, OVERWEIGHT), (MISMATCH, OVERWEIGHT)),
        ("M200 -/G120", None, None),
        ("R120 -/M200", (OVERWEIGHT,), (OVERWEIGHT,)),
        ("- -/R40", None, None),
    ],
)
def test_collapse(text, reasons, reasons_by_weight):
    for options, expected in ((Options(), reasons), (BY_WEIGHT, reasons_by_weight)):
        hit = find(find_collapse, text, options)
        layout = Layout.parse(text)
        supports = tuple(place for place in at((0, 0), (0, 1)) if place in layout.cells)
        assert hit == (expected and Illegal(*at((1, 0)), supports, expected))


def test_a_tile_in_free_air_does_not_hide_an_illegal_one():
    hit = find(find_collapse, "R40 B20 - -/G10 - -/- R2")
    assert hit == Illegal(*at((1, 0)), at((0, 0), (0, 1)), (MISMATCH,))


@pytest.mark.parametrize(
    ("text", "members", "touched"),
    [
        ("Y1 R2 G1", None, None),
        ("Y1", None, None),
        ("Y1 - G1", None, None),
        ("R2 Y1 G1 B2 B4", ((0, 1), (0, 2)), ((0, 0), (0, 3))),
        ("R2 B2 Y60/Y1 Y100/R7", ((2, 0), (1, 0)), ((1, 1), (0, 0), (0, 1))),
        ("Y1 R7 G1 B7", ((0, 0), (0, 1), (0, 2), (0, 3)), ()),
        ("Y1 R7 R60 G1 B7", ((0, 0), (0, 1)), ((0, 2),)),
        # A chain that turns: three members, though the outer two do not touch.
        ("R60 Y1 R100/R7 -/G1", ((2, 0), (1, 0), (0, 1)), ((0, 0), (0, 2))),
    ],
)
def test_explosion(text, members, touched):
    assert find(find_explosion, text) == (members and Blast(at(*members), at(*touched)))


@pytest.mark.parametrize(
    ("text", "starter", "burnt"),
    [
        ("Y1 R10 R2", None, None),
        ("Y1 - R2", None, None),
        ("R7 R60 R2", None, None),
        ("Y1 R2 R10 B2", (0, 0), ((0, 1),)),
        ("R7 R2 R10 B2", (0, 0), ((0, 1), (0, 2), (0, 3))),
        ("Y2 R4/Y1", (1, 0), ((0, 0), (0, 1))),
        ("Y2 Y60 R60/Y4 B60/Y1", (2, 0), ((1, 0), (0, 0))),
        ("R2 Y1 R60 R7 R10", (0, 3), ((0, 4),)),
    ],
)
def test_fire(text, starter, burnt):
    assert find(find_fire, text) == (starter and Blaze(*at(starter), at(*burnt)))


def test_fire_by_position_alone():
    options = Options(fire_order=FireOrder.POSITION)
    assert find(find_fire, "R2 Y1 R60 R7 R10", options) == Blaze(*at((0, 1)), at((0, 0)))


def test_under_the_die_no_fire_starts_by_itself():
    assert find(find_fire, "R2 Y1", Options(fire_die=FireDie.NEWER)) is None


@pytest.mark.parametrize(
    ("text", "top"),
    [
        ("R40 B40/G40", (1, 0)),
        ("R40 B20/G40", None),
        ("R20 B40/G40", None),
        ("R40 B40/G20", None),
        ("R40 -/G40", None),
        ("- B40/G40", None),
        ("R2 B2 R4 B4/G2 - G4", (1, 0)),
        ("R2 B2 G60/G2 Y2/B60", (1, 0)),
    ],
)
def test_curse(text, top):
    hit = find(find_curse, text, CURSE)
    assert hit == (top and Cursed(at(top, (top[0] - 1, top[1]), (top[0] - 1, top[1] + 1))))
    assert find(find_curse, text) is None


@pytest.mark.parametrize(
    ("text", "placed", "contacts"),
    [
        ("R40 B2/R7", "R7", "R40 B2"),
        ("R40 B2/R7", "B2", "R7"),
        ("R40 B2/Y1", "Y1", "B2"),
        ("R40 B2/Y1", "R40", ""),
        ("R60 B60/R7", "R7", ""),
        ("Y1 R2 G1", "R2", "Y1 G1"),
        ("Y1 R10 R7", "R10", "R7"),
    ],
)
def test_the_contact_that_a_placement_made(text, placed, contacts):
    spark = find_spark(Layout.parse(text), TILES[placed])
    assert " ".join(tile.code for tile in (spark.contacts if spark else ())) == contacts
    if spark:
        assert spark.causing == ((TILES[placed],) if placed in ("R7", "Y1") else spark.contacts)


@pytest.mark.parametrize(
    ("tile", "left", "right", "reasons"),
    [
        ("G60", "R60", "B20", ()),
        ("G60", "R20", "B60", ()),
        ("G60", "R60", None, (MISMATCH,)),
        ("G60", None, "R60", (MISMATCH,)),
        ("R60", None, "R40", (OVERWEIGHT,)),
        ("R60", "R40", "B20", ()),
        ("R60", "R40", "B10", (OVERWEIGHT,)),
    ],
)
def test_why_a_single_tile_is_illegal(tile, left, right, reasons):
    supports = [code and TILES[code] for code in (left, right)]
    assert judge_tile(TILES[tile], *supports, Options()) == reasons
    by_weight = () if reasons == (MISMATCH,) else reasons
    assert judge_tile(TILES[tile], *supports, BY_WEIGHT) == by_weight
