"""Turns, stocks, missed mayhem, voices. Rule 5."""

from __future__ import annotations

import pytest

from referee.errors import ChoiceError, PlacementError, TileError
from referee.rules.events import Collapse, DieNeed, Direction, Explosion, Fire
from referee.rules.game import (
    Accept,
    Challenge,
    Choose,
    Correct,
    Place,
    Roll,
    Setup,
    Step,
    Taking,
    Variant,
    Voice,
    Whereabouts,
    start_game,
)
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.tiles import ALL_TILES, TILES

STRATEGY = Setup(players=3, variant=Variant.STRATEGY)
SILENT = Setup(players=3, variant=Variant.STRATEGY, voice=Voice.SILENT)


STRAW_AND_SOME_WOOD = tuple(tile for tile in ALL_TILES if tile.weight in (2, 4, 10, 30))[:14]


def play(game, *places):
    """Place tiles one after the other, each given as 'R40 row slot'; nothing is resolved."""
    for text in places:
        code, row, slot = text.split()
        game = game.place(TILES[code], int(row), int(slot))
    return game


def codes(tiles):
    return [tile.code for tile in tiles]


@pytest.mark.parametrize(
    ("players", "left", "share"),
    [(2, "M200", 22), (3, "", 15), (4, "R2", 11), (5, "", 9), (6, "R2 G60 B20", 7)],
)
def test_each_player_gets_an_equal_share_and_the_rest_starts_the_base(players, left, share):
    game = start_game(Setup(players=players, left_over=tuple(TILES[code] for code in left.split())))
    assert game.stocks == (share,) * players
    assert str(game.layout) == (left or "-")
    assert sum(game.stocks) + len(game.layout) + len(game.out) == 45


def test_left_over_incendiaries_leave_the_game_and_the_row_is_closed_up():
    game = start_game(Setup(players=6, left_over=(TILES["R2"], TILES["Y1"], TILES["B20"])))
    assert str(game.layout) == "R2 B20"
    assert codes(game.out) == ["Y1"]
    game = start_game(Setup(players=2, left_over=(TILES["B7"],)))
    assert (str(game.layout), codes(game.out)) == ("-", ["B7"])


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (Setup(players=1), "^wrong-players: players=1$"),
        (Setup(players=7), "^wrong-players: players=7$"),
        (Setup(players=2), "^wrong-left-over: players=2, left=1, found=0$"),
        (Setup(players=6, left_over=(TILES["R2"],) * 3), "^double-left-over$"),
    ],
)
def test_a_set_up_that_does_not_add_up_is_refused(setup, words):
    with pytest.raises((ChoiceError, TileError), match=words):
        start_game(setup)


def test_a_hand_is_five_tiles_as_far_as_the_stock_reaches():
    game = start_game(Setup(players=3))
    assert game.hand_and_pile(0) == (5, 10)
    game = game.correct(game.layout, (3, 15, 15), ALL_TILES[:12])
    assert game.hand_and_pile(0) == (3, 0)


def test_turns_pass_to_the_left_and_a_placement_costs_one_tile():
    game = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1", "G60 1 0")
    assert (game.turn, game.active, game.stocks) == (3, 2, (14, 14, 14))
    assert game.whereabouts(TILES["G60"]) is Whereabouts.PYRAMID
    assert game.whereabouts(TILES["G100"]) is Whereabouts.STOCKS
    game = game.accept()
    assert (game.turn, game.active, game.has_placed) == (4, 0, False)


def test_what_mayhem_returns_goes_to_the_payers_stock_and_fire_leaves_the_game():
    game = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1", "B7 1 0").settle()
    assert isinstance(game.events[0], Fire)
    assert game.stocks == (14, 14, 16)
    assert codes(game.out) == ["B7"]
    assert game.takings == (Taking(3, 2, (TILES["R40"], TILES["B20"])), Taking(3, None, (TILES["B7"],)))
    assert game.whereabouts(TILES["B7"]) is Whereabouts.OUT
    assert sum(game.stocks) + len(game.layout) + len(game.out) == 45


