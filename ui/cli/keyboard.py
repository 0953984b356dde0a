"""What somebody types in the terminal while a command does something else."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterator
from typing import TextIO


class Keyboard:
    """Collects the lines that are typed; none where standard input is no terminal."""

    def __init__(self, typed: TextIO | None = None) -> None:
        """Begin to listen, on a thread of its own that ends with the process.

        Args:
            typed: Where the lines come from; None is standard input.
        """
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._typed = sys.stdin if typed is None else typed
        self.is_there = self._typed is not None and self._typed.isatty()
        """Whether somebody can type."""
        if self.is_there:
            threading.Thread(target=self._listen, name="keyboard", daemon=True).start()

    def _listen(self) -> None:
        for line in self._typed:
            self._lines.put(line.strip())

    def lines(self) -> Iterator[str]:
        """Yield the lines typed since the last call, without waiting; empty ones are left out."""
        while not self._lines.empty():
            if line := self._lines.get():
                yield line
