"""Crops in other styles: what makes a number or a colour stays, how it is drawn does not.

A network that learns from a few hundred ways of drawing learns these ways, too. Here each crop is drawn once
more in a way that no artist has: smeared, warped, thickened, inverted, in other hues, with something else
shining through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8

WARP_PX = 1.2
"""The mean way of a pixel where a crop is warped: an eighth of a stroke's height in a small number."""
MOST_OTHER = 0.3
"""The largest share of another picture that shines through."""


def restyled(rng: np.random.Generator, crop_bgr: ImageU8, other_bgr: ImageU8) -> tuple[ImageU8, bool]:
    """Return a crop in another style, and whether its tile still has its colour.

    Args:
        rng: The randomness.
        crop_bgr: (side, side, 3) uint8, not modified.
        other_bgr: Any other crop of that size, a bit of which may shine through.
    """
    keeps_colour = True
    for way in rng.choice(len(_WAYS), int(rng.integers(1, 3)), replace=False):
        change, keeps = _WAYS[way]
        crop_bgr = change(rng, crop_bgr, other_bgr)
        keeps_colour = keeps_colour and keeps
    return crop_bgr, keeps_colour


def _as_picture(values: NDArray[Any]) -> ImageU8:
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def _filtered(rng: np.random.Generator, crop: ImageU8, other: ImageU8) -> ImageU8:
    """Return a crop through a random filter: edges and textures change, areas keep their colour."""
    side = int(rng.choice([3, 5]))
    kernel = rng.normal(0, 1, (side, side)) * rng.uniform(0.05, 0.16)
    kernel -= kernel.mean()
    kernel[side // 2, side // 2] += rng.uniform(0.5, 1)
    kernel += (1 - kernel.sum()) / side**2
    return _as_picture(cv2.filter2D(crop.astype(np.float32), -1, kernel.astype(np.float32)))


def _warped(rng: np.random.Generator, crop: ImageU8, other: ImageU8) -> ImageU8:
    """Return a crop as on rubber that is pulled here and there, and a little sheared."""
    side = crop.shape[0]
    coarse = rng.normal(0, WARP_PX, (2, 6, 6)).astype(np.float32)
    shift = [cv2.resize(field, (side, side), interpolation=cv2.INTER_CUBIC) for field in coarse]
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    lean = rng.normal(0, 0.06)
    return np.asarray(
        cv2.remap(
            crop, xs + shift[0] + np.float32(lean) * (ys - side / 2), ys + shift[1], cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )  # fmt: skip


def _thickened(rng: np.random.Generator, crop: ImageU8, other: ImageU8) -> ImageU8:
    """Return a crop whose dark strokes are thicker, or its bright ones."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    changed = (cv2.erode if rng.random() < 0.5 else cv2.dilate)(crop, kernel)
    return np.asarray(cv2.addWeighted(crop, 1 - (share := rng.uniform(0.4, 1)), changed, share, 0), np.uint8)


def _shone_through(rng: np.random.Generator, crop: ImageU8, other: ImageU8) -> ImageU8:
    """Return a crop with a smoothed, grey picture of something else in it."""
    gray = cv2.cvtColor(cv2.GaussianBlur(other, (0, 0), rng.uniform(0.8, 4)), cv2.COLOR_BGR2GRAY)
    gray = np.rot90(gray, int(rng.integers(1, 4))).astype(np.float32)[..., None]
    return _as_picture(crop + rng.uniform(0.1, MOST_OTHER) * 2 * (gray - gray.mean()))


def _contrasted(rng: np.random.Generator, crop: ImageU8, other: ImageU8) -> ImageU8:
    """Return a crop with more or less contrast, brighter or darker, at another gamma."""
    values = (crop.astype(np.float32) / 255) ** float(np.exp(rng.normal(0, 0.3)))
    middle = values.mean()
    return _as_picture(
        255 * (middle * np.exp(rng.normal(0, 0.15)) + rng.uniform(0.45, 1.3) * (values - middle))
    )


def _sketched(rng: np.random.Generator, crop: ImageU8, other: ImageU8) -> ImageU8:
    """Return a crop whose brightness is broken by lines or grain that mean nothing."""
    side = crop.shape[0]
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    angle, pitch = rng.uniform(0, np.pi), rng.uniform(2.5, 7)
    lines = np.sin((np.cos(angle) * xs + np.sin(angle) * ys) * (2 * np.pi / pitch))
    grain = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), rng.uniform(0.4, 1.2))
    pattern = lines if rng.random() < 0.5 else grain / grain.std()
    return _as_picture(crop * (1 + rng.uniform(0.04, 0.16) * pattern[..., None]))


def _inverted(rng: np.random.Generator, crop: ImageU8, other: ImageU8) -> ImageU8:
    """Return the negative of a crop."""
    return np.asarray(255 - crop, np.uint8)


def _in_other_hues(rng: np.random.Generator, crop: ImageU8, other: ImageU8) -> ImageU8:
    """Return a crop whose three colours are mixed anew."""
    mix = np.eye(3)[rng.permutation(3)] + rng.normal(0, 0.2, (3, 3))
    mix /= mix.sum(axis=1, keepdims=True)
    return _as_picture(crop.astype(np.float32) @ mix.T.astype(np.float32))


_Change = Callable[[np.random.Generator, ImageU8, ImageU8], ImageU8]
_WAYS: tuple[tuple[_Change, bool], ...] = (
    (_filtered, True),
    (_warped, True),
    (_thickened, True),
    (_shone_through, True),
    (_contrasted, True),
    (_sketched, True),
    (_inverted, False),
    (_in_other_hues, False),
)
"""Each with whether a tile keeps its colour."""
KEEP_COLOUR = tuple(keeps for _, keeps in _WAYS)
"""Of each way, in this order."""
