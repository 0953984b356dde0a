"""Reads the first table of a game and removes false tiles; there is no earlier table to compare it with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from referee.rules.layout import Layout
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Matrix, Points, map_points, side_px, turned
from vision.pyramid.lattice import LatticePlace
from vision.recognition.places_beside import CLEAR_TILE_CHANCE
from vision.recognition.reader import PLAINLY_READABLE
from vision.recognition.reading import DetectedTile, Quad, Reading, TileReading, as_reading
from vision.tracking.camera_motion import as_quad, is_same_place, view_change
from vision.tracking.change_detection import is_seen, is_unchanged
from vision.tracking.comparison import Comparison
from vision.tracking.earlier_looks import read_otherwise
from vision.tracking.lattice_track import GameLattice, TilesByPlace, is_apart, own_places, with_only
from vision.tracking.place_head import SHOWN, SHOWN_AT_FIRST, KnownFaces
from vision.tracking.things import DeniedThings, FirstLook, StillPlaces

HAND_S = 0.9
"""Before a game begins, nobody holds a hand still for this many seconds over tiles that nobody gets; nor
later beside one that was laid, before another follows it."""
GUESS = 0.98
"""Without a place head: if no tile is certain, reject those below this confidence."""
ALONE = 0.97
"""Before the game knows of any tile, one that lies alone is in doubt below this confidence: it may be a note.
Reject it where it was read as a part of the pyramid. Where others lie elsewhere its code may be as good as
certain, but not that it is the first tile."""
CONTRADICTED = 0.995
"""Reject a tile below this confidence if everything else says that it is none."""
CERTAIN_TILE = 0.99
"""A tile that lies alone must look like one at least this much: it may be the back of a pile."""
DOUBTFUL_TILE = 0.97
"""What was passed over beside others is a tile from here on where nobody can tell which one it is."""
LARGEST = 0.15
"""In shorter sides of the picture: no first tile is larger where the camera sees seven rows of a pyramid. The
largest of 433 had 0.142, but for two of which more was taken for tile, the smallest of 20 notes that passed
for one 0.158 (films 398000 to 398299, 404000 to 404299). Four were surely read: with 0.972, 0.995, 0.996 and
0.998 (406103, 404090, 406104, 406036)."""
_SHORT_ROW = 2
"""Left-over tiles are three at most. Rule 5."""


class TileLook(Protocol):
    """Reads tiles anywhere in a picture, as `vision.recognition.reader.TileReader` does."""

    def tiles(self, image_bgr: ImageU8) -> Sequence[DetectedTile]:
        """Return every face-up tile of a (H, W, 3) uint8 BGR picture."""

    def name(self, image_bgr: ImageU8, quads_px: list[Points]) -> Sequence[DetectedTile]:
        """Return what lies in the given upright quads of a picture."""


class FirstPicture:
    """Tells what lay on the first picture of a game that knew of no tile from what came. For one thread."""

    def __init__(self, look: TileLook) -> None:
        """Begin before it is seen."""
        self._look = look
        self._first: FirstLook | None = None

    @property
    def image_bgr(self) -> ImageU8 | None:
        """It, (H, W, 3) uint8 BGR; None before it is seen."""
        return None if self._first is None else self._first.image_bgr

    def leave_out(self, painted: Callable[[ImageU8], ImageU8]) -> None:
        """Remember it without what was denied, which `painted` paints over: that does not lie there any more.

        One of three letters was left out alone, and the others hid the game (films 465958 and 465965).
        """
        if self._first is not None:
            self._first = FirstLook(painted(self._first.image_bgr), ())

    def things(self, image_bgr: ImageU8, read: Reading, left_over: int) -> list[Quad]:
        """Return where things lie that were read as tiles since the first picture.

        What has come is looked at by itself: a page shows the same tiles.

        Args:
            image_bgr: A picture, (H, W, 3) uint8 BGR; the first one is kept.
            read: What was read there.
            left_over: How many tiles may have lain there first.
        """
        quads = [tile.quad_px for tile in read.tiles]
        if self._first is None:
            self._first = FirstLook(image_bgr, quads)
            return []
        seen = self._look.tiles(image_bgr) if quads else []
        came = self._come(image_bgr, seen)
        if not came and len(quads) > max(1, left_over):
            # Beside many of another size the tiles of the game pass for none (film 465925).
            things = DeniedThings()
            things.deny(self._first.image_bgr, quads)
            seen = [*seen, *self._look.tiles(things.painted_over(image_bgr, None))]
            came = self._come(image_bgr, seen)
        if not came:
            self._first = self._first.with_read(image_bgr, quads)
            return []
        looks = self._look.name(image_bgr, [np.array(quad, np.float32) for quad in came])
        are_tiles = [tile for tile in looks if tile.tile >= CERTAIN_TILE]
        return self._first.things(image_bgr, read.tiles, seen, are_tiles, left_over)

    def _come(self, image_bgr: ImageU8, seen: Sequence[DetectedTile]) -> list[Quad]:
        """Return where tiles have come since the first picture."""
        assert self._first is not None  # it was seen
        return [tile.quad_px for tile in seen if self._first.has_come(image_bgr, tile.quad_px)]

    def see_from(self, view: Matrix | None) -> None:
        """Hear that the camera moved by a (3, 3) homography of pixels; None: it did not."""
        if self._first is not None and view is not None:
            self._first = self._first.seen_from(view)

    def marked(self, image_bgr: ImageU8, reading: Reading, view: Matrix | None = None) -> Reading:
        """Return a reading on which it is marked what lay on the first picture, read rightly or not.

        The left-over tile was not found, and it was asked for (film 411200); or it was read as another one,
        and taken for the next (411335).

        Args:
            image_bgr: (H, W, 3) uint8 BGR.
            reading: What was read there.
            view: How the camera moved just before, as a (3, 3) homography of pixels; None: it did not.
        """
        first = self._first if self._first is None or view is None else self._first.seen_from(view)
        if first is None or first.image_bgr.shape != image_bgr.shape:
            return reading
        lay = [first.holds(image_bgr, tile.quad_px) for tile in reading.tiles]
        marked = [
            replace(tile, lay_first=is_first) for tile, is_first in zip(reading.tiles, lay, strict=True)
        ]
        return replace(reading, tiles=tuple(marked))


class InitialTable:
    """Remembers since when nothing has moved on a table. For one thread."""

    def __init__(self, look: TileLook, faces: KnownFaces | None = None) -> None:
        """Begin with a table that was not seen yet; `faces` can tell what shows a tile."""
        self._look, self._faces = look, faces
        self._still: tuple[ImageU8, Sequence[TileReading], float] | None = None
        self._places = StillPlaces()
        self.is_told_of_tiles = False
        """Whether people said that a tile lies there, where none was seen."""
        self.must_lie = False
        """Whether one must lie there by the rules, unless it was an incendiary."""

    def amend(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> Reading:
        """Return a reading of a (H, W, 3) uint8 BGR picture without false tiles.

        Args:
            image_bgr: The picture; it is kept, and must not be written into.
            reading: What was read there by itself.
            time_s: When, in seconds; never falls.
        """
        kept = self._without_figures(image_bgr, reading)
        kept = self._without_guesses(image_bgr, kept)
        kept = self._without_spots(image_bgr, kept, time_s)
        return self._with_ends(image_bgr, kept)

    def _with_ends(self, image_bgr: ImageU8, reading: Reading) -> Reading:
        """Return a reading of a row of one or two tiles with those at its ends that were passed over.

        Two left-over tiles are hardly all: what looks a little less like a third is one, too (film 430466).
        """
        row = dict(zip(own_places(reading.tiles), reading.tiles, strict=True))
        if self._faces is None or not 0 < len(row) <= _SHORT_ROW or any(place.row for place in row):
            return reading
        if any(tile.covered for tile in row.values()):
            return reading
        least = CLEAR_TILE_CHANCE if self.must_lie and len(row) == _SHORT_ROW else DOUBTFUL_TILE
        return with_only(reading, with_ends(image_bgr, row, self._look, self._faces, least=least), 0)

    def _without_figures(self, image_bgr: ImageU8, reading: Reading) -> Reading:
        """Return a reading without what is surely read beside a tile, and hardly looks like one.

        Some figures of a printed cloth beside the left-over tile were surely read as a red 7 (film 407050).
        Faces of a strange set may hardly look like tiles beside others (film 392115): both must say so.
        """
        if self._faces is None or len(reading.tiles) < 2:
            return reading
        quads = [np.array(tile.quad_px, np.float32) for tile in reading.tiles]
        shown = self._faces.show_tiles(image_bgr, quads, SHOWN_AT_FIRST)
        looks = self._look.name(image_bgr, quads)
        found = zip(own_places(reading.tiles), reading.tiles, shown, looks, strict=True)
        kept = {
            place: tile
            for place, tile, is_shown, seen in found
            if is_shown or tile.unsure or seen.tile >= CERTAIN_TILE
        }
        if len(kept) == len(reading.tiles) or not any(shown):
            return reading
        return with_only(reading, kept, min(place.row for place in kept))

    def _without_guesses(self, image_bgr: ImageU8, reading: Reading) -> Reading:
        """Return a reading without unlikely tiles, such as the back of a pile.

        If one was taken for the pyramid, a certain tile that lies alone elsewhere is the pyramid instead.
        Once people said that a tile lies there, so it is if none of several was, which may be the corner of a
        playing card without that; and what surely is a tile stays, though nobody can tell which, and so do
        several side by side: people were asked for them again and again (film 424005). Without that they must
        all look like tiles; where one must lie, a lone one too.
        """
        if not (reading.tiles or (self.is_told_of_tiles and reading.elsewhere)) or any(
            not tile.unsure or tile.covered for tile in reading.tiles
        ):
            return reading
        most = 0 if self.must_lie else 1
        if len(reading.tiles) > most and self._are_tiles(image_bgr, reading.tiles):
            return reading
        doubtful = {tile.code for tile in reading.tiles if tile.confidence < ALONE}
        tiles = [tile for tile in self._look.tiles(image_bgr) if tile.tile >= CERTAIN_TILE]
        if self.is_told_of_tiles and reading.tiles and _are_among(reading.tiles, tiles):
            return reading
        sure = [tile for tile in tiles if not tile.unsure and tile.code not in doubtful]
        if len(sure) > 1 or any(_is_read_otherwise(reading, tile) for tile in sure):
            return reading
        if not sure and any(_is_read_alike(reading, tile) for tile in tiles):
            return reading
        if not sure:
            is_asked = self.is_told_of_tiles and len(reading.tiles) > 1
            return reading if is_asked else replace(reading, tiles=(), layout=Layout.from_tiles({}))
        (tile,) = sure
        return _with_lone(reading, tile)

    def _are_tiles(self, image_bgr: ImageU8, tiles: Sequence[TileReading]) -> bool:
        """Return whether tiles that nobody vouches for are tiles all the same."""
        if any(tile.cut for tile in tiles):
            return True
        if self._faces is None:
            return any(tile.confidence >= GUESS for tile in tiles)
        quads = [np.array(tile.quad_px, np.float32) for tile in tiles]
        shown = self._faces.show_tiles(image_bgr, quads, SHOWN_AT_FIRST if len(tiles) > 1 else SHOWN)
        # A lamp shone on a yellow 120 (film 399149).
        is_read = [len(tiles) > 1 and tile.confidence >= CONTRADICTED for tile in tiles]
        return all(map(max, shown, is_read))

    def _without_spots(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> Reading:
        """Return a reading without spots of the table.

        A spot is a doubtful tile far from all others; a hidden place that has not changed for `HAND_S`, or
        since tiles lay otherwise, so that no hand can lie there; and, if no tile is certain, a covered or cut
        tile of which the same is true.
        """
        found = dict(zip(own_places(reading.tiles), reading.tiles, strict=True))
        best = max((tile.confidence for tile in found.values()), default=0.0)
        kept = {
            place: tile
            for place, tile in found.items()
            if not ((tile.unsure or tile.confidence < CONTRADICTED <= best) and is_apart(place, found))
        }
        in_part = [tile for tile in kept.values() if tile.covered or tile.cut]
        if any(not tile.unsure for tile in kept.values()):
            in_part = []
        quads = [*reading.hidden, *(tile.quad_px for tile in in_part)]
        still = self._still
        # What mostly lies beyond the edge tells nothing: all was waited for because of it (film 423529).
        seen = [quad for quad in quads if is_seen(image_bgr, quad)]
        if still is None or not _are_as_before(still[0], still[1], seen, image_bgr, reading.tiles):
            self._still = still = image_bgr, reading.tiles, time_s
        spots = self._places.look(image_bgr, quads, reading.tiles)
        if not kept or time_s - still[2] >= HAND_S:
            spots = set(quads)  # without a pyramid nobody knows where its places are
        reading = replace(reading, hidden=tuple(quad for quad in reading.hidden if quad not in spots))
        kept = {
            place: tile for place, tile in kept.items() if tile not in in_part or tile.quad_px not in spots
        }
        if len(kept) == len(found):
            return reading
        return with_only(reading, kept, min((place.row for place in kept), default=0))


def _are_as_before(
    before_bgr: ImageU8,
    before: Sequence[TileReading],
    quads: Sequence[Quad],
    image_bgr: ImageU8,
    tiles: Sequence[TileReading],
) -> bool:
    """Return whether an earlier picture shows the same in some quads, however a hand has moved the camera.

    As it swayed, a page seemed to lie under something for ever, and nothing was asked about it (film 475220).
    """
    view = view_change(before, tiles)
    back = np.asarray(np.eye(3) if view is None else np.linalg.inv(view), np.float64)
    there = [as_quad(map_points(back, np.array(quad))) for quad in quads]
    pairs = zip(there, quads, strict=True)
    return all(is_unchanged(before_bgr, old, image_bgr, quad) for old, quad in pairs)


def with_ends(
    image_bgr: ImageU8,
    row: TilesByPlace,
    look: TileLook,
    faces: KnownFaces,
    beside: Comparison | None = None,
    *,
    least: float = DOUBTFUL_TILE,
) -> TilesByPlace:
    """Return a short row of tiles, with those that lie at its ends and were not found there.

    On a cloth of its colour a tile is hardly seen while it lies alone. The next one was told as the first
    then, or as left over (films 445146 and 445221). Of a lone one that cannot be read for certain nobody
    knows which way up it lies: the one beside it tells.

    Args:
        image_bgr: (H, W, 3) uint8 BGR.
        row: Those that were found, one at least, at their places.
        look: Reads what lies there.
        faces: Tells what shows a tile.
        beside: How the picture differs from the bare table; None where that was not seen.
        least: What is added must look like a tile this much to `look`.
    """
    best: tuple[float, TilesByPlace] = 0.0, row
    for found in _ways_up(image_bgr, row, look):
        in_order = sorted(found, key=lambda place: place.half)
        ends = in_order[0].moved(0, -2), in_order[-1].moved(0, 2)
        quads = GameLattice.of(found, with_doubtful=True).quads_at(ends)
        looks = look.name(image_bgr, quads)
        before = None if beside is None else beside.before(quads)
        shown = faces.show_tiles(image_bgr, quads, SHOWN, before)
        taken, new = {tile.code for tile in found.values()}, {}
        for at, each, is_shown in zip(ends, looks, shown, strict=True):
            read = as_reading(each)
            other = read_otherwise(read, taken) if read.code in taken else read
            is_bare = beside is not None and beside.is_bare(each.quad_px)
            if is_shown and other is not None and each.tile >= least and not is_bare:
                new[at] = other
        best = max(best, (sum(tile.confidence for tile in new.values()), found | new), key=lambda way: way[0])
    return best[1]


def _ways_up(image_bgr: ImageU8, row: TilesByPlace, look: TileLook) -> Iterator[TilesByPlace]:
    """Yield a row as it was read, and a lone doubtful tile the other ways up as well."""
    yield row
    ((place, tile), *others) = row.items()
    for way in (1, 2, 3) if tile.unsure and not others else ():
        (seen,) = look.name(image_bgr, [turned(np.array(tile.quad_px, np.float32), way)])
        yield {place: replace(as_reading(seen), unsure=True)}


def doubt_lone(
    reading: Reading,
    image_bgr: ImageU8,
    faces: KnownFaces | None,
    *,
    may_lie_there: bool,
    may_be_note: bool,
) -> Reading:
    """Return what was read before the game knows of any tile, in doubt where it may be none.

    Args:
        reading: What was read.
        image_bgr: There, (H, W, 3) uint8 BGR.
        faces: Tells what shows a tile; None where nobody can.
        may_lie_there: Whether a lone tile may be a thing that lay there before: it is in doubt, however
            surely it is read.
        may_be_note: Whether it may be a note: a left-over tile that is an incendiary does not lie there.
    """
    sure = [tile for tile in reading.tiles if not tile.unsure]
    if may_lie_there and len(sure) == 1:
        # Beside a thing that is surely read another one may be read doubtfully (film 404101).
        reading = with_only(reading, {LatticePlace(0, 0): sure[0]}, 0)
    is_lone = len(reading.tiles) == 1
    if sure and not is_lone:
        return reading

    def is_doubtful(tile: TileReading) -> bool:
        if tile.unsure or not is_lone:
            return tile.unsure
        is_plain = not may_lie_there and tile.confidence >= ALONE
        return not is_plain or (may_be_note and _may_be_note(tile, image_bgr, faces))

    # The screen of a phone was read as two doubtful tiles, one of them surely a millstone (film 423292).
    tiles = (
        replace(tile, unsure=True, confidence=min(tile.confidence, ALONE)) if is_doubtful(tile) else tile
        for tile in reading.tiles
    )
    return replace(reading, tiles=tuple(tiles))


def _may_be_note(tile: TileReading, image_bgr: ImageU8, faces: KnownFaces | None) -> bool:
    """Return whether what lies alone is not read plainly, or is large for a tile, as notes are.

    Or hardly looks like one: the corner of a playing card was surely read as a red 2 (film 423519).
    """
    quad = np.array(tile.quad_px, np.float32)
    if tile.confidence < PLAINLY_READABLE or side_px(quad) > LARGEST * min(image_bgr.shape[:2]):
        return True
    return faces is not None and not faces.show_tiles(image_bgr, [quad], SHOWN_AT_FIRST)[0]


def _with_lone(reading: Reading, tile: DetectedTile) -> Reading:
    """Return a reading of one tile that lies alone."""
    alone = TileReading(
        tile.code, 0, 0, tile.quad_px, tile.confidence, unsure=False, alternatives=tile.alternatives
    )
    return replace(reading, tiles=(alone,), layout=Layout.from_tiles({(0, 0): tile.code}))


def _are_among(read: Sequence[TileReading], seen: Sequence[DetectedTile]) -> bool:
    """Return whether each tile of a reading is one of those that were seen, whichever it is."""
    return all(any(is_same_place(one.quad_px, other.quad_px) for other in seen) for one in read)


def _is_read_otherwise(reading: Reading, tile: DetectedTile) -> bool:
    """Return whether a tile is another one in the reading: then nobody knows whether it is one at all."""
    return any(read.code != tile.code and is_same_place(read.quad_px, tile.quad_px) for read in reading.tiles)


def _is_read_alike(reading: Reading, tile: DetectedTile) -> bool:
    """Return whether a tile is the only one of a reading, and is read by itself as it is there."""
    return any(
        read.confidence >= GUESS
        and read.code == tile.code
        and is_same_place(read.quad_px, tile.quad_px)
        and len(reading.tiles) == 1
        for read in reading.tiles
    )
