"""Under which light a picture was taken, judged by its mean colour."""

from __future__ import annotations

from vision.imaging.arrays import ImageU8

MeanColour = tuple[float, float, float]
"""The mean blue, green and red of a picture, 0 to 255."""

LIGHT_FACTOR = 1.25
"""Two pictures are in the same light while no colour's mean differs by more than this factor."""


def mean_colour(image_bgr: ImageU8) -> MeanColour:
    """Return the mean blue, green and red of a (H, W, 3) uint8 BGR picture."""
    blue, green, red = image_bgr[::8, ::8].mean(axis=(0, 1))
    return round(float(blue), 1), round(float(green), 1), round(float(red), 1)


def is_same_light(one: MeanColour, other: MeanColour) -> bool:
    """Return whether two pictures may have been taken under the same lamp.

    >>> is_same_light((100, 100, 100), (110, 105, 100))
    True
    >>> is_same_light((100, 100, 100), (100, 100, 150))
    False
    """
    ratios = [(a + 1) / (b + 1) for a, b in zip(one, other, strict=True)]
    return all(1 / LIGHT_FACTOR < ratio < LIGHT_FACTOR for ratio in ratios)
