"""Where frames come from: cameras, streams, video files and folders of frames, all opened with one text."""

from __future__ import annotations

import math
import os
import stat
import sys
from pathlib import Path

from vision.errors import SourceError
from vision.imaging.picture_names import is_picture_name
from vision.sources.camera import CameraConnector, connect_stream
from vision.sources.frame import Back, Busy, Frame, Lost, Skipped, Source, SourceNotice
from vision.sources.live_source import Connection, LiveSource, Patience
from vision.sources.mjpeg_stream import HttpConnection
from vision.sources.recordings import FolderPictures, Pictures, Playback, Recording, VideoPictures
from vision.sources.stream_address import Address, read_address, redacted

__all__ = ["Back", "Busy", "Frame", "Lost", "Patience", "Skipped", "Source", "SourceNotice", "open_source"]

MAX_CAMERA = 99
VIDEO_DEVICES = 81
"""Major number of the devices that Linux gives pictures from."""

_PATIENCE = Patience()
_ENDLESS = Patience(opening_s=math.inf, stall_s=math.inf)
"""A recording may stand still for as long as it likes."""


def open_source(
    text: str,
    *,
    live: bool = False,
    patience: Patience = _PATIENCE,
    holds: tuple[str, ...] = (),
    begin_s: float = 0.0,
) -> Source:
    """Return a camera, stream, video file or folder of frames, opened.

    Args:
        text: A camera's number ("0") or device path; an address that begins with rtsp://, http:// or https://;
            a video file; or a folder, whose pictures are its frames in the order of their names, 15 a second,
            or photos of one table after the other, which are held for a second each.
        live: Play a file or folder at the speed of the clock, like a camera: only the newest frame counts.
            Cameras and addresses are always live: they say `Lost` and try again when no frames come, for as
            long as it takes.
        patience: The waiting times of live sources.
        holds: What a camera holds still once its automatics have settled, of `vision.sources.camera.HOLDS`;
            where it refuses, a plain `SourceNotice` says so.
        begin_s: Where a file or folder that is played begins, in seconds.

    Raises:
        SourceError: What the text names can never give a frame; the sentence holds no credentials.
        ImageError: The video's pictures are tiny or huge.
    """
    if text.isdecimal() and text.isascii():
        return LiveSource(text, CameraConnector(text, _camera_number(text), holds), patience)
    if "://" in text and not os.path.exists(text):
        address = read_address(text)
        return LiveSource(address.name, lambda: _connect(address), patience)
    if text.startswith("/dev/") and not os.path.isfile(text) and not os.path.isdir(text):
        if _is_other_device(text):
            raise SourceError("{name!r} is a device, but no camera. The first camera is number 0.", name=text)
        return LiveSource(text, CameraConnector(text, Path(text), holds), patience)
    pictures = _open_recording(text)
    if not live:
        return Recording(text, pictures)
    playback = Playback(pictures, begin_s)
    return LiveSource(text, lambda: playback, _ENDLESS, skips=True, begin_s=begin_s)


def _camera_number(text: str) -> int:
    """Return the number of a camera from its digits, be they ever so many.

    Raises:
        SourceError: No camera has so high a number.
    """
    if int(text[-9:]) > MAX_CAMERA or len(text) > 9:
        raise SourceError("There is no camera {name}. The first camera is number 0.", name=text)
    return int(text)


def _connect(address: Address) -> Connection:
    """Return the connection to a stream."""
    stream = connect_stream(address)
    return stream if "rtsp" in address.scheme else HttpConnection(address, stream)


def _is_other_device(path: str) -> bool:
    """Return whether something is there that is no camera; one that is unplugged may come back."""
    try:
        found = os.stat(path)
    except OSError:
        return False
    is_camera = stat.S_ISCHR(found.st_mode) and os.major(found.st_rdev) == VIDEO_DEVICES
    return sys.platform.startswith("linux") and not is_camera


def _open_recording(text: str) -> Pictures:
    """Return the pictures of a video file or a folder of frames."""
    path = Path(text)
    if os.path.isdir(text):
        return FolderPictures(path)
    if not os.path.isfile(text):
        # Maybe an address without its beginning: then it may hold credentials all the same.
        name = redacted(text) if {"@", "?"} & set(text) else text
        raise SourceError(
            "{name!r} was not found. Name a camera (0 is the first), a video, a folder of pictures, or "
            "an address that begins with rtsp://, http:// or https://.",
            name=name,
        )
    if is_picture_name(path):
        raise SourceError(
            "{name!r} is a single picture. Name a video, or the folder of the pictures.", name=text
        )
    return VideoPictures(path)
