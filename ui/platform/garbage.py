"""Python's search for what is no longer used, kept to the thread of the windows.

Python looks for it in whatever thread happens to make an object, and what it finds there may be a widget.
Widgets belong to the windows' thread: taken apart in another one, while the first makes or closes some, they
bring the program down.
"""

from __future__ import annotations

import gc


class GarbageKeptToOneThread:
    """From now on garbage is looked for only where and when `collect` is called."""

    def __init__(self) -> None:
        """Take the search out of Python's hands."""
        self._was_on = gc.isenabled()
        gc.disable()

    def collect(self) -> None:
        """Look for garbage if so much was made that Python would have looked, as far back as it would."""
        due = [made > enough for made, enough in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if due[0]:
            gc.collect(2 if due[1] and due[2] else 1 if due[1] else 0)

    def give_back(self) -> None:
        """Let Python look for it again wherever it likes."""
        if self._was_on:
            gc.enable()
