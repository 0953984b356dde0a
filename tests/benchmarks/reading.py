"""How long reading a photo takes, stage by stage: `python -m tests.benchmarks.reading PHOTO…`.

Prints the median and the 95th percentile of repeated readings with the models loaded, then the time from
process start to verdict and the memory of such a process, each the median of five runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from vision.imaging.photo import read_photo
from vision.recognition.reader import TileReader

WARM_UP, REPEATS, STARTS = 5, 60, 5


def time_ms(work: Callable[[], object]) -> float:
    """Return the milliseconds that `work` took."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1e3


def report(name: str, values: list[float]) -> None:
    """Print one line of the table."""
    middle, late = np.median(values), np.percentile(values, 95)
    print(f"  {name:<12}{middle:>9.1f} ms median{late:>9.1f} ms at the 95th percentile")


def start_to_verdict(photo: Path) -> tuple[float, float]:
    """Return seconds and megabytes of a process that checks one photo."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "ui", "check", str(photo)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"check failed on {photo}")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def main() -> None:
    """Measure the photos named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", nargs="+", type=Path)
    reader = TileReader.open()
    for path in parser.parse_args().photo:
        photo = read_photo(path)
        high, wide = photo.image_bgr.shape[:2]
        readings = [reader.read(photo.image_bgr) for _ in range(WARM_UP + REPEATS)][WARM_UP:]
        print(f"{path.name}: {wide} x {high}, {len(readings[0].tiles)} tiles, {REPEATS} readings")
        report("load photo", [time_ms(partial(read_photo, path)) for _ in range(15)])
        for stage in readings[0].timings_ms:
            report(stage, [reading.timings_ms[stage] for reading in readings])
        starts = [start_to_verdict(path) for _ in range(STARTS)]
        seconds, megabytes = (float(np.median(column)) for column in zip(*starts, strict=True))
        print(f"  process start to verdict {seconds:.2f} s, memory {megabytes:.0f} MB (medians of {STARTS})")


if __name__ == "__main__":
    main()
