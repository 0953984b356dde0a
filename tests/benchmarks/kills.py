"""Whether a game survives the end of its process: `python -m tests.benchmarks.kills [--kills N]`.

A process stores a game as fast as it can, pictures included, and acknowledges every store by a line. It is
killed (SIGKILL) at a random moment, also while it opens the data base, and the next process goes on with
the same game. After each kill the data base is opened as the product does, and must be whole and hold
everything that was acknowledged. A fresh data base is begun every 25 kills.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from referee.rules.game import Setup
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.storage.stored_pictures import MAX_PICTURE_BYTES

KILLS_A_FILE = 25
LONGEST_RUN_S = 0.4
ENTRIES_A_STORE = 3


def entries_of(store: int) -> list[tuple[EntryKind, dict[str, Any]]]:
    """Return what the given store, from 1, holds: an input and what was said to it."""
    text = random.Random(store).randbytes(1000).hex()
    return [
        (EntryKind.SETTLED, {"store": store, "text": text}),
        (EntryKind.SAID, {"event": "placed", "turn": store, "player": store % 3, "store": store}),
        (EntryKind.SAID, {"event": "verdict", "turn": store, "player": store % 3, "store": store}),
    ]


def picture_of(store: int) -> bytes:
    """Return the picture that belongs to the given store, of any allowed size."""
    numbers = random.Random(store)
    return numbers.randbytes(numbers.randint(20_000, MAX_PICTURE_BYTES))


def play(path: Path) -> None:
    """Go on with the game in a data base for ever; print the number of each store once it is done."""
    print("ready", flush=True)
    with GameStore.open(path) as game_store:
        going_on = game_store.unfinished()
        game = going_on[0].id if going_on else game_store.start_game(GameSettings(Setup()))
        store = len(game_store.entries(game)) // ENTRIES_A_STORE
        while True:
            store += 1
            game_store.append(game, entries_of(store), picture_of(store))
            print(store, flush=True)


def kill_once(path: Path, run_s: float, stores: int = 0) -> int:
    """Let a process play, kill it, and return the last store that it acknowledged, or 0.

    Args:
        path: The data base.
        run_s: How long it may play on, in seconds.
        stores: How many stores it acknowledges before that time begins.
    """
    line = [sys.executable, "-m", "tests.benchmarks.kills", "--play", str(path)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        acknowledged = [process.stdout.readline() for _ in range(stores)]
        time.sleep(run_s)
        process.kill()
        acknowledged += process.stdout.read().split()
    if process.returncode != -9:
        raise SystemExit(f"The process ended by itself, with status {process.returncode}.")
    return int(acknowledged[-1]) if acknowledged else 0


def faults(path: Path, acknowledged: int, checked: int = 0) -> tuple[list[str], int]:
    """Return what is wrong with a data base, and how many stores it holds.

    Args:
        path: The data base.
        acknowledged: The last store that must be there.
        checked: How many of the stores were compared with what they should be by an earlier call.
    """
    found = []
    with GameStore.open(path) as game_store:
        if game_store.aside:
            found.append(f"damaged: set aside as {game_store.aside}")
        with sqlite3.connect(path) as db:
            found += [f"damaged: {row}" for row in db.execute("PRAGMA integrity_check") if row != ("ok",)]
            found += [f"damaged: {row}" for row in db.execute("PRAGMA foreign_key_check")]
        db.close()
        games = game_store.games()
        if not games:
            return [*found, *(["lost: the game"] if acknowledged else [])], 0
        game = games[0].id
        stores, rest = divmod(game_store.check(game), ENTRIES_A_STORE)
        if rest:
            found.append("damaged: a store is there in part")
        if stores < acknowledged:
            found.append(f"lost: {acknowledged - stores} stores")
        entries = [(entry.kind, entry.content) for entry in game_store.entries(game)]
        expected = [entry for store in range(checked + 1, stores + 1) for entry in entries_of(store)]
        if entries[checked * ENTRIES_A_STORE :] != expected:
            found.append("damaged: entries are not as they were stored")
        pictures = dict(game_store.pictures(game))
        if len(pictures) != stores or any(
            pictures.get((store - 1) * ENTRIES_A_STORE + 1) != picture_of(store)
            for store in range(checked + 1, stores + 1)
        ):
            found.append("damaged: pictures are not as they were stored")
    return found, stores


def main() -> None:
    """Kill as often as the command line says, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.play:
        play(args.play)
    moments = random.Random(args.seed)
    counts: Counter[str] = Counter()
    started = time.monotonic()
    for begin in range(0, args.kills, KILLS_A_FILE):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.sqlite3"
            stores = 0
            for number in range(begin, min(begin + KILLS_A_FILE, args.kills)):
                run_s = LONGEST_RUN_S * moments.random() ** 2
                acknowledged = kill_once(path, run_s)
                before = stores
                found, stores = faults(path, max(acknowledged, before), before)
                counts["stores acknowledged"] += max(0, acknowledged - before)
                counts["kills before the first store of their process"] += not acknowledged
                counts["kills between a store and its acknowledgement"] += stores > max(acknowledged, before)
                counts["stores lost"] += sum(fault.startswith("lost") for fault in found)
                counts["data bases damaged"] += any(fault.startswith("damaged") for fault in found)
                for fault in found:
                    print(f"kill {number + 1}: {fault}", file=sys.stderr)
    print(f"{args.kills} kills in {time.monotonic() - started:.0f} s")
    for what, count in counts.items():
        print(f"  {count:>6} {what}")
    raise SystemExit(bool(counts["stores lost"] or counts["data bases damaged"]))


if __name__ == "__main__":
    main()
