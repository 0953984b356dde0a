"""Damaged pictures of every format, videos, and label files beside pictures."""

from __future__ import annotations

import contextlib
import io
import json
import random
import socket
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from tests.attack.gate.case import Case, Command, Ended, Place, damaged, numbers_of, odd_text
from tests.places import DATA, SAMPLES
from vision.sources.open_source import open_source

TOGETHER = 16
"""So many damaged pictures get one command, with a sound one after them."""
_SIDE_PX = 480


@cache
def sound_pictures() -> dict[str, bytes]:
    """Return a small sound picture of every format, by the ending of its name."""
    image = Image.open(SAMPLES / "stable.jpg").convert("RGB")
    image.thumbnail((_SIDE_PX, _SIDE_PX))
    found = {}
    for ending, kind, options in (
        ("jpg", "JPEG", {"quality": 90}),
        ("progressive.jpg", "JPEG", {"progressive": True}),
        (
            "exif.jpg",
            "JPEG",
            {"exif": b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"},
        ),
        ("png", "PNG", {}),
        ("webp", "WEBP", {"quality": 80}),
        ("lossless.webp", "WEBP", {"lossless": True}),
        ("bmp", "BMP", {}),
        ("tiff", "TIFF", {"compression": "tiff_lzw"}),
        ("tif", "TIFF", {}),
    ):
        file = io.BytesIO()
        image.save(file, kind, **options)
        found[ending] = file.getvalue()
    found["heic"] = (DATA / "images" / "quarters-turned.heic").read_bytes()
    return found


def pictures(seed: int, count: int) -> Iterator[Case]:
    """Yield cases of `check` on damaged pictures of all formats, about `count` pictures in all."""
    kinds = sorted(sound_pictures())
    for number in range(-(-count // TOGETHER)):
        kind = kinds[number % len(kinds)]
        yield Case(
            "pictures", f"{kind} {number}", _Pictures(kind, seed, number), TOGETHER, look=_one_answer_each
        )


class _Pictures:
    """Lays damaged pictures of one kind, and a sound one after them."""

    def __init__(self, kind: str, seed: int, number: int) -> None:
        self._kind, self._rng_of = kind, (seed, "pictures", kind, number)

    def __call__(self, place: Place) -> list[Command]:
        rng = numbers_of(*self._rng_of)
        sound = sound_pictures()[self._kind]
        for number in range(TOGETHER):
            (place.given / f"{number:02}.{self._kind}").write_bytes(damaged(sound, rng))
        (place.given / "sound.jpg").write_bytes(sound_pictures()["jpg"])
        marked = ["--annotate", str(place.new)] if rng.random() < 0.3 else []
        return [["check", str(place.given), "--json", *marked]]


def _one_answer_each(place: Place, ended: list[Ended]) -> str | None:
    answers = [json.loads(line) for line in ended[-1].out.splitlines()]
    given = sum(1 for _ in place.given.iterdir())
    refused = sum("error" in answer for answer in answers)
    if len(answers) != given or "error" in answers[-1]:
        return f"{len(answers)} answers for {given} pictures; the sound one: {answers[-1:]}"
    told = [line for line in ended[-1].sentences if not line.startswith("Written: ")]
    if refused != len(told) or ended[-1].status != bool(refused):
        return f"{refused} refused, {len(told)} sentences, status {ended[-1].status}"
    return None


@cache
def _video(suffix: str) -> bytes:
    assert open_source  # which silences FFmpeg, before its first video
    codec = {"avi": "MJPG", "mp4": "mp4v"}[suffix]
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{suffix}"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), 15, (320, 180))
        rng = np.random.default_rng(1)
        for _ in range(9):
            writer.write(rng.integers(90, 110, (180, 320, 3)).astype(np.uint8))
        writer.release()
        return path.read_bytes()


def videos(seed: int, count: int) -> Iterator[Case]:
    """Yield cases of `watch` on damaged videos."""
    for number in range(count):
        suffix = ("avi", "mp4")[number % 2]

        def lay(place: Place, suffix: str = suffix, number: int = number) -> list[Command]:
            path = place.given / f"a.{suffix}"
            path.write_bytes(damaged(_video(suffix), numbers_of(seed, "videos", number)))
            return [["watch", str(path), "--json"]]

        yield Case("videos", f"{suffix} {number}", lay)


def sidecars(seed: int, count: int) -> Iterator[Case]:
    """Yield cases of `capture --export` and `evaluate` on odd label files, `count` files in all."""
    for number in range(-(-count // TOGETHER)):
        evaluates = number % 8 == 7

        def lay(place: Place, number: int = number, evaluates: bool = evaluates) -> list[Command]:
            rng = numbers_of(seed, "sidecars", number)
            _lay_labelled(place.given, rng)
            to = [] if evaluates else ["--export", "native", "--to", str(place.new)]
            return [["evaluate" if evaluates else "capture", str(place.given), *to]]

        look = None if evaluates else _sound_one_is_there
        yield Case("sidecars", str(number), lay, TOGETHER, look=look)


def _lay_labelled(folder: Path, rng: random.Random) -> None:
    """Lay pictures with odd label files, and one with a sound one."""
    label = json.loads((SAMPLES / "stable.json").read_text())
    label["tiles"] = label["tiles"][:6]
    for tile in label["tiles"]:
        tile["quad"] = [[x * _SIDE_PX / 1280, y * _SIDE_PX / 1280] for x, y in tile["quad"]]
    for number in range(TOGETHER + 1):
        name = f"{number:02}" if number < TOGETHER else "sound"
        jpeg = sound_pictures()["jpg"]
        (folder / f"{name}.jpg").write_bytes(jpeg + bytes([number]))
        mine = {**label, "image": f"{name}.jpg"}
        data = odd_text(mine, rng) if number < TOGETHER else json.dumps(mine).encode()
        (folder / f"{name}.json").write_bytes(data)


def _sound_one_is_there(place: Place, _ended: list[Ended]) -> str | None:
    return None if (place.new / "sound.json").is_file() else "the sound picture was not exported"


PLAYLISTS = {
    "a.mp4": "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nhttp://127.0.0.1:{port}/a.ts\n#EXT-X-ENDLIST\n",
    "a.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n/etc/passwd\n#EXT-X-ENDLIST\n",
    "b.mp4": "ffconcat version 1.0\nfile http://127.0.0.1:{port}/a.mp4\n",
    "c.mp4": "ffconcat version 1.0\nfile ../beyond/secret.jpg\n",
    "a.sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video {port} RTP/AVP 96\n",
}
"""Files that send FFmpeg elsewhere."""


def playlists() -> Iterator[Case]:
    """Yield cases of `watch` on files that name others, on this machine or on the network."""
    for name, text in PLAYLISTS.items():
        calls: list[str] = []

        def lay(place: Place, name: str = name, text: str = text, calls: list[str] = calls) -> list[Command]:
            listener = socket.create_server(("127.0.0.1", 0))
            listener.settimeout(5.0)

            def listen() -> None:
                with listener, contextlib.suppress(OSError):
                    listener.accept()
                    calls.append(name)

            threading.Thread(target=listen, daemon=True).start()
            (place.given / name).write_text(text.format(port=listener.getsockname()[1]))
            return [["watch", str(place.given / name)]]

        def look(_place: Place, _ended: list[Ended], calls: list[str] = calls) -> str | None:
            return "called the network" if calls else None

        yield Case("videos", f"playlist {name}", lay, statuses=(1,), sentences=1, look=look)
