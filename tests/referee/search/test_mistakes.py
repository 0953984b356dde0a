"""What is the matter with a table that no rightful play leads to. Rule 5."""

from __future__ import annotations

import pytest

from referee.rules.events import Direction
from referee.rules.game import Choose, Place, Setup, Step, Variant, start_game
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.tiles import TILES
from referee.search.mistakes import explain_mistake, find_differences
from referee.tracking.inputs import Answered, Reply
from referee.tracking.questions import QuestionKind
from tests.referee.tracking.tables import follow, kind_of, table, told


def play(*places, setup=None):
    game = start_game(setup or Setup(players=3))
    for text in places:
        code, row, slot = text.split()
        game = game.place(TILES[code], int(row), int(slot))
    return game


def see(game, text):
    return explain_mistake(game, Layout.parse(text))


def differences(expected, seen):
    found = find_differences(Layout.parse(expected), Layout.parse(seen))
    return [(d.row, d.slot, d.expected and d.expected.code, d.seen and d.seen.code) for d in found]


def right(found):
    return [str(layout) for layout in found.right]


def test_a_support_left_lying():
    found = see(play("R40 0 0", "B20 0 1", "G60 1 0"), "R40 -/G60")
    assert (found.is_wrong_step, right(found)) == (True, ["- -/G60", "G60"])


def test_a_tile_taken_that_should_lie():
    found = see(play("R40 0 0", "B20 0 1", "Y60 1 0"), "-")
    assert (found.is_wrong_step, right(found)) == (True, ["- -/Y60", "Y60"])


def test_a_fire_that_left_a_tile_lying():
    game = play("R40 0 0", "B20 0 1", "B4 1 0", "G30 0 2", "B7 1 1")
    found = see(game, "R40")
    assert (found.is_wrong_step, right(found)) == (True, ["-"])


def test_a_step_that_comes_after_others_and_was_done_wrongly():
    """The collapse and the fall were done rightly; of the fire that follows, blue 2 was left lying."""
    game = start_game(Setup(players=3)).correct(Layout.parse("R40 B20 Y4 G6 B2 G60/Y1 - - - -"), (8, 15, 15))
    found = see(game, "B2 G60")
    assert (found.is_wrong_step, right(found)) == (True, ["G60"])
    assert found.actions == (Step(), Choose(Direction.RIGHT))


def test_a_step_whose_tiles_lie_elsewhere_is_told_as_that_step():
    found = see(play("R40 0 0", "B20 0 1", "B7 1 0"), "B7 - R40 - B20")
    assert (found.is_wrong_step, found.actions) == (True, ())


def test_a_step_that_was_done_rightly_before_is_not_told_as_wrong_later():
    game = play("R40 0 0", "B20 0 1", "R4 1 0", "R100 0 2", "G30 1 1").settle().choose(Direction.LEFT)
    assert str(game.layout) == "R40 G30/R4"
    found = see(game, "R40 -/R4")
    assert (found.is_wrong_step, found.actions) == (False, ())


def test_a_fall_to_where_nothing_falls():
    game = play("R40 0 0", "B20 0 1", "R4 1 0", "G100 0 2", "G30 1 1", "Y120 2 0").settle()
    found = see(game, "R40 B20 G100 Y120")
    assert found.is_wrong_step
    assert {*right(found)} == {"R40 B20 G100/Y120 -", "R40 B20 G100/- Y120"}


def test_a_roll_of_the_die_that_was_carried_out_wrongly():
    """Fire or explosion, red 40 alone is never what is left."""
    setup = Setup(players=3, options=Options(fire_die=FireDie.NEWER))
    found = see(play("R40 0 0", "B20 0 1", "B7 1 0", setup=setup), "R40")
    assert found.is_wrong_step
    assert {*right(found)} == {"-", "- -/B7"}


def test_a_step_after_a_placement_that_nobody_saw():
    found = see(play("R40 0 0", "B20 0 1"), "R40 -/G60")
    assert found.actions == (Place(TILES["G60"], 1, 0),)
    assert (found.is_wrong_step, right(found)) == (True, ["- -/G60", "G60"])


def test_tiles_exchanged():
    game = play("R40 0 0", "B20 0 1")
    for seen in ("R40 B30", "Y40 G20"):
        found = see(game, seen)
        assert (found.is_wrong_step, found.actions, right(found)) == (False, (), ["R40 B20"])


