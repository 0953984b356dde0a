"""A source that waits is followed picture by picture, however slow the computer is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from referee.rules.game import Setup
from tests.ui.waiting import WaitFor
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.viewmodels import game
from ui.workers.game_worker import GamePlan, GameWorker
from vision.sources.frame import Frame, Source

PICTURES = 40


class AtOnce(Source):
    """Gives its pictures as quickly as they are taken."""

    name = "quick"

    def __iter__(self) -> Iterator[Frame]:
        for number in range(PICTURES):
            yield Frame(np.zeros((8, 8, 3), np.uint8), number / 10, number)

    def now_s(self) -> float:
        return 0.0

    def close(self) -> None:
        pass


def test_no_picture_is_left_out(
    application: QApplication, tmp_path: Path, wait_for: WaitFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed: list[int] = []
    monkeypatch.setattr(game.GameViewModel, "see", lambda _model, frame: followed.append(frame.number))
    settings = GameSettings(Setup(2), "quick", ("Ann", "Bob"))
    reader = SimpleNamespace()
    store = GameStore.open(tmp_path / "games.sqlite3")
    worker = GameWorker(GamePlan(store, settings, None, AtOnce, lambda: reader, waits=True))
    ended: list[bool] = []
    worker.ended.connect(lambda: ended.append(True))
    worker.start()
    try:
        wait_for(lambda: bool(ended))
    finally:
        assert worker.stop()
    assert followed == list(range(PICTURES))
