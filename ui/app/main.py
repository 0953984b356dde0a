"""The desktop app: makes the application and the window, and everything else once the window is seen."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ui.platform.qt_environment import clean_qt_environment

clean_qt_environment()

from PySide6.QtCore import QEvent, QObject, Qt, QTimer  # noqa: E402  only now is the environment fit for Qt
from PySide6.QtGui import QIcon  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from ui.app.main_window import START, MainWindow  # noqa: E402
from ui.app.single_window import OtherStarts, Start, hand_over  # noqa: E402
from ui.pages.start_page import StartPage  # noqa: E402
from ui.platform.garbage import GarbageKeptToOneThread  # noqa: E402
from ui.storage.log import details_of, start_logging  # noqa: E402
from ui.storage.preferences import Language, load_settings  # noqa: E402
from ui.text import pages as page_texts  # noqa: E402
from ui.text import window as window_texts  # noqa: E402
from ui.text.catalogue import choose_language, say  # noqa: E402
from ui.widgets.style import ICONS  # noqa: E402

if TYPE_CHECKING:
    from ui.app.game_controller import AppGames
    from ui.app.navigation import AppPages
    from ui.storage.preferences import Settings
    from ui.workers.photo_worker import PhotoWorker
    from vision.recognition.tile_set import TileSet

    Made = tuple[AppPages, AppGames, PhotoWorker]

_LOG = logging.getLogger(__name__)

EXIT_INTERRUPTED = 130
GAME_SUFFIX = ".jsonl"
"""Of games that were exported."""
AFTER_FIRST_FRAME_MS = 20
"""So long after the window was drawn, it is on the screen."""
SIGNAL_POLL_MS = 200
"""So long a Ctrl-C in the terminal waits for Python to get its turn, and so does garbage."""


def run_app(
    photos: Sequence[Path] = (),
    samples: Sequence[Path] = (),
    *,
    demo: bool = False,
    debug: bool = False,
    tile_set: TileSet | None = None,
    keep_language: bool = False,
) -> int:
    """Return the exit status of the app once its window is closed.

    Args:
        photos: A photo to begin with; the start page where left out.
        samples: Photos that the window offers one after the other.
        demo: Whether to begin with the sample game.
        debug: Whether an error that nobody foresaw is printed with its traceback.
        tile_set: The player's own tile set; the shipped reader's own tiles where left out.
        keep_language: Whether the language was named on the command line, which goes before the settings.
    """
    clean_qt_environment()
    start_logging()
    start = Start(photos[0] if photos else None, demo)
    if hand_over(start):
        print(say(window_texts.ALREADY_OPEN), file=sys.stderr)
        return 0
    application = _application()
    loaded = load_settings()
    if not keep_language and loaded.settings.language is not Language.SYSTEM:
        choose_language(loaded.settings.language.code)
    window, start_page = MainWindow(loaded.settings), StartPage()
    window.add_page(START, start_page)
    rest = _Rest(window, partial(_make_rest, window, start_page, loaded.settings, samples, tile_set))
    if loaded.is_damaged:
        window.show_notice(say(page_texts.SETTINGS_DAMAGED))
    with _hooked(application, window, debug=debug):
        return _show_until_closed(application, window, rest, start)


def _application() -> QApplication:
    """Return the application, with its name, icon and style."""
    application = QApplication.instance() or QApplication(["pyramid-referee"])
    assert isinstance(application, QApplication)
    application.setApplicationName("pyramid-referee")
    application.setApplicationDisplayName(say(window_texts.APP_NAME))
    application.setDesktopFileName("pyramid-referee")
    application.setWindowIcon(QIcon(str(ICONS / "pyramid-referee.svg")))
    application.setStyle("Fusion")
    return application


@contextmanager
def _hooked(application: QApplication, window: MainWindow, *, debug: bool) -> Iterator[None]:
    """Meanwhile errors are told in the window, Ctrl-C ends the app, and garbage is kept to this thread."""
    old_hook = sys.excepthook
    sys.excepthook = _exception_hook(window, debug=debug)
    old_handler = signal.signal(signal.SIGINT, lambda *_: application.exit(EXIT_INTERRUPTED))
    garbage = GarbageKeptToOneThread()
    let_python_run = QTimer()
    let_python_run.timeout.connect(garbage.collect)
    let_python_run.start(SIGNAL_POLL_MS)
    try:
        yield
    finally:
        garbage.give_back()
        sys.excepthook = old_hook
        signal.signal(signal.SIGINT, old_handler)


def _show_until_closed(application: QApplication, window: MainWindow, rest: _Rest, start: Start) -> int:
    """Show what the start was asked for, and later starts, until the window is closed; return the status."""
    window.show_page(START)
    if start.photo is not None or start.demo:
        _open(start, window, *rest.made())
    window.show()
    others = OtherStarts(window)
    others.asked.connect(lambda start: _on_other_start(start, window, *rest.made()))
    try:
        return application.exec()
    finally:
        others.close()
        rest.stop()


class _Rest(QObject):
    """All but the window and its first page: made once they are seen, as that takes longer than they do.

    What people do meanwhile waits in the window's queue.
    """

    def __init__(self, window: MainWindow, make: Callable[[], Made]) -> None:
        """Wait for the window's first frame; if it is closed before that, nothing is made any more."""
        super().__init__(window)
        self._make = make
        self._made: Made | None = None
        self._soon = QTimer(self, singleShot=True, interval=AFTER_FIRST_FRAME_MS)
        self._soon.timeout.connect(self.made)
        window.installEventFilter(self)
        window.closing.connect(self._soon.stop)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Have it made soon after the window is drawn for the first time."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._soon.start()
        return False

    def made(self) -> tuple[AppPages, AppGames]:
        """Return the pages and the games, which are made now if they were not."""
        if self._made is None:
            self._made = self._make()
        return self._made[:2]

    def stop(self) -> None:
        """End what was made."""
        if self._made is not None:
            pages, games, worker = self._made
            games.close()
            pages.stop()
            worker.stop()


