"""Data sets that other programs wrote: read if sound, and one sentence for each picture that is not."""

from __future__ import annotations

import itertools
import json
import math
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.vision.dataset.data_sets import QUAD, png_of_size
from vision.dataset.formats.convert import read_foreign
from vision.dataset.formats.quads import quad_of
from vision.errors import DataSetError


def write_json(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def coco_of(*annotations: dict[str, Any], **image: Any) -> dict[str, Any]:
    return {
        "categories": [{"id": 7, "name": "R40"}, {"id": 9, "name": "red 40"}],
        "images": [{"id": "x", "file_name": "a.png"} | image, {"id": 2, "file_name": "b.png"}],
        "annotations": [{"image_id": "x", "category_id": 7} | annotation for annotation in annotations],
    }


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A folder with two pictures of another program."""
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(png_of_size((200, 100), name))
    return tmp_path


BOX = ((9.5, 19.5), (39.5, 19.5), (39.5, 59.5), (9.5, 59.5))


def test_coco_of_other_programs(foreign: Path) -> None:
    """Boxes without polygons, polygons of six points, run lengths; corners in any order with our top left."""
    points = [10, 20, 40, 20, 40, 60, 10, 60]
    turned = [40, 60, 10, 60, 10, 20, 40, 20]
    content = coco_of(
        {"bbox": [10, 20, 30, 40]},
        {"bbox": [10, 20, 30, 40], "segmentation": {"counts": "", "size": [1, 1]}},
        {"segmentation": [turned], "attributes": {"top_left": [10, 20]}},
        {"segmentation": [[10, 20, 10, 60, 40, 60, 40, 20]], "attributes": {"top_left": [11, 19]}},
        {"segmentation": [[*points[:2], 25, 20, *points[2:6], 25, 60, *points[6:]]], "attributes": None},
    )
    data_set, problems, _ = read_foreign("coco", write_json(foreign / "instances_val.json", content))
    assert problems == []
    assert [picture.split for picture in data_set.pictures] == ["val", "val"]
    assert {label.quad_px for label in data_set.pictures[0].labels} == {BOX}
    assert data_set.pictures[1].labels == ()


YAMLS = [
    "names: ['R40', \"B2\"]\nnc: 2\n",
    "names: [R40,\n  B2]  # two\n",
    "names:\n- R40\n- 'B2'\nnc: 2\n",
    "names:\n  - R40\n  - B2\n",
    '# a set\nnames:\n  0: R40\n\n  # the other\n  1: "B2"\n',
    "names: {1: B2, 0: R40}\n",
    "names: { '0': 'R40', '1': 'B2' }\n",
]


@pytest.mark.parametrize("names", YAMLS)
@pytest.mark.parametrize(
    "images", ["train: ../train/images", "train: train/images # here", "train: './train/images'"]
)
def test_yolo_of_other_programs(names: str, images: str, foreign: Path) -> None:
    """Every form of data.yaml that is about; label files missing, confidences, polygons of more points."""
    for kind in ("images", "labels"):
        (foreign / "train" / kind).mkdir(parents=True)
    for name in ("a.png", "b.png"):
        shutil.move(foreign / name, foreign / "train" / "images" / name)
    (foreign / "data.yaml").write_text(f"{images}\nval: valid/images\n{names}", encoding="utf-8")
    lines = ["1 0.125 0.4 0.15 0.4", "0.0 0.125 0.4 0.15 0.4 0.75", "1 .05 .2 .1 .2 .2 .2 .2 .6 .05 .6"]
    (foreign / "train" / "labels" / "a.txt").write_text("\n".join(lines))
    data_set, problems, _ = read_foreign("yolo", foreign)
    assert ["'valid/images' is not a folder of pictures" in str(problem) for problem in problems] == [True]
    one, two = data_set.pictures
    assert [label.code for label in one.labels] == ["B2", "R40", "B2"]
    assert [label.confidence for label in one.labels] == [None, 0.75, None]
    assert {label.quad_px for label in one.labels} == {BOX}
    assert (two.labels, two.split) == ((), "train")


@pytest.mark.parametrize(
    "names",
    [
        "names: [no, '007', 1.50, \"\\u00e9\"]",
        "names: {0: no, 1: 007, '2': 1.50, 3: é}",
        "names:\n- no  # as in Norway\n- 007\n- 1.50\n- é",
        "names:\n  0: 'no'\n  1: 007\n  2: 1.50\n  3: é",
    ],
)
def test_every_way_to_list_names_is_read_and_words_stay_words(names: str, foreign: Path) -> None:
    (foreign / "data.yaml").write_text(f"train: .\n{names}\nlicense: CC0-1.0\n", encoding="utf-8")
    (foreign / "a.txt").write_text("".join(f"{number} .1 .1 .1 .1\n" for number in range(4)))
    data_set, problems, _ = read_foreign("yolo", foreign)
    assert (problems, data_set.licence) == ([], "CC0-1.0")
    assert [label.code for label in data_set.pictures[0].labels] == ["no", "007", "1.50", "é"]


def region(kind: str = "polygonlabels", code: str = "R40", **value: Any) -> dict[str, Any]:
    return {"type": kind, "value": {kind: [code]} | value}


def task(*regions: dict[str, Any], image: str = "a.png", **keys: Any) -> dict[str, Any]:
    return {"data": {"image": image}, "annotations": [{"result": list(regions)}]} | keys


def test_label_studio_of_other_people(foreign: Path) -> None:
    """Turned rectangles, uploads with numbers before their names, the newest annotation, predictions."""
    rectangle = region("rectanglelabels", x=5, y=20, width=15, height=40, rotation=0)
    upright = region("rectanglelabels", x=20, y=20, width=20, height=30, rotation=90)
    points = region(points=[[5, 20], [20, 20], [20, 60], [5, 60]])
    comment = {"type": "choices", "value": {"choices": ["sharp"]}}
    content = [
        task(rectangle, upright, comment, image="/data/upload/1/0a1b2c3d-a.png"),
        task(
            image="/data/local-files/?d=elsewhere/b.png", annotations=[], predictions=[{"result": [points]}]
        ),
        task(points, image="http://host:8080/a.png?x=1")
        | {
            "annotations": [
                {"result": [points]},
                {"result": []},
                {"result": [region()], "was_cancelled": True},
            ]
        },
    ]
    data_set, problems, notes = read_foreign("label-studio", write_json(foreign / "export.json", content))
    assert problems == []
    assert [label.quad_px for label in data_set.pictures[0].labels] == [
        BOX,
        quad_of([[40, 20], [40, 60], [10, 60], [10, 20]]),
    ]
    assert data_set.pictures[1].labels[0].quad_px == BOX
    assert data_set.pictures[2].labels == ()
    assert [problem.values["name"] for problem in notes] == ["a-2.png"]


DAMAGED: list[tuple[str, Any, str]] = [
    ("coco", coco_of({"bbox": [10, 20, 30]}), "labels are damaged"),
    ("coco", coco_of({"bbox": [10, 20, 0, 0]}), "labels are damaged"),
    ("coco", coco_of({"segmentation": [[1, 2, 3]]}), "labels are damaged"),
    ("coco", coco_of({"segmentation": 5}), "labels are damaged"),
    ("coco", coco_of({"category_id": 8, "bbox": [1, 1, 2, 2]}), "labels are damaged"),
    ("coco", coco_of({"category_id": 9, "bbox": [1, 1, 2, 2]}), "'red 40' in"),
    ("coco", coco_of({"bbox": [1, 1, 2, 2]}, file_name="../a.png"), "Nothing outside this folder is read"),
    ("coco", coco_of({"bbox": [1, 1, 2, 2]}, file_name="/a.png"), "Nothing outside this folder is read"),
    ("coco", coco_of({"bbox": [1, 1, 2, 2]}, file_name="c.png"), "is missing"),
    ("coco", coco_of({"bbox": [1, 1, 2, 2]}, file_name=None), "Nothing outside this folder is read"),
    ("label-studio", [task(region()), task(image="b.png")], "Task 1 in"),
    ("label-studio", [task(region(points=[[0, 0], [1, "x"], [1, 1]])), task(image="b.png")], "Task 1 in"),
    ("label-studio", [task(region(points=[[0, 0], [1e308, 0], [1, 1]])), task(image="b.png")], "Task 1 in"),
    ("label-studio", [task(region("brushlabels")), task(image="b.png")], "neither polygon nor rectangle"),
    ("label-studio", [task(image="../a.png"), task(image="b.png")], "Nothing outside this folder is read"),
    ("label-studio", [task(image="/etc/c.png"), task(image="b.png")], "is missing"),
    ("label-studio", [task(image="a.txt"), task(image="b.png")], "it names no picture"),
    ("label-studio", [5, task(image="b.png")], "Task 1 in"),
]  # fmt: skip


@pytest.mark.parametrize(("fmt", "content", "words"), DAMAGED, ids=[f"{f}: {w}" for f, _, w in DAMAGED])
def test_a_picture_that_is_unsound_is_told_and_the_rest_is_read(
    fmt: str, content: Any, words: str, foreign: Path
) -> None:
    data_set, problems, _ = read_foreign(fmt, write_json(foreign / "x.json", content))
    assert [picture.name for picture in data_set.pictures] == ["b.png"]
    assert [words in str(problem) for problem in problems] == [True]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("3 .1 .1 .1 .1", "which data.yaml does not list"),
        ("1 .1 .1 .1 .1", "'two words' in"),
        ("0 .1 .1 .1", "neither a box nor a polygon"),
        ("x .1 .1 .1 .1", "holds no YOLO labels"),
        ("0 .1 .1 nan .1", "holds no YOLO labels"),
        ("0 .1 .1 0 0", "holds no YOLO labels"),
        ("inf .1 .1 .1 .1", "holds no YOLO labels"),
        ("0 1e308 .1 .1 .1", "holds no YOLO labels"),
    ],
)
def test_a_line_that_is_unsound_is_told_and_the_rest_is_read(line: str, words: str, foreign: Path) -> None:
    (foreign / "data.yaml").write_text("train: .\nnames: {0: R40, 1: two words}\n")
    (foreign / "a.txt").write_text(line)
    (foreign / "b.txt").write_text("0 .1 .1 .1 .1\n\n")
    data_set, problems, _ = read_foreign("yolo-obb", foreign)
    assert [picture.name for picture in data_set.pictures] == ["b.png"]
    assert [words in str(problem) for problem in problems] == [True]


LAUGHS = "y: &a [R40]\n" + "".join(
    f"{new}: &{new} [{', '.join(['*' + old] * 9)}]\n" for old, new in itertools.pairwise("abcdefghijklmnopz")
)
"""References to references, which would fill all memory if anyone wrote them out."""


def with_yaml(text: str) -> Callable[[Path], object]:
    return lambda path: (path / "data.yaml").write_text(text)


WHOLLY: list[tuple[str, Callable[[Path], object], str]] = [
    ("coco", lambda path: None, "There is no COCO file"),
    ("coco", lambda path: write_json(path / "x.json", []), "is not a COCO file"),
    ("coco", lambda path: write_json(path / "x.json", coco_of() | {"licenses": 5}), "is not a COCO file"),
    ("coco", lambda path: (path / "x.json").write_text("{"), "cannot be read"),
    ("label-studio", lambda path: None, "does not hold exactly one Label Studio file"),
    ("label-studio", lambda path: write_json(path / "x.json", {}), "not a list of Label Studio tasks"),
    ("yolo", lambda path: None, "is not a data.yaml that can be read"),
    ("yolo", with_yaml("train: .\n"), "lists no names"),
    ("yolo", with_yaml("names: [a]\n"), "no folder of pictures"),
    ("yolo", with_yaml("names: *all\ntrain: .\n"), "is not a data.yaml that can be read"),
    ("yolo", with_yaml("names:\n  a\ntrain: .\n"), "lists no names"),
    ("yolo", with_yaml("names: [[R40]]\ntrain: .\n"), "names is no text"),
    ("yolo", with_yaml(LAUGHS + "names: *z\ntrain: .\n"), "names is no text"),
    ("yolo", with_yaml(LAUGHS + "names: [R40]\ntrain: *z\n"), "is no text"),
    ("yolo", with_yaml("names: " + "[" * 5000), "is not a data.yaml"),
    ("yolo", lambda path: (path / "data.yaml").write_bytes(b"\xff"), "is not a data.yaml that can be read"),
    ("yolo", with_yaml('names: ["a]\ntrain: .\n'), "is not a data.yaml"),
]  # fmt: skip


@pytest.mark.parametrize(("fmt", "spoil", "words"), WHOLLY, ids=[f"{f}: {w}" for f, _, w in WHOLLY])
def test_what_is_no_data_set_at_all_is_one_sentence(
    fmt: str, spoil: Callable[[Path], object], words: str, tmp_path: Path
) -> None:
    spoil(tmp_path)
    with pytest.raises(DataSetError, match=words):
        read_foreign(fmt, tmp_path)


def test_files_that_are_too_large_are_not_read(foreign: Path) -> None:
    (foreign / "data.yaml").write_text("train: .\nnames: [R40]\n")
    for name, words in (
        ("a.txt", "a.txt' holds no YOLO labels: it is larger"),
        ("data.yaml", "it is larger"),
    ):
        (foreign / name).touch()
        os.truncate(foreign / name, 2**32)
        try:
            problems = read_foreign("yolo", foreign)[1]
        except DataSetError as error:
            problems = [error]
        assert [words in str(problem) for problem in problems] == [True]


def test_counts_beyond_reason_are_told_and_the_rest_is_read(foreign: Path) -> None:
    one = {"bbox": [10, 10, 30, 30]}
    content = coco_of(*[one] * 1001, {**one, "image_id": 2})
    content["images"] = [content["images"][0], *content["images"][1:] * 50]
    data_set, problems, _ = read_foreign("coco", write_json(foreign / "labels.json", content))
    assert [len(picture.labels) for picture in data_set.pictures] == [1] * 20
    assert [str(problem).partition(" ")[2] for problem in problems] == [
        "lists a picture more than 20 times. The further entries are left out.",
        "is left out: it has more than 1000 labels.",
    ]


def test_a_picture_that_cannot_be_read_is_told(foreign: Path) -> None:
    (foreign / "a.png").write_bytes(b"no picture")
    data_set, problems, _ = read_foreign("coco", write_json(foreign / "x.json", coco_of()))
    assert [picture.name for picture in data_set.pictures] == ["b.png"]
    assert ["is not a picture" in str(problem) for problem in problems] == [True]


def test_folders_outside_are_not_read(foreign: Path) -> None:
    (foreign / "in").mkdir()
    (foreign / "in" / "data.yaml").write_text("train: ../\nval: ..\ntest: /\nnames: [R40]\n")
    data_set, problems, _ = read_foreign("yolo", foreign / "in")
    assert data_set.pictures == ()
    assert ["Nothing outside this folder is read" in str(problem) for problem in problems] == [True, True]


def test_a_quad_must_enclose_something() -> None:
    for points in ([[0, 0], [1, 1]], [[0, 0], [1, 1], [2, 2], [3, 3]], [[0, math.inf], [1, 1], [0, 1]]):
        with pytest.raises(ValueError, match=r"polygon|clockwise"):
            quad_of(points)
    assert quad_of(QUAD[::-1])[0] == (7.5, 49.5)
