"""Light, sharpness and size of a picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.places import SAMPLES
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points
from vision.imaging.photo import read_photo
from vision.imaging.quality import (
    MOST_GAIN,
    Angle,
    Focus,
    Light,
    TileSize,
    gain_for,
    in_enough_light,
    measure,
)

SAMPLE = SAMPLES / "fire.jpg"


def picture(value: int) -> ImageU8:
    return np.full((60, 80, 3), value, np.uint8)


@pytest.fixture(scope="module")
def sample() -> tuple[ImageU8, list[Points]]:
    import json

    tiles = json.loads(SAMPLE.with_suffix(".json").read_text())["tiles"]
    return read_photo(SAMPLE).image_bgr, [np.array(tile["quad"], np.float32) for tile in tiles]


@pytest.mark.parametrize(
    ("value", "light"), [(20, Light.DARK), (120, Light.GOOD), (230, Light.BRIGHT)], ids=str
)
def test_light(value: int, light: Light) -> None:
    assert measure(picture(value)).light is light


def test_glare_is_told_from_brightness() -> None:
    image = picture(100)
    image[:, :10] = 255
    assert measure(image).light is Light.GLARE


def test_tiles_that_are_burnt_out_are_too_bright_on_a_dark_cloth_too(
    sample: tuple[ImageU8, list[Points]],
) -> None:
    image, quads = sample
    table = np.full_like(image, 60)
    for quad in quads:
        x, y, wide, high = cv2.boundingRect(quad)
        table[y : y + high, x : x + wide] = image[y : y + high, x : x + wide]
    assert measure(table, quads).light is Light.GOOD
    assert measure(np.clip(table * 2.5, 0, 255).astype(np.uint8), quads).light is Light.BRIGHT


def test_a_dark_cloth_is_not_too_little_light() -> None:
    table = picture(30)
    table[:10, :10] = 200
    assert measure(table).light is Light.GOOD


def test_a_picture_is_made_brighter_only_where_all_of_it_is_dark() -> None:
    image = np.random.default_rng(1).integers(0, 200, (90, 160, 3)).astype(np.uint8)
    assert in_enough_light(image) is image
    dark = in_enough_light(image // 4)
    assert gain_for(dark) == 1.0
    assert np.abs(dark.astype(float) - image).mean() < 0.15 * image.mean()
    assert gain_for(np.zeros((10, 10, 3), np.uint8)) == MOST_GAIN


def test_without_tiles_sharpness_and_size_are_unknown() -> None:
    meters = measure(picture(120))
    assert (meters.focus, meters.size, meters.sharpness, meters.tile_px) == (
        Focus.UNKNOWN,
        TileSize.UNKNOWN,
        None,
        None,
    )


def test_a_sample_is_good_and_its_blurred_copy_is_not(sample: tuple[ImageU8, list[Points]]) -> None:
    image, quads = sample
    meters = measure(image, quads)
    assert (meters.light, meters.focus, meters.size) == (Light.GOOD, Focus.GOOD, TileSize.GOOD)
    assert meters.tile_px is not None
    blurred = cv2.GaussianBlur(image, (0, 0), 0.04 * meters.tile_px)
    assert measure(blurred, quads).focus is Focus.BLURRED


def test_a_picture_from_far_away_has_small_tiles(sample: tuple[ImageU8, list[Points]]) -> None:
    image, quads = sample
    far = cv2.resize(image, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    meters = measure(far, [quad * 0.25 for quad in quads])
    assert (meters.size, meters.focus) == (TileSize.SMALL, Focus.GOOD)


@pytest.mark.parametrize("degrees", [0, 30, 45, 80])
@pytest.mark.parametrize(("share", "angle"), [(1.0, Angle.GOOD), (0.71, Angle.GOOD), (0.57, Angle.FLAT)])
def test_a_camera_that_looks_from_the_side_is_told_however_tiles_lie(
    degrees: float, share: float, angle: Angle
) -> None:
    turn = np.radians(degrees)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 20
    turned = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    quad = (turned * [1, share] + [40, 30]).astype(np.float32)
    assert measure(picture(120), [quad]).angle is angle
    assert measure(picture(120)).angle is Angle.UNKNOWN


def test_a_plain_surface_is_not_sharp_because_of_its_noise() -> None:
    noise = np.random.default_rng(1).normal(120, 1.0, (200, 200, 3)).clip(0, 255).astype(np.uint8)
    quad = np.array([[20, 20], [180, 20], [180, 180], [20, 180]], np.float32)
    assert measure(noise, [quad]).focus is Focus.BLURRED


def test_tiles_at_the_edge_do_not_stop_it() -> None:
    outside = np.array([[-50, -50], [-10, -50], [-10, -10], [-50, -10]], np.float32)
    assert measure(picture(120), [outside]).focus is Focus.UNKNOWN
