"""Which photos the arguments of a command name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path


def photo_files(sources: Sequence[Path]) -> Iterator[Path]:
    """Yield the photos, and those in folders sorted by name; a folder without photos is yielded itself."""
    from vision.imaging.picture_names import is_picture_name

    for source in sources:
        inside = sorted(path for path in source.iterdir() if is_picture_name(path)) if source.is_dir() else []
        yield from inside or [source]
