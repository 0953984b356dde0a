"""The end of a recording at which nobody answered: what is certain is told all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rules.game import Setup
from tests.referee.tracking.tables import table, told
from ui.services.game_session import GameSession
from ui.services.replay import Replay
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore

UNSURE = {"B20": "B20 0.6 B10 0.38"}
TABLES = ("R40", "R40 B20", "R40 B20/R4")


@pytest.mark.parametrize("is_unattended", [True, False])
def test_what_is_open_at_the_end_is_set_aside_where_nobody_can_answer(
    tmp_path: Path, is_unattended: bool
) -> None:
    """Six turns of a recording were not told, for a tile that could not be read (462035, unanswered)."""
    settings = GameSettings(Setup(3))
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, settings, None)
        session.is_unattended = is_unattended
        said = [session.hear(table(text, 5.0 * number, **UNSURE)) for number, text in enumerate(TABLES)]
        assert told(said[-1]) == []
        lines = session.close()
        entries = store.entries(session.game)
    assert told(lines) == (["notice", "placed R4 turn 3 player 2"] if is_unattended else [])
    inputs = [entry.content for entry in entries if entry.kind is not EntryKind.SAID]
    told_again = [line for heard in Replay(settings, inputs).heard for line in told(heard.said)]
    assert told_again == ["placed R40 turn 1 player 0", "question B20/B10", *told(lines)]


def test_a_table_that_the_rules_forbid_is_not_taken_over_at_the_end(tmp_path: Path) -> None:
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(Setup(3)), None)
        session.is_unattended = True
        for number, text in enumerate(("R40", "R40 B20", "R40 - Y30")):
            session.hear(table(text, 5.0 * number))
        assert session.follower.question is not None
        assert session.close() == []


def test_play_that_went_on_over_a_tile_that_nobody_saw_is_told_at_the_end(tmp_path: Path) -> None:
    """One had exploded and was gone, and two were exchanged and put back (465524, unanswered)."""
    before = ("Y20", "R10 Y20", "R10 Y20/Y1", "G60 R10 Y20/- Y1", "G60 R10 Y20/R20 Y1")
    exchanged = ("G60", "Y120 G60", "G60 Y120", "Y120 G60")
    after = ("Y120 G60/G40", "G2 Y120 G60/- G40")
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(Setup(3)), None)
        session.is_unattended = True
        said = [
            told(session.hear(table(text, 3.0 * at))) for at, text in enumerate(before + exchanged + after)
        ]
        assert said[-3:] == [["question G1/R7"], [], []]
        lines = told(session.close())
    assert lines == [
        "notice",
        "placed Y120 turn 7 player 0",
        "placed G40 turn 8 player 1",
        "placed G2 turn 9 player 2",
    ]
