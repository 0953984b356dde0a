"""The thread that reads photos, so that the window never waits."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from PySide6.QtCore import QObject, QThread, Signal, Slot

from ui.viewmodels.table_view import TableView

STOP_TIMEOUT_MS = 5000

ReadPhoto = Callable[[Path], TableView]
"""Reads and judges one photo; raises what cannot be read as an error with one sentence."""

_LOG = logging.getLogger(__name__)


class PhotoWorker(QObject):
    """Reads the photo that was asked for last; one that was asked for before it and not begun is dropped.

    Lives on a thread of its own, and so does everything that `prepare` makes, the model's session included.
    """

    photo_read = Signal(object)
    """A `TableView`."""
    failed = Signal(str, str)
    """The photo's name, and what is wrong, in one sentence."""
    _wanted_changed = Signal()

    def __init__(self, prepare: Callable[[], ReadPhoto], describe_error: Callable[[Exception], str]) -> None:
        super().__init__()
        self._prepare = prepare
        self._describe_error = describe_error
        self._read: ReadPhoto | None = None
        self._lock = Lock()
        self._wanted: Path | None = None
        self._thread = QThread()
        self._thread.setObjectName("photo reader")
        self.moveToThread(self._thread)
        self._wanted_changed.connect(self._read_wanted)
        self._thread.start()

    def ask(self, photo: Path) -> None:
        """Have this photo read; called from the window's thread."""
        with self._lock:
            self._wanted = photo
        self._wanted_changed.emit()

    def stop(self) -> bool:
        """Ask the thread to end, and return whether it did within the limit."""
        with self._lock:
            self._wanted = None
        self._thread.quit()
        return self._thread.wait(STOP_TIMEOUT_MS)

    @Slot()
    def _read_wanted(self) -> None:
        with self._lock:
            photo, self._wanted = self._wanted, None
        if photo is None:
            return
        try:
            if self._read is None:
                self._read = self._prepare()
            table = self._read(photo)
        except Exception as error:  # the one catch-all of this worker
            _LOG.debug("Reading %s failed", photo, exc_info=True)
            self.failed.emit(photo.name, self._describe_error(error))
        else:
            self.photo_read.emit(table)
