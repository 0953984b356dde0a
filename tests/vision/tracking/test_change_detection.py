"""What is printed on a cloth, told from what lies there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging.arrays import ImageU8
from vision.tracking.change_detection import is_print

SIDE = 60
PLACE = np.array([[600, 300], [660, 300], [660, 360], [600, 360]], np.float32)
"""A tile lay there."""
BESIDE = PLACE - [SIDE, 0]
"""And one lies there."""


def cloth(*, step: int = 75, light: float = 1.0) -> ImageU8:
    """A cloth with rings in rows."""
    image = np.full((720, 1280, 3), 170, np.uint8)
    for x in range(20, 1280, step):
        for y in range(30, 720, step):
            cv2.circle(image, (x, y), 16, (120, 40, 60), 4)
            cv2.circle(image, (x, y), 4, (120, 40, 60), -1)
    noise = np.random.default_rng(3).normal(0, 4, image.shape)
    return np.clip(image * light + noise, 0, 255).astype(np.uint8)


def with_face(image: ImageU8, quad: np.ndarray) -> ImageU8:
    (left, top), (right, bottom) = quad[0].astype(int), quad[2].astype(int)
    cv2.rectangle(image, (left, top), (right, bottom), (40, 160, 200), -1)
    cv2.putText(image, "20", (left + 6, top + 42), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (20, 20, 20), 4)
    return image


def with_arm(image: ImageU8) -> ImageU8:
    return cv2.line(image, (640, 720), (640, 330), (90, 120, 180), 40)


BEFORE = with_face(with_face(cloth(), PLACE), BESIDE)


@pytest.mark.parametrize("light", [0.7, 1.0, 1.3])
def test_the_figures_under_a_tile_that_was_taken_are_printed_there(light):
    assert is_print(with_face(cloth(light=light), BESIDE), PLACE, BEFORE, [PLACE, BESIDE])


def test_what_lies_there_is_not_printed():
    assert not is_print(BEFORE, PLACE, BEFORE, [PLACE, BESIDE])
    assert not is_print(with_arm(cloth()), PLACE, BEFORE, [PLACE, BESIDE])


def test_what_is_as_bright_and_dark_as_the_figures_is_none_of_them_in_other_colours():
    """The stripes of a millstone were taken for the squares of a cloth (film 420235)."""
    image = with_face(cloth(), BESIDE)
    cv2.rectangle(image, (590, 290), (670, 370), (170, 170, 170), -1)
    same = image.copy()
    for each, colour in ((image, (0, 0, 184)), (same, (120, 40, 60))):
        cv2.circle(each, (630, 330), 16, colour, 4)
        cv2.circle(each, (630, 330), 4, colour, -1)
    assert is_print(same, PLACE, BEFORE, [PLACE, BESIDE])
    assert not is_print(image, PLACE, BEFORE, [PLACE, BESIDE])


def test_a_figure_that_stands_there_once_may_be_anything():
    once = cloth(step=5000)
    cv2.circle(once, (630, 330), 16, (120, 40, 60), 4)
    assert not is_print(once, PLACE, once, [PLACE, BESIDE])


def test_a_plain_table_has_no_figures():
    plain = np.full((720, 1280, 3), 170, np.uint8)
    assert not is_print(plain, PLACE, plain, [PLACE])


def test_nothing_is_known_of_a_place_beyond_the_picture():
    assert not is_print(cloth(), PLACE - [620, 0], BEFORE, [PLACE, BESIDE])
