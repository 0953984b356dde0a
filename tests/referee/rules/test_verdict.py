"""What can be announced while tiles are unsure."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from referee.rules.events import Air, FallNeed
from referee.rules.layout import EMPTY, Layout
from referee.rules.options import Options
from referee.rules.tiles import TILES
from referee.rules.verdict import common_resolution, common_verdict


def verdict(*texts, **rules):
    found = common_verdict([Layout.parse(text) for text in texts], Options(**rules))
    return [type(event).__name__ for event in found.events], found.needs is not None, found.certain


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["R40 B20/R4"], ([], False, True)),
        (["R40 B20/G60"], (["Collapse"], True, True)),
        # The unsure tile changes nothing that is announced.
        (["R40 B20 R2/G60 -", "R40 B20 R6/G60 -"], (["Collapse"], True, True)),
        # It is the tile that collapses, one of those taken, or one that decides about it.
        (["R40 B20/G60", "R40 B20/G100"], ([], False, False)),
        (["R40 B20/G60", "R40 B30/G60"], ([], False, False)),
        (["R40 B20/G60", "R40 G20/G60"], ([], False, False)),
        # The others see an event where the likeliest sees none, at once or later.
        (["R40 B20/R4", "R40 B20/G4"], ([], False, False)),
        (["R40 B2 G60/R7 -", "R40 B2 G6/R7 -"], ([], False, False)),
        (["R7 R40 G60 G100/- - B60", "R7 R40 B60 G100/- - B30"], (["Fire"], False, True)),
        (["R7 R40 G60 Y1 Y100", "R7 R40 G60 Y1 Y4"], (["Fire"], False, False)),
        (["R7 R40 G60 Y1 Y4", "R7 R40 G60 Y1 Y100"], (["Fire"], False, False)),
        # Both fires are shared, and what the unsure tile is changes neither.
        (["R7 R40 G60 Y1 Y4 B60", "R7 R40 G60 Y1 Y4 B100"], (["Fire", "Fire"], False, True)),
        # The same tile waits to fall, though an unsure reading has it in another slot.
        (["R40 B20 R2/G60 -", "R2 R40 B20/- G60"], (["Collapse"], True, True)),
        # A third reading can only shorten what is said.
        (["R7 R40 G60 Y1 Y100", "R7 R40 G60 Y1 Y100", "R7 R30 G60 Y1 Y100"], ([], False, False)),
        # All collapse for the same, but another tile waits to fall.
        (["R40 - B20/G60 -", "R40 - B30/G60 -"], (["Collapse"], True, True)),
    ],
)
def test_only_what_every_reading_shares_is_announced(texts, expected):
    assert verdict(*texts) == expected


def test_the_order_of_the_readings_decides_about_nothing_but_the_layouts():
    one, other = Layout.parse("R40 B20 R2/G60 -"), Layout.parse("R40 B20 R6/G60 -")
    assert str(common_verdict([one, other]).events[0].layout) == "- - R2/G60 -"
    assert str(common_verdict([other, one]).events[0].layout) == "- - R6/G60 -"


def test_the_settings_are_those_of_the_game():
    assert verdict("R40 B40/G40") == ([], False, True)
    assert verdict("R40 B40/G40", curse=True) == (["Curse"], False, True)


def resolution(*codes, falling=None):
    """A resolution in which tiles were found in free air, and one may wait to fall."""
    events = tuple(Air(TILES[code], None, EMPTY) for code in codes)
    return SimpleNamespace(events=events, needs=falling and FallNeed(TILES[falling], None, 0))


@pytest.mark.parametrize(
    ("readings", "told", "falling", "certain"),
    [
        # What is alike after a difference is not told.
        ([resolution("R4", "B4"), resolution("G4", "B4")], [], None, False),
        ([resolution("R4", "B4", "Y4"), resolution("R4", "G4", "Y4")], ["R4"], None, False),
        ([resolution("R4", "B4"), resolution("R4"), resolution("R4", "B4")], ["R4"], None, False),
        # Another tile waits to fall, or none does.
        ([resolution("R4", falling="R4"), resolution("R4", falling="B4")], ["R4"], None, False),
        ([resolution("R4", falling="R4"), resolution("R4")], ["R4"], None, False),
        ([resolution("R4", falling=tile) for tile in ("R4", "B4", "R4")], ["R4"], None, False),
        ([resolution("R4", falling="R4"), resolution("R4", falling="R4")], ["R4"], "R4", True),
    ],
)
def test_resolutions_are_told_as_far_as_they_are_alike(readings, told, falling, certain):
    found = common_resolution(readings)
    assert [event.tile.code for event in found.events] == told
    assert (found.needs and found.needs.tile.code, found.certain) == (falling, certain)
