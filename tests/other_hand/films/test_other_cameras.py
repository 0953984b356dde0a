"""Other cameras show the other hand's films: where each tile lies is known, and the app follows them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.other_hand.films.film import HARD, TAME
from tests.other_hand.films.other_cameras import CAMERAS, OtherFilm
from tests.other_hand.films.tile_sets import OWN
from tests.other_hand.films.watched import watch
from tests.simulation.play import play_game
from vision.recognition.reader import TileReader

TINY = play_game(300_001, max_turns=2)


@pytest.mark.parametrize("camera", sorted(CAMERAS.keys() - {"as-filmed", "dusk"}))
def test_a_tiny_film_is_followed(camera: str, tmp_path: Path) -> None:
    film = OtherFilm(camera, TINY, 300_001, OWN, TAME)
    followed = watch(film, TINY, TileReader.open(), tmp_path)
    assert (followed.report.wrong, followed.report.unsaid) == ([], [])
    assert followed.right == followed.calls >= 2


def test_each_photo_is_taken_from_elsewhere_and_the_tiles_are_known() -> None:
    """A tile's face looks alike in all photos; they are of one size, though some were taken upright."""
    play = play_game(300_001, max_turns=5)
    film = OtherFilm("in-the-hand", play, 300_001, OWN, HARD)
    size, faces, places, shapes = (160, 160), {}, [], set()
    corners = np.array([[0, 0], [160, 0], [160, 160], [0, 160]], np.float32)
    for shot in film:
        assert shot.is_calm
        poses = film.poses[shot.number]
        if not (shot.is_last and poses):
            continue
        code, pose = next(iter(poses.items()))
        quad = film.quad(pose).astype(np.float32)
        places.append(quad.mean(axis=0))
        face = cv2.warpPerspective(
            shot.frame.image_bgr, cv2.getPerspectiveTransform(quad, corners), size
        ).astype(np.float64)
        faces.setdefault(code, []).append(face)
        shapes.add(shot.frame.image_bgr.shape)
    code, seen = max(faces.items(), key=lambda each: len(each[1]))
    assert len(seen) > 2
    assert len(shapes) == 1
    assert min(np.corrcoef(seen[0].ravel(), each.ravel())[0, 1] for each in seen) > 0.6
    assert np.abs(np.diff(places, axis=0)).max() > 40
