"""The standard streams of the command line: whatever is printed reaches the terminal as text alone.

Names of files and players may hold what a terminal takes for commands. Here, where all of it passes, such
characters are written as JSON writes them, so that JSON stays what it was.
"""

from __future__ import annotations

import os
import re
import sys

TYPE_CHECKING = False  # what `typing` calls by this name, without the time that its import takes
if TYPE_CHECKING:
    from typing import Any, TextIO

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters but for line ends and tabs, and those that change the direction of a text."""


def shown(text: str) -> str:
    r"""Return a text in which what a terminal takes for commands is written out.

    >>> print(shown("esc\x1b[31m"))
    esc\u001b[31m
    """
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class ShownStream:
    """A standard stream that prints every text as `shown` makes it; in all else it is that stream."""

    def __init__(self, stream: TextIO) -> None:
        self.unshown = stream
        """The stream itself, for what means to move the cursor."""

    def write(self, text: str) -> int:
        """Print a text, and return how many characters were written."""
        return self.unshown.write(shown(text))

    def writelines(self, lines: list[str]) -> None:
        """Print several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unshown, name)


def unshown(stream: Any) -> Any:
    """Return a stream as it is without `ShownStream`."""
    return getattr(stream, "unshown", stream)


def refuse(sentence: str, status: int = 2) -> int:
    """Say on standard error why nothing is done, and return the exit status: by default, of wrong usage."""
    print(sentence, file=sys.stderr)
    return status


def fill_closed_streams() -> bool:
    """Let each standard stream that was closed lead nowhere, and return whether there is an output.

    Without it, the next file that is opened would take the stream's number, and get what is printed there.
    """
    has_output = sys.stdout is not None
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # which takes the smallest number that is free
        if name != "stdin":  # who reads there asks whether it is None
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (as long as the process)
    return has_output
