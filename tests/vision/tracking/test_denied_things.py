"""Things of which people said that they are no tiles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tracking.test_table_tracker import A, B, picture
from vision.imaging.geometry import map_points
from vision.tracking.camera_motion import as_quad
from vision.tracking.change_detection import changed_share
from vision.tracking.denied_things import DeniedThings

VIEW = np.array([[1.0, 0.02, 20], [-0.02, 1.0, -15], [0, 0, 1]])


@pytest.fixture
def things() -> DeniedThings:
    """One, that lies where tile B is drawn."""
    things = DeniedThings()
    things.deny(picture(A, B), [B.quad_px])
    return things


def still_there(image: np.ndarray, *, view: np.ndarray | None = None) -> list[str]:
    """Which of the two can still be seen in a picture."""
    moved = np.eye(3) if view is None else view
    places = {each.code: as_quad(map_points(moved, np.array(each.quad_px))) for each in (A, B)}
    seen = cv2.warpPerspective(picture(A, B), moved, (1280, 720))
    return [code for code, quad in places.items() if changed_share(seen, quad, image, quad) < 0.3]


def test_the_table_around_it_is_painted_over_a_thing(things: DeniedThings) -> None:
    assert still_there(things.painted_over(picture(A, B), None)) == ["R40"]


def test_a_thing_stays_one_while_a_sleeve_lies_over_a_part_of_it(things: DeniedThings) -> None:
    """A note was the next tile as soon as an arm lay over its corner (film 363005)."""
    x, y = (round(each) for each in B.quad_px[1])
    sleeve = cv2.rectangle(picture(A, B), (x - 25, y - 10), (x + 20, y + 30), (60, 60, 60), -1)
    assert "B20" not in still_there(things.painted_over(sleeve, None))
    assert things.painted_over(picture(A), None).tobytes() == picture(A).tobytes()


def test_a_tile_that_hides_the_half_of_a_thing_is_not_painted_over(things: DeniedThings) -> None:
    """Two fifths of the thing's pattern are seen beside it."""
    corners = np.array(B.quad_px)
    (left, top), (right, bottom) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    tile = picture(A, B)
    tile[top:bottom, (left + right) // 2 : right] = (40, 60, 170)
    assert things.painted_over(tile, None) is tile


def test_where_something_else_lies_by_now_nothing_is_painted(things: DeniedThings) -> None:
    other = picture(A)
    assert things.painted_over(other, None) is other


def test_a_thing_stays_one_when_the_camera_was_bumped(things: DeniedThings) -> None:
    """A square note was taken for a tile again after the table was pushed (films 351006, 354001)."""
    now = cv2.warpPerspective(picture(A, B), VIEW, (1280, 720))
    assert still_there(things.painted_over(now, None), view=VIEW) == ["R40", "B20"]
    assert still_there(things.painted_over(now, picture(A, B)), view=VIEW) == ["R40"]
    things.see_from(VIEW)
    assert still_there(things.painted_over(now, None), view=VIEW) == ["R40"]
