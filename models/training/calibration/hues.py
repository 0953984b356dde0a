"""What the hues of a face say of its colour beside the network, fitted on art that the network never saw.

Only where the network never learned does it show how it goes wrong. So this is fitted on the held-out groups,
and what is said of a group is said with an opinion that was fitted without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.calibration.pictures import Answers
from models.training.calibration.sets import LEARNED, PicturedSet
from models.training.rendering.faces import COLOURS
from vision.imaging.hues import HUE_VALUES, hue_values
from vision.recognition.assignment import log_softmax

LIMIT = 2.0
"""However strange the hues are, they weigh no more than this, in logs."""
_SHRINKING = 0.003
"""What the squares of the weights cost."""
_LEARNED_COUNTS = 5
"""So many times as much as of a held-out group counts a set by artists that the network learned from."""
_LEAST_SPREAD = 0.02
_LEAST_SCALE = 0.01
"""So much, at least, counts what the network says: one that has hardly learned may say the opposite."""
_ROUNDS = 120
_NAMED = len(COLOURS) - 1
"""All colours but the millstone's."""


@dataclass(frozen=True, slots=True)
class SeenSet:
    """The n coloured tiles of one picture of a set."""

    group: str
    said: NDArray[np.float64]
    """(n, 4) log-chances of the colours by the network."""
    hues: NDArray[np.float32]
    """(n, HUE_VALUES)."""
    true: NDArray[np.int64]
    """(n,) indices of the colours."""


def seen_sets(answers: Answers, sets: Iterable[PicturedSet], temperature: float) -> list[SeenSet]:
    """Return the coloured tiles of sets, as the network sees their colours and what hues they show.

    Args:
        answers: The network.
        sets: With the places of their tiles.
        temperature: What its logits of colours are divided by.
    """
    seen = []
    for each in sets:
        crops = [crop for crop, code in zip(each.crops(), each.codes, strict=True) if code[0] != COLOURS[-1]]
        if crops:
            stack = np.stack(crops)
            logits = answers(stack)[1][:, :_NAMED] / temperature
            crops_bgr = np.ascontiguousarray(stack.transpose(0, 2, 3, 1)[..., ::-1])
            true = [COLOURS.index(code[0]) for code in each.codes if code[0] != COLOURS[-1]]
            seen.append(SeenSet(each.group, log_softmax(logits), hue_values(crops_bgr), np.array(true)))
    return seen


@dataclass(frozen=True, slots=True)
class Hues:
    """The part of a reader's manifest that `vision.recognition.classifier.HueOpinion` takes."""

    scale: float
    limit: float
    bias: list[float]
    weights: list[list[float]]


def fit_hues(sets: Sequence[SeenSet]) -> Hues:
    """Return the opinion with the least surprise on sets, each of which counts alike in its group.

    Those by artists that the network learned from count for more: the opinion shall do no harm there.
    """
    hues = np.concatenate([each.hues for each in sets]).astype(np.float64)
    middle, spread = hues.mean(axis=0), hues.std(axis=0) + _LEAST_SPREAD
    seen = torch.tensor((hues - middle) / spread, dtype=torch.float64)
    said = torch.tensor(np.concatenate([each.said for each in sets]))
    true = torch.tensor(np.concatenate([each.true for each in sets]))
    share = _shares(sets)
    weights = torch.zeros(HUE_VALUES, _NAMED, dtype=torch.float64, requires_grad=True)
    bias = torch.zeros(_NAMED, dtype=torch.float64, requires_grad=True)
    scale = torch.ones(1, dtype=torch.float64, requires_grad=True)
    search = torch.optim.LBFGS([weights, bias, scale], max_iter=_ROUNDS, line_search_fn="strong_wolfe")

    def surprise() -> torch.Tensor:
        search.zero_grad()
        opinion = LIMIT * torch.tanh((seen @ weights + bias) / LIMIT)
        each = torch.nn.functional.cross_entropy(scale * said + opinion, true, reduction="none")
        loss = (each * share).sum() + _SHRINKING * weights.square().sum()
        loss.backward()
        return loss

    search.step(surprise)
    by_value = weights.detach().numpy() / spread[:, None]
    start = bias.detach().numpy() - middle @ by_value
    return Hues(
        max(round(scale.item(), 4), _LEAST_SCALE),
        LIMIT,
        np.round(start, 4).tolist(),
        np.round(by_value, 4).tolist(),
    )


def _shares(sets: Sequence[SeenSet]) -> torch.Tensor:
    """Return how much each tile of all sets counts, one set after the other; float64, 1 together."""
    counts = [_LEARNED_COUNTS if each.group == LEARNED else 1 for each in sets]
    share = torch.tensor(
        np.concatenate(
            [
                np.full(len(each.true), count / len(each.true))
                for count, each in zip(counts, sets, strict=True)
            ]
        )
    )
    return share / share.sum()
