"""Files of rendered pictures: a few hundred JPEGs with their labels in each, made by several processes."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering import glyphs
from models.training.rendering.faces import load_printed
from models.training.rendering.glyphs import Mask
from models.training.scenes.tables import TablePainter
from vision.files import replacing
from vision.imaging.arrays import ImageU8

SURFACES = "surfaces.npz"
"""Photos of real tables lie in this file beside the shards, if there are any."""
TYPEFACES, PRINTED = "typefaces.npz", "printed.npz"
MATERIALS = (TYPEFACES, PRINTED, SURFACES)
"""What lies beside the shards for all that is painted in them."""


def painter_of(directory: Path, rng: np.random.Generator, group: str | None = None) -> TablePainter:
    """Return a painter with the typefaces, printed faces and real tables that lie in a folder of shards.

    Args:
        directory: The folder.
        rng: The randomness of all that is painted.
        group: A held-out group of artists; None: those to learn from.
    """
    return TablePainter(rng, *materials(directory), group)


def materials(directory: Path) -> tuple[list[list[Mask]], dict[str, ImageU8], list[ImageU8]]:
    """Return the typefaces, printed faces and real tables that lie in a folder of shards."""
    cv2.setNumThreads(1)
    surfaces = directory / SURFACES
    return (
        glyphs.load_typefaces(directory / TYPEFACES),
        load_printed(directory / PRINTED),
        [image for image, _ in read_shard(surfaces)] if surfaces.exists() else [],
    )


def write_shard(path: Path, jpegs: Sequence[NDArray[np.uint8]], labels: Sequence[object]) -> None:
    """Write the bytes of JPEG pictures, and for each a label that JSON can hold."""
    with replacing(path) as beside, beside.open("wb") as file:
        np.savez(
            file,
            jpegs=np.concatenate(jpegs),
            ends=np.cumsum([len(jpeg) for jpeg in jpegs]),
            labels=np.frombuffer(json.dumps(labels).encode(), np.uint8),
        )


def read_shard(path: Path) -> Iterator[tuple[ImageU8, Any]]:
    """Yield the pictures, (height, width, 3) uint8 BGR, with their labels."""
    with np.load(path) as stored:
        jpegs, ends, labels = stored["jpegs"], stored["ends"], json.loads(stored["labels"].tobytes())
    start = 0
    for end, label in zip(ends, labels, strict=True):
        yield np.asarray(cv2.imdecode(jpegs[start:end], cv2.IMREAD_COLOR), np.uint8), label
        start = end


def render_missing(
    directory: Path, names: Sequence[str], render: Callable[[int], Path], workers: int
) -> Iterator[int]:
    """Render the shards that are missing; yield how many are done, as they are done.

    Args:
        directory: Where they lie.
        names: Their files, in the order of their numbers.
        render: Makes the shard with a number; is sent to other processes.
        workers: How many processes work at it.
    """
    directory.mkdir(parents=True, exist_ok=True)
    glyphs.load_typefaces(directory / TYPEFACES)
    missing = [number for number, name in enumerate(names) if not (directory / name).exists()]
    done = len(names) - len(missing)
    yield done
    if len(missing) == 1:  # starting another process would take longer
        render(missing[0])
        yield done + 1
        return
    # A forked child would inherit OpenCV's thread pool without its threads and wait for them for ever.
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        for future in as_completed([pool.submit(render, number) for number in missing]):
            future.result()
            done += 1
            yield done
