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
from vision.lattice import Place, empty_neighbours, grounded, lay_out
from vision.model_store import open_model
from vision.reading import Quad, Reading, TileReading
from vision.tile_finder import Candidate, TileFinder

ImageU8 = NDArray[np.uint8]

CLEAR_TILE_CHANCE = 0.95
"""From here on a candidate is a tile, whether its face can be read or not."""
MIN_TILE_CHANCE = 0.5
MIN_READABLE = 0.6
MIN_SCORE = 0.3
"""Short of that, a tile must look like one, show a face that can be read, and be seen well by the finder:
holes between tiles and things on the table fail in one of the three."""
SURE_TILE_CHANCE = 0.8
"""Below this a tile is unsure whatever its face says."""
SURE_STRAY_CHANCE = 0.9
"""A tile that touches no other must look this much like one."""
SURE_CONFIDENCE = 0.95
"""Codes less likely than this are unsure; the model card gives the rate of silent errors that it leaves."""
_MIN_SATURATION = 10
_CLEARLY_TURNED = 3.0
"""Log odds by which a face must speak for itself before it is read otherwise than its neighbours lie."""
_MAX_TILES = 45


@dataclass(frozen=True, slots=True)
class _Found:
    """A candidate after the first look."""

    quad_px: Points
    """Its corners, mended, from whichever is top left on the screen."""
    up: NDArray[np.float64]
    """(4,) chances that the face lies so that its own top left is the corner 0, -1, -2, -3 of the quad."""
    tile: float
    """Chance that it is a face-up tile."""
    score: float
    """How clearly the finder saw it."""


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
        faces, quads, places = self._with_missed(image_bgr, quads, places, sees_colour)
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

    def _with_missed(
        self, image_bgr: ImageU8, quads: list[Points], places: list[Place], sees_colour: bool
    ) -> tuple[Faces, list[Points], list[Place]]:
        """Return the faces, quads and places of the pyramid, with tiles that the finder missed."""
        empty = empty_neighbours(quads, places) if quads else []
        looked_at = [*quads, *(quad for _, quad in empty)]
        faces = self._classifier.read(image_bgr, looked_at, sees_colour=sees_colour)
        own = range(len(quads))
        missed = [
            len(quads) + index
            for index, (_, quad) in enumerate(empty)
            if _is_plain_tile(faces, len(quads) + index, quad)
            and all(_distance(faces.quads_px[len(quads) + index], faces.quads_px[tile]) > 0.7 for tile in own)
        ]
        if not missed:
            return faces.only(list(own)), quads, places
        quads = [*quads, *(faces.quads_px[index] for index in missed)]
        all_places = dict(enumerate([*places, *(empty[index - len(places)][0] for index in missed)]))
        settled = grounded(all_places)
        order = sorted(settled, key=lambda index: (settled[index].row, settled[index].half))
        quads, places = [quads[index] for index in order], [settled[index] for index in order]
        return self._classifier.read(image_bgr, quads, sees_colour=sees_colour), quads, places

    def _look_again(self, image_bgr: ImageU8, candidates: list[Candidate]) -> list[_Found]:
        """Return the candidates that are tiles, with mended corners and the chances of their tops."""
        quads = [candidate.quad_px for candidate in candidates[: 2 * _MAX_TILES]]
        faces = self._classifier.read(image_bgr, quads)
        tiles = []
        for index in range(len(quads)):
            tile = float(faces.tile[index])
            readable = float(np.exp(faces.log_codes[index].max())) >= MIN_READABLE
            seen_well = candidates[index].score >= MIN_SCORE
            if tile >= CLEAR_TILE_CHANCE or (tile >= MIN_TILE_CHANCE and readable and seen_well):
                tiles.append(_Found(faces.quads_px[index], faces.up[index], tile, candidates[index].score))
        return _apart(tiles)


def _distance(quad: Points, other: Points) -> float:
    """Return how far the middles of two quads lie apart, in sides of the second."""
    return float(np.hypot(*(quad.mean(axis=0) - other.mean(axis=0)))) / side_px(other)


