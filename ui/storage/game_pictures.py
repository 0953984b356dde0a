"""The stored pictures of one game, by the numbers of its inputs."""

from __future__ import annotations

from ui.storage.game_entries import EntryKind
from ui.storage.game_store import GameStore
from ui.storage.stored_pictures import thumbnail_of


class GamePictures:
    """Finds the pictures of a game that may still go on."""

    def __init__(self, store: GameStore, game: int) -> None:
        """Take the store and the number of the game."""
        self._store, self._game = store, game
        self._entries: dict[int, int | None] = {}
        self._thumbnails: dict[int, bytes] = {}

    def entry(self, number: int) -> int | None:
        """Return the entry with the picture of an input; None where there is none.

        Raises:
            StorageError: It cannot be read.
        """
        if number not in self._entries:
            inputs = (each for each in self._store.entries(self._game) if each.kind is not EntryKind.SAID)
            self._entries = {at: each.number if each.has_picture else None for at, each in enumerate(inputs)}
        return self._entries.get(number)

    def picture(self, entry: int) -> bytes | None:
        """Return the picture of an entry, a JPEG; None where there is none.

        Raises:
            StorageError: It cannot be read.
        """
        return self._store.picture(self._game, entry)

    def thumbnail(self, entry: int) -> bytes | None:
        """Return a small JPEG of the picture of an entry; None where there is none.

        Raises:
            StorageError: It cannot be read.
        """
        if entry not in self._thumbnails:
            jpeg = self.picture(entry)
            if jpeg is None:
                return None
            self._thumbnails[entry] = thumbnail_of(jpeg)
        return self._thumbnails[entry]
