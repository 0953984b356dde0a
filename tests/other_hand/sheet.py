"""A sheet to paint a face on: polygons, lines and discs in shares of the side, with brush marks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]
"""Red, green, blue, 0..255."""
Points = NDArray[np.float64]
"""(N, 2), x right and y down, in shares of the side."""

PAINT_PX = 768
"""Side on which faces are painted."""
FACE_PX = 512
"""Side in which they are kept; painting larger smooths their edges."""
_FRACTION_BITS = 5


def mixed(a: Colour, b: Colour, share_of_b: float) -> Colour:
    """Return a colour between two."""
    return tuple(x + (y - x) * share_of_b for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def lighter(colour: Colour, share: float) -> Colour:
    """Return the colour moved towards a warm white, or for a negative share towards a cool black."""
    return mixed(colour, (255, 250, 236), share) if share >= 0 else mixed(colour, (18, 14, 26), -share)


@cache
def brush_marks(angle_deg: int) -> NDArray[np.float32]:
    """Return (PAINT_PX, PAINT_PX) brush strokes that run at an angle, mean 0 and deviation 1."""
    rng = np.random.default_rng(700 + angle_deg)
    size = PAINT_PX * 3 // 4
    field = np.zeros((size, size), np.float32)
    for along, across, weight in ((30, 2.5, 1.0), (12, 1.5, 0.7), (5, 5, 0.35)):
        noise = rng.normal(size=(size, size)).astype(np.float32)
        noise = cv2.GaussianBlur(noise, (0, 0), sigmaX=along / 3, sigmaY=across / 3)
        field += weight * noise / noise.std()
    matrix = cv2.getRotationMatrix2D((size / 2, size / 2), angle_deg, 1.0)
    field = cv2.warpAffine(field, matrix, (size, size), borderMode=cv2.BORDER_REFLECT)
    edge = PAINT_PX // 8
    field = field[edge:-edge, edge:-edge]
    field = cv2.resize(field, (PAINT_PX, PAINT_PX), interpolation=cv2.INTER_CUBIC)
    return (field - field.mean()) / field.std()


def regular(centre: tuple[float, float], radius: float, corners: int, turn: float = 0.0) -> Points:
    """Return a regular polygon; `turn` in radians, 0 has a corner to the right."""
    angles = turn + np.arange(corners) * 2 * np.pi / corners
    return np.array(centre) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def star(centre: tuple[float, float], outer: float, inner: float, rays: int) -> Points:
    """Return a star with one ray straight up."""
    angles = -np.pi / 2 + np.arange(2 * rays) * np.pi / rays
    radii = np.where(np.arange(2 * rays) % 2, inner, outer)[:, None]
    return np.array(centre) + radii * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def rounded_box(left: float, top: float, right: float, bottom: float, radius: float) -> Points:
    """Return a box with round corners."""
    quarter = np.linspace(0, np.pi / 2, 9)
    corners = [
        (right - radius, bottom - radius, 0),
        (left + radius, bottom - radius, 1),
        (left + radius, top + radius, 2),
        (right - radius, top + radius, 3),
    ]
    return np.concatenate(
        [
            np.stack(
                [
                    x + radius * np.cos(quarter + k * np.pi / 2),
                    y + radius * np.sin(quarter + k * np.pi / 2),
                ],
                axis=1,
            )
            for x, y, k in corners
        ]
    )


def smooth(points: Sequence[tuple[float, float]], *, closed: bool = False, steps: int = 10) -> Points:
    """Return a curve through all points (Catmull-Rom)."""
    known = np.array(points, float)
    ends = (known[-1:], known[:2]) if closed else (2 * known[:1] - known[1:2], 2 * known[-1:] - known[-2:-1])
    p = np.concatenate([ends[0], known, ends[1]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces = [
        0.5
        * (
            2 * p[i]
            + (p[i + 1] - p[i - 1]) * t
            + (2 * p[i - 1] - 5 * p[i] + 4 * p[i + 1] - p[i + 2]) * t**2
            + (3 * p[i] - p[i - 1] - 3 * p[i + 1] + p[i + 2]) * t**3
        )
        for i in range(1, len(p) - 2)
    ]
    return np.concatenate(pieces if closed else [*pieces, known[-1:]])


def wobbly(
    centre: tuple[float, float],
    radius: float,
    rng: np.random.Generator,
    *,
    rough: float = 0.2,
    corners: int = 9,
) -> Points:
    """Return a lump: a polygon whose corners lie at uneven distances."""
    angles = (np.arange(corners) + rng.uniform(-0.3, 0.3, corners)) * 2 * np.pi / corners
    radii = radius * rng.uniform(1 - rough, 1 + rough, corners)
    return np.array(centre) + np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)


class Sheet:
    """A square that is painted on; its `pixels` are (PAINT_PX, PAINT_PX, 3) float32, red first, 0..255."""

    def __init__(self, ground: Colour) -> None:
        self.pixels = np.full((PAINT_PX, PAINT_PX, 3), ground, np.float32)

    def paint(
        self,
        points: Points,
        colour: Colour,
        *,
        to: Colour | None = None,
        direction: tuple[float, float] = (0.0, 1.0),
        brush: float = 0.0,
        brush_deg: int = 30,
        opacity: float = 1.0,
    ) -> None:
        """Fill a polygon, with a gradient over its extent where `to` is given, and with brush marks."""
        scaled = points * PAINT_PX
        low = np.maximum(np.floor(scaled.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(scaled.max(axis=0)).astype(int) + 2, PAINT_PX)
        if (high <= low).any():
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        fixed = np.round((scaled - low - 0.5) * (1 << _FRACTION_BITS)).astype(np.int32)
        cv2.fillPoly(mask, [fixed], 255, cv2.LINE_AA, _FRACTION_BITS)
        region = self.pixels[low[1] : high[1], low[0] : high[0]]
        paint = np.empty_like(region)
        paint[:] = colour
        if to is not None:
            steps = np.array(direction) / np.hypot(*direction)
            across = np.add.outer(
                np.arange(region.shape[0]) * steps[1], np.arange(region.shape[1]) * steps[0]
            )
            across = (across - across.min()) / max(float(np.ptp(across)), 1e-6)
            paint += across[..., None].astype(np.float32) * (np.array(to) - np.array(colour)).astype(
                np.float32
            )
        if brush:
            marks = brush_marks(brush_deg)[low[1] : high[1], low[0] : high[0], None]
            paint *= 1 + np.float32(brush) * marks
        alpha = mask[..., None].astype(np.float32) * np.float32(opacity / 255)
        region += alpha * (paint - region)

    def line(
        self, points: Points, colour: Colour, width: float, *, closed: bool = False, opacity: float = 1.0
    ) -> None:
        """Draw a line of even width with round ends."""
        scaled = points * PAINT_PX
        reach = width * PAINT_PX / 2 + 2
        low = np.maximum(np.floor(scaled.min(axis=0) - reach).astype(int), 0)
        high = np.minimum(np.ceil(scaled.max(axis=0) + reach).astype(int) + 1, PAINT_PX)
        if (high <= low).any():
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        fixed = np.round((scaled - low - 0.5) * (1 << _FRACTION_BITS)).astype(np.int32)
        thickness = max(1, round(width * PAINT_PX))
        cv2.polylines(mask, [fixed], closed, 255, thickness, cv2.LINE_AA, _FRACTION_BITS)
        region = self.pixels[low[1] : high[1], low[0] : high[0]]
        alpha = mask[..., None].astype(np.float32) * np.float32(opacity / 255)
        region += alpha * (np.array(colour, np.float32) - region)

    def disc(
        self,
        centre: tuple[float, float],
        radius: float,
        colour: Colour,
        *,
        to: Colour | None = None,
        brush: float = 0.0,
    ) -> None:
        """Fill a disc, as `paint` does."""
        self.paint(regular(centre, radius, 48), colour, to=to, direction=(0.6, 1.0), brush=brush)

    def shape(
        self, points: Points, colour: Colour, *, ink: Colour, ink_width: float = 0.006, shade: float = 0.3
    ) -> None:
        """Paint a lit body: light from the top left, brush marks, an inked outline."""
        self.paint(
            points,
            lighter(colour, shade * 0.6),
            to=lighter(colour, -shade),
            direction=(0.5, 1.0),
            brush=0.07,
            brush_deg=60,
        )
        self.line(points, ink, ink_width, closed=True, opacity=0.85)

    def printed(self, rng: np.random.Generator, *, waver: float, grain: float) -> NDArray[np.uint8]:
        """Return the face as printed: (FACE_PX, FACE_PX, 3) uint8, BGR, its edges wavering."""
        size = PAINT_PX
        shift = rng.normal(size=(2, size // 8, size // 8)).astype(np.float32)
        shift = np.stack([cv2.GaussianBlur(plane, (0, 0), 1.6) for plane in shift])
        shift *= np.float32(waver * size) / shift.std()
        wide = [cv2.resize(plane, (size, size), interpolation=cv2.INTER_CUBIC) for plane in shift]
        ys, xs = np.mgrid[:size, :size].astype(np.float32)
        painted = cv2.remap(
            self.pixels, xs + wide[0], ys + wide[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        painted *= 1 + np.float32(grain) * brush_marks(15)[..., None]
        painted = cv2.resize(painted, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
        painted += rng.normal(0, 2.0, painted.shape[:2])[..., None].astype(np.float32)
        return np.ascontiguousarray(np.clip(painted, 0, 255)[..., ::-1].astype(np.uint8))
