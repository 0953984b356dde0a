"""The memory: every game that was followed, in one SQLite data base in the user's data folder.

A game is what was agreed, and a list of entries: what the follower was given and what the referee said
to it, in order. Entries are stored before anything is shown, those that belong together in one
transaction, so a game goes on after a crash by giving the follower its inputs again.

The data base is in WAL mode with `synchronous = FULL`: a store returns once the disk has it, which outlives
the end of the process at any moment and a power cut as well. One connection and one lock serve all threads.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ui.errors import StorageError
from ui.storage.database import DamagedError, connect, damage_mark, is_damage, refused, set_aside
from ui.storage.game_settings import GameSettings, settings_from_dict, settings_to_dict
from ui.storage.paths import user_data_folder
from ui.text import errors as texts
from ui.text.sentences import _

if TYPE_CHECKING:
    from vision.imaging.arrays import ImageU8

FILE_NAME = "games.sqlite3"
MAX_CONTENT_BYTES = 256 * 1024
"""Of one entry, or of the settings, as JSON: some ten times the longest verdict."""
MAX_PICTURE_BYTES = 300 * 1024
MAX_PICTURE_SIDE_PX = 1280

_QUALITIES = (80, 70, 60, 48, 36, 24, 12)
"""JPEG qualities, tried in turn until a picture fits."""


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
    CLOSED = "closed"
    """Following was stopped; what was kept back is said. The game may go on later."""
    SAID = "said"
    """What the referee said, as `watch --json` prints it; all other kinds are inputs of the follower."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a game."""

    number: int
    """From 1, without gaps."""
    time: str
    """When it was stored: UTC, ISO 8601."""
    kind: EntryKind
    content: dict[str, Any]
    has_picture: bool = False


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


