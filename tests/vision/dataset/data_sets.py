"""Small data sets for the tests: pictures that are all header, and label files beside them."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

QUAD = [[10.0, 10.0], [50.0, 12.0], [48.0, 52.0], [8.0, 50.0]]


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_of_size(size_wh: tuple[int, int], mark: str = "") -> bytes:
    """Return a PNG without pixels; `mark`, among what is kept, tells one from another."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", *size_wh, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"sPLT", mark.encode()) + chunk(b"IEND", b"")


def tile(code: str = "R40", quad: Sequence[Sequence[float]] = QUAD, **extra: Any) -> dict[str, Any]:
    return {"code": code, "row": 0, "slot": 0, "quad": [list(corner) for corner in quad], **extra}


def write_picture(
    folder: Path,
    name: str,
    tiles: Sequence[dict[str, Any]] = (),
    size_wh: tuple[int, int] = (640, 480),
    **keys: Any,
) -> Path:
    """Write a picture and its label file; return the label file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(png_of_size(size_wh, keys.pop("mark", name)))
    path = (folder / name).with_suffix(".json")
    content = {"image": name, "layout": "-", **keys, "tiles": list(tiles or [tile()])}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
