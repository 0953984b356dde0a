"""How well filmed games are followed: `python -m tests.benchmarks.filmed_games [--games N] [--first SEED]`.

Plays seeded random games with mistakes (`tests.simulation.play`), films them (`tests.simulation.filming`) and
lets the product watch the films, from the pixels of each frame to the stored line. Prints wrong calls, turns
followed without a question, and planted mistakes caught and attributed to the right turn and player. With
`--resume FILE` each game's result is appended to the file, and a game that is in it is not played again. The
exit status is 1 where the goals are missed: no wrong call, 99 % of the turns, 99 % of the mistakes.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import cv2

from tests.simulation.play import Play, play_game
from tests.simulation.watched import watch_film
from vision.recognition.reader import TileReader


def result_of(seed: int, play: Play, reader: TileReader) -> dict[str, Any]:
    """Return what came of a game."""
    with tempfile.TemporaryDirectory() as folder:
        report = watch_film(play, seed, reader, Path(folder), pictures=False)
    return {
        "seed": seed,
        "turns": report.turns,
        "moments": len(play.moments),
        "frames": len(report.times_s),
        "asked": len(report.asked_turns),
        "questions": [(at, asked.question.kind.value) for at, asked in report.questions],
        "remarks": [(at, remarked.remark.value) for at, remarked in report.remarks],
        "wrong": report.wrong,
        "unsaid": report.unsaid,
        "mistakes": report.mistakes,
        "caught": report.caught,
        "seconds": round(sum(report.times_s), 1),
    }


def main() -> int:
    """Watch the games and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=20_000)
    parser.add_argument("--turns", type=int, default=60, help="leave a game after so many turns")
    parser.add_argument("--every", type=int, default=1, help="play only every n-th of the games")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="append results, leave out what is there")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    seeds = range(asked.first, asked.first + asked.games, asked.every)
    results: dict[int, dict[str, Any]] = {}
    if asked.resume is not None and asked.resume.exists():
        for line in asked.resume.read_text(encoding="utf-8").splitlines():
            found = json.loads(line)
            results[found["seed"]] = found
    reader = TileReader.open()
    for seed in seeds:
        if seed in results:
            continue
        found = results[seed] = result_of(seed, play_game(seed, max_turns=asked.turns), reader)
        if asked.resume is not None:
            with asked.resume.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
        print(
            f"seed {seed}: {found['turns']} turns, {found['asked']} asked, {len(found['wrong'])} wrong, "
            f"{found['caught']} of {found['mistakes']} mistakes, {found['seconds']} s",
            flush=True,
        )
    return summary([results[seed] for seed in seeds if seed in results])


def summary(results: list[dict[str, Any]]) -> int:
    """Print the figures of some games, and return 1 where the goals are missed."""
    total = {
        key: sum(found[key] for found in results)
        for key in ("turns", "moments", "frames", "asked", "mistakes", "caught")
    }
    wrong, unsaid, questions = (
        sum(len(found[key]) for found in results) for key in ("wrong", "unsaid", "questions")
    )
    turns, mistakes, caught = total["turns"], total["mistakes"], total["caught"]
    quiet = turns - total["asked"]
    print(f"{len(results)} games: {turns} turns, {total['moments']} tables, {total['frames']} frames")
    print(f"  wrong calls                         {wrong}")
    print(f"  true lines never said               {unsaid}")
    print(f"  turns followed without a question   {quiet} of {turns}, {100 * quiet / max(1, turns):.2f} %")
    share = 100 * caught / max(1, mistakes)
    print(f"  mistakes caught, right turn, player {caught} of {mistakes}, {share:.2f} %")
    print(f"  questions asked                     {questions}")
    return int(wrong > 0 or quiet < 0.99 * turns or caught < 0.99 * mistakes)


if __name__ == "__main__":
    raise SystemExit(main())
