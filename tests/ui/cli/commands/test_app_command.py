"""`pyramid-referee app` where there is a screen and where there is none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT_SCREEN = {"QT_QPA_PLATFORM": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}

FAKE_CHECK = """
HELP = 'A check of the tests.'
def add_arguments(parser):
    parser.add_argument('source')
    parser.add_argument('--annotate')
def run(args):
    print(args.source.rpartition('/')[2], args.annotate)
    return 0
"""
DEMO = """
import sys, pathlib
import ui.cli.commands
import ui.cli.commands.app as app
from ui.cli.main import main
ui.cli.commands.__path__.insert(0, {commands!r})
app.SAMPLES = pathlib.Path({samples!r})
sys.exit(main(['app', '--demo']))
"""


def run_process(*line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *line],
        env=os.environ | WITHOUT_SCREEN | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


APP = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from ui.app.main import run_app
app = QApplication([])
{before}
sys.exit(run_app())
"""


@pytest.mark.parametrize("display", ["", ":4711"], ids=["no display", "a display that nobody serves"])
@pytest.mark.parametrize("arguments", [(), ("app",)], ids=["no command", "app"])
def test_without_a_screen_the_app_says_so(display: str, arguments: tuple[str, ...]) -> None:
    done = run_process("-m", "ui", "--lang", "en", *arguments, DISPLAY=display)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("There is no screen")


def test_the_sentence_comes_in_french() -> None:
    assert run_process("-m", "ui", "--lang", "fr").stderr.startswith("Il n\u2019y a pas d\u2019écran")


def test_without_a_screen_the_demo_checks_a_sample_in_the_terminal(tmp_path: Path) -> None:
    commands, samples = tmp_path / "commands", tmp_path / "samples"
    commands.mkdir()
    samples.mkdir()
    (commands / "check.py").write_text(FAKE_CHECK)
    for name in ("b.jpg", "a.jpg", "a.json"):
        (samples / name).touch()
    done = run_process("-c", DEMO.format(commands=str(commands), samples=str(samples)))
    assert (done.returncode, done.stdout) == (0, "a.jpg demo-out\n")
    assert done.stderr.startswith("Demo: no screen was found")


def test_the_demo_without_samples_says_so(tmp_path: Path) -> None:
    done = run_process("-c", DEMO.format(commands=str(tmp_path), samples=str(tmp_path)))
    assert done.returncode == 1
    assert "sample photos" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_offscreen_platform_counts_as_no_screen() -> None:
    assert run_process("-m", "ui", "app", QT_QPA_PLATFORM="offscreen").returncode == 1


def test_ctrl_c_in_the_terminal_closes_the_app_with_130() -> None:
    code = APP.format(before="QTimer.singleShot(0, lambda: print('ready', flush=True))")
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    line = [sys.executable, "-c", code]
    with subprocess.Popen(
        line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "")


def test_while_the_app_runs_no_other_thread_looks_for_garbage() -> None:
    before = """
import gc
def look():
    print(gc.isenabled())
    QApplication.quit()
QTimer.singleShot(0, look)
"""
    code = APP.format(before=before).replace("sys.exit(run_app())", "run_app()\nprint(gc.isenabled())")
    done = run_process("-c", code, QT_QPA_PLATFORM="offscreen")
    assert (done.returncode, done.stdout, done.stderr) == (0, "False\nTrue\n", "")


def test_an_error_that_nobody_foresaw_becomes_a_sentence_in_the_window() -> None:
    before = """
def look():
    window = next(w for w in QApplication.topLevelWidgets() if w.isVisible())
    print(window.centralWidget().findChild(NoticeBar).accessibleName())
    app.exit(0)
from ui.widgets.notice_bar import NoticeBar
QTimer.singleShot(0, lambda: 1 / 0)
QTimer.singleShot(200, look)
"""
    done = run_process("-c", APP.format(before=before), QT_QPA_PLATFORM="offscreen")
    assert (done.returncode, done.stderr) == (0, "")
    assert "division by zero" in done.stdout


def test_a_window_that_is_closed_at_once_ends_the_app(tmp_path: Path) -> None:
    """What would be made after its first frame is not made any more: it would wait for ever."""
    before = """
import time
from PySide6.QtCore import QEvent, QObject
from ui.app.main_window import MainWindow
class Close(QObject):
    def eventFilter(self, watched, event):
        if isinstance(watched, MainWindow) and event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, watched.close)
        return False
close = Close()
app.installEventFilter(close)
app.aboutToQuit.connect(lambda: time.sleep(0.1))  # as long as a slow screen takes
"""
    environment = {"QT_QPA_PLATFORM": "offscreen", "PYRAMID_REFEREE_DATA": str(tmp_path)}
    done = run_process("-c", APP.format(before=before), **environment)
    assert (done.returncode, done.stdout) == (0, "")


def test_only_the_window_is_shown_while_the_rest_is_made(tmp_path: Path) -> None:
    """A part without a parent would be a window of its own for a moment."""
    before = """
from PySide6.QtCore import QEvent, QObject
from ui.app.main_window import MainWindow
class Shown(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show and watched.isWidgetType() and watched.isWindow():
            print(type(watched).__name__)
        return False
shown = Shown()
app.installEventFilter(shown)
def look():
    (window,) = (w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
    if len(window._pages) > 1:
        window.close()
    else:
        QTimer.singleShot(10, look)
QTimer.singleShot(0, look)
"""
    environment = {"QT_QPA_PLATFORM": "offscreen", "PYRAMID_REFEREE_DATA": str(tmp_path)}
    done = run_process("-c", APP.format(before=before), **environment)
    assert (done.returncode, done.stdout) == (0, "MainWindow\n")


def test_all_pages_are_there_soon_after_the_window(tmp_path: Path) -> None:
    """At first there is but one; *New game* leads to its page all the same."""
    before = """
from ui.app.main_window import START, MainWindow
def look():
    (window,) = (w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
    pages = list(window._pages)
    if not first:
        first.append(pages)
    if len(pages) == 1:
        QTimer.singleShot(10, look)
        return
    window._pages[START].new_game_wanted.emit()
    print(*first[0], "|", window.page_name())
    window.close()
first = []
QTimer.singleShot(0, look)
"""
    environment = {"QT_QPA_PLATFORM": "offscreen", "PYRAMID_REFEREE_DATA": str(tmp_path)}
    done = run_process("-c", APP.format(before=before), **environment)
    assert (done.returncode, done.stdout) == (0, "start | new game\n")
