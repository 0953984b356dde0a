"""A thing that is read as a tile beside the pyramid, so that all other tiles seem to lie further right."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import pytest

from referee.rules.layout import EMPTY, Layout
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Reply
from referee.tracking.questions import AskedPlace, Question, QuestionKind
from tests.vision.tracking.test_table_tracker import Look, tile
from ui.services.game_session import WatchedTable, as_settled
from vision.recognition.reading import Reading, TileReading

UNREAD = tuple((code, 0.1) for code in ("Y4", "Y6", "G2", "G4", "G6", "R2", "R4"))
THING = replace(tile("Y2", 0, 0), unsure=True, confidence=0.12, alternatives=UNREAD)
KNOWN, NEW = tile("R40", 0, 1), tile("B20", 0, 2)


def test_it_is_left_out_of_what_was_read_once_people_say_that_it_is_no_tile() -> None:
    """They were shown the tile beside the one that they were asked about (film 422053)."""
    table, follower = WatchedTable(Look([]), 0), Follower(3)  # type: ignore[arg-type]

    def see(time_s: float, *tiles: TileReading) -> None:
        table.watch.reading = Reading(tiles, EMPTY)
        settled = as_settled(table.watch.reading, time_s, hidden=False)
        follower.hear(settled)
        table.hear_after(settled, follower.game.layout, follower)

    def codes() -> list[str]:
        assert table.watch.reading is not None
        return [each.code for each in table.watch.reading.tiles]

    see(0)
    see(5, KNOWN)
    see(10, THING, KNOWN, NEW)
    assert follower.question is not None
    assert [(place.row, place.slot) for place in follower.question.places] == [(0, 0)]
    assert codes() == ["Y2", "R40", "B20"]
    answer = Answered(11, Reply.NO_TILE)
    follower.hear(answer)
    table.hear_after(answer, follower.game.layout, follower)
    assert codes() == ["R40", "B20"]
    assert follower.game.layout == Layout.parse("R40 B20")
    see(15, THING, KNOWN, NEW)
    assert codes() == ["R40", "B20"]


@pytest.mark.parametrize(
    ("kind", "denied"), [(QuestionKind.WHICH_TILE, True), (QuestionKind.UNSEEN_TILE, False)]
)
def test_what_lies_there_now_is_not_denied_where_what_has_gone_was_no_tile(
    kind: QuestionKind, denied: bool
) -> None:
    """Whoever says that no tile came and went says nothing of the one that lies in its place."""
    table, follower = WatchedTable(Look([]), 0), Follower(5)  # type: ignore[arg-type]
    table.watch = Mock()
    follower._state.question = Question(kind, (AskedPlace(0, 0, ("Y2",)),))
    table.hear_first(Answered(1, Reply.NO_TILE), follower)
    assert table.watch.deny.called is denied
