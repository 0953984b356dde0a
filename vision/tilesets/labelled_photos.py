"""Photos to learn a tile set from, with labels from their label files or from codes in reading order."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from vision.dataset.label_file import read_labels
from vision.dataset.unordered_tiles import in_reading_order
from vision.errors import LabelError, TileSetError
from vision.imaging.photo import read_photo
from vision.recognition.reader import TileReader
from vision.tilesets.enrolment import LabelledPhoto

MOST_OF_EACH = 20
"""Pictures of one tile that a set is learned from."""


def label_file_of(photo: Path) -> Path:
    """Return where the label file of a photo lies, if it has one."""
    return photo.with_suffix(".json")


def count_labels(photos: Iterable[Path]) -> tuple[int, int]:
    """Return how many labels of these photos are confirmed, and how many are only proposed.

    Raises:
        LabelError: A label file is damaged.
    """
    files = [file for file in map(label_file_of, photos) if os.path.exists(file)]
    known = (read_labels(file) for file in files)
    counts = Counter(label.is_proposed for picture in known for label in picture.labels)
    return counts[False], counts[True]


def labelled_by_files(photos: Iterable[Path]) -> Iterator[LabelledPhoto]:
    """Yield photos with what their label files name.

    Tiles that are partly hidden are left out, and those that nobody has confirmed. Of each tile, only the
    first `MOST_OF_EACH` pictures are used.

    Raises:
        ImageError: A photo cannot be read.
        LabelError: A label file cannot be read, or describes another picture.
    """
    seen: Counter[str] = Counter()
    for path in photos:
        if not os.path.isfile(path):
            read_photo(path)  # which says what is wrong
        known = read_labels(label_file_of(path))
        if known.name != path.name:
            raise LabelError(
                "{labels!r} describes {other!r} and not {photo!r}; correct its \"image\".",
                labels=str(label_file_of(path)), other=known.name, photo=path.name,
            )  # fmt: skip
        of_use = [
            label.is_whole and not label.is_proposed and seen[label.code] < MOST_OF_EACH
            for label in known.labels
        ]
        if not any(of_use):
            continue
        photo = read_photo(path)
        tiles = tuple(
            (label.code, np.array(label.quad_px, np.float32))
            for label, use in zip(known.scaled(1 / photo.scale).labels, of_use, strict=True)
            if use
        )
        seen.update(code for code, _ in tiles)
        yield LabelledPhoto(str(path), photo.image_bgr, tiles)


def labelled_in_order(
    photos: Iterable[Path], codes: Sequence[str], reader: TileReader
) -> list[LabelledPhoto]:
    """Return photos with the tiles that are found in them, named in reading order, photo after photo.

    Raises:
        ImageError: A photo cannot be read.
        TileSetError: Other numbers of tiles are found than are named.
    """
    found = []
    for path in photos:
        image_bgr = read_photo(path).image_bgr
        quads = [np.array(tile.quad_px, np.float32) for tile in reader.laid_out(image_bgr)]
        found.append((str(path), image_bgr, [quads[index] for index in in_reading_order(quads)]))
    count = sum(len(quads) for _, _, quads in found)
    if count != len(codes):
        raise TileSetError(
            "{named} tiles are named, but {found} were found ({each}). Name every tile that can be seen, or "
            "take the photos again: from above, nothing on the table but the tiles, a finger's width apart.",
            named=len(codes), found=count,
            each=", ".join(f"{name!r}: {len(quads)}" for name, _, quads in found),
        )  # fmt: skip
    left = iter(codes)
    return [
        LabelledPhoto(name, image_bgr, tuple((next(left), quad) for quad in quads))
        for name, image_bgr, quads in found
    ]
