"""The pipeline from a picture to a reading: detect tiles, lay them out, name each, assign the codes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from referee.rules.layout import Layout
from vision.errors import ImageError
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import UNIT_SQUARE, Points, share_inside, side_px
from vision.imaging.quality import in_enough_light, shows_colour
from vision.imaging.table_background import table_looks
from vision.pyramid.lattice import LatticePlace, empty_neighbours, grounded, touching
from vision.pyramid.slant import STRAIGHT
from vision.pyramid.way_up import KnownWay, Legible
from vision.recognition.assignment import AssignedCode, log_softmax, sure_by_likeness, surely_named_from
from vision.recognition.classifier import Faces, TileClassifier, joined
from vision.recognition.colour_groups import tint_values
from vision.recognition.detector import TileCandidate, TileDetector
from vision.recognition.model_store import THREADS, open_model
from vision.recognition.naming import FaceNamer, KnownLooks, doubted_turned
from vision.recognition.places_beside import (
    BADLY_CUT,
    CERTAIN_TILE_CHANCE,
    CLEAR_SCORE,
    CLEAR_TILE_CHANCE,
    CLEARLY_READABLE,
    COVERED_CHANCE,
    FEW_TILES,
    UNCOVERED,
    WELL_CUT,
    Look,
    cut_better,
    found_tiles,
    missed_and_hidden,
)
from vision.recognition.pyramid_finder import (
    WHOLE_SHARE,
    FoundTile,
    LatticeTile,
    apart,
    find_pyramid,
    lies_among,
    may_be_none,
    nearer,
    of_size,
    off_grids,
    upright,
    ways_to_stand,
    worth_a_look,
)
from vision.recognition.reading import (
    ColourGroup,
    DetectedTile,
    Reading,
    TileReading,
    beside_other,
    corners_of,
)
from vision.recognition.tile_set import TileSet

PLAINLY_READABLE = 0.994
"""A lone tile that reads as well as this is one, and what lies about and reads worse is none: so did 51 of 72
first tiles in doubt, no note, card or square of 74, and no misread tile of 13 (films 387001 to 387200)."""
_WAYS_APART = 1.0
"""A tile of another game is asked about that is as like another one some other way up, but for this in log
chance: of 666 drawn cards 25 were likelier on their head, 6 and 9 all of them, two by more (decision 70)."""
TILES_OF_MIRROR, _DOUBT_OF_MIRROR = 3, 0.3
"""A picture with so many tiles is mirrored if so many more of its numbers, as a share, are in doubt than the
other way round: so it is of 439 of 487 that are mirrored, and of one of 487 that are not (decision 69)."""
_CAMERA_HW, _USUAL_TILES = (720, 1280), 15


class ReadsTables(Protocol):
    """What reads pictures of tables; `TileReader` does."""

    def read(self, image_bgr: ImageU8) -> Reading:
        """Return what lies on the table, from an (H, W, 3) uint8 BGR picture."""


def is_mirrored(reader: ReadsTables, image_bgr: ImageU8, reading: Reading) -> bool:
    """Return whether a picture shows its table as a mirror does: the other way round far less is in doubt.

    Some numbers are read without a doubt in a mirror, and wrongly, and tiles fall to the other side there.

    Args:
        reader: What read it.
        image_bgr: (H, W, 3) uint8.
        reading: What it read.
    """
    if len(reading.tiles) < TILES_OF_MIRROR or reading.weight_doubt < _DOUBT_OF_MIRROR:
        return False
    other = reader.read(np.ascontiguousarray(image_bgr[:, ::-1]))
    more = reading.weight_doubt - other.weight_doubt
    return len(other.tiles) >= TILES_OF_MIRROR and more >= _DOUBT_OF_MIRROR


class TileReader:
    """Reads pictures; holds the two models. Not safe to share between threads."""

    def __init__(self, detector: TileDetector, classifier: TileClassifier) -> None:
        """Use an opened detector and classifier."""
        self._detector = detector
        self.classifier = classifier
        self.own_set = classifier.own_set
        self._namer = FaceNamer(classifier)
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
        return cls(detector, TileClassifier.open(tile_set, folder, threads=threads))

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
        started, given_bgr = time.perf_counter(), image_bgr
        image_bgr = in_enough_light(given_bgr)
        candidates = self._candidates(image_bgr)
        found_at = time.perf_counter()
        look = self._look(image_bgr)
        found, first = self._look_again(image_bgr, candidates, look)
        self._read_last = given_bgr, found
        found = off_grids(found, [each.quad_px for each in candidates])
        pyramid = find_pyramid(found, _legible(look), self._way)
        laid, candidates = pyramid.tiles, [each for each in candidates if not each.may_be_print]
        faces, places, hidden = self._whole_pyramid(image_bgr, candidates, found, first, laid, look)
        classified_at = time.perf_counter()
        inside = {tile.index for tile in laid}
        rivals = [tile.look for index, tile in enumerate(found) if index not in inside]
        # If which way is up is open, or as many tiles lie elsewhere, nobody knows where each one lies.
        is_clear = pyramid.is_upright and len(laid) > pyramid.rivals and not may_be_none(found, laid)
        clear = _clear(
            faces,
            places,
            first.only(rivals),
            is_clear=is_clear,
            is_upright=pyramid.is_upright,
            hides_places=bool(hidden),
        )
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

    def read_photo(self, image_bgr: ImageU8, name: str) -> Reading:
        """Return the pyramid in a photo, (H, W, 3) uint8 BGR, that stands by itself.

        Args:
            image_bgr: The photo.
            name: Its name, to be told.

        Raises:
            ImageError: It shows its table as a mirror does.
        """
        reading = self.read(image_bgr)
        if is_mirrored(self, image_bgr, reading):
            raise ImageError(
                "{name!r} shows the table mirrored: its numbers stand the wrong way round. Turn mirroring "
                "off in the camera, or mirror the picture back.",
                name=name,
            )
        return reading

    def tiles(self, image_bgr: ImageU8) -> list[DetectedTile]:
        """Return every face-up tile of a (H, W, 3) uint8 BGR picture, wherever it lies, in no order.

        One that was just read, and not written into since, is not searched again.
        """
        if self._read_last is not None and self._read_last[0] is image_bgr:
            return self._named(in_enough_light(image_bgr), self._read_last[1])
        image_bgr = in_enough_light(image_bgr)
        found, _ = self._look_again(image_bgr, self._candidates(image_bgr), self._look(image_bgr))
        return self._named(image_bgr, found)

    def laid_out(self, image_bgr: ImageU8) -> list[DetectedTile]:
        """Return the tiles of a (H, W, 3) uint8 BGR picture on which nothing else lies, in no order.

        So they lie in photos to learn from. The detector sees a tile but faintly that lies apart from others
        and whose art it does not know: one of 45 in each of two sets (decision 64).
        """
        image_bgr = in_enough_light(image_bgr)
        candidates = self._detector.find(image_bgr, None)
        look = self._look(image_bgr)
        found, _ = self._look_again(image_bgr, candidates, look, lie_alone=True)
        certain = [tile for tile in found if tile.tile >= CERTAIN_TILE_CHANCE]
        clear = [side_px(tile.quad_px) for tile in certain if tile.score >= CLEAR_SCORE]
        if len(clear) <= FEW_TILES:  # they do not tell how large the others are
            return self._named(image_bgr, self._look_again(image_bgr, candidates, look)[0])
        return self._named(image_bgr, of_size(found, float(np.median(clear))))

    def _named(self, image_bgr: ImageU8, found: list[FoundTile]) -> list[DetectedTile]:
        """Return tiles by what their faces show.

        Which way up tiles of another game lie their likeness says, and that of the others: a 9 is a 6 on its
        head to who knows no 9.
        """
        if self.classifier.is_of_the_game and self.classifier.aspect == 1:
            return self.name(image_bgr, upright(found, _legible(self._look(image_bgr)), self._way))
        ways = ways_to_stand(found, self.classifier.aspect)
        if not ways:
            return []
        looks = self.classifier.read(image_bgr, [quad for each in ways for quad in each])
        alone = log_softmax(self.classifier.scale * looks.likeness.reshape(len(ways), -1))
        logs = alone + np.log(1 + np.exp(alone).sum(axis=0) - np.exp(alone))
        best = logs.argmax(axis=1)
        named = self.name(image_bgr, [each[way] for each, way in zip(ways, best, strict=True)])
        shown = looks.log_codes.argmax(axis=1).reshape(logs.shape)
        is_other = shown != np.array([[self.classifier.codes.index(tile.code)] for tile in named])
        rivals = np.where(is_other & (logs > logs.max(axis=1, keepdims=True) - _WAYS_APART), logs, -np.inf)
        for index in np.flatnonzero(rivals.max(axis=1) > -np.inf):
            (other,) = self.name(image_bgr, [ways[index][rivals[index].argmax()]])
            named[index] = beside_other(named[index], other)
        return [replace(tile, unsure=tile.unsure or tile.covered >= UNCOVERED) for tile in named]

    def name(self, image_bgr: ImageU8, quads_px: list[Points]) -> list[DetectedTile]:
        """Return what lies in the given upright quads of a (H, W, 3) uint8 BGR picture, in their order.

        A quad that shows no tile takes no code away from the tiles.
        """
        image_bgr = in_enough_light(image_bgr)
        faces = self._look(image_bgr)(quads_px)
        found = self._namer.name(image_bgr, faces, self.known, are_tiles=False)
        faces, codes, named = found.faces, self.classifier.codes, []
        likeness = faces.likeness[faces.tile >= CLEAR_TILE_CHANCE]
        sure = sure_by_likeness(likeness, self.classifier.sure_confidence)
        for index, code in enumerate(found.codes):
            unsure = self._namer.is_unsure(faces, index, code, sure)
            named.append(
                DetectedTile(
                    codes[code.index],
                    corners_of(faces.quads_px[index]),
                    round(code.confidence, 4),
                    unsure,
                    float(faces.tile[index]),
                    float(faces.likeness[index]),
                    float(faces.covered[index]),
                    _alternatives(codes, code) if unsure else (),
                )
            )
        return named

    @property
    def _way(self) -> KnownWay | None:
        return None if self.known is None else self.known.way

    def _look(self, image_bgr: ImageU8) -> Look:
        """Return what sees the faces in quads of a (H, W, 3) uint8 BGR picture."""
        return partial(self.classifier.read, image_bgr, sees_colour=shows_colour(image_bgr))

    def _candidates(self, image_bgr: ImageU8) -> list[TileCandidate]:
        """Return what may be tiles in a (H, W, 3) uint8 BGR picture, by how aslant a game shows them."""
        if self.classifier.aspect != 1:
            return self._detector.find(image_bgr, None)
        return self._detector.find(image_bgr, STRAIGHT if self.known is None else self.known.shape.squash)

    def _look_again(
        self, image_bgr: ImageU8, candidates: list[TileCandidate], look: Look, *, lie_alone: bool = False
    ) -> tuple[list[FoundTile], Faces]:
        """Return the candidates that are tiles, the surest first, and the faces of all candidates."""
        size_wh = (image_bgr.shape[1], image_bgr.shape[0])
        is_enrolled = not self.classifier.is_by_shipped_model
        tiles, faces = found_tiles(candidates, size_wh, look, is_enrolled=is_enrolled, lie_alone=lie_alone)
        return apart(tiles if self.known is None else self.known.shape.fitting(tiles)), faces

    def _whole_pyramid(
        self,
        image_bgr: ImageU8,
        candidates: list[TileCandidate],
        found: list[FoundTile],
        first: Faces,
        laid: list[LatticeTile],
        look: Look,
    ) -> tuple[Faces, list[LatticePlace], list[Points]]:
        """Return the faces and places of the pyramid with tiles that the detector missed, and hidden places.

        A face that the first look saw upright and well cut is not looked at again.
        """
        quads, places = [tile.quad_px for tile in laid], [tile.place for tile in laid]
        faces, hidden = first.only([found[tile.index].look for tile in laid]), []
        again = _worth_another_look(faces, laid)
        tried: set[LatticePlace] = set()
        seen = np.array([candidate.quad_px.mean(axis=0) for candidate in candidates]).reshape(-1, 2)
        while quads:
            empty = [each for each in empty_neighbours(quads, places) if each[0] not in tried]
            tried |= {place for place, _ in empty}
            empty, table = worth_a_look(image_bgr, seen, empty)
            second = look([*(quads[index] for index in again), *(quad for _, quad in empty)])
            faces = faces.seen_anew(again, second)
            kept = [index for index in range(len(places)) if not (again and faces.is_no_tile(index))]
            if len(kept) < len(places):
                faces, again, tried = faces.only(kept), [], set()
                quads, places = [quads[index] for index in kept], [places[index] for index in kept]
                continue
            beside = cut_better(look, second.only(list(range(len(again), len(second.tile)))))
            missed, over = missed_and_hidden(image_bgr, candidates, faces, beside, empty, table)
            hidden += [empty[index][1] for index in over]
            if not missed:
                break
            # Tiles may lie beside those, too.
            added = [nearer(beside.quads_px[index], empty[index][1]) for index in missed]
            faces = joined([faces, look(added)])
            quads, again = list(faces.quads_px), []
            places += [empty[index][0] for index in missed]
        return *_in_order(faces, places, has_changed=len(places) != len(laid)), hidden

    def _assigned(
        self, image_bgr: ImageU8, faces: Faces, places: list[LatticePlace], clear: list[bool]
    ) -> tuple[list[TileReading], tuple[ColourGroup, ...]]:
        """Return the tiles with codes and confidence, in scanning order of the notation; unnamed groups.

        `clear` says of which tiles it is clear that they lie in their places.
        """
        codes, most = self.classifier.codes, len(self.classifier.codes) * self.classifier.copies
        if len(places) > most:
            keep = sorted(np.argsort(-faces.tile)[:most].tolist())
            faces, places = faces.only(keep), [places[index] for index in keep]
            clear = [clear[index] for index in keep]
        size_wh, tiles = (image_bgr.shape[1], image_bgr.shape[0]), []
        named = self._namer.name(image_bgr, faces, self.known, are_tiles=True)
        faces = named.faces
        usual = sure_by_likeness(faces.likeness, self.classifier.sure_confidence)
        sure = surely_named_from(named.codes, usual, is_game=self.known is not None)
        tints = tint_values(faces.log_codes) if self.classifier.is_by_shipped_model else None
        for index, (code, place) in enumerate(zip(named.codes, places, strict=True)):
            covered = bool(faces.covered[index] >= COVERED_CHANCE)
            cut = share_inside(faces.quads_px[index], size_wh) < WHOLE_SHARE
            unsure = covered or cut or not clear[index] or self._namer.is_unsure(faces, index, code, sure)
            # The chances of a face that is partly hidden say too much: it may be any tile.
            others = () if covered or cut or not unsure else _alternatives(codes, code)
            tiles.append(
                TileReading(
                    codes[code.index],
                    place.row,
                    place.slot,
                    corners_of(faces.quads_px[index]),
                    round(code.confidence, 4),
                    unsure,
                    others,
                    covered,
                    cut,
                    None if tints is None else tints[index],
                )
            )
        tiles = doubted_turned(tiles, faces.up, lambda quads: self.name(image_bgr, quads))
        return tiles, named.unnamed


def _legible(look: Look) -> Legible:
    return lambda quads: look(quads).legible()


def _alternatives(codes: Sequence[str], code: AssignedCode) -> tuple[tuple[str, float], ...]:
    """Return the other codes that a tile may have, with their chances."""
    return tuple((codes[other], round(chance, 4)) for other, chance in code.alternatives)


def _clear(
    faces: Faces,
    places: list[LatticePlace],
    rivals: Faces,
    *,
    is_clear: bool,
    is_upright: bool,
    hides_places: bool,
) -> list[bool]:
    """Return of which tiles it is clear that they are some, and lie in their places.

    Args:
        faces: What they show.
        places: Where they lie.
        rivals: The first looks at what lies elsewhere.
        is_clear: Whether it is clear for all, by where everything lies.
        is_upright: Whether it is clear which way is up.
        hides_places: Whether something is covered beside them.
    """
    is_lone = len(places) == 1
    plain = [_reads_plainly(faces, index) for index in range(len(places))]
    clear = [is_clear] * len(places)
    if any(plain) and (not is_clear or is_lone):
        # The circles of a printed cloth look like tiles, and none can be read (film 399311).
        # A tile of a hand was told, and a dim one that lay there alone was one by 0.9885 (table-dev2 020).
        least = CLEAR_TILE_CHANCE if is_lone else CERTAIN_TILE_CHANCE
        outdone = sum(plain) <= sum(_reads_plainly(rivals, index, least) for index in range(len(rivals.tile)))
        # It may lie in a hand, on other tiles of it, and the pyramid elsewhere (table-dev2 031).
        is_in_hand = is_lone and hides_places and not is_clear
        may_be = not outdone and not is_in_hand and is_upright
        clear = [may_be and each for each in plain]
    touch = touching(places)
    if len(places) > 1 and not any(touch):
        # Nothing shows a lattice: a line of a score sheet may lie as straight to a tile as another tile.
        surest = int(faces.tile.argmax())
        clear = [each and index == surest for index, each in enumerate(clear)]
    return [
        each and (touch[index] or is_lone or not lies_among(faces.quads_px[index], rivals.quads_px))
        for index, each in enumerate(clear)
    ]


def _worth_another_look(faces: Faces, laid: list[LatticeTile]) -> list[int]:
    """Return which faces of a pyramid were first seen turned, or cut badly."""
    return [
        index
        for index, tile in enumerate(laid)
        if tile.turn
        or faces.moved[index] > BADLY_CUT
        or (faces.moved[index] > WELL_CUT and faces.readable(index) < CLEARLY_READABLE)
    ]


def _in_order(
    faces: Faces, places: list[LatticePlace], *, has_changed: bool
) -> tuple[Faces, list[LatticePlace]]:
    """Return faces and their places in scanning order; the lowest row is the base if places have changed."""
    placed = dict(enumerate(places))
    settled = grounded(placed) if placed and has_changed else placed
    order = sorted(settled, key=lambda index: (settled[index].row, settled[index].half))
    return faces.only(order), [settled[index] for index in order]


def _reads_plainly(faces: Faces, index: int, least: float = CERTAIN_TILE_CHANCE) -> bool:
    """Return whether a face is so well read that it is a tile, whatever else may be one.

    It is one by `least`, and nothing lies over it.
    """
    return bool(
        faces.tile[index] >= least
        and faces.covered[index] < UNCOVERED
        and faces.readable(index) >= PLAINLY_READABLE
    )
