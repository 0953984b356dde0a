"""A start of the app with an exported game opens it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.places import DATA
from tests.ui.waiting import WaitFor
from ui.app.game_controller import TABLE, AppGames
from ui.app.main import _open
from ui.app.main_window import START
from ui.app.single_window import Start
from ui.widgets.notice_bar import NoticeBar

GAME = DATA / "stores" / "game-1.jsonl"


def test_an_exported_game_is_stored_and_shown(games: AppGames, wait_for: WaitFor) -> None:
    _open(Start(GAME), games._window, games._pages, games)
    wait_for(lambda: games._window.page_name() == TABLE)
    wait_for(lambda: games.page.view is not None and bool(games.page.view.turns))
    assert [game.id for game in games.store.games()] == [1]


@pytest.mark.parametrize("content", [None, "{}\n", ""], ids=["missing", "another", "empty"])
def test_a_file_that_is_no_game_is_told(games: AppGames, tmp_path: Path, content: str | None) -> None:
    games._window.show_page(START)
    if content is not None:
        (tmp_path / "other.jsonl").write_text(content, encoding="utf-8")
    _open(Start(tmp_path / "other.jsonl"), games._window, games._pages, games)
    said = games._window.findChild(NoticeBar).accessibleName()
    assert said
    assert (content is not None) or said.startswith("other.jsonl could not be opened: No such file")
    assert games._window.page_name() == START
    assert games.store.games() == []
