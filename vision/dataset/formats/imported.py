"""What is read of another program's data set, whatever its format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.dataset.dataset import Problems
from vision.dataset.label_file import SPLITS, Label
from vision.errors import DataSetError, VisionError
from vision.recognition.tile_set import is_code

MAX_BYTES = 256 * 2**20
"""The largest file of labels that is read."""


@dataclass(frozen=True, slots=True)
class ForeignPicture:
    """A picture of another program's data set."""

    path: Path
    labels: tuple[Label, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)
    split: str | None = None
    """Which part of the set it belongs to, where the format says so."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read of another program's data set."""

    pictures: list[ForeignPicture]
    problems: Problems
    licence: str = ""


def read_records(
    records: Sequence[Any],
    read: Callable[[Any], ForeignPicture],
    damaged: Callable[[int, Any, Exception], DataSetError],
) -> tuple[list[ForeignPicture], Problems]:
    """Return the pictures of the records that are sound, and what is wrong with the others.

    Args:
        records: What the file has of each picture; it may be anything.
        read: Makes a picture of a record, and may fail in every way that odd data make it fail.
        damaged: Makes the error for a record that cannot be read, from its number (1 is the first), the
            record and the reason.
    """
    pictures: list[ForeignPicture] = []
    problems: Problems = []
    for number, record in enumerate(records, 1):
        try:
            pictures.append(read(record))
        except VisionError as error:
            problems.append(error)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            problems.append(damaged(number, record, error))
    return pictures, problems


def checked_code(name: Any, path: Path) -> str:
    """Return the name of a class as the code of a tile.

    Raises:
        DataSetError: It cannot be one.
    """
    if not is_code(name):
        raise DataSetError(
            "{name!r} in {path!r} cannot be the code of a tile: a code is one word of at most 24 characters.",
            name=name, path=str(path),
        )  # fmt: skip
    return str(name)


def split_named(texts: Iterable[str]) -> str | None:
    """Return the part of a data set that file or folder names speak of, the nearest name first."""
    for text in texts:
        for split in SPLITS:
            if split in text.lower():
                return split
    return None


def without_keys(extra: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return a dictionary's entries without those of some keys."""
    return {key: value for key, value in extra.items() if key not in keys}
