"""Pictures as numbers, which networks learn from and own readers of before take; the shipped take pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def to_tensor(pictures_bgr: NDArray[Any]) -> NDArray[np.float32]:
    """Return (n, H, W, 3) uint8 BGR pictures as (n, 3, H, W) float32 RGB in 0..1."""
    tensor = np.ascontiguousarray(pictures_bgr[:, :, :, ::-1].transpose(0, 3, 1, 2), np.float32)
    tensor /= 255
    return tensor
