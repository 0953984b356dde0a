"""What the style of the window must let people see."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPushButton

from ui.widgets.style import style_sheet
from ui.widgets.theme import DARK, HIGH_CONTRAST, LIGHT, Look, Theme

LESS_CONTRAST = 50
"""By so much of 255 the words of a button that cannot be pressed stand out less, or by more."""


@pytest.mark.usefixtures("application")
@pytest.mark.parametrize("theme", [DARK, LIGHT, HIGH_CONTRAST], ids=["dark", "light", "high contrast"])
def test_a_button_that_cannot_be_pressed_looks_like_that(theme: Theme) -> None:
    """In high contrast, quiet words are as bright as all others."""
    contrasts = []
    for is_enabled in (True, False):
        button = QPushButton("Undo")
        button.setStyleSheet(style_sheet(Look(theme)))
        button.setEnabled(is_enabled)
        button.resize(160, 60)
        picture = button.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        lights = np.array(picture.bits(), np.uint8).reshape(60, picture.bytesPerLine())
        contrasts.append(int(np.ptp(lights[12:48, 12:148])))
    assert contrasts[0] - contrasts[1] > LESS_CONTRAST
