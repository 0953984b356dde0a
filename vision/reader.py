"""The pipeline from a picture to a reading: find, lay out, name, decode together."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.layout import Layout
from vision.classifier import Faces, TileClassifier
from vision.decode import decode
from vision.geometry import Points, side_px, turned
from vision.lattice import Place, lay_out
from vision.model_store import open_model
from vision.reading import Quad, Reading, TileReading
from vision.tile_finder import Candidate, TileFinder

ImageU8 = NDArray[np.uint8]

MIN_TILE_CHANCE = 0.3
"""Below this a candidate is no tile."""
SURE_TILE_CHANCE = 0.7
SURE_CONFIDENCE = 0.97
"""Codes less likely than this are unsure; the model card gives the rate of silent errors that it leaves."""
_MIN_SATURATION = 10
_MAX_TILES = 45


@dataclass(frozen=True, slots=True)
class _Found:
    """A candidate after the first look: its quad listed from the face's own top left, and what it shows."""

    quad_px: Points
    quarters: int
    tile: float


class TileReader:
    """Reads pictures; holds the two models. Not safe to share between threads."""

    def __init__(self, finder: TileFinder, classifier: TileClassifier) -> None:
        """Use an opened finder and classifier."""
        self._finder = finder
        self._classifier = classifier

    @classmethod
    def open(cls) -> TileReader:
        """Return a reader with the shipped models.

        Raises:
            ModelError: A model is missing or damaged.
        """
        return cls(TileFinder(open_model("finder")), TileClassifier(open_model("reader")))

    def read(self, image_bgr: ImageU8) -> Reading:
        """Return the pyramid in a (H, W, 3) uint8 BGR picture; an empty reading where there is none."""
        started = time.perf_counter()
        candidates = self._finder.find(image_bgr)
        found_at = time.perf_counter()
        sees_colour = _sees_colour(image_bgr)
        tiles = self._look_again(image_bgr, candidates)
        quads, places = _pyramid(tiles)
        faces = self._classifier.read(image_bgr, quads, sees_colour=sees_colour)
        classified_at = time.perf_counter()
        reading_tiles = _decoded(self._classifier.codes, faces, quads, places)
        done = time.perf_counter()
        timings = {
            "find": (found_at - started) * 1e3,
            "classify": (classified_at - found_at) * 1e3,
            "decode": (done - classified_at) * 1e3,
            "total": (done - started) * 1e3,
        }
        layout = Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in reading_tiles})
        return Reading(tuple(reading_tiles), layout, timings)

    def _look_again(self, image_bgr: ImageU8, candidates: list[Candidate]) -> list[_Found]:
        """Return the candidates that are tiles, their corners mended and their own top found."""
        quads = [candidate.quad_px for candidate in candidates[: 2 * _MAX_TILES]]
        faces = self._classifier.read(image_bgr, quads)
        tiles = []
        for index in range(len(quads)):
            if faces.tile[index] < MIN_TILE_CHANCE:
                continue
            quarters = int(faces.up[index].argmax())
            tiles.append(_Found(turned(faces.quads_px[index], quarters), quarters, float(faces.tile[index])))
        return _apart(tiles)


def _apart(tiles: list[_Found]) -> list[_Found]:
    """Return the tiles without those that lie on a surer one."""
    kept: list[_Found] = []
    for tile in sorted(tiles, key=lambda tile: -tile.tile):
        middle, side = tile.quad_px.mean(axis=0), side_px(tile.quad_px)
        if all(np.hypot(*(other.quad_px.mean(axis=0) - middle)) > 0.5 * side for other in kept):
            kept.append(tile)
    return kept


def _pyramid(tiles: list[_Found]) -> tuple[list[Points], list[Place]]:
    """Return the quads that form the pyramid, each from its own top left, and their places.

    Which way is up is what most faces say; the way that holds the larger pyramid wins where they differ.
    """
    best: tuple[int, int] | None = None
    chosen: dict[int, Place] = {}
    counts = np.bincount([tile.quarters for tile in tiles], minlength=4)
    for quarters in np.argsort(-counts):
        if counts[quarters] == 0:
            continue
        upright = [turned(tile.quad_px, int(quarters) - tile.quarters) for tile in tiles]
        places = lay_out(upright)
        agreeing = sum(tiles[index].quarters == quarters for index in places)
        if best is None or (agreeing, len(places)) > best:
            best, chosen = (agreeing, len(places)), places
    order = sorted(chosen, key=lambda index: (chosen[index].row, chosen[index].half))
    return [tiles[index].quad_px for index in order], [chosen[index] for index in order]


def _decoded(codes: tuple[str, ...], faces: Faces, quads: list[Points], places: list[Place]) -> list[TileReading]:
    """Return the tiles with codes and confidence, in scanning order of the notation."""
    if len(quads) > len(codes):
        order = np.argsort(-faces.tile)[: len(codes)]
        keep = sorted(int(index) for index in order)
        faces = Faces(faces.log_codes[keep], faces.tile[keep], faces.up[keep], faces.quads_px[keep])
        quads, places = [quads[index] for index in keep], [places[index] for index in keep]
    tiles = []
    for index, code in enumerate(decode(faces.log_codes)):
        place = places[index]
        unsure = code.confidence < SURE_CONFIDENCE or faces.tile[index] < SURE_TILE_CHANCE
        corners: Quad = tuple((round(float(x), 2), round(float(y), 2)) for x, y in faces.quads_px[index])  # type: ignore[assignment]
        tiles.append(
            TileReading(
                codes[code.index],
                place.row,
                (place.half - place.row) // 2,
                corners,
                round(code.confidence, 4),
                bool(unsure),
                tuple((codes[other], round(chance, 4)) for other, chance in code.alternatives) if unsure else (),
            )
        )
    return tiles


def _sees_colour(image_bgr: ImageU8) -> bool:
    """Return whether a picture has colours; a grey one must not be guessed at."""
    small = image_bgr[:: max(1, image_bgr.shape[0] // 100), :: max(1, image_bgr.shape[1] // 100)].astype(np.int16)
    return bool(np.percentile(small.max(axis=2) - small.min(axis=2), 99) >= _MIN_SATURATION)
