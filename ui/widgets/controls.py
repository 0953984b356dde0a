"""Buttons, labels and cards as the whole window makes them, and how their layouts grow with it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui.widgets.style import dress
from ui.widgets.theme import Look
from ui.widgets.words import Words


def scale_layout(layout: QLayout, look: Look) -> None:
    """Scale the margins and gaps of a layout, unless its widget does that itself."""
    owner = layout.parentWidget()
    if owner is not None and owner.property("scales itself"):
        return
    sides = layout.property("design")
    if sides is None:
        margins = layout.contentsMargins()
        gap = max(0, layout.spacing()) if isinstance(layout, QBoxLayout) else 0
        sides = [margins.left(), margins.top(), margins.right(), margins.bottom(), gap]
        layout.setProperty("design", sides)
    left, top, right, bottom, gap = (round(side * min(look.scale, 2.5)) for side in sides)
    layout.setContentsMargins(left, top, right, bottom)
    if isinstance(layout, QBoxLayout):
        layout.setSpacing(gap)


def make_button(words: Words, sentence: str, role: str = "plain") -> QPushButton:
    """Return a button with these words. The Enter key presses it, too."""
    button = QPushButton()
    dress(button, role)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setAutoDefault(True)
    words.bind(button.setText, sentence)
    return button


def make_label(words: Words, sentence: str, role: str = "body", *, wrap: bool = True) -> QLabel:
    """Return a label with these words."""
    label = QLabel()
    dress(label, role)
    label.setWordWrap(wrap)
    words.bind(label.setText, sentence)
    return label


def make_card() -> tuple[QFrame, QVBoxLayout]:
    """Return a card, and the layout inside it."""
    card = QFrame()
    dress(card, "card")
    inside = QVBoxLayout(card)
    inside.setContentsMargins(24, 20, 24, 22)
    inside.setSpacing(12)
    return card, inside


class Rows(QVBoxLayout):
    """Asks for the least height of its parts, so that a page scrolls only where even that is not there."""

    def hasHeightForWidth(self) -> bool:
        """Return that the height does not hang on the width."""
        return False


def scroll_area(inside: QWidget) -> QScrollArea:
    """Return a view of a widget that scrolls up and down where there is too little height for it."""
    area = QScrollArea()
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def scrolled(inside: QWidget) -> QScrollArea:
    """Return a scroll area with the ground of a page; in a very narrow window it scrolls to the side, too."""
    inside.setObjectName("scrolled")
    area = scroll_area(inside)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    return area
