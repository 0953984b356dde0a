"""Finds out whether there is a screen for a window."""

from __future__ import annotations

import os
import subprocess
import sys

from ui.platform.qt_environment import clean_qt_environment

PROBE = "from PySide6.QtGui import QGuiApplication; QGuiApplication([])"
PROBE_TIMEOUT_S = 20
_COMMAND = (
    [sys.executable, "screen-probe"]  # a bundle has no Python to start; its program knows this word
    if getattr(sys, "frozen", False)
    else [sys.executable, "-c", PROBE]
)
WITHOUT_WINDOW = {"offscreen", "minimal", "vnc"}


def has_screen() -> bool:
    """Return whether a window can be opened here.

    Qt ends the whole process where it finds no screen, so another process tries it first.
    """
    if not sys.platform.startswith("linux"):
        return True
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if platform in WITHOUT_WINDOW:
        return False
    if not platform and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        return False
    clean_qt_environment()
    try:
        done = subprocess.run(_COMMAND, capture_output=True, timeout=PROBE_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0
