"""Reads a table in the light of the last clear one: what has not changed is read as it was.

One picture alone leaves open where a tile lies that touches no other, on which row the lowest tiles lie once
those below them are taken away, and whether a dark spot of the table hides something. The picture before
tells: the camera hardly moves, tiles lie on the lattice that was found already, and where no pixel has
changed, nothing has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import Layout
from vision.frame import ImageU8
from vision.geometry import UNIT_SQUARE, Matrix, Points, map_points, share_inside, side_px
from vision.lattice import Place, fit
from vision.reading import Quad, Reading, SeenTile, TileReading
from vision.rectify import upright_crop
from vision.viewpoint import as_quad, carried, find_view, move_of, shrink, view_change

GROUND_S = 20.0
"""Seconds after which tiles over an empty base are the base themselves."""
HAND_S = 2.5
"""Seconds for which nobody holds a hand still before a game has begun."""
GUESS = 0.98
"""On a first table, tiles that are all in doubt and less certain than this are none."""
CONTRADICTED = 0.995
"""A tile less certain than this is none where the table looks as it did without it."""
OFF_PLACE = 0.35
"""How far from its place, in tile sides, a tile may lie."""
STRAY_OFF_PLACE = 0.3
"""The same for one that touches no other."""
_CROP_PX, _FACE_SHARE, _ROOM_PX = 40, 1.15, 4
_MIN_CHANGE = 32.0
"""Levels of 255 by which a blurred pixel of a tile's crop must differ, once both are as bright."""
_MAX_CHANGED = 0.06
"""Share of the pixels that may differ where nothing has changed."""
_STRIDE, _MOST_UNEVEN = 24, 1.3
"""How much more, or less, than the rest of the table a place may have brightened by another light."""
_MIN_INSIDE = 0.5
"""Share of a tile that must be in the picture to be compared."""
_MOST_CHANGED = 0.25
"""Share of the picture; where more has changed, and nothing lies over it, nobody knows how it was bumped."""
_MANY_TILES = 3
"""So many tiles that lie where they lay tell that the camera did not move."""
_MOST_QUADS = 40
_MOST_ASKED = 24
"""Most places at which tiles that have gone are looked for."""
_PUT_RIGHT = 3
"""Half slots by which a tile that was put down wrongly may be moved."""
_SURE_TILE, _CERTAIN_TILE = 0.9, 0.99
"""So much must a place look like a tile that the finder passed over there; and one that lies alone on a first
table, where it may be a back of a pile."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A table that was clear."""

    image_bgr: ImageU8
    tiles: tuple[TileReading, ...]
    places: tuple[Place, ...]
    """Those of the tiles, on the lattice of this game."""
    lattice: dict[Place, Points]
    """Where tiles lay at which place, as the camera sees it now."""
    left: _Known | None = None
    """Where no tile lies: the last table on which some did."""

    @property
    def doubtful(self) -> set[Place]:
        """Where something lies that may be a tile."""
        return {place for place, tile in zip(self.places, self.tiles, strict=True) if tile.unsure}


@dataclass(frozen=True, slots=True)
class _Bare:
    """The first table that was clear: where nothing lay yet, it shows what the table looks like."""

    image_bgr: ImageU8
    tiles: tuple[TileReading, ...]
    """What lay there all the same."""
    moved: Matrix
    """How the camera has moved since, as a (3, 3) homography of pixels."""


class TileLook(Protocol):
    """Looks at tiles wherever they lie; `vision.reader.TileReader` does."""

    def tiles(self, image_bgr: ImageU8) -> Sequence[SeenTile]:
        """Return every face-up tile of a (H, W, 3) uint8 BGR picture."""

    def name(self, image_bgr: ImageU8, quads_px: list[Points]) -> Sequence[SeenTile]:
        """Return what lies in the given upright quads of a picture."""


