"""How good a picture is for reading tiles: its light, its sharpness, and how large the tiles are in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, side_px

if TYPE_CHECKING:
    from cv2.typing import MatLike

DARK_BELOW, BRIGHT_ABOVE = 45.0, 215.0
"""Mean brightness, 0..255."""
GLARE_ABOVE = 0.08
"""Share of pixels that are burnt out."""
_BURNT_OUT = 252
BLURRED_BELOW = 0.25
"""Sharpness; the sample photos have 1.5 to 2.3, and under 0.15 once blurred by 3 % of a tile's side."""
_MIN_SATURATION, _COLOURED_SHARE = 10, 0.01
"""A picture has colours if at least the second share of it is as far from grey as the first number."""
SMALL_BELOW_PX = 40.0
"""The side of a tile; the reader looks at crops of 72 pixels, and half of that still has all it needs."""
_CROP_PX = 48
_LEAST_VARIANCE = 20.0
"""Of brightness within a tile: a plain surface is not sharp because of its noise."""


class Light(Enum):
    """What is to be said about the light."""

    GOOD = "good"
    DARK = "dark"
    BRIGHT = "bright"
    GLARE = "glare"


class Focus(Enum):
    """What is to be said about sharpness; `UNKNOWN` while no tile is seen."""

    GOOD = "good"
    BLURRED = "blurred"
    UNKNOWN = "unknown"


class TileSize(Enum):
    """What is to be said about the tiles' size in the picture; `UNKNOWN` while no tile is seen."""

    GOOD = "good"
    SMALL = "small"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ImageQuality:
    """A picture measured."""

    brightness: float
    """Mean, 0..255."""
    glare: float
    """Share of pixels that are burnt out, 0..1."""
    sharpness: float | None
    """Variance of the Laplacian over that of the brightness, at 48 pixels a tile; None without tiles."""
    tile_px: float | None
    """Median side of the tiles; None without tiles."""

    @property
    def light(self) -> Light:
        """Whether the light suits."""
        if self.brightness < DARK_BELOW:
            return Light.DARK
        if self.brightness > BRIGHT_ABOVE:
            return Light.BRIGHT
        return Light.GLARE if self.glare > GLARE_ABOVE else Light.GOOD

    @property
    def focus(self) -> Focus:
        """Whether the tiles are sharp."""
        if self.sharpness is None:
            return Focus.UNKNOWN
        return Focus.BLURRED if self.sharpness < BLURRED_BELOW else Focus.GOOD

    @property
    def size(self) -> TileSize:
        """Whether the tiles are large enough."""
        if self.tile_px is None:
            return TileSize.UNKNOWN
        return TileSize.SMALL if self.tile_px < SMALL_BELOW_PX else TileSize.GOOD


def measure(image_bgr: ImageU8, quads_px: Sequence[Points] = ()) -> ImageQuality:
    """Return how good a picture is.

    Args:
        image_bgr: (H, W, 3) uint8, BGR.
        quads_px: The tiles in it, as `vision.recognition.detector` finds them, each (4, 2) in pixels.
    """
    gray = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    sharpness = [value for quad in quads_px if (value := _sharpness(gray, quad)) is not None]
    return ImageQuality(
        brightness=float(gray.mean()),
        glare=float((gray >= _BURNT_OUT).mean()),
        sharpness=float(np.median(sharpness)) if sharpness else None,
        tile_px=float(np.median([side_px(quad) for quad in quads_px])) if len(quads_px) else None,
    )


def _sharpness(gray: MatLike, quad_px: Points) -> float | None:
    """Return the sharpness of one tile; None where hardly anything of it is in the picture."""
    x0, y0 = np.maximum(np.floor(quad_px.min(axis=0)), 0).astype(int)
    x1, y1 = np.maximum(np.ceil(quad_px.max(axis=0)), 0).astype(int)
    part = gray[y0:y1, x0:x1]
    if min(part.shape) < 8:
        return None
    crop = cv2.resize(part, (_CROP_PX, _CROP_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    return float(cv2.Laplacian(crop, cv2.CV_32F).var() / max(float(crop.var()), _LEAST_VARIANCE))


def shows_colour(image_bgr: ImageU8) -> bool:
    """Return whether a (H, W, 3) uint8 BGR picture has colours; a grey one must not be guessed at."""
    high, wide = image_bgr.shape[:2]
    small = image_bgr[:: max(1, high // 100), :: max(1, wide // 100)]
    blue, green, red = cv2.split(small)
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    return bool((most - least >= _MIN_SATURATION).mean() >= _COLOURED_SHARE)
