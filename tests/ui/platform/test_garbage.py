"""Garbage is looked for in one thread alone, and as far back as Python would."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from ui.platform.garbage import GarbageKeptToOneThread


class _Window:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def garbage() -> Iterator[GarbageKeptToOneThread]:
    """Begins with the search on, as a program does, and with nothing that waits for it."""
    was_on = gc.isenabled()
    gc.collect()
    gc.enable()
    yield GarbageKeptToOneThread()
    (gc.enable if was_on else gc.disable)()


def _make_much() -> None:
    made = [[] for _ in range(20 * gc.get_threshold()[0])]
    made.clear()


def test_another_thread_takes_no_window_apart_however_much_it_makes(garbage: GarbageKeptToOneThread) -> None:
    window = weakref.ref(_Window())
    other = threading.Thread(target=_make_much)
    other.start()
    other.join()
    assert window() is not None
    kept = [[] for _ in range(2 * gc.get_threshold()[0])]
    garbage.collect()
    assert window() is None
    assert kept


def test_nothing_is_looked_through_before_much_was_made(garbage: GarbageKeptToOneThread) -> None:
    window = weakref.ref(_Window())
    garbage.collect()
    assert window() is not None


def test_now_and_then_everything_is_looked_through(garbage: GarbageKeptToOneThread) -> None:
    looked: list[int] = []
    gc.callbacks.append(lambda phase, info: looked.append(info["generation"]) if phase == "start" else None)
    try:
        kept = []
        for _ in range(200):
            kept.append([[] for _ in range(2 * gc.get_threshold()[0])])
            garbage.collect()
    finally:
        gc.callbacks.pop()
    assert len(looked) == 200
    assert 0 < looked.count(2) < looked.count(1) < looked.count(0)


def test_python_gets_the_search_back(garbage: GarbageKeptToOneThread) -> None:
    assert not gc.isenabled()
    garbage.give_back()
    assert gc.isenabled()
