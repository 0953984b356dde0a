"""Corrections, kept as examples to learn from: each a picture with its label file."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from referee.rules.layout import Layout
from ui.storage.stored_pictures import MAX_PICTURE_SIDE_PX, pack_picture
from vision.files import replacing

if TYPE_CHECKING:
    from vision.imaging.arrays import ImageU8
    from vision.recognition.reading import Reading

FOLDER_NAME = "corrections"


def keep_example(folder: Path, image_bgr: ImageU8, reading: Reading, layout: Layout) -> Path:
    """Write a picture and its label file, as `capture` writes them, and return the picture's file.

    Args:
        folder: Made where it does not exist.
        image_bgr: (H, W, 3) uint8, BGR: the table as it lies.
        reading: Where its tiles are, in pixels of the picture.
        layout: What lies there, after the correction; places that it does not have are left out.

    Raises:
        OSError: A file cannot be written.
    """
    scale = min(1.0, MAX_PICTURE_SIDE_PX / max(image_bgr.shape[:2]))
    tiles = [
        {
            "code": known.code,
            "row": tile.row,
            "slot": tile.slot,
            "quad": [list(corner) for corner in tile.quad_px],
        }
        for tile in reading.scaled(scale).tiles
        if (known := layout.get(tile.row, tile.slot)) is not None and not (tile.covered or tile.cut)
    ]
    name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / f"{name}.jpg"
    labels = {"image": picture.name, "layout": str(layout), "tiles": tiles}
    with replacing(picture) as beside:
        beside.write_bytes(pack_picture(image_bgr))
    with replacing(picture.with_suffix(".json")) as beside:
        beside.write_text(json.dumps(labels), encoding="utf-8")
    return picture
