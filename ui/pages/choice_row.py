"""One setting: its name, the choices side by side, and a sentence about the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QLabel, QVBoxLayout, QWidget

from ui.text.catalogue import say
from ui.widgets.button_flow import ButtonFlow
from ui.widgets.controls import make_button, make_label
from ui.widgets.style import dress
from ui.widgets.words import Words


@dataclass(frozen=True, slots=True)
class ValueChoice:
    """One of several values: marked sentences for its button, and for what it means."""

    value: object
    label: str
    hint: str = ""


def _full_name(row: str, choice: ValueChoice) -> str:
    """Return what a screen reader says for a button: the words on it alone say too little."""
    return f"{say(row)}: {say(choice.label)}"


class ChoiceRow(QWidget):
    """Lets somebody choose one of a few values."""

    changed = Signal(object)
    """The value that was chosen."""

    def __init__(self, words: Words, name: str, choices: Sequence[ValueChoice], chosen: object) -> None:
        super().__init__()
        self._choices = tuple(choices)
        self._group = QButtonGroup(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(make_label(words, name, "name"))
        row = ButtonFlow(fills=True)
        for number, choice in enumerate(self._choices):
            button = make_button(words, choice.label, "choice")
            button.setCheckable(True)
            button.setChecked(choice.value == chosen)
            words.bind_made(button.setAccessibleName, partial(_full_name, name, choice))
            self._group.addButton(button, number)
            row.add(button)
        layout.addWidget(row)
        self._hint = QLabel()
        self._hint.setWordWrap(True)
        dress(self._hint, "quiet")
        if any(choice.hint for choice in self._choices):
            layout.addWidget(self._hint)
            words.bind_made(self._hint.setText, self._hint_text)
        self._group.idClicked.connect(self._on_clicked)

    def value(self) -> object:
        """Return what is chosen."""
        return self._choices[max(0, self._group.checkedId())].value

    def choose(self, value: object) -> None:
        """Choose this value without telling anybody."""
        for number, choice in enumerate(self._choices):
            if choice.value == value:
                self._group.button(number).setChecked(True)
        self._hint.setText(self._hint_text())

    def _hint_text(self) -> str:
        return say(self._choices[max(0, self._group.checkedId())].hint)

    def _on_clicked(self, number: int) -> None:
        self._hint.setText(self._hint_text())
        self.changed.emit(self._choices[number].value)
