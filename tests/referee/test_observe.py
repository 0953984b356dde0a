"""Explaining a table that changed. Rule 5."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.events import Direction
from referee.game import Choose, Place, Setup, Step, Variant, start_game
from referee.judge import event_to_dict, need_to_dict
from referee.layout import Layout
from referee.observe import Account, Mistake, explain
from referee.options import FireDie, Options, read_options
from referee.tiles import TILES

GAMES = Path(__file__).parents[1] / "data" / "games"
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
    assert see(game, "R40").account is Account.UNCHANGED


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


def test_a_fall_to_where_nothing_falls():
    game = play("R40 0 0", "B20 0 1", "R4 1 0", "G100 0 2", "G30 1 1", "Y120 2 0").settle()
    found = see(game, "R40 B20 G100 Y120")
    assert (found.account, found.mistake) == (Account.WRONG_STEP, Mistake.WRONG_FALL)
    assert {str(layout) for layout in found.right} == {"R40 B20 G100/Y120 -", "R40 B20 G100/- Y120"}


def test_tiles_exchanged():
    found = see(play("R40 0 0", "B20 0 1"), "R40 B30")
    assert found.account is Account.SWAPPED
    assert [(d.expected.code, d.seen.code) for d in found.differences] == [("B20", "B30")]


def test_tiles_moved_within_the_table():
    found = see(play("R40 0 0", "B20 0 1"), "R40 - B20")
    assert found.account is Account.MOVED
    assert str(found.right[0]) == "R40 B20"


def test_what_cannot_be_explained_comes_with_what_would():
    found = see(play("R40 0 0", "B20 0 1"), "Y2 Y4 Y6 Y10")
    assert found.account is Account.UNEXPLAINED
    assert found.right
    assert found.game.layout == found.right[0] or found.actions == ()


def test_the_roll_of_a_die_shows_in_what_became_of_the_table():
    setup = Setup(players=3, options=Options(fire_die=FireDie.NEWER))
    found = see(play("R40 0 0", "B20 0 1", "B7 1 0", setup=setup), "- -/B7")
    assert found.account is Account.PLAYED
    assert [type(action).__name__ for action in found.actions] == ["Step", "Roll"]


def test_nothing_is_placed_any_more_when_the_game_is_over():
    game = start_game(Setup(players=3))
    game = game.correct(game.layout, (1, 22, 22)).place(TILES["M200"], 0, 0)
    assert game.winner == 0
    assert see(game, "M200 R2").account is Account.UNEXPLAINED
