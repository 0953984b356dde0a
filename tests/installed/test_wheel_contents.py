"""A wheel holds what the program needs, and little else; its version is the program's."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.installed.distribution import files_below, wanted_files
from tests.places import ROOT
from ui import __version__

BUILD = """
import sys
from setuptools import setup
setup(script_args=["-q", "egg_info", "--egg-base", sys.argv[1], "build_py", "--build-lib", sys.argv[2]])
"""
"""What a wheel is packed from, without the packing, and nothing is left in the checkout."""
MOST_BYTES = 12 * 2**20


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("wheel")
    line = [sys.executable, "-c", BUILD, str(folder), str(folder / "packed")]
    subprocess.run(line, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300)
    told = next(folder.glob("*.egg-info/PKG-INFO")).read_text(encoding="utf-8")
    assert f"\nVersion: {__version__}\n" in told
    return files_below(folder / "packed")


def test_the_wheel_holds_what_the_program_needs(packed: dict[str, bytes]) -> None:
    assert wanted_files() - packed.keys() == set()
    assert sum(map(len, packed.values())) < MOST_BYTES


def test_the_wheel_holds_no_tests_and_nothing_else(packed: dict[str, bytes]) -> None:
    others = {name for name in packed.keys() - wanted_files() if not name.endswith(".md")}
    assert others == set()


def test_the_changelog_tells_of_this_version() -> None:
    """The first heading after the one for what comes next."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(__version__)} - \d{{4}}-\d\d-\d\d", versions[1])
