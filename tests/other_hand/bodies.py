"""Bodies on the table: meshes of flat faces, turned ones, hands; each becomes a layer over the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.other_hand.camera import Array, Camera, blend

Rgb = tuple[float, float, float]
Face = tuple[Array, Rgb]
"""Corners (N, 3) in the world, and the colour as lit."""
LIGHT = np.array([-0.45, -0.35, 0.82])
"""Where the light comes from that shades bodies."""
_FINER = 3
"""Layers are painted this much finer, to smooth their edges."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Paint for a part of the picture."""

    left: int
    top: int
    mask: NDArray[np.uint8]
    """(H, W): 255 where the body hides what lies under it."""
    paint: NDArray[np.float32]
    """(H, W, 3), BGR, 0..255."""

    def lay_over(self, picture: NDArray[np.uint8]) -> None:
        """Paint this layer over the picture."""
        high, wide = self.mask.shape
        blend(picture[self.top : self.top + high, self.left : self.left + wide], self.paint, self.mask)

    def cover(self, size_wh: tuple[int, int]) -> NDArray[np.uint8]:
        """Return the mask in a picture's full size."""
        full = np.zeros((size_wh[1], size_wh[0]), np.uint8)
        high, wide = self.mask.shape
        full[self.top : self.top + high, self.left : self.left + wide] = self.mask
        return full


def lit(colour: Rgb, normal: Array) -> Rgb:
    """Return a colour as a face with this normal shows it."""
    share = 0.55 + 0.5 * max(0.0, float(normal @ LIGHT) / float(np.linalg.norm(normal) + 1e-9))
    return tuple(min(255.0, value * share) for value in colour)  # type: ignore[return-value]


