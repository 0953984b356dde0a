"""The table page in a real window, offscreen: a recorded game, a game by clicking, and what goes wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QWidget

from referee.rules.game import Setup, Variant, Voice
from referee.rules.layout import EMPTY
from tests.ui.recorded_games import record_game
from tests.ui.waiting import WaitFor
from ui.app.game_controller import TABLE, AppGames, export
from ui.app.main_window import START
from ui.pages.table.table_page import TablePage
from ui.services.sample_source import FOLDER
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.storage.paths import user_data_folder
from ui.storage.preferences import Settings
from ui.viewmodels.game_view import CardView, GameView, KeepTiles, LookBack, NameTiles, Retile
from ui.viewmodels.requests import GameRequest, PlayerRequest
from ui.viewmodels.table_view import Tone
from ui.workers.game_worker import GamePlan
from vision.dataset.ground_truth import read_ground_truth
from vision.recognition.reading import Reading
from vision.sources.frame import Frame, Source

PLAYERS = (
    PlayerRequest("Anna", "#E07A3F"),
    PlayerRequest("Bruno", "#3E8FC4"),
    PlayerRequest("Chloé", "#8C6BC8"),
)


def headline(games: AppGames) -> str:
    return "" if games.page.view is None else games.page.view.card.headline


def tiles(games: AppGames) -> dict[tuple[int, int], str]:
    return {} if games.page.view is None else {(t.row, t.slot): t.code for t in games.page.view.tiles}


def click_place(games: AppGames, row: int, slot: int) -> None:
    where = games.page.pyramid.tile_rect(row, slot).center().toPoint()
    QTest.mouseClick(games.page.pyramid, Qt.MouseButton.LeftButton, pos=where)


def put(games: AppGames, wait_for: WaitFor, code: str, row: int, slot: int) -> None:
    """Pick a tile from the palette, and click a place."""
    QTest.mouseClick(games.page.tiles.button(code), Qt.MouseButton.LeftButton)
    wait_for(lambda: games.page.view.held == code)
    click_place(games, row, slot)
    wait_for(lambda: code in tiles(games).values())


def begin_clicked(games: AppGames, wait_for: WaitFor) -> None:
    games.begin(GameRequest(PLAYERS))
    wait_for(lambda: headline(games) == "Anna's turn")


def test_a_game_is_played_by_clicking_and_goes_on_later(games: AppGames, wait_for: WaitFor) -> None:
    begin_clicked(games, wait_for)
    page = games.page
    put(games, wait_for, "R40", 0, 0)
    put(games, wait_for, "B20", 0, 1)
    put(games, wait_for, "Y100", 1, 0)
    assert (headline(games), page.card.choices()[0].key) == ("Collapse", "Left")
    assert not page.tiles.button("R40").isEnabled()
    assert page.tiles.button("R40").toolTip() == "Red 40 is already on the table."
    QTest.keyClick(page, Qt.Key.Key_Left)
    wait_for(lambda: headline(games) == "Anna's turn")
    assert tiles(games) == {(0, 0): "Y100"}
    QTest.keyClick(page, Qt.Key.Key_U)
    wait_for(lambda: headline(games) == "Collapse")
    QTest.keyClick(page, Qt.Key.Key_U, Qt.KeyboardModifier.ShiftModifier)
    wait_for(lambda: headline(games) == "Anna's turn")
    before = page.view.players
    games._window.show_page(START)
    wait_for(lambda: bool(games._pages.start._games))
    (saved,) = games._pages.start._games
    assert saved.players == "Anna, Bruno, Chloé"
    games.resume(saved)
    wait_for(lambda: tiles(games) == {(0, 0): "Y100"})
    assert page.view.players == before


def test_a_tile_is_put_right_in_two_clicks_and_moved_by_dragging(games: AppGames, wait_for: WaitFor) -> None:
    begin_clicked(games, wait_for)
    page = games.page
    put(games, wait_for, "R40", 0, 0)
    put(games, wait_for, "B20", 0, 1)
    click_place(games, 0, 1)
    assert page.popup.isVisible()
    assert page.popup.likely_codes()[0] == "Y20"
    assert not page.popup.palette_of_tiles.button("R40").isEnabled()
    QTest.mouseClick(page.popup.likely_button(0), Qt.MouseButton.LeftButton)
    wait_for(lambda: tiles(games) == {(0, 0): "R40", (0, 1): "Y20"})
    start, end = (page.pyramid.tile_rect(0, slot).center().toPoint() for slot in (0, 1))
    QTest.mousePress(page.pyramid, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(page.pyramid, (start + end) / 2)
    QTest.mouseMove(page.pyramid, end)
    QTest.mouseRelease(page.pyramid, Qt.MouseButton.LeftButton, pos=end)
    wait_for(lambda: tiles(games) == {(0, 0): "Y20", (0, 1): "R40"})
    assert [player.stock for player in page.view.players] == [14, 14, 15]


class Shown(Source):
    """A picture of the sample game, until the test wants another."""

    name, is_live = "sample", True

    def __init__(self) -> None:
        self.at = 0
        self._closed = threading.Event()
        self._started = time.monotonic()

    def __iter__(self) -> Iterator[Frame]:
        number = 0
        while not self._closed.is_set():
            image = cv2.imread(str(FOLDER / f"{self.at:02d}.jpg"))
            yield Frame(image, self.now_s(), number)
            number += 1
            self._closed.wait(0.05)  # the pace of a slow camera

    def now_s(self) -> float:
        return time.monotonic() - self._started

    def close(self) -> None:
        self._closed.set()


def test_a_recorded_game_is_read_shown_looked_back_at_and_exported(
    games: AppGames, tmp_path: Path, wait_for: WaitFor
) -> None:
    """The first pictures of the sample game, through the real reader, on threads of their own."""
    source = Shown()
    games._pages.settings = Settings(keep_corrections=True)
    games.begin_sample(lambda: source)
    page = games.page
    for lying in range(1, 4):
        source.at = 2 * lying
        wait_for(lambda lying=lying: len(tiles(games)) == lying)
    assert headline(games) == "Anna's turn"
    assert {(turn.number, turn.player) for turn in page.view.turns} == {
        (1, "Anna"),
        (2, "Bruno"),
        (3, "Chloé"),
    }
    wait_for(lambda: {outline.code for outline in page.picture._outlines} == {"Y60", "B100", "Y30"})
    assert page.picture.shown_rect().width() > 300
    games.worker.do(Retile(0, 0, "Y100"))
    wait_for(lambda: tiles(games)[0, 0] == "Y100")
    (example,) = (user_data_folder() / "corrections").glob("*.json")
    known = read_ground_truth(example)
    assert str(known.layout) == "Y100 B100/Y30"
    assert cv2.imread(str(known.path)).shape[:2] == (540, 960)
    QTest.keyClick(page, Qt.Key.Key_U)
    wait_for(lambda: tiles(games)[0, 0] == "Y60")
    where = page.timeline.rect_of(0).center().toPoint()
    QTest.mouseClick(page.timeline.strip(), Qt.MouseButton.LeftButton, pos=where)
    wait_for(lambda: page.view.past is not None)
    assert list(tiles(games).values()) == ["B100"]
    assert page.picture._outlines == ()
    QTest.keyClick(page, Qt.Key.Key_Space)
    wait_for(lambda: page.view.past is None)
    target = tmp_path / "game.pdf"
    export(games._plan.store, games.worker.game, target)
    assert target.read_bytes().startswith(b"%PDF")


class Told(Source):
    """A source that gives what the test hands it, each item after the one before was taken."""

    name, is_live = "camera", True

    def __init__(self, items: list[object], games: AppGames) -> None:
        self._items, self._games, self._closed = items, games, threading.Event()

    def __iter__(self) -> Iterator[object]:
        for item in self._items:
            yield item
            while self._games.worker._frame is not None and not self._closed.wait(0.001):
                pass  # only the newest frame counts, and the test wants them all
        self._closed.wait()

    def now_s(self) -> float:
        return 0.0

    def close(self) -> None:
        self._closed.set()


GREY = np.full((90, 160, 3), 90, np.uint8)


def run(games: AppGames, items: list[object], open_reader: Callable[[], object]) -> None:
    settings = GameSettings(Setup(3), "camera", ("Anna", "Bruno", "Chloé"))
    games._run(GamePlan(games.store, settings, None, lambda: Told(items, games), open_reader))


def test_an_error_beside_the_window_is_told_with_details_and_the_game_goes_on(
    games: AppGames, wait_for: WaitFor
) -> None:
    class Failing:
        calls = 0

        def read(self, image: object) -> Reading:
            Failing.calls += 1
            if Failing.calls == 1:
                raise RuntimeError("the model fell over")
            return Reading((), EMPTY)

    told: list[tuple[str, str]] = []
    games._window.show_notice = lambda sentence, details="": told.append((sentence, details))
    frames = [Frame(GREY + step % 2, step / 10, step) for step in range(30)]
    run(games, frames, Failing)
    wait_for(lambda: bool(told))
    sentence, details = told[0]
    assert sentence.startswith("Something went wrong while following the game.")
    assert "RuntimeError: the model fell over" in details
    games.worker.do(LookBack(None))
    wait_for(lambda: headline(games) == "Anna's turn")


def test_every_turn_is_opened_and_escape_leads_back_to_the_game(games: AppGames, wait_for: WaitFor) -> None:
    begin_clicked(games, wait_for)
    page = games.page
    put(games, wait_for, "R40", 0, 0)
    put(games, wait_for, "B20", 0, 1)
    for at in (1, 0):  # the newest one as well
        where = page.timeline.rect_of(at).center().toPoint()
        QTest.mouseClick(page.timeline.strip(), Qt.MouseButton.LeftButton, pos=where)
        wait_for(lambda at=at: page.view.past is not None and page.view.past.at == at)
    QTest.keyClick(page, Qt.Key.Key_Escape)
    wait_for(lambda: page.view.past is None)
    assert games._window.page_name() == TABLE
    QTest.keyClick(page, Qt.Key.Key_Escape)
    wait_for(lambda: games._window.page_name() == START)


def press(page: TablePage, label: str) -> None:
    """Press the button of the card with this label."""
    next(button for button in page.card.buttons() if button.text() == label).click()


def test_a_call_is_challenged_and_another_tile_named(games: AppGames, wait_for: WaitFor) -> None:
    begin_clicked(games, wait_for)
    page = games.page
    put(games, wait_for, "R40", 0, 0)
    put(games, wait_for, "B20", 0, 1)
    games.worker.do(LookBack(1))
    wait_for(lambda: page.view.past is not None)
    click_place(games, 0, 1)
    assert not page.popup.isVisible()  # a past table is named anew only in a challenge
    press(page, "Challenge this call")
    wait_for(lambda: page.view.past.challenge is not None)
    click_place(games, 0, 1)
    wait_for(page.popup.isVisible)
    QTest.mouseClick(page.popup.palette_of_tiles.button("G10"), Qt.MouseButton.LeftButton)
    wait_for(lambda: tiles(games) == {(0, 0): "R40", (0, 1): "G10"})
    press(page, "The call was wrong")
    wait_for(lambda: page.view.past.challenge is None)
    page.go_back()
    wait_for(lambda: page.view.past is None)
    assert tiles(games) == {(0, 0): "R40", (0, 1): "G10"}


def test_a_click_on_a_player_puts_the_turn_and_the_stocks_right(games: AppGames, wait_for: WaitFor) -> None:
    begin_clicked(games, wait_for)
    put(games, wait_for, "R40", 0, 0)
    page = games.page
    assert headline(games) == "Bruno's turn"
    where = QPoint(page.players.width() - 20, page.players.height() // 2)
    QTest.mouseClick(page.players, Qt.MouseButton.LeftButton, pos=where)
    popup = page.players_popup
    wait_for(popup.isVisible)
    assert popup.turn(1).isChecked()
    popup.turn(2).click()
    popup.step(2, +1).click()
    assert not popup.apply.isEnabled()
    popup.step(1, -1).click()
    assert popup.apply.isEnabled()
    popup.apply.click()
    wait_for(lambda: headline(games) == "Chloé's turn")
    assert [player.stock for player in page.view.players] == [14, 14, 16]


def test_a_finished_game_is_opened_again(games: AppGames, wait_for: WaitFor) -> None:
    game = record_game(games.store)
    games.list_games()
    (saved,) = games._pages.start._games
    assert (saved.is_finished, saved.title) == (True, "evening.mp4")
    games.resume(saved)
    wait_for(lambda: headline(games) == "Béa wins!")
    assert games.page.trouble.sentence == ""
    assert not games.page.picture.isVisible()
    where = games.page.timeline.rect_of(2).center().toPoint()
    QTest.mouseClick(games.page.timeline.strip(), Qt.MouseButton.LeftButton, pos=where)
    wait_for(lambda: games.page.picture.isVisible())
    before = games.store.entries(game)
    games._window.show_page(START)
    wait_for(lambda: games.worker is None)
    assert games.store.entries(game) == before


def test_closing_the_window_stores_the_game(games: AppGames, user_folders: Path, wait_for: WaitFor) -> None:
    begin_clicked(games, wait_for)
    put(games, wait_for, "R40", 0, 0)
    games._window.close()
    games.close()
    with GameStore.open() as store:
        kinds = [entry.kind for entry in store.entries(1)]
    assert (kinds[0], kinds[-1]) == (EntryKind.CORRECTION, EntryKind.SAID)


def test_the_silent_voice_stays_silent_when_the_game_is_left_and_goes_on(
    games: AppGames, wait_for: WaitFor
) -> None:
    games.begin(GameRequest(PLAYERS, Variant.STRATEGY, Voice.SILENT))
    wait_for(lambda: headline(games) == "Anna's turn")
    for code, row, slot in (("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0)):
        put(games, wait_for, code, row, slot)
    card = games.page.view.card
    QTest.keyClick(games.page, Qt.Key.Key_Escape)
    wait_for(lambda: bool(games._pages.start._games))
    games.resume(games._pages.start._games[0])
    wait_for(lambda: len(tiles(games)) == 3)
    assert games.page.view.card == card
    QTest.keyClick(games.page, Qt.Key.Key_C)
    wait_for(lambda: headline(games) == "Collapse")


def test_both_ways_to_turn_a_window_keep_everything_in_it(games: AppGames, wait_for: WaitFor) -> None:
    begin_clicked(games, wait_for)
    for size in ((1024, 640), (800, 1280)):
        games._window.resize(*size)
        page = games.page

        def is_inside(part: QWidget, page: QWidget = page) -> bool:
            corner = part.mapTo(page, QPoint(part.width(), part.height()))
            return part.isVisible() and corner.x() <= page.width() and corner.y() <= page.height()

        parts = (page.card, page.pyramid, page.players, page.tiles, page.timeline)
        wait_for(lambda parts=parts: all(is_inside(part) for part in parts))


def test_the_tiles_of_a_game_get_a_name_and_new_games_are_played_with_them(
    games: AppGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only if a name is given; and only once they are kept."""
    wanted: list[object] = []
    chosen: list[str] = []
    games._pages.own_tiles.tiles_wanted.connect(chosen.append)

    class Worker:
        def do(self, act: object) -> None:
            wanted.append(act)

        def view_again(self) -> None:
            """Nothing is shown."""

        def stop(self) -> None:
            """Nothing runs."""

        def deleteLater(self) -> None:
            """Nothing is there."""

    games.worker = Worker()  # type: ignore[assignment]
    for given in (("mine", False), (" mine ", True)):
        monkeypatch.setattr(QInputDialog, "getText", lambda *_args, given=given: given)
        games.page.act(NameTiles())
    assert wanted == [KeepTiles("mine")]
    assert chosen == []
    card = CardView(Tone.CALM, "Anna wins!")
    for kept in ("", "mine", "mine"):
        games._on_view(GameView("", card, kept_tiles=kept))
    assert chosen == ["mine"]
    assert games._pages.settings.tiles == "mine"