class Memory:
    """The recorded games. May be used from any thread; close it at the end, or use it in a `with`."""

    def __init__(self, path: Path, notice: str = "") -> None:
        """Connect to a data base that may have to be made; `Memory.open` does more."""
        self.path = path
        self.notice = notice
        """A sentence for people about what happened at the opening; mostly empty."""
        self._lock = threading.RLock()
        self._db = connect(path)

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Return the memory in a file, made where it does not exist.

        A damaged file is put aside under another name, nothing of it deleted, and a fresh one begun; `notice`
        then tells.

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
            aside = set_aside(path)
        notice = _(
            "The recorded games in {name!r} were damaged. They lie in {aside!r} now, and a new, empty file "
            "was begun."
        ).format(name=str(path), aside=str(aside))
        return cls(path, notice)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(self, *_exception: object) -> None:
        """Let go of the file."""
        self.close()

    def start_game(self, settings: GameSettings) -> int:
        """Store what was agreed for a new game, and return the game's number.

        Raises:
            StorageError: The settings are too large, or the file cannot be written.
        """
        with self._writing():
            return self._add_game(settings_to_dict(settings), _now(), None)

    def store(
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
            StorageError: There is no such game, something is too large or no JSON, or the file cannot be
                written.
        """
        time = _now()
        with self._writing():
            if not self._db.execute("UPDATE game SET finished = NULL WHERE id = ?", (game,)).rowcount:
                raise _no_game(game)
            number, checksum = self._end_of(game)
            for kind, content in entries:
                number += 1
                checksum = self._add_entry(game, number, time, kind, content, checksum, picture)
                picture = None
        return number

    def finish(self, game: int) -> None:
        """Note that a game is over.

        Raises:
            StorageError: There is no such game, or the file cannot be written.
        """
        with self._writing():
            if not self._db.execute("UPDATE game SET finished = ? WHERE id = ?", (_now(), game)).rowcount:
                raise _no_game(game)

    def games(self) -> list[GameSummary]:
        """Return all games, the newest first.

        Raises:
            StorageError: The file cannot be read.
        """
        with self._reading():
            rows = self._db.execute(
                "SELECT id, started, finished, settings, (SELECT content FROM entry WHERE game = id "
                "AND kind = 'said' ORDER BY number DESC LIMIT 1) FROM game ORDER BY id DESC"
            ).fetchall()
        return [_summary(*row) for row in rows]

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
        return settings_from_dict(self.head(game)["settings"])

    def head(self, game: int) -> dict[str, Any]:
        """Return when a game was started and finished, and its settings, as JSON writes them.

        Raises:
            StorageError: There is no such game, or it cannot be read.
        """
        with self._reading():
            row = self._db.execute(
                "SELECT started, finished, settings FROM game WHERE id = ?", (game,)
            ).fetchone()
        if row is None:
            raise _no_game(game)
        return {"started": row[0], "finished": row[1], "settings": _object(row[2])}

    def entries(self, game: int) -> list[Entry]:
        """Return what a game consists of, in order.

        Raises:
            StorageError: There is no such game, or an entry cannot be read.
        """
        self.head(game)
        with self._reading():
            rows = self._db.execute(
                "SELECT number, time, kind, content, EXISTS (SELECT 1 FROM picture WHERE "
                "picture.game = entry.game AND picture.number = entry.number) FROM entry "
                "WHERE game = ? ORDER BY number",
                (game,),
            ).fetchall()
        return [
            Entry(number, time, _kind(kind), _object(content), bool(has_picture))
            for number, time, kind, content, has_picture in rows
        ]

    def pictures(self, game: int) -> Iterator[tuple[int, bytes]]:
        """Yield each picture of a game as its entry's number and a JPEG, in order; read one by one.

        Raises:
            StorageError: A picture cannot be read.
        """
        row: tuple[int, bytes] = (0, b"")
        while True:
            with self._reading():
                row = self._db.execute(
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
        with self._reading():
            row = self._db.execute(
                "SELECT jpeg FROM picture WHERE game = ? AND number = ?", (game, number)
            ).fetchone()
        return None if row is None else bytes(row[0])

    def check(self, game: int) -> int:
        """Return how many entries a game has, once all are found there as they were stored.

        Raises:
            StorageError: An entry was changed or is missing.
        """
        with self._reading():
            row = self._db.execute("SELECT settings FROM game WHERE id = ?", (game,)).fetchone()
            if row is None:
                raise _no_game(game)
            expected = 0
            before = zlib.crc32(row[0].encode())
            for number, time, kind, content, checksum in self._db.execute(
                "SELECT number, time, kind, content, checksum FROM entry WHERE game = ? ORDER BY number",
                (game,),
            ):
                expected += 1
                before = _checksum(number, time, kind, content, before)
                if number != expected or checksum != before:
                    raise StorageError(texts.ENTRY_CHANGED, number=expected, game=game)
        return expected

    def add_game(self, head: Mapping[str, Any], entries: Iterable[tuple[Entry, bytes | None]]) -> int:
        """Store a whole game that comes from elsewhere, as a new one, and return its number.

        Args:
            head: As `Memory.head` gives it.
            entries: The game's entries in order, numbered from 1, each with its picture or None.

        Raises:
            StorageError: Something is too large or no JSON, or the file cannot be written; nothing is stored.
        """
        with self._writing():
            game = self._add_game(head["settings"], head["started"], head["finished"])
            _number, checksum = self._end_of(game)
            for entry, picture in entries:
                checksum = self._add_entry(
                    game, entry.number, entry.time, entry.kind, entry.content, checksum, picture
                )
        return game

    def _add_game(self, settings: Mapping[str, Any], started: str, finished: str | None) -> int:
        done = self._db.execute(
            "INSERT INTO game (started, finished, settings) VALUES (?, ?, ?)",
            (started, finished, content_text(settings)),
        )
        assert done.lastrowid is not None  # as after every INSERT
        return done.lastrowid

    def _end_of(self, game: int) -> tuple[int, int]:
        """Return number and check sum of a game's last entry, or what stands for them before the first."""
        row = self._db.execute(
            "SELECT number, checksum FROM entry WHERE game = ? ORDER BY number DESC LIMIT 1", (game,)
        ).fetchone()
        if row is None:
            (settings,) = self._db.execute("SELECT settings FROM game WHERE id = ?", (game,)).fetchone()
            return 0, zlib.crc32(settings.encode())
        return row[0], row[1]

    def _add_entry(
        self,
        game: int,
        number: int,
        time: str,
        kind: EntryKind,
        content: Mapping[str, Any],
        before: int,
        picture: bytes | None,
    ) -> int:
        """Store one entry and return its check sum, which hangs on that of the entry before it."""
        text = content_text(content)
        checksum = _checksum(number, time, kind.value, text, before)
        self._db.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", (game, number, time, kind.value, text, checksum)
        )
        if picture is not None:
            if len(picture) > MAX_PICTURE_BYTES:
                raise StorageError(texts.PICTURE_TOO_LARGE, limit=MAX_PICTURE_BYTES, size=len(picture))
            self._db.execute("INSERT INTO picture VALUES (?, ?, ?)", (game, number, picture))
        return checksum

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Keep other threads away, and turn what SQLite raises into a sentence."""
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                if is_damage(error):
                    with suppress(OSError):
                        damage_mark(self.path).touch()
                    raise StorageError(texts.GAMES_DAMAGED, name=str(self.path)) from error
                raise refused(self.path, error) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Do all that is inside in one transaction, or nothing of it."""
        with self._reading():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # SQLite itself ends one when the disk is full
                    self._db.execute("ROLLBACK")
                raise


