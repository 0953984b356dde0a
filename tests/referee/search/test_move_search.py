"""What can have happened on the table between two looks, and how likely each way is. Rule 5."""

from __future__ import annotations

import math

import pytest

from referee.rules.game import Action, Choose, Game, Place, Roll, Setup, Step, Variant, start_game
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options, Overhang
from referee.rules.tiles import ALL_TILES, TILES
from referee.search.chances import MISSED_AGAIN_COST, MISSED_COST, MISSED_DIE_COST
from referee.search.evidence import LEAST_CHANCE, Evidence
from referee.search.move_search import (
    CONTRIVED_COST,
    EXTRA_COST,
    HARDLY_COST,
    ROLLS,
    VANISHED_COST,
    find_continuations,
)
from tests.referee.search.test_hypotheses import BASE, DIE, evidence, play
from tests.referee.tracking.tables import table

EMPTY_TABLE = start_game(Setup(3))
CALM = play(*BASE)
WIDE = play(*BASE, "R4 1 0", "Y2 0 2")
MAYHEM = play(*BASE, "G60 1 0")
PASSED = play(*BASE, "G60 1 0", "Y2 0 2")
FIRE = play(*BASE, "B7 1 0")
BEFORE_ROLL = play(*BASE, "B7 1 0", setup=DIE)
ROLLING = play(*BASE, "B7 1 0", "step", setup=DIE)
BURNT = play("R100 0 0", "B20 0 1", "R2 1 0")


def short(action: Action) -> str:
    match action:
        case Place(tile, row, slot):
            return f"{tile.code} {row} {slot}"
        case Choose(direction):
            return direction.value
        case Roll(roll):
            return f"roll {roll}"
    return type(action).__name__.lower()


def ways(game: Game, seen: str, **unlike: str) -> list[tuple[str, float]]:
    """What may have been done, the likeliest first, with its cost."""
    found, _ = find_continuations(game, evidence(seen, **unlike))
    since = len(game.actions)
    return [(", ".join(map(short, way.game.actions[since:])), round(way.cost, 6)) for way in found]


