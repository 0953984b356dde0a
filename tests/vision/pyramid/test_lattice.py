"""Tiles to rows and slots, from quads alone."""

from __future__ import annotations

import numpy as np
import pytest

from referee.rules.layout import Layout
from vision.imaging.geometry import UNIT_SQUARE, map_points, turned
from vision.pyramid.lattice import LatticePlace, empty_neighbours, in_grid, lay_out

LAYOUTS = [
    "R40",
    "R40 B20",
    "R40 B20 G60/R4 -",
    "Y40 R60 Y120 R100 B120/Y100 R120 Y60 R7/Y6 R4 G60/B6 R30/Y1",
    "R40 - B20 Y2",
    "R40 -/B7",
    "R40 B20 - - G60 Y2/R4 - - - Y4",
    "- R60 M200 G100 G30 -/R100 R20 G40 B30 -/- G4 G2 Y6/- - G20",
    "R2 R4 R6 R10 R20 R30 R40 R60 R100/B2 B4 B6 B10 B20 B30 B40 B60",
]


def quads_of(
    layout: Layout, tilt: float, yaw_deg: float, gap: float, noise: float, seed: int
) -> list[np.ndarray]:
    """Return the layout's faces as a camera would see them, in pixels, in the order of its tiles."""
    rng = np.random.default_rng(seed)
    angle = np.radians(yaw_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    camera = (
        np.array([[60.0, 0, 640], [0, 60.0, 400], [0, 0, 1]])
        @ np.array([[1, 0, 0], [0, 1, 0], [0, tilt, 1]])
        @ turn
    )
    quads = []
    for (row, slot), _ in layout.tiles:
        corner = np.array([(slot + row / 2) * (1 + gap) - 2, -row * (1 + gap) + 1])
        wobble = rng.normal(0, noise, 2)
        quads.append(map_points(camera, UNIT_SQUARE + corner + wobble))
    return quads


def read_back(layout: Layout, quads: list[np.ndarray]) -> str:
    codes = [tile.code for _, tile in layout.tiles]
    places = lay_out(quads)
    return str(
        Layout.from_tiles({(p.row, (p.half - p.row) // 2): codes[index] for index, p in places.items()})
    )


@pytest.mark.parametrize("text", LAYOUTS)
@pytest.mark.parametrize("yaw_deg", [0, 17, -35])
@pytest.mark.parametrize("gap", [0.0, 0.1])
def test_layouts_are_found_again(text: str, yaw_deg: float, gap: float) -> None:
    """Tilt, yaw, gaps and tiles laid by hand do not change rows and slots."""
    layout = Layout.parse(text)
    assert read_back(layout, quads_of(layout, 0.03, yaw_deg, gap, 0.03, seed=1)) == text


@pytest.mark.parametrize("text", ["R40 B20", "R40 B20/G60", "R40 B20 G60/R4 -"])
@pytest.mark.parametrize("yaw_deg", [0, 80, 170, 260])
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_tile_that_lies_turned_does_not_move_its_neighbours(text: str, yaw_deg: float, turns: int) -> None:
    """Those that had stayed lay 13 slots away, as the rows seemed to be upright ones (film 420059)."""
    layout = Layout.parse(text)
    quads = quads_of(layout, 0.03, yaw_deg, 0.05, 0.01, seed=1)
    places = [LatticePlace.of_slot(row, slot) for (row, slot), _ in layout.tiles]
    there = dict(empty_neighbours(quads, places))
    for lying in range(len(quads)):
        one = [turned(quad, turns) if at == lying else quad for at, quad in enumerate(quads)]
        beside = dict(empty_neighbours(one, places))
        assert beside.keys() == there.keys()
        assert all(np.abs(quad - there[place]).max() < 3 for place, quad in beside.items())


@pytest.mark.parametrize(
    ("text", "badly_cut", "least"),
    [
        ("R40 B20 - - Y2/R4 - - -", 0, 92),  # 87 with a homography by RANSAC
        ("R40 B20 G60 - - Y2/R4 Y4 - - -", 0.2, 55),  # 46
    ],
)
def test_few_tiles_tell_where_one_lies_across_a_gap(text: str, badly_cut: float, least: int) -> None:
    """So it is most of the time, though they lie askew and the corners of one were found badly."""
    layout, found = Layout.parse(text), 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        quads = quads_of(layout, 0.03, 17, 0.03, 0.02, seed)
        quads = [quad + rng.normal(0, 0.02 * 60, (4, 2)) for quad in quads]
        quads[1] = quads[1] + rng.normal(0, badly_cut * 60, (4, 2))
        found += read_back(layout, quads) == text
    assert found >= least


def test_no_quads_no_places() -> None:
    """An empty table is an empty answer."""
    assert lay_out([]) == {}


def test_a_hand_held_aside_is_left_out() -> None:
    """Tiles that overlap in a turned fan are no part of the pyramid."""
    layout = Layout.parse("R40 B20 G60/R4 -")
    quads = quads_of(layout, 0.02, 5, 0.03, 0.02, seed=2)
    angle = np.radians(40)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    fan = [
        ((UNIT_SQUARE - 0.5) * 60 @ turn.T + [1000 + 30 * index, 200 + 20 * index]).astype(np.float32)
        for index in range(4)
    ]
    places = lay_out(quads + fan)
    assert sorted(places) == [0, 1, 2, 3]


@pytest.mark.parametrize("gap", [0.0, 0.2])
@pytest.mark.parametrize("yaw_deg", [0, 30, 90, 200])
def test_squares_two_by_two_are_a_grid_and_tiles_are_none(gap: float, yaw_deg: float) -> None:
    layout = Layout.parse(LAYOUTS[3])
    tiles = quads_of(layout, tilt=0.02, yaw_deg=yaw_deg, gap=gap, noise=0.02, seed=3)
    step = (tiles[0][1] - tiles[0][0]) * (1 + gap)
    down = (tiles[0][3] - tiles[0][0]) * (1 + gap)
    squares = [tiles[0] + column * step - row * down for row in range(3) for column in range(2)]
    straggler = tiles[0] + 2 * step
    assert not in_grid(tiles, []).any()
    assert in_grid(squares, []).all()
    assert in_grid([*squares, straggler], []).all()
    assert not in_grid(squares[:3], []).any()
    assert not in_grid(squares[:3], squares[3:]).any()
    assert in_grid([*squares, straggler + step], [straggler]).all()
    assert in_grid([], []).shape == (0,)
