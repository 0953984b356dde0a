"""Reads a table by comparing it with the last clear one: where nothing has changed, the reading stays.

One picture alone does not say where a tile lies that touches no other tile, on which row the lowest tiles lie
after those below them were taken away, and whether a dark spot of the table hides something. The picture
before does: the camera hardly moves, the tiles lie on a known lattice, and where no pixel has changed,
nothing has.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Matrix, Points, turned, turned_as
from vision.pyramid.lattice import LatticePlace, around
from vision.recognition.reading import DetectedTile, Quad, Reading, TileReading, as_reading
from vision.tracking.camera_motion import after_push, as_quad, carried, is_same_place, view_since
from vision.tracking.change_detection import is_unchanged
from vision.tracking.comparison import BareTable, Comparison
from vision.tracking.earlier_looks import DoubtfulLooks, weigh
from vision.tracking.false_tiles import (
    ComparedTable,
    doubt_new,
    keep_unchanged,
    lie_aside,
    places_seen_bare,
    take_out_prints,
    take_out_spots,
    take_out_table,
    where_gone,
    without_aside,
)
from vision.tracking.initial_table import InitialTable, TileLook, doubt_lone
from vision.tracking.lattice_track import (
    STRAY_OFF_PLACE,
    GameLattice,
    TilesByPlace,
    are_put_back,
    at_places,
    is_apart,
    is_turned_over,
    lay_at,
    lie_beside,
    lies_straight_above,
    mirrored,
    on_its_head,
    on_the_table,
    own_places,
    pushed,
    show_way_up,
    that_touch,
    with_only,
    within_reach,
)
from vision.tracking.missed_tiles import add_beside_lone, add_passed_over, add_strays
from vision.tracking.place_head import KnownFaces
from vision.tracking.things import DeniedThings, StillPlaces, hidden_places, seen_beside

GROUND_S = 20.0
"""After this many seconds over an empty base, the lowest tiles are the base."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table as it was read."""

    image_bgr: ImageU8
    found: TilesByPlace
    """The tiles, by their places in this game."""
    lattice: GameLattice
    left: _Table | None = None
    """Where no tile lies: the last table on which some did, with its places as the camera sees them now."""
    looks: Mapping[LatticePlace, DoubtfulLooks] = field(default_factory=dict)
    """What was in doubt on this table and those before it."""
    prints: Collection[LatticePlace] = ()
    """Where a figure of the cloth was read as a tile."""
    aside: Sequence[Quad] = ()
    """Where something that looks like a tile lies beside the pyramid."""
    hidden: Sequence[Quad] = ()
    """Where something lies of which nobody knows what it is."""
    ground: int = 0
    """The row of the base."""
    floats_since_s: float | None = None
    """Since when no tile lies on that row."""
    has_stood: bool = False
    """Whether a tile has lain on two others: then the bricks have shown which way is up."""

    @classmethod
    def first(cls, image_bgr: ImageU8, found: TilesByPlace) -> _Table:
        """Return a table that can be compared with none."""
        lattice, looks = GameLattice.of(found), weigh(found, {})
        return cls(image_bgr, found, lattice, looks=looks, has_stood=show_way_up(found))

    @property
    def tiles(self) -> tuple[TileReading, ...]:
        """The tiles."""
        return tuple(self.found.values())

    def turned_over(self) -> _Table:
        """It, if it stands on its head."""
        found, lattice = on_its_head(self.found), self.lattice.turned_over()
        looks = {mirrored(place): look for place, look in self.looks.items()}
        return replace(self, found=found, lattice=lattice, looks=looks, prints=[*map(mirrored, self.prints)])

    def pushed(self, tiles: Sequence[TileReading], view: Matrix | None) -> _Table:
        """It, as if the pyramid had lain where people have pushed it; what is read now shows it."""
        found = dict(zip(self.found, carried(self.tiles, view), strict=True))
        push = pushed(tiles, found)
        if push is None:
            return self
        push = push if view is None else np.linalg.inv(view) @ push @ view
        lay = [tile.quad_px for tile in self.tiles]
        image_bgr = after_push(self.image_bgr, lay, push, 1.0, self.image_bgr)
        found = dict(zip(self.found, carried(self.tiles, push), strict=True))
        lattice, hidden = self.lattice.seen_from(push), [*self.hidden, *lay]
        return replace(self, image_bgr=image_bgr, found=found, lattice=lattice, prints=(), hidden=hidden)

    def last_with_tiles(self, view: Matrix | None) -> _Table | None:
        """The last table on which tiles lay, with its places after the camera moved; None: there was none."""
        last = self if self.found else self.left
        return last and replace(last, lattice=last.lattice.seen_from(view))

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
        self.view: Matrix | None = None
        """How the camera has moved between the last clear table and the one that was amended last."""
        self._is_view_known, self._was_bare = True, False
        self.turned_over_px: Points | None = None
        """How an upright tile lies, (4, 2), if the last table showed that the row had stood on its head."""

    def without_things(self, image_bgr: ImageU8) -> ImageU8:
        """Return a (H, W, 3) uint8 BGR picture as it is to be read and amended: without what is no tile."""
        if self._known is None:
            return self._things.painted_over(image_bgr, None)
        lie = [tile.quad_px for tile in self._known.tiles]
        return self._things.painted_over(image_bgr, self._known.image_bgr, lie)

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
                doubt as long as the table was never seen bare, or looked the same there, however surely it is
                read: it may be a thing that lay there before. Else it may be a note, too: a left-over
                incendiary does not lie there.
        """
        self.turned_over_px = None
        amended = self._amend(image_bgr, reading, time_s, lying)
        if lying:
            return amended
        sure = [tile.quad_px for tile in amended.tiles if not tile.unsure]
        may_lie_there = begins_bare and (not self._was_bare or self._lay_at_first(image_bgr, sure))
        return doubt_lone(
            amended, image_bgr, self._faces, may_lie_there=may_lie_there, may_be_note=not begins_bare
        )

    def _lay_at_first(self, image_bgr: ImageU8, quads: Sequence[Quad]) -> bool:
        """Return whether a lone tile looks as its place did at first: so did a pile's back (film 425075)."""
        if self._known is None or len(quads) != 1:
            return False
        return Comparison(image_bgr, self._known.image_bgr, self._bare, self.view).is_bare(quads[0])

    def _amend(self, image_bgr: ImageU8, reading: Reading, time_s: float, lying: Collection[str]) -> Reading:
        if self._known is None or self._known.image_bgr.shape != image_bgr.shape:
            return self._begin(image_bgr, reading, time_s)
        known = self._placed(self._known, image_bgr, reading.tiles, lying)
        read = {tile.code for tile in reading.tiles}
        strays: Sequence[DetectedTile] = ()
        if reading.elsewhere and any(tile.code not in read for tile in known.tiles):
            strays = self._look.tiles(image_bgr)
        anywhere = [*reading.tiles, *(as_reading(each) for each in strays if each.code not in read)]
        known, compared, lattice = self._see(known, image_bgr, reading, anywhere)
        found, left_out = _tell_apart(compared, reading, known, lattice, lying, is_still=self._is_view_known)
        codes = {tile.code for tile in found.values()}
        gone = {tile.code: place for place, tile in compared.before.items() if tile.code not in codes}
        elsewhere = lattice.places_of([np.array(quad) for quad in reading.elsewhere], STRAY_OFF_PLACE)
        elsewhere += left_out
        near = {other for place in known.found for other in around(place)}
        near |= set() if self._next is None else self._next.doubtful  # where it may have come
        can_be = gone or not lattice or any(at in lattice or at in near for at in elsewhere)
        may_begin = not lattice and all(tile.unsure for tile in found.values())
        if can_be and (elsewhere or may_begin):
            strays = strays or (self._look.tiles(image_bgr) if elsewhere else ())
            add_strays(compared, found, strays, gone, lattice, near)
        add_beside_lone(compared, found, lattice)
        missing = gone if self._faces is None else self._faces.missing(codes) | gone
        covered, unread = add_passed_over(compared, found, missing, lattice.with_tiles(found))
        compared = replace(compared, prints=take_out_prints(compared, found))
        take_out_spots(compared, found, missing)
        doubt_new(compared, found)
        seem_hidden = hidden_places(reading, found, compared.before, gone, covered, compared.beside)
        left = where_gone(compared, gone, found)
        bare = places_seen_bare(compared, {*seem_hidden, *left.values()})
        hidden = self._hidden(compared, known, seem_hidden, found, bare)
        lifted = tuple(code for code, quad in left.items() if quad in bare and quad not in hidden)
        reading = replace(reading, hidden=hidden, lifted=lifted)
        return self._remembered(compared, reading, found, unread, known, lattice, time_s, lying)

    def _see(
        self, known: _Table, image_bgr: ImageU8, reading: Reading, anywhere: Sequence[TileReading]
    ) -> tuple[_Table, ComparedTable, GameLattice]:
        """Return the last clear table, a picture beside it, and the places as the camera sees them now.

        If a tile lies upon the one row from below, that had been read from its wrong end.
        """
        self.view, self._is_view_known = view_since(known.image_bgr, image_bgr, known.tiles, anywhere)
        known = known.pushed(anywhere, self.view)
        beside = Comparison(image_bgr, known.image_bgr, self._bare, self.view, known.hidden)
        before = dict(zip(known.found, carried(known.tiles, self.view), strict=True))
        lattice = known.lattice.seen_from(self.view)
        if not (reading.hidden or known.has_stood) and is_turned_over(reading.tiles, before, lattice):
            self.turn_over()
            known, lattice, before = known.turned_over(), lattice.turned_over(), on_its_head(before)
            self.turned_over_px = next(iter(lattice.quads_at(lattice.places[:1])), None)
        seen = known.prints, beside.not_bare(known.aside)
        return known, ComparedTable(image_bgr, before, beside, self._look, self._faces, *seen), lattice

    def _hidden(
        self,
        compared: ComparedTable,
        known: _Table,
        hidden: Sequence[Quad],
        found: TilesByPlace,
        bare: Collection[Quad],
    ) -> tuple[Quad, ...]:
        """Return where something hides the table, of where it seems so; not where that is seen bare."""
        laid_over = [
            quad for quad in hidden if compared.beside.is_strange(quad) and lay_at(quad, compared.before)
        ]
        spots = self._places.look(compared.image_bgr, hidden, tuple(found.values()), known.tiles, laid_over)
        spots |= seen_beside(compared.image_bgr, hidden, compared.before, compared.beside, self._faces)
        return tuple(quad for quad in hidden if quad not in spots and quad not in bare)

    def _remembered(
        self,
        compared: ComparedTable,
        reading: Reading,
        found: TilesByPlace,
        unread: Sequence[Quad],
        known: _Table,
        lattice: GameLattice,
        time_s: float,
        lying: Collection[str],
    ) -> Reading:
        """Keep a table for the next one to be compared with; return it beside what the game knows."""
        ground, since_s = _standing(known, found, time_s)
        lattice = lattice.with_tiles(found) if found else GameLattice()
        left = None if found else known.last_with_tiles(self.view)
        unknown = compared.beside.unknown(found.values(), (*reading.hidden, *unread))
        seen = compared.image_bgr, found, lattice, left, weigh(found, known.looks), compared.prints
        aside = lie_aside(compared, reading if lying else None, found)
        self._next = _Table(*seen, aside, unknown, ground, since_s, known.has_stood or show_way_up(found))
        found = dict(found)  # what was read is kept without what is remembered
        if self._faces is not None:
            self._faces.compare(compared.image_bgr, found, lattice, ground)
        return with_only(reading, found, ground)

    def _begin(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> Reading:
        """Return the reading of a table that can be compared with none."""
        reading = self._first.amend(image_bgr, reading, time_s)
        self._known = self._bare = self.view = None
        found = dict(zip(own_places(reading.tiles), reading.tiles, strict=True))
        self._next = _Table(
            image_bgr, found, GameLattice.of(found), looks=weigh(found, {}), has_stood=show_way_up(found)
        )
        if self._faces is not None:
            self._faces.begin(image_bgr, found)
        return reading

    def _placed(
        self, known: _Table, image_bgr: ImageU8, tiles: Sequence[TileReading], lying: Collection[str]
    ) -> _Table:
        """Return the last clear table with the lattice on which some tiles lie, as far as one is known."""
        if _was_note(known, image_bgr, tiles):
            known = replace(known, found={}, lattice=GameLattice(), looks={})
        are_tiles = 0 < len(known.found) <= len(lying)  # whichever they are, the game knows it by now
        if (are_tiles and known.doubtful) or (not known.lattice and lie_beside(tiles, known.found)):
            # Else the places were those of the only sure tile, as seen under a sleeve (film 436072).
            known = replace(known, lattice=known.lattice.with_tiles(known.found, with_doubtful=True))
        elif not known.lattice and (left := known.left) and are_put_back(tiles, left.found, left.lattice):
            known = replace(known, lattice=left.lattice)
        elif not known.lattice:
            # From now on the places have other numbers.
            known = replace(known, ground=0, floats_since_s=None, has_stood=False, prints=())
            if self._faces is not None:
                self._faces.forget()
        return _as_upright_as(tiles, known, lying) if len(known.found) == 1 and known.lattice else known

    @property
    def has_stood(self) -> bool:
        """Whether bricks have shown which way is up."""
        return self._next is not None and self._next.has_stood

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

    def deny(self, quads_px: Collection[Quad] | None = None) -> ImageU8 | None:
        """Hear that what was read last are things and no tiles; the next table is the first one.

        Args:
            quads_px: Where they lie; None if none of what was read is a tile.

        Returns:
            The last table, (H, W, 3) uint8 BGR, as it is to be read without them; None where there is none.
            If `accept` follows, it is the first one.
        """
        self._known, denied = None, self._next
        if denied is None:
            return None
        quads = [tile.quad_px for tile in denied.tiles if quads_px is None or tile.quad_px in quads_px]
        is_at_rest = self._bare is not None and np.allclose(self._bare.moved, np.eye(3))
        self._things.deny(
            denied.image_bgr, quads, self._bare.image_bgr if self._bare and is_at_rest else None
        )
        bare_bgr = self._things.painted_over(denied.image_bgr, None)
        lie = {place: tile for place, tile in denied.found.items() if tile.quad_px not in quads}
        self._next = _Table(bare_bgr, lie, GameLattice(), hidden=quads)
        return bare_bgr

    def leave_out(self, image_bgr: ImageU8, quad_px: Quad) -> None:
        """Read no tile any more where a thing lies; the next table is compared with the first one.

        What came since is a tile though it cannot be told which: one that was hard to read passed for table
        (film 425207). If something lay on the first table, too, the next one is the first.

        Args:
            image_bgr: (H, W, 3) uint8 BGR; it is kept.
            quad_px: Where the thing lies on it.
        """
        self._things.deny(image_bgr, [quad_px])
        self._known = self._next = None
        if self._bare is not None and not self._bare.taken:
            self._known = _Table(self._bare.image_bgr, {}, GameLattice())
            self._bare = replace(self._bare, moved=np.eye(3))

    def begin_without(self, first_bgr: ImageU8, quads_px: Collection[Quad], *, is_bare: bool) -> None:
        """Leave things out that lay on the first table, (H, W, 3) uint8 BGR, which `is_bare` without them."""
        self._things.deny(first_bgr, quads_px)
        self._known = self._next = self._bare = self.view = None
        if is_bare:  # else the next table is the first one
            bare_bgr = self._things.painted_over(first_bgr, None)
            self._known = _Table(bare_bgr, {}, GameLattice())
            self._bare, self._was_bare = BareTable(bare_bgr, (), np.eye(3)), True

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
        elif self.view is not None:
            self._things.see_from(self.view)
            if self._bare is not None:
                self._bare = replace(self._bare, moved=self.view @ self._bare.moved)
        self.view, self._is_view_known = None, True


def _tell_apart(
    compared: ComparedTable,
    reading: Reading,
    known: _Table,
    lattice: GameLattice,
    lying: Collection[str],
    *,
    is_still: bool,
) -> tuple[TilesByPlace, list[LatticePlace]]:
    """Return the tiles that were read, as the last table corrects them, and where it was none."""
    tiles, before = without_aside(compared, reading.tiles), compared.before
    if is_still and lattice and (len(before) > 1 or (before and lying)):
        tiles = that_touch(tiles, before)
    found = within_reach(at_places(tiles, before, lattice), before if lattice else {})
    for place in [place for place, tile in found.items() if tile.unsure and place.row < known.ground]:
        if compared.before:
            del found[place]  # below the base lies no tile
    left_out = take_out_table(compared, found, lying)
    keep_unchanged(compared, found)
    return found if lattice else on_the_table(found), left_out


def _was_note(known: _Table, image_bgr: ImageU8, tiles: Sequence[TileReading]) -> bool:
    """Return whether a pyramid has come elsewhere than what lay alone (film 391074).

    It is no note if it is left of more tiles: taken ones lay side by side (475223).
    """
    # The figures of a cloth are no pyramid, nor are a note and a telephone that lie apart.
    sure = {at: tile for at, tile in zip(own_places(tiles), tiles, strict=True) if not tile.unsure}
    is_pyramid = len(sure) > 1 and not any(is_apart(at, sure) for at in sure)
    is_alone = len(known.found) == len(known.lattice.places) == 1
    if not (is_alone and is_pyramid) or known.lattice.holds_any(tiles):
        return False
    return not all(is_unchanged(known.image_bgr, at.quad_px, image_bgr, at.quad_px) for at in sure.values())


def _standing(known: _Table, found: TilesByPlace, time_s: float) -> tuple[int, float | None]:
    """Return the row on which the pyramid stands, and since when no tile lies on it."""
    if not found:
        return known.ground, known.floats_since_s
    low = min(place.row for place in found)
    if low <= known.ground:
        return low, None
    since = time_s if known.floats_since_s is None else known.floats_since_s
    return (low, None) if time_s - since > GROUND_S else (known.ground, since)


def _as_upright_as(tiles: Sequence[TileReading], known: _Table, lying: Collection[str]) -> _Table:
    """Return a table of one tile, turned as that is read among others: alone it hardly tells its way up.

    One that could not be read has the name that the game knows; by the name that it seemed to have, the tile
    that came beside it passed for it, and it was told as exchanged (film 430335).
    """
    ((place, tile),) = known.found.items()
    if tile.unsure and len(lying) == 1:
        tile = replace(tile, code=next(iter(lying)))
    if known.has_stood:
        return replace(known, found={place: tile})
    upright = GameLattice.of(dict(zip(own_places(tiles), tiles, strict=True)), with_doubtful=True)
    for at, now in zip(own_places(tiles), tiles, strict=True):
        # One that could not be read, or is another one, may have been named by people (film 399334).
        is_it = now.code == tile.code or tile.unsure or tile.code not in lying
        is_same = len(tiles) > 1 and is_it and is_same_place(now.quad_px, tile.quad_px)
        if is_same or (len(tiles) == 1 and tile.unsure and lies_straight_above(now.quad_px, tile.quad_px)):
            quad = np.array(tile.quad_px)
            (stands,) = upright.quads_at([at]) if len(tiles) > 1 else [np.array(now.quad_px)]
            tile = replace(tile, quad_px=as_quad(turned(quad, turned_as(quad, stands))))
            break
    if tile == known.found[place]:
        return known
    return replace(known, found={place: tile}, lattice=GameLattice.of({place: tile}, with_doubtful=True))
