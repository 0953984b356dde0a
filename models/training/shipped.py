"""A shipped reader as a network that can be trained on: its own 8-bit weights, turned back into numbers."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

from models.training.networks.nets import ReaderNet


def shipped_reader(model: Path) -> ReaderNet:
    """Return the reader in an ONNX file that `export_reader` wrote, its batch norms folded into biases.

    Raises:
        ValueError: The file holds another network.
    """
    graph = onnx.load(str(model)).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    source = {node.output[0]: node for node in graph.node if node.op_type == "DequantizeLinear"}

    def numbers(name: str) -> NDArray[np.float32]:
        if name in stored:
            return np.asarray(stored[name], np.float32)
        value, scale, zero = (stored[part] for part in source[name].input)
        shape = (-1, *[1] * (value.ndim - 1))
        centred = value.astype(np.float32) - zero.reshape(shape)
        return np.asarray(centred * scale.reshape(shape), np.float32)

    net = ReaderNet()
    _fold_batch_norms(net)
    modules = dict(net.named_modules())
    left = {name for name, module in modules.items() if isinstance(module, (nn.Conv2d, nn.Linear))}
    try:
        for node in graph.node:
            if node.op_type not in ("Conv", "Gemm"):
                continue
            name = _module_name(node.name)
            weight, bias = numbers(node.input[1]), numbers(node.input[2])
            with torch.no_grad():
                modules[name].weight.copy_(torch.from_numpy(np.array(weight)))
                modules[name].bias.copy_(torch.from_numpy(np.array(bias)))
            left.remove(name)
    except (KeyError, RuntimeError) as error:
        raise ValueError(f"{model} holds another network than ReaderNet: {error}") from error
    if left:
        raise ValueError(f"{model} lacks the layers {', '.join(sorted(left))}")
    return net


def _module_name(node: str) -> str:
    """Return the module of a node: /body/body.2/first/first.0/Conv is body.2.first.0."""
    parts = node.strip("/").split("/")
    # What follows in a sequence repeats the name of the sequence.
    kept = [part for part, after in pairwise(parts) if not after.startswith(f"{part}.")]
    return ".".join(kept)


def _fold_batch_norms(module: nn.Module) -> None:
    """Replace each batch norm by nothing, and give the convolution before it a bias."""
    for parent in list(module.modules()):
        if isinstance(parent, nn.Sequential):
            for at, (before, after) in enumerate(zip(parent, list(parent)[1:], strict=False)):
                if isinstance(before, nn.Conv2d) and isinstance(after, nn.BatchNorm2d):
                    before.bias = nn.Parameter(torch.zeros(before.out_channels))
                    parent[at + 1] = nn.Identity()
