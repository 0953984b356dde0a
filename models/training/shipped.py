"""A shipped reader as a network that can be trained on: its own 8-bit weights, turned back into numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from models.training.networks.nets import ReaderNet, second_net
from models.training.networks.whole_numbers import TWO_COLUMNS, three_columns

_LEAST_VARIANCE = 1e-4
"""Of a map that is nearly always the same."""


_OF_CODES = ("body.", "by_place", "weight", "colour")
"""The layers of a second network: it names codes alone."""


def shipped_reader(model: Path) -> ReaderNet:
    """Return the reader in an ONNX file that `export_network` wrote, its batch norms folded into biases.

    Raises:
        ValueError: The file holds another network.
    """
    return _filled(ReaderNet(), model, ("",))


def shipped_second(model: Path) -> ReaderNet:
    """Return the second network in an ONNX file of `export_second`; what else a reader says is left open.

    Raises:
        ValueError: The file holds another network.
    """
    return _filled(second_net(), model, _OF_CODES)


def _filled(net: ReaderNet, model: Path, layers: tuple[str, ...]) -> ReaderNet:
    """Return a network with the weights of an ONNX file; layers with these beginnings must be in it."""
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

    _fold_batch_norms(net)
    modules = dict(net.named_modules())
    left = {
        name
        for name, module in modules.items()
        if isinstance(module, (nn.Conv2d, nn.Linear)) and name.startswith(layers)
    }
    try:
        for node in graph.node:
            if node.op_type not in ("Conv", "Gemm"):
                continue
            name = _module_name(node.name)
            weight, bias = numbers(node.input[1]), numbers(node.input[2])
            if weight.shape[1:] == TWO_COLUMNS:
                weight = three_columns(weight)
            with torch.no_grad():
                modules[name].weight.copy_(torch.from_numpy(np.array(weight)))
                modules[name].bias.copy_(torch.from_numpy(np.array(bias)))
            left.remove(name)
    except (KeyError, RuntimeError) as error:
        raise ValueError(f"{model} holds another network than ReaderNet: {error}") from error
    if left:
        raise ValueError(f"{model} lacks the layers {', '.join(sorted(left))}")
    return net


def normed_reader(folded: ReaderNet, crops: Iterable[Tensor]) -> ReaderNet:
    """Return a reader with batch norms that answers as the folded one does, to be trained on at a high rate.

    Each norm gets the mean and the variance of what it norms on some crops, and undoes both.

    Args:
        folded: What `shipped_reader` returned.
        crops: Batches of crops as it was trained on, (n, 3, CROP_PX, CROP_PX) float32 RGB in 0..1.
    """
    seen: dict[nn.Module, list[tuple[Tensor, Tensor]]] = {}

    def note(layer: nn.Module, _given: object, answer: Tensor) -> None:
        seen.setdefault(layer, []).append((answer.mean((0, 2, 3)), answer.square().mean((0, 2, 3))))

    hooks = [layer.register_forward_hook(note) for layer in folded.modules() if isinstance(layer, nn.Conv2d)]
    with torch.no_grad():
        for batch in crops:
            folded.eval()(batch)
    for hook in hooks:
        hook.remove()
    net = ReaderNet(folded.shape)
    source = dict(folded.named_modules())
    norms = {id(before): after for before, after in _normed_layers(net)}
    with torch.no_grad():
        for name, layer in net.named_modules():
            if not isinstance(layer, (nn.Conv2d, nn.Linear)):
                continue
            layer.weight.copy_(source[name].weight)
            norm = norms.get(id(layer))
            if norm is None:
                layer.bias.copy_(source[name].bias)
                continue
            mean, square = (torch.stack(each).mean(0) for each in zip(*seen[source[name]], strict=True))
            variance = (square - mean**2).clamp_min(_LEAST_VARIANCE)
            norm.running_mean.copy_(mean - source[name].bias)
            norm.running_var.copy_(variance)
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias.copy_(mean)
    return net


def between(before: ReaderNet, after: ReaderNet, share: float, crops: Iterable[Tensor]) -> ReaderNet:
    """Return the reader whose weights lie between those of one and what it became, its norms measured anew.

    It may read strangers better than either ("Robust fine-tuning of zero-shot models", Wortsman and others,
    2022); decision 23 has what it brought here.

    Args:
        before: One reader.
        after: What it became by learning on.
        share: How far to go towards `after`, 0 to 1.
        crops: Batches of crops as it was trained on, as for `normed_reader`.
    """
    one, other = before.state_dict(), after.state_dict()
    net = ReaderNet(before.shape)
    net.load_state_dict(
        {
            name: torch.lerp(values, other[name], share) if values.is_floating_point() else values
            for name, values in one.items()
        }
    )
    for _, norm in _normed_layers(net):
        norm.reset_running_stats()
        norm.momentum = None  # the mean over all batches
    with torch.no_grad():
        for batch in crops:
            net.train()(batch)
    net.eval()
    return net


def _module_name(node: str) -> str:
    """Return the module of a node: /body/body.2/first/first.0/Conv is body.2.first.0."""
    parts = node.strip("/").split("/")
    # What follows in a sequence repeats the name of the sequence.
    kept = [part for part, after in pairwise(parts) if not after.startswith(f"{part}.")]
    return ".".join(kept)


def _normed_layers(module: nn.Module) -> Iterator[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Yield the convolutions that a batch norm follows, with that."""
    for parent in module.modules():
        if isinstance(parent, nn.Sequential):
            for before, after in pairwise(parent):
                if isinstance(before, nn.Conv2d) and isinstance(after, nn.BatchNorm2d):
                    yield before, after


def _fold_batch_norms(module: nn.Module) -> None:
    """Replace each batch norm by nothing, and give the convolution before it a bias."""
    norms = {}
    for before, after in _normed_layers(module):
        before.bias = nn.Parameter(torch.zeros(before.out_channels))
        norms[id(after)] = after
    for parent in list(module.modules()):
        if isinstance(parent, nn.Sequential):
            for at, layer in enumerate(parent):
                if id(layer) in norms:
                    parent[at] = nn.Identity()
