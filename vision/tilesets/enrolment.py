"""Learning a tile set: labelled quads in, prototypes out, and how well the reader tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from vision.errors import TileSetError
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, is_convex, share_inside, side_px
from vision.imaging.quality import in_enough_light
from vision.imaging.rectify import crop_corners
from vision.recognition.classifier import SURE_OF_ENROLLED, TileClassifier
from vision.recognition.model_store import Model
from vision.recognition.places_beside import CLEAR_TILE_CHANCE
from vision.recognition.pyramid_finder import WHOLE_SHARE
from vision.recognition.tile_set import (
    MAX_CODES,
    MAX_EXAMPLES,
    Example,
    TileSet,
    check_name,
    example_embeddings,
    prototypes_of,
)

_SAME_TILE, _OTHER_TILE = 0.5, 0.15
"""Two pictures of one tile have at least the first cosine, and neither is more alike to another tile's
picture by the second. Of 625 real tiles (`tests.benchmarks.real_photos`), each against one photo of every
tile, the lowest cosine was 0.79, and one was more alike to another tile, by 0.10."""
_SMALL_PX, _SAME_PICTURE = 20, 2.0
"""Crops which at that size differ by less than this in the mean, of 255, were cut from one picture."""
_SAME_PLACE = 0.5
"""Two tiles of one photo lie at least so many sides apart."""
_MEANT_FOR_THE_GAME = 30
"""A set with so many of the game's codes is meant to have all of them and no other."""


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
    """Two tiles, and how well the reader tells them apart in the pictures that it learned from."""

    code: str
    other: str
    chance: float
    """The chance of the right one of the two in the picture where the reader is least certain, 0..1."""

    @property
    def is_hard(self) -> bool:
        """Whether the reader would be unsure even about the pictures that it learned from."""
        return self.chance < SURE_OF_ENROLLED


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A tile whose label contradicts the shipped reader, which is certain."""

    photo: str
    code: str
    read: str


@dataclass(frozen=True, slots=True)
class Learned:
    """A tile set, and what the player should know about it."""

    tile_set: TileSet
    closest: tuple[AlikePair, ...]
    """The pairs that are hard to tell apart, the hardest first; the closest pair where none is."""
    disagreements: tuple[Disagreement, ...]
    """Empty for sets of other games."""

    @property
    def labels_are_mixed_up(self) -> bool:
        """Whether most labels contradict what the shipped reader is certain of."""
        return len(self.disagreements) > len(self.tile_set.examples) / 2


@dataclass(frozen=True, slots=True)
class _Seen:
    """An example with the photo that it comes from, and what the shipped reader is certain it shows."""

    example: Example
    photo: str
    read: str | None
    aspect: float


def learn(name: str, photos: Iterable[LabelledPhoto], model: Model, *, copies: int = 1) -> Learned:
    """Return the tile set that the photos show, and what is to be said about it.

    A set of the game's own codes must have all 45; of another game it has the codes that are named.

    Args:
        name: The set's name.
        photos: Photos with their tiles; they are gone through once.
        model: The opened reader model.
        copies: How many of each tile there are.

    Raises:
        TileSetError: A tile is missing or named more often than it exists, a quad is no tile's, or labels
            contradict each other.
    """
    check_name(name)
    shipped = TileClassifier(model)
    seen = [tile for photo in photos for tile in _seen(photo, shipped, copies)]
    codes = _codes(seen)
    examples = _examples(seen)
    of_the_game = set(codes) == set(CODES)
    if of_the_game and copies > 1:
        raise TileSetError("The game has each tile only once. Leave --copies out.")
    _check_pictures(seen)
    _check_tiles(seen, example_embeddings(model, examples), of_the_game=of_the_game)
    tile_set = TileSet(
        name,
        codes,
        _aspect(seen),
        copies,
        examples,
        str(model.manifest["sha256"]),
        prototypes_of(model, codes, examples),
    )
    disagreements = tuple(
        Disagreement(tile.photo, tile.example.code, tile.read)
        for tile in seen
        if of_the_game and tile.read not in (None, tile.example.code)
    )
    return Learned(tile_set, _closest(model, tile_set), disagreements)


def _examples(seen: Sequence[_Seen]) -> tuple[Example, ...]:
    """Return the examples alone, if they are not too many for a set."""
    if len(seen) > MAX_EXAMPLES:
        raise TileSetError(
            "The photos show {count} tiles. A tile set is learned from at most {most}.",
            count=len(seen), most=MAX_EXAMPLES,
        )  # fmt: skip
    return tuple(tile.example for tile in seen)


def _aspect(seen: Sequence[_Seen]) -> float:
    """Return the height of the set's tiles in their widths; 1 if they are about square."""
    aspect = float(np.median([tile.aspect for tile in seen]))
    return 1.0 if abs(aspect - 1) < 0.1 else round(aspect, 3)


def _seen(photo: LabelledPhoto, shipped: TileClassifier, copies: int) -> list[_Seen]:
    """Return a photo's examples, checked by themselves."""
    _check_labels(photo, copies)
    image_bgr = in_enough_light(photo.image_bgr)
    quads = [quad for _, quad in photo.tiles]
    faces = shipped.read(image_bgr, quads)
    found = []
    for index, (code, quad) in enumerate(photo.tiles):
        best = int(faces.log_codes[index].argmax())
        certain = (
            np.exp(faces.log_codes[index, best]) >= shipped.sure_confidence
            and faces.tile[index] >= CLEAR_TILE_CHANCE
        )
        edges = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
        found.append(
            _Seen(
                Example(code, shipped.crop(image_bgr, quad)),
                photo.name,
                shipped.codes[best] if certain else None,
                float((edges[1] + edges[3]) / (edges[0] + edges[2])),
            )
        )
    return found


