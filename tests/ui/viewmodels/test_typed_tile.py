"""Tiles that are typed, and the way from place to place."""

from __future__ import annotations

import pytest

from referee.rules.tiles import CODES
from ui.viewmodels.typed_tile import STEPS, TypedTile, next_place


def typed(keys: str) -> TypedTile:
    tile = TypedTile()
    for key in keys:
        tile.press(key)
    return tile


@pytest.mark.parametrize("code", CODES)
def test_every_tile_can_be_typed_in_small_letters(code: str) -> None:
    assert typed(code.lower()).code == code


@pytest.mark.parametrize(
    ("keys", "text", "code"),
    [
        ("g", "G", None),
        ("g1", "G1", "G1"),
        ("g10", "G10", "G10"),
        ("g100", "G100", "G100"),
        ("v10", "G10", "G10"),
        ("j40", "Y40", "Y40"),
        ("g10r", "R", None),
        ("g9", "G", None),
        ("10", "", None),
        ("m2", "M2", None),
        ("y1000", "Y100", "Y100"),
    ],
)
def test_what_is_typed(keys: str, text: str, code: str | None) -> None:
    tile = typed(keys)
    assert (tile.text, tile.code) == (text, code)


def test_a_digit_can_be_taken_back() -> None:
    tile = typed("g10")
    tile.erase()
    assert tile.code == "G1"
    tile.clear()
    tile.erase()
    assert (tile.text, tile.code) == ("", None)


PLACES = [(0, -1), (0, 4), (1, 0), (1, 2), (2, 1)]


def test_arrows_reach_every_place_from_every_other() -> None:
    reached = {(0, -1)}
    while True:
        further = {next_place(at, PLACES, arrow) for at in reached for arrow in STEPS} | reached
        if further == reached:
            break
        reached = further
    assert reached == set(PLACES)


def test_an_arrow_goes_to_the_nearest_place_or_stays() -> None:
    assert next_place(None, PLACES, "Left") == (0, -1)
    assert next_place((1, 0), PLACES, "Right") == (1, 2)
    assert next_place((1, 2), PLACES, "Left") == (1, 0)
    assert next_place((1, 0), PLACES, "Up") == (2, 1)
    assert next_place((2, 1), PLACES, "Up") == (2, 1)
    assert next_place(None, [], "Left") is None
    assert next_place((1, 0), [], "Left") is None
