"""When the table counts as at rest: scenes of the shipped samples with fresh noise on every frame."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np
import pytest

from tests.places import SAMPLES
from vision.sources.frame import Frame
from vision.sources.motion_gate import DRIFT_S, KNOCKED_S, PATIENCE_S, REST_S, MotionGate, TableMotion

FPS = 15
REST_FRAMES = round(REST_S * FPS)
SIZE_WH = (640, 360)
SKIN_BGR = (120, 150, 205)


NOISE = np.random.default_rng(5).standard_normal((2 * SIZE_WH[1], 2 * SIZE_WH[0], 3), np.float32)


@lru_cache
def table(name: str = "stable") -> np.ndarray:
    """Return a sample, half as large, as float32."""
    image = cv2.imread(str(SAMPLES / f"{name}.jpg"))
    return cv2.resize(image, SIZE_WH, interpolation=cv2.INTER_AREA).astype(np.float32)


def with_hand(image: np.ndarray, x: float, width: int = 14, colour: tuple[int, ...] = SKIN_BGR) -> np.ndarray:
    """Return the table with an arm from below that ends in a finger of `width` pixels (of 640)."""
    y = SIZE_WH[1]
    arm = np.array([[x - 50, y], [x - 25, y - 90], [x + 25, y - 90], [x + 50, y]], np.int32)
    image = image.copy()
    cv2.line(image, (round(x), y), (round(x + 10), y - 150), colour, width, cv2.LINE_AA)
    return cv2.fillPoly(image, [arm], colour, cv2.LINE_AA)


def shifted(image: np.ndarray, x: float, y: float = 0.0) -> np.ndarray:
    """Return the table as a camera sees it that was moved by so many pixels."""
    move = np.array([[1, 0, x], [0, 1, y]], np.float32)
    return cv2.warpAffine(image, move, SIZE_WH, borderMode=cv2.BORDER_REPLICATE)


class Camera:
    """Makes frames of scenes, each with noise of its own."""

    def __init__(self, sigma: float = 4.0, fps: float = FPS, quality: int | None = None) -> None:
        self.rng = np.random.default_rng(5)
        self.sigma, self.fps, self.quality, self.number = sigma, fps, quality, 0

    def frame(self, scene: np.ndarray) -> Frame:
        x, y = self.rng.integers(SIZE_WH[0]), self.rng.integers(SIZE_WH[1])
        noise = NOISE[y : y + scene.shape[0], x : x + scene.shape[1]]
        image = np.clip(scene + self.sigma * noise, 0, 255).astype(np.uint8)
        if self.quality is not None:
            packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1]
            image = cv2.imdecode(packed, cv2.IMREAD_COLOR)
        self.number += 1
        return Frame(image, (self.number - 1) / self.fps, self.number - 1)


def settled_at(scenes: Iterator[np.ndarray] | list[np.ndarray], camera: Camera | None = None) -> list[int]:
    """Return the numbers of the frames with which the table has settled."""
    camera, gate = camera or Camera(), MotionGate()
    frames = (camera.frame(scene) for scene in scenes)
    return [frame.number for frame in frames if gate.see(frame) is TableMotion.SETTLED]


def test_a_table_at_rest_settles_once_and_stays_still() -> None:
    camera, gate = Camera(), MotionGate()
    states = [gate.see(camera.frame(table())) for _ in range(20)]
    assert states == [TableMotion.MOVING] * REST_FRAMES + [TableMotion.SETTLED] + [TableMotion.STILL] * (
        19 - REST_FRAMES
    )


@pytest.mark.parametrize("quality", [None, 50, 15], ids=["raw", "jpeg", "coarse"])
@pytest.mark.parametrize("sigma", [2, 6])
def test_a_turn_settles_once_after_the_hand_has_gone(sigma: float, quality: int | None) -> None:
    """The hand wanders for a second, and another table lies there when it has gone."""
    before, after = table("stable"), table("collapse")
    hand = [with_hand(before, 200 + 10 * step) for step in range(15)]
    camera = Camera(sigma, quality=quality)
    assert settled_at([before] * 10 + hand + [after] * 15, camera) == [REST_FRAMES, 25 + REST_FRAMES]


@pytest.mark.parametrize("step_px", [1.0, 3.0])
def test_a_small_slow_hand_is_motion(step_px: float) -> None:
    """A finger of 14 pixels, of the table's brightness but 20 levels, keeps the table from gate."""
    scene = table()
    colour = tuple(float(level) + 20 for level in scene[230:, 280:360].mean(axis=(0, 1)))
    hand = [with_hand(scene, 300 + step_px * step, colour=colour) for step in range(25)]
    assert settled_at([scene] * 8 + hand + [scene] * 8) == [REST_FRAMES, 33 + REST_FRAMES]


