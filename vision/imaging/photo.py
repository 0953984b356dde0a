"""Photos from files: what OpenCV reads, and HEIC; turned as EXIF data ask, and never too large."""

from __future__ import annotations

import errno
import io
import os
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.errors import ImageError
from vision.files import NotRegularError, TooLargeError, read_input
from vision.imaging.arrays import ImageU8
from vision.imaging.damage import decoded
from vision.imaging.header import boxes, is_heif, names_items_in_ascii, read_header
from vision.imaging.jpeg_effort import takes_too_much

MAX_MEGAPIXELS = 100
"""Larger pictures are refused, so that one file cannot take all memory."""
MAX_WORKING_BYTES = 460_000_000
"""What decoding and reading a picture may take; with the program and its models it stays within 600 MB."""
_READING_BYTES = 9
"""For each pixel that is left after decoding."""
_DECODING_BYTES, _TIFF_DECODING_BYTES, _HEIF_DECODING_BYTES = 6, 10, 8
"""OpenCV holds the picture twice, and a TIFF in four channels before; HEIC comes as brightness and colour."""
MAX_BYTES = 256 * 2**20
WORKING_SIDE_PX = 1600
"""Large JPEG and HEIC photos become smaller by 2, 4 or 8 while the longer side keeps this many pixels."""

_JPEG, _PNG = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"
_TIFF = b"II*\0", b"MM\0*"
_TIFF_WIDTH, _TIFF_HEIGHT, _TIFF_SHORT = 256, 257, 3
_REDUCED = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture ready for reading."""

    image_bgr: ImageU8
    """(height, width, 3) uint8, BGR, turned upright; a large photo is smaller than on disk."""
    scale: float
    """Pixels of the file for each pixel of `image_bgr`, at least 1."""


def read_photo(path: str | os.PathLike[str]) -> Photo:
    """Return the picture in a file.

    Raises:
        ImageError: The file is missing, empty, cut off, too large, or no picture.
    """
    return decode_photo(photo_bytes(path), os.fspath(path))


def photo_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return what is in a picture's file, for `decode_photo`.

    Raises:
        ImageError: The file is missing, empty or too large, or no regular file.
    """
    name = os.fspath(path)
    try:
        data = read_input(name, MAX_BYTES)
    except TooLargeError:
        raise ImageError(
            "{name!r} is larger than {limit} MB. Save the picture smaller.",
            name=name,
            limit=MAX_BYTES // 2**20,
        ) from None
    except NotRegularError as error:
        if error.errno == errno.EISDIR:
            raise _folder(name) from None
        raise ImageError("{name!r} is a pipe or a device where a picture was expected.", name=name) from None
    except OSError as error:
        raise ImageError(
            "{name!r} cannot be opened: {reason}.", name=name, reason=error.strerror or error
        ) from error
    if not data:
        raise ImageError("{name!r} is empty.", name=name)
    return data


def _folder(name: str) -> ImageError:
    """Return the error for a folder, where perhaps its pictures were meant."""
    if not os.access(name, os.R_OK | os.X_OK):
        reason = os.strerror(errno.EACCES)
        return ImageError("{name!r} cannot be opened: {reason}.", name=name, reason=reason)
    return ImageError("{name!r} is a folder where a picture was expected.", name=name)


def decode_photo(data: bytes, name: str, *, whole: bool = False) -> Photo:
    """Return the picture in a file.

    Args:
        data: What is in the file.
        name: What error sentences call it.
        whole: Whether a large photo keeps all its pixels.

    Raises:
        ImageError: The bytes are no picture, cut off, or too large a picture.
    """
    _check_effort(data, name)
    size_wh = _size_wh(data)
    factor = 1
    if size_wh is not None:
        check_megapixels(size_wh, name)
        if _working_bytes(data, size_wh) > MAX_WORKING_BYTES:
            raise _too_much(name)
        if not whole and (data.startswith(_JPEG) or is_heif(data)):
            while factor < 8 and max(size_wh) / (2 * factor) >= WORKING_SIDE_PX:
                factor *= 2
    if _is_cut_off(data):
        raise ImageError("{name!r} is cut off before its end. Copy it from the camera again.", name=name)
    if is_heif(data):
        image, is_damaged = _heif_pixels(data, factor), False
    else:
        image, is_damaged = decoded(data, _REDUCED.get(factor, cv2.IMREAD_COLOR))
    if image is None:
        raise unreadable(name)
    if is_damaged:
        raise ImageError(
            "{name!r} is damaged: a part of what it shows was never there. Copy it from the camera again.",
            name=name,
        )
    scale = float(factor)
    if size_wh is not None:
        scale = max(size_wh) / max(image.shape[:2])
    return Photo(image, scale)


def upright_size_wh(data: bytes, name: str) -> tuple[int, int]:
    """Return a picture's width and height when it is turned as its EXIF data ask.

    Raises:
        ImageError: The bytes are no picture, or cut off; `name` is what the sentence calls it.
    """
    _check_effort(data, name)
    header = None if _is_cut_off(data) else read_header(data)
    if header is not None:
        return header.size_wh
    high, wide = decode_photo(data, name).image_bgr.shape[:2]
    return wide, high


