"""What the hues of a face add to what the network says of its colour."""

from __future__ import annotations

import numpy as np
import pytest

from vision.imaging.hues import HUE_VALUES, hue_values
from vision.recognition.classifier import HueOpinion

RED = np.full((1, 80, 80, 3), (60, 60, 220), np.uint8)
GREY = np.full((1, 80, 80, 3), 128, np.uint8)
DOUBT = np.log([[0.2, 0.36, 0.08, 0.32, 0.04]])
"""Yellow, red, green, blue, the millstone's."""


def opinion(strength: float, limit: float = 2.0, scale: float = 1.0) -> HueOpinion:
    """Return one that takes the hue of `RED` for red, and says nothing of grey."""
    seen = hue_values(RED)[0]
    weights = np.zeros((HUE_VALUES, 4))
    weights[:, 1] = strength * seen / (seen @ seen)
    return HueOpinion({"scale": scale, "limit": limit, "bias": [0.0] * 4, "weights": weights.tolist()})


def test_a_hue_settles_a_doubt() -> None:
    """Red or blue, says the network; red, says the hue. The chances still sum to one."""
    both = np.exp(opinion(3.0).joined(DOUBT, RED))
    assert both[0, 1] > 0.75
    assert both.sum() == pytest.approx(1)


def test_the_millstone_and_faces_without_hue_stay() -> None:
    """Hues tell four colours apart; a millstone, and what has no hue, is left to the network."""
    joined = opinion(3.0).joined(np.vstack([DOUBT, DOUBT]), np.concatenate([RED, GREY]))
    assert joined[:, 4] == pytest.approx(DOUBT[0, 4])
    assert joined[1] == pytest.approx(DOUBT[0])


def test_hues_weigh_no_more_than_the_limit() -> None:
    """However strong the opinion, the log-chances change by the limit at most, beside each other."""
    joined = opinion(1000.0, limit=1.5).joined(DOUBT, RED)
    moved = (joined - DOUBT)[0, :4]
    assert moved[1] - moved[0] == pytest.approx(1.5, abs=1e-6)


def test_the_network_counts_by_its_scale() -> None:
    """At a scale of one half the network's odds become their root."""
    joined = opinion(0.0, scale=0.5).joined(DOUBT, RED)
    assert joined[0, 1] - joined[0, 2] == pytest.approx((DOUBT[0, 1] - DOUBT[0, 2]) / 2)
