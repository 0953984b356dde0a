"""What decoding a JPEG would cost, told from its markers: a small file can take minutes and gigabytes.

`docs/decisions/0015-markers-are-counted.md` tells what counting costs, and why it is enough.
"""

from __future__ import annotations

import numpy as np

MOST_SEGMENTS = 2000
"""A photo has some ten; one with a depth map or a long profile a few hundred."""
MOST_SCANS = 100
"""A progressive photo has some ten."""
MOST_MEGAPIXEL_SCANS = 1000
"""Every scan goes over all pixels; ten times over a picture of 100 megapixels is allowed."""
MOST_COEFFICIENT_BYTES = 300_000_000
"""What a picture in several scans keeps until the last of them."""

MOST_BYTES_BETWEEN = 2**16
"""Between two segments, where nothing belongs but fill bytes; those are gone through one by one."""

_FIRST_LOOK, _LONGEST_LOOK = 64, 2**20
_SOF = {0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
_RST, _SOI, _EOI, _SOS = 0xD0, 0xD8, 0xD9, 0xDA


def takes_too_much(data: bytes) -> bool:
    """Return whether a JPEG would take too long, or too much memory, to be decoded."""
    segments = scans = between = 0
    pixels = coefficients = 0
    at = len(b"\xff\xd8")
    marker = _SOI
    while (found := _next_marker(data, at)) is not None:
        between += 0 if marker == _SOS else found - at
        marker, at = data[found + 1], found + 2
        if marker == _EOI:
            break
        if marker in _SOF and not pixels:
            pixels, coefficients = _size_of(data[at : at + 2 + 6 + 3 * 4])
        segments += 1
        scans += marker == _SOS
        if segments > MOST_SEGMENTS or scans > MOST_SCANS or between > MOST_BYTES_BETWEEN:
            return True
        at += int.from_bytes(data[at : at + 2], "big") if marker != _SOI else 0
    return scans * pixels > MOST_MEGAPIXEL_SCANS * 10**6 or (
        scans > 1 and coefficients > MOST_COEFFICIENT_BYTES
    )


def _next_marker(data: bytes, at: int) -> int | None:
    """Return where the next marker is, over the data of a scan, fill bytes and what does not belong there."""
    look = _FIRST_LOOK
    while at + 1 < len(data):
        part = np.frombuffer(data, np.uint8, min(look + 1, len(data) - at), at)
        after = part[1:]
        hits = (part[:-1] == 0xFF) & (after != 0) & (after != 0xFF) & (after & 0xF8 != _RST)
        first = int(hits.argmax())
        if hits[first]:
            return at + first
        at += look
        look = min(8 * look, _LONGEST_LOOK)
    return None


def _size_of(frame: bytes) -> tuple[int, int]:
    """Return how many pixels the segment of a frame announces, and how many bytes their coefficients take."""
    if len(frame) < 8:
        return 0, 0
    pixels = int.from_bytes(frame[3:5], "big") * int.from_bytes(frame[5:7], "big")
    factors = [(byte >> 4) * (byte & 15) for byte in frame[9::3][: frame[7]]]
    largest = max(factors, default=0) or 1
    return pixels, 2 * pixels * sum(factors) // largest
