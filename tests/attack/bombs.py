"""Pictures that are small on disk, and take minutes or gigabytes where nobody looks before decoding."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable

from PIL import Image


def progressive(wide: int, high: int, *, sub: int = 2) -> bytes:
    """Return a black progressive JPEG; `sub` as Pillow counts the kinds of subsampling."""
    file = io.BytesIO()
    Image.new("RGB", (wide, high)).save(file, "JPEG", progressive=True, subsampling=sub)
    return file.getvalue()


def with_scans(wide: int, high: int, scans: int) -> bytes:
    """Return a JPEG whose last scan comes so many times more."""
    jpeg = progressive(wide, high)
    begin, end = jpeg.rfind(b"\xff\xda"), jpeg.rfind(b"\xff\xd9")
    return jpeg[:end] + jpeg[begin:end] * scans + jpeg[end:]


def resized(jpeg: bytes, wide: int, high: int) -> bytes:
    """Return a JPEG whose frame says that it has another size."""
    at = jpeg.index(b"\xff\xc2") + 5
    return jpeg[:at] + struct.pack(">HH", high, wide) + jpeg[at + 4 :]


def with_segments(marker: int, body: bytes, count: int) -> bytes:
    """Return a JPEG that has so many segments of one kind before its picture."""
    jpeg = progressive(64, 64)
    return jpeg[:2] + (bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body) * count + jpeg[2:]


def huge_png() -> bytes:
    """Return a PNG of 90 megapixels that are all black."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    pixels = zlib.compress(bytes(9001 * 3 + 1) * 10000)
    head = struct.pack(">IIBBBBB", 9001, 10000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def huge_bmp() -> bytes:
    """Return the beginning of a BMP of 90 megapixels."""
    return b"BM" + struct.pack("<IIIIiiHHIIiiII", 0, 0, 54, 40, 9000, -10000, 1, 24, 0, 0, 0, 0, 0, 0)


def huge_tiff(order: str = "<") -> bytes:
    """Return the beginning of a TIFF of 90 megapixels."""
    sides = struct.pack(f"{order}HHII", 256, 4, 1, 9000) + struct.pack(f"{order}HHIHH", 257, 3, 1, 10000, 0)
    return {"<": b"II", ">": b"MM"}[order] + struct.pack(f"{order}HIH", 42, 8, 2) + sides + bytes(4)


BOMBS: dict[str, Callable[[], bytes]] = {
    "scans.jpg": lambda: with_scans(64, 64, 5000),
    "large-scans.jpg": lambda: resized(with_scans(64, 64, 60), 9000, 9000),
    "comments.jpg": lambda: with_segments(0xFE, b"", 1_000_000),
    "exif.jpg": lambda: with_segments(0xE1, b"Exif\0\0", 500_000),
    "profiles.jpg": lambda: with_segments(0xE2, b"ICC_PROFILE\0\1\1", 500_000),
    "fill.jpg": lambda: b"\xff\xd8" + b"\xff" * 30_000_000 + progressive(64, 64)[2:],
    "coefficients.jpg": lambda: resized(progressive(64, 64, sub=0), 10000, 9900),
    "huge.png": huge_png,
    "huge.bmp": huge_bmp,
    "huge.tiff": huge_tiff,
    "huge-big-endian.tiff": lambda: huge_tiff(">"),
}
"""Name of a file -> what makes it."""
