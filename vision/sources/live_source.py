"""A live source: a thread of its own keeps the newest frame and connects again when the pictures stop."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from vision.errors import ImageError, VisionError
from vision.imaging.arrays import ImageU8
from vision.sources.frame import Back, Frame, Lost, Skipped, Source, SourceNotice, check_image, mark

CLOSING_S = 1.8
"""A source is closed within two seconds; this much of them is left to its thread."""
_MAX_WAITING = 32
"""Notices that nobody has read yet; older ones are dropped."""
_LOOK_S = 0.05
"""How often a waiting reader looks whether the pictures stall."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a live source waits, in seconds."""

    opening_s: float = 8.0
    """For the first frame of a connection: webcams and phones take a few seconds to start."""
    stall_s: float = 3.0
    """For every other frame."""
    first_retry_s: float = 0.5
    last_retry_s: float = 8.0
    """Between two tries: the first wait, doubled until the last."""


class Broken(Exception):
    """A connection gives no more pictures; says why, as a notice does."""

    def __init__(self, template: str, *, notice: type[Lost] = Lost, **values: object) -> None:
        """Take a sentence's template and values, which hold no credentials, and the type of the notice."""
        super().__init__(template)
        self.template, self.notice, self.values = template, notice, values


class ConnectionNotice(Exception):
    """Something is to be said while pictures go on coming; says it as a notice does."""

    def __init__(self, template: str, **values: object) -> None:
        """Take a sentence's template and values, which hold no credentials."""
        super().__init__(template)
        self.template, self.values = template, values


class Ended(Exception):
    """A recording that is played like a camera is over."""


class Connection(Protocol):
    """One try to get pictures, made without touching anything; the first `read` connects."""

    def read(self) -> tuple[ImageU8, float | None]:
        """Return the next (H, W, 3) uint8 BGR picture, and its time in seconds where it has one of its own.

        Raises:
            Broken: No more pictures come.
            Told: There is something to tell; the next picture may come.
            ImageError: This picture cannot be read, but the next may be.
            Ended: The recording is over.
        """

    def cut(self) -> None:
        """End a `read` that waits, and every later one; from any thread, at once."""

    def close(self) -> None:
        """Let go of everything; from the thread that reads, after the last `read`."""


