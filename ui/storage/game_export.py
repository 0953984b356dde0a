"""Recorded games as files of JSON lines, to keep or to send to others.

The first line is what was agreed; each further line is an entry, with its picture in base64 if asked for.
Every line ends with a check sum over itself and all before it, as in `referee.formats.record`, so that a line
that was changed, lost or cut off is found, and everything before it can still be taken in.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import msgspec

from referee.errors import Fault, RecordError
from referee.formats.record import check_head, seal, unseal
from ui.errors import StorageError
from ui.storage.game_entries import EntryKind, GameHead, StoredEntry, content_text
from ui.storage.game_settings import settings_from_dict
from ui.storage.game_store import GameStore
from ui.storage.stored_pictures import unpack_picture
from ui.text import errors as texts
from vision.files import open_input, replacing

FORMAT = "pyramid-referee recorded game"
BEGINNING = f'{{"record": "{FORMAT}"'.encode()
"""Of every such file."""
VERSION = 1
MAX_LINE_BYTES = 1 << 20
"""Of a file that is read; the largest entry with the largest picture has fewer."""
MAX_ENTRIES = 100_000
"""Of a game that is taken in: a day and a night of one entry a second."""


def export_game(store: GameStore, game: int, path: Path, *, with_pictures: bool = False) -> None:
    """Write a game to a file, whole or not at all.

    Raises:
        StorageError: There is no such game, or it cannot be read.
        OSError: The file cannot be written.
    """
    with replacing(path, sync=True) as beside, beside.open("wb") as file:
        file.writelines(line.encode() + b"\n" for line in _lines(store, game, with_pictures=with_pictures))


def _lines(store: GameStore, game: int, *, with_pictures: bool) -> Iterator[str]:
    """Yield the lines of a game, without line ends."""
    entries = store.entries(game)
    head = {"record": FORMAT, "version": VERSION, **asdict(store.head(game)), "entries": len(entries)}
    line, check = seal(head, 0)
    yield line
    pictures = store.pictures(game)
    for entry in entries:
        written: dict[str, Any] = {
            "number": entry.number,
            "time": entry.time,
            "kind": entry.kind.value,
            "content": entry.content,
        }
        if with_pictures and entry.has_picture:
            written["picture"] = base64.b64encode(next(pictures)[1]).decode()
        line, check = seal(written, check)
        yield line


def import_game(store: GameStore, path: Path) -> tuple[int, RecordError | StorageError | None]:
    """Store the game of a file as a new one; return its number, and what is wrong after the last sound line.

    Raises:
        RecordError: It is no recorded game at all.
        StorageError: Its first line lacks something, or it cannot be stored.
        OSError: The file cannot be read.
    """
    with open_input(path) as file:
        reader = _GameFile(file)
        return store.add_game(reader.head, reader.entries()), reader.problem


_Time = Annotated[str, msgspec.Meta(max_length=40)]


@dataclass(frozen=True, slots=True)
class _Head(GameHead):
    """The first line of a file."""

    started: _Time
    finished: _Time | None
    entries: int
    """How many follow."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Each further line."""

    number: int
    time: _Time
    kind: EntryKind
    content: dict[str, Any]
    picture: bytes | None = None
    """A JPEG, in base64 in the file."""


class _GameFile:
    """Reads a file line by line, up to its last sound one."""

    def __init__(self, file: BinaryIO) -> None:
        """Read the first line.

        Raises:
            RecordError: It is not that of a recorded game.
            StorageError: It lacks something, or has it wrong.
        """
        self._file, self._number, self._check = file, 0, 0
        self.problem: RecordError | StorageError | None = None
        """What is wrong with the line after the last sound one."""
        line = self._next_line() or {}
        check_head(line, FORMAT, VERSION)
        with self._expecting_all():
            self.head = msgspec.convert(line, _Head)
            settings_from_dict(self.head.settings)
            content_text(self.head.settings)
            _check_time(self.head.started)
            if self.head.finished is not None:
                _check_time(self.head.finished)

    def entries(self) -> Iterator[tuple[StoredEntry, bytes | None]]:
        """Yield the entries of the sound lines, each with its picture if it has one."""
        number = 0
        try:
            while (line := self._next_line()) is not None:
                number += 1
                yield self._entry(line, number)
            if number < self.head.entries:
                raise StorageError(texts.EXPORT_ENDS_EARLY, number=number, entries=self.head.entries)
        except (RecordError, StorageError) as problem:
            self.problem = problem

    def _entry(self, line: Mapping[str, Any], number: int) -> tuple[StoredEntry, bytes | None]:
        """Return what a line tells.

        Raises:
            StorageError: Something is missing, wrong or too large.
        """
        with self._expecting_all():
            found = msgspec.convert(line, _Line)
            if found.number != number or number > MAX_ENTRIES:
                raise ValueError("number")
            _check_time(found.time)
            content_text(found.content)
            if found.picture is not None:
                unpack_picture(found.picture)
        return StoredEntry(number, found.time, found.kind, found.content), found.picture

    @contextmanager
    def _expecting_all(self) -> Iterator[None]:
        """Turn any fault of a line into one sentence about this line."""
        try:
            yield
        except (StorageError, ValueError) as error:
            raise StorageError(texts.EXPORT_LINE_WRONG, number=self._number) from error

    def _next_line(self) -> dict[str, Any] | None:
        """Return the object of the next line; None after the last one.

        Raises:
            RecordError: It is too long, cut off, or was changed.
        """
        text = self._file.readline(MAX_LINE_BYTES + 1)
        if not text:
            return None
        self._number += 1
        if len(text) > MAX_LINE_BYTES:
            raise RecordError(Fault.CUT_OFF, number=self._number)
        line, self._check = unseal(text.decode(errors="surrogateescape"), self._number, self._check)
        return line


def _check_time(text: str) -> None:
    """Raise ValueError unless a text is a time of day and date, with its zone."""
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("time")
