"""A filmed game as another camera would have shown it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.other_hand.films.seen_otherwise import FPS, SIZE_WH, WAYS, write


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    """Squares of all kinds of greys."""
    rng = np.random.default_rng(0)
    small = rng.integers(40, 200, (9, 16, 3)).astype(np.float32)
    return cv2.resize(small, SIZE_WH, interpolation=cv2.INTER_NEAREST)


@pytest.mark.parametrize("way", WAYS)
def test_each_way_shows_the_table_otherwise(picture: np.ndarray, way: str) -> None:
    seen = WAYS[way](picture, 0.3)
    assert (seen.shape, seen.dtype) == (picture.shape, np.float32)
    assert np.abs(seen - picture).mean() > 0.1


def test_each_key_frame_lasts_a_second(picture: np.ndarray, tmp_path: Path) -> None:
    for number in range(2):
        cv2.imwrite(str(tmp_path / f"frame_{number:03d}.jpg"), picture / (number + 1))
    out = tmp_path / "game.mp4"
    assert write(tmp_path, "upside-down", out) == 2 * FPS
    video = cv2.VideoCapture(str(out))
    frames = [frame for seen, frame in iter(video.read, (False, None)) if seen]
    assert len(frames) == 2 * FPS
    assert frames[0].mean() > 1.5 * frames[-1].mean()
    assert abs(frames[0][:80, :80].mean() - picture[-80:, -80:].mean()) < 10
