"""The other hand's films as other cameras show them: in the dark, packed coarsely, beside a hand that
never rests, held in a hand all the time, or a photo each turn.

Where each tile is seen is still known. What a camera adds depends on the film's seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.other_hand.films.film import HARD, Difficulty, Film, Shot
from tests.simulation.play import Play
from tests.simulation.poses import Pose
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import map_points
from vision.sources.frame import Frame, of_one_size

_NOISE, _NOISE_PX = 3.0, 1400
_DARK, _DUSK_S, _COARSE = 0.15, 12.0, 15
_CALM_S, _RESTLESS = 6.0, 0.9
"""A hand that fidgets begins after so many seconds, and moves for this share of the time."""
_EDGE = (0.01, 0.25, 0.5, 0.75, 0.99)
"""Where it may be, as shares of width and height."""
_UPRIGHT = 0.3
"""So many photos are taken the other way round than the film's camera stands."""
_SWAY_PX = (5.0, 15.0)
"""How far somebody's hand sways to each side who holds the camera: its slow part."""
_SWAYS = np.array([[2.1, 1.7], [5.3, 4.7], [13.0, 11.0]])
"""Radians a second, across and down, of parts that are 1, 1/2 and 1/7 as large."""


class Camera:
    """Shows what the film's own camera shows."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Use a source of chance."""
        self.rng = rng
        self.view: NDArray[np.float64] = np.eye(3)
        """Where the pixels of the film's camera are seen, as a (3, 3) homography."""
        self.aside_px: NDArray[np.float64] = np.zeros(2)
        """Where at the picture's edge nobody ever lays a tile."""
        self._noise: NDArray[np.float32] | None = None

    def see(self, shot: Shot) -> ImageU8 | None:
        """Return the picture, (H, W, 3) uint8 BGR; None where none is taken."""
        return shot.frame.image_bgr

    def _in_light(self, image_bgr: ImageU8, light: float) -> ImageU8:
        if self._noise is None:
            self._noise = _NOISE * self.rng.standard_normal((_NOISE_PX, _NOISE_PX, 3), np.float32)
        high, wide = image_bgr.shape[:2]
        top, left = self.rng.integers(_NOISE_PX - high), self.rng.integers(_NOISE_PX - wide)
        noise = self._noise[top : top + high, left : left + wide]
        return np.clip(light * image_bgr + noise, 0, 255).astype(np.uint8)


class Dark(Camera):
    """Sees with a seventh of the light, and with a sensor's noise."""

    def see(self, shot: Shot) -> ImageU8:
        """Return the picture."""
        return self._in_light(shot.frame.image_bgr, _DARK)


class Dusk(Camera):
    """Sees less and less."""

    def see(self, shot: Shot) -> ImageU8:
        """Return the picture."""
        light = _DARK + (1 - _DARK) * math.exp(-shot.frame.time_s / _DUSK_S)
        return self._in_light(shot.frame.image_bgr, light)


class Coarse(Camera):
    """Packs its pictures as small as they go, as JPEG of quality 15."""

    def see(self, shot: Shot) -> ImageU8:
        """Return the picture."""
        packed = cv2.imencode(".jpg", shot.frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, _COARSE])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


class InTheHand(Camera):
    """Takes a photo of each table at rest, from somewhere else each time, upright or lengthwise."""

    _at = -1
    _size_wh = _first_wh = (0, 0)
    _taken: NDArray[np.float64]
    _light: float

    def see(self, shot: Shot) -> ImageU8 | None:
        """Return the photo of the table; it is held as long as that lies there."""
        if not shot.is_calm:
            return None
        if shot.number != self._at:
            self._at = shot.number
            self._stand(shot.frame.image_bgr.shape[1], shot.frame.image_bgr.shape[0])
        photo = cv2.warpPerspective(
            shot.frame.image_bgr, self._taken, self._size_wh,
            flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101,
        )  # fmt: skip
        return np.clip(self._light * photo, 0, 255).astype(np.uint8)

    def _stand(self, wide: int, high: int) -> None:
        """Move to where the next photo is taken from."""
        rng, is_turned = self.rng, self.rng.random() < _UPRIGHT
        self._size_wh = (high, wide) if is_turned else (wide, high)
        degrees = rng.normal(0, 10) + is_turned * 90 * rng.choice([-1, 1])
        turn = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, rng.uniform(0.8, 1.05))
        turn[:, 2] += np.array([self._size_wh[0] - wide, self._size_wh[1] - high]) / 2 + rng.normal(0, 20, 2)
        tilt = np.eye(3)
        tilt[2, :2] = rng.normal(0, 1e-4, 2)
        middle = np.eye(3)
        middle[:2, 2] = self._size_wh[0] / 2, self._size_wh[1] / 2
        self._taken = middle @ tilt @ np.linalg.inv(middle) @ np.vstack([turn, [0, 0, 1]])
        self._light = rng.uniform(0.8, 1.15)
        self._first_wh = self._first_wh if any(self._first_wh) else self._size_wh
        back = np.array([[0.0, -1, self._size_wh[1] - 1], [1, 0, 0], [0, 0, 1]])
        self.view = self._taken if self._size_wh == self._first_wh else back @ self._taken


