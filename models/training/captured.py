"""Tiles cut out of captured photos, small enough that thousands of them fit in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dataset.dataset import DataSet
from vision.dataset.label_file import LabelledPicture
from vision.errors import VisionError
from vision.imaging.arrays import ImageU8
from vision.imaging.photo import read_photo
from vision.imaging.rectify import upright_crop
from vision.progress import OnProgress

PATCH_SIDE_PX = 120
"""A face is kept at about this size: half as much again as the reader sees of it."""
MARGIN = 0.6
"""How much is kept round a face, in sides, for crops that are cut less well."""
MAX_PER_CODE = 400
"""Views of one tile that are kept; of more, the first ones."""


@dataclass(frozen=True, slots=True)
class Patch:
    """One tile and what lies round it."""

    code: str
    photo: str
    jpeg: bytes
    quad_px: NDArray[np.float32]
    """(4, 2) corners of the face in the patch, top left first, clockwise as the number is read."""

    def image(self) -> ImageU8:
        """Return the patch, (height, width, 3) uint8 BGR."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)

    def crop(self, side_px: int, face_share: float) -> NDArray[np.uint8]:
        """Return the face as a reader takes it, (3, side_px, side_px) uint8 RGB; its share of the side."""
        crop = upright_crop(self.image(), self.quad_px, side_px, face_share)
        return crop[:, :, ::-1].transpose(2, 0, 1).copy()


@dataclass(slots=True)
class Patches:
    """What a data set gives, by the parts that its photos were dealt into."""

    parts: dict[str, list[Patch]] = field(default_factory=lambda: {"train": [], "val": [], "test": []})
    proposed: int = 0
    """Labels that nobody has confirmed; they are left out."""
    problems: list[VisionError] = field(default_factory=list)


def cut_patches(data_set: DataSet, on_progress: OnProgress) -> Patches:
    """Return the tiles of a data set; a photo that cannot be read is left out, and reported.

    Args:
        data_set: Photos with labels; quads for the photo at its full size.
        on_progress: Is called after each photo.
    """
    found = Patches()
    seen: Counter[tuple[str, str]] = Counter()
    for number, picture in enumerate(data_set.pictures, 1):
        try:
            for patch in _patches(picture, found):
                if seen[picture.split, patch.code] < MAX_PER_CODE:
                    seen[picture.split, patch.code] += 1
                    found.parts[picture.split].append(patch)
        except VisionError as error:
            found.problems.append(error)
        on_progress(number, len(data_set.pictures))
    return found


def _patches(picture: LabelledPicture, found: Patches) -> Iterator[Patch]:
    photo = read_photo(picture.path)
    height, width = photo.image_bgr.shape[:2]
    for label in picture.labels:
        if not label.is_whole:
            continue
        if label.is_proposed:
            found.proposed += 1
            continue
        quad = np.array(label.quad_px, np.float32) / photo.scale
        side = float(np.sqrt(abs(cv2.contourArea(quad))))
        if side < 8:
            continue
        low = np.maximum(quad.min(axis=0) - MARGIN * side, 0).astype(int)
        high = np.minimum(quad.max(axis=0) + MARGIN * side, [width, height]).astype(int)
        if (high - low).min() < 8:
            continue
        cut = photo.image_bgr[low[1] : high[1], low[0] : high[0]]
        shrink = min(1.0, PATCH_SIDE_PX / side)
        if shrink < 1:
            small = cv2.resize(cut, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            cut = np.asarray(small, np.uint8)
        jpeg = cv2.imencode(".jpg", cut, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
        yield Patch(label.code, picture.name, jpeg, (quad - low.astype(np.float32)) * shrink)
