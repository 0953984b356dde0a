"""The opinion of hues is fitted so that it helps where the network is wrong, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from models.training.calibration.hues import SeenSet, fit_hues
from vision.imaging.hues import HUE_VALUES, hue_values
from vision.recognition.assignment import log_softmax
from vision.recognition.classifier import HueOpinion

pytestmark = pytest.mark.slow  # torch is there with `make test-slow` alone

INKS_BGR = np.array([(60, 200, 230), (60, 60, 220), (80, 190, 60), (220, 140, 60)], np.float64)


def crops(rng: np.random.Generator, true: np.ndarray) -> np.ndarray:
    """Return plain crops of such colours, each a little different."""
    colours = np.clip(INKS_BGR[true] + rng.normal(0, 12, (len(true), 3)), 0, 255).astype(np.uint8)
    return np.repeat(np.repeat(colours[:, None, None], 80, axis=1), 80, axis=2)


def drawn(rng: np.random.Generator) -> tuple[SeenSet, np.ndarray]:
    """Return a set of which the network takes half of the red tiles for blue, and its crops."""
    true = rng.integers(0, 4, 12)
    logits = 3.0 * np.eye(4)[true] + rng.normal(0, 0.5, (12, 4))
    wrong = (true == 1) & (rng.random(12) < 0.5)
    logits[wrong] = [0, 1.0, 0, 1.5]
    pictures = crops(rng, true)
    return SeenSet("group", log_softmax(logits), hue_values(pictures), true), pictures


def test_the_opinion_mends_what_the_network_confuses() -> None:
    """On sets that it was not fitted on, nearly all colours are right with it, and fewer without."""
    rng = np.random.default_rng(4)
    hues = fit_hues([drawn(rng)[0] for _ in range(60)])
    assert np.shape(hues.weights) == (HUE_VALUES, 4)
    opinion = HueOpinion(
        {"scale": hues.scale, "limit": hues.limit, "bias": hues.bias, "weights": hues.weights}
    )
    alone, both = [], []
    for _ in range(40):
        seen, pictures = drawn(rng)
        log_colour = np.hstack([seen.said, np.full((len(seen.true), 1), -9.0)])
        alone += (seen.said.argmax(axis=1) == seen.true).tolist()
        both += (opinion.joined(log_colour, pictures)[:, :4].argmax(axis=1) == seen.true).tolist()
    assert np.mean(alone) < 0.95
    assert np.mean(both) > 0.985
