"""Ctrl-C: it ends a command quietly, also while the libraries are still being imported.

A library that is broken off while it is imported raises what it likes, prints, or ends the process, as Qt
does. So an import is always brought to its end, and Ctrl-C comes again then.
"""

from __future__ import annotations

import _thread
import signal
import sys
import time

TYPE_CHECKING = False  # what `typing` calls by this name, without the time that its import takes
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

EXIT_INTERRUPTED = 130
_SOON_S = 0.02
_IMPORTS = "<frozen importlib._bootstrap>"
"""What Python calls the file of its own code that imports."""


class Interrupts:
    """Takes note of Ctrl-C, which raises KeyboardInterrupt as ever, from now on until `leave`."""

    def __init__(self, *, ends_with_us: bool) -> None:
        """Begin to listen, unless somebody else does, or this process shall not feel Ctrl-C.

        Args:
            ends_with_us: Whether the process ends when the command has ended.
        """
        self.have_come = False
        self._ends_with_us = ends_with_us
        self._hook = sys.unraisablehook
        before = signal.getsignal(signal.SIGINT)
        self._listens = before is signal.default_int_handler or (
            ends_with_us and before is signal.SIG_DFL  # as `ui/__main__.py` leaves it
        )
        if self._listens:
            try:
                signal.signal(signal.SIGINT, self._note)
            except ValueError:  # another thread than the first one hears of no signals
                self._listens = False
        sys.unraisablehook = self._pass_on

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.have_come = True
        if may_break_off(frame):
            signal.default_int_handler(number, frame)

    def _pass_on(self, lost: Any) -> None:
        """Raise a KeyboardInterrupt again that came where nothing can be raised, such as in a destructor."""
        if issubclass(lost.exc_type, KeyboardInterrupt):
            _come_again_soon()
        else:
            self._hook(lost)

    def end(self) -> int:
        """Return the status of a command that Ctrl-C ended; another one changes nothing any more."""
        if self._ends_with_us:
            self._listens = False
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            # Python remembers a KeyboardInterrupt that left an `exec`, and would end by the signal instead of
            # with this status; the next `exec` makes it forget.
            exec("")
        return EXIT_INTERRUPTED

    def leave(self) -> None:
        """Let Ctrl-C do what it did before; where the process ends now, that is nothing any more."""
        sys.unraisablehook = self._hook
        _Again.is_owed = False
        if self._listens:
            signal.signal(signal.SIGINT, signal.SIG_IGN if self._ends_with_us else signal.default_int_handler)


def may_break_off(frame: FrameType | None) -> bool:
    """Return whether Ctrl-C may raise now; where not, for something is being imported, it comes again soon.

    Args:
        frame: What the process was at, as the handler of a signal is told.
    """
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTS:
            _come_again_soon()
            return False
        frame = frame.f_back
    _Again.is_owed = False
    return True


class _Again:
    """Whether a Ctrl-C still has to come again, since it came where it could not be felt."""

    is_owed = False


def _come_again_soon() -> None:
    if not _Again.is_owed:
        _Again.is_owed = True
        _thread.start_new_thread(_interrupt_until_felt, (_thread.get_ident(),))


def _interrupt_until_felt(thread: int) -> None:
    """Send a thread Ctrl-C until it has left the place that could not take one.

    One alone may be lost: of a signal that comes just before the thread waits for something, Python takes
    note when it has waited.
    """
    while True:
        time.sleep(_SOON_S)
        if not _Again.is_owed:
            return
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(thread, signal.SIGINT)  # also wakes it
        else:
            _thread.interrupt_main()
