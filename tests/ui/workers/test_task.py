"""The one way to work beside the window: what is told, errors, ends, and work that takes another's place."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.waiting import Hear
from ui.storage.log import log_path, start_logging
from ui.text.catalogue import choose_language
from ui.viewmodels.photo.known_table import KnownTable
from ui.viewmodels.photo.photo import PhotoTable
from ui.workers.photo_worker import PhotoWorker
from ui.workers.task import Run, Task
from vision.errors import ImageError

WAIT_S = 10.0


@pytest.fixture
def task(application: QApplication) -> Iterator[Task]:
    choose_language("en")
    made = Task("test")
    yield made
    assert made.stop()


def test_what_the_work_tells_and_returns_arrives_on_the_windows_thread(task: Task, hear: Hear) -> None:
    """In order, and the work itself has a thread of its own."""
    heard: list[object] = []
    task.told.connect(lambda what: heard.append((what, threading.current_thread().name)))

    def work(run: Run) -> str:
        run.tell(threading.current_thread().name)
        run.tell_progress(1, 2)
        return "result"

    assert hear(task.done, lambda: task.start(work)) == ("result",)
    window = threading.current_thread().name
    assert heard == [("test", window), ((1, 2), window)]
    assert not task.is_busy


def test_an_error_is_a_sentence_with_details(task: Task, hear: Hear) -> None:
    """One that was foreseen has its own; one that was not goes to the log."""
    start_logging()

    def foreseen(run: Run) -> None:
        raise ImageError("{name!r} is empty.", name="a.jpg")

    sentence, _details = hear(task.failed, lambda: task.start(foreseen))
    assert sentence == "'a.jpg' is empty."

    def unforeseen(run: Run) -> None:
        raise KeyError("quad")

    sentence, details = hear(task.failed, lambda: task.start(unforeseen))
    assert sentence == "Something went wrong inside the referee (KeyError: 'quad'). The game goes on."
    assert "in unforeseen" in str(details)
    assert "KeyError: 'quad'" in log_path().read_text()
    assert not task.is_busy


def test_work_that_is_cancelled_ends_at_its_next_word_which_nobody_hears(
    task: Task, application: QApplication
) -> None:
    begun, cancelled, ended = threading.Event(), threading.Event(), threading.Event()
    heard: list[object] = []
    for signal in (task.told, task.done, task.failed):
        signal.connect(lambda *what: heard.append(what))

    def work(run: Run) -> None:
        begun.set()
        assert cancelled.wait(WAIT_S)
        try:
            run.tell("late")
        finally:
            ended.set()

    task.start(work)
    assert begun.wait(WAIT_S)
    task.cancel()
    assert not task.is_busy
    cancelled.set()
    assert ended.wait(WAIT_S)
    assert task.stop()
    application.processEvents()
    assert heard == []


def test_new_work_takes_the_place_of_older_work(task: Task, hear: Hear) -> None:
    """What the older one told and nobody has heard yet is dropped."""
    heard: list[object] = []
    task.told.connect(heard.append)
    told, over = threading.Event(), threading.Event()

    def older(run: Run) -> None:
        run.tell("older")
        told.set()
        over.wait(WAIT_S)

    def newer(run: Run) -> None:
        run.tell("newer")

    task.start(older)
    assert told.wait(WAIT_S)
    task.start(newer)
    hear(task.done, lambda: None)
    over.set()
    assert heard == ["newer"]


def test_stopping_waits_no_longer_than_its_limit(task: Task) -> None:
    release = threading.Event()
    task.start(lambda run: release.wait(WAIT_S))
    assert task.stop(0.01) is False
    release.set()
    assert task.stop(WAIT_S) is True


def test_of_photos_only_the_newest_waits(application: QApplication, hear: Hear) -> None:
    """The one that is being read is read to its end; of those behind it, the last."""
    begun, go_on = threading.Event(), threading.Event()
    asked: list[str] = []

    def read(photo: Path) -> PhotoTable:
        asked.append(photo.name)
        begun.set()
        assert go_on.wait(WAIT_S)
        return PhotoTable(photo.name, KnownTable())

    worker = PhotoWorker(lambda: read)
    shown: list[str] = []
    worker.photo_read.connect(lambda table: shown.append(table.name))
    for name in ("first", "dropped", "last"):
        worker.ask(Path(name))
        assert begun.wait(WAIT_S)
    go_on.set()
    while len(shown) < 2:
        hear(worker.photo_read, lambda: None)
    assert asked == shown == ["first", "last"]
    assert worker.stop()


def test_an_error_while_reading_a_photo_that_nobody_foresaw_has_details(
    application: QApplication, hear: Hear
) -> None:
    def read(photo: Path) -> PhotoTable:
        raise ZeroDivisionError("no width")

    worker = PhotoWorker(lambda: read)
    sentence, details = hear(worker.broke, lambda: worker.ask(Path("a.jpg")))
    assert "ZeroDivisionError: no width" in str(sentence)
    assert "in read" in str(details)
    assert worker.stop()
