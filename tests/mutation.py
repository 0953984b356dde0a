"""Change the engine in small ways, and see whether its tests notice: `python -m tests.mutation FILE…`.

    python -m tests.mutation referee/tracking referee/search --tests tests/referee/tracking
    python -m tests.mutation referee/search --tests tests/referee/tracking --again

Each mutant (`tests.mutants`) is judged by the tests that reach the changed lines, the fastest first, in a
forked process that has everything imported already. One that a test notices, or that runs ten times as long
as the tests do, is killed. A line is written for each to `mutation.jsonl`; what stands there is not run
anew, except, with `--again`, what survived. Runs where there is `os.fork`: Linux, macOS.
"""

from __future__ import annotations

import argparse
import ast
import enum
import functools
import gc
import importlib
import inspect
import json
import os
import random
import resource
import signal
import sys
import time
import traceback
import types
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants import Mutant, mutants_of

MEMORY_BYTES = 4 << 30
SURVIVED = "survived"
UNREACHED = "not reached"
"""No test reaches it: it runs when the module is imported, or never."""


class Source:
    """A module under test."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = ".".join(path.with_suffix("").parts)
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.mutants = list(mutants_of(self.tree))


class Run:
    """A pytest plugin that judges mutants in place of running the tests once."""

    def __init__(self, sources: list[Source], asked: argparse.Namespace) -> None:
        self.sources = sources
        self.asked = asked
        self.reached: dict[tuple[str, int], set[int]] = {}
        """(file, line) -> the tests that reach it, as indices."""
        self.seconds: list[float] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test once, unchanged, then the mutants."""
        self.items = session.items
        for index, item in enumerate(session.items):
            self._trace(index, item)
        print(f"{len(session.items)} tests pass in {sum(self.seconds):.0f} s.", flush=True)
        gc.collect()
        gc.freeze()
        for source in self.sources:
            self._judge_module(source)
        return True

    def _trace(self, index: int, item: pytest.Item) -> None:
        """Note which lines a test reaches, and how long it takes."""
        files = {str(source.path.resolve()) for source in self.sources}

        def lines(frame: types.FrameType, _event: str, _value: object) -> Any:
            self.reached.setdefault((frame.f_code.co_filename, frame.f_lineno), set()).add(index)
            return lines

        def calls(frame: types.FrameType, event: str, value: object) -> Any:
            return lines(frame, event, value) if frame.f_code.co_filename in files else None

        sys.settrace(calls)
        begun = time.process_time()
        is_right = passes(item)
        sys.settrace(None)
        self.seconds.append(time.process_time() - begun)
        if not is_right:
            raise pytest.UsageError(f"{item.nodeid} fails without any change.")

    def _judge_module(self, source: Source) -> None:
        known: dict[str, str] = {}
        if self.asked.out.exists():
            for line in self.asked.out.read_text(encoding="utf-8").splitlines():
                found = json.loads(line)
                known[found["mutant"]] = found["end"]
        mutants = {
            f"{source.path}:{mutant.lines.start}#{number} {mutant.scope}: {mutant.describe()}": mutant
            for number, mutant in enumerate(source.mutants)
        }
        chosen = list(mutants)
        if self.asked.sample is not None:
            chosen = random.Random(0).sample(chosen, min(self.asked.sample, len(chosen)))
        ends = {}
        killers: Counter[int] = Counter()
        unchanged = Mutant(
            "", range(0), source.tree, "body", None, source.tree.body, source.tree.body, source.tree
        )
        if (end := self._judge(source, unchanged, Counter())) != SURVIVED:
            raise pytest.UsageError(f"{source.path} without any change: {end}")
        for name in chosen:
            end = known.get(name, "")
            if not end or (self.asked.again and not end.startswith("killed")):
                end = self._judge(source, mutants[name], killers)
                with self.asked.out.open("a", encoding="utf-8") as out:
                    print(json.dumps({"mutant": name, "end": end}, ensure_ascii=False), file=out)
            ends[name] = end
        left = {name: end for name, end in ends.items() if not end.startswith("killed")}
        killed = len(chosen) - len(left)
        print(f"{source.path}: {len(mutants)} mutants, {len(chosen)} run, {killed} killed, {len(left)} not:")
        for name, end in left.items():
            print(f"    {end}: {name}", flush=True)

    def _judge(self, source: Source, mutant: Mutant, killers: Counter[int]) -> str:
        """Return how a mutant ends; `killers` counts which tests killed those before it."""
        where = str(source.path.resolve())
        chosen = {test for line in mutant.lines for test in self.reached.get((where, line), ())}
        if not mutant.scope or inspect.isclass(find(importlib.import_module(source.name), mutant.scope)):
            chosen = set(range(len(self.items)))
        if not chosen:
            return UNREACHED
        tests = sorted(chosen, key=lambda test: (-killers[test], self.seconds[test]))
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(writing, str(self._in_child(source, mutant, tests)).encode())
            except BaseException as error:
                os.write(writing, f"broken: {error!r} {traceback.format_exc()[-300:]}".encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
        if said.isdigit():
            killers[int(said)] += 1
            return f"killed: {self.items[int(said)].nodeid}"
        return said or "killed: out of time or memory"

    def _in_child(self, source: Source, mutant: Mutant, tests: list[int]) -> int | str:
        """Make the change; return the test that notices, or how else it ended."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        signal.setitimer(signal.ITIMER_PROF, 3 + 10 * sum(self.seconds[test] for test in tests))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        try:
            put_in_place(source, mutant)
        except ImportError:
            return "killed: it cannot be imported"
        return next((test for test in tests if not passes(self.items[test])), SURVIVED)


def passes(item: pytest.Item) -> bool:
    """Run a test and return whether it passes."""
    reports = runtestprotocol(item, log=False, nextitem=None)
    return not any(report.failed for report in reports)


def find(module: types.ModuleType, scope: str) -> Any:
    """Return the function or class of a name with points; of a property, the function behind it."""
    found: Any = module
    for name in scope.split("."):
        found = inspect.getattr_static(found, name)
        if isinstance(found, (staticmethod, classmethod)):
            found = found.__func__
        elif isinstance(found, property):
            found = found.fget
        elif isinstance(found, functools.cached_property):
            found = found.func
    return inspect.unwrap(found)


def put_in_place(source: Source, mutant: Mutant) -> None:
    """Make a mutant of the module that is imported, wherever its names were imported to."""
    module = importlib.import_module(source.name)
    mutant.apply()
    changed = types.ModuleType(source.name)
    try:
        exec(ast.unparse(source.tree), changed.__dict__)
    except Exception as error:
        raise ImportError from error
    if not mutant.scope:
        _replace_constants(module, changed)
    else:
        old, new = find(module, mutant.scope), find(changed, mutant.scope)
        if not inspect.isclass(old):
            old.__code__, old.__defaults__, old.__kwdefaults__ = (
                new.__code__, new.__defaults__, new.__kwdefaults__,
            )  # fmt: skip
        elif issubclass(old, enum.Enum):
            for member, other in zip(old, new, strict=True):
                member._value_ = other._value_
            old._value2member_map_ = {member.value: member for member in old}
        else:
            old.__init__ = new.__init__  # type: ignore[method-assign]
    for name, known in list(sys.modules.items()):
        if name.startswith("referee"):
            for value in vars(known).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _replace_constants(module: types.ModuleType, changed: types.ModuleType) -> None:
    """Give the constants of a module their new values, in every module that imported them."""
    for name, new in vars(changed).items():
        old = vars(module).get(name)
        if name.isupper() and " at 0x" not in repr(new) and repr(old) != repr(new):
            for known in list(sys.modules.values()):
                if vars(known).get(name) is old:
                    setattr(known, name, new)


def main() -> int:
    """Judge the mutants of some files; return 0 where none survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="modules of the engine, or folders of them")
    parser.add_argument("--tests", nargs="+", default=["tests/referee"], help="what judges them")
    parser.add_argument("--out", type=Path, default=Path("mutation.jsonl"))
    parser.add_argument("--again", action="store_true", help="run anew what survived")
    parser.add_argument("--sample", type=int, help="so many mutants of each file, drawn by chance")
    asked = parser.parse_args()
    paths = [
        path for file in asked.files for path in (sorted(file.rglob("*.py")) if file.is_dir() else [file])
    ]
    sources = [source for source in map(Source, paths) if source.mutants]
    return pytest.main(["-q", "-s", "-p", "no:cacheprovider", *asked.tests], plugins=[Run(sources, asked)])


if __name__ == "__main__":
    raise SystemExit(main())
