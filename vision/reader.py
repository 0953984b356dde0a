"""The pipeline from a picture to a reading: find, lay out, name, decode together."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from referee.layout import Layout
from vision.classifier import Faces, TileClassifier, joined
from vision.decode import Decoded, decode
from vision.geometry import Points, share_inside, side_px, turned
from vision.lattice import Place, empty_neighbours, grounded
from vision.model_store import open_model
from vision.pyramid import FoundTile, LaidTile, apart, find_pyramid, upright
from vision.reading import Quad, Reading, SeenTile, TileReading
from vision.tile_finder import Candidate, TileFinder
from vision.tile_set import TileSet

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
SURE_CONFIDENCE = 0.95
"""Codes less likely than this are unsure; the model card gives the rate of silent errors that it leaves."""
COVERED_CHANCE = 0.5
HIDDEN_CHANCE = 0.9
"""From the first on a tile counts as covered; from the second on something lies where a tile may be."""
WHOLE_SHARE, PART_SHARE = 0.96, 0.15
"""A tile with less than the first share of its face in the picture is cut; with less than the second it
cannot be reported."""
_WELL_CUT = 0.05
"""A crop whose true corners lie within this share of a side of where it was cut need not be cut again."""
_MIN_SATURATION = 10
_MAX_CANDIDATES = 90


class TileReader:
    """Reads pictures; holds the two models. Not safe to share between threads."""

    def __init__(self, finder: TileFinder, classifier: TileClassifier) -> None:
        """Use an opened finder and classifier."""
        self._finder = finder
        self._classifier = classifier

    @classmethod
    def open(cls, tile_set: TileSet | None = None) -> TileReader:
        """Return a reader with the shipped models, for the tiles of an enrolled set if one is given.

        Raises:
            ModelError: A model is missing or damaged.
        """
        return cls(TileFinder(open_model("finder")), TileClassifier(open_model("reader"), tile_set))

    def read(self, image_bgr: ImageU8) -> Reading:
        """Return the pyramid in a (H, W, 3) uint8 BGR picture; an empty reading where there is none."""
        started = time.perf_counter()
        candidates = self._finder.find(image_bgr)
        found_at = time.perf_counter()
        sees_colour = _sees_colour(image_bgr)
        found, first = self._look_again(image_bgr, candidates, sees_colour=sees_colour)
        laid = find_pyramid(found)
        faces, places, hidden = self._whole_pyramid(image_bgr, found, first, laid, sees_colour=sees_colour)
        classified_at = time.perf_counter()
        tiles = self._decoded(image_bgr, faces, places)
        done = time.perf_counter()
        timings = {
            "find": (found_at - started) * 1e3,
            "classify": (classified_at - found_at) * 1e3,
            "decode": (done - classified_at) * 1e3,
            "total": (done - started) * 1e3,
        }
        layout = Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in tiles})
        return Reading(tuple(tiles), layout, timings, tuple(_corners(quad) for quad in hidden))

    def tiles(self, image_bgr: ImageU8) -> list[SeenTile]:
        """Return every face-up tile of a (H, W, 3) uint8 BGR picture, wherever it lies, in no order."""
        candidates = self._finder.find(image_bgr)
        found, _ = self._look_again(image_bgr, candidates, sees_colour=_sees_colour(image_bgr))
        aspect = self._classifier.aspect
        quads = upright(found) if aspect == 1 else [_upright_oblong(tile, aspect) for tile in found]
        return self.name(image_bgr, quads)

    def name(self, image_bgr: ImageU8, quads_px: list[Points]) -> list[SeenTile]:
        """Return what lies in the given upright quads of a (H, W, 3) uint8 BGR picture, in their order."""
        quads_px = quads_px[: len(self._classifier.codes) * self._classifier.copies]
        faces = self._classifier.read(image_bgr, quads_px, sees_colour=_sees_colour(image_bgr))
        decoded = decode(faces.log_codes, self._classifier.copies)
        return [
            SeenTile(
                self._classifier.codes[code.index],
                _corners(faces.quads_px[index]),
                round(code.confidence, 4),
                _is_unsure(faces, index, code),
                float(faces.tile[index]),
                float(faces.likeness[index]),
            )
            for index, code in enumerate(decoded)
        ]

    def _look_again(
        self, image_bgr: ImageU8, candidates: list[Candidate], *, sees_colour: bool
    ) -> tuple[list[FoundTile], Faces]:
        """Return the candidates that are tiles, the surest first, and the faces of all candidates."""
        quads = [candidate.quad_px for candidate in candidates[:_MAX_CANDIDATES]]
        faces = self._classifier.read(image_bgr, quads, sees_colour=sees_colour)
        tiles = []
        for index, candidate in enumerate(candidates[:_MAX_CANDIDATES]):
            tile = float(faces.tile[index])
            readable = float(np.exp(faces.log_codes[index].max())) >= MIN_READABLE
            seen_well = candidate.score >= MIN_SCORE
            if tile >= CLEAR_TILE_CHANCE or (tile >= MIN_TILE_CHANCE and readable and seen_well):
                tiles.append(FoundTile(faces.quads_px[index], faces.up[index], tile, candidate.score, index))
        return apart(tiles), faces

    def _whole_pyramid(
        self,
        image_bgr: ImageU8,
        found: list[FoundTile],
        first: Faces,
        laid: list[LaidTile],
        *,
        sees_colour: bool,
    ) -> tuple[Faces, list[Place], list[Points]]:
        """Return the faces and places of the pyramid with tiles that the finder missed, and hidden places.

        A face that the first look saw upright and well cut is not looked at again.
        """
        quads, places = [tile.quad_px for tile in laid], [tile.place for tile in laid]
        looks = [found[tile.index].look for tile in laid]
        again = [
            index
            for index, tile in enumerate(laid)
            if tile.turn or float(first.moved[looks[index]]) > _WELL_CUT
        ]
        size_wh = (image_bgr.shape[1], image_bgr.shape[0])
        empty = [
            (place, quad)
            for place, quad in (empty_neighbours(quads, places) if quads else [])
            if share_inside(quad, size_wh) >= PART_SHARE
        ]
        looked_at = [*(quads[index] for index in again), *(quad for _, quad in empty)]
        second = self._classifier.read(image_bgr, looked_at, sees_colour=sees_colour)
        both = joined([first, second])
        rows = list(looks)
        for position, index in enumerate(again):
            rows[index] = len(first.tile) + position
        faces = both.only(rows)
        beside = second.only(list(range(len(again), len(looked_at))))
        missed, hidden = [], []
        for index, (_, expected) in enumerate(empty):
            if any(_distance(beside.quads_px[index], quad) <= 0.7 for quad in faces.quads_px):
                continue
            whole = share_inside(expected, size_wh) >= WHOLE_SHARE
            if _is_plain_tile(beside, index, expected) or (
                beside.tile[index] >= CLEAR_TILE_CHANCE
                and (beside.covered[index] >= COVERED_CHANCE or not whole)
            ):
                missed.append(index)
            elif beside.covered[index] >= HIDDEN_CHANCE and whole:
                hidden.append(expected)
        if not missed:
            return faces, places, hidden
        added = [_nearer(beside.quads_px[index], empty[index][1]) for index in missed]
        faces = joined([faces, self._classifier.read(image_bgr, added, sees_colour=sees_colour)])
        settled = grounded(dict(enumerate([*places, *(empty[index][0] for index in missed)])))
        order = sorted(settled, key=lambda index: (settled[index].row, settled[index].half))
        return faces.only(order), [settled[index] for index in order], hidden

    def _decoded(self, image_bgr: ImageU8, faces: Faces, places: list[Place]) -> list[TileReading]:
        """Return the tiles with codes and confidence, in scanning order of the notation."""
        codes, most = self._classifier.codes, len(self._classifier.codes) * self._classifier.copies
        if len(places) > most:
            keep = sorted(int(index) for index in np.argsort(-faces.tile)[:most])
            faces, places = faces.only(keep), [places[index] for index in keep]
        size_wh = (image_bgr.shape[1], image_bgr.shape[0])
        tiles = []
        for index, code in enumerate(decode(faces.log_codes, self._classifier.copies)):
            place = places[index]
            covered = bool(faces.covered[index] >= COVERED_CHANCE)
            cut = share_inside(faces.quads_px[index], size_wh) < WHOLE_SHARE
            unsure = covered or cut or _is_unsure(faces, index, code)
            # Of a face that is hidden in part, the chances say too much: it may be any tile.
            alternatives = () if covered or cut else code.alternatives
            tiles.append(
                TileReading(
                    codes[code.index],
                    place.row,
                    (place.half - place.row) // 2,
                    _corners(faces.quads_px[index]),
                    round(code.confidence, 4),
                    unsure,
                    tuple((codes[other], round(chance, 4)) for other, chance in alternatives)
                    if unsure
                    else (),
                    covered,
                    cut,
                )
            )
        return tiles


def _is_unsure(faces: Faces, index: int, code: Decoded) -> bool:
    return bool(code.confidence < SURE_CONFIDENCE or faces.tile[index] < SURE_TILE_CHANCE)


def _corners(quad: Points) -> Quad:
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in quad)  # type: ignore[return-value]


def _distance(quad: Points, other: Points) -> float:
    """Return how far the middles of two quads lie apart, in sides of the second."""
    return float(np.hypot(*(quad.mean(axis=0) - other.mean(axis=0)))) / side_px(other)


def _nearer(seen: Points, expected: Points) -> Points:
    """Return the corners as seen if they lie where a tile is expected, else the expected ones."""
    return seen if _distance(seen, expected) < 0.25 else expected


def _is_plain_tile(faces: Faces, index: int, expected: Points) -> bool:
    """Return whether a place that the finder passed over shows an upright, readable tile."""
    return bool(
        faces.tile[index] >= CLEAR_TILE_CHANCE
        and np.exp(faces.log_codes[index].max()) >= MIN_READABLE
        and faces.up[index, 0] >= MIN_READABLE
        and _distance(faces.quads_px[index], expected) < 0.25
    )


def _upright_oblong(tile: FoundTile, aspect: float) -> Points:
    """Return an oblong tile's quad from its face's own top left; only two of the four ways fit its shape."""
    edges = np.hypot(*(np.roll(tile.quad_px, -1, axis=0) - tile.quad_px).T)
    across_first = (edges[0] + edges[2] < edges[1] + edges[3]) == (aspect > 1)
    ways = (0, 2) if across_first else (1, 3)
    return turned(tile.quad_px, max(ways, key=lambda way: tile.up[-way % 4]))


def _sees_colour(image_bgr: ImageU8) -> bool:
    """Return whether a picture has colours; a grey one must not be guessed at."""
    small = image_bgr[:: max(1, image_bgr.shape[0] // 100), :: max(1, image_bgr.shape[1] // 100)].astype(
        np.int16
    )
    return bool(np.percentile(small.max(axis=2) - small.min(axis=2), 99) >= _MIN_SATURATION)
