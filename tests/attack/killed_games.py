"""Kills `watch` on the sample game, again and again, and prints where it ends otherwise than undisturbed:

    python -m tests.attack.killed_games [--kills 500] [--seed 1]

Each game is killed (SIGKILL) at up to eight random moments, also while it starts, and gone on with by
`--resume`; then it is let alone to its end. The exit status is 1 where a game was lost, or ended otherwise.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.attack.gate.moments import killed, undisturbed
from tests.places import SAMPLES

KILLS_A_GAME, LATEST_S = 8, 10.0


def main() -> int:
    """Kill for as often as the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    film = [str(SAMPLES / "game"), "--players", "2"]
    kills = games = bad = 0
    with tempfile.TemporaryDirectory() as name:
        wanted = undisturbed(Path(name), film)
    print(f"undisturbed: {len(wanted)} events", flush=True)
    while kills < asked.kills:
        games += 1
        rng = random.Random(f"{asked.seed} {games}")
        times = min(rng.randint(1, KILLS_A_GAME), asked.kills - kills)
        with tempfile.TemporaryDirectory() as name:
            came, faults = killed(Path(name), film, wanted, LATEST_S, times, rng)
        kills += came
        bad += bool(faults)
        for fault in faults:
            print(f"game {games}: {fault}", flush=True)
        print(f"{games} games, {kills} kills, {bad} games that ended otherwise", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
