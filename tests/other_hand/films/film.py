"""Films a simulated game with the other hand's camera: what happens, and what gets in the way.

A tame film has a plain table, hands that come and go, and noise. A hard one has in addition: a cloth with a
pattern or a dark one; what is taken off lies face down beside the pyramid, one after the other or on a pile;
bumps of the camera; lamps that are switched; changes half done with the hand still there; a hand that only
points; a glass, cup or phone put down for a turn. Seats are on every side, and some cameras stand upright.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.other_hand.bodies import placed_box
from tests.other_hand.camera import Camera
from tests.other_hand.films.backs import BackKeeper
from tests.other_hand.films.cloths import draw_cloth
from tests.other_hand.films.painter import LyingFace, TablePainter, Thing
from tests.other_hand.films.prints import Print, lay_prints
from tests.other_hand.table_tops import table_top
from tests.other_hand.things import THINGS
from tests.simulation.play import Play
from tests.simulation.poses import Pose, poses_of
from vision.imaging.arrays import ImageU8
from vision.sources.frame import Frame

FPS = 10
ASLANT_DEG = 45, 60
"""From straight above."""
REST_FRAMES = 13, 18
"""A table rests for so many frames at least, and fewer than so many."""
PAUSE_FRAMES = 6, 9
"""So long a hand stays that points or is half through."""
START_FRAMES = 2 * FPS
REACH = (0.8, 0.35)
"""How far a hand is still away in the frames in which it comes."""
LAND_WH, UPRIGHT_WH = (1280, 720), (720, 1280)
PLAIN_TOPS = 12
"""So many of the table tops have no pattern."""
MOST_HIDDEN = 0.3
"""A thing hides no more of any tile."""
_EDGE = 0.03
_NOISE_WH = 1500, 1500
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What a film has in it besides the game, as chances after each moment, or numbers in a film."""

    name: str
    cloth: bool = False
    backs: bool = False
    half_done: float = 0.0
    pointing: float = 0.0
    bumps: int = 0
    lamps: int = 0
    things: int = 0
    upright: float = 0.0
    clutter: tuple[int, int] = (1, 4)


