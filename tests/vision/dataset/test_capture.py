"""Training pictures with proposed labels: what is written, what is left out, what counts as new."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.layout import Layout
from referee.rules.tiles import CODES
from tests.places import SAMPLES
from tests.ui.laid_out import PHOTOS, laid_out
from vision.dataset.capture import (
    LabelProposer,
    Novelty,
    add_photo,
    checksum,
    read_captured,
)
from vision.dataset.dataset import label_files_of
from vision.dataset.ground_truth import read_ground_truth
from vision.dataset.label_file import Label, LabelledPicture
from vision.dataset.light import is_same_light
from vision.errors import ImageError, LabelError
from vision.imaging.header import read_header
from vision.imaging.photo import read_photo
from vision.imaging.strip_metadata import without_metadata
from vision.recognition.detector import TileCandidate
from vision.recognition.reading import DetectedTile, Quad, Reading, TileReading

QUAD = ((10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0))


@pytest.fixture(scope="module")
def proposer() -> LabelProposer:
    return LabelProposer()


def exif(orientation: int = 1, taken: bytes = b"2025:12:24 18:00:00\0") -> bytes:
    """Return an EXIF segment with a camera's name, a place, and what else is asked for."""

    def entry(tag: int, kind: int, count: int, value: int) -> bytes:
        return struct.pack(">HHII", tag, kind, count, value)

    main = [
        entry(0x010F, 2, 12, 200),
        entry(0x0112, 3, 1, orientation << 16),
        entry(0x8769, 4, 1, 100),
        entry(0x8825, 4, 1, 150),
    ]
    tiff = b"MM\0*" + struct.pack(">IH", 8, len(main)) + b"".join(main) + bytes(4)
    tiff = tiff.ljust(100, b"\0") + struct.pack(">H", 1) + entry(0x9003, 2, 20, 220) + bytes(4)
    tiff = tiff.ljust(150, b"\0") + struct.pack(">H", 1) + entry(1, 2, 2, 0x4E000000) + bytes(4)
    tiff = tiff.ljust(200, b"\0") + b"SecretCamera".ljust(20, b"\0") + taken
    return b"\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff


def jpeg(image_bgr: np.ndarray, segments: bytes = b"", tail: bytes = b"") -> bytes:
    data = cv2.imencode(".jpg", image_bgr)[1].tobytes()
    return data[:2] + segments + data[2:] + tail


