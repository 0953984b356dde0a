"""What else stands on a face and says nothing: pictures in foreign colours, icons, flourishes like digits."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.rendering import pictures
from models.training.rendering.artists.carriers import free_spots
from models.training.rendering.artists.hands import Handwriting
from models.training.rendering.artists.lettering import Lettered
from models.training.rendering.artists.palette import foreign, neutral
from models.training.rendering.artists.techniques import SIDE, blend
from models.training.rendering.glyphs import WEIGHTS
from models.training.rendering.textures import Field


class Beside:
    """A set's pictures and ornaments, their kind sampled once."""

    def __init__(self, rng: np.random.Generator, *, has_area: bool) -> None:
        """Sample what a set shows beside its colour.

        Args:
            rng: The randomness.
            has_area: The colour fills much of the face, so that a picture may be as colourful.
        """
        self._rng = rng
        self._picture = str(rng.choice(["none", "coloured", "drawn", "foreign"], p=[0.3, 0.25, 0.3, 0.15]))
        self._vivid = rng.uniform(0.2, 0.9 if has_area else 0.5)
        self._size = SIDE * rng.uniform(0.3, 0.6)
        self._tells = rng.random() < 0.65
        self._icons = int(rng.integers(1, 4)) if rng.random() < 0.2 else 0
        self._flourish = rng.random() < 0.15
        self._writing = Handwriting.of(rng, "round")

    def draw(self, image: Field, weight: int, numbers: list[Lettered]) -> None:
        """Draw it onto `image` in place, away from the numbers as far as there is room."""
        rng = self._rng
        spots = free_spots(rng, numbers, self._size)
        if self._picture == "foreign":
            for _ in range(int(rng.integers(1, 4))):
                self._symbol(image, spots[0], self._size * rng.uniform(0.2, 0.5), foreign(rng))
        elif self._picture != "none":
            self._material(image, weight if self._tells else int(rng.choice(WEIGHTS)), spots[0])
        ink = neutral(rng, float(image.mean()))
        for spot in free_spots(rng, numbers, 16)[: self._icons]:
            self._symbol(image, spot, rng.uniform(4, 8), ink)
        if self._flourish:
            self._scroll(image, spots[1], ink)

    def _material(self, image: Field, weight: int, spot: tuple[float, float]) -> None:
        size = self._size
        canvas = np.full((SIDE, SIDE, 3), 127, np.uint8)
        pictures.draw_material(
            self._rng, canvas, weight, (spot[0] - size / 2, spot[1] - size / 2, size, size)
        )
        drawn = canvas.astype(np.float32)
        shape = (np.abs(drawn - 127).max(axis=2) > 8).astype(np.float32)
        if self._picture == "drawn":
            gray = cv2.cvtColor(canvas, cv2.COLOR_BGR2GRAY)
            lines = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8))
            share = np.asarray(np.clip(lines / 70, 0, 1) * 0.9, np.float32)
            blend(image, share, neutral(self._rng, float(image.mean())))
            return
        gray_level = drawn.mean(axis=2, keepdims=True)
        blend(image, shape, gray_level + self._vivid * (drawn - gray_level))

    def _symbol(
        self, image: Field, spot: tuple[float, float], size: float, fill: tuple[float, float, float]
    ) -> None:
        canvas = np.zeros((SIDE, SIDE, 3), np.uint8)
        kind = str(self._rng.choice(pictures.SYMBOLS))
        pictures.draw_symbol(canvas, kind, spot, size, (255, 255, 255), None)
        blend(image, np.asarray(canvas[..., 0] / 255, np.float32), fill)

    def _scroll(self, image: Field, spot: tuple[float, float], ink: tuple[float, float, float]) -> None:
        """Draw a flourish: strokes like those of digits, lying on their side, small and faint."""
        stroke = np.rot90(self._writing.number(int(self._rng.choice([33, 53, 88, 98]))))
        high = int(self._rng.uniform(10, 20))
        wide = max(6, int(stroke.shape[1] * high / stroke.shape[0]))
        small = cv2.resize(np.ascontiguousarray(stroke), (wide, high), interpolation=cv2.INTER_AREA)
        left, top = (
            int(np.clip(spot[0] - wide / 2, 0, SIDE - wide)),
            int(np.clip(spot[1] - high / 2, 0, SIDE - high)),
        )
        mask = np.zeros((SIDE, SIDE), np.float32)
        mask[top : top + high, left : left + wide] = small.astype(np.float32) / 255
        blend(image, 0.45 * mask, ink)
