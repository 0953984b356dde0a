"""The dialogs that ask for a file, and what kinds of files there are."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from ui.storage.layout_files import LAYOUT_SUFFIXES, is_layout_file
from ui.text import pages as page_texts
from ui.text import review as review_texts
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.text.photos import words as photo_words
from vision.imaging.picture_names import PICTURE_SUFFIXES

RECORDING_SUFFIXES = (".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm")
CUBE_SUFFIX = ".cube.jsonl"


def is_recording(path: Path) -> bool:
    """Return whether a file or folder that was dropped is a recording rather than a photo."""
    return path.suffix.lower() in RECORDING_SUFFIXES or path.is_dir()


def choose_photo_or_layout(parent: QWidget) -> Path | None:
    """Return the photo or the saved layout that somebody chose, if any."""
    kinds = _kinds(say(photo_words.PHOTOS_AND_LAYOUTS), (*PICTURE_SUFFIXES, *LAYOUT_SUFFIXES))
    return _path(QFileDialog.getOpenFileName(parent, say(photo_words.CHOOSE), filter=kinds)[0])


def choose_layout_to_save(parent: QWidget, begin: Path) -> Path | None:
    """Return where somebody wants a layout to be saved, if at all."""
    kinds = ";;".join(_kinds(say(photo_words.LAYOUTS), (suffix,)) for suffix in LAYOUT_SUFFIXES)
    chosen, kind = QFileDialog.getSaveFileName(parent, say(photo_words.SAVE), str(begin), kinds)
    target = _path(chosen)
    if target is None or is_layout_file(target):
        return target
    suffix = next((suffix for suffix in LAYOUT_SUFFIXES if f"*{suffix}" in kind), LAYOUT_SUFFIXES[0])
    return target.with_name(target.name + suffix)


def choose_photos(parent: QWidget) -> list[Path]:
    """Return the photos that somebody chose, if any."""
    kinds = _kinds(say(window_texts.PHOTOS), PICTURE_SUFFIXES)
    title = say(review_texts.CHOOSE_PHOTOS)
    return [Path(name) for name in QFileDialog.getOpenFileNames(parent, title, filter=kinds)[0]]


def choose_data_set(parent: QWidget, begin: Path) -> Path | None:
    """Return the folder of a data set that somebody chose, if any."""
    return _path(QFileDialog.getExistingDirectory(parent, say(review_texts.CHOOSE_FOLDER), str(begin)))


def choose_recording(parent: QWidget) -> Path | None:
    """Return the video that somebody chose, if any."""
    kinds = _kinds(say(page_texts.RECORDINGS), RECORDING_SUFFIXES)
    return _path(QFileDialog.getOpenFileName(parent, say(page_texts.CHOOSE_RECORDING), filter=kinds)[0])


def choose_cube_to_open(parent: QWidget) -> Path | None:
    """Return the saved cube game that somebody chose, if any."""
    kinds = _kinds(say(page_texts.CUBE_GAMES), (".jsonl",))
    return _path(QFileDialog.getOpenFileName(parent, say(page_texts.OPEN_CUBE_GAME), filter=kinds)[0])


def choose_cube_to_save(parent: QWidget, folder: Path) -> Path | None:
    """Return where somebody wants a cube game to be saved, if at all."""
    kinds = _kinds(say(page_texts.CUBE_GAMES), (".jsonl",))
    begin = str(folder / f"game{CUBE_SUFFIX}")
    return _path(QFileDialog.getSaveFileName(parent, say(page_texts.SAVE_CUBE_GAME), begin, filter=kinds)[0])


def _kinds(name: str, suffixes: tuple[str, ...]) -> str:
    return f"{name} ({' '.join(f'*{suffix} *{suffix.upper()}' for suffix in suffixes)})"


def _path(chosen: str) -> Path | None:
    return Path(chosen) if chosen else None
