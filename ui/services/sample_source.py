"""The shipped sample game as a source: a folder of pictures, each shown long enough to read what is said."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

from vision.errors import ImageError
from vision.imaging.photo import read_photo
from vision.sources.frame import Frame, Skipped, Source, SourceNotice

FOLDER = Path(__file__).resolve().parents[2] / "samples" / "game"
PLAYERS = 3
HELD_S, HAND_S = 3.2, 0.9
FIRST_S = 2.0
"""Longer is the first picture held: the reader is made ready meanwhile."""
FRAMES_A_SECOND = 10
_HAND = "-hand"


class SampleGame(Source):
    """Plays the pictures of a folder by the clock; those with a hand in them pass quickly."""

    name = "sample"
    is_live = True

    def __init__(self, folder: Path = FOLDER, *, held_s: float = HELD_S, hand_s: float = HAND_S) -> None:
        """Take the folder.

        Args:
            folder: Holds the pictures, in the order of their names; with `-hand` where a hand is in one.
            held_s: Seconds for each picture of a table at rest.
            hand_s: Seconds for each picture with a hand.
        """
        self._paths = sorted(folder.glob("*.jpg"))
        self._held_s, self._hand_s = held_s, hand_s
        self._started = time.monotonic()
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[Frame | SourceNotice]:
        """Yield each picture several times a second while it is held, then wait for `close`."""
        number = 0
        for path in self._paths:
            until_s = self.now_s() + (self._hand_s if path.stem.endswith(_HAND) else self._held_s)
            until_s += FIRST_S if number == 0 else 0
            try:
                image = read_photo(path).image_bgr
            except ImageError as error:
                yield Skipped(error.template, error.values, self.now_s())
                continue
            while self.now_s() < until_s:
                if self._closed.is_set():
                    return
                yield Frame(image.copy(), self.now_s(), number)
                number += 1
                self._closed.wait(1 / FRAMES_A_SECOND)

    def now_s(self) -> float:
        """Return the seconds since the source was made."""
        return time.monotonic() - self._started

    def close(self) -> None:
        """End the pictures."""
        self._closed.set()
