"""The cube game as the page shows it, without widgets."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee.cube.game import PLACES, CubeGame, Hand, Move, Side
from referee.errors import RecordError
from ui.text.catalogue import choose_language
from ui.viewmodels.cube import CubeViewModel

BONUS = ((4, 0, 0), (3, 1, 0), (3, 0, 1))
"""Three squares under one space."""


@pytest.fixture(autouse=True)
def english() -> None:
    choose_language("en")


def played(*places: tuple[int, int, int], colour: Side = Side.LIGHT) -> CubeViewModel:
    model = CubeViewModel()
    for at in places:
        model.choose(colour)
        assert model.place(at)
    return model


def test_the_board_is_open_and_light_begins() -> None:
    view = CubeViewModel().view()
    assert view.headline == "Light's turn"
    assert [place.at for place in view.places if place.is_legal] == list(PLACES[:15])
    assert (view.can_undo, view.can_redo, view.winner) == (False, False, None)


def test_a_bonus_is_owed_and_taken_from_the_other_player() -> None:
    model = played(*BONUS)
    view = model.view()
    assert (view.headline, view.source) == ("A bonus for Light", Side.DARK)
    assert view.sentence.startswith("Three cubes of one colour: place one of Dark's cubes")
    assert [place.at for place in view.places if place.is_legal and place.is_owed] == [(3, 0, 0)]
    assert model.place((0, 4, 0)) is False
    assert model.place((3, 0, 0)) is True
    view = model.view()
    assert (view.headline, view.hands[Side.DARK]) == ("Dark's turn", Hand(light=3, dark=13))
    assert [place.at for place in view.places if place.is_last] == [(3, 0, 0)]


def test_undo_and_redo_go_through_the_whole_game() -> None:
    model = played(*BONUS)
    games = [model.game]
    while model.view().can_undo:
        model.undo()
        games.append(model.game)
    assert games[-1] == CubeGame()
    while model.view().can_redo:
        model.redo()
        assert model.game == games[games.index(model.game)]
    assert model.game == games[0]
    model.undo()
    model.place((0, 0, 4))
    assert model.view().can_redo is False


def test_beginning_anew_can_be_taken_back() -> None:
    model = played(*BONUS)
    before = model.game
    model.begin_anew()
    assert model.game == CubeGame()
    model.undo()
    assert model.game == before


def test_a_colour_that_is_used_up_is_not_offered() -> None:
    model = CubeViewModel(CubeGame(light=Hand(light=0, dark=2)))
    assert model.view().chosen is Side.DARK
    model.choose(Side.LIGHT)
    assert model.view().chosen is Side.DARK
    assert model.place((4, 0, 0))
    assert model.game.moves[0].colour is Side.DARK


def test_passing_is_said() -> None:
    model = CubeViewModel(CubeGame(dark=Hand(light=0, dark=0)))
    assert model.view().sentence == "Dark has no cubes left and passes. Light completes the pyramid."


def test_the_winner_is_named_with_the_faces() -> None:
    chance, model = random.Random(1), CubeViewModel()
    while model.game.turn is not None:
        move: Move = chance.choice(model.game.legal)
        model.choose(move.colour)
        model.place(move.at)
    view = model.view()
    assert view.winner is not None
    assert view.headline == {Side.LIGHT: "Light wins", Side.DARK: "Dark wins"}[view.winner]
    assert all(face.light + face.dark == 15 for face in view.faces)
    won = sum((face.light > face.dark) is (view.winner is Side.LIGHT) for face in view.faces)
    assert view.sentence.startswith(f"{won} of the three faces")


def test_a_saved_game_is_opened_with_its_undo(tmp_path: Path) -> None:
    model, other = played(*BONUS), CubeViewModel()
    model.save(tmp_path / "cube" / "a.jsonl")
    assert other.open(tmp_path / "cube" / "a.jsonl") is None
    assert other.game == model.game
    other.undo()
    assert len(other.game.moves) == 2


def test_a_damaged_game_is_opened_as_far_as_it_is_sound(tmp_path: Path) -> None:
    model = played(*BONUS)
    model.save(file := tmp_path / "a.jsonl")
    file.write_bytes(file.read_bytes()[:-9])
    assert isinstance(CubeViewModel().open(file), RecordError)
    file.write_text("{}\n")
    with pytest.raises(RecordError):
        model.open(file)
    assert len(model.game.moves) == 3
