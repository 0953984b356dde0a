"""What people correct in the drawing while something that is drawn there is in doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.game import Setup
from referee.rules.layout import Layout
from referee.search.observation import ObservedTile, Settled
from tests.ui.recorded_games import settled
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import Retile, Shift, Undo


@pytest.fixture
def model(store: GameStore) -> GameViewModel:
    """A game with a camera."""
    settings = GameSettings(Setup(3), source="camera")
    return GameViewModel(store, GameSession.begin(store, settings, None), settings)


def drawn(model: GameViewModel) -> str:
    model._forget()
    return str(Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in model.view().tiles}))


def see_in_doubt(model: GameViewModel, time_s: float, known: str = "") -> None:
    """Let the camera see a tile in doubt at the left of the base that is known."""
    doubtful = ObservedTile(0, 0, (("Y20", 0.5), ("G20", 0.4)), sure=False)
    others = settled(known, time_s).tiles if known else ()
    model.session.hear(Settled(time_s, (doubtful, *(replace(each, slot=each.slot + 1) for each in others))))


def test_the_first_tile_can_be_named_while_it_is_asked_about(model: GameViewModel) -> None:
    """A tap on it said that there was no tile (film 350020)."""
    see_in_doubt(model, 5)
    assert (drawn(model), model.session.follower.question is not None) == ("Y20", True)
    model.do(Retile(0, 0, "R20"))
    assert (drawn(model), model.session.follower.question) == ("R20", None)


def test_beside_a_new_tile_on_the_left_the_tapped_one_is_meant(model: GameViewModel) -> None:
    """The drawing begins with the new tile, so that all others are drawn one slot further right."""
    for at, layout in enumerate(("R40", "R40 B20", "R40 B20/R4")):
        model.session.hear(settled(layout, 5 * at))
    see_in_doubt(model, 20, "R40 B20/R4")
    assert drawn(model) == "Y20 R40 B20/- R4"
    model.do(Retile(0, 2, "B30"))
    assert str(model.session.follower.game.layout) == "R40 B30/R4"
    model.do(Undo())
    model.do(Shift(0, 1, 0, 2))
    assert str(model.session.follower.game.layout) == "B20 R40/R4"
    model.do(Undo())
    model.do(Retile(0, 0, "G20"))
    assert (drawn(model), model.session.follower.question) == ("G20 R40 B20/- R4", None)
