"""The end of a game: the result, another round with the score, a picture to share."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QLabel

from tests.ui.pages.test_table_page import begin_clicked, headline, put
from tests.ui.waiting import WaitFor
from ui.app.game_controller import ENDING, TABLE, AppGames
from ui.viewmodels.game_view import PutRight
from ui.viewmodels.requests import SourceKind, SourceRequest


def win(games: AppGames, wait_for: WaitFor) -> None:
    """Let Bruno win."""
    put(games, wait_for, "R40", 0, 0)
    games.worker.do(PutRight(1, (22, 1, 21)))
    wait_for(lambda: games.page.view.players[1].stock == 1)
    put(games, wait_for, "B20", 0, 1)
    wait_for(lambda: headline(games) == "Bruno wins!")


def shown(games: AppGames) -> list[str]:
    return [label.text() for label in games.ending.findChildren(QLabel) if label.isVisible()]


def test_the_result_is_shown_saved_and_followed_by_another_round(
    games: AppGames, wait_for: WaitFor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_clicked(games, wait_for)
    win(games, wait_for)
    window = games._window
    games.page.card.chosen.emit(games.page.card.choices()[0].act)
    assert window.page_name() == ENDING
    assert "Bruno wins!" in shown(games)
    assert "Rounds won" not in shown(games)
    target = tmp_path / "result.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(target), ""))
    games.ending.share.click()
    assert QImage(str(target)).width() > 400
    games.ending.round.click()
    wait_for(lambda: window.page_name() == TABLE and headline(games) == "Anna's turn")
    assert [player.stock for player in games.page.view.players] == [15, 15, 15]
    win(games, wait_for)
    games.page.card.chosen.emit(games.page.card.choices()[0].act)
    assert "Rounds won" in shown(games)
    assert {rank.name: rank.wins for rank in games.ending.view.ranks} == {"Anna": 0, "Bruno": 2, "Chloé": 0}
    window.go_back()
    assert window.page_name() == TABLE


def test_another_round_after_a_recording_is_played_by_clicking(
    games: AppGames, wait_for: WaitFor, tmp_path: Path
) -> None:
    begin_clicked(games, wait_for)
    win(games, wait_for)
    film = tmp_path / "film.avi"
    games._source = SourceRequest(SourceKind.RECORDING, str(film), film.name)
    games.page.card.chosen.emit(games.page.card.choices()[0].act)
    games.ending.round.click()
    wait_for(lambda: games._window.page_name() == TABLE and headline(games) == "Anna's turn")
    assert games._source is None
    assert games.page.view.is_clicked
    assert games._window._notice.accessibleName().startswith("The recording is over: this round is played")
