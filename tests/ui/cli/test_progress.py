"""How far a command is: a bar on a terminal, a line a minute in a log, and nothing left behind."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.benchmarks.capturing import write_copies
from tests.places import ROOT
from ui.cli import progress as module
from ui.cli.progress import ProgressBar, counted

pty = pytest.importorskip("pty", reason="there are none on Windows")


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr("tqdm.std.time", clock.monotonic)
    return clock


def work(clock: Clock) -> None:
    """Do 3000 of 20,000 items in 100 seconds; 5000 were done before."""
    with ProgressBar(20_000) as progress:
        for _ in range(5_000):
            progress.skip()
        for _ in range(100):
            clock.now_s += 1
            for _ in range(30):
                progress.step()
        progress.say("A sentence.")


def test_a_log_gets_a_line_a_minute(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done before counts as done, but not for the speed."""
    monkeypatch.setattr(sys, "stderr", log := io.StringIO())
    work(clock)
    assert log.getvalue() == "6771/20000 [01:00<07:28, 29.52/s]\nA sentence.\n"


def test_a_terminal_shows_a_bar_until_the_end(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence gets a line of its own above it."""
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    work(clock)
    shown = [
        line.strip()
        for line in screen.getvalue().replace("\033[K", "").replace("\n", "\r").split("\r")
        if line.strip()
    ]
    assert len(shown) == 102
    assert shown[-3].startswith("40%|")
    assert shown[-3].endswith("| 7971/20000 [01:40<06:44, 29.71/s]")
    assert shown[-2] == "A sentence."
    assert screen.getvalue().endswith("\r\033[K")


def test_others_may_count_and_several_times(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """First the reading of three pictures, then the writing of them."""
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    with ProgressBar() as progress:
        for _ in range(2):
            for done in range(1, 4):
                clock.now_s += 1
                progress.tell(done, 3)
    assert screen.getvalue().count("| 3/3 [") == 2


def test_items_are_counted_as_they_are_used(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left of the bar where the work fails."""
    monkeypatch.setattr(sys, "stderr", screen := Screen())

    def fail() -> None:
        with closing(counted([2, 1, 0])) as shown:
            for number in shown:
                clock.now_s += 1 / number

    with pytest.raises(ZeroDivisionError):
        fail()
    assert "| 1/3 [" in screen.getvalue()
    assert screen.getvalue().endswith("\r\033[K")


def test_ctrl_c_on_a_terminal_takes_the_bar_away(tmp_path: Path) -> None:
    """And ends with 130, without another word."""
    write_copies(tmp_path / "photos", 30)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ui", "capture", str(tmp_path / "photos"), "--to", str(tmp_path / "set")]
    with subprocess.Popen(
        [*command, "--workers", "1"], cwd=ROOT, stdout=theirs, stderr=theirs, start_new_session=True
    ) as process:
        os.close(theirs)
        shown = b""
        while b"/30 [" not in shown:
            shown += os.read(ours, 1000)
        os.killpg(process.pid, signal.SIGINT)
        try:
            while more := os.read(ours, 1000):
                shown += more
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    assert process.returncode == 130
    assert b"Traceback" not in shown
    assert shown.endswith(b"\r\033[K"), shown[-500:].decode()
