"""The sample game: the first mayhem soon, and pause, faster, skip."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from ui.services import sample_source
from ui.services.sample_source import FIRST_MAYHEM, FIRST_S, FOLDER, LEAST_S, SampleGame
from vision.sources.frame import Frame
from vision.sources.motion_gate import REST_S

TICK_S = 0.1


class Clock:
    """A clock that goes on by a tick for each picture."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def wait(self, _timeout_s: float) -> None:
        self.now_s += TICK_S


@pytest.fixture
def clock() -> Clock:
    return Clock()


def sample(clock: Clock, monkeypatch: pytest.MonkeyPatch, folder: Path = FOLDER, **held: float) -> SampleGame:
    source = SampleGame(folder, **held)
    monkeypatch.setattr(source._closed, "wait", clock.wait)
    monkeypatch.setattr(source, "now_s", lambda: clock.now_s)
    return source


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three pictures after the quick part, each of its own brightness."""
    for number in (30, 32, 34):
        cv2.imwrite(str(tmp_path / f"{number}.jpg"), np.full((32, 32, 3), 2 * number, np.uint8))
    return tmp_path


def shown(source: SampleGame) -> Iterator[tuple[int, float]]:
    """Yield the brightness of each frame, and its time."""
    for item in source:
        assert isinstance(item, Frame)
        yield round(float(item.image_bgr.mean())), item.time_s


def times(source: SampleGame) -> dict[int, float]:
    """Return how long each picture was shown."""
    found: dict[int, float] = {}
    for level, _time_s in shown(source):
        found[level] = found.get(level, 0.0) + TICK_S
    return found


def test_the_first_mayhem_is_on_the_table_within_ten_seconds(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        sample_source,
        "read_photo",
        lambda path: type("Photo", (), {"image_bgr": np.array([int(path.stem[:2])])}),
    )
    source = sample(clock, monkeypatch)
    begun = next(item.time_s for item in source if item.image_bgr[0] == int(FIRST_MAYHEM))
    quick = sum(path.stem < FIRST_MAYHEM and "hand" not in path.stem for path in FOLDER.glob("*.jpg"))
    assert begun == pytest.approx(FIRST_S + quick * LEAST_S, abs=quick * TICK_S)
    assert begun + REST_S < 9.5
    assert LEAST_S > REST_S  # or a table would be gone before it can be read


def test_pictures_are_held(clock: Clock, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(sample_source, "FIRST_S", 0.0)
    held = times(sample(clock, monkeypatch, folder, held_s=3.0))
    assert held == pytest.approx({60: 3.0, 64: 3.0, 68: 3.0}, abs=0.15)


def test_a_hurry_is_quicker_and_a_skip_ends_a_picture_once_it_was_seen(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(sample_source, "FIRST_S", 0.0)
    source = sample(clock, monkeypatch, folder, held_s=3.0)
    source.is_hurried = True
    source.skip()
    assert times(source) == pytest.approx({60: LEAST_S, 64: 1.0, 68: 1.0}, abs=0.15)


def test_in_a_pause_the_picture_stays(clock: Clock, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    source = sample(clock, monkeypatch, folder, held_s=3.0)
    source.is_paused = True
    for level, time_s in shown(source):
        assert level == 60
        if time_s > 30:
            source.is_paused = False
            break
    assert time_s > 30


def test_on_a_slow_computer_a_picture_is_seen_often_enough_all_the_same(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """Following may take seconds for a picture; a table must be seen at rest before it is gone."""
    monkeypatch.setattr(sample_source, "FIRST_S", 0.0)
    seen: list[int] = []
    for level, _time_s in shown(sample(clock, monkeypatch, folder, held_s=LEAST_S)):
        seen.append(level)
        clock.now_s += 5.0
    assert {level: seen.count(level) for level in seen} == {60: 4, 64: 4, 68: 4}
