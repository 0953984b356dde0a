"""What is heard of a game: a sound and a voice, as far as the players want them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject
from PySide6.QtWidgets import QApplication

from ui.platform.speech import Speaker
from ui.viewmodels.table_view import Tone

if TYPE_CHECKING:
    from ui.storage.preferences import Settings
    from ui.viewmodels.game_view import CardView


class Aloud:
    """Tells aloud when the tone of the verdict card changes, but for calm."""

    def __init__(self, parent: QObject) -> None:
        """Tell nothing yet; `parent` owns the voice."""
        self._speaker = Speaker(parent)
        self._was = Tone.CALM

    def begin(self) -> None:
        """Begin with another game."""
        self._was = Tone.CALM

    def tell(self, card: CardView, settings: Settings) -> None:
        """Tell a card aloud if its tone is new."""
        was, self._was = self._was, card.tone
        if card.tone in (was, Tone.CALM):
            return
        if settings.sound:
            QApplication.beep()
        if settings.speech:
            parts = (card.headline, *card.sentences, card.prompt)
            sentences = ". ".join(part.rstrip(".") for part in parts if part)
            self._speaker.say(sentences, settings.language.code or QLocale.system().name())
