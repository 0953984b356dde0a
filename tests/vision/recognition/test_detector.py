"""What may be a tile, told from what a cloth prints again and again."""

from __future__ import annotations

from itertools import islice

import cv2
import numpy as np
import pytest

from tests.other_hand.films.film import TAME, Film
from tests.other_hand.films.tile_sets import OWN
from tests.simulation.play import play_game
from ui.artwork.tile_face import face_image
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE, Points, turned
from vision.pyramid.slant import STRAIGHT, Squash
from vision.recognition.detector import TileCandidate, TileDetector
from vision.recognition.model_store import open_model
from vision.recognition.reader import TileReader

SIDE, STEP = 50, 70
NUMBERS = ("2", "4", "6", "7", "10", "20", "30", "40")


def on_cloth(rings: int, tiles: int) -> tuple[ImageU8, list[Points], list[Points]]:
    """A cloth with rings, and tiles below it: the picture, and where both lie, from any corner each."""
    image = np.full((1000, 1280, 3), (30, 30, 190), np.uint8)
    image = np.clip(image + np.random.default_rng(2).normal(0, 6, image.shape), 0, 255).astype(np.uint8)
    printed, lie = [], []
    for at in range(rings):
        x, y = 60 + at % 16 * STEP, 60 + at // 16 * STEP
        cv2.circle(image, (x, y), 20, (200, 220, 240), 4)
        cv2.circle(image, (x, y), 4, (200, 220, 240), -1)
        printed.append(turned(((UNIT_SQUARE - 0.5) * SIDE + (x, y)).astype(np.float32), at % 4))
    for at in range(tiles):
        x, y = 60 + at * STEP, 900
        cv2.rectangle(image, (x - 25, y - 25), (x + 25, y + 25), (60, 170, 60), -1)
        cv2.putText(image, NUMBERS[at], (x - 20, y + 12), 0, 1.0, (20, 20, 20), 3)
        lie.append(((UNIT_SQUARE - 0.5) * SIDE + (x, y)).astype(np.float32))
    return image, printed, lie


@pytest.mark.parametrize(("rings", "are_told"), [(100, True), (60, False)])
def test_what_a_cloth_prints_again_and_again_is_told_from_tiles(monkeypatch, rings, are_told):
    """The rings of a cloth looked more like tiles than the tiles, which were not looked at (film 423012)."""
    image, printed, lie = on_cloth(rings, 8)
    seen = [TileCandidate(quad, 0.7) for quad in printed] + [TileCandidate(quad, 0.5) for quad in lie]
    monkeypatch.setattr(TileDetector, "_seen", lambda *_: seen)
    found = TileDetector(open_model("finder")).find(image)
    assert [each.may_be_print for each in found] == [are_told] * rings + [False] * 8
    assert [(id(each.quad_px), each.score) for each in found] == [
        (id(each.quad_px), each.score) for each in seen
    ]


def test_tiles_are_read_among_the_figures_of_a_cloth(monkeypatch):
    image, printed, _lie = on_cloth(190, 0)
    faces = {"R60": (600, 820), "G1": (600 + SIDE, 820)}
    for code, (x, y) in faces.items():
        image[y : y + SIDE, x : x + SIDE] = face_image(code, SIDE)
    quads = [(UNIT_SQUARE * SIDE + at).astype(np.float32) for at in faces.values()]
    seen = [TileCandidate(quad, score) for quads, score in ((printed, 0.7), (quads, 0.5)) for quad in quads]
    monkeypatch.setattr(TileDetector, "_seen", lambda *_: seen)
    assert str(TileReader.open().read(image).layout) == "R60 G1"


@pytest.mark.parametrize("seed", [300_001, 300_010, 300_015])
def test_tiles_of_a_table_that_is_seen_aslant_are_told_apart(seed: int) -> None:
    """Squashed, two that touch look like one square; of the first pyramid a whole row was lost, silently."""
    play = play_game(seed, max_turns=6)
    film = Film(play, seed, OWN, TAME, aslant=True)
    fullest = max(range(len(film.poses)), key=lambda number: len(film.poses[number]))
    (shot,) = islice((shot for shot in film if shot.number == fullest and shot.is_last), 1)
    reading = TileReader.open().read(shot.frame.image_bgr)
    assert reading.layout == play.moments[fullest].layout
    assert not any(tile.unsure for tile in reading.tiles)


def test_what_a_game_knows_of_a_squash_is_tried_first_and_given_up_where_it_is_not_so(monkeypatch) -> None:
    """Of two tiles that touch the first one has told; a phone in the hand looks from elsewhere."""
    tried: list[float] = []

    def seen(_detector: TileDetector, _image: ImageU8, squash: Squash) -> list[TileCandidate]:
        tried.append(round(float(squash[0]), 2))
        quads = [(UNIT_SQUARE * 50 + at).astype(np.float32) for at in (0, 60)]
        return [TileCandidate(quad, 0.9 - float(np.hypot(*squash))) for quad in quads]

    monkeypatch.setattr(TileDetector, "_seen_straight", seen)
    detector, image = TileDetector(open_model("finder")), np.zeros((720, 1280, 3), np.uint8)
    for known in (STRAIGHT, np.array([0.3, 0.0])):
        assert detector.find(image, known)[0].score == pytest.approx(0.9)
    assert tried == [0, 0.3, 0]


@pytest.mark.parametrize(
    ("gain", "stays_squashed", "is_taken"), [(0.2, True, True), (0.1, True, False), (0.2, False, False)]
)
def test_a_stretch_counts_where_more_is_clear_and_squares_are_squashed_so(
    monkeypatch, gain: float, stays_squashed: bool, is_taken: bool
) -> None:
    """Else the cards of a hand were told that a stretch showed by chance (table-dev2 031, upside down)."""

    def seen(_detector: TileDetector, _image: ImageU8, squash: Squash) -> list[TileCandidate]:
        by = 1.5 if stays_squashed or not squash.any() else 1.1
        return [TileCandidate((UNIT_SQUARE * (50, 50 / by)).astype(np.float32), 0.6 + gain * squash.any())]

    monkeypatch.setattr(TileDetector, "_seen_straight", seen)
    (found,) = TileDetector(open_model("finder")).find(np.zeros((720, 1280, 3), np.uint8))
    assert found.score == pytest.approx(0.6 + gain * is_taken)


def test_a_very_wide_picture_is_stretched_as_far_as_it_can_be() -> None:
    """OpenCV refused one of 39,000 pixels."""
    wide = np.full((300, 13000, 3), 90, np.uint8)
    assert TileDetector(open_model("finder"))._seen_straight(wide, np.array([-1.1, 0.0])) == []
