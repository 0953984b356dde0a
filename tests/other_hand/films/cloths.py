"""Tablecloths as people have them, each film its own: chequered, tartan, striped, tiled, dark, printed."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.other_hand.table_tops import PX_PER_SIDE, TOP_PX, Texture, soft_noise

_TINTS = (
    (38, 52, 112), (168, 42, 44), (44, 96, 60), (208, 160, 60), (92, 52, 94), (60, 60, 66), (180, 96, 52),
    (70, 130, 150),
)  # fmt: skip
_PALE = ((238, 234, 224), (224, 216, 198), (208, 214, 218), (232, 220, 226))
_NIGHT = ((24, 24, 30), (30, 22, 24), (20, 30, 34), (40, 34, 30))
Rng = np.random.Generator
Paint = NDArray[np.float32]
"""(3,), red first."""


def _colour(rng: Rng, palette: tuple[tuple[int, int, int], ...]) -> Paint:
    return (np.array(palette[rng.integers(len(palette))]) * rng.uniform(0.85, 1.12, 3)).astype(np.float32)


def _mixed(ground: Paint, ink: Paint, share: Texture) -> Texture:
    return ground + share[..., None] * (ink - ground)


def _stripes(pitch_px: float, share: float = 0.5) -> Texture:
    """Return (TOP_PX,) 1 on a stripe and 0 between."""
    return (np.arange(TOP_PX) / pitch_px % 1 < share).astype(np.float32)


def _chequered(rng: Rng) -> Texture:
    """Squares that are as large as tiles, more or less."""
    across = _stripes(2 * PX_PER_SIDE * rng.uniform(0.55, 1.5))
    share = (across + across[:, None]) / 2
    if rng.random() < 0.3:
        share = np.abs(across - across[:, None])
    ground = _colour(rng, _PALE)
    return _mixed(ground, _colour(rng, _TINTS), cv2.GaussianBlur(share, (0, 0), 0.8))


def _tartan(rng: Rng) -> Texture:
    pitch = PX_PER_SIDE * rng.uniform(1.4, 3.2)
    cloth = np.broadcast_to(_colour(rng, _TINTS), (TOP_PX, TOP_PX, 3)).astype(np.float32)
    for width in (0.42, 0.1, 0.05):
        band = np.roll(_stripes(pitch, width), int(rng.integers(TOP_PX)))
        ink = _colour(rng, _PALE if width < 0.1 else _TINTS)
        cloth = _mixed(cloth, ink, (band + band[:, None]) * np.float32(0.42))
    return cloth


def _striped(rng: Rng) -> Texture:
    share = np.zeros(TOP_PX, np.float32)
    for _ in range(int(rng.integers(1, 4))):
        share += _stripes(PX_PER_SIDE * rng.uniform(0.5, 2.5), rng.uniform(0.15, 0.5)) * 0.4
    ground = _colour(rng, _PALE if rng.random() < 0.6 else _NIGHT)
    return _mixed(ground, _colour(rng, _TINTS), np.broadcast_to(share, (TOP_PX, TOP_PX)))


def _tiled(rng: Rng) -> Texture:
    """Return glazed tiles with joints, some of them in another colour: square and framed, as tiles are."""
    pitch = int(PX_PER_SIDE * rng.uniform(0.8, 1.6))
    number = TOP_PX // pitch + 1
    tone = rng.choice(3, (number, number), p=(0.6, 0.25, 0.15))
    tints = np.stack([_colour(rng, _PALE), _colour(rng, _TINTS), _colour(rng, _TINTS)])
    cloth = tints[tone].repeat(pitch, axis=0).repeat(pitch, axis=1)[:TOP_PX, :TOP_PX]
    joint = np.maximum.outer(_stripes(pitch, 0.05), _stripes(pitch, 0.05))
    return _mixed(cloth.astype(np.float32), _colour(rng, _PALE) * 0.8, joint)


def _dark(rng: Rng) -> Texture:
    """Return a cloth that is nearly black, with a weave that hardly shows."""
    weave = soft_noise(rng, 1.5, 4) + soft_noise(rng, 4, 1.5)
    return _colour(rng, _NIGHT) * (1 + np.float32(0.12) * weave)[..., None]


def _printed(rng: Rng) -> Texture:
    """Return rings, lozenges and leaves, light on dark or dark on light."""
    ground, inks = _colour(rng, _NIGHT + _TINTS), [_colour(rng, _PALE), _colour(rng, _TINTS)]
    if rng.random() < 0.5:
        ground, inks[0] = inks[0], ground
    cloth = np.full((TOP_PX, TOP_PX, 3), ground, np.float32)
    pitch = PX_PER_SIDE * rng.uniform(0.5, 1.1)
    size, corners = pitch * rng.uniform(0.25, 0.45), int(rng.choice([4, 4, 6, 40]))
    angles = np.arange(corners) * 2 * np.pi / corners + rng.choice([0, np.pi / 4])
    shape = np.stack([np.cos(angles), np.sin(angles)], axis=1) * size
    for row in range(int(TOP_PX / pitch) + 1):
        for column in range(int(TOP_PX / pitch) + 1):
            middle = np.array([column + 0.5 * (row % 2), row]) * pitch
            points = np.round((shape + middle) * 16).astype(np.int32)
            ink = inks[(row + column) % 2].tolist()
            cv2.polylines(cloth, [points], True, ink, max(2, int(size / 8)), cv2.LINE_AA, 4)
            cv2.circle(cloth, middle.astype(int).tolist(), int(size / 5), ink, -1, cv2.LINE_AA)
    return cloth


_HARD: dict[str, Callable[[Rng], Texture]] = {
    "chequered": _chequered, "tartan": _tartan, "striped": _striped, "tiled": _tiled, "dark": _dark,
    "printed": _printed,
}  # fmt: skip
CLOTHS = tuple(_HARD)
_ODDS = (0.34, 0.14, 0.1, 0.12, 0.18, 0.12)


def draw_cloth(rng: Rng) -> tuple[str, NDArray[np.uint8]]:
    """Return the name of a cloth's pattern, and its texture: (TOP_PX, TOP_PX, 3) uint8, BGR."""
    name = str(rng.choice(CLOTHS, p=_ODDS))
    cloth = _HARD[name](rng)
    tone = np.float32(0.03) * soft_noise(rng, 2, 2) + np.float32(0.04) * soft_noise(rng, 220, 160)
    for _ in range(int(rng.integers(0, 4))):
        crease = np.exp(-(((np.arange(TOP_PX) - rng.integers(TOP_PX)) / rng.uniform(6, 20)) ** 2))
        crease = crease.astype(np.float32) * np.float32(rng.uniform(-0.12, 0.12))
        tone += crease if rng.random() < 0.5 else crease[:, None]
    cloth = cloth * (1 + tone[..., None])
    return name, np.ascontiguousarray(np.clip(cloth, 0, 255).astype(np.uint8)[..., ::-1])
