"""Reads a table by comparing it with the last clear one: where nothing has changed, the reading stays.

One picture alone does not say where a tile lies that touches no other tile, on which row the lowest tiles lie
after those below them were taken away, and whether a dark spot of the table hides something. The picture
before does: the camera hardly moves, the tiles lie on a known lattice, and where no pixel has changed,
nothing has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Matrix, turned
from vision.recognition.lattice import LatticePlace
from vision.recognition.places_beside import LIKELY_TILE_CHANCE
from vision.recognition.reading import DetectedTile, Quad, Reading, TileReading
from vision.tracking.camera_motion import as_quad, carried, find_view, is_same_place, is_still, shrink
from vision.tracking.comparison import BareTable, Comparison
from vision.tracking.denied_things import DeniedThings
from vision.tracking.earlier_looks import DoubtfulLooks, read_otherwise, weigh
from vision.tracking.initial_table import CERTAIN_TILE, CONTRADICTED, InitialTable, TileLook
from vision.tracking.lattice_track import (
    STRAY_OFF_PLACE,
    GameLattice,
    TilesByPlace,
    around,
    at_places,
    is_apart,
    is_new_below,
    is_turned_over,
    mirrored,
    on_its_head,
    own_places,
    turned_as,
    with_only,
    within_reach,
)
from vision.tracking.missed_tiles import add_passed_over, add_strays, as_reading, mostly_stayed, uncover
from vision.tracking.place_head import SHOWN_AT_FIRST, KnownFaces
from vision.tracking.still_places import StillPlaces, hidden_places

GROUND_S = 20.0
"""After this many seconds over an empty base, the lowest tiles are the base."""
_MOST_CHANGED = 0.25
"""Share of the picture. If more has changed, and nothing lies over it, the camera's movement is unknown."""
_LONE_CONFIDENCE = 0.97
"""Before the game knows of any tile, a lone one is in doubt below this: it may be a note. Where others lie
elsewhere its code may be as good as certain, but not that it is the first tile."""
_OTHER = 0.9
"""A place shows another tile than before if its face is read as that one with this chance."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table as it was read."""

    image_bgr: ImageU8
    found: TilesByPlace
    """The tiles, by their places in this game."""
    lattice: GameLattice
    left: _Table | None = None
    """Where no tile lies: the last table on which some did."""
    looks: Mapping[LatticePlace, DoubtfulLooks] = field(default_factory=dict)
    """What was in doubt on this table and those before it."""
    hidden: Sequence[Quad] = ()
    """Where something lies of which nobody knows what it is."""
    ground: int = 0
    """The row of the base."""
    floats_since_s: float | None = None
    """Since when no tile lies on that row."""

    @property
    def tiles(self) -> tuple[TileReading, ...]:
        """The tiles."""
        return tuple(self.found.values())

    def turned_over(self) -> _Table:
        """It, if it stands on its head."""
        looks = {mirrored(place): look for place, look in self.looks.items()}
        return replace(self, found=on_its_head(self.found), lattice=self.lattice.turned_over(), looks=looks)

    @property
    def doubtful(self) -> set[LatticePlace]:
        """Where something lies that may be a tile."""
        return {place for place, tile in self.found.items() if tile.unsure}


