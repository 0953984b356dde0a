"""The picture of a source that is being chosen, from a thread of its own."""

from __future__ import annotations

import builtins
import shutil
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from tests.places import SAMPLES
from tests.ui.waiting import Hear, WaitFor
from ui.platform import speech
from ui.text.catalogue import choose_language
from ui.viewmodels.requests import SourceKind, SourceRequest
from ui.workers.preview_worker import PreviewWorker


def recording(path: Path) -> SourceRequest:
    return SourceRequest(SourceKind.RECORDING, str(path), path.name)


@pytest.fixture
def worker(application: QApplication) -> Iterator[PreviewWorker]:
    choose_language("en")
    made = PreviewWorker()
    yield made
    made.show(None)


def test_a_source_is_shown_and_measured(
    worker: PreviewWorker, tmp_path: Path, hear: Hear, wait_for: WaitFor
) -> None:
    shutil.copy(SAMPLES / "fire.jpg", tmp_path)
    said: list[object] = []
    worker.said.connect(said.append)
    (picture,) = hear(worker.pictured, lambda: worker.show(recording(tmp_path)))
    assert isinstance(picture, np.ndarray)
    assert picture.shape[1] == 960
    wait_for(lambda: bool(said))
    ((sentence,),) = said
    assert sentence.startswith("Light, sharpness and size are good. The tiles are 1")


def test_a_table_without_tiles_is_told_as_such(worker: PreviewWorker, tmp_path: Path, hear: Hear) -> None:
    """A place mat and a sheet of paper were "tiles, 125 pixels wide"."""
    table = np.full((480, 640, 3), (96, 128, 150), np.uint8)
    table[120:230, 200:310] = (60, 60, 160)
    table[260:370, 380:490] = (205, 205, 205)
    assert cv2.imwrite(str(tmp_path / "table.png"), table)
    ((sentence,),) = hear(worker.said, lambda: worker.show(recording(tmp_path)))
    assert sentence.startswith("There is no tile in the picture yet.")


def test_what_is_wrong_with_a_source_is_said(worker: PreviewWorker, tmp_path: Path, hear: Hear) -> None:
    (sentences,) = hear(worker.said, lambda: worker.show(recording(tmp_path / "none.mp4")))
    assert isinstance(sentences, tuple)
    assert "was not found" in sentences[0]


def test_nothing_more_comes_of_a_source_that_was_left(
    worker: PreviewWorker, application: QApplication, tmp_path: Path, hear: Hear
) -> None:
    shutil.copy(SAMPLES / "fire.jpg", tmp_path)
    hear(worker.pictured, lambda: worker.show(recording(tmp_path)))
    heard: list[object] = []
    worker.pictured.connect(heard.append)
    worker.said.connect(heard.append)
    worker.show(None)
    hear(worker.said, lambda: worker.show(recording(tmp_path / "none.mp4")))
    application.processEvents()
    assert len(heard) == 1


def test_without_its_library_there_is_no_voice_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def refuse(name: str, *arguments: object, **named: object) -> object:
        if name == "PySide6.QtTextToSpeech":
            raise ImportError("libpulse.so.0: cannot open shared object file")
        return found(name, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert speech.has_voice() is False
    speech.Speaker().say("Collapse.", "en")
