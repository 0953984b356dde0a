"""Removes what others must not see of a picture: its surroundings, its place and the device."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dataset.label_file import LabelledPicture
from vision.errors import ImageError
from vision.imaging.arrays import ImageU8
from vision.imaging.header import is_heif
from vision.imaging.photo import decode_photo, unreadable
from vision.imaging.strip_metadata import without_metadata
from vision.recognition.reading import Quad

MARGIN = 0.5
"""How much around a tile stays as it is, in sides of the tile."""
_CELLS = 24
"""A blurred picture keeps this many dots along its longer side, too few to recognise a face."""
_JPEG_QUALITY = 95
_SOURCE = re.compile(r"source-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class PrivacyOptions:
    """What to do with pictures before others get them."""

    blur: bool = False
    """Whether everything but the tiles and a margin is blurred."""
    crop: bool = False
    """Whether the picture is cut down to the tiles and a margin."""
    keep_metadata: bool = False
    """Whether place, time and device stay in the file, and the source in the label file."""


def anonymised(
    data: bytes, picture: LabelledPicture, treatment: PrivacyOptions
) -> tuple[bytes, LabelledPicture]:
    """Return a picture file and its labels as others may have them.

    The pixels stay as they are unless they are to be blurred or cropped. Then the picture is turned upright
    and compressed anew, with no metadata at all. So is a HEIC photo, which becomes a JPEG.

    Args:
        data: The picture file.
        picture: Its labels.
        treatment: What to do. The checksum of the result is that of the new bytes.

    Raises:
        ImageError: The file is damaged or too large, or there is no tile to cut it down to.
    """
    name = str(picture.path)
    if treatment.crop and not picture.labels:
        raise ImageError("{name!r} shows no tile, so it cannot be cropped. It is left out.", name=name)
    as_jpeg = is_heif(data) and not treatment.keep_metadata
    if treatment.blur or treatment.crop or as_jpeg:
        data, picture = _compressed_anew(data, picture, treatment)
    elif not treatment.keep_metadata:
        data = without_metadata(data, name)
    if not treatment.keep_metadata and "source" in picture.extra:
        extra = {key: value for key, value in picture.extra.items() if key != "source"}
        if picture.film is not None:
            extra["source"] = nameless(picture.film)
        picture = replace(picture, extra=extra)
    return data, replace(picture, sha256=hashlib.sha256(data).hexdigest())


def _compressed_anew(
    data: bytes, picture: LabelledPicture, treatment: PrivacyOptions
) -> tuple[bytes, LabelledPicture]:
    """Return a picture upright, blurred and cropped as it shall be, as a file without metadata."""
    name = str(picture.path)
    image_bgr = decode_photo(data, name, whole=True).image_bgr
    if image_bgr.shape[:2] != picture.size_wh[::-1]:
        raise unreadable(name)
    quads = [label.quad_px for label in picture.labels]
    if treatment.blur:
        image_bgr = blurred(image_bgr, quads)
    if treatment.crop:
        image_bgr, (left, top) = cropped(image_bgr, quads)
        high, wide = image_bgr.shape[:2]
        labels = tuple(replace(label, quad_px=_moved(label.quad_px, left, top)) for label in picture.labels)
        picture = replace(picture, labels=labels, size_wh=(wide, high))
    if is_heif(data):
        picture = replace(picture, name=str(Path(picture.name).with_suffix(".jpg")))
    return _encoded(image_bgr, Path(picture.name)), picture


def nameless(source: str) -> str:
    """Return a stand-in for a source: the pictures of one film share it, but name and address are hidden.

    >>> nameless("rtsp://192.168.0.20/kitchen")
    'source-70dd754e074d'
    """
    if _SOURCE.fullmatch(source):
        return source
    return f"source-{hashlib.sha256(source.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def blurred(image_bgr: ImageU8, quads_px: Iterable[Quad]) -> ImageU8:
    """Return a picture in which only these quads and a margin around each can be recognised.

    Args:
        image_bgr: (height, width, 3) uint8, BGR; not modified.
        quads_px: What stays.
    """
    high, wide = image_bgr.shape[:2]
    scale = _CELLS / max(high, wide)
    cells_wh = (max(1, round(wide * scale)), max(1, round(high * scale)))
    few = cv2.resize(image_bgr, cells_wh, interpolation=cv2.INTER_AREA)
    coarse = cv2.resize(few, (wide, high), interpolation=cv2.INTER_LINEAR)
    mask = np.zeros((high, wide), np.uint8)
    for quad_px in quads_px:
        cv2.fillConvexPoly(mask, _with_margin(quad_px).round().astype(np.int32), 255)
    return np.where(mask[..., None] > 0, image_bgr, coarse).astype(np.uint8, copy=False)


def cropped(image_bgr: ImageU8, quads_px: Iterable[Quad]) -> tuple[ImageU8, tuple[int, int]]:
    """Return the part of a picture that holds some quads and a margin, and its left and top."""
    high, wide = image_bgr.shape[:2]
    corners = np.concatenate([_with_margin(quad_px) for quad_px in quads_px])
    limits = np.array([wide - 1, high - 1])
    left, top = (int(v) for v in np.clip(np.floor(corners.min(axis=0)), 0, limits))
    right, bottom = (int(v) for v in np.clip(np.ceil(corners.max(axis=0)), 0, limits))
    return image_bgr[top : bottom + 1, left : right + 1], (left, top)


def _with_margin(quad_px: Quad) -> NDArray[np.float64]:
    corners = np.array(quad_px, np.float64)
    middle: NDArray[np.float64] = corners.mean(axis=0)
    grown: NDArray[np.float64] = middle + (corners - middle) * (1 + 2 * MARGIN)
    return grown


def _moved(quad_px: Quad, left: int, top: int) -> Quad:
    one, two, three, four = ((round(x - left, 4), round(y - top, 4)) for x, y in quad_px)
    return one, two, three, four


def _encoded(image_bgr: ImageU8, path: Path) -> bytes:
    try:
        done, data = cv2.imencode(path.suffix, image_bgr, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    except cv2.error:
        done = False
    if not done:
        raise unreadable(str(path))
    return data.tobytes()
