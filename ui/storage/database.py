"""The file of the recorded games: makes it, opens it, and checks that it is whole and ours.

`PRAGMA user_version` says which version of the tables a file has. A file of an older version climbs the
ladder `RUNGS` when it is opened, rung by rung; a new file begins at its foot.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from ui.errors import StorageError
from ui.text import errors as texts

APPLICATION_ID = 0x50795265
"""In the header of every data base of ours: "PyRe"."""
BUSY_TIMEOUT_S, BUSY_PAUSE_S = 10.0, 0.01
"""How long to wait for others who write, and how long between two tries where SQLite does not wait itself."""
OWNER_ALONE = 0o600
"""Who may read the data base, in which addresses have their passwords."""

_TABLES = """
    CREATE TABLE game (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        started TEXT NOT NULL,
        finished TEXT,
        settings TEXT NOT NULL
    ) STRICT;
    CREATE TABLE entry (
        game INTEGER NOT NULL REFERENCES game (id),
        number INTEGER NOT NULL,
        time TEXT NOT NULL,
        kind TEXT NOT NULL,
        content TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT;
    CREATE TABLE picture (
        game INTEGER NOT NULL,
        number INTEGER NOT NULL,
        jpeg BLOB NOT NULL,
        PRIMARY KEY (game, number),
        FOREIGN KEY (game, number) REFERENCES entry (game, number)
    ) STRICT;
"""


def _make_tables(db: sqlite3.Connection) -> None:
    """Make the tables of version 1, in an empty file."""
    for statement in _TABLES.split(";"):
        db.execute(statement)


def _add_address(db: sqlite3.Connection) -> None:
    """Give each game a place for the whole address of its stream, apart from what is shown and exported."""
    db.execute("ALTER TABLE game ADD COLUMN address TEXT NOT NULL DEFAULT ''")
    db.execute(
        "UPDATE game SET address = json_extract(settings, '$.source') WHERE "
        "CASE WHEN json_valid(settings) THEN json_extract(settings, '$.source') LIKE '%://%' END"
    )


def _make_examples(db: sqlite3.Connection) -> None:
    """Make room for what games teach of their tiles."""
    db.execute(
        """
        CREATE TABLE example (
            game INTEGER NOT NULL REFERENCES game (id),
            code TEXT NOT NULL,
            input INTEGER NOT NULL,
            told INTEGER NOT NULL,
            png BLOB NOT NULL,
            PRIMARY KEY (game, input, code)
        ) STRICT
        """
    )


def _add_name(db: sqlite3.Connection) -> None:
    """Give each game a place for the name that its players gave it."""
    db.execute("ALTER TABLE game ADD COLUMN name TEXT NOT NULL DEFAULT ''")


Rung = Callable[[sqlite3.Connection], None]

RUNGS: tuple[Rung, ...] = (_make_tables, _make_examples, _add_address, _add_name)
"""`RUNGS[n]` changes the tables of version n into those of version n + 1.

A rung runs inside a transaction, which it must not end itself (no `executescript`), with foreign keys not
enforced. Once a version of the program is out, its rungs stay as they are: new ones go on top.
"""
SCHEMA = len(RUNGS)
"""The version of the tables that this program works with."""


class DamagedError(Exception):
    """The file is damaged, or not a data base."""


class Database:
    """The open file, for all threads: one connection and one lock."""

    def __init__(self, path: Path) -> None:
        """Connect to the data base in a file, which is made if there is none; raises as `connect` does."""
        self.path = path
        self.lock = threading.RLock()
        """Is held while the file is read or written."""
        self._db = connect(path)

    def close(self) -> None:
        """Let go of the file."""
        with self.lock:
            self._db.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Keep other threads away from the connection, and turn what SQLite raises into a sentence.

        Raises:
            StorageError: The file cannot be read or is damaged, or no game has the number that was asked for.
        """
        with self.lock:
            try:
                yield self._db
            except sqlite3.Error as error:
                if is_damage(error):
                    with suppress(OSError):
                        damage_mark(self.path).touch()
                    raise StorageError(texts.GAMES_DAMAGED, name=str(self.path)) from error
                raise refused(self.path, error) from error
            except OverflowError as error:  # no game has a number that SQLite cannot hold
                raise StorageError(texts.NO_GAME_OF_THIS_NUMBER) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run the block in one transaction: all of it is stored, or nothing; raises as `reading` does."""
        with self.reading() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:  # SQLite itself ends one when the disk is full
                    db.execute("ROLLBACK")
                raise


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection to the data base, which is made if there is none.

    Raises:
        StorageError: It cannot be opened or made, is another program's, or a newer version's. The file and
            what lies beside it are as they were.
        DamagedError: The file is damaged, or not a data base.
    """
    if damage_mark(path).exists():
        raise DamagedError
    if path.with_name(f"{path.name}-wal").exists():
        _look_without_writing(path)
    with suppress(OSError):  # SQLite says why it cannot be made
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE))
    try:
        db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise refused(path, error) from error
    try:
        _prepare(db, path)
    except BaseException as error:
        db.close()
        if isinstance(error, sqlite3.Error):
            if is_damage(error):
                raise DamagedError from error
            raise refused(path, error) from error
        raise
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):  # one of another owner is as private as that owner likes
            os.chmod(f"{path}{ending}", OWNER_ALONE)
    return db


