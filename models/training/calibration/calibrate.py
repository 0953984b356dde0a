"""What makes the reader's chances honest, fitted on rendered pictures that it never trained on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.networks.reader_data import ReaderCrops, family_crops
from models.training.rendering.faces import COLOURS
from models.training.rendering.glyphs import WEIGHTS
from models.training.scenes import corpus, families
from referee.rules.tiles import CODES

HELD_OUT_SEED = 7_702_026
HELD_OUT_SHARDS, HELD_OUT_FAMILY_SHARDS = 10, 4
CROPS, FAMILIES = 6000, 90
_TEMPERATURES = np.geomspace(0.4, 4.0, 60)
_SCALES = np.geomspace(6, 90, 28)
_SHARES = np.linspace(0, 1, 6)
_CLEARER = 2.0
"""The held-out close-ups are harsher than the photos that players take of an enrolled set; with the scales
that fit them half of such tiles were asked about. The factor was set on the even-numbered pictures of
`python -m tests.other_hand`, and checked on the odd ones and on real photos of another game."""

Array = NDArray[np.float64]
Answers = Callable[[NDArray[np.uint8]], list[NDArray[np.float32]]]
"""From n crops (n, 3, side, side) uint8 RGB to the reader's outputs, in the order of READER_OUTPUTS."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is divided and weighted by at use, and how well the held-out crops were named with it."""

    temperature: float
    """Divides the logits of weight and colour."""
    likeness_scale: float
    """Times the cosine to a prototype: the log-chance of an enrolled set's tile."""
    likeness_scale_with_shipped: float
    shipped_share: float
    """For an enrolled set of the game's own codes: these two join likeness and the shipped log-chances."""
    figures: dict[str, float]
    reliability: list[tuple[float, float, int]]
    """For each tenth of confidence: mean confidence, share named right, crops."""


def held_out(directory: Path) -> None:
    """Render the held-out pictures that are missing."""
    for _ in corpus.render(directory, HELD_OUT_SEED, HELD_OUT_SHARDS, workers=2):
        pass
    for _ in families.render(directory, HELD_OUT_SEED, HELD_OUT_FAMILY_SHARDS, workers=2, one_printing=True):
        pass


def held_out_crops(directory: Path, count: int) -> Iterator[list[dict[str, np.ndarray]]]:
    """Yield `count` held-out crops with their targets, 200 at a time."""
    stream = iter(ReaderCrops(directory, 5, pool=400))
    for _ in range(count // 200):
        yield [next(stream) for _ in range(200)]


def _log_softmax(logits: NDArray[np.floating]) -> Array:
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float64)


def _surprise(log_chances: Array, true: NDArray[np.int64]) -> float:
    return float(-log_chances[np.arange(len(true)), true].mean())


def calibrate(answers: Answers, directory: Path) -> Calibration:
    """Return the calibration with the least surprise on the held-out pictures in `directory`."""
    held_out(directory)
    logits: list[list[NDArray[np.float32]]] = []
    truths = []
    for samples in held_out_crops(directory, CROPS):
        logits.append(answers(np.stack([sample["crop"] for sample in samples])))
        truths.append(
            [[sample[key] for key in ("weight", "colour", "tile", "covered")] for sample in samples]
        )
    weight, colour, tile, covered = (np.concatenate([part[index] for part in logits]) for index in range(4))
    true_weight, true_colour, is_tile, is_covered = (
        np.concatenate([np.array(part)[:, index] for part in truths]) for index in range(4)
    )
    named = true_weight >= 0
    target_weight, target_colour = true_weight[named].astype(int), true_colour[named].astype(int)

    def surprise(temperature: float) -> float:
        return _surprise(_log_softmax(weight[named] / temperature), target_weight) + _surprise(
            _log_softmax(colour[named] / temperature), target_colour
        )

    temperature = float(min(_TEMPERATURES, key=surprise))
    chances = np.exp(_log_softmax(weight[named] / temperature)).max(1) * np.exp(
        _log_softmax(colour[named] / temperature)
    ).max(1)
    right = (weight[named].argmax(1) == target_weight) & (colour[named].argmax(1) == target_colour)
    tenth = np.minimum((chances * 10).astype(int), 9)
    reliability = [
        (float(chances[tenth == step].mean()), float(right[tenth == step].mean()), int((tenth == step).sum()))
        for step in range(10)
        if (tenth == step).any()
    ]
    error = sum(abs(confidence - share) * count for confidence, share, count in reliability) / len(chances)
    seen = is_covered >= 0
    scale, scale_with, share, alike = _fit_likeness(answers, directory, temperature)
    figures = {
        "weight": float((weight[named].argmax(1) == target_weight).mean()),
        "colour": float((colour[named].argmax(1) == target_colour).mean()),
        "both": float(right.mean()),
        "tile": float(((tile[:, 0] > 0) == (is_tile > 0)).mean()),
        "covered": float(((covered[seen, 0] > 0) == (is_covered[seen] > 0)).mean()),
        "calibration_error": error,
        **alike,
    }
    return Calibration(
        round(temperature, 3),
        round(_CLEARER * scale, 2),
        round(_CLEARER * scale_with, 2),
        round(share, 2),
        figures,
        reliability,
    )


