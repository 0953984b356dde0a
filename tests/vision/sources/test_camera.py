"""Cameras: missing, held by another program, plugged in again; and the program that reads them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from tests.vision.sources.made_up import (
    SLOW,
    silent_listener,
)
from vision.errors import SourceError
from vision.sources import camera as capture
from vision.sources import camera_process as capture_program
from vision.sources.open_source import (
    Busy,
    Frame,
    Lost,
    SourceNotice,
    open_source,
)

MEMORY_DEVICES = 1
"""Major number of /dev/null, which stands for a camera that gives nothing."""


@pytest.fixture
def null_is_a_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.sources.open_source.VIDEO_DEVICES", MEMORY_DEVICES)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Devices are files on Linux.")
@pytest.mark.parametrize("text", ["/dev/zero", "/dev/null"])
def test_a_device_that_is_no_camera_is_refused(text: str) -> None:
    """It would be tried again for ever."""
    with pytest.raises(SourceError, match="is a device, but no camera"):
        open_source(text)


def test_the_capture_program_leaves_when_its_reader_is_gone() -> None:
    """Also while FFmpeg hangs, so that a game that was killed leaves the camera free."""
    with silent_listener() as (port, has_come):
        program = subprocess.Popen(
            [sys.executable, "-P", capture_program.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        request = {"target": f"rtsp://127.0.0.1:{port}/", "api": cv2.CAP_FFMPEG}
        request |= {"open": [], "set": [], "hold": []}
        assert program.stdin is not None
        program.stdin.write(json.dumps(request).encode() + b"\n")
        program.stdin.flush()
        assert has_come.wait(30)
        assert program.communicate(timeout=30) == (b"", None)
        assert program.returncode == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Devices are files on Linux.")
@pytest.mark.usefixtures("null_is_a_camera")
@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("/dev/video97", Lost, "Camera /dev/video97 was not found. Plug it in"),
        ("/dev/null", Busy, "Camera /dev/null cannot be opened. Close other programs"),
    ],
)
def test_a_camera_that_is_not_there_or_held_is_lost(
    text: str, kind: type, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_source(text, patience=SLOW) as source:
        notice = next(iter(source))
    assert type(notice) is kind
    assert words in str(notice)
    assert capfd.readouterr() == ("", "")


FAKE_CV2 = """
import numpy
CAP_PROP_AUTOFOCUS, COLOR_GRAY2BGR = 39, 8
class VideoCapture:
    held = 0
    def __init__(self, *_): pass
    def isOpened(self): return True
    def set(self, key, value):
        self.held += key in {held!r}
        return key not in {refused!r}
    def read(self):
        return True, numpy.full((48, 64, 3), self.held, numpy.uint8)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Devices are files on Linux.")
@pytest.mark.usefixtures("null_is_a_camera")
def test_a_camera_holds_still_what_it_can_and_says_what_it_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, refused = [cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB], [cv2.CAP_PROP_AUTOFOCUS]
    (tmp_path / "cv2.py").write_text(FAKE_CV2.format(held=held, refused=refused))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with open_source("/dev/null", holds=("exposure", "focus", "white_balance")) as source:
        notice = None
        for item in source:
            if not isinstance(item, Frame):
                assert notice is None
                notice = item
            elif notice is not None and item.image_bgr[0, 0, 0] == 2:
                break
    assert type(notice) is SourceNotice
    assert str(notice) == "The focus of camera /dev/null cannot be fixed."


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Devices are files on Linux.")
def test_a_camera_is_found_again_under_another_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device, names = tmp_path / "video0", tmp_path / "by-id"
    names.mkdir()
    device.touch()
    (names / "usb-Maker_Camera").symlink_to(device)
    monkeypatch.setattr(capture, "LASTING_NAMES", names)
    connect = capture.CameraConnector("0", device)
    connect()
    device.rename(tmp_path / "video1")
    assert connect()._request["target"] == str(names / "usb-Maker_Camera")
