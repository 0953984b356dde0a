"""Numerals in many typefaces, as ink masks.

The fonts are whatever the system has (`FONT_PACKAGES` names Debian's packages that the shipped model
was trained with); a font counts only if its ten digits look like digits and can be told apart.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]

WEIGHTS = (1, 2, 4, 6, 7, 10, 20, 30, 40, 60, 100, 120, 200)
"""Every weight a tile can carry, in the order of the reader's weight classes."""

GLYPH_PX = 64
"""Height of a stored digit, in pixels."""

_FONT_DIRECTORIES = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts")

# Where a digit's likeness to the mean of its kind (correlation of 24x16 pictures) falls below this, the
# font is a dingbat or too ornate for a game tile. Looked up on a contact sheet of 1,300 fonts.
_MIN_LIKENESS = 0.45
_MAX_CONFUSION = 0.90


def font_files() -> list[Path]:
    """Return every TrueType or OpenType file of the system, sorted by file name."""
    found: dict[str, Path] = {}
    for directory in _FONT_DIRECTORIES:
        for path in sorted(Path(directory).expanduser().rglob("*")):
            if path.suffix.lower() in {".ttf", ".otf"}:
                found.setdefault(path.name, path)
    return [found[name] for name in sorted(found)]


def _digits_of(path: Path) -> list[Mask] | None:
    """Return the ten digits as masks of one height, or None where the font has no such glyphs."""
    from PIL import Image, ImageDraw, ImageFont

    try:
        font = ImageFont.truetype(str(path), 80)
        boxes = [font.getbbox(digit) for digit in "0123456789"]
    except (OSError, ValueError):
        return None
    top = min(box[1] for box in boxes)
    bottom = max(box[3] for box in boxes)
    if bottom - top < 20 or any(box[2] - box[0] < 4 for box in boxes):
        return None
    digits = []
    for digit, box in zip("0123456789", boxes, strict=True):
        image = Image.new("L", (int(box[2] - box[0]) + 4, int(bottom - top) + 4), 0)
        ImageDraw.Draw(image).text((2 - box[0], 2 - top), digit, fill=255, font=font)
        mask = np.asarray(image, np.uint8)
        scale = GLYPH_PX / mask.shape[0]
        width = max(6, round(mask.shape[1] * scale))
        scaled = cv2.resize(mask, (width, GLYPH_PX), interpolation=cv2.INTER_AREA)
        digits.append(np.asarray(scaled, np.uint8))
    return digits


def _thumbnail(mask: Mask) -> NDArray[np.float32]:
    rows, columns = np.where(mask > 60)
    if len(rows) < 20:
        return np.zeros(24 * 16, np.float32)
    ink = mask[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    small = cv2.GaussianBlur(cv2.resize(ink, (16, 24), interpolation=cv2.INTER_AREA), (0, 0), 1.0)
    vector = small.astype(np.float32).ravel()
    vector -= vector.mean()
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm > 0 else vector


def load_typefaces(cache: Path | None = None) -> list[list[Mask]]:
    """Return the usable typefaces, each as ten masks (digits 0 to 9), (GLYPH_PX, width) uint8, ink 255.

    Args:
        cache: Where to keep the result between runs; None keeps nothing.
    """
    if cache is not None and cache.exists():
        with np.load(cache) as stored:
            count = len(stored.files) // 10
            return [[stored[f"{face}_{digit}"] for digit in range(10)] for face in range(count)]
    faces = [digits for path in font_files() if (digits := _digits_of(path)) is not None]
    vectors = np.array([[_thumbnail(mask) for mask in digits] for digits in faces])
    unique: dict[bytes, int] = {}
    for index, vector in enumerate(vectors):
        unique.setdefault(np.round(vector[:, ::7], 2).tobytes(), index)
    kept = sorted(unique.values())
    mean = np.median(vectors[kept], axis=0)
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    usable = []
    for index in kept:
        likeness = np.einsum("dk,dk->d", vectors[index], mean)
        among = vectors[index] @ vectors[index].T - np.eye(10)
        if likeness.min() > _MIN_LIKENESS and np.median(likeness) > 0.62 and among.max() < _MAX_CONFUSION:
            usable.append(faces[index])
    if cache is not None:
        cache.parent.mkdir(parents=True, exist_ok=True)
        masks: dict[str, Any] = {
            f"{face}_{digit}": mask for face, ten in enumerate(usable) for digit, mask in enumerate(ten)
        }
        np.savez_compressed(cache, **masks)
    return usable


def numeral(digits: list[Mask], weight: int, gap_px: int) -> Mask:
    """Return `weight` written in one typeface, (GLYPH_PX, width) uint8, cropped to its ink's width."""
    parts = []
    for character in str(weight):
        mask = digits[int(character)]
        columns = np.where(mask.max(axis=0) > 40)[0]
        parts.append(mask[:, columns.min() : columns.max() + 1])
        parts.append(np.zeros((GLYPH_PX, gap_px), np.uint8))
    return np.hstack(parts[:-1])
