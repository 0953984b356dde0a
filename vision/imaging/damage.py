"""Pictures that decode although their data are damaged: some of what they show was never there.

Each format tells in its own way. PNG has check sums. The decoder of JPEG prints a line. That of WebP says
nothing, but a sound picture needs its data up to the last bytes; one that lost its thread leaves some over.
What changes a few pixels alone is not found: a wrong bit in a BMP, in a WebP without loss, and in some JPEGs.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np

from vision.imaging.arrays import ImageU8

STANDARD_ERROR = 2
_MOST_READ = 2**16
_CUT_BYTES = 12
"""More than an encoder of WebP adds at the end to be on the safe side."""
_CODEC_LINE = re.compile(
    r"libpng |JPEG|[Pp]rogression|[Mm]arker|Huffman|arithmetic|component|\[ ?WARN|\[ERROR|TIFF|WebP|"
    r"Bogus |Unsupported |Invalid |[Uu]nknown |Quantization |JFIF|Adobe|[Tt]humbnail"
)
_DAMAGED_JPEG = re.compile(
    r"Corrupt JPEG data(?!: [12] extraneous bytes before marker 0xd9)|Premature end of JPEG|Invalid |"
    r"Inconsistent progression|Bogus |Quantization "
)
"""A byte or two too many before the end are what some cameras write."""
_one_at_a_time = threading.Lock()


def decoded(data: bytes, flags: int) -> tuple[ImageU8 | None, bool]:
    """Return what OpenCV makes of a file, and whether its data are damaged.

    Args:
        data: A picture of any format.
        flags: As `cv2.imdecode` takes them.

    Returns:
        (height, width, 3) uint8 BGR, or None where nothing can be made of it; nothing is printed.
    """
    with _codec_lines() as lines:
        image = _image(data, flags)
    if image is None:
        return None, True
    return image, _has_damage(data, lines)


def _image(data: bytes, flags: int) -> ImageU8 | None:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    return None if image is None else image.astype(np.uint8, copy=False)


def _has_damage(data: bytes, lines: list[str]) -> bool:
    if data.startswith(b"\xff\xd8"):
        return any(map(_DAMAGED_JPEG.search, lines))
    if data.startswith(b"\x89PNG"):
        return not _png_is_sound(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        shorter = _shorter_webp(data)
        if shorter is not None:
            with _codec_lines():
                return _image(shorter, cv2.IMREAD_COLOR) is not None
    return False


def _png_is_sound(data: bytes) -> bool:
    """Return whether the chunks that a PNG's pixels need have the check sums that they tell."""
    at = 8
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if kind[:1].isupper() and zlib.crc32(data[at + 4 : end - 4]) != int.from_bytes(
            data[end - 4 : end], "big"
        ):
            return False
        if kind == b"IEND":
            return True
        at = end
    return False


def _shorter_webp(data: bytes) -> bytes | None:
    """Return a WebP without the last bytes of its picture, and what follows it; None for a film."""
    at = 12
    while at + 8 <= len(data):
        kind, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if kind in (b"VP8 ", b"VP8L"):
            kept = max(0, length - _CUT_BYTES)
            body = data[at + 8 : at + 8 + kept] + bytes(kept % 2)
            parts = b"WEBP" + data[12:at] + kind + kept.to_bytes(4, "little") + body
            return b"RIFF" + len(parts).to_bytes(4, "little") + parts
        at += 8 + length + length % 2
    return None


@contextmanager
def _codec_lines() -> Iterator[list[str]]:
    """Catch what codecs print on standard error during the block; the list has it afterwards.

    The libraries write past Python, so the stream itself leads elsewhere meanwhile. What another thread
    prints there at the same time is handed on.
    """
    lines: list[str] = []
    with _one_at_a_time, contextlib.ExitStack() as held:
        try:
            kept = os.dup(STANDARD_ERROR)
        except OSError:  # there is no standard error
            yield lines
            return
        held.callback(os.close, kept)
        file = held.enter_context(tempfile.TemporaryFile())
        os.dup2(file.fileno(), STANDARD_ERROR)
        try:
            yield lines
        finally:
            os.dup2(kept, STANDARD_ERROR)
            file.seek(0)
            found = file.read(_MOST_READ).decode(errors="replace").splitlines(keepends=True)
            lines += [line for line in found if _CODEC_LINE.search(line)]
            others = "".join(line for line in found if not _CODEC_LINE.search(line))
            if others:
                with contextlib.suppress(OSError):
                    os.write(STANDARD_ERROR, others.encode(errors="replace"))
