"""Challenges as they are stored and replayed."""

from __future__ import annotations

import pytest

from referee.tracking.inputs import CheckCalled
from tests.ui.recorded_games import SETTINGS
from ui.errors import StorageError
from ui.services.challenges import content_of_challenge, follower_at, rulings
from ui.services.replay import Replay

CHALLENGE = content_of_challenge(3.0, 0, is_overturned=True)
CHECK = {"input": "check", "time_s": 1.0}


def test_what_is_no_ruling_is_not_counted() -> None:
    odd = [
        {**CHALLENGE, "challenged": "0"},
        {**CHALLENGE, "overturned": 1},
        {**CHALLENGE, "input": "check"},
        {},
    ]
    assert rulings([CHALLENGE, *odd]) == {0: True}


@pytest.mark.parametrize("odd", [{"challenged": 7}, {"overturned": 1}, {"time_s": "3"}])
def test_an_odd_challenge_makes_a_game_unreadable(odd: dict[str, object]) -> None:
    replay = Replay(SETTINGS)
    replay.hear(CHECK)
    with pytest.raises(StorageError):
        replay.hear({**CHALLENGE, **odd})
    assert replay.hear(CHALLENGE) == []


def test_a_follower_stands_where_the_game_stood() -> None:
    replay = Replay(SETTINGS)
    for content in (CHECK, CHALLENGE, CHECK):
        replay.hear(content)
    said = follower_at(SETTINGS, replay.heard, 0).hear(CheckCalled(2.0))
    assert said == follower_at(SETTINGS, replay.heard, 2).hear(CheckCalled(2.0))
