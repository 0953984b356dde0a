"""The pipeline from a picture to a reading: detect tiles, lay them out, name each, assign the codes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from referee.rules.layout import Layout
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import (
    UNIT_SQUARE,
    Points,
    map_points,
    share_inside,
    square_to_quad,
)
from vision.imaging.quality import shows_colour
from vision.imaging.table_background import table_looks
from vision.recognition.assignment import AssignedCode, assign_codes, surely_named_from
from vision.recognition.classifier import Faces, TileClassifier, joined
from vision.recognition.colour_groups import (
    ColourField,
    KnownColours,
    group_colours,
    is_coloured,
    tint_values,
    tinted,
    tints_of,
    with_other_names,
)
from vision.recognition.detector import TileCandidate, TileDetector
from vision.recognition.edge_colours import AtEdge, KnownEdges, seen_to_the_edge
from vision.recognition.lattice import LatticePlace, empty_neighbours, grounded
from vision.recognition.model_store import THREADS, open_model
from vision.recognition.places_beside import (
    BADLY_CUT,
    CERTAIN_TILE_CHANCE,
    CLEAR_TILE_CHANCE,
    CLEARLY_READABLE,
    CLEARLY_UPRIGHT,
    COVERED_CHANCE,
    LIKELY_TILE_CHANCE,
    PART_SCORE,
    SURE_LIKENESS,
    UNCOVERED,
    WELL_CUT,
    badly_cut,
    is_doubtful,
    looks_like_tile,
    may_be_cut_badly,
    missed_and_hidden,
)
from vision.recognition.pyramid_finder import (
    WHOLE_SHARE,
    FoundTile,
    KnownWay,
    LatticeTile,
    Legible,
    apart,
    find_pyramid,
    may_be_none,
    nearer,
    oblong_ways,
    upright,
    worth_a_look,
)
from vision.recognition.reading import ColourGroup, DetectedTile, Reading, TileReading, corners_of
from vision.recognition.tile_set import TileSet

PLAINLY_READABLE = 0.994
"""A lone tile that reads as well as this is one, and what lies about and reads worse is none: so did 51 of 72
first tiles that were in doubt for what lay there besides, and none of 74 notes, cards and squares of cloths
that were taken for a lone tile, nor of 13 tiles that were misread (200 films, 387001 to 387200)."""
SURE_OF_HARD = 0.95
"""A new tile of a set that is hard to read is at most as likely as this what it is read as: of 20 that were
read with 0.98 and more in 43 films one was another one."""
DOUBTFUL_CONFIDENCE = 0.95
"""A tile whose code is less likely than this is read again, from crops that are cut in other ways."""
_OTHER_LOOKS = (
    (1.0, 0.035, 0.0), (1.0, -0.035, 0.0), (1.0, 0.0, 0.035), (1.0, 0.0, -0.035), (0.94, 0.03, 0.03),
    (1.06, -0.03, -0.03), (0.94, 0.0, 0.0), (1.06, 0.0, 0.0), (0.88, 0.0, 0.0), (1.12, 0.0, 0.0),
)  # fmt: skip
"""Scale, and shift across and down in sides."""
_MOST_CUTS = 3
"""So often what lies beside the pyramid is cut again."""
_MAX_DOUBTFUL = 12
_MAX_CANDIDATES = 90
_CAMERA_HW, _USUAL_TILES = (720, 1280), 15


@dataclass(frozen=True, slots=True)
class KnownLooks:
    """What the pictures of one game have told of its tiles so far. Not safe to share between threads."""

    colours: KnownColours = field(default_factory=KnownColours)
    way: KnownWay = field(default_factory=KnownWay)
    edges: KnownEdges = field(default_factory=KnownEdges)

    def turn_over(self) -> None:
        """Hear from people that what was taken for upright stands on its head."""
        self.way.turn_over()
        self.edges.turn_over()


class TileReader:
    """Reads pictures; holds the two models. Not safe to share between threads."""

    def __init__(self, detector: TileDetector, classifier: TileClassifier) -> None:
        """Use an opened detector and classifier."""
        self._detector = detector
        self.classifier = classifier
        self.own_set = classifier.own_set
        self.known: KnownLooks | None = None
        """What the pictures of a game have told; whoever follows one sets it."""
        self._read_last: tuple[ImageU8, list[FoundTile]] | None = None
        """The picture that was read last, and the tiles that were found in it."""

    @classmethod
    def open(
        cls, tile_set: TileSet | None = None, folder: Path | None = None, *, threads: int = THREADS
    ) -> TileReader:
        """Return a reader for the tiles of an enrolled set, or for the shipped ones where none is given.

        Args:
            tile_set: The enrolled set.
            folder: That of a reader model other than the shipped one.
            threads: How many threads each model may use.

        Raises:
            ModelError: A model is missing or damaged.
        """
        detector = TileDetector(open_model("finder", threads=threads))
        return cls(detector, TileClassifier(open_model("reader", folder, threads=threads), tile_set))

    def make_ready(self) -> None:
        """Get ready to read the pictures of a camera as they come: the first one then takes no longer.

        OpenCV keeps to one thread from now on, for it would only get in the way of the models' threads.
        """
        cv2.setNumThreads(1)
        high, wide = _CAMERA_HW
        table = np.zeros((high, wide, 3), np.uint8)
        self.read(table)
        places = [(UNIT_SQUARE * high / 8).astype(np.float32)] * _USUAL_TILES
        self.name(table, places)
        table_looks(table, places)  # OpenCV works out its tables of colours for once

    def read(self, image_bgr: ImageU8) -> Reading:
        """Return the pyramid in a (H, W, 3) uint8 BGR picture; an empty reading where there is none."""
        started = time.perf_counter()
        candidates = self._detector.find(image_bgr)
        found_at = time.perf_counter()
        sees_colour = shows_colour(image_bgr)
        found, first = self._look_again(image_bgr, candidates, sees_colour=sees_colour)
        self._read_last = image_bgr, found
        pyramid = find_pyramid(found, self._legible(image_bgr), self._way)
        laid = pyramid.tiles
        faces, places, hidden = self._whole_pyramid(
            image_bgr, candidates, found, first, laid, sees_colour=sees_colour
        )
        classified_at = time.perf_counter()
        inside = {tile.index for tile in laid}
        # If which way is up is open, or as many tiles lie elsewhere, nobody knows where each one lies.
        is_clear = pyramid.is_upright and len(laid) > pyramid.rivals and not may_be_none(found, laid)
        plain = [_reads_plainly(faces, index) for index in range(len(places))]
        clear = [is_clear] * len(places)
        if any(plain) and (not is_clear or len(places) == 1):
            # The circles of a printed cloth look like tiles, and none can be read (film 399311).
            rivals = [tile.look for index, tile in enumerate(found) if index not in inside]
            outdone = sum(plain) <= sum(_reads_plainly(first, look) for look in rivals)
            may_be = not outdone and (pyramid.is_upright or len(places) == 1)
            clear = [may_be and each for each in plain]
        tiles, unnamed = self._assigned(image_bgr, faces, places, clear)
        done = time.perf_counter()
        timings = {
            "find": (found_at - started) * 1e3,
            "classify": (classified_at - found_at) * 1e3,
            "decode": (done - classified_at) * 1e3,
            "total": (done - started) * 1e3,
        }
        layout = Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in tiles})
        elsewhere = [tile.quad_px for index, tile in enumerate(found) if index not in inside]
        over, others = (tuple(map(corners_of, quads)) for quads in (hidden, elsewhere))
        return Reading(tuple(tiles), layout, timings, over, others, unnamed)

    def tiles(self, image_bgr: ImageU8) -> list[DetectedTile]:
        """Return every face-up tile of a (H, W, 3) uint8 BGR picture, wherever it lies, in no order.

        One that was just read, and not written into since, is not searched again.
        """
        if self._read_last is not None and self._read_last[0] is image_bgr:
            found = self._read_last[1]
        else:
            found, _ = self._look_again(
                image_bgr, self._detector.find(image_bgr), sees_colour=shows_colour(image_bgr)
            )
        aspect = self.classifier.aspect
        if aspect == 1:
            return self.name(image_bgr, upright(found, self._legible(image_bgr), self._way))
        ways = [oblong_ways(tile, aspect) for tile in found]
        looks = self.classifier.read(image_bgr, [quad for pair in ways for _, quad in pair])
        likeness = looks.likeness.reshape(-1, 2)
        quads = []
        for pair, alike in zip(ways, likeness, strict=True):
            scale = self.classifier.scale
            evidence = [up + scale * cosine for (up, _), cosine in zip(pair, alike, strict=True)]
            quads.append(pair[int(np.argmax(evidence))][1])
        return self.name(image_bgr, quads)

    def name(self, image_bgr: ImageU8, quads_px: list[Points]) -> list[DetectedTile]:
        """Return what lies in the given upright quads of a (H, W, 3) uint8 BGR picture, in their order.

        A quad that shows no tile takes no code away from the tiles.
        """
        faces = self.classifier.read(image_bgr, quads_px, sees_colour=shows_colour(image_bgr))
        faces, assigned, _ = self._settled(image_bgr, faces, are_tiles=False)
        codes, named = self.classifier.codes, []
        for index, code in enumerate(assigned):
            unsure = self._is_unsure(faces, index, code, self.classifier.sure_confidence)
            others = tuple((codes[other], round(chance, 4)) for other, chance in code.alternatives)
            named.append(
                DetectedTile(
                    codes[code.index],
                    corners_of(faces.quads_px[index]),
                    round(code.confidence, 4),
                    unsure,
                    float(faces.tile[index]),
                    float(faces.likeness[index]),
                    float(faces.covered[index]),
                    others if unsure else (),
                )
            )
        return named

    def _is_unsure(self, faces: Faces, index: int, code: AssignedCode, sure_confidence: float) -> bool:
        return bool(
            code.confidence < sure_confidence
            or faces.tile[index] < CLEAR_TILE_CHANCE
            or faces.likeness[index] < SURE_LIKENESS
            or self.classifier.never_vouches_for(code.index)
        )

    @property
    def _way(self) -> KnownWay | None:
        return None if self.known is None else self.known.way

    def _legible(self, image_bgr: ImageU8) -> Legible:
        return lambda quads: self.classifier.read(
            image_bgr, quads, sees_colour=shows_colour(image_bgr)
        ).legible()

    def _look_again(
        self, image_bgr: ImageU8, candidates: list[TileCandidate], *, sees_colour: bool
    ) -> tuple[list[FoundTile], Faces]:
        """Return the candidates that are tiles, the surest first, and the faces of all candidates."""
        candidates = [candidate for candidate in candidates if candidate.score >= PART_SCORE][
            :_MAX_CANDIDATES
        ]
        quads = [candidate.quad_px for candidate in candidates]
        faces = self.classifier.read(image_bgr, quads, sees_colour=sees_colour)
        looks = list(range(len(candidates)))
        again = badly_cut(candidates, faces)
        if again:
            mended = [
                faces.upright_px(index) if is_doubtful(faces, index) else faces.quads_px[index]
                for index in again
            ]
            second = self.classifier.read(image_bgr, mended, sees_colour=sees_colour)
            for position, index in enumerate(again):
                looks[index] = len(candidates) + position
            faces = joined([faces, second])
        size_wh = (image_bgr.shape[1], image_bgr.shape[0])
        tiles = []
        for index, (candidate, look) in enumerate(zip(candidates, looks, strict=True)):
            quad, tile = faces.quads_px[look], float(faces.tile[look])
            if looks_like_tile(faces, index, look, candidate.score):
                cut = share_inside(quad, size_wh) < WHOLE_SHARE
                tiles.append(FoundTile(quad, faces.up[look], tile, candidate.score, look, cut))
        return apart(tiles), faces

    def _whole_pyramid(
        self,
        image_bgr: ImageU8,
        candidates: list[TileCandidate],
        found: list[FoundTile],
        first: Faces,
        laid: list[LatticeTile],
        *,
        sees_colour: bool,
    ) -> tuple[Faces, list[LatticePlace], list[Points]]:
        """Return the faces and places of the pyramid with tiles that the detector missed, and hidden places.

        A face that the first look saw upright and well cut is not looked at again.
        """
        quads, places = [tile.quad_px for tile in laid], [tile.place for tile in laid]
        looks = [found[tile.index].look for tile in laid]
        again = [
            index
            for index, tile in enumerate(laid)
            if tile.turn
            or first.moved[looks[index]] > BADLY_CUT
            or (first.moved[looks[index]] > WELL_CUT and first.readable(looks[index]) < CLEARLY_READABLE)
        ]
        faces, hidden = first.only(looks), []
        tried: set[LatticePlace] = set()
        seen = np.array([candidate.quad_px.mean(axis=0) for candidate in candidates]).reshape(-1, 2)
        while quads:
            empty = [each for each in empty_neighbours(quads, places) if each[0] not in tried]
            tried |= {place for place, _ in empty}
            empty, table = worth_a_look(image_bgr, seen, empty)
            looked_at = [*(quads[index] for index in again), *(quad for _, quad in empty)]
            second = self.classifier.read(image_bgr, looked_at, sees_colour=sees_colour)
            rows = list(range(len(places)))
            for position, index in enumerate(again):
                rows[index] = len(places) + position
            faces = joined([faces, second]).only(rows)
            kept = [index for index in range(len(places)) if not (again and faces.is_no_tile(index))]
            if len(kept) < len(places):
                faces, again, tried = faces.only(kept), [], set()
                quads, places = [quads[index] for index in kept], [places[index] for index in kept]
                continue
            beside = second.only(list(range(len(again), len(looked_at))))
            beside = self._cut_better(image_bgr, beside, sees_colour=sees_colour)
            missed, over = missed_and_hidden(image_bgr, candidates, faces, beside, empty, table)
            hidden += [empty[index][1] for index in over]
            if not missed:
                break
            # Tiles may lie beside those, too.
            added = [nearer(beside.quads_px[index], empty[index][1]) for index in missed]
            faces = joined([faces, self.classifier.read(image_bgr, added, sees_colour=sees_colour)])
            quads, again = list(faces.quads_px), []
            places += [empty[index][0] for index in missed]
        placed = dict(enumerate(places))
        settled = placed if len(places) in (0, len(laid)) else grounded(placed)
        order = sorted(settled, key=lambda index: (settled[index].row, settled[index].half))
        return faces.only(order), [settled[index] for index in order], hidden

    def _cut_better(self, image_bgr: ImageU8, beside: Faces, *, sees_colour: bool) -> Faces:
        """Return what lies beside the pyramid; what is a tile once cut where its corners are seen is one.

        Where a neighbour lies is only guessed, and the fewer tiles are known the worse.
        """
        looks = beside
        for _ in range(_MOST_CUTS):
            rows = list(range(len(beside.tile)))
            again = [index for index in rows if may_be_cut_badly(looks, index)]
            if not again:
                break
            quads = [looks.quads_px[index] for index in again]
            closer = self.classifier.read(image_bgr, quads, sees_colour=sees_colour)
            for position, index in enumerate(again):
                rows[index] = len(beside.tile) + position
            looks = joined([looks, closer]).only(rows)
        is_tile = (looks.tile >= CERTAIN_TILE_CHANCE) & (looks.up[:, 0] >= CLEARLY_UPRIGHT)
        chosen = np.where(is_tile, len(is_tile), 0) + np.arange(len(is_tile))
        return joined([beside, looks]).only(chosen.tolist())

    def _assigned(
        self, image_bgr: ImageU8, faces: Faces, places: list[LatticePlace], clear: list[bool]
    ) -> tuple[list[TileReading], tuple[ColourGroup, ...]]:
        """Return the tiles with codes and confidence, in scanning order of the notation; unnamed groups.

        `clear` says of which tiles it is clear that they lie in their places.
        """
        codes, most = self.classifier.codes, len(self.classifier.codes) * self.classifier.copies
        if len(places) > most:
            keep = sorted(int(index) for index in np.argsort(-faces.tile)[:most])
            faces, places = faces.only(keep), [places[index] for index in keep]
            clear = [clear[index] for index in keep]
        size_wh = (image_bgr.shape[1], image_bgr.shape[0])
        tiles = []
        faces, assigned, unnamed = self._settled(image_bgr, faces, are_tiles=True)
        sure = surely_named_from(assigned, self.classifier.sure_confidence)
        tints = tint_values(faces.log_codes) if self.classifier.is_by_shipped_model else None
        for index, code in enumerate(assigned):
            place = places[index]
            covered = bool(faces.covered[index] >= COVERED_CHANCE)
            cut = share_inside(faces.quads_px[index], size_wh) < WHOLE_SHARE
            unsure = covered or cut or not clear[index] or self._is_unsure(faces, index, code, sure)
            # The chances of a face that is partly hidden say too much: it may be any tile.
            alternatives = () if covered or cut else code.alternatives
            tiles.append(
                TileReading(
                    codes[code.index],
                    place.row,
                    place.slot,
                    corners_of(faces.quads_px[index]),
                    round(code.confidence, 4),
                    unsure,
                    tuple((codes[other], round(chance, 4)) for other, chance in alternatives)
                    if unsure
                    else (),
                    covered,
                    cut,
                    None if tints is None else tints[index],
                )
            )
        return tiles, unnamed

    def _settled(
        self, image_bgr: ImageU8, faces: Faces, *, are_tiles: bool
    ) -> tuple[Faces, list[AssignedCode], tuple[ColourGroup, ...]]:
        """Return the faces with their codes, and groups without a name.

        Tiles in doubt are named by the mean of several looks.
        """
        edges = self._seen_to_the_edge(image_bgr, faces, learns=are_tiles)
        coloured = _coloured(faces, edges)
        assigned, field = self._named(coloured, are_tiles=are_tiles)
        doubtful = [
            index
            for index, code in enumerate(assigned)
            if code.confidence < DOUBTFUL_CONFIDENCE
            and faces.covered[index] < COVERED_CHANCE
            and faces.tile[index] >= LIKELY_TILE_CHANCE
        ]
        doubtful = sorted(doubtful, key=lambda index: assigned[index].confidence)[:_MAX_DOUBTFUL]
        if doubtful:
            quads = [
                map_points(
                    square_to_quad(faces.quads_px[index]), (UNIT_SQUARE - 0.5) * scale + 0.5 + [across, down]
                )
                for index in doubtful
                for scale, across, down in _OTHER_LOOKS
            ]
            looks = self.classifier.read(image_bgr, quads, sees_colour=shows_colour(image_bgr))
            coloured = _coloured(faces.looked_at_again(doubtful, looks), edges)
            assigned, field = self._named(coloured, are_tiles=are_tiles)
        faces = coloured
        if field is None:
            return faces, assigned, ()
        read = [self.classifier.codes[code.index] for code in assigned]
        unnamed = field.unnamed(read, self.classifier.sure_confidence)
        named = with_other_names(assigned, field)
        return faces, [self._as_far_as_vouched_for(code) for code in named], unnamed

    def _seen_to_the_edge(self, image_bgr: ImageU8, faces: Faces, *, learns: bool) -> Mapping[int, AtEdge]:
        """Return the colours of faces whose edges lie beside the corners that were found."""
        if not (self.classifier.is_by_shipped_model and shows_colour(image_bgr)):
            return {}
        return seen_to_the_edge(
            faces.quads_px,
            tints_of(faces.log_codes),
            is_coloured(faces.log_codes)
            & (faces.tile >= LIKELY_TILE_CHANCE)
            & (faces.covered < COVERED_CHANCE),
            lambda quads: tints_of(self.classifier.read(image_bgr, quads).log_codes),
            KnownEdges() if self.known is None else self.known.edges,
            learns=learns,
        )

    def _as_far_as_vouched_for(self, code: AssignedCode) -> AssignedCode:
        if not self.classifier.never_vouches_for(code.index):
            return code
        return replace(code, confidence=min(code.confidence, SURE_OF_HARD))

    def _named(self, faces: Faces, *, are_tiles: bool) -> tuple[list[AssignedCode], ColourField | None]:
        """Return the codes of faces by the likeliest colours of all, and what is known of the colours."""
        tile = None if are_tiles else faces.tile
        if not self.classifier.is_by_shipped_model:
            return assign_codes(faces.log_codes, self.classifier.copies, tile), None
        seen = (faces.tile >= LIKELY_TILE_CHANCE) & (faces.covered < COVERED_CHANCE)
        known = [] if self.known is None else self.known.colours.known()
        field = group_colours(faces.log_codes, seen, known).with_taught(
            faces.log_codes,
            faces.log_taught,
            self.classifier.sure_confidence,
            self.classifier.codes if self.own_set is None else self.own_set.left_to_reader,
        )
        return assign_codes(field.log_codes, tile=tile), field


def _coloured(faces: Faces, edges: Mapping[int, AtEdge]) -> Faces:
    """Return the faces, of which some have the colours that were seen to the edge, by their indices."""
    if not edges:
        return faces
    tints, by = tints_of(faces.log_codes), np.zeros((len(faces.tile), 4))
    for index, (tint, chance) in edges.items():
        by[index] = chance * (tint - tints[index])
    return replace(faces, log_codes=tinted(faces.log_codes, by), log_taught=tinted(faces.log_taught, by))


def _reads_plainly(faces: Faces, index: int) -> bool:
    """Return whether a face is so well read that it is a tile, whatever else may be one."""
    return bool(
        faces.tile[index] >= CERTAIN_TILE_CHANCE
        and faces.covered[index] < UNCOVERED
        and faces.readable(index) >= PLAINLY_READABLE
    )
