"""How mistakes are counted, and that the product's costs are what was counted."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from tests.simulation.chances import (
    TARGET,
    WHAT,
    Count,
    count_mistakes,
    recorded_game,
    simulated_games,
    source_of,
)

STEP = {"event": "step", "step": {"event": "fire"}}
ROLL = {"event": "step", "step": {"event": "die", "roll": 4}}
PLACED, WRONG, FIXED = {"event": "placed"}, {"event": "wrong-step"}, {"event": "fixed"}


def missed(since: int, *, is_die: bool = False) -> dict[str, object]:
    return {"event": "missed", "since": since, "verdict": [] if is_die else [{}]}


@pytest.mark.parametrize(
    ("lines", "name", "times", "occasions"),
    [
        ([PLACED, STEP, STEP, PLACED, missed(2)], "MISSED_COST", 1, 3),
        ([PLACED, missed(2), PLACED, missed(2), STEP], "MISSED_AGAIN_COST", 1, 2),
        ([PLACED, missed(2), STEP, PLACED, missed(4)], "MISSED_COST", 2, 2),
        ([ROLL, ROLL, PLACED, missed(3, is_die=True)], "MISSED_DIE_COST", 1, 3),
        ([STEP, WRONG, {"event": "notice"}, FIXED, STEP], "WRONG_COST", 1, 2),
        ([WRONG, FIXED, STEP, WRONG, PLACED], "LEFT_LYING_COST", 1, 2),
    ],
)
def test_what_is_counted(lines, name, times, occasions):
    assert count_mistakes([lines])[name] == Count(times, occasions)


def test_what_never_happened_is_not_impossible():
    assert Count(0, 0).cost == -math.log(0.5)
    assert Count(0, 99).cost == -math.log(0.005)


def test_simulated_and_recorded_games_are_counted():
    assert count_mistakes(simulated_games(7, 3))["MISSED_COST"].occasions > 50
    assert {line["event"] for line in recorded_game(Path("tests/data/stores/game-1.jsonl"))} >= {"placed"}


def test_the_costs_of_the_product_are_what_was_counted():
    found = re.findall(r'([A-Z_]+) = ([\d.]+)\n""".*? ([\d,]+) of ([\d,]+) times', TARGET.read_text())
    counts = {name: Count(*(int(each.replace(",", "")) for each in told)) for name, _, *told in found}
    assert list(counts) == list(WHAT)
    command = re.search("`(.*)`", TARGET.read_text())
    assert command is not None
    assert source_of(counts, command[1]) == TARGET.read_text()
