"""The colours of one tile set: hues that people call by the colour's name, and inks that say nothing."""

from __future__ import annotations

import numpy as np

from models.training.rendering.textures import Colour, bgr

_HUES = {"Y": (50, 5, 41, 60), "R": (-2, 7, -16, 11), "G": (122, 17, 88, 154), "B": (215, 10, 196, 234)}
"""Middle, deviation, least and most in degrees."""
_NEIGHBOURS = {"Y": (38, 41), "R": (10, 15), "G": (154, 165), "B": (188, 196)}
"""Orange yellow, orange red, teal and turquoise: still named so beside the other three, but seldom used."""
_VALUES_ON_PALE = {"Y": (0.78, 1.0), "R": (0.66, 0.98), "G": (0.38, 0.82), "B": (0.42, 0.98)}
_VALUES_ON_DARK = {"Y": (0.85, 1.0), "R": (0.8, 1.0), "G": (0.65, 1.0), "B": (0.8, 1.0)}
WHITE, BLACK, CREAM = (250.0, 250.0, 250.0), (20.0, 18.0, 16.0), (195.0, 226.0, 240.0)


def luminance(colour: Colour) -> float:
    """Return how bright a colour is, 0..255."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


class Palette:
    """Four colours of a set, sampled once; every tile's own print differs a little."""

    def __init__(self, rng: np.random.Generator, *, on_dark: bool) -> None:
        """Sample the four colours for a bright or a dark ground."""
        self._rng = rng
        strength = rng.uniform(0.42, 0.62) if rng.random() < 0.15 else rng.uniform(0.62, 1.0)
        values = _VALUES_ON_DARK if on_dark else _VALUES_ON_PALE
        level = rng.uniform(0, 1)
        self._own: dict[str, tuple[float, float, float]] = {}
        for name, (middle, spread, least, most) in _HUES.items():
            hue = float(np.clip(rng.normal(middle, spread), least, most))
            low, high = values[name]
            if rng.random() < 0.06:
                hue = rng.uniform(*_NEIGHBOURS[name])
                low = max(low, high - 0.15)  # dark orange is brown to anyone
            value = low + (high - low) * float(np.clip(level + rng.normal(0, 0.25), 0, 1))
            saturation = strength * rng.uniform(0.85, 1.1)
            if on_dark and name == "B":
                saturation = min(saturation, 0.85)  # pure blue is lost on black
            if name == "Y":
                saturation = max(saturation, 0.55)
            self._own[name] = (hue, min(1.0, saturation), value)

    def own(self, name: str) -> Colour:
        """Return a colour as it comes out on one tile, blue, green, red in 0..255."""
        hue, saturation, value = self._own[name]
        rng = self._rng
        return bgr(
            hue + rng.normal(0, 1.5),
            saturation * rng.uniform(0.95, 1.03),
            min(1.0, value * rng.uniform(0.95, 1.04)),
        )


def neutral(rng: np.random.Generator, against: float) -> Colour:
    """Return an ink that says nothing of the colour and stands out against a luminance."""
    if against > 125:
        if rng.random() < 0.25:  # ink as dark as black, with a tint
            return bgr(rng.uniform(0, 360), rng.uniform(0.2, 0.6), rng.uniform(0.08, 0.24))
        return BLACK
    return WHITE if rng.random() < 0.7 else CREAM


def foreign(rng: np.random.Generator) -> Colour:
    """Return a colour that is none of the four to anyone: purple, brown, pink, grey or hardly a colour."""
    kind = rng.integers(5)
    if kind == 0:
        return bgr(rng.uniform(272, 305), rng.uniform(0.25, 0.7), rng.uniform(0.35, 0.8))
    if kind == 1:
        return bgr(rng.uniform(18, 34), rng.uniform(0.35, 0.65), rng.uniform(0.25, 0.5))
    if kind == 2:
        return bgr(rng.uniform(318, 338), rng.uniform(0.15, 0.4), rng.uniform(0.75, 0.95))
    if kind == 3:
        return bgr(rng.uniform(0, 360), rng.uniform(0, 0.06), rng.uniform(0.2, 0.85))
    return bgr(rng.uniform(0, 360), rng.uniform(0.04, 0.16), rng.uniform(0.5, 0.95))
