"""The set-up on machines that lack something: one sentence each, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.places import ROOT

SCRIPTS = ROOT / ".ci"


class Stopped(Exception):
    """What these tests let the scripts raise."""


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import system_libraries

    return system_libraries


@pytest.fixture
def bare(libraries: ModuleType, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """A system without some libraries; returns the programs that it has, to be added to."""
    programs: set[str] = set()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(libraries.shutil, "which", lambda name: name if name in programs else None)
    monkeypatch.setattr(libraries, "has_font", lambda _: False)
    monkeypatch.setattr(libraries, "missing_libraries", lambda _: ["libGL.so.1", "libxcb.so.1"])
    return programs


def test_a_plain_user_gets_the_one_command(libraries: ModuleType, bare: set[str]) -> None:
    bare |= {"apt-get", "sudo"}
    with pytest.raises(
        Stopped, match=r"sudo apt-get install --no-install-recommends fonts-dejavu-core libgl1 libxcb1 xvfb\n"
    ):
        libraries.provide(Path("python"), True, Stopped)


def test_without_the_tests_no_virtual_screen_is_asked_for(libraries: ModuleType, bare: set[str]) -> None:
    bare.add("apt-get")
    with pytest.raises(Stopped, match=r"as root with\n.*recommends libgl1 libxcb1\n"):
        libraries.provide(Path("python"), False, Stopped)


def test_another_system_gets_the_names_of_the_libraries(libraries: ModuleType, bare: set[str]) -> None:
    with pytest.raises(Stopped, match=r"not known: libGL\.so\.1, libxcb\.so\.1, Xvfb, DejaVuSans\.ttf\."):
        libraries.provide(Path("python"), True, Stopped)


@pytest.mark.parametrize(("user", "why"), [(1000, "must be installed as root"), (0, "E: No such package.")])
def test_without_a_browser_the_other_tests_run(
    libraries: ModuleType,
    bare: set[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    user: int,
    why: str,
) -> None:
    bare |= {"apt-get", "chromium"}
    asked: list[list[str]] = []
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(libraries, "install", lambda packages: asked.append(packages) or why)
    libraries.provide_browser()
    (sentence,) = capsys.readouterr().out.splitlines()
    assert sentence.startswith("set-up: The pages of the phones are not tested in a browser here")
    assert why in sentence
    assert sentence.endswith("apt-get install chromium-driver")
    assert asked == ([["chromium-driver"]] if user == 0 else [])


def test_a_complete_system_misses_nothing(libraries: ModuleType) -> None:
    assert libraries.survey(Path(sys.executable), True) == ([], [])


def test_an_old_python_is_told_apart() -> None:
    code = (
        f"import runpy, sys; sys.path.insert(0, {str(SCRIPTS)!r}); sys.version_info = (3, 9, 2)\n"
        f"runpy.run_path({str(SCRIPTS / 'set_up.py')!r}, run_name='__main__')"
    )
    line = [sys.executable, "-c", code]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("set-up: Pyramid Referee needs Python 3.11 or newer, and this is 3.9.")
    assert len(done.stderr.splitlines()) == 1


def test_the_constraints_name_versions_and_nothing_else() -> None:
    lines = (SCRIPTS / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert pinned
    assert [line for line in pinned if line.count("==") != 1 or "/" in line or " " in line] == []
