"""Label files: read if sound, refused with a sentence if not; and the figures counted from them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.rules.layout import Layout
from referee.rules.tiles import CODES
from tests.places import SAMPLES
from vision.dataset.ground_truth import label_files, read_ground_truth
from vision.dataset.label_file import LabelledPicture, read_labels
from vision.errors import LabelError
from vision.evaluation.metrics import Score, calibration_error
from vision.evaluation.overlay import annotate
from vision.recognition.reading import Reading, TileReading


def test_a_label_file_gives_layout_tiles_and_groups() -> None:
    """Everything the format has is there; the picture lies beside it."""
    known = read_ground_truth(SAMPLES / "collapse.json")
    assert known.path == SAMPLES / "collapse.jpg"
    assert {tile.code for tile in known.labels} == {"B60", "R10", "R100", "G1", "Y40"}
    assert known.groups == ("A", "easy")


def test_a_label_file_tells_what_can_be_seen_of_a_tile(tmp_path: Path) -> None:
    content = json.loads((SAMPLES / "collapse.json").read_text(encoding="utf-8"))
    for tile, flag in zip(content["tiles"], ("covered", "cut", "outside"), strict=False):
        tile |= {flag: True, "visible": 0.25}
    file = tmp_path / "part.json"
    file.write_text(json.dumps(content | {"group": "covered"}), encoding="utf-8")
    known = read_ground_truth(file)
    assert [(t.is_covered, t.is_cut, t.is_outside, t.is_whole) for t in known.labels] == [
        (True, False, False, False),
        (False, True, False, False),
        (False, False, True, False),
        (False, False, False, True),
        (False, False, False, True),
    ]
    assert [tile.extra.get("visible", 1) for tile in known.labels] == [0.25, 0.25, 0.25, 1, 1]
    assert known.groups == ("A", "easy", "covered")


def test_labels_of_another_game_have_words_for_codes(tmp_path: Path) -> None:
    """Where any word may be a code, layout, rows and slots say nothing and may be left out."""
    quad = [[0, 0], [9, 0], [9, 9], [0, 9]]
    file = tmp_path / "other.json"
    content = {"image": "other.jpg", "tiles": [{"code": "blue-4", "quad": quad}]}
    file.write_text(json.dumps(content), encoding="utf-8")
    assert [tile.code for tile in read_labels(file).labels] == ["blue-4"]
    assert read_ground_truth(file, codes=("blue-4", "red-3")).layout == Layout.parse("-")
    for codes in (CODES, ("red-3",)):
        with pytest.raises(LabelError, match="does not describe a picture"):
            read_ground_truth(file, codes)
    for code in ("two words", "", 3, ["R40"], "x" * 25):
        content["tiles"] = [{"code": code, "quad": quad}]
        file.write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(LabelError, match="is not a tile"):
            read_labels(file)


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
        ("tiles", ["R40"]),
        ("tiles", [{"code": "R4", "row": 1e999, "slot": 0, "quad": [[0, 0], [1, 0], [1, 1], [0, 1]]}]),
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
        read_ground_truth(file)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\udcff"])
def test_unreadable_files_are_refused(tmp_path: Path, text: str) -> None:
    """Empty, broken, absurdly nested and wrongly encoded files are no label files."""
    file = tmp_path / "bad.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(LabelError, match="not a label file that can be read"):
        read_ground_truth(file)


@pytest.fixture
def known() -> LabelledPicture:
    return read_ground_truth(SAMPLES / "collapse.json")


def as_read(known: LabelledPicture) -> Reading:
    tiles = tuple(
        TileReading(tile.code, tile.row, tile.slot, tile.quad_px, 0.99, False) for tile in known.labels
    )
    return Reading(tiles, known.layout)


def test_a_perfect_reading_scores_everything(known: LabelledPicture) -> None:
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


def test_wrong_names_are_silent_errors_unless_unsure(known: LabelledPicture) -> None:
    """A wrong code counts as silent only where the reader vouched for it."""
    reading = as_read(known)
    for unsure in (False, True):
        wrong = replace(reading.tiles[0], code="Y2", unsure=unsure)
        score = Score()
        score.add(known, replace(reading, tiles=(wrong, *reading.tiles[1:])))
        assert score.right == 4
        assert score.silent == (0 if unsure else 1)
        assert score.confusions == {(known.labels[0].code, "Y2"): 1}


def test_tiles_that_are_not_there_are_silent_errors_too(known: LabelledPicture) -> None:
    """A tile reported where none lies is as wrong as a misnamed one."""
    reading = as_read(known)
    ghost = replace(reading.tiles[0], code="Y2", quad_px=((0, 0), (9, 0), (9, 9), (0, 9)))
    score = Score()
    score.add(known, replace(reading, tiles=(*reading.tiles, ghost)))
    assert (score.found, score.right, score.silent) == (5, 5, 1)


def known_as(known: LabelledPicture, code: str, **how: bool) -> LabelledPicture:
    """Return contents in which one tile is covered, cut or outside."""
    labels = (
        replace(label, extra={**label.extra, **how}) if label.code == code else label
        for label in known.labels
    )
    return replace(known, labels=tuple(labels))


def read_as(known: LabelledPicture, code: str, /, **how: Any) -> Reading:
    """Return a reading that is right but for one tile, of B60 R10 R100 -/- G1 Y40."""
    reading = as_read(known)
    tiles = tuple(replace(tile, **how) if tile.code == code else tile for tile in reading.tiles)
    layout = Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in tiles})
    return replace(reading, tiles=tiles, layout=layout)


@pytest.mark.parametrize("flag", ["covered", "cut"])
@pytest.mark.parametrize(
    ("read", "right"),
    [
        ({"code": "Y2", "unsure": True, "covered": True}, True),
        ({"code": "Y2", "unsure": True, "cut": True}, True),
        ({"code": "Y2"}, False),
        ({}, True),
    ],
    ids=["flagged as covered", "flagged as cut", "silently wrong", "read all the same"],
)
def test_a_tile_seen_in_part_is_right_where_its_place_is_kept(
    known: LabelledPicture, flag: str, read: dict[str, Any], right: bool
) -> None:
    score = Score()
    score.add(known_as(known, "G1", **{flag: True}), read_as(known, "G1", **read))
    shares = score.shares()
    assert shares[f"{flag}_found"] == right
    assert (shares["layouts_right"], score.right) == (right, 4 + right)
    assert score.silent == (not right)
    assert score.layouts_wrong_silently == (not right)
    assert len(score.confidences) == 4


def test_a_tile_seen_in_part_that_is_left_out_makes_the_layout_wrong(known: LabelledPicture) -> None:
    reading = as_read(known)
    score = Score()
    rest = tuple(tile for tile in reading.tiles if tile.code != "Y40")
    score.add(known_as(known, "Y40", covered=True), replace(reading, tiles=rest))
    assert (score.covered_found, score.layouts, score.layouts_wrong_silently) == (0, 0, 1)


def test_ordinary_pictures_have_no_columns_for_hidden_tiles(known: LabelledPicture) -> None:
    score = Score()
    score.add(known, as_read(known))
    assert not {"covered_found", "cut_found"} & score.shares().keys()


def test_tiles_outside_the_picture_do_not_count(known: LabelledPicture) -> None:
    """With the leftmost base tile outside, row and slot count from the part that is inside."""
    known = known_as(known, "B60", outside=True)
    reading = as_read(known)
    seen = tuple(replace(tile, slot=tile.slot - 1) for tile in reading.tiles if tile.code != "B60")
    for tiles, same in ((seen, True), (seen[:-1], False), (reading.tiles, True)):
        score = Score()
        score.add(known, replace(reading, tiles=tiles))
        assert (score.tiles, score.layouts, score.silent) == (4, same, 0)


def test_a_tile_in_another_place_makes_the_layout_wrong(known: LabelledPicture) -> None:
    """Also where a part of the pyramid lies outside and only the part inside is compared."""
    score = Score()
    moved = read_as(known, "G1", row=0, slot=5)
    score.add(known_as(known, "B60", covered=True), moved)
    assert score.layouts == 0


def test_a_hidden_place_is_a_flag(known: LabelledPicture) -> None:
    """A layout is not vouched for while something lies beside it, right or wrong."""
    reading = replace(as_read(known), hidden=(as_read(known).tiles[0].quad_px,))
    for layout in (known.layout, Layout.parse("R40")):
        score = Score()
        score.add(known, replace(reading, layout=layout))
        assert (score.layouts_vouched, score.layouts_wrong_silently) == (0, 0)


def test_calibration_error_is_the_gap_of_confidence_and_truth() -> None:
    """Ten answers at 0.8 of which six are right are off by 0.2."""
    assert calibration_error([(0.8, index < 6) for index in range(10)]) == pytest.approx(0.2)
    assert calibration_error([]) == 0


def test_tiles_seen_in_part_and_hidden_places_are_drawn_otherwise(known: LabelledPicture) -> None:
    """A covered tile's outline has gaps; a hidden place has an outline of its own."""
    image = np.full((720, 1280, 3), 90, np.uint8)

    def drawn(reading: Reading, corners: Any) -> float:
        """Return the share of the upper edge between two corners that is drawn on."""
        marked = annotate(image, reading)
        spots = np.linspace(corners[0], corners[1], 200).round().astype(int)
        return float((marked[spots[:, 1], spots[:, 0]] != 90).any(axis=1).mean())

    place = tuple((x, y - 300) for x, y in as_read(known).tiles[0].quad_px)
    corners = next(tile.quad_px for tile in known.labels if tile.code == "G1")
    whole, part = as_read(known), read_as(known, "G1", unsure=True, covered=True)
    assert drawn(whole, corners) == 1
    assert 0.3 < drawn(part, corners) < 0.9
    assert drawn(whole, place) == 0
    assert 0.3 < drawn(replace(whole, hidden=(place,)), place) < 0.9


def test_annotating_leaves_the_photo_alone(known: LabelledPicture) -> None:
    """The marked picture is a copy; the acting tile's outline is red, a taken one's amber."""
    image = np.full((720, 1280, 3), 90, np.uint8)
    marked = annotate(image, as_read(known), acting=["G1"], taken=["R10"])
    assert (image == 90).all()
    corner = {tile.code: np.round(tile.quad_px[0]).astype(int) for tile in known.labels}
    red, amber = (marked[corner[code][1], corner[code][0]].astype(int) for code in ("G1", "R10"))
    assert red[2] > red[1] + 100
    assert amber[2] > 200 > amber[0] + 100
