"""Reads photos beside the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from PySide6.QtCore import QObject, Signal

from ui.viewmodels.photo.read_photos import ReadPhoto
from ui.workers.task import Run, Task, failure, is_told

STOP_S = 5.0


class PhotoWorker(QObject):
    """Reads the newest photo that was asked for; older ones that still wait are dropped."""

    photo_read = Signal(object)
    """A `PhotoTable`."""
    failed = Signal(str, str)
    """The photo's name, and what is wrong, in one sentence."""
    broke = Signal(str, str)
    """An error that nobody foresaw: a sentence, and details to copy."""

    def __init__(self, prepare: Callable[[], ReadPhoto]) -> None:
        """Begin to wait for photos.

        Args:
            prepare: Opens the models and returns what reads a photo. Both are called on the worker's thread.
        """
        super().__init__()
        self._prepare = prepare
        self._wanted: SimpleQueue[Path | None] = SimpleQueue()
        self._task = Task("photo reader", self)
        self._task.told.connect(lambda say: say())
        self._task.start(self._read_photos)

    def ask(self, photo: Path) -> None:
        """Have this photo read; called from the window's thread."""
        self._wanted.put(photo)

    def stop(self) -> bool:
        """Ask the thread to end, and return whether it did within the limit."""
        self._wanted.put(None)
        return self._task.stop(STOP_S)

    def _read_photos(self, run: Run) -> None:
        read: ReadPhoto | None = None
        while (photo := self._next()) is not None:
            try:
                read = read or self._prepare()
                table = read(photo)
            except Exception as error:  # this photo cannot be read, but the next one may
                run.tell(self._what_failed(photo, error))
            else:
                run.tell(partial(self.photo_read.emit, table))

    def _what_failed(self, photo: Path, error: Exception) -> Callable[[], None]:
        sentence, details = failure(error)

        def say() -> None:
            self.failed.emit(photo.name, sentence)
            if not is_told(error):
                self.broke.emit(sentence, details)

        return say

    def _next(self) -> Path | None:
        """Wait for a photo, and return the newest; None at the end."""
        photo = self._wanted.get()
        while not self._wanted.empty():
            photo = self._wanted.get()
        return photo
