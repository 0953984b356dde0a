"""Cameras, and streams that FFmpeg reads: both through `capture_program`, a process that can be killed."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.errors import ImageError
from vision.imaging.arrays import ImageU8
from vision.sources.camera_process import FAILED, HEADER, REFUSED
from vision.sources.frame import Busy, check_size, mark
from vision.sources.live_source import Broken, ConnectionNotice
from vision.sources.stream_address import Address

CAMERA_SIZE_WH = (1280, 720)
"""What a camera is asked for, in pixels: enough for 45 tiles, and the size that times are measured at."""
STREAM_TIMEOUT_MS = 10_000
"""FFmpeg's own limit, beyond the patience of a live source, for a process that was left alone."""
LASTING_NAMES = Path("/dev/v4l/by-id")
"""Where Linux names cameras by what they are, for a camera that is plugged in again under another number."""

HOLDS = ("exposure", "focus", "white_balance")
"""What a camera can hold still, in place of its automatics."""

_PROGRAM = Path(__file__).with_name("camera_process.py")
_COMMAND = (
    [sys.executable, "camera-process"]  # a bundle has no Python to start; its program knows this word
    if getattr(sys, "frozen", False)
    else [sys.executable, "-P", str(_PROGRAM)]
)
_PIPE_BYTES = 2**20
_LINUX = sys.platform.startswith("linux")


class CaptureConnection:
    """Pictures from one run of the capture program."""

    def __init__(
        self,
        name: str,
        request: dict[str, object],
        why_not: Callable[[], Broken],
        holds: tuple[str, ...] = (),
    ) -> None:
        """Prepare a run.

        Args:
            name: What the source is called.
            request: What the program gets to read first.
            why_not: Says why nothing could be opened.
            holds: The names of what the request holds still, in its order.
        """
        self._holds = holds
        self._name, self._request, self._why_not = name, request, why_not
        self._lock = threading.Lock()
        self._is_cut = self._has_given = False
        self._process: subprocess.Popen[bytes] | None = None

    def read(self) -> tuple[ImageU8, float | None]:
        """Return the next picture; it has no time of its own.

        Raises:
            Told: The camera refuses to hold something still; pictures go on coming.
            Broken: No more pictures come.
        """
        process = self._process or self._start()
        assert process.stdout is not None
        header = process.stdout.read(HEADER.size)
        if len(header) < HEADER.size:
            # A camera that another program holds can be opened, but gives no picture.
            raise Broken(_STOPPED, name=self._name) if self._has_given else self._why_not()
        kind, height, width = HEADER.unpack(header)
        if kind == REFUSED:
            raise ConnectionNotice(_REFUSED[self._holds[height]], name=self._name)
        if kind == FAILED:
            raise self._why_not()
        try:
            check_size(width, height, self._name)
        except ImageError:  # the pixels that follow would have to be read over
            raise Broken(_ODD_SIZE, name=self._name) from None
        image = np.empty((height, width, 3), np.uint8)
        if process.stdout.readinto(image.data.cast("B")) < image.nbytes:  # type: ignore[attr-defined]
            raise Broken(_STOPPED, name=self._name)
        self._has_given = True
        return image, None

    def cut(self) -> None:
        """Kill the program."""
        with self._lock:
            self._is_cut = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """Kill the program and wait until it is gone, so that the camera is free."""
        self.cut()
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.communicate()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_cut:
                raise Broken(_STOPPED, name=self._name)
            quiet = {"OPENCV_LOG_LEVEL": "SILENT", "OPENCV_FFMPEG_LOGLEVEL": "-8"}
            process = self._process = subprocess.Popen(
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | quiet,
                pipesize=_PIPE_BYTES,
                start_new_session=True,  # a Ctrl-C for the game is not one for the camera
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            # Not an argument: those can be read by every program of this computer.
            process.stdin.write(json.dumps(self._request).encode() + b"\n")
            process.stdin.flush()
        return process


def connect_stream(address: Address) -> CaptureConnection:
    """Return a connection for an address that FFmpeg reads."""
    request: dict[str, object] = {
        "target": address.text,
        "api": cv2.CAP_FFMPEG,
        "open": [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, STREAM_TIMEOUT_MS,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC, STREAM_TIMEOUT_MS,
            cv2.CAP_PROP_N_THREADS, 1,  # each more holds one frame back
        ],
        "set": [],
        "hold": [],
    }  # fmt: skip
    return CaptureConnection(address.name, request, lambda: Broken(_NO_STREAM, name=address.name))


def connect_camera(name: str, camera: int | Path, holds: tuple[str, ...] = ()) -> CaptureConnection:
    """Return a connection for a camera, by its number or device path; it holds still what is named."""
    width, height = CAMERA_SIZE_WH
    request: dict[str, object] = {
        "target": camera if isinstance(camera, int) else str(camera),
        "api": {"linux": cv2.CAP_V4L2, "win32": cv2.CAP_DSHOW}.get(sys.platform, cv2.CAP_ANY),
        "open": [],
        "set": [
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),  # raw pictures do not fit through USB 2
            (cv2.CAP_PROP_FRAME_WIDTH, width),
            (cv2.CAP_PROP_FRAME_HEIGHT, height),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ],
        "hold": [_HELD[each] for each in holds],
    }
    return CaptureConnection(name, request, lambda: _why_no_camera(name, camera), holds)


