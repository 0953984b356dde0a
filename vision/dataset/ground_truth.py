"""Pictures whose contents are known, to measure readings by."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.rules.tiles import CODES
from vision.dataset.label_file import LabelledPicture, read_labels
from vision.imaging.arrays import ImageU8
from vision.imaging.picture_names import is_picture_name


def read_ground_truth(path: Path, codes: Collection[str] = CODES) -> LabelledPicture:
    """Return the contents that a label file gives.

    Args:
        path: The label file.
        codes: What tiles may be called. Where these are the game's own, layout, rows and slots must be there;
            else they say nothing and are left out.

    Raises:
        LabelError: The file is missing, damaged, or names tiles or a layout that do not exist.
    """
    of_the_game = set(codes) <= set(CODES)
    picture = read_labels(path, codes, of_the_game=of_the_game)
    if of_the_game:
        return picture
    labels = tuple(replace(label, extra=_without_places(label.extra)) for label in picture.labels)
    return replace(picture, labels=labels, extra=_without_places(picture.extra))


def _without_places(extra: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in extra.items() if key not in ("layout", "row", "slot")}


def label_files(directory: Path) -> list[Path]:
    """Return a folder's label files, sorted: each `*.json` with a picture of the same name beside it."""
    pictures = {path.stem for path in directory.glob("*") if is_picture_name(path)}
    return sorted(path for path in directory.glob("*.json") if path.stem in pictures)


def turn_picture(
    image_bgr: ImageU8, known: LabelledPicture, degrees: float
) -> tuple[ImageU8, LabelledPicture]:
    """Return a picture and its contents as a camera turned by `degrees` would give them.

    The canvas grows so that nothing is cut off; its new corners repeat the picture's edge.
    """
    high, wide = image_bgr.shape[:2]
    matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, 1)
    cosine, sine = abs(matrix[0, 0]), abs(matrix[0, 1])
    size_wh = (round(high * sine + wide * cosine), round(high * cosine + wide * sine))
    matrix[:, 2] += [(size_wh[0] - wide) / 2, (size_wh[1] - high) / 2]
    turned = cv2.warpAffine(image_bgr, matrix, size_wh, borderMode=cv2.BORDER_REPLICATE)
    quads = (np.array(label.quad_px, np.float32) for label in known.labels)
    moved = known.with_quads((quad @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32) for quad in quads)
    return turned.astype(np.uint8, copy=False), moved
