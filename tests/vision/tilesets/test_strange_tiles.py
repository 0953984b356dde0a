"""Tiles of other games that do not look like tiles to the reader, once it has learned what they look like."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE, Points
from vision.recognition.classifier import TileClassifier
from vision.recognition.detector import FAINT_SCORE, TileCandidate
from vision.recognition.model_store import Model, open_model
from vision.recognition.places_beside import CERTAIN_TILE_CHANCE, CLEAR_TILE_CHANCE
from vision.recognition.reader import TileReader
from vision.recognition.tile_set import TileSet
from vision.tilesets.enrolment import LabelledPhoto, learn

SIDE = 72
INKS = {"red": (60, 60, 220), "green": (70, 190, 70), "yellow": (40, 200, 235), "purple": (170, 70, 190)}


@pytest.fixture(scope="module")
def model() -> Model:
    return open_model("reader")


def dark_tiles(seed: int) -> tuple[ImageU8, dict[str, Points]]:
    """Return a picture of dark tiles that touch, each with a coloured symbol, and where they lie."""
    rng = np.random.default_rng(seed)
    picture = np.full((3 * SIDE, 6 * SIDE, 3), (60, 85, 105), np.uint8)
    quads = {}
    for at, (ink, bgr) in enumerate(INKS.items()):
        x, y = (at + 1) * SIDE, SIDE
        cv2.rectangle(picture, (x, y), (x + SIDE, y + SIDE), (38, 34, 36), -1)
        cv2.rectangle(picture, (x, y), (x + SIDE, y + SIDE), (60, 55, 58), 2)
        middle = (x + SIDE // 2, y + SIDE // 2)
        if at % 2:
            cv2.ellipse(picture, middle, (SIDE // 3, SIDE // 3), 0, 180, 360, bgr, -1, cv2.LINE_AA)
        else:
            arrow = np.array([(-14, 22), (-14, 0), (-26, 0), (0, -26), (26, 0), (14, 0), (14, 22)])
            cv2.fillPoly(picture, [arrow + middle], bgr, cv2.LINE_AA)
        quads[ink] = (UNIT_SQUARE * SIDE + (x, y)).astype(np.float32)
    noisy = cv2.GaussianBlur(picture, (0, 0), 1.0) + rng.normal(0, 3, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), quads


def learned(model: Model) -> TileSet:
    photos = [(str(seed), *dark_tiles(seed)) for seed in range(2)]
    labelled = [LabelledPhoto(name, image, tuple(quads.items())) for name, image, quads in photos]
    return learn("symbols", labelled, model).tile_set


def test_tiles_like_those_that_were_learned_from_are_tiles(model):
    """To the reader by itself, dark tiles with a symbol and no number are hardly any."""
    image, quads = dark_tiles(seed=9)
    by_itself = TileClassifier(model).read(image, list(quads.values())).tile
    assert np.median(by_itself) < CLEAR_TILE_CHANCE
    taught = TileClassifier(model, learned(model)).read(image, list(quads.values())).tile
    assert np.median(taught) >= CERTAIN_TILE_CHANCE


def test_none_of_them_is_sure(model):
    """A corner where four of them meet looks like a fifth."""
    image, quads = dark_tiles(seed=9)
    reader = TileReader.open(learned(model))
    named = reader.name(image, list(quads.values()))
    assert [tile.code for tile in named] == list(quads)
    assert all(tile.unsure for tile in named)


class FaintFinder:
    """Sees quads as faintly as it can, wherever they lie."""

    def __init__(self, quads: list[Points]) -> None:
        self._quads = quads

    def find(self, _image_bgr: ImageU8, _squash: object) -> list[TileCandidate]:
        return [TileCandidate(quad, FAINT_SCORE) for quad in self._quads]


def test_what_is_like_one_of_them_is_one_however_faintly_it_is_seen(model):
    """Most dark tiles that touched on a printed board had too small a score to be looked at."""
    image, quads = dark_tiles(seed=9)
    bare = [(quad - np.float32([0, SIDE])).astype(np.float32) for quad in quads.values()]
    finder = FaintFinder([*quads.values(), *bare])
    seen = TileReader(finder, TileClassifier(model, learned(model))).tiles(image)  # type: ignore[arg-type]
    assert {tile.code for tile in seen} == set(quads)
    assert len(seen) == len(quads)
    assert not TileReader(finder, TileClassifier(model)).tiles(image)  # type: ignore[arg-type]


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_they_are_found_from_every_side_of_the_table(model, quarters):
    """Of real tiles of another game a twentieth was lost from the other side, of drawn dark ones a fifth."""
    image, quads = dark_tiles(seed=9)
    there = np.ascontiguousarray(np.rot90(image, quarters))
    high, wide = image.shape[:2]
    turn = {1: (0, -1, 1, 0, 0, wide), 2: (-1, 0, 0, -1, wide, high), 3: (0, 1, -1, 0, high, 0)}[quarters]
    matrix, moved = np.array(turn[:4]).reshape(2, 2), np.array(turn[4:])
    # As the finder has it: from the corner that is top left on the screen.
    seen = [np.roll(quad @ matrix + moved, -quarters, axis=0).astype(np.float32) for quad in quads.values()]
    classifier = TileClassifier(model, learned(model))
    assert (classifier.read(there, seen).tile >= CLEAR_TILE_CHANCE).all()
    found = TileReader(FaintFinder(seen), classifier).tiles(there)  # type: ignore[arg-type]
    assert {tile.code for tile in found} == set(quads)


def test_what_is_unlike_them_is_what_it_was(model):
    image, quads = dark_tiles(seed=9)
    bare = [(quad - np.float32([0, SIDE])).astype(np.float32) for quad in quads.values()]
    by_itself = TileClassifier(model).read(image, bare)
    taught = TileClassifier(model, learned(model)).read(image, bare)
    assert (taught.tile == by_itself.tile).all()
