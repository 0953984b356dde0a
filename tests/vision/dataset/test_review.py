"""A data set under review, without a window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.rules.tiles import CODES
from tests.vision.dataset.data_sets import QUAD, tile, write_picture
from vision.dataset.dataset import build_data_set, read_data_set, write_manifest
from vision.dataset.review import Review, open_review
from vision.dataset.review_progress import ReviewState
from vision.errors import DataSetError


def proposed(code: str, confidence: float, at: float = 0.0, **extra: Any) -> dict[str, Any]:
    quad = [[x + at, y] for x, y in QUAD]
    return tile(code, quad, confidence=confidence, proposed=True, **extra)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pictures under two lights, of five tiles that wait and one that is confirmed."""
    one = [proposed("R40", 0.9), proposed("B20", 0.4, 100), proposed("G6", 0.99, 200)]
    two = [tile("Y4"), proposed("R40", 0.7, 100), proposed("M200", 0.6, 200)]
    write_picture(tmp_path / "set", "one.png", one, light=[90, 90, 90], source={"name": "one.jpg"})
    write_picture(tmp_path / "set", "two.png", two, light=[150, 150, 150])
    return tmp_path / "set"


def labels(folder: Path, name: str) -> list[dict[str, Any]]:
    return json.loads((folder / f"{name}.json").read_text())["tiles"]  # type: ignore[no-any-return]


def codes(review: Review) -> list[str]:
    return [review.crop(number).label.code for number in review.shown()]


def first(review: Review, code: str) -> int:
    return review.shown(code)[0]


def test_the_least_certain_come_first_and_what_is_confirmed_last(folder: Path) -> None:
    review = open_review(folder)
    assert codes(review) == ["B20", "M200", "R40", "R40", "G6", "Y4"]
    assert [review.crop(number).picture for number in review.shown("R40")] == [1, 0]


def test_what_is_confirmed_is_written_at_once_and_stays_when_opened_again(folder: Path) -> None:
    """Confirming drops "proposed" and "confidence", and nothing else that the label file says."""
    review = open_review(folder)
    before = json.loads((folder / "one.json").read_text())
    review.confirm([first(review, "B20")])
    after = json.loads((folder / "one.json").read_text())
    assert after["tiles"][1] == {
        key: value for key, value in before["tiles"][1].items() if key not in ("proposed", "confidence")
    }
    assert {**after, "tiles": None} == {**before, "tiles": None}
    assert [after["tiles"][index] for index in (0, 2)] == [before["tiles"][index] for index in (0, 2)]
    assert codes(open_review(folder)) == ["M200", "R40", "R40", "G6", "B20", "Y4"]
    assert not list(folder.glob(".*.part"))


def test_all_that_are_certain_enough_are_confirmed_together_and_taken_back_together(folder: Path) -> None:
    review = open_review(folder)
    written = [(folder / name).read_text() for name in ("one.json", "two.json")]
    assert review.confirm(review.shown(), above=0.7) == 3
    tiles = [each for name in ("one", "two") for each in labels(folder, name)]
    assert sorted(each["code"] for each in tiles if "proposed" in each) == ["B20", "M200"]
    assert review.confirm(review.shown()) == 2
    assert review.progress().proposed == 0
    for _ in range(2):
        review.undo()
    assert [json.loads(text) for text in written] == [
        json.loads((folder / name).read_text()) for name in ("one.json", "two.json")
    ]
    assert (review.can_undo, review.undo(), review.redo() is not None) == (False, None, True)
    assert review.progress().proposed == 2


def test_a_code_is_corrected(folder: Path) -> None:
    review = open_review(folder)
    number = first(review, "G6")
    assert (review.known_code(" g60 "), review.known_code("g61"), review.is_beginning("g")) == (
        "G60",
        None,
        True,
    )
    review.set_code(number, "G60")
    assert (labels(folder, "one")[2]["code"], "proposed" in labels(folder, "one")[2]) == ("G60", False)
    with pytest.raises(DataSetError, match="no tile 'G61'"):
        review.set_code(number, "G61")


def test_what_is_no_tile_leaves_the_labels_and_its_place_is_kept(folder: Path) -> None:
    review = open_review(folder)
    number = first(review, "B20")
    corners = labels(folder, "one")[1]["quad"]
    review.no_tile([number])
    content = json.loads((folder / "one.json").read_text())
    assert [crop["code"] for crop in content["tiles"]] == ["R40", "G6"]
    assert content["no_tiles"] == [corners]
    assert review.crop(number).gone
    assert number in review.shown()
    review.confirm([number])
    content = json.loads((folder / "one.json").read_text())
    assert ([crop["code"] for crop in content["tiles"]], "no_tiles" in content) == (
        ["R40", "B20", "G6"],
        False,
    )


