"""What the colour stands on: paper, wood, stone, cloth, slate, a photo. None of it says the tile's colour."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.rendering.artists.palette import foreign
from models.training.rendering.artists.techniques import SIDE, blend, blurred
from models.training.rendering.textures import Colour, Field, TextureBank, bgr

DARK = frozenset({"black", "deep", "slate"})
"""Grounds on which the colours must be bright."""
_YS, _XS = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)


class Ground:
    """The material of a set's tiles, sampled once; `paint` gives a fresh piece of it."""

    def __init__(self, rng: np.random.Generator, bank: TextureBank, name: str) -> None:
        """Sample a material of `artist.GROUNDS`."""
        self._rng, self._bank, self.name = rng, bank, name
        self._colour = _colour(rng, name)
        self._strength = float(rng.uniform(0.2, 1))
        self._gradient = rng.random() < 0.2
        # Marks that mean nothing: fine lines, dots or a lattice in nearly the ground's own colour.
        self._pattern = int(rng.integers(1, 4)) if rng.random() < 0.2 and name not in {"photo", "wood"} else 0
        self._pitch = float(rng.uniform(5, 22))

    def paint(self) -> Field:
        """Return one piece, (SIDE, SIDE, 3) float32 BGR in 0..255."""
        rng, bank, size = self._rng, self._bank, (SIDE, SIDE)
        image = np.empty((SIDE, SIDE, 3), np.float32)
        image[:] = np.array(self._colour) * np.exp(rng.normal(0, 0.02))
        strength = self._strength
        if self.name in {"paper", "kraft", "cream", "tint"}:
            image *= (1 + 0.05 * strength * bank.cut(rng, bank.grain, size))[..., None]
        if self.name == "kraft":
            image *= (1 + 0.05 * bank.cut(rng, bank.strokes, size, 0.7))[..., None]
        elif self.name == "wood":
            image *= (1 + 0.16 * strength * bank.cut(rng, bank.wood, size, 1.5))[..., None]
        elif self.name == "marble":
            veins = np.exp(-np.abs(bank.cut(rng, bank.clouds, size)) * 12)
            image += (70 * strength * (1 if image.mean() < 120 else -1) * veins)[..., None]
        elif self.name == "slate":
            dust = 12 * strength * bank.cut(rng, bank.clouds, size) + 7 * bank.cut(rng, bank.strokes, size)
            image += np.clip(dust, -10, 40)[..., None]
        elif self.name == "cloth":
            weave = np.sin(_XS * 2 * np.pi / 3.1) * np.sin(_YS * 2 * np.pi / 3.1)
            image *= (1 + 0.13 * weave + 0.06 * bank.cut(rng, bank.grain, size))[..., None]
        elif self.name == "photo":
            self._photograph(image)
        else:
            image *= (1 + 0.04 * strength * bank.cut(rng, bank.clouds, size))[..., None]
        if self._gradient:
            image *= np.linspace(0.8, 1.1, SIDE, dtype=np.float32)[:, None, None]
        if self._pattern:
            self._print(image)
        return np.clip(image, 0, 255)

    def _print(self, image: Field) -> None:
        pitch = self._pitch
        if self._pattern == 1:
            mask = ((_XS + _YS) % pitch < 1.5).astype(np.float32)
        elif self._pattern == 2:
            mask = ((_XS % pitch - pitch / 2) ** 2 + (_YS % pitch - pitch / 2) ** 2 < 3.5).astype(np.float32)
        else:
            mask = ((_XS % pitch < 1.2) | (_YS % pitch < 1.2)).astype(np.float32)
        image *= (1 - 0.14 * mask * (1 if image.mean() > 90 else -2))[..., None]

    def _photograph(self, image: Field) -> None:
        """Paint a blurred scene: a horizon, hills or buildings, all in colours that belong to nobody."""
        rng, bank = self._rng, self._bank
        sky = int(SIDE * rng.uniform(0.3, 0.7))
        image[:sky] = np.array(bgr(rng.uniform(190, 230), rng.uniform(0, 0.12), rng.uniform(0.6, 0.9)))
        image[sky:] = np.array(foreign(rng)) * 0.8
        for _ in range(5):
            shape = np.zeros((SIDE, SIDE), np.float32)
            x, y = rng.uniform(0, SIDE, 2)
            cv2.ellipse(shape, (int(x), int(y)), (int(rng.uniform(8, 45)), int(rng.uniform(8, 35))),
                        rng.uniform(0, 90), 0, 360, 1.0, -1)  # fmt: skip
            blend(image, 0.8 * blurred(shape, rng.uniform(1, 6)), foreign(rng))
        image *= (
            1
            + 0.12 * bank.cut(rng, bank.clouds, (SIDE, SIDE))
            + 0.05 * bank.cut(rng, bank.grain, (SIDE, SIDE))
        )[..., None]


def _colour(rng: np.random.Generator, name: str) -> Colour:
    uniform = rng.uniform
    return {
        "white": lambda: bgr(uniform(0, 360), uniform(0, 0.03), uniform(0.92, 1)),
        "cream": lambda: bgr(uniform(32, 52), uniform(0.06, 0.17), uniform(0.84, 0.98)),
        "tint": lambda: bgr(uniform(0, 360), uniform(0.05, 0.13), uniform(0.85, 1)),
        "paper": lambda: bgr(uniform(30, 60), uniform(0.03, 0.2), uniform(0.7, 0.92)),
        "grey": lambda: bgr(uniform(0, 360), uniform(0, 0.06), uniform(0.35, 0.75)),
        "muted": lambda: foreign(rng),
        "marble": lambda: bgr(uniform(0, 360), uniform(0, 0.08), uniform(0.25, 0.95)),
        "wood": lambda: bgr(uniform(20, 38), uniform(0.2, 0.5), uniform(0.35, 0.85)),
        "black": lambda: bgr(uniform(0, 360), uniform(0, 0.15), uniform(0.03, 0.16)),
        "deep": lambda: bgr(uniform(255, 330), uniform(0.15, 0.5), uniform(0.1, 0.25)),
        "slate": lambda: bgr(uniform(180, 260), uniform(0, 0.12), uniform(0.15, 0.28)),
        "kraft": lambda: bgr(uniform(26, 36), uniform(0.28, 0.42), uniform(0.55, 0.75)),
        "cloth": lambda: bgr(uniform(0, 360), uniform(0, 0.14), uniform(0.3, 0.92)),
        "photo": lambda: (128.0, 128.0, 128.0),
    }[name]()  # fmt: skip
