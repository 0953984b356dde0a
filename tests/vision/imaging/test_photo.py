"""Photos of every kind: read rightly, or refused with one sentence."""

from __future__ import annotations

import contextlib
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.places import DATA, SAMPLES
from vision.errors import ImageError
from vision.imaging import photo as photos
from vision.imaging.header import read_header
from vision.imaging.photo import MAX_MEGAPIXELS, decode_photo, read_photo, upright_size_wh

IMAGES = DATA / "images"
SAMPLE = SAMPLES / "collapse.jpg"


def packed(image: np.ndarray, suffix: str = ".jpg") -> bytes:
    return cv2.imencode(suffix, image)[1].tobytes()


@pytest.fixture
def quarters() -> np.ndarray:
    """A picture whose quarters are red, green, blue and white."""
    image = np.zeros((40, 60, 3), np.uint8)
    image[:20, :30], image[:20, 30:], image[20:, :30], image[20:, 30:] = (
        (0, 0, 255),
        (0, 255, 0),
        (255, 0, 0),
        (255, 255, 255),
    )
    return image


def test_a_photo_is_bgr_and_of_its_own_size() -> None:
    """A JPEG that is not large is decoded as it is."""
    photo = read_photo(SAMPLE)
    assert photo.image_bgr.dtype == np.uint8
    assert photo.image_bgr.shape[2] == 3
    assert photo.scale == 1


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".webp", ".tiff"])
def test_other_formats_are_read(quarters: np.ndarray, suffix: str) -> None:
    """PNG, BMP, WebP and TIFF give the same colours."""
    image = decode_photo(packed(quarters, suffix), "a").image_bgr
    assert np.abs(image[5, 5].astype(int) - (0, 0, 255)).max() < 30
    assert np.abs(image[35, 5].astype(int) - (255, 0, 0)).max() < 30


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """Return the JPEG with an EXIF segment that names one orientation."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = b"MM\0*" + struct.pack(">IH", 8, 1) + entry + b"\0\0\0\0"
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


@pytest.mark.parametrize(
    ("orientation", "corner"), [(1, (0, 0, 255)), (3, (255, 255, 255)), (6, (255, 0, 0)), (8, (0, 255, 0))]
)
def test_exif_orientation_is_honoured(
    quarters: np.ndarray, orientation: int, corner: tuple[int, int, int]
) -> None:
    """A phone's photo stands upright whichever way the phone was held."""
    image = decode_photo(with_orientation(packed(quarters), orientation), "a").image_bgr
    assert np.abs(image[5, 5].astype(int) - corner).max() < 40
    assert image.shape[:2] == ((40, 60) if orientation in (1, 3) else (60, 40))


QUARTERS_HEIC = (IMAGES / "quarters-turned.heic").read_bytes()
TABLE_HEIC = (IMAGES / "table-turned.heic").read_bytes()


@pytest.mark.parametrize("quarters", range(4))
def test_a_heic_photo_stands_upright(quarters: int) -> None:
    """An iPhone turns its photos in two ways at once; only one of them may be followed."""
    turn = QUARTERS_HEIC.index(b"irot") + 4
    assert QUARTERS_HEIC[turn] == 3
    photo = decode_photo(QUARTERS_HEIC[:turn] + bytes([quarters]) + QUARTERS_HEIC[turn + 1 :], "a")
    upright = cv2.rotate(photo.image_bgr, cv2.ROTATE_90_CLOCKWISE)
    for _ in range(quarters):
        upright = cv2.rotate(upright, cv2.ROTATE_90_CLOCKWISE)
    stored = cv2.rotate(upright, cv2.ROTATE_90_COUNTERCLOCKWISE)
    assert photo.scale == 1
    assert stored.shape == (64, 96, 3)
    for (y, x), colour in {(5, 5): (0, 0, 255), (5, 90): (0, 255, 0), (60, 5): (255, 0, 0)}.items():
        assert np.abs(stored[y, x].astype(int) - colour).max() < 20


def test_the_header_of_a_heic_photo_tells_its_size_and_day() -> None:
    header = read_header(TABLE_HEIC)
    assert header is not None
    assert (header.size_wh, header.orientation, header.day) == ((1280, 720), 1, "2026-05-17")
    assert upright_size_wh(TABLE_HEIC, "a") == (1280, 720)


def test_a_large_heic_photo_is_made_smaller_like_a_jpeg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos, "WORKING_SIDE_PX", 640)
    photo = decode_photo(TABLE_HEIC, "a")
    assert photo.image_bgr.shape == (360, 640, 3)
    assert photo.scale == 2
    assert decode_photo(TABLE_HEIC, "a", whole=True).image_bgr.shape == (720, 1280, 3)


def test_a_heic_photo_with_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    """The box "ispe" holds width and height."""
    size = TABLE_HEIC.index(b"ispe") + 8
    huge = TABLE_HEIC[:size] + struct.pack(">II", 20000, 10000) + TABLE_HEIC[size + 8 :]
    with pytest.raises(ImageError, match="200 megapixels"):
        decode_photo(huge, "a")


def test_a_webp_photo_with_too_many_pixels_is_refused() -> None:
    """A picture of one colour is small in the file and large in memory."""
    data = packed(np.zeros((10_100, 10_000, 3), np.uint8), ".webp")
    with pytest.raises(ImageError, match="101 megapixels"):
        decode_photo(data, "a")


