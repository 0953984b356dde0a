"""Fits the chances of mistakes by counting: `python -m tests.simulation.chances [--store] [FILE …]`.

Counts how often each mistake happened and could have happened, in simulated games (`tests.simulation.play`)
and in the recorded games of the files that are named (`pyramid-referee replay 1 --export FILE`). `--store`
writes the costs into `referee/search/chances.py`, from where the follower takes them.

A chance is (times + 1/2) / (occasions + 1): what was never seen is not impossible, and few games tell little.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.simulation.play import play_game
from ui.services.recorded_turns import what_counts
from ui.storage.game_entries import EntryKind
from ui.storage.game_export import import_game
from ui.storage.game_store import GameStore

FIRST, GAMES = 400_000, 400
"""The simulated games that the shipped chances are counted from."""
TARGET = Path("referee/search/chances.py")
WHAT = {
    "MISSED_COST": "A tile is placed over mayhem, and not the next step carried out.",
    "MISSED_DIE_COST": "A tile is placed where the fire die is to be rolled next.",
    "MISSED_AGAIN_COST": "A tile is placed over mayhem that was missed before, and not found.",
    "WRONG_COST": "A step is done wrongly.",
    "LEFT_LYING_COST": "Play goes on over what was done wrongly, and it is not put right.",
}
Line = Mapping[str, Any]
"""As `watch --json` prints it."""


@dataclass
class Count:
    """How often something happened."""

    times: int = 0
    occasions: int = 0

    @property
    def cost(self) -> float:
        """The log chance that it costs."""
        return -math.log((self.times + 0.5) / (self.occasions + 1))

    def note(self, *, happened: bool) -> None:
        """Note an occasion."""
        self.times += happened
        self.occasions += 1


def count_mistakes(games: Iterable[Iterable[Line]]) -> dict[str, Count]:
    """Return how often each mistake of `WHAT` happened.

    Args:
        games: What was said in each, in order.
    """
    counts = {name: Count() for name in WHAT}
    for lines in games:
        _count(counts, lines)
    return counts


def _count(counts: Mapping[str, Count], lines: Iterable[Line]) -> None:
    """Count in the lines of one game."""
    since, last = None, ""
    for line in lines:
        event = line["event"]
        if event in ("missed", "step"):
            is_missed = event == "missed"
            again = since is not None and (not is_missed or line["since"] == since)
            is_die = not line["verdict"] if is_missed else "roll" in line["step"]
            name = "MISSED_AGAIN_COST" if again else "MISSED_DIE_COST" if is_die else "MISSED_COST"
            counts[name].note(happened=is_missed)
            since = line["since"] if is_missed else None
        if event == "wrong-step" or (event == "step" and last != "fixed"):
            counts["WRONG_COST"].note(happened=event == "wrong-step")
        if last == "wrong-step" and event in ("placed", "fixed"):
            counts["LEFT_LYING_COST"].note(happened=event == "placed")
        if event != "notice":
            last = event


def simulated_games(first: int, games: int) -> Iterator[list[Line]]:
    """Yield what is true of simulated games."""
    for seed in range(first, first + games):
        yield [line for moment in play_game(seed).moments for line in moment.said]


def recorded_game(path: Path) -> list[Line]:
    """Return what was said in an exported game, without what was taken back."""
    with tempfile.TemporaryDirectory() as folder, GameStore.open(Path(folder) / "games.sqlite3") as store:
        game, _problem = import_game(store, path)
        return [each.content for each in what_counts(store.entries(game)) if each.kind is EntryKind.SAID]


def source_of(counts: Mapping[str, Count], command: str) -> str:
    """Return the module with the costs."""
    head = f'"""What mistakes cost, in log chance. Rule 5.\n\nCounted and written by `{command}`.\n"""\n'
    parts = [
        f'{name} = {count.cost:.2f}\n"""{WHAT[name]} {count.times:,} of {count.occasions:,} times."""\n'
        for name, count in counts.items()
    ]
    return f"{head}\n{''.join(parts)}"


def main() -> int:
    """Count, print, and perhaps store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=FIRST)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--store", action="store_true", help="write the costs into the product")
    parser.add_argument("recorded", nargs="*", type=Path, help="exported games, counted as well")
    asked = parser.parse_args()
    games = [*simulated_games(asked.first, asked.games), *map(recorded_game, asked.recorded)]
    command = f"python -m tests.simulation.chances --first {asked.first} --games {asked.games} --store"
    if asked.recorded:
        command += f" and {len(asked.recorded)} recorded games"
    source = source_of(count_mistakes(games), command)
    print(source)
    if asked.store:
        TARGET.write_text(source)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
