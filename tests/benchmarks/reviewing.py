"""How soon a large data set is open, and how it scrolls: `python -m tests.benchmarks.reviewing [COUNT]`.

Makes a data set of so many crops (10,000 where left out; 14 in each photo of 1280 x 720, the samples over
and over), opens it in the real window (1440 x 900, offscreen), scrolls from top to bottom, and confirms. The
operating system has the files in memory. Times are those of the window's thread, from wish to painted.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from tests.places import SAMPLES

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ui.app.main_window import MainWindow
from ui.app.navigation import AppPages
from ui.app.own_tiles_controller import REVIEW
from ui.storage.preferences import Settings
from vision.dataset.capture import LabelProposer, add_photo
from vision.dataset.review import open_review

PER_PHOTO, STEPS = 14, 300


def write_data_set(folder: Path, count: int) -> None:
    """Write photos with proposed labels, `PER_PHOTO` each."""
    proposer, kinds = LabelProposer(), []
    for photo in sorted(SAMPLES.glob("*.jpg")):
        gathered = add_photo(photo, folder.parent, proposer)
        content = json.loads(gathered.path.with_suffix(".json").read_text())
        kinds.append((photo.read_bytes(), {**content, "layout": "-"}, content["tiles"]))
    left = count
    for number, (data, content, tiles) in enumerate(islice(cycle(kinds), -(-count // PER_PHOTO))):
        name = f"{number:06}.jpg"
        (folder / name).write_bytes(data)
        mine = list(islice(cycle(tiles), min(left, PER_PHOTO)))
        left -= len(mine)
        labels = [
            {**tile, "confidence": 1 - (number * 31 + at * 7) % 1000 / 1000} for at, tile in enumerate(mine)
        ]
        (folder / f"{number:06}.json").write_text(json.dumps({**content, "image": name, "tiles": labels}))


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=10_000)
    count = parser.parse_args().count
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "set"
        folder.mkdir()
        os.environ["PYRAMID_REFEREE_DATA"] = name
        write_data_set(folder, count)
        measure(folder)


def measure(folder: Path) -> None:
    """Open, scroll and confirm, and print how long it took."""
    application = QApplication.instance() or QApplication([])
    window = MainWindow(Settings())
    pages = AppPages(window, Settings())
    window.resize(1440, 900)
    window.show()
    application.processEvents()
    page, started = pages.own_tiles.page, time.perf_counter()
    review = open_review(folder)
    read = time.perf_counter() - started
    page.show_review(review)
    window.show_page(REVIEW)
    application.processEvents()
    painted = time.perf_counter() - started
    grid = page.grid
    while not _is_filled(grid):
        application.processEvents()
    filled = time.perf_counter() - started
    print(
        f"{review.size} crops: label files read after {read:.2f} s, painted after {painted:.2f} s, "
        f"the first {_visible(grid)} crops there after {filled:.2f} s"
    )
    bar = grid.verticalScrollBar()
    times = []
    for step in range(STEPS):
        started = time.perf_counter()
        bar.setValue(round(bar.maximum() * (step + 1) / STEPS))
        grid.viewport().repaint()
        application.processEvents()
        times.append((time.perf_counter() - started) * 1e3)
    started = time.perf_counter()
    while not _is_filled(grid):
        application.processEvents()
    print(
        f"{STEPS} steps from top to bottom: median {statistics.median(times):.1f} ms, 95th percentile "
        f"{sorted(times)[int(0.95 * STEPS)]:.1f} ms, worst {max(times):.1f} ms; crops there "
        f"{time.perf_counter() - started:.2f} s after the last; kept: {grid.loader.kept()}"
    )
    grid.go_to(0)
    application.processEvents()
    times = []
    for _ in range(30):
        started = time.perf_counter()
        QTest.keyClick(grid, Qt.Key.Key_Return)
        application.processEvents()
        times.append((time.perf_counter() - started) * 1e3)
    print(f"confirm and next: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms")
    started = time.perf_counter()
    page.confirm_all.click()
    application.processEvents()
    print(f"confirm all that remain: {time.perf_counter() - started:.2f} s")
    print(f"largest memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    window.close()
    pages.stop()


def _rows(grid: object) -> list[int]:
    from ui.widgets.review.crop_grid import CropGrid

    assert isinstance(grid, CropGrid)
    view = grid.viewport().rect()
    shown = [
        row
        for row in range(len(grid.crops.numbers))
        if view.intersects(grid.visualRect(grid.crops.index(row)))
    ]
    return shown


def _visible(grid: object) -> int:
    return len(_rows(grid))


def _is_filled(grid: object) -> bool:
    """Return whether every crop in sight is there."""
    from ui.widgets.review.crop_grid import CropGrid

    assert isinstance(grid, CropGrid)
    review = grid.crops.review
    assert review is not None
    crops = [review.crop(grid.crops.numbers[row]) for row in _rows(grid)]
    return all(
        grid.loader.crop(crop.picture, (crop.number, crop.label.quad_px)) is not None for crop in crops
    )


if __name__ == "__main__":
    main()
