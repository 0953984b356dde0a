"""The light over the table, and what the camera's sensor and processing make of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.other_hand.camera import Array, Camera

_STEP_SHARE = 80
"""The light is worked out on a grid of so many points across."""
_MIDDLE_GREY = 0.24
"""Light that a camera's automatic exposure aims at on the whole picture, 0..1."""
_METERING = 0.65
"""How far it gets there: 1 all the way."""
_MOST_GAIN = 1.7
_SHOULDER, BRIGHTEST = 0.55, 2.5
"""Light from which on tones are pressed together, and light that is white; 1 would be white without."""


@dataclass(frozen=True, slots=True)
class Light:
    """Light on the table."""

    field: NDArray[np.float32]
    """(h, w, 3), BGR: how bright each part of the picture is lit, about 1 on the whole."""
    mirrored: NDArray[np.float32]
    """(h, w): the lamp's mirror image in a glossy table, 0 where there is none."""
    shadow_way: Array
    """(2,): where the shadow of a point one side above the table falls."""
    shadow: float
    """How dark shadows are, 0..1."""
    softness: float

    @staticmethod
    def drawn(camera: Camera, rng: np.random.Generator, *, well_lit: bool) -> Light:
        """Return a light: a lamp and a window or the sky, someone's shadow, sometimes a glare."""
        points = camera.table_points(max(camera.size_wh[0] // _STEP_SHARE, 1))
        spread = float(np.ptp(points[..., 0])) / 2
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 1.3) * spread
        lamp = np.array(
            [
                *(camera.target + away * np.array([np.cos(angle), np.sin(angle)])),
                rng.uniform(1.0, 2.2) * spread,
            ]
        )
        glare = not well_lit and rng.random() < 0.35
        if glare:
            spot = camera.target + rng.uniform(-0.35, 0.35, 2) * (spread, 0.5 * spread)
            view = np.append(spot, 0) - camera.place
            lamp = np.append(spot, 0) + view * (1, 1, -1) * rng.uniform(0.7, 1.3)
        to_lamp = lamp - np.dstack([points, np.zeros_like(points[..., :1])])
        distance = np.linalg.norm(to_lamp, axis=2)
        strength = to_lamp[..., 2] / distance**3
        strength /= strength.mean()
        lamp_share = rng.uniform(0.2, 0.45) if well_lit else rng.uniform(0.3, 0.95)
        warmth, window_warmth = rng.uniform(-0.03, 0.16), rng.uniform(-0.1, 0.04)
        slope = rng.normal(0, 0.08 if well_lit else 0.2, 2)
        across = (points - camera.target) / spread
        window = np.clip(1 + across @ slope, 0.35, 1.8)
        field = lamp_share * strength[..., None] * _tint(warmth) + (1 - lamp_share) * window[
            ..., None
        ] * _tint(window_warmth)
        if not well_lit and rng.random() < 0.55:
            field *= _someone(across, rng)[..., None]
        mirrored = np.zeros(points.shape[:2])
        if glare:
            view = camera.place - np.dstack([points, np.zeros_like(points[..., :1])])
            half = view / np.linalg.norm(view, axis=2, keepdims=True) + to_lamp / distance[..., None]
            up = half[..., 2] / np.linalg.norm(half, axis=2)
            mirrored = rng.uniform(0.1, 0.55) * np.exp(-(1 - up) / rng.uniform(0.0006, 0.004))
        thrown = (camera.target - lamp[:2]) / lamp[2]
        return Light(
            field.astype(np.float32),
            mirrored.astype(np.float32),
            thrown * min(1.0, 1.2 / max(float(np.hypot(*thrown)), 1e-6)),
            float(0.55 * lamp_share),
            rng.uniform(0.4, 1.6),
        )


def _tint(warmth: float) -> Array:
    return np.array([1 - warmth, 1.0, 1 + warmth])


def _someone(across: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the soft shadow of somebody who bends over the table, 1 where there is none."""
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    along, aside = across @ way, across @ np.array([-way[1], way[0]])
    edge = rng.uniform(0.0, 0.6) + 0.25 * ((aside - rng.uniform(-0.5, 0.5)) / rng.uniform(0.3, 0.9)) ** 2
    soft = rng.uniform(0.04, 0.2)
    return (1 - rng.uniform(0.2, 0.5) / (1 + np.exp(-(along - edge) / soft))).astype(np.float32)


@cache
def to_linear() -> NDArray[np.float32]:
    """Return the light that each of the 256 tones stands for."""
    tone = np.arange(256) / 255
    return np.where(tone <= 0.04045, tone / 12.92, ((tone + 0.055) / 1.055) ** 2.4).astype(np.float32)


@cache
def to_tone() -> NDArray[np.uint8]:
    """Return the tone of light in 4096 steps from 0 to BRIGHTEST; highlights roll off above _SHOULDER."""
    light = np.linspace(0, BRIGHTEST, 4096)
    room = 1 - _SHOULDER
    rolled = _SHOULDER + room * (1 - np.exp(-(light - _SHOULDER) / room))
    light = np.where(light > _SHOULDER, rolled, light)
    tone = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.round(255 * tone).astype(np.uint8)


def develop(
    picture: NDArray[np.uint8],
    gloss: NDArray[np.uint8],
    light: Light,
    rng: np.random.Generator,
    *,
    steady: bool,
) -> NDArray[np.uint8]:
    """Return the photograph of a painted table: light, lens, sensor, tone.

    Args:
        picture: (H, W, 3) BGR, the colours as even light would show them.
        gloss: (H, W), 255 where the lamp's mirror image shows in full.
        light: The light.
        rng: Draws exposure, focus and noise.
        steady: In focus and not moved, as somebody does who takes care.
    """
    high, wide = gloss.shape
    scale = wide / 1280
    linear = to_linear()[picture]
    linear *= cv2.resize(light.field, (wide, high), interpolation=cv2.INTER_CUBIC)
    if light.mirrored.any():
        shine = cv2.resize(light.mirrored, (wide, high), interpolation=cv2.INTER_CUBIC) * gloss
        linear += shine[..., None] * np.float32(1 / 255)
    ys, xs = np.mgrid[-1:1:24j, -1:1:32j].astype(np.float32)
    vignette = cv2.resize(1 - np.float32(rng.uniform(0, 0.18)) * (xs**2 + ys**2), (wide, high))
    metered = (_MIDDLE_GREY / max(float(linear[::8, ::8].mean()), 0.01)) ** _METERING
    exposure = min(metered, _MOST_GAIN) * (rng.uniform(1.0, 1.2) if steady else rng.uniform(0.65, 1.4))
    balance = exposure * np.array([1 + rng.normal(0, 0.06), 1.0, 1 + rng.normal(0, 0.06)], np.float32)
    linear *= vignette[..., None] * balance.astype(np.float32)
    blur = rng.uniform(0.3, 0.5) if steady else rng.uniform(0.3, 0.95)
    linear = cv2.GaussianBlur(linear, (0, 0), blur * scale**0.5)
    if not steady and rng.random() < 0.2:
        linear = cv2.filter2D(linear, -1, _shake(rng.uniform(1.5, 3.5) * scale, rng.uniform(0, np.pi)))
    noise = rng.standard_normal(linear.shape, dtype=np.float32)
    if rng.random() < 0.7:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.6) * np.float32(1.6)
    grain = np.float32(rng.uniform(0.002, 0.006) if steady else rng.uniform(0.003, 0.017))
    linear += noise * grain * np.sqrt(np.maximum(linear, 0) + np.float32(0.01))
    toned = to_tone()[np.clip(linear * np.float32(4095 / BRIGHTEST), 0, 4095).astype(np.uint16)]
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(toned, (0, 0), 1.2 * scale**0.5)
        amount = rng.uniform(0.2, 0.7)
        toned = cv2.addWeighted(toned, 1 + amount, soft, -amount, 0)
    return np.asarray(toned, np.uint8)


def _shake(length_px: float, angle: float) -> NDArray[np.float32]:
    """Return the kernel of a camera that moved."""
    size = int(np.ceil(length_px)) | 1
    kernel = np.zeros((size + 2, size + 2), np.float32)
    middle = (size + 1) / 2
    half = np.array([np.cos(angle), np.sin(angle)]) * (length_px - 1) / 2
    start, end = np.round((middle - half) * 16).astype(int), np.round((middle + half) * 16).astype(int)
    cv2.line(kernel, tuple(start.tolist()), tuple(end.tolist()), 1.0, 1, cv2.LINE_AA, 4)
    return kernel / kernel.sum()
