"""The glossary: names in the code use its words, and none of those on its list of words not to say.

`python -m tests.test_glossary` prints the names that still do, one a line, to be put in place of `NOT_YET`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.catalogues import catalogue_paths, read_catalogue, translations_of
from tests.places import ROOT

GLOSSARY = ROOT / "docs" / "glossary.md"
PACKAGES = ("referee", "vision", "models", "ui")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

FOR_GOOD = """
models.training.export:export_finder
models.training.networks.finder_data
models.training.networks.finder_data:FinderWindows
models.training.networks.finder_data:finder_batches
models.training.networks.finder_data:finder_loss
models.training.networks.nets:FinderNet
models.training.train:train_finder
vision.recognition.pyramid_finder
"""
"""The shipped model `finder_202611` keeps its name, and with it what makes it; what finds the pyramid detects
no tiles."""

NOT_YET = """
"""
"""Names that wait for a better one. A name that has got one must leave this list."""


def forbidden_words(glossary: str = "") -> set[str]:
    """Return the entries of the table under "Do not say": a word each, or some words in a row."""
    section = (glossary or GLOSSARY.read_text("utf-8")).split("\n## Do not say\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {entry for row in rows for entry in re.findall(r"`([\w ]+)`", row)}


def rows_of_terms() -> list[list[str]]:
    """Return the cells of each term: the term, what it means, what not to say, the French."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in GLOSSARY.read_text("utf-8").split("\n## Do not say\n")[0].splitlines()
        if line.startswith("| ") and not line.startswith(("| term", "| ---"))
    ]


def has_one(name: str, forbidden: set[str]) -> bool:
    """Return whether a name in snake case or camel case has a forbidden entry, as whole words in a row."""
    words = f" {' '.join(WORD.findall(name)).lower()} "
    return any(f" {entry} " in words for entry in forbidden)


def public_names(path: Path) -> Iterator[str]:
    """Yield a module's name, and its public classes, functions and methods as module:Class.method."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    yield module
    yield from (f"{module}:{name}" for name in _defined(ast.parse(path.read_text(encoding="utf-8")), ""))


def _defined(tree: ast.Module | ast.ClassDef, within: str) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("_"):
                continue
            yield within + node.name
            if isinstance(node, ast.ClassDef):
                yield from _defined(node, f"{within}{node.name}.")


def offenders(forbidden: set[str]) -> list[str]:
    """Return the names of which the last part has a forbidden word."""
    files = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return [
        name
        for path in files
        for name in public_names(path)
        if has_one(re.split("[.:]", name)[-1], forbidden)
    ]


def test_no_name_uses_a_word_that_the_glossary_forbids() -> None:
    allowed = {*FOR_GOOD.split(), *NOT_YET.split()}
    assert [name for name in offenders(forbidden_words()) if name not in allowed] == []


def test_the_exceptions_are_still_needed() -> None:
    found = offenders(forbidden_words())
    stale = [name for name in (*FOR_GOOD.split(), *NOT_YET.split()) if name not in found]
    assert stale == [], "These names are good now: take them off the list."


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("KeepingTable", True),
        ("housekeeping", False),
        ("find_worlds", True),
        ("find_HTTPWorlds", True),
        ("SeenTile", True),
        ("seen_from", False),
        ("tile_seen", False),
    ],
)
def test_a_word_is_found_whole_and_words_in_their_order(name: str, is_one: bool) -> None:
    assert has_one(name, {"keeping", "worlds", "seen tile"}) is is_one


def test_the_list_of_words_is_found_in_the_glossary() -> None:
    assert {"keeping", "courses", "worlds", "seen tile"} <= forbidden_words()


def test_no_term_stands_twice_and_each_has_a_meaning() -> None:
    rows = rows_of_terms()
    assert [row for row in rows if len(row) != 4 or not row[1]] == []
    terms = [row[0] for row in rows]
    assert [term for term in terms if terms.count(term) > 1] == []


def test_the_french_words_are_those_of_the_catalogue() -> None:
    french = read_catalogue(next(path for path in catalogue_paths() if "fr" in path.parts))
    said = " ".join(text for message in french if message.id for text in translations_of(message)).lower()
    said = said.replace("\u00a0", " ")
    words = {
        word for *_, cell in rows_of_terms() for word in re.sub(r"\(.*?\)", "", cell).split(", ") if word
    }
    assert {word.strip() for word in words if word.strip().lower() not in said} == set()


if __name__ == "__main__":
    print("\n".join(name for name in offenders(forbidden_words()) if name not in FOR_GOOD.split()))
