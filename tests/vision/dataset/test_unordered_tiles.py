"""Reading order of tiles that form no pyramid."""

from __future__ import annotations

import numpy as np
import pytest

from vision.dataset.unordered_tiles import in_reading_order
from vision.imaging.geometry import map_points


def quads_in_rows(*counts: int, jitter: float = 0.0, seed: int = 0) -> list[np.ndarray]:
    """Return quads of 100 pixels in rows of so many, in reading order."""
    rng = np.random.default_rng(seed)
    corners = np.array([[-50, -50], [50, -50], [50, 50], [-50, 50]])
    return [
        (corners + (150 * slot, 150 * row) + rng.uniform(-jitter, jitter, 2) * 100).astype(np.float32)
        for row, count in enumerate(counts)
        for slot in range(count)
    ]


def turned(quads: list[np.ndarray], degrees: float) -> list[np.ndarray]:
    angle = np.radians(degrees)
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]], np.float32)
    return [quad @ matrix for quad in quads]


@pytest.mark.parametrize("degrees", [-30, -12, 0, 5, 12, 30])
@pytest.mark.parametrize("seed", range(4))
def test_rows_are_read_from_the_top_and_from_the_left(degrees: float, seed: int) -> None:
    """Uneven rows, tiles laid by hand, a camera held askew, corners listed from any one of the four."""
    rng = np.random.default_rng(seed)
    quads = turned(quads_in_rows(5, 3, 7, jitter=0.15, seed=seed), degrees)
    quads = [np.roll(quad, int(rng.integers(4)), axis=0) for quad in quads]
    shuffled = rng.permutation(len(quads))
    order = in_reading_order([quads[index] for index in shuffled])
    assert [int(shuffled[index]) for index in order] == list(range(15))


def test_a_camera_that_looks_from_the_front_changes_nothing() -> None:
    lean = np.array([[1.0, 0.2, 0], [0, 0.8, 0], [0, 0.0006, 1.0]])
    quads = [map_points(lean, quad) for quad in quads_in_rows(6, 6, 6, 6)]
    assert in_reading_order(quads) == list(range(24))


def test_tiles_that_lie_every_way_are_read_as_the_picture_stands() -> None:
    """They agree on no direction, so nothing is levelled."""
    rng = np.random.default_rng(3)
    quads = []
    for quad in quads_in_rows(5, 5):
        middle = quad.mean(axis=0)
        quads.append(turned([quad - middle], float(rng.uniform(0, 360)))[0] + middle)
    assert in_reading_order(quads) == list(range(10))


def test_no_tile_has_no_order() -> None:
    assert in_reading_order([]) == []
