"""The turns of a recorded game, as its entries tell them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from ui.storage.game_entries import EntryKind, StoredEntry


class Numbered(Protocol):
    """A turn."""

    number: int


_Turn = TypeVar("_Turn", bound=Numbered)


@dataclass(slots=True)
class RecordedTurn:
    """What was announced in one turn."""

    number: int
    player: int
    said: list[dict[str, Any]] = field(default_factory=list)
    """As `watch --json` prints it; need not be well formed."""
    picture: int | None = None
    """Number of the entry with the first picture of the turn; None where there is none."""

    @property
    def layout(self) -> str:
        """The first layout of the turn that was told."""
        return next((str(said["layout"]) for said in self.said if said.get("layout")), "-")


def find_turn(turns: Sequence[_Turn], since: int, number: int) -> _Turn | None:
    """Return the turn that something belongs to; None where a new one begins.

    What the silent voice kept back, and a tile that could not be read at first, are told in a later turn.

    Args:
        turns: The turns so far.
        since: Index of the first turn since the people last put the turn back.
        number: The number of the turn that is told.
    """
    again = turns[since:]
    for turn in reversed(again):
        if turn.number == number:
            return turn
    return again[-1] if again and number < again[-1].number else None


def is_put_back(turns: Sequence[Numbered], content: Mapping[str, Any]) -> bool:
    """Whether an input puts the turn back, so that turns of the same number follow once more."""
    told = content.get("turn") if content.get("input") == EntryKind.CORRECTION.value else None
    return type(told) is int and bool(turns) and told < turns[-1].number


def what_counts(entries: Iterable[StoredEntry]) -> Iterator[StoredEntry]:
    """Yield the entries of a game without what was taken back, and what was said to that."""
    entries = list(entries)
    undone: set[int] = set()
    for entry in entries:
        numbers = entry.content.get("inputs")
        if entry.kind is EntryKind.UNDONE and type(numbers) is list:
            undone.update(numbers)
        elif entry.kind is EntryKind.REDONE and type(numbers) is list:
            undone.difference_update(numbers)
    number = -1
    for entry in entries:
        number += entry.kind is not EntryKind.SAID
        if number not in undone:
            yield entry


def turns_of(entries: Iterable[StoredEntry]) -> list[RecordedTurn]:
    """Return the turns of a game, without what was taken back."""
    turns: list[RecordedTurn] = []
    picture, since = None, 0
    for entry in what_counts(entries):
        if entry.kind is not EntryKind.SAID:
            picture = entry.number if entry.has_picture else None
            since = len(turns) if is_put_back(turns, entry.content) else since
            continue
        number, player = entry.content.get("turn"), entry.content.get("player")
        if type(number) is not int or type(player) is not int:
            number, player = (turns[-1].number, turns[-1].player) if turns else (1, 0)
        turn = find_turn(turns, since, number)
        if turn is None:
            turn = RecordedTurn(number, player)
            turns.append(turn)
        turn.said.append(entry.content)
        if turn.picture is None and turn is turns[-1]:
            turn.picture = picture
    return turns
