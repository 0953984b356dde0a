"""What is wrong with a camera's picture: people hear it once, and how to put it right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

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
        is_mirrored, is_turned = image[0, 0, 0] == 0, image[0, -1, 0] == 0
        doubt = {"unsure": not is_turned, "confidence": 0.9 if is_mirrored else 0.99}
        return reading(*(tile(each.code, 0, each.slot, **doubt) for each in LAY))


@pytest.mark.parametrize(
    ("light", "is_mirrored", "sentence"),
    [
        (1.0, True, "Turn mirroring off"),
        (0.1, False, "Bring a lamp nearer"),
        (4.0, False, "Turn the lamp away"),
        (1.0, False, None),
    ],
)
def test_it_is_said_once(light: float, is_mirrored: bool, sentence: str | None, tmp_path: Path) -> None:
    table = picture(*LAY, light=light)
    table[:8, :8] = 0 if is_mirrored else table[:8, :8]
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(Setup(2)), Reader([]))  # type: ignore[arg-type]
        said = [line for number in range(40) for line in session.see(Frame(table, number * 0.5, number))]
    told = [line.text for line in said if isinstance(line, Remarked) and line.text]
    assert len(told) == (sentence is not None)
    assert sentence is None or sentence in told[0]
