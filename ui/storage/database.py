"""The file of the recorded games: makes it, opens it, and makes sure that it is whole and ours."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from ui.errors import StorageError
from ui.text import errors as texts

APPLICATION_ID = 0x50795265
"""In the header of every data base of ours: "PyRe"."""
SCHEMA = 1
BUSY_TIMEOUT_S = 10.0

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


class DamagedError(Exception):
    """The file is no whole data base."""


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection to a sound data base of ours, made where there was none.

    Raises:
        StorageError: It cannot be opened or made, is another program's, or a newer version's.
        DamagedError: The file is no whole data base.
    """
    if damage_mark(path).exists():
        raise DamagedError
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
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    """Make sure of what the file is, and set the connection up."""
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA synchronous = FULL")
    if not _is_ours(db, path):
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN IMMEDIATE")
        if not _is_ours(db, path):  # nobody else was quicker
            for statement in _TABLES.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {SCHEMA}")
        db.execute("COMMIT")
    # The pictures are left out: they are nearly all of the file, and a damaged one harms nothing else.
    for table in ("game", "entry"):
        if db.execute(f"PRAGMA quick_check('{table}')").fetchone() != ("ok",):
            raise DamagedError


def _is_ours(db: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file is a data base of ours; False for an empty one.

    Raises:
        StorageError: It is another program's, or a newer version's.
        DamagedError: Its tables are not those of its version.
    """
    # One statement, so that another process that makes the tables meanwhile is seen wholly or not at all.
    application, schema, tables = db.execute(
        "SELECT application_id, user_version, (SELECT group_concat(name) FROM sqlite_master "
        "WHERE type = 'table') FROM pragma_application_id, pragma_user_version"
    ).fetchone()
    if (application, schema, tables) == (0, 0, None):
        return False
    if application != APPLICATION_ID:
        raise StorageError(texts.GAMES_OF_ANOTHER_PROGRAM, name=str(path))
    if schema > SCHEMA:
        raise StorageError(texts.GAMES_OF_NEWER_VERSION, name=str(path))
    if schema != SCHEMA or not {"game", "entry", "picture"} <= set(str(tables).split(",")):
        raise DamagedError
    return True


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error tells of a file that is not whole."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest tells details
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def damage_mark(path: Path) -> Path:
    """Return the file that tells that damage was found at work; the next opening sets the data base aside."""
    return path.with_name(f"{path.name}-damaged")


def set_aside(path: Path) -> Path:
    """Give a data base another, free name, with the journal that belongs to it; return the new path.

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
    """Return the error for a file that the system or SQLite refuses, for a reason in its own words."""
    return StorageError(texts.GAMES_REFUSED, name=str(path), reason=str(reason))
