"""How long the app takes to its first window, and to the sample game, for several programs in turn.

    python -m tests.installed.first_window build/bundle/dist/pyramid-referee/pyramid-referee [--times 9]

Compares with this checkout. They take turns, because other work on the machine would else fall on one of
them; what counts is the ratio of the medians. A window counts as there when the app listens for later starts,
which it does as soon as it has shown its window. The sample game is then asked for at once, as if somebody
had pressed its button; it plays when its first turn is stored, which comes before it is shown. The last line
is the time that processors worked for it until then: on a busy machine the others say more about the machine.
Needs Linux and Xvfb.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.ui.virtual_screen import virtual_screen
from ui.app.single_window import socket_name

WAIT_S = 120
PAUSE_S = 0.005
STEPS = ("window", "game opened", "first turn", "worked until then")


@contextmanager
def started(program: list[str], display: str, folder: str) -> Iterator[subprocess.Popen[bytes]]:
    """Yield the running app, which keeps all that it writes in this folder."""
    told = {"DISPLAY": display, "TMPDIR": folder, "PYRAMID_REFEREE_DATA": folder}
    environment = {**os.environ, **told}
    environment.pop("QT_QPA_PLATFORM", None)
    app = subprocess.Popen(program, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield app
    finally:
        app.kill()
        app.wait()


def times_s(program: list[str], display: str) -> tuple[float, ...]:
    """Return the seconds from the start of this program to each of the steps."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYRAMID_REFEREE_DATA"] = folder  # the name of the socket has it inside
        there = Path(folder) / socket_name()
        began = time.perf_counter()
        with started(program, display, folder) as app:

            def wait_for(holds: Callable[[], bool]) -> float:
                while not holds():
                    if app.poll() is not None or time.perf_counter() - began > WAIT_S:
                        raise SystemExit(f"{program[0]} showed no window, or no sample game.")
                    time.sleep(PAUSE_S)
                return time.perf_counter() - began

            window_s = wait_for(lambda: ask_for_the_sample_game(there))
            opened_s = wait_for(lambda: entries(Path(folder)) is not None)
            turn_s = wait_for(lambda: (entries(Path(folder)) or 0) > 0)
            return window_s, opened_s, turn_s, worked_s(app.pid)


def worked_s(process: int) -> float:
    """Return the seconds that processors worked for a process, and for those of its own that have ended."""
    told = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, told[11:15])) / os.sysconf("SC_CLK_TCK")


def ask_for_the_sample_game(there: Path) -> bool:
    """Return whether the app listens already; if so, it was asked."""
    with socket.socket(socket.AF_UNIX) as knock:
        if knock.connect_ex(str(there)) != 0:
            return False
        knock.sendall(json.dumps({"demo": True}).encode() + b"\n")
        knock.recv(1)
        return True


def entries(folder: Path) -> int | None:
    """Return how many entries the sample game has stored; None where there is no such game."""
    for base in folder.glob("pyramid-referee-*/sample.sqlite3"):
        with closing(sqlite3.connect(f"file:{base}?mode=ro", uri=True)) as store:
            try:
                return int(store.execute("SELECT count(*) FROM entry").fetchone()[0])
            except sqlite3.Error:  # just being made
                return None
    return None


def main() -> None:
    """Measure, and print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("program", type=Path)
    parser.add_argument("--times", type=int, default=9)
    args = parser.parse_args()
    programs = {"checkout": [sys.executable, "-m", "ui"], "bundle": [str(args.program.absolute())]}
    times: dict[str, list[tuple[float, ...]]] = {name: [] for name in programs}
    with virtual_screen() as display:
        for _ in range(args.times):
            for name, program in programs.items():
                times[name].append(times_s(program, display))
    for number, step in enumerate(STEPS):
        medians = {}
        for name, each in times.items():
            all_s = [one[number] for one in each]
            medians[name] = statistics.median(all_s)
            print(f"{step}, {name}: median {medians[name]:.2f} s ({' '.join(f'{one:.2f}' for one in all_s)})")
        print(f"{step}, bundle / checkout: {medians['bundle'] / medians['checkout']:.2f}", flush=True)


if __name__ == "__main__":
    main()
