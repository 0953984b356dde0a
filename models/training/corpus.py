"""The rendered pictures on disk: numbered shards, each made from its own seed, so that rendering resumes."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering import glyphs
from models.training.rendering.faces import load_printed
from models.training.rendering.tables import Table, TablePainter
from vision.imaging.arrays import ImageU8

PICTURES_PER_SHARD = 50
_SIZES_WH = ((640, 384), (640, 480), (896, 544))


@dataclass(frozen=True, slots=True)
class LabelledTile:
    """What is known of one tile; `numerals` holds x, y, width, height (shares of the side), upright."""

    code: str
    quad_px: NDArray[np.float32]
    visible: float
    in_pyramid: bool
    numerals: tuple[tuple[float, float, float, float, bool], ...]


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A training picture, `image` (height, width, 3) uint8 BGR; `decoys_px` are quads of other things."""

    image: ImageU8
    tiles: tuple[LabelledTile, ...]
    decoys_px: tuple[NDArray[np.float32], ...]


def _pack(table: Table) -> tuple[NDArray[np.uint8], dict[str, object]]:
    tiles = [
        {
            "code": tile.face.code,
            "quad": np.round(tile.quad_px, 2).tolist(),
            "visible": round(tile.visible, 3),
            "in_pyramid": tile.in_pyramid,
            "numerals": [
                [round(n.x, 3), round(n.y, 3), round(n.width, 3), round(n.height, 3), n.upright]
                for n in tile.face.numerals
            ],
        }
        for tile in table.tiles
    ]
    jpeg = cv2.imencode(".jpg", table.image, [cv2.IMWRITE_JPEG_QUALITY, 96])[1].ravel()
    return jpeg, {"tiles": tiles, "decoys": [np.round(quad, 2).tolist() for quad in table.decoys_px]}


def render_shard(directory: Path, seed: int, number: int) -> Path:
    """Render one shard unless it is there already; return its path."""
    path = directory / f"shard_{number:05d}.npz"
    if path.exists():
        return path
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, number])
    painter = TablePainter(
        rng, glyphs.load_typefaces(directory / "typefaces.npz"), load_printed(directory / "printed.npz")
    )
    jpegs, labels = [], []
    for _ in range(PICTURES_PER_SHARD):
        size_wh = _SIZES_WH[rng.choice(len(_SIZES_WH), p=[0.55, 0.15, 0.3])]
        tile_px = float(np.exp(rng.uniform(np.log(55), np.log(150)))) if size_wh[0] > 640 else None
        jpeg, label = _pack(painter.table(size_wh, tile_px=tile_px))
        jpegs.append(jpeg)
        labels.append(label)
    ends = np.cumsum([len(jpeg) for jpeg in jpegs])
    beside = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(
        beside,
        jpegs=np.concatenate(jpegs),
        ends=ends,
        labels=np.frombuffer(json.dumps(labels).encode(), np.uint8),
    )
    beside.replace(path)
    return path


def read_shard(path: Path) -> Iterator[LabelledPicture]:
    """Yield the pictures of one shard."""
    with np.load(path) as stored:
        jpegs, ends, labels = stored["jpegs"], stored["ends"], json.loads(stored["labels"].tobytes())
    start = 0
    for end, label in zip(ends, labels, strict=True):
        image = cv2.imdecode(jpegs[start:end], cv2.IMREAD_COLOR)
        start = end
        tiles = tuple(
            LabelledTile(
                t["code"],
                np.array(t["quad"], np.float32),
                t["visible"],
                t["in_pyramid"],
                tuple(tuple(n) for n in t["numerals"]),
            )
            for t in label["tiles"]
        )
        yield LabelledPicture(image, tiles, tuple(np.array(quad, np.float32) for quad in label["decoys"]))


def render(directory: Path, seed: int, shards: int, workers: int) -> Iterator[int]:
    """Render what is missing of `shards` shards; yield how many are done, as they are done."""
    directory.mkdir(parents=True, exist_ok=True)
    glyphs.load_typefaces(directory / "typefaces.npz")
    missing = [number for number in range(shards) if not (directory / f"shard_{number:05d}.npz").exists()]
    done = shards - len(missing)
    yield done
    # A forked child would inherit OpenCV's thread pool without its threads and wait for them for ever.
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(render_shard, directory, seed, number) for number in missing]
        for future in as_completed(futures):
            future.result()
            done += 1
            yield done
