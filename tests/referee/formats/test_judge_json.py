"""The `judge` format: requests, answers, errors."""

# ruff: noqa: E501  (tables of requests: one a line)

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.errors import RefereeError
from referee.formats.judge_json import MAX_LINE_BYTES, answer_request, encode, error_to_dict, read_request
from tests.referee import slow_rules
from tests.referee.random_tables import ALL_RULES, random_request, seeded

DATA = Path(__file__).parents[2] / "data"


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
    ("limit", "words"), [("referee.formats.judge_json.MAX_OUTCOMES", "There are 3 ways in which"),
                         ("referee.rules.outcomes.MAX_NODES", "There are too many ways in which")]
)  # fmt: skip
def test_a_tree_that_no_answer_can_hold_is_refused(monkeypatch, limit, words):
    request = {"layout": "Y40 R60 Y120 R100 B120/Y100 R120 Y60 R7/Y6 R4 G60/B6 R30",
               "place": {"tile": "Y1", "row": 4, "slot": 0}, "tree": True}  # fmt: skip
    assert len(answer_request(request)["outcomes"]) == 3
    monkeypatch.setattr(limit, 2)
    with pytest.raises(RefereeError, match=words + " 'Y40 R60 .*/B6 R30/Y1' can end"):
        answer_request(request)


def test_a_tree_of_as_many_positions_as_are_allowed_is_grown(monkeypatch):
    """Jenny's: the two answers to come, and three endings."""
    request = {"layout": "Y40 R60 Y120 R100 B120/Y100 R120 Y60 R7/Y6 R4 G60/B6 R30",
               "place": {"tile": "Y1", "row": 4, "slot": 0}, "tree": True}  # fmt: skip
    monkeypatch.setattr("referee.rules.outcomes.MAX_NODES", 5)
    assert len(answer_request(request)["outcomes"]) == 3
    monkeypatch.setattr("referee.rules.outcomes.MAX_NODES", 4)
    with pytest.raises(RefereeError, match="too many ways"):
        answer_request(request)


