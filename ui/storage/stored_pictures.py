"""The pictures that are stored with a game: JPEG, not larger than a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.errors import StorageError
from ui.text import errors as texts

if TYPE_CHECKING:
    from vision.imaging.arrays import ImageU8

MAX_PICTURE_BYTES = 300 * 1024
MAX_PICTURE_SIDE_PX = 1280
THUMBNAIL_WIDTH_PX = 192
THUMBNAIL_EDGE = 0.16
"""Share of each side that is left out, so that the pyramid is larger."""

_QUALITIES = (80, 70, 60, 48, 36, 24, 12)
"""JPEG qualities, tried in turn until a picture fits."""


def pack_picture(image_bgr: ImageU8) -> bytes:
    """Return a picture as a JPEG small enough to be stored.

    Args:
        image_bgr: (height, width, 3) uint8, BGR; not modified.
    """
    import cv2

    high, wide = image_bgr.shape[:2]
    factor = MAX_PICTURE_SIDE_PX / max(high, wide)
    if factor < 1:
        size_wh = max(1, round(wide * factor)), max(1, round(high * factor))
        image_bgr = cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA).astype(image_bgr.dtype)
    for quality in _QUALITIES:
        packed = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(packed) <= MAX_PICTURE_BYTES:
            break
    return packed


def pack_crop(crop_bgr: ImageU8) -> bytes:
    """Return a small picture (H, W, 3) uint8 BGR as a PNG, which loses nothing."""
    import cv2

    return cv2.imencode(".png", crop_bgr)[1].tobytes()


def unpack_crop(png: bytes) -> ImageU8 | None:
    """Return a picture from what `pack_crop` made of it, (side, side, 3) uint8 BGR; None if it is damaged."""
    import cv2
    import numpy as np

    crop = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR) if png else None
    return None if crop is None or crop.shape[0] != crop.shape[1] else crop.astype(np.uint8, copy=False)


def unpack_picture(jpeg: bytes) -> ImageU8:
    """Return a picture from what `pack_picture` made of it: (height, width, 3) uint8, BGR.

    Raises:
        StorageError: It is no JPEG, a damaged one, or larger than any that is stored.
    """
    from vision.errors import VisionError
    from vision.imaging.photo import decode_photo

    try:
        photo = decode_photo(jpeg, "JPEG")
    except VisionError as error:
        raise StorageError(texts.PICTURE_DAMAGED, problem=str(error)) from error
    too_large = photo.scale > 1 or max(photo.image_bgr.shape) > MAX_PICTURE_SIDE_PX
    if too_large or len(jpeg) > MAX_PICTURE_BYTES or not jpeg.startswith(b"\xff\xd8"):
        raise StorageError(texts.PICTURE_FOREIGN)
    return photo.image_bgr


def thumbnail_of(jpeg: bytes) -> bytes:
    """Return a picture small enough for the timeline."""
    import cv2
    import numpy as np

    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_REDUCED_COLOR_4)
    if image is None:
        return b""
    edge_y, edge_x = (round(side * THUMBNAIL_EDGE) for side in image.shape[:2])
    image = image[edge_y : image.shape[0] - edge_y, edge_x : image.shape[1] - edge_x]
    height = max(1, round(image.shape[0] * THUMBNAIL_WIDTH_PX / image.shape[1]))
    image = cv2.resize(image, (THUMBNAIL_WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())
