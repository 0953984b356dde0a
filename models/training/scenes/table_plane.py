"""The table's plane, in tile sides with y down, and how a camera sees it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.geometry import UNIT_SQUARE, Points

Place = tuple[float, float, float]
"""Where something lies: x, y, and how far it is turned in degrees."""


def camera(
    rng: np.random.Generator,
    size_wh: tuple[int, int],
    tile_px: float,
    centre: NDArray[np.float64],
    yaw_deg: float,
) -> Points:
    """Return the homography from the table plane (in tile sides, y down) to pixels, (3, 3) float64."""
    wide, high = size_wh
    focal = wide / 2 / np.tan(np.radians(rng.uniform(45, 78)) / 2)
    distance = focal / tile_px
    tilt = np.radians(min(48.0, abs(rng.normal(0, 20))))
    yaw, roll = np.radians(yaw_deg), np.radians(rng.normal(0, 3))
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rolled = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    pose = rolled @ lean @ turn
    shift = np.array([0, 0, distance])
    plane = np.stack([pose[:, 0], pose[:, 1], shift - pose[:, :2] @ centre], 1)
    aim = (wide / 2 + rng.normal(0, 0.06) * wide, high / 2 + rng.normal(0, 0.06) * high)
    lens = np.array([[focal, 0, aim[0]], [0, focal, aim[1]], [0, 0, 1]])
    return np.asarray(lens @ plane, np.float64)


def project(homography: Points, points: NDArray[np.float64]) -> Points:
    """Return points of the table's plane, (n, 2) in tile sides, in pixels."""
    return (
        cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), homography)
        .reshape(-1, 2)
        .astype(np.float32)
    )


def square(x: float, y: float, side: float, turn_deg: float, aspect: float = 1.0) -> NDArray[np.float64]:
    """Return the corners of a tile on the table's plane, (4, 2); `aspect` is height by width."""
    angle = np.radians(turn_deg)
    corners = (UNIT_SQUARE - 0.5) * side * [1, aspect]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(corners @ turn.T + [x, y], np.float64)
