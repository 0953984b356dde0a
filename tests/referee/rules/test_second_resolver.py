"""The engine against the slow and obvious resolver, position by position, event by event.

`PYRAMID_POSITIONS=1000000 pytest tests/referee/rules/test_second_resolver.py` compares as many as wished.
"""

from __future__ import annotations

import json
import os

import pytest

from referee.formats.judge_json import answer_request
from tests.referee import slow_rules
from tests.referee.random_tables import ALL_RULES, random_request, seeded, small_table

POSITIONS = int(os.environ.get("PYRAMID_POSITIONS", "20000"))
CHUNKS = 20

pytestmark = pytest.mark.no_cover  # measured, these take three times as long; the others reach every line


def first_difference(request, mine, slow):
    """Say where two answers part, so that it can be pasted into a test."""
    lines = [json.dumps(request)]
    for number, (ours, theirs) in enumerate(zip(mine["events"], slow["events"], strict=False)):
        if ours != theirs:
            return "\n".join([*lines, f"event {number}", f"engine {ours}", f"slow   {theirs}"])
    return "\n".join([*lines, f"engine {mine}", f"slow   {slow}"])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_engine_and_the_slow_resolver_agree_on_random_positions(chunk):
    for number in range(chunk * POSITIONS // CHUNKS, (chunk + 1) * POSITIONS // CHUNKS):
        request = random_request(seeded(number), ALL_RULES[number % len(ALL_RULES)])
        mine, slow = answer_request(request), slow_rules.answer(request)
        assert mine == slow, first_difference(request, mine, slow)


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def test_whole_trees_agree(rules):
    for number in range(20):
        request = random_request(seeded(f"tree {number}"), rules, small_table)
        request.update(choices=[], tree=True)
        mine = answer_request(request)["outcomes"]
        for ours, theirs in zip(mine, slow_rules.outcomes(request), strict=True):
            assert ours == theirs, json.dumps(request)


def test_the_random_positions_show_every_event_under_every_rule():
    """A comparison is worth what it covers: each kind of event, and each need, occurs under each setting."""
    seen = {}
    for number in range(6000):
        rules = ALL_RULES[number % len(ALL_RULES)]
        found = answer_request(random_request(seeded(number), rules))
        kinds = {event["event"] for event in found["events"]} | {(found["needs"] or {}).get("choice")}
        seen.setdefault(tuple(rules.values()), set()).update(kinds)
    for rules, kinds in seen.items():
        expected = {"air", "collapse", "fall", "explosion", "fire"}
        expected |= {"curse"} if rules[2] else set()
        expected |= {"die"} if rules[3] != "off" else set()
        assert expected <= kinds, rules
