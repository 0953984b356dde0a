"""What of a settled table is certain enough to be learned, and what is unlearned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.recognition.painted_model import PaintedModel
from vision.recognition.own_set import Learned, OwnSet
from vision.recognition.reading import Reading, TileReading
from vision.recognition.tile_set import Example
from vision.tracking.tile_learner import DECIDED_TABLES, SURE_TABLES, TileLearner

PICTURE = np.zeros((60, 200, 3), np.uint8)
LYING = {(0, 0): "R40", (0, 1): "B20"}


class Taught:
    """A reader whose set takes everything that it is told."""

    def __init__(self) -> None:
        self.own_set: OwnSet | None = _Taking()


class _Taking(OwnSet):
    def __init__(self) -> None:
        super().__init__(PaintedModel())  # type: ignore[arg-type]
        self.taken: list[tuple[str, bool]] = []
        self.forgotten: list[object] = []

    def learn(self, image_bgr, shown, at):  # type: ignore[no-untyped-def]
        self.taken += [(each.code, each.is_told) for each in shown]
        return bool(shown)

    def forget(self, codes) -> None:  # type: ignore[no-untyped-def]
        self.forgotten.append(set(codes))

    def forget_since(self, at: int) -> None:
        self.forgotten.append(at)


def tile(
    code: str, slot: int, *, unsure: bool = False, covered: bool = False, cut: bool = False
) -> TileReading:
    left = 10.0 + 40 * slot
    quad = ((left, 10.0), (left + 40, 10.0), (left + 40, 50.0), (left, 50.0))
    return TileReading(code, 0, slot, quad, 0.99, unsure, covered=covered, cut=cut)


def reading(*tiles: TileReading) -> Reading:
    return Reading(tiles, None)  # type: ignore[arg-type]


@pytest.fixture
def taught() -> Taught:
    return Taught()


@pytest.fixture
def learner(taught: Taught) -> TileLearner:
    return TileLearner(taught)


def see(learner: TileLearner, times: int, *tiles: TileReading) -> None:
    for number in range(times):
        learner.see(PICTURE, reading(*tiles), LYING, number)


def test_what_is_surely_read_on_two_tables_is_learned(learner: TileLearner, taught: Taught) -> None:
    see(learner, SURE_TABLES - 1, tile("R40", 0), tile("B20", 1))
    assert taught.own_set.taken == []
    see(learner, 1, tile("R40", 0), tile("B20", 1))
    assert taught.own_set.taken == [("R40", False), ("B20", False)]


def test_tiles_are_learned_upright_once_people_said_which_way_is_up(
    learner: TileLearner, taught: Taught, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They had been read on their heads, the row from its wrong end (film 395106)."""
    quads = {}
    monkeypatch.setattr(
        taught.own_set,
        "learn",
        lambda _image, shown, _at: quads.update({each.code: each.quad_px for each in shown}),
    )
    left, right = tile("B20", 0, unsure=True), tile("R40", 1, unsure=True)
    learner.see(PICTURE, reading(left, right), {}, 0)
    learner.turn_over()
    learner.hear(LYING, {"R40", "B20"}, {"R40", "B20"}, 1)
    assert quads["R40"].tolist() == [list(corner) for corner in (*right.quad_px[2:], *right.quad_px[:2])]
    assert quads["B20"].tolist() == [list(corner) for corner in (*left.quad_px[2:], *left.quad_px[:2])]


def test_of_a_lone_tile_nothing_is_learned(learner: TileLearner, taught: Taught) -> None:
    """It may have been read upside down (film 359011)."""
    for number in range(2 * DECIDED_TABLES):
        assert not learner.see(PICTURE, reading(tile("R40", 0)), {(0, 0): "R40"}, number)
    assert not learner.hear({(0, 0): "R40"}, {"R40"}, set(), 9)
    assert taught.own_set.taken == []


def test_slots_count_from_the_leftmost(learner: TileLearner, taught: Taught) -> None:
    see(learner, SURE_TABLES, tile("R40", 3), tile("B20", 4))
    assert taught.own_set.taken == [("R40", False), ("B20", False)]


def test_what_the_game_decided_is_learned_a_table_later(learner: TileLearner, taught: Taught) -> None:
    see(learner, DECIDED_TABLES - 1, tile("R40", 0), tile("B20", 1, unsure=True))
    assert taught.own_set.taken == [("R40", False)]
    see(learner, 1, tile("R40", 0), tile("B20", 1, unsure=True))
    assert taught.own_set.taken[-1] == ("B20", False)


@pytest.mark.parametrize("odd", [tile("B10", 1), tile("B20", 2)], ids=["another tile", "elsewhere"])
def test_a_table_that_is_not_the_games_teaches_nothing(
    learner: TileLearner, taught: Taught, odd: TileReading
) -> None:
    """And what was seen before it does not count any more."""
    see(learner, SURE_TABLES - 1, tile("R40", 0), tile("B20", 1))
    see(learner, 2 * DECIDED_TABLES, tile("R40", 0), odd)
    see(learner, SURE_TABLES - 1, tile("R40", 0), tile("B20", 1))
    assert taught.own_set.taken == []