def test_corners_move_and_missed_tiles_are_added(folder: Path) -> None:
    review = open_review(folder)
    moved = [[300, 300], [350, 300], [350, 350], [300, 350]]
    review.set_quad(first(review, "G6"), moved)
    assert labels(folder, "one")[2]["quad"] == moved
    assert labels(folder, "one")[2]["proposed"] is True
    with pytest.raises(DataSetError, match="clockwise"):
        review.set_quad(first(review, "G6"), moved[::-1])
    number = review.add(1, moved, "Y120")
    assert labels(folder, "two")[-1] == {"code": "Y120", "quad": moved, "row": 0, "slot": 0}
    review.undo()
    assert number not in review.shown()
    assert len(labels(folder, "two")) == 3
    review.redo()
    assert codes(review)[-1] == "Y120"


def test_progress_per_tile_and_light(folder: Path) -> None:
    review = open_review(folder)
    assert len(review.progress().unseen) == 40
    assert review.progress().states["R40"] is ReviewState.PROPOSED
    one, other = review.shown("R40")
    review.confirm([one])
    assert review.progress().states["R40"] is ReviewState.CONFIRMED
    assert review.progress().counts["R40"] == (1, 2)
    review.confirm([other])
    assert review.progress().states["R40"] is ReviewState.COMPLETE
    assert review.progress().in_one_light == ["Y4"]


def test_contradictions_are_listed_until_they_are_solved(folder: Path) -> None:
    review = open_review(folder)
    assert review.troubles() == []
    review.set_code(first(review, "G6"), "B20")
    (trouble,) = review.troubles()
    assert (trouble.code, {trouble.one, trouble.other}) == ("B20", set(review.shown("B20")))
    review.undo()
    review.set_quad(first(review, "G6"), review.crop(first(review, "B20")).label.quad_px)
    assert [each.code for each in review.troubles()] == [""]


def test_damaged_files_are_told_and_the_rest_is_opened(folder: Path) -> None:
    (folder / "three.json").write_text('{"image": "../x.png", "tiles": []}')
    (folder / "one.json").write_text("{")
    review = open_review(folder)
    assert (review.size, len(review.problems)) == (3, 2)
    (folder / "two.json").unlink()
    with pytest.raises(DataSetError, match="not a label file that can be read"):
        open_review(folder)


def test_a_change_that_cannot_be_written_is_not_made(folder: Path) -> None:
    review = open_review(folder)
    (folder / f".one.json.{os.getpid()}.part").mkdir()
    with pytest.raises(DataSetError, match="cannot be written"):
        review.confirm([first(review, "B20")])
    assert (review.crop(first(review, "B20")).is_proposed, review.can_undo) == (True, False)


def test_the_manifest_stays_true(folder: Path) -> None:
    data_set, _ = build_data_set(folder)
    write_manifest(data_set, folder)
    review = open_review(folder)
    review.set_code(first(review, "G6"), "G60")
    review.finish()
    data_set, problems = read_data_set(folder)
    assert (data_set.counts()["G60"], problems) == (1, [])


def test_a_corrected_pyramid_has_the_layout_of_its_tiles(tmp_path: Path) -> None:
    places = [("R40", 0, 0, 0), ("B20", 0, 1, 100), ("G6", 1, 0, 50)]
    quads = {code: [[x, 300 - 100 * row], [x + 90, 301 - 100 * row], [x + 90, 390 - 100 * row],
             [x, 390 - 100 * row]] for code, row, _, x in places}  # fmt: skip
    tiles = [
        {**tile(code, quads[code], proposed=True), "row": row, "slot": slot} for code, row, slot, _ in places
    ]
    write_picture(tmp_path / "set", "one.png", tiles, layout="R40 B20/G6")
    review = open_review(tmp_path / "set")
    review.set_code(first(review, "G6"), "B20")
    review.set_code(first(review, "B20"), "G6")
    assert json.loads((tmp_path / "set" / "one.json").read_text())["layout"] == "R40 G6/B20"


CONFIRM_ONE_BY_ONE = """
import sys
from pathlib import Path
from vision.dataset.review import open_review
review = open_review(Path(sys.argv[1]))
for number in review.shown():
    review.confirm([number])
    print(number, flush=True)
"""


def test_what_was_confirmed_stays_when_the_app_is_killed(tmp_path: Path) -> None:
    """And what was not is as it was: no label file is half written."""
    for number in range(20):
        tiles = [proposed(code, 0.5, 50 * at) for at, code in enumerate(CODES)]
        write_picture(tmp_path / "set", f"{number}.png", tiles)
    command = [sys.executable, "-c", CONFIRM_ONE_BY_ONE, str(tmp_path / "set")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        told = [int(killed.stdout.readline()) for _ in range(100)]
        killed.kill()
    review = open_review(tmp_path / "set")
    assert (review.problems, review.size) == ((), 20 * len(CODES))
    assert not any(review.crop(number).is_proposed for number in told)
    assert review.progress().proposed > 0
