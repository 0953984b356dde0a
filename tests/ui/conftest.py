"""What the tests of the window share."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication


@pytest.fixture(scope="session")
def application() -> QApplication:
    """The one application of the process."""
    running = QApplication.instance()
    return running if isinstance(running, QApplication) else QApplication([])
