"""Compares pictures of the window with stored ones, and stores them.

They are stored at a quarter of their size. That shows what stands where, and forgets how the edges of letters
were smoothed. Measured on five pages in two themes, with the first figure below: a window that is drawn 0.3
pixels aside, blurred, or with heavier edges differs by at most 14 levels of 255; one that is shifted by two
pixels by 34 or more; a missing text, tick or button by 60 or more. In dark, a card without its ground differs
by only 8 levels, but over the whole card: that is what the second figure is for.

The font is the same everywhere (`tests/data/fonts.conf`), because another one moves the texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from PySide6.QtGui import QImage

from tests.places import DATA
from ui.platform.qimages import ImageU8, to_bgr

STORED = DATA / "screens"
MOST_APART = 24
"""Levels, for the mean of 3 x 3 stored pixels."""
MOST_APART_IN_AREAS = 4
"""Levels, for every one of 5 x 5 stored pixels."""
_SHRINK = 4
_LOSSLESS = [cv2.IMWRITE_WEBP_QUALITY, 101]


def shrunk(picture: QImage) -> ImageU8:
    """Return a picture as it is stored: (H, W, 3) uint8 BGR."""
    image = to_bgr(picture)
    size_wh = (image.shape[1] // _SHRINK, image.shape[0] // _SHRINK)
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def difference(now: ImageU8, stored: ImageU8) -> str:
    """Return where two shrunk pictures differ more than fonts do, in a few words; empty if they do not."""
    if now.shape != stored.shape:
        return f"the size is {now.shape[1::-1]}, not {stored.shape[1::-1]}"
    apart = now.astype(np.float32) - stored.astype(np.float32)
    for apart_here, most in (
        (np.abs(cv2.blur(apart, (3, 3))).max(axis=2), MOST_APART),
        (cv2.erode(np.abs(apart).max(axis=2), np.ones((5, 5), np.uint8)), MOST_APART_IN_AREAS),
    ):
        row, column = np.unravel_index(int(apart_here.argmax()), apart_here.shape)
        if apart_here[row, column] > most:
            return (
                f"{apart_here[row, column]:.0f} levels apart at x {column * _SHRINK}, y {row * _SHRINK} "
                f"of the window; {most} are forgiven"
            )
    return ""


def store(pictures: Iterable[tuple[str, QImage]]) -> None:
    """Store these pictures in place of all that were stored."""
    new = {f"{name}.webp": shrunk(picture) for name, picture in pictures}
    for old in STORED.glob("*.webp"):
        if old.name not in new:
            old.unlink()
    for name, image in new.items():
        if not (STORED / name).exists() or difference(image, read(STORED / name)):
            cv2.imwrite(str(STORED / name), image, _LOSSLESS)


def read(path: Path) -> ImageU8:
    """Return a stored picture."""
    image = cv2.imread(str(path))
    assert image is not None, f"{path} cannot be read."
    return np.asarray(image, np.uint8)
