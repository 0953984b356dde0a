"""Ctrl-C ends a command quietly wherever it comes: in an import, in a destructor, while processes start."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import SAMPLES
from ui.cli.interrupts import EXIT_INTERRUPTED, Interrupts

AT_IMPORT = """
import os, signal, sys
wanted = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
from ui.cli.main import main
sys.meta_path.insert(0, Finder())
sys.exit(main())
"""
BEFORE_MAIN = """
import os, runpy, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "ui.cli.main":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
runpy.run_module("ui", run_name="__main__")
"""
SWALLOWED = """
import os, signal, sys, time
from ui.cli.interrupts import Interrupts
interrupts = Interrupts(ends_with_us=True)
class Dying:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
try:
    Dying()
    time.sleep(10)
except KeyboardInterrupt:
    sys.exit(interrupts.end())
"""
LOST = """
import signal, sys
sent = []
send = signal.pthread_kill
signal.pthread_kill = lambda *whom: sent.append(whom) or (len(sent) > 1 and send(*whom))
"""


@pytest.mark.parametrize(
    "module",
    [
        "ui.storage.log",
        "argparse",
        "numpy._core._multiarray_umath",
        "onnxruntime.capi.onnxruntime_pybind11_state",
        *(
            pytest.param(module, marks=pytest.mark.slow)
            for module in (
                "ui.cli.commands.check",
                "numpy",
                "numpy.linalg._umath_linalg",
                "cv2.typing",
                "onnxruntime.capi._pybind_state",
            )
        ),
    ],
)
def test_ctrl_c_in_an_import_ends_quietly(module: str, tmp_path: Path) -> None:
    line = [sys.executable, "-c", AT_IMPORT, module, "check", str(SAMPLES / "fire.jpg")]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (EXIT_INTERRUPTED, "", "")


@pytest.mark.parametrize(
    "module",
    [
        pytest.param("inspect", marks=pytest.mark.slow),
        pytest.param("shiboken6.Shiboken", marks=pytest.mark.slow),
        "PySide6.QtGui",
    ],
)
def test_ctrl_c_does_not_break_off_qt_which_would_abort(module: str, tmp_path: Path) -> None:
    line = [sys.executable, "-c", AT_IMPORT, module, "tiles", str(tmp_path / "tiles.pdf")]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (EXIT_INTERRUPTED, "", "")


def test_ctrl_c_before_the_first_line_of_ours_runs_says_nothing() -> None:
    line = [sys.executable, "-c", BEFORE_MAIN]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (-signal.SIGINT, "", "")


def test_ctrl_c_in_an_exec_ends_with_the_status_of_all_others() -> None:
    command = "import sys; from ui.cli import main as m; m._dispatch = lambda *_, **__: exec('import time\\n"
    command += "import os, signal\\nos.kill(os.getpid(), signal.SIGINT)\\ntime.sleep(9)'); sys.exit(m.main())"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (EXIT_INTERRUPTED, b"")


def test_ctrl_c_in_a_destructor_is_not_lost() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWED], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (EXIT_INTERRUPTED, "")


def test_ctrl_c_that_is_not_felt_when_it_comes_again_comes_once_more() -> None:
    """As one that comes just before a wait: Python takes note of it after the wait."""
    done = subprocess.run(
        [sys.executable, "-c", LOST + SWALLOWED], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (EXIT_INTERRUPTED, "")


@pytest.mark.parametrize(("failed", "status"), [(1, EXIT_INTERRUPTED), (0, 0)])
def test_what_fails_by_ctrl_c_ends_as_interrupted(failed: int, status: int) -> None:
    """A library may make an error of its own of it, and the command counts one photo that failed."""
    command = "import sys, os, signal\nfrom ui.cli import main as m\ndef run(*_, **__):\n try:\n"
    command += "  os.kill(os.getpid(), signal.SIGINT)\n  import time; time.sleep(9)\n"
    command += f" except KeyboardInterrupt: return {failed}\nm._dispatch = run\nsys.exit(m.main())"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (status, b"")


def test_who_runs_the_command_line_inside_another_program_keeps_its_own_ctrl_c() -> None:
    interrupts = Interrupts(ends_with_us=False)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert interrupts.have_come
    assert interrupts.end() == EXIT_INTERRUPTED
    interrupts.leave()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        Interrupts(ends_with_us=True).leave()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
