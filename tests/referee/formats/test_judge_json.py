"""The `judge` format: requests, answers, errors."""

# ruff: noqa: E501  (tables of requests: one a line)

from __future__ import annotations

import json

import pytest

from referee.errors import RefereeError
from referee.formats.judge_json import MAX_LINE_BYTES, answer_request, encode, error_to_dict, read_request
from tests.places import DATA
from tests.referee import slow_rules
from tests.referee.random_tables import ALL_RULES, random_request, seeded


def golden(folder):
    return [
        pytest.param(json.loads(line), id=f"{path.stem}-{number}")
        for path in sorted((DATA / folder).glob("*.jsonl"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
    ]


@pytest.mark.parametrize("pair", golden("judge"))
def test_golden_answers(pair):
    assert answer_request(pair["request"]) == pair["answer"]


@pytest.mark.parametrize("pair", golden("trees"))
def test_golden_trees(pair):
    mine = answer_request({**pair["request"], "tree": True})["outcomes"]
    for number, (ours, theirs) in enumerate(zip(mine, pair["outcomes"], strict=True)):
        assert ours == theirs, f"ending {number}"


def test_the_golden_answers_show_every_kind_of_event_and_every_setting():
    pairs = [param.values[0] for param in golden("judge")]
    kinds = {event["event"] for pair in pairs for event in pair["answer"].get("events", [])}
    assert kinds == {"air", "collapse", "fall", "explosion", "fire", "curse", "die"}
    settings = {item for pair in pairs for item in (pair["request"].get("rules") or {}).items()}
    assert settings >= {item for rules in ALL_RULES for item in rules.items()}
    assert {pair["request"].get("missed") for pair in pairs} == {None, "family", "strategy"}
    assert {(pair["answer"]["needs"] or {}).get("choice") for pair in pairs} == {None, "fall", "die"}


def test_a_placement_is_answered_as_the_page_shows_it():
    request = {"layout": "R40 B20", "place": {"tile": "B7", "row": 1, "slot": 0}, "players": 3, "active": 0}
    assert encode(answer_request(request)) == (
        '{"layout": "-", "stable": true, "events": [{"event": "fire", "tile": "B7", "taken": ["R40", "B20"], '
        '"payer": 0, "leaves": true, "layout": "-"}], "needs": null, "piles": {"0": ["R40", "B20"]}, '
        '"out": ["B7"], "places": [{"row": 0, "slot": 0}]}'
    )


def test_what_is_left_out_or_null_has_its_default():
    bare = answer_request({"layout": "R40 B20/G60"})
    keys = ("place", "players", "active", "rules", "missed", "choices", "die", "tree")
    assert answer_request({"layout": "R40 B20/G60", **dict.fromkeys(keys)}) == bare
    spelled = {"overhang": "colour", "fire_order": "wood-first", "curse": False, "fire_die": "off"}
    assert answer_request({"layout": "R40 B20/G60", "rules": spelled, "players": 2, "active": 0}) == bare
    assert answer_request({"layout": "R40 B20/G60", "rules": dict.fromkeys(spelled)}) == bare
    assert answer_request({"layout": "R40 B20/G60", "colour": [1], "": {}}) == bare
    assert "places" not in bare


def test_surplus_choices_and_a_die_that_nobody_rolls_are_ignored():
    asked = {"layout": "R40 B20/G60", "choices": ["left"]}
    assert answer_request({**asked, "choices": ["left", "right", "left"], "die": 3}) == answer_request(asked)


def test_places_are_those_of_the_answers_own_layout():
    answer = answer_request({"layout": "- - R40 B20 -"})
    assert (answer["layout"], answer["places"]) == ("R40 B20", [{"row": 1, "slot": 0}])
    answer = answer_request({"layout": "- R60/B60", "place": {"tile": "R4", "row": 0, "slot": 0}})
    assert answer["layout"] == "R4 R60/B60"


@pytest.mark.parametrize("slot", [1, 4])
def test_a_place_is_that_of_the_layout_as_given(slot):
    answer = answer_request(
        {"layout": "- - R40 R20 -/- - R4 -", "place": {"tile": "B2", "row": 0, "slot": slot}}
    )
    assert answer["layout"] == ("B2 R40 R20/- R4" if slot == 1 else "R40 R20 B2/R4 -")


def test_a_tree_is_ignored_where_choices_are_given():
    request = {"layout": "R40 B20/G60", "tree": True, "choices": ["left"]}
    assert "events" in answer_request(request)
    assert list(answer_request({**request, "choices": []})) == ["outcomes"]


@pytest.mark.parametrize(
    ("limit", "words"), [("referee.formats.judge_json.MAX_OUTCOMES", "too-many-endings: count=3, "),
                         ("referee.rules.outcomes.MAX_NODES", "tree-too-large: ")]
)  # fmt: skip
def test_a_tree_that_no_answer_can_hold_is_refused(monkeypatch, limit, words):
    request = {"layout": "Y40 R60 Y120 R100 B120/Y100 R120 Y60 R7/Y6 R4 G60/B6 R30",
               "place": {"tile": "Y1", "row": 4, "slot": 0}, "tree": True}  # fmt: skip
    assert len(answer_request(request)["outcomes"]) == 3
    monkeypatch.setattr(limit, 2)
    with pytest.raises(RefereeError, match=f"^{words}layout='Y40 R60 .*/B6 R30/Y1'"):
        answer_request(request)


def test_a_tree_of_as_many_positions_as_are_allowed_is_grown(monkeypatch):
    """Jenny's: the two answers to come, and three endings."""
    request = {"layout": "Y40 R60 Y120 R100 B120/Y100 R120 Y60 R7/Y6 R4 G60/B6 R30",
               "place": {"tile": "Y1", "row": 4, "slot": 0}, "tree": True}  # fmt: skip
    monkeypatch.setattr("referee.rules.outcomes.MAX_NODES", 5)
    assert len(answer_request(request)["outcomes"]) == 3
    monkeypatch.setattr("referee.rules.outcomes.MAX_NODES", 4)
    with pytest.raises(RefereeError, match="tree-too-large"):
        answer_request(request)


def test_a_tree_too_deep_to_walk_is_refused():
    rows = 1100
    layout = "/".join(" ".join(["-"] * (rows - row)) for row in range(rows - 1)) + "/R40"
    with pytest.raises(RefereeError, match="tree-too-large"):
        answer_request({"layout": layout, "tree": True})


def test_a_tree_of_the_die_lists_every_roll_or_the_one_given():
    request = {"layout": "R40 B2", "place": {"tile": "R7", "row": 1, "slot": 0}, "rules": {"fire_die": "newer"},
               "tree": True}  # fmt: skip
    found = answer_request(request)["outcomes"]
    assert [(each["die"], each["choices"]) for each in found] == [
        (1, ["left"]), (1, ["right"]), (2, ["left"]), (2, ["right"]), (3, ["left"]), (3, ["right"]),
        (4, []), (5, []), (6, []),
    ]  # fmt: skip
    assert [each["die"] for each in answer_request({**request, "die": 4})["outcomes"]] == [4]
    assert answer_request({"layout": "R40", "die": 4, "tree": True})["outcomes"][0]["die"] is None


def test_the_die_waits_until_other_mayhem_is_resolved():
    request = {
        "layout": "Y1 G1 R60 R7",
        "place": {"tile": "R6", "row": 1, "slot": 2},
        "rules": {"fire_die": "newer"},
    }
    answer = answer_request(request)
    assert [event["event"] for event in answer["events"]] == ["explosion"]
    assert (answer["layout"], answer["needs"]) == ("- R7/R6", {"choice": "die"})
    assert answer_request({**request, "die": 4})["out"] == ["Y1", "G1", "R7"]


BASE = {"layout": "R40 B20"}
PLACE = {"tile": "R4", "row": 1, "slot": 0}
BAD_REQUESTS = [
    ({}, "no-layout"),
    ({"layout": None}, "no-layout"),
    ({"layout": 3}, "wrong-type: key='layout', expected=text, found=whole-number"),
    ({"layout": []}, "wrong-type: key='layout', expected=text, found=list"),
    ({"layout": "R40  B20"}, "empty-slot-text: layout='R40  B20'"),
    ({"layout": "R41"}, "unknown-tile-in-layout: code='R41', layout='R41'"),
    ({"layout": "\ud800"}, "unknown-tile-in-layout: code='\\ud800'"),
    ({"layout": "R40 R40"}, "double-tile-in-layout: code='R40', layout='R40 R40'"),
    ({**BASE, "players": 1}, "out-of-range: key='players', least=2, most=6, value=1"),
    ({**BASE, "players": 7}, "out-of-range: key='players', least=2, most=6, value=7"),
    ({**BASE, "players": True}, "wrong-type: key='players', expected=whole-number, found=true-or-false"),
    ({**BASE, "players": 2.0}, "wrong-type: key='players', expected=whole-number, found=number-with-point"),
    ({**BASE, "players": "2"}, "wrong-type: key='players', expected=whole-number, found=text"),
    ({**BASE, "players": 10**400}, "far-out-of-range: key='players', least=2, most=6"),
    ({**BASE, "players": 10**20}, "far-out-of-range: key='players', least=2, most=6"),
    ({**BASE, "players": 10**20 - 1}, "value=99999999999999999999"),
    ({**BASE, "active": 2}, "out-of-range: key='active', least=0, most=1, value=2"),
    ({**BASE, "active": -1}, "out-of-range: key='active', least=0, most=1, value=-1"),
    ({**BASE, "players": 3, "active": 3}, "out-of-range: key='active', least=0, most=2, value=3"),
    ({**BASE, "active": False}, "wrong-type: key='active', expected=whole-number, found=true-or-false"),
    ({**BASE, "die": 0}, "out-of-range: key='die', least=1, most=6, value=0"),
    ({**BASE, "die": 7}, "out-of-range: key='die', least=1, most=6, value=7"),
    ({**BASE, "die": "4"}, "wrong-type: key='die', expected=whole-number, found=text"),
    ({**BASE, "tree": 1}, "wrong-type: key='tree', expected=true-or-false, found=whole-number"),
    ({**BASE, "tree": "yes"}, "wrong-type: key='tree', expected=true-or-false, found=text"),
    ({**BASE, "rules": []}, "wrong-type: key='rules', expected=object, found=list"),
    ({**BASE, "rules": {"undo": True}}, "unknown-rule: name='undo', known='overhang, fire_order, curse, fire_die'"),
    ({**BASE, "rules": {"curse": "true"}}, "unknown-rule-value: name='curse', value='true', known='false, true'"),
    ({**BASE, "rules": {"curse": 1}}, "unknown-rule-value: name='curse', value=1"),
    ({**BASE, "rules": {"overhang": "weight"}}, "value='weight', known=\"'colour', 'colour-or-weight'\""),
    ({**BASE, "rules": {"fire_die": False}}, "unknown-rule-value: name='fire_die', value=False"),
    ({**BASE, "rules": {"fire_order": ["position"]}}, "unknown-rule-value: name='fire_order', value=['position']"),
    ({**BASE, "missed": "team"}, "unknown-variant: value='team'"),
    ({**BASE, "missed": True}, "wrong-type: key='missed', expected=text, found=true-or-false"),
    ({**BASE, "choices": "left"}, "wrong-type: key='choices', expected=list, found=text"),
    ({**BASE, "choices": ["up"]}, "unknown-choice: value='up'"),
    ({**BASE, "choices": ["left", None]}, "wrong-type: key='a choice', expected=text, found=null"),
    ({**BASE, "choices": [3]}, "wrong-type: key='a choice', expected=text, found=whole-number"),
    ({**BASE, "place": "R4"}, "wrong-type: key='place', expected=object, found=text"),
    ({**BASE, "place": {}}, "place-lacks: key='tile'"),
    ({**BASE, "place": {"tile": "R4", "slot": 0}}, "place-lacks: key='row'"),
    ({**BASE, "place": {"tile": "R4", "row": 1}}, "place-lacks: key='slot'"),
    ({**BASE, "place": {**PLACE, "tile": 4}}, "wrong-type: key='place.tile', expected=text, found=whole-number"),
    ({**BASE, "place": {**PLACE, "row": True}}, "wrong-type: key='place.row', expected=whole-number, found=true-or-false"),
    ({**BASE, "place": {**PLACE, "slot": 0.0}}, "wrong-type: key='place.slot', expected=whole-number, found=number-with-point"),
    ({**BASE, "place": {**PLACE, "row": 10**20}}, "place-far-off: key='row'"),
    ({**BASE, "place": {**PLACE, "slot": -(10**400)}}, "place-far-off: key='slot'"),
    ({**BASE, "place": {**PLACE, "slot": 10**20 - 1}}, "not-a-place: code='R4', row=1, slot=99999999999999999999, "),
    ({**BASE, "place": {**PLACE, "row": 2, "slot": 1 << 17}}, "not-a-place: code='R4', row=2, slot=131072, "),
    ({**BASE, "place": {**PLACE, "tile": "R5"}}, "unknown-tile: code='R5'"),
    ({**BASE, "place": {**PLACE, "tile": "R40"}}, "tile-lies-already: code='R40', layout='R40 B20'"),
    ({**BASE, "place": {**PLACE, "slot": 1}}, "layout='R40 B20', places='(1, 0)'"),
    ({"layout": "- R40 B20", "place": {**PLACE, "slot": 0}}, "slot=0, layout='- R40 B20', places='(1, 1)'"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "words"), BAD_REQUESTS, ids=[words[:40] for _, words in BAD_REQUESTS])
def test_a_bad_request_is_refused(request_, words):
    with pytest.raises(RefereeError) as caught:
        answer_request(request_)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


BAD_LINES = [
    (b"x", "not-json: what='Expecting value', column=1"),
    (b'{"layout": "-"', "not-json: what="),
    (b'{"layout": "-"} {}', "not-json: what="),
    (b'{"layout": "-"}X', "not-json: what="),
    (b"[]", "not-an-object: found=list"),
    (b"null", "not-an-object: found=null"),
    (b'"-"', "not-an-object: found=text"),
    (b"1.5", "not-an-object: found=number-with-point"),
    (b'{"layout": NaN}', "not-a-json-number: name='NaN'"),
    (b'{"layout": -Infinity}', "not-a-json-number: name='-Infinity'"),
    (b'{"layout": "-", "layout": "R40"}', "double-key: key='layout'"),
    (b'{"layout": "-", "place": {"row": 1, "row": 1}}', "double-key: key='row'"),
    (b'{"layout": "-", "die": 1, "die": 1}', "double-key: key='die'"),
    (b'{"layout": "\xff"}', "not-utf8: byte=13"),
    (b'{"layout": ' + b"9" * 5000 + b"}", "number-too-long"),
    (b"[" * 100_000, "nested-too-deeply"),
    (b"9" * (MAX_LINE_BYTES + 1), "line-too-long: limit=1048576"),
    (b"{}" + b" " * (MAX_LINE_BYTES - 1), "line-too-long: limit=1048576"),
]


@pytest.mark.parametrize(("line", "words"), BAD_LINES, ids=[words for _, words in BAD_LINES])
def test_a_line_that_is_no_request_is_refused(line, words):
    with pytest.raises(RefereeError) as caught:
        read_request(line)
    assert words in str(caught.value)


def test_a_line_of_the_longest_length_is_read():
    text = b'{"layout": "-"}'
    for end in (b"", b"\n", b"\r\n"):
        assert read_request(text + b" " * (MAX_LINE_BYTES - len(text)) + end) == {"layout": "-"}


def test_random_requests_survive_json_and_back():
    for number in range(200):
        request = random_request(seeded(f"json {number}"), ALL_RULES[number % len(ALL_RULES)])
        answer = answer_request(read_request(json.dumps(request).encode()))
        assert json.loads(encode(answer)) == slow_rules.answer(request)


def test_an_error_stands_in_the_place_of_the_answer():
    assert encode(error_to_dict("No.", 3)) == '{"error": "No.", "line": 3}'
