"""The parts of a recorded game. Each entry is an input of the follower, or what the referee said to it."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ui.errors import StorageError
from ui.storage.stored_pictures import MAX_PICTURE_BYTES
from ui.text import errors as texts

MAX_CONTENT_BYTES = 256 * 1024
"""Of one entry, or of the settings, as JSON: some ten times the longest verdict."""


class EntryKind(Enum):
    """What an entry tells."""

    SETTLED = "settled"
    """The table came to rest; what was read."""
    CHECK = "check"
    """Somebody called for a check."""
    ANSWER = "answer"
    """A question was answered."""
    CORRECTION = "correction"
    """The people put right what the referee knows."""
    NOTICE = "notice"
    """The camera was lost, the table is covered, and the like."""
    UNDONE = "undone"
    """What somebody did was taken back: the inputs numbered in `inputs`, from 0, do not count any more."""
    REDONE = "redone"
    """They count again."""
    CHALLENGE = "challenge"
    """Players had the call on the input `challenged` judged again; `overturned`: it was wrong."""
    CLOSED = "closed"
    """Following was stopped; what was kept back is said. The game may go on later."""
    SAID = "said"
    """What the referee said, as `watch --json` prints it; all other kinds are inputs of the follower."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One entry of a game."""

    number: int
    """From 1, without gaps."""
    time: str
    """When it was stored: UTC, ISO 8601."""
    kind: EntryKind
    content: dict[str, Any]
    has_picture: bool = False


@dataclass(frozen=True, slots=True)
class GameHead:
    """What is stored of a game besides its entries."""

    started: str
    """UTC, ISO 8601."""
    finished: str | None
    """None while the game can go on."""
    settings: dict[str, Any]
    """What was agreed, as `settings_to_dict` writes it."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game as the list of games shows it."""

    id: int
    started: str
    """UTC, ISO 8601."""
    finished: str | None
    """None while the game can go on."""
    players: int
    names: tuple[str, ...]
    """What the players are called; empty where by numbers."""
    source: str
    turn: int
    """Of what was said last; 0 before anything was."""
    winner: int | None
    """Index of the player who won, where the last thing said is that."""
    name: str = ""
    """What the players call the game; empty where they gave it no name."""
    layout: str = "-"
    """How the table lay when that was said; need not be well formed."""


def content_text(content: Mapping[str, Any]) -> str:
    """Return the JSON text that is stored for an object.

    Raises:
        StorageError: It is too large, or no JSON.
    """
    try:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise StorageError(texts.NOT_STORABLE, reason=str(error)) from error
    if size > MAX_CONTENT_BYTES:
        raise StorageError(texts.ENTRY_TOO_LARGE, limit=MAX_CONTENT_BYTES, size=size)
    return text


def content_of(text: str) -> dict[str, Any]:
    """Return the JSON object in a stored text.

    Raises:
        StorageError: There is none.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable() from error
    if type(found) is not dict:
        raise _unreadable()
    return found


def entry_of_row(number: int, time: str, kind: str, content: str, has_picture: int) -> StoredEntry:
    """Return the entry in a row of the data base.

    Raises:
        StorageError: It cannot be read.
    """
    try:
        known_kind = EntryKind(kind)
    except ValueError as error:
        raise _unreadable() from error
    return StoredEntry(number, time, known_kind, content_of(content), bool(has_picture))


def last_entry(db: sqlite3.Connection, game: int) -> tuple[int, int]:
    """Return number and check sum of a game's last entry; 0 and that of the settings if there is none."""
    row = db.execute(
        "SELECT number, checksum FROM entry WHERE game = ? ORDER BY number DESC LIMIT 1", (game,)
    ).fetchone()
    if row is None:
        (settings,) = db.execute("SELECT settings FROM game WHERE id = ?", (game,)).fetchone()
        return 0, zlib.crc32(settings.encode())
    return row[0], row[1]


def add_entry(
    db: sqlite3.Connection, game: int, entry: StoredEntry, before: int, picture: bytes | None
) -> int:
    """Store one entry and return its check sum, which depends on that of the entry before it.

    Raises:
        StorageError: It is too large, or no JSON; or its picture is too large.
    """
    number, time, kind = entry.number, entry.time, entry.kind.value
    text = content_text(entry.content)
    checksum = checksum_of(number, time, kind, text, before)
    db.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", (game, number, time, kind, text, checksum))
    if picture is not None:
        if len(picture) > MAX_PICTURE_BYTES:
            raise StorageError(texts.PICTURE_TOO_LARGE, limit=MAX_PICTURE_BYTES, size=len(picture))
        db.execute("INSERT INTO picture VALUES (?, ?, ?)", (game, number, picture))
    return checksum


def shown_source(source: str) -> str:
    """Return what is watched as people may see it: of an address scheme, host and the last part.

    >>> shown_source("rtsp://ann:secret@camera/key/live?token=7")
    'rtsp://camera/…/live'
    """
    from vision.sources.stream_address import redacted

    scheme, is_address, rest = source.partition("://")
    if not is_address:
        return source
    place, _query, secret = rest.partition("?")
    return f"{scheme}://…" if "@" in secret else redacted(f"{scheme}://{place.rpartition('@')[2]}")


def checksum_of(number: int, time: str, kind: str, content: str, before: int) -> int:
    """Return the check sum of an entry, which depends on the one of the entry before it."""
    return zlib.crc32(f"{number} {time} {kind} {content}".encode(), before)


def summary_of_row(
    id: int, started: str, finished: str | None, settings: str, name: str, last: str | None
) -> GameSummary:
    """Return a game as the list shows it; `last` is the last thing that the referee said, if any.

    Raises:
        StorageError: The settings or the last entry are no JSON objects.
    """
    agreed = content_of(settings)
    names = agreed.get("names")
    said = content_of(last) if last else {}
    return GameSummary(
        id,
        started,
        finished,
        players=_whole(agreed.get("players")) or 0,
        names=tuple(str(name) for name in names) if type(names) is list else (),
        source=shown_source(str(agreed.get("source", ""))),
        turn=_whole(said.get("turn")) or 0,
        winner=_whole(said.get("winner")),
        name=name,
        layout=str(said.get("layout", "-")),
    )


def _whole(value: object) -> int | None:
    """Return a whole number; None for anything else."""
    return value if type(value) is int else None


def _unreadable() -> StorageError:
    return StorageError(texts.GAME_UNREADABLE)
