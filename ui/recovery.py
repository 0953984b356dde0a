"""A recorded game taken up again: a fresh follower hears what the first one heard."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from referee.follow import Follower
from referee.seen import input_from_dict
from ui.game_settings import GameSettings
from ui.memory import EntryKind


def follow_again(
    settings: GameSettings, inputs: Iterable[Mapping[str, Any]]
) -> tuple[Follower, list[dict[str, Any]]]:
    """Return a follower that stands where the recorded one stood, and all that it said on the way.

    Args:
        settings: What was agreed.
        inputs: The contents of all entries but those of what was said, in order.

    Raises:
        RefereeError: An input is none.
    """
    setup = settings.setup
    follower = Follower(setup.players, setup.options, setup.variant, setup.voice)
    lines = []
    for found in inputs:
        if found.get("input") == EntryKind.CLOSED.value:
            lines += follower.close()
        else:
            lines += follower.hear(input_from_dict(found))
    return follower, [json.loads(json.dumps(line.to_dict())) for line in lines]
