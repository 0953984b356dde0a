"""The games of the app: begins and resumes them, and connects each with the table page."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog

from referee.rules.game import Setup
from ui.app.main_window import START, MainWindow
from ui.errors import TOLD
from ui.pages.table_page import TablePage
from ui.platform.speech import Speaker
from ui.services.sample_source import PLAYERS, SampleGame
from ui.storage.correction_examples import FOLDER_NAME
from ui.storage.game_entries import GameSummary
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.storage.paths import user_data_folder
from ui.text import counts
from ui.text import table as texts
from ui.text.catalogue import say
from ui.text.dates import day_of
from ui.text.errors import error_sentence
from ui.text.sentences import set_aside_sentence, written_sentence
from ui.viewmodels.game_view import GameView, KeepTiles
from ui.viewmodels.requests import PLAYER_COLOURS, GameRequest, SavedGame, SourceKind, SourceRequest
from ui.viewmodels.table_view import Tone
from ui.workers.game_worker import GamePlan, GameWorker
from vision.files import replacing

if TYPE_CHECKING:
    from ui.app.navigation import AppPages
    from ui.storage.preferences import Settings
    from vision.recognition.reader import TileReader
    from vision.sources.frame import Source

_LOG = logging.getLogger(__name__)

TABLE = "table"
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
        self._demo_folder: tempfile.TemporaryDirectory[str] | None = None
        self._demo_store: GameStore | None = None
        self._game_store: GameStore | None = None
        self._speaker = Speaker(self)
        self._was_tone = Tone.CALM
        self._kept_tiles = ""
        window.game_wanted.connect(self.begin)
        window.closing.connect(self.leave)
        window.page_changed.connect(self._on_page)
        pages.resume_wanted.connect(self.resume)
        pages.settings_changed.connect(lambda _settings: self.worker and self.worker.view_again())
        self.page.act_wanted.connect(lambda act: self.worker and self.worker.do(act))
        self.page.export_wanted.connect(self._on_export)
        self.page.name_wanted.connect(self._on_name_tiles)

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
                self._window.show_notice(set_aside_sentence(str(self._store.path), str(self._store.aside)))
        return self._store

    def begin(self, request: GameRequest) -> None:
        """Begin a game."""
        setup = Setup(len(request.players), request.variant, request.voice, request.options)
        settings = GameSettings(
            setup,
            source="" if request.source is None else request.source.name or request.source.text,
            address=_address_in(request.source),
            names=tuple(player.name for player in request.players),
            tiles=request.tiles or "",
            colours=tuple(player.colour for player in request.players),
        )
        source = request.source
        open_source = None if source is None else partial(_open_source, source.text, source.holds)
        try:
            reader = partial(_open_reader, request.tiles)
            self._run(GamePlan(self.store, settings, None, open_source, reader))
        except TOLD as error:
            self._window.show_notice(error_sentence(error))

    def begin_sample(self, open_source: Callable[[], Source] = SampleGame) -> None:
        """Play the shipped sample game; it is kept only while it is looked at."""
        self.leave()
        self._demo_folder = tempfile.TemporaryDirectory(prefix="pyramid-referee-")
        names = texts.DEMO_PLAYERS[:PLAYERS]
        title, colours = say(texts.SAMPLE_GAME), PLAYER_COLOURS[:PLAYERS]
        settings = GameSettings(Setup(PLAYERS), title, names, colours=colours)
        try:
            self._demo_store = GameStore.open(Path(self._demo_folder.name) / "sample.sqlite3")
            reader = partial(_open_reader, None)
            self._run(GamePlan(self._demo_store, settings, None, open_source, reader))
        except TOLD as error:
            self._window.show_notice(error_sentence(error))

    def resume(self, saved: SavedGame) -> None:
        """Go on with a stored game, with the camera that it had if that is plugged in."""
        try:
            number = int(saved.path.name)
            self.store.follow(number)  # before a camera is opened that somebody else needs
            settings = self.store.settings(number)
            source, locks = settings.source, self._pages.settings.locks.get(settings.source)
            holds = () if locks is None else locks.holds
            open_source = (
                partial(_open_source, settings.address or self._address_of(source), holds) if source else None
            )
            reader = partial(_open_reader, settings.tiles or None)
            self._run(GamePlan(self.store, settings, number, open_source, reader))
        except TOLD as error:
            self._window.show_notice(error_sentence(error))

    def leave(self) -> None:
        """Store and end the game that is played, if there is one."""
        self._stop_worker()
        self.page.clear()
        if self._demo_store is not None:
            self._demo_store.close()
            self._demo_store = None
        if self._demo_folder is not None:
            self._demo_folder.cleanup()
            self._demo_folder = None

    def close(self) -> None:
        """Stop everything, before the app ends."""
        self.leave()
        if self._store is not None:
            self._store.close()
            self._store = None

    def list_games(self) -> None:
        """Offer the stored games that can go on."""
        try:
            found = self.store.unfinished()
        except TOLD as error:
            self._window.show_notice(error_sentence(error))
            return
        self._pages.start.show_games([_saved(game) for game in found])

    def _examples(self) -> Path | None:
        """Return the folder for corrections, where the player agreed to keep them."""
        return user_data_folder() / FOLDER_NAME if self._pages.settings.keep_corrections else None

    def _address_of(self, source: str) -> str:
        """Return what opens a stored source. A camera is found by name, as its device may have changed."""
        for camera in self._pages.cameras.cameras():
            if camera.name == source:
                return camera.source
        return source

    def _run(self, plan: GamePlan) -> None:
        """Follow a game in place of the one before."""
        if self.worker is not None:
            self._stop_worker()
        # The sample game is not kept anyway, and its turns shall be seen.
        keeps = self._pages.settings.keep_pictures or plan.store is self._demo_store
        worker = self.worker = GameWorker(replace(plan, examples=self._examples(), keeps_pictures=keeps))
        self._game_store = plan.store
        self.page.clear()
        self._was_tone = Tone.CALM
        page = self.page
        worker.viewed.connect(self._on_view)
        worker.pictured.connect(self._on_picture)
        worker.outlined.connect(page.show_outlines)
        worker.lost.connect(page.show_lost)
        worker.refused.connect(self._window.show_notice)
        worker.failed.connect(self._window.show_notice)
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
        if view.kept_tiles and view.kept_tiles != self._kept_tiles:
            self._pages.own_tiles.tiles_wanted.emit(view.kept_tiles)
        self._kept_tiles = view.kept_tiles
        tone, settings = view.card.tone, self._pages.settings
        if tone is not self._was_tone and tone is not Tone.CALM:
            self._announce(view, settings)
        self._was_tone = tone

    def _announce(self, view: GameView, settings: Settings) -> None:
        if settings.sound:
            QApplication.beep()
        if settings.speech:
            sentences = ". ".join([view.card.headline, *view.card.sentences, view.card.prompt])
            self._speaker.say(sentences, settings.language.code or QLocale.system().name())

    def _on_picture(self) -> None:
        image = self.worker.take_picture() if self.worker is not None else None
        if image is not None:
            self.page.show_picture(image)

    def _on_page(self, name: str) -> None:
        if name == START:
            self.leave()
            QTimer.singleShot(0, self.list_games)

    def _on_name_tiles(self) -> None:
        """Ask for a name, and keep the tiles under it; new games are then played with them."""
        name, is_given = QInputDialog.getText(self.page, say(texts.KEEP_TILES), say(texts.TILES_NAME))
        if is_given and self.worker is not None:
            self.worker.do(KeepTiles(name.strip()))

    def _on_export(self) -> None:
        view, worker = self.page.view, self.worker
        if view is None or worker is None or worker.game is None or self._game_store is None:
            return
        chosen, kind = QFileDialog.getSaveFileName(
            self.page, say(texts.EXPORT), "game.pdf", say(texts.EXPORT_KINDS)
        )
        if not chosen:
            return
        target = Path(chosen)
        if not target.suffix:
            target = target.with_suffix(".jsonl" if "jsonl" in kind else ".pdf")
        try:
            export(self._game_store, worker.game, view, target)
        except TOLD as error:
            self._window.show_notice(error_sentence(error))
        except OSError as error:
            self._window.show_notice(error.strerror or str(error))
        else:
            self._window.show_notice(written_sentence(str(target)))


def export(store: GameStore, game: int, view: GameView, target: Path) -> None:
    """Write a game: as lines that can be taken in again, or as a strip of pictures (.pdf, .png).

    Raises:
        StorageError: The game cannot be read.
        OSError: The file cannot be written.
    """
    from ui.artwork.game_strip import STRIPS, StripTurn
    from ui.storage.game_export import export_game

    make_strip = STRIPS.get(target.suffix.lower())
    if make_strip is None:
        export_game(store, game, target, with_pictures=True)
        return
    turns = [
        StripTurn(
            say(texts.LOOK_BACK_AT, turn=turn.number, player=turn.player),
            turn.sentences,
            turn.layout,
            None if turn.entry is None else store.picture(game, turn.entry),
        )
        for turn in view.turns
    ]
    with replacing(target) as beside:
        beside.write_bytes(make_strip(STRIP_TITLE, turns))


def _saved(game: GameSummary) -> SavedGame:
    names = ", ".join(game.names) or say(counts.PLAYERS, count=game.players)
    date = day_of(game.started)
    return SavedGame(Path(str(game.id)), game.source or say(texts.NO_CAMERA), date, names)


def _address_in(source: SourceRequest | None) -> str:
    """Return the address of a stream, with its secrets; empty for all else."""
    return source.text if source is not None and source.kind is SourceKind.ADDRESS else ""


def _open_source(text: str, holds: tuple[str, ...]) -> Source:
    from vision.sources.open_source import open_source

    return open_source(text, live=True, holds=holds)


def _open_reader(tiles: str | None) -> TileReader:
    from ui.storage.paths import open_tile_set
    from ui.storage.preferences import reader_folder
    from vision.recognition.reader import TileReader

    reader = TileReader.open(open_tile_set(tiles), reader_folder())
    reader.make_ready()
    return reader
