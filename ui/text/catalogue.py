"""Looks sentences up in the language of the user.

The sentences are written in English where they are said. `mark` and `Plural` mark them for the catalogues of
the other languages (`ui/text/locale/*/LC_MESSAGES/pyramid-referee.po`); `_` and `say` look them up. After a
change, `make catalogues` brings the catalogues up to date. English needs none: its words are the keys.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

DOMAIN = "pyramid-referee"
LOCALE_DIR = Path(__file__).parent / "locale"

_translations: gettext.NullTranslations = gettext.NullTranslations()
_spoken: ContextVar[str | None] = ContextVar("_spoken", default=None)


class Plural(NamedTuple):
    """A sentence with a number, `{count}`, for one thing and for several; marks both for the catalogue."""

    one: str
    several: str


def choose_language(name: str | None = None) -> None:
    """Choose the language of every later sentence.

    Args:
        name: Such as `fr` or `fr_CA`; None is the system's language. Without a catalogue: English.
    """
    global _translations
    wanted = _languages_of_the_system() if name is None else [name]
    # What comes after English is never needed, and English has no catalogue that could be found.
    before_english = takewhile(lambda language: not language.startswith(("en", "C", "POSIX")), wanted)
    _translations = gettext.translation(DOMAIN, LOCALE_DIR, list(before_english), fallback=True)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Say every sentence inside in this language, such as `fr`; of this thread alone."""
    token = _spoken.set(name)
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> str | None:
    """Return the language of `speaking`; None outside of it."""
    return _spoken.get()


def languages() -> tuple[str, ...]:
    """Return every language that the app speaks, English first."""
    return ("en", *sorted(path.parts[-3] for path in LOCALE_DIR.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


@cache
def _catalogue_of(name: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, LOCALE_DIR, [name], fallback=True)


def _catalogue() -> gettext.NullTranslations:
    """Return the catalogue in which sentences are looked up now."""
    name = _spoken.get()
    return _translations if name is None else _catalogue_of(name)


def _languages_of_the_system() -> Iterable[str]:
    """Return the languages that the user has asked for, the dearest first."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if languages := os.environ.get(variable):
            return languages.split(":")
    return []


def mark(sentence: str) -> str:
    """Return a sentence as it is; marks it for the catalogue where it is looked up later."""
    return sentence


def _(sentence: str) -> str:
    """Return a sentence in the chosen language."""
    return _catalogue().gettext(sentence) if sentence else ""


def say(sentence: str | Plural, **values: object) -> str:
    """Return a sentence in the chosen language, its places filled.

    Args:
        sentence: One that is marked for the catalogue.
        values: What fills its places; for a `Plural` at least the whole number `count`.
    """
    if not isinstance(sentence, Plural):
        return _(sentence).format(**values) if values else _(sentence)
    count = values["count"]
    if not isinstance(count, int):
        raise TypeError(f"count must be a whole number, not {count!r}")
    return _catalogue().ngettext(sentence.one, sentence.several, count).format(**values)