def _look_without_writing(path: Path) -> None:
    """Refuse a file that this program must not change, without changing it.

    A program that was killed leaves a journal (`-wal`). A connection that may write would put it into
    the file when it closes, even if nothing else was done.

    Raises:
        StorageError: It is another program's file, or a newer version's.
        DamagedError: Its tables are not those of its version.
    """
    with suppress(sqlite3.Error):  # the connection that may write finds the same, and says it
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, timeout=BUSY_TIMEOUT_S, uri=True)) as db:
            _version(db, path)


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    """Check the file, bring it up to date, and set up the connection."""
    db.execute("PRAGMA synchronous = FULL")
    version = _version(db, path)
    if version == 0:
        _write_ahead(db)
    while version < len(RUNGS):
        version = _climb(db, path)
    db.execute("PRAGMA foreign_keys = ON")
    # The pictures are left out: they are nearly all of the file, and a damaged one harms nothing else.
    for table in ("game", "entry"):
        if db.execute(f"PRAGMA quick_check('{table}')").fetchone() != ("ok",):
            raise DamagedError


def _write_ahead(db: sqlite3.Connection) -> None:
    """Let readers and the writer of a new file work side by side.

    SQLite refuses this at once, whatever its timeout, while another connection does the same.
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(BUSY_PAUSE_S)
        else:
            return


def _climb(db: sqlite3.Connection, path: Path) -> int:
    """Take a data base up one rung, in one transaction, and return its version."""
    db.execute("BEGIN IMMEDIATE")
    try:
        version = _version(db, path)
        if version < len(RUNGS):  # nobody else was quicker
            RUNGS[version](db)
            version += 1
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {version}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return version


def _version(db: sqlite3.Connection, path: Path) -> int:
    """Return the version of a data base of ours; 0 for an empty file.

    Raises:
        StorageError: It is another program's, or a newer version's.
        DamagedError: Its tables are not those of its version.
    """
    # One statement, so that another process that makes the tables meanwhile is seen wholly or not at all.
    application, version, tables = db.execute(
        "SELECT application_id, user_version, (SELECT group_concat(name) FROM sqlite_master "
        "WHERE type = 'table') FROM pragma_application_id, pragma_user_version"
    ).fetchone()
    if (application, version, tables) == (0, 0, None):
        return 0
    if application != APPLICATION_ID:
        raise StorageError(texts.GAMES_OF_ANOTHER_PROGRAM, name=str(path))
    if version > len(RUNGS):
        raise StorageError(texts.GAMES_OF_NEWER_VERSION, name=str(path))
    if version < 1 or not {"game", "entry", "picture"} <= set(str(tables).split(",")):
        raise DamagedError
    return int(version)


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error means that the file is damaged."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest tells details
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def damage_mark(path: Path) -> Path:
    """Return the file that marks a data base in which damage was found; the next opening sets it aside."""
    return path.with_name(f"{path.name}-damaged")


def set_aside(path: Path) -> Path:
    """Rename a data base and its journal to a name that is free, and return the new path.

    Raises:
        StorageError: The system refuses.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    number = 1
    while (aside := path.with_name(f"damaged-{stamp}-{number}-{path.name}")).exists():
        number += 1
    try:
        for ending in ("-shm", "-wal", ""):
            with suppress(FileNotFoundError):
                path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
        damage_mark(path).unlink(missing_ok=True)
    except OSError as error:
        raise refused(path, error.strerror or error) from error
    return aside


def refused(path: Path, reason: object) -> StorageError:
    """Return the error for a file that the system or SQLite refuses; `reason` is in their words."""
    return StorageError(texts.GAMES_REFUSED, name=str(path), reason=str(reason))
