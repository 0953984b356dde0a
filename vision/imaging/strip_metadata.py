"""What a picture file holds besides its pixels: everything personal is dropped.

All of it happens to the bytes of the file, so that the pixels stay as they are. Phones write place, time,
owner and device into a photo, keep a small copy of the whole picture there, and add films behind its end.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator

from vision.errors import ImageError
from vision.imaging.header import UPRIGHT, read_header

_EXIF, _ICC, _JFIF = b"Exif\0\0", b"ICC_PROFILE\0", b"JFIF\0"
_JFIF_LENGTH = 18
"""Of a JFIF segment without a small copy of the picture, marker included."""
_SOI, _APP0, _APP1, _APP2, _APP14, _APP15, _COM, _SOS, _EOI = (
    0xD8, 0xE0, 0xE1, 0xE2, 0xEE, 0xEF, 0xFE, 0xDA, 0xD9,
)  # fmt: skip
_SCAN_END = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = set(b"gAMA cHRM sRGB iCCP sBIT bKGD tRNS pHYs cICP mDCV cLLI hIST sPLT".split())
"""What a PNG says of its colours; its critical chunks, which begin with a capital letter, are kept too."""
_WEBP_KEPT = set(b"VP8X|VP8 |VP8L|ALPH|ICCP|ANIM|ANMF".split(b"|"))
_WEBP_EXIF, _WEBP_XMP = 0x08, 0x04


def without_metadata(data: bytes, name: str) -> bytes:
    """Return the file without place, time, owner and device; its pixels are the same.

    Colour profile and orientation stay.

    Raises:
        ImageError: The file is damaged, or of a kind whose metadata cannot be dropped this way.
    """
    header = read_header(data)
    turn = UPRIGHT if header is None else header.orientation
    if data[:2] == b"\xff\xd8":
        kept = [b"\xff\xd8"]
        if turn != UPRIGHT:
            exif = _EXIF + _oriented(turn)
            kept.append(struct.pack(">BBH", 0xFF, _APP1, len(exif) + 2) + exif)
        kept += [data[s:e] for marker, s, e in _jpeg_segments(data, name) if _is_kept(marker, data[s:e])]
        return b"".join(kept)
    if data[:8] == _PNG:
        parts = _png_chunks(data, name)
        chunks = [data[s:e] for kind, s, e in parts if kind[:1].isupper() or kind in _PNG_KEPT]
        if turn != UPRIGHT:
            body = b"eXIf" + _oriented(turn)
            chunks.insert(1, struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body)))
        return _PNG + b"".join(chunks)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_without(data, name, turn)
    if data[:2] == b"BM":
        return data
    raise ImageError(
        "Place and device cannot be removed from this kind of file: {name!r}. Save it as JPEG or PNG.",
        name=name,
    )


def _damaged(name: str) -> ImageError:
    return ImageError("{name!r} is a damaged picture. Copy it from the camera again.", name=name)


def _jpeg_segments(data: bytes, name: str) -> Iterator[tuple[int, int, int]]:
    """Yield marker, start and end of each segment after the first marker; that of a scan has its data."""
    at = 2
    while True:
        while data[at : at + 2] == b"\xff\xff":
            at += 1
        if at + 2 > len(data) or data[at] != 0xFF:
            raise _damaged(name)
        marker = data[at + 1]
        if marker == _EOI:
            yield marker, at, at + 2
            return
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == _SOS:
            after = _SCAN_END.search(data, end)
            if after is None:
                raise _damaged(name)
            end = after.start()
        if end < at + 4 or end > len(data):
            raise _damaged(name)
        yield marker, at, end
        at = end


def _is_kept(marker: int, segment: bytes) -> bool:
    """Return whether a JPEG needs a segment to be shown as it is."""
    if marker == _APP0:
        return segment[4:9] == _JFIF and len(segment) == _JFIF_LENGTH
    if marker == _APP2:
        return segment[4:16] == _ICC
    return marker == _APP14 or not (_APP0 <= marker <= _APP15 or marker == _COM)


def _png_chunks(data: bytes, name: str) -> Iterator[tuple[bytes, int, int]]:
    at = 8
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        if end > len(data):
            break
        kind = data[at + 4 : at + 8]
        yield kind, at, end
        if kind == b"IEND":
            return
        at = end
    raise _damaged(name)


def _webp_chunks(data: bytes, name: str) -> Iterator[tuple[bytes, int, int]]:
    at, last = 12, 8 + int.from_bytes(data[4:8], "little")
    if last > len(data):
        raise _damaged(name)
    while at + 8 <= last:
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        end = at + 8 + length + length % 2
        if end > last:
            raise _damaged(name)
        yield data[at : at + 4], at, end
        at = end


def _webp_without(data: bytes, name: str, turn: int) -> bytes:
    chunks = [data[s:e] for kind, s, e in _webp_chunks(data, name) if kind in _WEBP_KEPT]
    if chunks and chunks[0][:4] == b"VP8X" and len(chunks[0]) > 8:
        flags = chunks[0][8] & ~_WEBP_EXIF & ~_WEBP_XMP
        if turn != UPRIGHT:
            exif = _oriented(turn)
            chunks.append(b"EXIF" + struct.pack("<I", len(exif)) + exif)
            flags |= _WEBP_EXIF
        chunks[0] = chunks[0][:8] + bytes([flags]) + chunks[0][9:]
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _oriented(turn: int) -> bytes:
    """Return EXIF data that tell the orientation and nothing else."""
    return b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, turn, 0, 0)
