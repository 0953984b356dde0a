"""A left-over tile that the camera does not find at first."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from referee.rules.game import Setup
from referee.rules.layout import EMPTY
from referee.tracking.announcements import TilePlaced
from tests.vision.tracking.test_table_tracker import Look, picture, tile
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from vision.recognition.reading import Reading
from vision.sources.frame import Frame

LAY, CAME = tile("B30", 0, 0), tile("R6", 0, 1)


class Reader(Look):
    """Finds the first tile only when another one lies beside it."""

    own_set = known = None

    def read(self, image: np.ndarray) -> Reading:
        return Reading((LAY, CAME) if np.array_equal(image, picture(LAY, CAME)) else (), EMPTY)


def test_it_is_left_over_and_what_came_beside_it_was_placed(tmp_path: Path) -> None:
    """Nobody was there to say which of the two had been placed, and nothing was said (film 411200)."""
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        settings = GameSettings(Setup(2), source="film")
        session = GameSession.begin(store, settings, Reader([]))  # type: ignore[arg-type]
        said = []
        for number in range(40):
            table = picture(LAY) if number < 20 else picture(LAY, CAME)
            said += session.see(Frame(table, 0.1 * number, number))
    assert [line.tile.code for line in said if isinstance(line, TilePlaced)] == ["R6"]
    assert [each.code for each in session.follower.game.setup.left_over] == ["B30"]
