"""The same work on many files: order, interruptions, resuming, a cluster, and what is told meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from tests.benchmarks.capturing import write_copies
from tests.places import ROOT
from tests.ui.cli.commands.test_capture_command import contents, referee
from ui.cli import batch
from ui.cli.batch import AHEAD, AT_ONCE, spread, worker_count
from ui.services.kept_open import kept_open
from vision.errors import BatchError

PHOTOS, FIRST = 20, 3
"""How many photos are captured, and after how many the capture is interrupted."""


def work(number: int) -> tuple[int, int]:
    if number < 0:
        os._exit(1)
    return number * number, os.getpid()


def test_processes_share_the_work_in_order_and_take_no_more_than_they_need() -> None:
    """Items are taken as they are needed; a worker that dies is a sentence, after what was done before."""
    taken = []

    def items() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield number

    squares, workers = [], set()
    with closing(spread(work, items(), workers=2)) as results:
        for number, (square, worker) in results:
            assert len(taken) - number <= 2 * AHEAD * AT_ONCE
            squares.append(square)
            workers.add(worker)
            if number == 4:
                break
    assert squares == [0, 1, 4, 9, 16]
    assert os.getpid() not in workers
    with pytest.raises(BatchError, match="run the same command again"):
        list(spread(work, [1, 2, 3, -1, 5], workers=2))
    assert [square for _, (square, _) in spread(work, [3, 4], workers=1)] == [9, 16]


def test_a_worker_opens_what_it_needs_once() -> None:
    made: list[str] = []
    make = made.append
    for key in ("a", "a", "b", "b", "a"):
        kept_open(make, key)
    assert made == ["a", "b", "a"]
    assert [worker_count(items, 8) for items in (0, 20, 21, 1000)] == [1, 1, 2, 8]


def test_an_interrupted_capture_goes_on_where_it_was(tmp_path: Path) -> None:
    """Ctrl-C, as a terminal sends it to all processes, ends it with 130, quietly, nothing half done."""
    write_copies(tmp_path / "photos", PHOTOS)
    command = [sys.executable, "-m", "ui", "capture", str(tmp_path / "photos"), "--to", str(tmp_path / "set")]
    process = subprocess.Popen(
        [*command, "--workers", "2"], cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while process.poll() is None and len(list((tmp_path / "set").glob("*.json"))) < FIRST:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (130, "")
    done = contents(tmp_path / "set")
    pictures = len([name for name in done if name.endswith(".json")])
    assert FIRST <= pictures < PHOTOS
    assert len(done) == 2 * pictures  # no parts
    status, out, _ = referee(*command[3:], "--workers", "1")
    assert (status, len(contents(tmp_path / "set"))) == (0, 2 * PHOTOS)
    assert f": {PHOTOS - pictures} pictures, " in out[0]
    assert f" {pictures} pictures were already there." in out[0]
    assert contents(tmp_path / "set").items() >= done.items()


def test_evaluate_takes_up_what_it_has_measured(tmp_path: Path) -> None:
    """Cut off in the middle of a line it measures that picture again, and so where labels changed."""
    write_copies(tmp_path / "photos", 4)
    assert referee("capture", tmp_path / "photos", "--to", tmp_path / "set")[0] == 0
    kept = tmp_path / "kept.jsonl"
    command = ["evaluate", tmp_path / "set", "--json", "--resume", kept]

    def measured() -> list[str]:
        """Return the names of the label files of the pictures that were put down."""
        lines = [line for line in kept.read_text().splitlines()[1:] if line.endswith("}")]
        return [json.loads(line)["labels"] for line in lines]

    figures = referee("evaluate", tmp_path / "set", "--json")[1]
    assert referee(*command)[:2] == (0, figures)
    names = measured()
    assert names == sorted(path.name for path in (tmp_path / "set").glob("*.json"))
    whole = kept.read_text()
    kept.write_text(whole[: whole.rindex('"failure"')])
    assert measured() == names[:3]
    for _ in range(2):
        assert referee(*command)[:2] == (0, figures)
        assert measured() == names
    labels = tmp_path / "set" / names[0]
    content = json.loads(labels.read_text())
    content["tiles"].pop()
    labels.write_text(json.dumps(content))
    changed = json.loads(referee(*command)[1][0])
    assert changed["tiles"] == json.loads(figures[0])["tiles"] - 1
    assert measured() == [*names, names[0]]


def test_what_was_measured_otherwise_is_not_mixed_in(tmp_path: Path) -> None:
    """Nor is a file touched that never was one to resume from."""
    write_copies(tmp_path / "photos", 1)
    assert referee("capture", tmp_path / "photos", "--to", tmp_path / "set")[0] == 0
    kept, notes = tmp_path / "kept.jsonl", tmp_path / "notes.txt"
    assert referee("evaluate", tmp_path / "set", "--resume", kept)[0] == 0
    notes.write_text("my notes")
    for file in (kept, notes):
        before = file.read_bytes()
        status, _, error = referee("evaluate", tmp_path / "set", "--turn", "5", "--resume", file)
        assert (status, len(error), file.read_bytes()) == (1, 1, before)
        assert "Name another file with --resume" in error[0]


def test_a_dask_cluster_does_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two worker processes give, file by file and figure by figure, what one process gives."""
    from distributed import LocalCluster

    write_copies(tmp_path / "photos", 6)
    (tmp_path / "photos" / "bad.jpg").write_bytes(b"no picture")
    alone = referee("capture", tmp_path / "photos", "--to", tmp_path / "alone")
    figures = referee("evaluate", tmp_path / "alone", "--json")[1]
    monkeypatch.chdir(tmp_path)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        status, out, error = referee("capture", "photos", "--to", "cluster", "--scheduler", address)
        assert referee("evaluate", "cluster", "--json", "--scheduler", address)[:2] == (0, figures)
    assert (status, alone[0]) == (1, 1)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "alone")
    assert len(contents(tmp_path / "cluster")) == 12
    assert out[0].replace("cluster", str(tmp_path / "alone")) == alone[1][0]
    assert len(error) == 1
    assert "bad.jpg" in error[0]


def test_without_a_cluster_it_is_said_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence where nobody answers, and where the package is not installed."""
    monkeypatch.setattr("ui.cli.batch.CONNECT_S", 0.3)
    command = ["capture", ROOT / "samples", "--to", tmp_path / "set", "--scheduler", "tcp://127.0.0.1:9"]
    status, _, error = referee(*command)
    assert (status, error) == (
        1,
        ["No Dask scheduler answers at 'tcp://127.0.0.1:9'; start one with: dask scheduler"],
    )
    monkeypatch.setitem(sys.modules, "distributed", None)
    status, _, error = referee(*command)
    assert status == 1
    assert error[0].endswith("pip install 'pyramid-referee[cluster]'")


def blocks_interrupts(_item: int) -> bool:
    time.sleep(0.2)  # so that no worker is free before the next one is asked for
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="the system has no masks")
def test_no_worker_ever_feels_ctrl_c() -> None:
    assert all(deaf for _item, deaf in spread(blocks_interrupts, range(8), workers=2))


def test_ctrl_c_while_a_worker_starts_comes_when_it_has_started() -> None:
    come = []
    with pytest.raises(KeyboardInterrupt), batch._deaf_to_interrupts():
        come.append(signal.raise_signal(signal.SIGINT))
    assert come == [None]
