"""How long the app takes from its start to its first window, for several programs in turn.

    python -m tests.installed.first_window build/bundle/dist/pyramid-referee/pyramid-referee [--times 9]

Compares with this checkout. They take turns, because other work on the machine would else fall on one of
them; what counts is the ratio of the medians. A window counts as there when the app listens for later starts,
which it does as soon as it has shown its window. Needs Xvfb.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QDir

from tests.ui.virtual_screen import virtual_screen
from ui.app.single_window import socket_name

WAIT_S = 120
PAUSE_S = 0.005


def first_window_s(program: list[str], display: str) -> float:
    """Return the seconds until this program has shown its window."""
    with tempfile.TemporaryDirectory() as data:
        os.environ["PYRAMID_REFEREE_DATA"] = data
        there = Path(QDir.tempPath()) / socket_name()
        environment = {**os.environ, "DISPLAY": display}
        environment.pop("QT_QPA_PLATFORM", None)
        began = time.perf_counter()
        app = subprocess.Popen(program, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not _listens(there):
                if app.poll() is not None or time.perf_counter() - began > WAIT_S:
                    raise SystemExit(f"{program[0]} showed no window.")
                time.sleep(PAUSE_S)
            return time.perf_counter() - began
        finally:
            app.kill()
            app.wait()


def _listens(there: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as knock:
        return knock.connect_ex(str(there)) == 0


def main() -> None:
    """Measure, and print medians and ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("program", type=Path)
    parser.add_argument("--times", type=int, default=9)
    args = parser.parse_args()
    programs = {"checkout": [sys.executable, "-m", "ui"], "bundle": [str(args.program.absolute())]}
    times: dict[str, list[float]] = {name: [] for name in programs}
    with virtual_screen() as display:
        for _ in range(args.times):
            for name, program in programs.items():
                times[name].append(first_window_s(program, display))
    medians = {name: statistics.median(each) for name, each in times.items()}
    for name, each in times.items():
        shown = " ".join(f"{one:.2f}" for one in each)
        print(f"{name}: median {medians[name]:.2f} s ({shown})")
    print(f"bundle / checkout: {medians['bundle'] / medians['checkout']:.2f}")


if __name__ == "__main__":
    main()
