"""A player's own tile set: data alone, learned from a few photos, and what its tiles look like to the reader.

A prototype is the mean embedding of a tile's examples and of slight variants of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from vision.errors import TileSetError
from vision.imaging.arrays import ImageU8
from vision.recognition.model_store import Model

MAX_CODES, MAX_EXAMPLES, MAX_COPIES = 400, 1000, 20
_NAME = re.compile(r"[^\W_][\w-]{0,39}")
"""Letters and digits of any language."""
_CODE = re.compile(r"\S{1,24}")
_BATCH = 64
# How each example is varied: turn in degrees, scale, shift in shares of the crop, gains of blue and red.
_VARIANTS = (
    (0.0, 1.0, 0.0, 0.0, 1.0, 1.0),
    (2.5, 1.0, 0.015, 0.0, 1.06, 0.94),
    (-2.5, 1.0, -0.015, 0.0, 0.94, 1.06),
    (0.0, 1.04, 0.0, 0.015, 0.9, 1.1),
    (0.0, 0.96, 0.0, -0.015, 1.1, 0.9),
)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One picture of one tile."""

    code: str
    crop_bgr: ImageU8
    """(side, side, 3) uint8 BGR: the face upright with a rim, cut by `rectify.upright_crop`."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """What is known of a set: which tiles there are, what they look like, and what was learned from that."""

    name: str
    codes: tuple[str, ...]
    aspect: float
    """Height of a tile by its width."""
    copies: int
    """How many of each tile there are; 1 in the game itself."""
    examples: tuple[Example, ...]
    model: str
    """Checksum of the reader model that made the prototypes."""
    prototypes: NDArray[np.float32]
    """(codes, embedding) of length 1 each: what a tile's embedding looks like; 0 if it has no example."""

    @property
    def is_of_the_game(self) -> bool:
        """Whether these are the 45 tiles of the game itself, and not those of another."""
        return set(self.codes) == set(CODES)

    @property
    def is_complete(self) -> bool:
        """Whether there is an example of every tile; a set that a game has taught may lack some."""
        return {example.code for example in self.examples} == set(self.codes)


def check_name(name: str) -> str:
    """Return a set's name if it can be one.

    Raises:
        TileSetError: It is empty, too long, or has other characters than letters, digits, - and _.
    """
    if not _NAME.fullmatch(name):
        raise TileSetError(
            "{name!r} cannot be the name of a tile set. Use up to 40 letters, digits, - and _.", name=name
        )
    return name


def is_code(value: object) -> bool:
    """Return whether a value can stand for a tile: one word of at most 24 characters."""
    return isinstance(value, str) and _CODE.fullmatch(value) is not None


def embeddings(model: Model, crops_bgr: Sequence[ImageU8]) -> NDArray[np.float32]:
    """Return the embeddings of n crops (side, side, 3) uint8 BGR, (n, embedding) float32 of length 1."""
    position = list(model.manifest["outputs"]).index("embedding")
    parts = [
        model.run(np.stack(crops_bgr[start : start + _BATCH]))[position]
        for start in range(0, len(crops_bgr), _BATCH)
    ]
    return np.concatenate(parts)


def example_embeddings(model: Model, examples: Sequence[Example]) -> NDArray[np.float32]:
    """Return one embedding for each example, the mean over slight variants, (n, embedding), length 1."""
    side = int(model.manifest["input"]["shape"][2])
    varied = [
        _varied(fitted(example.crop_bgr, side), variant) for example in examples for variant in _VARIANTS
    ]
    means = embeddings(model, varied).reshape(len(examples), len(_VARIANTS), -1).mean(axis=1)
    return _unit(means)


def turned_embeddings(model: Model, examples: Sequence[Example]) -> NDArray[np.float32]:
    """Return embeddings of the tiles as they lie on either side and on their heads, (3 codes, embedding)."""
    side = int(model.manifest["input"]["shape"][2])
    first = {each.code: fitted(each.crop_bgr, side) for each in reversed(examples)}
    return embeddings(model, [np.rot90(crop, way) for crop in first.values() for way in (1, 2, 3)])


def prototypes_of(model: Model, codes: Sequence[str], examples: Sequence[Example]) -> NDArray[np.float32]:
    """Return the prototype of each code, (codes, embedding) float32 of length 1; each needs an example."""
    each = example_embeddings(model, examples)
    of_code = np.array([codes.index(example.code) for example in examples])
    return _unit(np.stack([each[of_code == index].mean(axis=0) for index in range(len(codes))]))


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)


def fitted(crop_bgr: ImageU8, side: int) -> ImageU8:
    """Return a square crop at the size that the model takes, (side, side, 3) uint8 BGR."""
    if crop_bgr.shape[0] == side:
        return crop_bgr
    return cv2.resize(crop_bgr, (side, side), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _varied(crop_bgr: ImageU8, variant: tuple[float, ...]) -> ImageU8:
    turn, scale, across, down, blue, red = variant
    side = crop_bgr.shape[0]
    matrix = cv2.getRotationMatrix2D((side / 2 - 0.5, side / 2 - 0.5), turn, scale)
    matrix[:, 2] += [across * side, down * side]
    moved = cv2.warpAffine(crop_bgr, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    lit: ImageU8 = np.clip(moved * np.array([blue, 1.0, red]), 0, 255).astype(np.uint8)
    return lit
