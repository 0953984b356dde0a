"""How far a command is, on standard error: a bar on a terminal, elsewhere a line a minute."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Generator, Sequence
from shutil import get_terminal_size
from types import TracebackType
from typing import Self, TypeVar

from tqdm import tqdm

from ui.cli.streams import shown, unshown

Item = TypeVar("Item")

SHOW_S, LOG_S = 0.2, 60.0
"""How often progress is shown on a terminal, and in a log."""
_COUNTS = "{n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_noinv_fmt}]"
_BAR = "{percentage:3.0f}%|{bar:30}| " + _COUNTS

tqdm.set_lock(threading.RLock())  # its own lock is one between processes, which nothing here needs


class ProgressBar:
    """Counts items, and estimates how long the rest takes. A context manager, which takes the bar away."""

    def __init__(self, total: int = 0) -> None:
        """Begin to count `total` items; `tell` may name another total."""
        self._stream = unshown(sys.stderr)  # a bar moves the cursor
        self._begin(total)

    def _begin(self, total: int) -> None:
        self._total = total
        self._done = self._skipped = 0
        self._began_s = self._logged_s = time.monotonic()
        wide, high = get_terminal_size()  # a usual one where the terminal does not know, unlike tqdm's
        self._bar = tqdm(
            total=total, file=self._stream, disable=not self._stream.isatty(), leave=False, unit="",
            mininterval=SHOW_S, miniters=1, maxinterval=0, smoothing=0, delay=SHOW_S, bar_format=_BAR,
            ncols=wide - 1, nrows=high,
        )  # fmt: skip

    def skip(self) -> None:
        """Count an item that was done before; it says nothing about the speed."""
        self._skipped += 1
        if not self._bar.disable:  # one that is not shown does not count
            self._bar.initial += 1
        self._count()

    def step(self) -> None:
        """Count an item that is done now."""
        self._done += 1
        self._count()

    def tell(self, done: int, of: int) -> None:
        """Take over how many items are done, of how many; begin anew if these are other items."""
        if of != self._total or done < self._done:
            self._bar.close()
            self._begin(of)
        while self._done < done:
            self.step()

    def say(self, sentence: str) -> None:
        """Print a sentence on a line of its own."""
        self._bar.clear()
        print(shown(sentence), file=self._stream, flush=True)
        self._bar.refresh()

    def __enter__(self) -> Self:
        """Return the bar itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away, also after Ctrl-C."""
        is_shown = not self._bar.disable
        self._bar.close()
        if is_shown:  # Ctrl-C may have come before the bar had taken note of what it wrote
            print("\r\033[K", end="", file=self._stream, flush=True)

    def _count(self) -> None:
        self._bar.update()
        now_s = time.monotonic()
        if self._bar.disable and now_s - self._logged_s >= LOG_S:
            self._logged_s = now_s
            print(self._line(now_s), file=self._stream, flush=True)

    def _line(self, now_s: float) -> str:
        """Return the counts and the estimate, for a log."""
        return tqdm.format_meter(
            self._done + self._skipped, self._total, now_s - self._began_s, unit="", bar_format=_COUNTS,
            initial=self._skipped,
        )  # fmt: skip


def counted(items: Sequence[Item]) -> Generator[Item]:
    """Yield the items, and show how many of them were worked on, until it is closed."""
    with ProgressBar(len(items)) as progress:
        for item in items:
            yield item
            progress.step()
