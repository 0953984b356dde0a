"""What is heard of a game."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from ui.app.aloud import Aloud
from ui.platform.speech import Speaker
from ui.storage.preferences import Language, Settings
from ui.viewmodels.game_view import CardView
from ui.viewmodels.table_view import Tone


def test_a_new_tone_is_told_aloud_once_as_far_as_the_players_want_it(
    application: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(Speaker, "say", lambda _self, sentence, language: heard.append(language + sentence))
    monkeypatch.setattr(QApplication, "beep", lambda: heard.append("beep"))
    owner = QObject()
    aloud = Aloud(owner)
    mayhem = CardView(Tone.MAYHEM, "Collapse", sentences=("Blue 20 is taken.",), prompt="Left?")
    silent = Settings(language=Language.ENGLISH, sound=False, speech=False)
    aloud.tell(mayhem, silent)
    assert heard == []
    aloud.begin()
    loud = Settings(language=Language.ENGLISH, sound=True, speech=True)
    for card in (CardView(Tone.CALM, "Ready"), mayhem, mayhem, CardView(Tone.CALM, "Ready")):
        aloud.tell(card, loud)
    assert heard == ["beep", "enCollapse. Blue 20 is taken. Left?"]
