"""Pictures that tell their numbers, and a camera that never answers."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.sources.open_source import (
    Frame,
    Patience,
    Source,
    SourceNotice,
)

QUICK = Patience(opening_s=30, stall_s=0.3, first_retry_s=0.01, last_retry_s=0.04)
SLOW = Patience(opening_s=30, stall_s=30, first_retry_s=0.01, last_retry_s=0.04)
"""For what starts a process, which takes its time on a busy machine."""
SIZE_WH = (64, 48)


def picture(number: int) -> np.ndarray:
    """A picture that tells its number by its brightness."""
    return np.full((SIZE_WH[1], SIZE_WH[0], 3), 20 + 10 * number, np.uint8)


def number_in(frame: Frame) -> int:
    return round((float(frame.image_bgr.mean()) - 20) / 10)


def jpeg(number: int) -> bytes:
    return cv2.imencode(".jpg", picture(number))[1].tobytes()


def write_video(path: Path, code: str, pictures: int = 6, fps: float = 10.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), fps, SIZE_WH)
    if not writer.isOpened():
        pytest.skip(f"This OpenCV writes no {code} videos.")
    for number in range(pictures):
        writer.write(picture(number))
    writer.release()
    return path


def first(source: Source, kind: type | tuple[type, ...]) -> Frame | SourceNotice:
    """Return the first of the source's frames or notices that is of a kind."""
    return next(item for item in source if isinstance(item, kind))


@contextlib.contextmanager
def silent_listener() -> Iterator[tuple[int, threading.Event]]:
    """A port that takes connections and never answers; tells when the first has come."""
    has_come, held = threading.Event(), []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with contextlib.suppress(OSError):
                held.append(listener.accept()[0])
                has_come.set()

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield listener.getsockname()[1], has_come
        finally:
            with contextlib.suppress(OSError):
                socket.create_connection(listener.getsockname()).close()  # frees `accept` if nobody came
            thread.join()
            for connection in held:
                connection.close()
