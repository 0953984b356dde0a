"""Colour order changes once, and rightly."""

from __future__ import annotations

import numpy as np

from vision.imaging.preprocess import to_tensor


def test_a_red_tile_stays_red() -> None:
    """Red is the last channel of a BGR picture and the first that the models take."""
    red = np.zeros((1, 2, 3, 3), np.uint8)
    red[..., 2] = 255
    tensor = to_tensor(red)
    assert tensor.shape == (1, 3, 2, 3)
    assert tensor.dtype == np.float32
    assert tensor[0, 0].min() == 1
    assert tensor[0, 1:].max() == 0


def test_a_blue_tile_stays_blue() -> None:
    """And blue the other way round."""
    blue = np.zeros((1, 2, 3, 3), np.uint8)
    blue[..., 0] = 255
    assert to_tensor(blue)[0].mean(axis=(1, 2)).tolist() == [0, 0, 1]
