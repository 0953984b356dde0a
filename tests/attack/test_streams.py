"""Standard streams that are closed or full, and Ctrl-C at any moment."""

from __future__ import annotations

import os
import signal
import threading
from itertools import product
from pathlib import Path

import pytest

from tests.attack.attacked import attack
from tests.places import SAMPLES

LINES: dict[str, list[str | Path]] = {
    "judge": ["judge"],
    "replay": ["replay"],
    "check": ["check", SAMPLES / "fire.jpg"],
    "version": ["--version"],
}


@pytest.mark.parametrize(
    ("name", "shell"),
    [
        *product(
            ("judge", "replay", "version"),
            (">&-", "2>&-", "<&-", ">&- <&- 2>&-", ">/dev/full", "2>/dev/full"),
        ),
        ("check", ">&-"),  # the others take longer, and are no other
    ],
)
def test_closed_and_full_streams_end_in_a_sentence(name: str, shell: str, tmp_path: Path) -> None:
    found = attack(*LINES[name], data=tmp_path / "data", shell=shell)
    can_answer = shell.startswith("2") or (shell.startswith("<") and name != "judge")
    if can_answer or (name == "judge" and shell == ">/dev/full"):  # without a request there is no answer
        assert found.status == 0
    else:
        assert found.status == 1
        assert shell.endswith("2>&-") or len(found.err.splitlines()) == 1


def interrupt_after(seconds: float, process: int) -> None:
    threading.Timer(seconds, lambda: os.kill(process, signal.SIGINT)).start()


COMMANDS: dict[str, list[str | Path]] = {
    "check": ["check", SAMPLES, SAMPLES, SAMPLES],
    "watch": ["watch", "http://127.0.0.1:1/video"],
    "evaluate": ["evaluate", SAMPLES, "--workers", "2"],
    "capture": ["capture", SAMPLES, "--workers", "2", "--to"],
}


@pytest.mark.parametrize("tenths", range(1, 25, 2))
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.slow
def test_ctrl_c_at_any_moment_ends_quietly(name: str, tenths: int, tmp_path: Path) -> None:
    line = [*COMMANDS[name], tmp_path / "new"] if name == "capture" else COMMANDS[name]
    found = attack(*line, data=tmp_path / "data", then=lambda process: interrupt_after(tenths / 10, process))
    assert found.status in (0, 130), found  # 0: it was sooner done
