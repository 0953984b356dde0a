"""Tells the tiles that were read from what is none, and puts back those that were missed where they lay.

The reader sees a picture by itself: a figure of the cloth or a hole between tiles may pass for a tile, and a
tile in doubt for another one. The last clear table says better.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points
from vision.imaging.table_background import known_colours
from vision.pyramid.lattice import LatticePlace
from vision.recognition.places_beside import LIKELY_TILE_CHANCE
from vision.recognition.reading import Quad, Reading, TileReading
from vision.tracking.camera_motion import is_certain, is_same_place
from vision.tracking.change_detection import is_print, is_seen
from vision.tracking.comparison import Comparison
from vision.tracking.earlier_looks import read_otherwise
from vision.tracking.initial_table import CERTAIN_TILE, CONTRADICTED, TileLook
from vision.tracking.lattice_track import TilesByPlace, below, is_apart, joined
from vision.tracking.place_head import SHOWN_AT_FIRST, KnownFaces
from vision.tracking.things import seen_bare

_ALL_KNOWN = 0.99
"""What the place head does not surely show is no tile if so much of it has the colours of the cloth: so had
five figures of cloths that were read as tiles, and none of 226 tiles in doubt but one under a hand, which the
place head surely showed (16 films)."""
_OTHER = 0.9
"""A place shows another tile than before if its face is read as that one with this chance."""
_MOST_ASIDE = 64
"""Of so many things it is remembered that they lie beside the pyramid."""

_HARDLY_TILE = 0.5
"""A place shows no tile below this chance."""


@dataclass(frozen=True, slots=True)
class ComparedTable:
    """A picture beside the last clear table."""

    image_bgr: ImageU8
    """(H, W, 3) uint8 BGR."""
    before: TilesByPlace
    """The tiles of that table, as the camera would see them now."""
    beside: Comparison
    """How the picture differs from it."""
    look: TileLook
    """Says what a place shows by itself."""
    faces: KnownFaces | None
    """How the tiles looked that the game is certain of; None where nobody can compare them."""
    prints: Collection[LatticePlace] = ()
    """Where a figure of the cloth was read as a tile on that table."""
    aside: Sequence[Quad] = ()
    """Where something that looks like a tile lay beside the pyramid on that table, and the table is not seen
    since: under it may lie another."""

    def lies_aside(self, quad: Quad) -> bool:
        """Return whether what lies in a quad lay there beside the pyramid."""
        return any(is_same_place(quad, other) for other in self.aside)


def without_aside(compared: ComparedTable, tiles: Sequence[TileReading]) -> list[TileReading]:
    """Return tiles without those that lay beside the pyramid, unless it has grown up to them.

    Once a fire had burned all tiles, those that had been taken passed for its first ones (film 470400).
    """
    aside = [tile.quad_px for tile in tiles if compared.lies_aside(tile.quad_px)]
    others = [tile.quad_px for tile in tiles if tile.quad_px not in aside]
    _near, apart = joined([*others, *(tile.quad_px for tile in compared.before.values())], aside)
    return [tile for tile in tiles if tile.quad_px not in apart]


def lie_aside(compared: ComparedTable, reading: Reading | None, found: TilesByPlace) -> list[Quad]:
    """Return where what looks like a tile lies beside the pyramid, or was taken from it just now.

    Args:
        compared: What is seen.
        reading: What was read by itself; None where no tile is known to lie there.
        found: The tiles of the pyramid.
    """
    lay, seen = {tile.code for tile in compared.before.values()}, [*compared.aside]
    if reading is not None:
        seen += [tile.quad_px for tile in reading.tiles if found or tile.code in lay]
        seen += reading.elsewhere if found or lay else ()
    tiles = [tile.quad_px for tile in found.values()]
    _near, apart = joined(tiles, [quad for quad in seen if not any(is_same_place(quad, at) for at in tiles)])
    return apart[:_MOST_ASIDE]


def take_out_table(
    compared: ComparedTable, found: TilesByPlace, lying: Collection[str]
) -> list[LatticePlace]:
    """Take out what is table and no tile; return where it was.

    Of what is new and mostly lies beyond the picture's edge nobody can tell what it is. The figure of a cloth
    was a tile there and then something that hides one, and of five turns none was told (film 445197).

    Args:
        compared: What is seen.
        found: What was read; is changed.
        lying: The codes of the tiles that should lie there. One of them that was never seen may be new.
    """
    beyond = [at for at, tile in found.items() if tile.cut and not is_seen(compared.image_bgr, tile.quad_px)]
    taken_out = [at for at in beyond if found[at].unsure and at not in compared.before]
    for at in taken_out:
        del found[at]
    for at in _table_places(compared, found, lying):
        # One that the detector passed over at first is a tile all the same.
        is_tile = _is_certain(compared, found[at]) or _was_unseen(compared, found[at])
        if is_apart(at, found) or not is_tile:
            taken_out.append(at)
            del found[at]
    return taken_out


def take_out_prints(compared: ComparedTable, found: TilesByPlace) -> set[LatticePlace]:
    """Take out the figures of a cloth that were read as tiles, where none lay or another one.

    In a hole of the pyramid its neighbours make them look like a face. What was one on the last table is one
    while it has not changed, though less of it can be seen elsewhere now (film 411598).

    Returns:
        Where they are, as far as their pattern was seen elsewhere.
    """
    prints = {place for place in compared.prints if place not in found}
    lay = [np.array(tile.quad_px, np.float32) for tile in compared.before.values()]
    earlier = compared.beside.before(lay)
    for place, tile in list(found.items()):
        before = compared.before.get(place)
        is_new = before is None or before.code != tile.code
        quad = np.array(tile.quad_px, np.float32)
        if not is_new:
            continue
        stays = place in compared.prints and compared.beside.is_unchanged(tile.quad_px)
        if stays or is_print(compared.image_bgr, quad, *earlier):
            prints.add(place)
            del found[place]
        elif not tile.covered and (
            _has_all_of_cloth(compared, quad, earlier)
            or (before is not None and tile.unsure and _is_no_tile(compared, quad, _HARDLY_TILE))
        ):
            del found[place]
    return prints


def _is_no_tile(compared: ComparedTable, quad: Points, least: float) -> bool:
    """Return whether a place shows a tile by less than a chance, beside how it looked before.

    A figure where another tile had lain passed for that one, misread, and a step that was done wrongly for a
    right one (film 426048). False where nobody can tell.
    """
    if compared.faces is None:
        return False
    before = compared.beside.before([quad])
    return not compared.faces.show_tiles(compared.image_bgr, [quad], least, before)[0]


def _has_all_of_cloth(compared: ComparedTable, quad: Points, earlier: tuple[ImageU8, list[Points]]) -> bool:
    """Return whether a place has no other colours than the table around it had, and hardly shows a tile.

    The figures of a cloth need not come again in the same order (films 423453 and 423456).
    """
    has_all = known_colours(compared.image_bgr, quad, *earlier) >= _ALL_KNOWN
    return has_all and _is_no_tile(compared, quad, SHOWN_AT_FIRST)


def take_out_spots(compared: ComparedTable, found: TilesByPlace, missing: Mapping[str, LatticePlace]) -> None:
    """Take out doubtful tiles that lie apart.

    Args:
        compared: What is seen.
        found: What was read; is changed.
        missing: Where tiles lay, by code, that lie there as far as the game knows, and are not found.
    """
    for at in [at for at, tile in found.items() if _is_spot(at, tile, found, compared.before, missing)]:
        del found[at]


def keep_unchanged(compared: ComparedTable, found: TilesByPlace) -> None:
    """Put back tiles where nothing has changed, unless others are surely read or they look unlikely."""
    codes = {tile.code for tile in found.values()}
    for place, tile in compared.before.items():
        now, kept = found.get(place), tile
        if now is None:
            if any(is_same_place(tile.quad_px, other.quad_px) for other in found.values()):
                continue  # another one lies there
            if tile.unsure and not _is_likely(compared, tile):
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
        if _lies_still(compared, tile, is_seen_there=now is not None):
            found[place] = kept
            codes.add(kept.code)


def _lies_still(compared: ComparedTable, tile: TileReading, *, is_seen_there: bool) -> bool:
    """Return whether nothing has changed where a tile lay, as far as pictures and place head tell.

    A green tile had lain on a square of its colour, and a collapse that took it was a wrong step (432619).
    """
    beside, quad = compared.beside, np.array(tile.quad_px, np.float32)
    has_gone = not is_seen_there and beside.is_faintly_changed(tile.quad_px)
    return beside.is_unchanged(tile.quad_px) and not (has_gone and _is_no_tile(compared, quad, _HARDLY_TILE))


def places_seen_bare(compared: ComparedTable, quads: Collection[Quad]) -> set[Quad]:
    """Return those of some places that plainly show the bare table, whether it was seen there or not.

    Where left-over tiles had lain it never was: those that were taken in a wrong step, and put back before
    the next look, were told by nobody (films 443057, 425121 and 425147).
    """
    bare = {quad for quad in quads if compared.beside.is_bare(quad)}
    return bare | seen_bare(compared.image_bgr, quads, compared.before, compared.beside, compared.faces)


def doubt_new(compared: ComparedTable, found: TilesByPlace) -> None:
    """Be in doubt about new tiles that were surely read, and do not look like tiles.

    What was in doubt on the last table is as new: the figure of a cloth was a red 7 a second later (407584).
    So is what is in doubt for its place alone: a telephone was a millstone, and told as placed (407702).
    """
    lay = {tile.code: place for place, tile in compared.before.items() if not tile.unsure}
    new = [place for place, tile in found.items() if is_certain(tile) and lay.get(tile.code) != place]
    if compared.faces is not None:
        earlier = compared.beside.before([np.array(found[place].quad_px, np.float32) for place in new])
        compared.faces.doubt(compared.image_bgr, found, new, earlier)


def _is_likely(compared: ComparedTable, tile: TileReading) -> bool:
    """Return whether a place where a tile was read looks like one still."""
    (seen,) = compared.look.name(compared.image_bgr, [np.array(tile.quad_px, np.float32)])
    return seen.tile >= LIKELY_TILE_CHANCE


def _is_certain(compared: ComparedTable, tile: TileReading) -> bool:
    """Return whether this certainly is a tile, even if the reader is unsure about the pyramid."""
    quad = np.array(tile.quad_px, np.float32)
    (seen,) = compared.look.name(compared.image_bgr, [quad])
    return (
        (seen.code, seen.unsure) == (tile.code, False)
        and min(seen.confidence / CONTRADICTED, seen.tile / CERTAIN_TILE) >= 1
        and (
            compared.faces is None or compared.faces.show_tiles(compared.image_bgr, [quad], SHOWN_AT_FIRST)[0]
        )
    )


def _was_unseen(compared: ComparedTable, tile: TileReading) -> bool:
    """Return whether this tile lay unseen on the last table, and not on the first (390044, 390081).

    Or it came since beside others, and has so much of the cloth's colours that the table seems bare (420241).
    """
    beside, quad = compared.beside, tile.quad_px
    if compared.faces is None:
        return False
    there = [np.array(quad, np.float32)]
    has_come = bool(compared.before) and not beside.is_unchanged(quad)
    if not (has_come or (beside.is_strange(quad) and beside.is_unchanged(quad))):
        return False
    before = beside.before(there) if has_come else None
    return compared.faces.show_tiles(compared.image_bgr, there, SHOWN_AT_FIRST, before)[0]


def _table_places(
    compared: ComparedTable, found: TilesByPlace, lying: Collection[str]
) -> Iterator[LatticePlace]:
    """Yield where the table was taken for a tile: it looked the same without a tile, or lies far from all.

    The caller may remove each at once.
    """
    before, beside = compared.before, compared.beside
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
            _is_spot(place, tile, found, before, {})
            or lay_there
            or ((tile.unsure or not is_same) and beside.is_bare(tile.quad_px))
        ):
            yield place


def _is_spot(
    place: LatticePlace,
    tile: TileReading,
    found: TilesByPlace,
    before: TilesByPlace,
    missing: Mapping[str, LatticePlace],
) -> bool:
    """Return whether a tile is doubtful, far from all others and where none lay, and none that has gone.

    The game may know better than the last table which tiles those are: `missing` (film 404089). Where one
    may have fallen, what is read as another may be it (film 412016).
    """
    sure = {other.code for other in found.values() if not other.unsure}
    lay = {**missing, **{other.code: at for at, other in before.items()}}
    gone = {code: at for code, at in lay.items() if code not in sure}
    fell = any(code in gone and place in below(gone[code]) for code, _ in tile.alternatives)
    has_gone = tile.code in gone or fell
    # It may hang where those that held it were taken (film 391127).
    was_held = all(place.moved(-1, halves) in before for halves in (-1, 1))
    return tile.unsure and is_apart(place, found) and not (has_gone or was_held or place in before)


def where_gone(
    compared: ComparedTable, gone: Mapping[str, LatticePlace], found: TilesByPlace
) -> dict[str, Quad]:
    """Return where tiles lay that are not there any more, by the codes that the game knows.

    Args:
        compared: The table beside the one before.
        gone: The codes that are read nowhere, with the places where they were.
        found: What lies there now.
    """
    faces = compared.faces
    return {
        code if faces is None else faces.name_of(place, code): compared.before[place].quad_px
        for code, place in gone.items()
        if place not in found
    }