def content_text(content: Mapping[str, Any]) -> str:
    """Return an object as the JSON text that is stored.

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


def pack_picture(image_bgr: ImageU8) -> bytes:
    """Return a picture as a JPEG small enough to be stored.

    Args:
        image_bgr: (height, width, 3) uint8, BGR; not modified.
    """
    import cv2

    high, wide = image_bgr.shape[:2]
    factor = MAX_PICTURE_SIDE_PX / max(high, wide)
    if factor < 1:
        size_wh = max(1, round(wide * factor)), max(1, round(high * factor))
        image_bgr = cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA).astype(image_bgr.dtype)
    for quality in _QUALITIES:
        packed = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(packed) <= MAX_PICTURE_BYTES:
            break
    return packed


def unpack_picture(jpeg: bytes) -> ImageU8:
    """Return a picture from what `pack_picture` made of it: (height, width, 3) uint8, BGR.

    Raises:
        StorageError: It is no JPEG, a damaged one, or larger than any that is stored.
    """
    from vision.errors import VisionError
    from vision.imaging.photo import decode_photo

    try:
        photo = decode_photo(jpeg, "JPEG")
    except VisionError as error:
        raise StorageError(texts.PICTURE_DAMAGED, problem=error) from error
    too_large = photo.scale > 1 or max(photo.image_bgr.shape) > MAX_PICTURE_SIDE_PX
    if too_large or len(jpeg) > MAX_PICTURE_BYTES or not jpeg.startswith(b"\xff\xd8"):
        raise StorageError(texts.PICTURE_FOREIGN)
    return photo.image_bgr


def _no_game(game: int) -> StorageError:
    return StorageError(texts.NO_GAME, number=game)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _object(text: str) -> dict[str, Any]:
    """Return the JSON object in a stored text.

    Raises:
        StorageError: There is none.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StorageError(texts.GAME_UNREADABLE) from error
    if type(found) is not dict:
        raise StorageError(texts.GAME_UNREADABLE)
    return found


def _kind(text: str) -> EntryKind:
    try:
        return EntryKind(text)
    except ValueError as error:
        raise StorageError(texts.GAME_UNREADABLE) from error


def _checksum(number: int, time: str, kind: str, content: str, before: int) -> int:
    return zlib.crc32(f"{number} {time} {kind} {content}".encode(), before)


def _summary(id: int, started: str, finished: str | None, settings: str, last: str | None) -> GameSummary:
    agreed = _object(settings)
    names = agreed.get("names")
    said = _object(last) if last else {}
    return GameSummary(
        id,
        started,
        finished,
        players=_whole(agreed.get("players")) or 0,
        names=tuple(str(name) for name in names) if type(names) is list else (),
        source=str(agreed.get("source", "")),
        turn=_whole(said.get("turn")) or 0,
        winner=_whole(said.get("winner")),
    )


def _whole(value: object) -> int | None:
    return value if type(value) is int else None
