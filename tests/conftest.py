"""What every test may rely on: no screen, no network, no settings of the user, no real camera."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from PySide6.QtWidgets import QApplication

from tests.places import DATA
from ui.platform.garbage import GarbageKeptToOneThread

# Before there is an application; subprocesses inherit it.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["FONTCONFIG_FILE"] = str(DATA / "fonts.conf")

# A shell starts its background jobs with Ctrl-C ignored, and processes inherit that; the tests of Ctrl-C
# start processes that must feel it.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("unhurried", deadline=None)  # a busy machine is no failure
settings.load_profile("unhurried")

USER_FOLDERS = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture(scope="session", autouse=True)
def application(qapp: QApplication) -> QApplication:
    """The one application of the process, in whatever order the tests run.

    A command that draws would else make one without windows, which would be in the way of the windows' tests.
    """
    return qapp


_garbage = GarbageKeptToOneThread()


@pytest.fixture(autouse=True)
def garbage() -> Iterator[None]:
    """Looks for garbage between tests, as the app does between events: never beside the windows' thread."""
    yield
    _garbage.collect()


@pytest.fixture(autouse=True)
def user_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives the test user folders of its own, and returns the folder that holds them."""
    home = tmp_path_factory.mktemp("home")
    for name in USER_FOLDERS:
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("LANGUAGE", "en")
    return home


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuses every connection that leaves this machine."""
    connect = socket.socket.connect

    def connect_locally(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else None
        if self.family in (socket.AF_INET, socket.AF_INET6) and host not in LOOPBACK:
            raise AssertionError(f"A test tried to reach {address!r}.")
        connect(self, address)  # type: ignore[arg-type]  # whatever the caller passed

    monkeypatch.setattr(socket.socket, "connect", connect_locally)
