"""The shipped sample game as a source: a folder of pictures, each shown long enough to read what is said."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

from vision.errors import ImageError
from vision.imaging.photo import read_photo
from vision.sources.frame import Frame, Skipped, Source, SourceNotice
from vision.sources.motion_gate import REST_S

FOLDER = Path(__file__).resolve().parents[2] / "samples" / "game"
PLAYERS = 3
HELD_S, HAND_S = 3.2, 0.9
FIRST_S = 1.5
"""Longer is the first picture held: the reader is made ready meanwhile."""
LEAST_S = REST_S + 0.25
"""So long a table must be seen to be read, however much in a hurry people are."""
FIRST_MAYHEM = "22"
"""The picture of the first mayhem; those before it pass quickly, so that it is seen within ten seconds."""
HURRY = 3.0
"""How much quicker it goes where somebody wants that."""
FRAMES_A_SECOND = 10
MOST_STEP_S = 0.2
"""A frame counts for no longer, however long it takes to be followed."""
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
        self._skipped = threading.Event()
        self.is_paused = False
        """Whether the picture stays; may be set from any thread, as may the next."""
        self.is_hurried = False

    def skip(self) -> None:
        """Go on with the next picture as soon as this one was seen; from any thread."""
        self._skipped.set()

    def __iter__(self) -> Iterator[Frame | SourceNotice]:
        """Yield each picture several times a second while it is held, then wait for `close`."""
        number = 0
        for path in self._paths:
            is_hand = path.stem.endswith(_HAND)
            is_quick = path.stem < FIRST_MAYHEM
            if is_hand and is_quick:
                continue
            try:
                image = read_photo(path).image_bgr
            except ImageError as error:
                yield Skipped(error.template, error.values, self.now_s())
                continue
            held_s = self._hand_s if is_hand else min(LEAST_S, self._held_s) if is_quick else self._held_s
            held_s += FIRST_S if number == 0 else 0
            for _ in self._hold(held_s, 0.0 if is_hand else min(LEAST_S, self._held_s)):
                yield Frame(image.copy(), self.now_s(), number)
                number += 1

    def _hold(self, held_s: float, least_s: float) -> Iterator[None]:
        """Yield several times a second for so long: longer in a pause, shorter in a hurry or when skipped."""
        seen_s, past_s, before_s = 0.0, 0.0, self.now_s()
        while not self._closed.is_set() and (past_s < held_s or seen_s < least_s):
            yield
            self._closed.wait(1 / FRAMES_A_SECOND)
            passed_s, before_s = min(self.now_s() - before_s, MOST_STEP_S), self.now_s()
            seen_s += passed_s
            past_s += 0.0 if self.is_paused else passed_s * (HURRY if self.is_hurried else 1.0)
            if self._skipped.is_set() and seen_s >= least_s:
                self._skipped.clear()
                return

    def now_s(self) -> float:
        """Return the seconds since the source was made."""
        return time.monotonic() - self._started

    def close(self) -> None:
        """End the pictures."""
        self._closed.set()
