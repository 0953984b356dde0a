"""Paints the table of a film as its camera sees it, frame after frame: the same light, the same clutter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.other_hand.bodies import Hand, Layer, Rgb, mesh_layer, placed_box
from tests.other_hand.camera import Array, Camera, paste
from tests.other_hand.films.glass import lay_glass
from tests.other_hand.films.prints import Print
from tests.other_hand.films.tile_sets import film_back, film_face
from tests.other_hand.light import BRIGHTEST, Light, to_linear, to_tone
from tests.other_hand.photographs import Scene, cast_shadow
from tests.other_hand.sheet import rounded_box
from tests.other_hand.table_tops import PX_PER_SIDE
from tests.other_hand.things import FOOTPRINTS, THINGS, lay_patch, mug_faces, round_mask
from tests.simulation.poses import Pose
from vision.imaging.arrays import ImageU8

_SHRINK = 2
"""Shadows are worked out on a picture so many times smaller."""
_SKINS: tuple[Rgb, ...] = ((236, 188, 160), (214, 160, 126), (174, 118, 84), (118, 76, 54), (88, 58, 44))
_SLEEVES: tuple[Rgb, ...] = ((60, 74, 110), (150, 60, 56), (70, 72, 70), (214, 210, 200), (64, 104, 84))
_HAND_HEIGHT = 0.6
"""How far above the table a hand is whose shadow falls on it, in sides."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that lies or stands on the table."""

    name: str
    """One of `things.THINGS`, or `glass`."""
    at: tuple[float, float]
    turn: float
    """In radians."""
    seed: int


@dataclass(frozen=True, slots=True)
class LyingFace:
    """A tile on the table, face up or face down."""

    code: str
    """Empty: face down."""
    pose: Pose
    floor: float = 0.0
    """How high above the table it lies, in sides."""


