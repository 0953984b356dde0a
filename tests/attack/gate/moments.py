"""Ctrl-C and kills at random moments, each in a process of its own."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.attack.attacked import COMMANDS, HANGS_S, NOT_A_SENTENCE
from tests.attack.gate.case import numbers_of
from tests.attack.gate.held import shape_of
from tests.benchmarks.kills import faults as store_faults
from tests.benchmarks.kills import kill_once
from tests.places import DATA, SAMPLES

BEGUN = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)  # as `ui/__main__.py` begins; before, Python itself starts
os.write(1, b"begun\\n")
import runpy
sys.argv[0] = "pyramid-referee"
runpy.run_module("ui", run_name="__main__")
"""
LATEST_S = 3.0
_ENDS_S = 300.0
"""When any film is over, on a busy machine too."""
_NONE_BEGUN = "no unfinished game"
KINDS = ("check", "capture", "evaluate", "watch", "enrol", "tiles", "replay", "judge", "app")
SAVED = DATA / "stores" / "game-1.jsonl"


@dataclass(frozen=True, slots=True)
class Moment:
    """A command that is stopped at a random moment."""

    kind: str
    name: str
    seed: int
    is_kill: bool = False

    def faults(self, folder: Path) -> list[str]:
        """Run the command, stop it, and return what was not as expected."""
        rng = numbers_of(self.seed, self.kind, self.name)
        if self.name.startswith("store"):
            return _killed_store(folder, rng)
        return _killed_game(folder, rng) if self.is_kill else _interrupted(folder, self.name.split()[0], rng)


def signals(seed: int, count: int) -> Iterator[Moment]:
    """Yield commands that Ctrl-C stops."""
    for number in range(count):
        yield Moment("signals", f"{KINDS[number % len(KINDS)]} {number}", seed)


def kills(seed: int, count: int) -> Iterator[Moment]:
    """Yield games that are killed, mostly while they are stored, and some while a film is followed."""
    for number in range(count):
        yield Moment("kills", f"{'film' if number % 10 == 9 else 'store'} {number}", seed, is_kill=True)


def _line(folder: Path, kind: str) -> list[str]:
    photos, new = str(folder / "photos"), str(folder / "new")
    return {
        "check": ["check", photos, photos, photos, "--annotate", new],
        "capture": ["capture", photos, "--to", new, "--workers", "2"],
        "evaluate": ["evaluate", photos, "--workers", "2", "--resume", str(folder / "results")],
        "watch": ["watch", photos, "--save", str(folder / "said.jsonl")],
        "enrol": ["enrol", "mine", photos],
        "tiles": ["tiles", str(folder / "tiles.pdf")],
        "replay": ["replay", "--import", str(SAVED)],
        "judge": ["judge", str(DATA / "judge" / "random.jsonl")],
        "app": ["app", "--demo"],
    }[kind]


def _interrupted(folder: Path, kind: str, rng: random.Random) -> list[str]:
    photos = folder / "photos"
    photos.mkdir()
    for number in range(6):
        for path in SAMPLES.glob("*.jpg"):
            data = path.read_bytes() + bytes([number])  # each is another picture, and shows the same
            (photos / f"{path.stem}{number}.jpg").write_bytes(data)
            label = json.loads(path.with_suffix(".json").read_text())
            label["image"] = f"{path.stem}{number}.jpg"
            (photos / f"{path.stem}{number}.json").write_text(json.dumps(label))
    before = shape_of(photos)
    status, out, err = _stopped(_line(folder, kind), folder, rng.uniform(0, LATEST_S), signal.SIGINT)
    faults = [] if status in (0, 1, 2, 130, -signal.SIGINT) else [f"ended with {status}: {err[-500:]!r}"]
    for text in (out, err):
        if found := NOT_A_SENTENCE.search(text):
            faults.append(f"said {text[max(0, found.start() - 300) : found.end() + 600]!r}")
        if COMMANDS.search(text):
            faults.append(f"sent the terminal {text[-300:]!a}")
    if status in (1, 2) and kind != "enrol" and (kind != "judge" or err):
        faults.append(f"ended with {status}: {err[-300:]!r}")
    if shape_of(photos) != before:
        faults.append("changed what was given")
    faults += [f"left {path.name}" for path in folder.rglob("*.part")]
    return faults


