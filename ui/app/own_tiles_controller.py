"""Own tiles in the app: from photos to a data set, its review, and the tile set that is learned from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog

from ui.pages.choose_files import choose_data_set, choose_photos
from ui.pages.export_dialog import ExportDialog
from ui.pages.review_page import ReviewPage
from ui.pages.tiles_page import TilesPage
from ui.services.own_tiles import (
    LearnedTiles,
    capture_photos,
    export_data_set,
    learn_tiles,
    name_for,
    new_data_set_folder,
    open_playable,
)
from ui.storage.paths import data_sets_folder
from ui.text.errors import error_sentence
from ui.workers.task import Run, Task
from vision.imaging.picture_names import is_picture_name

if TYPE_CHECKING:
    from ui.app.main_window import MainWindow
    from vision.dataset.review import Review

REVIEW, TILES = "review", "tiles"


class AppReview(QObject):
    """Connects the page of own tiles with the review, and does the work of both beside the window."""

    tiles_wanted = Signal(str)
    """The tile set for new games; empty for the tiles of the box."""

    def __init__(self, window: MainWindow, tiles_page: TilesPage, chosen_tiles: Callable[[], str]) -> None:
        """Make the page of the review, and put it into the window.

        Args:
            window: The window.
            tiles_page: The page of own tiles.
            chosen_tiles: Returns the tile set of new games.
        """
        super().__init__(window)
        self._window, self._tiles, self._chosen_tiles = window, tiles_page, chosen_tiles
        self.page = ReviewPage()
        window.add_page(REVIEW, self.page)
        self._capture, self._other = Task("capture", self), Task("own tiles", self)
        self._on_done: Callable[[object], None] = lambda _result: None
        self._connect()

    def stop(self) -> None:
        """End what runs beside the window."""
        self._capture.stop()
        self._other.stop()
        self.page.grid.loader.stop()

    def list_data_sets(self) -> None:
        """List the data sets that the app captured."""
        folders = [folder for folder in data_sets_folder().glob("*") if folder.is_dir()]
        self._tiles.show_data_sets(sorted(folders, key=lambda folder: folder.stat().st_mtime, reverse=True))

    def capture(self, photos: Sequence[Path], folder: Path | None = None) -> None:
        """Put photos into a data set and review it. Without a folder, begin a new data set."""
        if not photos:
            return
        folder = folder or new_data_set_folder(data_sets_folder())
        self._window.show_page(TILES)
        self._tiles.show_capturing(0, len(photos))
        self._capture.stop()
        work = partial(capture_photos, tuple(photos), folder, self._chosen_tiles())
        self._capture.start(with_progress(work))

    def open_folder(self, folder: Path) -> None:
        """Review the data set in a folder; a folder of bare photos is captured first."""
        photos = _photos_in(folder)
        if photos and not any(photo.with_suffix(".json").exists() for photo in photos):
            self.capture(photos)
            return
        self._start(partial(_open, folder), self._show)

    def _connect(self) -> None:
        tiles, page = self._tiles, self.page
        tiles.photos_wanted.connect(lambda: self.capture(choose_photos(self._window)))
        tiles.folder_wanted.connect(self._on_folder_wanted)
        tiles.dropped.connect(self._on_dropped)
        tiles.data_set_wanted.connect(self.open_folder)
        tiles.stop_wanted.connect(self._on_stop)
        tiles.tiles_wanted.connect(self._on_tiles_wanted)
        self._capture.told.connect(lambda counts: tiles.show_capturing(*counts))
        self._capture.done.connect(self._on_captured)
        self._capture.failed.connect(self._on_not_captured)
        self._other.done.connect(lambda result: self._on_done(result))
        self._other.failed.connect(self._on_failed)
        page.said.connect(self._window.show_notice)
        page.learn_wanted.connect(self._on_learn)
        page.use_wanted.connect(self._on_use)
        page.export_wanted.connect(self._on_export)
        page.photos_wanted.connect(self._on_more_photos)

    def _start(self, work: Callable[..., object], on_done: Callable[[object], None]) -> None:
        self._on_done = on_done
        self._other.stop()
        self._other.start(with_progress(work))

    def _show(self, review: object) -> None:
        self.page.show_review(review)  # type: ignore[arg-type]  # `_open` and `capture_photos` return one
        assert self.page.review is not None
        self.page.learning.name_field.setText(name_for(self.page.review.folder))
        self._window.show_page(REVIEW)

    def _on_folder_wanted(self) -> None:
        if (folder := choose_data_set(self._window, data_sets_folder())) is not None:
            self.open_folder(folder)

    def _on_dropped(self, paths: list[Path]) -> None:
        if paths[0].is_dir():
            self.open_folder(paths[0])
        else:
            self.capture([path for path in paths if is_picture_name(path)])

    def _on_stop(self) -> None:
        self._capture.stop()
        self._tiles.show_capturing(0, 0)
        self.list_data_sets()

    def _on_captured(self, review: object) -> None:
        self._tiles.show_capturing(0, 0)
        self._show(review)

    def _on_not_captured(self, sentence: str, details: str) -> None:
        self._tiles.show_capturing(0, 0)
        self._window.show_notice(sentence, details)

    def _on_more_photos(self) -> None:
        review = self.page.review
        photos = choose_photos(self._window)
        if review is not None and photos:
            self.page.leave()
            self.capture(photos, review.folder)

    def _on_learn(self, name: str) -> None:
        review = self.page.review
        if review is not None and not self._other.is_busy:
            self.page.learning.begin()
            work = partial(learn_tiles, name, review.images(), review.copies(), review.progress())
            self._start(work, self._on_learned)

    def _on_learned(self, learned: object) -> None:
        assert isinstance(learned, LearnedTiles)
        self.page.learning.show_learned(learned.name if learned.is_of_the_game else "", learned.sentences)

    def _on_tiles_wanted(self, name: str) -> None:
        from vision.errors import VisionError

        try:
            open_playable(name or None)
        except VisionError as error:
            self._window.show_notice(error_sentence(error))
        else:
            self.tiles_wanted.emit(name)

    def _on_use(self, name: str) -> None:
        self.tiles_wanted.emit(name)
        self.page.learning.show_used(name)

    def _on_export(self) -> None:
        review = self.page.review
        if review is None:
            return
        self.page.leave()
        dialog = ExportDialog(self.page, review.folder.name)
        is_wanted = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        if is_wanted and dialog.request is not None:
            work = partial(export_data_set, review.folder, dialog.request)
            self._start(work, lambda sentence: self._window.show_notice(str(sentence)))

    def _on_failed(self, sentence: str, details: str) -> None:
        if self._window.page_name() == REVIEW:
            self.page.learning.show_learned("", [sentence])
        else:
            self._window.show_notice(sentence, details)


def with_progress(work: Callable[..., object]) -> Callable[[Run], object]:
    """Return work for a `Task` from a function whose last argument is told how much is done, of how much."""
    return lambda run: work(told=run.tell_progress)


def _open(folder: Path, told: Callable[[int, int], None]) -> Review:
    from vision.dataset.review import open_review

    return open_review(folder, told)


def _photos_in(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if is_picture_name(path))
    except OSError:
        return []
