"""Procedural textures: clouds, grain, brush strokes, wood, cloth, stone. All own work, nothing is loaded."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8

Field = NDArray[np.float32]
Colour = tuple[float, float, float]

FIELD_PX = 512


def bgr(hue_deg: float, saturation: float, value: float) -> Colour:
    """Return a colour as blue, green, red in 0..255."""
    red, green, blue = colorsys.hsv_to_rgb(
        (hue_deg % 360) / 360, float(np.clip(saturation, 0, 1)), float(np.clip(value, 0, 1))
    )
    return blue * 255, green * 255, red * 255


def any_colour(rng: np.random.Generator, max_saturation: float = 1.0) -> Colour:
    """Return a random colour, blue, green, red in 0..255."""
    return bgr(rng.uniform(0, 360), rng.uniform(0, max_saturation), rng.uniform(0.05, 1))


def _octaves(rng: np.random.Generator, coarse: tuple[int, int], falloff: float) -> Field:
    """Return fractal noise, (FIELD_PX, FIELD_PX) float32, mean 0, deviation 1, from `coarse` cells."""
    total = np.zeros((FIELD_PX, FIELD_PX), np.float32)
    high, wide, strength = coarse[0], coarse[1], 1.0
    while max(high, wide) <= FIELD_PX:
        cells = rng.standard_normal((min(high, FIELD_PX), min(wide, FIELD_PX))).astype(np.float32)
        total += strength * cv2.resize(cells, (FIELD_PX, FIELD_PX), interpolation=cv2.INTER_CUBIC)
        high, wide, strength = high * 2, wide * 2, strength * falloff
    total -= total.mean()
    return np.asarray(total / (total.std() + 1e-6), np.float32)


class TextureBank:
    """Noise fields made once and cut at random, because fresh noise costs more than all drawing."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Draw the fields with `rng`."""
        self.clouds = [_octaves(rng, (3, 3), rng.uniform(0.4, 0.8)) for _ in range(10)]
        self.grain = [_octaves(rng, (128, 128), 0.9) for _ in range(5)]
        self.strokes = [_octaves(rng, (4, 40), rng.uniform(0.5, 0.8)) for _ in range(8)]
        self.wood = [_octaves(rng, (3, 100), rng.uniform(0.6, 0.9)) for _ in range(8)]
        self.sensor = rng.standard_normal((6, 1024, 1024)).astype(np.float32)

    def cut(
        self, rng: np.random.Generator, fields: list[Field], size_wh: tuple[int, int], zoom: float = 1.0
    ) -> Field:
        """Return a random cut of a random field at `size_wh`, turned or mirrored; `zoom` > 1 coarsens it."""
        field = fields[rng.integers(len(fields))]
        wide = int(np.clip(size_wh[0] / zoom, 8, FIELD_PX))
        high = int(np.clip(size_wh[1] / zoom, 8, FIELD_PX))
        x, y = rng.integers(FIELD_PX - wide + 1), rng.integers(FIELD_PX - high + 1)
        part = field[y : y + high, x : x + wide]
        if rng.random() < 0.5:
            part = part[:, ::-1]
        cut = cv2.resize(np.ascontiguousarray(part), size_wh, interpolation=cv2.INTER_LINEAR)
        return np.asarray(cut, np.float32)

    def noise(self, rng: np.random.Generator, shape: tuple[int, int, int]) -> Field:
        """Return white noise of deviation 1, `shape` (height, width, channels), from the sensor bank."""
        high, wide, channels = shape
        out = np.empty(shape, np.float32)
        for channel in range(channels):
            plane = self.sensor[rng.integers(len(self.sensor))]
            y, x = rng.integers(1024 - high + 1), rng.integers(1024 - wide + 1)
            out[:, :, channel] = plane[y : y + high, x : x + wide]
        return out


