"""A camera that sends its pictures by itself: whoever receives them puts them here, and the newest counts."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from vision.errors import ImageError
from vision.imaging.arrays import ImageU8
from vision.imaging.header import read_header
from vision.imaging.photo import decode_photo
from vision.sources.frame import Source, mark
from vision.sources.live_source import Broken, LiveSource, Patience

MAX_BYTES = 8 * 2**20
MAX_MEGAPIXELS = 20
"""A picture that is pushed is refused above these, before it is decoded."""
HELD_FOR_S = 1.5
"""A single photo is a table at rest: it is shown for as long as a table needs to settle, and looked at."""
HELD_FRAMES_A_SECOND = 10.0
HELD_EVERY_S = 1.0
"""How often it is shown after that, as a camera over a table that lies still would show it."""
PATIENCE = Patience(opening_s=float("inf"), stall_s=3.0, first_retry_s=0.1, last_retry_s=0.2)
"""Somebody must first scan a code and allow the camera, which takes as long as it takes."""


@dataclass(frozen=True, slots=True)
class _Pushed:
    """One picture that came."""

    number: int
    data: bytes
    is_photo: bool


class PushedPictures:
    """Where pictures arrive, from any thread, and where any number of sources take them."""

    def __init__(self, name: str) -> None:
        """Begin without a picture; `name` is what notices call the source."""
        self.name = name
        self._change = threading.Condition()
        self._newest: _Pushed | None = None
        self._count = 0

    @property
    def count(self) -> int:
        """How many pictures have come."""
        return self._count

    def put(self, data: bytes, *, is_photo: bool = False) -> None:
        """Let a picture take the place of the one before, which may never have been taken.

        Args:
            data: A JPEG, or for a photo any picture that can be read.
            is_photo: Whether it is a photo of a table at rest, which stays until the next one comes.

        Raises:
            ImageError: It is too large, or no picture; it was not decoded to find that out.
        """
        _check(data, self.name)
        with self._change:
            self._count += 1
            self._newest = _Pushed(self._count, data, is_photo)
            self._change.notify_all()

    def forget(self) -> None:
        """Forget the newest picture: what it shows is no longer so."""
        with self._change:
            self._newest = None

    def open_source(self) -> Source:
        """Return a source of what comes from now on, and of the photo that holds."""
        return LiveSource(self.name, lambda: _PushedConnection(self), PATIENCE)

    def known(self) -> int:
        """Return the number of the last picture that is old: of a film every one, but a photo still holds."""
        with self._change:
            holds = self._newest is not None and self._newest.is_photo
            return self._count - 1 if holds else self._count

    def wait_newer(self, than: int, timeout_s: float | None, cut: threading.Event) -> _Pushed | None:
        """Return a picture with a higher number; None after the timeout, or once `cut` is set."""
        with self._change:
            self._change.wait_for(
                lambda: cut.is_set() or (self._newest is not None and self._newest.number > than), timeout_s
            )
            newest = self._newest
        return None if cut.is_set() or newest is None or newest.number <= than else newest

    def wake(self) -> None:
        """Let everybody who waits look again."""
        with self._change:
            self._change.notify_all()


class _PushedConnection:
    """Takes what is pushed for as long as it comes."""

    def __init__(self, pictures: PushedPictures) -> None:
        self._pictures = pictures
        self._is_cut = threading.Event()
        self._seen = pictures.known()
        self._photo: ImageU8 | None = None
        self._photo_since_s = 0.0

    def read(self) -> tuple[ImageU8, float | None]:
        """Return the next picture; of a photo, a copy as often as a camera would show it."""
        wait_s = None
        if self._photo is not None:
            is_new = time.monotonic() - self._photo_since_s < HELD_FOR_S
            wait_s = 1 / HELD_FRAMES_A_SECOND if is_new else HELD_EVERY_S
        pushed = self._pictures.wait_newer(self._seen, wait_s, self._is_cut)
        if self._is_cut.is_set():
            raise Broken(_ENDED, name=self._pictures.name)
        if pushed is None:
            assert self._photo is not None  # or there is no timeout
            return self._photo.copy(), None
        self._seen = pushed.number
        image = decode_photo(pushed.data, self._pictures.name).image_bgr
        self._photo = image if pushed.is_photo else None
        self._photo_since_s = time.monotonic()
        return (image.copy() if pushed.is_photo else image), None

    def cut(self) -> None:
        """End a `read` that waits, and every later one."""
        self._is_cut.set()
        self._pictures.wake()

    def close(self) -> None:
        """Let go of the photo."""
        self._photo = None


def _check(data: bytes, name: str) -> None:
    """Check a picture that a stranger sent, by its bytes and its header alone."""
    if len(data) > MAX_BYTES:
        raise ImageError(
            "{name!r} is larger than {limit} MB. Save the picture smaller.",
            name=name,
            limit=MAX_BYTES // 2**20,
        )
    header = read_header(data)
    if header is None:
        raise ImageError("{name!r} sent something that is no picture.", name=name)
    width, height = header.stored_size_wh
    if width * height > MAX_MEGAPIXELS * 1_000_000:
        raise ImageError(
            "{name!r} sent a picture of more than {limit} megapixels. Choose a smaller one.",
            name=name,
            limit=MAX_MEGAPIXELS,
        )


_ENDED = mark("{name} has ended the connection. The referee keeps trying.")
