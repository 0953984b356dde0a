"""Photos from files: every format that OpenCV knows, EXIF orientation honoured, size bounded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.errors import ImageError
from vision.imaging.arrays import ImageU8

MAX_MEGAPIXELS = 100
"""Larger pictures are refused, so that one file cannot take all memory."""
MAX_BYTES = 256 * 2**20
WORKING_SIDE_PX = 1600
"""A large JPEG is decoded at a half, quarter or eighth while its longer side keeps this many pixels."""

_PICTURE_SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}
_REDUCED = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture ready for reading."""

    image_bgr: ImageU8
    """(height, width, 3) uint8, BGR, turned upright; a large JPEG is stored smaller than on disk."""
    scale: float
    """Pixels of the file for each pixel of `image_bgr`, at least 1."""


def is_picture_name(path: Path) -> bool:
    """Return whether a file's name says that it is a picture."""
    return path.suffix.lower() in _PICTURE_SUFFIXES


def read_photo(path: str | os.PathLike[str]) -> Photo:
    """Return the picture in a file.

    Raises:
        ImageError: The file is missing, empty, cut off, too large, or no picture.
    """
    return decode_photo(photo_bytes(path), os.fspath(path))


def photo_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return what is in a picture's file, for `decode_photo`.

    Raises:
        ImageError: The file is missing, empty or too large.
    """
    name = os.fspath(path)
    if os.path.isdir(name):
        raise ImageError("{name!r} is a folder where a picture was expected.", name=name)
    try:
        if os.path.getsize(name) > MAX_BYTES:
            raise ImageError(
                "{name!r} is larger than {limit} MB; save the picture smaller.",
                name=name,
                limit=MAX_BYTES // 2**20,
            )
        data = Path(name).read_bytes()
    except OSError as error:
        raise ImageError(
            "{name!r} cannot be opened: {reason}.", name=name, reason=error.strerror or error
        ) from error
    if not data:
        raise ImageError("{name!r} is empty.", name=name)
    return data


def decode_photo(data: bytes, name: str) -> Photo:
    """Return the picture in `data`; `name` is what error sentences call it.

    Raises:
        ImageError: The bytes are no picture, cut off, or too large a picture.
    """
    size_wh = _size_wh(data)
    factor = 1
    if size_wh is not None:
        wide, high = size_wh
        if wide * high > MAX_MEGAPIXELS * 1_000_000:
            raise ImageError(
                "{name!r} has {size} megapixels; at most {limit} are read. Save it smaller.",
                name=name, size=round(wide * high / 1e6), limit=MAX_MEGAPIXELS,
            )  # fmt: skip
        if data[:2] == b"\xff\xd8":
            while factor < 8 and max(wide, high) / (2 * factor) >= WORKING_SIDE_PX:
                factor *= 2
    if _is_cut_off(data):
        raise ImageError("{name!r} is cut off before its end; copy it from the camera again.", name=name)
    flag = _REDUCED[factor] if factor > 1 else cv2.IMREAD_COLOR
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except cv2.error:
        image = None
    if image is None:
        raise ImageError("{name!r} is not a picture that can be read; save it as JPEG or PNG.", name=name)
    scale = float(factor)
    if size_wh is not None:
        scale = max(size_wh) / max(image.shape[:2])
    return Photo(image.astype(np.uint8, copy=False), scale)


def _size_wh(data: bytes) -> tuple[int, int] | None:
    """Return a JPEG's or PNG's size as its header gives it, or None for other formats."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    for marker, at in jpeg_segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and at + 9 <= len(data):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
    return None


def jpeg_segments(data: bytes) -> list[tuple[int, int]]:
    """Return a JPEG's segments as marker and offset, up to the start of its scan; none for other formats."""
    segments: list[tuple[int, int]] = []
    if data[:2] != b"\xff\xd8":
        return segments
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        segments.append((marker, at))
        if marker == 0xDA:
            break
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return segments


def _is_cut_off(data: bytes) -> bool:
    """Return whether a JPEG or PNG ends before its end marker (decoders fill the rest with grey)."""
    if data[:2] == b"\xff\xd8":
        segments = jpeg_segments(data)
        return not segments or segments[-1][0] != 0xDA or data.find(b"\xff\xd9", segments[-1][1]) < 0
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return data.find(b"IEND", 8) < 0
    return False
