"""The pages that every start of the app has, and what connects them with the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTemporaryDir, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog

from referee.rules.options import Options
from ui.app.main_window import START, MainWindow
from ui.app.own_tiles_controller import AppReview
from ui.app.phones_controller import AppPhones
from ui.app.photo_controller import AppPhotos
from ui.app.shelf_controller import SHELF
from ui.pages.about_page import AboutPage
from ui.pages.choose_files import choose_photo_or_layout, choose_recording
from ui.pages.cube_page import CubePage
from ui.pages.new_game.new_game_page import NewGamePage
from ui.pages.photo.photo_page import PhotoPage
from ui.pages.rulebook.rules_page import RulesPage
from ui.pages.settings_page import SettingsPage
from ui.pages.start_page import StartPage
from ui.pages.tiles_page import TilesPage
from ui.platform.cameras import CameraList
from ui.platform.speech import has_voice
from ui.storage.paths import models_folder, own_names, shown_path, tile_sets_folder, user_data_folder
from ui.storage.preferences import CameraLocks, Settings, save_settings
from ui.text import pages as page_texts
from ui.text.catalogue import say
from ui.text.sentences import written_sentence
from ui.viewmodels.cube import CubeViewModel
from ui.viewmodels.requests import GameRequest, SourceKind, SourceRequest
from ui.workers.preview_worker import PreviewWorker
from vision.files import replacing

NEW_GAME, PHOTO, CUBE, TILES, SETTINGS = "new game", "photo", "cube", "tiles", "settings"
RULES, ABOUT = "rules", "about"
SHEETS_NAME = "pyramid-referee-tiles-a4.pdf"


class AppPages(QObject):
    """Makes the pages, puts them into the window, and answers what they want."""

    photo_wanted = Signal(Path)
    """A photo is to be read. The page already says so."""
    sample_wanted = Signal()
    resume_wanted = Signal(object)
    """A `SavedGame`."""
    settings_changed = Signal(object)
    """All `Settings` after a change. The window already uses them."""

    def __init__(
        self,
        window: MainWindow,
        settings: Settings,
        samples: Sequence[Path] = (),
        start: StartPage | None = None,
    ) -> None:
        """Make the pages.

        Args:
            window: Of the app.
            settings: As they were stored.
            samples: Photos that the page of photos offers.
            start: The first page, if the window shows it already.
        """
        super().__init__(window)
        self.window, self.settings = window, settings
        self.start, self.new_game = start or StartPage(), NewGamePage()
        self.photo, self.cube = PhotoPage(samples), CubePage(CubeViewModel(), user_data_folder() / "cube")
        self.tiles, self.settings_page = TilesPage(), SettingsPage()
        self.rules, self.about = RulesPage(), AboutPage()
        if start is None:
            window.add_page(START, self.start)
        for name, page in (
            (NEW_GAME, self.new_game), (PHOTO, self.photo), (CUBE, self.cube),
            (TILES, self.tiles), (SETTINGS, self.settings_page),
            (RULES, self.rules), (ABOUT, self.about),
        ):  # fmt: skip
            window.add_page(name, page)
        self.own_tiles = AppReview(window, self.tiles, lambda: self.settings.tiles)
        self.cameras = CameraList(self)
        self.phones = AppPhones(window)
        self._preview = PreviewWorker(self, self.phones.hub.pictures)
        self._pasted = QTemporaryDir()
        """Where pasted pictures lie while the app runs."""
        self.photos = AppPhotos(window, self.photo, Path(self._pasted.path()))
        self.photos.photo_wanted.connect(self.photo_wanted)
        self._connect()
        self._fill_in(settings)

    def look_for_cameras(self) -> None:
        """Look for cameras from now on. Show the window first, as this takes time."""
        self.cameras.changed.connect(self._on_cameras)
        self.cameras.start()
        self._on_cameras(self.cameras.cameras())

    def stop(self) -> None:
        """End what runs beside the window."""
        self._preview.show(None)
        self.phones.close()
        self.own_tiles.stop()

    def _connect(self) -> None:
        window, start = self.window, self.start
        start.new_game_wanted.connect(lambda: window.show_page(NEW_GAME))
        start.sample_wanted.connect(self.sample_wanted)
        start.resume_wanted.connect(self.resume_wanted)
        start.shelf_wanted.connect(lambda: window.show_page(SHELF))
        start.recording_wanted.connect(self._on_recording_wanted)
        start.photo_wanted.connect(self._on_photo_wanted)
        start.cube_wanted.connect(lambda: window.show_page(CUBE))
        start.tiles_wanted.connect(lambda: window.show_page(TILES))
        start.settings_wanted.connect(lambda: window.show_page(SETTINGS))
        start.rules_wanted.connect(lambda: self.show_rules(self.settings.options))
        window.photos_dropped.connect(self.show_photos)
        for page in (start, self.photo):
            QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), page).activated.connect(self._on_paste)
        window.recording_dropped.connect(self.show_recording)
        window.page_changed.connect(self._on_page)
        self.photo.rules_wanted.connect(lambda: self.show_rules(self.photo.model.options))
        self.new_game.game_wanted.connect(window.game_wanted)
        self.new_game.game_wanted.connect(self._on_game)
        window.closing.connect(self._on_closing)
        self.new_game.preview_wanted.connect(self._on_preview)
        self._preview.said.connect(self.phones.hub.advise)
        self.new_game.source.locks_wanted.connect(self._on_locks)
        self._preview.pictured.connect(self.new_game.source.preview.show_picture)
        self._preview.said.connect(self.new_game.source.preview.show_sentences)
        self.settings_page.changed.connect(self._on_settings)
        self.settings_page.add_tool(page_texts.ABOUT, lambda: window.visit_page(ABOUT))
        self.about.copied.connect(window.show_news)
        self.cube.not_saved.connect(window.show_notice)
        self.tiles.sheets_wanted.connect(self._on_sheets)
        self.own_tiles.tiles_wanted.connect(self._on_tiles)

    def _fill_in(self, settings: Settings) -> None:
        """Fill in what was chosen the last time."""
        self.settings_page.show_settings(settings)
        self.new_game.source.show_locks(settings.locks)
        self.new_game.players.show_players(settings.names, settings.colours)
        self.new_game.rules.show_rules(settings.variant, settings.voice, settings.options)

    def show_photo(self, photo: Path) -> None:
        """Go to the page of photos, and have this one read."""
        self.window.show_page(PHOTO)
        self.photo.want(photo)

    def show_photos(self, photos: Sequence[Path]) -> None:
        """Go to the page of photos, with several to look at one after the other."""
        self.window.show_page(PHOTO)
        self.photo.want_all(photos)

    def show_recording(self, recording: Path) -> None:
        """Go to the page of new games, with this recording to look at."""
        self.window.show_page(NEW_GAME)
        self.new_game.show_recording(recording)

    def show_rules(self, options: Options) -> None:
        """Look at the rules of a game with these options; the page before waits."""
        self.rules.show_options(options)
        self.window.visit_page(RULES)

    def _on_paste(self) -> None:
        """Judge what is on the clipboard: files, or a picture."""
        content = QGuiApplication.clipboard().mimeData()
        urls = content.urls() if content is not None else []
        photos = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        image = QGuiApplication.clipboard().image()
        if not photos and not image.isNull():
            name = Path(self._pasted.path()) / f"{say(page_texts.PASTED)}.png"
            photos = [name] if image.save(str(name)) else []
        if photos:
            self.show_photos(photos)
        else:
            self.window.show_notice(say(page_texts.NOTHING_PASTED))

    def _on_cameras(self, cameras: tuple[object, ...]) -> None:
        self.start.show_cameras(has_camera=bool(cameras))
        self.new_game.show_cameras(cameras)  # type: ignore[arg-type]

    def _on_preview(self, source: SourceRequest | None) -> None:
        """Show the picture of a source; phones are served while one of them is chosen."""
        if source is not None and source.kind is SourceKind.PHONE:
            self.new_game.source.code.show_addresses(self.phones.open())
        elif not self.phones.has_game:
            self.phones.close()
        self._preview.show(source)

    def _on_recording_wanted(self) -> None:
        if (recording := choose_recording(self.window)) is not None:
            self.show_recording(recording)

    def _on_photo_wanted(self) -> None:
        if (photo := choose_photo_or_layout(self.window)) is not None:
            self.show_photo(photo)

    def _on_page(self, name: str) -> None:
        """Bring up to date what a page shows of the player's folder, or of this computer."""
        if name in (NEW_GAME, TILES):
            names = own_names(tile_sets_folder(), "*.json")
            self.new_game.show_tile_sets(names, self.settings.tiles)
            self.tiles.show_tile_sets(names, self.settings.tiles)
            self.own_tiles.list_data_sets()
        elif name == PHOTO:
            self.photo.judge_by(self.settings.options)
        elif name == SETTINGS:
            self.settings_page.show_speech(has_voice=has_voice())
            self.settings_page.show_readers(own_names(models_folder(), "*/"))

    def _on_tiles(self, name: str) -> None:
        """Play new games with this tile set from now on."""
        settings = replace(self.settings, tiles=name)
        self.settings_page.show_settings(settings)
        self._on_settings(settings)
        self._on_page(TILES)

    def _on_locks(self, camera: str, locks: CameraLocks) -> None:
        settings = replace(self.settings, locks={**self.settings.locks, camera: locks})
        self.settings_page.show_settings(settings)
        self.new_game.source.show_locks(settings.locks)
        self._on_settings(settings)

    def _on_game(self, request: GameRequest) -> None:
        """Remember who plays by which rules, for the next game."""
        names, colours = self.new_game.players.typed()
        self._on_settings(
            replace(
                self.settings, names=names, colours=colours, variant=request.variant,
                voice=request.voice, options=request.options,
            )
        )  # fmt: skip
        self.settings_page.show_settings(self.settings)

    def _on_closing(self) -> None:
        """Remember the size of the window."""
        size = self.window.normalGeometry().size() if self.window.isFullScreen() else self.window.size()
        settings = replace(self.settings, window=(size.width(), size.height()))
        if settings != self.settings:
            self._on_settings(settings)

    def _on_settings(self, settings: Settings) -> None:
        self.settings = settings
        self.window.apply_settings(settings)
        self.settings_changed.emit(settings)
        try:
            save_settings(settings)
        except OSError as error:
            reason = error.strerror or str(error)
            self.window.show_notice(say(page_texts.NOT_SAVED, name=page_texts.SETTINGS, reason=reason))

    def _on_sheets(self) -> None:
        from ui.artwork.print_sheets import sheets_pdf

        chosen, _ = QFileDialog.getSaveFileName(
            self.window, say(page_texts.PRINT_BUTTON), SHEETS_NAME, "PDF (*.pdf)"
        )
        if not chosen:
            return
        target = Path(chosen)
        try:
            with replacing(target) as beside:
                beside.write_bytes(sheets_pdf("a4"))
        except OSError as error:
            reason = error.strerror or str(error)
            self.window.show_notice(say(page_texts.NOT_SAVED, name=target.name, reason=reason))
        else:
            self.window.show_news(written_sentence(shown_path(target)))
