"""A network in 8 bits as a processor runs it fastest: it takes pixels, and rounds once for each layer.

The network that was learned takes RGB from 0 to 1 and begins with a convolution of three columns at every
second one. What is exported of it takes bytes, two columns at a time: the same sums, nothing to convert.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

PIXELS: dict[str, NDArray[Any]] = {
    "scale": np.array(4 / 255, np.float32),
    "zero_point": np.array(115, np.uint8),
}
"""How bytes stand for (x - 0.45) * 4 of x in 0..1, what the first convolution takes: each for itself."""
TWO_COLUMNS = (6, 3, 2)
"""Channels, rows and columns of the first convolution's weights in what is exported."""
_PICTURES = "pictures"


def quicken(network: onnx.ModelProto) -> None:
    """Change a quantised network of `nets`, in place, to one that takes pixels and rounds once a layer.

    Its input was (n, 3, height, width) float32 RGB in 0..1, and is then (n, height, width, 3) uint8 BGR, with
    an even width. Its answers stay the same but for what the rounding before each ReLU had added.

    Raises:
        ValueError: It is another network, or was not quantised over the whole range of pixels.
    """
    _round_once(network.graph)
    _take_pixels(network.graph)
    onnx.checker.check_model(network)


def _round_once(graph: onnx.GraphProto) -> None:
    """Take away what rounds between a layer and its ReLU: after that it is rounded anyway."""
    source, takers = _sources(graph), _takers(graph)
    for relu in [node for node in graph.node if node.op_type == "Relu"]:
        back = source.get(relu.input[0])
        if back is None or back.op_type != "DequantizeLinear":
            continue
        if any(taker.op_type != "QuantizeLinear" for taker in takers[relu.output[0]]):
            continue
        there = source[back.input[0]]
        relu.input[0] = there.input[0]
        graph.node.remove(back)
        graph.node.remove(there)


def _take_pixels(graph: onnx.GraphProto) -> None:
    """Put bytes in the place of the numbers that the first convolution takes."""
    stored = {each.name: each for each in graph.initializer}
    source = _sources(graph)
    first = next(node for node in graph.node if node.op_type == "Conv")
    back = source[first.input[0]]
    chain = [source[back.input[0]]]
    while chain[-1].input[0] != _PICTURES:
        chain.append(source[chain[-1].input[0]])
    if [node.op_type for node in chain] != ["QuantizeLinear", "Mul", "Sub"]:
        raise ValueError("The network does not begin as those of models.training.networks.nets do.")
    told = [float(numpy_helper.to_array(stored[name])) for name in chain[0].input[1:3]]
    if not np.allclose(told, [PIXELS["scale"].item(), PIXELS["zero_point"].item()], rtol=1e-5):
        raise ValueError("The network was not quantised over pixels from black to white.")
    needed = {name for node in chain for name in node.input} & set(source)
    constants = [source[name] for name in needed if source[name].op_type == "Constant"]
    for node in [*chain, *constants]:
        graph.node.remove(node)
    weights = stored[source[first.input[1]].input[0]]
    folded = two_columns(numpy_helper.to_array(weights))
    weights.CopyFrom(numpy_helper.from_array(folded, weights.name))
    for attribute in first.attribute:
        new = {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 1, 0, 0]}.get(attribute.name)
        if new is not None:
            attribute.ints[:] = new
    graph.initializer.append(numpy_helper.from_array(np.array([0, 0, -1, 6], np.int64), "pairs_of_columns"))
    back.input[0] = "pairs_first"
    graph.node.insert(0, helper.make_node("Reshape", [_PICTURES, "pairs_of_columns"], ["pairs"]))
    graph.node.insert(1, helper.make_node("Transpose", ["pairs"], ["pairs_first"], perm=[0, 3, 1, 2]))
    _tell_input(graph)


def _tell_input(graph: onnx.GraphProto) -> None:
    """Say in the graph that it takes (n, height, width, 3) bytes."""
    given = graph.input[0].type.tensor_type
    count, _channels, height, width = given.shape.dim
    sides = [each.dim_param or each.dim_value for each in (count, height, width)]
    told = helper.make_tensor_value_info(_PICTURES, onnx.TensorProto.UINT8, [*sides, 3])
    graph.input[0].CopyFrom(told)


def pixels_of(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return (n, 3, height, width) uint8 RGB, as networks learn from it, as what the exported ones take."""
    return np.ascontiguousarray(crops[:, ::-1].transpose(0, 2, 3, 1))


def two_columns(weights: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the weights of a convolution over pairs of columns of BGR, (maps, 6, 3, 2).

    Args:
        weights: Those over RGB, (maps, 3, 3, 3): channels, rows, columns; it goes over every second column,
            and begins one before the first.
    """
    pairs = np.zeros((len(weights), 2, 3, 3, 2), weights.dtype)  # column in the pair, channel, row, pair
    for column in range(3):
        pair, within = divmod(column + 1, 2)
        pairs[:, within, :, :, pair] = weights[:, ::-1, :, column]
    return pairs.reshape(len(weights), *TWO_COLUMNS)


def three_columns(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what `two_columns` had been given, of (maps, 6, 3, 2) weights."""
    pairs = weights.reshape(len(weights), 2, 3, 3, 2)
    columns = [pairs[:, (at + 1) % 2, ::-1, :, (at + 1) // 2] for at in range(3)]
    return np.ascontiguousarray(np.stack(columns, axis=-1))


def _sources(graph: onnx.GraphProto) -> dict[str, onnx.NodeProto]:
    """Return the node that gives each value."""
    return {name: node for node in graph.node for name in node.output}


def _takers(graph: onnx.GraphProto) -> dict[str, list[onnx.NodeProto]]:
    """Return the nodes that take each value."""
    takers: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            takers.setdefault(name, []).append(node)
    return takers
