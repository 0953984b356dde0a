"""Every game that was followed, in one SQLite data base in the user's data folder.

A game is what was agreed, and a list of entries: what the follower was given and what the referee said
to it, in order. Entries are stored before anything is shown, those that belong together in one
transaction, so a game goes on after a crash by giving the follower its inputs again.

The data base is in WAL mode with `synchronous = FULL`: `GameStore.append` returns once the disk has it, which
outlives the end of the process at any moment and a power cut as well. One connection and one lock serve all
threads.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from ui.errors import StorageError
from ui.storage.database import DamagedError, Database, refused, set_aside
from ui.storage.game_entries import (
    EntryKind,
    GameHead,
    GameSummary,
    StoredEntry,
    add_entry,
    checksum_of,
    content_of,
    content_text,
    entry_of_row,
    last_entry,
    shown_source,
    summary_of_row,
)
from ui.storage.game_lock import GameLock
from ui.storage.game_settings import GameSettings, settings_from_dict, settings_to_dict
from ui.storage.paths import user_data_folder
from ui.text import errors as texts

FILE_NAME = "games.sqlite3"
MAX_NAME = 60
"""Characters of a game's name."""


class GameStore:
    """The recorded games. May be used from any thread; close it at the end, or use it in a `with`."""

    def __init__(self, path: Path, aside: Path | None = None) -> None:
        """Connect to the data base, which is made if there is none; `GameStore.open` does more."""
        self.path = path
        self.aside = aside
        """Where a damaged data base was put that stood in the way; None where there was none."""
        self.database = Database(path)
        self._followed: dict[int, GameLock] = {}

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Return the store in a file, which is made if there is none.

        A damaged file gets another name, nothing of it is deleted, and a new file is begun; `aside` then
        tells where the damaged one is.

        Args:
            path: The data base; None is that in the user's data folder.

        Raises:
            StorageError: It cannot be opened or made, is another program's, or a newer version's.
        """
        path = user_data_folder() / FILE_NAME if path is None else path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refused(path, error.strerror or error) from error
        try:
            return cls(path)
        except DamagedError:
            return cls(path, set_aside(path))

    def close(self) -> None:
        """Let go of the file."""
        with self.database.lock:
            for game in list(self._followed):
                self.leave(game)
            self.database.close()

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(self, *_exception: object) -> None:
        """Let go of the file."""
        self.close()

    def start_game(self, settings: GameSettings) -> int:
        """Store what was agreed for a new game, and return the game's number.

        Raises:
            StorageError: The settings are too large, or the file cannot be written.
        """
        with self.database.writing() as db:
            return _add_game(db, settings_to_dict(settings), now(), None, settings.address)

    def follow(self, game: int) -> None:
        """Keep every other program from writing to a game, until `leave` or the end of this process.

        Raises:
            StorageError: Another one follows it.
        """
        with self.database.lock:
            if game not in self._followed:
                self._followed[game] = GameLock(self.path, game)

    def leave(self, game: int) -> None:
        """Let other programs write to a game again."""
        with self.database.lock:
            if game in self._followed:
                self._followed.pop(game).release()

    def append(
        self,
        game: int,
        entries: Sequence[tuple[EntryKind, Mapping[str, Any]]],
        picture: bytes | None = None,
    ) -> int:
        """Store entries that belong together, all of them or none, and return the last one's number.

        Once this returns, they can be shown: no end of the process loses them. A finished game goes on.

        Args:
            game: The game's number.
            entries: At least one: mostly an input, then all that was said to it; JSON objects.
            picture: How the table looks, from `pack_picture`; goes with the first entry.

        Raises:
            StorageError: There is no such game, another program follows it, something is too large or no
                JSON, or the file cannot be written.
        """
        time = now()
        with self.database.writing() as db:
            if not db.execute("UPDATE game SET finished = NULL WHERE id = ?", (game,)).rowcount:
                raise _no_game(game)
            self.follow(game)
            number, checksum = last_entry(db, game)
            for kind, content in entries:
                number += 1
                entry = StoredEntry(number, time, kind, dict(content))
                checksum = add_entry(db, game, entry, checksum, picture)
                picture = None
        return number

    def finish(self, game: int) -> None:
        """Note that a game is over.

        Raises:
            StorageError: There is no such game, or the file cannot be written.
        """
        with self.database.writing() as db:
            if not db.execute("UPDATE game SET finished = ? WHERE id = ?", (now(), game)).rowcount:
                raise _no_game(game)

    def games(self) -> list[GameSummary]:
        """Return all games, the newest first.

        Raises:
            StorageError: The file cannot be read.
        """
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT id, started, finished, settings, name, (SELECT content FROM entry WHERE game = id "
                "AND kind = 'said' ORDER BY number DESC LIMIT 1) FROM game ORDER BY id DESC"
            ).fetchall()
        return [summary_of_row(*row) for row in rows]

    def rename(self, game: int, name: str) -> None:
        """Give a game a name; an empty one takes it away.

        Raises:
            StorageError: There is no such game, or the file cannot be written.
        """
        name = name.strip()[:MAX_NAME]
        with self.database.writing() as db:
            if not db.execute("UPDATE game SET name = ? WHERE id = ?", (name, game)).rowcount:
                raise _no_game(game)

    def delete(self, game: int) -> None:
        """Delete a game with all its pictures, for good.

        Raises:
            StorageError: There is no such game, somebody follows it, or the file cannot be written.
        """
        self.head(game)
        self.follow(game)
        try:
            with self.database.writing() as db:
                for table in ("example", "picture", "entry"):
                    db.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
                db.execute("DELETE FROM game WHERE id = ?", (game,))
        finally:
            self.leave(game)

    def last_picture(self, game: int) -> bytes | None:
        """Return the newest picture of a game as a JPEG; None where there is none.

        Raises:
            StorageError: It cannot be read.
        """
        with self.database.reading() as db:
            row = db.execute(
                "SELECT jpeg FROM picture WHERE game = ? ORDER BY number DESC LIMIT 1", (game,)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def unfinished(self) -> list[GameSummary]:
        """Return the games that can go on, the newest first.

        Raises:
            StorageError: The file cannot be read.
        """
        return [game for game in self.games() if game.finished is None]

    def settings(self, game: int) -> GameSettings:
        """Return what was agreed for a game.

        Raises:
            StorageError: There is no such game, or its settings cannot be read.
        """
        settings = settings_from_dict(self.head(game).settings)
        with self.database.reading() as db:
            (address,) = db.execute("SELECT address FROM game WHERE id = ?", (game,)).fetchone()
        return replace(settings, address=address)

    def head(self, game: int) -> GameHead:
        """Return when a game was started and finished, and what was agreed.

        Raises:
            StorageError: There is no such game, or it cannot be read.
        """
        with self.database.reading() as db:
            row = db.execute("SELECT started, finished, settings FROM game WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise _no_game(game)
        settings = content_of(row[2])
        if type(settings.get("source")) is str:  # earlier versions hid less of an address
            settings["source"] = shown_source(settings["source"])
        return GameHead(row[0], row[1], settings)

    def entries(self, game: int) -> list[StoredEntry]:
        """Return what a game consists of, in order.

        Raises:
            StorageError: There is no such game, or an entry cannot be read.
        """
        self.head(game)
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT number, time, kind, content, EXISTS (SELECT 1 FROM picture WHERE "
                "picture.game = entry.game AND picture.number = entry.number) FROM entry "
                "WHERE game = ? ORDER BY number",
                (game,),
            ).fetchall()
        return [entry_of_row(*row) for row in rows]

    def pictures(self, game: int) -> Iterator[tuple[int, bytes]]:
        """Yield the pictures of a game in order, each with the number of its entry; they are read one by one.

        Raises:
            StorageError: A picture cannot be read.
        """
        row: tuple[int, bytes] = (0, b"")
        while True:
            with self.database.reading() as db:
                row = db.execute(
                    "SELECT number, jpeg FROM picture WHERE game = ? AND number > ? ORDER BY number LIMIT 1",
                    (game, row[0]),
                ).fetchone()
            if row is None:
                return
            yield row

    def picture(self, game: int, number: int) -> bytes | None:
        """Return the picture of one entry as a JPEG; None where there is none.

        Raises:
            StorageError: It cannot be read.
        """
        with self.database.reading() as db:
            row = db.execute(
                "SELECT jpeg FROM picture WHERE game = ? AND number = ?", (game, number)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def check(self, game: int) -> int:
        """Check that all entries of a game are as they were stored, and return how many there are.

        Raises:
            StorageError: An entry was changed or is missing.
        """
        with self.database.reading() as db:
            row = db.execute("SELECT settings FROM game WHERE id = ?", (game,)).fetchone()
            if row is None:
                raise _no_game(game)
            expected = 0
            before = zlib.crc32(row[0].encode())
            for number, time, kind, content, checksum in db.execute(
                "SELECT number, time, kind, content, checksum FROM entry WHERE game = ? ORDER BY number",
                (game,),
            ):
                expected += 1
                before = checksum_of(number, time, kind, content, before)
                if number != expected or checksum != before:
                    raise StorageError(texts.ENTRY_CHANGED, number=expected, game=game)
        return expected

    def add_game(self, head: GameHead, entries: Iterable[tuple[StoredEntry, bytes | None]]) -> int:
        """Store a whole game from elsewhere as a new game, and return its number.

        Args:
            head: As `head` gives it.
            entries: The game's entries in order, numbered from 1, each with its picture or None.

        Raises:
            StorageError: Something is too large or no JSON, or the file cannot be written; nothing is stored.
        """
        with self.database.writing() as db:
            game = _add_game(db, head.settings, head.started, head.finished)
            _number, checksum = last_entry(db, game)
            for entry, picture in entries:
                checksum = add_entry(db, game, entry, checksum, picture)
        return game


def _add_game(
    db: sqlite3.Connection, settings: Mapping[str, Any], started: str, finished: str | None, address: str = ""
) -> int:
    done = db.execute(
        "INSERT INTO game (started, finished, settings, address) VALUES (?, ?, ?, ?)",
        (started, finished, content_text(settings), address),
    )
    assert done.lastrowid is not None  # as after every INSERT
    return done.lastrowid


def _no_game(game: int) -> StorageError:
    return StorageError(texts.NO_GAME, number=game)


def now() -> str:
    """Return the time as it is stored: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
