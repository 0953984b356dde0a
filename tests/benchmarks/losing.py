"""How often a lost game is found again: `python -m tests.benchmarks.losing [--cases N] [--first SEED]`.

Each case is a simulated game (`tests.simulation.losing`). At some moment tiles are exchanged, taken off and
laid elsewhere until the follower says that it has lost the game; then a later table of the game is shown.
Printed is how often the game was lost, how often it was found within two settled tables, with which table,
and what was called in the meantime. The exit status is 1 where fewer than 95 of 100 were found.
"""

from __future__ import annotations

import argparse

from tests.simulation.losing import Case, stage

GOAL = 0.95


def main() -> int:
    """Stage the cases and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=20_000)
    asked = parser.parse_args()
    cases: list[Case] = []
    seed = asked.first
    while len(cases) < asked.cases:
        case = stage(seed)
        cases += [case] if case is not None else []
        seed += 1
    lost = [case for case in cases if case.lost]
    found = [case for case in lost if case.found_after is not None]
    print(f"{len(cases)} cases, seeds {asked.first} to {seed - 1}: {len(lost)} said to be lost")
    print(f"  found within two settled tables  {len(found)} of {len(lost)}")
    print(f"  of these with the true table     {sum(case.is_right for case in found)}")
    print(f"  calls while it was in disorder   {sum(case.calls for case in cases)}")
    return int(sum(case.is_right for case in found) < GOAL * len(lost))


if __name__ == "__main__":
    raise SystemExit(main())
