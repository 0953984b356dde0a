"""A new game that begins as another one did, to be played on in another way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from ui.services.recorded_turns import what_counts
from ui.storage.game_entries import EntryKind, GameHead, StoredEntry
from ui.storage.game_store import GameStore

_LEFT_OUT = (EntryKind.UNDONE, EntryKind.REDONE, EntryKind.CHALLENGE)
"""These name other inputs by their numbers, which the new game has not."""


def copy_until(store: GameStore, game: int, last_input: int) -> int:
    """Return the number of a new game without a camera that is as another one was after one of its inputs.

    What was taken back is left out. The other game stays as it is.

    Args:
        store: Holds both.
        game: The number of the other game.
        last_input: The number of the input, among those of the game, from 0.

    Raises:
        StorageError: It cannot be read or written.
    """
    head = store.head(game)
    settings = {**head.settings, "source": ""}
    entries = enumerate(_until(store, game, last_input), 1)
    copied = (
        (replace(entry, number=number), store.picture(game, entry.number) if entry.has_picture else None)
        for number, entry in entries
    )
    return store.add_game(
        GameHead(datetime.now(UTC).isoformat(timespec="milliseconds"), None, settings), copied
    )


def _until(store: GameStore, game: int, last_input: int) -> Iterator[StoredEntry]:
    """Yield the entries that count, up to an input and what was said to it."""
    entries = store.entries(game)
    counting = {entry.number for entry in what_counts(entries) if entry.kind not in _LEFT_OUT}
    number = -1
    for entry in entries:
        number += entry.kind is not EntryKind.SAID
        if number > last_input:
            return
        if entry.number in counting:
            yield entry
