"""How long watching a table takes: `python -m tests.benchmarks.watching [--games N]`.

Plays simulated games as a camera of 1280 x 720 pixels films them (`tests.simulation`) and watches them as the
product does: settling, reading, comparing with the tables before, following, learning the tiles, storing the
pictures and what is said in a data base. Prints medians and 95th percentiles of

- idle frames: the table is at rest and nothing has changed;
- moving frames: something moves;
- changed frames: the table has settled; it is read, compared, followed and stored;
- of those, the time that reading alone takes;
- ages: how old a frame is once it was judged, from a video of 30 frames a second that is played by the
  clock, with a new table every 1.5 s. Frames that were passed over for newer ones are counted.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.tracking.announcements import Asked
from tests.simulation.filming import Film
from tests.simulation.following import answers_to
from tests.simulation.play import Play, play_game
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.catalogue import choose_language
from vision.imaging.arrays import ImageU8
from vision.recognition.reader import TileReader
from vision.recognition.reading import Reading
from vision.sources.frame import Frame
from vision.sources.open_source import open_source

FIRST, MAX_TURNS = 60_000, 30
FPS, TURN_FRAMES, HAND_FRAMES = 30, 45, 15
VIDEO_TABLES = 15


class TimedReader(TileReader):
    """Notes how long each reading took."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.times_ms: list[float] = []

    def read(self, image_bgr: ImageU8) -> Reading:
        """Read as the product does."""
        reading = super().read(image_bgr)
        self.times_ms.append(reading.timings_ms["total"])
        return reading


def report(name: str, values_ms: list[float]) -> None:
    """Print one line of the table."""
    middle, late = np.median(values_ms), np.percentile(values_ms, 95)
    print(f"  {name:<34}{middle:>8.1f}{late:>8.1f}{max(values_ms):>8.1f}{len(values_ms):>8}")


@contextmanager
def watching(play: Play, reader: TileReader) -> Iterator[GameSession]:
    """Begin to follow a game that is stored in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, GameStore.open(Path(folder) / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(play.setup), reader)
        session.learn_tiles(reader)
        yield session


def measure_frames(games: int, reader: TimedReader) -> None:
    """Print the cost of idle, moving and changed frames."""
    costs: dict[str, list[float]] = {"idle": [], "moving": [], "changed": []}
    for seed in range(FIRST, FIRST + games):
        play = play_game(seed, max_turns=MAX_TURNS)
        with watching(play, reader) as watched:
            for number, frame in Film(play, seed):
                before, started = len(reader.times_ms), time.perf_counter()
                lines = watched.see(frame)
                took_ms = (time.perf_counter() - started) * 1e3
                is_read = len(reader.times_ms) > before
                costs["changed" if is_read else "moving" if watched.is_moving else "idle"].append(took_ms)
                for line in lines:
                    if isinstance(line, Asked):
                        for answer in answers_to(line, play.moments[number], [], watched.last_s):
                            watched.hear(answer)
    report("idle frame", costs["idle"])
    report("moving frame", costs["moving"])
    report("changed frame", costs["changed"])
    report("  reading it", reader.times_ms)


def write_video(play: Play, path: Path) -> None:
    """Write a video in which a hand comes and the table changes again and again."""
    tables = {number: frame.image_bgr for number, frame in Film(play, FIRST)}
    calm = [tables[at] for at, moment in enumerate(play.moments) if at in tables and moment.what != "hand"]
    rng = np.random.default_rng(1)
    noise = np.round(rng.normal(0, 2, (2 * 720, 2 * 1280, 3))).astype(np.int16)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (1280, 720))
    for table in calm[:VIDEO_TABLES]:
        for number in range(TURN_FRAMES):
            y, x = rng.integers(720), rng.integers(1280)
            scene = table
            if number < HAND_FRAMES:
                at = 300 + 40 * number
                scene = cv2.line(table.copy(), (at, 720), (at + 60, 300), (120, 150, 205), 90)
            writer.write(np.clip(scene + noise[y : y + 720, x : x + 1280], 0, 255).astype(np.uint8))
    writer.release()


def measure_ages(reader: TimedReader) -> None:
    """Print how old frames are when they have been judged."""
    play = play_game(FIRST, max_turns=MAX_TURNS)
    arrived: list[float] = []
    judged: list[float] = []
    settled: list[float] = []
    with tempfile.TemporaryDirectory() as folder, watching(play, reader) as watched:
        path = Path(folder) / "game.avi"
        write_video(play, path)
        with open_source(str(path), live=True) as source:
            for item in source:
                if not isinstance(item, Frame):
                    raise SystemExit(str(item))
                arrived.append(_age_ms(source.now_s, item))
                before = len(reader.times_ms)
                watched.see(item)
                judged.append(_age_ms(source.now_s, item))
                if len(reader.times_ms) > before:
                    settled.append(judged[-1])
                last = item.number
    report("age of a frame when it is taken", arrived)
    report("age of a frame when it is judged", judged)
    report("age of a settled frame when judged", settled)
    print(f"  passed over: {last + 1 - len(judged)} of {last + 1} frames")


def _age_ms(now_s: Callable[[], float], frame: Frame) -> float:
    return (now_s() - frame.time_s) * 1e3


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5)
    asked = parser.parse_args()
    choose_language("en")
    reader = TimedReader.open()
    print(f"  {'milliseconds, 1280 x 720':<34}{'median':>8}{'95 %':>8}{'most':>8}{'frames':>8}")
    assert isinstance(reader, TimedReader)
    reader.make_ready()
    reader.times_ms.clear()
    measure_frames(asked.games, reader)
    measure_ages(reader)


if __name__ == "__main__":
    main()