class CameraConnector:
    """Makes connections to one camera, and finds it again when it was unplugged."""

    def __init__(self, name: str, camera: int | Path, holds: tuple[str, ...] = ()) -> None:
        """Take the camera's number or device path, what it is called, and what it holds still."""
        self._name, self._holds = name, holds
        self._camera: int | Path = camera
        if _LINUX and isinstance(camera, int):
            self._camera = Path(f"/dev/video{camera}")
        self._lasting: Path | None = None

    def __call__(self) -> CaptureConnection:
        """Return a new connection."""
        self._lasting = self._lasting or _lasting_name(self._camera)
        return connect_camera(self._name, self._lasting or self._camera, self._holds)


def _lasting_name(camera: int | Path) -> Path | None:
    """Return the name that a camera keeps when it is plugged in again, where it has one."""
    if isinstance(camera, int) or not LASTING_NAMES.is_dir() or not camera.exists():
        return None
    device = camera.resolve()
    return next((link for link in sorted(LASTING_NAMES.iterdir()) if link.resolve() == device), None)


def _why_no_camera(name: str, camera: int | Path) -> Broken:
    """Return why a camera could not be opened, as far as the system says."""
    if isinstance(camera, int):
        return Broken(_NO_CAMERA, notice=Busy, name=name)
    if not camera.exists():
        return Broken(_MISSING, name=name)
    if not os.access(camera, os.R_OK | os.W_OK):
        return Broken(_FORBIDDEN, name=name)
    return Broken(_BUSY, notice=Busy, name=name)


_HELD: dict[str, tuple[int, float]] = {
    # Linux counts the ways of exposure, and 1 is by hand; elsewhere 0 ends what is automatic.
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, 1 if _LINUX else 0),
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 0),
    "white_balance": (cv2.CAP_PROP_AUTO_WB, 0),
}
_REFUSED = {
    "exposure": mark("The exposure of camera {name} cannot be fixed."),
    "focus": mark("The focus of camera {name} cannot be fixed."),
    "white_balance": mark("The white balance of camera {name} cannot be fixed."),
}
_MISSING = mark("Camera {name} was not found. Plug it in, or name another one.")
_FORBIDDEN = mark("You may not use camera {name}. Join the group that owns it, usually video.")
_BUSY = mark("Camera {name} cannot be opened. Close other programs that use it.")
_NO_CAMERA = mark("Camera {name} cannot be opened. Plug it in, and close other programs that use it.")
_STOPPED = mark("Source {name} sends no more pictures. The referee keeps trying.")
_ODD_SIZE = mark(
    "The pictures of source {name} are too small or too large. Choose another size in its settings."
)
_NO_STREAM = mark(
    "{name} cannot be opened as a video. Check the address. The camera must be switched on and in the "
    "same network."
)
