"""Keeps OpenCV's own Qt away from ours.

The opencv-python wheel carries Qt plug-ins of its own and, when imported on Linux, points two variables of
the environment to them. A PySide6 app that sees these finds plug-ins of another Qt and ends at start, so they
are put back to what the user had before an application is made, whichever was imported first.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path, PurePath

OVERWRITTEN_BY_OPENCV = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")

_AT_PROCESS_START = Path("/proc/self/environ")


def clean_qt_environment() -> None:
    """Give the variables that OpenCV overwrote their earlier values, or remove them."""
    for name in OVERWRITTEN_BY_OPENCV:
        value = os.environ.get(name)
        if value is None or not _is_opencvs(value):
            continue
        users = _value_at_process_start(name)
        if users is None or _is_opencvs(users):  # the latter where a process that has cv2 started this one
            del os.environ[name]
        else:
            os.environ[name] = users


def _is_opencvs(value: str) -> bool:
    parts = PurePath(value).parts
    return ("cv2", "qt") in pairwise(parts)


def _value_at_process_start(name: str) -> str | None:
    """Return the value at the start of the process, which no import can change."""
    try:
        entries = _AT_PROCESS_START.read_bytes().split(b"\0")
    except OSError:
        return None  # only Linux has it, and only there does OpenCV overwrite anything
    prefix = os.fsencode(name) + b"="
    return next((os.fsdecode(entry[len(prefix) :]) for entry in entries if entry.startswith(prefix)), None)
