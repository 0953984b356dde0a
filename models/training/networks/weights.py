"""A network's weights as a small file of numbers: 16 bits each, no pickle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from vision.files import replacing

_STEP = "step"


def write_weights(net: nn.Module, file: Path, step: int) -> None:
    """Write the weights of `net` after `step` steps to an npz file."""
    numbers: dict[str, Any] = {
        name: values.numpy().astype(np.float16) if values.is_floating_point() else values.numpy()
        for name, values in net.cpu().state_dict().items()
    }
    numbers[_STEP] = np.int64(step)
    with replacing(file) as beside, beside.open("wb") as opened:
        np.savez_compressed(opened, **numbers)


def read_weights(net: nn.Module, file: Path) -> int:
    """Give `net` the weights of a file of `write_weights`; return after how many steps they were written.

    Raises:
        RuntimeError: They are another network's.
    """
    with np.load(file, allow_pickle=False) as numbers:
        step = int(numbers[_STEP])
        net.load_state_dict(
            {name: torch.from_numpy(numbers[name]) for name in numbers.files if name != _STEP}
        )  # which makes them as wide as the network's
    return step