def _make_rest(
    window: MainWindow,
    start_page: StartPage,
    settings: Settings,
    samples: Sequence[Path],
    tile_set: TileSet | None,
) -> Made:
    """Return the other pages, the games, and what reads photos."""
    from ui.app.game_controller import AppGames
    from ui.app.navigation import AppPages
    from ui.viewmodels.photo.read_photos import prepare_photo_job
    from ui.workers.photo_worker import PhotoWorker

    pages = AppPages(window, settings, samples, start_page)
    worker = PhotoWorker(partial(prepare_photo_job, tile_set))
    pages.photo_wanted.connect(worker.ask)
    games = AppGames(window, pages)
    pages.sample_wanted.connect(games.begin_sample)
    worker.photo_read.connect(pages.photo.show_table)
    worker.failed.connect(pages.photo.show_failure)
    worker.broke.connect(window.show_notice)
    QTimer.singleShot(0, games.list_games)
    QTimer.singleShot(0, pages.look_for_cameras)
    return pages, games, worker


def _open(start: Start, window: MainWindow, pages: AppPages, games: AppGames) -> None:
    """Show what a start was asked for; the sample game does not push another page away."""
    if start.photo is not None and start.photo.suffix.lower() == GAME_SUFFIX:
        games.take_in(start.photo)
    elif start.photo is not None:
        pages.show_photo(start.photo)
    elif start.demo and window.page_name() == START:
        games.begin_sample()


def _on_other_start(start: Start, window: MainWindow, pages: AppPages, games: AppGames) -> None:
    """Bring the window to the front, with what the other start was asked for."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    _open(start, window, pages, games)


def _exception_hook(
    window: MainWindow, *, debug: bool
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """Return the app's catch-all: the error becomes a sentence in the window, and the app goes on."""

    def on_error(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if debug:
            sys.__excepthook__(kind, error, where)
        details = details_of(error)
        _LOG.error("In the window", exc_info=(kind, error, where))
        what = f"{kind.__name__}: {error}".rstrip(": ")
        window.show_notice(say(window_texts.APP_FAILED, what=what), details)

    return on_error
