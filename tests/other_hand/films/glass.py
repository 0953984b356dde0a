"""A glass of water: what stands behind it is seen through it, moved and a little paler."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.other_hand.camera import Camera

GLASS_RADIUS = 0.78


def lay_glass(
    picture: NDArray[np.uint8], camera: Camera, at: tuple[float, float], rng: np.random.Generator
) -> None:
    """Paint a glass that stands at a place of the table over a (H, W, 3) picture."""
    height, radius = rng.uniform(1.4, 2.1), GLASS_RADIUS
    angles = np.arange(40) * 2 * np.pi / 40
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    base, water, rim = (
        camera.project(np.column_stack([ring * share * radius + at, np.full(40, z)]))
        for share, z in ((0.8, 0.02), (0.93, 0.7 * height), (1.0, height))
    )
    hull = cv2.convexHull(np.concatenate([base, rim]).astype(np.float32))[:, 0]
    low = np.maximum(np.floor(hull.min(axis=0)).astype(int) - 3, 0)
    top = np.minimum(np.ceil(hull.max(axis=0)).astype(int) + 4, camera.size_wh)
    if (top - low < 8).any():
        return
    region = picture[low[1] : top[1], low[0] : top[0]]
    size_wh = (region.shape[1], region.shape[0])

    def filled(points: NDArray[np.float64] | NDArray[np.float32]) -> NDArray[np.float32]:
        mask = np.zeros(size_wh[::-1], np.uint8)
        cv2.fillPoly(mask, [np.round((points - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return mask[..., None].astype(np.float32) / np.float32(255)

    middle = base.mean(axis=0) - low
    bend = cv2.getRotationMatrix2D(middle.tolist(), rng.uniform(-4, 4), 0.86)
    through = cv2.warpAffine(region, bend, size_wh, borderMode=cv2.BORDER_REFLECT).astype(np.float32)
    through = through * np.array([0.97, 0.95, 0.9], np.float32) + 12
    body, filling = filled(hull), filled(water)
    seen = region + body * 0.8 * (through - region)
    seen += filling * (0.12 * (np.array([206, 200, 186], np.float32) - seen))
    lines = seen.copy()
    for points, tint, thick in ((rim, 250, 3), (rim, 120, 1), (base, 90, 2), (water, 225, 1)):
        cv2.polylines(
            lines,
            [np.round((points - low) * 16).astype(np.int32)],
            True,
            (tint, tint, tint),
            thick,
            cv2.LINE_AA,
            4,
        )
    first = int(rng.integers(40))
    for step in (0, 1, 6):
        ends = np.round(np.array([base[(first + step) % 40], rim[(first + step) % 40]]) - low).astype(int)
        cv2.line(lines, ends[0].tolist(), ends[1].tolist(), (248, 248, 248), 2, cv2.LINE_AA)
    seen += np.float32(0.65) * (lines - seen)
    region[:] = np.clip(seen, 0, 255).astype(np.uint8)
