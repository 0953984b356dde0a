"""One environment for all tests of the installed wheel: making it takes a while."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed.distribution import copy_sources
from tests.places import ROOT

LEFT_BEHIND = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "QT_QPA_PLATFORM")
"""Variables by which the checkout, or the way the tests run, could reach into the new environment."""


def newcomers_environment(home: Path, **more: str) -> dict[str, str]:
    """Return the variables of somebody who has just installed the program, and has no checkout."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in LEFT_BEHIND and not name.startswith("XDG_")
    }
    return {**kept, "HOME": str(home), "PYRAMID_REFEREE_DATA": str(home / "data"), **more}


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what packages are made from."""
    return copy_sources(tmp_path_factory.mktemp("packages") / "sources")


@pytest.fixture(scope="session")
def packages(sources: Path) -> Path:
    """Return a folder with the wheel and the sdist."""
    made = sources.parent / "made"
    line = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(made), str(sources)]
    subprocess.run(line, check=True, capture_output=True, text=True, timeout=600)
    return made


@pytest.fixture(scope="session")
def wheel(packages: Path) -> Path:
    """Return the wheel, made from the sdist."""
    return next(packages.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs of a new environment that has the wheel."""
    place = tmp_path_factory.mktemp("elsewhere") / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True, timeout=300)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    pip = [programs / "python", "-m", "pip", "install", "--quiet"]
    line = [*pip, "-c", ROOT / ".ci" / "constraints.txt", wheel]
    subprocess.run(line, check=True, cwd=place, timeout=1800, env=newcomers_environment(place))
    return programs
