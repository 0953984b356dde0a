"""What the README promises."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_engine_example_runs() -> None:
    """The README's example gives what it shows."""
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 4
    assert results.failed == 0


def test_what_it_links_to_is_there() -> None:
    """Every picture and file that the README names exists."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = [
        *re.findall(r"\]\(([^)#]+)\)", text),
        *re.findall(r"samples/[\w-]+\.jpg", text),
        ".ci/constraints.txt",
    ]
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
