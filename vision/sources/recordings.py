"""Video files and folders of frames, followed at their own time or played like a camera."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import cv2

from vision.errors import ImageError, SourceError
from vision.imaging.arrays import ImageU8
from vision.imaging.photo import read_photo
from vision.imaging.picture_names import is_picture_name
from vision.sources.frame import Frame, Lost, Skipped, Source, SourceNotice, check_image, check_size
from vision.sources.live_source import Broken, Ended
from vision.sources.motion_gate import is_at_rest

FOLDER_FPS = 15.0
"""Frames a second of a folder, whose pictures have no time of their own."""
HELD_S, HELD_FRAMES = 1.0, 5
"""Each photo of a folder of single photos is shown for this many seconds, as so many frames."""
SNIFFED = 12
"""So many pairs of pictures are compared to tell a film (some show the same table) from single photos."""
# FFmpeg and OpenCV would print what they think of a damaged file; the sentences of this package say it.
# FFmpeg's level is read when the first video is opened.
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

_FPS_RANGE = (0.1, 1000.0)


class Pictures(Protocol):
    """The pictures of a recording, read one by one."""

    interval_s: float
    """Usual seconds from one picture to the next."""

    def next(self) -> tuple[float, ImageU8] | None:
        """Return the next picture's seconds from the beginning, and its pixels; None after the last.

        Raises:
            ImageError: This picture cannot be read; the next one may be.
            SourceError: The recording is not there any more.
        """

    def begin_at(self, time_s: float) -> None:
        """Go on with the first picture that is not earlier than this, in seconds from the beginning."""

    def close(self) -> None:
        """Let go of the file."""


class VideoPictures:
    """The pictures of a video file."""

    def __init__(self, path: Path) -> None:
        """Open a video file.

        Raises:
            SourceError: It is no video that can be read.
            ImageError: Its pictures are tiny or huge.
        """
        name = str(path)
        # An absolute path: of another, FFmpeg may take the beginning for a protocol.
        self._capture = cv2.VideoCapture(os.path.abspath(path), cv2.CAP_FFMPEG)
        is_open = self._capture.isOpened()
        if is_open:
            width = self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)
            check_size(int(width), int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)), name)
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self.interval_s = 1 / (fps if _FPS_RANGE[0] <= fps <= _FPS_RANGE[1] else FOLDER_FPS)
        self._last_s = -self.interval_s
        self._first = self._read() if is_open else None
        if self._first is None:
            raise SourceError(
                "{name!r} is not a video that can be read. Save it as MP4, AVI or MKV.", name=name
            )

    def next(self) -> tuple[float, ImageU8] | None:
        """Return the next picture's time and pixels."""
        first, self._first = self._first, None
        return first or self._read()

    def begin_at(self, time_s: float) -> None:
        """Pass over what is earlier, without decoding it where the file allows that."""
        if time_s <= 0:
            return
        self._first, self._last_s = None, time_s - self.interval_s
        self._capture.set(cv2.CAP_PROP_POS_MSEC, time_s * 1000)
        at_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        while at_s < time_s - self.interval_s / 2 and self._capture.grab():
            at_s += self.interval_s

    def close(self) -> None:
        """Close the file."""
        self._capture.release()

    def _read(self) -> tuple[float, ImageU8] | None:
        has_come, image = self._capture.read()
        if not has_come:
            return None
        time_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        if not self._last_s < time_s < float("inf"):  # some files do not say it
            time_s = self._last_s + self.interval_s
        self._last_s = time_s
        return time_s, image  # type: ignore[return-value]  # FFmpeg gives 8 bits


