"""What stays of Qt's tables of languages."""

from __future__ import annotations

import struct
from types import ModuleType

import pytest

from tests.places import ROOT

HEADER = struct.pack("<HBB", 32, 0xDA, 0x27) + b"\x14\0\0\0\0\0\2\0CmnD\1\0\0\0" + b"\0" * 12
FILES = {
    "icudt73l/aa.res": b"other",
    "icudt73l/coll/de.res": b"other",
    "icudt73l/coll/fr_CA.res": b"ours",
    "icudt73l/coll/root.res": b"for all",
    "icudt73l/coll/ucadata.icu": b"letters",
    "icudt73l/euc-jp-2007.cnv": b"rare",
    "icudt73l/fr.res": b"ours, with a longer text",
    "icudt73l/likelySubtags.res": b"for all",
    "icudt73l/root.res": b"for all",
    "icudt73l/unit/fr.res": b"never shown",
}


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Returns the script."""
    monkeypatch.syspath_prepend(str(ROOT / ".ci" / "bundle"))
    import language_tables

    return language_tables


def test_ours_and_what_holds_for_all_stay(tables: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as everything:
        everything.setattr(tables, "KEPT", tables.re.compile(".*"))
        whole = tables.package_of((HEADER, FILES))
    library = b"\x7fELF and more" + whole + b"the end of the library"
    header, files = tables.contents(library)
    assert (header, list(files)) == (HEADER, list(FILES))
    assert all(files[name].startswith(text) for name, text in FILES.items())
    header, kept = tables.contents(tables.package_of((header, files)))
    assert header == HEADER
    assert {name: text.rstrip(b"\0") for name, text in kept.items()} == {
        name: text for name, text in FILES.items() if text.startswith((b"ours", b"for all", b"letters"))
    }