def test_a_hand_that_rests_settles_and_settles_again_when_it_leaves() -> None:
    """At rest is at rest; that it covers the table is for the reading to say."""
    scene = table()
    resting = [with_hand(scene, 320)] * 10
    assert settled_at([scene] * 8 + resting + [scene] * 8) == [
        REST_FRAMES,
        8 + REST_FRAMES,
        18 + REST_FRAMES,
    ]


def creeping(scene: np.ndarray, frames: int) -> list[np.ndarray]:
    """Return scenes in which a stain fades in so slowly that it can be taken for drift."""
    stain = np.zeros_like(scene)
    cv2.circle(stain, (320, 180), 12, (60, 60, 60), -1)
    return [scene + stain * (step / frames) for step in range(frames)]


def test_once_told_of_a_cover_no_change_is_forgotten_as_drift() -> None:
    """What is slow enough is drift of the light, but not while something lies over the table."""
    scene = table()
    slow = creeping(scene, round(8 * DRIFT_S))
    heard = {}
    for is_covered in (False, True):
        camera, gate = Camera(sigma=2, fps=1), MotionGate()
        assert [gate.see(camera.frame(scene)) for _ in range(2)] == [
            TableMotion.MOVING,
            TableMotion.SETTLED,
        ]
        if is_covered:
            gate.covered()
        heard[is_covered] = [gate.see(camera.frame(each)) for each in slow].count(TableMotion.SETTLED)
    assert heard[False] == 0
    assert heard[True] >= 1


def test_it_asks_for_stillness_in_seconds_whatever_the_frame_rate() -> None:
    assert settled_at([table()] * 20, Camera(fps=30)) == [12]
    assert settled_at([table()] * 5, Camera(fps=5)) == [2]


def test_a_change_between_two_frames_is_seen_at_one_frame_a_second() -> None:
    """No motion is seen there, only another table; each lies for two frames."""
    one, other = table("stable"), table("fire")
    assert settled_at([one, one, one, other, other, one, one], Camera(fps=1)) == [1, 4, 6]


def test_light_that_flickers_or_drifts_is_no_change() -> None:
    """Flicker of 5 % against the frame rate, bands of it as a rolling shutter makes them, a slow sunset."""
    scene = table("question")  # with glare, which flickers differently
    flicker = [scene * (1 + 0.05 * np.sin(2.1 * step)) for step in range(15)]
    rows = np.arange(SIZE_WH[1], dtype=np.float32)[:, None, None] / SIZE_WH[1]
    bands = [scene * (1 + 0.05 * np.sin(7 * rows + 2.1 * step)) for step in range(15)]
    assert settled_at(flicker) == [REST_FRAMES]
    assert settled_at(bands) == [REST_FRAMES]
    assert settled_at([scene * (1 - 0.01 * step) for step in range(40)], Camera(fps=1)) == [1]


def test_faint_light_over_part_of_a_dark_table_is_no_change() -> None:
    """The light of a telephone's screen adds to all that it falls upon, and multiplies nothing."""
    dark = np.full((*SIZE_WH[::-1], 3), 25, np.float32)
    dark[160:180, 280:320] = 190
    lit = dark.copy()
    lit[100:260, 200:400] += 5
    assert len(settled_at([dark] * 15 + [lit] * 15, Camera(0))) == 1


