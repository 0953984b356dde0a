"""The same work on many files: with all cores or on a Dask cluster, in order.

What is done is handed over at once, in the order of the items, so that whoever asked can put it down; the
rest is not begun before its time. After an interruption the same command goes on with what was put down.

The processes are our own, not those of joblib (1.6.0): there, Ctrl-C printed a traceback once in eight times,
and the workers live on when the program is killed.
"""

from __future__ import annotations

import argparse
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any, Protocol, TypeVar

from ui.text.catalogue import _, say

Item = TypeVar("Item")
Result = TypeVar("Result")

ITEMS_PER_WORKER = 20
"""Fewer are sooner done than another process is started."""
AT_ONCE = 4
"""Items that a worker gets together, so that it need not wait for this process after each of them."""
AHEAD = 3
"""So many times that are under way or waiting for each worker, which bounds the memory."""
MAX_WORKERS = 256
CONNECT_S = 10.0


class Future(Protocol):
    """What comes of an item; those of processes and of Dask have it."""

    def result(self) -> Any:
        """Wait, and return it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of a command that works on many files."""
    parser.add_argument(
        "--workers",
        type=_worker_count,
        metavar="N",
        help=_("the number of processes that share the work (default: one for each core of this machine)"),
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help=_(
            "the address of a Dask cluster that does the work, such as tcp://192.168.0.5:8786; its "
            "machines need this program and the same folders"
        ),
    )


def _worker_count(text: str) -> int:
    count = int(text) if text.isdecimal() and text.isascii() and len(text) < 5 else 0
    if not 1 <= count <= MAX_WORKERS:
        raise argparse.ArgumentTypeError(
            say("must be from 1 to {most}, not {text}", most=MAX_WORKERS, text=text)
        )
    return count


def worker_count(items: int, wanted: int | None) -> int:
    """Return how many processes share so many items."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(wanted or cores, -(-items // ITEMS_PER_WORKER), MAX_WORKERS))


def threads_for_each(workers: int, scheduler: str | None) -> int:
    """Return how many threads a model may use in each process: more if it is the only one."""
    return 2 if workers == 1 and scheduler is None else 1


def spread(
    work: Callable[[Item], Result], items: Iterable[Item], *, workers: int = 1, scheduler: str | None = None
) -> Generator[tuple[Item, Result]]:
    """Yield each item with what `work` makes of it, in order. Close the iterator to stop the work.

    Args:
        work: A function of a module, or a `partial` of one; it and its results cross process borders.
        items: Taken as they are needed.
        workers: Processes; 1 works in this one.
        scheduler: Address of a Dask scheduler; then its workers do the work.

    Raises:
        BatchError: The cluster cannot be used, or workers came to an end by themselves.
    """
    if scheduler is None and workers == 1:
        for item in items:
            yield item, work(item)
        return
    waiting: deque[tuple[list[Item], Future]] = deque()
    left = iter(items)
    with _cluster(scheduler) if scheduler is not None else _processes(workers) as (submit, places):
        while together := list(islice(left, AT_ONCE)):
            waiting.append((together, submit(_work_on_all, work, together)))
            if len(waiting) >= AHEAD * places:
                first, future = waiting.popleft()
                yield from zip(first, future.result(), strict=True)
        while waiting:
            first, future = waiting.popleft()
            yield from zip(first, future.result(), strict=True)


Submit = Callable[..., Future]


def _work_on_all(work: Callable[[Item], Result], items: list[Item]) -> list[Result]:
    return [work(item) for item in items]


@contextmanager
def _processes(count: int) -> Iterator[tuple[Submit, int]]:
    """Start processes with one thread each; yield how to give them work, and how many they are."""
    from multiprocessing import get_context

    from vision.errors import BatchError

    executor = ProcessPoolExecutor(count, get_context("spawn"), initializer=_begin_worker)

    def submit(*call: Any) -> Future:
        with _deaf_to_interrupts():  # each call may start another process
            return executor.submit(*call)

    try:
        yield submit, count
    except BrokenExecutor as error:
        raise BatchError(
            "A worker process stopped by itself. Perhaps the memory is full. Finished work is kept: "
            "run the same command again with a smaller number of --workers."
        ) from error
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started meanwhile never feel Ctrl-C; in this one it comes when the block ends."""
    from multiprocessing import resource_tracker

    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows has no masks: there a process may feel Ctrl-C until `_begin_worker`
        return
    come: list[int] = []
    resource_tracker.ensure_running()  # which would take the mask away
    before = signal.signal(signal.SIGINT, lambda number, _frame: come.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # processes inherit this, and no handlers
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        signal.signal(signal.SIGINT, before)
        if come:
            signal.raise_signal(signal.SIGINT)


def _begin_worker() -> None:
    """Make this process one worker among others: one thread, and no life of its own."""
    from multiprocessing import parent_process

    import cv2

    def end_with_parent() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    threading.Thread(target=end_with_parent, daemon=True).start()


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Submit, int]]:
    """Connect to a Dask cluster; yield how to give it work, and how much it can do at once."""
    from vision.errors import BatchError, VisionError

    try:
        from distributed import Client
    except ImportError:
        raise BatchError(
            "--scheduler needs a package that is not installed. Install it with: "
            "pip install 'pyramid-referee[cluster]'"
        ) from None
    try:
        # Without types in that package, its calls are untyped.
        client: Any = Client(address, timeout=CONNECT_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:  # a timeout is an OSError, too
        raise BatchError(
            "No Dask scheduler answers at {address!r}; start one with: dask scheduler", address=address
        ) from error
    try:
        places = sum(client.nthreads().values())
        if not places:
            raise BatchError(
                "The Dask scheduler at {address!r} has no workers; start some with: dask worker {address}",
                address=address,
            )
        yield partial(client.submit, pure=False), min(places, MAX_WORKERS)
    except (VisionError, GeneratorExit):
        raise
    except Exception as error:
        raise BatchError(
            "The cluster at {address!r} failed ({reason}). Its machines need the same version of this "
            "program and the same folders. What is done is kept: run the same command again to go on.",
            address=address,
            reason=f"{type(error).__name__}: {error}",
        ) from error
    finally:
        client.close()  # the scheduler forgets what nobody waits for any more
