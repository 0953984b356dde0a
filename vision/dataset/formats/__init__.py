"""Data sets in the formats of other programs: `coco`, `yolo` and `label_studio`, each to write and to read.

Our own quads count from the middle of the first pixel, as OpenCV does; all three formats count from the
picture's edge, so half a pixel lies between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dataset.dataset import Problems
from vision.dataset.label_file import SPLITS, Label, checked_quad, turning
from vision.errors import DataSetError
from vision.recognition.reading import Quad
from vision.recognition.tile_set import is_code

MAX_BYTES = 256 * 2**20
"""The largest file of labels that is read."""


@dataclass(frozen=True, slots=True)
class ForeignPicture:
    """A picture of another program's data set."""

    path: Path
    labels: tuple[Label, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)
    split: str | None = None
    """Which part of the set it belongs to, where the format says so."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read of another program's data set."""

    pictures: list[ForeignPicture]
    problems: Problems
    licence: str = ""


def from_edge(quad_px: Quad) -> NDArray[np.float64]:
    """Return a quad as (4, 2) pixels counted from the picture's edge."""
    return np.array(quad_px, np.float64) + 0.5


def quad_of(
    points: Sequence[Sequence[float]] | NDArray[np.float64], top_left: Sequence[float] | None = None
) -> Quad:
    """Return a polygon's quad.

    Args:
        points: Pixels from the picture's edge. Another number of corners than four gives the smallest turned
            rectangle around them; corners that go round the wrong way are taken in the other order.
        top_left: Where the face's own top left corner is; the first point where left out.

    Raises:
        ValueError: The points enclose nothing.
    """
    corners = np.array(points, np.float64)
    if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3 or not (np.abs(corners) < 1e6).all():
        raise ValueError(f"{points!r} is no polygon")
    first = np.array(top_left, np.float64) if top_left is not None else corners[0]
    if len(corners) != 4:
        corners = cv2.boxPoints(cv2.minAreaRect(corners.astype(np.float32))).astype(np.float64)
    if turning(corners.tolist()) < 0:
        corners = corners[::-1]
    start = int(np.hypot(*(corners - first).T).argmin())
    return checked_quad((np.roll(corners, -start, axis=0) - 0.5).round(4).tolist())


def quad_of_box(x: float, y: float, wide: float, high: float) -> Quad:
    """Return the quad of an upright box, given in pixels from the picture's edge."""
    return quad_of([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]])


def box_of(quad_px: Quad, size_wh: tuple[int, int]) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the part of a quad that lies in the picture, from its edge."""
    inside = np.clip(from_edge(quad_px), 0, size_wh)
    (left, top), (right, bottom) = inside.min(axis=0).tolist(), inside.max(axis=0).tolist()
    return left, top, right - left, bottom - top


def checked_code(name: Any, path: Path) -> str:
    """Return the name of a class as the code of a tile.

    Raises:
        DataSetError: It cannot be one.
    """
    if not is_code(name):
        raise DataSetError(
            "{name!r} in {path!r} cannot be the code of a tile: a code is one word of at most 24 characters.",
            name=name, path=str(path),
        )  # fmt: skip
    return str(name)


def split_named(texts: Iterable[str]) -> str | None:
    """Return the part of a data set that file or folder names speak of, the nearest name first."""
    for text in texts:
        for split in SPLITS:
            if split in text.lower():
                return split
    return None


def without_keys(extra: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return a dictionary's entries without those of some keys."""
    return {key: value for key, value in extra.items() if key not in keys}
