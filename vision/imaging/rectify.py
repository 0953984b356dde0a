"""Quads to upright crops: the one place where a tile's picture is cut out of a photo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE, Points, side_px


def crop_corners(crop_px: int, face_share: float) -> Points:
    """Return where the face's corners come to lie in a square crop, (4, 2) float32."""
    inset = (1 - face_share) / 2
    return ((inset + UNIT_SQUARE * face_share) * crop_px - 0.5).astype(np.float32)


def upright_crop(image_bgr: ImageU8, quad_px: Points, crop_px: int, face_share: float) -> ImageU8:
    """Return the one crop that `upright_crops` cuts of a quad, (crop_px, crop_px, 3) uint8 BGR."""
    crop: ImageU8 = upright_crops(image_bgr, [quad_px], crop_px, face_share)[0]
    return crop


def upright_crops(image_bgr: ImageU8, quads_px: Sequence[Points], crop_px: int, face_share: float) -> ImageU8:
    """Return printed faces, each with a rim of its surroundings, seen from straight above.

    Args:
        image_bgr: Picture, (H, W, 3) uint8, BGR; not modified.
        quads_px: n quads, (4, 2) float32, each clockwise from the face's own top left.
        crop_px: Side of the square crops.
        face_share: Share of that side which a face takes.

    Returns:
        (n, crop_px, crop_px, 3) uint8, BGR.
    """
    target = crop_corners(crop_px, face_share)
    crops = np.empty((len(quads_px), crop_px, crop_px, 3), np.uint8)
    # Linear sampling would skip pixels of large faces and turn print and sensor noise into speckles: they
    # are cut from a smaller picture, of which faces of about one size share one.
    shrinks = [min(max(int(side_px(quad) / (crop_px * face_share) + 0.2), 1), 32) for quad in quads_px]
    for shrink in set(shrinks):
        alike = [index for index, other in enumerate(shrinks) if other == shrink]
        source, offset = _smaller(image_bgr, [quads_px[index] for index in alike], shrink)
        for index in alike:
            moved = (quads_px[index] - offset + 0.5) / shrink - 0.5
            to_crop = cv2.getPerspectiveTransform(moved.astype(np.float32), target)
            crops[index] = cv2.warpPerspective(
                source, to_crop, (crop_px, crop_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
    return crops


def _smaller(
    image_bgr: ImageU8, quads_px: Sequence[Points], shrink: int
) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Return the part of a picture that holds the quads, a whole number of times smaller, and its corner."""
    nowhere = np.zeros(2, np.float32)
    if shrink == 1:
        return image_bgr, nowhere
    size = np.array([image_bgr.shape[1], image_bgr.shape[0]])
    corners = np.concatenate(quads_px)
    rim = 0.2 * max(side_px(quad) for quad in quads_px)
    low = np.clip(np.floor(corners.min(axis=0) - rim), 0, size - shrink).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0) + rim), low + shrink, size).astype(int)
    small = (high - low) // shrink
    (x0, y0), (x1, y1) = low, low + small * shrink
    part = image_bgr[y0:y1, x0:x1]
    return cv2.resize(part, (int(small[0]), int(small[1])), interpolation=cv2.INTER_AREA), low.astype(
        np.float32
    )
