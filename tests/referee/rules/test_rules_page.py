"""The rules page lists every sentence with its test, and the code cites the page."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from referee.rules.mayhem import CHECKS
from tests.places import ROOT
from tests.referee.rules.test_sources import CASES

HERE = Path(__file__).parent
REFEREE = ROOT / "referee"
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (REFEREE / "RULES.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| 00\d", line)
]


def test_every_case_stands_in_the_table_with_its_sources_and_no_other():
    listed = [tuple(row) for row in ROWS if "/test_" not in row[2]]
    assert listed == [(case.sources, case.says, f"`{case.name}`") for case in CASES]
    assert len({case.name for case in CASES}) == len(CASES)


def test_every_test_that_the_table_names_exists():
    named = [re.fullmatch(r"`(\w+/test_\w+\.py): (test_\w+)`", row[2]) for row in ROWS if "/test_" in row[2]]
    assert len(named) > 20
    for match in named:
        tree = ast.parse((HERE.parent / match[1]).read_text(encoding="utf-8"))
        assert match[2] in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_each_check_cites_its_section_and_its_sources():
    for number, check in enumerate(CHECKS, 1):
        assert f"Rule 4.{number} (" in check.__doc__ or f"Rule 4.{number}." in check.__doc__


def test_the_sections_that_docstrings_cite_exist():
    page = (REFEREE / "RULES.md").read_text(encoding="utf-8")
    cited = {
        section
        for path in REFEREE.rglob("*.py")
        for section in re.findall(r"Rules? (\d)", path.read_text(encoding="utf-8"))
    }
    assert cited == {section for section in cited if f"\n## {section}. " in page}
    assert {"1", "2", "3", "4", "5", "7"} <= cited


def test_the_engine_imports_the_standard_library_alone():
    import sys

    for path in REFEREE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.split(".")[0]
                assert top == "referee" or top in sys.stdlib_module_names, (path.name, name)
