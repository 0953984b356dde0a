"""Work beside the window: how the app does everything that takes time.

A `Task` does one piece of work at a time, on a thread of its own. The work is a function that is given a
`Run`: through it the work tells what it has, and learns that nobody wants the rest. What it tells arrives on
the window's thread; what an older piece of work still tells is dropped. An error ends the work and becomes a
sentence with details. `cancel` asks for an end; `stop` waits for it as well, with a limit.

`PhotoWorker`, `PreviewWorker` and `GameWorker` are tasks with a choice of signals and, where the work goes on
for long, with what it waits for: a newest photo, or the frames and acts of a game.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from ui.errors import TOLD
from ui.storage.log import details_of
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.text.errors import error_sentence
from vision.errors import VisionError

STOP_S = 10.0

_LOG = logging.getLogger(__name__)


class Stopped(Exception):
    """Nobody wants the rest of the work; what was done until then stays."""


class Run:
    """The link of a piece of work to the window."""

    def __init__(self, tell: Callable[[Run, str, object], None]) -> None:
        """Begin.

        Args:
            tell: Hands something over to the window's thread.
        """
        self._tell = tell
        self.stopped = threading.Event()
        """Set once nobody wants the rest, and when the work has ended."""

    def tell(self, what: object) -> None:
        """Hand something over to the window's thread: `Task.told` says it there.

        Raises:
            Stopped: Nobody wants it.
        """
        if self.stopped.is_set():
            raise Stopped
        self._tell(self, "told", what)

    def tell_progress(self, done: int, of: int) -> None:
        """Tell how much is done, of how much.

        Raises:
            Stopped: Nobody wants the rest.
        """
        self.tell((done, of))


class Task(QObject):
    """Does one piece of work at a time on a thread of its own."""

    told = Signal(object)
    """What the work told with `Run.tell`."""
    done = Signal(object)
    """What the work returned."""
    failed = Signal(str, str)
    """Why it could not be done, in one sentence, and details to copy."""
    _came = Signal(object, str, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        """Begin without work; `name` is that of its threads."""
        super().__init__(parent)
        self._name = name
        self._run: Run | None = None
        self._thread: threading.Thread | None = None
        self._came.connect(self._on_came)

    @property
    def is_busy(self) -> bool:
        """Whether there is work under way."""
        return self._run is not None

    def start(self, work: Callable[[Run], object]) -> None:
        """Begin with this work; what was under way is cancelled, but not waited for."""
        self.cancel()
        self._run = Run(self._hand_over)
        arguments = (work, self._run)
        self._thread = threading.Thread(target=self._do, args=arguments, name=self._name, daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Ask the work to end; nothing more is said of it."""
        if self._run is not None:
            self._run.stopped.set()
            self._run = None

    def stop(self, limit_s: float = STOP_S) -> bool:
        """Ask the work to end, and return whether it did within the limit."""
        self.cancel()
        if self._thread is not None:
            self._thread.join(limit_s)
            if self._thread.is_alive():
                _LOG.warning("The thread %r did not end within %s s", self._name, limit_s)
                return False
            self._thread = None
        return True

    def _do(self, work: Callable[[Run], object], run: Run) -> None:
        try:
            result = work(run)
        except Stopped:
            return
        except Exception as error:  # the one catch-all of this thread
            self._hand_over(run, "failed", failure(error))
        else:
            self._hand_over(run, "done", result)
        finally:
            run.stopped.set()

    def _hand_over(self, run: Run, what: str, value: object) -> None:
        """Hand something over to the window's thread, as long as there is a window."""
        with contextlib.suppress(RuntimeError):
            self._came.emit(run, what, value)

    def _on_came(self, run: Run, what: str, value: object) -> None:
        if run is not self._run:
            return
        if what == "told":
            self.told.emit(value)
            return
        self._run = None
        if what == "failed":
            self.failed.emit(*value)  # type: ignore[misc]  # a sentence and details
        else:
            self.done.emit(value)


def failure(error: Exception, sentence: str = "") -> tuple[str, str]:
    """Return a sentence about an error, and details to copy. An error that nobody foresaw goes to the log.

    Args:
        error: What was raised.
        sentence: What is said of an error that has no sentence of its own; a common one where left out.
    """
    details = details_of(error)
    if is_told(error):
        _LOG.info("%s", error_sentence(error))
        return error_sentence(error), details
    _LOG.error("In a worker", exc_info=error)
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    return sentence or say(window_texts.APP_FAILED, what=what), details


def is_told(error: Exception) -> bool:
    """Return whether an error has a sentence for people."""
    return isinstance(error, (*TOLD, VisionError))