def _fit_likeness(
    answers: Answers, directory: Path, temperature: float
) -> tuple[float, float, float, dict[str, float]]:
    """Return scale for any set, scale and share of the shipped answer for the game's own, and figures."""
    others: list[tuple[Array, NDArray[np.int64]]] = []
    own: list[tuple[Array, Array, NDArray[np.int64]]] = []
    weight_of = np.array([WEIGHTS.index(int(code[1:])) for code in CODES])
    colour_of = np.array([COLOURS.index(code[0]) for code in CODES])
    stream = family_crops(directory, 6)
    for _ in range(FAMILIES):
        samples = next(stream)
        outputs = answers(np.stack([sample["crop"] for sample in samples]))
        member = np.array([int(sample["member"]) for sample in samples])
        upright = np.array([int(sample["up"]) == 0 for sample in samples])
        embedding = outputs[6].astype(np.float64)
        first = {int(name): at for at, name in reversed(list(enumerate(member))) if upright[at]}
        asked = np.array([at for at in np.nonzero(upright)[0] if first[int(member[at])] != at])
        examples = list(first.values())
        names = [int(member[at]) for at in examples]
        true = np.array([names.index(int(member[at])) for at in asked])
        cosine = embedding[asked] @ embedding[examples].T
        codes = [(int(samples[at]["weight"]), int(samples[at]["colour"])) for at in examples]
        if min(codes)[0] < 0:
            others.append((cosine, true))
            continue
        pairs = list(zip(weight_of.tolist(), colour_of.tolist(), strict=True))
        columns = [pairs.index(code) for code in codes]
        shipped = (
            _log_softmax(outputs[0][asked] / temperature)[:, weight_of]
            + _log_softmax(outputs[1][asked] / temperature)[:, colour_of]
        )[:, columns]
        own.append((cosine, shipped, true))

    def surprise_of_others(scale: float) -> float:
        return float(np.mean([_surprise(_log_softmax(scale * cosine), true) for cosine, true in others]))

    def surprise_of_own(pair: tuple[float, float]) -> float:
        return float(
            np.mean(
                [
                    _surprise(_log_softmax(pair[0] * cosine + pair[1] * shipped), true)
                    for cosine, shipped, true in own
                ]
            )
        )

    scale = float(min(_SCALES, key=surprise_of_others))
    scale_with, share = min(product(_SCALES.tolist(), _SHARES.tolist()), key=surprise_of_own)
    figures = {
        "one_example_other_games": float(
            np.mean(np.concatenate([cosine.argmax(1) == true for cosine, true in others]))
        ),
        "one_example_own_game": float(
            np.mean(
                np.concatenate(
                    [
                        (scale_with * cosine + share * shipped).argmax(1) == true
                        for cosine, shipped, true in own
                    ]
                )
            )
        ),
    }
    return scale, scale_with, share, figures
