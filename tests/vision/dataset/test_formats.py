"""COCO, YOLO and Label Studio: written so that the usual libraries read them, and read without loss."""

from __future__ import annotations

import json
import math
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools.coco import COCO

from referee.rules.tiles import CODES
from tests.places import SAMPLES
from tests.vision.dataset.data_sets import tile, write_picture
from vision.dataset.anonymise import PrivacyOptions
from vision.dataset.dataset import DataSet, build_data_set
from vision.dataset.formats.convert import export, merge, read_foreign
from vision.dataset.label_file import SPLITS
from vision.errors import DataSetError

WITH_QUADS = ("coco", "yolo-obb", "label-studio")


@pytest.fixture(scope="module")
def samples() -> DataSet:
    return build_data_set(SAMPLES, licence="CC0-1.0", shares=(60, 20, 20))[0]


def exported(data_set: DataSet, fmt: str, folder: Path) -> Path:
    """Return the folder that a data set was written to."""
    assert export(data_set, fmt, folder / fmt, PrivacyOptions()) == []
    return folder / fmt


@st.composite
def tiles(draw: st.DrawFn, size_wh: tuple[int, int], codes: st.SearchStrategy[str]) -> dict[str, Any]:
    """Draw a tile somewhere in a picture, turned and seen askew."""
    reach = draw(st.floats(2, min(size_wh) / 2 - 1))
    x, y = (draw(st.floats(reach, size - reach)) - 0.5 for size in size_wh)
    turn = draw(st.floats(0, 2 * math.pi))
    angles = [turn + quarter * math.pi / 2 + draw(st.floats(-0.3, 0.3)) for quarter in range(4)]
    quad = [[x + reach * math.cos(angle), y + reach * math.sin(angle)] for angle in angles]
    return tile(draw(codes), quad)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=24).filter(
    lambda text: len(text.split()) == 1
)
SIZES = st.tuples(st.integers(8, 9000), st.integers(8, 9000))


