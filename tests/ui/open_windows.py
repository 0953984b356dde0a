"""Which windows are open, and how they are closed so that nothing of them stays."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget


def open_windows() -> list[QWidget]:
    """Return everything that is no part of another widget, whether it is shown or not."""
    return QApplication.topLevelWidgets()


def close_windows(stay: Collection[QWidget]) -> None:
    """Close and delete every window but some, with all that it holds: pages, models of lists, timers."""
    for window in open_windows():
        if window not in stay:
            if window.isVisible():
                window.close()
            window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [window for window in open_windows() if window not in stay] == []
