"""OpenCV's Qt and ours in one process: the window must open, whichever came first."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

CV2_THEN_QT = "import cv2\nfrom ui.platform.qt_environment import clean_qt_environment\n"
QT_THEN_CV2 = (
    "from PySide6 import QtWidgets\nfrom ui.platform.qt_environment import clean_qt_environment\nimport cv2\n"
)
OPEN_WINDOW = """
clean_qt_environment()
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
app = QApplication([])
window = QWidget()
window.setStyleSheet("background: #c4452f")
window.setGeometry(40, 30, 200, 100)
window.show()
screen = app.primaryScreen()
colour = ""
while colour != "#c4452f":
    QTest.qWait(20)
    seen = screen.grabWindow(0)
    centre = window.mapToGlobal(window.rect().center())
    colour = seen.toImage().pixelColor(centre).name()
print(app.platformName(), window.windowHandle().isExposed(), colour)
"""
LIMIT_S = 180
"""After this, a window that has not opened does not open any more."""
SHOW_VALUES = """
clean_qt_environment()
import os
print(os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH"), os.environ.get("QT_QPA_FONTDIR"))
"""


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A virtual X server's name; the server picks a free one itself."""
    program = shutil.which("Xvfb")
    assert program, "The window tests need Xvfb, which make test installs."
    read_end, write_end = os.pipe()
    line = [program, "-displayfd", str(write_end), "-screen", "0", "1440x900x24", "-nolisten", "tcp"]
    with subprocess.Popen(line, pass_fds=[write_end], stderr=subprocess.DEVNULL) as server:
        os.close(write_end)
        with os.fdopen(read_end) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb did not start."
        yield f":{number}"
        server.terminate()


def run_python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("imports", [CV2_THEN_QT, QT_THEN_CV2], ids=["cv2 first", "Qt first"])
def test_a_real_window_opens_after_cv2_was_imported(display: str, imports: str) -> None:
    seen = run_python(imports + OPEN_WINDOW, DISPLAY=display, QT_QPA_PLATFORM="xcb")
    assert seen == "xcb True #c4452f"


def test_opencv_does_set_the_variables() -> None:
    """The trap is still there; when this fails, `ui.platform.qt_environment` can go."""
    assert "cv2" in run_python("import cv2, os; print(os.environ['QT_QPA_PLATFORM_PLUGIN_PATH'])")


@pytest.mark.parametrize("imports", [CV2_THEN_QT, QT_THEN_CV2], ids=["cv2 first", "Qt first"])
def test_nothing_is_left_of_opencvs_values(imports: str) -> None:
    assert run_python(imports + SHOW_VALUES) == "None None"


def test_values_of_the_user_come_back() -> None:
    values = {"QT_QPA_PLATFORM_PLUGIN_PATH": "/opt/my plugins", "QT_QPA_FONTDIR": "/opt/fonts"}
    assert run_python(CV2_THEN_QT + SHOW_VALUES, **values) == "/opt/my plugins /opt/fonts"


def test_values_inherited_from_a_process_with_opencv_go() -> None:
    values = {"QT_QPA_PLATFORM_PLUGIN_PATH": "/somewhere/cv2/qt/plugins"}
    assert run_python(CV2_THEN_QT + SHOW_VALUES, **values) == "None None"


def test_the_app_opens_on_a_real_screen(display: str) -> None:
    code = """
import sys, cv2
from ui.app.main import run_app
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
def look():
    windows = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
    if not windows or not windows[0].windowHandle().isExposed():
        QTimer.singleShot(20, look)
        return
    print(len(windows), QApplication.platformName())
    windows[0].close()
app = QApplication([])
QTimer.singleShot(0, look)
sys.exit(run_app())
"""
    assert run_python(code, DISPLAY=display, QT_QPA_PLATFORM="xcb") == "1 xcb"
