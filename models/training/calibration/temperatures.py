"""What the logits of weight and colour are divided by, so that their chances hold for a set never seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.training.calibration.pictures import Answers
from models.training.calibration.sets import PicturedSet
from models.training.rendering.faces import COLOURS
from models.training.rendering.glyphs import WEIGHTS
from vision.recognition.assignment import log_softmax

_TRIED = np.geomspace(0.4, 5.0, 80)


@dataclass(frozen=True, slots=True)
class Temperatures:
    """One for each thing that is named."""

    weight: float
    colour: float


def surprise(log_chances: NDArray[np.float64], true: NDArray[np.int64]) -> float:
    """Return the mean negative log-chance of what is true; (n, classes) and (n,)."""
    return float(-log_chances[np.arange(len(true)), true].mean())


def fit_temperatures(answers: Answers, sets: Iterable[PicturedSet]) -> Temperatures:
    """Return the temperatures with the least surprise; every set counts alike, whatever it shows."""
    weights, colours = [], []
    for each in sets:
        if each.codes:
            weight, colour = answers(np.stack(each.crops()))[:2]
            weights.append((weight, np.array([WEIGHTS.index(int(code[1:])) for code in each.codes])))
            colours.append((colour, np.array([COLOURS.index(code[0]) for code in each.codes])))
    return Temperatures(_least_surprised(weights), _least_surprised(colours))


def _least_surprised(sets: list[tuple[NDArray[np.float32], NDArray[np.int64]]]) -> float:
    def mean(temperature: float) -> float:
        return float(np.mean([surprise(log_softmax(logits / temperature), true) for logits, true in sets]))

    return round(float(min(_TRIED, key=mean)), 3)
