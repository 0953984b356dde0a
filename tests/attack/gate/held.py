"""Holds the commands of a case to what is expected of all, in this process."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import resource
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.attack.attacked import COMMANDS, MOST_MB, MOST_S, NOT_A_SENTENCE
from tests.attack.gate.case import SECRET, Case, Ended, Place
from tests.places import SAMPLES
from ui.cli.main import main

INTERRUPTED = 130
FRESH_MB = 80.0
"""What a process holds before its first command; what other tests left in it besides is not the command's."""
Shape = dict[str, tuple[int, str]]


def faults_of(case: Case, folder: Path) -> list[str]:
    """Run a case in an empty folder, and return what was not as expected."""
    place = Place(folder / "given", folder / "beyond", folder / "data", folder / "new")
    for made in (place.given, place.beyond, place.data):
        made.mkdir()
    (place.beyond / "secret.txt").write_text(SECRET)
    picture = (SAMPLES / "fire.jpg").read_bytes() + SECRET.encode()
    (place.beyond / "secret.jpg").write_bytes(picture)
    commands = case.lay(place)
    before = shape_of(place.given) | shape_of(place.beyond)
    faults: list[str] = []
    ended: list[Ended] = []
    for command in commands:
        _forget_peak()
        used, left = _used_s(), max(0.0, _memory_mb("VmRSS") - FRESH_MB)
        with _environment(place):
            ended.append(_run(command, folder))
        faults += _faults_of_one(case, ended[-1])
        if (took := _used_s() - used) > MOST_S:
            faults.append(f"took {took:.0f} s of a processor")
        if (peak := _memory_mb("VmHWM") - left) > MOST_MB:
            faults.append(f"took {peak:.0f} MB")
    if case.sentences is not None and len(ended[-1].sentences) != case.sentences:
        faults.append(f"said {len(ended[-1].sentences)} sentences: {ended[-1].err[:500]!r}")
    if case.says not in ended[-1].err + ended[-1].out:
        faults.append(f"did not say {case.says!r}: {ended[-1].err[:500]!r}")
    after = shape_of(place.given) | shape_of(place.beyond)
    if changed := sorted(name for name in before.keys() | after if before.get(name) != after.get(name)):
        faults.append(f"changed {changed[:5]}")
    faults += _leaks(place, ended)
    if case.look is not None and (wrong := case.look(place, ended)):
        faults.append(wrong)
    return faults


def _faults_of_one(case: Case, ended: Ended) -> list[str]:
    faults = []
    if ended.status not in case.statuses:
        faults.append(f"ended with {ended.status}: {ended.err[-500:]!r}")
    if ended.status not in (0, INTERRUPTED) and not ended.sentences and not ended.out:
        faults.append(f"ended with {ended.status} without a word")
    for text in (ended.out, ended.err):
        if found := NOT_A_SENTENCE.search(text):
            faults.append(f"said {text[max(0, found.start() - 200) : found.end() + 600]!r}")
        if COMMANDS.search(text):
            faults.append(f"sent the terminal {text[-300:]!a}")
    return faults


def _leaks(place: Place, ended: list[Ended]) -> list[str]:
    """Return what of the files beyond was said or written."""
    if any(SECRET in each.out + each.err for each in ended):
        return ["said what stands in a file beyond"]
    for root in (place.new, place.data):
        for path in root.rglob("*") if root.is_dir() else ():
            if path.is_symlink() and root == place.new:
                return [f"{path.name} is a link"]
            is_small = path.is_file() and path.stat().st_size < 2**26
            if is_small and SECRET.encode() in path.read_bytes():
                return [f"{path.name} holds what stands in a file beyond"]
    return []


def shape_of(folder: Path) -> Shape:
    """Return each file and folder below one, with its kind and what it holds."""
    found: Shape = {}
    for path in sorted(folder.rglob("*")):
        state = path.lstat()
        name = os.fsencode(path.relative_to(folder.parent)).decode(errors="backslashreplace")
        if stat.S_ISLNK(state.st_mode):
            held = os.readlink(path)
        elif stat.S_ISREG(state.st_mode) and state.st_size < 2**26:
            held = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            held = str(state.st_size if stat.S_ISREG(state.st_mode) else 0)
        found[name] = state.st_mode, held
    return found


@contextlib.contextmanager
def _environment(place: Place) -> Iterator[None]:
    before, cwd = os.environ.get("PYRAMID_REFEREE_DATA"), os.getcwd()
    os.environ["PYRAMID_REFEREE_DATA"] = str(place.data)
    os.chdir(place.given)
    try:
        yield
    finally:
        os.chdir(cwd)
        os.environ.pop("PYRAMID_REFEREE_DATA")
        if before is not None:
            os.environ["PYRAMID_REFEREE_DATA"] = before


def _run(command: list[str], folder: Path) -> Ended:
    """Run a command, and return how it ended, with what libraries wrote past Python's streams."""
    files = folder / "out.txt", folder / "err.txt"
    kept = sys.stdin, sys.stdout, sys.stderr
    sys.stdout.flush()
    sys.stderr.flush()
    copies = [os.dup(number) for number in range(3)]
    try:
        for number, path in enumerate((os.devnull, *files)):
            descriptor = os.open(path, os.O_RDWR | (os.O_CREAT | os.O_TRUNC if number else 0), 0o600)
            os.dup2(descriptor, number)
            os.close(descriptor)
        sys.stdin, sys.stdout, sys.stderr = (
            io.TextIOWrapper(open(number, mode, closefd=False), encoding="utf-8", line_buffering=True)  # noqa: SIM115
            for number, mode in enumerate(("rb", "wb", "wb"))
        )
        try:
            status = main(["--lang", "en", *command])
        except Exception as error:
            status = -1
            print(f"Traceback of {type(error).__name__}: {error}", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
        for number, copy in enumerate(copies):
            os.dup2(copy, number)
            os.close(copy)
    return Ended(status, *(path.read_text(encoding="utf-8", errors="replace") for path in files))


def _used_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _forget_peak() -> None:
    """Let the peak of memory begin anew, where the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _memory_mb(what: str) -> float:
    """Return what the system counts of this process's memory; 0 where it does not tell.

    Args:
        what: VmRSS for what it holds, VmHWM for the most that it held since `_forget_peak`.
    """
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith(f"{what}:"):
                return int(line.split()[1]) / 1024
    return 0.0
