"""The styles of `restyle`, drawn for many crops at once where they are learned from: on the graphics card."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from models.training.networks.restyle import KEEP_COLOUR, MOST_OTHER, WARP_PX

_SIGMAS = (0.8, 1.3, 2.0, 3.0)


def some_restyled(crops: Tensor, colour: Tensor) -> tuple[Tensor, Tensor]:
    """Return crops of which the first half is drawn in one other style, half of these in two.

    Args:
        crops: (n, 3, side, side) float32 RGB in 0..1, in no order.
        colour: (n,) the tiles' colours; -1 where none is known.

    Returns:
        The crops, and the colours: -1 where a style takes it away.
    """
    crops, colour = crops.clone(), colour.clone()
    half, ways = len(crops) // 2, len(_WAYS)
    first = torch.arange(half, device=crops.device).tensor_split(ways)
    second = torch.randperm(half, device=crops.device)[: half // 2].tensor_split(ways)
    for round_of in (first, second):
        for (change, keeps), rows in zip(_WAYS, round_of, strict=True):
            if not len(rows):
                continue
            crops[rows] = change(crops[rows], crops[-len(rows) :]).clamp(0, 1)
            if not keeps:
                colour[rows] = -1
    return crops, colour


def _each(crops: Tensor, low: float, top: float) -> Tensor:
    return torch.empty(len(crops), 1, 1, 1, device=crops.device).uniform_(low, top)


def _normal(crops: Tensor, spread: float) -> Tensor:
    return torch.randn(len(crops), 1, 1, 1, device=crops.device) * spread


def _filtered(crops: Tensor, _other: Tensor) -> Tensor:
    count, side = len(crops), crops.shape[-1]
    kernel = torch.randn(count, 5, 5, device=crops.device) * _each(crops, 0.05, 0.16)[:, 0]
    small = torch.rand(count, 1, 1, device=crops.device) < 0.5
    inner = torch.zeros(5, 5, dtype=torch.bool, device=crops.device)
    inner[1:4, 1:4] = True
    size = torch.where(small, 9.0, 25.0)
    within = inner | ~small
    kernel = torch.where(within, kernel - (kernel * within).sum((1, 2), keepdim=True) / size, 0)
    kernel[:, 2, 2] += _each(crops, 0.5, 1)[:, 0, 0, 0]
    kernel = torch.where(within, kernel + (1 - kernel.sum((1, 2), keepdim=True)) / size, 0)
    kernel = kernel.repeat_interleave(3, 0)[:, None]
    spread = functional.pad(crops, (2, 2, 2, 2), "reflect").reshape(1, 3 * count, side + 4, side + 4)
    return functional.conv2d(spread, kernel, groups=3 * count).reshape(crops.shape)


def _warped(crops: Tensor, _other: Tensor) -> Tensor:
    count, side = len(crops), crops.shape[-1]
    shift = torch.randn(count, 2, 6, 6, device=crops.device) * (WARP_PX * 2 / side)
    shift = functional.interpolate(shift, (side, side), mode="bicubic", align_corners=False)
    line = torch.linspace(-1 + 1 / side, 1 - 1 / side, side, device=crops.device)
    ys, xs = torch.meshgrid(line, line, indexing="ij")
    lean = _normal(crops, 0.06)[:, 0]
    at = torch.stack([xs + shift[:, 0] + lean * ys, ys + shift[:, 1]], 3)
    return functional.grid_sample(crops, at, padding_mode="border", align_corners=False)


def _thickened(crops: Tensor, _other: Tensor) -> Tensor:
    sign = torch.where(_each(crops, 0, 1) < 0.5, -1.0, 1.0)
    changed = sign * functional.max_pool2d(sign * crops, 3, 1, 1)
    return torch.lerp(crops, changed, _each(crops, 0.3, 0.9))


def _shone_through(crops: Tensor, other: Tensor) -> Tensor:
    gray = (other * other.new_tensor([0.299, 0.587, 0.114]).reshape(1, 3, 1, 1)).sum(1, keepdim=True)
    parts = [_blurred(part, sigma) for part, sigma in zip(gray.chunk(4), _SIGMAS, strict=False)]
    gray = torch.rot90(torch.cat(parts), 1, (2, 3))
    return crops + _each(crops, 0.1, MOST_OTHER) * 2 * (gray - gray.mean((2, 3), keepdim=True))


def _contrasted(crops: Tensor, _other: Tensor) -> Tensor:
    values = crops.clamp_min(1e-4) ** torch.exp(_normal(crops, 0.3))
    middle = values.mean((1, 2, 3), keepdim=True)
    return middle * torch.exp(_normal(crops, 0.15)) + _each(crops, 0.45, 1.3) * (values - middle)


def _sketched(crops: Tensor, _other: Tensor) -> Tensor:
    side = crops.shape[-1]
    line = torch.arange(side, device=crops.device, dtype=torch.float32)
    ys, xs = torch.meshgrid(line, line, indexing="ij")
    angle, pitch = _each(crops, 0, torch.pi), _each(crops, 2.5, 7)
    lines = torch.sin((torch.cos(angle) * xs + torch.sin(angle) * ys) * (2 * torch.pi / pitch))
    grain = _blurred(torch.randn(len(crops), 1, side, side, device=crops.device), 0.8)
    grain = grain / grain.std((1, 2, 3), keepdim=True)
    pattern = torch.where(_each(crops, 0, 1) < 0.5, lines, grain)
    return crops * (1 + _each(crops, 0.04, 0.16) * pattern)


def _inverted(crops: Tensor, _other: Tensor) -> Tensor:
    return 1 - crops


def _in_other_hues(crops: Tensor, _other: Tensor) -> Tensor:
    count = len(crops)
    mix = torch.eye(3, device=crops.device)[torch.rand(count, 3, device=crops.device).argsort(1)]
    mix = mix + torch.randn(count, 3, 3, device=crops.device) * 0.2
    mix = mix / mix.sum(2, keepdim=True)
    return torch.einsum("nij,njhw->nihw", mix, crops)


def _blurred(maps: Tensor, sigma: float) -> Tensor:
    reach = int(2 * sigma) + 1
    kernel = torch.exp(-0.5 * (torch.arange(-reach, reach + 1, device=maps.device) / sigma) ** 2)
    kernel = (kernel / kernel.sum()).reshape(1, 1, 1, -1)
    across = functional.conv2d(functional.pad(maps, (reach, reach, 0, 0), "replicate"), kernel)
    return functional.conv2d(
        functional.pad(across, (0, 0, reach, reach), "replicate"), kernel.transpose(2, 3)
    )


_Change = Callable[[Tensor, Tensor], Tensor]
_CHANGES: tuple[_Change, ...] = (
    _filtered, _warped, _thickened, _shone_through, _contrasted, _sketched, _inverted, _in_other_hues,
)  # fmt: skip
_WAYS = tuple(zip(_CHANGES, KEEP_COLOUR, strict=True))
"""Those of `restyle`, in its order, each with whether a tile keeps its colour."""
