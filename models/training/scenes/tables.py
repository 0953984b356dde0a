"""Tables as a webcam or phone sees them: a pyramid of invented tiles, clutter, light, lens and sensor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.artists.drawn_set import DrawnSet
from models.training.rendering.artists.held_out import HELD_OUT, trained_artist, typefaces_of
from models.training.rendering.boards import print_board
from models.training.rendering.clutter import cover, die_art, hold, print_art
from models.training.rendering.faces import FACE_PX, Face, PaintedSet, PrintedSet, tile_back
from models.training.rendering.other_games import OtherGame
from models.training.rendering.sensing import light, sense
from models.training.rendering.textures import TextureBank, any_colour, table_top
from referee.rules.tiles import CODES
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points

_OTHER_GAMES, _PRINTED, _PAINTED = 0.15, 0.07, 0.28
"""Shares of the tables with another game's tiles, with the product's own, and with a set of `faces`; all
others show a set by one of the artists."""
_REAL_SURFACES, _LIKE_THE_TILES, _BOARDS, _HELD = 0.35, 0.1, 0.16, 0.06
"""Shares of tables that are real photos (where there are any), that have the tiles' own colour, that show a
printed board or cloth with squares, and of pictures in which a hand holds one tile."""
_UNIT_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)

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
class _Game:
    """The tiles of one picture: a face for every number, height by width, and who drew them."""

    face_of: Callable[[int], Face]
    aspect: float
    artist: str


def camera(
    rng: np.random.Generator,
    size_wh: tuple[int, int],
    tile_px: float,
    centre: NDArray[np.float64],
    yaw_deg: float,
) -> Points:
    """Return the homography from the table plane (in tile sides, y down) to pixels, (3, 3) float64."""
    wide, high = size_wh
    focal = wide / 2 / np.tan(np.radians(rng.uniform(45, 78)) / 2)
    distance = focal / tile_px
    tilt = np.radians(min(48.0, abs(rng.normal(0, 20))))
    yaw, roll = np.radians(yaw_deg), np.radians(rng.normal(0, 3))
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rolled = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    pose = rolled @ lean @ turn
    shift = np.array([0, 0, distance])
    plane = np.stack([pose[:, 0], pose[:, 1], shift - pose[:, :2] @ centre], 1)
    aim = (wide / 2 + rng.normal(0, 0.06) * wide, high / 2 + rng.normal(0, 0.06) * high)
    lens = np.array([[focal, 0, aim[0]], [0, focal, aim[1]], [0, 0, 1]])
    return np.asarray(lens @ plane, np.float64)


def project(homography: Points, points: NDArray[np.float64]) -> Points:
    """Return points of the table's plane, (n, 2) in tile sides, in pixels."""
    return (
        cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), homography)
        .reshape(-1, 2)
        .astype(np.float32)
    )


def square(x: float, y: float, side: float, turn_deg: float, aspect: float = 1.0) -> NDArray[np.float64]:
    """Return the corners of a tile on the table's plane, (4, 2); `aspect` is height by width."""
    angle = np.radians(turn_deg)
    corners = (_UNIT_SQUARE - 0.5) * side * [1, aspect]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(corners @ turn.T + [x, y], np.float64)


