"""The hues of a tile's face, by counting pixels and no network: which it shows, and what it is without them.

A network that has learned what carries the colour may look past ink that any eye would call red. How much of
each hue a face has says less of an unknown artist's art, but is never blind to what is there. And what is
painted beside a number may look like a part of it; without its colours the number may stand alone.
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
_STEPS, _RANGES = (14, 20, 20), (0.0, 100.1, -80.0, 80.0, -80.0, 80.0)
"""Parts of L*, a* and b*, and where these begin and end, in which a face's ground is looked for."""
_GROUND_LAB, _LOOKS = np.array([13.0, 10.4, 10.4], np.float32), 2
"""So near to the ground, in L*, a* and b*, a pixel belongs to it; so often its mean is taken."""
_INK_SHARE, _HALF_LIGHT = 0.02, 50.0
"""This share of a face, its darkest pixels, are ink; its lightest, where the ground is darker than that."""
_OTHER_HUE, _TO_OTHER = 8.0, 10.0
"""A pixel whose a* and b* are so far from all mixtures of ground and ink begins to be of another hue, and is
wholly so after as much again as the second: of eight pairs the one with which most tiles in doubt of 880
pictures of held-out and of home-made sets were sure, 105, of which two were others (decision 69)."""


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


def in_ink_alone(crops_bgr: ImageU8) -> ImageU8:
    """Return crops, (n, side, side, 3) uint8 BGR, in which only the ink stands on the ground.

    The ground is the commonest colour of a face; the ink is the darkest one, or the lightest where the ground
    is dark. What is neither, nor a mixture of both, becomes ground.

    Args:
        crops_bgr: (n, side, side, 3) uint8 BGR; the face in the inner four fifths.
    """
    return np.stack([_in_ink_alone(crop) for crop in crops_bgr])


def _in_ink_alone(crop_bgr: ImageU8) -> ImageU8:
    lab = cv2.cvtColor(crop_bgr.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    inset = round(len(lab) * _MARGIN_PX / _SIDE_PX)
    face = np.ascontiguousarray(lab[inset:-inset, inset:-inset], np.float32).reshape(-1, 3)
    ground = _ground_lab(face)
    light = face[:, 0] if ground[0] >= _HALF_LIGHT else -face[:, 0]
    count = max(1, round(len(face) * _INK_SHARE))
    ink = np.median(face[np.argpartition(light, count)[:count]], axis=0)
    line, away = ink - ground, lab - ground
    along = np.clip(away @ line / max(float(line @ line), 1e-6), 0, 1)
    beside = away[..., 1:] - along[..., None] * line[1:]
    other = np.clip((np.hypot(beside[..., 0], beside[..., 1]) - _OTHER_HUE) / _TO_OTHER, 0, 1)[..., None]
    mixed = np.asarray(lab * (1 - other) + ground * other, np.float32)
    bgr = cv2.cvtColor(mixed, cv2.COLOR_Lab2BGR)
    return np.asarray(np.clip(bgr * 255 + 0.5, 0, 255), np.uint8)


def _ground_lab(face_lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the commonest colour of (pixels, 3) L*a*b* ones, (3,)."""
    counts = cv2.calcHist([face_lab[None]], [0, 1, 2], None, _STEPS, _RANGES)
    commonest = np.unravel_index(int(counts.argmax()), counts.shape)
    least, most = np.reshape(_RANGES, (3, 2)).T
    ground = np.asarray(least + (np.array(commonest) + 0.5) * (most - least) / _STEPS, np.float32)
    for _ in range(_LOOKS):
        near = np.linalg.norm((face_lab - ground) / _GROUND_LAB, axis=1) < 1
        if near.any():
            ground = face_lab[near].mean(axis=0)
    return ground