TAME = Difficulty("tame")
HARD = Difficulty("hard", True, True, 0.4, 0.12, 2, 1, 2, 0.25, (3, 7))


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame, with what is known about it."""

    number: int
    """Of the moment that lies there."""
    frame: Frame
    is_calm: bool
    """Whether the table is at rest, and no hand is there."""
    is_last: bool = False
    """Whether it has been at rest for a while."""


class Film:
    """One game as a camera sees it; iterate over it once, for shots."""

    def __init__(
        self,
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
        """Set up table, light and camera, as `seed` has it.

        Args:
            play: What happens.
            seed: Draws all else.
            set_name: The tiles.
            difficulty: What gets in the way.
            beside: One of `prints.PRINTS`, or nothing.
            face_up: Whether tiles that were taken lie face up beside the pyramid.
            any_way_up: Whether tiles are laid as they come, on their heads and sides, too.
            loosely: Whether they are laid askew, and with gaps between them.
            pushed: Whether people push the whole pyramid now and then.
            aslant: Whether the camera stands low at the table's edge, as that of a laptop does.
        """
        self._rng = rng = np.random.default_rng([seed, 11])
        self._play, self._difficulty, self.set_name = play, difficulty, set_name
        self.poses = poses_of(play, rng, any_way_up=any_way_up, loosely=loosely, pushed=pushed)
        """Where the tiles lie at each moment."""
        self._prints: Sequence[Print] = ()
        self._backs: Sequence[tuple[LyingFace, ...]] = [()] * len(self.poses)
        if difficulty.backs:
            self._backs = BackKeeper(self.poses, rng, face_up=face_up).lying
        tiles = self._spots()[:, :2]
        self._prints = lay_prints(beside, tiles, set_name, np.random.default_rng([seed, 17]))
        self.cloth, top = self._table_top()
        self.side_deg = int(rng.choice([0, 0, 90, 180, 270]))
        size_wh = UPRIGHT_WH if rng.random() < difficulty.upright else LAND_WH
        camera = self._aimed(size_wh, aslant=aslant)
        self._painter = TablePainter(camera, top, self._clutter(camera), set_name, rng, prints=self._prints)
        players = play.setup.players
        self._seats = np.pi / 2 + 2 * np.pi * np.arange(players) / players + rng.normal(0, 0.15, players)
        self._incidents = self._drawn_incidents()
        self._noise = _noise_of(round(float(rng.uniform(1.5, 4.0)), 1))
        self._number = 0
        self._scenes: dict[int, ImageU8] = {}
        self.happened: list[tuple[int, str]] = []
        """(number of the moment, what got in the way), as far as the film has run."""

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the frames."""
        return self._painter.camera.size_wh

    def quad(self, pose: Pose) -> NDArray[np.float64]:
        """Return where a tile's face is seen now: (4, 2), in pixels, clockwise from its own top left."""
        return self._painter.quad(pose)

    def __iter__(self) -> Iterator[Shot]:
        """Yield every frame."""
        hand: Place | None = None
        for number, moment in enumerate(self._play.moments):
            seat = moment.game.active
            if moment.what == "hand":
                hand = self._somewhere(number)
                yield from self._reach(number, number, seat, hand, "point")
                yield from self._hold(number, self._scene(number), seat, hand, "point")
                if self._rng.random() < 0.5 or number + 1 == len(self._play.moments):
                    yield from self._leave(number, number, seat, hand, "point")
                    yield from self._rest(number)
                    hand = None
                continue
            if moment.what not in ("start", "idle"):
                yield from self._change(number, seat, is_there=hand is not None)
                hand = None
            yield from self._rest(number, is_start=moment.what == "start")
            yield from self._incident(number, seat)

    # What happens

    def _change(self, number: int, seat: int, *, is_there: bool) -> Iterator[Shot]:
        """Yield a hand that brings the table from the moment before to this one."""
        changed = self._changed(number)
        at = changed[self._rng.integers(len(changed))]
        if not is_there:
            yield from self._reach(number - 1, number - 1, seat, at, "open")
        if self._rng.random() < self._difficulty.half_done:
            half = self._half_done(number, at)
            if half is not None:
                self.happened.append((number, "half done"))
                yield from self._hold(number - 1, half, seat, at, "fist")
        yield from self._leave(number, number, seat, at, "open")

    def _incident(self, number: int, seat: int) -> Iterator[Shot]:
        """Yield what gets in the way after a moment."""
        kind = self._incidents.get(number)
        if kind is None:
            return
        self.happened.append((number, kind))
        if kind == "pointing":
            at = self._somewhere(number)
            yield from self._reach(number, number, seat, at, "point")
            yield from self._hold(number, self._scene(number), seat, at, "point")
            yield from self._leave(number, number, seat, at, "point")
            yield from self._rest(number)
        elif kind == "bump":
            yield from self._bump(number)
        elif kind == "lamp":
            self._painter.change_light(int(self._rng.integers(1 << 30)))
            self._scenes.clear()
            yield from self._rest(number)
        elif self.poses[number]:
            yield from self._put_down(number, seat, kind)

    def _bump(self, number: int) -> Iterator[Shot]:
        rng, camera = self._rng, self._painter.camera
        old = self._scene(number)
        shift, turn = rng.uniform(-0.35, 0.35, 2), np.radians(rng.uniform(0.8, 3) * rng.choice([-1, 1]))
        c, s = np.cos(turn), np.sin(turn)
        turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ camera.turn
        self._painter.see_from(
            Camera(camera.size_wh, camera.focal_px, camera.bend, turned, camera.target + shift,
                   camera.distance * rng.uniform(0.98, 1.03))
        )  # fmt: skip
        self._scenes.clear()
        blurred = cv2.addWeighted(old, 0.5, self._scene(number), 0.5, 0)
        yield self._shot(number, np.asarray(blurred, np.uint8))
        yield from self._rest(number)

    def _put_down(self, number: int, seat: int, kind: str) -> Iterator[Shot]:
        """Yield that somebody puts a thing down, beside a tile or over its corner, and takes it away."""
        rng = self._rng
        poses = list(self.poses[number].values())
        x, y, _turn = poses[rng.integers(len(poses))]
        angle, turn, seed = rng.uniform(0, 2 * np.pi), rng.uniform(-np.pi, np.pi), int(rng.integers(1 << 30))
        most = float(rng.choice([0.0, MOST_HIDDEN]))
        for away in np.arange(0.6, 12, 0.1):
            at = (x + away * float(np.cos(angle)), y + away * float(np.sin(angle)))
            thing = Thing(kind, at, turn, seed)
            if max(self._painter.hidden_shares(thing, poses)) <= most:
                break
        with_thing = self._painter.scene(self._lying(number), thing)
        yield from self._reach(number, number, seat, at, "open")
        yield from self._leave(number, number, seat, at, "open", with_thing)
        yield from self._rest(number, with_thing)
        yield from self._reach(number, number, seat, at, "open", with_thing)
        yield from self._leave(number, number, seat, at, "open")
        yield from self._rest(number)

    def _reach(
        self, number: int, lying: int, seat: int, at: Place, pose: str, scene: ImageU8 | None = None
    ) -> Iterator[Shot]:
        """Yield a hand that comes; `lying`: the moment whose table lies there."""
        scene = self._scene(lying) if scene is None else scene
        for out in REACH:
            yield self._shot(number, self._handed(scene, seat, at, pose, out))

    def _leave(
        self, number: int, lying: int, seat: int, at: Place, pose: str, scene: ImageU8 | None = None
    ) -> Iterator[Shot]:
        scene = self._scene(lying) if scene is None else scene
        for out in reversed(REACH):
            yield self._shot(number, self._handed(scene, seat, at, pose, out))

    def _hold(self, number: int, scene: ImageU8, seat: int, at: Place, pose: str) -> Iterator[Shot]:
        held = self._handed(scene, seat, at, pose, 0.0)
        for _ in range(int(self._rng.integers(*PAUSE_FRAMES))):
            yield self._shot(number, held)

    def _rest(self, number: int, scene: ImageU8 | None = None, *, is_start: bool = False) -> Iterator[Shot]:
        scene = self._scene(number) if scene is None else scene
        frames = START_FRAMES if is_start else int(self._rng.integers(*REST_FRAMES))
        for left in range(frames, 0, -1):
            yield self._shot(number, scene, is_calm=True, is_last=left == 1)

    def _shot(self, number: int, scene: ImageU8, *, is_calm: bool = False, is_last: bool = False) -> Shot:
        """Return the next frame: a scene with noise and a little flicker."""
        high, wide = scene.shape[:2]
        x, y = (
            int(self._rng.integers(room - size)) for room, size in zip(_NOISE_WH, (wide, high), strict=True)
        )
        image = cv2.add(scene, self._noise[y : y + high, x : x + wide], dtype=cv2.CV_8U)
        frame = Frame(np.asarray(image, np.uint8), self._number / FPS, self._number)
        self._number += 1
        return Shot(number, frame, is_calm, is_last)

    # What is seen

    def _scene(self, number: int) -> ImageU8:
        """Return the table at a moment; the last two are kept."""
        if number not in self._scenes:
            self._scenes = {at: scene for at, scene in self._scenes.items() if at == number - 1}
            self._scenes[number] = self._painter.scene(self._lying(number))
        return self._scenes[number]

    def _lying(self, number: int) -> list[LyingFace]:
        faces = [LyingFace(code, pose) for code, pose in self.poses[number].items()]
        return [*faces, *self._backs[number]]

    def _handed(self, scene: ImageU8, seat: int, at: Place, pose: str, out: float) -> ImageU8:
        return self._painter.with_hand(scene, seat, float(self._seats[seat]), pose, at, out)

    def _half_done(self, number: int, at: Place) -> ImageU8 | None:
        """Return the table with part of the change done, one tile in the hand; None where nothing moves."""
        rng = self._rng
        before, after = self.poses[number - 1], self.poses[number]
        moved = [code for code in {**before, **after} if before.get(code) != after.get(code)]
        if not moved:
            return None
        carried = moved[rng.integers(len(moved))]
        done = {code for code in moved if code != carried and rng.random() < 0.5}
        poses = {
            code: pose
            for code in {**before, **after}
            if code != carried and (pose := (after if code in done else before).get(code)) is not None
        }
        aside = rng.uniform(-0.35, 0.35, 2)
        in_hand = LyingFace(
            carried if rng.random() < 0.6 else "",
            (at[0] + float(aside[0]), at[1] + float(aside[1]), float(rng.uniform(-25, 25))),
            0.25,
        )
        lying = [LyingFace(code, pose) for code, pose in poses.items()]
        return self._painter.scene([*lying, *self._backs[number - 1], in_hand])

    def _changed(self, number: int) -> list[Place]:
        """Return where something changes at a moment, or any tile."""
        before, after = self.poses[number - 1], self.poses[number]
        return (
            [
                pose[:2]
                for code in {**before, **after}
                if before.get(code) != after.get(code)
                for pose in (after.get(code), before.get(code))
                if pose is not None
            ]
            or [pose[:2] for pose in after.values()]
            or [(0.0, 0.0)]
        )

    def _somewhere(self, number: int) -> Place:
        poses = list(self.poses[number].values()) or [(0.0, 0.0, 0.0)]
        x, y, _turn = poses[self._rng.integers(len(poses))]
        return x, y

    # Setting up

    def _table_top(self) -> tuple[str, NDArray[np.uint8]]:
        """Return what the table looks like, in a word, and its texture."""
        if self._difficulty.cloth:
            return draw_cloth(self._rng)
        return "plain", table_top(int(self._rng.integers(PLAIN_TOPS)))

    def _drawn_incidents(self) -> dict[int, str]:
        """Return number of a moment -> what gets in the way after it."""
        rng, difficulty = self._rng, self._difficulty
        able = [number for number in range(1, len(self.poses)) if self._play.moments[number].what != "hand"]
        found = {number: "pointing" for number in able if rng.random() < difficulty.pointing}
        kinds = ["bump"] * difficulty.bumps + ["lamp"] * difficulty.lamps
        kinds += rng.choice(["glass", "mug", "phone"], difficulty.things).tolist()
        for kind, number in zip(kinds, rng.permutation(able).tolist(), strict=False):
            found[number] = kind
        return found

    def _spots(self) -> NDArray[np.float64]:
        """Return the corners of every place where something of the film lies that is no clutter: (N, 3)."""
        poses = {pose for poses in self.poses for pose in poses.values()}
        poses |= {back.pose for backs in self._backs for back in backs}
        corners = [placed_box(pose[:2], 0.0, 1.1, 1.1) for pose in sorted(poses)] or [np.zeros((1, 2))]
        corners += [each.corners for each in self._prints]
        flat = np.concatenate(corners)
        return np.column_stack([flat, np.zeros(len(flat))])

    def _aimed(self, size_wh: tuple[int, int], *, aslant: bool) -> Camera:
        """Return a camera with every tile of the film in its picture."""
        rng, spots = self._rng, self._spots()
        middle = (spots.min(axis=0) + spots.max(axis=0))[:2] / 2
        side, yaw = rng.uniform(70, 100), self.side_deg + rng.normal(0, 5)
        tilt, towards = float(np.clip(abs(rng.normal(10, 9)), 0, 28)), rng.normal(0, 25)
        if aslant:
            tilt, towards = float(rng.uniform(*ASLANT_DEG)), towards / 5  # it hardly leans to one side
        focal, bend = (
            rng.uniform(0.8, 1.2) * max(size_wh),
            (rng.uniform(-0.08, 0.03), rng.uniform(-0.01, 0.01)),
        )
        edge = _EDGE * max(size_wh)
        while True:
            camera = Camera.over_table(
                size_wh, side_px=side, focal_px=focal, bend=bend, yaw_deg=yaw, tilt_deg=tilt,
                tilt_towards_deg=towards, target=(float(middle[0]), float(middle[1])),
            )  # fmt: skip
            seen = camera.project(spots)
            if (seen > edge).all() and (seen < np.array(size_wh) - edge).all():
                return camera
            side *= 0.95

    def _clutter(self, camera: Camera) -> list[Thing]:
        """Return what lies about all the time, away from the game."""
        rng = self._rng
        taken = [(spot[:2], 0.9) for spot in self._spots()]
        span = camera.table_points(max(camera.size_wh) // 32).reshape(-1, 2)
        found: list[Thing] = []
        names = [name for name in THINGS if name != "cube" or self._difficulty.cloth]
        for _ in range(int(rng.integers(*self._difficulty.clutter))):
            name = names[rng.integers(len(names))]
            _draw, radius, height = THINGS[name]
            for _ in range(30):
                at = span[rng.integers(len(span))] + rng.normal(0, 0.2, 2)
                if all(np.hypot(*(at - other)) > radius + reach + 0.3 * height for other, reach in taken):
                    taken.append((at, radius))
                    place = (float(at[0]), float(at[1]))
                    found.append(Thing(name, place, rng.uniform(-np.pi, np.pi), int(rng.integers(1 << 30))))
                    break
        return found


@lru_cache(maxsize=4)
def _noise_of(deviation: float) -> NDArray[np.int16]:
    """Return sensor noise, of which each frame gets another part: (H, W, 3)."""
    noise = np.random.default_rng(2).standard_normal((_NOISE_WH[1], _NOISE_WH[0], 3), np.float32)
    return np.round(noise * np.float32(deviation)).astype(np.int16)
