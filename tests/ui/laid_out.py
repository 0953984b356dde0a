"""Pictures of tiles laid out in rows, with their label files, for the tests of `enrol`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from ui.artwork.tile_face import face_image
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE

SIDE, PITCH, PER_ROW = 104, 150, 5
SIZE_WH = (960, 640)
PHOTOS = [list(CODES[start : start + 15]) for start in (0, 15, 30)]
"""What three photos show, in reading order."""


def laid_out(codes: Sequence[str], degrees: float = 3.0) -> tuple[ImageU8, list[NDArray[np.float32]]]:
    """Return a picture of tiles in rows on a table, turned a little, and the quads of their faces."""
    noise = np.random.default_rng(len(codes)).normal(0, 30, (SIZE_WH[1], SIZE_WH[0], 1))
    table = cv2.GaussianBlur(np.repeat(noise, 3, axis=2), (0, 0), 3) * 3 + (96, 128, 150)
    image = np.clip(table, 0, 255).astype(np.uint8)
    quads = []
    for number, code in enumerate(codes):
        x, y = 130 + number % PER_ROW * PITCH, 110 + number // PER_ROW * PITCH
        image[y - 4 : y + SIDE + 4, x - 4 : x + SIDE + 4] = (200, 214, 220)
        image[y : y + SIDE, x : x + SIDE] = face_image(code, SIDE)
        quads.append(UNIT_SQUARE * SIDE + np.array([x - 0.5, y - 0.5]))
    matrix = cv2.getRotationMatrix2D((SIZE_WH[0] / 2, SIZE_WH[1] / 2), degrees, 1)
    turned = cv2.warpAffine(image, matrix, SIZE_WH, borderMode=cv2.BORDER_REPLICATE)
    blurred = cv2.GaussianBlur(turned, (0, 0), 0.8).astype(np.uint8)
    return blurred, [(quad @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32) for quad in quads]


def write_photos(
    folder: Path, called: Callable[[str], str] | None = str, shown: Sequence[Sequence[str]] = PHOTOS
) -> Path:
    """Write photos of these tiles, and label files that call them so; none for None."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, codes in enumerate(shown):
        image, quads = laid_out(codes)
        cv2.imwrite(str(folder / f"{number}.png"), image)
        if called is not None:
            tiles = [
                {"code": called(code), "row": 0, "slot": 0, "quad": quad.tolist()}
                for code, quad in zip(codes, quads, strict=True)
            ]
            content = {"image": f"{number}.png", "layout": "-", "tiles": tiles}
            (folder / f"{number}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder
