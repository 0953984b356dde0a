"""Where a game's pictures come from, in a real window: a source that fails, ends, is exchanged, goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QMenu, QPushButton

from referee.rules.game import Setup
from tests.ui.pages.test_table_page import GREY, PLAYERS, Told, tiles
from tests.ui.waiting import WaitFor
from ui.app.game_controller import AppGames
from ui.platform.cameras import Camera
from ui.services.sample_source import FOLDER
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.text import table as texts
from ui.viewmodels.requests import GameRequest, SourceKind, SourceRequest
from ui.viewmodels.table_view import Tone
from ui.workers.game_worker import GamePlan
from vision.recognition.reader import TileReader
from vision.sources.frame import Back, Frame, Lost, Source

GONE = Lost("Source {name}: gone.", {"name": "camera"}, 1.0)
SETTINGS = GameSettings(Setup(3), "camera", ("Anna", "Bruno", "Chloé"))
Opened = tuple[object, ...]
"""A source, what is held still, and where it begins."""
CAMERA = SourceRequest(SourceKind.CAMERA, "/dev/video0", "camera")


def run(games: AppGames, items: list[object], open_reader: Callable[[], object] = lambda: None) -> None:
    plan = GamePlan(games.store, SETTINGS, None, lambda: Told(items, games), open_reader)
    games._run(plan, CAMERA)


def said(games: AppGames) -> str:
    view = games.page.view
    return "" if view is None else " ".join(view.card.sentences)


def buttons(games: AppGames) -> dict[str, QPushButton]:
    found = games.page.trouble.findChildren(QPushButton)
    return {button.text(): button for button in found if button.isVisible()}


def press(games: AppGames, text: str) -> None:
    QTest.mouseClick(buttons(games)[text], Qt.MouseButton.LeftButton)


def open_with(
    games: AppGames, items: list[object], monkeypatch: pytest.MonkeyPatch
) -> list[tuple[object, ...]]:
    """Return what is opened from now on; all of it gives these items."""
    opened: list[tuple[object, ...]] = []

    def opens(*what: object) -> Source:
        opened.append(what)
        return Told(items, games)

    monkeypatch.setattr("ui.app.game_sources._open_source", opens)
    monkeypatch.setattr("ui.app.game_sources.open_reader", lambda _tiles: TileReader.open())
    return opened


def test_a_lost_camera_is_said_until_pictures_come_again(games: AppGames, wait_for: WaitFor) -> None:
    told: list[str] = []
    show = games.page.trouble.tell
    games.page.trouble.tell = lambda text, **how: (told.append(text), show(text, **how))
    run(games, [Frame(GREY, 0.0, 0), GONE, Back("back", {}, 2.0), Frame(GREY, 3.0, 1)])
    wait_for(lambda: told[-2:] == ["Source camera: gone.", ""] and games.page.view is not None)
    assert games.page.view.card.tone is Tone.CALM


def test_the_card_does_not_say_that_it_watches_while_the_camera_is_lost(
    games: AppGames, wait_for: WaitFor
) -> None:
    run(games, [Frame(GREY, 0.0, 0), GONE])
    wait_for(lambda: games.page.trouble.sentence == "Source camera: gone.")
    wait_for(lambda: said(games) == "Nobody sees the table now. The game waits for pictures.")


def test_a_game_whose_camera_is_lost_goes_on_by_clicking(games: AppGames, wait_for: WaitFor) -> None:
    run(games, [GONE])
    wait_for(lambda: games.page.trouble.isVisible() and games.worker.game is not None)
    number = games.worker.game
    press(games, "Go on by clicking")
    wait_for(lambda: games.page.view is not None and games.page.view.is_clicked)
    assert games.worker.game == number
    assert games.page.trouble.sentence == ""
    assert games.page.tiles.isVisible()
    QTest.mouseClick(games.page.tiles.button("R40"), Qt.MouseButton.LeftButton)
    wait_for(lambda: games.page.view.held == "R40")
    where = games.page.pyramid.tile_rect(0, 0).center().toPoint()
    QTest.mouseClick(games.page.pyramid, Qt.MouseButton.LeftButton, pos=where)
    wait_for(lambda: tiles(games) == {(0, 0): "R40"})


def test_the_camera_is_tried_again(
    games: AppGames, wait_for: WaitFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_with(games, [], monkeypatch)
    run(games, [GONE])
    wait_for(lambda: games.page.trouble.isVisible() and games.worker.game is not None)
    press(games, "Try again")
    wait_for(lambda: opened == [("/dev/video0", (), 0.0)])
    assert games.page.trouble.sentence == ""


@pytest.mark.parametrize(
    ("chosen", "source"),
    [("Desk camera", "/dev/video2"), ("A phone or network camera …", "http://phone:8080/video")],
)
def test_another_camera_or_a_phone_is_offered(
    games: AppGames, wait_for: WaitFor, monkeypatch: pytest.MonkeyPatch, chosen: str, source: str
) -> None:
    opened = open_with(games, [], monkeypatch)
    games._pages.cameras._cameras = (Camera("Desk camera", "/dev/video2"),)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_asked: ("http://phone:8080/video", True))
    run(games, [GONE])
    wait_for(lambda: games.page.trouble.isVisible() and games.worker.game is not None)
    press(games, "Another camera")
    (menu,) = games.page.findChildren(QMenu)
    next(action for action in menu.actions() if action.text() == chosen).trigger()
    menu.close()
    wait_for(lambda: opened == [(source, (), 0.0)])
    wait_for(lambda: not games.page.findChildren(QMenu))


def offered(games: AppGames) -> dict[str, QAction]:
    """Return what the menu of cameras offers; it is closed again."""
    menus = games.page.findChildren(QMenu)
    actions = {action.text(): action for menu in menus for action in menu.actions() if action.text()}
    for menu in menus:
        menu.close()
    return actions


def ask_by_click(games: AppGames) -> None:
    games.page.picture.customContextMenuRequested.emit(QPoint(20, 20))


def ask_by_key(games: AppGames) -> None:
    QTest.keyClick(games.page, Qt.Key.Key_C, Qt.KeyboardModifier.ShiftModifier)


@pytest.mark.parametrize("ask", [ask_by_click, ask_by_key])
def test_a_game_that_runs_takes_another_camera(
    games: AppGames, wait_for: WaitFor, monkeypatch: pytest.MonkeyPatch, ask: Callable[[AppGames], None]
) -> None:
    opened = open_with(games, [Frame(GREY, 0.0, 0)], monkeypatch)
    games._pages.cameras._cameras = (Camera("Desk camera", "/dev/video2"),)
    run(games, [Frame(GREY, 0.0, 0)], TileReader.open)
    wait_for(lambda: games.page.view is not None and games.worker.game is not None)
    number = games.worker.game
    ask(games)
    choices = offered(games)
    assert list(choices) == ["Desk camera", "A phone", "A phone or network camera …", "Go on by clicking"]
    choices["Desk camera"].trigger()
    wait_for(lambda: opened == [("/dev/video2", (), 0.0)])
    wait_for(lambda: games.worker.game == number)


def test_a_game_that_runs_goes_on_by_clicking(games: AppGames, wait_for: WaitFor) -> None:
    run(games, [Frame(GREY, 0.0, 0)], TileReader.open)
    wait_for(lambda: games.page.view is not None and games.worker.game is not None)
    ask_by_key(games)
    offered(games)["Go on by clicking"].trigger()
    wait_for(lambda: games.page.view is not None and games.page.view.is_clicked)


def test_the_sample_game_keeps_its_own_pictures(games: AppGames, wait_for: WaitFor) -> None:
    games.begin_sample(lambda: Told([Frame(GREY, 0.0, 0)], games))
    wait_for(lambda: games.page.view is not None)
    ask_by_key(games)
    assert offered(games) == {}


def film(*tables: str, begin_s: float = 0.0) -> list[Frame]:
    """Return frames of tables of the sample game, each held for two seconds of the film."""
    pictures = [cv2.imread(str(FOLDER / f"{name}.jpg")) for name in tables for _ in range(10)]
    return [Frame(image, begin_s + 0.2 * at, at) for at, image in enumerate(pictures)]


def test_a_recording_goes_on_from_where_it_was(
    games: AppGames, wait_for: WaitFor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Played from its start again it would make a second game of itself."""
    items: list[object] = [*film("00", "02", "04")]
    opened = open_with(games, items, monkeypatch)
    source = SourceRequest(SourceKind.RECORDING, str(tmp_path / "film.mp4"), "film.mp4")
    games.begin(GameRequest(PLAYERS, source=source))
    wait_for(lambda: len(tiles(games)) == 2)
    QTest.keyClick(games.page, Qt.Key.Key_Escape)
    wait_for(lambda: bool(games._pages.start._games))
    (saved,) = games._pages.start._games
    assert saved.title == "film.mp4"
    items[:] = film("04", "06", begin_s=4.0)
    games.resume(saved)
    wait_for(lambda: len(tiles(games)) == 3)
    assert [text for text, _holds, _begin_s in opened] == [source.text] * 2
    assert opened[0][2] == 0.0
    assert 3.0 < opened[1][2] < 5.0
    assert [turn.number for turn in games.page.view.turns] == [1, 2, 3]
    entries = games.store.entries(int(saved.path.name))
    times_s = [entry.content["time_s"] for entry in entries if entry.kind is EntryKind.SETTLED]
    assert 6.0 < times_s[-1] < 8.0


def test_the_end_of_a_film_is_said_with_ways_to_go_on(
    games: AppGames, wait_for: WaitFor, tmp_path: Path
) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((90, 160, 3), 90, np.uint8))
    source = SourceRequest(SourceKind.RECORDING, str(tmp_path), tmp_path.name)
    games.begin(GameRequest(PLAYERS, source=source))
    wait_for(lambda: games.page.trouble.sentence == texts.RECORDING_ENDED)
    assert set(buttons(games)) == {"Another camera", "Go on by clicking"}
