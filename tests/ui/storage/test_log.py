"""The log: what goes into it, what does not, how large it gets, and what *Copy details* makes of it."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT
from ui.cli import main as command_line
from ui.storage import log
from ui.storage.log import details_of, last_lines, log_path, start_logging, without_secrets


@pytest.fixture(autouse=True)
def logged() -> Iterator[logging.Logger]:
    """The log as the program has it, taken away again."""
    stop_logging()
    start_logging()
    yield logging.getLogger("ui.test")
    stop_logging()


def stop_logging() -> None:
    root = logging.getLogger()
    for handler in [each for each in root.handlers if type(each).__module__ == log.__name__]:
        root.removeHandler(handler)


def raised() -> ValueError:
    """Return an error as somebody catches it."""
    try:
        raise ValueError("cannot read '/home/ann/My photos/table.jpg' of rtsp://ann:secret@camera/live?pin=7")
    except ValueError as error:
        return error


def test_an_error_goes_there_with_its_traceback(logged: logging.Logger, user_folders: Path) -> None:
    logged.error("In a worker", exc_info=raised())
    if sys.platform.startswith("linux"):
        assert log_path() == user_folders / "xdg_state_home" / "pyramid-referee" / "pyramid-referee.log"
    first, second, *rest = log_path().read_text().splitlines()
    assert "INFO ui: pyramid-referee " in first
    assert second.endswith("ERROR ui.test: In a worker")
    assert rest[0] == "Traceback (most recent call last):"
    assert (
        rest[1] == f'  File "…/ui/storage/test_log.py", line {raised.__code__.co_firstlineno + 3}, in raised'
    )
    assert rest[-1] == "ValueError: cannot read '…/table.jpg' of rtsp://…@camera/live?…"


def test_it_lies_with_the_data_where_the_user_says(
    logged: logging.Logger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "data"))
    logged.warning("Something.")
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["pyramid-referee.log"]


def test_what_others_tell_in_passing_is_left_out(logged: logging.Logger) -> None:
    """Our own notes are there, and everybody's warnings."""
    logging.getLogger("PIL").info("A chunk.")
    assert not log_path().exists()
    logged.info("Ours.")
    logging.getLogger("PIL").warning("Theirs.")
    assert [line.rpartition(": ")[2] for line in last_lines(2)] == ["Ours.", "Theirs."]


def test_it_stays_small(logged: logging.Logger) -> None:
    """Three files of half a megabyte at the most, the newest lines in the first."""
    for number in range(200):
        logged.info("%d %s", number, "x" * 10_000)
    files = sorted(log_path().parent.iterdir())
    assert [file.name for file in files] == [log.FILE_NAME, f"{log.FILE_NAME}.1", f"{log.FILE_NAME}.2"]
    assert all(file.stat().st_size <= log.MAX_BYTES for file in files)
    assert ": 199 x" in last_lines(1)[0]


def test_where_it_cannot_be_written_nothing_happens(
    logged: logging.Logger,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(folder))
        logged.error("Lost", exc_info=raised())
    assert last_lines() == []
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("cannot open /home/ann/x.mp4, then", "cannot open …/x.mp4, then"),
        (r"C:\Users\Ann\Pictures\table.jpg is gone", "…/table.jpg is gone"),
        ('"C:\\Users\\Ann B\\table.jpg"', '"…/table.jpg"'),
        ('File "/home/bob smith/lib/ui/cli/main.py", line 3, in x', 'File "…/ui/cli/main.py", line 3, in x'),
        ("rtsp://a:b'c@cam/x", "rtsp://…@cam/x"),
        ("source_of_a_long_name_rtsp://a:b@cam/x", "source_of_a_long_name_rtsp://…@cam/x"),
        ("'http://cam/user=a&password=b/video'", "'http://cam/…/video'"),
        ("read R40 B20/G100 -/R60 at 1/2", "read R40 B20/G100 -/R60 at 1/2"),
        ("No space left on device: '/'", "No space left on device: '/'"),
    ],
)
def test_secrets_are_left_out(text: str, kept: str) -> None:
    assert without_secrets(text) == kept


def test_details_hold_versions_traceback_and_the_last_lines(logged: logging.Logger) -> None:
    """Nobody needs to open the file; and nothing private is on the clipboard."""
    for number in range(100):
        logged.info("Note %d.", number)
    lines = details_of(raised()).splitlines()
    assert lines[0].startswith("pyramid-referee ")
    assert f"Python {sys.version.split()[0]}" in lines[0]
    assert "ValueError: cannot read '…/table.jpg' of rtsp://…@camera/live?…" in lines
    before = lines[lines.index("The log before:") + 1 :]
    assert len(before) == log.LAST_LINES
    assert before[-1].endswith("INFO ui.test: Note 99.")
    assert "secret" not in "\n".join(lines)


def test_an_error_of_the_command_line_that_nobody_foresaw_is_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence is on the screen as before; one that was foreseen is on the screen alone."""

    def fail(arguments: list[str], *, has_output: bool) -> int:
        assert has_output
        raise raised() if arguments else OSError(28, "No space left on device")

    monkeypatch.setattr(command_line, "_dispatch", fail)
    assert command_line.main(["check", "a.jpg"]) == 1
    assert capsys.readouterr().err.startswith(
        "pyramid-referee: Something went wrong inside the referee (ValueError"
    )
    log_lines = log_path().read_text()
    assert "ERROR ui.cli.main: check failed\nTraceback" in log_lines
    assert "a.jpg" not in log_lines
    assert command_line.main([]) == 1
    assert "ERROR ui.cli.main: app failed\nTraceback" in log_path().read_text()


def test_debug_still_prints_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "_dispatch", lambda *_arguments, **_has_output: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        command_line.main(["check", "--debug"])
    assert "ZeroDivisionError" in log_path().read_text()


def test_a_run_without_errors_writes_nothing(tmp_path: Path) -> None:
    """Nor does one whose errors have sentences of their own."""
    command = [sys.executable, "-m", "ui", "check", str(tmp_path / "none.jpg")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert not log_path().exists()