def _is_plain_tile(faces: Faces, index: int, expected: Points) -> bool:
    """Return whether a place that the finder passed over shows an upright, readable tile."""
    return bool(
        faces.tile[index] >= CLEAR_TILE_CHANCE
        and np.exp(faces.log_codes[index].max()) >= MIN_READABLE
        and faces.up[index, 0] >= MIN_READABLE
        and _distance(faces.quads_px[index], expected) < 0.25
    )


def _apart(tiles: list[_Found]) -> list[_Found]:
    """Return the tiles without those that lie on a surer one, the surest first."""
    kept: list[_Found] = []
    for tile in sorted(tiles, key=lambda tile: -tile.tile * tile.score):
        middle, side = tile.quad_px.mean(axis=0), side_px(tile.quad_px)
        if all(np.hypot(*(other.quad_px.mean(axis=0) - middle)) > 0.5 * side for other in kept):
            kept.append(tile)
    return kept


def _angle_deg(quad: Points) -> float:
    edge = quad[1] - quad[0] + quad[2] - quad[3]
    return float(np.degrees(np.arctan2(edge[1], edge[0])))


def _pyramid(tiles: list[_Found]) -> tuple[list[Points], list[Place]]:
    """Return the quads that form the pyramid, each from its own top left, and their places.

    All faces together say which way is up. A single tile may lie turned within the pyramid, but only where
    its own face says so clearly.
    """
    if not tiles:
        return [], []
    first = _angle_deg(tiles[0].quad_px)
    angles = [_angle_deg(tile.quad_px) for tile in tiles]
    # How many quarters each quad is turned so that all lie within 45 degrees of one direction.
    level = [round((first - angle) / 90) for angle in angles]
    log_up = np.log(np.maximum([tile.up for tile in tiles], 1e-4))
    evidence = [
        sum(log_up[index, (-level[index] - way) % 4] for index in range(len(tiles))) for way in range(4)
    ]
    way = int(np.argmax(evidence))
    turns = [turn + way for turn in level]
    upright = [turned(tile.quad_px, turn) for tile, turn in zip(tiles, turns, strict=True)]
    places = lay_out(upright)
    kept = [index for index in range(len(tiles)) if not _is_stray(index, places, tiles)]
    if len(kept) < len(tiles):
        places = {kept[index]: place for index, place in lay_out([upright[index] for index in kept]).items()}
    order = sorted(places, key=lambda index: (places[index].row, places[index].half))
    quads = []
    for index in order:
        own = int(log_up[index].argmax())
        clearly = log_up[index, own] - log_up[index, -turns[index] % 4] > _CLEARLY_TURNED
        quads.append(turned(tiles[index].quad_px, -own if clearly else turns[index]))
    return quads, [places[index] for index in order]


def _is_stray(index: int, places: dict[int, Place], tiles: list[_Found]) -> bool:
    """Return whether a doubtful candidate lies apart from all others: rather no tile at all."""
    if index not in places or tiles[index].tile >= SURE_STRAY_CHANCE or len(places) == 1:
        return False
    own = places[index]
    near = (place for other, place in places.items() if other != index and abs(place.row - own.row) <= 1)
    return all(abs(place.row - own.row) + abs(place.half - own.half) > 2 for place in near)


def _decoded(
    codes: tuple[str, ...], faces: Faces, quads: list[Points], places: list[Place]
) -> list[TileReading]:
    """Return the tiles with codes and confidence, in scanning order of the notation."""
    if len(quads) > len(codes):
        order = np.argsort(-faces.tile)[: len(codes)]
        keep = sorted(int(index) for index in order)
        faces = faces.only(keep)
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
                tuple((codes[other], round(chance, 4)) for other, chance in code.alternatives)
                if unsure
                else (),
            )
        )
    return tiles


def _sees_colour(image_bgr: ImageU8) -> bool:
    """Return whether a picture has colours; a grey one must not be guessed at."""
    small = image_bgr[:: max(1, image_bgr.shape[0] // 100), :: max(1, image_bgr.shape[1] // 100)].astype(
        np.int16
    )
    return bool(np.percentile(small.max(axis=2) - small.min(axis=2), 99) >= _MIN_SATURATION)
