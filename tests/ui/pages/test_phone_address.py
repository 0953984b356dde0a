"""The address of a phone: typed as people type it, and shown while they do."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from tests.ui.waiting import WaitFor
from ui.app.game_controller import AppGames
from ui.app.navigation import NEW_GAME
from ui.viewmodels.requests import SourceKind, SourceRequest, as_address


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("192.168.1.20:8080/video", "http://192.168.1.20:8080/video"),
        ("  phone.local:4747/video ", "http://phone.local:4747/video"),
        ("//camera/live", "http://camera/live"),
        ("https://camera/live", "https://camera/live"),
        ("rtsp://camera/live", "rtsp://camera/live"),
        ("", ""),
    ],
)
def test_an_address_needs_no_beginning(typed: str, address: str) -> None:
    assert as_address(typed) == address


def test_a_phone_is_previewed_while_its_address_is_typed(games: AppGames, wait_for: WaitFor) -> None:
    page = games._pages.new_game
    page.preview_wanted.disconnect()
    games._window.show_page(NEW_GAME)
    wanted: list[SourceRequest | None] = []
    page.preview_wanted.connect(wanted.append)
    page.source._phone.click()
    assert all(label.isVisible() for label in page.source._advice)
    assert len(page.source._advice) == 3
    QTest.keyClicks(page.source._address, "127.0.0.1:1/video")
    wait_for(lambda: bool(wanted) and wanted[-1] is not None)
    assert wanted[-1] == SourceRequest(
        SourceKind.ADDRESS, "http://127.0.0.1:1/video", "http://127.0.0.1:1/video"
    )
    assert [each for each in wanted if each is not None] == [wanted[-1]]  # not at every letter
    page.source._clicking.click()
    assert not any(label.isVisible() for label in page.source._advice)
