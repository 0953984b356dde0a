"""Where the number stands on a face: once or more, upright or over, set in type or written by hand."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.training.rendering.artists.hands import Handwriting
from models.training.rendering.artists.techniques import SIDE
from models.training.rendering.glyphs import GLYPH_PX, Mask, numeral
from models.training.rendering.textures import Field

_PLACES: tuple[tuple[tuple[float, float, bool], ...], ...] = (
    ((0.5, 0.5, True),),
    ((0.0, 0.0, True),),
    ((1.0, 0.0, True),),
    ((0.0, 1.0, True),),
    ((1.0, 1.0, True),),
    ((0.5, 0.0, True),),
    ((0.5, 1.0, True),),
    ((0.0, 0.0, True), (1.0, 1.0, False)),
    ((0.0, 0.0, True), (1.0, 1.0, True)),
    ((1.0, 0.0, True), (0.0, 1.0, False)),
    ((0.0, 0.0, True), (1.0, 0.0, True), (0.0, 1.0, False), (1.0, 1.0, False)),
    ((0.0, 0.0, True), (1.0, 0.0, True), (0.0, 1.0, True), (1.0, 1.0, True)),
    ((0.0, 0.5, True),),
)
"""Shares of the free room to the right and down, and whether upright; beside these, anywhere."""
_CHANCES = np.array([3, 2, 1.2, 1.2, 1, 1.5, 1.5, 2, 0.7, 0.5, 0.7, 0.4, 0.5])


@dataclass(frozen=True, slots=True)
class Lettered:
    """One number on a face."""

    mask: Field
    """(SIDE, SIDE) in 0..1."""
    box: tuple[int, int, int, int]
    """Left, top, width, height in pixels."""
    upright: bool


class Lettering:
    """How a set writes its numbers, sampled once; `place` letters one face."""

    def __init__(self, rng: np.random.Generator, typeface: list[Mask], hand: str, margin: float) -> None:
        """Sample a way of lettering.

        Args:
            rng: The randomness.
            typeface: Digits as ink masks, for the hand `type`.
            hand: One of `artist.HANDS`.
            margin: The share of the side that stays free at the edges.
        """
        self._rng, self._typeface, self._margin = rng, typeface, margin
        self._writing = None if hand == "type" else Handwriting.of(rng, hand)
        self._gap_px = int(rng.integers(0, 10))
        choice = int(rng.choice(len(_PLACES) + 1, p=np.append(_CHANCES, 2.5) / (_CHANCES.sum() + 2.5)))
        anywhere = ((float(rng.random()), float(rng.random()), True),)
        self.places = _PLACES[choice] if choice < len(_PLACES) else anywhere
        least = 0.17 if self._writing is None else 0.23
        most = {1: 0.5, 2: 0.36, 4: 0.3}[len(self.places)]
        self._height = float(np.exp(rng.uniform(np.log(least), np.log(most))))
        if choice == 0 and rng.random() < 0.6:
            self._height = rng.uniform(0.35, 0.66)
        self._limit = {1: 0.84, 2: 0.56, 4: 0.47}[len(self.places)] - (
            margin + 0.02 if len(self.places) == 4 else 0
        )
        by_hand = self._writing is not None
        self._wide = float(np.exp(rng.normal(0, 0.0 if by_hand else 0.13)))
        self._stray = rng.uniform(0.01, 0.05) if by_hand else 0.0
        self._lean_deg = rng.uniform(1, 4) if by_hand else (rng.uniform(1, 9) if rng.random() < 0.06 else 0.0)

    def place(self, weight: int) -> list[Lettered]:
        """Return the numbers of one face."""
        return [self._one(weight, *place) for place in self.places]

    def _one(self, weight: int, x: float, y: float, upright: bool) -> Lettered:
        rng = self._rng
        ink = (
            numeral(self._typeface, weight, self._gap_px)
            if self._writing is None
            else self._writing.number(weight)
        )
        high = max(16, int(self._height * SIDE * np.exp(rng.normal(0, self._stray))))
        wide = max(5, int(ink.shape[1] * high / GLYPH_PX * self._wide))
        limit = int(SIDE * self._limit)
        if wide > limit:
            high, wide = max(14, int(high * max(limit / wide, 0.7))), limit
        pad = int(SIDE * self._margin) + 3
        high = min(high, SIDE // 2 - pad - 2) if len(self.places) > 1 else high
        drawn = cv2.resize(ink, (wide, high), interpolation=cv2.INTER_AREA)
        left = pad + x * max(0, SIDE - 2 * pad - wide) + rng.normal(0, self._stray) * SIDE
        top = pad + y * max(0, SIDE - 2 * pad - high) + rng.normal(0, self._stray) * SIDE
        at = int(np.clip(left, 2, SIDE - 2 - wide)), int(np.clip(top, 2, SIDE - 2 - high))
        mask = np.zeros((SIDE, SIDE), np.float32)
        mask[at[1] : at[1] + high, at[0] : at[0] + wide] = drawn.astype(np.float32) / 255
        turn = (0.0 if upright else 180.0) + rng.normal(0, 1) * self._lean_deg
        if turn:
            middle = (at[0] + (wide - 1) / 2, at[1] + (high - 1) / 2)
            mask = np.asarray(
                cv2.warpAffine(mask, cv2.getRotationMatrix2D(middle, turn, 1), (SIDE, SIDE)), np.float32
            )
        return Lettered(mask, (*at, wide, high), upright)
