"""Crops in other styles: the number stays where it was, and the colour where it is said to."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.training.networks.restyle import restyled

SIDE = 80


def tile_of(colour: tuple[int, int, int]) -> np.ndarray:
    """A tile of one colour with a dark number on it, on a grey table."""
    crop = np.full((SIDE, SIDE, 3), 120, np.uint8)
    crop[8:72, 8:72] = colour
    cv2.putText(crop, "40", (16, 56), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (20, 20, 20), 4)
    return crop


RED, OTHER = tile_of((40, 40, 200)), tile_of((200, 90, 40))
INK = RED.max(axis=2) < 60


@pytest.mark.parametrize("seed", range(40))
def test_a_restyled_tile_still_shows_its_number(seed: int) -> None:
    before = RED.copy()
    crop, keeps_colour = restyled(np.random.default_rng(seed), RED, OTHER)
    assert (crop.shape, crop.dtype) == (RED.shape, RED.dtype)
    assert (before == RED).all()
    assert (crop != RED).any()
    gray = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float64)[10:70, 10:70]
    ink = cv2.GaussianBlur(INK.astype(np.float32), (0, 0), 2)[10:70, 10:70]
    assert abs(np.corrcoef(gray.ravel(), ink.ravel())[0, 1]) > 0.3
    if keeps_colour:
        blue, green, red = np.median(crop[10:70, 10:70][~INK[10:70, 10:70]], axis=0).astype(float)
        assert red > 1.5 * max(blue, green)


def test_some_styles_change_colours() -> None:
    kept = [restyled(np.random.default_rng(seed), RED, OTHER)[1] for seed in range(60)]
    assert 10 < sum(kept) < 50
