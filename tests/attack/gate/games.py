"""Lines for `judge`, saved games, and data bases that are damaged, older, newer, locked or on a full disk."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sqlite3
import subprocess
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from tests.attack.gate.case import Case, Command, Ended, Place, damaged, numbers_of, odd, odd_text
from tests.attack.gate.parsers import sealed, seeds
from tests.places import DATA
from tests.ui.recorded_games import recorded_file
from ui.storage.game_entries import checksum_of

TOGETHER = 100
"""So many odd lines get one `judge`."""
HELD_S = 30.0
"""So long a data base is held; the product waits for ten seconds."""
_PARTS = (
    "\x00",
    "-",
    "/",
    "//",
    " ",
    "R40",
    "R999",
    "r40",
    "Y1 Y1",
    "\u00b2",
    "R40/" * 400,
    "\ud800",
    "\u202e",
)


def judge_lines(seed: int, count: int) -> Iterator[Case]:
    """Yield cases of `judge` on odd lines, about `count` lines in all."""
    for number in range(-(-count // TOGETHER)):

        def lay(place: Place, number: int = number) -> list[Command]:
            rng = numbers_of(seed, "judge", number)
            lines = [_judge_line(rng) for _ in range(TOGETHER)]
            (place.given / "lines").write_bytes(b"\n".join(lines))
            return [["judge", str(place.given / "lines"), *(["--game", "cube"] if number % 4 == 3 else [])]]

        yield Case("judge lines", str(number), lay, TOGETHER, look=_each_line_has_its_answer)


def _judge_line(rng: random.Random) -> bytes:
    line = rng.choice(seeds("judge"))
    request = json.loads(line)
    if rng.random() < 0.4 and "layout" in request:
        text = request["layout"].replace(" ", rng.choice(_PARTS), rng.randrange(3)) + rng.choice(_PARTS)
        return json.dumps({**request, "layout": text}).encode()
    return odd_text(request, rng).replace(b"\n", b" ")


def _each_line_has_its_answer(place: Place, ended: list[Ended]) -> str | None:
    asked = sum(bool(line.strip()) for line in (place.given / "lines").read_bytes().split(b"\n"))
    answers = [json.loads(line) for line in ended[0].out.splitlines()]
    refused = any("error" in answer for answer in answers)
    if len(answers) != asked or ended[0].status != refused:
        return f"{len(answers)} answers to {asked} lines, status {ended[0].status}"
    return None


def saved_games(seed: int, count: int) -> Iterator[Case]:
    """Yield cases of `replay --import` on odd saved games, each followed again where it was taken in."""
    for number in range(count):

        def lay(place: Place, number: int = number) -> list[Command]:
            rng = numbers_of(seed, "saved games", number)
            path = place.given / "game.jsonl"
            if number % 3 == 0:
                path.write_bytes(damaged((DATA / "stores" / "game-1.jsonl").read_bytes(), rng))
            else:
                lines = seeds("saved-game")[0].splitlines()
                for _ in range(rng.choice([1, 1, 4])):
                    at = rng.randrange(len(lines))
                    with contextlib.suppress(ValueError):
                        lines[at] = json.dumps(odd(json.loads(lines[at]), rng)).encode()
                path.write_bytes(sealed(b"\n".join(lines)))
            shown = rng.choice([["1"], ["1", "--json"], ["1", "--verify"], ["1", "--verify"]])
            return [["replay", "--import", str(path)], ["replay", *shown], ["replay"]]

        yield Case("saved games", str(number), lay)


def _data_base(name: str) -> bytes:
    return recorded_file() if name == "now" else (DATA / "stores" / f"{name}.sqlite3").read_bytes()


def data_bases(seed: int, count: int) -> Iterator[Case]:
    """Yield cases of `replay` on data bases with a fault anywhere."""
    for number in range(count):
        version = ("version-1", "version-2", "now")[number % 3]

        def lay(place: Place, version: str = version, number: int = number) -> list[Command]:
            rng = numbers_of(seed, "data bases", number)
            path = place.data / "games.sqlite3"
            data = _data_base(version)
            if number % 2:
                path.write_bytes(damaged(data, rng))
            else:
                path.write_bytes(data)
                _make_odd(path, rng)
            if rng.random() < 0.2:
                ending = rng.choice(["-wal", "-journal", "-shm"])
                (place.data / f"games.sqlite3{ending}").write_bytes(damaged(data[:9000], rng))
            (place.new).mkdir()
            (place.new / "kept").write_bytes(path.read_bytes())
            return [["replay"], ["replay", "1", rng.choice(["--json", "--verify"])], ["replay", "1"]]

        yield Case("data bases", f"{version} {number}", lay, look=_nothing_is_lost)


def _make_odd(path: Path, rng: random.Random) -> None:
    """Write odd values into a data base, with right check sums, as whoever forges one would."""
    with closing(sqlite3.connect(path)) as db, db:
        if rng.random() < 0.3:
            (settings,) = db.execute("SELECT settings FROM game").fetchone()
            db.execute("UPDATE game SET settings = ?", (_text(odd(json.loads(settings), rng)),))
        else:
            number, content = rng.choice(db.execute("SELECT number, content FROM entry").fetchall())
            odd_content = _text(odd(json.loads(content), rng))
            db.execute("UPDATE entry SET content = ? WHERE number = ?", (odd_content, number))
        (settings,) = db.execute("SELECT settings FROM game").fetchone()
        check = zlib.crc32(settings.encode())
        rows = db.execute("SELECT number, time, kind, content FROM entry ORDER BY number").fetchall()
        for number, time, kind, content in rows:
            check = checksum_of(number, time, kind, content, check)
            db.execute("UPDATE entry SET checksum = ? WHERE number = ?", (check, number))


def _text(value: Any) -> str:
    return json.dumps(value)


def _nothing_is_lost(place: Place, ended: list[Ended]) -> str | None:
    """Return what is wrong unless a data base that was set aside is there, byte for byte."""
    aside = [path for path in place.data.iterdir() if "damaged" in path.name and path.stat().st_size]
    opened = (place.data / "games.sqlite3").exists()
    if not opened and not aside:
        return f"the data base is gone: {sorted(path.name for path in place.data.iterdir())}"
    kept = (place.new / "kept").read_bytes()
    whole = [path for path in aside if path.suffix not in (".mark",) and path.read_bytes() == kept]
    if "set aside" in ended[0].err and not whole:
        return f"what was set aside is not what it was: {[path.name for path in aside]}"
    return None


Lay = Callable[[Place], list[Command]]


def _pragma(statement: str) -> Lay:
    def lay(place: Place) -> list[Command]:
        path = place.data / "games.sqlite3"
        path.write_bytes(recorded_file())
        with closing(sqlite3.connect(path)) as db:
            db.execute(statement)
        return [["replay"], ["replay", "1", "--verify"]]

    return lay


def _is_folder(place: Place) -> list[Command]:
    (place.data / "games.sqlite3").mkdir()
    return [["replay"]]


def _leads_nowhere(place: Place) -> list[Command]:
    (place.data / "games.sqlite3").symlink_to("nowhere/at/all")
    return [["replay"]]


def _is_pipe(place: Place) -> list[Command]:
    os.mkfifo(place.data / "games.sqlite3")
    return [["replay"]]


def _data_is_file(place: Place) -> list[Command]:
    place.data.rmdir()
    place.data.write_text("no folder")
    return [["replay"], ["replay", "--import", str(DATA / "stores" / "game-1.jsonl")]]


def _read_only_folder(place: Place) -> list[Command]:
    (place.data / "games.sqlite3").write_bytes(recorded_file())
    (place.data / "games.sqlite3").chmod(0o400)
    place.data.chmod(0o500)
    return [["replay"]]


def crafted_data_bases() -> Iterator[Case]:
    """Yield cases of data bases that somebody thought up."""
    newer, other = _pragma("PRAGMA user_version = 99"), _pragma("PRAGMA application_id = 7")
    yield Case("data bases", "newer", newer, statuses=(1,), sentences=1)
    yield Case("data bases", "another program's", other, statuses=(1,), sentences=1)
    yield Case("data bases", "older than any", _pragma("PRAGMA user_version = 0"))
    yield Case("data bases", "less than none", _pragma("PRAGMA user_version = -5"))
    yield Case("data bases", "without tables", _pragma("DROP TABLE picture"))
    yield Case("data bases", "a view", _pragma("CREATE VIEW v AS SELECT * FROM game"))
    for name, lay in (("folder", _is_folder), ("pipe", _is_pipe), ("link to nowhere", _leads_nowhere)):
        yield Case("data bases", name, lay)
    yield Case("data bases", "data folder is a file", _data_is_file, statuses=(1,))
    yield Case("data bases", "read-only folder", _read_only_folder)


def full_disks() -> Iterator[Case]:
    """Yield cases of games that are taken in on a disk that gets full; none where nothing can be mounted."""
    for kilobytes in (8, 40, 100, 200) if _can_mount() else ():

        def lay(place: Place, kilobytes: int = kilobytes) -> list[Command]:
            _mount(place.data, kilobytes)
            imported = ["replay", "--import", str(DATA / "stores" / "game-1.jsonl")]
            return [*[imported] * 12, ["replay"]]

        def look(place: Place, ended: list[Ended]) -> str | None:
            subprocess.run(["umount", "-l", str(place.data)], capture_output=True, check=True)
            full = [each for each in ended[:-1] if each.status]
            if not full or any(len(each.sentences) != 1 for each in full):
                return f"{len(full)} of 12 were refused: {[each.err for each in full][:2]}"
            taken_in = len(ended) - 1 - len(full)
            listed = len(ended[-1].out.splitlines()) if taken_in else 0
            return None if listed == taken_in else f"{listed} games are there of {taken_in}"

        yield Case("data bases", f"disk of {kilobytes} KB", lay, look=look)


def _mount(folder: Path, kilobytes: int) -> bool:
    """Put a small file system over a folder; return whether that could be done."""
    line = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    try:
        return subprocess.run(line, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@cache
def _can_mount() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        if not _mount(Path(folder), 8):
            return False
        subprocess.run(["umount", folder], capture_output=True, check=True)
        return True


def locked() -> Iterator[Case]:
    """Yield the case of a data base that another program holds; the product waits for ten seconds."""

    def lay(place: Place) -> list[Command]:
        path = place.data / "games.sqlite3"
        path.write_bytes(recorded_file())
        holder = sqlite3.connect(path, check_same_thread=False)
        holder.execute("BEGIN EXCLUSIVE")
        threading.Timer(HELD_S, holder.close).start()
        return [["replay", "--import", str(DATA / "stores" / "game-1.jsonl")]]

    yield Case("data bases", "locked", lay, statuses=(1,), sentences=1)
