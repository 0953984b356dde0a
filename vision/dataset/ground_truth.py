"""Pictures with known contents: the `*.json` file beside each picture."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.layout import EMPTY, Layout
from referee.rules.tiles import CODES
from vision.errors import LabelError
from vision.imaging.arrays import ImageU8
from vision.imaging.picture_names import is_picture_name
from vision.recognition.tile_set import is_code

MAX_BYTES = 4 * 2**20


@dataclass(frozen=True, slots=True)
class KnownTile:
    """A tile that is known to lie in a picture."""

    code: str
    row: int
    slot: int
    quad_px: NDArray[np.float32]
    """(4, 2), top left first, clockwise as the number is read."""
    visible: float = 1.0
    """Share of the face that nothing hides, 0..1."""
    covered: bool = False
    """Whether something hides so much of the face that its code need not be readable."""
    cut: bool = False
    """Whether the picture's edge cuts the face off."""
    outside: bool = False
    """Whether so little of the face lies in the picture that nobody need find it."""
    proposed: bool = False
    """Whether nobody has confirmed the code yet."""

    @property
    def is_whole(self) -> bool:
        """Whether the face can be seen well enough to be named."""
        return not (self.covered or self.cut or self.outside)


@dataclass(frozen=True, slots=True)
class KnownPicture:
    """A picture and what it is known to show."""

    image: Path
    layout: Layout
    """Empty where the tiles are those of another game."""
    tiles: tuple[KnownTile, ...]
    groups: tuple[str, ...]
    """What figures are split by: art style and difficulty, where the file names them."""

    def scaled(self, scale: float) -> KnownPicture:
        """Return the contents with quads for the picture at `scale` times its size."""
        tiles = tuple(
            replace(t, quad_px=(t.quad_px + np.float32(0.5)) * np.float32(scale) - np.float32(0.5))
            for t in self.tiles
        )
        return self if scale == 1 else replace(self, tiles=tiles)


def read_known_picture(path: Path, codes: Collection[str] | None = CODES) -> KnownPicture:
    """Return the contents that a label file gives.

    Args:
        path: The label file.
        codes: What tiles may be called, the game's own codes where left out; None lets any word pass.
            Where these are not the game's own, layout, rows and slots say nothing and are not looked at.

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
        of_the_game = codes is not None and set(codes) <= set(CODES)
        layout = Layout.parse(content["layout"]) if of_the_game else EMPTY
        tiles = tuple(_known_tile(item, codes, of_the_game=of_the_game) for item in content["tiles"])
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise LabelError(
            "{path!r} does not describe a picture: {reason}.", path=str(path), reason=error
        ) from error
    groups = tuple(str(content[key]) for key in ("style", "difficulty", "group") if key in content)
    return KnownPicture(image, layout, tiles, groups)


def _file_name(value: Any) -> str:
    if not isinstance(value, str) or Path(value).name != value:
        raise ValueError(f"{value!r} is not the name of a picture in the same folder")
    return value


def _known_tile(item: Any, codes: Collection[str] | None, *, of_the_game: bool) -> KnownTile:
    code, quad = item["code"], np.array(item["quad"], np.float32)
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        raise ValueError(f"{item['quad']!r} is not a quad of four corners")
    if not is_code(code) or (codes is not None and code not in codes):
        raise ValueError(f"{code!r} is not a tile")
    row, slot = (int(item["row"]), int(item["slot"])) if of_the_game else (0, 0)
    flags = (item.get(key) is True for key in ("covered", "cut", "outside", "proposed"))
    return KnownTile(code, row, slot, quad, float(item.get("visible", 1.0)), *flags)


def label_files(directory: Path) -> list[Path]:
    """Return a folder's label files, sorted: each `*.json` with a picture of the same name beside it."""
    pictures = {path.stem for path in directory.glob("*") if is_picture_name(path)}
    return sorted(path for path in directory.glob("*.json") if path.stem in pictures)


def turn_picture(image_bgr: ImageU8, known: KnownPicture, degrees: float) -> tuple[ImageU8, KnownPicture]:
    """Return a picture and its contents as a camera turned by `degrees` would give them.

    The canvas grows so that nothing is cut off; its new corners repeat the picture's edge.
    """
    high, wide = image_bgr.shape[:2]
    matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, 1)
    cosine, sine = abs(matrix[0, 0]), abs(matrix[0, 1])
    size_wh = (round(high * sine + wide * cosine), round(high * cosine + wide * sine))
    matrix[:, 2] += [(size_wh[0] - wide) / 2, (size_wh[1] - high) / 2]
    turned = cv2.warpAffine(image_bgr, matrix, size_wh, borderMode=cv2.BORDER_REPLICATE)
    tiles = tuple(
        replace(tile, quad_px=(tile.quad_px @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32))
        for tile in known.tiles
    )
    return turned.astype(np.uint8, copy=False), replace(known, tiles=tiles)