def table_top(rng: np.random.Generator, bank: TextureBank, size_wh: tuple[int, int]) -> ImageU8:
    """Return a table's surface, (height, width, 3) uint8 BGR: plain, wood, cloth, printed cloth or stone."""
    wide, high = size_wh
    kind = rng.choice(["plain", "wood", "cloth", "printed", "stone"], p=[0.2, 0.28, 0.2, 0.2, 0.12])
    base = np.array(any_colour(rng, 0.9 if rng.random() < 0.5 else 0.35), np.float32)
    if kind == "wood" and rng.random() < 0.7:
        base = np.array(bgr(rng.uniform(10, 45), rng.uniform(0.2, 0.9), rng.uniform(0.12, 0.95)), np.float32)
    surface = np.empty((high, wide, 3), np.float32)
    surface[:] = base
    contrast = rng.uniform(0.02, 0.3)
    if kind == "plain":
        surface *= 1 + 0.3 * contrast * bank.cut(rng, bank.clouds, size_wh)[..., None]
    elif kind == "wood":
        turned = rng.random() < 0.5
        grain = bank.cut(rng, bank.wood, (high, wide) if turned else (wide, high), rng.uniform(0.7, 3))
        grain = grain.T if turned else grain
        surface *= 1 + contrast * grain[..., None]
        if rng.random() < 0.5:
            _saw_into_planks(rng, surface.swapaxes(0, 1) if turned else surface)
    elif kind == "cloth":
        pitch = rng.uniform(2.2, 7)
        angle = rng.uniform(0, np.pi)
        ys, xs = np.mgrid[0:high, 0:wide].astype(np.float32)
        across = np.cos(angle) * xs + np.sin(angle) * ys
        along = -np.sin(angle) * xs + np.cos(angle) * ys
        weave = np.sin(across * 2 * np.pi / pitch) * np.sin(along * 2 * np.pi / pitch)
        surface *= 1 + contrast * (0.4 * weave + 0.6 * bank.cut(rng, bank.grain, size_wh))[..., None]
    elif kind == "printed":
        _print_pattern(rng, surface)
        surface *= 1 + 0.3 * contrast * bank.cut(rng, bank.grain, size_wh)[..., None]
    else:
        surface *= 1 + contrast * bank.cut(rng, bank.clouds, size_wh, rng.uniform(0.3, 1))[..., None]
        veins = np.exp(-np.abs(bank.cut(rng, bank.clouds, size_wh)) * rng.uniform(6, 20))
        surface += (veins * rng.uniform(-90, 90))[..., None]
    return np.clip(surface, 0, 255).astype(np.uint8)


def _saw_into_planks(rng: np.random.Generator, surface: Field) -> None:
    """Tint upright planks of `surface` in place, each in its own way, with a dark seam between them."""
    step, at = int(rng.uniform(50, 250)), int(rng.uniform(0, 50))
    dark = rng.uniform(0.3, 0.9)
    thick = int(rng.integers(1, 5))
    for left in range(at, surface.shape[1], step):
        surface[:, left : left + step] *= 1 + rng.normal(0, 0.12)
        surface[:, left : left + thick] *= dark


def _print_pattern(rng: np.random.Generator, surface: Field) -> None:
    """Print stripes, checks, dots or squares onto `surface` in place."""
    high, wide = surface.shape[:2]
    second = np.array(any_colour(rng), np.float32)
    pitch = rng.uniform(14, 110)
    angle = rng.uniform(0, np.pi)
    ys, xs = np.mgrid[0:high, 0:wide].astype(np.float32)
    across = (np.cos(angle) * xs + np.sin(angle) * ys) / pitch
    along = (-np.sin(angle) * xs + np.cos(angle) * ys) / pitch
    duty = rng.uniform(0.2, 0.6)
    kind = rng.integers(4)
    if kind == 0:
        mask = (across % 1) < duty
    elif kind == 1:
        mask = ((across % 1) < duty) ^ ((along % 1) < duty)
    elif kind == 2:
        mask = (across % 1 - 0.5) ** 2 + (along % 1 - 0.5) ** 2 < (duty / 2) ** 2
    else:
        mask = ((across % 1) < duty) & ((along % 1) < duty)
    share = rng.uniform(0.3, 1.0) * mask.astype(np.float32)[..., None]
    surface *= 1 - share
    surface += share * second
