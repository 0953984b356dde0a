"""The choices below a verdict, as buttons: side by side as far as they fit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton

from ui.text.window import key_name
from ui.viewmodels.game_view import Choice
from ui.viewmodels.table_view import Tone
from ui.widgets.style import restyle
from ui.widgets.table.tile_icon import tile_icon
from ui.widgets.theme import BODY_PX, SENTENCE_PX, SMALLEST_PX, Look

ARROWS = {"Left": "↙", "Right": "↘"}
CHOICE_PX = 60
SHORT_LABEL = 2
"""A choice with so few characters is as narrow as a roll of the die."""
CHOICES_IN_ROW = 7


def shrunk_px(look: Look, size_px: int, shrink: float) -> int:
    """Return a text size where words are smaller by a factor than the window has them."""
    return max(SMALLEST_PX, round(look.text_px(size_px) * shrink))


class ChoiceButtons(QGridLayout):
    """A button for each choice."""

    chosen = Signal(object)
    """An act of the choice that somebody made."""

    def __init__(self) -> None:
        super().__init__()
        self.buttons: list[QPushButton] = []
        """In the order of the choices."""
        self._choices: Sequence[Choice] = ()
        self._tone, self._look = Tone.CALM, Look()
        self._rows = 0

    def show_choices(
        self, choices: Sequence[Choice], tone: Tone, look: Look, wide_px: int, shrink: float
    ) -> None:
        """Make the buttons, and lay them out; the first has the keyboard if one of those before had it."""
        self._choices, self._tone, self._look = choices, tone, look
        has_keyboard = any(button.hasFocus() for button in self.buttons)
        for button in self.buttons:
            self.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(choice) for choice in choices]
        self.lay_out(wide_px, shrink)
        if has_keyboard and self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.TabFocusReason)

    def are(self, choices: Sequence[Choice]) -> bool:
        """Return whether there are as many buttons as choices."""
        return len(self.buttons) == len(choices)

    def lay_out(self, wide_px: int, shrink: float) -> None:
        """Put the buttons side by side in some width, smaller by a factor."""
        self._dress(shrink)
        self._place(wide_px)

    def height(self, spacing_px: int) -> int:
        """Return how high all rows are, with so much room below each."""
        return self._rows * (self.buttons[0].sizeHint().height() + spacing_px) if self.buttons else 0

    def _is_short(self) -> bool:
        """Whether the choices are many and short, like the rolls of a die, so that one row holds them."""
        choices = [choice for choice in self._choices if not choice.is_quiet]
        return len(self._choices) > 4 and all(len(choice.label) <= SHORT_LABEL for choice in choices)

    def _button(self, choice: Choice) -> QPushButton:
        arrow = ARROWS.get(choice.key, "") if not choice.code else ""
        label = f"{arrow}  {choice.label}" if choice.key == "Left" else f"{choice.label}  {arrow}".strip()
        button = QPushButton(label.strip())
        button.setToolTip(key_name(choice.key))
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAutoDefault(True)  # Enter presses it, too
        button.setAccessibleName(choice.label)
        button.clicked.connect(lambda _checked=False, act=choice.act: self.chosen.emit(act))
        return button

    def _dress(self, shrink: float) -> None:
        """Give the buttons their sizes and colours."""
        theme, px = self._look.theme, self._look.px
        smaller = len(self._choices) > 4 and not self._is_short()
        for choice, button in zip(self._choices, self.buttons, strict=True):
            text_px = BODY_PX if choice.is_quiet or smaller else SENTENCE_PX - 2
            edge = "transparent" if choice.is_quiet else theme.tones[self._tone][0]
            restyle(
                button,
                f"QPushButton {{ font-size: {shrunk_px(self._look, text_px, shrink)}px; font-weight: 600; "
                f"border: 2px solid {edge}; "
                f"border-radius: {px(12)}px; padding: {px(4 * shrink)}px {px(6)}px; "
                f"min-height: {px((CHOICE_PX - 14) * shrink**2)}px; }}"
                f"QPushButton:hover {{ background: {theme.hover}; }}"
                f"QPushButton:focus {{ border: 3px solid {theme.text}; }}",
            )
            if choice.code:
                side = px((28 if smaller else 40) * shrink)
                button.setIcon(tile_icon(choice.code, side))
                button.setIconSize(QSize(side, side))

    def _place(self, wide_px: int) -> None:
        """Put the buttons into rows. A button that needs more than its share gets its own row."""
        in_row = CHOICES_IN_ROW if self._is_short() else 2
        share = (wide_px - (in_row - 1) * self.spacing()) // in_row
        self._rows, at = 0, 0
        for choice, button in zip(self._choices, self.buttons, strict=True):
            alone = choice.is_quiet if in_row > 2 else button.sizeHint().width() > share
            if at and (alone or at == in_row):
                self._rows, at = self._rows + 1, 0
            self.removeWidget(button)  # or the layout would hold it twice
            self.addWidget(button, self._rows, at, 1, in_row if alone else 1)
            at = in_row if alone else at + 1
        self._rows += bool(self.buttons)
