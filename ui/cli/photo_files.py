"""Which photos the arguments of a command name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path


def photo_files(sources: Sequence[Path]) -> Iterator[Path]:
    """Yield the photos, and those in folders sorted by name.

    A folder without photos, or one that cannot be listed, is yielded itself: whoever opens it says why.
    """
    from vision.imaging.picture_names import is_picture_name

    for source in sources:
        inside: list[Path] = []
        with suppress(OSError):  # also where the name is too long for any file
            if source.is_dir():
                inside = sorted(path for path in source.iterdir() if is_picture_name(path))
        yield from inside or [source]
