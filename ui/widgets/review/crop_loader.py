"""Cuts crops out of their photos on a thread of its own when they are needed, and keeps some of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, Signal
from PySide6.QtGui import QImage

from ui.platform.qimages import to_qimage

if TYPE_CHECKING:
    from vision.imaging.photo import Photo
    from vision.recognition.reading import Quad

CROP_PX, FACE_SHARE = 96, 0.84
MAX_CROPS, MAX_PHOTOS, MAX_DECODED, MAX_WANTED = 3000, 3, 4, 400
"""Limits: about 80 MB of crops, a few photos, and the pictures that wait."""
LARGEST_PX = 3200
"""Larger photos are scaled down to this side; each tile is still large enough."""

CropKey = tuple[int, "Quad"]
"""Number and corners of a crop. If its corners are moved, it is another crop."""
Sheet = tuple[Path, Sequence[CropKey]]
"""The file of a picture, and what to cut out of it in advance. Quads are in pixels of the file."""


class CropLoader(QObject):
    """Gives crops and photos that are loaded, and loads the others, the latest request first."""

    loaded = Signal(int)
    """A picture was read. Its crops are there now, and the photo itself if it was asked for."""

    def __init__(self, sheet: Callable[[int], Sheet], parent: QObject | None = None) -> None:
        """Begin with nothing.

        Args:
            sheet: Returns what is known of the picture of an index; called on the loader's thread.
            parent: The owner.
        """
        super().__init__(parent)
        self._sheet = sheet
        self._lock = Lock()
        self._crops: OrderedDict[CropKey, QImage] = OrderedDict()
        self._photos: OrderedDict[int, tuple[QImage, float]] = OrderedDict()
        self._wanted: OrderedDict[int, set[CropKey | None]] = OrderedDict()
        self._failed: set[int] = set()
        self._last: OrderedDict[int, Photo] = OrderedDict()
        self._busy = self._stopped = False
        self._pool = QThreadPool()
        self._pool.setMaxThreadCount(1)

    def crop(self, picture: int, key: CropKey) -> QImage | None:
        """Return a crop. If it is not loaded, return None and load it."""
        with self._lock:
            image = self._crops.get(key)
            if image is not None:
                self._crops.move_to_end(key)
                return image
        self._want(picture, key)
        return None

    def photo(self, picture: int) -> tuple[QImage, float] | None:
        """Return a photo and its scale, in pixels of the file for each pixel. None as with `crop`."""
        with self._lock:
            found = self._photos.get(picture)
            if found is not None:
                self._photos.move_to_end(picture)
                return found
        self._want(picture, None)
        return None

    def has_failed(self, picture: int) -> bool:
        """Return whether a picture cannot be read."""
        return picture in self._failed

    def kept(self) -> int:
        """Return how many crops are kept."""
        return len(self._crops)

    def is_done(self) -> bool:
        """Return whether everything that was asked for is loaded."""
        with self._lock:
            return not self._busy

    def stop(self) -> None:
        """End the thread. Nothing more is loaded."""
        with self._lock:
            self._stopped = True
            self._wanted.clear()
        self._pool.waitForDone()

    def _want(self, picture: int, key: CropKey | None) -> None:
        """Ask for a crop, or for the photo if the key is None."""
        with self._lock:
            if self._stopped or picture in self._failed:
                return
            self._wanted.setdefault(picture, set()).add(key)
            self._wanted.move_to_end(picture)
            while len(self._wanted) > MAX_WANTED:
                self._wanted.popitem(last=False)
            if self._busy:
                return
            self._busy = True
        self._pool.start(self._work)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._wanted:
                    self._busy = False
                    return
                picture, keys = self._wanted.popitem()
            self._load(picture, keys)
            if not self._stopped:
                self.loaded.emit(picture)

    def _load(self, picture: int, wanted: set[CropKey | None]) -> None:
        import numpy as np

        from vision.imaging.rectify import upright_crops

        path, others = self._sheet(picture)
        photo = self._decoded(picture, path)
        if photo is None:
            return
        keys = list({key for key in wanted if key is not None} | set(others))
        quads = [
            ((np.array(quad, np.float32) + 0.5) / photo.scale - 0.5).astype(np.float32) for _, quad in keys
        ]
        images = [to_qimage(crop) for crop in upright_crops(photo.image_bgr, quads, CROP_PX, FACE_SHARE)]
        shown = to_qimage(photo.image_bgr) if None in wanted else None
        with self._lock:
            self._crops.update(zip(keys, images, strict=True))
            while len(self._crops) > MAX_CROPS:
                self._crops.popitem(last=False)
            if shown is not None:
                self._photos[picture] = (shown, photo.scale)
                while len(self._photos) > MAX_PHOTOS:
                    self._photos.popitem(last=False)

    def _decoded(self, picture: int, path: Path) -> Photo | None:
        """Return a picture, or None if it cannot be read. The last few pictures are kept."""
        from vision.errors import VisionError
        from vision.imaging.photo import read_photo

        photo = self._last.pop(picture, None)
        try:
            self._last[picture] = photo = photo or _bounded(read_photo(path))
        except VisionError:
            self._failed.add(picture)
        while len(self._last) > MAX_DECODED:
            self._last.popitem(last=False)
        return photo


def _bounded(photo: Photo) -> Photo:
    """Return a photo, scaled down if it is too large to be kept."""
    import cv2
    import numpy as np

    high, wide = photo.image_bgr.shape[:2]
    if max(wide, high) <= LARGEST_PX:
        return photo
    share = LARGEST_PX / max(wide, high)
    size_wh = (max(1, round(wide * share)), max(1, round(high * share)))
    smaller = cv2.resize(photo.image_bgr, size_wh, interpolation=cv2.INTER_AREA)
    return replace(photo, image_bgr=smaller.astype(np.uint8, copy=False), scale=photo.scale / share)
