"""Close-ups of tiles that are easily mixed up, each under several conditions: what the embedding learns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.faces import Face
from models.training.rendering.other_games import OtherGame
from models.training.scenes import shards
from models.training.scenes.tables import TablePainter
from referee.rules.tiles import CODES
from vision.imaging.arrays import ImageU8

MEMBERS = 16
VIEWS = 3
FAMILIES_PER_SHARD = 25
SMALLEST_PX, ENROLLED_PX = 30.0, 44.0
"""The smallest side of a tile in a close-up, for the training and as an enrolled set meets it."""


@dataclass(frozen=True, slots=True)
class CloseUp:
    """One tile seen from near: `image` (H, W, 3) uint8 BGR, corners of its face, code or ''."""

    image: ImageU8
    quad_px: NDArray[np.float32]
    code: str


def _faces(painter: TablePainter, rng: np.random.Generator, *, one_printing: bool) -> list[list[Face]]:
    """Return the faces of one family, MEMBERS times VIEWS."""
    kind = rng.random()
    if kind < 0.5:
        game = OtherGame(rng, painter.bank, painter.typefaces)
        marks = game.marks(MEMBERS)
        # Now and then another printing: the number counts, not the typeface.
        varied = rng.random() < 0.45 and not one_printing
        return [
            [game.face(mark, another_hand=varied and view > 0) for view in range(VIEWS)] for mark in marks
        ]
    own, _ = painter.tile_set(printed=kind < 0.54)
    codes = [CODES[index] for index in rng.permutation(len(CODES))[:MEMBERS]]
    return [[own.face(code) for _ in range(VIEWS)] for code in codes]


def render_shard(directory: Path, seed: int, number: int, *, one_printing: bool = False) -> Path:
    """Render one shard of families unless it is there already; return its path.

    With `one_printing`, all views of a tile show the same copy, and none is smaller than a player would
    photograph it: what an enrolled set meets.
    """
    path = directory / _name(number)
    if path.exists():
        return path
    rng = np.random.default_rng([seed, 1, number])
    painter = shards.painter_of(directory, rng)
    jpegs: list[NDArray[np.uint8]] = []
    labels: list[object] = []
    for _ in range(FAMILIES_PER_SHARD):
        faces = _faces(painter, rng, one_printing=one_printing)
        for member, views in enumerate(faces):
            for face in views:
                beside = [faces[rng.integers(len(faces))][0] for _ in range(4)]
                image, quad = painter.close_up(face, beside, ENROLLED_PX if one_printing else SMALLEST_PX)
                jpegs.append(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].ravel())
                labels.append([member, face.code, np.round(quad, 2).tolist()])
    shards.write_shard(path, jpegs, labels)
    return path


def _name(number: int) -> str:
    return f"families_{number:05d}.npz"


def read_shard(path: Path) -> Iterator[list[list[CloseUp]]]:
    """Yield the families of one shard, each a list of members with VIEWS close-ups."""
    family, last = list[list[CloseUp]](), -1
    for image, (member, code, quad) in shards.read_shard(path):
        if member == 0 and last != 0 and family:
            yield family
            family = []
        if member != last:
            family.append([])
        family[-1].append(CloseUp(image, np.array(quad, np.float32), code))
        last = member
    if family:
        yield family


def render(
    directory: Path, seed: int, count: int, workers: int, *, one_printing: bool = False
) -> Iterator[int]:
    """Render what is missing of `count` shards; yield how many are done, as they are done."""
    names = [_name(number) for number in range(count)]
    shard = partial(render_shard, directory, seed, one_printing=one_printing)
    return shards.render_missing(directory, names, shard, workers)
