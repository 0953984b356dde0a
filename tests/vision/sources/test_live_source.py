"""What every live source does, with connections made up."""

from __future__ import annotations

import threading
import time
from itertools import islice, pairwise

import numpy as np

from tests.vision.sources.made_up import (
    QUICK,
    SLOW,
    first,
    number_in,
    picture,
)
from vision.sources.live_source import Broken, Ended, LiveSource
from vision.sources.open_source import (
    Back,
    Busy,
    Frame,
    Lost,
    Patience,
)


class MadeUp:
    """A connection that follows a script: numbers are pictures, errors are raised, an event is waited for."""

    def __init__(self, *script: object) -> None:
        self.script = list(script)
        self.is_cut = threading.Event()
        self.is_closed = False

    def read(self) -> tuple[np.ndarray, float | None]:
        step = self.script.pop(0) if self.script else threading.Event()
        if isinstance(step, threading.Event):
            step.set()
            self.is_cut.wait()
            raise Broken("cut")
        if isinstance(step, Exception):
            raise step
        assert isinstance(step, int)
        return picture(step), None

    def cut(self) -> None:
        self.is_cut.set()

    def close(self) -> None:
        self.is_closed = True


def made_up(*connections: MadeUp, patience: Patience = SLOW) -> LiveSource:
    return LiveSource("x", iter(connections).__next__, patience)


def test_a_slow_reader_gets_the_newest_frame_and_no_old_one() -> None:
    all_read = threading.Event()
    with made_up(MadeUp(0, 1, 2, 3, 4, all_read)) as source:
        assert all_read.wait(10)
        frame = next(iter(source))
        assert isinstance(frame, Frame)
        assert (frame.number, number_in(frame)) == (4, 4)
        assert 0 <= frame.time_s <= source.now_s()


def test_an_outage_is_told_once_for_each_reason_and_its_end_once() -> None:
    no, other = Broken("{name} no", name="x"), Broken("{name} other", notice=Busy, name="x")
    held = threading.Event()
    with made_up(MadeUp(no), MadeUp(no), MadeUp(other), MadeUp(other), MadeUp(7, held)) as source:
        assert held.wait(10)
        items = list(islice(source, 4))
    assert [type(item) for item in items] == [Lost, Busy, Back, Frame]
    assert [str(item) for item in items[:2]] == ["x no", "x other"]
    assert items[1].time_s == items[0].time_s <= items[2].time_s


def test_whatever_goes_wrong_in_the_thread_the_source_comes_back() -> None:
    faulty = MadeUp(RuntimeError("http://bob:secret@host"))
    with made_up(faulty, MadeUp(1)) as source:
        notice, back = first(source, Lost), first(source, (Back, Frame))
    assert "(RuntimeError)" in str(notice)
    assert "secret" not in str(notice)
    assert isinstance(back, (Back, Frame))
    assert faulty.is_closed


def test_pictures_that_stall_are_lost_and_connected_again() -> None:
    with made_up(MadeUp(1), MadeUp(2), patience=QUICK) as source:
        items = list(islice(source, 4))
    assert [type(item) for item in items] == [Frame, Lost, Back, Frame]
    assert "has sent no picture for 0.3 s" in str(items[1])


def test_tries_grow_rarer_up_to_a_limit() -> None:
    """Each wait is twice the one before; only that they are no shorter can be told for sure."""
    at: list[float] = []
    patience = Patience(first_retry_s=0.01, last_retry_s=0.03)
    enough = threading.Event()

    def connect() -> MadeUp:
        at.append(time.monotonic())
        if len(at) == 5:
            enough.set()
        return MadeUp(Broken("no"))

    with LiveSource("x", connect, patience):
        assert enough.wait(10)
    gaps = [after - before for before, after in pairwise(at[:5])]
    assert all(gap >= least for gap, least in zip(gaps, (0.01, 0.02, 0.03, 0.03), strict=True))


def test_closing_wakes_a_reader_that_waits() -> None:
    waiting, items = threading.Event(), []
    source = made_up(MadeUp(waiting))
    reader = threading.Thread(target=lambda: items.extend(source))
    reader.start()
    assert waiting.wait(10)
    source.close()
    source.close()
    reader.join(10)
    assert not reader.is_alive()
    assert not source._thread.is_alive()
    assert items == []


def test_a_recording_that_ends_ends_the_source() -> None:
    with made_up(MadeUp(3, Ended())) as source:
        assert [number_in(item) for item in source if isinstance(item, Frame)] == [3]