def test_a_soft_shadow_is_no_change() -> None:
    """Somebody leans forward and takes a fifth of the light from one half of the table."""
    columns = np.arange(SIZE_WH[0], dtype=np.float32)[None, :, None]
    shadow = 1 - 0.2 / (1 + np.exp((columns - 350) / 30))
    scene = table()
    assert settled_at([scene] * 8 + [scene * shadow] * 8) == [REST_FRAMES]


@pytest.mark.parametrize("gain", [0.7, 1.3])
def test_a_lamp_that_is_switched_settles_again(gain: float) -> None:
    scene = table()
    assert settled_at([scene] * 10 + [scene * gain] * 15) == [REST_FRAMES, 10 + REST_FRAMES]


def test_a_bumped_camera_settles_again_and_a_trembling_one_is_still() -> None:
    scene = table()
    bump = [shifted(scene, 8 * step, 5 * step) for step in range(4)]
    assert settled_at([scene] * 10 + bump + [shifted(scene, 32, 20)] * 10) == [
        REST_FRAMES,
        13 + REST_FRAMES,
    ]
    trembling = [shifted(scene, 0.5 * (step % 2)) for step in range(20)]
    assert settled_at(trembling) == [REST_FRAMES]


def test_a_camera_that_was_knocked_a_little_settles_again_after_a_while() -> None:
    """Until then it might sway."""
    scene = table()
    first, again = settled_at([scene] * 10 + [shifted(scene, 12, 8)] * (round(KNOCKED_S * FPS) + 10))
    assert first == REST_FRAMES
    assert again == 11 + round(KNOCKED_S * FPS) + REST_FRAMES - 1


def swaying(scene: np.ndarray, frames: int) -> list[np.ndarray]:
    """Return a table as a camera sees it that somebody holds: 12 pixels to and fro, and half a degree."""
    seen = []
    for step in range(frames):
        way = np.sin(np.array([0.4, 0.27, 0.21]) * step)
        move = cv2.getRotationMatrix2D((SIZE_WH[0] / 2, SIZE_WH[1] / 2), 0.5 * way[2], 1.0)
        move[:, 2] += 6 * way[:2]
        seen.append(cv2.warpAffine(scene, move, SIZE_WH, borderMode=cv2.BORDER_REPLICATE))
    return seen


@pytest.mark.parametrize("tiles_lie_there", [True, False])
def test_a_swaying_camera_is_still(tiles_lie_there: bool) -> None:
    camera, gate = Camera(), MotionGate()
    scenes = swaying(table(), 60)
    states = [gate.see(camera.frame(scene), tiles_lie_there=tiles_lie_there) for scene in scenes]
    assert states[:31] == [TableMotion.MOVING] * REST_FRAMES + [TableMotion.SETTLED] + [TableMotion.STILL] * (
        30 - REST_FRAMES
    )
    assert states.count(TableMotion.SETTLED) <= 60 / FPS / KNOCKED_S  # it may have been knocked


def test_what_comes_before_a_swaying_camera_moves() -> None:
    """And a hand that rests there is looked at."""
    camera, gate = Camera(), MotionGate()
    scenes = swaying(table(), 20) + [with_hand(scene, 300) for scene in swaying(table(), 40)[20:]]
    states = [gate.see(camera.frame(scene), tiles_lie_there=True) for scene in scenes]
    assert states[19 : 20 + REST_FRAMES] == [TableMotion.STILL] + [TableMotion.MOVING] * REST_FRAMES
    assert TableMotion.SETTLED in states[20 + REST_FRAMES :]


def test_a_hand_over_a_bare_table_is_no_swaying_camera() -> None:
    """It is all that can be seen: the picture as a whole seems to move."""
    bare = np.full((*SIZE_WH[::-1], 3), 40, np.float32)
    scenes = [with_hand(bare, 300 + 10 * np.sin(0.4 * step)) for step in range(40)]
    assert settled_at(scenes) == []


