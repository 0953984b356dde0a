"""What the live picture calls its tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.rules.game import Setup
from referee.rules.layout import Layout
from referee.search.observation import ObservedTile, Settled
from tests.ui.recorded_games import settled
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import Retile
from ui.workers.game_worker import outlines
from vision.recognition.reading import Reading, TileReading

SIZE = (90, 160)


def read(text: str) -> Reading:
    """Return a sure reading."""
    layout, quad = Layout.parse(text), ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    tiles = (
        TileReading(tile.code, row, slot, quad, 0.99, unsure=False) for (row, slot), tile in layout.tiles
    )
    return Reading(tuple(tiles), layout)


@pytest.fixture
def model(tmp_path: Path) -> Iterator[GameViewModel]:
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        settings = GameSettings(Setup(3), "camera")
        model = GameViewModel(store, GameSession.begin(store, settings, None), settings)
        for at, layout in enumerate(("R40", "R40 B20", "R40 B20/R4")):
            model.session.hear(settled(layout, 5.0 * at))
        model.session.reading = read("R40 B20/R4")
        yield model


def names(model: GameViewModel) -> dict[str, bool]:
    """What is called by its name -> whether there is a question mark."""
    return {outline.code: outline.unsure for outline in outlines(model, SIZE)}


def test_a_corrected_tile_has_its_new_name_at_once(model: GameViewModel) -> None:
    model.do(Retile(0, 0, "R30"))
    assert names(model) == {"R30": False, "B20": False, "R4": False}


def test_nothing_is_called_by_another_name_under_a_hand(model: GameViewModel) -> None:
    model.session.reading, model.session.is_covered = read("R40 B20/G60"), True
    assert names(model) == {"R40": False, "B20": False}
    model.session.reading = read("R40 B20 Y1/R4 -")
    assert names(model) == {"R40": False, "B20": False, "R4": False}


def test_a_tile_that_is_asked_about_has_a_question_mark(model: GameViewModel) -> None:
    doubt = ObservedTile(0, 2, (("Y30", 0.5), ("Y20", 0.45)), sure=False)
    model.session.hear(Settled(30.0, (*settled("R40 B20/R4", 0).tiles, doubt)))
    model.session.reading = read("R40 B20 Y30/R4 -")
    model._forget()
    assert names(model) == {"R40": False, "B20": False, "R4": False, "Y30": True}


def test_nothing_has_a_name_while_something_moves(model: GameViewModel) -> None:
    model.session.is_moving = True
    assert names(model) == {}


def test_what_lies_right_of_a_thing_that_was_left_out_has_its_own_name(model: GameViewModel) -> None:
    """The tile beside the one that was asked about was shown (film 422053)."""
    tiles = tuple(
        replace(tile, slot=tile.slot + 1, quad_px=tuple((x + 9 * tile.slot, y) for x, y in tile.quad_px))
        for tile in read("R40 B20/R4").tiles
    )
    model.session.reading = Reading(tiles, Layout.parse("R40 B20/R4"))
    left = {outline.code: outline.quad[0][0] for outline in outlines(model, SIZE)}
    assert left == {"R40": 0, "B20": 9 / SIZE[1], "R4": 0}
