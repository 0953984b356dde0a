"""The arrays that pictures are kept in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ImageU8 = NDArray[np.uint8]
"""A picture: (height, width, 3) uint8 in the order blue, green, red where nothing else is said."""
