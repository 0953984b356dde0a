"""numpy pictures to Qt's and back: the one place in `ui` that knows colour order, stride and lifetime."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage

from vision.files import replacing
from vision.imaging.arrays import ImageU8


def to_qimage(image_bgr: ImageU8) -> QImage:
    """Return a picture for Qt. It is a copy, so the array may go.

    Args:
        image_bgr: (H, W, 3) uint8, BGR, any stride.

    Raises:
        ValueError: The array has another shape or type.
    """
    if image_bgr.dtype != np.uint8 or image_bgr.ndim != 3 or image_bgr.shape[2] != 3:
        raise ValueError(f"A picture is (H, W, 3) uint8, not {image_bgr.shape} {image_bgr.dtype}.")
    rows = np.ascontiguousarray(image_bgr)
    height, width = rows.shape[:2]
    return QImage(rows.data, width, height, rows.strides[0], QImage.Format.Format_BGR888).copy()


def to_bgr(image: QImage) -> ImageU8:
    """Return the picture as an (H, W, 3) uint8 array, BGR, a copy."""
    plain = image.convertToFormat(QImage.Format.Format_BGR888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : plain.width() * 3].reshape(plain.height(), plain.width(), 3).copy()


def save_image(image: QImage, target: Path) -> None:
    """Write a picture, beside and then replaced.

    Raises:
        OSError: It cannot be written.
    """
    with replacing(target) as beside:
        if not image.save(str(beside), target.suffix[1:].upper()):  # type: ignore[call-overload]
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(target))
