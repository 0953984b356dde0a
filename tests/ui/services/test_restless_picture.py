"""A camera that shakes, or hands that never rest: people hear why nothing is said."""

from __future__ import annotations

from pathlib import Path

from referee.rules.game import Setup
from referee.tracking.announcements import Remark, Remarked
from tests.ui.services.test_overlooked_tile import LAY, Reader
from tests.vision.tracking.test_table_tracker import picture
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from vision.sources.frame import Frame
from vision.tracking.table_watch import RESTLESS_S

BARE, TABLE = picture(), picture(LAY)


def test_it_is_said_once_until_the_picture_comes_to_rest(tmp_path: Path) -> None:
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(Setup(2)), Reader([]))  # type: ignore[arg-type]

        def heard(seconds: range, *, shakes: bool) -> list[float]:
            tables = (TABLE if shakes and at_s % 2 else BARE for at_s in seconds)
            frames = (Frame(table, at_s, at_s) for at_s, table in zip(seconds, tables, strict=True))
            said = [line for frame in frames for line in session.see(frame) if isinstance(line, Remarked)]
            return [line.time_s for line in said if line.remark is Remark.OUTSIDE]

        long_s = round(2 * RESTLESS_S)
        assert heard(range(long_s), shakes=True) == [RESTLESS_S + 1]
        assert heard(range(long_s, long_s + 5), shakes=False) == []
        assert len(heard(range(long_s + 5, 2 * long_s + 5), shakes=True)) == 1
