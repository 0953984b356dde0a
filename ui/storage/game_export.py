"""Recorded games as files: JSON lines that can be sent to somebody else, or kept.

The first line is what was agreed; each further line is an entry, with its picture in base64 if asked for.
Every line ends with a check sum over itself and all before it, as in `referee.formats.record`, so that a line
that was changed, lost or cut off is found, and everything before it can still be taken in.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from referee.errors import Fault, RecordError
from referee.formats.record import check_head, save_lines, seal, unseal
from ui.errors import StorageError
from ui.storage.game_settings import settings_from_dict
from ui.storage.game_store import Entry, EntryKind, Memory, content_text, unpack_picture
from ui.text import errors as texts

FORMAT = "pyramid-referee recorded game"
VERSION = 1
MAX_LINE_BYTES = 1 << 20
"""Of a file that is read; the largest entry with the largest picture has fewer."""
MAX_ENTRIES = 100_000
"""Of a game that is taken in: a day and a night of one entry a second."""


def export_game(memory: Memory, game: int, path: Path, *, with_pictures: bool = False) -> None:
    """Write a game to a file, whole or not at all.

    Raises:
        StorageError: There is no such game, or it cannot be read.
        OSError: The file cannot be written.
    """
    save_lines(path, _lines(memory, game, with_pictures=with_pictures))


def _lines(memory: Memory, game: int, *, with_pictures: bool) -> Iterator[str]:
    """Yield the lines of a game, without line ends."""
    entries = memory.entries(game)
    head = {"record": FORMAT, "version": VERSION, **memory.head(game), "entries": len(entries)}
    line, check = seal(head, 0)
    yield line
    pictures = memory.pictures(game)
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


def import_game(memory: Memory, path: Path) -> tuple[int, RecordError | StorageError | None]:
    """Store a file's game as a new one; return its number, and what is wrong after its last sound line.

    Raises:
        RecordError: It is no recorded game at all.
        StorageError: Its first line lacks something, or it cannot be stored.
        OSError: The file cannot be read.
    """
    with path.open("rb") as file:
        reader = _Reader(file)
        return memory.add_game(reader.head, reader.entries()), reader.problem


class _Reader:
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
        self.head = self._next_line() or {}
        """What was agreed, when the game started and finished, and how many entries follow."""
        check_head(self.head, FORMAT, VERSION)
        try:
            settings_from_dict(self.head["settings"])
            content_text(self.head["settings"])
            _check_time(self.head["started"])
            if self.head["finished"] is not None:
                _check_time(self.head["finished"])
            if type(self.head["entries"]) is not int:
                raise TypeError("entries")
        except (StorageError, KeyError, TypeError, ValueError) as error:
            raise StorageError(texts.EXPORT_LINE_WRONG, number=1) from error

    def entries(self) -> Iterator[tuple[Entry, bytes | None]]:
        """Yield the entries of the sound lines, each with its picture if it has one."""
        number = 0
        try:
            while (line := self._next_line()) is not None:
                number += 1
                yield self._entry(line, number)
            if number < self.head["entries"]:
                raise StorageError(texts.EXPORT_ENDS_EARLY, number=number, entries=self.head["entries"])
        except (RecordError, StorageError) as problem:
            self.problem = problem

    def _entry(self, line: Mapping[str, Any], number: int) -> tuple[Entry, bytes | None]:
        """Return what a line tells.

        Raises:
            StorageError: Something is missing, wrong or too large.
        """
        try:
            if line["number"] != number or number > MAX_ENTRIES or type(line["content"]) is not dict:
                raise ValueError("number")
            _check_time(line["time"])
            content_text(line["content"])
            packed = line.get("picture")
            picture = None if packed is None else _picture(packed)
            return Entry(number, line["time"], EntryKind(line["kind"]), line["content"]), picture
        except (StorageError, KeyError, TypeError, ValueError) as error:
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


def _check_time(text: object) -> None:
    """Make sure that a text is a time of day and date, with its zone."""
    if type(text) is not str or len(text) > 40 or datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("time")


def _picture(packed: object) -> bytes:
    """Return a picture from base64, once it is known to be one as they are stored."""
    if type(packed) is not str:
        raise TypeError("picture")
    jpeg = base64.b64decode(packed, validate=True)
    unpack_picture(jpeg)
    return jpeg
