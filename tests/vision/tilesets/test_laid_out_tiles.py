"""Tiles that lie apart in a photo to learn from, of sets that the networks do not know."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.rules.tiles import CODES
from tests.places import DATA
from tests.ui.laid_out import PHOTOS, laid_out
from vision.dataset.capture import LabelProposer
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE
from vision.imaging.photo import read_photo
from vision.recognition.classifier import TileClassifier
from vision.recognition.detector import FAINT_SCORE, TileCandidate
from vision.recognition.model_store import open_model
from vision.recognition.reader import TileReader
from vision.tilesets.enrolment import LabelledPhoto, learn
from vision.tilesets.labelled_photos import labelled_in_order

STRANGE = [DATA / "images" / f"{name}-laid-out.jpg" for name in ("chalk", "felt-pen")]


@pytest.fixture(scope="module")
def classifier() -> TileClassifier:
    return TileClassifier(open_model("reader"))


@pytest.fixture(scope="module")
def proposer() -> LabelProposer:
    return LabelProposer()


class Finder:
    """Sees quads, the first ones clearly and the others faintly."""

    def __init__(self, quads: list[np.ndarray], clear: int = 3) -> None:
        self._seen = [
            TileCandidate(quad, 1.0 if at < clear else FAINT_SCORE) for at, quad in enumerate(quads)
        ]

    def find(self, _image_bgr: ImageU8, _squash: object) -> list[TileCandidate]:
        return self._seen


def test_what_the_detector_sees_faintly_is_a_tile_where_nothing_else_lies(classifier) -> None:
    image, quads = laid_out(PHOTOS[0])
    reader = TileReader(Finder(quads), classifier)  # type: ignore[arg-type]
    assert {tile.code for tile in reader.laid_out(image)} == set(PHOTOS[0])
    assert {tile.code for tile in reader.tiles(image)} == set(PHOTOS[0][:3])


def test_one_or_two_tiles_do_not_tell_how_large_the_others_are(classifier) -> None:
    """Beside one real tile on a patterned cloth a dozen pieces of it passed for tiles."""
    image, quads = laid_out(PHOTOS[0])
    reader = TileReader(Finder(quads, clear=2), classifier)  # type: ignore[arg-type]
    assert {tile.code for tile in reader.laid_out(image)} == set(PHOTOS[0][:2])


def test_what_is_no_tile_there_or_not_of_their_size_is_none(classifier) -> None:
    """Of a tile's own drawing a part may look like one."""
    image, quads = laid_out(PHOTOS[0])
    large = np.float32(UNIT_SQUARE * 180) + quads[4][0] - 40
    bare = quads[3] + np.float32([0, -110])
    reader = TileReader(Finder([*quads[:3], large, bare]), classifier)  # type: ignore[arg-type]
    assert {tile.code for tile in reader.laid_out(image)} == set(PHOTOS[0][:3])


@pytest.mark.parametrize("photo", STRANGE, ids=lambda photo: photo.stem)
@pytest.mark.parametrize("quarters", range(4))
def test_all_tiles_of_a_strange_set_are_proposed_from_every_side(
    proposer: LabelProposer, photo: Path, quarters: int
) -> None:
    """Of three rows of five the middle one was left out: the others passed for a pyramid."""
    turned = np.ascontiguousarray(np.rot90(read_photo(photo).image_bgr, quarters))
    assert len(proposer.propose(turned).tiles) == 15


def test_they_are_named_in_their_order() -> None:
    """Of each set one tile of 45 was not found, and `enrol --order` was refused."""
    shown = labelled_in_order(STRANGE, CODES[:30], TileReader.open())
    assert [code for photo in shown for code, _ in photo.tiles] == list(CODES[:30])


def test_nothing_is_sure_in_a_picture_that_moved() -> None:
    """Its digits are others: a fiftieth of real tiles was read as others without a question."""
    photos = [LabelledPhoto(str(at), *_photo(codes)) for at, codes in enumerate(PHOTOS)]
    reader = TileReader.open(learn("ours", photos, open_model("reader")).tile_set)
    image, _ = laid_out(PHOTOS[0], degrees=-5)
    assert not any(tile.unsure for tile in reader.tiles(image))
    moved = cv2.filter2D(image, -1, np.eye(17) / 17)
    seen = reader.tiles(moved)
    assert len(seen) == 15
    assert all(tile.unsure or tile.confidence >= 0.999 for tile in seen)
    assert any(tile.unsure and tile.confidence > 0.95 and tile.likeness > 0.8 for tile in seen)


def _photo(codes: list[str]) -> tuple[ImageU8, tuple[tuple[str, np.ndarray], ...]]:
    image, quads = laid_out(codes)
    return image, tuple(zip(codes, quads, strict=True))