def mesh_layer(camera: Camera, faces: Sequence[Face]) -> Layer | None:
    """Return the layer of a mesh, nearest faces last, or None where it lies outside the picture."""
    lens = camera.place
    far_first = sorted(faces, key=lambda face: -float(np.linalg.norm(face[0].mean(axis=0) - lens)))
    outlines = [camera.project(points) for points, _ in far_first]
    every = np.concatenate(outlines)
    low = np.maximum(np.floor(every.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(every.max(axis=0)).astype(int) + 2, camera.size_wh)
    if (high <= low).any():
        return None
    size = (high - low).astype(int)
    finer = _FINER if size.max() < 700 else 1
    paint = np.zeros((size[1] * finer, size[0] * finer, 3), np.uint8)
    mask = np.zeros(paint.shape[:2], np.uint8)
    for outline, (_, colour) in zip(outlines, far_first, strict=True):
        fixed = np.round(((outline - low + 0.5) * finer - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(paint, [fixed], colour[::-1], cv2.LINE_8, 4)
        cv2.fillPoly(mask, [fixed], 255, cv2.LINE_8, 4)
    weight = cv2.resize(mask, tuple(size.tolist()), interpolation=cv2.INTER_AREA)
    area = cv2.resize(paint, tuple(size.tolist()), interpolation=cv2.INTER_AREA).astype(np.float32)
    area *= 255 / np.maximum(weight, 1)[..., None]
    return Layer(int(low[0]), int(low[1]), weight, area)


def turned(
    profile: Sequence[tuple[float, float, Rgb]], at: tuple[float, float], around: int = 28
) -> list[Face]:
    """Return the faces of a body turned on a lathe, closed at its top; (radius, height, colour) upwards."""
    angles = np.arange(around + 1) * 2 * np.pi / around
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    faces: list[Face] = []
    for (r0, z0, colour), (r1, z1, _) in pairwise(profile):
        for first in range(around):
            side = ring[first] + ring[first + 1]
            normal = np.array([side[0] * (z1 - z0), side[1] * (z1 - z0), 2 * (r0 - r1)])
            lower, upper = ring[first : first + 2] * r0 + at, ring[first : first + 2] * r1 + at
            corners = np.array([(*lower[0], z0), (*lower[1], z0), (*upper[1], z1), (*upper[0], z1)])
            faces.append((corners, lit(colour, normal)))
    r, z, colour = profile[-1]
    faces.append(
        (np.column_stack([ring * r + at, np.full(around + 1, z)]), lit(colour, np.array([0, 0, 1.0])))
    )
    return faces


def box(
    at: tuple[float, float], turn: float, size: tuple[float, float, float], colour: Rgb, floor: float = 0.0
) -> list[Face]:
    """Return the faces of a box that stands on the table."""
    corners = placed_box(at, turn, size[0], size[1])
    low, high = (np.column_stack([corners, np.full(4, z)]) for z in (floor, floor + size[2]))
    faces: list[Face] = [(high, lit(colour, np.array([0, 0, 1.0])))]
    for k in range(4):
        nxt = (k + 1) % 4
        normal = np.append(corners[k] + corners[nxt] - 2 * np.array(at), 0.0)
        faces.append((np.array([low[k], low[nxt], high[nxt], high[k]]), lit(colour, normal)))
    return faces


def placed_box(at: tuple[float, float], turn: float, wide: float, high: float) -> Array:
    """Return the (4, 2) corners of a turned rectangle on the table, top left first, clockwise."""
    half = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    c, s = np.cos(turn), np.sin(turn)
    return half @ np.array([[c, s], [-s, c]]) + at


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that reaches in from `comes_from` (radians, 0 from the right, pi/2 from the players)."""

    at: tuple[float, float]
    comes_from: float
    size: float
    pose: str
    """open, point or fist."""
    skin: Rgb
    sleeve: Rgb
    mirrored: bool
    seed: int

    def layer(self, camera: Camera) -> Layer | None:
        """Return the hand's layer."""
        wide, high = camera.size_wh
        bones = self._bones(0.7 * float(np.hypot(wide, high)) * camera.distance / camera.focal_px)
        height = np.zeros((high, wide), np.float32)
        kind = np.zeros((high, wide), np.uint8)
        ends = np.array([point for bone in bones for point in bone[:2]])
        pixels = camera.project(ends)
        depth = np.linalg.norm(ends - camera.place, axis=1)
        scale = camera.focal_px / depth
        for number, (_, _, r0, r1, cloth) in enumerate(bones):
            a, b = pixels[2 * number], pixels[2 * number + 1]
            ra, rb = r0 * scale[2 * number] * self.size, r1 * scale[2 * number + 1] * self.size
            reach = max(ra, rb) + 2
            low = np.maximum(np.floor(np.minimum(a, b) - reach), 0).astype(int)
            top = np.minimum(np.ceil(np.maximum(a, b) + reach) + 1, (wide, high)).astype(int)
            if (top <= low).any():
                continue
            xs = np.arange(low[0], top[0], dtype=np.float32)[None]
            ys = np.arange(low[1], top[1], dtype=np.float32)[:, None]
            way = b - a
            along = np.clip(((xs - a[0]) * way[0] + (ys - a[1]) * way[1]) / max(float(way @ way), 1e-6), 0, 1)
            square = (xs - a[0] - along * way[0]) ** 2 + (ys - a[1] - along * way[1]) ** 2
            radius = ra + along * (rb - ra)
            rise = np.sqrt(np.maximum(radius**2 - square, 0)).astype(np.float32)
            rise += np.where(rise > 0, 0.35 * min(ra, rb), 0).astype(np.float32)
            region = height[low[1] : top[1], low[0] : top[0]]
            kinds = kind[low[1] : top[1], low[0] : top[0]]
            kinds[(rise > region) | ((rise > 0) & bool(cloth))] = 2 if cloth else 1
            np.maximum(region, rise, out=region)
        rows, columns = np.flatnonzero(height.any(axis=1)), np.flatnonzero(height.any(axis=0))
        if not len(rows):
            return None
        window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        return self._painted(height[window], kind[window], float(scale.mean()), int(columns[0]), int(rows[0]))

    def _painted(
        self, height: NDArray[np.float32], kind: NDArray[np.uint8], scale: float, left: int, top: int
    ) -> Layer:
        rng = np.random.default_rng(self.seed)
        soft = cv2.GaussianBlur(height, (0, 0), max(0.05 * scale * self.size, 0.5))
        slope_x, slope_y = (
            cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=0.125),
            cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=0.125),
        )
        length = np.sqrt(slope_x**2 + slope_y**2 + 1)
        shade = np.clip((-slope_x * LIGHT[0] - slope_y * LIGHT[1] + LIGHT[2]) / length, 0, 1)
        grain = np.zeros_like(height)
        for sigma, share in ((scale * 0.25, 0.05), (scale * 0.07, 0.03), (0.8, 0.015)):
            small = max(1, int(sigma / 2))
            noise = rng.normal(size=(height.shape[0] // small + 2, height.shape[1] // small + 2)).astype(
                np.float32
            )
            noise = cv2.GaussianBlur(noise, (0, 0), max(sigma / small, 0.5))
            noise = cv2.resize(noise / noise.std(), height.shape[::-1], interpolation=cv2.INTER_CUBIC)
            grain += share * noise
        skin = np.array(self.skin[::-1], np.float32) * (0.42 + 0.64 * shade + grain)[..., None]
        skin[..., 2] += 14 * (1 - shade) ** 2
        folds = 0.06 * np.sin(soft / max(scale * 0.05, 1) + 3 * grain / 0.06)
        cloth = (
            np.array(self.sleeve[::-1], np.float32) * (0.3 + 0.72 * shade + folds + 0.6 * grain)[..., None]
        )
        paint = np.where((kind == 2)[..., None], cloth, skin)
        mask = cv2.GaussianBlur((height > 0).astype(np.float32) * 255, (0, 0), 0.7)
        return Layer(left, top, mask.astype(np.uint8), np.clip(paint, 0, 255).astype(np.float32))

    def _bones(self, arm: float) -> list[tuple[Array, Array, float, float, bool]]:
        """Return (start, end, radius there, radius here, whether cloth) of every part, in the world.

        `arm` is how far the sleeve reaches, in sides.
        """
        rng = np.random.default_rng(self.seed)
        knuckles = np.array([(-0.64, -0.72), (-0.22, -0.95), (0.2, -0.9), (0.58, -0.66)])
        lengths = np.array([1.25, 1.5, 1.42, 1.12])
        splay = np.radians(np.array([-13, -4, 5, 15]) * rng.uniform(0.4, 1.3) + rng.uniform(-4, 4, 4))
        if self.pose == "point":
            lengths[1:] = 0.42
        elif self.pose == "fist":
            lengths[:] = 0.4
        parts: list[tuple[tuple[float, float, float], tuple[float, float, float], float, float, bool]] = []
        for number in range(4):
            x, y = knuckles[number]
            parts.append(((0.45 * x, 1.0, 0.5), (x, y, 0.5), 0.44, 0.25, False))
            way = np.array([np.sin(splay[number]), -np.cos(splay[number])])
            middle = np.array([x, y]) + way * lengths[number] * 0.5
            tip = middle + way * lengths[number] * 0.5
            parts.append(((x, y, 0.5), (middle[0], middle[1], 0.42), 0.225, 0.195, False))
            parts.append(((middle[0], middle[1], 0.42), (tip[0], tip[1], 0.25), 0.195, 0.15, False))
        if self.pose == "open":
            parts += [
                ((-0.4, 0.75, 0.45), (-1.0, 0.1, 0.4), 0.36, 0.26, False),
                ((-1.0, 0.1, 0.4), (-1.3, -0.55, 0.3), 0.25, 0.17, False),
            ]
        else:
            parts += [
                ((-0.4, 0.75, 0.45), (-0.8, -0.1, 0.5), 0.36, 0.26, False),
                ((-0.8, -0.1, 0.5), (-0.3, -0.6, 0.6), 0.25, 0.18, False),
            ]
        parts.append(((0, 0.9, 0.5), (0, 2.6, 0.6), 0.56, 0.66, False))
        parts.append(((0, 2.4, 0.6), (0, 3 + arm / self.size, 0.9), 0.86, 1.2, True))
        c, s = np.cos(self.comes_from - np.pi / 2), np.sin(self.comes_from - np.pi / 2)
        flip = -1 if self.mirrored else 1

        def world(point: tuple[float, float, float]) -> Array:
            x, y, z = flip * point[0] * self.size, point[1] * self.size, point[2] * self.size
            return np.array([self.at[0] + c * x - s * y, self.at[1] + s * x + c * y, z])

        return [(world(start), world(end), r0, r1, cloth) for start, end, r0, r1, cloth in parts]