def written(folder: Path, name: str, data: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    return folder / name


def pixels(data: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


GREY = np.random.default_rng(0).integers(0, 255, (40, 60, 3)).astype(np.uint8)


@pytest.mark.parametrize("progressive", [0, 1])
def test_what_a_camera_adds_is_left_out_and_the_pixels_stay(progressive: int) -> None:
    """EXIF, comments, makers' notes and the pictures after the end go; a colour profile stays."""
    plain = cv2.imencode(".jpg", GREY, [cv2.IMWRITE_JPEG_PROGRESSIVE, progressive])[1].tobytes()
    profile = b"\xff\xe2\x00\x12ICC_PROFILE\0" + b"\1\1Me"
    preview = b"\xff\xe2\x00\x08MPF\0at"
    note = b"\xff\xfe\x00\x09at home"
    data = plain[:2] + exif() + profile + preview + note + plain[2:] + jpeg(GREY, exif())
    cleaned = without_metadata(data, "a.jpg")
    assert np.array_equal(pixels(cleaned), pixels(data))
    assert cleaned == plain[:2] + profile + plain[2:]
    header = read_header(data)
    assert header is not None
    assert (header.orientation, header.day) == (1, "2025-12-24")


@given(st.binary(max_size=80), st.integers(0, 250))
def test_damaged_exif_says_nothing_and_stops_nothing(noise: bytes, at: int) -> None:
    segment = exif(6)
    damaged = segment[: 10 + at] + noise + segment[10 + at + len(noise) :]
    data = jpeg(GREY, damaged[: len(segment)])
    header = read_header(data)
    assert header is None or (1 <= header.orientation <= 8 and (header.day is None or len(header.day) == 10))


def test_a_turned_photo_is_turned_upright_and_its_quads_go_with_it(
    tmp_path: Path, proposer: LabelProposer
) -> None:
    """Programs that know no EXIF see the quads where the tiles are; the photo's own day is kept."""
    upright = cv2.imread(str(SAMPLES / "fire.jpg"))
    data = jpeg(cv2.rotate(upright, cv2.ROTATE_90_COUNTERCLOCKWISE), exif(orientation=6))
    gathered = add_photo(written(tmp_path / "from", "IMG 1.jpg", data), tmp_path, proposer)
    assert b"SecretCamera" not in gathered.path.read_bytes()
    seen = cv2.imread(str(gathered.path), cv2.IMREAD_IGNORE_ORIENTATION | cv2.IMREAD_COLOR)
    assert seen.shape == upright.shape
    truth = read_ground_truth(SAMPLES / "fire.json")
    labels = read_ground_truth(gathered.path.with_suffix(".json"))
    assert labels.layout == truth.layout
    for tile, true in zip(labels.labels, truth.labels, strict=True):
        assert tile.code == true.code
        assert np.abs(np.array(tile.quad_px) - true.quad_px).max() < 10
    content = json.loads(gathered.path.with_suffix(".json").read_text())
    assert content["source"] == {"name": "IMG 1.jpg", "sha256": checksum(data), "date": "2025-12-24"}
    assert all(tile["proposed"] is True and 0 < tile["confidence"] <= 1 for tile in content["tiles"])
    assert gathered.path.name == f"IMG-1-{checksum(data)[:12]}.jpg"


def test_a_heic_photo_becomes_an_upright_jpeg(tmp_path: Path, proposer: LabelProposer) -> None:
    """Data sets are for every program, and few read HEIC. Day and places of the tiles are kept."""
    photo = SAMPLES.parent / "tests" / "data" / "images" / "table-turned.heic"
    gathered = add_photo(photo, tmp_path, proposer)
    assert gathered.path.suffix == ".jpg"
    assert cv2.imread(str(gathered.path)).shape == cv2.imread(str(SAMPLES / "stable.jpg")).shape
    assert gathered.extra["source"]["date"] == "2026-05-17"
    labels = read_ground_truth(gathered.path.with_suffix(".json"))
    truth = read_ground_truth(SAMPLES / "stable.json")
    assert labels.layout == truth.layout
    for tile, true in zip(labels.labels, truth.labels, strict=True):
        assert np.abs(np.array(tile.quad_px) - true.quad_px).max() < 8


def test_a_large_photo_keeps_its_size_and_its_own_pixels(tmp_path: Path, proposer: LabelProposer) -> None:
    """It is read smaller; what is written is the file's own picture, with quads in its own pixels."""
    large = cv2.resize(cv2.imread(str(SAMPLES / "fire.jpg")), (3840, 2160))
    gathered = add_photo(written(tmp_path / "from", "large.jpg", jpeg(large, exif())), tmp_path, proposer)
    assert gathered.path.read_bytes() == jpeg(large)
    truth = {tile.code: tile.quad_px for tile in read_ground_truth(SAMPLES / "fire.json").labels}
    labels = read_ground_truth(gathered.path.with_suffix(".json"))
    assert {tile.code for tile in labels.labels} == set(truth)
    for tile in labels.labels:
        assert np.abs(np.array(tile.quad_px) / 3 - truth[tile.code]).max() < 10


def test_as_is_copies_all_that_a_photo_tells(tmp_path: Path) -> None:
    data = jpeg(GREY, exif())
    kept = add_photo(written(tmp_path / "from", "a.jpg", data), tmp_path, Silent(), as_is=True)
    assert kept.path.read_bytes() == data


def test_tiles_that_form_no_pyramid_are_all_listed(proposer: LabelProposer) -> None:
    for codes in PHOTOS:
        loose = proposer.propose(laid_out(codes)[0])
        assert ([tile.code for tile in loose.tiles], str(loose.layout)) == (codes, "-")
    pyramid = proposer.propose(read_photo(SAMPLES / "fire.jpg").image_bgr)
    assert pyramid.layout == read_ground_truth(SAMPLES / "fire.json").layout
    nothing = proposer.propose(np.full((240, 320, 3), 128, np.uint8))
    assert nothing.tiles == ()


@pytest.mark.parametrize(("tiles", "is_loose"), [(5, False), (6, True)])
def test_things_beside_a_pyramid_leave_it_one(proposer, monkeypatch, tiles: int, *, is_loose: bool) -> None:
    """What the detector sees clearly beside it may be a hand or a score sheet, and no tile is lost for it."""

    def at(index: int) -> Quad:
        return tuple((x + 50.0 * index, y) for x, y in QUAD)  # type: ignore[return-value]

    pyramid = [TileReading("G40", 0, index, at(index), 0.99, unsure=False) for index in range(4)]
    read = Reading(tuple(pyramid), Layout.parse("G40 Y10 R60 B20"), {})
    seen = [DetectedTile("G40", at(index), 0.99, False, 1.0, 1.0, 0.0, ()) for index in range(tiles)]
    clear = [TileCandidate(np.array(at(index), np.float32), 0.9) for index in range(4, 7)]
    monkeypatch.setattr(proposer._reader, "read", lambda _image: read)
    monkeypatch.setattr(proposer._reader, "laid_out", lambda _image: seen)
    monkeypatch.setattr(proposer._detector, "find", lambda _image: clear)
    assert (len(proposer.propose(GREY).tiles) == tiles) is is_loose


class Silent(LabelProposer):
    """Proposes nothing, at once."""

    def __init__(self) -> None:
        pass

    def propose(self, image_bgr: np.ndarray) -> Reading:
        return Reading((), Layout.parse("-"))


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """Labels that a person has corrected stay; pictures of the same name lie beside each other."""
    one = written(tmp_path / "a", "photo.jpg", jpeg(GREY))
    other = written(tmp_path / "b", "photo.jpg", jpeg(255 - GREY))
    to = tmp_path / "set"
    to.mkdir()
    first, second = (add_photo(photo, to, Silent()) for photo in (one, other))
    assert first.path != second.path
    labels = first.path.with_suffix(".json")
    labels.write_text("corrected")
    with pytest.raises(ImageError, match="is already there"):
        add_photo(one, to, Silent())
    assert labels.read_text() == "corrected"
    assert sorted(path.suffix for path in to.iterdir()) == [".jpg", ".jpg", ".json", ".json"]


def test_a_data_set_is_read_back_and_its_faults_are_named(tmp_path: Path) -> None:
    gathered = add_photo(written(tmp_path / "from", "a.jpg", jpeg(GREY)), tmp_path, Silent())
    (labels,) = label_files_of(tmp_path)
    assert read_captured(labels, CODES) == gathered
    (tmp_path / "manifest.json").write_text('{"pictures": 1}')
    assert label_files_of(tmp_path) == [labels]
    gathered.path.unlink()
    assert label_files_of(tmp_path) == [labels]
    with pytest.raises(ImageError, match="but it is missing"):
        read_captured(labels, CODES)
    labels.write_text(labels.read_text()[:-9])
    with pytest.raises(LabelError):
        read_captured(labels, CODES)


def test_a_tile_counts_as_seen_whole_and_likely_or_confirmed() -> None:
    labels = (
        Label("R2", QUAD, {"confidence": 0.9, "proposed": True}),
        Label("R4", QUAD, {"confidence": 0.2, "proposed": True}),
        Label("R6", QUAD, {"confidence": 0.2, "proposed": False}),
        Label("R10", QUAD),
        Label("R20", QUAD, {"confidence": 0.9, "proposed": True, "covered": True}),
        Label("R30", QUAD, {"confidence": "high", "proposed": True}),
    )
    picture = LabelledPicture(Path("a.jpg"), "a.jpg", (0, 0), "", labels)
    assert picture.likely_codes == ("R2", "R6", "R10")
    for light in (None, "bright", [1, 2], [1, 2, None]):
        odd = replace(picture, extra={"light": light, "source": "a phone"})
        assert (odd.mean_colour, odd.source_sha256, odd.source_name) == (None, None, None)


def table(*codes: str, unsure: str = "") -> Reading:
    tiles = tuple(TileReading(code, 0, slot, QUAD, 0.9, code == unsure) for slot, code in enumerate(codes))
    return Reading(tiles, Layout.parse(" ".join(codes)))


def test_another_layout_or_another_light_is_new() -> None:
    novelty, light, dusk = Novelty(), (100.0, 110.0, 120.0), (60.0, 66.0, 72.0)
    assert novelty.is_new(table("R2", "R4"), light)
    assert not novelty.is_new(table("R2", "R4"), (104.0, 108.0, 115.0))
    assert not novelty.is_new(table("R2", "R6", unsure="R6"), light)
    assert novelty.is_new(table("R4", "R2"), light)
    assert novelty.is_new(table("R2", "R4", "R6"), light)
    assert novelty.is_new(table("R2", "R4"), dusk)
    assert not novelty.is_new(table("R2", "R4"), dusk)
    assert not is_same_light(light, (100.0, 110.0, 80.0))
