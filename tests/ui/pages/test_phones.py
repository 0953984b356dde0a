"""Phones in the app: off until somebody wants them, and gone with the game."""

from __future__ import annotations

import json
import socket
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import pytest
from PySide6.QtWidgets import QPushButton

from referee.rules.game import Variant
from tests.ui.phones.conftest import jpeg, visit
from tests.ui.waiting import WaitFor
from ui.app import phones_controller
from ui.app.game_controller import AppGames
from ui.app.main_window import START
from ui.app.navigation import NEW_GAME
from ui.phones import server as servers
from ui.platform.qimages import to_bgr
from ui.storage.game_entries import EntryKind
from ui.viewmodels.game_view import Put
from ui.viewmodels.requests import PHONE_SOURCE, GameRequest, PlayerRequest, SavedGame, SourceKind
from ui.widgets.phone_code import code_pixmap

PLAYERS = (PlayerRequest("Anna", "#E07A3F"), PlayerRequest("Bruno", "#3E8FC4"))


@pytest.fixture(autouse=True)
def one_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones_controller, "local_addresses", lambda: ["127.0.0.1"])
    monkeypatch.setattr(servers, "HTTP_PORT", 0)
    monkeypatch.setattr(servers, "HTTPS_PORT", 0)


def choose_phone(games: AppGames) -> str:
    """Choose a phone as the camera of a new game, and return the address in the code."""
    window, card = games._window, games._pages.new_game.source
    window.show_page(NEW_GAME)
    (button,) = [each for each in card.findChildren(QPushButton) if each.text() == "Use a phone"]
    button.click()
    return card.code.address


def is_served(address: str) -> bool:
    host, port = address.split("/")[2].split(":")
    try:
        with socket.create_connection((host, int(port)), 5):
            return True
    except ConnectionRefusedError:
        return False


def post_photo(address: str, **picture: int) -> None:
    origin = address.rpartition("/")[0].rpartition("/")[0]
    request = urllib.request.Request(address + "photo", jpeg(**picture), {"Origin": origin}, method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status == 200


def test_nothing_is_served_until_somebody_wants_it(games: AppGames) -> None:
    games._window.show_page(NEW_GAME)
    games.begin(GameRequest(PLAYERS))
    assert not games._pages.phones.is_open


def test_the_code_holds_the_address(games: AppGames) -> None:
    address = choose_phone(games)
    picture = to_bgr(code_pixmap(address, 400).toImage())
    assert cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0] == address


def test_a_phone_is_seen_before_and_in_the_game_and_not_after(games: AppGames, wait_for: WaitFor) -> None:
    address = choose_phone(games)
    preview = games._pages.new_game.source.preview
    assert preview.isVisible()
    post_photo(address, wide=640, high=360)
    wait_for(lambda: preview._picture._picture is not None)
    wait_for(lambda: bool(games._pages.phones.hub.advice))  # what to improve is on the phone, too
    request = games._pages.new_game.request()
    assert request.source is not None
    assert request.source.kind is SourceKind.PHONE
    games.begin(request)
    assert is_served(address)
    wait_for(lambda: games.page._live is not None)
    games._window.show_page(START)
    assert not is_served(address)
    assert choose_phone(games) != address


def test_who_leaves_the_page_without_a_game_serves_no_longer(games: AppGames) -> None:
    address = choose_phone(games)
    assert is_served(address)
    games._window.show_page(START)
    assert not is_served(address)


def test_a_stored_game_asks_for_its_phone_again(games: AppGames, wait_for: WaitFor) -> None:
    choose_phone(games)
    games.begin(games._pages.new_game.request())
    wait_for(lambda: games.worker is not None and games.worker.game is not None)
    assert games.worker is not None
    number = games.worker.game
    assert games.store.settings(number).source == PHONE_SOURCE  # type: ignore[arg-type]
    games._window.show_page(START)
    games.resume(SavedGame(Path(str(number)), "", "", ""))
    dialog = games._pages.phones._dialog
    assert dialog is not None
    assert dialog.isVisible()
    assert is_served(dialog.code.address)
    dialog.stop.click()
    assert not games._pages.phones.is_open


def test_what_a_phone_chooses_is_done_in_the_game_and_can_be_undone(
    games: AppGames, wait_for: WaitFor
) -> None:
    games.begin(GameRequest(PLAYERS, Variant.STRATEGY))
    wait_for(lambda: games.page.view is not None and bool(games.page.view.places))
    assert games.page.view is not None
    assert games.worker is not None
    place = games.page.view.places[0]
    lying = {tile.code for tile in games.page.view.tiles}
    code = next(each for each in ("R40", "B40", "G40") if each not in lying)
    games.worker.do(Put(code, place.row, place.slot))
    games.page.phones.click()
    dialog = games._pages.phones._dialog
    assert dialog is not None
    address = dialog.code.address
    assert address + "watch" in dialog._others.text()
    wait_for(lambda: games.page.view is not None and games.page.view.can_undo)
    told: list[Any] = []

    async def come(guest: Any) -> None:
        origin = {"Origin": address.rpartition("/")[0].rpartition("/")[0]}
        async with guest.ws_connect(address + "player?player=1", headers=origin) as line:
            while not told:
                state = json.loads((await line.receive()).data).get("state")
                for choice in (state or {}).get("choices", ()):
                    if choice["label"] == "OK":
                        told.append(choice)
                        await line.send_str(json.dumps({"choose": choice["id"]}))
            await line.receive()

    visit(come)
    game = games.worker.game
    assert game is not None

    def answers() -> list[object]:
        return [each.content["by"] for each in games.store.entries(game) if each.kind is EntryKind.ANSWER]

    wait_for(lambda: answers() == [1])
    games.page.undo.click()
    wait_for(lambda: games.page.view is not None and games.page.view.can_redo)


def test_without_a_network_it_says_so(games: AppGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones_controller, "local_addresses", lambda: [])
    assert choose_phone(games) == ""
    assert games._pages.new_game.source.code._none.isVisible()
    assert not games._pages.phones.is_open
