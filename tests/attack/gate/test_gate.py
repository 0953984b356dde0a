"""A short part of the gate, in this process: what takes no camera, no network of its own, and little time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import pytest

from tests.attack.gate import games, nets, sets
from tests.attack.gate.attacks import attacks
from tests.attack.gate.case import Case, Command, Place
from tests.attack.gate.held import faults_of

SEED = 1


def cheap() -> Iterator[Case]:
    """Yield cases that need no reading of pictures."""
    yield from islice(sets.crafted_sets(), 0, None, 6)
    yield from islice(sets.odd_sets(SEED, 10), 10)
    yield from games.judge_lines(SEED, 200)
    yield from games.saved_games(SEED, 10)
    yield from games.crafted_data_bases()
    yield from games.data_bases(SEED, 8)
    yield from (
        case for case in nets.crafted_models() if case.name in ("no manifest", "500 MB", "wrong check sum")
    )


@pytest.mark.parametrize("case", list(cheap()), ids=lambda case: f"{case.kind} {case.name}")
def test_the_product_holds(case: Case, tmp_path: Path) -> None:
    assert faults_of(case, tmp_path) == []


def says(text: str) -> Case:
    """Return a case that must find that text said."""

    def lay(place: Place) -> list[Command]:
        (place.given / "a").write_text("x")
        return [["judge", "none"]]

    return Case("a", "b", lay, says=text)


def test_the_runner_finds_what_is_wrong(tmp_path: Path) -> None:
    """Whatever a case expects, its runner can find that it is not so."""

    def lay(place: Place) -> list[Command]:
        return [["judge", str(place.beyond / "secret.txt")]]

    (tmp_path / "1").mkdir()
    assert faults_of(says("no such words"), tmp_path / "1")
    (tmp_path / "2").mkdir()
    (wrong,) = faults_of(Case("a", "b", lay, statuses=(7,)), tmp_path / "2")
    assert wrong.startswith("ended with 1")


def test_the_attacks_are_the_same_for_a_seed_and_number_three_thousand() -> None:
    one, other = ([(a.kind, a.name) for a in attacks(SEED)] for _ in range(2))
    assert one == other
    assert len(set(one)) == len(one)
    assert sum(getattr(attack, "inputs", 1) for attack in attacks(SEED)) >= 3000
    first = {attack.kind for attack in islice(chain(attacks(SEED)), 40)}
    assert first >= {"pictures", "sets", "saved games", "data bases", "models", "streams", "signals", "kills"}
