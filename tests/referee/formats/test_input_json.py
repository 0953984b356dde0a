"""What a follower is told, as JSON."""

from __future__ import annotations

import json

import pytest

from referee.errors import RefereeError
from referee.formats.input_json import input_from_dict, input_to_dict
from referee.rules.layout import Layout
from referee.rules.tiles import TILES
from referee.search.observation import Settled
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Noticed, Reply
from tests.referee.tracking.tables import table

INPUTS = [
    table("R40 B20/G4", 1.5, B20="B20 0.6 B10 0.3", G4="covered"),
    Settled(0.0, (), hidden=True),
    CheckCalled(3.0, 1),
    CheckCalled(3.0),
    Answered(2.0, Reply.TILE, "R40", 1, 0),
    Answered(2.0, Reply.AS_IT_LIES),
    Corrected(2.0, Layout.parse("R40"), (1, 2), (TILES["G1"],), 3),
    Corrected(2.0, Layout.parse("-")),
    Noticed(1.0, "The camera is gone."),
]


@pytest.mark.parametrize("heard", INPUTS, ids=lambda heard: type(heard).__name__)
def test_an_input_survives_json(heard):
    assert input_from_dict(json.loads(json.dumps(input_to_dict(heard)))) == heard


def test_a_time_may_be_a_whole_number():
    assert input_from_dict({"input": "check", "time_s": 3}) == CheckCalled(3.0)


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"input": "wink", "time_s": 1.0},
        {"input": "settled", "time_s": -1.0, "tiles": [], "hidden": False},
        {"input": "settled", "time_s": float("inf"), "tiles": [], "hidden": False},
        {"input": "settled", "time_s": 1.0, "tiles": [], "hidden": 0},
        {"input": "settled", "time_s": 1.0, "tiles": [{}] * 300, "hidden": False},
        {"input": "settled", "time_s": 1.0, "tiles": [["R40"]], "hidden": False},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": -1, "slot": 0, "codes": [], "sure": True, "covered": False}]},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": 0, "slot": 0, "codes": [["R41", 0.5]], "sure": True, "covered": False}]},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": 0, "slot": 0, "codes": [["R40", 1.5]], "sure": True, "covered": False}]},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": 0, "slot": 0, "codes": ["R40"], "sure": True, "covered": False}]},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [
            {"row": 0, "slot": 0, "codes": [["R40"]], "sure": True, "covered": False}]},
        {"input": "check", "time_s": 10**400},
        {"input": "check", "time_s": 1.0, "player": 9},
        {"input": "answer", "time_s": 1.0, "reply": "perhaps"},
        {"input": "correction", "time_s": 1.0, "layout": "R40 R40"},
        {"input": "correction", "time_s": 1.0, "layout": "R40", "stocks": [1.5]},
        {"input": "notice", "time_s": 1.0, "text": 7},
    ],
)  # fmt: skip
def test_a_broken_input_is_refused(broken):
    with pytest.raises(RefereeError):
        input_from_dict(broken)


def test_a_game_with_too_few_or_too_many_players_is_refused():
    with pytest.raises(RefereeError):
        Follower(7)
