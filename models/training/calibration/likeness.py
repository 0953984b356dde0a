"""How a cosine to an enrolled tile becomes a chance, fitted on held-out families of close-ups."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from models.training.calibration.pictures import Answers, HeldOutPictures
from models.training.calibration.temperatures import Temperatures, surprise
from models.training.networks.reader_data import family_crops
from models.training.rendering.faces import COLOURS
from models.training.rendering.glyphs import WEIGHTS
from referee.rules.tiles import CODES
from vision.recognition.assignment import log_softmax

_SCALES = np.geomspace(6, 90, 28)
_SHARES = np.linspace(0, 1, 6)
_CLEARER = 2.0
"""The held-out close-ups are harsher than the photos that players take of an enrolled set; with the scales
that fit them half of such tiles were asked about. The factor was set on the even-numbered pictures of
`python -m tests.other_hand`, and checked on the odd ones and on real photos of another game."""

Array = NDArray[np.float64]


def fit_likeness(
    answers: Answers, pictures: HeldOutPictures, temperatures: Temperatures
) -> tuple[float, float, float, dict[str, float]]:
    """Return scale for any set, scale and share of the shipped answer for the game's own, and figures."""
    others: list[tuple[Array, NDArray[np.int64]]] = []
    own: list[tuple[Array, Array, NDArray[np.int64]]] = []
    weight_of = np.array([WEIGHTS.index(int(code[1:])) for code in CODES])
    colour_of = np.array([COLOURS.index(code[0]) for code in CODES])
    stream = family_crops(pictures.directory, 6)
    for _ in range(pictures.size.families):
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
            log_softmax(outputs[0][asked] / temperatures.weight)[:, weight_of]
            + log_softmax(outputs[1][asked] / temperatures.colour)[:, colour_of]
        )[:, columns]
        own.append((cosine, shipped, true))

    def surprise_of_others(scale: float) -> float:
        return float(np.mean([surprise(log_softmax(scale * cosine), true) for cosine, true in others]))

    def surprise_of_own(pair: tuple[float, float]) -> float:
        return float(
            np.mean(
                [
                    surprise(log_softmax(pair[0] * cosine + pair[1] * shipped), true)
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
    return _CLEARER * scale, _CLEARER * scale_with, share, figures
