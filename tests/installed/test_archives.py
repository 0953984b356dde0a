"""The plain archives of the three systems, of a folder that stands for the bundle."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.places import ROOT

BESIDE = {"README.txt", "NOTICES.txt", "sbom.cdx.json", "LICENSE"}


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Returns the script, for a project in which a small bundle was made."""
    monkeypatch.syspath_prepend(str(ROOT / ".ci" / "bundle"))
    import archive as script

    for place, name in (("pyramid-referee", "pyramid-referee"), ("Pyramid Referee.app/Contents", "program")):
        inside = tmp_path / "work" / place / "_internal"
        inside.mkdir(parents=True)
        (inside / "picture.jpg").touch(mode=0o600)
        (inside.parent / name).touch(mode=0o700)
    for name in BESIDE - {"README.txt", "LICENSE"}:
        (tmp_path / "work" / name).touch()
    (tmp_path / "LICENSE").touch()
    monkeypatch.setattr(script, "ROOT", tmp_path)
    return script


def make(script: ModuleType) -> Path:
    work = script.ROOT / "work"
    made = script.make_archive(work / "pyramid-referee", work, "1.2.3")
    assert isinstance(made, Path)
    assert list((script.ROOT / "dist").iterdir()) == [made]
    return made


def test_on_linux_everybody_may_start_it_and_is_told_what_a_window_needs(archive: ModuleType) -> None:
    made = make(archive)
    assert made.name.startswith("pyramid-referee-1.2.3-linux-")
    with tarfile.open(made) as opened:
        entries = {entry.name.removeprefix("pyramid-referee/"): entry for entry in opened.getmembers()}
        told = opened.extractfile("pyramid-referee/README.txt")
        assert told is not None
        assert b"apt-get install" in told.read()
    assert entries.keys() >= {"pyramid-referee", "_internal/picture.jpg", *BESIDE}
    assert oct(entries["pyramid-referee"].mode) == oct(0o755)
    assert oct(entries["_internal/picture.jpg"].mode) == oct(0o644)
    assert {(entry.uid, entry.uname) for entry in entries.values()} == {(0, "")}


def test_on_macos_the_app_is_packed(archive: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with tarfile.open(make(archive)) as opened:
        names = {name.removeprefix("pyramid-referee/") for name in opened.getnames()}
    assert names >= {"Pyramid Referee.app/Contents/program", *BESIDE}
    assert "pyramid-referee" not in names


def test_on_windows_it_is_a_zip_file(archive: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    made = make(archive)
    assert made.suffix == ".zip"
    with zipfile.ZipFile(made) as opened:
        names = {name.removeprefix("pyramid-referee/") for name in opened.namelist()}
    assert names >= {"pyramid-referee", "_internal/picture.jpg", *BESIDE}
