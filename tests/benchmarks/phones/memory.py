"""Whether memory stays flat with five phones: `python -m tests.benchmarks.phones.memory [--minutes M]`.

Serves games as the app does: pictures of the sample game at 1280 x 720 come from a phone over https, are
read and followed, and stored. Three players' pages and one that watches are open. All five leave without a
word now and then and come back, and a page loads all files anew. The phones run in another process. Prints
the resident memory of this one after each game. With `--give-back` (Linux), memory that is free is given back
to the system before: what is left is held. The exit status is 1 if it grew by more than a tenth since half of
the time.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import multiprocessing
import tempfile
import time
from itertools import count
from pathlib import Path

import cv2
from PySide6.QtCore import QCoreApplication

from tests.benchmarks.evening import MAX_GROWTH, resident_mb
from tests.benchmarks.phones.guests import TableFilm, five_phones
from tests.benchmarks.phones.served_games import serving
from ui.storage.game_entries import EntryKind


def main() -> int:
    """Let five phones come, and print what they left behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--give-back", action="store_true", help="count only memory that is held")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    _application = QCoreApplication([])
    game_s = TableFilm().length_s
    held: list[float] = []
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as served:
        began_s = time.monotonic()
        seconds = 60 * asked.minutes
        phones = multiprocessing.get_context("spawn").Process(
            target=five_phones, args=(served.addresses, seconds)
        )
        phones.start()
        for number in count(1):
            worker = served.begin()
            ends_s = min(began_s + number * game_s, began_s + seconds)
            time.sleep(max(0.0, ends_s - time.monotonic()))
            game = worker.game
            said = 0
            if game is not None:
                said = sum(each.kind is EntryKind.SAID for each in served.store.entries(game))
            served.leave(worker)
            del worker
            if asked.give_back:
                gc.collect()
                ctypes.CDLL(None).malloc_trim(0)
            held.append(resident_mb())
            passed_s = time.monotonic() - began_s
            print(
                f"  {passed_s / 60:5.1f} min, {number} games, {served.hub.pictures.count:>6} pictures "
                f"({served.hub.pictures.count / passed_s:.1f} a second), {said:>3} lines in the last game: "
                f"{held[-1]:.0f} MB",
                flush=True,
            )
            if passed_s >= seconds:
                break
        phones.join()
    return int(len(held) > 1 and held[-1] > MAX_GROWTH * held[len(held) // 2])


if __name__ == "__main__":
    raise SystemExit(main())
