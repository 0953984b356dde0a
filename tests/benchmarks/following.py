"""How well simulated games are followed: `python -m tests.benchmarks.following [--games N] [--first SEED]`.

Plays seeded random games with mistakes (`tests.simulation.play`), lets the follower watch their settled
tables, and prints wrong calls, turns followed without a question, planted mistakes caught and attributed to
the right turn and player, and the processor time for each settled table. The exit status is 1 where the
goals are missed: no wrong call, 99 % of the turns, 99 % of the mistakes.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import replace

from tests.simulation.following import Report, follow_play
from tests.simulation.mishaps import with_mishaps
from tests.simulation.play import Rates, play_game


def main() -> int:
    """Follow the games and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=10_000)
    parser.add_argument("--unsure", type=float, help="chance that the reader does not vouch for a new tile")
    parser.add_argument("--mishaps", action="store_true", help="with mistakes that are put right at once")
    parser.add_argument("--no-answers", action="store_true", help="nobody answers a question")
    parser.add_argument("--verbose", action="store_true", help="name the seeds that were told wrongly")
    asked = parser.parse_args()
    rates = Rates()
    if asked.unsure is not None:
        rates = replace(rates, unsure_new=asked.unsure)
    reports: list[Report] = []
    for seed in range(asked.first, asked.first + asked.games):
        play = play_game(seed, rates)
        report = follow_play(with_mishaps(play, seed) if asked.mishaps else play, not asked.no_answers)
        reports.append(report)
        if asked.verbose and (report.wrong or report.unsaid):
            print(f"seed {seed}: wrong {report.wrong[:2]} unsaid {report.unsaid[:2]}", flush=True)
    turns = sum(report.turns for report in reports)
    quiet = turns - sum(len(report.asked_turns) for report in reports)
    mistakes = sum(report.mistakes for report in reports)
    caught = sum(report.caught for report in reports)
    wrong = sum(len(report.wrong) for report in reports)
    times_ms = sorted(1000 * each for report in reports for each in report.times_s)
    print(f"{asked.games} games from seed {asked.first}: {turns} turns, {len(times_ms)} settled tables")
    print(f"  wrong calls                         {wrong}, in {sum(bool(r.wrong) for r in reports)} games")
    print(f"  true lines never said               {sum(len(report.unsaid) for report in reports)}")
    print(f"  turns followed without a question   {quiet} of {turns}, {100 * quiet / turns:.2f} %")
    print(f"  mistakes caught, right turn, player {caught} of {mistakes}, {100 * caught / mistakes:.2f} %")
    print(f"  questions asked                     {sum(len(report.questions) for report in reports)}")
    late = times_ms[int(0.99 * len(times_ms))]
    print(
        f"  processor time for a settled table  {statistics.median(times_ms):.2f} ms median, "
        f"{late:.2f} ms at the 99th percentile, {times_ms[-1]:.1f} ms at most"
    )
    return int(wrong > 0 or quiet < 0.99 * turns or caught < 0.99 * mistakes)


if __name__ == "__main__":
    raise SystemExit(main())
