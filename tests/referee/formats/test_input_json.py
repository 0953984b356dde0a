"""What a follower is told, as JSON."""

from __future__ import annotations

import json

import pytest

from referee.errors import RefereeError
from referee.formats.input_json import input_from_dict, input_to_dict
from referee.rules.layout import Layout
from referee.rules.tiles import TILES, Colour
from referee.search.observation import ObservedTile, Settled
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Noticed, Reply
from tests.referee.tracking.tables import in_doubt, table

INPUTS = [
    table("R40 B20/G4", 1.5, B20="B20 0.6 B10 0.3", G4="covered"),
    Settled(0.0, (), hidden=True),
    Settled(0.0, (), lifted=("R40", "M200")),
    Settled(0.0, (), left_out=True),
    Settled(0.0, (ObservedTile(0, 0, (("R40", 1.0),), lay_first=True),)),
    in_doubt("Y40 R40 Y60"),
    Answered(2.0, Reply.COLOUR, colour=Colour.GREEN),
    Answered(2.0, Reply.PLAYER, player=0),
    CheckCalled(3.0, 1),
    CheckCalled(3.0),
    Answered(2.0, Reply.TILE, "R40", 1, 0),
    Answered(2.0, Reply.AS_IT_LIES),
    Answered(2.0, Reply.ROLL, roll=0),
    Answered(2.0, Reply.ROLL, roll=6),
    CheckCalled(3.0, 0),
    CheckCalled(3.0, 5),
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
        {"input": "settled", "time_s": 1.0, "tiles": [], "hidden": False, "lifted": "R40"},
        {"input": "settled", "time_s": 1.0, "tiles": [], "hidden": False, "lifted": [40]},
        {"input": "settled", "time_s": 1.0, "tiles": [], "hidden": False, "lifted": ["R45"]},
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
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [], "groups": [
            {"places": [[0]], "colours": []}]},
        {"input": "settled", "time_s": 1.0, "hidden": False, "tiles": [], "groups": [
            {"places": [], "colours": [["M", 0.5]]}]},
        {"input": "answer", "time_s": 1.0, "reply": "colour", "colour": "X"},
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


TILE = {"row": 0, "slot": 0, "codes": [["R40", 0.5]], "sure": True, "covered": False}
SETTLED = {"input": "settled", "time_s": 1.0, "tiles": [TILE], "hidden": False}
ANSWER = {"input": "answer", "time_s": 1.0, "reply": "tile", "code": "R40", "row": 0, "slot": 0, "roll": None}
CORRECTION = {
    "input": "correction",
    "time_s": 1.0,
    "layout": "R40",
    "stocks": [1, 2],
    "out": ["G1"],
    "turn": 3,
}


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        ({"input": "wink", "time_s": 1.0}, "unknown-input: kind='wink'"),
        ({"input": "check"}, "wrong-type: key='time_s'"),
        ({"input": "check", "time_s": 1.0, "player": 6}, "out-of-range: key='player', least=0, most=5"),
        ({"input": "check", "time_s": 1.0, "player": -1}, "out-of-range: key='player', least=0, most=5"),
        ({**ANSWER, "reply": "perhaps"}, "unknown-input: kind='perhaps'"),
        ({**ANSWER, "reply": None}, "wrong-type: key='reply'"),
        ({**ANSWER, "code": 7}, "wrong-type: key='code'"),
        ({**ANSWER, "code": "R41"}, "unknown-tile: code='R41'"),
        ({**ANSWER, "row": -1}, "out-of-range: key='row', least=0"),
        ({**ANSWER, "slot": 10**6}, "out-of-range: key='slot', least=0"),
        ({**ANSWER, "roll": 7}, "out-of-range: key='roll', least=0, most=6"),
        ({**ANSWER, "roll": -1}, "out-of-range: key='roll', least=0, most=6"),
        ({**SETTLED, "tiles": [TILE] * 257}, "too-many-parts: key='tiles', most=256"),
        ({**SETTLED, "tiles": ["R40"]}, "wrong-type: key='a tile', expected=object"),
        ({**SETTLED, "hidden": 0}, "wrong-type: key='hidden', expected=true-or-false"),
        ({**SETTLED, "tiles": [{**TILE, "row": -1}]}, "out-of-range: key='row', least=0"),
        ({**SETTLED, "tiles": [{**TILE, "slot": None}]}, "wrong-type: key='slot'"),
        ({**SETTLED, "tiles": [{**TILE, "sure": None}]}, "wrong-type: key='sure'"),
        ({**SETTLED, "tiles": [{**TILE, "covered": None}]}, "wrong-type: key='covered'"),
        (
            {**SETTLED, "tiles": [{**TILE, "codes": [["R40", 0.01]] * 46}]},
            "too-many-parts: key='codes', most=45",
        ),
        ({**SETTLED, "tiles": [{**TILE, "codes": ["R40"]}]}, "wrong-type: key='codes', expected=list"),
        ({**SETTLED, "tiles": [{**TILE, "codes": [["R40", 0.5, 1]]}]}, "not-a-pair: key='codes'"),
        ({**SETTLED, "tiles": [{**TILE, "codes": [[40, 0.5]]}]}, "wrong-type: key='codes', expected=text"),
        (
            {**SETTLED, "tiles": [{**TILE, "codes": [["R40", 1.01]]}]},
            "out-of-range: key='codes', least=0, most=1.0",
        ),
        ({**CORRECTION, "layout": 7}, "wrong-type: key='layout'"),
        ({**CORRECTION, "stocks": [1.5]}, "wrong-type: key='stocks', expected=whole-number"),
        ({**CORRECTION, "stocks": [-1]}, "out-of-range: key='stocks', least=0, most=45"),
        ({**CORRECTION, "stocks": [46]}, "out-of-range: key='stocks', least=0, most=45"),
        ({**CORRECTION, "stocks": [1] * 7}, "too-many-parts: key='stocks', most=6"),
        ({**CORRECTION, "out": [7]}, "wrong-type: key='out', expected=text"),
        ({**CORRECTION, "out": ["G1"] * 46}, "too-many-parts: key='out', most=45"),
        ({**CORRECTION, "turn": 0}, "out-of-range: key='turn', least=1"),
        ({"input": "notice", "time_s": 1.0, "text": 7}, "wrong-type: key='text'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_with_an_input_is_named(broken, fault):
    with pytest.raises(RefereeError) as caught:
        input_from_dict(broken)
    assert str(caught.value).startswith(fault)


@pytest.mark.parametrize(
    "good",
    [
        {**SETTLED, "tiles": [TILE] * 256},
        {**SETTLED, "tiles": [{**TILE, "codes": [["R40", 0.01]] * 45, "row": 0, "slot": 1}]},
        {**SETTLED, "tiles": [{**TILE, "codes": [["R40", 1]]}]},
        {**CORRECTION, "stocks": [0, 45] * 3, "out": ["G1"] * 45, "turn": 1},
    ],
    ids=["tiles", "codes", "chance", "correction"],
)
def test_an_input_may_hold_as_much_as_this(good):
    assert json.loads(json.dumps(input_to_dict(input_from_dict(good)))) == good


def test_a_long_notice_is_cut():
    heard = input_from_dict({"input": "notice", "time_s": 1.0, "text": "x" * 1001})
    assert heard == Noticed(1.0, "x" * 1000)


def test_a_game_with_too_few_or_too_many_players_is_refused():
    with pytest.raises(RefereeError):
        Follower(7)
