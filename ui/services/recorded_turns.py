"""The turns of a recorded game, as its entries tell them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ui.storage.game_entries import EntryKind, StoredEntry


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


def turns_of(entries: Iterable[StoredEntry]) -> list[RecordedTurn]:
    """Return the turns of a game; one that was taken up again after another is there twice."""
    turns: list[RecordedTurn] = []
    picture = None
    for entry in entries:
        if entry.kind is not EntryKind.SAID:
            picture = entry.number if entry.has_picture else None
            continue
        number, player = entry.content.get("turn"), entry.content.get("player")
        if type(number) is not int or type(player) is not int:
            number, player = (turns[-1].number, turns[-1].player) if turns else (1, 0)
        if not turns or turns[-1].number != number:
            turns.append(RecordedTurn(number, player))
        turns[-1].said.append(entry.content)
        if turns[-1].picture is None:
            turns[-1].picture = picture
    return turns
