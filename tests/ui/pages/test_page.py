"""What all pages share."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout
from pytestqt.qtbot import QtBot

from ui.pages.page import Page
from ui.text.catalogue import mark

LONG = mark("Something that takes much room in the bar")


def test_the_bar_goes_back_to_one_row_when_its_buttons_need_less_room(qtbot: QtBot) -> None:
    """It stayed in two rows until somebody changed the size of the window."""
    page = Page(mark("Game"))
    qtbot.addWidget(page)
    button = page.add_tool(LONG, lambda: None)
    page.resize(page._title_row.sizeHint().width() + 120, 400)
    page.show()
    assert page._title_bar.direction() is QBoxLayout.Direction.TopToBottom
    button.setText("Go")
    qtbot.waitUntil(lambda: page._title_bar.direction() is QBoxLayout.Direction.LeftToRight)
