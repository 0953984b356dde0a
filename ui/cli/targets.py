"""Files that a command writes: never over what somebody else made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ui.errors import ToldError
from ui.text.errors import IS_ORIGINAL, NOT_OURS
from vision.files import is_same_file, may_be_replaced


def check_target(target: Path, originals: Iterable[Path] = (), *, beginning: bytes = b"") -> None:
    """Check that a command may write a file.

    Args:
        target: The file that was asked for.
        originals: What the command reads.
        beginning: How the files begin that the command writes, where they have no mark of ours at their end.

    Raises:
        ToldError: It is an original, or something lies there that this version did not write.
    """
    if any(is_same_file(target, original) for original in originals):
        raise ToldError(IS_ORIGINAL, name=str(target))
    if not may_be_replaced(target, beginning=beginning):
        raise ToldError(NOT_OURS, name=str(target))
