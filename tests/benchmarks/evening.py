"""Whether memory stays flat over an evening: `python -m tests.benchmarks.evening [--hours H]`.

Pushes as many frames as a camera of 15 frames a second gives in three hours through `GameSession`, as fast as
it goes: filmed games (`tests.simulation.filming`) one after the other, all stored in one data base with
their pictures. Prints the resident memory every half hour of frames. The exit status is 1 if it grew by more
than a tenth since the first half hour.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import cv2

from tests.simulation.filming import FPS, Film
from tests.simulation.play import play_game
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from vision.recognition.reader import TileReader
from vision.sources.frame import Frame

MAX_GROWTH = 1.1
REPORTS_AN_HOUR = 2


def watched_frames(store: GameStore, reader: TileReader) -> Iterator[Frame]:
    """Yield frames of one game after the other, each of them watched by then."""
    for seed in count(30_000):
        play = play_game(seed, max_turns=60)
        session = GameSession.begin(store, GameSettings(play.setup), reader)
        for _, frame in Film(play, seed):
            session.see(frame)
            yield frame
        session.close()


def resident_mb() -> float:
    """Return the memory that this process holds, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> int:
    """Push the frames through and print what they left behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=3.0)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    step = 3600 * FPS // REPORTS_AN_HOUR
    most = round(asked.hours * 3600 * FPS)
    held: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        GameStore.open(Path(folder) / "games.sqlite3") as store,
    ):
        for number, _ in enumerate(islice(watched_frames(store, TileReader.open()), most), 1):
            if number % step == 0 or number == most:
                held.append(resident_mb())
                print(f"  {number / FPS / 3600:.2f} h, {number:>7} frames: {held[-1]:.0f} MB", flush=True)
    return int(held[-1] > MAX_GROWTH * held[0])


if __name__ == "__main__":
    raise SystemExit(main())
