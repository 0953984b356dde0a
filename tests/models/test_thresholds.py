"""The table of what each number brings: one row for each value, and the numbers are as before after it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from models.training import thresholds
from vision.recognition import places_beside

SAMPLE = Path(__file__).parents[2] / "samples" / "stable.jpg"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for suffix in (".jpg", ".json"):
        shutil.copy(SAMPLE.with_suffix(suffix), tmp_path)
    return tmp_path


def table(capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    """Return the columns by what the row says was changed."""
    rows = capsys.readouterr().out.splitlines()[1:]
    return {row[:34].strip(): row[34:].split() for row in rows}


def test_a_number_that_matters_shows(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no candidate scores enough to be looked at, nothing is read; afterwards it is as before."""
    shipped = places_beside.PART_SCORE
    monkeypatch.setitem(thresholds.TRIED[places_beside], "PART_SCORE", (thresholds.NEVER, shipped))
    thresholds.main([str(folder), "--only", "PART_SCORE"])
    rows = table(capsys)
    assert rows["as shipped"][0] == "100.00%"
    assert rows[f"PART_SCORE {shipped:g} -> {thresholds.NEVER:g}"][0] == "0.00%"
    assert rows[f"PART_SCORE {shipped:g} -> {shipped:g}"] == rows["as shipped"]
    assert shipped == places_beside.PART_SCORE


def test_every_number_stands_where_the_reading_looks_for_it() -> None:
    """A name that was changed would be set without any effect."""
    for module, numbers in thresholds.TRIED.items():
        for name in numbers:
            assert isinstance(getattr(module, name), int | float), name