def test_a_collapse_waits_for_the_active_players_choice():
    game = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1", "G60 1 0")
    assert [type(event) for event in game.pending.events] == [Collapse]
    game = game.settle()
    assert game.needs.chooser == 2
    assert game.choose(Direction.LEFT).stocks == (14, 14, 16)
    assert str(game.choose(Direction.RIGHT).layout) == "G60"
    with pytest.raises(ChoiceError, match=r"^nothing-happens: layout='- -/G60'$"):
        game.step()
    with pytest.raises(ChoiceError, match=r"^wrong-answer: given=4, need=direction$"):
        game.roll(4)


def test_family_a_player_without_tiles_at_the_end_of_the_own_turn_wins():
    game = start_game(Setup(players=3))
    game = game.correct(game.layout, (1, 15, 15), ALL_TILES[:14])
    game = game.place(TILES["M200"], 0, 0)
    assert game.winner == 0
    with pytest.raises(ChoiceError, match=r"^game-over: number=1$"):
        game.place(TILES["R7"], 0, 1)
    with pytest.raises(ChoiceError, match=r"^game-over: number=1$"):
        game.accept()


def test_mayhem_at_the_last_tile_must_be_paid_before_anybody_wins():
    game = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1")
    game = game.accept().correct(
        game.layout,
        (14, 14, 1),
        ALL_TILES[:0] + tuple(tile for tile in ALL_TILES if tile.weight in (2, 4, 10, 30))[:14],
    )
    game = game.place(TILES["G60"], 1, 0)
    assert game.winner is None
    game = game.settle().choose(Direction.LEFT)
    assert (game.winner, game.stocks[2]) == (None, 2)


def test_strategy_a_player_wins_once_the_next_one_has_said_ok():
    game = start_game(STRATEGY)
    game = game.correct(game.layout, (1, 15, 15), ALL_TILES[:14]).place(TILES["M200"], 0, 0)
    assert game.winner is None
    assert game.accept().winner == 0
    with pytest.raises(ChoiceError, match=r"^game-over: number=1$"):
        game.place(TILES["R7"], 0, 1)


def test_there_is_nothing_to_accept_before_a_placement():
    with pytest.raises(ChoiceError, match=r"^nothing-to-accept: number=1$"):
        start_game(Setup(players=3)).accept()


@pytest.mark.parametrize(
    ("tile", "error", "words"),
    [
        ("R40", TileError, "^tile-lies-already: code='R40'"),
        ("B7", TileError, "^tile-left-game: code='B7'$"),
        ("G100", PlacementError, "^not-a-place: code='G100', row=3, slot=3, "),
    ],
    ids=["lies", "out", "place"],
)
def test_a_tile_that_is_not_in_a_stock_or_a_wrong_place_is_refused(tile, error, words):
    game = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1", "B7 1 0").settle()
    game = play(game, "R40 0 0")
    with pytest.raises(error, match=words):
        game.place(TILES[tile], 3, 3)


def test_family_missed_mayhem_leaves_the_game_and_nobody_chooses():
    game = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1", "G60 1 0", "R100 0 2")
    assert game.missed_since == 3
    game = game.settle()
    assert game.events[0].payer is None
    assert game.needs.chooser is None
    game = game.choose(Direction.LEFT)
    assert codes(game.out) == ["R40", "B20"]
    assert game.stocks == (13, 14, 14)
    assert (game.missed_since, game.active) == (None, 0)


def test_strategy_missed_mayhem_is_paid_by_whoever_is_active_then():
    game = play(start_game(STRATEGY), "R40 0 0", "B20 0 1", "G60 1 0")
    said_ok = game.accept()
    assert (said_ok.missed_since, said_ok.active) == (3, 0)
    assert said_ok.settle().stocks == (16, 14, 14)
    placed_on = play(game, "R100 0 2", "R120 1 1")
    assert (placed_on.missed_since, placed_on.active) == (3, 1)
    assert placed_on.settle().stocks == (13, 15, 14)


