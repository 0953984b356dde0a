"""What a tile set can be learned from, and what is refused because labels contradict each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from referee.rules.tiles import CODES
from tests.other_hand.photographs import enrol_photograph
from tests.ui.laid_out import PHOTOS, laid_out
from vision.errors import TileSetError
from vision.recognition.classifier import SURE_OF_ENROLLED, TileClassifier
from vision.recognition.detector import TileDetector
from vision.recognition.model_store import Model, open_model
from vision.recognition.reader import TileReader
from vision.tilesets.enrolment import AlikePair, Disagreement, LabelledPhoto, learn

Photos = list[LabelledPhoto]


@pytest.fixture(scope="module")
def model() -> Model:
    return open_model("reader")


@pytest.fixture(scope="module")
def three() -> Photos:
    """Three photos of all 45 tiles."""
    return [photo_of(name, codes) for name, codes in zip("abc", PHOTOS, strict=True)]


def photo_of(name: str, codes: list[str], degrees: float = 3.0) -> LabelledPhoto:
    image, quads = laid_out(codes, degrees)
    return LabelledPhoto(name, image, tuple(zip(codes, quads, strict=True)))


def relabelled(photo: LabelledPhoto, code: str, other: str) -> LabelledPhoto:
    return replace(photo, tiles=tuple((other if c == code else c, quad) for c, quad in photo.tiles))


def moved(photo: LabelledPhoto, code: str, move: Callable[[np.ndarray], np.ndarray]) -> LabelledPhoto:
    """Return a photo with the quad of one tile changed."""
    tiles = tuple((c, move(quad).astype(np.float32) if c == code else quad) for c, quad in photo.tiles)
    return replace(photo, tiles=tiles)


def again(three: Photos, change: Callable[[LabelledPhoto], LabelledPhoto]) -> Photos:
    """Return the photos and one more of the first tiles, seen from elsewhere in less light, and changed."""
    fourth = photo_of("d", PHOTOS[0], degrees=-4)
    return [*three, change(replace(fourth, image_bgr=(fourth.image_bgr * 0.85).astype(np.uint8)))]


REFUSED: dict[str, tuple[Callable[[Photos], Photos], str]] = {
    "twice in a photo": (lambda p: [relabelled(p[0], "Y4", "Y2"), *p[1:]], "'a' shows Y2 2 times"),
    "missing": (lambda p: p[1:], "The photos show 30 of the 45 tiles. Missing: Y2 Y4 "),
    "no tile": (lambda p: [replace(photo, tiles=()) for photo in p], "show 0 of the 45 tiles"),
    "misspelt": (lambda p: [relabelled(p[0], "Y4", "Y400"), *p[1:]], "The game has no tile Y400"),
    "no area": (lambda p: [moved(p[0], "Y4", lambda q: q * 0 + 50), *p[1:]], "In 'a' the corners of Y4"),
    "mirrored": (lambda p: [moved(p[0], "Y4", lambda q: q[::-1]), *p[1:]], "In 'a' the corners of Y4"),
    "outside": (lambda p: [moved(p[0], "Y4", lambda q: q + 3000), *p[1:]], "In 'a' the corners of Y4"),
    "one place": (
        lambda p: [moved(p[0], "Y4", lambda q: p[0].tiles[0][1] + 9), *p[1:]],
        "the same tile has two names, Y2 and Y4",
    ),
    "one picture": (
        lambda p: [*p, replace(p[0], name="copy", tiles=(("M200", p[0].tiles[1][1]),))],
        "Y4 in 'a' and M200 in 'copy' are the same picture",
    ),
    "two tiles": (
        lambda p: again(p, lambda d: replace(d, tiles=(("B7", d.tiles[1][1]),))),
        "B7 in 'c' and B7 in 'd' are different tiles",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_contradictions_are_refused(model: Model, three: Photos, case: str) -> None:
    """One sentence names the photo and the tile."""
    change, words = REFUSED[case]
    with pytest.raises(TileSetError) as caught:
        learn("mine", change(three), model)
    assert words in str(caught.value)


def test_a_second_picture_of_a_tile_is_no_contradiction(model: Model, three: Photos) -> None:
    two = again(three[:1], lambda photo: photo)
    words = [replace(p, tiles=tuple((f"my-{code}", quad) for code, quad in p.tiles)) for p in two]
    tile_set = learn("other", words, model).tile_set
    assert tile_set.codes == tuple(f"my-{code}" for code in PHOTOS[0])
    assert len(tile_set.examples) == 30
    assert np.allclose(np.linalg.norm(tile_set.prototypes, axis=1), 1, atol=1e-4)
    assert tile_set.model == model.manifest["sha256"]


class PlainColours:
    """A session whose embedding is the mean colour of a crop, and which knows nothing else."""

    def __init__(self, manifest: dict[str, Any]) -> None:
        self._manifest = manifest

    def run(self, outputs: list[str], pictures: dict[str, np.ndarray]) -> list[np.ndarray]:
        (crops,) = pictures.values()
        colours = crops[:, 30:50, 30:50, ::-1].mean(axis=(1, 2)) / 255 - 0.5
        embedding = colours / np.linalg.norm(colours, axis=1, keepdims=True)
        classes = self._manifest["classes"]
        widths = {"weight": len(classes["weight"]), "colour": len(classes["colour"]), "up": 4, "corners": 8}
        return [
            embedding if name == "embedding" else np.zeros((len(crops), widths.get(name, 1)), np.float32)
            for name in outputs
        ]


RED, ORANGE, AMBER, PINK, BLUE = (20, 20, 230), (20, 135, 230), (20, 155, 230), (90, 60, 230), (230, 20, 20)


@pytest.mark.parametrize(
    ("colours", "refused"),
    [
        ({"x": (RED, PINK), "y": (BLUE, BLUE)}, False),
        ({"x": (RED, BLUE), "y": (PINK, PINK)}, True),
        ({"x": (RED, ORANGE), "y": (BLUE, BLUE)}, False),
        ({"x": (RED, ORANGE), "y": (AMBER, AMBER)}, True),
    ],
    ids=["one tile", "unlike", "a little unlike", "more like another"],
)
def test_pictures_of_one_tile_are_alike(
    model: Model, colours: dict[str, tuple[tuple[int, int, int], ...]], refused: bool
) -> None:
    """By their embeddings alone, as in sets that the shipped reader does not know."""
    plain = replace(model, session=PlainColours(model.manifest))
    _, quads = laid_out(["R40", "B20"])
    photos = []
    for number in range(2):
        image = np.full((640, 960, 3), 40 * number, np.uint8)
        for quad, code in zip(quads, colours, strict=True):
            cv2.fillConvexPoly(image, np.round(quad).astype(int), colours[code][number])
        photos.append(LabelledPhoto(f"photo {number}", image, tuple(zip(colours, quads, strict=True))))
    if refused:
        with pytest.raises(TileSetError, match="x in 'photo 0' and x in 'photo 1' are different tiles"):
            learn("other", photos, plain)
    else:
        assert learn("other", photos, plain).tile_set.codes == ("x", "y")


def test_the_game_has_one_of_each_tile(model: Model, three: Photos) -> None:
    with pytest.raises(TileSetError, match="Leave --copies out"):
        learn("mine", three, model, copies=2)


def test_labels_that_contradict_the_shipped_reader_are_listed(model: Model, three: Photos) -> None:
    """A few are a doubt; most of them are a mix-up."""
    swapped = relabelled(relabelled(relabelled(three[0], "Y2", "?"), "Y4", "Y2"), "?", "Y4")
    learned = learn("mine", [swapped, *three[1:]], model)
    assert learned.disagreements == (Disagreement("a", "Y4", "Y2"), Disagreement("a", "Y2", "Y4"))
    assert not learned.labels_are_mixed_up
    assert replace(learned, disagreements=learned.disagreements * 12).labels_are_mixed_up


def test_other_games_have_their_own_words_copies_and_shape(model: Model) -> None:
    """Two of each tile may lie in one photo; the shape is that of the quads."""
    image, quads = laid_out(["R40", "B20", "R40", "B20"])
    names = ("red", "blue", "red", "blue")
    tall = [quad + (quad - quad.mean(axis=0)) * 0.02 for quad in quads]
    for quad in tall:
        quad[2:] += (quad[2:] - quad[:2][::-1]) * 0.4
    photo = LabelledPhoto("a", image, tuple(zip(names, (q.astype(np.float32) for q in tall), strict=True)))
    learned = learn("other", [photo], model, copies=2)
    assert learned.tile_set.codes == ("red", "blue")
    assert 1.35 < learned.tile_set.aspect < 1.45
    assert learned.disagreements == ()
    assert [(pair.code, pair.other) for pair in learned.closest] == [("red", "blue")]
    with pytest.raises(TileSetError, match="A tile set has from 2"):
        learn("other", [replace(photo, tiles=photo.tiles[:1])], model)


def test_how_hard_a_pair_is_follows_from_the_readers_own_threshold() -> None:
    assert AlikePair("Y10", "Y100", SURE_OF_ENROLLED - 0.01).is_hard
    assert not AlikePair("Y10", "Y100", 0.96).is_hard


def test_a_set_by_another_hand_is_learned_from_its_photo(model: Model) -> None:
    """Faces, camera and light of another renderer; the set's own words come back."""
    rng = np.random.default_rng(8)
    codes = rng.permutation(CODES)[:15].tolist()
    taken = enrol_photograph("another-hand", codes, rng)
    tiles = tuple((f"my-{tile['code']}", np.array(tile["quad"], np.float32)) for tile in taken.tiles)
    learned = learn("other", [LabelledPhoto("a", taken.image_bgr, tiles)], model)
    reader = TileReader(TileDetector(open_model("finder")), TileClassifier(model, learned.tile_set))
    named = reader.name(taken.image_bgr, [quad for _, quad in tiles])
    assert [tile.code for tile in named] == [code for code, _ in tiles]


def test_a_set_is_learned_in_the_dark_as_in_the_light(model: Model, three: Photos) -> None:
    """It is read by day as well: what was learned is as bright as what is read."""
    photo = three[0]
    lit = [(code, quad) for code, quad in photo.tiles]
    dark = replace(photo, image_bgr=(photo.image_bgr * 0.2).astype(np.uint8))
    by_day, by_night = (
        learn("other", [replace(each, tiles=tuple((f"my-{c}", q) for c, q in lit))], model).tile_set
        for each in (photo, dark)
    )
    alike = (by_day.prototypes * by_night.prototypes).sum(axis=-1)
    assert alike.min() > 0.9
