"""A camera of our own: a pinhole with a bending lens over a table whose unit is one tile's side."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """World: x to the right, y towards the players, z up from the table top; unit: a tile's side.

    Pixels: the middle of the top left one is (0, 0).
    """

    size_wh: tuple[int, int]
    focal_px: float
    bend: tuple[float, float]
    """Radial lens distortion, of the second and fourth power of the distance in focal lengths."""
    turn: Array
    """(3, 3): world to camera."""
    target: Array
    """(2,): where on the table the middle of the picture looks."""
    distance: float
    """From the lens to that point."""

    @staticmethod
    def over_table(
        size_wh: tuple[int, int],
        *,
        side_px: float,
        focal_px: float,
        bend: tuple[float, float],
        yaw_deg: float,
        tilt_deg: float,
        tilt_towards_deg: float,
        target: tuple[float, float],
    ) -> Camera:
        """Return a camera that shows a tile in its middle `side_px` wide.

        `tilt_towards_deg` 0 looks from the players' side, 90 from their right.
        """
        yaw, tilt, towards = np.radians([yaw_deg, tilt_deg, tilt_towards_deg])
        flat = np.diag([1.0, 1.0, -1.0])
        turned = _about_z(towards) @ _about_x(tilt) @ _about_z(-towards) @ _about_z(yaw) @ flat
        return Camera(size_wh, focal_px, bend, turned, np.array(target, float), focal_px / side_px)

    @property
    def place(self) -> Array:
        """(3,): where the lens is."""
        return np.append(self.target, 0.0) - self.turn.T @ np.array([0, 0, self.distance])

    def project(self, points: Array) -> Array:
        """Return the (N, 2) pixels of (N, 3) world points."""
        seen = (points - np.append(self.target, 0.0)) @ self.turn.T
        flat = seen[:, :2] / np.maximum(seen[:, 2:] + self.distance, 0.05)
        square = (flat**2).sum(axis=1, keepdims=True)
        bent = flat * (1 + self.bend[0] * square + self.bend[1] * square**2)
        return bent * self.focal_px + (np.array(self.size_wh) - 1) / 2

    def table_points(self, step: int = 1) -> NDArray[np.float32]:
        """Return for every `step`-th pixel the (H, W, 2) place on the table that it shows."""
        wide, high = self.size_wh
        xs = (np.arange(0, wide, step, dtype=np.float32) - (wide - 1) / 2) / self.focal_px
        ys = (np.arange(0, high, step, dtype=np.float32) - (high - 1) / 2) / self.focal_px
        bent = np.stack(np.meshgrid(xs, ys), axis=-1).astype(np.float32)
        goal = (bent**2).sum(axis=-1)
        straight = np.ones_like(goal)
        for _ in range(4):
            square = goal * straight**2
            straight = 1 / (1 + np.float32(self.bend[0]) * square + np.float32(self.bend[1]) * square**2)
        rays = np.dstack([bent * straight[..., None], np.ones_like(goal)]) @ self.turn.astype(np.float32)
        lens = self.place.astype(np.float32)
        reach = -lens[2] / np.minimum(rays[..., 2], -0.05)
        return rays[..., :2] * reach[..., None] + lens[:2]


def _about_x(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, s], [0, -s, c]])


def _about_z(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def paste(
    picture: NDArray[np.uint8], patch: NDArray[np.uint8], quad_px: Array, shape: NDArray[np.uint8]
) -> None:
    """Lay a square (S, S, 3) patch into a quad of the picture, as far as its `shape` (S, S), 0..255, covers.

    The patch's outer corners come to lie on the quad, top left first, clockwise.
    """
    high, wide = picture.shape[:2]
    low = np.maximum(np.floor(quad_px.min(axis=0)).astype(int) - 1, 0)
    top = np.minimum(np.ceil(quad_px.max(axis=0)).astype(int) + 2, (wide, high))
    if (top <= low).any():
        return
    tall, broad = patch.shape[:2]
    corners = np.array([[0, 0], [broad, 0], [broad, tall], [0, tall]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners, (quad_px - low).astype(np.float32))
    size_wh = (int(top[0] - low[0]), int(top[1] - low[1]))
    laid = cv2.warpPerspective(patch, matrix, size_wh, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(shape, matrix, size_wh, flags=cv2.INTER_LINEAR)
    blend(picture[low[1] : top[1], low[0] : top[0]], laid, mask)


def blend(
    region: NDArray[np.uint8], paint: NDArray[np.uint8] | NDArray[np.float32], mask: NDArray[np.uint8]
) -> None:
    """Put paint over a region of the picture as far as its mask, 0..255, covers."""
    alpha = mask[..., None].astype(np.float32) / np.float32(255)
    region[:] = (region + alpha * (paint.astype(np.float32) - region) + np.float32(0.5)).astype(np.uint8)