@pytest.mark.parametrize("fmt", WITH_QUADS)
@settings(max_examples=25)
@given(st.data(), st.sampled_from([st.sampled_from(CODES), WORDS]))
def test_codes_and_quads_come_back(fmt: str, data: Any, codes: st.SearchStrategy[str]) -> None:
    """The corners to a hundredth of a pixel and in their order, whatever the tiles are called."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(data.draw(st.integers(1, 3))):
            size_wh = data.draw(SIZES)
            shown = data.draw(st.lists(tiles(size_wh, codes), min_size=1, max_size=4))
            write_picture(Path(folder, "set"), f"{number}.png", shown, size_wh)
        before, problems = build_data_set(Path(folder, "set"))
        after, more, notes = read_foreign(fmt, exported(before, fmt, Path(folder)))
        assert (problems, more, notes) == ([], [], [])
        back = {picture.name: picture for picture in after.pictures}
        assert back.keys() == {picture.name for picture in before.pictures}
        for picture in before.pictures:
            mine = back[picture.name]
            assert (mine.split, mine.size_wh) == (picture.split, picture.size_wh)
            assert [label.code for label in mine.labels] == [label.code for label in picture.labels]
            for label, other in zip(picture.labels, mine.labels, strict=True):
                assert np.abs(np.subtract(label.quad_px, other.quad_px)).max() < 0.01


@pytest.mark.parametrize("fmt", WITH_QUADS)
def test_the_samples_come_back_with_their_layouts(fmt: str, samples: DataSet, tmp_path: Path) -> None:
    """YOLO knows no layouts: the quads tell them."""
    after = read_foreign(fmt, exported(samples, fmt, tmp_path))[0]
    after_by_name = {picture.name: picture for picture in after.pictures}
    for picture in samples.pictures:
        mine = after_by_name[picture.name]
        assert mine.extra["layout"] == picture.extra["layout"]
        for label, other in zip(picture.labels, mine.labels, strict=True):
            assert [other.extra[key] for key in ("row", "slot")] == [
                label.extra[key] for key in ("row", "slot")
            ]


def test_plain_boxes_come_back_as_boxes_and_tell_no_layout(samples: DataSet, tmp_path: Path) -> None:
    after = read_foreign("yolo", exported(samples, "yolo", tmp_path))[0]
    after_by_name = {picture.name: picture for picture in after.pictures}
    for picture in samples.pictures:
        mine = after_by_name[picture.name]
        assert mine.extra["layout"] == "-"
        for label, other in zip(picture.labels, mine.labels, strict=True):
            quad = np.array(label.quad_px)
            (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
            box = [[left, top], [right, top], [right, bottom], [left, bottom]]
            assert np.abs(np.array(other.quad_px) - box).max() < 0.01


@pytest.mark.filterwarnings("ignore:__array__ implementation")  # of pycocotools itself
def test_coco_tools_read_it(samples: DataSet, tmp_path: Path) -> None:
    """Each category, box, polygon and mask is that of the tile."""
    folder = exported(samples, "coco", tmp_path)
    by_name = {picture.name: picture for picture in samples.pictures}
    for split in SPLITS:
        coco = COCO(str(folder / "annotations" / f"{split}.json"))
        images = coco.loadImgs(coco.getImgIds())
        wanted = [picture.name for picture in samples.pictures if picture.split == split]
        assert [image["file_name"] for image in images] == wanted
        assert [category["name"] for category in coco.loadCats(coco.getCatIds())] == list(CODES)
        for image in images:
            assert (folder / "images" / image["file_name"]).exists()
            picture = by_name[image["file_name"]]
            assert (image["width"], image["height"]) == picture.size_wh
            annotations = coco.loadAnns(coco.getAnnIds(imgIds=[image["id"]]))
            for annotation, label in zip(annotations, picture.labels, strict=True):
                assert coco.cats[annotation["category_id"]]["name"] == label.code
                corners = np.array(label.quad_px) + 0.5
                x, y, wide, high = annotation["bbox"]
                assert np.allclose([[x, y], [x + wide, y + high]], [corners.min(axis=0), corners.max(axis=0)])
                mask = coco.annToMask(annotation)
                assert mask.shape == picture.size_wh[::-1]
                assert abs(mask.sum() / annotation["area"] - 1) < 0.02
                rows, columns = np.nonzero(mask)
                middle = corners.mean(axis=0)
                assert np.hypot(columns.mean() + 0.5 - middle[0], rows.mean() + 0.5 - middle[1]) < 3
        some = coco.getImgIds(catIds=coco.getCatIds(catNms=["B60"]))
        assert len(some) == sum(
            by_name[image["file_name"]].labels != ()
            and "B60" in {label.code for label in by_name[image["file_name"]].labels}
            for image in images
        )


@pytest.mark.parametrize("fmt", ["yolo", "yolo-obb"])
def test_yolo_has_the_form_that_trainers_ask_for(fmt: str, samples: DataSet, tmp_path: Path) -> None:
    """As strictly as they do: a label file for each picture, known classes, shares up to 1, nothing twice."""
    folder = exported(samples, fmt, tmp_path)
    content = yaml.safe_load((folder / "data.yaml").read_text(encoding="utf-8"))
    assert content["names"] == dict(enumerate(CODES))
    assert content["licence"] == "CC0-1.0"
    seen = {}
    for key in SPLITS:
        images = folder / content[key]
        labels = Path(str(images).replace("/images/", "/labels/"))
        assert {path.stem for path in images.iterdir()} == {path.stem for path in labels.iterdir()}
        for path in labels.iterdir():
            rows = np.loadtxt(path, ndmin=2)
            assert rows.shape[1] == {"yolo": 5, "yolo-obb": 9}[fmt]
            assert np.isin(rows[:, 0], list(content["names"])).all()
            assert ((rows[:, 1:] >= 0) & (rows[:, 1:] <= 1)).all()
            assert len(np.unique(rows, axis=0)) == len(rows)
            seen[path.stem] = [content["names"][int(number)] for number in rows[:, 0]]
    assert seen == {p.path.stem: [label.code for label in p.labels] for p in samples.pictures}


@pytest.mark.slow  # `make test-slow` installs supervision, which brings 200 MB
def test_supervision_reads_it(samples: DataSet, tmp_path: Path) -> None:
    from supervision import DetectionDataset as dataset

    oriented, plain, coco = (exported(samples, fmt, tmp_path) for fmt in ("yolo-obb", "yolo", "coco"))
    by_name = {picture.name: picture for picture in samples.pictures}
    for split in SPLITS:
        yolo = [
            dataset.from_yolo(
                str(f / "images" / split), str(f / "labels" / split), str(f / "data.yaml"), **how
            )
            for f, how in ((oriented, {"is_obb": True}), (plain, {}))
        ]
        sets = [*yolo, dataset.from_coco(str(coco / "images"), str(coco / "annotations" / f"{split}.json"))]
        for number, whole in enumerate(sets):
            assert whole.classes == list(CODES)
            assert len(whole) == sum(picture.split == split for picture in samples.pictures)
            for path, image, found in whole:
                picture = by_name[Path(path).name]
                assert image.shape[1::-1] == picture.size_wh
                assert [whole.classes[n] for n in found.class_id] == [label.code for label in picture.labels]
                quads = np.array([label.quad_px for label in picture.labels]) + 0.5
                boxes = np.hstack([quads.min(axis=1), quads.max(axis=1)])
                assert np.abs(found.xyxy - boxes).max() < 0.01
                if number == 0:
                    assert np.abs(found.data["xyxyxyxy"] - quads).max() < 0.01


def test_yolo_gets_nothing_outside_the_picture(tmp_path: Path) -> None:
    over = [[-20, 100], [20, 100], [20, 140], [-20, 140]]
    gone = [[-60, 100], [-20, 100], [-20, 140], [-60, 140]]
    write_picture(tmp_path / "set", "a.png", [tile("R40", over), tile("B2", gone), tile("R2")])
    data_set = build_data_set(tmp_path / "set")[0]
    for fmt in ("yolo", "yolo-obb"):
        after = read_foreign(fmt, exported(data_set, fmt, tmp_path))[0].pictures[0]
        assert [label.code for label in after.labels] == ["R40", "R2"]
        assert np.abs(np.subtract(after.labels[0].quad_px, np.clip(over, -0.5, None))).max() <= 0.5
    after = read_foreign("coco", exported(data_set, "coco", tmp_path))[0].pictures[0]
    assert np.allclose(after.labels[0].quad_px, over)


def test_the_licence_goes_along_where_the_format_has_room(samples: DataSet, tmp_path: Path) -> None:
    for fmt, licence in (("coco", "CC0-1.0"), ("yolo", "CC0-1.0"), ("label-studio", "")):
        assert read_foreign(fmt, exported(samples, fmt, tmp_path))[0].licence == licence
    assert read_foreign("label-studio", tmp_path / "label-studio", licence="MIT")[0].licence == "MIT"


def test_unconfirmed_labels_are_predictions_for_label_studio(tmp_path: Path) -> None:
    """The least sure label gives a task its score, so that the doubtful ones can be looked at first."""
    write_picture(
        tmp_path / "set", "a.png", [tile("R40", confidence=0.5, visible=1.0), tile("R2")], source="x"
    )
    write_picture(tmp_path / "set", "b.png", [tile("R40")])
    folder = exported(build_data_set(tmp_path / "set")[0], "label-studio", tmp_path)
    one, two = json.loads((folder / "tasks.json").read_text())
    assert one["predictions"][0]["score"] == one["predictions"][0]["result"][0]["score"] == 0.5
    assert "annotations" not in one
    assert "predictions" not in two
    assert one["data"]["image"] == "/data/local-files/?d=label-studio/images/a.png"
    value = two["annotations"][0]["result"][0]["value"]
    assert value["points"][0] == [100 * 10.5 / 640, 100 * 10.5 / 480]
    view = ElementTree.parse(folder / "interface.xml").getroot()
    assert [label.get("value") for label in view.iter("Label")] == list(CODES)
    after = read_foreign("label-studio", folder)[0]
    assert [label.confidence for label in after.pictures[0].labels] == [0.5, None]
    assert after.pictures[0].labels[0].extra["visible"] == 1.0
    assert after.pictures[0].film is not None


@given(st.lists(WORDS, min_size=2, max_size=5, unique=True))
def test_names_come_back_as_they_were_written(names: list[str]) -> None:
    from vision.dataset.formats import yolo

    with tempfile.TemporaryDirectory() as folder:
        yolo.write(DataSet("x", "any", tuple(names), ()), Path(folder), oriented=False)
        written = yolo._read_yaml(Path(folder, "data.yaml"))
        other = yaml.safe_load(Path(folder, "data.yaml").read_text(encoding="utf-8"))
    assert written[0] == other["names"] == dict(enumerate(names))
    assert (written[2], other["train"]) == ("any", "images/train")


def test_two_sets_with_too_many_tiles_are_not_joined() -> None:
    one, other = (DataSet(n, "", tuple(f"{n}{i}" for i in range(250)), ()) for n in "ab")
    with pytest.raises(DataSetError, match="name 500 different tiles"):
        merge(one, other)


def test_an_export_that_is_broken_off_leaves_nothing(samples: DataSet, tmp_path: Path) -> None:
    def break_off(done: int, of: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(samples, "coco", tmp_path / "out", PrivacyOptions(), break_off)
    assert list(tmp_path.iterdir()) == []
