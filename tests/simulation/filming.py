"""Films a simulated game: the moments of a play as the frames of a camera over the table.

Before each change a hand comes in, does it, and goes. The camera is bumped now and then, a lamp is switched,
and every frame has sensor noise of its own. Tables, cameras and lights differ from game to game; the tiles
are the product's own, as `pyramid-referee tiles` prints them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.clutter import die_art, print_art
from models.training.rendering.faces import FACE_PX, PrintedSet, tile_back
from models.training.rendering.textures import TextureBank, bgr, table_top
from referee.rules.tiles import CODES
from tests.simulation.play import Moment, Play
from tests.simulation.poses import Poses, poses_of
from vision.imaging.arrays import ImageU8
from vision.sources.frame import Frame

FPS = 15
SIZE_WH = 1280, 720
REST_FRAMES = 9, 12
"""A table rests for so many frames at least, and fewer than so many; the first of them still moves."""
START_FRAMES = 4 * FPS
"""Before the first turn it rests longer."""
REACH_FRAMES = 3
"""A hand takes so many frames to come in, and as many to go."""
BUMP_RATE, LIGHT_RATE = 0.02, 0.02
"""Chances that the camera is bumped, or a lamp switched, after a moment."""
_MARGIN_PX = 80
_LARGEST_PX = 96.0
"""The largest tile's side."""
_NOISE_WH = 1700, 1100

Points = NDArray[np.float32]


@lru_cache(maxsize=1)
def _printed() -> Mapping[str, ImageU8]:
    """Return the product's own faces, (FACE_PX, FACE_PX, 3) uint8 BGR by code."""
    from ui.artwork.tile_face import face_image

    return {code: face_image(code, FACE_PX) for code in CODES}


@lru_cache(maxsize=1)
def _bank() -> TextureBank:
    return TextureBank(np.random.default_rng(1))


@lru_cache(maxsize=1)
def _noise() -> NDArray[np.float32]:
    """Return noise of deviation 1, of which each frame gets another part."""
    return np.random.default_rng(2).standard_normal((_NOISE_WH[1], _NOISE_WH[0], 3), np.float32)


@dataclass(frozen=True, slots=True)
class _Sprite:
    """A tile as it lies in the picture, ready to be laid on the table."""

    corner_xy: tuple[int, int]
    colour: NDArray[np.float32]
    """(h, w, 3), times `alpha`."""
    keep: NDArray[np.float32]
    """(h, w, 1): how much of the table still shows, and how bright."""


