"""How many photos `capture` takes a second: `python -m tests.benchmarks.capturing [COUNT]`.

Makes so many copies of the shipped samples (1280 x 720), each with a comment of its own, and captures them
with one process and with all cores, turn by turn; then once more, when all of them are there already.
Start-up is part of each time.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from tests.places import SAMPLES
from ui.cli.batch import worker_count

ROUNDS = 2


def write_copies(folder: Path, count: int) -> None:
    """Write `count` samples, no two files alike."""
    folder.mkdir()
    samples = [path.read_bytes() for path in sorted(SAMPLES.glob("*.jpg"))]
    for number, data in enumerate(islice(cycle(samples), count)):
        comment = b"\xff\xfe\x00\x0a%08d" % number
        (folder / f"{number:06}.jpg").write_bytes(data[:2] + comment + data[2:])


def capture(photos: Path, to: Path, workers: int) -> tuple[float, float]:
    """Return the seconds that one run of the command took, and those of the processor, all cores together."""
    command = [sys.executable, "-m", "ui", "capture", str(photos), "--to", str(to), "--workers", str(workers)]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    passed, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return passed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=300)
    count = parser.parse_args().count
    cores = worker_count(count, None)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        write_copies(root / "photos", count)
        for number in range(ROUNDS):
            alone, alone_cpu = capture(root / "photos", root / f"one-{number}", 1)
            together, together_cpu = capture(root / "photos", root / f"all-{number}", cores)
            print(
                f"{count} photos: one process {count / alone:.1f} a second ({alone_cpu / count * 1e3:.0f} ms "
                f"of processor time each), {cores} processes {count / together:.1f} a second "
                f"({together_cpu / count * 1e3:.0f} ms): {alone / together:.2f} times as many",
                flush=True,
            )
        again, _ = capture(root / "photos", root / "all-0", cores)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"once more, all there already: {again:.1f} s; largest process {largest / 1024:.0f} MB")


if __name__ == "__main__":
    main()
