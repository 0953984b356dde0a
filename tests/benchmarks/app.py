"""How smooth the app is: `python -m tests.benchmarks.app [MINUTES]`.

Starts the app's own process and measures the time to its first frame; then drives the real window in this
process on a video of 30 frames a second that is read as `watch` reads it, and prints

- start: from the start of the process to the first frame that shows the start page;
- the longest times for which the event loop did not answer, asked every 5 ms, while the game is followed,
  and how much of that was work of the window's own thread: on a busy machine the rest is other processes;
- the memory of the process at the end, after MINUTES (1 where left out) of the game.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYRAMID_REFEREE_DATA"] = tempfile.mkdtemp(prefix="pyramid-referee-")

import cv2
import numpy as np

STARTS = 5
FPS, SIGMA = 30, 4.0
TABLE_FRAMES, HAND_FRAMES = 60, 15
PROBE_S = 0.005
FIRST_FRAME = """
import sys, time
from PySide6.QtCore import QTimer
from ui.app import main as app
from ui.app import main_window
painted = main_window.MainWindow.paintEvent
def paint(self, event):
    painted(self, event)
    QTimer.singleShot(0, lambda: (print(time.monotonic(), flush=True), self.close()))
main_window.MainWindow.paintEvent = paint
app.run_app()
"""


def measure_start() -> list[float]:
    """Return the seconds from a process's start to its window's first frame."""
    found = []
    for _ in range(STARTS):
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", FIRST_FRAME], capture_output=True, text=True, timeout=60, check=True
        )
        found.append(float(done.stdout.split()[0]) - began)
    return found


def write_video(path: Path, seconds: float) -> None:
    """Write the sample game as a noisy video of 30 frames a second, over and over until it is long enough."""
    from ui.services.sample_source import FOLDER

    rng = np.random.default_rng(1)
    noise = np.round(rng.normal(0, SIGMA, (720, 2 * 1280, 3))).astype(np.int16)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (1280, 720))
    left = int(seconds * FPS)
    while left > 0:
        for picture in sorted(FOLDER.glob("*.jpg")):
            image = cv2.resize(cv2.imread(str(picture)), (1280, 720))
            for _ in range(HAND_FRAMES if picture.stem.endswith("-hand") else TABLE_FRAMES):
                x = rng.integers(1280)
                writer.write(np.clip(image + noise[:, x : x + 1280], 0, 255).astype(np.uint8))
                left -= 1
    writer.release()


def memory_mb() -> float:
    """Return what the process holds now, in MB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def follow(video: Path, seconds: float) -> None:
    """Follow a video in the real window, and print how the event loop did."""
    from PySide6.QtWidgets import QApplication

    from ui.app.game_controller import AppGames
    from ui.app.main_window import MainWindow
    from ui.app.navigation import AppPages
    from ui.storage.preferences import Settings
    from ui.viewmodels.requests import GameRequest, PlayerRequest, SourceKind, SourceRequest

    application = QApplication([])
    application.setStyle("Fusion")
    window = MainWindow(Settings())
    pages = AppPages(window, Settings())
    games = AppGames(window, pages)
    window.resize(1440, 900)
    window.show()
    shown = 0

    def count() -> None:
        nonlocal shown
        shown += 1

    players = tuple(PlayerRequest(name, "#3E8FC4") for name in ("Anna", "Bruno", "Chloé"))
    games.begin(GameRequest(players, source=SourceRequest(SourceKind.RECORDING, str(video), "video")))
    assert games.worker is not None
    games.worker.pictured.connect(count)
    gaps: list[float] = []
    own: list[float] = []
    began = last = time.perf_counter()
    own_last = time.thread_time()
    while time.perf_counter() - began < seconds:
        application.processEvents()
        now = time.perf_counter()
        gaps.append(now - last)
        own.append(time.thread_time() - own_last)
        time.sleep(PROBE_S)
        last, own_last = time.perf_counter(), time.thread_time()
    view = games.page.view
    turns = 0 if view is None else len(view.turns)
    gaps_ms = np.array(gaps) * 1e3
    print(f"  {turns} turns followed, {shown / seconds:.1f} pictures shown a second")
    print(f"  event loop busy, ms: 99 % {np.percentile(gaps_ms, 99):.1f}, most {gaps_ms.max():.1f} (goal 50)")
    print(f"  of that its own work, ms: most {max(own) * 1e3:.1f}; the rest it waited for a processor")
    print(f"  memory: {memory_mb():.0f} MB after {seconds / 60:.1f} minutes (goal 600)")
    games.close()
    window.close()
    pages.stop()


def main() -> None:
    """Print the figures."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    starts = measure_start()
    print(f"  start to first frame, s: median {np.median(starts):.2f}, most {max(starts):.2f} (goal 2.5)")
    with tempfile.TemporaryDirectory() as folder:
        video = Path(folder) / "game.avi"
        write_video(video, minutes * 60 + 5)
        follow(video, minutes * 60)


if __name__ == "__main__":
    main()