class LiveSource(Source):
    """A camera or stream, whose newest frame counts."""

    is_live = True

    def __init__(
        self,
        name: str,
        connect: Callable[[], Connection],
        patience: Patience,
        *,
        skips: bool = False,
        begin_s: float = 0.0,
    ) -> None:
        """Begin to read.

        Args:
            name: What notices call the source.
            connect: Makes a new connection.
            patience: How long to wait for what.
            skips: Whether a picture that cannot be read is worth a notice.
            begin_s: What the clock of the source shows now.
        """
        self.name = name
        self._connect, self._patience, self._skips = connect, patience, skips
        self._started = time.monotonic() - begin_s
        # Of the thread alone: how many frames have come, and the notice of an outage that goes on.
        self._number = 0
        self._lost: Lost | None = None
        self._closed = threading.Event()
        self._change = threading.Condition()
        # Below: guarded by _change.
        self._waiting: deque[Frame | SourceNotice] = deque(maxlen=_MAX_WAITING)
        self._connection: Connection | None = None
        self._due_s = 0.0
        self._has_stalled = False
        self._thread = threading.Thread(target=self._run, name="live source", daemon=True)
        self._thread.start()

    def now_s(self) -> float:
        """Return the seconds since the source was opened."""
        return time.monotonic() - self._started

    def __iter__(self) -> Iterator[Frame | SourceNotice]:
        """Yield the newest frame each time, and each notice, until `close`; waits while nothing comes."""
        while (item := self._next()) is not None:
            yield item

    def close(self) -> None:
        """End the thread; only the look-up of a host can hold it up, and then it ends by itself later."""
        self._closed.set()
        with self._change:
            self._waiting.clear()
            if self._connection is not None:
                self._connection.cut()
            self._change.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(CLOSING_S)

    def _next(self) -> Frame | SourceNotice | None:
        with self._change:
            while not self._closed.is_set():
                if self._waiting:
                    return self._waiting.popleft()
                if not self._thread.is_alive():
                    return None
                if self._connection is not None and self.now_s() > self._due_s and not self._has_stalled:
                    self._has_stalled = True
                    self._connection.cut()
                self._change.wait(_LOOK_S)
        return None

    def _run(self) -> None:
        """Connect, read until the pictures stop, say so, wait, and begin again."""
        retry_s = self._patience.first_retry_s
        while not self._closed.is_set():
            began_s, frames_before = self.now_s(), self._number
            reason = self._read_until_the_end()
            if reason is None or self._closed.is_set():
                return
            has_read = self._number > frames_before
            if self._has_stalled:
                seconds = self._patience.stall_s if has_read else self._patience.opening_s
                reason = Broken(_STALLED, name=self.name, seconds=f"{seconds:g}")
            self._lost = self._lose(reason, self._lost)
            if self.now_s() - began_s > self._patience.last_retry_s and has_read:
                retry_s = self._patience.first_retry_s
            self._closed.wait(retry_s)
            retry_s = min(2 * retry_s, self._patience.last_retry_s)

    def _read_until_the_end(self) -> Broken | None:
        """Connect, and show what comes; return why no more comes, or None after the end of a recording."""
        connection: Connection | None = None
        try:
            connection = self._begin()
            while True:
                self._read_one(connection)
        except Ended:
            return None
        except Broken as broken:
            return broken
        except Exception as error:  # the one catch-all of this thread: the source must come back
            return Broken(_FAILED, name=self.name, reason=_words(error))
        finally:
            if connection is not None:
                connection.close()

    def _read_one(self, connection: Connection) -> None:
        """Show the next picture of a connection, or say what is wrong with it."""
        try:
            image, time_s = connection.read()
            check_image(image, self.name)
        except ConnectionNotice as remark:
            self._say(SourceNotice(remark.template, remark.values, self.now_s()))
            return
        except ImageError as error:
            if self._skips:
                self._say(Skipped(error.template, error.values, self.now_s()))
            return
        if self._lost is not None:
            self._say(self._back_after(self._lost))
            self._lost = None
        self._show(Frame(image, self.now_s() if time_s is None else time_s, self._number))
        self._number += 1

    def _begin(self) -> Connection:
        """Return a new connection, which `close` cuts from now on."""
        connection = self._connect()
        with self._change:
            self._connection, self._has_stalled = connection, False
            self._due_s = self.now_s() + self._patience.opening_s
            if self._closed.is_set():
                connection.cut()
        return connection

    def _show(self, frame: Frame) -> None:
        """Let a frame take the place of one that nobody has taken yet."""
        with self._change:
            self._due_s = self.now_s() + self._patience.stall_s
            for item in self._waiting:
                if isinstance(item, Frame):
                    self._waiting.remove(item)
                    break
            self._waiting.append(frame)
            self._change.notify_all()

    def _say(self, notice: SourceNotice) -> None:
        with self._change:
            self._waiting.append(notice)
            self._change.notify_all()

    def _lose(self, reason: Broken, lost: Lost | None) -> Lost:
        """Say why no pictures come, unless just that was said before; return the notice of the outage."""
        with self._change:
            self._connection = None
        notice = reason.notice(reason.template, reason.values, lost.time_s if lost else self.now_s())
        if lost is None or (lost.template, lost.values) != (notice.template, notice.values):
            self._say(notice)
        return notice

    def _back_after(self, lost: Lost) -> Back:
        now_s = self.now_s()
        return Back(_BACK, {"name": self.name, "seconds": max(1, round(now_s - lost.time_s))}, now_s)


def _words(error: Exception) -> str:
    """Return what kind of failure it was; its own words may hold an address."""
    return str(error) if isinstance(error, VisionError) else type(error).__name__


_STALLED = mark("Source {name} has sent no picture for {seconds} s. The referee keeps trying.")
_BACK = mark("Source {name} sends pictures again, after {seconds} s.")
_FAILED = mark("The pictures of source {name} cannot be read ({reason}). The referee keeps trying.")
