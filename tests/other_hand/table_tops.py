"""Table tops: boards, linen, felt, plain and patterned ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

TOP_PX = 2048
"""Side of a table top's texture."""
PX_PER_SIDE = 100
"""Texture pixels to one tile's side."""
Texture = NDArray[np.float32]


def soft_noise(rng: np.random.Generator, along: float, across: float) -> Texture:
    """Return (TOP_PX, TOP_PX) soft noise of deviation 1, `along` pixels long and `across` pixels high."""
    shrink_x, shrink_y = max(1, int(along // 3)), max(1, int(across // 3))
    small = rng.normal(size=(TOP_PX // shrink_y + 1, TOP_PX // shrink_x + 1)).astype(np.float32)
    small = cv2.GaussianBlur(
        small, (0, 0), sigmaX=max(along / shrink_x, 0.3), sigmaY=max(across / shrink_y, 0.3)
    )
    wide = cv2.resize(small, (TOP_PX, TOP_PX), interpolation=cv2.INTER_CUBIC)
    return (wide - wide.mean()) / wide.std()


def _coloured(rgb: tuple[float, float, float], tone: Texture) -> Texture:
    """Return a (TOP_PX, TOP_PX, 3) texture, red first: the colour times 1 + tone."""
    return np.array(rgb, np.float32) * (1 + tone[..., None])


def _boards(rgb: tuple[float, float, float], broad: int) -> Callable[[np.random.Generator], Texture]:
    def make(rng: np.random.Generator) -> Texture:
        ys, xs = np.mgrid[:TOP_PX, :TOP_PX].astype(np.float32)
        warp = soft_noise(rng, 300, 40)
        texture = np.empty((TOP_PX, TOP_PX, 3), np.float32)
        fine = soft_noise(rng, 50, 0.7) * 0.035 + soft_noise(rng, 14, 0.6) * 0.03
        slow = soft_noise(rng, 260, 14) * 0.06
        for top in range(0, TOP_PX, broad):
            plank = slice(top, min(top + broad, TOP_PX))
            centre = top + rng.uniform(-0.6, 1.6) * broad
            middle = rng.uniform(-0.3, 1.3) * TOP_PX
            radius = np.sqrt(
                (ys[plank] - centre) ** 2 + ((xs[plank] - middle) * rng.uniform(0.02, 0.07)) ** 2
            )
            rings = np.sin(radius / rng.uniform(2.2, 4.5) + warp[plank] * 2.2)
            tone = fine[plank] + slow[plank] + rings * rng.uniform(0.03, 0.075) + rng.uniform(-0.12, 0.12)
            for _ in range(rng.poisson(0.7)):
                knot_x, knot_y = rng.uniform(0, TOP_PX), top + rng.uniform(0.25, 0.75) * broad
                away = np.hypot((xs[plank] - knot_x) / 1.7, ys[plank] - knot_y)
                size = rng.uniform(7, 15)
                tone += np.exp(-((away / size) ** 2)) * -0.4 + 0.12 * np.sin(away / 3) * np.exp(
                    -away / size / 2
                )
            tint = np.array(rgb) * rng.uniform(0.94, 1.06, 3) ** 0.5
            texture[plank] = tint.astype(np.float32) * (1 + tone[..., None])
            texture[plank][:3] *= np.array([0.45, 0.6, 0.85], np.float32)[:, None, None]
            joint = rng.integers(0, TOP_PX)
            texture[plank, joint : joint + 3] *= 0.55
        return texture

    return make


def _linen(rgb: tuple[float, float, float]) -> Callable[[np.random.Generator], Texture]:
    def make(rng: np.random.Generator) -> Texture:
        threads = np.arange(TOP_PX) * 2 * np.pi / 5.0
        warp, weft = (
            np.sin(threads + soft_noise(rng, 60, 60) * 0.6),
            np.sin(threads[:, None] + soft_noise(rng, 60, 60) * 0.6),
        )
        over = np.where(np.sin(threads / 2) * np.sin(threads[:, None] / 2) > 0, warp, weft)
        slubs = soft_noise(rng, 45, 1.2) + soft_noise(rng, 1.2, 45)
        tone = 0.05 * over + 0.045 * slubs + 0.03 * soft_noise(rng, 120, 120) + 0.02 * soft_noise(rng, 1, 1)
        return _coloured(rgb, tone.astype(np.float32))

    return make


def _felt(rgb: tuple[float, float, float]) -> Callable[[np.random.Generator], Texture]:
    def make(rng: np.random.Generator) -> Texture:
        tone = 0.07 * soft_noise(rng, 1.2, 1.2) + 0.05 * soft_noise(rng, 4, 2) + 0.05 * soft_noise(rng, 2, 5)
        return _coloured(rgb, tone + 0.04 * soft_noise(rng, 150, 150))

    return make


def _plain(rgb: tuple[float, float, float]) -> Callable[[np.random.Generator], Texture]:
    def make(rng: np.random.Generator) -> Texture:
        specks = (soft_noise(rng, 1.2, 1.2) > 2.4).astype(np.float32)
        scratches = np.clip(soft_noise(rng, 90, 0.7) - 3.0, 0, 1)
        return _coloured(
            rgb,
            0.012 * soft_noise(rng, 200, 200)
            + 0.012 * soft_noise(rng, 1, 1)
            - 0.06 * specks
            + 0.05 * scratches,
        )

    return make


def _gingham(
    rgb: tuple[float, float, float], ground: tuple[float, float, float], pitch: int
) -> Callable[[np.random.Generator], Texture]:
    def make(rng: np.random.Generator) -> Texture:
        stripe = (np.arange(TOP_PX) // pitch % 2).astype(np.float32)
        share = cv2.GaussianBlur((stripe + stripe[:, None]) / 2, (0, 0), 0.8)[..., None]
        cloth = np.array(ground, np.float32) * (1 - share) + np.array(rgb, np.float32) * share
        return cloth * (1 + 0.04 * soft_noise(rng, 1, 1) + 0.03 * soft_noise(rng, 100, 60))[..., None]

    return make


def _flowered(
    rgb: tuple[float, float, float], ground: tuple[float, float, float]
) -> Callable[[np.random.Generator], Texture]:
    def make(rng: np.random.Generator) -> Texture:
        cloth = np.full((TOP_PX, TOP_PX, 3), ground, np.float32)
        for _ in range(700):
            x, y = rng.uniform(0, TOP_PX, 2)
            size, turn = rng.uniform(9, 26), rng.uniform(0, 6.28)
            tint = np.array(rgb) * rng.uniform(0.75, 1.15)
            for petal in range(5):
                angle = turn + petal * 1.2566
                at = (int(x + size * 0.55 * np.cos(angle)), int(y + size * 0.55 * np.sin(angle)))
                cv2.circle(cloth, at, int(size * 0.42), tint.tolist(), -1, cv2.LINE_AA)
            cv2.circle(cloth, (int(x), int(y)), int(size * 0.25), (226, 196, 110), -1, cv2.LINE_AA)
            leaf = (int(x + size * 1.5 * np.cos(turn + 0.5)), int(y + size * 1.5 * np.sin(turn + 0.5)))
            cv2.ellipse(
                cloth,
                leaf,
                (int(size * 0.7), int(size * 0.25)),
                float(np.degrees(turn + 0.5)),
                0,
                360,
                (96, 122, 84),
                -1,
                cv2.LINE_AA,
            )
        return cloth * (1 + 0.035 * soft_noise(rng, 1, 1) + 0.03 * soft_noise(rng, 100, 60))[..., None]

    return make


_MAKERS: tuple[Callable[[np.random.Generator], Texture], ...] = (
    _boards((172, 120, 72), 260),
    _boards((92, 58, 38), 400),
    _boards((206, 176, 136), 190),
    _boards((128, 110, 94), 320),
    _linen((206, 196, 176)),
    _linen((96, 108, 124)),
    _felt((36, 88, 58)),
    _felt((58, 62, 74)),
    _felt((112, 34, 40)),
    _plain((222, 220, 214)),
    _plain((70, 66, 64)),
    _plain((176, 160, 140)),
    _gingham((178, 52, 52), (236, 230, 218), 46),
    _flowered((164, 92, 110), (226, 220, 204)),
)
TABLE_TOPS = len(_MAKERS)


@cache
def table_top(number: int) -> NDArray[np.uint8]:
    """Return a table top by its number: (TOP_PX, TOP_PX, 3) uint8, BGR; callers do not change it."""
    texture = _MAKERS[number](np.random.default_rng(900 + number))
    return np.ascontiguousarray(np.clip(texture, 0, 255).astype(np.uint8)[..., ::-1])