def test_strategy_a_missed_curse_is_paid_by_the_active_player_as_well():
    options = Options(curse=True)
    game = start_game(Setup(players=3, variant=Variant.STRATEGY, options=options))
    game = play(game, "R40 0 0", "B40 0 1", "G40 1 0")
    assert game.settle().stocks == (14, 17, 14)
    assert game.accept().settle().stocks == (17, 14, 14)


def test_mayhem_is_over_only_when_the_pyramid_is_stable():
    game = play(start_game(STRATEGY), "R40 0 0", "B20 0 1", "G60 1 0").accept().settle()
    assert game.missed_since == 3
    game = game.choose(Direction.LEFT)
    assert game.missed_since is None
    game = game.place(TILES["R4"], 0, 1)
    assert game.state.terms.cursed == 2


def test_a_contact_of_fire_and_fuel_that_an_interruption_took_apart_is_forgotten():
    """Fire needs a contact that the placement made: tiles that meet nowhere later on are none."""
    setup = Setup(players=3, variant=Variant.STRATEGY, options=Options(fire_die=FireDie.NEWER))
    game = play(
        start_game(setup), "Y100 0 0", "R60 0 1", "Y60 1 0", "G2 0 2", "B120 1 1", "Y30 2 0", "R7 0 3"
    )
    game = game.accept().settle().choose(Direction.RIGHT)
    assert (str(game.layout), game.missed_since) == ("Y100 - B120 R7/Y60 - -/Y30 -", None)
    assert game.place(TILES["G2"], 0, 1).is_stable


def test_an_explosion_missed_over_two_turns_counts_since_the_first():
    game = play(start_game(Setup(players=3)), "Y60 0 0", "G60 0 1", "Y1 1 0", "G1 0 2", "R100 1 1", "R2 2 0")
    assert game.missed_since == 5
    assert isinstance(game.pending.events[0], Collapse)


def test_the_silent_voice_keeps_mayhem_back_until_a_check_is_called():
    game = play(start_game(SILENT), "R40 0 0", "B20 0 1", "B7 1 0")
    assert game.announced is None
    called = game.challenge()
    assert [type(event) for event in called.announced.events] == [Fire]
    missed = play(game, "R100 0 2")
    assert missed.announced is None
    assert missed.challenge().announced.events[0].payer == 0
    assert play(called, "R100 0 2").announced is None
    assert play(called, "R100 0 2").is_called is False


def test_the_announcing_voice_says_at_once_what_must_be_resolved():
    game = play(start_game(Setup(players=3)), "R40 0 0")
    assert game.announced.events == ()
    assert play(game, "B20 0 1", "B7 1 0").announced.events != ()


def test_the_silent_voice_speaks_when_the_game_has_ended():
    game = start_game(SILENT)
    game = game.correct(game.layout, (1, 15, 15), ALL_TILES[:14]).place(TILES["M200"], 0, 0).accept()
    assert game.announced is not None


def test_a_challenge_finds_several_missed_events_in_checking_order():
    game = play(start_game(Setup(players=3)), "Y60 0 0", "G60 0 1", "B20 1 0", "Y1 0 2", "G4 1 1")
    kinds = [type(event) for event in game.challenge().settle().choose(Direction.LEFT).events]
    assert kinds[0] is Collapse
    assert Explosion not in kinds


def test_the_fire_die_waits_for_a_roll_and_is_missed_like_any_mayhem():
    setup = Setup(players=3, options=Options(fire_die=FireDie.NEWER))
    game = play(start_game(setup), "R40 0 0", "B20 0 1", "B7 1 0").settle()
    assert game.settle() is game
    assert game.events == ()
    assert game.roll(6).is_stable
    assert game.roll(4).stocks == (14, 14, 16)
    missed = play(game, "R100 0 2")
    assert missed.missed_since == 3
    assert codes(missed.settle().roll(4).out) == ["R40", "B20", "B7"]
    for roll in (0, 7):
        with pytest.raises(ChoiceError, match=f"^wrong-answer: given={roll}, need=roll$"):
            game.roll(roll)
    with pytest.raises(ChoiceError, match=r"^wrong-answer: given='left', need=roll$"):
        game.choose(Direction.LEFT)


