"""Damaged pictures are said to be damaged, sound ones never are, and codecs print nothing."""

from __future__ import annotations

import io
import os
import random
import threading

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.places import DATA, SAMPLES
from vision.errors import ImageError
from vision.imaging import damage
from vision.imaging.photo import decode_photo

KINDS = {
    "jpeg": ("JPEG", {"quality": 80}),
    "progressive": ("JPEG", {"quality": 80, "progressive": True}),
    "png": ("PNG", {}),
    "webp": ("WEBP", {"quality": 70}),
    "lossless-webp": ("WEBP", {"lossless": True}),
    "webp-with-exif": ("WEBP", {"quality": 90, "exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"}),
}
"""Name of a kind -> Pillow's name of the format, and its options."""


def packed(image: np.ndarray, kind: str) -> bytes:
    file = io.BytesIO()
    name, options = KINDS[kind]
    Image.fromarray(image).save(file, name, **options)
    return file.getvalue()


def table() -> np.ndarray:
    return cv2.cvtColor(cv2.imread(str(SAMPLES / "fire.jpg")), cv2.COLOR_BGR2RGB)[200:500, 300:700]


@pytest.mark.parametrize("kind", KINDS)
def test_sound_pictures_of_every_kind_are_read(kind: str) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (120, 90, 3)).astype(np.uint8)
    half = noise.copy()
    half[60:] = 0
    for image in (
        table(),
        noise,
        half,
        np.zeros((16, 16, 3), np.uint8),
        np.full((300, 400, 3), 200, np.uint8),
    ):
        assert decode_photo(packed(image, kind), "a").image_bgr.shape == image.shape


@pytest.mark.parametrize("kind", ["png", "webp", "webp-with-exif"])
def test_a_picture_with_one_wrong_bit_is_never_read(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    sound = packed(table(), kind)
    chance = random.Random(1)
    begin = sound.index(b"IDAT" if kind == "png" else b"VP8 ") + 24
    end = sound.index(b"IEND") - 8 if kind == "png" else len(sound) - 40
    for _ in range(30):
        wrong = bytearray(sound)
        wrong[chance.randrange(begin, end)] ^= 1 << chance.randrange(8)
        with pytest.raises(ImageError):
            decode_photo(bytes(wrong), "a")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["jpeg", "progressive"])
def test_a_jpeg_that_lost_its_thread_is_damaged(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A wrong bit after which the rest fits again is not found: it changes one small square."""
    sound = packed(table(), kind)
    begin = sound.rindex(b"\xff\xda") + 20 if kind == "jpeg" else sound.index(b"\xff\xda") + 20
    with pytest.raises(ImageError, match="is damaged"):
        decode_photo(sound[:begin] + sound[begin + 400 :], "a")
    assert capfd.readouterr() == ("", "")


def test_an_unknown_version_in_a_header_is_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    jpeg = (SAMPLES / "fire.jpg").read_bytes()
    at = jpeg.index(b"JFIF\0") + 5
    assert damage.decoded(jpeg[:at] + b"\xff\x80" + jpeg[at + 2 :], cv2.IMREAD_COLOR)[0] is not None
    assert capfd.readouterr().err == ""


def test_what_other_threads_print_meanwhile_is_handed_on(capfd: pytest.CaptureFixture[str]) -> None:
    with damage._codec_lines() as lines:
        writer = threading.Thread(target=lambda: os.write(2, b"Game 1 goes on.\nlibpng warning: hm\n"))
        writer.start()
        writer.join()
    assert lines == ["libpng warning: hm\n"]
    assert capfd.readouterr().err == "Game 1 goes on.\n"


def test_without_standard_error_pictures_are_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damage, "STANDARD_ERROR", 999)
    assert decode_photo((SAMPLES / "fire.jpg").read_bytes(), "a").image_bgr.shape == (720, 1280, 3)


def test_the_pictures_of_the_tests_are_sound() -> None:
    for file in [*SAMPLES.glob("*.jpg"), *(DATA / "images").glob("*.jpg"), *(DATA / "played").glob("*.jpg")]:
        decode_photo(file.read_bytes(), file.name)
