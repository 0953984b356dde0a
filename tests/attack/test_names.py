"""Names of files and players that a terminal takes for commands, and data bases with odd contents."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.rules.game import Setup
from tests.attack.attacked import attack
from tests.places import SAMPLES
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore

EVIL = "esc\x1b[31m\x1b]0;title\x07\x9b2J\u202egpj"


def test_names_of_files_reach_no_terminal_raw(tmp_path: Path) -> None:
    photo = tmp_path / f"{EVIL}.jpg"
    shutil.copyfile(SAMPLES / "fire.jpg", photo)
    found = attack(
        "check", photo, tmp_path / f"{EVIL}-none.jpg", "--annotate", tmp_path / EVIL, data=tmp_path / "d"
    )
    assert "esc\\u001b[31m\\u001b]0;title\\u0007\\u009b2J\\u202egpj.jpg" in found.out
    assert "Written: " in found.err
    assert attack("tiles", tmp_path / f"{EVIL}.pdf", data=tmp_path / "d").status == 0
    assert attack("nonsense" + EVIL, data=tmp_path / "d").status == 2


def test_names_of_players_reach_no_terminal_raw(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with GameStore.open(data / "games.sqlite3") as store:
        store.start_game(GameSettings(Setup(2), source=EVIL, names=(EVIL, "Ann")))
    for line in ([], ["--json"], ["1"]):
        assert attack("replay", *line, data=data).status == 0


@pytest.mark.parametrize("number", [2**63, 10**30, -1, 0])
def test_a_game_of_any_number_is_told_to_be_none(number: int, tmp_path: Path) -> None:
    found = attack("replay", str(number), "--verify", data=tmp_path / "data")
    assert found.status in (1, 2)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE game SET started = '0001-01-01T00:00:00+00:00'",
        "UPDATE game SET started = '9999-12-31T23:59:59-12:00'",
        "UPDATE game SET started = CAST(x'ff61' AS TEXT)",
        "UPDATE game SET settings = CAST(x'7bff7d' AS TEXT)",
    ],
)
def test_games_of_any_year_and_any_bytes_end_in_sentences(change: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with GameStore.open(data / "games.sqlite3") as store:
        store.start_game(GameSettings(Setup(2)))
    with closing(sqlite3.connect(data / "games.sqlite3")) as db, db:
        db.execute(change)
    for line in ([], ["1"], ["1", "--verify"]):
        found = attack("replay", *line, data=data)
        assert found.status == 0 or found.err.strip()
