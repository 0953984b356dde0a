"""Brings the catalogues up to date with the code: `python -m tests.catalogues`, or `make catalogues`.

1. Every marked sentence of the code is written to `ui/text/locale/pyramid-referee.pot`.
2. Every catalogue (`.po`) gets the new sentences, loses those that are gone, and keeps its translations.
   Where a sentence was only changed a little, its old translation stays and is marked `fuzzy`.
3. Every catalogue is compiled (`.mo`); the app reads nothing else. Fuzzy translations are left out.

A translator then looks for `fuzzy` and for empty `msgstr` in the `.po`, and runs the command again.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from ui.text.catalogue import DOMAIN, LOCALE_DIR
from vision.errors import VisionError

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("referee", "vision", "models", "ui")
TEMPLATE = LOCALE_DIR / f"{DOMAIN}.pot"
MARKS: dict[str, tuple[int, ...] | None] = {"_": None, "mark": None, "say": None, "Plural": (1, 2)}
"""Function or class -> which arguments are sentences; None is the first."""
NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)
"""Git knows when a catalogue was written; a date in it would differ at every run."""


def extracted() -> Catalog:
    """Return all sentences of the code."""
    kinds = (VisionError, *VisionError.__subclasses__())
    keywords = MARKS | {kind.__name__: None for kind in kinds}
    catalogue = Catalog(project=DOMAIN)
    for package in PACKAGES:
        for name, _line, message, _comments, _context in extract_from_dir(
            ROOT / package, method_map=[("**.py", "python")], keywords=keywords
        ):
            catalogue.add(message, locations=[(f"{package}/{Path(name).as_posix()}", 0)])
    return catalogue


def catalogue_paths() -> list[Path]:
    """Return every catalogue there is, sorted."""
    return sorted(LOCALE_DIR.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def read_catalogue(path: Path) -> Catalog:
    """Return a catalogue, with the plural forms of its language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain=DOMAIN, abort_invalid=True)


def as_po(catalogue: Catalog) -> bytes:
    """Return a catalogue as it is written: sorted, each sentence with the files that say it."""
    catalogue.creation_date = catalogue.revision_date = NO_DATE
    catalogue.last_translator = catalogue.language_team = catalogue.msgid_bugs_address = ""
    catalogue.header_comment = f"# The sentences of {DOMAIN}, brought up to date by: make catalogues"
    text = io.BytesIO()
    write_po(text, catalogue, width=110, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return re.sub(rb'"Generated-By: .*\n', b"", text.getvalue())


def updated() -> Iterator[tuple[Path, Catalog]]:
    """Yield every catalogue as it is to be, and where it is written to."""
    template = extracted()
    for path in catalogue_paths():
        catalogue = read_catalogue(path)
        catalogue.update(template)
        yield path, catalogue


def unfinished(catalogue: Catalog) -> list[str]:
    """Return the sentences that have no translation yet, or one that nobody has looked over."""
    return [
        sentences_of(message)[0]
        for message in catalogue
        if message.id and (message.fuzzy or not all(translations_of(message)))
    ]


def sentences_of(message: Message) -> tuple[str, ...]:
    """Return what the code says: one sentence, or those for one thing and for several."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def translations_of(message: Message) -> tuple[str, ...]:
    """Return what the catalogue says for it: one sentence, or one for each plural form of the language."""
    found = message.string or ""
    return (found,) if isinstance(found, str) else tuple(found)


def main() -> None:
    """Write the template and every catalogue, and compile them."""
    TEMPLATE.write_bytes(as_po(extracted()))
    for path, catalogue in updated():
        path.write_bytes(as_po(catalogue))
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalogue)
        todo = unfinished(catalogue)
        print(f"{path.relative_to(ROOT)}: {len(catalogue)} sentences, {len(todo)} to translate")


if __name__ == "__main__":
    main()