class FolderPictures:
    """The pictures of a folder, sorted by name: the frames of a film, or single photos that are held."""

    def __init__(self, folder: Path) -> None:
        """List a folder, and look at its first pictures.

        Raises:
            SourceError: It cannot be listed or holds no picture.
        """
        try:
            self._paths = sorted(path for path in folder.iterdir() if is_picture_name(path))
        except OSError as error:
            raise SourceError("{name!r} cannot be opened: {reason}.", name=str(folder),
                              reason=error.strerror or "") from None  # fmt: skip
        if not self._paths:
            raise SourceError(
                "{name!r} holds no pictures. Name a folder of JPEG or PNG files.", name=str(folder)
            )
        self._folder, self._at = folder, 0
        self._times = 1 if self._is_film() else HELD_FRAMES
        self.interval_s = 1 / FOLDER_FPS if self._times == 1 else HELD_S / HELD_FRAMES
        self._held: ImageU8 | None = None

    def next(self) -> tuple[float, ImageU8] | None:
        """Return the next picture's time and pixels."""
        which, again = divmod(self._at, self._times)
        if which == len(self._paths):
            return None
        if not self._folder.is_dir():
            raise SourceError(
                "Folder {name!r} is not there any more. Bring it back, then try again.",
                name=str(self._folder),
            )
        if again == 0 or self._held is None:
            try:
                self._held = read_photo(self._paths[which]).image_bgr
                check_image(self._held, str(self._paths[which]))
            except ImageError:
                self._at += self._times - again
                raise
        self._at += 1
        return (self._at - 1) * self.interval_s, self._held

    def begin_at(self, time_s: float) -> None:
        """Pass over what is earlier."""
        self._at = min(len(self._paths) * self._times, max(0, math.ceil(time_s / self.interval_s - 0.5)))

    def close(self) -> None:
        """Pass over the pictures that are left."""
        self._at = len(self._paths) * self._times

    def _is_film(self) -> bool:
        """Whether two of the first pictures that follow each other show the same table at rest."""
        before = None
        for path in self._paths[: SNIFFED + 1]:
            try:
                now = read_photo(path).image_bgr
            except ImageError:
                continue
            if before is not None and is_at_rest(before, now):
                return True
            before = now
        return False


class Recording(Source):
    """A recording at its own time: every picture in order, as fast as they are taken."""

    is_live = False

    def __init__(self, name: str, pictures: Pictures) -> None:
        """Take an opened recording."""
        self.name = name
        self._pictures = pictures
        self._now_s = 0.0
        self._is_closed = False
        self._lock = threading.Lock()

    def now_s(self) -> float:
        """Return the time of the last picture, for in a recording no time passes without one."""
        return self._now_s

    def __iter__(self) -> Iterator[Frame | SourceNotice]:
        """Yield every picture that can be read, and a notice for every other."""
        number = 0
        while True:
            try:
                with self._lock:
                    picture = None if self._is_closed else self._pictures.next()
                if picture is None:
                    break
                check_image(picture[1], self.name)
                self._now_s = picture[0]
                yield Frame(picture[1], picture[0], number)
            except ImageError as error:
                yield Skipped(error.template, error.values, self._now_s)
            except SourceError as error:
                yield Lost(error.template, error.values, self._now_s)
                break
            number += 1
        self.close()

    def close(self) -> None:
        """Close the recording."""
        with self._lock:
            self._is_closed = True
            self._pictures.close()


class Playback:
    """A recording that is played like a camera, a connection for `vision.sources.live_source.LiveSource`."""

    def __init__(self, pictures: Pictures, begin_s: float = 0.0) -> None:
        """Take an opened recording; its clock starts with the first `read`, at `begin_s`."""
        pictures.begin_at(begin_s)
        self._pictures = pictures
        self._is_cut = threading.Event()
        self._started: float | None = None
        self._begin_s = self._due_s = begin_s

    def read(self) -> tuple[ImageU8, float | None]:
        """Return the next picture when its time has come; decoding it is part of its age."""
        if self._started is None:
            self._started = time.monotonic() - self._begin_s
        self._wait_until(self._due_s)
        self._due_s += self._pictures.interval_s
        try:
            picture = self._pictures.next()
        except SourceError as error:
            raise Broken(error.template, name=error.values["name"]) from error
        if picture is None:
            raise Ended
        time_s, image = picture
        self._wait_until(time_s)
        self._due_s = time_s + self._pictures.interval_s
        return image, time_s

    def _wait_until(self, due_s: float) -> None:
        assert self._started is not None
        if self._is_cut.wait(max(0.0, self._started + due_s - time.monotonic())):
            raise Broken("")

    def cut(self) -> None:
        """End the wait for the next picture."""
        self._is_cut.set()

    def close(self) -> None:
        """Close the recording."""
        self._pictures.close()
