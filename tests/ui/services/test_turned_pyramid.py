"""A pyramid of one row that was read from its wrong end: people say so, or the first tile upon it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.rules.game import Setup
from referee.rules.layout import EMPTY, Layout
from referee.tracking.announcements import TilePlaced
from referee.tracking.inputs import Answered, Corrected, Reply
from tests.vision.tracking.test_table_tracker import Look, picture
from tests.vision.tracking.test_table_tracker import tile as upright_tile
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.viewmodels.game import GameViewModel
from vision.recognition.naming import KnownLooks
from vision.recognition.reading import Reading, TileReading
from vision.sources.frame import Frame

DOUBT = {"unsure": True, "confidence": 0.6, "alternatives": (("G6", 0.3),)}


def tile(code: str, row: int, slot: int, **how: object) -> TileReading:
    """A tile of a pyramid whose players sit on the far side: its top shows down in the picture."""
    seen = upright_tile(code, -row, -slot, **how)
    a, b, c, d = seen.quad_px
    return replace(seen, row=row, slot=slot, quad_px=(c, d, a, b))


def on_its_head(read: TileReading, row: int, slot: int) -> TileReading:
    """The same tile, taken for upright the other way round."""
    a, b, c, d = read.quad_px
    return replace(read, row=row, slot=slot, quad_px=(c, d, a, b))


class Reader(Look):
    """Reads what the test says."""

    own_set = None
    known: KnownLooks

    def __init__(self) -> None:
        super().__init__([])
        self.tiles_read: tuple[TileReading, ...] = ()

    def read(self, _image: np.ndarray) -> Reading:
        return Reading(self.tiles_read, EMPTY)


class Table:
    """A table with a camera over it, and the game that is played there."""

    def __init__(self, store: GameStore) -> None:
        self.reader, settings = Reader(), GameSettings(Setup(3), source="film")
        self.session = GameSession.begin(store, settings, self.reader)  # type: ignore[arg-type]
        self.model = GameViewModel(store, self.session, settings)
        self.number = 0

    def lies(self, *read: TileReading) -> list[object]:
        """Let the camera see tiles until the table has settled; return what is said."""
        said: list[object] = []
        self.reader.tiles_read = read
        for _ in range(8):
            self.number += 1
            frame = Frame(picture(*read), 0.25 * self.number, self.number)
            said += self.session.see(frame)
        return said

    @property
    def layout(self) -> str:
        return str(self.session.follower.game.layout)

    def name(self, code: str, slot: int) -> list[object]:
        return list(self.session.hear(Answered(self.session.last_s, Reply.TILE, code, 0, slot)))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        yield Table(store)


FIRST, SECOND = tile("R40", 0, 0, **DOUBT), tile("B20", 0, 1, **DOUBT)
UPON = tile("R4", 1, 0)


def begin(table: Table) -> None:
    """Two tiles that nobody could read were named; the camera took them for upright on their heads."""
    table.lies()
    table.lies(on_its_head(FIRST, 0, 0))
    table.name("R40", 0)
    table.lies(on_its_head(SECOND, 0, 0), on_its_head(FIRST, 0, 1))
    table.name("B20", 0)
    assert table.layout == "B20 R40"


def test_people_say_that_the_row_runs_the_other_way(table: Table) -> None:
    begin(table)
    assert not table.session.hear(Corrected(table.session.last_s, Layout.parse("R40 B20")))
    assert table.session.reading is not None
    assert [each.code for each in table.session.reading.tiles] == ["R40", "B20"]
    said = table.lies(FIRST, SECOND, UPON)
    assert table.layout == "R40 B20/R4"
    assert [line.tile.code for line in said if isinstance(line, TilePlaced)] == ["R4"]


def test_the_first_tile_upon_the_row_shows_it(table: Table) -> None:
    begin(table)
    said = table.lies(FIRST, SECOND, UPON)
    assert table.layout == "R40 B20/R4"
    known = table.reader.known
    assert known.way.logs(np.array(FIRST.quad_px)).tolist() == [0.0, -6.0, -6.0, -6.0], "it is read so now"
    assert [line.tile.code for line in said if isinstance(line, TilePlaced)] == ["R4"]


def test_undo_takes_back_what_people_said_and_not_what_the_pictures_showed(table: Table) -> None:
    begin(table)
    named = table.session.heard[-1].number
    table.lies(FIRST, SECOND, UPON)
    since = [heard.content["input"] for heard in table.session.heard if heard.number > named]
    assert "correction" in since
    assert table.model._last_done() == [named]


def test_once_the_bricks_have_shown_it_who_names_tiles_anew_does_not_turn_the_pyramid(table: Table) -> None:
    """They speak for themselves; perhaps people have mixed up two names."""
    sure = [replace(each, unsure=False, confidence=0.99, alternatives=()) for each in (FIRST, SECOND)]
    for read in ([], sure[:1], sure, [*sure, UPON], sure):
        table.lies(*read)
    table.session.hear(Corrected(table.session.last_s, Layout.parse("R40 B20")))
    table.session.hear(Corrected(table.session.last_s, Layout.parse("B20 R40")))
    assert table.session.reading is not None
    assert [each.code for each in table.session.reading.tiles] == ["R40", "B20"]


def test_tiles_that_were_surely_read_lie_as_they_come_and_people_say_where_the_row_begins(
    table: Table,
) -> None:
    """A tile upon them was told in a place from the other end, with mayhem (472261)."""
    sure = [replace(each, unsure=False, confidence=0.99, alternatives=()) for each in (FIRST, SECOND)]
    for read in ([], sure[:1], sure):
        table.lies(*read)
    assert table.layout == "R40 B20"
    table.session.hear(Corrected(table.session.last_s, Layout.parse("B20 R40")))
    assert table.session.reading is not None
    assert [each.code for each in table.session.reading.tiles] == ["B20", "R40"]
