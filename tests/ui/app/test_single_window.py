"""A second start of the app finds the first window."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from tests.ui.waiting import WaitFor
from ui.app.single_window import OtherStarts, Start, hand_over, socket_name

SECOND = """
import sys
from pathlib import Path
from ui.app.single_window import Start, hand_over
sys.exit(0 if hand_over(Start(Path("photo.jpg"), True)) else 7)
"""


@pytest.fixture
def heard(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[Start]]:
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path))
    others = OtherStarts()
    found: list[Start] = []
    others.asked.connect(found.append)
    yield found
    others.close()
    others.deleteLater()


def test_without_a_window_nothing_is_handed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path))
    assert not hand_over(Start())


def test_the_second_start_hands_over_and_ends(heard: list[Start], wait_for: WaitFor, tmp_path: Path) -> None:
    second = subprocess.Popen([sys.executable, "-c", SECOND])
    try:
        wait_for(lambda: bool(heard))
        wait_for(lambda: second.poll() is not None)
    finally:
        second.kill()
    assert second.returncode == 0
    assert heard == [Start(Path("photo.jpg").absolute(), True)]


@pytest.mark.parametrize(
    "words", [b"\n", b"[]\n", b"{\n", b"x" * 40_000], ids=["none", "list", "broken", "endless"]
)
def test_what_is_not_to_be_understood_gets_no_answer(
    heard: list[Start], wait_for: WaitFor, words: bytes
) -> None:
    stranger = QLocalSocket()
    stranger.connectToServer(socket_name())
    assert stranger.waitForConnected(1000)
    stranger.write(words)
    stranger.flush()
    wait_for(lambda: stranger.state() is QLocalSocket.LocalSocketState.UnconnectedState)
    assert stranger.bytesAvailable() == 0
    assert heard == []


def test_the_socket_of_a_killed_app_is_taken_over(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path))
    first = QLocalServer()
    assert first.listen(socket_name())
    path = Path(first.fullServerName())
    if sys.platform != "win32":
        kept = path.with_name(f"{path.name}-kept")
        path.rename(kept)  # closing would remove it; a kill does not
        first.close()
        kept.rename(path)
    others = OtherStarts()
    socket = QLocalSocket()
    socket.connectToServer(socket_name())
    assert socket.waitForConnected(1000)
    others.close()


def test_another_data_folder_has_a_window_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    names = set()
    for folder in ("/a", "/b"):
        monkeypatch.setenv("PYRAMID_REFEREE_DATA", folder)
        names.add(socket_name())
    assert len(names) == 2
