"""Calls that players challenge: how it is stored, what was ruled, and the game as it stood at a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.tracking.follower import Follower
from ui.services.replay import Heard, Replay
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings


def content_of_challenge(time_s: float, challenged: int, *, is_overturned: bool) -> dict[str, Any]:
    """Return what is stored when players have ruled on a challenged call.

    Args:
        time_s: When, in the game.
        challenged: The number of the input that the call was said to.
        is_overturned: Whether the call was wrong.
    """
    return {
        "input": EntryKind.CHALLENGE.value,
        "time_s": time_s,
        "challenged": challenged,
        "overturned": is_overturned,
    }


def rulings(contents: Iterable[Mapping[str, Any]]) -> dict[int, bool]:
    """Return number of the challenged input -> whether its call was overturned, as it was ruled last.

    Args:
        contents: The entries that count; what is not well formed is left out.
    """
    found = {}
    for content in contents:
        challenged, is_overturned = content.get("challenged"), content.get("overturned")
        is_challenge = content.get("input") == EntryKind.CHALLENGE.value
        if is_challenge and type(challenged) is int and type(is_overturned) is bool:
            found[challenged] = is_overturned
    return found


def follower_at(settings: GameSettings, heard: Iterable[Heard], number: int) -> Follower:
    """Return a follower that stands where the game's stood right after an input.

    Args:
        settings: What was agreed.
        heard: The inputs that count.
        number: The number of the input.
    """
    return Replay(settings, (each.content for each in heard if each.number <= number)).follower
