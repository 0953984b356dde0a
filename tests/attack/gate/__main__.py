"""Attacks the product, and prints what got through: `make attack`, or

    python -m tests.attack.gate [--minutes 15] [--seed 1] [--kind NAME] [--share 1.0]

Each case is laid out anew from its seed, so that a fault comes again. Cases run in processes that are kept
for many of them; a case that hangs, or that its process does not survive, is a fault, and a fresh process
goes on. Where the time is over, it says how many cases were not tried. The exit status is 1 where anything
got through.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, deque
from multiprocessing.connection import wait

from tests.attack.gate.attacks import COUNTS, RECYCLED, Worker, attacks


def main() -> int:
    """Run the attacks for as long as the command line allows, and print what got through."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the cases that are made at random")
    parser.add_argument("--kind", choices=COUNTS, help="this kind alone")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    chosen = list(attacks(asked.seed, asked.share))
    todo = deque(n for n, attack in enumerate(chosen) if asked.kind in (None, attack.kind))
    until = time.monotonic() + 60 * asked.minutes
    tried: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    workers = [Worker(asked.seed, asked.share) for _ in range(min(asked.workers, len(todo)))]
    while workers:
        for at, worker in enumerate(workers):
            if worker.number is None and todo and time.monotonic() < until:
                if worker.done >= RECYCLED or not worker.process.is_alive():
                    worker.end()
                    workers[at] = worker = Worker(asked.seed, asked.share)
                worker.ask(todo.popleft())
        busy = [worker for worker in workers if worker.number is not None]
        if not busy:
            break
        wait([worker.pipe for worker in busy], timeout=1.0)
        for worker in busy:
            found = worker.answer()
            if found is None or worker.number is None:
                continue
            attack, worker.number = chosen[worker.number], None
            tried[attack.kind] += getattr(attack, "inputs", 1)
            bad[attack.kind] += bool(found)
            for fault in found:
                print(f"{attack.kind}, {attack.name}: {fault}", flush=True)
    for worker in workers:
        worker.end()
    for kind in tried:
        print(f"{tried[kind]:6} {kind}: {bad[kind]} got through" if bad[kind] else f"{tried[kind]:6} {kind}")
    print(f"{sum(tried.values()):6} in all, {sum(bad.values())} got through, {len(todo)} commands not tried")
    return int(bool(bad.total()))


if __name__ == "__main__":
    sys.exit(main())
