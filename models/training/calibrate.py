"""The temperature that makes the reader's chances honest, fitted on rendered pictures it never trained on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models.training import corpus
from models.training.reader_data import ReaderCrops

HELD_OUT_SEED = 7_702_026
HELD_OUT_SHARDS = 10
CROPS = 6000
_TEMPERATURES = np.geomspace(0.5, 4.0, 60)


def held_out_answers(net: nn.Module, directory: Path) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return weight logits, colour logits and their true classes for upright, visible held-out tiles."""
    for _ in corpus.render(directory, HELD_OUT_SEED, HELD_OUT_SHARDS, workers=2):
        pass
    weights, colours, true_weights, true_colours = [], [], [], []
    stream = iter(ReaderCrops(directory, 5, pool=400))
    with torch.inference_mode():
        for _ in range(CROPS // 200):
            batch = [next(stream) for _ in range(200)]
            batch = [sample for sample in batch if sample["weight"] >= 0]
            crops = torch.from_numpy(np.stack([sample["crop"] for sample in batch])).float() / 255
            weight, colour = net(crops)[:2]
            weights.append(weight)
            colours.append(colour)
            true_weights.append(torch.tensor([int(sample["weight"]) for sample in batch]))
            true_colours.append(torch.tensor([int(sample["colour"]) for sample in batch]))
    return torch.cat(weights), torch.cat(colours), torch.cat(true_weights), torch.cat(true_colours)


def fit_temperature(net: nn.Module, directory: Path) -> tuple[float, dict[str, float]]:
    """Return the temperature with the least surprise on held-out crops, and the shares named right there."""
    weight, colour, true_weight, true_colour = held_out_answers(net, directory)

    def surprise(temperature: float) -> float:
        entropy = nn.functional.cross_entropy
        return float(entropy(weight / temperature, true_weight) + entropy(colour / temperature, true_colour))

    best = min(_TEMPERATURES, key=surprise)
    right_weight = (weight.argmax(1) == true_weight).float()
    right_colour = (colour.argmax(1) == true_colour).float()
    shares = {
        "weight": float(right_weight.mean()),
        "colour": float(right_colour.mean()),
        "both": float((right_weight * right_colour).mean()),
    }
    return round(float(best), 3), {name: round(value, 4) for name, value in shares.items()}
