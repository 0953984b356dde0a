"""What a set puts behind its numbers or beside them: plates, ribbons, discs, frames, bars, strokes of a pen.

A line beside a number is no digit: the left edge of a banner before a 20, or the first stroke of a scribble
under it, was read as a 1 by networks that had never seen one.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.artists.lettering import Lettered
from models.training.rendering.artists.palette import WHITE, luminance
from models.training.rendering.artists.strokes import SHARP, fine, pen_lines
from models.training.rendering.artists.techniques import SIDE, blend
from models.training.rendering.textures import Colour, Field

KINDS = ("plate", "ribbon", "disc", "frame", "bars", "strokes")
_CHANCES = (0.3, 0.16, 0.1, 0.14, 0.14, 0.16)
_FILLED = frozenset({"plate", "ribbon", "disc", "strokes"})
_DARK, _PAPER = (30.0, 32.0, 40.0), (225.0, 235.0, 240.0)


class Plaque:
    """One way to set numbers off, sampled once for a set."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Sample a way."""
        self._rng = rng
        self.kind = str(rng.choice(KINDS, p=_CHANCES))
        """One of `KINDS`."""
        self._apart = rng.uniform(2, 10), rng.uniform(1, 8)
        self._line_px = int(rng.integers(1, 5)) if rng.random() < 0.75 else 0
        self._round = rng.random() if rng.random() < 0.5 else 0.0
        self._is_dark = rng.random() < 0.2
        self._is_own = rng.random() < 0.5
        """Strokes have the tile's own colour; else they are grey."""
        self._lean = rng.normal(0, 0.15)

    @property
    def _thick_px(self) -> int:
        return max(1, self._line_px)

    @property
    def fills(self) -> bool:
        """Whether it covers what lies under the number."""
        return self.kind in _FILLED

    def lay(self, image: Field, number: Lettered, around: Colour, own: Colour) -> Colour:
        """Draw it round a number onto `image`, (SIDE, SIDE, 3) BGR, in place; return what is under the ink.

        Args:
            image: The face so far.
            number: Where its ink will be.
            around: What is under it so far.
            own: The tile's colour.
        """
        line = _DARK if luminance(around) > 90 else _PAPER
        if self.kind == "strokes":
            ink = own if self._is_own else (150.0, 150.0, 150.0)
            blend(image, self._scribble(number), ink)
            return ink
        if self.kind == "bars":
            for bar in self._bars(number):
                blend(image, pen_lines([bar], self._thick_px), line)
            return around
        outline = self._outline(number)
        ink = around
        if self.fills:
            ink = _DARK if self._is_dark else WHITE if luminance(around) < 125 else _PAPER
            if self.kind == "ribbon":
                self._tails(image, number, ink)
            blend(image, _filled(outline), ink)
            line = _PAPER if self._is_dark else _DARK
        if self._line_px or not self.fills:
            blend(image, pen_lines([outline], self._thick_px, closed=True), line)
        return ink

    def _box(self, number: Lettered) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of the plaque."""
        left, top, wide, high = number.box
        across, down = self._apart
        return left - across, top - down, left + wide + across, top + high + down

    def _outline(self, number: Lettered) -> NDArray[np.float64]:
        """Return the plaque's outline, (n, 2) in pixels."""
        left, top, right, bottom = self._box(number)
        half = np.array([right - left, bottom - top]) / 2
        angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        if self.kind == "disc":
            shape = circle * (half * 1.25 if self._round else np.hypot(*half))
        else:
            corner = self._round * half.min()
            shape = np.sign(circle) * (half - corner) + circle * corner
        middle = np.array([left + right, top + bottom]) / 2
        return np.asarray(shape + middle, np.float64)

    def _tails(self, image: Field, number: Lettered, fill: Colour) -> None:
        """Draw the ends of a ribbon, a little lower and darker than its middle."""
        left, top, right, bottom = self._box(number)
        long, drop = self._rng.uniform(5, 16), self._rng.uniform(-3, 5)
        for at, way in ((left, -1), (right, 1)):
            tail = np.array(
                [
                    [at - 4 * way, top + drop],
                    [at + long * way, top + drop],
                    [at + (long - 5) * way, (top + bottom) / 2 + drop],
                    [at + long * way, bottom + drop],
                    [at - 4 * way, bottom + drop],
                ]
            )
            blend(image, _filled(tail), (0.75 * fill[0], 0.75 * fill[1], 0.75 * fill[2]))
            blend(image, pen_lines([tail], self._thick_px, closed=True), _DARK)

    def _bars(self, number: Lettered) -> list[NDArray[np.float64]]:
        """Return the line on either side of a number; half of them end as brackets do."""
        left, top, right, bottom = self._box(number)
        end = 4 if self._round else 0
        return [
            np.array([(at + end * way, top), (at, top), (at, bottom), (at + end * way, bottom)])
            for at, way in ((left, 1), (right, -1))
        ]

    def _scribble(self, number: Lettered) -> Field:
        """Return strokes that go to and fro under a number."""
        left, top, right, bottom = self._box(number)
        thick = int(self._rng.integers(3, 8))
        ends = []
        for step, x in enumerate(np.arange(left - 4, right + 4, thick * self._rng.uniform(0.8, 1.5))):
            y = (top, bottom)[step % 2] + self._rng.normal(0, 3)
            ends.append((x + self._lean * (y - top), y))
        return pen_lines([np.array(ends)], thick)


def _filled(outline: NDArray[np.float64]) -> Field:
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillPoly(mask, [fine(outline)], 255, cv2.LINE_AA, SHARP)
    return np.asarray(mask, np.float32) / np.float32(255)