@pytest.mark.parametrize(
    "hardly",
    [
        tile("B20", 1, unsure=True, covered=True),
        tile("B20", 1, unsure=True, cut=True),
        tile("B10", 1, unsure=True),
    ],
    ids=["covered", "cut", "likelier another"],
)
def test_a_tile_that_is_hardly_seen_is_not_learned(
    learner: TileLearner, taught: Taught, hardly: TileReading
) -> None:
    see(learner, 2 * DECIDED_TABLES, tile("R40", 0), hardly)
    assert {code for code, _ in taught.own_set.taken} == {"R40"}


def test_what_lies_over_the_table_hides_it(learner: TileLearner, taught: Taught) -> None:
    see(learner, 1, tile("R40", 0), tile("B20", 1, unsure=True))
    assert not learner.see(PICTURE, None, {}, 1)
    learner.hear(LYING, {"B20"}, set(), 2)
    assert taught.own_set.taken == []


def test_what_a_player_names_is_learned_at_once(learner: TileLearner, taught: Taught) -> None:
    see(learner, 1, tile("R40", 0), tile("Y20", 1, unsure=True))
    learner.hear(LYING, {"B20"}, set(), 1)
    assert taught.own_set.taken == [("B20", True)]
    assert taught.own_set.forgotten == []


@pytest.mark.parametrize(
    "before",
    [None, reading(tile("Y20", 0)), reading(tile("R40", 0), tile("Y20", 1, covered=True))],
    ids=["hidden", "alone", "covered"],
)
def test_what_a_player_named_is_learned_as_soon_as_it_is_well_seen(
    learner: TileLearner, taught: Taught, before: Reading | None
) -> None:
    """The first tile of a game was named and never learned: it lay alone then (film 407206)."""
    learner.see(PICTURE, before, {}, 0)
    assert not learner.hear(LYING, {"B20"}, set(), 1)
    assert taught.own_set.taken == []
    see(learner, 2, tile("R40", 0, unsure=True), tile("Y20", 1, unsure=True))
    assert taught.own_set.taken == [("B20", True)]


def test_what_a_player_named_and_denied_is_not_learned_later(learner: TileLearner, taught: Taught) -> None:
    learner.hear(LYING, {"B20"}, set(), 1)
    learner.hear({(0, 0): "R40"}, set(), {"B20"}, 2)
    see(learner, 1, tile("R40", 0), tile("Y20", 1, unsure=True))
    learner.hear(LYING, {"B20"}, set(), 1)
    learner.take_back(0)
    see(learner, 1, tile("R40", 0), tile("B20", 1, unsure=True))
    assert taught.own_set.taken == [("B20", True)]


def test_what_a_player_denies_is_unlearned_first(learner: TileLearner, taught: Taught) -> None:
    see(learner, 1, tile("R40", 0), tile("Y20", 1))
    learner.hear(LYING, {"B20"}, {"Y20", "B20"}, 1)
    assert taught.own_set.forgotten == [{"Y20", "B20"}]
    assert taught.own_set.taken == [("B20", True)]


def test_what_is_taken_back_is_unlearned(learner: TileLearner, taught: Taught) -> None:
    learner.take_back(7)
    assert taught.own_set.forgotten == [7]


def test_a_reader_first_forgets_other_games(taught: Taught) -> None:
    """And knows what this one had taught before it was left."""
    before = [Learned(Example("G4", np.full((40, 40, 3), 90, np.uint8)), 3, is_told=True)]
    assert taught.own_set is not None
    taught.own_set.restore([Learned(Example("M200", np.full((40, 40, 3), 90, np.uint8)), 1, is_told=True)])
    learner = TileLearner(taught, before)
    assert learner.own_set is not None
    assert [each.example.code for each in learner.own_set.learned] == ["G4"]


def test_a_reader_that_knows_all_tiles_is_left_alone(taught: Taught) -> None:
    taught.own_set = None
    learner = TileLearner(taught)
    see(learner, DECIDED_TABLES, tile("R40", 0), tile("B20", 1))
    assert not learner.hear(LYING, {"B20"}, {"R40"}, 1)
    learner.take_back(0)


def test_what_is_no_tile_as_people_say_teaches_nothing(learner: TileLearner, taught: Taught) -> None:
    """All tiles lay one slot off beside it, and were learned as their neighbours (film 422053)."""
    table = reading(tile("Y2", 0, unsure=True), tile("R40", 1, unsure=True), tile("B20", 2, unsure=True))
    learner.see(PICTURE, table, {}, 0)
    learner.correct(replace(table, tiles=table.tiles[1:]))
    places = []
    taught.own_set.learn = lambda _image, shown, _at: places.extend(  # type: ignore[method-assign,union-attr,return-value]
        (each.code, each.quad_px[0, 0]) for each in shown
    )
    learner.hear(LYING, {"B20"}, set(), 1)
    assert places == [("B20", 90)]
