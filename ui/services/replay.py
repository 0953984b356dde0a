"""A recorded game taken up again: a fresh follower hears what the first one heard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.formats.input_json import input_from_dict
from referee.tracking.announcements import Announcement
from referee.tracking.follower import Follower
from ui.errors import StorageError
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.text import errors as texts

BY_CAMERA = "by_camera"
"""The key of an input of people's kind that the pictures gave; *Undo* does not take it back."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One input of a game, and what was said to it."""

    number: int
    """Among the game's inputs, from 0."""
    content: Mapping[str, Any]
    said: tuple[Announcement, ...]


class Replay:
    """A follower that hears the inputs of a recorded game, and can take some of them back."""

    def __init__(self, settings: GameSettings, heard: Iterable[Mapping[str, Any]] = ()) -> None:
        """Begin, and hear these inputs.

        Raises:
            ChoiceError: Not 2 to 6 players.
            RefereeError: An input is none.
        """
        self._setup = settings.setup
        self._inputs: list[Mapping[str, Any]] = []
        self._undone: set[int] = set()
        self._begin()
        for content in heard:
            self.hear(content)

    def _begin(self) -> None:
        setup = self._setup
        self.follower = Follower(setup.players, setup.options, setup.variant, setup.voice)
        self.heard: list[Heard] = []
        """The inputs that count, in order, with what was said to them."""

    def hear(self, content: Mapping[str, Any]) -> list[Announcement]:
        """Return what is said to an input; nothing to one that takes others back or brings them again.

        Raises:
            RefereeError: It is no input.
        """
        kind = content.get("input")
        if kind in _TAKING_BACK:
            numbers = self._checked(content.get("inputs"))
            if kind == EntryKind.UNDONE.value:
                self._undone.update(numbers)
            else:
                self._undone.difference_update(numbers)
            self._inputs.append(content)
            self._again()
            return []
        said = self._tell(content)
        self.note(content, said)
        return said

    def note(self, content: Mapping[str, Any], said: Sequence[Announcement]) -> None:
        """Remember an input that the follower has heard already."""
        self.heard.append(Heard(len(self._inputs), content, tuple(said)))
        self._inputs.append(content)

    def _tell(self, content: Mapping[str, Any]) -> list[Announcement]:
        if content.get("input") == EntryKind.CLOSED.value:
            return self.follower.close()
        if content.get("input") == EntryKind.CHALLENGE.value:
            self._checked([content.get("challenged")])
            if type(content.get("overturned")) is not bool or type(content.get("time_s")) is not float:
                raise StorageError(texts.GAME_UNREADABLE)
            return []  # it changes nothing of what is known
        return self.follower.hear(input_from_dict(content))

    def _checked(self, numbers: object) -> list[int]:
        """Return the numbers of inputs, once they are known to be such."""
        if type(numbers) is list and all(type(n) is int and 0 <= n < len(self._inputs) for n in numbers):
            return numbers
        raise StorageError(texts.GAME_UNREADABLE)

    def _again(self) -> None:
        """Let a fresh follower hear all inputs that count."""
        self._begin()
        for number, content in enumerate(self._inputs):
            if number not in self._undone and content.get("input") not in _TAKING_BACK:
                self.heard.append(Heard(number, content, tuple(self._tell(content))))


_TAKING_BACK = (EntryKind.UNDONE.value, EntryKind.REDONE.value)


def follow_again(
    settings: GameSettings, inputs: Iterable[Mapping[str, Any]]
) -> tuple[Follower, list[Announcement]]:
    """Return a follower that stands where the recorded one stood, and all that it said on the way.

    Args:
        settings: What was agreed.
        inputs: The contents of all entries but those of what was said, in order.

    Raises:
        RefereeError: An input is none.
    """
    replay = Replay(settings)
    said: list[Announcement] = []
    for found in inputs:
        said += replay.hear(found)
    return replay.follower, said


def clear_time(inputs: Iterable[Mapping[str, Any]]) -> float:
    """Return the time of the last settled table over which nothing lay; 0 where there is none."""
    return max((found["time_s"] for found in inputs if _is_clear(found)), default=0.0)


def tiles_seen_last(inputs: Iterable[Mapping[str, Any]]) -> int:
    """Return how many tiles were read on the last settled table over which nothing lay.

    Of a step that was done wrongly, tiles are gone that the game still has.
    """
    return next((len(found["tiles"]) for found in reversed([*inputs]) if _is_clear(found)), 0)


def _is_clear(found: Mapping[str, Any]) -> bool:
    """Return whether a stored input is a settled table over which nothing lies."""
    is_settled = found.get("input") == EntryKind.SETTLED.value
    return is_settled and not found["hidden"] and not any(tile["covered"] for tile in found["tiles"])
