"""Frames of one source, whatever size its pictures have."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.sources.frame import Back, Frame, SourceNotice, of_one_size

FIRST_HW = 72, 128


def picture(high: int, wide: int) -> np.ndarray:
    """A grey picture with a red mark in its upper left quarter."""
    image = np.full((high, wide, 3), 90, np.uint8)
    cv2.circle(image, (wide // 4, high // 4), high // 10, (0, 0, 250), -1)
    return image


def mark_of(image: np.ndarray) -> tuple[int, int]:
    """Where the mark is, as the nearest eighths across and down."""
    down, across = np.nonzero(image[..., 2] > 200)
    return round(8 * across.mean() / image.shape[1]), round(8 * down.mean() / image.shape[0])


@pytest.mark.parametrize(
    ("size_hw", "mark"),
    [
        (FIRST_HW, (2, 2)),
        ((36, 64), (2, 2)),
        ((144, 256), (2, 2)),
        ((128, 72), (6, 2)),  # turned by a quarter, as the phone was
        ((256, 144), (6, 2)),
        ((96, 128), (2, 2)),  # black beside it
        ((16, 9000), None),
    ],
    ids=str,
)
def test_a_frame_becomes_as_large_as_the_first(
    size_hw: tuple[int, int], mark: tuple[int, int] | None
) -> None:
    back = Back("{name} is back.", {"name": "0"}, 0.1)
    items = [Frame(picture(*FIRST_HW), 0.0, 0), back, Frame(picture(*size_hw), 0.2, 7)]
    first, told, second = of_one_size(items)
    assert told is back
    assert isinstance(first, Frame)
    assert not isinstance(second, SourceNotice)
    assert first.image_bgr is items[0].image_bgr  # type: ignore[union-attr]
    assert second.image_bgr.shape == (*FIRST_HW, 3)
    assert (second.time_s, second.number) == (0.2, 7)
    assert mark is None or mark_of(second.image_bgr) == mark
