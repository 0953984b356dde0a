"""One writer a game: a lock that goes with its process, however that ends.

It is a lock of the system on a small file beside the data base, one for each game that is followed. The file
holds the number of the process, for whoever comes second. A file that a killed process left locks nobody.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from ui.errors import StorageError
from ui.storage.database import refused
from ui.text import errors as texts

_FAR_BYTE = 1 << 20
"""Where Windows locks the file, which could not be read otherwise."""


class GameLock:
    """The right to write to a game, held until `release` or the end of the process."""

    def __init__(self, store: Path, game: int) -> None:
        """Take the lock.

        Args:
            store: The data base.
            game: The game's number.

        Raises:
            StorageError: Another program, or another part of this one, follows the game; or the folder cannot
                be written to.
        """
        self._path = store.with_name(f"{store.name}-game-{game}.lock")
        try:
            self._descriptor = self._taken(game)
        except OSError as error:
            raise refused(store, error.strerror or error) from error

    def _taken(self, game: int) -> int:
        """Return the descriptor of the file, locked."""
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if not _try_to_lock(descriptor):
                holder = os.read(descriptor, 20).decode(errors="replace")
                os.close(descriptor)
                raise StorageError(texts.GAME_FOLLOWED, number=game, process=holder or "?")
            if self._is_still_there(descriptor):
                os.truncate(descriptor, 0)
                os.write(descriptor, str(os.getpid()).encode())
                return descriptor
            os.close(descriptor)  # whoever held it before has just removed it

    def _is_still_there(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let others follow the game."""
        with contextlib.suppress(OSError):  # Windows removes no file that is open: there it stays
            self._path.unlink()
        os.close(self._descriptor)


def _try_to_lock(descriptor: int) -> bool:
    """Return whether a file could be locked for this process alone."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _FAR_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
