"""The catalogues: complete, up to date, compiled, and typeset as their language wants it."""

from __future__ import annotations

import gettext
import os
import re
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from tests.catalogues import (
    TEMPLATE,
    as_po,
    catalogue_paths,
    extracted,
    read_catalogue,
    sentences_of,
    translations_of,
    unfinished,
    updated,
)
from ui.text import catalogue as texts
from ui.text.catalogue import LOCALE_DIR, Plural, choose_language, say

EXTRACTED = extracted()
CATALOGUES = catalogue_paths()
LANGUAGES = [path.parts[-3] for path in CATALOGUES]
FRENCH = read_catalogue(CATALOGUES[LANGUAGES.index("fr")])
TILES_IN_SENTENCES = "tile|tiles|taken|left|right|gone|moved|other|short|first|last|either"
GLUED = re.compile(rf"\b(de|à|du|au|que le|que la) \{{({TILES_IN_SENTENCES})\}}")


@pytest.fixture(autouse=True)
def english():
    choose_language("en")
    yield
    choose_language("en")


def fields(sentence: str) -> set[str]:
    """Return the places of a sentence, also those as `argparse` writes them."""
    if re.search(r"%\(\w+\)", sentence):
        return set(re.findall(r"%\(\w+\)\w", sentence))
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def pairs(message: Message) -> list[tuple[str, str]]:
    """Return what is said beside what it translates; the last plural form stands for all further ones."""
    said, translated = sentences_of(message), translations_of(message)
    return [(said[min(number, len(said) - 1)], text) for number, text in enumerate(translated)]


def test_there_is_a_catalogue_for_every_language_but_english():
    assert LANGUAGES == ["fr"]


@pytest.mark.parametrize("path", CATALOGUES, ids=LANGUAGES)
def test_a_catalogue_holds_every_sentence_of_the_code_and_no_other(path):
    in_code = {message.id for message in EXTRACTED if message.id}
    in_catalogue = {message.id for message in read_catalogue(path) if message.id}
    assert (in_code - in_catalogue, in_catalogue - in_code) == (set(), set()), "Run: make catalogues"


def test_the_template_holds_every_sentence_of_the_code():
    with TEMPLATE.open("rb") as file:
        in_template = {message.id for message in read_po(file) if message.id}
    assert in_template == {message.id for message in EXTRACTED if message.id}, "Run: make catalogues"


@pytest.mark.parametrize("path", CATALOGUES, ids=LANGUAGES)
def test_every_sentence_is_translated_and_looked_over(path):
    assert unfinished(read_catalogue(path)) == []


@pytest.mark.parametrize("path", CATALOGUES, ids=LANGUAGES)
def test_the_places_of_a_sentence_are_those_of_its_translation(path):
    different = [
        (sentence, translated)
        for message in read_catalogue(path)
        if message.id
        for sentence, translated in pairs(message)
        if fields(sentence) != fields(translated)
    ]
    assert different == []


@pytest.mark.parametrize("path", CATALOGUES, ids=LANGUAGES)
def test_the_compiled_catalogue_is_that_of_its_source(path):
    with path.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in read_catalogue(path):
        if message.id and len(sentences_of(message)) == 1:
            assert compiled.gettext(message.id) == message.string, "Run: make catalogues"
        elif message.id:
            several = [compiled.ngettext(*message.id, count) for count in (1, 2)]
            assert several == list(message.string), "Run: make catalogues"


def test_a_second_run_of_the_command_changes_nothing():
    for path, catalogue in updated():
        assert as_po(catalogue) == as_po(read_catalogue(path)), "Run: make catalogues"


def test_marks_of_every_kind_are_found():
    keys = {message.id for message in EXTRACTED if message.id}
    assert "Undo" in keys
    assert ("{count} turn", "{count} turns") in keys
    assert "{name!r} is empty." in keys, "the sentence of an error of vision/"


def french_lines() -> list[str]:
    return [text for message in FRENCH if message.id for text in translations_of(message)]


NOT_FRENCH = re.compile(r"\{[^}]*\}|(https?|rtsp|tcp)://|;;|\[[^]]*\]|pip install '[^']*'|%\(\w+\)\w|'\S'")
"""Places to fill, addresses, filters of file names, commands."""


def test_french_has_its_own_spaces_and_apostrophes():
    lines = [NOT_FRENCH.sub("x", line) for line in french_lines()]
    wrong = re.compile(r"(?<!\u00a0)[:;?!»](?!\d)|«(?!\u00a0)|\w'\w| …|\.\.\.")
    assert [line for line in lines if wrong.search(line)] == []


def test_french_names_of_tiles_have_their_article_and_so_follow_no_de_or_a():
    assert [line for line in french_lines() if GLUED.search(line)] == []


NOUNS = [message for message in EXTRACTED if message.id and len(sentences_of(message)) == 2]


@pytest.mark.parametrize("message", NOUNS, ids=lambda message: message.id[0][:40])
def test_a_number_stands_beside_the_right_form(message):
    plural = Plural(*message.id)
    values = dict.fromkeys(fields(plural.one) | fields(plural.several), "x")
    for language, forms in (("en", plural), ("fr", FRENCH.get(message.id).string)):
        choose_language(language)
        for count in (0, 1, 2):
            is_one = count == 1 or (count == 0 and language == "fr")
            expected = forms[0 if is_one else 1].format(**(values | {"count": count}))
            assert say(plural, **(values | {"count": count})) == expected


TURNS = Plural("{count} turn", "{count} turns")


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", ["0 turns", "1 turn", "2 turns"]), ("fr", ["0 tour", "1 tour", "2 tours"])],
)
def test_nought_is_one_in_french_and_several_in_english(language, said):
    choose_language(language)
    assert [say(TURNS, count=count) for count in range(3)] == said


def test_a_plural_needs_a_whole_number():
    with pytest.raises(TypeError, match="whole number"):
        say(TURNS, count="3")


@pytest.mark.parametrize(
    ("variables", "undo"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "Annuler"),
        ({"LANG": "C.UTF-8"}, "Undo"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "en:fr"}, "Undo"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "de:fr:en"}, "Annuler"),
        ({}, "Undo"),
    ],
)
def test_the_systems_language_is_the_first_that_there_is(variables, undo, monkeypatch):
    # Not in the real environment: the C library reads LANGUAGE, too, and keeps what it has translated.
    monkeypatch.setattr(os, "environ", variables)
    choose_language(None)
    assert texts.say("Undo") == undo


def test_a_language_that_is_not_there_is_english():
    for name, undo in (("xx", "Undo"), ("fr_CA", "Annuler"), ("en_US", "Undo")):
        choose_language(name)
        assert say("Undo") == undo


def test_no_other_file_is_shipped_with_the_catalogues():
    assert {path.suffix for path in Path(LOCALE_DIR).rglob("*") if path.is_file()} == {".po", ".pot", ".mo"}
