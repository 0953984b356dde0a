"""Write the golden files anew: `python tests/referee/write_golden.py`.

The answers come from the slow resolver alone, never from the engine. Rewrite them only for a change of
the rules, and read the difference.
"""

from __future__ import annotations

import json

from tests.places import DATA
from tests.referee import slow_rules
from tests.referee.random_tables import ALL_RULES, random_request, seeded, small_table

JENNY = {
    "layout": "Y40 R60 Y120 R100 B120/Y100 R120 Y60 R7/Y6 R4 G60/B6 R30",
    "place": {"tile": "Y1", "row": 4, "slot": 0},
}
CANDIDATES = 60
"""Positions looked at for each golden one; the one with the most kinds of events is kept."""


def eventful(rules, first):
    """The request with the most to see, of some."""
    requests = [
        random_request(seeded(f"golden {number}"), rules) for number in range(first, first + CANDIDATES)
    ]

    def interest(request):
        events = slow_rules.answer(request)["events"]
        return len({event["event"] for event in events}) * 3 + min(len(events), 8)

    return max(requests, key=interest)


def golden_requests():
    """Two eventful positions for each combination of settings, and some that wait for the die."""
    for number, rules in enumerate(ALL_RULES * 2):
        yield eventful(rules, number * CANDIDATES + 1)
    waiting = (random_request(seeded(f"golden die {n}"), ALL_RULES[n % len(ALL_RULES)]) for n in range(3000))
    found = [request for request in waiting if slow_rules.answer(request)["needs"] == {"choice": "die"}]
    yield from found[:6]


def tree_requests():
    """The example of the French rulebook, and trees of a readable size under each setting."""
    found, number = [JENNY], 0
    while len(found) < 40:
        number += 1
        request = random_request(
            seeded(f"golden tree {number}"), ALL_RULES[len(found) % len(ALL_RULES)], small_table
        )
        request.update(choices=[], die=None)
        if 3 <= len(slow_rules.outcomes(request)) <= 40:
            found.append(request)
    return found


def write_lines(path, objects):
    """One JSON object a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in objects), encoding="utf-8")


if __name__ == "__main__":
    pairs = ({"request": each, "answer": slow_rules.answer(each)} for each in golden_requests())
    write_lines(DATA / "judge" / "random.jsonl", pairs)
    trees = ({"request": each, "outcomes": slow_rules.outcomes(each)} for each in tree_requests())
    write_lines(DATA / "trees" / "random.jsonl", trees)
