"""How the tests of the window wait: for the thing itself, and long enough for a busy machine."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import SignalInstance

WAIT_MS = 120_000
"""After this, what is waited for does not come any more."""
WaitFor = Callable[[Callable[[], bool]], None]
"""What the fixture `wait_for` gives."""
Hear = Callable[[SignalInstance, Callable[[], object]], tuple[object, ...]]
"""What the fixture `hear` gives."""