class Keeping:
    """Remembers the last clear table of one source. For one thread."""

    def __init__(self, look: TileLook) -> None:
        """Begin with a table that was not seen yet.

        Args:
            look: Asked where a tile that lay there has gone.
        """
        self._look = look
        self._known: _Known | None = None
        self._next: _Known | None = None
        self._bare: _Bare | None = None
        self._view: Matrix | None = None
        """How the camera has moved between the last clear table and the one that was amended last."""
        self._is_view_known = True
        self._first: tuple[ImageU8, float] | None = None
        self._ground = 0
        self._floats_since_s: float | None = None

    def amend(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> Reading:
        """Return a reading of a (H, W, 3) uint8 BGR picture with what the last clear table tells about it.

        Args:
            image_bgr: The picture; it is kept if `accept` follows, and must not be written into.
            reading: What was read there by itself.
            time_s: When, in seconds; never falls.
        """
        known = self._known
        own = tuple(Place(tile.row, 2 * tile.slot + tile.row) for tile in reading.tiles)
        if known is None or known.image_bgr.shape != image_bgr.shape:
            reading = self._without_guesses(image_bgr, reading)
            reading = self._without_spots(image_bgr, reading, time_s)
            own = tuple(Place(tile.row, 2 * tile.slot + tile.row) for tile in reading.tiles)
            self._ground, self._floats_since_s = 0, None
            self._known = self._bare = self._view = None
            self._next = _Known(image_bgr, reading.tiles, own, _quads(own, reading.tiles))
            return reading
        near = {neighbour for place in known.places for neighbour in _around(place)}
        if self._next is not None:
            near |= self._next.doubtful
        if not known.lattice:
            if known.left is not None and _is_put_back(reading.tiles, known.left):
                known = replace(known, lattice=known.left.lattice)
            else:
                self._ground, self._floats_since_s = 0, None
        view, self._is_view_known = _view(known, image_bgr, reading.tiles)
        self._view = view
        back = np.asarray(np.eye(3) if view is None else np.linalg.inv(view), np.float64)

        def is_unchanged(quad: Quad) -> bool:
            before = as_quad(map_points(back, np.array(quad)))
            return _is_unchanged(known.image_bgr, before, image_bgr, quad)

        lattice = {
            place: quad if view is None else map_points(view, quad) for place, quad in known.lattice.items()
        }
        before = carried(known.tiles, view)
        places = _placed(own, reading.tiles, known, lattice)
        found = dict(zip(places, reading.tiles, strict=True))
        missing = {tile.code for tile in known.tiles} - {
            tile.code for tile in reading.tiles if not tile.unsure
        }
        for place, tile in list(found.items()):
            is_new, apart = not any(_is_at(other, tile) for other in before), _is_apart(place, found)
            is_spot = tile.unsure and apart and tile.code not in missing
            if (
                is_spot
                or (is_new and (tile.unsure or apart) and is_unchanged(tile.quad_px))
                or (
                    (tile.unsure or (is_new and tile.confidence < CONTRADICTED))
                    and self._is_bare(image_bgr, tile.quad_px, back)
                )
            ):
                del found[place]  # it is a part of the table
        seen = {tile.code for tile in found.values()}
        for place, tile in zip(known.places, before, strict=True):
            other = found.get(place)
            if other is None and tile.code in seen:
                continue  # it lies elsewhere now
            if other is not None and (tile.unsure or not other.unsure):
                continue  # what is read surely now counts
            if other is not None and other.code != tile.code and tile.code in seen:
                continue
            if tile.unsure and other is None and self._is_bare(image_bgr, tile.quad_px, back):
                continue  # hardly a tile then, and none now
            if is_unchanged(tile.quad_px):
                found[place] = tile
        seen = {tile.code for tile in found.values()}
        came_off = {
            tile.code: place
            for place, tile in zip(known.places, before, strict=True)
            if tile.code not in seen
        }
        if came_off or len(found) != len(reading.tiles):
            for stray in self._look.tiles(image_bgr):
                place_of = _place_of_stray(stray, found, came_off, lattice, near)
                if place_of is not None and not is_unchanged(stray.quad_px):
                    found[place_of] = TileReading(
                        stray.code, 0, 0, stray.quad_px, stray.confidence, stray.unsure
                    )
        for at, stray in self._passed_over(image_bgr, found, came_off, lattice):
            if not is_unchanged(stray.quad_px):
                found[at] = TileReading(stray.code, 0, 0, stray.quad_px, stray.confidence, unsure=False)
        hidden = tuple(
            quad
            for quad in reading.hidden
            if not is_unchanged(quad) and not self._is_bare(image_bgr, quad, back)
        )
        tiles = tuple(found.values())
        lattice = _with_quads(lattice, _quads(tuple(found), tiles)) if tiles else {}
        left = None if tiles else known if known.tiles else known.left
        self._next = _Known(image_bgr, tiles, tuple(found), lattice, left)
        return self._reading(found, replace(reading, hidden=hidden), time_s)

    def accept(self) -> None:
        """Take note that nothing lay over the table that was amended last: the next is compared with it."""
        is_first = self._known is None
        self._known = self._next
        if self._next is None:
            return
        if is_first:
            self._bare = _Bare(self._next.image_bgr, self._next.tiles, np.eye(3))
        elif not self._is_view_known:
            self._bare = None
        elif self._bare is not None and self._view is not None:
            self._bare = replace(self._bare, moved=self._view @ self._bare.moved)
        self._view, self._is_view_known = None, True

    def _is_bare(self, image_bgr: ImageU8, quad: Quad, back: Matrix) -> bool:
        """Return whether a quad shows what it showed on the first clear table.

        Args:
            image_bgr: (H, W, 3) uint8 BGR.
            quad: Corners there.
            back: (3, 3), from there to the last clear table.
        """
        if self._bare is None:
            return False
        before = map_points(np.linalg.inv(self._bare.moved) @ back, np.array(quad))
        if any(move_of(np.array(tile.quad_px), before.astype(np.float64)) < 0.5 for tile in self._bare.tiles):
            return False
        return _is_unchanged(self._bare.image_bgr, as_quad(before), image_bgr, quad)

    def _passed_over(
        self,
        image_bgr: ImageU8,
        found: Mapping[Place, TileReading],
        came_off: Mapping[str, Place],
        lattice: dict[Place, Points],
    ) -> list[tuple[Place, SeenTile]]:
        """Return tiles that lie where they lay, or fell, though the finder passed over them; with places."""
        taken = {tile.code for tile in found.values()}
        gone = {code: place for code, place in came_off.items() if code not in taken}
        places = [
            place
            for place in dict.fromkeys(at for lay in gone.values() for at in _below(lay))
            if place not in found
        ][:_MOST_ASKED]
        expected = _expected(places, lattice)
        if not expected:
            return []
        seen = []
        for place, quad, tile in zip(places, expected, self._look.name(image_bgr, expected), strict=True):
            off = np.hypot(*(np.array(tile.quad_px).mean(axis=0) - quad.mean(axis=0))) / side_px(quad)
            lay = gone.get(tile.code)
            if (
                lay is not None
                and place in _below(lay)
                and not tile.unsure
                and tile.tile >= _SURE_TILE
                and off <= STRAY_OFF_PLACE
            ):
                seen.append((place, tile))
        return seen if len({tile.code for _, tile in seen}) == len(seen) else []

    def _without_guesses(self, image_bgr: ImageU8, reading: Reading) -> Reading:
        """Return a first reading without what is hardly a tile, such as the back of a pile.

        Where it was taken for the pyramid, a tile that lies alone elsewhere is.
        """
        if not reading.tiles or any(
            not tile.unsure
            or tile.covered
            or tile.cut
            or (tile.confidence >= GUESS and len(reading.tiles) > 1)
            for tile in reading.tiles
        ):
            return reading
        sure = [
            tile
            for tile in self._look.tiles(image_bgr)
            if not tile.unsure and tile.confidence >= GUESS and tile.tile >= _CERTAIN_TILE
        ]
        if len(sure) > 1:
            return reading
        if not sure:
            return replace(reading, tiles=(), layout=Layout.from_tiles({}))
        (tile,) = sure
        alone = TileReading(tile.code, 0, 0, tile.quad_px, tile.confidence, unsure=False)
        return replace(reading, tiles=(alone,), layout=Layout.from_tiles({(0, 0): tile.code}))

    def _without_spots(self, image_bgr: ImageU8, reading: Reading, time_s: float) -> Reading:
        """Return a reading with which nothing can be compared without what are spots of the table.

        Those are: what lies far from all tiles, and is in doubt; what has not moved for `HAND_S`, so that no
        hand hides it; and, where no tile is sure, covered tiles that have not moved for as long.
        """
        places = [Place(tile.row, 2 * tile.slot + tile.row) for tile in reading.tiles]
        found = dict(zip(places, reading.tiles, strict=True))
        best = max((tile.confidence for tile in found.values()), default=0.0)
        kept = {
            place: tile
            for place, tile in found.items()
            if not ((tile.unsure or tile.confidence < CONTRADICTED <= best) and _is_apart(place, found))
        }
        covered = [] if any(not tile.unsure for tile in kept.values()) else list(kept.values())
        quads = [*reading.hidden, *(tile.quad_px for tile in covered if tile.covered)]
        first = self._first
        if first is None or not all(_is_unchanged(first[0], quad, image_bgr, quad) for quad in quads):
            self._first = first = image_bgr, time_s
        if time_s - first[1] >= HAND_S:
            reading = replace(reading, hidden=())
            kept = {place: tile for place, tile in kept.items() if not (tile in covered and tile.covered)}
        if len(kept) == len(found):
            return reading
        self._ground = min((place.row for place in kept), default=0)
        return self._reading(kept, reading, time_s)

    def _reading(self, found: dict[Place, TileReading], reading: Reading, time_s: float) -> Reading:
        """Return a reading of the tiles at some places, rows counted from where the pyramid stands."""
        if not found:
            return replace(reading, tiles=(), layout=Layout.from_tiles({}))
        low = min(place.row for place in found)
        if low <= self._ground:
            self._floats_since_s = None
        elif self._floats_since_s is None:
            self._floats_since_s = time_s
        if low < self._ground or (
            self._floats_since_s is not None and time_s - self._floats_since_s > GROUND_S
        ):
            self._ground, self._floats_since_s = low, None
        left = min((place.half - place.row) // 2 for place in found)
        tiles = tuple(
            replace(found[place], row=place.row - self._ground, slot=(place.half - place.row) // 2 - left)
            for place in sorted(found, key=lambda place: (place.row, place.half))
        )
        layout = Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in tiles})
        return replace(reading, tiles=tiles, layout=layout)


def _view(known: _Known, image_bgr: ImageU8, tiles: Sequence[TileReading]) -> tuple[Matrix | None, bool]:
    """Return how the camera moved since a table was clear, and whether that is all that has changed much.

    Few tiles alone are not believed.
    """
    lay = {tile.code for tile in known.tiles}
    if view_change(known.tiles, tiles) is None and sum(tile.code in lay for tile in tiles) >= _MANY_TILES:
        return None, True
    before, now = shrink(known.image_bgr), shrink(image_bgr)
    view, changed = find_view(before, now, known.tiles, tiles, now.shape[1] / image_bgr.shape[1])
    return view, bool(changed.mean() <= _MOST_CHANGED)


def _placed(
    own: tuple[Place, ...], tiles: tuple[TileReading, ...], known: _Known, lattice: dict[Place, Points]
) -> tuple[Place, ...]:
    """Return the places of tiles on the known lattice; `own` are those that they have by themselves."""
    snapped = _snapped([np.array(tile.quad_px) for tile in tiles], lattice)
    lie = [(place, there) for place, there in zip(own, snapped, strict=True) if there is not None]
    if 2 * len(lie) >= len(tiles) > 0:
        # What lies on none of the places is no tile of the pyramid, or was laid down badly.
        away = Counter((there.row - place.row, there.half - place.half) for place, there in lie)
        (rows, halves), _count = away.most_common(1)[0]
        places = tuple(
            there or Place(place.row + rows, place.half + halves)
            for place, there in zip(own, snapped, strict=True)
        )
        if len(set(places)) == len(places):
            return places
    if not lattice:
        return own
    at = dict(zip((tile.code for tile in known.tiles), known.places, strict=True))
    moves = Counter(
        (at[tile.code].row - place.row, at[tile.code].half - place.half)
        for tile, place in zip(tiles, own, strict=True)
        if tile.code in at
    )
    if not moves:
        return own
    (rows, halves), _count = moves.most_common(1)[0]
    return tuple(Place(place.row + rows, place.half + halves) for place in own)


def _around(place: Place) -> list[Place]:
    """Return the places beside, above and below a place."""
    return [
        Place(place.row + rows, place.half + halves)
        for rows, halves in ((0, -2), (0, 2), (1, -1), (1, 1), (-1, -1), (-1, 1))
    ]


def _is_apart(place: Place, found: Mapping[Place, TileReading]) -> bool:
    """Return whether tiles lie elsewhere, but none beside, above or below a place."""
    return len(found) > 1 and not any(other in found for other in _around(place))


def _is_put_back(tiles: Sequence[TileReading], left: _Known) -> bool:
    """Return whether one of some tiles lay on a table before it became empty, and lies on its places."""
    lay = {tile.code for tile in left.tiles}
    quads = [np.array(tile.quad_px) for tile in tiles if tile.code in lay]
    return any(place is not None for place in _snapped(quads, left.lattice, STRAY_OFF_PLACE))


def _place_of_stray(
    tile: SeenTile,
    found: Mapping[Place, TileReading],
    came_off: Mapping[str, Place],
    lattice: dict[Place, Points],
    near: Collection[Place],
) -> Place | None:
    """Return the place of a tile that touches no other one, or None if it is no part of the pyramid.

    It still lies there, has fallen there, or was moved there by somebody who put it down wrongly before; it
    was put back where a tile lay, or was in doubt; it was placed, and those below it were taken since; or it
    is the only tile on the table.
    """
    if tile.unsure or any(tile.code == other.code for other in found.values()):
        return None
    if not lattice:
        return None if found else Place(0, 0)
    (place,) = _snapped([np.array(tile.quad_px)], lattice, STRAY_OFF_PLACE)
    if place is None or place in found:
        return None
    before = came_off.get(tile.code)
    if before is None:
        return place if place in lattice or place in near else None
    fell = before.row - place.row
    is_near = fell >= 0 and abs(before.half - place.half) <= fell + _PUT_RIGHT
    return place if is_near and place.row >= min(each.row for each in lattice) else None


def _below(place: Place) -> list[Place]:
    """Return where a tile may lie that lay at a place: there, or where it can have fallen."""
    return [
        Place(row, place.half + aside)
        for row in range(place.row, -1, -1)
        for aside in range(row - place.row, place.row - row + 1, 2)
    ]


def _expected(places: Sequence[Place], lattice: dict[Place, Points]) -> list[Points]:
    """Return the corners of tiles at places of a lattice; none where it is not known well enough."""
    fitted = _fitted(lattice) if places else None
    if fitted is None:
        return []
    homography, across, upward = fitted
    return [
        map_points(homography, UNIT_SQUARE - 0.5 + [place.half / 2 * across, -place.row * upward]).astype(
            np.float32
        )
        for place in places
    ]


def _fitted(lattice: dict[Place, Points]) -> tuple[Matrix, float, float] | None:
    """Return the homography from the plane to pixels, and the pitches across and up, as `fit` does."""
    if not lattice:
        return None
    corners = list(lattice.values())
    middles = np.array([quad.mean(axis=0) for quad in corners])
    return fit({index: (-place.row, place.half) for index, place in enumerate(lattice)}, corners, middles)


def _snapped(
    quads: Sequence[NDArray[np.float64]], lattice: dict[Place, Points], most_off: float = OFF_PLACE
) -> list[Place | None]:
    """Return the places of a lattice on which tiles lie; None for one that lies on none."""
    fitted = _fitted(lattice) if quads else None
    if fitted is None:
        return [None] * len(quads)
    homography, across, upward = fitted
    places: list[Place | None] = []
    centres = np.array([quad.mean(axis=0) for quad in quads])
    for x, y in map_points(np.asarray(np.linalg.inv(homography), np.float64), centres):
        row = round(-float(y) / upward)
        half = 2 * round((2 * float(x) / across - row) / 2) + row
        is_there = np.hypot(x - half / 2 * across, y + row * upward) <= most_off
        places.append(Place(row, half) if is_there else None)
    return places


def _with_quads(lattice: dict[Place, Points], lie: dict[Place, Points]) -> dict[Place, Points]:
    """Return a lattice with the tiles that lie there now, without what does not agree with them."""
    lattice = {place: quad for place, quad in lattice.items() if place not in lie} | lie
    while len(lattice) > _MOST_QUADS:
        del lattice[next(iter(lattice))]
    while (fitted := _fitted(lattice)) is not None:
        homography, across, upward = fitted
        middles = np.array([quad.mean(axis=0) for quad in lattice.values()])
        found = map_points(np.asarray(np.linalg.inv(homography), np.float64), middles)
        meant = np.array([(place.half / 2 * across, -place.row * upward) for place in lattice])
        off = np.hypot(*(found - meant).T)
        old = [at for at, place in enumerate(lattice) if place not in lie]
        if not old or off.max() <= STRAY_OFF_PLACE:
            break
        worst = max(old, key=lambda at: off[at])
        del lattice[list(lattice)[worst]]
    return lattice


def _quads(places: tuple[Place, ...], tiles: tuple[TileReading, ...]) -> dict[Place, Points]:
    """Return the corners of the tiles at their places; what is in doubt may be none."""
    return {
        place: np.array(tile.quad_px, np.float32)
        for place, tile in zip(places, tiles, strict=True)
        if not tile.unsure
    }


def _is_at(known: TileReading, tile: TileReading) -> bool:
    """Return whether a tile lies where a known one lies."""
    return move_of(np.array(known.quad_px), np.array(tile.quad_px)) < 0.5


def _is_unchanged(before_bgr: ImageU8, before_px: Quad, now_bgr: ImageU8, now_px: Quad) -> bool:
    """Return whether two pictures show the same in two quads, whatever the light."""
    size_wh = (now_bgr.shape[1], now_bgr.shape[0])
    crops = []
    for image, quad, room in ((before_bgr, before_px, _ROOM_PX), (now_bgr, now_px, 0)):
        corners = np.array(quad, np.float32)
        if share_inside(corners, size_wh) < _MIN_INSIDE:
            return False
        size = _CROP_PX + 2 * room
        crop = upright_crop(image, corners, size, _FACE_SHARE * _CROP_PX / size)
        crops.append(cv2.blur(crop, (3, 3)).astype(np.float32))
    around, now = crops
    # Where the camera was bumped, it is not known to the pixel how the places lie to each other.
    likeness = cv2.matchTemplate(around, now, cv2.TM_CCOEFF_NORMED)
    x, y = cv2.minMaxLoc(likeness)[3]
    before = around[y : y + _CROP_PX, x : x + _CROP_PX]
    light = _light(before, now)
    # A tile on a table of its colour is not table in another light.
    everywhere = _light(before_bgr[::_STRIDE, ::_STRIDE], now_bgr[::_STRIDE, ::_STRIDE])
    light = np.clip(light, everywhere / _MOST_UNEVEN, everywhere * _MOST_UNEVEN)
    differs = np.abs(now - np.minimum(before * light, 255)).max(axis=2) > _MIN_CHANGE
    return bool(differs.mean() <= _MAX_CHANGED)


def _light(before: NDArray[np.generic], now: NDArray[np.generic]) -> NDArray[np.float32]:
    """Return (3,): how much brighter each colour of a (H, W, 3) picture has become on the whole."""
    ratio = (now.astype(np.float32) + 1) / (before.astype(np.float32) + 1)
    return np.asarray(np.clip(np.median(ratio, axis=(0, 1)), 0.5, 2.0), np.float32)
