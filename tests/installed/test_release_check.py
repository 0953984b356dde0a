"""What must hold before a release is looked at, and each fault is told."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

from tests.places import ROOT
from ui import __version__

LICENCES = """PYTHON SOFTWARE FOUNDATION LICENSE
GNU LESSER GENERAL PUBLIC LICENSE

libffi8 3.4 (Debian): libffi.so.8
"""
NOTICES = f"numpy 2.0: BSD-3-Clause\nshiboken6 6.11: LGPL-3.0-only OR GPL-2.0-only\n\n{LICENCES}"
LISTED = {"components": [{"name": "numpy"}, {"name": "shiboken6"}]}
CHANGELOG = f"# Changelog\n\n## Unreleased\n\n## {__version__} - 2026-11-22\n- One.\n"


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Returns the script, for a project in which all is well."""
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    import release_check

    monkeypatch.setattr(release_check, "ROOT", tmp_path)
    monkeypatch.setattr(release_check, "WORK", tmp_path)
    monkeypatch.setattr(release_check, "version", lambda: __version__)
    packed = tmp_path / "dist" / "pyramid-referee" / "_internal"
    packed.mkdir(parents=True)
    (packed / "libffi.so.8").touch()
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    (tmp_path / "NOTICES.txt").write_text(NOTICES, encoding="utf-8")
    (tmp_path / "sbom.cdx.json").write_text(json.dumps(LISTED), encoding="utf-8")
    return release_check


def test_all_is_well(check: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main() == 0
    assert capsys.readouterr().out == f"release-check: version {__version__} can be released.\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("CHANGELOG.md", "Unreleased\n", "Unreleased\n\n- Two.\n", "has lines under Unreleased"),
        ("CHANGELOG.md", __version__, "0.0.9", f"does not tell of version {__version__} first"),
        ("NOTICES.txt", "PYTHON SOFTWARE", "", "lacks the licence of Python"),
        ("NOTICES.txt", "BSD-3-Clause", "see its page", "no licence for numpy"),
        ("NOTICES.txt", "BSD-3-Clause", "GPL-3.0-only", "numpy 2.0 is under GPL-3.0-only, which may not"),
        ("NOTICES.txt", "BSD-3-Clause", "AGPL-3.0-only", "numpy 2.0 is under AGPL-3.0-only, which may not"),
        ("NOTICES.txt", "libffi.so.8", "libelse.so", "no licence for libffi.so.8"),
        ("sbom.cdx.json", "numpy", "else", "does not list numpy"),
        ("sbom.cdx.json", "{", "", "missing or damaged"),
    ],
    ids=["lines", "version", "python", "none", "gpl", "agpl", "system", "listed", "damaged"],
)
def test_each_fault_is_told(
    check: ModuleType, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, said: str
) -> None:
    path = check.ROOT / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    assert check.main() == 1
    assert said in capsys.readouterr().out
