"""A case: what is laid out, the commands that get it, and what they must come to."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECRET = "beyond-S3cret"
"""Stands in files that no case may read."""


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of one case, all made anew for it."""

    given: Path
    """What the commands get; it must stay as it is."""
    beyond: Path
    """What no input may lead to: a picture and a text, both with `SECRET`."""
    data: Path
    """The product's own folder of games, models and settings."""
    new: Path
    """Where commands may write; it is not there yet."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How one command ended."""

    status: int
    out: str
    err: str

    @property
    def sentences(self) -> list[str]:
        """What was said to people, a line each."""
        return [line for line in self.err.splitlines() if line.strip()]


Command = list[str]
Look = Callable[[Place, list[Ended]], str | None]
"""Returns what is wrong, or None."""


@dataclass(frozen=True, slots=True)
class Case:
    """One attack.

    Of every case it is expected that nothing but sentences is said, that a status other than 0 brings at
    least one, that what was given is unchanged, that nothing from beyond is said or written, and that each
    command stays within the limits of time and memory. What else must hold, the case says.
    """

    kind: str
    name: str
    lay: Callable[[Place], list[Command]]
    """Lays out the inputs, and returns the commands."""
    inputs: int = 1
    """How many attacked inputs it holds."""
    statuses: tuple[int, ...] = (0, 1)
    """What the commands may end with."""
    sentences: int | None = None
    """How many the last command says; None: as many as it likes."""
    says: str = ""
    """A part of what the last command says."""
    look: Look | None = field(default=None)
    """What must hold besides."""


def numbers_of(seed: int, *names: object) -> random.Random:
    """Return random numbers that are the same wherever they are asked for."""
    return random.Random(f"{seed} {' '.join(map(str, names))}")


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return bytes with a fault of a random kind."""
    at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    match rng.randrange(9):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + data[to:]
        case 2:
            return data[:at] + bytes(to - at) + data[to:]
        case 3:
            return data[:to] + data[at:to] + data[to:]
        case 4:
            return data[:at] + rng.randbytes(rng.choice([1, 16, 4096])) + data[at:]
        case 5:  # where a header is
            changed = bytearray(data)
            for _ in range(rng.choice([1, 3, 9])):
                changed[rng.randrange(min(64, len(changed)))] = rng.choice([0, 1, 0x7F, 0x80, 0xFF])
            return bytes(changed)
        case 6:
            changed = bytearray(data)
            for _ in range(rng.choice([1, 8, 64])):
                changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
            return bytes(changed)
        case 7:
            return rng.choice([b"", b"\0", b"\xff\xfe", rng.randbytes(100), data + data])
    return data[to:] + data[:to]


HOSTILE: tuple[Any, ...] = (
    None, True, -1, 0, 2**31, 2**63, 10**400, -(10**30), 0.5, float("nan"), float("inf"), -1e308, 1e308,
    "", " ", "../beyond/secret.jpg", "/etc/passwd", "..", ".", "a" * 300, "\0", "\x1b[31m", "\u202e",
    "\ud800", "none.jpg", "NAME.JPG", "{name!r}", "%s", "Y1 " * 2000, [], {}, [[]], [None], [[[[[[]]]]]],
    {"": {}}, ["Y1"] * 2000, {"a": {"a": {"a": {}}}}, [float("nan")] * 4, "1e999", "\N{PILE OF POO}", "1",
    "R40", "-",
)  # fmt: skip
"""Values that a careful program takes for what they are."""


def odd(value: Any, rng: random.Random) -> Any:
    """Return a copy of a JSON value in which one part is another, is gone, or is there too often."""
    found = json.loads(json.dumps(value))
    places = list(_places(found))
    if not places:
        return rng.choice(HOSTILE)
    holder, key = rng.choice(places)
    match rng.randrange(6):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.extend([holder[key]] * rng.choice([1, 300]))
        case 2 if isinstance(holder, dict):
            holder[rng.choice(["", "check", "\ud800", "x" * 5000, "__class__"])] = holder[key]
        case 3:
            other, name = rng.choice(places)
            holder[key] = json.loads(json.dumps(other[name]))
        case _:
            holder[key] = rng.choice(HOSTILE)
    return found


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each part of a JSON value as what holds it, and its key there."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in list(items):
        yield value, key
        yield from _places(part)


def odd_text(value: Any, rng: random.Random) -> bytes:
    """Return an odd JSON value as a file has it: mostly well written."""
    data = json.dumps(odd(value, rng)).encode()
    return damaged(data, rng) if rng.random() < 0.2 else data
