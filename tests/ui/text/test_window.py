"""The names of keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ui.text.catalogue import choose_language
from ui.text.window import key_name


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    choose_language("en")


@pytest.mark.parametrize(
    ("language", "keys", "name"),
    [
        ("en", "Shift+U", "Shift+U"), ("fr", "Shift+U", "Maj+U"), ("fr", "Esc", "Échap"),
        ("fr", "Space", "Espace"), ("fr", "Ctrl+Return", "Ctrl+Entrée"), ("fr", "Left", "←"), 
        ("fr", "6", "6"),
    ],
)  # fmt: skip
def test_keys_have_their_name_in_the_language_of_the_user(language: str, keys: str, name: str) -> None:
    choose_language(language)
    assert key_name(keys) == name
