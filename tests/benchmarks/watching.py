"""How long watching a table takes: `python -m tests.benchmarks.watching`.

Plays two of the shipped samples as a camera of 1280 x 720 pixels would see them, with fresh noise on each
frame, and prints medians and 95th percentiles of

- idle frames: the table is at rest and `Settling` looks whether it still is;
- moving frames: something differs;
- changed frames: the table has settled, and its picture is read;
- ages: how old a frame is once it was judged, from a video of 30 frames a second that is played by the
  clock, each settled frame read, as `watch` does it. Frames that were passed over for newer ones are counted.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, ImageU8
from vision.reader import TileReader
from vision.settling import Settling, State
from vision.sources import open_source

SAMPLES = Path(__file__).parents[2] / "samples"
FPS, SIGMA = 30, 4.0
IDLE, TURNS = 300, 40
TURN_FRAMES, HAND_FRAMES = 45, 15
VIDEO_S = 20


class Table:
    """Two tables in turn, seen with noise."""

    def __init__(self) -> None:
        self.scenes = [cv2.imread(str(SAMPLES / name)) for name in ("overweight.jpg", "collapse.jpg")]
        self.rng = np.random.default_rng(1)
        noise = self.rng.normal(0, SIGMA, (2 * 720, 2 * 1280, 3))
        self.noise: NDArray[np.int16] = np.round(noise).astype(np.int16)

    def seen(self, turn: int, hand_at: int | None = None) -> ImageU8:
        """Return a (720, 1280, 3) picture of a turn's table, with an arm before it where one is asked for."""
        y, x = self.rng.integers(720), self.rng.integers(1280)
        scene = self.scenes[turn % 2]
        if hand_at is not None:
            scene = cv2.line(scene.copy(), (hand_at, 720), (hand_at + 60, 300), (120, 150, 205), 90)
        return np.clip(scene + self.noise[y : y + 720, x : x + 1280], 0, 255).astype(np.uint8)


def report(name: str, values_ms: list[float]) -> None:
    """Print one line of the table."""
    middle, late = np.median(values_ms), np.percentile(values_ms, 95)
    print(f"  {name:<34}{middle:>8.1f}{late:>8.1f}{max(values_ms):>8.1f}{len(values_ms):>8}")


def measure_frames(table: Table, reader: TileReader) -> None:
    """Print the cost of idle, moving and changed frames."""
    settling, number = Settling(), 0
    costs: dict[str, list[float]] = {"idle": [], "moving": [], "changed": []}

    def see(picture: ImageU8) -> None:
        nonlocal number
        started = time.perf_counter()
        state = settling.see(Frame(picture, number / FPS, number))
        if state is State.SETTLED:
            reader.read(picture)
        kind = {State.STILL: "idle", State.MOVING: "moving", State.SETTLED: "changed"}[state]
        costs[kind].append((time.perf_counter() - started) * 1e3)
        number += 1

    reader.read(table.seen(0))
    for turn in range(TURNS):
        while not costs["changed"] or len(costs["changed"]) <= turn:
            see(table.seen(turn))
    for _ in range(IDLE):
        see(table.seen(TURNS - 1))
    report("idle frame", costs["idle"])
    report("moving frame", costs["moving"])
    report("changed frame, with reading", costs["changed"])


def write_game(table: Table, path: Path) -> None:
    """Write a video in which a hand comes and the table changes again and again."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (1280, 720))
    for number in range(VIDEO_S * FPS):
        turn, within = divmod(number, TURN_FRAMES)
        writer.write(table.seen(turn, 300 + 40 * within if within < HAND_FRAMES else None))
    writer.release()


def measure_ages(table: Table, reader: TileReader) -> None:
    """Print how old frames are when they have been judged."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.avi"
        write_game(table, path)
        settling = Settling()
        arrived: list[float] = []
        judged: list[float] = []
        settled: list[float] = []
        with open_source(str(path), live=True) as source:
            for item in source:
                if not isinstance(item, Frame):
                    raise SystemExit(str(item))
                arrived.append((source.now_s() - item.time_s) * 1e3)
                is_new = settling.see(item) is State.SETTLED
                if is_new:
                    reader.read(item.image_bgr)
                judged.append((source.now_s() - item.time_s) * 1e3)
                if is_new:
                    settled.append(judged[-1])
                last = item.number
        report("age of a frame when it is taken", arrived)
        report("age of a frame when it is judged", judged)
        report("age of a settled frame when read", settled)
        print(f"  passed over: {last + 1 - len(judged)} of {last + 1} frames")


def main() -> None:
    """Print the table."""
    table, reader = Table(), TileReader.open()
    print(f"  {'milliseconds, 1280 x 720':<34}{'median':>8}{'95 %':>8}{'most':>8}{'frames':>8}")
    measure_frames(table, reader)
    measure_ages(table, reader)


if __name__ == "__main__":
    main()
