"""The page of photos in the app: what it wants is read, saved and shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from ui.app.main_window import MainWindow
from ui.pages.choose_files import choose_layout_to_save
from ui.pages.photo.photo_page import PhotoPage
from ui.platform.qimages import save_image
from ui.storage.layout_files import write_layout_file
from ui.storage.paths import shown_path
from ui.text import pages as page_texts
from ui.text.catalogue import say
from ui.text.photos import words
from ui.text.sentences import written_sentence


class AppPhotos(QObject):
    """Connects the page of photos with files and with the window."""

    photo_wanted = Signal(Path)
    """A photo is to be read. The page already says so."""

    def __init__(self, window: MainWindow, page: PhotoPage, folder: Path) -> None:
        """Connect the page.

        Args:
            window: Of the app.
            page: The page, which is in the window.
            folder: Where pasted pictures lie, which are gone when the app ends.
        """
        super().__init__(window)
        self._window, self._page, self._folder = window, page, folder
        page.photo_wanted.connect(self._on_wanted)
        page.save_wanted.connect(self._on_save)
        page.share_wanted.connect(self._on_share)
        page.refused.connect(window.show_notice)

    def _on_wanted(self, photo: Path) -> None:
        self._page.show_reading(photo.name)
        self.photo_wanted.emit(photo)

    def _on_save(self) -> None:
        saved = self._page.model.saved()
        if saved is None:
            return
        target = choose_layout_to_save(self._page, self._beside(".json"))
        if target is not None and self._write(target, lambda: write_layout_file(target, saved)):
            self._page.model.let_go()

    def _on_share(self) -> None:
        begin = self._beside("-verdict.png")
        chosen, _kind = QFileDialog.getSaveFileName(
            self._page, say(words.SHARE), str(begin), say(words.SHARE_KINDS)
        )
        if chosen:
            target = Path(chosen).with_suffix(".png")
            self._write(target, lambda: save_image(self._page.share_picture(), target))

    def _beside(self, ending: str) -> Path:
        """Return a name for a new file: beside the photo, unless that was pasted."""
        opened = self._page.model.opened
        name = f"{Path(opened.name or 'table').stem}{ending}"
        photo = opened.photo
        return Path(name) if photo is None or photo.parent == self._folder else photo.with_name(name)

    def _write(self, target: Path, write: Callable[[], None]) -> bool:
        """Write a file, and say so; return whether it was written."""
        try:
            write()
        except OSError as error:
            reason = error.strerror or str(error)
            self._window.show_notice(say(page_texts.NOT_SAVED, name=target.name, reason=reason))
            return False
        self._window.show_news(written_sentence(shown_path(target)))
        return True
