"""What README and docs say about installing, done line by line by somebody who has only the address."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed.conftest import newcomers_environment
from tests.places import ROOT, SAMPLES

PINNED = str(ROOT / ".ci" / "constraints.txt")
WITH_TESTED_VERSIONS = {"PIP_CONSTRAINT": PINNED, "UV_CONSTRAINT": PINNED, "PIPX_DEFAULT_BACKEND": "pip"}
"""All the tools that may be named; pipx would else leave the work to uv where that is there."""
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str, heading: str) -> list[str]:
    """Return the commands of a part of a page, block by block."""
    text = (ROOT / page).read_text(encoding="utf-8")
    part = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return BLOCK.findall(part)


def do(commands: str, folder: Path, home: Path) -> str:
    """Return what a block of commands prints, in a new shell."""
    programs = Path(sys.executable).parent  # with `build`, pipx and uv
    environment = newcomers_environment(home, QT_QPA_PLATFORM="offscreen")
    done = subprocess.run(
        ["sh", "-e", "-c", commands],
        cwd=folder,
        env=environment | WITH_TESTED_VERSIONS | {"PATH": f"{os.environ['PATH']}:{programs}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=3600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


@pytest.mark.slow
def test_what_the_readme_says_about_trying_it_works(tmp_path: Path) -> None:
    with_make, without = blocks("README.md", "Try it")
    said = do(with_make.replace("ADDRESS", str(ROOT)), tmp_path, tmp_path)
    assert "Collapse: green coal 1" in said
    checkout = tmp_path / "pyramid-referee"
    shutil.rmtree(checkout / ".venv")
    assert "Collapse: green coal 1" in do(without, checkout, tmp_path)
    libraries = do(f"{sys.executable} .ci/system_libraries.py", checkout, tmp_path)
    assert re.match(r"Nothing is missing\.|apt-get install ", libraries)


@pytest.mark.slow
def test_what_the_docs_say_about_wheels_works(tmp_path: Path) -> None:
    environment, make, *ways = blocks("docs/installing.md", "With Python")
    assert environment == blocks("README.md", "Try it")[1], "the other test runs it"
    checkout, elsewhere = tmp_path / "checkout", tmp_path / "elsewhere"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(checkout)], check=True)
    do(make.replace("python -m", f"{sys.executable} -m"), checkout, tmp_path)
    made = sorted(file.suffix for file in (checkout / "dist").iterdir())
    assert made == [".gz", ".whl"]
    elsewhere.mkdir()
    (checkout / "dist").rename(elsewhere / "dist")
    shutil.rmtree(checkout)
    shutil.copyfile(SAMPLES / "collapse.jpg", elsewhere / "photo.jpg")
    for way in ways:
        home = tmp_path / way.split()[0]
        home.mkdir()
        do(way, elsewhere, home)
        said = do(f"{home}/.local/bin/pyramid-referee --lang en check photo.jpg", elsewhere, home)
        assert "Collapse: green coal 1" in said


def test_the_blocks_are_found() -> None:
    """A page that is written anew must not leave the tests above with nothing to run."""
    assert [len(block.splitlines()) for block in blocks("README.md", "Try it")] == [2, 3]
    assert [len(block.splitlines()) for block in blocks("docs/installing.md", "With Python")] == [3, 1, 1, 1]
