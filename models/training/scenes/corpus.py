"""The rendered pictures on disk: numbered shards, each made from its own seed, so that rendering resumes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.scenes import shards
from models.training.scenes.tables import RenderedTable
from vision.imaging.arrays import ImageU8

PICTURES_PER_SHARD = 50
_SIZES_WH = ((640, 384), (640, 480), (896, 544), (384, 640), (544, 896))
_SIZE_CHANCES = (0.45, 0.13, 0.24, 0.1, 0.08)
REAL_ARTIST = "real photo"
"""What stands in the place of the artist where a picture is none of ours."""


@dataclass(frozen=True, slots=True)
class TrainingTile:
    """What is known of one tile; `numerals` holds x, y, width, height (shares of the side), upright."""

    code: str
    quad_px: NDArray[np.float32]
    visible: float
    in_pyramid: bool
    numerals: tuple[tuple[float, float, float, float, bool], ...]


@dataclass(frozen=True, slots=True)
class TrainingPicture:
    """A training picture, `image` (height, width, 3) uint8 BGR; `decoys_px` are quads of other things."""

    image: ImageU8
    tiles: tuple[TrainingTile, ...]
    decoys_px: tuple[NDArray[np.float32], ...]
    artist: str
    """The group of the artist who drew the tiles."""
    complete: bool = True
    """Whether every tile that can be seen is known."""


def _pack(table: RenderedTable) -> tuple[NDArray[np.uint8], dict[str, object]]:
    tiles = [
        {
            "code": tile.face.code,
            "quad": np.round(tile.quad_px, 2).tolist(),
            "visible": round(tile.visible, 3),
            "in_pyramid": tile.in_pyramid,
            "numerals": [
                [round(n.x, 3), round(n.y, 3), round(n.width, 3), round(n.height, 3), n.upright]
                for n in tile.face.numerals
            ],
        }
        for tile in table.tiles
    ]
    jpeg = cv2.imencode(".jpg", table.image, [cv2.IMWRITE_JPEG_QUALITY, 96])[1].ravel()
    decoys = [np.round(quad, 2).tolist() for quad in table.decoys_px]
    return jpeg, {"tiles": tiles, "decoys": decoys, "artist": table.artist}


def render_shard(
    directory: Path, seed: int, number: int, *, group: str | None = None, pictures: int = PICTURES_PER_SHARD
) -> Path:
    """Render one shard unless it is there already; return its path.

    Args:
        directory: Where it lies.
        seed: Of all shards.
        number: Of this shard.
        group: A held-out group of artists; None: those to learn from.
        pictures: How many it holds.
    """
    path = directory / _name(number)
    if path.exists():
        return path
    rng = np.random.default_rng([seed, number])
    painter = shards.painter_of(directory, rng, group)
    packed = []
    for _ in range(pictures):
        size_wh = _SIZES_WH[rng.choice(len(_SIZES_WH), p=_SIZE_CHANCES)]
        tile_px = float(np.exp(rng.uniform(np.log(55), np.log(150)))) if max(size_wh) > 640 else None
        packed.append(_pack(painter.table(size_wh, tile_px=tile_px)))
    shards.write_shard(path, [jpeg for jpeg, _ in packed], [label for _, label in packed])
    return path


def shard_path(directory: Path, number: int) -> Path:
    """Return where a shard lies, or will lie."""
    return directory / _name(number)


def _name(number: int) -> str:
    return f"shard_{number:05d}.npz"


def read_shard(path: Path) -> Iterator[TrainingPicture]:
    """Yield the pictures of one shard."""
    for image, label in shards.read_shard(path):
        tiles = tuple(
            TrainingTile(
                t["code"],
                np.array(t["quad"], np.float32),
                t["visible"],
                t["in_pyramid"],
                tuple(tuple(n) for n in t["numerals"]),
            )
            for t in label["tiles"]
        )
        decoys = tuple(np.array(quad, np.float32) for quad in label["decoys"])
        yield TrainingPicture(image, tiles, decoys, label["artist"], label.get("complete", True))


def render(
    directory: Path,
    seed: int,
    count: int,
    workers: int,
    *,
    group: str | None = None,
    pictures: int = PICTURES_PER_SHARD,
) -> Iterator[int]:
    """Render what is missing of `count` shards; yield how many are done, as they are done."""
    names = [_name(number) for number in range(count)]
    shard = partial(render_shard, directory, seed, group=group, pictures=pictures)
    return shards.render_missing(directory, names, shard, workers)
