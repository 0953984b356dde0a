"""Numbers written by hand: strokes of each digit, shaken for every tile, drawn with a pen.

The strokes are our own; x runs to the right over a digit's box, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.glyphs import GLYPH_PX, Mask

_WRITTEN = {
    "0": (
        "55,0 15,12 0,50 15,88 50,100 85,88 100,50 85,12 50,0",
        "70,5 30,0 2,35 5,75 40,100 80,90 100,50 90,15 60,0 45,5",
        "60,8 20,15 8,55 25,92 60,95 90,70 88,30 65,10 50,22",
    ),
    "1": (
        "50,0 48,50 50,100",
        "10,30 35,18 60,0 / 60,0 58,50 60,100",
        "20,22 55,0 / 55,0 55,100 / 20,100 90,100",
        "30,8 48,0 52,12 50,55 52,100",
        "62,0 50,50 40,100",
    ),
    "2": (
        "5,20 40,2 78,8 86,30 55,60 5,97 / 5,97 45,88 100,95",
        "5,15 50,0 88,15 70,45 0,100 / 0,100 100,97",
        "5,25 20,3 60,0 92,20 80,50 35,80 0,100 / 0,100 50,97 100,100",
        "10,20 45,0 85,12 85,40 45,75 10,98 10,85 35,82 65,97 100,93",
    ),
    "3": (
        "10,10 55,0 85,20 45,45 / 45,45 90,55 80,90 40,100 0,92",
        "5,12 45,0 90,15 80,40 40,48 85,58 98,80 60,100 0,90",
        "5,0 50,0 95,0 / 95,0 65,22 42,40 / 42,40 85,50 98,75 60,100 2,92",
    ),
    "4": (
        "20,5 12,35 8,55 45,57 95,52 / 78,15 75,55 78,100",
        "55,0 30,35 0,68 / 0,68 50,67 100,66 / 72,30 70,65 70,100",
        "75,0 35,38 0,70 / 0,70 50,70 100,68 / 75,0 74,50 74,100",
        "15,0 8,35 5,58 / 5,58 50,58 100,55 / 80,0 76,50 72,100",
    ),
    "5": (
        "90,0 50,0 15,2 / 15,2 10,42 / 10,42 55,34 95,55 90,85 50,100 0,90",
        "18,5 12,40 20,48 60,38 92,60 80,92 40,100 5,88 / 15,5 55,6 100,0",
        "95,3 30,5 22,8 8,45 50,42 75,60 72,88 40,100 0,95",
    ),
    "6": (
        "80,0 40,20 8,55 5,85 40,100 85,90 92,65 60,48 20,58 5,75",
        "55,0 20,30 0,70 25,98 70,98 98,78 80,52 40,52 8,72",
        "70,2 30,18 8,60 20,95 60,100 88,80 75,58 45,60 25,85",
        "30,0 12,40 5,75 30,100 75,95 90,70 65,55 20,70",
    ),
    "7": (
        "0,3 50,0 100,2 / 100,2 65,45 35,100",
        "0,5 50,2 98,3 / 98,3 65,48 42,100 / 30,50 60,48 90,48",
        "2,18 5,2 / 5,2 50,4 100,0 / 100,0 55,45 40,100",
    ),
    "8": (
        "85,15 50,0 15,15 25,38 70,55 98,78 50,100 2,78 30,52 80,32 85,15",
        "50,46 18,35 20,8 50,0 80,8 82,35 50,46 10,62 8,90 50,100 92,90 90,62 50,46",
        "80,8 45,0 18,20 40,45 80,70 70,98 30,98 20,72 55,45 88,20 78,5",
    ),
    "9": (
        "92,20 50,0 8,20 15,48 55,55 92,25 / 92,20 88,60 70,100",
        "85,30 60,2 20,10 8,38 40,52 80,30 88,8 / 88,8 86,55 82,100",
        "88,22 55,0 10,22 25,50 70,45 90,18 92,60 70,95 25,98",
    ),
}  # fmt: skip
"""Ways to write each digit: strokes between slashes, points as x,y in hundredths of the digit's box."""


Form = tuple[NDArray[np.float64], ...]
"""The strokes of a digit, (n, 2) each: x and y as shares of its box."""


def _strokes(way: str) -> Form:
    points = ([point.split(",") for point in stroke.split()] for stroke in way.split("/"))
    return tuple(np.array(stroke, float) / 100 for stroke in points)


_DIGITS = {digit: tuple(_strokes(way) for way in ways) for digit, ways in _WRITTEN.items()}
_WIDE = {"1": 0.32}
"""Width by height of a digit's box, where it is not 0.6."""


def _bent(rng: np.random.Generator, form: Form) -> Form:
    """Return a form as one person writes it every time; where strokes met, they still meet."""
    wave, bend = rng.normal(0, 0.06, (2, 2, 2)), rng.normal(0, 0.08, (2, 2))
    bent = []
    for stroke in form:
        x, y = 2 * np.pi * stroke.T
        waves = np.stack([np.sin(x), np.sin(y)], 1) @ wave[0] + np.stack([np.cos(x), np.cos(y)], 1) @ wave[1]
        bent.append(stroke + waves + (stroke - 0.5) ** 2 @ bend)
    return tuple(bent)


