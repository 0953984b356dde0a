"""An exported network says of pixels what the learned one says of the numbers that stand for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.imaging.preprocess import to_tensor

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from models.training import export  # noqa: E402
from models.training.networks.nets import FinderNet  # noqa: E402
from models.training.networks.whole_numbers import (  # noqa: E402
    pixels_of,
    quicken,
    three_columns,
    two_columns,
)

pytestmark = pytest.mark.slow  # torch is there with `make test-slow` alone


@pytest.fixture
def pictures() -> np.ndarray:
    """Four pictures of blots, (4, 64, 96, 3) uint8 BGR."""
    rng = np.random.default_rng(3)
    return np.kron(rng.integers(0, 256, (4, 8, 12, 3)), np.ones((1, 8, 8, 1))).astype(np.uint8)


@pytest.fixture
def finder() -> FinderNet:
    """A finder with weights by chance."""
    torch.manual_seed(2)
    net = FinderNet().eval()
    with torch.no_grad():
        for _ in range(20):
            net.train()(torch.rand(4, 3, 64, 64))
    return net.eval()


def quantised(net: FinderNet, folder: Path, shown: np.ndarray) -> Path:
    """Return the ONNX file of a finder that was shown these pictures to be quantised."""
    whole, small = folder / "whole.onnx", folder / "small.onnx"
    free = {0: "n", 2: "height", 3: "width"}
    export._to_onnx(net, [1, 64, 96, 3], ["cells"], free, whole)
    export._quantise(whole, small, [to_tensor(picture[None]) for picture in shown], spared=("head",))
    return small


def test_what_takes_pixels_answers_as_what_was_learned(
    tmp_path: Path, finder: FinderNet, pictures: np.ndarray
) -> None:
    import onnxruntime

    small = quantised(finder, tmp_path, pictures)
    session = onnxruntime.InferenceSession(str(small), providers=["CPUExecutionProvider"])
    (said,) = session.run(["cells"], {"pictures": pictures})
    with torch.no_grad():
        meant = finder(torch.from_numpy(to_tensor(pictures))).numpy()
    assert said.shape == meant.shape
    # At the edges, too: what lies beyond them is the grey that is zero to the network.
    assert np.abs(said - meant).max() < 0.05 * np.ptp(meant)
    assert np.corrcoef(said.ravel(), meant.ravel())[0, 1] > 0.999


def test_a_layer_rounds_once(tmp_path: Path, finder: FinderNet, pictures: np.ndarray) -> None:
    graph = onnx.load(str(quantised(finder, tmp_path, pictures))).graph
    source = {name: node for node in graph.node for name in node.output}
    before_relu = [source[node.input[0]].op_type for node in graph.node if node.op_type == "Relu"]
    assert before_relu.count("DequantizeLinear") <= 1  # the last one hands numbers to the head
    assert len(before_relu) == 11


def test_weights_come_back_from_pairs_of_columns() -> None:
    weights = np.arange(5 * 27, dtype=np.float32).reshape(5, 3, 3, 3)
    assert np.array_equal(three_columns(two_columns(weights)), weights)


def test_crops_become_pixels() -> None:
    crops = np.zeros((1, 3, 4, 4), np.uint8)
    crops[0, :, 1, 2] = (10, 20, 30)
    assert pixels_of(crops)[0, 1, 2].tolist() == [30, 20, 10]


def test_another_network_is_refused(tmp_path: Path, finder: FinderNet, pictures: np.ndarray) -> None:
    """Once it takes pixels, it cannot be made to take them again."""
    network = onnx.load(str(quantised(finder, tmp_path, pictures)))
    with pytest.raises(ValueError, match="does not begin"):
        quicken(network)