@pytest.mark.parametrize(
    ("game", "seen", "expected"),
    [
        (EMPTY_TABLE, "-", [("", 0)]),
        (EMPTY_TABLE, "R40", [("R40 0 0", 0)]),
        (CALM, "R40 B20", [("", 0)]),
        (CALM, "R40 B20/R4", [("R4 1 0", 0)]),
        (play("R40 0 0"), "Y2 R40", [("Y2 0 -1", 0)]),
        (play("R40 0 0"), "R40 Y2", [("Y2 0 1", 0)]),
        # Where no tile may go, or none may have come from, there is no way.
        (CALM, "R40 B20 Y2", []),
        (CALM, "R40", []),
        # Two tiles, one after the other; three are too many.
        (CALM, "R40 B20 Y2/R4 -", [("R4 1 0, Y2 0 2", CONTRIVED_COST)]),
        (CALM, "R40 B20 Y2/R4 Y4", []),
        # Steps of a verdict, as many as were done.
        (MAYHEM, "R40 B20/G60", [("", 0)]),
        (MAYHEM, "- -/G60", [("step", 0)]),
        (MAYHEM, "G60", [("step, left", 0)]),
        (MAYHEM, "R40 -/G60", []),
        (MAYHEM, "R40 B20", []),
        (FIRE, "-", [("step", 0)]),
        (FIRE, "R40 B20", []),
        # A step, and then a tile; that it lies where one just lay is not likely.
        (MAYHEM, "G60 Y2", [("step, left, Y2 0 1", HARDLY_COST)]),
        # A tile over mayhem, and another one.
        (MAYHEM, "R40 B20 Y2/G60 -", [("Y2 0 2", MISSED_COST)]),
        (MAYHEM, "R40 B20 Y2/G60 Y4", [("Y2 0 2, Y4 1 1", MISSED_COST + CONTRIVED_COST + MISSED_AGAIN_COST)]),
        (PASSED, "R40 B20 Y2/G60 Y4", [("Y4 1 1", MISSED_AGAIN_COST)]),
        # The die: fire leaves no tile; smoke is made nothing of before the game goes on.
        (BEFORE_ROLL, "R40 B20/B7", [("", 0)]),
        (BEFORE_ROLL, "-", [("step, roll 4", ROLLS[4])]),
        (BEFORE_ROLL, "R40 B20 Y2/B7 -", [("step, roll 6, Y2 0 2", ROLLS[6]), ("Y2 0 2", MISSED_DIE_COST)]),
        (ROLLING, "R40 B20/B7", [("", 0)]),
        (ROLLING, "-", [("roll 4", ROLLS[4])]),
        (ROLLING, "R40 B20 Y2/B7 -", [("roll 6, Y2 0 2", ROLLS[6]), ("Y2 0 2", MISSED_DIE_COST)]),
        # A tile that burnt before anybody saw it.
        (CALM, "-", [("R7 1 0, step", VANISHED_COST), ("B7 1 0, step", VANISHED_COST)]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_can_have_happened(game, seen, expected):
    assert ways(game, seen) == [(done, round(cost, 6)) for done, cost in expected]


def test_after_a_tile_that_nobody_saw_another_one_may_lie_where_one_burnt():
    found = ways(BURNT, "R100 G60")
    assert [done for done, _ in found] == ["R7 0 2, step, G60 0 1", "B7 0 2, step, G60 0 1"]
    assert {cost for _, cost in found} == {round(VANISHED_COST + EXTRA_COST + HARDLY_COST, 6)}
    assert pytest.approx(3 + math.log(len(ALL_TILES))) == VANISHED_COST


def test_a_tile_on_a_table_that_was_cleared_lies_in_nobodys_place():
    assert ways(FIRE, "G60") == [("step, G60 0 0", 0)]


def test_ways_come_in_the_order_of_what_was_read_and_what_they_cost():
    seen = {"R4": "R2 0.5 R4 0.3 R6 0.15"}
    assert [done for done, _ in ways(CALM, "R40 B20/R4", **seen)] == ["R2 1 0", "R4 1 0", "R6 1 0"]


def test_all_that_one_tile_may_be_leaves_room_for_another_that_is_surely_read():
    """People had named it, and no way led there: a wrong step was told (film 428203)."""
    game = EMPTY_TABLE.correct(Layout.parse("B20 R4 Y60 G30/B4 Y20 -"), (13, 13, 13))
    greens = "G20 0.3 G40 0.2 G10 0.1 G100 0.1 G6 0.1 G4 0.05 G2 0.05"
    done = [done for done, _ in ways(game, "B20 R4 R20/B4 Y20/G20", G20=greens)]
    assert [f"R20 1 2, step, left, {code} 2 0" for code in ("G20", "G40", "G10", "G100")] == done[:4]


def test_what_lies_on_the_table_or_is_out_of_the_game_is_not_placed():
    assert ways(CALM, "R40 B20/R4", R4="B20 0.6 R4 0.3") == [("R4 1 0", 0)]
    one, two, three = CALM.stocks
    out = CALM.correct(CALM.layout, (one, two, three - 1), (TILES["R4"],))
    assert ways(out, "R40 B20/R4", R4="R4 0.6 R6 0.3") == [("R6 1 0", 0)]


def test_one_tile_may_be_misread_but_not_the_one_that_was_placed():
    found, _ = find_continuations(CALM, evidence("R40 B20", B20="B10"))
    assert [(way.game, way.fit.log_chance) for way in found] == [
        (CALM, pytest.approx(math.log(LEAST_CHANCE)))
    ]
    assert [cost for done, cost in ways(CALM, "R40 B20", R40="Y2", B20="Y4") if cost < 2 * HARDLY_COST] == []
    # Something less simple may have happened instead of a misreading.
    assert ways(WIDE, "R40 B20 Y4/R4 -") == [("", 0)]


def test_a_tile_that_is_in_doubt_must_be_among_what_is_read():
    uncertain = TILES["B20"].bit
    seen = evidence("R40 B20", B20="B10 0.6 B30 0.3")
    assert len(find_continuations(CALM, seen)[0]) == 1
    assert find_continuations(CALM, seen, uncertain) == ([], False)
    assert len(find_continuations(CALM, evidence("R40 B20"), uncertain)[0]) == 1


def test_a_covered_tile_that_would_fit_is_said_to_be_in_the_way():
    assert find_continuations(CALM, evidence("R40 B20/R4", R4="covered")) == ([], True)
    assert find_continuations(CALM, evidence("R40 B20 Y2", Y2="covered")) == ([], False)
    found, covered = find_continuations(CALM, evidence("R40 B20", B20="covered"))
    assert (len(found), covered) == (1, False)


def test_a_game_that_is_over_goes_on_with_its_steps_alone():
    game = EMPTY_TABLE.correct(EMPTY_TABLE.layout, (1, 22, 22)).place(TILES["R40"], 0, 0)
    assert game.winner == 0
    assert ways(game, "R40") == [("", 0)]
    assert ways(game, "R40 B20") == []


def test_who_has_no_tile_left_places_none():
    game = play("R40 0 0").correct(Layout.parse("R40"), (20, 0, 24))
    assert ways(game, "R40 B20") == []
    assert ways(play("R40 0 0").correct(Layout.parse("R40"), (20, 1, 23)), "R40 B20") == [("B20 0 1", 0)]


@pytest.mark.parametrize(("states", "seen"), [(0, "R40 B20 Y2/R4 -"), (1, "R40 B20 Y2/R4 -")])
def test_so_many_states_are_looked_at_and_no_more(monkeypatch, states, seen):
    """Else a table that fits nothing could hold the referee up."""
    monkeypatch.setattr("referee.search.move_search.MAX_STANDINGS", states)
    monkeypatch.setattr("referee.search.move_search.MAX_VANISHED", states)
    assert ways(CALM, seen) == ([("R4 1 0, Y2 0 2", CONTRIVED_COST)] if states else [])


def test_nobody_saw_at_most_so_many_tiles(monkeypatch):
    monkeypatch.setattr("referee.search.move_search.MAX_VANISHED", 1)
    assert ways(CALM, "-") == []


def test_tiles_that_are_tried_where_they_do_not_lie_are_few(monkeypatch):
    """The likeliest of them count."""
    monkeypatch.setattr("referee.search.move_search.MAX_NEW", 1)
    assert ways(CALM, "R40 B20 Y2/R4 -") == []


def test_a_step_leads_to_one_end_however_it_was_done():
    """Left or right, the tile falls to the same slot of an empty base."""
    options = Options(fire_die=FireDie.OFF)
    game = play(*BASE, "G60 1 0", setup=Setup(3, Variant.STRATEGY, options=options))
    assert ways(game, "G60") == [("step, left", 0)]


PILED = start_game(Setup(3, options=Options(overhang=Overhang.COLOUR_OR_WEIGHT))).correct(
    Layout.parse("B20 Y20 B40 M200 G10 Y60/Y40 Y2 - G40 G2/B2 R60 B30 G20/- R30 R20/- R4"), (9, 9, 10), ()
)
"""R60 goes left or right, and lies under B2 or B30 when that falls."""


def test_of_two_ways_that_end_alike_it_is_known_in_what_they_differ():
    """Who saw neither told one of them (222302)."""
    seen = Evidence.of(table("B20 Y20 B40 M200 G10 Y60/- B2 - - G2/- - B30 G20/- R30 R20/- R4"))
    (found,), _covered = find_continuations(PILED, seen)
    assert [type(action) for action in found.game.actions[1:]] == [Step, Choose, Step, Choose, Step]
    assert found.unclear == {1, 2, 3, 4}


def test_what_happens_in_another_order_is_not_told_either_way():
    """The fire takes the red 20 either way, but before the blue 120 takes another, or after (film 424712)."""
    game = start_game(Setup(3)).correct(Layout.parse("B60 R20 M200 B7/- - R120/R7 B120"), (13, 13, 12), ())
    (found,), _covered = find_continuations(game, Evidence.of(table("B60 - M200 B7/- B120 -")))
    told = [type(event).__name__ for event in found.game.events[len(game.events) :]]
    assert sorted(told) == ["Air", "Collapse", "Fall", "Fall", "Fire"]
    assert found.unclear == {1, 2, 3, 4}  # but not that the red 7 is left in free air


def test_a_fall_that_ends_alike_may_be_told_either_way():
    game = start_game(Setup(3)).correct(Layout.parse("R40 B20/G60"), (14, 14, 14), ())
    (found,), _covered = find_continuations(game, Evidence.of(table("G60")))
    assert [type(action) for action in found.game.actions[1:]] == [Step, Choose]
    assert found.unclear == set()


def test_where_a_tile_may_rather_be_misread_what_fell_there_is_thought_of_as_well():
    """The die showed 6, and the next tile fell where two had lain: a fire was told (game 231620)."""
    game = start_game(DIE).correct(Layout.parse("R120 Y10 B20/Y1 -"), (13, 14, 14), turn=1)
    done = [done for done, _ in ways(game.play(Place(TILES["Y2"], 1, 1)), "R120 Y10 B20/Y100 -")]
    assert done[:3] == ["step, roll 1", "step, roll 4, Y100 1 0", "step, roll 6, Y100 2 0, step, left"]


def test_where_a_tile_may_rather_be_misread_one_that_nobody_saw_is_thought_of_as_well():
    """It exploded with the yellow 1, and the next tile lay there: green 60 passed for a misread yellow 20."""
    game = start_game(Setup(3)).correct(Layout.parse("G60 R10 Y20/R20 Y1"), (13, 13, 14), turn=5)
    done = [done for done, _ in ways(game, "Y120 G60")]
    assert done == ["G1 2 0, step, Y120 0 -1", "R7 2 0, step, Y120 0 -1", "Y120 2 0, step, left, step, right"]
