"""Completion and the man page come from the parser itself: what it knows is in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from argparse_manpage.manpage import Manpage

from ui.cli.main import command_names, main, whole_parser


def completions(line: str, out: Path) -> set[str]:
    """Return what a shell would offer after this line."""
    asked = {
        "_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(out), "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
    }  # fmt: skip
    subprocess.run(
        [sys.executable, "-m", "ui"], env={**os.environ, **asked}, check=True, timeout=60, capture_output=True
    )
    return {word.strip() for word in out.read_text(encoding="utf-8").split("\n")}


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("pyramid-referee ", {"check", "doctor", "watch"}),
        ("pyramid-referee ch", {"check"}),
        ("pyramid-referee tiles --paper ", {"a4", "letter"}),
        ("pyramid-referee check --an", {"--annotate"}),
    ],
    ids=["commands", "one", "values", "options"],
)
def test_a_shell_is_told_what_may_follow(line: str, offered: set[str], tmp_path: Path) -> None:
    assert offered <= completions(line, tmp_path / "out")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_lines(shell: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["completion", shell]) == 0
    lines = capsys.readouterr().out
    assert "pyramid-referee" in lines
    if shutil.which(shell):
        (tmp_path / "lines").write_text(lines, encoding="utf-8")
        subprocess.run([shell, "-n", str(tmp_path / "lines")], check=True, timeout=60)


def test_the_man_page_has_every_command_and_its_options() -> None:
    page = str(Manpage(whole_parser(), format="pretty"))
    plain = page.replace("\\-", "-").replace("\\fR", "").replace("\\fI", "").replace("\\fB", "")
    for name in command_names():
        assert f"pyramid-referee {name}" in plain, name
    for option in ("--annotate", "--demo", "--players", "--lang", "--work"):
        assert option in plain, option
