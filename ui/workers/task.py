"""One piece of work at a time beside the window: it reports, can be stopped, and ends with a word."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from ui.text.errors import error_sentence

Told = Callable[[int, int], None]
"""Called with how much is done, of how much; raises `Stopped` where nobody wants the rest."""
STOP_TIMEOUT_S = 10.0

_LOG = logging.getLogger(__name__)


class Stopped(Exception):
    """The work was stopped; what was done until then stays."""


class Background(QObject):
    """Does work on a thread of its own; what an older piece of work still says is dropped."""

    told = Signal(int, int)
    """How much is done, of how much."""
    done = Signal(object)
    """What the work returned."""
    failed = Signal(str)
    """Why it could not be done, in one sentence."""
    _came = Signal(object, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop: threading.Event | None = None
        self._thread: threading.Thread | None = None
        self._came.connect(self._on_came)

    @property
    def is_busy(self) -> bool:
        """Whether there is work under way."""
        return self._stop is not None

    def start(self, work: Callable[[Told], object]) -> None:
        """Begin with this work, in place of what was under way."""
        self.stop()
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(work, self._stop), name="background", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Ask for an end, and wait a while for it; nothing more is said of this work."""
        if self._stop is not None:
            self._stop.set()
            self._stop = None
        if self._thread is not None:
            self._thread.join(STOP_TIMEOUT_S)
            self._thread = None

    def _run(self, work: Callable[[Told], object], stop: threading.Event) -> None:
        def tell(done: int, of: int) -> None:
            if stop.is_set():
                raise Stopped
            self._tell(stop, "told", (done, of))

        try:
            result = work(tell)
        except Stopped:
            return
        except Exception as error:  # the one catch-all of this thread
            _LOG.debug("Work in the background failed", exc_info=True)
            self._tell(stop, "failed", error_sentence(error))
        else:
            self._tell(stop, "done", result)

    def _tell(self, stop: threading.Event, what: str, value: object) -> None:
        """Hand something over to the window's thread, as long as there is a window."""
        with contextlib.suppress(RuntimeError):
            self._came.emit(stop, what, value)

    def _on_came(self, stop: threading.Event, what: str, value: object) -> None:
        if stop is not self._stop:
            return
        if what == "told":
            self.told.emit(*value)  # type: ignore[misc]  # a pair
            return
        self._stop = None
        if what == "failed":
            self.failed.emit(value)
        else:
            self.done.emit(value)
