"""What may be a tile, told from what a cloth prints again and again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE, Points, turned
from vision.recognition.detector import TileCandidate, TileDetector
from vision.recognition.model_store import open_model

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


@pytest.mark.parametrize(("rings", "are_left_out"), [(100, True), (60, False)])
def test_what_a_cloth_prints_again_and_again_is_no_tile(monkeypatch, rings, are_left_out):
    """The rings of a cloth looked more like tiles than the tiles, which were not looked at (film 423012)."""
    image, printed, lie = on_cloth(rings, 8)
    seen = [TileCandidate(quad, 0.7) for quad in printed] + [TileCandidate(quad, 0.5) for quad in lie]
    monkeypatch.setattr(TileDetector, "_seen", lambda *_: seen)
    found = TileDetector(open_model("finder")).find(image)
    assert found == (seen[rings:] if are_left_out else seen)
