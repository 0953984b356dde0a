"""All that makes a reader's chances honest, fitted on rendered pictures that it never trained on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.training.calibration.likeness import fit_likeness
from models.training.calibration.pictures import Answers, HeldOutPictures
from models.training.calibration.sets import LEARNED
from models.training.calibration.temperatures import Temperatures, fit_temperatures
from models.training.rendering.artists.held_out import HELD_OUT
from vision.recognition.assignment import log_softmax


@dataclass(frozen=True, slots=True)
class Calibration:
    """What logits and cosines are divided and weighted by, and how held-out crops are named with it."""

    temperatures: Temperatures
    likeness_scale: float
    """Times the cosine to a prototype: the log-chance of an enrolled set's tile."""
    likeness_scale_with_shipped: float
    shipped_share: float
    """For an enrolled set of the game's own codes: these two join likeness and the shipped log-chances."""
    figures: dict[str, float]
    reliability: list[tuple[float, float, int]]
    """For each tenth of confidence: mean confidence, share named right, crops."""


def calibrate(answers: Answers, pictures: HeldOutPictures) -> Calibration:
    """Return the calibration with the least surprise on held-out pictures."""
    pictures.render()
    temperatures = fit_temperatures(answers, pictures.sets((LEARNED, *HELD_OUT)))
    figures, reliability = _on_tables(answers, pictures, temperatures)
    scale, scale_with, share, alike = fit_likeness(answers, pictures, temperatures)
    return Calibration(
        temperatures,
        round(scale, 2),
        round(scale_with, 2),
        round(share, 2),
        figures | alike,
        reliability,
    )


def _on_tables(
    answers: Answers, pictures: HeldOutPictures, temperatures: Temperatures
) -> tuple[dict[str, float], list[tuple[float, float, int]]]:
    """Return how crops of tables by artists to learn from are named, and with which reliability."""
    logits: list[list[NDArray[np.float32]]] = []
    truths = []
    for samples in pictures.crops(pictures.size.crops):
        logits.append(answers(np.stack([sample["crop"] for sample in samples])))
        truths.append(
            [[sample[key] for key in ("weight", "colour", "tile", "covered")] for sample in samples]
        )
    weight, colour, tile, covered = (np.concatenate([part[index] for part in logits]) for index in range(4))
    true_weight, true_colour, is_tile, is_covered = (
        np.concatenate([np.array(part)[:, index] for part in truths]) for index in range(4)
    )
    named = true_weight >= 0
    weight_right = weight[named].argmax(1) == true_weight[named]
    colour_right = colour[named].argmax(1) == true_colour[named]
    right = weight_right & colour_right
    chances = np.exp(
        log_softmax(weight[named] / temperatures.weight).max(1)
        + log_softmax(colour[named] / temperatures.colour).max(1)
    )
    reliability = reliability_of(chances, right)
    error = sum(abs(confidence - share) * count for confidence, share, count in reliability) / len(chances)
    seen = is_covered >= 0
    figures = {
        "weight": float(weight_right.mean()),
        "colour": float(colour_right.mean()),
        "both": float(right.mean()),
        "tile": float(((tile[:, 0] > 0) == (is_tile > 0)).mean()),
        "covered": float(((covered[seen, 0] > 0) == (is_covered[seen] > 0)).mean()),
        "calibration_error": error,
    }
    return figures, reliability


def reliability_of(chances: NDArray[np.floating], right: NDArray[np.bool_]) -> list[tuple[float, float, int]]:
    """Return for each tenth of confidence: mean confidence, share named right, and how many there are."""
    tenth = np.minimum((chances * 10).astype(int), 9)
    return [
        (float(chances[tenth == step].mean()), float(right[tenth == step].mean()), int(count))
        for step in range(10)
        if (count := (tenth == step).sum())
    ]
