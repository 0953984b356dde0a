"""The cube game. Rule 7."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from referee.cube.game import (
    ABOVE,
    BELOW,
    PLACES,
    CubeGame,
    Move,
    Side,
    answer_request,
    game_to_dict,
    play_moves,
)
from referee.cube.record import read_lines, write_lines
from referee.errors import NotationError, PlacementError, RecordError

LIGHT, DARK = Side.LIGHT, Side.DARK
BOARD = [place for place in PLACES if sum(place) == 4]


def play(*moves):
    return play_moves(Move(tuple(map(int, text[:3])), LIGHT if text[3] == "l" else DARK) for text in moves)


@cache
def random_game(seed):
    rng, game = random.Random(seed), CubeGame()
    while game.turn:
        game = game.play(rng.choice(game.legal))
    return game


def test_there_are_35_places_in_layers_of_15_10_6_3_1():
    assert [sum(sum(place) == total for place in PLACES) for total in (4, 3, 2, 1, 0)] == [15, 10, 6, 3, 1]
    assert PLACES[0] == (4, 0, 0)
    assert PLACES[:3] == ((4, 0, 0), (3, 1, 0), (3, 0, 1))
    assert PLACES[-1] == (0, 0, 0)
    for place in PLACES:
        assert len(BELOW[place]) == (0 if sum(place) == 4 else 3)
        assert all(place in BELOW[above] for above in ABOVE[place])
    assert sum(map(len, ABOVE.values())) == sum(map(len, BELOW.values())) == 60


def test_light_holds_13_light_and_5_dark_and_starts():
    game = CubeGame()
    assert game.turn is LIGHT
    assert (game.light.light, game.light.dark, game.dark.light, game.dark.dark) == (13, 5, 5, 13)
    assert len(game.legal) == 30
    assert game.free == tuple(BOARD)


def test_each_player_in_turn_places_a_cube_of_either_colour():
    game = play("400l", "040l")
    assert (game.turn, game.light.light, game.dark.light) == (LIGHT, 12, 4)


def test_three_cubes_form_a_space():
    game = play("400l", "310d", "301d")
    assert (3, 0, 0) in game.free
    assert game.bonus == ()
    assert game.turn is DARK
    assert play("400l", "310d", "301d", "300l").board[3, 0, 0] is LIGHT


def test_a_space_over_three_of_one_colour_is_filled_with_a_cube_of_the_opponent():
    game = play("400l", "310l", "301l")
    assert (game.turn, game.bonus, game.source) == (LIGHT, ((3, 0, 0),), DARK)
    assert game.legal == (Move((3, 0, 0), LIGHT), Move((3, 0, 0), DARK))
    with pytest.raises(
        PlacementError, match=r"^space-owed: at=\(0, 4, 0\), side='light', spaces='\(3, 0, 0\)'"
    ):
        game.play(Move((0, 4, 0), LIGHT))
    after = game.play(Move((3, 0, 0), DARK))
    assert (after.turn, after.bonus, after.dark.dark, after.light.light) == (DARK, (), 12, 11)


def test_one_cube_may_form_two_spaces_that_are_filled_in_any_order():
    game = play("400l", "310l", "220l", "211l")
    assert (game.turn, game.bonus) == (DARK, ((2, 1, 0),))
    both = play("400l", "310l", "220l", "301l")
    assert (both.turn, both.bonus) == (DARK, ((3, 0, 0),))
    two = play("400l", "211l", "220l", "301l", "310l")
    assert (two.turn, two.bonus) == (LIGHT, ((3, 0, 0), (2, 1, 0)))
    with pytest.raises(
        PlacementError, match=r"^space-owed: at=\(0, 4, 0\), side='light', spaces='\(3, 0, 0\), \(2, 1, 0\)'$"
    ):
        two.play(Move((0, 4, 0), LIGHT))
    left = two.play(Move((2, 1, 0), LIGHT))
    assert (left.turn, left.bonus) == (LIGHT, ((3, 0, 0),))


def test_a_bonus_cube_can_earn_a_further_one():
    moves = ["400l", "310l", "301l", "300l", "220l", "211l", "210l"]
    game = play(*moves)
    assert game.bonus == ()
    game = play(*moves, "202l")
    # (2, 0, 1) is owed for three light board cubes, and filling it light makes (2, 0, 0) due.
    assert game.bonus == ((2, 0, 1),)
    assert game.play(Move((2, 0, 1), LIGHT)).bonus == ((2, 0, 0),)
    assert game.play(Move((2, 0, 1), DARK)).bonus == ()


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (["500l"], r"number=1, problem=\(no-such-place: at=\(5, 0, 0\)\)"),
        (["300l"], r"number=1, problem=\(not-a-space: at=\(3, 0, 0\)\)"),
        (["400l", "400d"], r"number=2, problem=\(cube-lies-already: at=\(4, 0, 0\)\)"),
    ],
)
def test_a_move_that_is_not_allowed_is_named_by_its_number(moves, words):
    with pytest.raises(PlacementError, match=words):
        play(*moves)


def test_a_colour_that_is_used_up_cannot_be_placed():
    game = CubeGame()
    while game.light.dark or game.turn is not LIGHT or game.bonus:
        dark_first = sorted(
            game.legal, key=lambda move: move.colour is (DARK if game.turn is LIGHT else LIGHT)
        )
        game = game.play(dark_first[-1])
    with pytest.raises(PlacementError, match=r"^no-cube-left: side='light', colour='dark', at=\(\d"):
        game.play(Move(game.free[0], DARK))


@pytest.mark.parametrize("seed", range(60))
def test_random_games_end_with_35_cubes_one_left_over_and_one_winner(seed):
    game = random_game(seed)
    assert game.is_complete
    assert (game.turn, game.legal, game.bonus, game.source) == (None, (), (), None)
    assert sum(hand.light + hand.dark for hand in (game.light, game.dark)) == 1
    assert all(sum(counts.values()) == 15 for counts in game.faces.values())
    won = [max(counts, key=counts.get) for counts in game.faces.values()]
    assert game.winner is (LIGHT if won.count(LIGHT) >= 2 else DARK)
    with pytest.raises(PlacementError, match=r"^pyramid-complete: at=\(0, 0, 0\)$"):
        game.play(Move((0, 0, 0), LIGHT))
    assert read_lines(write_lines(game)).game == game


def test_a_player_without_cubes_passes_and_the_other_completes_the_pyramid():
    passed = 0
    for seed in range(60):
        game = CubeGame()
        for move in random_game(seed).moves:
            after = game.play(move)
            hand = after.hand(after.turn.opponent) if after.turn else None
            if after.turn is game.turn and not after.bonus:
                assert hand.is_empty
                passed += 1
            game = after
    assert passed


def test_nothing_is_owed_where_the_opponent_has_no_cube_left():
    seen = 0
    for seed in range(300):
        game = CubeGame()
        for move in random_game(seed).moves:
            if game.turn and game.hand(game.turn.opponent).is_empty:
                assert game.bonus == ()
                seen += any(len({game.board.get(under) for under in BELOW[place]}) == 1
                            for place in game.free if BELOW[place])  # fmt: skip
            game = game.play(move)
    assert seen


def test_the_answer_has_the_format_of_the_page():
    answer = answer_request({"moves": [{"at": [4, 0, 0], "colour": "light"}]})
    assert answer["board"] == {"4,0,0": "light"}
    assert (answer["turn"], answer["bonus"], answer["complete"], answer["winner"]) == (
        "dark",
        [],
        False,
        None,
    )
    assert answer["hands"] == {"light": {"light": 12, "dark": 5}, "dark": {"light": 5, "dark": 13}}
    assert answer["faces"] == {
        "x": {"light": 0, "dark": 0}, "y": {"light": 1, "dark": 0}, "z": {"light": 1, "dark": 0}
    }  # fmt: skip
    assert answer["legal"][:2] == [{"at": [3, 1, 0], "colour": "light"}, {"at": [3, 1, 0], "colour": "dark"}]
    assert list(answer) == ["board", "turn", "bonus", "hands", "legal", "complete", "faces", "winner"]
    bonus = answer_request(
        {"moves": [{"at": at, "colour": "light"} for at in ([4, 0, 0], [3, 1, 0], [3, 0, 1])]}
    )
    assert bonus["bonus"] == [[3, 0, 0]]


def test_the_answer_to_a_complete_game_names_the_winner():
    game = random_game(1)
    answer = game_to_dict(game)
    assert (answer["complete"], answer["turn"], answer["winner"]) == (True, None, game.winner.value)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({}, "^no-moves$"),
        ({"moves": None}, "^no-moves$"),
        ({"moves": {}}, "^wrong-type: key='moves', expected=list, found=object$"),
        ({"moves": [3]}, "^move-not-an-object: number=1, found=whole-number$"),
        ({"moves": [{}]}, "^move-at: number=1$"),
        ({"moves": [{"at": [4, 0], "colour": "light"}]}, "move-at"),
        ({"moves": [{"at": [4, 0, False], "colour": "light"}]}, "move-at"),
        ({"moves": [{"at": [4, 0, 10**20], "colour": "light"}]}, "^move-far-off: number=1$"),
        ({"moves": [{"at": [4, -(10**400), 0], "colour": "light"}]}, "move-far-off"),
        ({"moves": [{"at": [4, 0, 0], "colour": "red"}]}, "^move-colour: number=1$"),
        ({"moves": [{"at": [4, 0, 0], "colour": ["light"]}]}, "move-colour"),
    ],
)
def test_a_bad_request_is_refused(request_, words):
    with pytest.raises(NotationError, match=words):
        answer_request(request_)


def test_a_place_off_the_board_is_named_as_long_as_it_can_be_read():
    with pytest.raises(PlacementError, match=r"no-such-place: at=\(4, 0, 9{20}\)"):
        answer_request({"moves": [{"at": [4, 0, 10**20 - 1], "colour": "light"}]})


def test_a_record_says_whose_move_each_was():
    lines = [json.loads(line) for line in write_lines(play("400l", "310d", "301l"))]
    assert [line.get("by") for line in lines] == [None, "light", "dark", "light"]


def test_a_record_loads_up_to_its_last_sound_line():
    game = random_game(3)
    lines = list(write_lines(game))
    assert read_lines(lines).game == game
    swapped = [*lines[:5], lines[6], lines[5], *lines[7:]]
    loaded = read_lines(swapped)
    assert len(loaded.game.moves) == 4
    assert str(loaded.problem) == "line-changed: number=6"
    assert read_lines(lines[:9]).problem is None
    assert len(read_lines([*lines[:3], lines[3][:-9]]).game.moves) == 2
    with pytest.raises(RecordError, match="cut-off: number=1"):
        read_lines([])


def test_a_record_of_something_else_is_refused_and_a_move_against_the_rules_ends_it():
    from referee.formats.record import seal

    first, check = seal({"record": "pyramid-referee cube game", "version": 1}, 0)
    move, _ = seal({"by": "light", "at": [3, 0, 0], "colour": "light"}, check)
    loaded = read_lines([first, move])
    assert str(loaded.problem) == "in-line: number=2, problem=(not-a-space: at=(3, 0, 0))"
    assert loaded.game == CubeGame()
    move, _ = seal({"by": "light", "at": [4, 0, 0], "colour": "red"}, check)
    assert str(read_lines([first, move]).problem) == "in-line: number=2, problem=(move-colour: number=1)"
    with pytest.raises(RecordError, match="other-format: format='pyramid-referee cube game', version=1"):
        read_lines([seal({"record": "pyramid-referee cube game", "version": 2}, 0)[0]])
