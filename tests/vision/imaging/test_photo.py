"""Photos of every kind: read rightly, or refused with one sentence."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import ImageError
from vision.imaging.photo import MAX_MEGAPIXELS, decode_photo, read_photo

IMAGES = Path(__file__).parents[2] / "data" / "images"
SAMPLE = Path(__file__).parents[3] / "samples" / "collapse.jpg"


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
        pytest.param(
            png_header(20000, 10000), f"200 megapixels; at most {MAX_MEGAPIXELS}", id="200-megapixels"
        ),
        pytest.param(png_header(10, 10), "not a picture", id="png-without-pixels"),
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
