"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path, *, sync: bool = False) -> Iterator[Path]:
    """Give a place beside `path` to write to; what lies there replaces `path` when the block ends.

    If the block fails, `path` stays as it was, and nothing is left beside it:

        with replacing(path) as beside:
            beside.write_text(text, encoding="utf-8")

    Args:
        path: The file to write or replace. Its folder must exist.
        sync: Whether to wait until the disk has the new content, so that a power cut loses neither the old
            file nor the new one. This takes milliseconds.

    Raises:
        OSError: The file cannot be written.
    """
    # With the process in its name, two programs that write one file do not write into each other's work.
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield beside
        if sync:
            with beside.open("rb+") as file:
                os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
