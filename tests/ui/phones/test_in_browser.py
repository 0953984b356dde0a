"""The pages in a real browser. Where no chromium is installed, `apt-get install chromium chromium-driver`."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import aiohttp
import cv2
import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot
from selenium.webdriver.common.by import By as Find

from referee.rules.game import Setup, Variant, Voice
from tests.compare_pictures import difference, read, shrunk
from tests.places import SAMPLES
from tests.ui.phones.browser import HAS_BROWSER, browser, wait_until
from tests.ui.phones.conftest import HOST, NAMES, Served, begin, ours, serving, visit
from tests.ui.phones.played_games import play_turns, win
from tests.ui.phones.screenshots import OVERLAY, overlay_picture
from tests.ui.phones.test_game_on_phones import COLLAPSE, watch
from ui.phones import server as servers
from ui.phones.hub import PhoneHub
from ui.phones.server import PhoneServer
from ui.services.game_session import GameSession
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.announcements import announcement_json
from ui.text.catalogue import choose_language, speaking
from ui.viewmodels.ending import EndingView, stock_words
from ui.viewmodels.requests import PHONE_SOURCE
from ui.workers.game_worker import GamePlan, GameWorker
from vision.recognition.reader import TileReader
from vision.sources.frame import Frame
from vision.sources.recordings import FolderPictures, Recording

pytestmark = pytest.mark.skipif(not HAS_BROWSER, reason="there is no chromium here")

FRAMES_A_SECOND = 2
HELD_S, HAND_S, LAST_S = 5, 2, 40
"""How long a table lies still, and how long a hand is over it; the film begins anew after the last one."""
GAME_MS = 900_000
"""The film takes four minutes."""
IS_THERE = "document.body.dataset.state === 'there'"


def headline(opened: Any) -> str:
    return str(wait_until(opened, f"{IS_THERE} && document.querySelector('#card h2').textContent"))


def buttons(opened: Any) -> list[str]:
    return [each.text for each in opened.find_elements(Find.CSS_SELECTOR, "#choices button")]


def test_who_watches_sees_the_verdict(store: GameStore, tmp_path: Path) -> None:
    """As soon as it is reached, without loading the page again."""
    with serving(begin(store, source=PHONE_SOURCE), tmp_path) as served, browser(tmp_path / "tv") as opened:
        opened.get(served.address + "watch")
        wait_until(opened, IS_THERE)
        watch(served, *COLLAPSE)
        wait_until(opened, "document.querySelector('#card h2').textContent === 'Collapse'")
        drawn = opened.find_element(Find.CSS_SELECTOR, "#pyramid svg").get_attribute("aria-label")
        assert drawn == "Row 1 from the bottom: red 40, blue 20, yellow 60. " + (
            "Row 2 from the bottom: red 30, blue 100"
        )
        opened.find_element(Find.CSS_SELECTOR, "#why summary").click()
        assert opened.find_element(Find.CSS_SELECTOR, "#why h3").text == "Collapse"
        assert opened.find_element(Find.CSS_SELECTOR, "#why svg").is_displayed()
        assert not opened.find_element(Find.ID, "ending").is_displayed()
        # A name is text, whatever is in it; and nothing was refused by the policy of the page.
        assert "<b>Bruno</b>" in opened.find_element(Find.ID, "players").text
        assert opened.get_log("browser") == []


@pytest.mark.slow
def test_three_players_answer_and_one_asks_in_silence(store: GameStore, tmp_path: Path) -> None:
    model = begin(store, source=PHONE_SOURCE, variant=Variant.STRATEGY, voice=Voice.SILENT)
    with ExitStack() as held:
        served = held.enter_context(serving(model, tmp_path))
        watch(served, *COLLAPSE)
        phones = []
        for player, language in enumerate(("en", "fr", "en")):
            opened = held.enter_context(browser(tmp_path / f"phone {player}", language=language))
            opened.get(served.address)
            assert len(opened.find_elements(Find.CSS_SELECTOR, "a.choice")) == 5
            opened.find_elements(Find.CSS_SELECTOR, "a.choice")[player].click()
            wait_until(opened, IS_THERE)
            phones.append(opened)
        anna, bruno, chloe = phones
        assert [headline(each) for each in phones] == [
            "Chloé's turn", headline(bruno), "Chloé's turn",
        ]  # fmt: skip
        assert "Chloé" in headline(bruno)
        assert [buttons(each) for each in phones] == [[], [], ["OK"]]
        # Anna asks: once, and then sure of it.
        anna.find_element(Find.CSS_SELECTOR, "#check button").click()
        assert headline(chloe) == "Chloé's turn"
        anna.find_element(Find.CSS_SELECTOR, "#check .go").click()
        for each, word in ((anna, "Collapse"), (chloe, "Collapse"), (bruno, "Effondrement")):
            wait_until(each, f"document.querySelector('#card h2').textContent === '{word}'")
        wait_until(bruno, "document.querySelectorAll('#choices button').length === 2")
        assert [buttons(each) for each in phones] == [[], ["Gauche", "Droite"], []]
        bruno.find_elements(Find.CSS_SELECTOR, "#choices button")[0].click()
        wait_until(chloe, "document.querySelector('#card').textContent.includes('to the left')")
        assert [(act.player, type(act.act).__name__) for act in served.acts] == [
            (0, "CallCheck"), (1, "LetFall"),
        ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("page", ["play?player=1", "watch"])
def test_the_result_is_on_every_page(store: GameStore, tmp_path: Path, page: str) -> None:
    """As soon as somebody has won: ranks, the tiles over the turns, and what was notable."""
    with serving(begin(store), tmp_path) as served, browser(tmp_path / "phone", language="fr") as opened:
        play_turns(served, 8)
        opened.get(served.address + page)
        wait_until(opened, IS_THERE)
        win(served)
        wait_until(opened, "!document.getElementById('ending').hidden")
        ending = opened.find_element(Find.ID, "ending")
        with speaking("fr"):
            shown = served.model.view().ending
        assert shown is not None
        rows = [each.text for each in ending.find_elements(Find.CSS_SELECTOR, "tbody tr")]
        assert [row.split()[-3:] for row in rows] == [
            [str(rank.stock), str(rank.caused), str(rank.suffered)] for rank in shown.ranks
        ]
        assert all(rank.name in row for rank, row in zip(shown.ranks, rows, strict=True))
        told = str(ending.get_attribute("textContent"))
        assert all(remark in told for remark in shown.remarks)
        chart = ending.find_element(Find.CSS_SELECTOR, "svg.chart")
        assert chart.get_attribute("aria-label") == stock_words_in("fr", shown)
        assert len(chart.find_elements(Find.CSS_SELECTOR, "polyline")) == 3
        assert opened.get_log("browser") == []


def stock_words_in(language: str, ending: EndingView) -> str:
    with speaking(language):
        return stock_words(ending)


@pytest.mark.slow
def test_the_overlay_looks_as_it_did(store: GameStore, tmp_path: Path) -> None:
    """Nothing but the cards; the ground is not painted at all."""
    with ExitStack() as held:
        model = begin(store, source=PHONE_SOURCE)
        served = held.enter_context(serving(model, tmp_path))
        watch(served, *COLLAPSE)
        image = overlay_picture(served, tmp_path / "obs")
    assert image.pixelColor(640, 200).alpha() == 0
    assert image.pixelColor(60, 560).alpha() > 200
    now = shrunk(image.convertToFormat(QImage.Format.Format_RGB32))
    assert difference(now, read(OVERLAY)) == "", (
        "If it is right: python -m tests.ui.phones.screenshots --store"
    )


def film_of(folder: Path, target: Path) -> None:
    """Write the pictures of a game as a film that chromium shows as a camera: Y4M, 4:2:0."""
    with target.open("wb") as file:
        paths = sorted(folder.glob("*.jpg"))
        for number, path in enumerate(paths):
            image = cv2.imread(str(path))
            assert image is not None
            high, wide = image.shape[:2]
            if number == 0:
                file.write(f"YUV4MPEG2 W{wide} H{high} F{FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n".encode())
            planes = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420).tobytes()
            held_s = HAND_S if path.stem.endswith("-hand") else LAST_S if path is paths[-1] else HELD_S
            for _ in range(held_s * FRAMES_A_SECOND):
                file.write(b"FRAME\n" + planes)


def lines_of_watch(folder: Path, store: GameStore, settings: GameSettings) -> list[dict[str, Any]]:
    """Return what `watch` says of a folder of pictures."""
    session = GameSession.begin(store, settings, TileReader.open())
    said = []
    for item in Recording(str(folder), FolderPictures(folder)):
        said += session.see(item)
    session.leave()
    return [announcement_json(each) for each in said]


def told(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key != "time_s"}


@pytest.fixture
def served_worker(
    store: GameStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, application: object
) -> Iterator[tuple[PhoneServer, GameWorker, PhoneHub]]:
    """A game whose camera is a phone, as the app follows it."""
    monkeypatch.setattr(servers, "HTTP_PORT", 0)
    monkeypatch.setattr(servers, "HTTPS_PORT", 0)
    hub = PhoneHub()
    server = PhoneServer(hub, [HOST], tmp_path)
    server.start()
    settings = GameSettings(Setup(3), source=PHONE_SOURCE, names=NAMES)
    plan = GamePlan(store, settings, None, hub.pictures.open_source, TileReader.open, audience=hub)
    worker = GameWorker(plan)
    hub.on_act = worker.do
    worker.start()
    yield server, worker, hub
    worker.stop()
    assert server.stop()


@pytest.mark.slow
def test_a_game_through_the_camera_of_a_phone(
    served_worker: tuple[PhoneServer, GameWorker, PhoneHub],
    store: GameStore,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    """The sample game to its end: every line as with `watch`."""
    choose_language("en")
    server, worker, hub = served_worker
    folder = SAMPLES / "game"
    film = tmp_path / "game.y4m"
    film_of(folder, film)
    settings = GameSettings(Setup(3), source=str(folder), names=NAMES)
    expected = [told(line) for line in lines_of_watch(folder, store, settings)]
    assert any(line["event"] == "verdict" for line in expected)

    def lines() -> list[dict[str, Any]]:
        game = worker.game
        entries = [] if game is None else store.entries(game)
        return [told(entry.content) for entry in entries if entry.kind is EntryKind.SAID]

    with browser(tmp_path / "phone", film=film) as opened:
        opened.get(server.address(HOST) + "before")
        opened.find_element(Find.ID, "go").click()
        wait_until(opened, "location.protocol === 'https:' && document.querySelector('#start')")
        opened.find_element(Find.ID, "start").click()
        qtbot.waitUntil(lambda: len(lines()) >= len(expected), timeout=GAME_MS)
        assert "sees the table" in opened.find_element(Find.ID, "status").text
        assert hub.pictures.count > 50
    assert lines()[: len(expected)] == expected
    film.unlink()


@pytest.mark.slow
def test_five_phones_leave_no_memory_behind(served: Served) -> None:
    """As many pictures as five phones send in a while: the memory stays."""
    import resource

    picture = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8))[1]
    data = picture.tobytes()
    before = 0
    source = served.hub.pictures.open_source()
    taker = threading.Thread(target=lambda: [None for item in source if not isinstance(item, Frame)])
    taker.start()

    async def come(guest: aiohttp.ClientSession) -> None:
        nonlocal before
        for number in range(30):
            async with guest.ws_connect(served.address + "pictures", headers=ours(served)) as line:
                for _ in range(20):
                    await line.send_bytes(data)
                    assert "taken" in json.loads((await line.receive()).data)
            if number == 10:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    try:
        visit(come)
    finally:
        source.close()
        taker.join()
    grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kb < 60_000
