"""The pages and their files: read once from the package, filled with words in the phone's language."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from string import Template

from ui.text.catalogue import _, languages, say, speaking
from ui.text.phones import words

FOLDER = resources.files("ui") / "web"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""Endings of the files that pages load; nothing else is ever served."""
PAGES = ("home", "before", "camera", "photos", "play", "watch", "overlay")


@cache
def static_files() -> Mapping[str, tuple[bytes, str]]:
    """Return every file that a page loads: name -> (bytes, type). No name leads anywhere else."""
    found = {}
    for file in FOLDER.iterdir():
        kind = TYPES.get("." + file.name.rpartition(".")[2])
        if kind is not None and file.is_file():
            found[file.name] = (file.read_bytes(), kind)
    return found


@cache
def _template(name: str) -> Template:
    head, text = ((FOLDER / f"{each}.html").read_text(encoding="utf-8") for each in ("head", name))
    return Template(text.replace("<!-- head -->\n", head))


def wanted_language(accepted: str) -> str:
    """Return the first language that a browser asks for and the app speaks; else English.

    >>> wanted_language("de-DE,fr;q=0.8,en;q=0.5")
    'fr'
    """
    known = languages()
    for part in accepted[:200].split(","):
        name = part.partition(";")[0].strip().lower().partition("-")[0]
        if name in known:
            return name
    return known[0]


def page(name: str, language: str, values: Mapping[str, str]) -> str:
    """Return a page as HTML.

    Args:
        name: One of `PAGES`.
        language: One that the app speaks.
        values: What else fills the template; becomes text, never markup.
    """
    with speaking(language):
        told = {key: _(sentence) for key, sentence in words.PAGE.items()}
    data = json.dumps(told, ensure_ascii=False)
    filled = {**told, "lang": language, "words": data, **values}
    return _template(name).substitute({key: html.escape(value) for key, value in filled.items()})


def players_page(language: str, players: list[str]) -> str:
    """Return the first page with a link for each player."""
    with speaking(language):
        labels = [say(words.I_AM, player=player) for player in players]
        none = _(words.NO_GAME)
    links = "".join(
        f'<a class="choice" href="play?player={at}">{html.escape(label)}</a>'
        for at, label in enumerate(labels)
    )
    filled = page("home", language, {})
    return filled.replace("<!-- players -->", links or f'<p class="quiet">{html.escape(none)}</p>')


def plain_page(sentence: str, language: str) -> str:
    """Return a page that says one sentence and loads nothing."""
    with speaking(language):
        title, told = _(words.NAME), _(sentence)
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        f"<title>{html.escape(title)}</title><h1>{html.escape(title)}</h1><p>{html.escape(told)}</p>"
    )
