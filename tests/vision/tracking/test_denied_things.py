"""Things of which people said that they are no tiles."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from tests.vision.tracking.test_table_tracker import A, B, Look, picture, reading
from vision.imaging.geometry import map_points
from vision.tracking.camera_motion import as_quad
from vision.tracking.denied_things import DeniedThings


def test_a_thing_stays_one_when_the_camera_was_bumped() -> None:
    """A square note was taken for a tile again after the table was pushed (film 351006)."""
    view = np.array([[1.0, 0.02, 60], [-0.02, 1.0, -45], [0, 0, 1]])
    things = DeniedThings(Look([]))
    before = picture(A, B)
    things.deny(before, [B.quad_px])
    assert [tile.code for tile in things.without(before, reading(A, B)).tiles] == ["R40"]

    now = cv2.warpPerspective(before, view, (1280, 720))
    moved = [replace(each, quad_px=as_quad(map_points(view, np.array(each.quad_px)))) for each in (A, B)]
    assert len(things.without(now, reading(*moved)).tiles) == 2
    things.see_from(view)
    assert [tile.code for tile in things.without(now, reading(*moved)).tiles] == ["R40"]