class Film:
    """One game as a camera sees it. Iterating gives the number of the moment, and a frame."""

    def __init__(self, play: Play, seed: int) -> None:
        """Set up table, light and camera, as `seed` has it."""
        self._rng = rng = np.random.default_rng([seed, 7])
        self._play = play
        self._poses = poses_of(play, rng)
        places = np.array([pose[:2] for poses in self._poses for pose in poses.values()] or [(0.0, 0.0)])
        self._low, self._top = places.min(axis=0), places.max(axis=0)
        self._to_px, self._side_px = self._aim()
        faces = PrintedSet(rng, _printed())
        self._faces = {code: faces.face(code).image for code in CODES}
        self._sun = rng.uniform(0, 2 * np.pi)
        self._sprites: dict[tuple[str, tuple[float, float, float]], _Sprite] = {}
        self._empty = self._lay_out_table()
        self._skin = bgr(rng.uniform(10, 26), rng.uniform(0.3, 0.6), rng.uniform(0.4, 0.95))
        self._sleeve = bgr(rng.uniform(0, 360), rng.uniform(0, 0.7), rng.uniform(0.1, 0.8))
        self._noise = np.round(_noise() * rng.uniform(2, 5)).astype(np.int16)
        self._blur = rng.uniform(0.0, 0.8)
        self._view = np.array([[1, 0, -_MARGIN_PX], [0, 1, -_MARGIN_PX]], np.float32)
        self._exposure = rng.uniform(0.8, 1.1)
        high, wide = SIZE_WH[1], SIZE_WH[0]
        ys, xs = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
        angle, fall = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.3)
        field = 1 + fall * (np.cos(angle) * xs + np.sin(angle) * ys) - 0.1 * (xs**2 + ys**2)
        cast = np.array([1 + rng.normal(0, 0.06), 1, 1 + rng.normal(0, 0.06)], np.float32)
        self._field = field[..., None] * cast
        curve = np.power(np.arange(256) / 255, rng.uniform(0.8, 1.2))
        self._curve = np.round(255 * curve + rng.uniform(0, 15) * (1 - curve)).astype(np.uint8)
        self._number = 0

    def __iter__(self) -> Iterator[tuple[int, Frame]]:
        """Yield every frame, with the number of the moment that it belongs to."""
        rng = self._rng
        before: Poses = {}
        hand: Points | None = None
        for number, (moment, poses) in enumerate(zip(self._play.moments, self._poses, strict=True)):
            if moment.what not in ("start", "idle"):
                target = self._target(moment, before, poses)
                yield from self._reach(number, before, target, is_coming=hand is None)
                hand = target if moment.what == "hand" else None
                if hand is None:
                    yield from self._reach(number, poses, target, is_coming=False)
            scene = self._scene(poses)
            if hand is not None:
                scene = self._with_hand(scene, hand)
            for _ in range(START_FRAMES if moment.what == "start" else int(rng.integers(*REST_FRAMES))):
                yield number, self._frame(scene)
            if hand is not None and (number + 1 == len(self._play.moments) or rng.random() < 0.5):
                yield from self._reach(number, poses, hand, is_coming=False)
                hand = None
            if hand is None and rng.random() < BUMP_RATE:
                self._bump()
            if rng.random() < LIGHT_RATE:
                self._exposure = rng.uniform(0.75, 1.15)
            before = poses

    # The table

    def _aim(self) -> tuple[NDArray[np.float64], float]:
        """Return the homography from tile sides to pixels of the canvas, and about how large a tile is."""
        rng = self._rng
        wide, high = SIZE_WH
        reach = self._top - self._low + 2.2
        side = min(_LARGEST_PX, 0.88 * wide / reach[0], 0.88 * high / reach[1]) * rng.uniform(0.85, 1)
        middle = (self._low + self._top) / 2
        room = np.maximum(0, np.array(SIZE_WH) - side * reach * 1.1) / 2
        at = np.array(SIZE_WH) / 2 + _MARGIN_PX + rng.uniform(-0.6, 0.6, 2) * room
        turn = np.radians(rng.normal(0, 5))
        lean = abs(rng.normal(0, 0.06))
        half = reach / 2
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        turned = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        # What is farther away is smaller: towards the upper edge, for one who sits at the lower one.
        seen = at + side * turned * (1 + lean * turned[:, 1:] / max(reach))
        homography = cv2.getPerspectiveTransform(
            (square + middle).astype(np.float32), seen.astype(np.float32)
        )
        return np.asarray(homography, np.float64), float(side)

    def _quad(self, x: float, y: float, turn_deg: float, side: float = 0.985) -> Points:
        """Return the corners of a square on the table, in pixels of the canvas."""
        turn = np.radians(turn_deg)
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
        corners = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + [x, y]
        return cv2.perspectiveTransform(corners[None], self._to_px)[0].astype(np.float32)

    def _lay_out_table(self) -> ImageU8:
        """Return the table with what lies on it beside the pyramid: piles of tiles, papers, dice."""
        rng, bank = self._rng, _bank()
        size_wh = SIZE_WH[0] + 2 * _MARGIN_PX, SIZE_WH[1] + 2 * _MARGIN_PX
        canvas = table_top(rng, bank, size_wh)
        back = tile_back(rng, bank)
        things = [(back, 1.0, int(rng.integers(2, 5)))] * self._play.setup.players
        things += [(print_art(rng, [], str(rng.choice(["paper", "box", "phone"]))), rng.uniform(1.5, 3), 1)
                   for _ in range(rng.integers(0, 3))]  # fmt: skip
        things += [(die_art(rng), 0.35, 1)] * int(rng.integers(0, 2))
        for art, side, layers in things:
            # Nobody lays anything where the pyramid will stand.
            for _try in range(20):
                x, y = rng.uniform(self._low - np.array([6, 3]), self._top + np.array([6, 3]))
                nearest = np.clip((x, y), self._low, self._top)
                if max(abs(nearest - (x, y))) > 1.3 + 0.75 * side:
                    turn = rng.uniform(0, 360)
                    for layer in range(layers):
                        quad = self._quad(x + 0.04 * layer, y - 0.03 * layer, turn + rng.normal(0, 4), side)
                        _lay(canvas, self._sprite(art, quad))
                    break
        return canvas

    def _sprite(self, face: ImageU8, quad: Points) -> _Sprite:
        """Return a face as it lies with its corners at `quad`, with its shadow."""
        side = float(np.sqrt(abs(cv2.contourArea(quad))))
        margin = round(0.12 * side) + 2
        x0, y0 = np.floor(quad.min(axis=0)).astype(int) - margin
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + margin
        box_wh = (int(x1 - x0), int(y1 - y0))
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * FACE_PX - 0.5
        to_box = cv2.getPerspectiveTransform(corners.astype(np.float32), (quad - [x0, y0]).astype(np.float32))
        shrink = FACE_PX / side
        art = cv2.GaussianBlur(face, (0, 0), 0.35 * shrink) if shrink > 1.3 else face
        colour = cv2.warpPerspective(art, to_box, box_wh, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        whole = np.full((FACE_PX, FACE_PX), 255, np.uint8)
        alpha = cv2.warpPerspective(whole, to_box, box_wh).astype(np.float32) / 255
        reach = 0.03 * side
        move = np.array([[1, 0, reach * np.cos(self._sun)], [0, 1, reach * np.sin(self._sun)]], np.float32)
        shade = cv2.warpAffine(cv2.GaussianBlur(alpha, (0, 0), 0.8 + reach), move, box_wh)
        keep = (1 - alpha) * (1 - 0.4 * shade)
        return _Sprite((int(x0), int(y0)), colour * alpha[..., None], keep[..., None])

    def _scene(self, poses: Poses) -> ImageU8:
        """Return the table as the camera sees it, without noise."""
        canvas = self._empty.copy()
        for code, pose in poses.items():
            sprite = self._sprites.get((code, pose))
            if sprite is None:
                sprite = self._sprites[code, pose] = self._sprite(self._faces[code], self._quad(*pose))
            _lay(canvas, sprite)
        seen = cv2.warpAffine(canvas, self._view, SIZE_WH, flags=cv2.INTER_LINEAR)
        if self._blur > 0.3:
            seen = cv2.GaussianBlur(seen, (0, 0), self._blur)
        lit = cv2.multiply(seen, self._field, scale=self._exposure, dtype=cv2.CV_8U)
        return np.asarray(cv2.LUT(lit, self._curve))

    # The hand

    def _target(self, moment: Moment, before: Poses, poses: Poses) -> Points:
        """Return the point of the picture that a hand reaches for: what changes, or any tile."""
        changed = [
            pose
            for code in {*before, *poses}
            if before.get(code) != poses.get(code)
            for pose in (poses.get(code), before.get(code))
            if pose is not None
        ] or [*poses.values(), (0.0, 0.0, 0.0)]
        if moment.what == "hand" and poses:
            changed = list(poses.values())
        x, y, _turn = changed[self._rng.integers(len(changed))]
        point = cv2.perspectiveTransform(np.array([[[x, y]]], np.float64), self._to_px)
        seen: Points = cv2.transform(point, self._view)[0, 0].astype(np.float32)
        return seen

    def _reach(
        self, number: int, poses: Poses, target: Points, *, is_coming: bool
    ) -> Iterator[tuple[int, Frame]]:
        """Yield a hand that comes to a point, or goes from there."""
        scene = self._scene(poses)
        for step in range(REACH_FRAMES):
            share = (step if is_coming else REACH_FRAMES - 1 - step) / REACH_FRAMES
            out = 1 - share + self._rng.uniform(0, 0.1)
            tip = target + out * np.array([0.2 * (target[0] - SIZE_WH[0] / 2), 0.8 * SIZE_WH[1]])
            yield number, self._frame(self._with_hand(scene, tip))

    def _with_hand(self, scene: ImageU8, tip: Points) -> ImageU8:
        """Return a picture with an arm from below whose fingers are at a point."""
        side = self._side_px
        foot = np.array([tip[0] + 0.35 * (tip[0] - SIZE_WH[0] / 2) + side, SIZE_WH[1] + 3 * side])
        along = (foot - tip) / max(1.0, float(np.hypot(*(foot - tip))))
        across = np.array([-along[1], along[0]])
        palm, wrist = tip + 0.9 * side * along, tip + 1.9 * side * along
        elbow = tip + 2.6 * side * along
        shadow = np.full(scene.shape, 255, np.uint8)
        _line(shadow, palm + 0.2 * side, foot, (180, 180, 180), side)
        picture = np.asarray(cv2.multiply(scene, shadow, scale=1 / 255))
        skin, sleeve = (tuple(self._exposure * each for each in tint) for tint in (self._skin, self._sleeve))
        for spread in (-0.5, -0.22, 0.05, 0.3):
            end = tip + spread * side * across - 0.1 * side * abs(spread) * along
            _line(picture, end, palm + 0.5 * spread * side * across, skin, 0.24 * side)
        _line(picture, palm + 0.9 * side * across - 0.5 * side * along, palm, skin, 0.26 * side)
        _line(picture, palm, palm + 0.3 * side * along, skin, 0.95 * side)
        _line(picture, palm, wrist, skin, 0.62 * side)
        _line(picture, wrist, elbow, skin, 0.62 * side)
        _line(picture, elbow, foot, sleeve, 1.05 * side)
        return picture

    # The camera

    def _bump(self) -> None:
        """Move and zoom the camera a little."""
        rng = self._rng
        zoom, turn = rng.uniform(0.96, 1.04), rng.normal(0, 0.8)
        middle = SIZE_WH[0] / 2 + _MARGIN_PX, SIZE_WH[1] / 2 + _MARGIN_PX
        view = cv2.getRotationMatrix2D(middle, turn, zoom)
        view[:, 2] += rng.uniform(-25, 25, 2) - _MARGIN_PX
        self._view = view.astype(np.float32)

    def _frame(self, scene: ImageU8) -> Frame:
        """Return the next frame: a scene with noise."""
        noise = self._noise
        x, y = (int(self._rng.integers(room - size)) for room, size in zip(_NOISE_WH, SIZE_WH, strict=True))
        part = noise[y : y + SIZE_WH[1], x : x + SIZE_WH[0]]
        image = cv2.add(scene, part, dtype=cv2.CV_8U)
        self._number += 1
        return Frame(np.asarray(image), (self._number - 1) / FPS, self._number - 1)


def _lay(canvas: ImageU8, sprite: _Sprite) -> None:
    """Lay a sprite on the table, as far as it lies within it."""
    x, y = sprite.corner_xy
    high, wide = sprite.keep.shape[:2]
    top, left = max(0, -y), max(0, -x)
    low, right = min(high, canvas.shape[0] - y), min(wide, canvas.shape[1] - x)
    if low <= top or right <= left:
        return
    part = canvas[y + top : y + low, x + left : x + right]
    part[:] = part * sprite.keep[top:low, left:right] + sprite.colour[top:low, left:right]


def _line(picture: ImageU8, one: Points, two: Points, colour: tuple[float, ...], thick: float) -> None:
    ends = [tuple(int(each) for each in np.round(point)) for point in (one, two)]
    cv2.line(picture, ends[0], ends[1], colour, max(2, round(thick)), cv2.LINE_AA)