def _check_labels(photo: LabelledPhoto, copies: int) -> None:
    """Raise TileSetError where a photo's labels name a tile too often, no whole tile, or one place twice."""
    for code, count in Counter(code for code, _ in photo.tiles).items():
        if count > copies:
            raise TileSetError(
                "{photo!r} shows {code} {count} times, but there is only {copies}. Correct its labels.",
                photo=photo.name, code=code, count=count, copies=copies,
            )  # fmt: skip
    size_wh = (photo.image_bgr.shape[1], photo.image_bgr.shape[0])
    for code, quad in photo.tiles:
        if not is_convex(quad) or share_inside(quad, size_wh) < WHOLE_SHARE:
            raise TileSetError(
                "In {photo!r} the corners of {code} are not those of a tile that is completely in the "
            "picture. Correct its labels.",
                photo=photo.name, code=code,
            )  # fmt: skip
    for (code, quad), (other, other_quad) in combinations(photo.tiles, 2):
        if np.hypot(*(quad.mean(axis=0) - other_quad.mean(axis=0))) < _SAME_PLACE * side_px(quad):
            raise TileSetError(
                "In {photo!r} the same tile has two names, {code} and {other}. Correct its labels.",
                photo=photo.name, code=code, other=other,
            )  # fmt: skip


def _codes(seen: Sequence[_Seen]) -> tuple[str, ...]:
    """Return the codes in the order of the rules, or as they come up in a set of another game."""
    named = tuple(dict.fromkeys(tile.example.code for tile in seen))
    unknown = [code for code in named if code not in CODES]
    if unknown and len(named) - len(unknown) < _MEANT_FOR_THE_GAME:
        if not 2 <= len(named) <= MAX_CODES:
            raise TileSetError(
                "Different tiles in the photos: {count}. A tile set has from 2 to {most}.",
                count=len(named), most=MAX_CODES,
            )  # fmt: skip
        return named
    if unknown:
        raise TileSetError(
            "The game has no tile {unknown}, but the other labels name tiles of the game. Correct the "
            "labels.",
            unknown=" ".join(unknown),
        )
    missing = [code for code in CODES if code not in named]
    if missing:
        raise TileSetError(
            "The photos show {count} of the 45 tiles. Missing: {missing}. Add a photo that shows them.",
            count=len(named), missing=" ".join(missing),
        )  # fmt: skip
    return tuple(CODES)


def _check_pictures(seen: Sequence[_Seen]) -> None:
    """Raise TileSetError where one picture goes by two codes, as with a photo given twice."""
    small_wh = (_SMALL_PX, _SMALL_PX)
    small = np.stack(
        [cv2.resize(tile.example.crop_bgr, small_wh, interpolation=cv2.INTER_AREA) for tile in seen]
    ).astype(np.int16)
    for index, tile in enumerate(seen):
        apart = np.abs(small[index + 1 :] - small[index]).mean(axis=(1, 2, 3))
        for later in np.flatnonzero(apart < _SAME_PICTURE).tolist():
            other = seen[index + 1 + later]
            if other.example.code != tile.example.code:
                raise TileSetError(
                    "{code} in {one!r} and {other} in {two!r} are the same picture. Correct the labels.",
                    code=tile.example.code, one=tile.photo, other=other.example.code, two=other.photo,
                )  # fmt: skip


def _check_tiles(seen: Sequence[_Seen], each: NDArray[np.float32], *, of_the_game: bool) -> None:
    """Raise TileSetError where two pictures that go by one code show different tiles.

    `each` has the embedding of each picture, (n, embedding) float32 of length 1.
    """
    by_code: dict[str, list[int]] = {}
    for index, tile in enumerate(seen):
        by_code.setdefault(tile.example.code, []).append(index)
    cosines = each @ each.T
    for code, own in by_code.items():
        others = [index for index in range(len(seen)) if seen[index].example.code != code]
        for one, two in combinations(own, 2):
            reads = {seen[one].read, seen[two].read} - {None}
            to_others = float(cosines[np.ix_([one, two], others)].max(initial=-1.0))
            if cosines[one, two] < max(_SAME_TILE, to_others - _OTHER_TILE) or (
                of_the_game and len(reads) > 1
            ):
                raise TileSetError(
                    "{code} in {one!r} and {code} in {two!r} are different tiles. Correct the labels.",
                    code=code, one=seen[one].photo, two=seen[two].photo,
                )  # fmt: skip


def _closest(model: Model, tile_set: TileSet) -> tuple[AlikePair, ...]:
    """Return the pairs that the reader cannot tell apart for certain, or else the closest pair."""
    reader = TileClassifier(model, tile_set)
    whole = crop_corners(int(model.manifest["input"]["shape"][2]), float(model.manifest["face_share"]))
    chances: dict[tuple[int, int], float] = {}
    for example in tile_set.examples:
        own = tile_set.codes.index(example.code)
        log_codes = reader.read(example.crop_bgr, [whole]).log_codes[0]
        against = 1 / (1 + np.exp(np.minimum(log_codes - log_codes[own], 500)))
        for other in range(len(tile_set.codes)):
            pair = (min(own, other), max(own, other))
            if other != own:
                chances[pair] = min(chances.get(pair, 1.0), float(against[other]))
    pairs = sorted(
        (
            AlikePair(tile_set.codes[one], tile_set.codes[two], round(chance, 4))
            for (one, two), chance in chances.items()
        ),
        key=lambda pair: pair.chance,
    )
    return tuple(pair for pair in pairs if pair.is_hard) or tuple(pairs[:1])
