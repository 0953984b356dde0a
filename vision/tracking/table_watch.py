"""Watches a table through a camera: when it lies still it is read, and compared with what lay there."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, share_inside, side_px
from vision.imaging.quality import MOSTLY_BURNT_OUT, MUCH_GAIN, brighter, burnt_out, gain_for
from vision.recognition.reader import TILES_OF_MIRROR, ReadsTables, is_mirrored
from vision.recognition.reading import DetectedTile, Quad, Reading, TileReading
from vision.sources.frame import Frame
from vision.sources.motion_gate import Box, MotionGate, TableMotion
from vision.tracking.camera_motion import distance
from vision.tracking.change_detection import is_unchanged
from vision.tracking.initial_table import FirstPicture, TileLook
from vision.tracking.lattice_track import BESIDE, GameLattice, open_places, own_places, turned_over
from vision.tracking.occlusion import PATIENCE_S, OcclusionCheck
from vision.tracking.place_head import KnownFaces
from vision.tracking.table_tracker import TableTracker

RESTLESS_S = 60.0
"""So many seconds without a rest are long at a table; where a camera shakes, there never is one."""
MIRROR_LOOKS = 3
"""So many tables with tiles enough tell whether the camera mirrors them; those of which much is in doubt are
read the other way round, too."""
OTHER_LIGHT = 1.7
"""A table is in other light, and is made brighter or less bright, where its pictures need a gain that differs
by this factor."""
WHOLE = 0.9
"""A tile of which less than this share lies in the picture is cut by its edge. Not fitted."""
LOOK_AGAIN_S = (1.0, 8.0)
"""While the game waits for something to come clear, a table that lies still is read again after the first,
and each time after twice as long, up to the last."""

_REACH = 1.6
"""A new tile, and the fingers that lay it, are no further from the others than this, in sides."""
_MIDDLE = 0.2, 0.8
"""Where no tile is known yet, the game is played between these shares of width and height."""
_MOST_GROUPS = 4
"""So often a table is read without what lay there first: other parts of a page may look like tiles then."""


class PictureFault(Enum):
    """What is wrong with a camera's picture, so that its tiles cannot be read well."""

    MIRRORED = "mirrored"
    """It shows the table as a mirror does."""
    DARK = "dark"
    BRIGHT = "bright"
    """The tiles are burnt out."""
    NARROW = "narrow"
    """Where the next tile may be placed lies beyond its edge."""


class TableReader(TileLook, ReadsTables, Protocol):
    """Reads settled tables; `vision.recognition.reader.TileReader` does."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a game knows and waits for when its table is looked at."""

    lying: Sequence[str]
    """The codes of the tiles that should lie there."""
    has_begun: bool
    left_over: int
    """How many tiles lie there at most before the first one is placed."""
    is_waiting: bool
    """Whether something has to come clear, so that a table that lies still is read again."""
    knows_tiles: bool = False
    """Whether the game is certain of a tile on the table."""

    @property
    def begins_bare(self) -> bool:
        """Whether no tile lies there before the first one is placed."""
        return not self.left_over