class TableTracker:
    """Remembers the last clear table of one source. For one thread."""

    def __init__(self, look: TileLook, faces: KnownFaces | None = None) -> None:
        """Begin with a table that was not seen yet.

        Args:
            look: Is asked where tiles have gone.
            faces: How the tiles looked that the game is certain of; None where nobody can compare them.
        """
        self._look, self._faces = look, faces
        self._first = InitialTable(look, faces)
        self._things = DeniedThings()
        self._places = StillPlaces()
        self._known: _Table | None = None
        self._next: _Table | None = None
        self._bare: BareTable | None = None
        self._view: Matrix | None = None
        """How the camera has moved between the last clear table and the one that was amended last."""
        self._is_view_known = True
        self._was_bare = False
        self.has_turned_over = False
        """Whether the last table showed that the one row before it had been read from its wrong end."""

    def without_things(self, image_bgr: ImageU8) -> ImageU8:
        """Return a (H, W, 3) uint8 BGR picture as it is to be read and amended: without what is no tile."""
        return self._things.painted_over(image_bgr, None if self._known is None else self._known.image_bgr)

    def amend(
        self,
        image_bgr: ImageU8,
        reading: Reading,
        time_s: float,
        lying: Collection[str] = (),
        *,
        begins_bare: bool = False,
    ) -> Reading:
        """Return a reading of a (H, W, 3) uint8 BGR picture, corrected by the last clear table.

        Args:
            image_bgr: The picture; it is kept if `accept` follows, and must not be written into.
            reading: What was read there by itself.
            time_s: When, in seconds; never falls.
            lying: The codes of the tiles that should lie there. One of them that was never seen may be new,
                so it is not taken for table.
            begins_bare: Whether no tile lies there before the first one is placed. A lone one is then in
                doubt as long as the table was never seen bare, however surely it is read: it may be a thing
                that lay there before.
        """
        self.has_turned_over = False
        amended = self._amend(image_bgr, reading, time_s, lying)
        sure = tuple(tile for tile in amended.tiles if not tile.unsure)
        may_lie_there = begins_bare and not self._was_bare
        if may_lie_there and len(sure) == 1:
            # Beside a thing that is surely read another one may be read doubtfully (film 404101).
            amended = with_only(amended, {LatticePlace(0, 0): sure[0]}, 0)
        if lying or len(amended.tiles) != 1:
            return amended
        (tile,) = amended.tiles
        if may_lie_there or tile.unsure or tile.confidence < _LONE_CONFIDENCE:
            tile = replace(tile, unsure=True, confidence=min(tile.confidence, _LONE_CONFIDENCE))
        return replace(amended, tiles=(tile,))

    def _amend(self, image_bgr: ImageU8, reading: Reading, time_s: float, lying: Collection[str]) -> Reading:
        if self._known is None or self._known.image_bgr.shape != image_bgr.shape:
            return self._begin(image_bgr, reading, time_s)
        known = self._placed(self._known, reading.tiles, lying)
        read = {tile.code for tile in reading.tiles}
        strays: Sequence[DetectedTile] = ()
        if reading.elsewhere and any(tile.code not in read for tile in known.tiles):
            strays = self._look.tiles(image_bgr)
        anywhere = [*reading.tiles, *(as_reading(each) for each in strays if each.code not in read)]
        self._view, self._is_view_known = _view(known, image_bgr, anywhere)
        beside = Comparison(image_bgr, known.image_bgr, self._bare, self._view, known.hidden)
        lattice = known.lattice.seen_from(self._view)
        before = dict(zip(known.found, carried(known.tiles, self._view), strict=True))
        self.has_turned_over = not reading.hidden and is_turned_over(reading.tiles, before)
        if self.has_turned_over:
            self.turn_over()
            known, lattice, before = known.turned_over(), lattice.turned_over(), on_its_head(before)
        near = {other for place in known.found for other in around(place)}
        if self._next is not None:
            near |= self._next.doubtful
        found = within_reach(at_places(reading.tiles, known.found, lattice), known.found if lattice else {})
        for at in [at for at, tile in found.items() if before and tile.unsure and at.row < known.ground]:
            del found[at]  # below the base lies no tile
        left_out = self._take_out_table(image_bgr, found, before, beside, lying)
        either = self._take_out_misread(image_bgr, found, before, beside)
        uncover(found, before, beside)
        self._keep_unchanged(image_bgr, found, before, beside)
        found |= {at: tile for at, tile in either.items() if at in found and found[at].code == tile.code}
        codes = {tile.code for tile in found.values()}
        gone = {tile.code: place for place, tile in before.items() if tile.code not in codes}
        elsewhere = lattice.places_of([np.array(quad) for quad in reading.elsewhere], STRAY_OFF_PLACE)
        elsewhere += left_out
        can_be = gone or not lattice or any(at in lattice or at in near for at in elsewhere)
        if elsewhere and can_be:
            strays = strays or self._look.tiles(image_bgr)
            add_strays(image_bgr, found, strays, gone, lattice, near, beside, self._faces)
        reaching = lattice.with_tiles(found)
        missing = {} if self._faces is None else self._faces.missing(codes)
        covered, unread = add_passed_over(
            self._look, image_bgr, found, missing | gone, reaching, beside, self._faces
        )
        self._take_out_impossible(found, before, {*missing, *gone}, known.ground)
        self._doubt_new(image_bgr, found, before, beside)
        hidden = hidden_places(reading, found, before, gone, covered, beside)
        laid_over = [quad for quad in hidden if beside.is_strange(quad) and _lay_at(quad, before)]
        spots = self._places.look(image_bgr, hidden, tuple(found.values()), known.tiles, laid_over)
        hidden = [quad for quad in hidden if quad not in spots]
        ground, floats_since_s = _standing(known, found, time_s)
        lattice = lattice.with_tiles(found) if found else GameLattice()
        left = None if found else known if known.found else known.left
        unknown = beside.unknown(found.values(), (*hidden, *unread))
        looks = weigh(found, known.looks)
        self._next = _Table(image_bgr, found, lattice, left, looks, unknown, ground, floats_since_s)
        found = dict(found)  # what was read is kept without what is remembered
        if self._faces is not None:
            self._faces.compare(image_bgr, found, lattice, ground, mostly_stayed(found, before, beside))
        return with_only(replace(reading, hidden=tuple(hidden)), found, ground)

    def _begin(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> Reading:
        """Return the reading of a table that can be compared with none."""
        reading = self._first.amend(image_bgr, reading, time_s)
        self._known = self._bare = self._view = None
        found = dict(zip(own_places(reading.tiles), reading.tiles, strict=True))
        looks, left_out = weigh(found, {}), self._first.left_out
        self._next = _Table(image_bgr, found, GameLattice.of(found), looks=looks, hidden=left_out)
        if self._faces is not None:
            self._faces.begin(image_bgr, found)
        return reading

    def _placed(self, known: _Table, tiles: Sequence[TileReading], lying: Collection[str]) -> _Table:
        """Return the last clear table with the lattice on which some tiles lie, as far as one is known."""
        # The figures of a cloth are no pyramid, nor are a note and a telephone that lie apart.
        sure = {at: tile for at, tile in zip(own_places(tiles), tiles, strict=True) if not tile.unsure}
        is_pyramid = len(sure) > 1 and not any(is_apart(at, sure) for at in sure)
        if len(known.found) == 1 and is_pyramid and known.lattice and not known.lattice.holds_any(tiles):
            # What lay alone was a note: the pyramid is elsewhere (film 391074).
            known = replace(known, found={}, lattice=GameLattice(), looks={})
        are_tiles = 0 < len(known.found) <= len(lying)  # whichever they are, the game knows it by now
        if known.lattice and not (are_tiles and len(known.lattice.places) < min(2, len(known.found))):
            pass
        elif known.left is not None and _is_put_back(tiles, known.left):
            known = replace(known, lattice=known.left.lattice)
        elif are_tiles:
            known = replace(known, lattice=GameLattice.of(known.found, with_doubtful=True))
        else:
            known = replace(known, ground=0, floats_since_s=None)
            if self._faces is not None:
                self._faces.forget()
        return _as_upright_as(tiles, known, lying) if len(known.found) == 1 and known.lattice else known

    def turn_over(self) -> None:
        """Hear that what was taken for upright stands on its head: the one row is read from its wrong end."""
        self._known, self._next = (
            None if table is None else table.turned_over() for table in (self._known, self._next)
        )
        if self._faces is not None:
            self._faces.turn_over()

    def forget_empty(self) -> None:
        """Take the next table for the first one, if the last one was empty: a tile may lie there unseen."""
        if self._known is not None and not self._known.found:
            self._known = self._next = None

    def deny(self) -> None:
        """Hear that what was read last are things and no tiles; the next table is the first one."""
        if self._next is not None:
            self._things.deny(self._next.image_bgr, [tile.quad_px for tile in self._next.tiles])
        self._known = self._next = None

    @property
    def knows_table(self) -> bool:
        """Whether there is a table to compare the next one with."""
        return self._known is not None

    @property
    def expects_tiles(self) -> bool:
        """Whether people said that a tile lies on the first table, where none was seen."""
        return self._first.is_told_of_tiles

    def expect_tiles(self) -> None:
        """Hear that a tile lies on the first table, where none was seen."""
        self._first.is_told_of_tiles = True

    def expect_left_over(self, must_lie: bool) -> None:
        """Hear whether a tile must lie on the first table by the rules."""
        self._first.must_lie = must_lie

    def accept(self) -> None:
        """Compare the next table with the one that was amended last: nothing lay over it."""
        is_first = self._known is None
        self._known = self._next
        self._places.is_clear()
        if self._next is None:
            return
        self._was_bare = self._was_bare or not self._next.found
        if is_first:
            taken = [*(tile.quad_px for tile in self._next.tiles), *self._next.hidden]
            self._bare = BareTable(self._next.image_bgr, taken, np.eye(3))
        elif not self._is_view_known:
            self._bare = None
        elif self._view is not None:
            self._things.see_from(self._view)
            if self._bare is not None:
                self._bare = replace(self._bare, moved=self._view @ self._bare.moved)
        self._view, self._is_view_known = None, True

    def _take_out_table(
        self,
        image_bgr: ImageU8,
        found: TilesByPlace,
        before: TilesByPlace,
        beside: Comparison,
        lying: Collection[str],
    ) -> list[LatticePlace]:
        """Take out what is table and no tile; return where it was."""
        taken_out = []
        for at in _table_places(found, before, beside, lying):
            # One that the detector passed over at first is a tile all the same.
            is_tile = self._is_certain(image_bgr, found[at]) or self._was_unseen(image_bgr, found[at], beside)
            if is_apart(at, found) or not is_tile:
                taken_out.append(at)
                del found[at]
        return taken_out

    def _take_out_impossible(
        self, found: TilesByPlace, before: TilesByPlace, missing: Collection[str], ground: int
    ) -> None:
        """Take out spots, and what is new below the pyramid; `missing` are the tiles that are not found."""
        for at in [at for at, tile in found.items() if _is_spot(at, tile, found, before, missing)]:
            del found[at]
        for at in [at for at in found if at.row < ground and is_new_below(at, found, before)]:
            del found[at]

    def _take_out_misread(
        self, image_bgr: ImageU8, found: TilesByPlace, before: TilesByPlace, beside: Comparison
    ) -> TilesByPlace:
        """Take out tiles that lay elsewhere and are read now where another one lies as it did before.

        What was surely read may have fallen there all the same, and look alike (film 388052): returns those
        tiles as one of two.
        """
        either: TilesByPlace = {}
        lay = {tile.code: place for place, tile in before.items()}
        for place, tile in list(found.items()):
            is_free = lay.get(tile.code, place) not in found
            if not (is_free and place in before and beside.is_unchanged(before[place].quad_px)):
                continue
            if self._faces is None or self._faces.look_same(image_bgr, place, tile):
                del found[place]
                either |= {} if tile.unsure else {place: _either(before[place], tile)}
        return either

    def _keep_unchanged(
        self, image_bgr: ImageU8, found: TilesByPlace, before: TilesByPlace, beside: Comparison
    ) -> None:
        """Put back tiles where nothing has changed, unless others are surely read or they look unlikely."""
        codes = {tile.code for tile in found.values()}
        for place, tile in before.items():
            now, kept = found.get(place), tile
            if now is None:
                if any(is_same_place(tile.quad_px, other.quad_px) for other in found.values()):
                    continue  # another one lies there
                if tile.unsure and not self._is_likely(image_bgr, tile):
                    continue
                if tile.code in codes:
                    other = read_otherwise(tile, codes)
                    if other is None:
                        continue  # it lies elsewhere now
                    kept = other
            elif tile.unsure or not now.unsure or (now.code != tile.code and tile.code in codes):
                continue
            elif now.code != tile.code and now.confidence >= _OTHER:
                continue  # it is unsure for another reason than its face
            if beside.keeps(tile.quad_px, is_alone=len(before) == 1 > len(found)):
                found[place] = kept
                codes.add(kept.code)

    def _doubt_new(
        self, image_bgr: ImageU8, found: TilesByPlace, before: TilesByPlace, beside: Comparison
    ) -> None:
        """Be in doubt about new tiles that were surely read, and do not look like tiles."""
        lay = {tile.code: place for place, tile in before.items()}
        new = [place for place, tile in found.items() if not tile.unsure and lay.get(tile.code) != place]
        if self._faces is not None:
            earlier = beside.before([np.array(found[place].quad_px, np.float32) for place in new])
            self._faces.doubt(image_bgr, found, new, earlier)

    def _is_likely(self, image_bgr: ImageU8, tile: TileReading) -> bool:
        """Return whether a place where a tile was read looks like one still."""
        (seen,) = self._look.name(image_bgr, [np.array(tile.quad_px, np.float32)])
        return seen.tile >= LIKELY_TILE_CHANCE

    def _is_certain(self, image_bgr: ImageU8, tile: TileReading) -> bool:
        """Return whether this certainly is a tile, even if the reader is unsure about the pyramid."""
        quad = np.array(tile.quad_px, np.float32)
        (seen,) = self._look.name(image_bgr, [quad])
        return (
            (seen.code, seen.unsure) == (tile.code, False)
            and min(seen.confidence / CONTRADICTED, seen.tile / CERTAIN_TILE) >= 1
            and (self._faces is None or self._faces.show_tiles(image_bgr, [quad], SHOWN_AT_FIRST)[0])
        )

    def _was_unseen(self, image_bgr: ImageU8, tile: TileReading, beside: Comparison) -> bool:
        """Return whether this tile lay unseen on the last table, and not on the first (390044, 390081)."""
        if self._faces is None or not (beside.is_strange(tile.quad_px) and beside.is_unchanged(tile.quad_px)):
            return False
        return self._faces.show_tiles(image_bgr, [np.array(tile.quad_px, np.float32)], SHOWN_AT_FIRST)[0]


def _standing(known: _Table, found: TilesByPlace, time_s: float) -> tuple[int, float | None]:
    """Return the row on which the pyramid stands, and since when no tile lies on it."""
    if not found:
        return known.ground, known.floats_since_s
    low = min(place.row for place in found)
    if low <= known.ground:
        return low, None
    since = time_s if known.floats_since_s is None else known.floats_since_s
    return (low, None) if time_s - since > GROUND_S else (known.ground, since)


def _either(tile: TileReading, other: TileReading) -> TileReading:
    """Return a tile that is one of two; the first one as likely as the second."""
    return replace(
        other, code=tile.code, unsure=True, confidence=0.5, alternatives=((other.code, other.confidence / 2),)
    )


def _lay_at(quad: Quad, before: TilesByPlace) -> bool:
    """Return whether one of some tiles lies in a quad."""
    return any(is_same_place(tile.quad_px, quad) for tile in before.values())


def _view(known: _Table, image_bgr: ImageU8, tiles: Sequence[TileReading]) -> tuple[Matrix | None, bool]:
    """Return how the camera moved since a table was clear, and whether that is all that has changed much.

    A few tiles alone are not enough evidence.
    """
    if is_still(known.tiles, tiles):
        return None, True
    before, now = shrink(known.image_bgr), shrink(image_bgr)
    view, changed = find_view(before, now, known.tiles, tiles, now.shape[1] / image_bgr.shape[1])
    return view, bool(changed.mean() <= _MOST_CHANGED)


def _table_places(
    found: TilesByPlace, before: TilesByPlace, beside: Comparison, lying: Collection[str]
) -> Iterator[LatticePlace]:
    """Yield where the table was taken for a tile: it looked the same without a tile, or lies far from all.

    The caller may remove each at once.
    """
    known = {tile.code for tile in before.values()}
    for place, tile in list(found.items()):
        if not tile.unsure and tile.code in lying and tile.code not in known:
            continue
        apart = is_apart(place, found)
        lay_here = [other for other in before.values() if is_same_place(other.quad_px, tile.quad_px)]
        is_new = not lay_here
        may_be_table = tile.unsure or apart or (is_new and beside.is_open(tile.quad_px))
        lay_there = is_new and may_be_table and beside.lay_there(tile.quad_px)
        is_same = any(other.code == tile.code for other in lay_here)
        if (
            _is_spot(place, tile, found, before)
            or lay_there
            or ((tile.unsure or not is_same) and beside.is_bare(tile.quad_px))
        ):
            yield place


def _as_upright_as(tiles: Sequence[TileReading], known: _Table, lying: Collection[str]) -> _Table:
    """Return a table of one tile, turned as that is read among others: alone it hardly tells its way up."""
    ((place, tile),) = known.found.items()
    for now in tiles if len(tiles) > 1 else ():
        # One that could not be read, or is another one, may have been named by people (film 399334).
        is_it = now.code == tile.code or tile.unsure or tile.code not in lying
        if is_it and is_same_place(now.quad_px, tile.quad_px):
            quad = np.array(tile.quad_px)
            upright = turned(quad, turned_as(quad, np.array(now.quad_px)))
            found = {place: replace(tile, quad_px=as_quad(upright))}
            return replace(known, found=found, lattice=GameLattice.of(found, with_doubtful=True))
    return known


def _is_spot(
    place: LatticePlace,
    tile: TileReading,
    found: TilesByPlace,
    before: TilesByPlace,
    missing: Collection[str] = (),
) -> bool:
    """Return whether a tile is doubtful, far from all others and where none lay, and none that has gone.

    The game may know better than the last table which tiles those are: `missing` (film 404089).
    """
    sure = {other.code for other in found.values() if not other.unsure}
    lay = {other.code for other in before.values()}
    has_gone = tile.code not in sure and (tile.code in lay or tile.code in missing)
    # It may hang where those that held it were taken (film 391127).
    was_held = all(place.moved(-1, halves) in before for halves in (-1, 1))
    return tile.unsure and is_apart(place, found) and not (has_gone or was_held or place in before)


def _is_put_back(tiles: Sequence[TileReading], left: _Table) -> bool:
    """Return whether one of some tiles lay on a table before it became empty, and lies on its places."""
    lay = {tile.code for tile in left.tiles}
    quads = [np.array(tile.quad_px) for tile in tiles if tile.code in lay]
    return any(place is not None for place in left.lattice.places_of(quads, STRAY_OFF_PLACE))
