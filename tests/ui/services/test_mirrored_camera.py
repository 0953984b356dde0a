"""A camera that shows the table as a mirror does: people hear it, and how to put it right."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from referee.rules.game import Setup
from referee.tracking.announcements import Remarked
from tests.vision.tracking.test_table_tracker import Look, picture, reading, tile
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from vision.recognition.reading import Reading
from vision.sources.frame import Frame

LAY = [tile(code, 0, slot, unsure=False) for slot, code in enumerate(("B4", "R4", "G4"))]


class Reader(Look):
    """Is sure of what lies there where it sees it the other way round, and else of nothing."""

    own_set = known = None

    def read(self, image: np.ndarray) -> Reading:
        is_turned = image[0, -1, 0] == 0
        return reading(*(tile(each.code, 0, each.slot, unsure=not is_turned) for each in LAY))


def test_it_is_said_once(tmp_path: Path) -> None:
    table = picture(*LAY)
    table[:8, :8] = 0
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(Setup(2)), Reader([]))  # type: ignore[arg-type]
        said = [line for number in range(40) for line in session.see(Frame(table, number * 0.5, number))]
    told = [line.text for line in said if isinstance(line, Remarked) and "mirrored" in str(line)]
    assert len(told) == 1
    assert "Turn mirroring off" in told[0]
