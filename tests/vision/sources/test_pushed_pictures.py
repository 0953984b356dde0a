"""A camera that sends its pictures by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.errors import ImageError
from vision.sources import pushed_pictures
from vision.sources.frame import Back, Frame, Lost
from vision.sources.pushed_pictures import PushedPictures


def jpeg(grey: int = 90, wide: int = 64, high: int = 36) -> bytes:
    return cv2.imencode(".jpg", np.full((high, wide, 3), grey, np.uint8))[1].tobytes()


def test_the_newest_counts_and_what_lay_there_before_is_old() -> None:
    pictures = PushedPictures("phone")
    pictures.put(jpeg(10))
    with pictures.open_source() as source:
        frames = iter(source)
        pictures.put(jpeg(200))
        frame = next(frames)
        assert isinstance(frame, Frame)
        assert frame.image_bgr.mean() == pytest.approx(200, abs=2)


def test_a_photo_holds_for_whoever_comes_later() -> None:
    pictures = PushedPictures("phone")
    pictures.put(jpeg(50), is_photo=True)
    for _twice in range(2):
        with pictures.open_source() as source:
            frames = iter(source)
            several = [next(frames) for _ in range(3)]
            assert all(isinstance(frame, Frame) for frame in several)


def test_a_phone_that_is_gone_is_lost_until_it_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushed_pictures, "PATIENCE", replace(pushed_pictures.PATIENCE, stall_s=0.1))
    pictures = PushedPictures("phone")
    with pictures.open_source() as source:
        frames = iter(source)
        pictures.put(jpeg())
        assert isinstance(next(frames), Frame)
        assert isinstance(next(frames), Lost)
        # What was sent before the outage is not taken for new.
        assert isinstance(_push_until_something_comes(pictures, frames), Back)
        assert isinstance(next(frames), Frame)


def _push_until_something_comes(pictures: PushedPictures, frames: Iterator[object]) -> object:
    done = threading.Event()

    def push() -> None:
        while not done.wait(0.02):
            pictures.put(jpeg())

    pushing = threading.Thread(target=push)
    pushing.start()
    try:
        return next(frames)
    finally:
        done.set()
        pushing.join()


@pytest.mark.parametrize("data", [b"", b"no picture", jpeg()[:10]])
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(ImageError, match="no picture"):
        PushedPictures("phone").put(data)


def test_what_is_too_large_is_refused() -> None:
    pictures = PushedPictures("phone")
    with pytest.raises(ImageError, match="8 MB"):
        pictures.put(jpeg() + bytes(pushed_pictures.MAX_BYTES))
    with pytest.raises(ImageError, match="20 megapixels"):
        pictures.put(jpeg(wide=6000, high=4000))
    assert pictures.count == 0
