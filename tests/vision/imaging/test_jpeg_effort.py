"""JPEGs that take minutes or gigabytes are refused before they are decoded; real ones are not."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.attack.bombs import BOMBS, progressive
from tests.places import DATA, SAMPLES
from vision.errors import ImageError
from vision.imaging import jpeg_effort, photo
from vision.imaging.jpeg_effort import takes_too_much
from vision.imaging.photo import decode_photo, upright_size_wh


@pytest.mark.parametrize("name", [name for name in BOMBS if name.endswith(".jpg")])
def test_a_bomb_is_refused_and_never_decoded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = BOMBS[name]()
    monkeypatch.delattr(cv2, "imdecode")
    monkeypatch.setattr(photo, "read_header", None)
    for read in (decode_photo, upright_size_wh):
        with pytest.raises(ImageError, match="too much time or memory"):
            read(data, name)


def test_photos_of_every_kind_are_not_taken_for_bombs() -> None:
    files = [*SAMPLES.glob("*.jpg"), *(DATA / "images").glob("*.jpg")]
    assert len(files) > 6
    for file in files:
        assert not takes_too_much(file.read_bytes()), file
    assert not takes_too_much(progressive(9000, 8000, sub=2))


def test_a_photo_with_a_long_profile_and_small_copies_behind_it_is_read() -> None:
    jpeg = cv2.imencode(".jpg", np.zeros((64, 64, 3), np.uint8))[1].tobytes()
    part = b"\xff\xe2\xff\xff" + b"ICC_PROFILE\0" + bytes(0xFFFF - 14)
    assert not takes_too_much(jpeg[:2] + 200 * part + jpeg[2:] + 300 * jpeg)


def test_where_markers_lie_is_told_as_libjpeg_sees_it() -> None:
    """Over fill bytes, stuffed bytes, restart markers, and the borders of the parts that are looked at."""
    for length in (*range(200), 2**20 + 100):
        data = bytes([0xFF, 0x00, 0xFF, 0xD3]) * (length // 4) + bytes(length % 4) + b"\xff\xff\xd9\xff"
        assert jpeg_effort._next_marker(data, 0) == length + 1
    assert jpeg_effort._next_marker(b"\xff\x00" * 500 + b"\xff", 0) is None


def test_a_multi_scan_photo_of_many_pixels_keeps_too_many_coefficients() -> None:
    assert takes_too_much(progressive(8000, 8000, sub=0))
    plain = io.BytesIO()
    Image.new("RGB", (8000, 8000)).save(plain, "JPEG", subsampling=0)
    assert not takes_too_much(plain.getvalue())
