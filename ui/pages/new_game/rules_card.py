"""What players choose before the game: variant, the referee's voice, and rules that differ between groups."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from referee.rules.game import Variant, Voice
from referee.rules.options import DEFAULTS, FireDie, FireOrder, Options, Overhang
from ui.pages.choice_row import ChoiceRow, ValueChoice
from ui.text import pages as texts
from ui.widgets.controls import make_label
from ui.widgets.style import dress
from ui.widgets.words import Words

VARIANTS = (
    ValueChoice(Variant.FAMILY, texts.FAMILY, texts.FAMILY_HINT),
    ValueChoice(Variant.STRATEGY, texts.STRATEGY, texts.STRATEGY_HINT),
)
VOICES = (
    ValueChoice(Voice.ANNOUNCE, texts.ANNOUNCE, texts.ANNOUNCE_HINT),
    ValueChoice(Voice.SILENT, texts.SILENT, texts.SILENT_HINT),
)
HOUSE_RULES = {
    "overhang": (
        texts.OVERHANG,
        (
            ValueChoice(Overhang.COLOUR, texts.OVERHANG_COLOUR, texts.OVERHANG_COLOUR_HINT),
            ValueChoice(Overhang.COLOUR_OR_WEIGHT, texts.OVERHANG_WEIGHT, texts.OVERHANG_WEIGHT_HINT),
        ),
    ),
    "fire_order": (
        texts.FIRE_ORDER,
        (
            ValueChoice(FireOrder.WOOD_FIRST, texts.WOOD_FIRST, texts.WOOD_FIRST_HINT),
            ValueChoice(FireOrder.POSITION, texts.BY_POSITION, texts.BY_POSITION_HINT),
        ),
    ),
    "curse": (
        texts.CURSE,
        (
            ValueChoice(False, texts.CURSE_OFF, texts.CURSE_OFF_HINT),
            ValueChoice(True, texts.CURSE_ON, texts.CURSE_ON_HINT),
        ),
    ),
    "fire_die": (
        texts.FIRE_DIE,
        (
            ValueChoice(FireDie.OFF, texts.DIE_OFF, texts.DIE_OFF_HINT),
            ValueChoice(FireDie.NEWER, texts.DIE_NEWER, texts.DIE_NEWER_HINT),
            ValueChoice(FireDie.OLDER, texts.DIE_OLDER, texts.DIE_OLDER_HINT),
        ),
    ),
}
"""Field of `Options` -> the marked name of the rule, and its choices."""


class RulesCard(QFrame):
    """Choices with good defaults, each with a sentence."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        dress(self, "card")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 22)
        layout.setSpacing(14)
        layout.addWidget(make_label(words, texts.THE_GAME, "heading"))
        layout.addWidget(make_label(words, texts.MAYHEM_MEANS, "quiet"))
        self._variant = ChoiceRow(words, texts.VARIANT, VARIANTS, Variant.FAMILY)
        self._voice = ChoiceRow(words, texts.VOICE, VOICES, Voice.ANNOUNCE)
        layout.addWidget(self._variant)
        layout.addWidget(self._voice)
        layout.addSpacing(6)
        layout.addWidget(make_label(words, texts.HOUSE_RULES, "heading"))
        layout.addWidget(make_label(words, texts.HOUSE_RULES_HINT, "quiet"))
        self._rules = {
            name: ChoiceRow(words, title, choices, getattr(DEFAULTS, name))
            for name, (title, choices) in HOUSE_RULES.items()
        }
        for row in self._rules.values():
            layout.addWidget(row)
        layout.addStretch(1)

    def show_rules(self, variant: Variant, voice: Voice, options: Options) -> None:
        """Choose the rules of the last game."""
        self._variant.choose(variant)
        self._voice.choose(voice)
        for name, row in self._rules.items():
            row.choose(getattr(options, name))

    def variant(self) -> Variant:
        """Return the variant that is chosen."""
        return Variant(self._variant.value())

    def voice(self) -> Voice:
        """Return the voice that is chosen."""
        return Voice(self._voice.value())

    def options(self) -> Options:
        """Return the house rules."""
        return Options(**{name: row.value() for name, row in self._rules.items()})  # type: ignore[arg-type]
