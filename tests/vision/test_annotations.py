"""Label files: read if sound, refused with a sentence if not; and the figures counted from them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.annotations import KnownPicture, label_files, read_known_picture
from vision.errors import LabelError
from vision.metrics import Score, calibration_error
from vision.overlay import annotate
from vision.reading import Reading, TileReading

SAMPLES = Path(__file__).parents[2] / "samples"


def test_a_label_file_gives_layout_tiles_and_groups() -> None:
    """Everything the format has is there; the picture lies beside it."""
    known = read_known_picture(SAMPLES / "collapse.json")
    assert known.image == SAMPLES / "collapse.jpg"
    assert {tile.code for tile in known.tiles} == {"B60", "R10", "R100", "G1", "Y40"}
    assert known.groups == ("A", "easy")


def test_only_files_with_a_picture_beside_them_are_labels() -> None:
    """Other JSON files in the folder are left alone."""
    assert [path.stem for path in label_files(SAMPLES)] == [
        "collapse",
        "explosion",
        "fire",
        "overweight",
        "question",
        "stable",
    ]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("image", "../collapse.jpg"),
        ("image", 3),
        ("layout", "R40  B20"),
        ("tiles", None),
        ("tiles", [{"code": "R5", "row": 0, "slot": 0, "quad": [[0, 0], [1, 0], [1, 1], [0, 1]]}]),
        ("tiles", [{"code": "R4", "row": 0, "slot": 0, "quad": [[0, 0], [1, 0], [1, 1]]}]),
        ("tiles", [{"code": "R4", "row": 0, "slot": 0, "quad": [[0, 0], [1, 0], [1, float("nan")], [0, 1]]}]),
    ],
)
def test_bad_contents_are_refused(tmp_path: Path, key: str, value: Any) -> None:
    """A path out of the folder, bad notation, unknown tiles and broken quads each end in a sentence."""
    content = json.loads((SAMPLES / "collapse.json").read_text(encoding="utf-8")) | {key: value}
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(LabelError, match="does not describe a picture"):
        read_known_picture(file)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\udcff"])
def test_unreadable_files_are_refused(tmp_path: Path, text: str) -> None:
    """Empty, broken, absurdly nested and wrongly encoded files are no label files."""
    file = tmp_path / "bad.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(LabelError, match="no readable label file"):
        read_known_picture(file)


@pytest.fixture
def known() -> KnownPicture:
    return read_known_picture(SAMPLES / "collapse.json")


def as_read(known: KnownPicture) -> Reading:
    tiles = tuple(
        TileReading(tile.code, tile.row, tile.slot, tuple(map(tuple, tile.quad_px.tolist())), 0.99, False)
        for tile in known.tiles
    )
    return Reading(tiles, known.layout)


def test_a_perfect_reading_scores_everything(known: KnownPicture) -> None:
    """All right, nothing silent."""
    score = Score()
    score.add(known, as_read(known))
    shares = score.shares()
    assert (
        shares["tiles_right"],
        shares["layouts_right"],
        shares["silent_errors"],
        shares["corner_error"],
    ) == (1, 1, 0, 0)


def test_wrong_names_are_silent_errors_unless_unsure(known: KnownPicture) -> None:
    """A wrong code counts as silent only where the reader vouched for it."""
    reading = as_read(known)
    for unsure in (False, True):
        wrong = replace(reading.tiles[0], code="Y2", unsure=unsure)
        score = Score()
        score.add(known, replace(reading, tiles=(wrong, *reading.tiles[1:])))
        assert score.right == 4
        assert score.silent == (0 if unsure else 1)
        assert score.confusions == {(known.tiles[0].code, "Y2"): 1}


def test_tiles_that_are_not_there_are_silent_errors_too(known: KnownPicture) -> None:
    """A tile reported where none lies is as wrong as a misnamed one."""
    reading = as_read(known)
    ghost = replace(reading.tiles[0], code="Y2", quad_px=((0, 0), (9, 0), (9, 9), (0, 9)))
    score = Score()
    score.add(known, replace(reading, tiles=(*reading.tiles, ghost)))
    assert (score.found, score.right, score.silent) == (5, 5, 1)


def test_calibration_error_is_the_gap_of_confidence_and_truth() -> None:
    """Ten answers at 0.8 of which six are right are off by 0.2."""
    assert calibration_error([(0.8, index < 6) for index in range(10)]) == pytest.approx(0.2)
    assert calibration_error([]) == 0


def test_annotating_leaves_the_photo_alone(known: KnownPicture) -> None:
    """The marked picture is a copy; the acting tile's outline is red, a taken one's amber."""
    image = np.full((720, 1280, 3), 90, np.uint8)
    marked = annotate(image, as_read(known), acting=["G1"], taken=["R10"])
    assert (image == 90).all()
    corner = {tile.code: np.round(tile.quad_px[0]).astype(int) for tile in known.tiles}
    red, amber = (marked[corner[code][1], corner[code][0]].astype(int) for code in ("G1", "R10"))
    assert red[2] > red[1] + 100
    assert amber[2] > 200 > amber[0] + 100
