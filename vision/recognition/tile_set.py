"""A player's own tile set: data alone, learned from a few photos."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from vision.errors import TileSetError
from vision.imaging.arrays import ImageU8

MAX_CODES, MAX_EXAMPLES, MAX_COPIES = 400, 1000, 20
_NAME = re.compile(r"[^\W_][\w-]{0,39}")
"""Letters and digits of any language."""
_CODE = re.compile(r"\S{1,24}")


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
