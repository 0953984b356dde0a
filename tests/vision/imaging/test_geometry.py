"""Quads: how much of one lies in the picture, and whose corner comes first."""

from __future__ import annotations

import numpy as np
import pytest

from vision.imaging.geometry import UNIT_SQUARE, is_convex, share_inside, turned

SQUARE = UNIT_SQUARE * 20


@pytest.mark.parametrize(
    ("shift", "share"),
    [((30, 30), 1.0), ((-10, 30), 0.5), ((-10, -10), 0.25), ((-25, 30), 0.0), ((89, 30), 0.5)],
)
def test_the_share_of_a_tile_within_the_picture(shift: tuple[int, int], share: float) -> None:
    """A tile that sticks out counts by its area, whichever edge it crosses."""
    assert share_inside(SQUARE + np.float32(shift), (100, 100)) == pytest.approx(share, abs=0.02)


def test_a_quad_without_area_lies_nowhere() -> None:
    """Four equal corners are in no picture, and no division by zero happens."""
    assert share_inside(np.full((4, 2), 5, np.float32), (100, 100)) == 0


@pytest.mark.parametrize("quarters", range(-4, 5))
def test_turning_keeps_the_shape(quarters: int) -> None:
    """The corners are the same, listed from another one; four quarters are a whole turn."""
    quad = turned(SQUARE, quarters)
    assert is_convex(quad)
    assert {tuple(corner) for corner in quad.tolist()} == {tuple(corner) for corner in SQUARE.tolist()}
    assert np.array_equal(turned(quad, -quarters), SQUARE)
    assert np.array_equal(turned(SQUARE, 1)[0], SQUARE[1])