def check_megapixels(size_wh: tuple[int, int], name: str) -> None:
    """Check that a picture is not too large.

    Raises:
        ImageError: It has more megapixels than are read.
    """
    wide, high = size_wh
    if wide * high > MAX_MEGAPIXELS * 1_000_000:
        raise ImageError(
            "{name!r} has {size} megapixels. At most {limit} can be read. Save it smaller.",
            name=name, size=round(wide * high / 1e6), limit=MAX_MEGAPIXELS,
        )  # fmt: skip


def _check_effort(data: bytes, name: str) -> None:
    """Check, before anything goes through a JPEG, that this ends soon; raise ImageError."""
    if data.startswith(_JPEG) and takes_too_much(data):
        raise _too_much(name)


def _working_bytes(data: bytes, size_wh: tuple[int, int]) -> int:
    """Return the memory that a picture takes; none for JPEG, which becomes smaller while it is decoded."""
    pixels = size_wh[0] * size_wh[1]
    if data.startswith(_JPEG):
        return 0
    if is_heif(data):  # it becomes smaller before it is read
        return _HEIF_DECODING_BYTES * pixels + len(data)
    decoding = _TIFF_DECODING_BYTES if data.startswith(_TIFF) else _DECODING_BYTES
    return max(decoding * pixels + len(data), _READING_BYTES * pixels)


def _too_much(name: str) -> ImageError:
    return ImageError(
        "{name!r} would take too much time or memory. Save it smaller, or as a plain JPEG.", name=name
    )


def unreadable(name: str) -> ImageError:
    """Return the error for what is no picture."""
    return ImageError("{name!r} is not a picture that can be read. Save it as JPEG or PNG.", name=name)


def _heif_pixels(data: bytes, factor: int) -> ImageU8 | None:
    """Return a HEIC's picture, turned upright, so many times smaller; None where it is damaged."""
    if not names_items_in_ascii(data):
        return None
    import pi_heif

    try:
        heif = pi_heif.open_heif(io.BytesIO(data), bgr_mode=True)
        image = np.array(heif)  # a copy: the pixels themselves go when `heif` does
    except Exception:  # the decoder names ten kinds, and a damaged file raises others, too
        return None
    if image.dtype != np.uint8:
        image = (image >> 8).astype(np.uint8)  # grey ones of 10 bits come in 16
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    high, wide = image.shape[:2]
    if factor > 1:
        size_wh = (-(-wide // factor), -(-high // factor))
        image = cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA)
    return np.array(image[..., :3], np.uint8, order="C")


def _size_wh(data: bytes) -> tuple[int, int] | None:
    """Return a picture's width and height before it is turned, or None where the header does not tell.

    JPEG and PNG need no library for this: loading Pillow would take longer than reading a small photo.
    """
    if data.startswith(_PNG) and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data.startswith(b"BM") and len(data) >= 26:
        wide, high = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22))
        return abs(wide), abs(high)
    if data.startswith(_TIFF):
        return _tiff_size_wh(data)
    for marker, at in jpeg_segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and at + 9 <= len(data):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
    header = None if data.startswith((_JPEG, _PNG)) else read_header(data)
    return None if header is None else header.stored_size_wh


def _tiff_size_wh(data: bytes) -> tuple[int, int] | None:
    """Return the width and height of a TIFF's first picture; None where it does not tell them."""
    order: Literal["little", "big"] = "little" if data.startswith(b"II") else "big"
    at = int.from_bytes(data[4:8], order)
    sides = {}
    for entry in range(at + 2, at + 2 + 12 * int.from_bytes(data[at : at + 2], order), 12):
        tag, kind = (int.from_bytes(data[part : part + 2], order) for part in (entry, entry + 2))
        sides[tag] = int.from_bytes(data[entry + 8 : entry + (10 if kind == _TIFF_SHORT else 12)], order)
    if not sides.get(_TIFF_WIDTH) or not sides.get(_TIFF_HEIGHT):
        return None
    return sides[_TIFF_WIDTH], sides[_TIFF_HEIGHT]


def jpeg_segments(data: bytes) -> list[tuple[int, int]]:
    """Return a JPEG's segments as marker and offset, up to the start of its scan; none for other formats."""
    segments: list[tuple[int, int]] = []
    if not data.startswith(_JPEG):
        return segments
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1  # a fill byte, of which there are few: `_check_effort`
            continue
        segments.append((marker, at))
        if marker == 0xDA:
            break
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return segments


def _is_cut_off(data: bytes) -> bool:
    """Return whether a JPEG, PNG or HEIC ends too soon (OpenCV would fill the rest with grey)."""
    if data.startswith(_JPEG):
        segments = jpeg_segments(data)
        return not segments or segments[-1][0] != 0xDA or data.find(b"\xff\xd9", segments[-1][1]) < 0
    if data.startswith(_PNG):
        return not _ends_its_chunks(data)
    return is_heif(data) and any(end > len(data) for _kind, _at, end in boxes(data))


def _ends_its_chunks(data: bytes) -> bool:
    """Return whether all chunks of a PNG, up to its last, are in the file.

    OpenCV makes room for as many bytes as a chunk says that it has: up to 2 GB.
    """
    at = len(_PNG)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IEND":
            return True
        at = end
    return False