class TablePainter:
    """One table under one light before one camera; camera and light may change."""

    def __init__(
        self,
        camera: Camera,
        top: NDArray[np.uint8],
        clutter: Sequence[Thing],
        set_name: str,
        rng: np.random.Generator,
        *,
        well_lit: bool = False,
        prints: Sequence[Print] = (),
    ) -> None:
        """Lay out the table.

        Args:
            camera: Sees it.
            top: Texture of the table or cloth, BGR.
            clutter: What lies there all the time.
            set_name: The tiles.
            rng: Draws the light, the body of the tiles and the sensor.
            well_lit: Even light, as somebody makes it who takes care.
            prints: Printed matter that lies there all the time.
        """
        self._top, self._clutter, self._prints, self._set_name = top, clutter, prints, set_name
        self._turn = rng.choice([0.0, np.pi / 2]) + rng.normal(0, 0.2)
        self._scale = PX_PER_SIDE * rng.uniform(0.85, 1.1)
        self._thickness, self._corner = rng.uniform(0.045, 0.085), rng.uniform(0.03, 0.085)
        cores = ((214, 206, 190), (150, 128, 104), (84, 80, 84), (236, 234, 228))
        self._core = np.array(cores[rng.integers(len(cores))], float)
        self._varnish = int(rng.choice([0, 90, 220]))
        self._balance = np.array([1 + rng.normal(0, 0.05), 1.0, 1 + rng.normal(0, 0.05)], np.float32)
        self._exposure, self._vignette = rng.uniform(0.85, 1.2), rng.uniform(0, 0.16)
        self._blur, self._quality = rng.uniform(0.3, 0.7), int(rng.integers(72, 94))
        self._light_seed, self._well_lit = int(rng.integers(1 << 30)), well_lit
        self._hands: dict[tuple[int, str], Layer | None] = {}
        self.see_from(camera)

    def see_from(self, camera: Camera) -> None:
        """Move the camera."""
        self.camera = camera
        self._hands.clear()
        self._relight()
        self._bare = self._paint_bare()
        self._expose()

    def change_light(self, seed: int) -> None:
        """Switch lamps."""
        self._light_seed = seed
        self._relight()
        self._expose()

    def quad(self, pose: Pose) -> Array:
        """Return the corners of a printed face on the table: (4, 2), in pixels."""
        return self._face_quad(pose, self._thickness)

    def hidden_shares(self, thing: Thing, poses: Sequence[Pose]) -> list[float]:
        """Return about which share of each tile a thing hides from the camera."""
        height = {"glass": 1.8, "mug": 2.1}.get(thing.name, 0.2)
        outline = _outline(thing, {"glass": 1.25, "mug": 1.55}.get(thing.name, 1.0))
        flat = [np.column_stack([outline, np.full(len(outline), z)]) for z in (0.0, height)]
        hull = cv2.convexHull(self.camera.project(np.concatenate(flat)).astype(np.float32))
        quads = [self.quad(pose).astype(np.float32) for pose in poses]
        return [cv2.intersectConvexConvex(hull, quad)[0] / cv2.contourArea(quad) for quad in quads]

    def scene(self, tiles: Sequence[LyingFace], thing: Thing | None = None) -> ImageU8:
        """Return the table as the camera sees it, without noise: (H, W, 3) uint8, BGR."""
        picture = self._bare.copy()
        shine = np.full(picture.shape[:2], 30, np.uint8)
        self._shade(picture, tiles)
        lens = self.camera.place
        for tile in sorted(
            tiles, key=lambda each: (each.floor, -float(np.linalg.norm(lens - (*each.pose[:2], 0.0))))
        ):
            self._lay_tile(picture, shine, tile)
        if thing is not None:
            self._put_down(picture, thing)
        toned = self._toned(picture, shine, 0, 0)
        _, packed = cv2.imencode(".jpg", toned, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    def with_hand(
        self, scene: ImageU8, seat: int, comes_from: float, pose: str, at: tuple[float, float], out: float
    ) -> ImageU8:
        """Return a scene with somebody's hand over it.

        Args:
            scene: As `scene` returns it.
            seat: Whose hand.
            comes_from: From where, in radians; see `Hand`.
            pose: open, point or fist.
            at: Where it reaches to, in sides.
            out: 0: it is there; 1: it has gone.
        """
        key = (seat, pose)
        if key not in self._hands:
            self._hands[key] = self._hand(seat, comes_from, pose)
        layer = self._hands[key]
        if layer is None:
            return scene
        wide, high = self.camera.size_wh
        way = np.array([np.cos(comes_from), np.sin(comes_from)]) * 0.5
        spots = np.array([(*at, 0.0), (at[0] + way[0], at[1] + way[1], 0.0)])
        target, further = self.camera.project(spots)
        step = (further - target) / max(float(np.hypot(*(further - target))), 1e-6)
        tip = np.round(target + out * 0.75 * max(wide, high) * step).astype(int)
        left, top = tip + np.array([layer.left, layer.top])
        picture = scene.copy()
        mask = np.zeros((high, wide), np.uint8)
        tall, broad = layer.mask.shape
        x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + broad, wide), min(top + tall, high)
        if x1 <= x0 or y1 <= y0:
            return picture
        cut = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        mask[y0:y1, x0:x1] = layer.mask[cut]
        moved = self.light.shadow_way * _HAND_HEIGHT * self._side
        small = cv2.resize(mask, (wide // 4, high // 4), interpolation=cv2.INTER_AREA)
        shift = np.array([[1, 0, moved[0] / 4], [0, 1, moved[1] / 4]], np.float32)
        small = cv2.warpAffine(small, shift, small.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        small = cv2.GaussianBlur(small, (0, 0), 0.05 * self._side)
        shade = 1 - np.float32(0.32 / 255) * cv2.resize(small, (wide, high)).astype(np.float32)
        picture = np.asarray(cv2.multiply(picture, cv2.merge([shade] * 3), dtype=cv2.CV_8U), np.uint8)
        alpha = layer.mask[cut][..., None].astype(np.float32) / np.float32(255)
        skin = self._toned(layer.paint[cut].astype(np.uint8), None, x0, y0)
        region = picture[y0:y1, x0:x1]
        region[:] = (region + alpha * (skin.astype(np.float32) - region)).astype(np.uint8)
        return picture

    # The table

    @property
    def _side(self) -> float:
        return self.camera.focal_px / self.camera.distance

    def _relight(self) -> None:
        rng = np.random.default_rng(self._light_seed)
        self.light = Light.drawn(self.camera, rng, well_lit=self._well_lit)

    def _paint_bare(self) -> NDArray[np.uint8]:
        """Return the table with what lies there all the time, as even light would show it."""
        texture, scale = self._top, self._scale
        finer = scale / self._side
        if finer > 1.2:
            texture = cv2.resize(texture, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
            scale /= finer
        c, s = np.cos(self._turn), np.sin(self._turn)
        spin = np.array([[c, -s], [s, c]], np.float32) * np.float32(scale)
        where = self.camera.table_points() @ spin + np.float32(0.6 * texture.shape[0])
        picture = cv2.remap(
            texture, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        gloss = np.zeros(picture.shape[:2], np.uint8)
        scene = Scene(self.camera, self.light, picture, gloss, self._thickness, self._corner)
        for each in self._prints:
            cast_shadow(scene, [each.corners], 0.02)
            lay_patch(picture, self.camera, each.paper, each.corners, 0.02)
        for thing in self._clutter:
            _draw, radius, height = THINGS[thing.name]
            cast_shadow(scene, [_outline(thing, radius)], min(height, 0.6))
            THINGS[thing.name][0](
                picture, self.camera, thing.at, thing.turn, np.random.default_rng(thing.seed)
            )
        return picture

    def _expose(self) -> None:
        """Set what the camera's electronics make of the light."""
        wide, high = self.camera.size_wh
        field = cv2.resize(self.light.field, (wide, high), interpolation=cv2.INTER_LINEAR)
        ys, xs = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
        field = field * (1 - np.float32(self._vignette) * (xs**2 + ys**2))[..., None]
        seen = to_linear()[self._bare[::8, ::8]] * field[::8, ::8]
        metered = min((0.24 / max(float(seen.mean()), 0.01)) ** 0.65, 1.7)
        self._gain = field * (np.float32(metered * self._exposure) * self._balance)
        self._shine: NDArray[np.float32] | None = None
        if self.light.mirrored.any():
            self._shine = cv2.resize(self.light.mirrored, (wide, high)) * np.float32(metered / 255)

    def _toned(
        self, picture: NDArray[np.uint8], gloss: NDArray[np.uint8] | None, left: int, top: int
    ) -> NDArray[np.uint8]:
        """Return a part of the picture as the camera makes it, its corner at (left, top)."""
        high, wide = picture.shape[:2]
        there = (slice(top, top + high), slice(left, left + wide))
        linear = cv2.LUT(picture, to_linear()) * self._gain[there]
        if gloss is not None and self._shine is not None:
            linear += (self._shine[there] * gloss)[..., None]
        linear *= np.float32(4095 / BRIGHTEST)
        toned = to_tone()[np.minimum(linear, 4095).astype(np.uint16)]
        return np.asarray(cv2.GaussianBlur(toned, (0, 0), self._blur), np.uint8)

    # Tiles

    def _face_quad(self, pose: Pose, z: float) -> Array:
        corners = placed_box(pose[:2], np.radians(pose[2]), 1, 1)
        return self.camera.project(np.column_stack([corners, np.full(4, z)]))

    def _outline_of(self, tile: LyingFace) -> Array:
        turn = np.radians(tile.pose[2])
        c, s = np.cos(turn), np.sin(turn)
        box = rounded_box(-0.5, -0.5, 0.5, 0.5, self._corner)
        return box @ np.array([[c, s], [-s, c]]) + tile.pose[:2]

    def _shade(self, picture: NDArray[np.uint8], tiles: Sequence[LyingFace]) -> None:
        """Darken the table around tiles."""
        wide, high = self.camera.size_wh
        small_wh = (wide // _SHRINK, high // _SHRINK)
        close, thrown = np.zeros(small_wh[::-1], np.uint8), np.zeros(small_wh[::-1], np.uint8)
        for tile in tiles:
            outline = self._outline_of(tile)
            way = self.light.shadow_way * (self._thickness + tile.floor)
            for mask, points in ((close, outline), (thrown, np.concatenate([outline, outline + way]))):
                seen = self.camera.project(np.column_stack([points, np.zeros(len(points))])) / _SHRINK
                hull = cv2.convexHull(np.round(seen * 16).astype(np.int32))
                cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, 4)
        side = self._side / _SHRINK
        close = cv2.GaussianBlur(close, (0, 0), max(0.035 * side, 0.5))
        thrown = cv2.GaussianBlur(thrown, (0, 0), max((0.02 + 0.02 * self.light.softness) * side, 0.5))
        shade = (1 - close * np.float32(0.5 / 255)) * (1 - thrown * np.float32(self.light.shadow / 255))
        shade = cv2.resize(shade, (wide, high))
        picture[:] = cv2.multiply(picture, cv2.merge([shade] * 3), dtype=cv2.CV_8U)

    def _lay_tile(self, picture: NDArray[np.uint8], shine: NDArray[np.uint8], tile: LyingFace) -> None:
        outline, camera = self._outline_of(tile), self.camera
        floor, upper = (np.full(len(outline), z) for z in (tile.floor, tile.floor + self._thickness))
        low = camera.project(np.column_stack([outline, floor]))
        top = camera.project(np.column_stack([outline, upper]))
        for share, tone in ((0.0, 0.52), (0.55, 0.72)):
            ring = np.concatenate([low + share * (top - low), top])
            hull = cv2.convexHull(np.round(ring * 16).astype(np.int32))
            cv2.fillConvexPoly(picture, hull, (self._core[::-1] * tone).tolist(), cv2.LINE_AA, 4)
        quad = self._face_quad(tile.pose, tile.floor + self._thickness)
        px = int(np.clip(round(1.2 * float(np.hypot(*(quad[1] - quad[0])))), 16, 192))
        art = film_face(self._set_name, tile.code) if tile.code else film_back(self._set_name)
        art = cv2.resize(art, (px, px), interpolation=cv2.INTER_AREA)
        paste(picture, art, quad, round_mask(px, px, self._corner * px))
        cv2.fillPoly(shine, [np.round(top * 16).astype(np.int32)], self._varnish, cv2.LINE_AA, 4)

    # Things and hands

    def _put_down(self, picture: NDArray[np.uint8], thing: Thing) -> None:
        """Paint a thing that came for a while."""
        if thing.name == "glass":
            lay_glass(picture, self.camera, thing.at, np.random.default_rng(thing.seed))
            return
        rng = np.random.default_rng(thing.seed)
        if thing.name == "mug":
            layer = mesh_layer(self.camera, mug_faces(thing.at, thing.turn, rng))
            if layer is not None:
                layer.lay_over(picture)
            return
        scene = Scene(self.camera, self.light, picture, np.zeros((1, 1), np.uint8), 0.05, 0.05)
        draw, radius, height = THINGS[thing.name]
        cast_shadow(scene, [_outline(thing, radius)], min(height, 0.6))
        draw(picture, self.camera, thing.at, thing.turn, rng)

    def _hand(self, seat: int, comes_from: float, pose: str) -> Layer | None:
        """Return a hand whose place is the corner (0, 0) of the layer's picture."""
        rng = np.random.default_rng([self._light_seed % 1000, seat])
        middle = (float(self.camera.target[0]), float(self.camera.target[1]))
        hand = Hand(
            middle,
            comes_from,
            rng.uniform(0.75, 1.05),
            pose,
            _SKINS[rng.integers(len(_SKINS))],
            _SLEEVES[rng.integers(len(_SLEEVES))],
            bool(rng.random() < 0.5),
            int(rng.integers(1 << 30)),
        )
        # Seen from straight above: behind a camera that leans over, a long sleeve would turn inside out.
        size = 2 * max(self.camera.size_wh)
        across = self.camera.turn[:2, 0]
        level = Camera.over_table(
            (size, size),
            side_px=self._side,
            focal_px=self.camera.focal_px,
            bend=(0.0, 0.0),
            yaw_deg=float(np.degrees(np.arctan2(across[1], across[0]))),
            tilt_deg=0.0,
            tilt_towards_deg=0.0,
            target=middle,
        )
        layer = hand.layer(level)
        return layer and replace(layer, left=layer.left - size // 2, top=layer.top - size // 2)


def _outline(thing: Thing, radius: float) -> Array:
    """Return where a thing stands on the table: (N, 2), in sides."""
    if thing.name in FOOTPRINTS:
        return placed_box(thing.at, thing.turn, *FOOTPRINTS[thing.name])
    angles = np.linspace(0, 2 * np.pi, 24)
    return np.column_stack([np.cos(angles), np.sin(angles)]) * 0.62 * radius + thing.at
