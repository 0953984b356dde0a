"""How much of each hue a face shows, and what it is without them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging.hues import HUE_VALUES, hue_values, in_ink_alone

HUES = HUE_VALUES // 2 - 1


def face(ground_bgr: tuple[int, int, int], ink_bgr: tuple[int, int, int]) -> np.ndarray:
    """Return a crop of 80 px with thick strokes of ink on its ground."""
    crop = np.full((80, 80, 3), ground_bgr, np.uint8)
    cv2.line(crop, (22, 20), (22, 60), ink_bgr, 6)
    cv2.circle(crop, (50, 40), 12, ink_bgr, 5)
    return crop


def hue_of(bgr: tuple[int, int, int]) -> float:
    """Return the hue of a colour, in parts of the circle."""
    _, along, across = cv2.cvtColor(np.float32([[bgr]]) / 255, cv2.COLOR_BGR2Lab)[0, 0]
    return float(np.arctan2(across, along) * HUES / (2 * np.pi) % HUES)


@pytest.mark.parametrize("ink", [(60, 60, 220), (60, 200, 230), (80, 190, 60), (220, 140, 60)])
@pytest.mark.parametrize("ground", [(40, 40, 40), (250, 250, 250)])
def test_coloured_ink_is_seen_on_any_grey(ink: tuple[int, int, int], ground: tuple[int, int, int]) -> None:
    """The likeliest hue is that of the ink, whether the ground is dark or light."""
    values = hue_values(face(ground, ink)[None])
    assert values.shape == (1, HUE_VALUES)
    assert values.dtype == np.float32
    away = abs(int(values[0, :HUES].argmax()) - hue_of(ink))
    assert min(away, HUES - away) <= 1


def test_a_coloured_light_falls_out_of_the_second_half() -> None:
    """A warm light turns the ground yellow: beside the median colour, blue ink is blue alone."""
    crop = face((90, 130, 150), (180, 110, 60))
    as_it_is, beside = np.split(hue_values(crop[None])[0], 2)
    yellow = round(hue_of((90, 130, 150))) % HUES
    assert as_it_is[yellow] > 0.5
    assert beside[yellow] < 0.1
    assert beside[HUES] > 0


def test_grey_has_no_hue_and_crops_are_seen_one_by_one() -> None:
    """A face without colour gives zeros; crops in one call give what each gives alone."""
    grey, red = face((30, 30, 30), (200, 200, 200)), face((30, 30, 30), (60, 60, 220))
    together = hue_values(np.stack([grey, red]))
    assert not together[0].any()
    assert (together[1] == hue_values(red[None])[0]).all()


def test_what_lies_round_the_face_does_not_count() -> None:
    """A green table at the crop's edge changes nothing."""
    crop = face((30, 30, 30), (60, 60, 220))
    framed = cv2.rectangle(crop.copy(), (0, 0), (79, 79), (60, 200, 60), 8)
    assert np.abs(hue_values(framed[None]) - hue_values(crop[None])).max() < 1e-5


@pytest.mark.parametrize("mark", [(60, 60, 220), (60, 200, 230), (80, 190, 60), (220, 140, 60)])
@pytest.mark.parametrize(
    ("ground", "ink"),
    [((190, 215, 225), (30, 28, 25)), ((40, 45, 60), (235, 240, 240))],
    ids=["card", "slate"],
)
def test_without_colours_only_the_ink_stands_on_the_ground(ground, ink, mark) -> None:
    """A stroke beside a number is gone wherever it is; the number stays, on the stroke, too."""
    plain = face(ground, ink)
    marked = np.full_like(plain, ground)
    cv2.line(marked, (16, 14), (16, 66), mark, 5)
    cv2.line(marked, (22, 50), (64, 40), mark, 8)
    is_ink = (plain != ground).any(axis=2)
    marked[is_ink] = plain[is_ink]
    (seen,) = in_ink_alone(marked[None])
    assert np.abs(seen.astype(int) - plain)[10:70, 10:70].max() <= 6
    assert np.abs(marked.astype(int) - plain).max() > 60
    (unmarked,) = in_ink_alone(plain[None])
    assert np.abs(unmarked.astype(int) - plain).max() <= 6


def test_without_colours_a_number_in_colour_is_gone() -> None:
    """Where the number itself has the tile's colour, only its ground is left."""
    crop = face((190, 215, 225), (60, 60, 220))
    cv2.circle(crop, (60, 16), 5, (25, 25, 25), -1)
    (seen,) = in_ink_alone(crop[None])
    assert np.abs(seen[20:61, 22].astype(int) - (190, 215, 225)).max() <= 6