class PictureFaults:
    """What is wrong with the pictures of one camera; each fault is told once."""

    def __init__(self, reader: ReadsTables) -> None:
        """Begin with a camera that has shown nothing yet."""
        self._reader = reader
        self._mirror_looks = MIRROR_LOOKS
        self._told: set[PictureFault] = set()

    def of_camera(self, image_bgr: ImageU8, read: Reading) -> PictureFault | None:
        """Return whether the camera is newly found to show the table as a mirror does; the first tables tell.

        Args:
            image_bgr: The picture of a settled table, (H, W, 3) uint8, BGR.
            read: What was read there by itself.
        """
        if not self._mirror_looks or len(read.tiles) < TILES_OF_MIRROR:
            return None
        self._mirror_looks -= 1
        if not is_mirrored(self._reader, image_bgr, read):
            return None
        self._mirror_looks = 0
        return PictureFault.MIRRORED

    def of_light(self, image_bgr: ImageU8, reading: Reading, gain: float) -> PictureFault | None:
        """Return what is newly found to be wrong with the light of a table with a tile in doubt.

        Args:
            image_bgr: The picture of a clear table, (H, W, 3) uint8, BGR, in enough light.
            reading: What lies there.
            gain: By how much the picture was made brighter.
        """
        fault = PictureFault.DARK if gain > MUCH_GAIN else PictureFault.BRIGHT
        if fault in self._told:
            return None
        quads = [np.array(tile.quad_px, np.float32) for tile in reading.tiles]
        if fault is PictureFault.BRIGHT and burnt_out(image_bgr, quads) <= MOSTLY_BURNT_OUT:
            return None
        self._told.add(fault)
        return fault

    def of_room(self, image_bgr: ImageU8, reading: Reading) -> PictureFault | None:
        """Return whether a pyramid has newly come to the picture's edge: the next tile may be seen in part.

        Args:
            image_bgr: The picture of a clear table, (H, W, 3) uint8, BGR.
            reading: What lies there.
        """
        found = dict(zip(own_places(reading.tiles), reading.tiles, strict=True))
        size_wh = image_bgr.shape[1], image_bgr.shape[0]
        next_px = GameLattice.of(found).quads_at(open_places(found))
        is_narrow = any(share_inside(quad, size_wh) < WHOLE for quad in next_px)
        if not is_narrow:
            self._told.discard(PictureFault.NARROW)
        elif PictureFault.NARROW not in self._told:
            self._told.add(PictureFault.NARROW)
            return PictureFault.NARROW
        return None


