"""Tables as a webcam or phone sees them: a pyramid of invented tiles, clutter, light, lens and sensor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.artists.drawn_set import DrawnSet
from models.training.rendering.artists.held_out import HELD_OUT, trained_artist, typefaces_of
from models.training.rendering.boards import print_board, print_figures
from models.training.rendering.clutter import cover, hold
from models.training.rendering.faces import Face, PaintedSet, PrintedSet
from models.training.rendering.other_games import OtherGame
from models.training.rendering.sensing import light, sense
from models.training.rendering.textures import TextureBank, table_top
from models.training.scenes.arrangements import places_aside, pyramid_places, strewn_places
from models.training.scenes.laying import lay, tile_shapes
from models.training.scenes.strewn_things import Strewer
from models.training.scenes.table_plane import Place, camera, project, square
from referee.rules.tiles import CODES
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points

_OTHER_GAMES, _PRINTED, _PAINTED = 0.2, 0.07, 0.26
"""Shares of the tables with another game's tiles, with the product's own, and with a set of `faces`; all
others show a set by one of the artists."""
_REAL_SURFACES, _LIKE_THE_TILES, _BOARDS, _HELD = 0.35, 0.1, 0.16, 0.06
"""Shares of tables that are real photos (where there are any), that have the tiles' own colour, that show a
printed board or cloth with squares, and of pictures in which a hand holds one tile."""
_BOARDS_OF_OTHERS = 0.4
"""Other games are often laid on a board."""
_FIGURES = 0.08
"""The share of tables with a cloth on which figures are printed, other than a board."""
_RARE_CODES = tuple(code for code in CODES if int(code[1:]) in (1, 7, 200))
_RARE_FIRST, _FRONT = 0.4, 15
"""In this share of the tables of the game the codes of which there are few are among so many first tiles."""


@dataclass(frozen=True, slots=True)
class RenderedTile:
    """A face-up tile in a rendered picture: corners top-left first, clockwise as printed, in pixels."""

    face: Face
    quad_px: Points
    visible: float
    in_pyramid: bool


@dataclass(frozen=True, slots=True)
class RenderedTable:
    """A rendered picture, `image` (height, width, 3) uint8 BGR, and what lies on it."""

    image: ImageU8
    tiles: tuple[RenderedTile, ...]
    decoys_px: tuple[Points, ...]
    artist: str
    """The group of the artist who drew the tiles."""


@dataclass(frozen=True, slots=True)
class Game:
    """The tiles of one picture: a face for every number, height by width, and who drew them."""

    face_of: Callable[[int], Face]
    aspect: float
    artist: str


class TablePainter:
    """Paints tables; holds the texture bank and the typefaces between pictures."""

    def __init__(
        self,
        rng: np.random.Generator,
        typefaces: list[list[NDArray[np.uint8]]],
        printed: Mapping[str, ImageU8] | None = None,
        surfaces: Sequence[ImageU8] = (),
        group: str | None = None,
    ) -> None:
        """Prepare with `rng`; every picture drawn later continues its sequence.

        Args:
            rng: The randomness.
            typefaces: Digits as ink masks.
            printed: The product's own faces, to be among the sets.
            surfaces: Photos of real tables, to lay tiles on.
            group: Tiles are drawn by artists of this held-out group alone; None: by those to learn from.
        """
        self._rng = rng
        self.bank = TextureBank(rng)
        self.typefaces = typefaces_of(typefaces, held_out=group is not None)
        self._surfaces = surfaces
        self._group = group
        self.printed = printed
        self.shapes = tile_shapes()
        self.strewer = Strewer(rng, self.bank, self.typefaces)

    def game(self) -> Game:
        """Return the tiles that the next picture shows."""
        rng = self._rng
        kind = rng.random()
        if kind < _OTHER_GAMES and self._group is None:
            game = OtherGame(rng, self.bank, self.typefaces)
            marks = game.marks(12)
            return Game(lambda index: game.face(marks[index % len(marks)]), game.aspect, "another game")
        codes = [CODES[index] for index in rng.permutation(len(CODES))]
        if self._group is None and rng.random() < _RARE_FIRST:
            # The first tiles are always laid; coals, blowtorches and the millstone would be learned last.
            others = [code for code in codes if code not in _RARE_CODES]
            front = [*_RARE_CODES, *others[: _FRONT - len(_RARE_CODES)]]
            codes = [
                *(front[index] for index in rng.permutation(_FRONT)),
                *others[_FRONT - len(_RARE_CODES) :],
            ]
        own, artist = self.tile_set(printed=kind < _OTHER_GAMES + _PRINTED)
        return Game(lambda index: own.face(codes[index % len(codes)]), 1.0, artist)

    def tile_set(self, *, printed: bool) -> tuple[PaintedSet | PrintedSet | DrawnSet, str]:
        """Return a new set of the game, and the group of its artist.

        Args:
            printed: The product's own set is meant, where that is known.
        """
        rng = self._rng
        if self._group is not None:
            artist = HELD_OUT[self._group].artist(rng)
            return DrawnSet(rng, self.bank, self.typefaces, artist), self._group
        if printed and self.printed:
            return PrintedSet(rng, self.printed), "printed"
        if rng.random() < _PAINTED / (1 - _OTHER_GAMES - _PRINTED):
            return PaintedSet(rng, self.bank, self.typefaces), "painted"
        artist = trained_artist(rng)
        return DrawnSet(rng, self.bank, self.typefaces, artist), artist.group

    def surface(self, size_wh: tuple[int, int]) -> ImageU8:
        """Return a table without anything on it: painted, or cut from a photo of a real one."""
        rng = self._rng
        if not len(self._surfaces) or rng.random() > _REAL_SURFACES:
            return table_top(rng, self.bank, size_wh)
        photo = self._surfaces[int(rng.integers(len(self._surfaces)))]
        photo = np.rot90(photo, int(rng.integers(4)))
        high, wide = photo.shape[:2]
        share = rng.uniform(0.35, 1)
        x, y = rng.uniform(0, 1 - share, 2) * [wide, high]
        part = np.ascontiguousarray(photo[int(y) : int(y + share * high), int(x) : int(x + share * wide)])
        return np.asarray(cv2.resize(part, size_wh, interpolation=cv2.INTER_AREA), np.uint8)

    def table(self, size_wh: tuple[int, int], *, tile_px: float | None = None) -> RenderedTable:
        """Return a new picture of `size_wh`; tiles are about `tile_px` wide, or of a random size."""
        rng = self._rng
        wide, high = size_wh
        game = self.game()
        places = strewn_places(rng, game.aspect) if game.artist == "another game" else pyramid_places(rng)
        is_held = rng.random() < _HELD
        if is_held:
            places = [(0.0, 0.0, rng.normal(0, 12))]
            tile_px = rng.uniform(0.25, 0.6) * min(wide, high)
        xy = np.array([place[:2] for place in places])
        homography = self._camera(size_wh, xy, tile_px)
        image = self._tinted_surface(size_wh, game)
        decoys: list[Points] = []
        if rng.random() < (_BOARDS_OF_OTHERS if game.artist == "another game" else _BOARDS):
            decoys.extend(print_board(rng, image, homography, xy))
        elif rng.random() < _FIGURES:
            decoys.extend(print_figures(rng, image, homography, xy))
        decoys.extend(self.strewer.strew(image, homography, xy))
        ids = np.full((high, wide), -1, np.int16)
        laid, gloss = self._lay_all(image, ids, homography, game, places)
        if is_held:
            hold(rng, self.bank, image, ids, laid[0].quad_px)
        else:
            cover(rng, self.bank, image, ids)
        light(rng, image, gloss, [tile.quad_px for tile in laid])
        picture = sense(rng, self.bank, image)
        return RenderedTable(picture, _as_seen(laid, ids), tuple(decoys), game.artist)

    def _camera(self, size_wh: tuple[int, int], xy: NDArray[np.float64], tile_px: float | None) -> Points:
        """Return how a camera sees tiles at these places of the table's plane: mostly all of them."""
        rng = self._rng
        wide, high = size_wh
        extent = xy.max(axis=0) - xy.min(axis=0) + 1.3
        roomy = min(wide / extent[0], high / extent[1]) * 0.95
        if tile_px is None:
            tile_px = float(np.exp(rng.uniform(np.log(30), np.log(110))))
        tile_px = max(24.0, min(tile_px, roomy * (1.15 if rng.random() < 0.1 else 1)))
        yaw = rng.uniform(-180, 180) if rng.random() < 0.5 else rng.normal(0, 14)
        aside = 0.3 if rng.random() < 0.15 else 0.06  # some pyramids stick out of the picture
        in_tiles = np.array([wide, high]) / tile_px
        middle = (xy.max(axis=0) + xy.min(axis=0)) / 2 + rng.normal(0, aside, 2) * in_tiles
        return camera(rng, size_wh, tile_px, middle, yaw)

    def _tinted_surface(self, size_wh: tuple[int, int], game: Game) -> NDArray[np.float32]:
        """Return an empty table, (H, W, 3) float32 BGR; now and then it has the tiles' own colour."""
        rng = self._rng
        image = self.surface(size_wh).astype(np.float32)
        if rng.random() < _LIKE_THE_TILES:
            tint = game.face_of(0).image.mean(axis=(0, 1)) - image.mean(axis=(0, 1))
            image += np.asarray(tint * rng.uniform(0.7, 1), np.float32)
            np.clip(image, 0, 255, out=image)
        return image

    def _lay_all(
        self,
        image: NDArray[np.float32],
        ids: NDArray[np.int16],
        homography: Points,
        game: Game,
        places: list[Place],
    ) -> tuple[list[RenderedTile], bool]:
        """Lay the tiles, and now and then a hand of others aside; return them, and whether they gloss."""
        rng = self._rng
        shape = self.shapes[rng.integers(len(self.shapes))]
        sun = rng.uniform(0, 2 * np.pi)
        gloss = rng.random() < 0.35
        side = 1.0 if rng.random() < 0.25 else 0.985  # some tiles touch
        xy = np.array([place[:2] for place in places])
        others = places_aside(rng, xy) if rng.random() < 0.25 else []
        laid = []
        for index, (x, y, turn) in enumerate([*places, *others]):
            face = game.face_of(index)
            quad = project(homography, square(x, y, side, turn, game.aspect))
            is_seen = lay(rng, image, face.image, shape, quad, sun=sun, ids=ids, index=index)
            laid.append(RenderedTile(face, quad, 1.0, is_seen and index < len(places)))
        return laid, gloss

    def close_up(self, face: Face, beside: list[Face], smallest_px: float) -> tuple[ImageU8, Points]:
        """Return a picture of one tile from near and the corners of its face; `beside` may lie round it."""
        rng = self._rng
        side = float(np.exp(rng.uniform(np.log(smallest_px), np.log(120))))
        canvas = int(side * 1.7) + 8
        turn = rng.normal(0, 3)
        middle = canvas / 2 + rng.normal(0, 0.03, 2) * side
        quad = (square(0, 0, side, turn) + middle + rng.normal(0, 0.035, (4, 2)) * side).astype(np.float32)
        image = self.surface((canvas, canvas)).astype(np.float32)
        shape = self.shapes[rng.integers(len(self.shapes))]
        sun = rng.uniform(0, 2 * np.pi)
        across, down = quad[1] - quad[0], quad[3] - quad[0]
        gap = 1.015 + abs(rng.normal(0, 0.03))
        half = rng.choice([0.0, 0.5])
        for other, (x, y) in zip(beside, ((-1, 0), (1, 0), (half, -1), (half - 1, -1)), strict=True):
            if rng.random() < 0.45:
                moved = (quad + gap * (x * across + y * down)).astype(np.float32)
                lay(rng, image, other.image, shape, moved, sun=sun)
        lay(rng, image, face.image, shape, quad, sun=sun)
        light(rng, image, rng.random() < 0.25, [quad])
        return sense(rng, self.bank, image), quad


def _as_seen(laid: list[RenderedTile], ids: NDArray[np.int16]) -> tuple[RenderedTile, ...]:
    """Return tiles with the share of each that can be seen; `ids` tells the topmost one by pixel."""
    areas = [max(1.0, abs(cv2.contourArea(tile.quad_px))) for tile in laid]
    counts = np.bincount(ids[ids >= 0].ravel(), minlength=len(laid))
    return tuple(
        replace(tile, visible=float(min(1.0, count / area)))
        for tile, count, area in zip(laid, counts, areas, strict=True)
    )
