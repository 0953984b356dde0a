"""Pictures of tile sets that no network has learned from, one picture a set: the units of calibration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.networks.nets import CROP_PX, FACE_SHARE
from models.training.rendering import glyphs
from models.training.rendering.artists.held_out import HELD_OUT
from models.training.scenes import corpus
from models.training.scenes.corpus import TrainingTile
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points
from vision.imaging.rectify import upright_crop

MEASURING_SEED, CALIBRATION_SEED = 31_202_611, 62_202_611
"""Of the pictures that are measured, and of those that are calibrated on; no training uses them."""
LEARNED = "artists to learn from"
"""The name of what is drawn by artists of the training's side, with a seed of its own."""
PICTURES_PER_SHARD = 15
_VISIBLE = 0.95


@dataclass(frozen=True, slots=True)
class PicturedSet:
    """One picture of one tile set, and its n tiles that can be seen whole."""

    group: str
    """The held-out group of its artist, or LEARNED."""
    image: ImageU8
    """(H, W, 3) uint8 BGR."""
    quads_px: tuple[Points, ...]
    """n of (4, 2): the tiles' corners, top left first."""
    codes: tuple[str, ...]

    def crops(self) -> list[NDArray[np.uint8]]:
        """Return the tiles as the reader takes them, (3, CROP_PX, CROP_PX) uint8 RGB each."""
        return [reader_crop(self.image, quad) for quad in self.quads_px]


def reader_crop(image: ImageU8, quad_px: Points) -> NDArray[np.uint8]:
    """Return one tile as the reader takes it, (3, CROP_PX, CROP_PX) uint8 RGB."""
    return upright_crop(image, quad_px, CROP_PX, FACE_SHARE)[:, :, ::-1].transpose(2, 0, 1).copy()


def folder_of(directory: Path, group: str) -> Path:
    """Return where the pictures of a group lie."""
    return directory / group.replace(" ", "-")


def pictured_sets(
    directory: Path, group: str, seed: int, shards: int, workers: int = 2, pictures: int = PICTURES_PER_SHARD
) -> Iterator[PicturedSet]:
    """Yield one picture after the other; those that are missing are rendered first.

    Args:
        directory: Where the folders of all groups lie.
        group: A held-out group, or LEARNED.
        seed: MEASURING_SEED or CALIBRATION_SEED.
        shards: How many shards.
        workers: How many processes render.
        pictures: How many there are in a shard.
    """
    names = [*HELD_OUT, LEARNED]
    folder = folder_of(directory, group)
    _share_typefaces(directory, folder)
    for _ in corpus.render(
        folder,
        seed + names.index(group),
        shards,
        workers,
        group=None if group == LEARNED else group,
        pictures=pictures,
    ):
        pass
    for number in range(shards):
        for picture in corpus.read_shard(corpus.shard_path(folder, number)):
            whole = [tile for tile in picture.tiles if _is_seen_whole(picture.image, tile)]
            yield PicturedSet(
                group,
                picture.image,
                tuple(tile.quad_px for tile in whole),
                tuple(tile.code for tile in whole),
            )


def _share_typefaces(directory: Path, folder: Path) -> None:
    """Let the groups share one file of typefaces: making it takes longer than a group's pictures."""
    typefaces = directory / "typefaces.npz"
    glyphs.load_typefaces(typefaces)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / typefaces.name).exists():
        (folder / typefaces.name).symlink_to(typefaces.resolve())


def _is_seen_whole(image: ImageU8, tile: TrainingTile) -> bool:
    """Return whether a tile with a code lies in the pyramid, inside the picture, and under nothing."""
    high, wide = image.shape[:2]
    is_inside = (tile.quad_px >= -1).all() and (tile.quad_px <= [wide, high]).all()
    return bool(tile.visible > _VISIBLE and tile.in_pyramid and tile.code and is_inside)
