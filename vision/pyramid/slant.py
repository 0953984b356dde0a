"""How aslant a picture shows the table: whatever is square there looks squashed, all of it the same way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.imaging.geometry import Matrix, Points

Squash = NDArray[np.float64]
"""(2,): how squares look squashed. Its length is the logarithm of the longer side by the shorter one, its
angle twice that at which they are longest, so that two that cross each other are opposite."""
STRAIGHT: Squash = np.zeros(2)
"""How squares look from straight above."""
_MOST = 1.1
"""How far squares are squashed at most: by a camera that looks down at 71 degrees from straight above."""


def usual_squash(quads_px: Sequence[Points]) -> Squash:
    """Return how squares on the table look squashed, by the mean of some (4, 2) quads.

    Each of them is taken for a square, whichever way that lies.
    """
    if not quads_px:
        return STRAIGHT
    first, second, third, fourth = np.moveaxis(np.asarray(quads_px, np.float64), 1, 0)
    across, down = second + third - first - fourth, third + fourth - first - second
    # A square's edges as columns, times their transpose, are the squash alone: turning it changes nothing.
    one, other = across.T**2 + down.T**2
    both = across[:, 0] * across[:, 1] + down[:, 0] * down[:, 1]
    area = np.maximum(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]), 1e-9)
    length = np.arccosh(np.maximum((one + other) / (2 * area), 1.0))
    way = np.stack([(one - other) / 2, both], axis=1)
    squashes = way * (length / np.maximum(np.hypot(*way.T), 1e-9))[:, None]
    return np.asarray(squashes.mean(axis=0))


def within(squash: Squash) -> Squash:
    """Return a squash, made less where no camera squashes squares as much."""
    return squash * min(1.0, _MOST / max(float(np.hypot(*squash)), 1e-9))


def straightening(squash: Squash) -> Matrix:
    """Return the (2, 2) matrix that stretches a picture's pixels so that squares look square.

    >>> straightening(np.array([np.log(2), 0])).round(6).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    length = float(np.hypot(*squash))
    along = np.array([[squash[0], squash[1]], [squash[1], -squash[0]]]) / max(length, 1e-9)
    return np.asarray(np.exp(length / 2) * (np.cosh(length / 2) * np.eye(2) - np.sinh(length / 2) * along))
