"""A store of games, as the tests of the view models use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ui.storage.game_store import GameStore
from ui.text.catalogue import choose_language


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    """An empty store; all is said in English."""
    choose_language("en")
    with GameStore.open(tmp_path / "games.sqlite3") as opened:
        yield opened