class Restless(Camera):
    """Sees a hand at the edge of the table that hardly ever rests, from the first seconds of the game on."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Draw whose hand it is."""
        super().__init__(rng)
        self._skin = tuple(int(each) for each in np.array([95, 128, 190]) + rng.normal(0, 18, 3))
        self._turn, self._until_s, self._moves = 0.0, _CALM_S, False

    def see(self, shot: Shot) -> ImageU8:
        """Return the picture."""
        image = shot.frame.image_bgr.copy()
        if shot.frame.time_s < _CALM_S:
            return image
        if shot.frame.time_s >= self._until_s:
            self._moves = self.rng.random() < _RESTLESS
            self._until_s = shot.frame.time_s + self.rng.uniform(0.5, 2.5)
        self._turn += self._moves * self.rng.uniform(0.3, 1.2)
        away = self.aside_px - [image.shape[1] / 2, image.shape[0] / 2]
        out = away / np.hypot(*away)
        across = np.array([-out[1], out[0]])
        palm = self.aside_px + 28 * np.cos(self._turn) * across + 18 * np.sin(1.7 * self._turn) * out
        for finger in (-1.5, -0.5, 0.5, 1.5):
            tip = palm - 75 * out + finger * 21 * across
            cv2.line(image, _point(palm), _point(tip), self._skin, 17, cv2.LINE_AA)
        axes, degrees = (66, 44), float(np.degrees(np.arctan2(out[1], out[0])) + 20 * np.sin(self._turn))
        return cv2.ellipse(image, _point(palm), axes, degrees, 0, 360, self._skin, -1, cv2.LINE_AA)


class Held(Camera):
    """Is held over the table by somebody all the time."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Draw how calm the hand is."""
        super().__init__(rng)
        self._most_px = rng.uniform(*_SWAY_PX)
        self._phases: NDArray[np.float64] = rng.uniform(0, 2 * np.pi, (4, 2))

    def see(self, shot: Shot) -> ImageU8:
        """Return the picture."""
        image, time_s = shot.frame.image_bgr, shot.frame.time_s
        size_wh = image.shape[1], image.shape[0]
        parts = np.sin(_SWAYS * time_s + self._phases[:3]) / [[1], [2], [7]]
        turn, near = 0.1 * self._most_px * np.sin(np.array([1.3, 1.1]) * time_s + self._phases[3])
        move = cv2.getRotationMatrix2D((size_wh[0] / 2, size_wh[1] / 2), float(turn), 1 + 0.01 * float(near))
        move[:, 2] += self._most_px * parts.sum(axis=0)
        self.view = np.vstack([move, [0, 0, 1]])
        return np.asarray(cv2.warpAffine(image, move, size_wh, borderMode=cv2.BORDER_REFLECT_101), np.uint8)


def _point(at: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))


CAMERAS = {
    "as-filmed": Camera,
    "dark": Dark,
    "dusk": Dusk,
    "coarse": Coarse,
    "in-the-hand": InTheHand,
    "restless": Restless,
    "held": Held,
}


class OtherFilm(Film):
    """A film as another camera shows it; its frames are of one size, as the app makes them."""

    def __init__(
        self,
        camera: str,
        play: Play,
        seed: int,
        set_name: str,
        difficulty: Difficulty = HARD,
        beside: str = "",
        *,
        face_up: bool = False,
        any_way_up: bool = False,
        loosely: bool = False,
        pushed: bool = False,
        aslant: bool = False,
    ) -> None:
        """Set up a film, and one of `CAMERAS` for it; the others as `Film` has them."""
        habits = {"face_up": face_up, "any_way_up": any_way_up, "loosely": loosely, "pushed": pushed}
        super().__init__(play, seed, set_name, difficulty, beside, aslant=aslant, **habits)
        self._camera = CAMERAS[camera](np.random.default_rng([seed, 15]))
        lie = np.array([self.quad(pose).mean(axis=0) for poses in self.poses for pose in poses.values()])
        edge = np.array([(x, y) for x in _EDGE for y in _EDGE if {x, y} & {_EDGE[0], _EDGE[-1]}])
        away = np.linalg.norm(edge[:, None] * self.size_wh - lie, axis=2).min(axis=1, initial=np.inf)
        self._camera.aside_px = edge[away.argmax()] * self.size_wh

    def quad(self, pose: Pose) -> NDArray[np.float64]:
        """Return where a tile's face is seen now: (4, 2), in pixels, clockwise from its own top left."""
        return np.asarray(map_points(self._camera.view, super().quad(pose)), np.float64)

    def __iter__(self) -> Iterator[Shot]:
        """Yield every frame that the camera takes."""
        shots: list[Shot] = []

        def frames() -> Iterator[Frame]:
            for shot in super(OtherFilm, self).__iter__():
                if (image := self._camera.see(shot)) is not None:
                    shots[:] = [shot]
                    yield replace(shot.frame, image_bgr=image)

        for frame in of_one_size(frames()):
            assert isinstance(frame, Frame)
            yield replace(shots[0], frame=frame)
