"""The command line in a process of its own, held to what every attack expects of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_S, MOST_MB = 20.0, 600
"""How much of a processor's time a command may take, and how much memory."""
HANGS_S = 180.0
"""So long nothing takes, however busy the machine is."""
NOT_A_SENTENCE = re.compile(
    r"Traceback|Something went wrong|Exception ignored|libpng|Corrupt JPEG|Premature end|\[ ?WARN|\[ERROR"
)
"""What no attack may bring to the terminal."""
COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal takes for a command, or shows in another order."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended."""

    status: int
    out: str
    err: str
    peak_mb: float


def attack(
    *arguments: str | bytes | Path,
    data: Path,
    streams: Mapping[str, int | None] | None = None,
    shell: str | None = None,
    then: Callable[[int], None] | None = None,
    as_anybody: bool = False,
) -> Outcome:
    """Run the command line and return how it ended.

    Args:
        arguments: After the program's name.
        data: The folder for games and settings.
        streams: Other standard streams, as `subprocess.Popen` takes them.
        shell: What a shell puts behind the command, such as `>&-`.
        then: Called with the process's number once it runs.
        as_anybody: Take root's right to read everything away.

    Raises:
        AssertionError: It took too long or too much memory, or printed anything but sentences.
    """
    line: list[str | bytes | Path] = [sys.executable, "-m", "ui", "--lang", "en", *arguments]
    if as_anybody and os.geteuid() == 0:
        line = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", *line]
    if shell is not None:
        line = ["sh", "-c", f'exec "$@" {shell}', "sh", *line]
    out, err = data.parent / "out.txt", data.parent / "err.txt"
    environment = os.environ | {"PYRAMID_REFEREE_DATA": str(data), "PYTHONUNBUFFERED": ""}
    with out.open("wb") as out_file, err.open("wb") as err_file:
        channels = {"stdin": subprocess.DEVNULL, "stdout": out_file, "stderr": err_file} | dict(streams or {})
        process = subprocess.Popen(line, env=environment, start_new_session=True, **channels)  # type: ignore[call-overload]
        if then is not None:
            then(process.pid)
        status, peak_mb = _end_of(process)
    outcome = Outcome(status, out.read_text(errors="replace"), err.read_text(errors="replace"), peak_mb)
    for text in (outcome.out, outcome.err):
        assert not NOT_A_SENTENCE.search(text), text[-3000:]
        assert not COMMANDS.search(text), ascii(text[-3000:])
    assert peak_mb < MOST_MB, outcome
    return outcome


def _end_of(process: subprocess.Popen[bytes]) -> tuple[int, float]:
    """Return a process's exit status (negative after a signal) and its peak of memory, in MB."""
    until = time.monotonic() + HANGS_S
    peak_mb = 0.0
    while time.monotonic() < until:
        peak_mb = max(peak_mb, _peak_mb(process.pid))
        number, status, used = os.wait4(process.pid, os.WNOHANG)
        if number:
            process.returncode = os.waitstatus_to_exitcode(status)
            assert used.ru_utime + used.ru_stime < MOST_S
            return process.returncode, peak_mb
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    raise AssertionError(f"It did not end within {HANGS_S} s.")


def _peak_mb(process: int) -> float:
    """Return the most memory that a process has had since it began; 0 where the system does not tell.

    What `wait4` tells counts the memory of the process that started it, too.
    """
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0
