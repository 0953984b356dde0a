"""What others get of a picture: no place, time or device, and on request nothing but the tiles."""

from __future__ import annotations

import contextlib
import struct
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.dataset.data_sets import chunk, png_of_size
from vision.dataset.anonymise import PrivacyOptions, anonymised, blurred, nameless
from vision.dataset.label_file import Label, LabelledPicture
from vision.errors import ImageError
from vision.imaging.header import read_header
from vision.imaging.photo import upright_size_wh
from vision.imaging.strip_metadata import without_metadata

IMAGES = Path(__file__).parents[2] / "data" / "images"
SECRET = b"51.5007N"
WIDE, HIGH = 96, 64
QUAD = ((30.0, 20.0), (50.0, 20.0), (50.0, 40.0), (30.0, 40.0))


def segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def exif(turn: int, order: str = ">") -> bytes:
    """Return EXIF data with an orientation and a place."""
    heading = {">": b"MM\0*", "<": b"II*\0"}[order]
    entries = struct.pack(order + "HHIHH", 0x0112, 3, 1, turn, 0)
    entries = struct.pack(order + "HHII", 0x010F, 2, len(SECRET), 38) + entries
    return heading + struct.pack(order + "IH", 8, 2) + entries + bytes(4) + SECRET


@pytest.fixture(scope="module")
def image() -> np.ndarray:
    small = np.random.default_rng(3).integers(0, 256, (HIGH // 8, WIDE // 8, 3)).astype(np.uint8)
    return cv2.resize(small, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)


def orientation(data: bytes) -> int:
    header = read_header(data)
    assert header is not None
    return header.orientation


def encoded(image: np.ndarray, suffix: str, *how: int) -> bytes:
    return cv2.imencode(suffix, image, list(how))[1].tobytes()


def decoded(data: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def talkative_jpeg(image: np.ndarray, turn: int = 1, order: str = ">", *how: int) -> bytes:
    """Return a JPEG with all that phones and programs add to one."""
    plain = encoded(image, ".jpg", *how)
    added = [
        segment(0xE0, b"JFXX\0\x10" + SECRET),
        segment(0xE1, b"Exif\0\0" + exif(turn, order)),
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + SECRET),
        segment(0xE2, b"MPF\0" + SECRET),
        segment(0xE2, b"ICC_PROFILE\0\x01\x01colours"),
        segment(0xED, b"Photoshop 3.0\0" + SECRET),
        segment(0xFE, SECRET),
    ]
    return plain[:20] + b"".join(added) + plain[20:] + b"film" + SECRET


def talkative_png(image: np.ndarray, turn: int = 1) -> bytes:
    plain = encoded(image, ".png")
    added = chunk(b"eXIf", exif(turn)) + chunk(b"tEXt", b"Where\0" + SECRET) + chunk(b"caBX", SECRET)
    return plain[:33] + chunk(b"gAMA", struct.pack(">I", 45455)) + added + plain[33:] + SECRET


def talkative_webp(image: np.ndarray, turn: int = 1) -> bytes:
    plain = encoded(image, ".webp", cv2.IMWRITE_WEBP_QUALITY, 80)
    size = struct.pack("<I", WIDE - 1)[:3] + struct.pack("<I", HIGH - 1)[:3]
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\x0c\0\0\0" + size + plain[12:]
    for kind, data in ((b"EXIF", exif(turn)), (b"XMP ", SECRET)):
        body += kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + body


TALKATIVE = [talkative_jpeg, talkative_png, talkative_webp]


@pytest.mark.parametrize("make", TALKATIVE, ids=["jpeg", "png", "webp"])
@pytest.mark.parametrize("turn", [1, 3, 6, 8])
def test_what_a_file_says_beside_its_pixels_is_dropped(make: object, turn: int, image: np.ndarray) -> None:
    """Its pixels and which way up it is stay as they are, to the last bit."""
    assert callable(make)
    data = make(image, turn)
    quiet = without_metadata(data, "x")
    assert SECRET in data
    assert SECRET not in quiet
    assert np.array_equal(decoded(quiet), decoded(data))
    assert orientation(quiet) == orientation(data) == turn
    assert upright_size_wh(data, "x") == ((WIDE, HIGH) if turn < 5 else (HIGH, WIDE))
    assert upright_size_wh(data, "x") == decoded(data).shape[1::-1]
    assert without_metadata(quiet, "x") == quiet


def test_colours_stay(image: np.ndarray) -> None:
    assert b"ICC_PROFILE\0\x01\x01colours" in without_metadata(talkative_jpeg(image), "x")
    assert b"gAMA" in without_metadata(talkative_png(image), "x")


def test_a_jpeg_of_many_scans_and_either_byte_order_is_understood(image: np.ndarray) -> None:
    data = talkative_jpeg(image, 6, "<", cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 1)
    quiet = without_metadata(data, "x")
    assert data.count(b"\xff\xda") > 2
    assert SECRET not in quiet
    assert np.array_equal(decoded(quiet), decoded(data))
    assert orientation(data) == 6


def test_a_plain_bitmap_says_nothing_and_other_kinds_are_refused(image: np.ndarray) -> None:
    bitmap = encoded(image, ".bmp")
    assert without_metadata(bitmap, "x") == bitmap
    assert upright_size_wh(bitmap, "x") == (WIDE, HIGH)
    with pytest.raises(ImageError, match="Save it as JPEG or PNG"):
        without_metadata(encoded(image, ".tiff"), "x")


def test_odd_exif_data_are_no_orientation(image: np.ndarray) -> None:
    """But those with a JPEG's heading in another kind of file are."""
    plain = encoded(image, ".png")
    for data, turn in (
        (b"Exif\0\0" + exif(6), 6),
        (b"Exif\0\0" * 10_000, 1),
        (exif(9), 1),
        (exif(6)[:20], 1),
        (b"", 1),
    ):
        assert orientation(plain[:33] + chunk(b"eXIf", data) + plain[33:]) == turn
    empty = b"WEBPVP8X" + bytes(4)
    assert without_metadata(b"RIFF" + struct.pack("<I", len(empty)) + empty, "x")[8:] == empty


@pytest.mark.parametrize("make", TALKATIVE, ids=["jpeg", "png", "webp"])
def test_damage_is_a_sentence(make: object, image: np.ndarray) -> None:
    assert callable(make)
    data = make(image, 6)

    @given(st.integers(0, len(data) - 1), st.binary(max_size=4), st.integers(0, 40))
    def damage(at: int, put: bytes, left_out: int) -> None:
        spoiled = data[:at] + put + data[at + left_out :]
        read_header(spoiled)
        for look in (without_metadata, upright_size_wh):
            with contextlib.suppress(ImageError):
                look(spoiled, "x")

    damage()
    with pytest.raises(ImageError, match="damaged picture"):
        without_metadata(data[:60], "x")


def picture(data: bytes, suffix: str, *quads: object) -> LabelledPicture:
    labels = tuple(Label("R40", quad) for quad in quads)  # type: ignore[arg-type]
    return LabelledPicture(Path(f"a{suffix}"), f"a{suffix}", upright_size_wh(data, "a"), "", labels)


def test_a_heic_photo_becomes_a_jpeg_that_says_nothing_else() -> None:
    """Its metadata cannot be dropped without packing it anew, and few programs read HEIC."""
    data = (IMAGES / "table-turned.heic").read_bytes()
    heic = picture(data, ".heic", QUAD)
    changed, mine = anonymised(data, heic, PrivacyOptions())
    assert (mine.name, mine.size_wh, mine.labels) == ("a.jpg", (1280, 720), heic.labels)
    assert decoded(changed).shape == (720, 1280, 3)
    assert b"2026:05:17" in data
    assert b"2026:05:17" not in changed
    assert anonymised(data, heic, PrivacyOptions(keep_metadata=True))[0] == data


def test_what_is_blurred_cannot_be_made_out(image: np.ndarray) -> None:
    """The tile and half its side around it are as they were; of all else a few dots are left."""
    fine = np.indices((480, 720)).sum(axis=0)[..., None].repeat(3, axis=2) // 4 % 2 * 255
    hidden = blurred(fine.astype(np.uint8), [((300, 200), (340, 200), (340, 240), (300, 240))])
    assert np.array_equal(hidden[182:258, 282:358], fine[182:258, 282:358])
    outside = np.ones((480, 720), bool)
    outside[178:262, 278:362] = False
    assert np.abs(hidden[outside].astype(int) - 127).max() < 20
    assert blurred(image, []).std() < image.std()
    tall = blurred(np.zeros((3000, 1, 3), np.uint8), [])
    assert tall.shape == (3000, 1, 3)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
def test_a_cropped_picture_keeps_its_labels_where_the_tiles_are(suffix: str, image: np.ndarray) -> None:
    data = encoded(image, suffix)
    cut, mine = anonymised(data, picture(data, suffix, QUAD), PrivacyOptions(crop=True))
    assert mine.size_wh == decoded(cut).shape[1::-1] == (41, 41)
    (left, top), (right, bottom) = (mine.labels[0].quad_px[corner] for corner in (0, 2))
    assert (right - left, bottom - top) == (20, 20)
    seen = decoded(cut)[int(top) : int(bottom), int(left) : int(right)].astype(int)
    assert np.abs(seen - decoded(data)[20:40, 30:50]).mean() < 4
    assert mine.sha256


def test_a_tile_at_the_edge_is_cropped_to_the_picture(image: np.ndarray) -> None:
    data = encoded(image, ".png")
    quad = ((-10.0, -5.0), (10.0, -5.0), (10.0, 15.0), (-10.0, 15.0))
    cut, mine = anonymised(data, picture(data, ".png", quad), PrivacyOptions(crop=True, blur=True))
    assert decoded(cut).shape[1::-1] == mine.size_wh == (21, 26)
    assert mine.labels[0].quad_px == quad


def test_a_turned_photo_is_changed_as_it_is_seen(image: np.ndarray) -> None:
    data = talkative_jpeg(image, 6)
    changed, mine = anonymised(data, picture(data, ".jpg", QUAD), PrivacyOptions(blur=True))
    assert orientation(changed) == 1
    assert decoded(changed).shape[1::-1] == mine.size_wh == (HIGH, WIDE)
    assert np.abs(decoded(changed)[20:40, 30:50].astype(int) - decoded(data)[20:40, 30:50]).mean() < 4
    assert SECRET not in changed


def test_metadata_are_kept_on_purpose_alone(image: np.ndarray) -> None:
    data = talkative_jpeg(image)
    mine = replace(picture(data, ".jpg", QUAD), extra={"source": "rtsp://ann:secret@camera/1", "light": 3})
    assert anonymised(data, mine, PrivacyOptions(keep_metadata=True))[0] == data
    assert anonymised(data, mine, PrivacyOptions(keep_metadata=True))[1].film == mine.film
    quiet, told = anonymised(data, mine, PrivacyOptions())
    assert quiet == without_metadata(data, "x")
    assert told.extra == {"source": nameless(str(mine.film)), "light": 3}
    assert nameless(nameless("film.mp4")) == nameless("film.mp4") != nameless("other.mp4")


@pytest.mark.parametrize(
    ("data", "treatment", "words"),
    [
        (png_of_size((20_000, 20_000)), PrivacyOptions(blur=True), "400 megapixels"),
        (png_of_size((20, 20)), PrivacyOptions(blur=True), "is not a picture that can be read"),
        (png_of_size((20, 20)), PrivacyOptions(crop=True), "shows no tile, so it cannot be cropped"),
    ],
)
def test_what_cannot_be_changed_is_a_sentence(data: bytes, treatment: PrivacyOptions, words: str) -> None:
    with pytest.raises(ImageError, match=words):
        anonymised(data, picture(data, ".png"), treatment)
