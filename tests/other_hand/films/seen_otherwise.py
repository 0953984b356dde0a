"""A filmed game as another seat, camera or lamp would have shown it: `python -m … GAME_DIR WAY OUT.mp4`.

GAME_DIR holds the key frames of a game, `frame_000.jpg` and so on, 1280 x 720 pixels each, such as somebody
else filmed. Whoever mends the product by such a game knows it by heart; seen otherwise it is a new one, with
the same truth. Each key frame lasts a second of 15 frames, with noise that differs on each of them.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

FPS, SIZE_WH, NOISE = 15, (1280, 720), 2.0
Picture = NDArray[np.float32]
"""(720, 1280, 3), BGR, of 0 to 255; beyond that it is clipped."""


def _seen_through(matrix: NDArray[np.float64]) -> Callable[[Picture, float], Picture]:
    """Return a way to move the camera by a (3, 3) homography; beyond its edges the table is mirrored."""
    return lambda picture, _share: np.asarray(
        cv2.warpPerspective(
            picture, matrix, SIZE_WH, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101
        ),
        np.float32,
    )


def _turned(degrees: float, scale: float) -> Callable[[Picture, float], Picture]:
    wide, high = SIZE_WH
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, scale)
    return _seen_through(np.vstack([turn, [0, 0, 1]]))


def _tilted() -> Callable[[Picture, float], Picture]:
    wide, high = SIZE_WH
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    seen = corners + np.array([[140, 70], [-90, 40], [-10, -10], [20, -20]], np.float32)
    return _seen_through(np.asarray(cv2.getPerspectiveTransform(corners, seen), np.float64))


def _lit(gain: float, gamma: float = 1.0, add: float = 0.0) -> Callable[[Picture, float], Picture]:
    return lambda picture, _share: (gain * 255 * (picture / 255) ** gamma + add).astype(np.float32)


def _tinted(blue: float, green: float, red: float) -> Callable[[Picture, float], Picture]:
    return lambda picture, _share: picture * np.array([blue, green, red], np.float32)


def _lit_from_one_side(picture: Picture, _share: float) -> Picture:
    across = np.linspace(0.45, 1.15, picture.shape[1], dtype=np.float32)
    return picture * across[None, :, None]


def _blurred(picture: Picture, _share: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.4), np.float32)


def _coarse(picture: Picture, _share: float) -> Picture:
    small = cv2.resize(picture, (720, 405), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, SIZE_WH, interpolation=cv2.INTER_CUBIC), np.float32)


def _compressed(picture: Picture, _share: float) -> Picture:
    packed = cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 35])
    return np.asarray(cv2.imdecode(packed[1], cv2.IMREAD_COLOR), np.float32)


def _held_by_hand(picture: Picture, share: float) -> Picture:
    wide, high = SIZE_WH
    move = cv2.getRotationMatrix2D((wide / 2, high / 2), 4 * math.sin(4 * math.pi * share), 0.95)
    move[:, 2] += 25 * math.sin(10 * math.pi * share), 15 * math.cos(6 * math.pi * share)
    seen = cv2.warpAffine(picture, move, SIZE_WH, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(seen, np.float32)


def _drifting(picture: Picture, share: float) -> Picture:
    return (picture * (0.8 + 0.3 * math.sin(6 * math.pi * share))).astype(np.float32)


def _balanced_anew(picture: Picture, share: float) -> Picture:
    shift = 0.12 * math.sin(8 * math.pi * share)
    return _tinted(1 + shift, 1, 1 - shift)(picture, share)


WAYS: dict[str, Callable[[Picture, float], Picture]] = {
    "upside-down": _turned(180, 1),
    "turned": _turned(20, 0.85),
    "tilted": _tilted(),
    "far": _turned(0, 0.78),
    "farther": _turned(0, 0.62),
    "dim": _lit(0.6, 1.25),
    "night": _lit(0.38, 1.1),
    "bright": _lit(1.3, add=8),
    "warm": _tinted(0.72, 0.95, 1.1),
    "cold": _tinted(1.12, 0.98, 0.8),
    "one-sided": _lit_from_one_side,
    "blurred": _blurred,
    "coarse": _coarse,
    "compressed": _compressed,
    "held": _held_by_hand,
    "drifting": _drifting,
    "balanced": _balanced_anew,
}
"""What the table is seen by: the picture, and which share of the film has gone by, of 0 to 1."""


def write(game: Path, way: str, path: Path) -> int:
    """Write a game as a video; return of how many frames."""
    files = sorted(game.glob("frame_*.jpg"))
    rng = np.random.default_rng(7)
    noise = NOISE * rng.standard_normal((8, SIZE_WH[1], SIZE_WH[0], 3), np.float32)
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE_WH)
    for number in range(FPS * len(files)):
        if number % FPS == 0:
            key = np.asarray(cv2.imread(str(files[number // FPS])), np.float32)
        seen = WAYS[way](key, number / (FPS * len(files)))
        moved = np.roll(noise[number % len(noise)], tuple(rng.integers(SIZE_WH[1], size=2)), (0, 1))
        video.write(np.clip(seen + moved, 0, 255).astype(np.uint8))
    video.release()
    return FPS * len(files)


def main() -> None:
    """Write the video."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", type=Path)
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("out", type=Path)
    asked = parser.parse_args()
    print(f"{write(asked.game, asked.way, asked.out)} frames in {asked.out}")


if __name__ == "__main__":
    main()
