"""Shapes filled by hand: strokes of a pen that go to and fro, with uneven ends, the ground between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.artists.techniques import SIDE
from models.training.rendering.textures import Field

SHARP = 3
"""OpenCV takes corners in eighths of a pixel."""
_INK = 0.5
"""From this share on a shape counts as there."""
_LEAST_PX = 3
"""Shorter runs of a shape get no stroke of their own."""


def fine(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return points in pixels as OpenCV takes them with `SHARP`."""
    return np.asarray(np.round(points * 2**SHARP), np.int32)


def pen_lines(lines: Sequence[NDArray[np.float64]], thick_px: int, *, closed: bool = False) -> Field:
    """Return lines through points, (n, 2) in pixels each, as a shape, (SIDE, SIDE) in 0..1."""
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.polylines(mask, [fine(line) for line in lines], closed, 255, thick_px, cv2.LINE_AA, SHARP)
    return np.asarray(mask, np.float32) / np.float32(255)


@dataclass(frozen=True, slots=True)
class Strokes:
    """How one person fills a shape, sampled once for a set."""

    rng: np.random.Generator
    thick_px: float
    apart: float
    """From one stroke to the next, by the pen's thickness; above 1 the ground shows between them."""
    lean_deg: float
    """Of the strokes against the horizontal."""
    uneven_px: float
    """How far their ends stray."""

    @classmethod
    def of(cls, rng: np.random.Generator) -> Strokes:
        """Return one person's way."""
        lean = float(rng.choice([0.0, 90.0, 45.0, -45.0])) + rng.normal(0, 8)
        return cls(rng, rng.uniform(1.8, 7), rng.uniform(0.7, 1.5), lean, rng.uniform(0.5, 6))

    def fill(self, shape: Field) -> Field:
        """Return a shape, (SIDE, SIDE) in 0..1, as strokes fill it; some of them reach beyond its edge."""
        rng, middle = self.rng, ((SIDE - 1) / 2, (SIDE - 1) / 2)
        turn = cv2.getRotationMatrix2D(middle, self.lean_deg + rng.normal(0, 4), 1)
        inside = cv2.warpAffine(shape, turn, (SIDE, SIDE)) > _INK
        lines: list[NDArray[np.float64]] = []
        step, thick = self.thick_px * self.apart, max(2, round(self.thick_px * rng.uniform(0.9, 1.1)))
        before: NDArray[np.float64] | None = None
        for count, y in enumerate(np.arange(rng.uniform(0, step), SIDE, step)):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], inside[int(y)].astype(np.int8), [0]])))
            runs = [run for run in edges.reshape(-1, 2) if run[1] - run[0] >= _LEAST_PX]
            for start, end in runs:
                ends = np.array([start, end], float) + rng.normal(0, self.uneven_px, 2)
                line = np.stack([ends[:: 1 if count % 2 else -1], y + rng.normal(0, 0.12 * step, 2)], 1)
                if before is not None and len(runs) == 1:  # the pen stays on the face
                    line = np.concatenate([before, line])
                lines.append(line)
                before = line[-1:]
            if len(runs) != 1:
                before = None
        back = cv2.invertAffineTransform(turn)
        return np.asarray(cv2.warpAffine(pen_lines(lines, thick), back, (SIDE, SIDE)), np.float32)