def test_a_tree_too_deep_to_walk_is_refused():
    rows = 1100
    layout = "/".join(" ".join(["-"] * (rows - row)) for row in range(rows - 1)) + "/R40"
    with pytest.raises(RefereeError, match="There are too many ways in which"):
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
    ({}, "The request has no layout."),
    ({"layout": None}, "The request has no layout."),
    ({"layout": 3}, "layout must be a text, not a whole number."),
    ({"layout": []}, "layout must be a text, not a list."),
    ({"layout": "R40  B20"}, "has an empty slot text"),
    ({"layout": "R41"}, "There is no tile 'R41'"),
    ({"layout": "\ud800"}, "There is no tile '\\ud800'"),
    ({"layout": "R40 R40"}, "R40 is there twice"),
    ({**BASE, "players": 1}, "players must be from 2 to 6, not 1."),
    ({**BASE, "players": 7}, "players must be from 2 to 6, not 7."),
    ({**BASE, "players": True}, "players must be a whole number, not true or false."),
    ({**BASE, "players": 2.0}, "players must be a whole number, not a number with a point."),
    ({**BASE, "players": "2"}, "players must be a whole number, not a text."),
    ({**BASE, "players": 10**400}, "not a number of many digits"),
    ({**BASE, "players": 10**20}, "not a number of many digits"),
    ({**BASE, "players": 10**20 - 1}, "not 99999999999999999999."),
    ({**BASE, "active": 2}, "active must be from 0 to 1, not 2."),
    ({**BASE, "active": -1}, "active must be from 0 to 1, not -1."),
    ({**BASE, "players": 3, "active": 3}, "active must be from 0 to 2, not 3."),
    ({**BASE, "active": False}, "active must be a whole number"),
    ({**BASE, "die": 0}, "die must be from 1 to 6, not 0."),
    ({**BASE, "die": 7}, "die must be from 1 to 6, not 7."),
    ({**BASE, "die": "4"}, "die must be a whole number, not a text."),
    ({**BASE, "tree": 1}, "tree must be true or false, not a whole number."),
    ({**BASE, "tree": "yes"}, "tree must be true or false, not a text."),
    ({**BASE, "rules": []}, "rules must be an object, not a list."),
    ({**BASE, "rules": {"undo": True}}, "There is no rule 'undo'"),
    ({**BASE, "rules": {"curse": "true"}}, "The rule curse cannot be 'true'; it can be false, true."),
    ({**BASE, "rules": {"curse": 1}}, "The rule curse cannot be 1"),
    ({**BASE, "rules": {"overhang": "weight"}}, "cannot be 'weight'; it can be 'colour', 'colour-or-weight'."),
    ({**BASE, "rules": {"fire_die": False}}, "The rule fire_die cannot be False"),
    ({**BASE, "rules": {"fire_order": ["position"]}}, "The rule fire_order cannot be"),
    ({**BASE, "missed": "team"}, "missed must be family or strategy, not 'team'."),
    ({**BASE, "missed": True}, "missed must be a text, not true or false."),
    ({**BASE, "choices": "left"}, "choices must be a list, not a text."),
    ({**BASE, "choices": ["up"]}, "A choice must be left or right, not 'up'."),
    ({**BASE, "choices": ["left", None]}, "a choice must be a text, not null."),
    ({**BASE, "choices": [3]}, "a choice must be a text, not a whole number."),
    ({**BASE, "place": "R4"}, "place must be an object, not a text."),
    ({**BASE, "place": {}}, "place has no tile."),
    ({**BASE, "place": {"tile": "R4", "slot": 0}}, "place has no row."),
    ({**BASE, "place": {"tile": "R4", "row": 1}}, "place has no slot."),
    ({**BASE, "place": {**PLACE, "tile": 4}}, "place.tile must be a text, not a whole number."),
    ({**BASE, "place": {**PLACE, "row": True}}, "place.row must be a whole number, not true or false."),
    ({**BASE, "place": {**PLACE, "slot": 0.0}}, "place.slot must be a whole number, not a number with a point."),
    ({**BASE, "place": {**PLACE, "row": 10**20}}, "place.row is far off any table."),
    ({**BASE, "place": {**PLACE, "slot": -(10**400)}}, "place.slot is far off any table."),
    ({**BASE, "place": {**PLACE, "slot": 10**20 - 1}}, "cannot go to row 1, slot 99999999999999999999 of"),
    ({**BASE, "place": {**PLACE, "row": 2, "slot": 1 << 17}}, "cannot go to row 2, slot 131072 of"),
    ({**BASE, "place": {**PLACE, "tile": "R5"}}, "There is no tile 'R5'"),
    ({**BASE, "place": {**PLACE, "tile": "R40"}}, "R40 lies on the table already"),
    ({**BASE, "place": {**PLACE, "slot": 1}}, "the allowed places (row, slot) are (1, 0)."),
    ({"layout": "- R40 B20", "place": {**PLACE, "slot": 0}}, "slot 0 of '- R40 B20'; the allowed places (row, slot) are (1, 1)."),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "words"), BAD_REQUESTS, ids=[words[:40] for _, words in BAD_REQUESTS])
def test_a_bad_request_is_refused_in_one_sentence(request_, words):
    with pytest.raises(RefereeError) as caught:
        answer_request(request_)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


BAD_LINES = [
    (b"x", "The line is not JSON: Expecting value, at column 1."),
    (b'{"layout": "-"', "The line is not JSON"),
    (b'{"layout": "-"} {}', "The line is not JSON"),
    (b'{"layout": "-"}X', "The line is not JSON"),
    (b"[]", "A request must be a JSON object, not a list."),
    (b"null", "A request must be a JSON object, not null."),
    (b'"-"', "A request must be a JSON object, not a text."),
    (b"1.5", "not a number with a point."),
    (b'{"layout": NaN}', "NaN is no JSON number"),
    (b'{"layout": -Infinity}', "-Infinity is no JSON number"),
    (b'{"layout": "-", "layout": "R40"}', "The key 'layout' is there twice."),
    (b'{"layout": "-", "place": {"row": 1, "row": 1}}', "The key 'row' is there twice."),
    (b'{"layout": "-", "die": 1, "die": 1}', "The key 'die' is there twice."),
    (b'{"layout": "\xff"}', "The line is not UTF-8: byte 13"),
    (b'{"layout": ' + b"9" * 5000 + b"}", "a number is too long"),
    (b"[" * 100_000, "nested too deeply"),
    (b"9" * (MAX_LINE_BYTES + 1), "The line is longer than 1048576 bytes."),
    (b"{}" + b" " * (MAX_LINE_BYTES - 1), "The line is longer than 1048576 bytes."),
]


@pytest.mark.parametrize(("line", "words"), BAD_LINES, ids=[words for _, words in BAD_LINES])
def test_a_line_that_is_no_request_is_refused_in_one_sentence(line, words):
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