def test_tiles_moved_within_the_table():
    found = see(play("R40 0 0", "B20 0 1"), "R40 - - B20")
    assert (found.is_wrong_step, found.actions, right(found)) == (False, (), ["R40 B20"])


def test_what_cannot_be_explained_comes_with_what_would_be_nearest():
    found = see(play("R40 0 0", "B20 0 1"), "Y2 Y4 Y6 Y10")
    assert (found.is_wrong_step, found.actions, right(found)) == (False, (), ["R40 B20"])
    assert right(see(play("R40 0 0", "B20 0 1"), "R40 B20 - Y2")) == ["R40 B20"]


def test_what_would_be_right_is_looked_for_now_and_at_every_step_ahead():
    found = see(play("R40 0 0", "B20 0 1", "G60 1 0"), "G60 R40")
    assert right(found) == ["G60", "- -/G60"]


def test_so_many_moments_ahead_are_looked_at_and_no_more(monkeypatch):
    """Of the steps ahead, the fire after the fall is the one that was done wrongly."""
    game = start_game(Setup(players=3)).correct(Layout.parse("R40 B20 Y4 G6 B2 G60/Y1 - - - -"), (8, 15, 15))
    monkeypatch.setattr("referee.search.mistakes.MAX_MOMENTS", 2)
    assert see(game, "B2 G60").actions != (Step(), Choose(Direction.RIGHT))


@pytest.mark.parametrize(("stock", "tables"), [(1, ["M200"]), (2, ["M200 R2"])])
def test_who_has_placed_the_last_tile_waits_for_the_ok(stock, tables):
    game = start_game(Setup(players=3, variant=Variant.STRATEGY))
    game = game.correct(game.layout, (stock, 23 - stock, 22)).place(TILES["M200"], 0, 0)
    assert game.winner is None
    assert right(see(game, "M200 R2")) == tables


def test_nothing_is_placed_any_more_when_the_game_is_over():
    game = start_game(Setup(players=3))
    game = game.correct(game.layout, (1, 22, 22)).place(TILES["M200"], 0, 0)
    assert game.winner == 0
    assert right(see(game, "M200 R2")) == ["M200"]


def test_two_tables_are_compared_slot_by_slot():
    assert differences("R40 B20", "R40 B20") == []
    assert differences("R40 B20", "R40 B30") == [(0, 1, "B20", "B30")]
    assert differences("R40 B20", "Y40 G20") == [(0, 0, "R40", "Y40"), (0, 1, "B20", "G20")]
    assert differences("R40", "R40 B20 - Y2") == [(0, 1, None, "B20"), (0, 3, None, "Y2")]


def test_two_tables_are_compared_where_they_lie_over_each_other_at_best():
    assert differences("R40 B20 G60/R4 -", "B20 G60") == [(0, 0, "R40", None), (1, 0, "R4", None)]
    # Red 40 is taken to lie where it lay, and blue 20 to have moved, not the other way round.
    assert differences("R40 B20", "R40 - - B20") == [(0, 1, "B20", None), (0, 3, None, "B20")]


@pytest.mark.parametrize("code", ["Y30", "B30"])
def test_what_is_hardly_read_as_the_tile_that_was_put_back_is_asked_about(code):
    """A green 120 that the next player placed was told as the blue one that was put back (235611)."""
    follower = follow("R40", "R40 B20", "R40 B20 Y30", "R40 B20 Y30/- Y10", "R40 B20 Y30/G60 Y10")
    follower.hear(table("- - -/G60 Y10", 50))
    assert told(follower.hear(table("- - -/G60 Y10", 51))) == ["wrong-step"]
    (asked,) = follower.hear(table("- - Y30/G60 Y10", 60, Y30="Y30 0.74 B30 0.25"))
    assert kind_of(asked) == (QuestionKind.WHICH_TILE, "Y30 B30")
    lines = told(follower.hear(Answered(61, Reply.TILE, code, 0, 2)))
    assert ("fixed" in lines) is (code == "Y30")


def test_no_step_is_called_wrong_because_of_a_tile_that_is_rather_another() -> None:
    """Green 30 had fallen, read as all but itself: blue 120 was said to lie there still (film 473022)."""
    follower = follow("R7", "B120 R7", "B120 R7/G30", players=2)
    unread = {"B120": "B100 0.5866 B120 0.3172 B60 0.0689"}
    (asked,) = follower.hear(table("B120", 40, lifted="R7 G30", **unread))
    assert kind_of(asked)[0] is QuestionKind.WHICH_TILE
