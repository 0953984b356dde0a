"""Reads the gettext catalogues (.po) and compiles them (.mo): `python -m ui.text.gettext_catalogue`.

A small part of GNU gettext is enough: whole sentences, no plurals and no contexts. So nobody needs
its tools to add a sentence, and a test can compile the catalogues and compare.
"""

from __future__ import annotations

import ast
import struct
from pathlib import Path

from ui.text.sentences import DOMAIN, LOCALE_DIR

MO_MAGIC = 0x950412DE
MO_HEADER_BYTES = 28


def read_po(text: str) -> dict[str, str]:
    """Return msgid -> msgstr of a catalogue; the header has the empty msgid.

    Raises:
        ValueError: A line that is not understood, a repeated msgid, or a fuzzy entry.
    """
    entries: dict[str, str] = {}
    parts = {"msgid": "", "msgstr": ""}
    at = ""
    for number, line in enumerate([*text.splitlines(), 'msgid ""'], 1):
        keyword, _, quoted = line.partition(" ")
        if line.startswith('"'):
            parts[at] += ast.literal_eval(line)
        elif keyword == "msgid":
            if at == "msgstr":
                if parts["msgid"] in entries:
                    raise ValueError(f"line {number}: {parts['msgid']!r} is there twice before")
                entries[parts["msgid"]] = parts["msgstr"]
            at = keyword
            parts = {"msgid": ast.literal_eval(quoted), "msgstr": ""}
        elif keyword == "msgstr":
            at = keyword
            parts[at] = ast.literal_eval(quoted)
        elif line.startswith("#,") and "fuzzy" in line:
            raise ValueError(f"line {number}: a fuzzy entry is not finished")
        elif line and not line.startswith("#"):
            raise ValueError(f"line {number}: {line!r} is not understood")
    return entries


def compile_mo(entries: dict[str, str]) -> bytes:
    """Return a catalogue in the binary form that `gettext` loads; untranslated entries are left out."""
    pairs = sorted((key.encode(), value.encode()) for key, value in entries.items() if value)
    keys_at = MO_HEADER_BYTES
    values_at = keys_at + 8 * len(pairs)
    text_at = values_at + 8 * len(pairs)
    tables, text = [b"", b""], b""
    for column in (0, 1):
        for pair in pairs:
            tables[column] += struct.pack("<II", len(pair[column]), text_at + len(text))
            text += pair[column] + b"\0"
    header = struct.pack("<7I", MO_MAGIC, 0, len(pairs), keys_at, values_at, 0, values_at)
    return header + tables[0] + tables[1] + text


def catalogue_paths() -> list[Path]:
    """Return every catalogue there is, sorted."""
    return sorted(LOCALE_DIR.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def main() -> None:
    """Compile every catalogue beside its source."""
    for path in catalogue_paths():
        path.with_suffix(".mo").write_bytes(compile_mo(read_po(path.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