class TableWatch:
    """The table of one game, as one camera sees it. For one thread; frames are seen in their order."""

    def __init__(self, reader: TableReader, least: int = 0) -> None:
        """Begin with a table that was not seen yet, on which at least so many tiles should lie."""
        self._reader = reader
        self._gate, self._occlusion = MotionGate(), OcclusionCheck(least)
        self._faces = KnownFaces.of(reader)
        self._tracker = TableTracker(reader, self._faces)
        self._next_look_s, self._wait_s = 0.0, 0.0
        self._has_denied = False
        """Whether people said that what was read is no tile, and not since that one lies there."""
        self._bare: tuple[ImageU8, Reading, float] | None = None
        """The last table on which a tile was expected and none seen, with its time."""
        self._tileless: list[tuple[ImageU8, float]] = []
        """The first and the last picture before the game begins on which no tile was read, with their times:
        an arm may lie on one of them."""
        self._first = FirstPicture(reader)
        self._begins_bare = False
        """Whether no tile lies there before the first one is placed."""
        self._has_seen_tiles = False
        """Whether a tile was read before them: on a picture without, a hand lies over it."""
        self.reading: Reading | None = None
        """What was read last."""
        self._read_s = 0.0
        """When."""
        self._lone: tuple[ImageU8, Quad] | None = None
        """Something that lay alone, and in doubt, on the last clear table: the picture, and where."""
        self.is_moving = False
        """Whether something moves over the table, so that what was read last may not lie there any more."""
        self.is_covered = False
        """Whether something lay over the table when it was read last."""
        self.never_rests = False
        """Whether something has just moved for `RESTLESS_S` without a rest; once each time."""
        self._rested_s, self._last_s = -math.inf, math.inf
        self.fault: PictureFault | None = None
        """What was just found to be wrong with the picture; each once."""
        self.has_left_out = False
        """Whether things that passed for tiles have just been left out."""
        self._near_px: Box | None = None  # where tiles lay on the last clear table, and others may come
        self._faults = PictureFaults(reader)
        self._gain = 1.0
        """By how much pictures are made brighter."""

    def see(self, frame: Frame, game: Awaited) -> Reading | None:
        """Return what lies on a settled table, or None where this frame tells nothing new.

        `is_covered` then says whether something lies over it.
        """
        dark_bgr, frame = frame.image_bgr, replace(frame, image_bgr=self.in_enough_light(frame.image_bgr))
        near_px = (game.lying and self._near_px) or _middle(frame.image_bgr)
        state = self._gate.see(frame, near_px, tiles_lie_there=bool(game.lying))
        if state is TableMotion.SETTLED and self._is_in_other_light(dark_bgr):
            state = TableMotion.MOVING
        self.is_moving = state is TableMotion.MOVING
        if not self.is_moving or not self._rested_s <= self._last_s <= frame.time_s:
            self._rested_s = frame.time_s
        self.never_rests = self._last_s <= self._rested_s + RESTLESS_S < frame.time_s
        self._last_s = frame.time_s
        if state is TableMotion.SETTLED:
            self._wait_s = LOOK_AGAIN_S[0]
        elif self.is_moving or frame.time_s < self._next_look_s or not self._waits(game):
            return None
        self._next_look_s = frame.time_s + self._wait_s
        self._wait_s = min(2 * self._wait_s, LOOK_AGAIN_S[1])
        if self._bare is not None and not self._expects_tiles(game):
            self._begin_bare(*self._bare)
        image, read = self._read(frame.image_bgr, game)
        self.fault = self._faults.of_camera(image, read)
        reading = self._amended(image, read, frame.time_s, game)
        self.reading, self._read_s = reading, frame.time_s
        if self._expects_tiles(game) and not reading.tiles:
            # No table to compare with: a tile lies there unseen, perhaps under a hand, or is on its way.
            self.is_covered = bool(reading.hidden)
            is_news = self._bare is None or state is TableMotion.SETTLED
            self._bare = image, reading, frame.time_s
            return reading if is_news else None
        self._bare = None
        self._accept(image, read, reading, frame.time_s)
        if game.lying and not self.is_covered:
            self.fault = self.fault or self._faults.of_room(image, reading)
        return reading

    def _accept(self, image_bgr: ImageU8, read: Reading, reading: Reading, time_s: float) -> None:
        """Compare the next table with this one, unless something lies over it."""
        self.is_covered = self._occlusion.is_over(image_bgr, reading, time_s)
        self._remember_lone(image_bgr, reading)
        if self.is_covered:
            self._gate.covered()
            return
        self._near_px = _near(reading)
        self._first.see_from(self._tracker.view)
        self._tracker.accept()
        if read.unsure and reading.unsure:
            self.fault = self.fault or self._faults.of_light(image_bgr, reading, self._gain)

    def in_enough_light(self, image_bgr: ImageU8) -> ImageU8:
        """Return a picture of this camera, (H, W, 3) uint8 BGR, as bright as it is read now."""
        return brighter(image_bgr, self._gain)

    def _is_in_other_light(self, dark_bgr: ImageU8) -> bool:
        """Return whether a settled table is to be made brighter than it was; from now on it is."""
        gain = gain_for(dark_bgr)
        if 1 / OTHER_LIGHT <= gain / self._gain <= OTHER_LIGHT:
            return False
        self._gain = gain
        return True

    def _read(self, image_bgr: ImageU8, game: Awaited) -> tuple[ImageU8, Reading]:
        """Return the picture without what is no tile, and what is read there."""
        self.has_left_out, self._begins_bare = False, game.begins_bare
        image = self._tracker.without_things(image_bgr)
        read, lone = self._reader.read(image), self._lone
        if game.knows_tiles:
            return image, read
        if lone is not None and _lies_elsewhere(self._reader, *lone, image, read):
            self._tracker.leave_out(*lone)
            self._forget_things()
            self._first.leave_out(self._tracker.without_things)
            image = self._tracker.without_things(image_bgr)
            return image, self._reader.read(image)
        return self._read_beside_things(image_bgr, image, read, game)

    def _read_beside_things(
        self, given_bgr: ImageU8, image_bgr: ImageU8, read: Reading, game: Awaited
    ) -> tuple[ImageU8, Reading]:
        """Return the same without things that lay there first, and were read as a pyramid.

        A rulebook shows one, and numbers that lie in a row look like one (decision 71).
        """
        for _ in range(_MOST_GROUPS):
            things = self._first.things(image_bgr, read, game.left_over)
            if not things:
                break
            self._begin_without(things, is_bare=game.begins_bare)
            image_bgr = self._tracker.without_things(given_bgr)
            read = self._reader.read(image_bgr)
        return image_bgr, read

    def _begin_without(self, things: Sequence[Quad], *, is_bare: bool) -> None:
        """Leave out what lay on the first picture and is no tile."""
        assert self._first.image_bgr is not None  # they lay there
        self._tracker.begin_without(self._first.image_bgr, things, is_bare=is_bare)
        self._first.leave_out(self._tracker.without_things)
        self._forget_things(self._first.image_bgr)
        self._has_seen_tiles = not is_bare  # the left-over tile lay beside it: a hand may lie over that now

    def _forget_things(self, bare_bgr: ImageU8 | None = None) -> None:
        """Forget how the table looked before what lay there was left out; `bare_bgr`: it without that."""
        self.has_left_out = True
        self._occlusion.forget(bare_bgr)
        self._lone, self._tileless, self._has_seen_tiles = None, [], False

    def _amended(self, image_bgr: ImageU8, read: Reading, time_s: float, game: Awaited) -> Reading:
        """Return what lies there, as the tables before correct it."""
        if not game.has_begun:
            self._tracker.forget_empty()  # a left-over tile that was not seen would count as bare table
            self._tracker.expect_left_over(not game.begins_bare)
        reading = self._tracker.amend(image_bgr, read, time_s, game.lying, begins_bare=game.begins_bare)
        self._remember_tileless(image_bgr, reading, time_s, game)
        if self._is_half_hidden(image_bgr, reading, time_s):
            tiles = tuple(replace(tile, covered=True, unsure=True) for tile in reading.tiles)
            return replace(reading, tiles=tiles)
        if not reading.tiles or game.knows_tiles or (game.has_begun and not game.begins_bare):
            return reading
        self._has_seen_tiles = True
        return self._first.marked(image_bgr, reading, self._tracker.view)

    def _remember_lone(self, image_bgr: ImageU8, reading: Reading) -> None:
        """Remember where something lies alone of which nobody knows whether it is a tile."""
        if self.is_covered or not reading.tiles:
            return
        lone = reading.tiles[0]
        self._lone = (image_bgr, lone.quad_px) if len(reading.tiles) == 1 and lone.unsure else None

    def _remember_tileless(self, image_bgr: ImageU8, reading: Reading, time_s: float, game: Awaited) -> None:
        if game.has_begun:
            self._tileless = []
        elif not reading.tiles and not self._has_seen_tiles:
            self._tileless = [*self._tileless[:1], (image_bgr, time_s)]

    def _is_half_hidden(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> bool:
        """Return whether an arm may lie over tiles of the first table, of which none was seen before.

        Of a yellow 100 under a hand a yellow 10 was surely read (film 405151).
        """
        return bool(self._tileless and reading.tiles) and all(
            time_s - since_s <= PATIENCE_S
            and before_bgr.shape == image_bgr.shape
            and self._occlusion.has_reached_in(before_bgr, image_bgr, reading)
            for before_bgr, since_s in self._tileless
        )

    def _begin_bare(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> None:
        """Compare with a table on which no tile lay, as people said since: soon a hand may lie over it.

        A hand pointed at it just then, and later, in the same place, over the first tile (film 387068).
        """
        self._bare = None
        if not self._occlusion.is_over(image_bgr, reading, time_s):
            self._tracker.accept()

    def confirm(self, certain: Mapping[tuple[int, int], str], lying: Collection[str]) -> None:
        """Hear what the game made of the table that was read last.

        Args:
            certain: The tiles that it is certain of, by row and slot; none while something is in doubt.
            lying: The codes of all tiles that it has on the table.
        """
        if self._faces is not None:
            self._faces.confirm(certain, lying)

    def tell(self, named: Collection[str], denied: Collection[str]) -> None:
        """Hear which tiles people have named, and which of them are others after all, by code."""
        if self._faces is not None:
            self._faces.tell(named, denied)

    @property
    def turned_over_px(self) -> Points | None:
        """How an upright tile lies, (4, 2), if the last table showed that the row had stood on its head."""
        return self._tracker.turned_over_px

    @property
    def has_stood(self) -> bool:
        """Whether the bricks have shown which way is up."""
        return self._tracker.has_stood

    def turn_over(self) -> None:
        """Hear that what was taken for upright stands on its head: the one row is read from its wrong end."""
        self._tracker.turn_over()
        if self.reading is not None:
            self.reading = turned_over(self.reading)

    def expect_tiles(self) -> None:
        """Hear that a tile lies on the first table, where none was seen."""
        self._tracker.expect_tiles()
        self._has_denied, self._bare = False, None

    def deny(self, places: Collection[tuple[int, int]]) -> None:
        """Hear that what was read last in some places is no tile; the next table is the first one.

        Args:
            places: By row and slot; where one tile was read alone, that is none wherever it lies.
        """
        tiles = () if self.reading is None else self.reading.tiles
        left = min((tile.slot for tile in tiles), default=0)
        denied = [tile for tile in tiles if (tile.row, tile.slot - left) in places]
        if self.reading is None or not (denied or len(tiles) == 1):
            return
        self._lone = None  # it is known already: left out once more, the next tile was table (film 427081)
        self._next_look_s = 0.0  # a hand comes soon, and would belong to the first table (film 465900)
        if len(tiles) > 1 and all(tile.lay_first for tile in denied):
            is_bare = self._begins_bare and len(denied) == len(tiles)
            self._begin_without([tile.quad_px for tile in denied], is_bare=is_bare)
            self.reading = replace(self.reading, tiles=tuple(each for each in tiles if each not in denied))
        elif len(tiles) > 1:
            self._tracker.deny([tile.quad_px for tile in denied])
            self.reading = replace(self.reading, tiles=tuple(each for each in tiles if each not in denied))
            self._has_seen_tiles, self._tileless = False, []
        else:
            bare_bgr = self._tracker.deny()
            self._occlusion.forget()  # what was painted over would seem to reach in from the edge (404101)
            # Else a first tile that nobody can read would be table once it is placed (407029).
            reading = replace(self.reading, tiles=(), hidden=())
            self._has_denied, self._has_seen_tiles = True, False
            self._bare = None if bare_bgr is None else (bare_bgr, reading, self._read_s)
            # The first picture without a tile, and no arm lay there: it was read (408040).
            self._tileless = [] if bare_bgr is None else [(bare_bgr, self._read_s)]
        self._first.leave_out(self._tracker.without_things)

    def keep_only(self, places: Collection[tuple[int, int]]) -> None:
        """Hear where tiles lie of what was read last; what was read elsewhere is none, as people say.

        Args:
            places: By row and slot as they were read.
        """
        if self.reading is None:
            return
        kept = tuple(tile for tile in self.reading.tiles if (tile.row, tile.slot) in places)
        if len(kept) < len(self.reading.tiles):
            self.reading = replace(self.reading, tiles=kept)
            if self._faces is not None:
                self._faces.keep_only(places)

    def _waits(self, game: Awaited) -> bool:
        """Return whether a table that lies still is to be read again."""
        # Where all that lay on the first table was denied, nobody knows yet what it looks like without.
        has_denied_all = game.begins_bare and not self._tracker.knows_table
        expects = self._expects_tiles(game) and not self._has_denied
        return game.is_waiting or expects or has_denied_all

    def _expects_tiles(self, game: Awaited) -> bool:
        """Return whether a left-over tile must lie there, or does as people said, before the game begins."""
        return not game.has_begun and (self._tracker.expects_tiles or not game.begins_bare)


def _lies_elsewhere(
    reader: TableReader, before_bgr: ImageU8, thing: Quad, image_bgr: ImageU8, read: Reading
) -> bool:
    """Return whether a tile has come that lies apart from what lay there alone and in doubt.

    That is no tile then. Nobody said so of a note and a telephone (films 411101, 411179 and 411324).
    """
    if before_bgr.shape != image_bgr.shape:
        return False
    seen: list[TileReading | DetectedTile] = [*read.tiles]
    if read.elsewhere:
        seen += reader.tiles(image_bgr)
    return any(
        not tile.unsure
        and min(distance(thing, tile.quad_px), distance(tile.quad_px, thing)) > BESIDE
        and not is_unchanged(before_bgr, tile.quad_px, image_bgr, tile.quad_px)
        for tile in seen
    )


def _near(reading: Reading) -> Box | None:
    """Return the box about the tiles of a table and the places beside them; None where none lies."""
    if not reading.tiles:
        return None
    quads = np.array([tile.quad_px for tile in reading.tiles])
    reach = _REACH * max(side_px(quad) for quad in quads)
    (left, top), (right, bottom) = quads.min(axis=(0, 1)) - reach, quads.max(axis=(0, 1)) + reach
    return round(left), round(top), round(right), round(bottom)


def _middle(image_bgr: ImageU8) -> Box:
    """Return the middle of a picture."""
    high, wide = image_bgr.shape[:2]
    first, last = _MIDDLE
    return round(first * wide), round(first * high), round(last * wide), round(last * high)
