"""Shows what a source sees while it is being chosen: a thread of its own opens it, measures, and lets go."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui.text.bound_text import say
from ui.text.errors import error_sentence
from ui.text.image_quality import meter_sentences
from ui.viewmodels.requests import SourceWish
from vision.imaging.arrays import ImageU8

if TYPE_CHECKING:
    from vision.imaging.geometry import Points

PICTURES_A_SECOND = 12
MEASURED_EVERY_S = 1.0
SHOWN_WIDTH_PX = 960
_CLEAR = 0.5
"""Score from which a candidate counts as a tile."""


class PreviewWorker(QObject):
    """Shows at most one source at a time; what an older one still says is dropped."""

    pictured = Signal(object)
    """The newest picture, (H, W, 3) uint8 BGR."""
    said = Signal(object)
    """A tuple of sentences: what to improve, or why no picture comes."""
    _came = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop: threading.Event | None = None
        self._came.connect(self._on_came)

    def show(self, source: SourceWish | None) -> None:
        """Show this source from now on, in place of the one before; None for nothing."""
        if self._stop is not None:
            self._stop.set()
            self._stop = None
        if source is not None and source.text:
            self._stop = threading.Event()
            arguments = (source, self._stop, self._tell)
            threading.Thread(target=_watch, args=arguments, name="preview", daemon=True).start()

    def _tell(self, stop: threading.Event, what: object) -> None:
        """Hand something over to the window's thread, as long as there is a window."""
        with contextlib.suppress(RuntimeError):
            self._came.emit(stop, what)

    def _on_came(self, stop: threading.Event, what: object) -> None:
        if stop is not self._stop:
            return
        (self.said if isinstance(what, tuple) else self.pictured).emit(what)


def _watch(wish: SourceWish, stop: threading.Event, tell: Callable[[threading.Event, object], None]) -> None:
    """Open a source, tell its pictures and what they are like, and let go of it once `stop` is set."""
    import cv2

    from vision.sources.frame import Back, Frame
    from vision.sources.open_source import open_source

    try:
        source = open_source(wish.text, live=True, holds=wish.holds)
        threading.Thread(target=lambda: (stop.wait(), source.close()), daemon=True).start()
        shown_s = measured_s = -MEASURED_EVERY_S
        find = None
        for item in source:
            if stop.is_set():
                return
            now_s = time.monotonic()
            if not isinstance(item, Frame):
                if not isinstance(item, Back):
                    tell(stop, (say(item.template, **item.values),))
                continue
            if now_s - shown_s > 1 / PICTURES_A_SECOND:
                shown_s = now_s
                high, wide = item.image_bgr.shape[:2]
                size = (SHOWN_WIDTH_PX, max(1, round(high * SHOWN_WIDTH_PX / wide)))
                tell(stop, cv2.resize(item.image_bgr, size, interpolation=cv2.INTER_AREA))
            if now_s - measured_s > MEASURED_EVERY_S:
                find = find or _finder()
                tell(stop, _measured(item.image_bgr, find))
                measured_s = time.monotonic()
    except Exception as error:  # the one catch-all of this thread
        tell(stop, (error_sentence(error),))
    finally:
        stop.set()


def _finder() -> Callable[[ImageU8], list[Points]]:
    """Return what finds the tiles in a picture."""
    from vision.recognition.detector import TileDetector
    from vision.recognition.model_store import open_model

    finder = TileDetector(open_model("finder"))
    return lambda image: [each.quad_px for each in finder.find(image) if each.score > _CLEAR]


def _measured(image_bgr: ImageU8, find: Callable[[ImageU8], list[Points]]) -> tuple[str, ...]:
    from vision.imaging.quality import measure

    return meter_sentences(measure(image_bgr, find(image_bgr)))
