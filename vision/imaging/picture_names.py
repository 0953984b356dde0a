"""Which files are pictures, by their names; free of OpenCV, so that dialogs and arguments can ask at once."""

from __future__ import annotations

from pathlib import Path

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif")
"""How the names of pictures end, in small letters."""


def is_picture_name(path: Path) -> bool:
    """Return whether a file's name says that it is a picture.

    >>> is_picture_name(Path("IMG_0001.HEIC"))
    True
    >>> is_picture_name(Path("notes.txt"))
    False
    """
    return path.suffix.lower() in PICTURE_SUFFIXES