def test_another_size_or_an_earlier_time_begins_anew() -> None:
    """A camera that comes back with other settings, a video that is started again."""
    camera, gate = Camera(), MotionGate()
    scene = table()
    for _ in range(REST_FRAMES + 2):
        gate.see(camera.frame(scene))
    assert gate.see(camera.frame(scene[:300])) is TableMotion.MOVING
    for _ in range(REST_FRAMES):
        state = gate.see(camera.frame(scene[:300]))
    assert state is TableMotion.SETTLED
    camera.number = 0
    assert gate.see(camera.frame(scene[:300])) is TableMotion.MOVING


@pytest.mark.parametrize("shape", [(16, 16, 3), (16, 3000, 3), (61, 47, 3), (3000, 16, 3)])
def test_frames_of_every_shape_settle(shape: tuple[int, int, int]) -> None:
    image = np.full(shape, 90, np.uint8)
    gate = MotionGate()
    states = [gate.see(Frame(image, float(number), number)) for number in range(3)]
    assert states == [TableMotion.MOVING, TableMotion.SETTLED, TableMotion.STILL]


NEAR = (200, 60, 440, 300)
"""Where the game is played."""


def fidgeting(scene: np.ndarray, number: int) -> np.ndarray:
    """Return the table with a hand at its left edge that goes up and down."""
    image = scene.copy()
    return cv2.circle(image, (30, 180 + 40 * (-1) ** number), 35, SKIN_BGR, -1, cv2.LINE_AA)


def test_where_somebody_fidgets_beside_the_game_it_is_at_rest_all_the_same_after_a_while() -> None:
    """A referee that waits for all hands to rest is silent at most tables (films 472710 to 472713)."""
    camera, gate, alone = Camera(), MotionGate(), MotionGate()
    for _ in range(2 * REST_FRAMES):
        gate.see(camera.frame(table()), NEAR)
    seen = []
    for number in range(round((PATIENCE_S + 3 * REST_S) * FPS)):
        frame, read = camera.frame(fidgeting(table(), number)), (at + number % 3 for at in NEAR)
        seen.append(gate.see(frame, tuple(read)))  # never quite the same, of the same tiles
        assert alone.see(frame) is TableMotion.MOVING
    assert seen.count(TableMotion.SETTLED) == 1
    settled = seen.index(TableMotion.SETTLED)
    assert PATIENCE_S <= settled / FPS <= PATIENCE_S + 2 * REST_S
    assert set(seen[settled + 1 :]) == {TableMotion.STILL}
    with_arm = [with_hand(fidgeting(table(), number), 300) for number in range(2 * REST_FRAMES)]
    motions = [gate.see(camera.frame(scene), NEAR) for scene in with_arm]
    assert motions[0] is TableMotion.MOVING, "a hand that comes to the game is motion"
    assert motions.count(TableMotion.SETTLED) == 1
    assert gate.see(camera.frame(with_arm[0]), NEAR) is TableMotion.STILL


def test_what_moves_beside_the_game_for_a_moment_is_waited_for() -> None:
    camera, gate = Camera(), MotionGate()
    for _ in range(2 * REST_FRAMES):
        gate.see(camera.frame(table()), NEAR)
    seen = [gate.see(camera.frame(fidgeting(table(), number)), NEAR) for number in range(FPS)]
    assert set(seen) == {TableMotion.MOVING}
    calm = [gate.see(camera.frame(table()), NEAR) for _ in range(2 * REST_FRAMES)]
    assert calm.count(TableMotion.SETTLED) == 1


@pytest.mark.parametrize("near_px", [(5000, 0, 6000, 90), (-900, -900, -100, -100), (300, 100, 300, 100)])
def test_where_the_game_was_played_may_lie_beyond_the_picture_of_another_camera(near_px) -> None:
    camera, gate, seen = Camera(), MotionGate(), []
    for number in range(round((PATIENCE_S + 1) * FPS)):
        seen.append(gate.see(camera.frame(fidgeting(table(), number)), near_px))
    assert seen.count(TableMotion.SETTLED) == 1
