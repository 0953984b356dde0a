"""Quads to upright crops: the one place where a tile's picture is cut out of a photo."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import UNIT_SQUARE, Points, side_px

ImageU8 = NDArray[np.uint8]


def crop_corners(crop_px: int, face_share: float) -> Points:
    """Return where the face's corners come to lie in a square crop, (4, 2) float32."""
    inset = (1 - face_share) / 2
    return ((inset + UNIT_SQUARE * face_share) * crop_px - 0.5).astype(np.float32)


def upright_crop(image_bgr: ImageU8, quad_px: Points, crop_px: int, face_share: float) -> ImageU8:
    """Return one tile's printed face and a rim of its surroundings, seen from straight above.

    Args:
        image_bgr: Picture, (H, W, 3) uint8, BGR; not modified.
        quad_px: (4, 2) float32, clockwise from the face's own top left.
        crop_px: Side of the square crop.
        face_share: Share of that side which the face takes.

    Returns:
        (crop_px, crop_px, 3) uint8, BGR.
    """
    to_crop = cv2.getPerspectiveTransform(quad_px.astype(np.float32), crop_corners(crop_px, face_share))
    shrink = side_px(quad_px) / (crop_px * face_share)
    source: NDArray[Any] = image_bgr
    if shrink > 1.5:
        # Linear sampling would skip pixels of a large face and turn print and sensor noise into speckles.
        x0, y0 = np.maximum(np.floor(quad_px.min(axis=0) - 0.2 * side_px(quad_px)), 0).astype(int)
        x1, y1 = np.ceil(quad_px.max(axis=0) + 0.2 * side_px(quad_px)).astype(int)
        part = image_bgr[y0:y1, x0:x1]
        if part.size:
            factor = 1 / min(shrink, 32.0)
            source = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
            moved = (quad_px - [x0, y0] + 0.5) * [
                source.shape[1] / part.shape[1],
                source.shape[0] / part.shape[0],
            ] - 0.5
            to_crop = cv2.getPerspectiveTransform(moved.astype(np.float32), crop_corners(crop_px, face_share))
    crop = cv2.warpPerspective(
        source, to_crop, (crop_px, crop_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return crop.astype(np.uint8, copy=False)
