"""The small pictures on a tile: straw, wood, stones, fire, torch, wheel, and the colour symbols."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.textures import Colour, any_colour, bgr
from vision.imaging.arrays import ImageU8

SYMBOLS = (
    "star",
    "diamond",
    "clover",
    "drop",
    "leaf",
    "fish",
    "flower",
    "disc",
    "square",
    "triangle",
    "heart",
    "moon",
)


def _ink(rng: np.random.Generator) -> Colour:
    return bgr(rng.uniform(0, 360), rng.uniform(0, 0.4), rng.uniform(0, 0.25))


def _polygon(
    image: ImageU8 | NDArray[np.float32],
    points: np.ndarray,
    fill: Colour,
    outline: Colour | None,
    thick: int = 1,
) -> None:
    corners = np.round(np.asarray(points) * 16).astype(np.int32)
    cv2.fillPoly(image, [corners], fill, cv2.LINE_AA, 4)
    if outline is not None:
        cv2.polylines(image, [corners], True, outline, thick, cv2.LINE_AA, 4)


_TURN = np.linspace(0, 2 * np.pi, 40, endpoint=False)


def _rays(reach: NDArray[np.float64], angles: NDArray[np.float64] = _TURN) -> NDArray[np.float64]:
    """Return the points that lie so far from the middle at these angles, (n, 2)."""
    return np.stack([reach * np.cos(angles), reach * np.sin(angles)], 1)


def _fish() -> NDArray[np.float64]:
    body = np.stack([0.7 * np.cos(_TURN) + 0.25, 0.45 * np.sin(_TURN)], 1)
    tail = [[-0.4, 0.05], [-1, -0.5], [-0.85, 0], [-1, 0.5], [-0.4, -0.05]]
    return np.concatenate([body[:19], tail, body[21:]])


def _moon() -> NDArray[np.float64]:
    outer = np.stack([np.cos(_TURN[5:35]), np.sin(_TURN[5:35])], 1)
    return np.concatenate([outer, outer[::-1] * [0.6, 0.75] + [0.25, 0]])


_SYMBOLS = {
    "star": _rays(np.where(np.arange(10) % 2 == 0, 1.0, 0.42), np.arange(10) * np.pi / 5 - np.pi / 2),
    "diamond": np.array([[0, -1], [0.7, 0], [0, 1], [-0.7, 0]]),
    "clover": _rays(0.65 + 0.35 * np.cos(3 * (_TURN + np.pi / 2))),
    "flower": _rays(0.65 + 0.35 * np.cos(7 * (_TURN + np.pi / 2))),
    "drop": np.stack([0.65 * np.sin(_TURN) * (1 - np.cos(_TURN)) / 1.3, -np.cos(_TURN)], 1) * [1, -1],
    "leaf": np.stack([0.5 * np.sin(_TURN), np.sign(np.cos(_TURN)) * np.abs(np.cos(_TURN)) ** 0.6], 1),
    "fish": _fish(),
    "square": np.array([[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]]),
    "triangle": np.array([[0, -0.9], [0.9, 0.8], [-0.9, 0.8]]),
    "heart": np.stack(
        [np.sin(_TURN) ** 3, -(13 * np.cos(_TURN) - 5 * np.cos(2 * _TURN) - 2 * np.cos(3 * _TURN)) / 16], 1
    ),
    "moon": _moon(),
}
"""The outlines of the colour symbols, (n, 2) each: x right, y down, about 1 from the middle."""
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], 1)


def draw_symbol(
    image: ImageU8 | NDArray[np.float32],
    kind: str,
    centre: tuple[float, float],
    radius: float,
    fill: Colour,
    outline: Colour | None,
) -> None:
    """Draw one colour symbol, `radius` pixels, onto `image` in place; a circle where there is none."""
    _polygon(image, _SYMBOLS.get(kind, _CIRCLE) * radius + list(centre), fill, outline)


def draw_straw(
    rng: np.random.Generator, image: ImageU8, box: tuple[float, float, float, float], count: int
) -> None:
    """Draw sheaves of straw into `box` (x, y, width, height in pixels)."""
    x, y, w, h = box
    straw = bgr(rng.uniform(32, 55), rng.uniform(0.4, 0.9), rng.uniform(0.6, 1))
    dark = tuple(0.55 * c for c in straw)
    spread = rng.uniform(0.1, 0.35) + 0.04 * count
    for _ in range(int(rng.integers(10, 24))):
        lean = rng.uniform(-1, 1)
        top = (x + w * (0.5 + spread * lean), y + h * rng.uniform(0, 0.15))
        low = (x + w * (0.5 + 0.6 * spread * lean), y + h * rng.uniform(0.9, 1))
        waist = (x + w * (0.5 + 0.25 * spread * lean), y + h * 0.6)
        points = np.round(np.array([top, waist, low]) * 16).astype(np.int32)
        cv2.polylines(
            image,
            [points],
            False,
            straw if rng.random() < 0.7 else dark,
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
            4,
        )
    band = bgr(rng.uniform(0, 40), 0.7, 0.45)
    middle = x + w * 0.5
    _polygon(
        image,
        np.array(
            [
                [middle - 0.13 * w, y + 0.56 * h],
                [middle + 0.13 * w, y + 0.56 * h],
                [middle + 0.13 * w, y + 0.65 * h],
                [middle - 0.13 * w, y + 0.65 * h],
            ]
        ),
        band,
        _ink(rng),
    )


def draw_wood(
    rng: np.random.Generator, image: ImageU8, box: tuple[float, float, float, float], count: int
) -> None:
    """Draw `count` logs or planks one above the other."""
    x, y, w, h = box
    colour = bgr(rng.uniform(12, 35), rng.uniform(0.4, 0.85), rng.uniform(0.3, 0.8))
    outline = _ink(rng)
    pitch = min(h / count, h * 0.4)
    top = y + (h - pitch * count) / 2
    for index in range(count):
        lean = rng.normal(0, 0.06) * h
        a, b = top + index * pitch + 0.08 * pitch, top + (index + 1) * pitch - 0.08 * pitch
        side = rng.uniform(0, 0.08) * w
        _polygon(
            image,
            np.array(
                [
                    [x + side, a + lean],
                    [x + w - side, a - lean],
                    [x + w - side, b - lean],
                    [x + side, b + lean],
                ]
            ),
            colour,
            outline,
        )
        if rng.random() < 0.5:
            end = (round(x + side), round((a + b) / 2 + lean))
            cv2.ellipse(
                image,
                end,
                (max(1, round(pitch * 0.2)), max(1, round(pitch * 0.42))),
                0,
                0,
                360,
                bgr(35, 0.4, 0.85),
                -1,
                cv2.LINE_AA,
            )


def draw_stones(
    rng: np.random.Generator, image: ImageU8, box: tuple[float, float, float, float], count: int
) -> None:
    """Draw `count` stones in a heap."""
    x, y, w, h = box
    places = {
        1: [(0.5, 0.5)],
        3: [(0.5, 0.3), (0.28, 0.7), (0.72, 0.7)],
        6: [(0.5, 0.2), (0.33, 0.5), (0.67, 0.5), (0.2, 0.8), (0.5, 0.8), (0.8, 0.8)],
    }[count]
    size = {1: 0.42, 3: 0.25, 6: 0.18}[count]
    gray = rng.uniform(0.35, 0.8)
    hue, tint = rng.uniform(0, 360), rng.uniform(0, 0.15)
    for px, py in places:
        angles = np.sort(rng.uniform(0, 2 * np.pi, 12))
        reach = size * rng.uniform(0.85, 1.1, 12)
        shape = np.stack(
            [x + w * (px + reach * np.cos(angles)), y + h * (py + 0.8 * reach * np.sin(angles))], 1
        )
        _polygon(image, shape, bgr(hue, tint, gray * rng.uniform(0.8, 1.15)), _ink(rng))


def draw_fire(rng: np.random.Generator, image: ImageU8, box: tuple[float, float, float, float]) -> None:
    """Draw burning coals."""
    x, y, w, h = box
    for px, reach in ((0.3, 0.6), (0.5, 0.95), (0.7, 0.6)):
        _polygon(
            image,
            np.array(
                [
                    [x + w * (px - 0.15), y + h * 0.75],
                    [x + w * px, y + h * (0.9 - reach)],
                    [x + w * (px + 0.15), y + h * 0.75],
                ]
            ),
            bgr(rng.uniform(15, 45), 0.9, 1),
            _ink(rng),
        )
    for px, py in ((0.25, 0.85), (0.5, 0.88), (0.75, 0.85), (0.38, 0.68), (0.62, 0.68)):
        cv2.circle(
            image,
            (round(x + w * px), round(y + h * py)),
            max(2, round(w * 0.12)),
            bgr(0, 0, rng.uniform(0.08, 0.25)),
            -1,
            cv2.LINE_AA,
        )
        cv2.circle(
            image,
            (round(x + w * px), round(y + h * py)),
            max(1, round(w * 0.05)),
            bgr(25, 0.9, 1),
            -1,
            cv2.LINE_AA,
        )


def draw_torch(rng: np.random.Generator, image: ImageU8, box: tuple[float, float, float, float]) -> None:
    """Draw a blowtorch with its flame."""
    x, y, w, h = box
    _polygon(
        image,
        np.array(
            [
                [x + 0.25 * w, y + 0.5 * h],
                [x + 0.5 * w, y + 0.5 * h],
                [x + 0.5 * w, y + h],
                [x + 0.25 * w, y + h],
            ]
        ),
        any_colour(rng),
        _ink(rng),
    )
    cv2.line(
        image,
        (round(x + 0.35 * w), round(y + 0.48 * h)),
        (round(x + 0.65 * w), round(y + 0.25 * h)),
        bgr(0, 0, 0.55),
        max(2, round(w * 0.07)),
        cv2.LINE_AA,
    )
    _polygon(
        image,
        np.array(
            [
                [x + 0.6 * w, y + 0.3 * h],
                [x + 0.68 * w, y + 0.08 * h],
                [x + w, y],
                [x + 0.78 * w, y + 0.25 * h],
            ]
        ),
        bgr(rng.uniform(15, 45), 0.9, 1),
        _ink(rng),
    )


def draw_wheel(rng: np.random.Generator, image: ImageU8, box: tuple[float, float, float, float]) -> None:
    """Draw a millstone."""
    x, y, w, h = box
    centre = (round(x + w / 2), round(y + h / 2))
    radius = max(3, round(min(w, h) / 2))
    cv2.circle(
        image,
        centre,
        radius,
        bgr(rng.uniform(0, 360), rng.uniform(0, 0.2), rng.uniform(0.35, 0.8)),
        -1,
        cv2.LINE_AA,
    )
    ink = _ink(rng)
    cv2.circle(image, centre, radius, ink, 1, cv2.LINE_AA)
    for angle in np.arange(0, 2 * np.pi, 2 * np.pi / rng.integers(6, 16)):
        tip = (round(centre[0] + radius * np.cos(angle)), round(centre[1] + radius * np.sin(angle)))
        cv2.line(image, centre, tip, ink, 1, cv2.LINE_AA)
    cv2.circle(image, centre, max(2, radius // 4), ink, -1, cv2.LINE_AA)


def draw_material(
    rng: np.random.Generator, image: ImageU8, weight: int, box: tuple[float, float, float, float]
) -> None:
    """Draw what a tile of `weight` is made of, more of it for more weight (as every printed set does)."""
    if weight in (2, 4, 6):
        draw_straw(rng, image, box, weight // 2)
    elif weight in (10, 20, 30, 40):
        draw_wood(rng, image, box, weight // 10)
    elif weight in (60, 100, 120):
        draw_stones(rng, image, box, {60: 1, 100: 3, 120: 6}[weight])
    elif weight == 1:
        draw_fire(rng, image, box)
    elif weight == 7:
        draw_torch(rng, image, box)
    else:
        draw_wheel(rng, image, box)
