"""A screen that nobody sees, for whole programs with windows."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

XVFB = shutil.which("Xvfb")


@contextmanager
def virtual_screen() -> Iterator[str]:
    """Yield the name of a new screen, for DISPLAY; it is gone afterwards."""
    assert XVFB is not None, "Xvfb is missing; `make test` installs it where it may."
    read, write = os.pipe()
    screen = subprocess.Popen(
        [XVFB, "-displayfd", str(write), "-screen", "0", "1440x900x24", "-nolisten", "tcp"],
        pass_fds=[write], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    try:
        with os.fdopen(read) as told:
            yield f":{told.readline().strip()}"
    finally:
        screen.terminate()
        screen.wait()
