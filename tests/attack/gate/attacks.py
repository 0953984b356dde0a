"""All attacks by their seed, and processes that run them."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import shutil
import signal
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from tests.attack.attacked import HANGS_S, MOST_S
from tests.attack.gate import games, nets, parsers, pictures, sets, streams
from tests.attack.gate.case import Case, damaged, numbers_of
from tests.attack.gate.held import faults_of
from tests.attack.gate.moments import Moment, kills, signals

COUNTS = {
    "pictures": 800, "videos": 40, "sidecars": 240, "sets": 240, "judge lines": 1200, "saved games": 240,
    "data bases": 150, "models": 24, "streams": 24, "parsers": 600, "signals": 45, "kills": 60,
}  # fmt: skip
"""How many attacked inputs of each kind, besides those that somebody thought up."""
RECYCLED = 40
"""After so many cases a process makes room for a fresh one."""


class Bytes:
    """A damaged input for a parser alone."""

    kind, inputs = "parsers", 20

    def __init__(self, name: str, seed: int, number: int) -> None:
        self.name = f"{name} {number}"
        self._parser, self._seed = name, seed

    def faults(self, _folder: Path) -> list[str]:
        """Feed the parser, and return what it raised."""
        rng = numbers_of(self._seed, self.name)
        for _ in range(self.inputs):
            data = damaged(rng.choice(parsers.seeds(self._parser)), rng)
            try:
                parsers.PARSERS[self._parser](data)
            except Exception as error:
                return [f"{type(error).__name__}: {error} from {data[:200]!r}"]
        return []


Attack = Case | Moment | Bytes


def attacks(seed: int, share: float = 1.0) -> Iterator[Attack]:
    """Yield all attacks, those of the kinds by turns."""
    count = {kind: max(1, round(number * share)) for kind, number in COUNTS.items()}
    names = itertools.cycle(parsers.PARSERS)
    kinds: list[Iterator[Attack]] = [
        pictures.pictures(seed, count["pictures"]),
        itertools.chain(pictures.playlists(), pictures.videos(seed, count["videos"])),
        pictures.sidecars(seed, count["sidecars"]),
        itertools.chain(sets.crafted_sets(), sets.odd_sets(seed, count["sets"])),
        games.judge_lines(seed, count["judge lines"]),
        games.saved_games(seed, count["saved games"]),
        itertools.chain(
            games.crafted_data_bases(),
            games.full_disks(),
            games.locked(),
            games.data_bases(seed, count["data bases"]),
        ),
        itertools.chain(nets.crafted_models(), nets.odd_models(seed, count["models"])),
        itertools.chain(streams.crafted_streams(), streams.odd_streams(seed, count["streams"])),
        (Bytes(next(names), seed, number) for number in range(-(-count["parsers"] // Bytes.inputs))),
        signals(seed, count["signals"]),
        kills(seed, count["kills"]),
    ]
    waiting = deque(kinds)
    while waiting:
        kind = waiting.popleft()
        if (attack := next(kind, None)) is not None:
            yield attack
            waiting.append(kind)


def attempt(attack: Attack) -> list[str]:
    """Run one attack in a folder of its own, and return what got through."""
    folder = Path(tempfile.mkdtemp(prefix="attack-"))
    try:
        return faults_of(attack, folder) if isinstance(attack, Case) else attack.faults(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def work(asks: Connection, seed: int, share: float) -> None:
    """Run the attacks that are asked for by number, in a process of its own, until None."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    chosen = list(attacks(seed, share))
    while (number := asks.recv()) is not None:
        attack = chosen[number]
        if isinstance(attack, Case):  # the system ends a process that takes more than that of a processor
            signal.setitimer(signal.ITIMER_PROF, 4 * MOST_S)
        try:
            found = attempt(attack)
        except BaseException as error:  # the gate's own mistakes are faults, too
            found = [f"the case itself failed: {type(error).__name__}: {error}"]
        signal.setitimer(signal.ITIMER_PROF, 0)
        asks.send(found)


class Worker:
    """A process that runs attacks."""

    def __init__(self, seed: int, share: float) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, seed, share))
        self.process.start()
        other.close()
        self.number: int | None = None
        self.until, self.done = 0.0, 0

    def ask(self, number: int) -> None:
        """Let it run an attack."""
        self.number, self.until = number, time.monotonic() + 3 * HANGS_S
        self.pipe.send(number)

    def answer(self) -> list[str] | None:
        """Return what got through, if the attack is over by now."""
        if self.pipe.poll():
            try:
                found: list[str] = self.pipe.recv()
            except (EOFError, OSError):
                self.process.join()
                return [f"its process died: {self.process.exitcode}"]
            self.done += 1
            return found
        if time.monotonic() > self.until:
            self.process.kill()
            return [f"hung for {3 * HANGS_S:.0f} s"]
        return None

    def end(self) -> None:
        """End the process."""
        if self.process.is_alive() and self.number is None:
            self.pipe.send(None)
            self.process.join(5)
        self.process.kill()
        self.process.join()
