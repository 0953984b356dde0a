"""Keeps the words on the controls in the language of the user, also when that changes."""

from __future__ import annotations

from collections.abc import Callable

from ui.text.catalogue import Plural, say

SetText = Callable[[str], object]


class Words:
    """Which control says what; says it all again after the language changed."""

    def __init__(self) -> None:
        self._bound: list[tuple[SetText, Callable[[], str]]] = []

    def bind(self, set_text: SetText, sentence: str | Plural, **values: object) -> None:
        """Give a control its words, now and after each change: a marked sentence and what fills it."""
        self.bind_made(set_text, lambda: say(sentence, **values))

    def bind_made(self, set_text: SetText, make: Callable[[], str]) -> None:
        """Give a control words that a function makes, now and after each change."""
        self._bound.append((set_text, make))
        set_text(make())

    def renew(self) -> None:
        """Say everything in the language that is chosen now."""
        for set_text, make in self._bound:
            set_text(make())
