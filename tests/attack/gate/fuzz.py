"""Looks for inputs that break a parser, led by the branches that it takes.

    python -m tests.attack.gate.fuzz NAME

Needs atheris (Apache 2.0), which nothing else does: `pip install atheris`. What it finds is written as
`tests/data/attack/NAME-….bin`, which `tests.attack.gate.test_parsers` tries for ever after.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.places import DATA

FOUND = DATA / "attack"
"""Inputs that broke a parser once: `NAME-….bin`."""
LONGEST_BYTES = 8192


def main() -> None:
    """Feed a parser until the time is over or it breaks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    import atheris  # type: ignore[import-not-found]

    with atheris.instrument_imports(include=["referee", "vision", "ui", "http"]):
        from tests.attack.gate.parsers import PARSERS, seeds
    FOUND.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(seeds(asked.name)):
            (Path(corpus) / str(number)).write_bytes(data)
        options = [
            f"-max_total_time={asked.seconds}", f"-max_len={LONGEST_BYTES}", f"-seed={asked.seed}",
            "-timeout=20", "-rss_limit_mb=600", f"-artifact_prefix={FOUND / asked.name}-", corpus,
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *options], PARSERS[asked.name])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
