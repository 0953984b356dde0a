"""The page of settings; each change is in force at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QVBoxLayout, QWidget

from ui.pages.choice_row import ChoiceRow, ValueChoice
from ui.pages.keys_card import KeysCard
from ui.pages.page import Page
from ui.storage.preferences import Language, Settings, TextSize, ThemeChoice
from ui.text import pages as texts
from ui.text import review as review_texts
from ui.text.catalogue import say
from ui.widgets.controls import make_card, make_label, scrolled

ENGLISH, FRENCH = "English", "Français"
"""Each language is named in itself, so that everybody finds theirs."""
CHOICES = {
    "language": (
        texts.LANGUAGE,
        (
            ValueChoice(Language.SYSTEM, texts.SYSTEM),
            ValueChoice(Language.ENGLISH, ENGLISH),
            ValueChoice(Language.FRENCH, FRENCH),
        ),
    ),
    "theme": (
        texts.THEME,
        (
            ValueChoice(ThemeChoice.SYSTEM, texts.SYSTEM),
            ValueChoice(ThemeChoice.LIGHT, texts.LIGHT),
            ValueChoice(ThemeChoice.DARK, texts.DARK),
            ValueChoice(ThemeChoice.HIGH_CONTRAST, texts.HIGH_CONTRAST),
        ),
    ),
    "text_size": (
        texts.TEXT_SIZE,
        (
            ValueChoice(TextSize.SMALL, texts.SMALL),
            ValueChoice(TextSize.NORMAL, texts.NORMAL),
            ValueChoice(TextSize.LARGE, texts.LARGE),
            ValueChoice(TextSize.LARGEST, texts.LARGEST),
        ),
    ),
}
SWITCHES = {
    "sound": texts.SOUND,
    "speech": texts.SPEECH,
    "reduced_motion": texts.REDUCED_MOTION,
    "keep_corrections": texts.KEEP_CORRECTIONS,
    "keep_pictures": texts.KEEP_PICTURES,
}


class SettingsPage(Page):
    """Shows the settings that it is given, and tells what somebody changed."""

    changed = Signal(object)
    """The whole `Settings` after a change."""

    def __init__(self) -> None:
        super().__init__(texts.SETTINGS)
        self._settings = Settings()
        self._rows = {
            name: ChoiceRow(self.words, title, choices, getattr(self._settings, name))
            for name, (title, choices) in CHOICES.items()
        }
        for name, row in self._rows.items():
            row.changed.connect(lambda value, name=name: self._change(name, value))
        self._boxes = {name: QCheckBox() for name in SWITCHES}
        for name, box in self._boxes.items():
            self.words.bind(box.setText, SWITCHES[name])
            box.toggled.connect(lambda on, name=name: self._change(name, on))
        self._reader = QComboBox()
        self.words.bind(self._reader.setAccessibleName, review_texts.READER)
        self._reader.activated.connect(lambda _at: self._change("reader", self._reader.currentData()))
        self.show_readers(())
        self.words.bind(lambda text: self._reader.setItemText(0, text), review_texts.SHIPPED_READER)
        self._no_speech = make_label(self.words, texts.NO_SPEECH, "quiet")
        self._no_speech.hide()
        self._arrange()

    def show_settings(self, settings: Settings) -> None:
        """Show these settings without telling anybody."""
        self._settings = settings
        for name, row in self._rows.items():
            row.choose(getattr(settings, name))
        self._reader.setCurrentIndex(max(0, self._reader.findData(settings.reader)))
        for name, box in self._boxes.items():
            box.blockSignals(True)
            box.setChecked(bool(getattr(settings, name)))
            box.blockSignals(False)

    def show_readers(self, names: Sequence[str]) -> None:
        """Offer the shipped reader and the player's own ones; the chosen one even if it is gone."""
        chosen = self._settings.reader
        self._reader.clear()
        self._reader.addItem(say(review_texts.SHIPPED_READER), "")
        for name in sorted({*names, chosen} - {""}):
            self._reader.addItem(name, name)
        self._reader.setCurrentIndex(max(0, self._reader.findData(chosen)))

    def show_speech(self, *, has_voice: bool) -> None:
        """Tell whether this computer can speak."""
        self._boxes["speech"].setEnabled(has_voice)
        self._no_speech.setVisible(not has_voice)

    def enter(self) -> None:
        """Give the keyboard to the first setting."""
        self._rows["language"].setFocus()

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        super().renew_words()
        self._keys.renew_words()

    def _change(self, name: str, value: object) -> None:
        self._settings = replace(self._settings, **{name: value})  # type: ignore[arg-type]
        self.changed.emit(self._settings)

    def _arrange(self) -> None:
        looks, inside = make_card()
        inside.setSpacing(16)
        inside.addWidget(make_label(self.words, texts.LOOKS, "heading"))
        for row in self._rows.values():
            inside.addWidget(row)
        sound, inside = make_card()
        inside.addWidget(make_label(self.words, texts.SOUND_CARD, "heading"))
        for widget in (self._boxes["sound"], self._boxes["speech"], self._no_speech):
            inside.addWidget(widget)
        inside.addWidget(self._boxes["reduced_motion"])
        kept, inside = make_card()
        inside.addWidget(make_label(self.words, texts.PRIVACY, "heading"))
        inside.addWidget(self._boxes["keep_corrections"])
        inside.addWidget(make_label(self.words, texts.KEEP_CORRECTIONS_HINT, "quiet"))
        inside.addWidget(self._boxes["keep_pictures"])
        reader, inside = make_card()
        inside.addWidget(make_label(self.words, review_texts.READER, "heading"))
        inside.addWidget(self._reader)
        inside.addWidget(make_label(self.words, review_texts.READER_HINT, "quiet"))
        self._keys = KeysCard()
        left = QVBoxLayout()
        left.setSpacing(16)
        for card in (looks, sound, kept, reader):
            left.addWidget(card)
        left.addStretch(1)
        right = QVBoxLayout()
        right.addWidget(self._keys)
        right.addStretch(1)
        inner = QWidget()
        halves = self.make_halves(inner)
        halves.addLayout(left, 6)
        halves.addLayout(right, 5)
        self.content.addWidget(scrolled(inner), 1)
