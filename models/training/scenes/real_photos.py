"""Real photos beside the rendered ones: squares for the finder to find, and tables to render tiles on.

The photos lie outside the repository, each folder with a `labels.json`: `images[]` with `file`, `role`
(`train` or `background`), `complete` and `items[]`, each with `quad` and `ignore`. Their credits are in the
finder's card.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.scenes import corpus, shards
from models.training.scenes.corpus import TrainingPicture

CREDITS = (
    "Squares of cube faces as extra tiles, and bare surfaces as tables, scaled and cut from these photos:",
    "",
    '- "rubyrizz" by main, Roboflow Universe (main-d3i3y/rubyrizz v4), CC BY 4.0',
    '- "LazyCube+Faces" by lazycube, Roboflow Universe (lazycube/lazycube-faces F-S2V1), CC BY 4.0',
    '- "Cubix" by yuimorii, github.com/itsyuimorii/Cubix---The-AI-Rubik-s-Cube-Detector-Model, MIT, '
    "Copyright (c) 2024 yuimorii; also 17 surfaces cut from its photos",
    '- "card detect" by empamos, Roboflow Universe (empamos/card-detect-49zev v11), CC BY 4.0',
    '- "Catan Scorer" by university-of-notre-dame-computer-vision, Roboflow Universe (catan-scorer), '
    "CC BY 4.0",
)
"""For the cards of models that were trained on these photos."""
_NAME = "real.npz"
_MAX_PX = 900
_IGNORED = 0.2
"""Squares that do not count get this as the share that can be seen: too little for the finder to learn."""


def take_in(photos: Path, directory: Path) -> None:
    """Write the photos of a folder beside the shards of another, unless they are there.

    Raises:
        OSError: A photo is missing.
    """
    squares: list[tuple[NDArray[np.uint8], object]] = []
    tables: list[tuple[NDArray[np.uint8], object]] = []
    if (directory / _NAME).exists() and (directory / shards.SURFACES).exists():
        return
    for labels in sorted(photos.glob("*/labels.json")):
        for picture in json.loads(labels.read_text(encoding="utf-8"))["images"]:
            image = cv2.imread(str(labels.parent / picture["file"]), cv2.IMREAD_COLOR)
            if image is None:
                raise OSError(f"{labels.parent / picture['file']} cannot be read")
            scale = min(1.0, _MAX_PX / max(image.shape[:2]))
            small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].ravel()
            tiles = [
                {
                    "code": "",
                    "quad": (np.array(item["quad"]) * scale).round(2).tolist(),
                    "visible": _IGNORED if item["ignore"] else 1.0,
                    "in_pyramid": False,
                    "numerals": [],
                }
                for item in picture["items"]
            ]
            label = {
                "tiles": tiles,
                "decoys": [],
                "artist": corpus.REAL_ARTIST,
                "complete": picture["complete"],
            }
            squares.append((jpeg, label))
            if picture["role"] == "background":
                tables.append((jpeg, None))
    directory.mkdir(parents=True, exist_ok=True)
    for name, packed in ((_NAME, squares), (shards.SURFACES, tables)):
        shards.write_shard(directory / name, [jpeg for jpeg, _ in packed], [label for _, label in packed])


def are_taken_in(directory: Path) -> bool:
    """Return whether real photos lie beside these shards."""
    return (directory / _NAME).exists()


def pictures(directory: Path) -> list[TrainingPicture]:
    """Return the real photos that were taken in beside these shards; none where there are none."""
    return list(corpus.read_shard(directory / _NAME)) if are_taken_in(directory) else []
