"""The packages that the program stands on: versions, licences and what their authors want to be told."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

OURS = "pyramid-referee"
NO_LICENCE = "see its page"
MOST_LETTERS = 60
"""Some packages have the whole text of their licence where its name belongs."""

PACKED = Path(__file__).resolve().parents[2] / "NOTICES.txt"
"""Where the bundle has its notices."""

_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|third.?party)", re.IGNORECASE)
_TEXTS = {"", ".txt", ".md", ".rst", ".apache", ".bsd", ".mit"}
_NAME = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class Package:
    """One package, as it is installed."""

    name: str
    version: str
    licence: str
    """Its name in a few words, such as BSD-3-Clause."""
    texts: tuple[str, ...]
    """The texts that it brings: licence, credits, those of its own parts."""


def packages() -> tuple[Package, ...]:
    """Return ours and all that it needs, sorted by name; none where the program was never installed."""
    found: dict[str, Distribution] = {}
    todo = [OURS]
    while todo:
        try:
            one = distribution(todo.pop())
        except PackageNotFoundError:  # of another system, or of an extra
            continue
        if (name := one.name.lower()) not in found:
            found[name] = one
            todo += [match[0] for need in one.requires or () if (match := _needed(need))]
    return tuple(_package(one) for _name, one in sorted(found.items()))


def notices_text() -> str:
    """Return all notices in one text: a list of the packages, then each with its texts.

    The bundle has one of its own, with Python, Qt and the libraries that were packed of the system.
    """
    if getattr(sys, "frozen", False) and PACKED.is_file():
        return PACKED.read_text(encoding="utf-8")
    parts = packages()
    lines = [f"{one.name} {one.version}: {one.licence}" for one in parts]
    for one in parts:
        title = f"{one.name} {one.version}"
        lines += ["", "=" * len(title), title, "=" * len(title), "", "\n\n".join(one.texts) or one.licence]
    return "\n".join(lines) + "\n"


def _needed(requirement: str) -> re.Match[str] | None:
    return None if "extra ==" in requirement else _NAME.match(requirement)


def _package(one: Distribution) -> Package:
    texts = []
    for file in one.files or ():
        if _LICENCE_FILE.search(file.name) and file.suffix.lower() in _TEXTS:
            try:
                texts.append(Path(str(one.locate_file(file))).read_text(encoding="utf-8").strip())
            except (OSError, UnicodeDecodeError):
                continue
    return Package(one.name, one.version, _licence(one), tuple(dict.fromkeys(texts)))


def _licence(one: Distribution) -> str:
    told = one.metadata.json
    said = str(told.get("license_expression") or told.get("license") or "")
    if said and len(said) <= MOST_LETTERS and "\n" not in said:
        return said
    classified = [line for line in told.get("classifier") or () if line.startswith("License :: ")]
    return ", ".join(line.rpartition(" :: ")[2] for line in classified) or NO_LICENCE
