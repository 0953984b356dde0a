"""The games of the app: begins and resumes them, and connects each with the table page."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtWidgets import QFileDialog, QInputDialog

from referee.rules.game import Setup
from ui.app.aloud import Aloud
from ui.app.camera_menu import CameraMenu
from ui.app.game_sources import GameSources, address_in, open_reader, stored_name
from ui.app.main_window import START, MainWindow
from ui.app.navigation import NEW_GAME, SETTINGS
from ui.app.sample_table import SampleTable
from ui.app.shelf_controller import AppShelf
from ui.errors import TOLD
from ui.pages.games.ending_page import EndingPage
from ui.pages.table.table_page import TablePage
from ui.platform.qimages import save_image
from ui.services.game_copy import copy_until
from ui.services.sample_source import PLAYERS, SampleGame
from ui.storage.correction_examples import FOLDER_NAME
from ui.storage.game_entries import GameSummary
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.storage.paths import shown_path, user_data_folder
from ui.text import pages as page_texts
from ui.text import table as texts
from ui.text.catalogue import say
from ui.text.errors import error_sentence
from ui.text.rulebook import ending as ending_texts
from ui.text.sentences import set_aside_sentence, written_sentence
from ui.viewmodels.game_view import GameView, KeepTiles
from ui.viewmodels.games.shelf import shelf_row
from ui.viewmodels.requests import (
    PLAYER_COLOURS,
    GameRequest,
    SavedGame,
    SourceKind,
    SourceRequest,
)
from ui.workers.game_worker import GamePlan, GameWorker

if TYPE_CHECKING:
    from ui.app.navigation import AppPages
    from vision.sources.frame import Source

_LOG = logging.getLogger(__name__)

TABLE, ENDING = "table", "ending"
STRIP_TITLE = "Pyramid Referee"


class AppGames(QObject):
    """Holds the store, and at most one game at a time."""

    def __init__(self, window: MainWindow, pages: AppPages) -> None:
        super().__init__(window)
        self._window, self._pages = window, pages
        self.page = TablePage()
        window.add_page(TABLE, self.page)
        self.worker: GameWorker | None = None
        self._store: GameStore | None = None
        self._sources, self._sample = GameSources(pages), SampleTable(self.page.tour)
        self._plan: GamePlan | None = None
        """Of the game that is played."""
        self._source: SourceRequest | None = None
        self._aloud = Aloud(self)
        self._kept_tiles = ""
        window.game_wanted.connect(self.begin)
        window.closing.connect(self.leave)
        window.page_changed.connect(self._on_page)
        pages.resume_wanted.connect(self.resume)
        self.shelf = AppShelf(window, lambda: self.store, self.resume)
        pages.settings_changed.connect(lambda _settings: self.worker and self.worker.view_again())
        self.page.act_wanted.connect(lambda act: self.worker and self.worker.do(act))
        self.page.export_wanted.connect(self._on_export)
        self.page.retry_wanted.connect(lambda: self._go_on_with(self._source))
        self._camera_menu = CameraMenu(self.page)
        self._camera_menu.chosen.connect(self._go_on_with)
        self.page.other_camera_wanted.connect(self._on_other_camera)
        self.page.clicking_wanted.connect(lambda: self._go_on_with(None))
        self.page.name_wanted.connect(self._on_name_tiles)
        self.page.refused.connect(window.show_news)
        self.page.rules_wanted.connect(self._show_rules)
        self.page.play_on_wanted.connect(self._play_on)
        self.page.tour.own_wanted.connect(lambda: window.show_page(NEW_GAME))
        self.ending = EndingPage()
        window.add_page(ENDING, self.ending)
        self.page.ending_wanted.connect(lambda: window.visit_page(ENDING))
        self.page.round_wanted.connect(self._another_round)
        self.ending.round_wanted.connect(self._another_round)
        self.ending.share_wanted.connect(self._on_share)
        self.page.settings_wanted.connect(lambda: window.visit_page(SETTINGS))
        self.page.phones_wanted.connect(self._on_phones)

    @property
    def store(self) -> GameStore:
        """The recorded games.

        Raises:
            StorageError: They cannot be opened.
        """
        if self._store is None:
            self._store = GameStore.open()
            if self._store.aside:
                _LOG.warning("A damaged data base was set aside as %s", self._store.aside)
                names = (shown_path(path) for path in (self._store.path, self._store.aside))
                self._window.show_notice(set_aside_sentence(*names))
        return self._store

    def begin(self, request: GameRequest) -> None:
        """Begin a game."""
        setup = Setup(len(request.players), request.variant, request.voice, request.options)
        source = request.source
        settings = GameSettings(
            setup,
            source="" if source is None else stored_name(source),
            address=address_in(source),
            names=tuple(player.name for player in request.players),
            tiles=request.tiles or "",
            colours=tuple(player.colour for player in request.players),
        )
        try:
            self._run(self._sources.with_source(GamePlan(self.store, settings), source), source)
        except TOLD as error:
            self._window.show_notice(error_sentence(error))

    def begin_sample(self, open_source: Callable[[], Source] = SampleGame) -> None:
        """Play the shipped sample game; it is kept only while it is looked at."""
        self.leave()
        names = texts.DEMO_PLAYERS[:PLAYERS]
        title, colours = say(texts.SAMPLE_GAME), PLAYER_COLOURS[:PLAYERS]
        settings = GameSettings(Setup(PLAYERS), title, names, colours=colours)
        try:
            store, source = self._sample.begin(open_source)
            reader = partial(open_reader, None)
            self._run(GamePlan(store, settings, None, lambda: source, reader, waits=True))
            self.page.tour.begin()
        except TOLD as error:
            self._window.show_notice(error_sentence(error))

    def resume(self, saved: SavedGame) -> None:
        """Go on with a stored game, with the camera that it had if that is plugged in."""
        try:
            number = int(saved.path.name)
            self.store.follow(number)  # before a camera is opened that somebody else needs
            settings = self.store.settings(number)
            source = None if saved.is_finished else self._sources.stored(settings.address or settings.source)
            plan = GamePlan(self.store, settings, number, by_clicking=saved.is_finished)
            self._run(self._sources.with_source(plan, source), source)
        except TOLD as error:
            self._window.show_notice(error_sentence(error))

    def take_in(self, file: Path) -> None:
        """Store the game of an exported file as one of ours, and open it."""
        from ui.storage.game_export import import_game

        try:
            number, problem = import_game(self.store, file)
            taken_in = next(game for game in self.store.games() if game.id == number)
        except TOLD as error:
            self._window.show_notice(error_sentence(error))
        except OSError as error:
            reason = error.strerror or str(error)
            self._window.show_notice(say(page_texts.NOT_OPENED, name=file.name, reason=reason))
        else:
            self.resume(_saved(taken_in))
            if problem is not None:
                self._window.show_notice(error_sentence(problem))

    def leave(self) -> None:
        """Store and end the game that is played, if there is one."""
        self._stop_worker()
        self._pages.phones.close()
        self.page.clear()
        self._sample.end()

    def close(self) -> None:
        """Stop everything, before the app ends."""
        self.leave()
        if self._store is not None:
            self._store.close()
            self._store = None

    def list_games(self) -> None:
        """Offer the stored games: those that can go on, and those to look at again."""
        try:
            found = self.store.games()
        except TOLD as error:
            self._window.show_notice(error_sentence(error))
            return
        self._pages.start.show_games([_saved(game) for game in found])

    def _go_on_with(self, source: SourceRequest | None) -> None:
        """Go on with the game that is played, with this source; None: by clicking."""
        if self._plan is None or self.worker is None or self.worker.game is None:
            return
        plan = self._plan
        game = GamePlan(plan.store, plan.settings, self.worker.game, by_clicking=source is None)
        try:
            self._run(self._sources.with_source(game, source), source or self._source)
        except TOLD as error:
            self._window.show_notice(error_sentence(error))

    def _on_other_camera(self, at: QPoint) -> None:
        """Offer the cameras that are there, at a point of the screen; the sample has its own pictures."""
        if self._sample.store is None:
            self._camera_menu.offer(self._sources.offered(), at)

    def _run(self, plan: GamePlan, source: SourceRequest | None = None) -> None:
        """Follow a game in place of the one before; `source` is what is tried again when it is lost."""
        if self.worker is not None:
            self._stop_worker()
        # The sample game is not kept anyway, and its turns shall be seen.
        keeps = self._pages.settings.keep_pictures or plan.store is self._sample.store
        phones = self._pages.phones
        examples = user_data_folder() / FOLDER_NAME if self._pages.settings.keep_corrections else None
        plan = replace(plan, examples=examples, keeps_pictures=keeps, audience=phones.hub)
        worker = self.worker = GameWorker(plan)
        self._plan, self._source = plan, source
        self.page.clear()
        self._aloud.begin()
        page = self.page
        worker.viewed.connect(self._on_view)
        worker.pictured.connect(self._on_picture)
        worker.outlined.connect(page.show_outlines)
        worker.lost.connect(page.show_lost)
        worker.ended.connect(page.show_end)
        worker.refused.connect(self._window.show_notice)
        worker.failed.connect(self._window.show_notice)
        phones.show_game(worker)
        if source is not None and source.kind is SourceKind.PHONE and not phones.is_open:
            phones.show_code()
        worker.start()
        self._window.show_page(TABLE)

    def _stop_worker(self) -> None:
        worker, self.worker = self.worker, None
        if worker is not None:
            worker.stop()
            worker.deleteLater()

    def _on_view(self, view: GameView) -> None:
        if self.sender() is not self.worker and self.sender() is not None:
            return
        self.page.show_view(view)
        if view.ending is not None:
            self.ending.show_ending(view.ending)
        if view.kept_tiles and view.kept_tiles != self._kept_tiles:
            self._pages.own_tiles.tiles_wanted.emit(view.kept_tiles)
        self._kept_tiles = view.kept_tiles
        self._aloud.tell(view.card, self._pages.settings)

    def _on_picture(self) -> None:
        image = self.worker.take_picture() if self.worker is not None else None
        if image is not None:
            self.page.show_picture(image)

    def _on_page(self, name: str) -> None:
        if name == START:
            self.leave()
            QTimer.singleShot(0, self.list_games)

    def _another_round(self) -> None:
        """Begin a game with the same players and camera; the rounds that each has won are counted.

        A recording is over with its game: the next round is played by clicking.
        """
        ending = self.ending.view
        if self._plan is None or ending is None:
            return
        wins = tuple(rank.wins for rank in sorted(ending.ranks, key=lambda rank: rank.player))
        settings = replace(self._plan.settings, wins=wins)
        source = None if self._plan.by_clicking else self._source
        is_recording = source is not None and source.kind is SourceKind.RECORDING
        source = None if is_recording else source
        if source is None:
            settings = replace(settings, source="", address="")
        try:
            self._run(self._sources.with_source(GamePlan(self._plan.store, settings), source), source)
        except TOLD as error:
            self._window.show_notice(error_sentence(error))
        else:
            if is_recording:
                self._window.show_news(say(ending_texts.ROUND_BY_CLICKING))

    def _on_share(self) -> None:
        """Save the result as a picture."""
        chosen, _kind = QFileDialog.getSaveFileName(
            self.ending, say(ending_texts.SHARE), "result.png", say(ending_texts.SHARE_KINDS)
        )
        if not chosen:
            return
        self._save(Path(chosen).with_suffix(".png"), partial(save_image, self.ending.picture()))

    def _save(self, target: Path, write: Callable[[Path], object]) -> None:
        """Write a file, and tell that it is written, or why not."""
        try:
            write(target)
        except TOLD as error:
            self._window.show_notice(error_sentence(error))
        except OSError as error:
            reason = error.strerror or str(error)
            self._window.show_notice(say(page_texts.NOT_SAVED, name=target.name, reason=reason))
        else:
            self._window.show_news(written_sentence(shown_path(target)))

    def _play_on(self, last_input: int) -> None:
        """Begin a new game by clicking that is as the one shown was after an input."""
        if self._plan is None or self.worker is None or self.worker.game is None:
            return
        store = self._plan.store
        try:
            number = copy_until(store, self.worker.game, last_input)
            self._run(GamePlan(store, store.settings(number), number, by_clicking=True))
        except TOLD as error:
            self._window.show_notice(error_sentence(error))

    def _show_rules(self) -> None:
        """Show the rules of the game that is played."""
        if self._plan is not None:
            self._pages.show_rules(self._plan.settings.setup.options)

    def _on_phones(self) -> None:
        """Show what phones scan, and begin to serve them."""
        self._pages.phones.show_code()
        if self.worker is not None:
            self.worker.view_again()

    def _on_name_tiles(self) -> None:
        """Ask for a name, and keep the tiles under it; new games are then played with them."""
        name, is_given = QInputDialog.getText(self.page, say(texts.KEEP_TILES), say(texts.TILES_NAME))
        if is_given and self.worker is not None:
            self.worker.do(KeepTiles(name.strip()))

    def _on_export(self) -> None:
        worker = self.worker
        if worker is None or worker.game is None or self._plan is None:
            return
        chosen, kind = QFileDialog.getSaveFileName(
            self.page, say(texts.EXPORT), "game.pdf", say(texts.EXPORT_KINDS)
        )
        if not chosen:
            return
        target = Path(chosen)
        if not target.suffix:
            target = target.with_suffix(".jsonl" if "jsonl" in kind else ".pdf")
        self._save(target, partial(export, self._plan.store, worker.game))


def export(store: GameStore, game: int, target: Path) -> None:
    """Write a game: as lines that can be taken in again, or as a strip of pictures (.pdf, .png).

    Raises:
        StorageError: The game cannot be read.
        OSError: The file cannot be written.
    """
    from ui.artwork.game_strip import STRIPS
    from ui.artwork.strip_file import write_strip
    from ui.storage.game_export import export_game

    if target.suffix.lower() in STRIPS:
        write_strip(store, game, STRIP_TITLE, target)
    else:
        export_game(store, game, target, with_pictures=True)


def _saved(game: GameSummary) -> SavedGame:
    row = shelf_row(game)
    return SavedGame(Path(str(game.id)), row.title, row.date, row.players, row.is_finished)
