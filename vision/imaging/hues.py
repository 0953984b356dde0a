"""Which hues a tile's face shows: a second look at its colours, by counting pixels and no network.

A network that has learned what carries the colour may look past ink that any eye would call red. How much of
each hue a face has says less of an unknown artist's art, but is never blind to what is there.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8

_HUES = 24
"""Parts of the circle of hues."""
_SIDE_PX = 40
"""Side to which a crop is made smaller first: single pixels are noise."""
_MARGIN_PX = 5
"""Of that, what lies round the face; a face that is cut badly may show a little of it."""
_LEAST_CHROMA = 10.0
"""Below it a pixel is grey, in units of CIE L*a*b*."""
_FAINT = 5.0
"""So much chroma in all hardly makes a hue."""
HUE_VALUES = 2 * (_HUES + 1)
"""How many numbers `hue_values` returns for a crop."""


def hue_values(crops_bgr: ImageU8) -> NDArray[np.float32]:
    """Return how much of each hue crops show, (n, HUE_VALUES).

    For the colours as they are, and for those left without the crop's median colour: the roots of the
    shares of each hue, by chroma, and the logarithm of how much chroma there is in all. A pixel between two
    hues counts for both.

    Args:
        crops_bgr: (n, side, side, 3) uint8 BGR; the face in the inner four fifths.
    """
    count, side = len(crops_bgr), _SIDE_PX
    small = np.concatenate(
        [cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA) for crop in crops_bgr]
    )
    lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab).reshape(count, side, side, 3)
    inner = slice(_MARGIN_PX, side - _MARGIN_PX)
    colours = lab[:, inner, inner, 1:].reshape(count, -1, 2)
    by_axis = np.sort(np.ascontiguousarray(colours.transpose(0, 2, 1)), axis=2)
    pixels = by_axis.shape[2]
    # np.median takes several times as long.
    median = by_axis[:, :, (pixels - 1) // 2 : pixels // 2 + 1].mean(axis=2)[:, None]
    return np.hstack([_shares(colours), _shares(colours - median)]).astype(np.float32)


def _shares(colours: NDArray[Any]) -> NDArray[np.float64]:
    """Return (n, _HUES + 1) from (n, pixels, 2) colours a* and b*."""
    count, pixels = colours.shape[:2]
    flat = np.ascontiguousarray(colours, np.float32).reshape(-1, 2)
    chroma, angle = (part.ravel() for part in cv2.cartToPolar(flat[:, 0].copy(), flat[:, 1].copy()))
    chroma[chroma <= _LEAST_CHROMA] = 0
    hue = angle * np.float32(_HUES / (2 * np.pi))
    before = hue.astype(np.intp)
    to_next = chroma * (hue - before)
    # An angle of a whole turn and the hue after the last one are the first hue again.
    wide = _HUES + 2
    before += np.repeat(np.arange(count) * wide, pixels)
    sums = np.bincount(before, chroma - to_next, count * wide) + np.bincount(
        before + 1, to_next, count * wide
    )
    by_hue = sums.reshape(count, wide)
    by_hue[:, :2] += by_hue[:, _HUES:]
    by_hue = by_hue[:, :_HUES]
    total = by_hue.sum(axis=1, keepdims=True)
    return np.hstack([np.sqrt(by_hue / (total + _FAINT)), np.log1p(total / pixels)])
