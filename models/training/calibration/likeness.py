"""How a cosine to an enrolled tile becomes a chance, fitted on held-out families of close-ups."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from models.training.calibration.pictures import Answers, HeldOutPictures
from models.training.calibration.temperatures import Temperatures, surprise
from models.training.networks.reader_data import Sample, family_crops
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

_CODES = [(WEIGHTS.index(int(code[1:])), COLOURS.index(code[0])) for code in CODES]
"""Weight and colour of the game's codes, by the reader's indices."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Family:
    """The close-ups of one family: one view of every tile is its example, the others are asked about."""

    cosine: Array
    """(asked, examples) likeness of the embeddings."""
    shipped: Array | None
    """(asked, examples) log-chances by the shipped reader; None for the tiles of another game."""
    true: NDArray[np.int64]
    """(asked,) indices of the examples that show the same tile."""

    def logits(self, scale: float, share: float) -> Array:
        """Return (asked, examples) scaled likeness, with a share of the shipped answer where there is one."""
        likeness: Array = scale * self.cosine
        return likeness if self.shipped is None else likeness + share * self.shipped


def fit_likeness(
    answers: Answers, pictures: HeldOutPictures, temperatures: Temperatures
) -> tuple[float, float, float, dict[str, float]]:
    """Return scale for any set, scale and share of the shipped answer for the game's own, and figures."""
    stream = family_crops(pictures.directory, 6)
    families = [_family(answers, next(stream), temperatures) for _ in range(pictures.size.families)]
    others = [family for family in families if family.shipped is None]
    own = [family for family in families if family.shipped is not None]
    scale = float(min(_SCALES, key=lambda scale: _surprise(others, scale, 0.0)))
    scale_with, share = min(
        product(_SCALES.tolist(), _SHARES.tolist()), key=lambda pair: _surprise(own, *pair)
    )
    figures = {
        "one_example_other_games": _right(others, 1.0, 0.0),  # the scale changes no order
        "one_example_own_game": _right(own, scale_with, share),
    }
    return _CLEARER * scale, _CLEARER * scale_with, share, figures


def _family(answers: Answers, samples: list[Sample], temperatures: Temperatures) -> _Family:
    """Return how the upright crops of one family look to the reader."""
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
        return _Family(cosine, None, true)
    columns = [_CODES.index(code) for code in codes]
    log_codes = (
        log_softmax(outputs[0][asked] / temperatures.weight)[:, [weight for weight, _ in _CODES]]
        + log_softmax(outputs[1][asked] / temperatures.colour)[:, [colour for _, colour in _CODES]]
    )
    return _Family(cosine, log_codes[:, columns], true)


def _surprise(families: list[_Family], scale: float, share: float) -> float:
    """Return the mean surprise at the tiles that are asked about; all families count alike."""
    return float(
        np.mean([surprise(log_softmax(family.logits(scale, share)), family.true) for family in families])
    )


def _right(families: list[_Family], scale: float, share: float) -> float:
    """Return the share of the tiles that are asked about which are told right by one example each."""
    right = [family.logits(scale, share).argmax(1) == family.true for family in families]
    return float(np.mean(np.concatenate(right)))
