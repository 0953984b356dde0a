"""The command line as a user meets it: a process with output, an exit status and no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

START = """
import sys, ui.cli.commands
from ui.cli.main import main
ui.cli.commands.__path__.append({folder!r})
sys.exit(main())
"""
OVERVIEW = """
import sys
from ui.cli.main import main
main(["--help"])
print(sorted(sys.modules.keys() & {heavy!r}))
"""
HEAVY = {"cv2", "numpy", "onnxruntime", "PySide6"}


def command_source(body: str, *, top: str = "") -> str:
    return (
        f"{top}\nHELP = 'A command of the tests.'\n"
        "def add_arguments(parser):\n    parser.add_argument('words', nargs='*')\n"
        f"def run(args):\n    {body}\n"
    )


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    folder = tmp_path / "commands"
    folder.mkdir()
    return folder


@pytest.fixture
def run(commands: Path) -> Run:
    """Runs the command line with the modules of `commands` as further subcommands."""

    def run_process(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-c", START.format(folder=str(commands)), *arguments]
        return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)

    return run_process


def test_overview_lists_the_commands_that_exist(run: Run, commands: Path) -> None:
    (commands / "juggle.py").write_text(command_source("return 0"))
    done = run("--help")
    assert done.returncode == 0
    assert "juggle" in done.stdout
    assert "A command of the tests." in done.stdout
    assert done.stderr == ""


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    from ui.cli.main import command_names, main

    assert "app" in command_names()
    for name in command_names():
        status = main([name, "--help"])
        out, err = capsys.readouterr()
        assert (status, err) == (0, ""), name
        assert f"pyramid-referee {name}" in out


def test_overview_imports_nothing_heavy() -> None:
    line = [sys.executable, "-c", OVERVIEW.format(heavy=HEAVY)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_only_the_chosen_command_is_imported(run: Run, commands: Path) -> None:
    (commands / "juggle.py").write_text(command_source("return 0"))
    (commands / "broken.py").write_text("raise RuntimeError('imported for nothing')")
    assert run("juggle").returncode == 0


def test_version(run: Run) -> None:
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("pyramid-referee")


@pytest.mark.parametrize("status", [0, 1, 2])
def test_exit_status_is_the_commands_own(run: Run, commands: Path, status: int) -> None:
    (commands / "juggle.py").write_text(command_source(f"return {status}"))
    assert run("juggle").returncode == status


@pytest.mark.parametrize(
    "arguments",
    [("no-such-command",), ("juggle", "--no-such-option"), ("--lang",), ("--no-such-option",)],
    ids=" ".join,
)
def test_wrong_usage_ends_with_2(run: Run, commands: Path, arguments: tuple[str, ...]) -> None:
    (commands / "juggle.py").write_text(command_source("return 0"))
    done = run(*arguments)
    assert done.returncode == 2
    assert "usage: pyramid-referee" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [("--lang", "fr", "juggle"), ("juggle", "--lang", "fr"), ("juggle", "--lang=fr")],
    ids=" ".join,
)
def test_common_options_stand_before_or_after_the_command(
    run: Run, commands: Path, arguments: tuple[str, ...]
) -> None:
    (commands / "juggle.py").write_text(command_source("print(args.lang, args.debug); return 0"))
    assert run(*arguments).stdout == "fr False\n"


def test_common_options_are_plain_when_not_given(run: Run, commands: Path) -> None:
    (commands / "juggle.py").write_text(command_source("print(args.lang, args.debug); return 0"))
    assert run("juggle").stdout == "None False\n"


def test_an_unexpected_error_is_one_sentence(run: Run, commands: Path) -> None:
    (commands / "juggle.py").write_text(command_source("raise ZeroDivisionError('the balls are gone')"))
    done = run("juggle")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "the balls are gone" in done.stderr
    assert "--debug" in done.stderr


def test_debug_shows_the_traceback(run: Run, commands: Path) -> None:
    (commands / "juggle.py").write_text(command_source("raise ZeroDivisionError('the balls are gone')"))
    done = run("juggle", "--debug")
    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_a_missing_file_is_named(run: Run, commands: Path) -> None:
    (commands / "juggle.py").write_text(command_source("open('no-such-file')"))
    done = run("juggle")
    assert done.returncode == 1
    assert "no-such-file" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_engines_own_errors_say_their_own_sentence(run: Run, commands: Path) -> None:
    (commands / "juggle.py").write_text(
        command_source("from referee.rules.tiles import Tile; Tile.from_code('Q7')")
    )
    done = run("juggle")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("pyramid-referee: There is no tile 'Q7'")


@pytest.mark.parametrize("during_import", [True, False], ids=["import", "work"])
def test_ctrl_c_ends_quietly_with_130(commands: Path, during_import: bool) -> None:
    ready, work = "print('ready', flush=True)", "import time; time.sleep(60)"
    # An import is brought to its end first.
    source = (
        command_source(work, top=f"{ready}; import time; time.sleep(0.5)")
        if during_import
        else command_source(f"{ready}; {work}")
    )
    (commands / "juggle.py").write_text(source)
    line = [sys.executable, "-c", START.format(folder=str(commands)), "juggle"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "")


def test_a_reader_who_leaves_early_sees_no_complaint(commands: Path) -> None:
    (commands / "juggle.py").write_text(command_source("[print('x' * 1000) for _ in range(10000)]; return 0"))
    line = [sys.executable, "-c", START.format(folder=str(commands)), "juggle"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (1, "")


def test_symbols_survive_an_old_locale(commands: Path) -> None:
    (commands / "juggle.py").write_text(command_source("print('\\u2192'); return 0"))
    line = [sys.executable, "-c", START.format(folder=str(commands)), "juggle"]
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(line, capture_output=True, env=environment, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, b"\\u2192")
