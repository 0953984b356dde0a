"""How badly a second network names codes: it learns weight and colour alone, each crop restyled anew."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from models.training.networks.nets import short_numbers
from models.training.networks.reader_data import RARE
from models.training.networks.restyle_many import some_restyled
from models.training.rendering.glyphs import WEIGHTS

_NO_NUMBER, _NO_NUMBER_COUNTS = 13, 0.15
_SMOOTHING = 0.01
_UNSURE = 0.3
"""How much it counts that what is no tile is named with no confidence."""


def codes_loss(
    net: nn.Module, batch: dict[str, Tensor], share_done: float
) -> tuple[Tensor, dict[str, float]]:
    """Return the loss of one batch, and the shares of weights and colours that are named right.

    Args:
        net: A `ReaderNet` while it is trained.
        batch: "crop" (n, 3, CROP_PX, CROP_PX) uint8 RGB; "weight", "colour" (n,) classes, -1 where there is
            none; "places" (n, MAP, MAP) weights by place, 13 where there is no number, -1 where it is open.
        share_done: Of the training; not used.
    """
    crop, colour = some_restyled(batch["crop"].float() / 255, batch["colour"].long())
    weight, places = batch["weight"].long(), batch["places"].long()
    with short_numbers(crop.device):
        answers = net(crop.contiguous(memory_format=torch.channels_last))
    of_weight, of_colour, by_place = (answers[index].float() for index in (0, 1, 7))
    rare = torch.tensor([RARE.get(value, 1.0) for value in WEIGHTS], device=crop.device)
    counts = torch.ones(_NO_NUMBER + 1, device=crop.device)
    counts[_NO_NUMBER] = _NO_NUMBER_COUNTS
    entropy = nn.functional.cross_entropy
    is_nothing = ((places == _NO_NUMBER).flatten(1).all(1)).float()
    unsure = (_sureness(of_weight) + _sureness(of_colour)) @ is_nothing / is_nothing.sum().clamp(min=1)
    loss = (
        entropy(of_weight, weight, rare, ignore_index=-1, label_smoothing=_SMOOTHING)
        + entropy(of_colour, colour, ignore_index=-1, label_smoothing=_SMOOTHING)
        + entropy(by_place, places, counts, ignore_index=-1)
        + _UNSURE * unsure
    )
    return loss, {
        "weight": _right(of_weight, weight), "colour": _right(of_colour, colour), "unsure": unsure.item(),
    }  # fmt: skip


def _sureness(logits: Tensor) -> Tensor:
    """Return how far the chances of each row are from being all alike, (n,), 0 or more."""
    return -nn.functional.log_softmax(logits, 1).mean(1) - math.log(logits.shape[1])


def _right(logits: Tensor, target: Tensor) -> float:
    return float((logits.argmax(1) == target)[target >= 0].float().mean())
