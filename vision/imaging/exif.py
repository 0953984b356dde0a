"""What a JPEG tells beside its pixels: how it is turned, and when it was taken."""

from __future__ import annotations

import re
import struct

from vision.imaging.photo import jpeg_segments

UPRIGHT = 1
"""The orientation that needs no turning, as EXIF counts them."""
_EXIF = b"Exif\0\0"
_ORIENTATION, _TAKEN_IN, _TAKEN = 0x0112, 0x8769, 0x9003
_APP1 = 0xE1


def orientation_and_date(data: bytes) -> tuple[int, str | None]:
    """Return a JPEG's EXIF orientation, 1 to 8, and the day it was taken, such as 2026-08-31.

    1 and None where it does not say so, or for other formats.
    """
    for marker, at in jpeg_segments(data):
        if marker == _APP1 and data.startswith(_EXIF, at + 4):
            tiff = data[at + 4 + len(_EXIF) : at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")]
            try:
                return _read(tiff)
            except (struct.error, IndexError):
                return UPRIGHT, None
    return UPRIGHT, None


def _read(tiff: bytes) -> tuple[int, str | None]:
    order = "<" if tiff[:2] == b"II" else ">"
    main = _entries(tiff, struct.unpack_from(f"{order}I", tiff, 4)[0], order)
    orientation = struct.unpack(f"{order}H", main[_ORIENTATION][:2])[0] if _ORIENTATION in main else UPRIGHT
    date = None
    if _TAKEN_IN in main:
        taken_in = _entries(tiff, struct.unpack(f"{order}I", main[_TAKEN_IN])[0], order)
        if _TAKEN in taken_in:
            at = struct.unpack(f"{order}I", taken_in[_TAKEN])[0]
            day = re.match(rb"(\d{4}):(\d\d):(\d\d)", tiff[at : at + 10])
            date = b"-".join(day.groups()).decode("ascii") if day else None
    return (orientation if 1 <= orientation <= 8 else UPRIGHT), date


def _entries(tiff: bytes, at: int, order: str) -> dict[int, bytes]:
    """Return the four value bytes of each entry of a directory, by tag."""
    count = struct.unpack_from(f"{order}H", tiff, at)[0]
    return {
        struct.unpack_from(f"{order}H", tiff, at + 2 + 12 * index)[0]: tiff[
            at + 10 + 12 * index : at + 14 + 12 * index
        ]
        for index in range(count)
    }
