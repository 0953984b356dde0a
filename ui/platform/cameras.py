"""Which cameras are plugged in, by name, and when that changes."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, QObject, QTimer, Signal

if TYPE_CHECKING:
    from PySide6.QtMultimedia import QMediaDevices

DEVICES = Path("/dev")
KERNELS_LIST = Path("/sys/class/video4linux")
SETTLING_MS = 400
"""A new camera appears as several devices, some time before it can be opened. So wait this long."""
MAX_CAMERAS = 20
MAX_NAME = 80


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that is plugged in."""

    name: str
    """What people call it. The second of two equal cameras has a number."""
    source: str
    """What `vision.sources.open_source.open_source` takes."""


class CameraList(QObject):
    """The cameras of this computer; follows plugging and unplugging from `start` on.

    Linux is asked itself, which needs no library and tells each camera's very device. Elsewhere Qt's
    multimedia part is asked, and where that is missing there are no cameras by name.
    """

    changed = Signal(tuple)
    """The cameras there are now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cameras: tuple[Camera, ...] = ()
        self._watcher: QFileSystemWatcher | None = None
        self._qt: QMediaDevices | None = None
        self._timer = QTimer(self, singleShot=True, interval=SETTLING_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Look now, and again whenever something is plugged in or out."""
        if sys.platform.startswith("linux"):
            self._watcher = QFileSystemWatcher([str(DEVICES)], self)
            self._watcher.directoryChanged.connect(lambda _: self._timer.start())
        else:
            try:
                from PySide6.QtMultimedia import QMediaDevices
            except ImportError:
                return
            self._qt = QMediaDevices(self)
            self._qt.videoInputsChanged.connect(self._timer.start)
        self.look()

    def cameras(self) -> tuple[Camera, ...]:
        """Return the cameras as they were last seen."""
        return self._cameras

    def look(self) -> None:
        """Look now, and emit `changed` if something has changed."""
        if self._qt is not None:
            names = [(device.description(), str(at)) for at, device in enumerate(self._qt.videoInputs())]
            found = named_apart(names)
        else:
            found = linux_cameras(KERNELS_LIST, DEVICES)
        if found != self._cameras:
            self._cameras = found
            self.changed.emit(found)


def plugged_in() -> tuple[Camera, ...]:
    """Return the cameras there are now, for a program that need not have a window."""
    if sys.platform.startswith("linux"):
        return linux_cameras(KERNELS_LIST, DEVICES)
    application = QCoreApplication.instance() or QCoreApplication(["pyramid-referee"])
    cameras = CameraList(application)
    cameras.start()
    return cameras.cameras()


def linux_cameras(kernels_list: Path, devices: Path) -> tuple[Camera, ...]:
    """Return the cameras that the kernel knows. Of a camera's devices, only the one that gives pictures.

    Args:
        kernels_list: /sys/class/video4linux, or what takes its place.
        devices: /dev, or what takes its place.
    """
    found = []
    try:
        entries = sorted(kernels_list.iterdir(), key=lambda entry: (len(entry.name), entry.name))
    except OSError:
        return ()
    for entry in entries:
        device = devices / entry.name
        if not entry.name.startswith("video") or _first_line(entry / "index") not in ("", "0"):
            continue
        if os.access(device, os.F_OK):
            found.append((_first_line(entry / "name") or entry.name, str(device)))
    return named_apart(found)


def named_apart(found: list[tuple[str, str]]) -> tuple[Camera, ...]:
    """Return cameras for pairs of name and source. Every name is used once."""
    seen: Counter[str] = Counter()
    cameras = []
    for name, source in found[:MAX_CAMERAS]:
        name = tidy(name)
        seen[name] += 1
        cameras.append(Camera(f"{name} ({seen[name]})" if seen[name] > 1 else name, source))
    return tuple(cameras)


def tidy(name: str) -> str:
    """Return a camera's name for people: printable, short, and without the repetition of some drivers."""
    name = "".join(letter if letter.isprintable() else " " for letter in name).strip()
    first, colon, second = name.partition(": ")
    if colon and (first.startswith(second) or second.startswith(first)):
        name = max(first, second, key=len)
    return name[:MAX_NAME]


def _first_line(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(1000).strip()
    except OSError:
        return ""
