"""Numerals drawn by hand: one skeleton a figure, and two pens to draw it with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from tests.other_hand.sheet import Colour, Points, Sheet, smooth

_Stroke = tuple[bool, Sequence[tuple[float, float]]]
"""Whether the stroke is curved, and the points it goes through; a figure is 1 high."""

_UPRIGHT: dict[str, tuple[float, tuple[_Stroke, ...]]] = {
    "0": (0.60, ((True, ((0.3, 0), (0.53, 0.16), (0.6, 0.5), (0.53, 0.84), (0.3, 1), (0.07, 0.84), (0, 0.5),
                         (0.07, 0.16), (0.3, 0))),)),
    "1": (0.34, ((False, ((0.0, 0.24), (0.25, 0.0), (0.25, 1.0))),)),
    "2": (0.56, ((True, ((0.02, 0.27), (0.1, 0.06), (0.29, 0), (0.48, 0.07), (0.54, 0.27), (0.44, 0.52),
                         (0.24, 0.77), (0.02, 1.0))), (False, ((0.02, 1.0), (0.56, 1.0))))),
    "3": (0.54, ((True, ((0.03, 0.14), (0.25, 0), (0.46, 0.08), (0.49, 0.27), (0.38, 0.43), (0.18, 0.47))),
                 (True, ((0.18, 0.47), (0.42, 0.52), (0.54, 0.7), (0.48, 0.91), (0.27, 1.0), (0.08, 0.95),
                         (0, 0.83))))),
    "4": (0.60, ((False, ((0.44, 1.0), (0.44, 0.0), (0.0, 0.7), (0.6, 0.7))),)),
    "6": (0.57, ((True, ((0.47, 0.03), (0.27, 0.1), (0.08, 0.34), (0, 0.66), (0.09, 0.92), (0.29, 1.0),
                         (0.5, 0.92), (0.57, 0.7), (0.48, 0.48), (0.29, 0.42), (0.1, 0.5), (0.01, 0.68))),)),
    "7": (0.55, ((False, ((0.0, 0.0), (0.55, 0.0))), (True, ((0.55, 0.0), (0.35, 0.45), (0.2, 1.0))))),
}  # fmt: skip
"""Width and strokes of each figure that a weight needs."""

_SCRIPT: dict[str, tuple[float, tuple[_Stroke, ...]]] = {
    "0": (0.62, ((True, ((0.4, 0.02), (0.55, 0.12), (0.6, 0.42), (0.52, 0.82), (0.3, 1), (0.1, 0.9),
                         (0.02, 0.58), (0.1, 0.18), (0.34, 0.0), (0.46, 0.04))),)),
    "1": (0.36, ((True, ((0.0, 0.26), (0.14, 0.18), (0.28, 0.0))), (False, ((0.28, 0.0), (0.28, 0.98))),
                 (True, ((0.1, 1.0), (0.28, 0.96), (0.46, 1.0))))),
    "2": (0.62, ((True, ((0.16, 0.28), (0.06, 0.2), (0.14, 0.04), (0.34, -0.01), (0.52, 0.1), (0.53, 0.3),
                         (0.38, 0.56), (0.04, 0.97))),
                 (True, ((0.02, 0.97), (0.2, 0.86), (0.4, 0.97), (0.56, 0.98), (0.66, 0.84))))),
    "3": (0.58, ((False, ((0.06, 0.0), (0.52, 0.0))), (True, ((0.52, 0.0), (0.36, 0.2), (0.22, 0.4))),
                 (True, ((0.2, 0.42), (0.46, 0.44), (0.57, 0.66), (0.46, 0.92), (0.22, 1.0), (0.04, 0.9),
                         (0.1, 0.8))))),
    "4": (0.64, ((True, ((0.36, -0.02), (0.24, 0.34), (0.0, 0.66), (0.3, 0.62), (0.66, 0.66))),
                 (False, ((0.47, 0.3), (0.45, 1.02))), (False, ((0.34, 1.02), (0.56, 1.02))))),
    "6": (0.6, ((True, ((0.58, -0.04), (0.34, 0.08), (0.12, 0.36), (0.02, 0.7), (0.12, 0.94), (0.3, 1.0),
                        (0.5, 0.9), (0.55, 0.68), (0.44, 0.5), (0.26, 0.5), (0.08, 0.66))),)),
    "7": (0.58, ((True, ((0.02, 0.16), (0.08, 0.0), (0.3, 0.06), (0.58, -0.02))),
                 (True, ((0.58, -0.02), (0.34, 0.46), (0.26, 1.02))), (False, ((0.16, 0.5), (0.5, 0.5))))),
}  # fmt: skip

_GAP = 0.26
"""Space between two figures, in shares of their height; the pen takes part of it."""


def _strokes(text: str, script: bool) -> tuple[list[Points], float]:
    """Return the strokes of a number, 1 high, and its width."""
    figures = _SCRIPT if script else _UPRIGHT
    x = 0.0
    strokes: list[Points] = []
    for figure in text:
        width, parts = figures[figure]
        for curved, points in parts:
            stroke = smooth(points) if curved else np.array(points, float)
            strokes.append(stroke + np.array([x, 0.0]))
        x += width + _GAP
    return strokes, x - _GAP


def draw_poster(
    sheet: Sheet, text: str, centre: tuple[float, float], height: float, colour: Colour, rim: Colour
) -> None:
    """Draw a number upright and bold, as a sign painter does, with a thin rim; height of the figures."""
    pen = 0.19 * height
    strokes, width = _strokes(text, script=False)
    tall = height - pen
    left, top = centre[0] - width * tall / 2, centre[1] - tall / 2
    for ink, extra in ((rim, 0.016), (colour, 0.0)):
        for stroke in strokes:
            sheet.line(stroke * tall + (left, top), ink, pen + extra)


def draw_script(
    sheet: Sheet, text: str, centre: tuple[float, float], height: float, colour: Colour, rim: Colour
) -> None:
    """Draw a number slanted, with a broad nib that gives thick and thin strokes, and with a rim."""
    strokes, width = _strokes(text, script=True)
    nib = np.array([np.cos(-0.7), np.sin(-0.7)]) * 0.105 * height
    tall = height * 0.88
    left, top = centre[0] - width * tall / 2, centre[1] - tall / 2
    for ink, extra in ((rim, 0.034), (colour, 0.014)):
        for stroke in strokes:
            slanted = stroke * tall
            slanted[:, 0] += 0.16 * (tall / 2 - slanted[:, 1])
            slanted += (left, top)
            for start, end in pairwise(slanted):
                swept = np.array([start - nib, start + nib, end + nib, end - nib])
                sheet.paint(swept, ink)
                sheet.line(swept, ink, extra, closed=True)
