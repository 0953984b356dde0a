"""Spoken announcements: Qt's text to speech, where this computer has a voice. Off unless it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject

if TYPE_CHECKING:
    from PySide6.QtTextToSpeech import QTextToSpeech

SILENT_ENGINES = {"mock", "none"}
"""Engines of Qt that make no sound."""


def has_voice() -> bool:
    """Return whether this computer has an engine that speaks."""
    try:
        from PySide6.QtTextToSpeech import QTextToSpeech
    except ImportError:  # the part of Qt, or a library of the system that it needs, is missing
        return False
    return bool(set(QTextToSpeech.availableEngines()) - SILENT_ENGINES)


class Speaker(QObject):
    """Says sentences. A newer one interrupts the older one. Without a voice, it says nothing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine: QTextToSpeech | None = None

    def say(self, sentence: str, language: str) -> None:
        """Say a sentence, written in this language, such as fr."""
        if self._engine is None:
            if not has_voice():
                return
            from PySide6.QtTextToSpeech import QTextToSpeech

            self._engine = QTextToSpeech(self)
        self._engine.stop()
        self._engine.setLocale(QLocale(language))
        self._engine.say(sentence)