def test_undo_gives_back_an_equal_game():
    start = start_game(Setup(players=3))
    game, moments = start, []
    for action in (Place(TILES["R40"], 0, 0), Place(TILES["B20"], 0, 1), Accept(), Place(TILES["G60"], 1, 0),
                   Challenge(), Step(), Choose(Direction.LEFT)):  # fmt: skip
        moments.append(game)
        game = game.play(action)
    for moment in reversed(moments):
        game = game.undo()
        assert game == moment
    assert game.undo() == start


def test_actions_are_played_by_their_methods():
    setup = Setup(players=3, options=Options(fire_die=FireDie.NEWER))
    game = play(start_game(setup), "R40 0 0", "B20 0 1", "B7 1 0")
    assert game.play(Step()).play(Roll(6)) == game.step().roll(6)
    corrected = Correct(Layout.parse("R40 B20/R7"), game.stocks, ())
    assert str(game.play(corrected).layout) == "R40 B20/R7"


def test_events_are_those_since_the_last_placement_or_ok():
    game = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1", "B7 1 0").settle()
    assert [type(event) for event in game.events] == [Fire]
    assert play(game, "R100 0 0").events == ()
    assert game.accept().events == ()
    missed = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1", "B7 1 0").accept().settle()
    assert [type(event) for event in missed.events] == [Fire]
    assert play(missed, "R100 0 0").events == ()


def test_a_correction_sets_table_stocks_and_what_is_out_and_is_noted_whole():
    game = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1")
    layout, stocks, out = Layout.parse("R40 B30"), (14, 0, 28), (TILES["Y1"],)
    corrected = game.correct(layout, stocks, out)
    assert (corrected.layout, corrected.stocks, corrected.out) == (layout, stocks, out)
    assert corrected.actions[-1] == Correct(layout, stocks, out)
    assert game.play(Correct(layout, stocks, out)) == corrected
    untold = game.correct(layout)
    assert (untold.stocks, untold.out) == (game.stocks, game.out)


def test_mayhem_that_a_correction_shows_is_that_of_whoever_bears_it_now():
    """At the start, after an OK, in an interruption and after it."""
    mayhem = Layout.parse("Y40 R20/B60")

    def bearer(game):
        stocks = (game.stocks[0] - 3 + len(game.layout), *game.stocks[1:])
        event = game.correct(mayhem, stocks).pending.events[0]
        return event.payer

    assert bearer(start_game(Setup(players=3))) == 0
    placed = play(start_game(Setup(players=3)), "R40 0 0")
    assert bearer(placed) == 0
    assert bearer(placed.accept()) == 1
    missed = play(
        start_game(Setup(players=3)), "R40 0 0", "B30 0 1", "R4 1 0", "R100 0 2", "G10 1 1"
    ).accept()
    assert bearer(missed) is None
    assert bearer(missed.settle().choose(Direction.LEFT)) == 2


def test_a_die_that_is_due_stays_due_when_the_table_is_put_right():
    setup = Setup(players=3, options=Options(fire_die=FireDie.NEWER))
    game = play(start_game(setup), "R40 0 0", "B20 0 1", "B7 1 0")
    assert isinstance(game.correct(Layout.parse("R40 B20 -/B7 -")).settle().needs, DieNeed)


@pytest.mark.parametrize(
    ("layout", "stocks", "out", "words"),
    [
        ("R40", None, None, "^wrong-total: layout='R40', stocks='14, 14, 15', out=0, total=44$"),
        ("R40 B20", (14, 14), None, "wrong-total: .* stocks='14, 14', out=0"),
        ("R40 B20", (44, -2, 1), None, "stocks='44, -2, 1'"),
        ("R40 B20", (14, 14, 14), ("R40",), "tile-in-two-places: code='R40'"),
    ],
)
def test_a_correction_must_add_up_to_45_tiles(layout, stocks, out, words):
    game = play(start_game(Setup(players=3)), "R40 0 0", "B20 0 1")
    with pytest.raises(ChoiceError, match=words):
        game.correct(Layout.parse(layout), stocks, out and [TILES[code] for code in out])
