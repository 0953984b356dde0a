"""How good a picture is for reading tiles: its light, its sharpness, and how large the tiles are in it.

A picture taken in too little light is made brighter before it is read: no network has learned from such ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, side_px
from vision.imaging.rectify import upright_crops

if TYPE_CHECKING:
    from cv2.typing import MatLike

DARK_BELOW, LIGHTEST = 125.0, 220.0
"""A picture of which not one pixel in 200 is lighter than the first number, in its strongest colour, is made
so bright that one is as light as the second. In the light of a table it never is: the darkest of 616 pictures
has 158."""
_LIGHTER_SHARE, _SAMPLED_ROWS = 0.005, 90
MOST_GAIN = 8.0
"""Noise grows as well. Of 412 tiles at a tenth of their light, which need as much, 99.3 % are read rightly;
at a sixteenth, 94.9 %."""
MUCH_GAIN = 4.0
"""What must be made brighter than by this is too dark: it can be read, but more of it is asked about."""
BRIGHT_ABOVE = 215.0
"""Mean brightness, 0..255."""
MOSTLY_BURNT_OUT = 0.5
"""Share of a tile that is burnt out in some colour. Of other hands' sets at most 0.66 of one tile is; where
they are lit twice as much, more than half of half the tiles."""
GLARE_ABOVE = 0.08
"""Share of pixels that are burnt out."""
_BURNT_OUT = 252
_ONE_COLOUR_BURNT_OUT, _LIGHT_PX = 251, 24
BLURRED_BELOW = 0.25
"""Sharpness; the sample photos have 1.5 to 2.3, and under 0.15 once blurred by 3 % of a tile's side."""
_MIN_SATURATION, _COLOURED_SHARE = 10, 0.01
"""A picture has colours if at least the second share of it is as far from grey as the first number."""
SMALL_BELOW_PX = 40.0
"""The side of a tile; the reader looks at crops of 72 pixels, and half of that still has all it needs."""
FLAT_BELOW = 0.65
"""Of how much a tile may be foreshortened, as a share. At 45 degrees, which is 0.71, 1 % of 412 tiles are
missed in photos; at 55 degrees, which is 0.57, 8.5 %."""
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


class Angle(Enum):
    """What is to be said about how the camera looks at the table; `UNKNOWN` while no tile is seen."""

    GOOD = "good"
    FLAT = "flat"
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
    foreshortened: float | None
    """The shorter side of the median tile in its longer one, as if all were square; None without tiles."""
    gain: float
    """By how much it must be made brighter to be read."""
    burnt_out: float
    """Share of the median tile that is burnt out in some colour, 0..1; 0 without tiles."""

    @property
    def light(self) -> Light:
        """Whether the light suits."""
        if self.gain > MUCH_GAIN:
            return Light.DARK
        if self.brightness > BRIGHT_ABOVE or self.burnt_out > MOSTLY_BURNT_OUT:
            return Light.BRIGHT
        return Light.GLARE if self.glare > GLARE_ABOVE else Light.GOOD

    @property
    def focus(self) -> Focus:
        """Whether the tiles are sharp."""
        if self.sharpness is None:
            return Focus.UNKNOWN
        return Focus.BLURRED if self.sharpness < BLURRED_BELOW else Focus.GOOD

    @property
    def angle(self) -> Angle:
        """Whether the camera looks at the table from high enough."""
        if self.foreshortened is None:
            return Angle.UNKNOWN
        return Angle.FLAT if self.foreshortened < FLAT_BELOW else Angle.GOOD

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
        foreshortened=float(np.median([_foreshortened(quad) for quad in quads_px]))
        if len(quads_px)
        else None,
        gain=gain_for(image_bgr),
        burnt_out=burnt_out(image_bgr, quads_px),
    )


def burnt_out(image_bgr: ImageU8, quads_px: Sequence[Points]) -> float:
    """Return which share of the median tile is burnt out in some colour, 0..1; 0 without tiles.

    Args:
        image_bgr: (H, W, 3) uint8, BGR.
        quads_px: The tiles in it, each (4, 2) in pixels.
    """
    if not len(quads_px):
        return 0.0
    faces = upright_crops(image_bgr, quads_px, _LIGHT_PX, 1.0)
    return float(np.median((faces.max(axis=3) >= _ONE_COLOUR_BURNT_OUT).mean(axis=(1, 2))))


def _sharpness(gray: MatLike, quad_px: Points) -> float | None:
    """Return the sharpness of one tile; None where hardly anything of it is in the picture."""
    x0, y0 = np.maximum(np.floor(quad_px.min(axis=0)), 0).astype(int)
    x1, y1 = np.maximum(np.ceil(quad_px.max(axis=0)), 0).astype(int)
    part = gray[y0:y1, x0:x1]
    if min(part.shape) < 8:
        return None
    crop = cv2.resize(part, (_CROP_PX, _CROP_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    return float(cv2.Laplacian(crop, cv2.CV_32F).var() / max(float(crop.var()), _LEAST_VARIANCE))


def _foreshortened(quad_px: Points) -> float:
    """Return by how much a square is narrower one way than another, whichever way it lies; 0..1."""
    across = quad_px[1] + quad_px[2] - quad_px[0] - quad_px[3]
    down = quad_px[2] + quad_px[3] - quad_px[0] - quad_px[1]
    most, least = np.linalg.svd(np.stack([across, down]).astype(np.float64), compute_uv=False)
    return float(least / most) if most else 1.0


def shows_colour(image_bgr: ImageU8) -> bool:
    """Return whether a (H, W, 3) uint8 BGR picture has colours; a grey one must not be guessed at."""
    high, wide = image_bgr.shape[:2]
    small = image_bgr[:: max(1, high // 100), :: max(1, wide // 100)]
    blue, green, red = cv2.split(small)
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    return bool((most - least >= _MIN_SATURATION).mean() >= _COLOURED_SHARE)


def gain_for(image_bgr: ImageU8) -> float:
    """Return by how much a (H, W, 3) uint8 BGR picture is to be made brighter; 1 where it is light enough."""
    step = max(1, min(image_bgr.shape[:2]) // _SAMPLED_ROWS)
    blue, green, red = cv2.split(np.ascontiguousarray(image_bgr[::step, ::step]))
    strongest = cv2.max(cv2.max(blue, green), red).ravel()
    at = int((1 - _LIGHTER_SHARE) * (strongest.size - 1))
    lightest = float(np.partition(strongest, at)[at])
    return 1.0 if lightest >= DARK_BELOW else min(LIGHTEST / max(lightest, 1.0), MOST_GAIN)


def brighter(image_bgr: ImageU8, gain: float) -> ImageU8:
    """Return a (H, W, 3) uint8 BGR picture with its pixels multiplied by 1 or more; itself where it is 1."""
    return image_bgr if gain == 1.0 else np.asarray(cv2.convertScaleAbs(image_bgr, alpha=gain), np.uint8)


def in_enough_light(image_bgr: ImageU8) -> ImageU8:
    """Return a (H, W, 3) uint8 BGR picture as it would be in enough light; itself where there was enough."""
    return brighter(image_bgr, gain_for(image_bgr))