_Place = tuple[float, float, float]
"""Where something lies on the table's plane: x, y, and how far it is turned in degrees."""


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
        rounded = np.zeros((FACE_PX, FACE_PX), np.uint8)
        self._shapes = []
        for radius in (0, 4, 8, 14):
            mask = rounded.copy()
            cv2.rectangle(mask, (radius, radius), (FACE_PX - 1 - radius, FACE_PX - 1 - radius), 255, -1)
            if radius:
                disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
                mask = np.asarray(cv2.dilate(mask, disc), np.uint8)
            self._shapes.append(mask)

    def _positions(self) -> list[tuple[float, float, float]]:
        """Return a pyramid's tile centres and turns: x, y in tile sides (y down), degrees."""
        rng = self._rng
        base = int(rng.integers(1, 10))
        gap = abs(rng.normal(0, 0.04))
        wobble, twist = rng.uniform(0, 0.035), rng.uniform(0, 3)
        if rng.random() < 0.15:
            wobble, twist = 0.07, 7
        filled: set[tuple[int, int]] = {(0, slot) for slot in range(base) if rng.random() < 0.92}
        keep = rng.uniform(0.4, 1.0)
        for row in range(1, base):
            for slot in range(base - row):
                supports = ((row - 1, slot) in filled) + ((row - 1, slot + 1) in filled)
                if (supports == 2 and rng.random() < keep) or (supports == 1 and rng.random() < 0.12):
                    filled.add((row, slot))
        if not filled:
            filled = {(0, 0)}
        laid = []
        for row, slot in filled:
            turn = rng.normal(0, twist) + (rng.choice([90, 180, 270]) if rng.random() < 0.02 else 0)
            laid.append(
                (
                    (slot + row / 2) * (1 + gap) + rng.normal(0, wobble),
                    -row * (1 + gap * rng.uniform(0.7, 1.3)) + rng.normal(0, wobble),
                    turn,
                )
            )
        return laid

    def _strewn(self, aspect: float) -> list[tuple[float, float, float]]:
        """Return places of another game's tiles: strewn, in touching rows, or in a pyramid."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.25:
            return [(x, y * aspect, turn) for x, y, turn in self._positions()]
        if kind < 0.6:
            gap, lean = 1 + abs(rng.normal(0, 0.06)), rng.normal(0, 2)
            return [
                (column * gap + rng.normal(0, 0.01), row * aspect * rng.uniform(1, 1.15), lean)
                for row in range(int(rng.integers(1, 4)))
                for column in range(int(rng.integers(2, 10)))
                if rng.random() < 0.85
            ] or [(0.0, 0.0, lean)]
        spread, apart = rng.uniform(1.5, 5), rng.uniform(0.68, 1) * np.hypot(1, aspect)
        laid: list[tuple[float, float, float]] = []
        for _ in range(60):
            x, y, turn = rng.uniform(-spread, spread), rng.uniform(-spread, spread) * 0.7, rng.uniform(0, 360)
            if all(np.hypot(x - other[0], y - other[1]) > apart for other in laid):
                laid.append((x, y, turn))
            if len(laid) > 18:
                break
        return laid

    def _game(self) -> _Game:
        """Return the tiles that the next picture shows."""
        rng = self._rng
        kind = rng.random()
        if kind < _OTHER_GAMES and self._group is None:
            game = OtherGame(rng, self.bank, self.typefaces)
            marks = game.marks(12)
            return _Game(lambda index: game.face(marks[index % len(marks)]), game.aspect, "another game")
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
        return _Game(lambda index: own.face(codes[index % len(codes)]), 1.0, artist)

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

    def _surface(self, size_wh: tuple[int, int]) -> ImageU8:
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
        game = self._game()
        face_of, aspect = game.face_of, game.aspect
        positions = self._strewn(aspect) if game.artist == "another game" else self._positions()
        is_held = rng.random() < _HELD
        if is_held:
            positions = [(0.0, 0.0, rng.normal(0, 12))]
            tile_px = rng.uniform(0.25, 0.6) * min(wide, high)
        xy = np.array([place[:2] for place in positions])
        extent = xy.max(axis=0) - xy.min(axis=0) + 1.3
        roomy = min(wide / extent[0], high / extent[1]) * 0.95
        if tile_px is None:
            tile_px = float(np.exp(rng.uniform(np.log(30), np.log(110))))
        tile_px = max(24.0, min(tile_px, roomy * (1.15 if rng.random() < 0.1 else 1)))
        yaw = rng.uniform(-180, 180) if rng.random() < 0.5 else rng.normal(0, 14)
        aside = 0.3 if rng.random() < 0.15 else 0.06  # some pyramids stick out of the picture
        middle = (xy.max(axis=0) + xy.min(axis=0)) / 2 + rng.normal(0, aside, 2) * [
            wide / tile_px,
            high / tile_px,
        ]
        homography = camera(rng, size_wh, tile_px, middle, yaw)
        image = self._surface(size_wh).astype(np.float32)
        if rng.random() < _LIKE_THE_TILES:
            tint = face_of(0).image.mean(axis=(0, 1)) - image.mean(axis=(0, 1))
            image += np.asarray(tint * rng.uniform(0.7, 1), np.float32)
            np.clip(image, 0, 255, out=image)
        decoys: list[Points] = []
        if rng.random() < _BOARDS:
            decoys.extend(print_board(rng, image, homography, xy))
        self._scatter(image, homography, xy, decoys)
        shape = self._shapes[rng.integers(len(self._shapes))]
        sun = rng.uniform(0, 2 * np.pi)
        gloss = rng.random() < 0.35
        side = 1.0 if rng.random() < 0.25 else 0.985  # some tiles touch
        laid: list[tuple[Face, Points, bool]] = []
        positions_aside = self._aside(xy) if rng.random() < 0.25 else []
        everything = [(place, True) for place in positions] + [(place, False) for place in positions_aside]
        ids = np.full((high, wide), -1, np.int16)
        for index, ((x, y, turn), in_pyramid) in enumerate(everything):
            face = face_of(index)
            quad = project(homography, square(x, y, side, turn, aspect))
            if self._lay(image, face.image, shape, quad, sun, ids, index):
                laid.append((face, quad, in_pyramid))
            else:
                laid.append((face, quad, False))
        areas = np.array([max(1.0, abs(cv2.contourArea(quad))) for _, quad, _ in laid])
        if is_held:
            hold(rng, self.bank, image, ids, laid[0][1])
        else:
            cover(rng, self.bank, image, ids)
        light(rng, image, gloss, [quad for _, quad, _ in laid])
        picture = sense(rng, self.bank, image)
        counts = (
            np.bincount(ids[ids >= 0].ravel(), minlength=len(laid))
            if (ids >= 0).any()
            else np.zeros(len(laid))
        )
        tiles = tuple(
            RenderedTile(face, quad, float(min(1.0, counts[index] / areas[index])), in_pyramid)
            for index, (face, quad, in_pyramid) in enumerate(laid)
        )
        return RenderedTable(picture, tiles, tuple(decoys), game.artist)

    def close_up(self, face: Face, beside: list[Face], smallest_px: float) -> tuple[ImageU8, Points]:
        """Return a picture of one tile from near and the corners of its face; `beside` may lie round it."""
        rng = self._rng
        side = float(np.exp(rng.uniform(np.log(smallest_px), np.log(120))))
        canvas = int(side * 1.7) + 8
        turn = rng.normal(0, 3)
        middle = canvas / 2 + rng.normal(0, 0.03, 2) * side
        quad = (square(0, 0, side, turn) + middle + rng.normal(0, 0.035, (4, 2)) * side).astype(np.float32)
        image = self._surface((canvas, canvas)).astype(np.float32)
        shape = self._shapes[rng.integers(len(self._shapes))]
        ids = np.full((canvas, canvas), -1, np.int16)
        sun = rng.uniform(0, 2 * np.pi)
        across, down = quad[1] - quad[0], quad[3] - quad[0]
        gap = 1.015 + abs(rng.normal(0, 0.03))
        half = rng.choice([0.0, 0.5])
        for other, (x, y) in zip(beside, ((-1, 0), (1, 0), (half, -1), (half - 1, -1)), strict=True):
            if rng.random() < 0.45:
                moved = (quad + gap * (x * across + y * down)).astype(np.float32)
                self._lay(image, other.image, shape, moved, sun, ids, 1)
        self._lay(image, face.image, shape, quad, sun, ids, 0)
        light(rng, image, rng.random() < 0.25, [quad])
        return sense(rng, self.bank, image), quad

    def _aside(self, xy: NDArray[np.float64]) -> list[tuple[float, float, float]]:
        """Return places of a hand of face-up tiles beside the pyramid, often fanned so that they overlap."""
        rng = self._rng
        count, step, turn = (
            int(rng.integers(1, 6)),
            rng.uniform(0.35, 1.1),
            rng.normal(0, 25) + rng.choice([0, 0, 90, 180]),
        )
        x = (
            xy[:, 0].max() + rng.uniform(1.7, 4)
            if rng.random() < 0.5
            else xy[:, 0].min() - rng.uniform(1.7, 4) - count * step
        )
        y = rng.uniform(xy[:, 1].min() - 2, xy[:, 1].max() + 2)
        return [
            (
                x + index * step,
                y + index * step * np.tan(np.radians(rng.normal(0, 6))),
                turn + rng.normal(0, 4),
            )
            for index in range(count)
        ]

    def _lay(
        self,
        image: NDArray[np.float32],
        face: ImageU8,
        shape: ImageU8,
        quad: Points,
        light: float,
        ids: NDArray[np.int16],
        index: int,
    ) -> bool:
        """Lay one face onto `image` with its shadow; return False where it lies off the picture."""
        high, wide = image.shape[:2]
        size = float(np.sqrt(abs(cv2.contourArea(quad)))) + 1
        margin = int(size * 0.15) + 3
        x0, y0 = np.floor(quad.min(axis=0)).astype(int) - margin
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + margin
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, wide), min(y1, high)
        if x1 - x0 < 4 or y1 - y0 < 4 or size > 600:
            return False
        rng = self._rng
        box = (x1 - x0, y1 - y0)
        source = _UNIT_SQUARE * FACE_PX - 0.5
        to_box = cv2.getPerspectiveTransform(source.astype(np.float32), (quad - [x0, y0]).astype(np.float32))
        flags = cv2.INTER_AREA if size < FACE_PX * 0.7 else cv2.INTER_LINEAR
        art = face
        shrink = FACE_PX / size
        if shrink > 1.6:
            art = np.asarray(cv2.GaussianBlur(face, (0, 0), 0.35 * shrink), np.uint8)
        colour = cv2.warpPerspective(
            art,
            to_box,
            box,
            flags=cv2.INTER_LINEAR if flags == cv2.INTER_AREA else flags,
            borderMode=cv2.BORDER_REPLICATE,
        )
        alpha = (
            cv2.warpPerspective(shape, to_box, box, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None]
            / 255
        )
        view = image[y0:y1, x0:x1]
        reach = size * 0.03
        shade = cv2.GaussianBlur(alpha[..., 0], (0, 0), 0.8 + size * 0.03)
        shift = np.array([[1, 0, reach * np.cos(light)], [0, 1, reach * np.sin(light)]], np.float32)
        shade = cv2.warpAffine(shade, shift, box)
        view *= 1 - 0.4 * shade[..., None]
        view *= 1 - alpha
        view += alpha * colour * (1 + rng.normal(0, 0.03))
        ids[y0:y1, x0:x1][alpha[..., 0] > 0.5] = index
        return True

    def _scatter(
        self, image: NDArray[np.float32], homography: Points, xy: NDArray[np.float64], decoys: list[Points]
    ) -> None:
        """Put what is no tile of the pyramid on the table: backs, paper, dice, cards, cups, pencils."""
        rng = self._rng
        low, top = xy.min(axis=0) - 1.2, xy.max(axis=0) + 1.2
        for _ in range(int(rng.integers(0, 9))):
            x, y = rng.uniform(low[0] - 5, top[0] + 5), rng.uniform(low[1] - 4, top[1] + 4)
            if low[0] - 0.5 < x < top[0] + 0.5 and low[1] - 0.5 < y < top[1] + 0.5 and rng.random() < 0.85:
                continue
            kind = rng.choice(
                ["back", "paper", "die", "card", "cup", "coin", "pencil", "box", "square", "phone"],
                p=[0.24, 0.11, 0.13, 0.11, 0.1, 0.06, 0.06, 0.07, 0.06, 0.06],
            )
            place = (x, y, rng.uniform(0, 360))
            if kind in {"back", "square"}:
                decoys.append(self._scatter_backs(image, homography, place, is_plain=kind == "square"))
            elif kind in {"paper", "box", "card", "phone"}:
                decoys.append(self._scatter_print(image, homography, place, str(kind)))
            elif kind == "die":
                quad = project(homography, square(x, y, rng.uniform(0.25, 0.6), place[2]))
                self._paste(image, die_art(rng), quad)
                decoys.append(quad)
            else:
                self._scatter_drawn(image, homography, place, str(kind))

    def _scatter_backs(
        self, image: NDArray[np.float32], homography: Points, place: _Place, *, is_plain: bool
    ) -> Points:
        """Put a pile of tile backs, or of squares of one colour, on the table; return the topmost quad."""
        rng, (x, y, turn) = self._rng, place
        art = tile_back(rng, self.bank)
        if is_plain:
            art = np.full((FACE_PX, FACE_PX, 3), any_colour(rng), np.uint8)
        for layer in range(int(rng.choice([1, 1, 1, 3, 6]))):
            quad = project(homography, square(x + 0.03 * layer, y - 0.02 * layer, 1, turn + rng.normal(0, 6)))
            self._paste(image, art, quad)
        return quad

    def _scatter_print(
        self, image: NDArray[np.float32], homography: Points, place: _Place, kind: str
    ) -> Points:
        """Put paper, a box, a playing card or a phone on the table; return its quad."""
        rng, (x, y, turn) = self._rng, place
        art = print_art(rng, self.typefaces, kind)
        size = {
            "paper": rng.uniform(1.2, 5),
            "box": rng.uniform(3, 6),
            "card": rng.uniform(1.2, 2),
            "phone": rng.uniform(2, 3.4),
        }[kind]
        narrow = {"card": [0.7, 1], "phone": [0.48, 1]}.get(kind, [1, rng.uniform(0.7, 1.4)])
        corners = (square(0, 0, size, 0) * narrow) @ np.array(
            [
                [np.cos(np.radians(turn)), -np.sin(np.radians(turn))],
                [np.sin(np.radians(turn)), np.cos(np.radians(turn))],
            ]
        ).T + [x, y]
        quad = project(homography, corners)
        self._paste(image, art, quad)
        return quad

    def _scatter_drawn(
        self, image: NDArray[np.float32], homography: Points, place: _Place, kind: str
    ) -> None:
        """Draw a cup, a coin or a pencil on the table."""
        rng, (x, y, turn) = self._rng, place
        if kind in {"cup", "coin"}:
            radius = rng.uniform(0.6, 1.6) if kind == "cup" else rng.uniform(0.15, 0.35)
            angles = np.linspace(0, 2 * np.pi, 30)
            for shrink in (1.0, 0.87, 0.8):
                circle = [x + shrink * radius * np.cos(angles), y + shrink * radius * np.sin(angles)]
                ring = project(homography, np.stack(circle, 1))
                if np.abs(ring).max() < 4000:
                    cv2.fillPoly(image, [ring.astype(np.int32)], any_colour(rng), cv2.LINE_AA)
            return
        ends = project(homography, np.array([[x, y], [x + 4 * np.cos(turn), y + 4 * np.sin(turn)]]))
        if np.abs(ends).max() < 4000:
            start, stop = ((int(u), int(v)) for u, v in ends)
            cv2.line(image, start, stop, any_colour(rng), int(rng.integers(2, 10)), cv2.LINE_AA)

    def _paste(self, image: NDArray[np.float32], art: ImageU8, quad: Points) -> None:
        if np.abs(quad).max() < 4000:
            self._lay(image, art, self._shapes[0], quad, 0.5, np.empty(image.shape[:2], np.int16), 0)
