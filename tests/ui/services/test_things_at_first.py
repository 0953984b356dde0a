"""What lies beside a game from its first picture on, in a recording at which nobody answers."""

from __future__ import annotations

from pathlib import Path

from referee.rules.game import Setup
from tests.referee.tracking.tables import told
from tests.vision.tracking.test_table_tracker import picture, tile
from tests.vision.tracking.test_table_watch import Drawn
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from vision.sources.frame import Frame


def test_the_first_tile_beside_things_was_placed_where_the_left_over_one_left_the_game(
    tmp_path: Path,
) -> None:
    """More had lain there before, so that nobody took it for the first one (film 465781)."""
    things = [tile("Y4", 0, 0), tile("B7", 0, 1), tile("G10", 0, 2)]
    game = [tile("R60", 0, 8, confidence=0.999), tile("G100", 0, 9)]
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(Setup(2)), Drawn(things, game), keeps_pictures=False)
        session.is_unattended = True
        lines = [
            line
            for number in range(60)
            for line in session.see(Frame(picture(*things, *game[: number // 20]), number * 0.1, number))
        ]
        session.close()
    assert told(lines)[-2:] == ["placed R60 turn 1 player 0", "placed G100 turn 2 player 1"]