@pytest.mark.parametrize(
    ("suffix", "most_bytes"), [(".png", 9), (".webp", 9), (".bmp", 9), (".tiff", 10), (".heic", 8)]
)
def test_pictures_that_would_take_too_much_memory_are_refused(
    suffix: str, most_bytes: int, quarters: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file counts where decoding takes more than reading does."""
    data = QUARTERS_HEIC if suffix == ".heic" else packed(quarters, suffix)
    high, wide = decode_photo(data, "a").image_bgr.shape[:2]
    needed = high * wide * most_bytes + (len(data) if most_bytes != 9 else 0)
    needed = max(needed, 6 * high * wide + len(data))
    monkeypatch.setattr(photos, "MAX_WORKING_BYTES", needed)
    assert decode_photo(data, "a").image_bgr.shape == (high, wide, 3)
    monkeypatch.setattr(photos, "MAX_WORKING_BYTES", needed - 1)
    with pytest.raises(ImageError, match="too much time or memory"):
        decode_photo(data, "a")


@given(st.integers(0, len(QUARTERS_HEIC) - 1), st.binary(max_size=4), st.integers(0, 40))
def test_a_damaged_heic_photo_is_a_sentence(at: int, put: bytes, left_out: int) -> None:
    with contextlib.suppress(ImageError):
        image = decode_photo(QUARTERS_HEIC[:at] + put + QUARTERS_HEIC[at + left_out :], "a").image_bgr
        assert image.dtype == np.uint8
        assert image.shape[2] == 3


@pytest.mark.parametrize(("at", "put"), [(191, b"\xf8\xe1"), (189, b"\x0e\xf1\x30\x6a")])
def test_a_heic_photo_whose_parts_have_no_names_is_damaged(at: int, put: bytes) -> None:
    """With these bytes the decoder ended the whole process."""
    with pytest.raises(ImageError, match="not a picture"):
        decode_photo(QUARTERS_HEIC[:at] + put + QUARTERS_HEIC[at + len(put) :], "a")


def test_a_large_jpeg_is_decoded_smaller_and_says_so() -> None:
    """Twelve megapixels become three, and `scale` leads back to the file's pixels."""
    photo = decode_photo(packed(np.zeros((3000, 4000, 3), np.uint8)), "a")
    assert photo.image_bgr.shape == (1500, 2000, 3)
    assert photo.scale == 2


@pytest.mark.parametrize("kind", ["gray", "sixteen", "alpha", "gray16"])
def test_odd_pixel_formats_become_bgr(quarters: np.ndarray, kind: str) -> None:
    """Grey, 16-bit and transparent PNGs are read as 8-bit BGR."""
    image = {
        "gray": quarters[:, :, 1],
        "sixteen": quarters.astype(np.uint16) * 257,
        "alpha": np.dstack([quarters, np.full(quarters.shape[:2], 128, np.uint8)]),
        "gray16": quarters[:, :, 1].astype(np.uint16) * 257,
    }[kind]
    read = decode_photo(packed(image, ".png"), "a").image_bgr
    assert read.shape == quarters.shape
    assert read.dtype == np.uint8
    assert (
        np.abs(read[5, 50].astype(int) - ((0, 255, 0) if "gray" not in kind else (255, 255, 255))).max() < 3
    )


@pytest.mark.parametrize("name", ["quarters-cmyk.jpg", "quarters-progressive.jpg"])
def test_jpegs_of_other_kinds_keep_their_colours(name: str) -> None:
    """CMYK, as print shops save it, and progressive JPEG are read like any other."""
    image = read_photo(IMAGES / name).image_bgr
    for (y, x), colour in {
        (5, 5): (0, 0, 255),
        (5, 50): (0, 255, 0),
        (35, 5): (255, 0, 0),
        (35, 50): (255,) * 3,
    }.items():
        assert np.abs(image[y, x].astype(int) - colour).max() < 45


def test_one_pixel_is_a_picture() -> None:
    """A 1x1 picture is read; that it holds no pyramid is for the reader to say."""
    assert decode_photo(packed(np.zeros((1, 1, 3), np.uint8), ".png"), "a").image_bgr.shape == (1, 1, 3)


def png_header(width: int, height: int) -> bytes:
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
        + b"\0\0\0\0IEND\xaeB`\x82"
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b"These are words, and no picture.", "not a picture", id="text"),
        pytest.param(SAMPLE.read_bytes()[:20000], "cut off", id="truncated-jpeg"),
        pytest.param(SAMPLE.read_bytes()[:3], "cut off", id="three-bytes-of-jpeg"),
        pytest.param(TABLE_HEIC[:20000], "cut off", id="truncated-heic"),
        pytest.param(TABLE_HEIC[:300], "cut off", id="start-of-heic"),
        pytest.param(TABLE_HEIC[:40] + b"?" * 40 + TABLE_HEIC[80:], "not a picture", id="damaged-heic"),
        pytest.param(
            png_header(20000, 10000), f"200 megapixels. At most {MAX_MEGAPIXELS}", id="200-megapixels"
        ),
        pytest.param(png_header(10, 10), "not a picture", id="png-without-pixels"),
        pytest.param(
            png_header(10, 10)[:33] + b"\x7f\xff\xff\xffIDATx" + png_header(10, 10)[33:],
            "cut off",
            id="png-with-a-chunk-of-2-gb",
        ),
    ],
)
def test_bad_files_are_refused_with_a_sentence(tmp_path: Path, data: bytes, sentence: str) -> None:
    """Whatever is in the file, the error is an ImageError that names the file and the fault."""
    file = tmp_path / "bad.jpg"
    file.write_bytes(data)
    with pytest.raises(ImageError, match=sentence) as caught:
        read_photo(file)
    assert "bad.jpg" in str(caught.value)
    assert str(caught.value).endswith(".")


def test_missing_files_and_folders_are_refused_with_a_sentence(tmp_path: Path) -> None:
    """What is no file at all is named as well."""
    with pytest.raises(ImageError, match="No such file"):
        read_photo(tmp_path / "none.jpg")
    with pytest.raises(ImageError, match="is a folder"):
        read_photo(tmp_path)
