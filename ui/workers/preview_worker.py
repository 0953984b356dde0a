"""Shows the picture of a source while it is being chosen, and says how good it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui.text.errors import error_sentence
from ui.text.image_quality import quality_sentences
from ui.viewmodels.requests import SourceKind, SourceRequest
from ui.workers.task import Run, Task
from vision.imaging.arrays import ImageU8

if TYPE_CHECKING:
    from vision.imaging.geometry import Points
    from vision.sources.pushed_pictures import PushedPictures

PICTURES_A_SECOND = 12
MEASURED_EVERY_S = 1.0
SHOWN_WIDTH_PX = 960


class PreviewWorker(QObject):
    """Shows one source at a time; what comes late from an older one is dropped."""

    pictured = Signal(object)
    """The newest picture, (H, W, 3) uint8 BGR."""
    said = Signal(object)
    """A tuple of sentences: what to improve, or why no picture comes."""

    def __init__(self, parent: QObject | None = None, phone: PushedPictures | None = None) -> None:
        """Begin without a source; `phone` is where a phone's pictures arrive."""
        super().__init__(parent)
        self._phone = phone
        self._task = Task("preview", self)
        self._task.told.connect(self._on_told)
        self._task.failed.connect(lambda sentence, _details: self.said.emit((sentence,)))

    def show(self, source: SourceRequest | None) -> None:
        """Show this source instead of the one before; None for nothing."""
        self._task.cancel()
        if source is not None and source.text:
            self._task.start(partial(_watch, source, self._phone))

    def _on_told(self, what: object) -> None:
        (self.said if isinstance(what, tuple) else self.pictured).emit(what)


def _watch(request: SourceRequest, phone: PushedPictures | None, run: Run) -> None:
    """Open a source, tell its pictures and what they are like, and let go of it at the end.

    Raises:
        VisionError: The source cannot be opened.
        Stopped: Nobody wants to see more.
    """
    import cv2

    from vision.sources.frame import Back, Frame
    from vision.sources.open_source import open_source

    if request.kind is SourceKind.PHONE and phone is not None:
        source = phone.open_source()
    else:
        source = open_source(request.text, live=True, holds=request.holds)
    # Closing takes a while, which neither this thread, where it waits for a picture, nor the window's has.
    threading.Thread(target=lambda: (run.stopped.wait(), source.close()), daemon=True).start()
    shown_s = measured_s = -MEASURED_EVERY_S
    find = None
    for item in source:
        now_s = time.monotonic()
        if not isinstance(item, Frame):
            if not isinstance(item, Back):
                run.tell((error_sentence(item),))
            continue
        if now_s - shown_s > 1 / PICTURES_A_SECOND:
            shown_s = now_s
            high, wide = item.image_bgr.shape[:2]
            size = (SHOWN_WIDTH_PX, max(1, round(high * SHOWN_WIDTH_PX / wide)))
            run.tell(cv2.resize(item.image_bgr, size, interpolation=cv2.INTER_AREA))
        if now_s - measured_s > MEASURED_EVERY_S:
            find = find or _finder()
            run.tell(_measured(item.image_bgr, find))
            measured_s = time.monotonic()


def _finder() -> Callable[[ImageU8], list[Points]]:
    """Return what finds the tiles in a picture; what only has the shape of one does not count."""
    import numpy as np

    from ui.storage.preferences import reader_folder
    from vision.recognition.reader import TileReader

    reader = TileReader.open(None, reader_folder())
    return lambda image: [np.array(each.quad_px, np.float32) for each in reader.tiles(image)]


def _measured(image_bgr: ImageU8, find: Callable[[ImageU8], list[Points]]) -> tuple[str, ...]:
    from vision.imaging.quality import measure

    return quality_sentences(measure(image_bgr, find(image_bgr)))