def _smooth(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a stroke with its corners cut twice; the ends stay."""
    for _ in range(2):
        if len(points) < 3:
            return points
        inner = np.stack([0.75 * points[:-1] + 0.25 * points[1:], 0.25 * points[:-1] + 0.75 * points[1:]], 1)
        points = np.concatenate([points[:1], inner.reshape(-1, 2), points[-1:]])
    return points


@dataclass(frozen=True, slots=True)
class Handwriting:
    """How one person writes, sampled once; `number` writes afresh each time."""

    rng: np.random.Generator
    pen: str
    thick: float
    """Of the pen, as a share of the digits' height."""
    slant: float
    wide: float
    shake: float
    own: dict[str, Form]
    """How this person writes each digit: one of its ways, bent as nobody else does."""

    @classmethod
    def of(cls, rng: np.random.Generator, pen: str) -> Handwriting:
        """Return a person's hand with a pen: round, biro, brush, nib or felt."""
        least, most = {"biro": (0.05, 0.075), "felt": (0.1, 0.17), "brush": (0.1, 0.16)}.get(
            pen, (0.075, 0.15)
        )
        own = {digit: _bent(rng, forms[rng.integers(len(forms))]) for digit, forms in _DIGITS.items()}
        return cls(
            rng, pen, rng.uniform(least, most), rng.normal(0.06, 0.16), rng.uniform(0.65, 1.35),
            rng.uniform(0.01, 0.045), own,
        )  # fmt: skip

    def number(self, weight: int) -> Mask:
        """Return a number as an ink mask, (GLYPH_PX, width) uint8, cropped to its ink."""
        rng, high = self.rng, GLYPH_PX * 0.8
        pad = int(GLYPH_PX * 0.45)
        left = float(pad)
        # Many people's digits shrink, grow or climb along a number.
        drift, climb = rng.normal(0, 0.08), rng.normal(0, 0.05) * high
        strokes: list[NDArray[np.float64]] = []
        for at, digit in enumerate(str(weight)):
            box = high * _WIDE.get(digit, 0.6) * self.wide * np.exp(rng.normal(0, 0.05))
            tall = high * np.exp(rng.normal(0, 0.06) + at * drift)
            lift, turn = rng.normal(0, 0.03) * high + at * climb, rng.normal(0, 0.05)
            forms = _DIGITS[digit]
            form = self.own[digit] if rng.random() < 0.9 else forms[rng.integers(len(forms))]
            move = rng.normal(0, 0.02, (2, 2))
            for stroke in form:
                points = stroke + rng.normal(0, self.shake, (len(stroke), 2))
                points = points + (points - 0.5) @ move
                x, y = points[:, 0] * box, points[:, 1] * tall
                slanted = x + (self.slant + turn) * (tall - y)
                strokes.append(_smooth(np.stack([left + slanted, pad + y + lift], 1)))
            left += box + high * (0.16 + self.thick + abs(rng.normal(0, 0.03)))
        mask = np.zeros((int(high + 2 * pad), int(left + 2 * pad)), np.uint8)
        self._ink(mask, strokes)
        rows, columns = np.where(mask.max(axis=1) > 40)[0], np.where(mask.max(axis=0) > 40)[0]
        cropped = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        scale = GLYPH_PX / cropped.shape[0]
        size_wh = (max(6, round(cropped.shape[1] * scale)), GLYPH_PX)
        return np.asarray(cv2.resize(cropped, size_wh, interpolation=cv2.INTER_LINEAR), np.uint8)

    def _ink(self, mask: Mask, strokes: list[NDArray[np.float64]]) -> None:
        """Draw the strokes into `mask` in place."""
        rng, thick = self.rng, max(2.0, self.thick * GLYPH_PX)
        for stroke in strokes:
            if self.pen == "brush":
                steps = np.linspace(0, len(stroke) - 1, 40)
                x = np.interp(steps, np.arange(len(stroke)), stroke[:, 0])
                y = np.interp(steps, np.arange(len(stroke)), stroke[:, 1])
                reach = thick / 2 * np.interp(steps / steps[-1], [0, 0.2, 0.7, 1], [0.7, 1.2, 1.0, 0.45])
                points = np.round(np.stack([x, y], 1) * 16).astype(int).tolist()
                for at in range(39):
                    width = max(2, round(2 * reach[at]))
                    cv2.line(mask, points[at], points[at + 1], 255, width, cv2.LINE_AA, 4)
                continue
            passes = [(0.0, 0.0)]
            if self.pen == "nib":
                passes = [(shift * thick, -shift * thick) for shift in np.linspace(-0.4, 0.4, 5)]
            elif self.pen == "biro":
                passes = [(0.0, 0.0), tuple(rng.normal(0, 0.6, 2))]
            width = max(1, round(thick * (0.45 if self.pen == "nib" else 1)))
            for shift in passes:
                points = np.round((stroke + shift) * 16).astype(np.int32)
                cv2.polylines(mask, [points], False, 255, width, cv2.LINE_AA, 4)
