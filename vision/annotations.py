"""Pictures with known contents: the `*.json` file beside each picture."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.layout import Layout
from referee.tiles import CODES
from vision.errors import LabelError

MAX_BYTES = 4 * 2**20


@dataclass(frozen=True, slots=True)
class KnownTile:
    """A tile that is known to lie in a picture."""

    code: str
    row: int
    slot: int
    quad_px: NDArray[np.float32]
    """(4, 2), top left first, clockwise as the number is read."""
    visible: float
    """Share of the face that nothing hides, 0..1."""


@dataclass(frozen=True, slots=True)
class KnownPicture:
    """A picture and what it is known to show."""

    image: Path
    layout: Layout
    tiles: tuple[KnownTile, ...]
    groups: tuple[str, ...]
    """What figures are split by: art style and difficulty, where the file names them."""


def read_known_picture(path: Path) -> KnownPicture:
    """Return the contents that a label file gives.

    Raises:
        LabelError: The file is missing, damaged, or names tiles or a layout that do not exist.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise LabelError("{path!r} is too large for a label file.", path=str(path))
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise LabelError(
            "{path!r} is no readable label file: {reason}.", path=str(path), reason=error
        ) from error
    try:
        image = path.parent / _file_name(content["image"])
        layout = Layout.parse(content["layout"])
        tiles = tuple(_known_tile(item) for item in content["tiles"])
    except (KeyError, TypeError, ValueError) as error:
        raise LabelError(
            "{path!r} does not describe a picture: {reason}.", path=str(path), reason=error
        ) from error
    groups = tuple(str(content[key]) for key in ("style", "difficulty") if key in content)
    return KnownPicture(image, layout, tiles, groups)


def _file_name(value: Any) -> str:
    if not isinstance(value, str) or Path(value).name != value:
        raise ValueError(f"{value!r} is not the name of a picture in the same folder")
    return value


def _known_tile(item: Any) -> KnownTile:
    quad = np.array(item["quad"], np.float32)
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        raise ValueError(f"{item['quad']!r} is not a quad of four corners")
    if item["code"] not in CODES:
        raise ValueError(f"{item['code']!r} is not a tile")
    return KnownTile(item["code"], int(item["row"]), int(item["slot"]), quad, float(item.get("visible", 1.0)))


def label_files(directory: Path) -> list[Path]:
    """Return a folder's label files, sorted: each `*.json` with a picture of the same name beside it."""
    suffixes = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
    return sorted(
        path
        for path in directory.glob("*.json")
        if any(path.with_suffix(suffix).exists() for suffix in suffixes)
    )
