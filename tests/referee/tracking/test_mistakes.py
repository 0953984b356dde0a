"""Explaining a table that changed. Rule 5."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.formats.judge_json import event_to_dict, need_to_dict
from referee.rules.events import Direction
from referee.rules.game import Choose, Place, Roll, Setup, Step, Variant, start_game
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options, read_options
from referee.rules.tiles import TILES
from referee.search.mistakes import Account, Mistake, explain

GAMES = Path(__file__).parents[2] / "data" / "games"
EXPECTED = {
    "start": Account.UNCHANGED,
    "bumped": Account.UNCHANGED,
    "placed": Account.PLAYED,
    "missed": Account.PLAYED,
    "step": Account.PLAYED,
    "fixed": Account.PLAYED,
    "wrong-step": Account.WRONG_STEP,
}


def play(*places, setup=None):
    game = start_game(setup or Setup(players=3))
    for text in places:
        code, row, slot = text.split()
        game = game.place(TILES[code], int(row), int(slot))
    return game


def see(game, text):
    return explain(game, Layout.parse(text))


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_whole_games_are_followed_step_by_step(path):
    first, *steps = (json.loads(line) for line in path.read_text().splitlines())
    setup = Setup(
        players=first["players"], variant=Variant(first["variant"]), options=read_options(first["rules"])
    )
    game = start_game(setup)
    for step in steps:
        found = see(game, step["layout"])
        assert found.account is EXPECTED[step["what"]], step
        assert not found.others, step
        game = found.game
        if step["what"] == "wrong-step":
            assert found.mistake.value == step["mistake"]
            assert str(found.right[0]) == step["right"]
            continue
        assert (game.missed_since, str(game.layout)) == (
            step.get("since") if step["pending"] else None,
            step["layout"],
        )
        assert list(game.stocks) == step["stocks"]
        assert sorted(tile.code for tile in game.out) == sorted(step["out"])
        assert [event_to_dict(event) for event in game.pending.events] == step["pending"]
        assert need_to_dict(game.pending.needs) == step["needs"]
        if step["turn"]:
            assert (game.turn, game.active) == (step["turn"], step["player"])


def test_a_table_as_it_was_needs_no_account():
    game = play("R40 0 0")
    found = see(game, "R40")
    assert (found.account, found.actions, found.game) == (Account.UNCHANGED, (), game)


def test_a_placement_and_its_whole_resolution_between_two_looks():
    game = play("R40 0 0", "B20 0 1")
    found = see(game, "G60")
    assert found.account is Account.PLAYED
    assert found.actions[0] == Place(TILES["G60"], 1, 0)
    # Left or right, the table looks the same and so does everything else.
    assert found.actions[1:] == (Step(), Choose(Direction.LEFT))
    assert found.others == ()


def test_two_placements_with_mayhem_missed_between_them():
    found = see(play("R40 0 0", "B20 0 1"), "R40 B20 R100/G60 -")
    assert [action.tile.code for action in found.actions] == ["G60", "R100"]
    assert found.game.missed_since == 3


def test_a_tile_that_burned_with_all_below_it_is_found():
    found = see(play("R40 0 0", "R4 0 1"), "-")
    assert found.account is Account.PLAYED
    assert found.actions == (Place(TILES["R7"], 1, 0), Step())
    assert found.others == ()


def test_accounts_that_are_as_short_are_all_told():
    found = see(play("R4 0 0", "G4 0 1"), "-")
    assert {each.actions[0].tile.code for each in (found, *found.others)} == {"G1", "R7"}


def test_a_support_left_lying():
    found = see(play("R40 0 0", "B20 0 1", "G60 1 0"), "R40 -/G60")
    assert (found.account, found.mistake) == (Account.WRONG_STEP, Mistake.LEFT_LYING)
    assert [str(layout) for layout in found.right] == ["- -/G60", "G60"]


def test_a_tile_taken_that_should_lie():
    found = see(play("R40 0 0", "B20 0 1", "Y60 1 0"), "-")
    assert (found.account, found.mistake) == (Account.WRONG_STEP, Mistake.WRONG_TILES)


def test_a_fire_that_left_a_tile_lying():
    game = play("R40 0 0", "B20 0 1", "B4 1 0", "G30 0 2", "B7 1 1")
    found = see(game, "R40")
    assert (found.account, found.mistake) == (Account.WRONG_STEP, Mistake.LEFT_LYING)
    assert [str(layout) for layout in found.right] == ["-"]
    assert [difference.seen.code for difference in found.differences] == ["R40"]


def test_a_step_that_comes_after_others_and_was_done_wrongly():
    """The collapse and the fall were done rightly; of the fire that follows, blue 2 was left lying."""
    game = start_game(Setup(players=3)).correct(Layout.parse("R40 B20 Y4 G6 B2 G60/Y1 - - - -"), (8, 15, 15))
    found = see(game, "B2 G60")
    assert (found.account, found.mistake) == (Account.WRONG_STEP, Mistake.LEFT_LYING)
    assert found.actions == (Step(), Choose(Direction.RIGHT))
    assert str(found.game.layout) == "Y1 Y4 G6 B2 G60"
    assert [str(layout) for layout in found.right] == ["G60"]


def test_a_step_whose_tiles_lie_elsewhere_is_told_as_that_step():
    found = see(play("R40 0 0", "B20 0 1", "B7 1 0"), "B7 - R40 - B20")
    assert (found.account, found.mistake) == (Account.WRONG_STEP, Mistake.LEFT_LYING)
    assert found.actions == ()


def test_a_step_that_was_done_rightly_before_is_not_told_as_wrong_later():
    game = play("R40 0 0", "B20 0 1", "R4 1 0", "R100 0 2", "G30 1 1").settle().choose(Direction.LEFT)
    assert str(game.layout) == "R40 G30/R4"
    found = see(game, "R40 -/R4")
    assert (found.account, found.mistake, found.actions) == (Account.UNEXPLAINED, None, ())


def test_a_fall_to_where_nothing_falls():
    game = play("R40 0 0", "B20 0 1", "R4 1 0", "G100 0 2", "G30 1 1", "Y120 2 0").settle()
    found = see(game, "R40 B20 G100 Y120")
    assert (found.account, found.mistake) == (Account.WRONG_STEP, Mistake.WRONG_FALL)
    assert {str(layout) for layout in found.right} == {"R40 B20 G100/Y120 -", "R40 B20 G100/- Y120"}


def test_tiles_exchanged():
    game = play("R40 0 0", "B20 0 1")
    found = see(game, "R40 B30")
    assert found.account is Account.SWAPPED
    assert [(d.row, d.slot, d.expected.code, d.seen.code) for d in found.differences] == [
        (0, 1, "B20", "B30")
    ]
    assert (found.game, found.actions) == (game, ())
    all_others = see(game, "Y40 G20")
    assert all_others.account is Account.SWAPPED
    assert [(d.row, d.slot) for d in all_others.differences] == [(0, 0), (0, 1)]


def test_tiles_moved_within_the_table():
    game = play("R40 0 0", "B20 0 1")
    found = see(game, "R40 - - B20")
    assert (found.account, found.actions, found.game) == (Account.MOVED, (), game)
    assert [str(layout) for layout in found.right] == ["R40 B20"]
    # Red 40 is taken to lie where it lay, and blue 20 to have moved, not the other way round.
    assert [(d.slot, d.expected, d.seen) for d in found.differences] == [
        (1, TILES["B20"], None), (3, None, TILES["B20"])
    ]  # fmt: skip


def test_two_tables_are_compared_where_they_lie_over_each_other_at_best():
    found = see(play("R40 0 0", "B20 0 1", "R4 1 0", "G60 0 2"), "B20 G60")
    assert found.account is Account.UNEXPLAINED
    assert [(d.row, d.slot, d.expected.code, d.seen) for d in found.differences] == [
        (0, 0, "R40", None), (1, 0, "R4", None)
    ]  # fmt: skip


def test_what_cannot_be_explained_comes_with_what_would():
    found = see(play("R40 0 0", "B20 0 1"), "Y2 Y4 Y6 Y10")
    assert found.account is Account.UNEXPLAINED
    assert [str(layout) for layout in found.right] == ["R40 B20", "Y2", "Y4"]
    assert found.actions == ()
    assert found.game.layout == found.right[0]


def test_what_would_be_right_is_looked_for_now_and_at_every_step_ahead():
    found = see(play("R40 0 0", "B20 0 1", "G60 1 0"), "G60 R40")
    assert [str(layout) for layout in found.right] == ["G60", "- -/G60"]
    found = see(play("R40 0 0", "B20 0 1"), "R40 B20 - Y2")
    assert str(found.right[0]) == "R40 B20"
    assert [(d.row, d.slot, d.seen.code) for d in found.differences] == [(0, 3, "Y2")]


def test_the_roll_of_a_die_shows_in_what_became_of_the_table():
    setup = Setup(players=3, options=Options(fire_die=FireDie.NEWER))
    found = see(play("R40 0 0", "B20 0 1", "B7 1 0", setup=setup), "- -/B7")
    assert found.account is Account.PLAYED
    assert [type(action).__name__ for action in found.actions] == ["Step", "Roll"]


@pytest.mark.parametrize(("seen", "roll"), [("R60 -/R7", 1), ("R60", 4), ("-", 5)])
def test_the_lowest_roll_that_does_what_is_seen_is_told(seen, roll):
    setup = Setup(players=3, options=Options(fire_die=FireDie.NEWER))
    found = see(play("R60 0 0", "R40 0 1", "R7 1 0", setup=setup), seen)
    assert found.actions == (Step(), Roll(roll))


@pytest.mark.parametrize(("moments", "account"), [(2, Account.WRONG_STEP), (3, Account.PLAYED)])
def test_a_search_looks_at_so_many_moments_and_no_more(monkeypatch, moments, account):
    """The placement is one moment, the collapse another, and the falls come third."""
    monkeypatch.setattr("referee.search.mistakes.MAX_MOMENTS", moments)
    assert see(play("R40 0 0", "B20 0 1"), "G60").account is account


def test_a_moment_that_several_ways_lead_to_is_looked_at_once():
    """From twelve rows up there are 4096 ways down, which is more than are looked at, and all lead here."""
    game = start_game(Setup(players=3)).correct(Layout.from_tiles({(12, 0): "B2"}), (14, 15, 15))
    found = see(game, "B2")
    assert (found.account, len(found.actions), found.others) == (Account.PLAYED, 24, ())


def test_a_search_for_a_tile_that_vanished_is_bounded_as_well(monkeypatch):
    game = play("R40 0 0", "R4 0 1")
    assert see(game, "-").account is Account.PLAYED
    monkeypatch.setattr("referee.search.mistakes.MAX_MOMENTS", 30)
    assert see(game, "-").account is Account.UNEXPLAINED


@pytest.mark.parametrize(("stock", "account"), [(1, Account.UNEXPLAINED), (2, Account.PLAYED)])
def test_who_has_placed_the_last_tile_waits_for_the_ok(stock, account):
    game = start_game(Setup(players=3, variant=Variant.STRATEGY))
    game = game.correct(game.layout, (stock, 23 - stock, 22)).place(TILES["M200"], 0, 0)
    assert game.winner is None
    assert see(game, "M200 R2").account is account


def test_nothing_is_placed_any_more_when_the_game_is_over():
    game = start_game(Setup(players=3))
    game = game.correct(game.layout, (1, 22, 22)).place(TILES["M200"], 0, 0)
    assert game.winner == 0
    assert see(game, "M200 R2").account is Account.UNEXPLAINED
