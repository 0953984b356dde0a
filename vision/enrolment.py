"""Learning a tile set: labelled quads in, prototypes out, and how well they keep apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.tiles import CODES
from vision.classifier import TileClassifier
from vision.errors import TileSetError
from vision.geometry import Points
from vision.model_store import Model
from vision.prototypes import example_embeddings, prototypes_of
from vision.tile_set import Example, TileSet, check_name

ImageU8 = NDArray[np.uint8]

ALIKE = 0.8
"""Two tiles whose prototypes have this cosine or more are hard to tell apart."""
SAME_TILE = 0.3
"""Two pictures of one tile have at least this cosine; below it they show different tiles."""


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """A photo of known tiles."""

    name: str
    image_bgr: ImageU8
    """(H, W, 3) uint8, BGR."""
    tiles: tuple[tuple[str, Points], ...]
    """Code and upright quad, (4, 2) float32 in pixels, of each tile."""


@dataclass(frozen=True, slots=True)
class AlikePair:
    """Two tiles that look alike, with the cosine of their prototypes."""

    code: str
    other: str
    cosine: float


def learn(
    name: str, photos: Sequence[LabelledPhoto], model: Model, *, copies: int = 1
) -> tuple[TileSet, tuple[AlikePair, ...]]:
    """Return the tile set that the photos show, and which of its tiles are hard to tell apart.

    A set of the game's own codes must have all 45; of another game it has the codes that are named.

    Args:
        name: The set's name.
        photos: Photos with their tiles.
        model: The opened reader model.
        copies: How many of each tile there are.

    Raises:
        TileSetError: A tile is missing, is named more often than it exists, or two tiles go by one name.
    """
    check_name(name)
    cutter = TileClassifier(model)
    examples, sources, aspects = [], [], []
    for photo in photos:
        counts = Counter(code for code, _ in photo.tiles)
        for code, count in counts.items():
            if count > copies:
                raise TileSetError(
                    "{photo!r} shows {code} {count} times, but there is only {copies}; correct its labels.",
                    photo=photo.name, code=code, count=count, copies=copies,
                )  # fmt: skip
        for code, quad in photo.tiles:
            examples.append(Example(code, cutter.crop(photo.image_bgr, quad)))
            sources.append(photo.name)
            edges = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
            aspects.append(float((edges[1] + edges[3]) / max(edges[0] + edges[2], 1e-6)))
    codes = _codes(examples)
    _check_each_tile(model, codes, examples, sources)
    prototypes = prototypes_of(model, codes, examples)
    aspect = float(np.median(aspects))
    tile_set = TileSet(
        name,
        codes,
        1.0 if abs(aspect - 1) < 0.1 else round(aspect, 3),
        copies,
        tuple(examples),
        str(model.manifest["sha256"]),
        prototypes,
    )
    return tile_set, alike_pairs(tile_set)


def _codes(examples: Sequence[Example]) -> tuple[str, ...]:
    """Return the codes in the order of the rules, or as they come up in a set of another game."""
    named = tuple(dict.fromkeys(example.code for example in examples))
    if not set(named) <= set(CODES):
        return named
    missing = [code for code in CODES if code not in named]
    if missing:
        raise TileSetError(
            "The photos show {count} of the 45 tiles. Missing: {missing}. Add a photo that shows them.",
            count=len(named), missing=" ".join(missing),
        )  # fmt: skip
    return tuple(CODES)


def _check_each_tile(
    model: Model, codes: tuple[str, ...], examples: Sequence[Example], sources: Sequence[str]
) -> None:
    """Raise TileSetError where two pictures that go by one code show different tiles."""
    each = example_embeddings(model, examples)
    for code in codes:
        own = [index for index, example in enumerate(examples) if example.code == code]
        for position, one in enumerate(own):
            for two in own[position + 1 :]:
                if float(each[one] @ each[two]) < SAME_TILE:
                    raise TileSetError(
                        "{code} in {one!r} and {code} in {two!r} are different tiles; correct the labels.",
                        code=code, one=sources[one], two=sources[two],
                    )  # fmt: skip


def alike_pairs(tile_set: TileSet) -> tuple[AlikePair, ...]:
    """Return the pairs of a set's tiles that are hard to tell apart, the most alike first."""
    cosines = tile_set.prototypes @ tile_set.prototypes.T
    ones, twos = np.nonzero(np.triu(cosines >= ALIKE, 1))
    pairs = [
        AlikePair(tile_set.codes[one], tile_set.codes[two], round(float(cosines[one, two]), 3))
        for one, two in zip(ones, twos, strict=True)
    ]
    return tuple(sorted(pairs, key=lambda pair: -pair.cosine))