def _stopped(line: list[str], folder: Path, after_s: float, how: int) -> tuple[int, str, str]:
    """Run a command, send it and its processes a signal after a while, and return how it ended."""
    environment = os.environ | {"PYRAMID_REFEREE_DATA": str(folder / "data"), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", BEGUN, "--lang", "en", *line]
    channels = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, env=environment, start_new_session=True, **channels)  # type: ignore[call-overload]
    assert process.stdout is not None
    process.stdout.readline()
    try:
        process.wait(after_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, how)
    try:
        out, err = process.communicate(timeout=HANGS_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return -signal.SIGKILL, "", f"It did not end within {HANGS_S} s."
    return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")


def _killed_store(folder: Path, rng: random.Random) -> list[str]:
    """Kill a process that stores twice, and return what was lost or damaged."""
    path, acknowledged, found = folder / "games.sqlite3", 0, []
    for _ in range(2):
        acknowledged = max(acknowledged, kill_once(path, 0.4 * rng.random() ** 2))
        wrong, _stores = store_faults(path, acknowledged)
        found += wrong
    return found


Said = list[tuple[str, int, str]]


def undisturbed(folder: Path, film: list[str]) -> Said:
    """Return what `watch` says of a film that nobody stops; the game is kept in an empty folder."""
    _stopped(["watch", *film], folder, _ENDS_S, signal.SIGINT)
    return _said(folder)


def killed(
    folder: Path, film: list[str], wanted: Said, most_s: float, times: int, rng: random.Random
) -> tuple[int, list[str]]:
    """Kill `watch` on a film, go on with the game, and kill it again.

    Args:
        folder: An empty one, for the game.
        film: What `watch` is called with.
        wanted: What the film says undisturbed.
        most_s: How long it runs at most between two kills.
        times: How often it is killed at most.
        rng: Says when.

    Returns:
        How many kills came while it ran, and where it then said other things than else.
    """
    kills, has_begun = 0, False
    for _ in range(times):
        status, err = _watch(folder, film, rng.uniform(0.5, most_s), has_begun=has_begun)
        kills += status == -signal.SIGKILL
        has_begun = _NONE_BEGUN not in err
        if status == 0:
            break
    status, err = _watch(folder, film, _ENDS_S, has_begun=has_begun)
    if _NONE_BEGUN in err:  # it was killed before it began
        status, err = _watch(folder, film, _ENDS_S, has_begun=False)
    if status:
        return kills, [f"ended with {status}: {err[-500:]!r}"]
    found = _said(folder)
    return kills, [] if wanted == found else [f"said {found} instead of {wanted}"]


def _watch(folder: Path, film: list[str], stopped_after_s: float, *, has_begun: bool) -> tuple[int, str]:
    """Follow a film until it is killed; return how it ended, and what it said on standard error."""
    line = ["watch", *film, *(["--resume"] if has_begun else [])]
    status, _out, err = _stopped(line, folder, stopped_after_s, signal.SIGKILL)
    return status, err


def _killed_game(folder: Path, rng: random.Random) -> list[str]:
    """Kill `watch` on a film up to three times, and return where it then says other things than else."""
    frames, alone, game = folder / "frames", folder / "undisturbed", folder / "killed"
    for each in (frames, alone, game):
        each.mkdir()
    for number, path in enumerate(sorted((DATA / "played").glob("*.jpg"))):
        shutil.copyfile(path, frames / f"{number:02}.jpg")
    film = [str(frames), "--players", "3"]
    _kills, faults = killed(game, film, undisturbed(alone, film), 6, rng.randrange(1, 4), rng)
    return faults


def _said(folder: Path) -> Said:
    """Return what the game of a folder says in all."""
    _status, out, _err = _stopped(["replay", "1", "--json"], folder, HANGS_S, signal.SIGINT)
    lines = [json.loads(line) for line in out.splitlines()]
    return [(line["event"], line["turn"], line["layout"]) for line in lines]
