"""What the tests of the window share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtCore import SignalInstance
from pytestqt.qtbot import QtBot

from tests.ui.open_windows import close_windows, open_windows
from tests.ui.waiting import WAIT_MS, Hear, WaitFor


@pytest.fixture(autouse=True)
def no_window_stays() -> Iterator[None]:
    """Closes the windows that the test opened: each later change of font or colours would go to them, too."""
    before = open_windows()
    yield
    close_windows(before)


@pytest.fixture
def wait_for(qtbot: QtBot) -> WaitFor:
    """Lets the window run until something holds; fails if it never does."""
    return partial(qtbot.waitUntil, timeout=WAIT_MS)


@pytest.fixture
def hear(wait_for: WaitFor) -> Hear:
    """Does something, and returns what a signal carries that comes of it.

    The signal may come from another thread. (There, `qtbot.waitSignal` would stop a timer of this one.)
    """

    def hear_after(signal: SignalInstance, trigger: Callable[[], object]) -> tuple[object, ...]:
        heard: list[tuple[object, ...]] = []

        def on_signal(*values: object) -> None:
            heard.append(values)

        signal.connect(on_signal)
        trigger()
        wait_for(lambda: bool(heard))
        signal.disconnect(on_signal)
        return heard[0]

    return hear_after
