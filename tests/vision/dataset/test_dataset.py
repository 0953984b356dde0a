"""Data sets: made from a folder, vouched for by a manifest, dealt out by photo; what is unsound is told."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.tiles import CODES
from tests.places import SAMPLES
from tests.vision.dataset.data_sets import QUAD, png_of_size, tile, write_picture
from vision.dataset.dataset import FILE_NAME, build_data_set, read_data_set, split_pictures, write_manifest
from vision.dataset.label_file import SPLITS, Label, LabelledPicture, read_labelled_picture, write_labels
from vision.errors import DataSetError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data set of five pictures with its manifest."""
    for number in range(5):
        write_picture(tmp_path / "set", f"{number}.png", [tile("R40"), tile(CODES[number])])
    data_set, problems = build_data_set(tmp_path / "set", licence="CC0-1.0")
    assert problems == []
    write_manifest(data_set, tmp_path / "set")
    return tmp_path / "set"


def changed(path: Path, **keys: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | keys), encoding="utf-8")


def test_a_data_set_comes_back_as_it_was_made(tmp_path: Path) -> None:
    """The samples, with what their label files say; nothing is written but the manifest."""
    for path in SAMPLES.glob("*.j*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    made, problems = build_data_set(tmp_path, licence="CC0-1.0")
    assert (problems, made.licence, made.codes, len(made.pictures)) == ([], "CC0-1.0", CODES, 6)
    assert {picture.size_wh for picture in made.pictures} == {(1280, 720)}
    write_manifest(made, tmp_path)
    assert read_data_set(tmp_path) == (made, [])
    assert len(list(tmp_path.iterdir())) == len(list(SAMPLES.glob("*.j*"))) + 1
    content = json.loads((tmp_path / FILE_NAME).read_text())
    shown = [
        tile["code"] for path in SAMPLES.glob("*.json") for tile in json.loads(path.read_text())["tiles"]
    ]
    assert content["counts"] == {code: shown.count(code) for code in CODES}


def test_other_keys_of_a_label_file_are_kept(tmp_path: Path) -> None:
    path = write_picture(tmp_path, "a.png", [tile(visible=0.5, mine=["x"])], light="lamp", source="film.mp4")
    before = json.loads(path.read_text())
    picture = read_labelled_picture(path)
    assert picture.film == "film.mp4"
    path.unlink()
    assert write_labels(picture, tmp_path) == path
    assert json.loads(path.read_text()) == before


def test_a_confidence_is_one_only_if_it_is_a_chance() -> None:
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    given = [Label("R40", quad, extra).confidence for extra in ({}, {"confidence": 0.25}, {"confidence": 7})]
    assert given == [None, 0.25, None]


def remove_picture(folder: Path) -> None:
    (folder / "2.png").unlink()


def change_picture(folder: Path) -> None:
    (folder / "2.png").write_bytes(png_of_size((640, 480), "another"))


def cut_picture(folder: Path) -> None:
    (folder / "2.png").write_bytes(b"\x89PNG")


def cut_labels(folder: Path) -> None:
    (folder / "2.json").write_text('{"image": "2.png", "tiles"')


def link_outside(folder: Path) -> None:
    (folder.parent / "elsewhere.png").write_bytes((folder / "2.png").read_bytes())
    (folder / "2.png").unlink()
    os.symlink(folder.parent / "elsewhere.png", folder / "2.png")


def huge_labels(folder: Path) -> None:
    os.truncate(folder / "2.json", 2**32)


def huge_picture(folder: Path) -> None:
    os.truncate(folder / "2.png", 2**32)


def labels_with(**keys: Any) -> Callable[[Path], None]:
    return lambda folder: changed(folder / "2.json", **keys)


SPOILED = [
    (remove_picture, "is missing"),
    (change_picture, "is not the picture that the manifest describes"),
    (cut_picture, "is not a picture"),
    (cut_labels, "is not a label file that can be read"),
    (huge_labels, "is too large for a label file"),
    (huge_picture, "is larger than 256 MB"),
    (link_outside, "Nothing outside this folder is read"),
    (labels_with(image="../set/2.png"), "is not the name of a picture in the same folder"),
    (labels_with(image="../../2.png"), "is not the name of a picture in the same folder"),
    (labels_with(image="/etc/passwd"), "is not the name of a picture in the same folder"),
    (labels_with(image=None), "is not the name of a picture in the same folder"),
    (labels_with(image="1.png"), "must have the same name"),
    (labels_with(tiles=[tile("X99")]), "the tile set has no tile X99"),
    (labels_with(tiles=[tile("two words")]), "'two words' is not a tile"),
    (labels_with(tiles=[tile(quad=QUAD[::-1])]), "do not go round a tile clockwise"),
    (labels_with(tiles=[tile(quad=QUAD[:3])]), "is not a quad"),
    (labels_with(tiles=[tile(quad=[[0, 0], [1, 0], [1, float("nan")], [0, 1]])]), "is not a quad"),
    (labels_with(tiles=[{"code": "R40"}]), "does not describe a picture"),
    (labels_with(tiles={}), "does not describe a picture"),
    (labels_with(tiles=[tile()] * 1001), "<= 1000"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "words"), SPOILED, ids=[words for _, words in SPOILED])
def test_a_picture_that_is_unsound_is_told_and_the_rest_is_there(
    spoil: Callable[[Path], None], words: str, folder: Path
) -> None:
    spoil(folder)
    data_set, problems = read_data_set(folder)
    assert [picture.name for picture in data_set.pictures] == ["0.png", "1.png", "3.png", "4.png"]
    assert [words in str(problem) for problem in problems] == [True]
    if spoil is not change_picture:  # without the manifest nobody can know
        (folder / FILE_NAME).unlink()
        data_set, problems = build_data_set(folder)
        assert len(data_set.pictures) == 4
        assert [words in str(problem) for problem in problems] == [True]


@pytest.mark.parametrize(
    "entry", [{"image": "../set/2.png"}, {"split": "all"}, {"image": 5}, "2.png", {"sha256": 3}]
)
def test_an_entry_that_is_unsound_is_told_and_the_rest_is_there(entry: Any, folder: Path) -> None:
    content = json.loads((folder / FILE_NAME).read_text())
    whole = content["pictures"][2]
    content["pictures"][2] = whole | entry if isinstance(entry, dict) else entry
    (folder / FILE_NAME).write_text(json.dumps(content))
    data_set, problems = read_data_set(folder)
    assert len(data_set.pictures) == 4
    assert isinstance(problems[0], DataSetError)


def test_a_picture_that_is_listed_again_is_told_and_taken_once(folder: Path) -> None:
    content = json.loads((folder / FILE_NAME).read_text())
    content["pictures"] *= 100
    (folder / FILE_NAME).write_text(json.dumps(content))
    data_set, problems = read_data_set(folder)
    assert len(data_set.pictures) == 5
    assert ["more than once" in str(problem) for problem in problems] == [True]


@pytest.mark.parametrize(
    "spoiled",
    [
        {"version": 2},
        {"version": None},
        {"codes": ["R40", "R40"]},
        {"codes": ["two words"]},
        {"codes": 5},
        {"pictures": {}},
        {"pictures": None},
    ],
)
def test_a_manifest_that_is_unsound_is_refused(spoiled: dict[str, Any], folder: Path) -> None:
    changed(folder / FILE_NAME, **spoiled)
    with pytest.raises(DataSetError, match="is not a manifest of a data set"):
        read_data_set(folder)


@pytest.mark.parametrize("text", ["", "[" * 100_000, "[]", "3", "{}", "\udcff"])
def test_a_manifest_of_anything_else_is_refused(text: str, folder: Path) -> None:
    (folder / FILE_NAME).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataSetError, match=r"data-set\.json"):
        read_data_set(folder)


def test_a_missing_folder_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataSetError, match="cannot be read"):
        build_data_set(tmp_path / "none")


def test_a_label_file_that_cannot_be_written_is_a_sentence(folder: Path) -> None:
    picture = read_data_set(folder)[0].pictures[0]
    with pytest.raises(DataSetError, match="cannot be written"):
        write_labels(picture, folder / "none")


def test_what_came_later_is_told(folder: Path) -> None:
    """A picture that the manifest does not list is left out; corrected labels no longer fit its counts."""
    changed(folder / "0.json", tiles=[tile("B2")])
    _, problems = read_data_set(folder)
    assert ["are not those of the label files" in str(problem) for problem in problems] == [True]
    write_picture(folder, "9.png")
    (folder / "notes.json").write_text("{}")
    data_set, problems = read_data_set(folder)
    assert len(data_set.pictures) == 5
    assert str(problems[-1]).endswith("does not list them: 1 of the pictures with labels.")


def test_codes_are_the_games_where_most_labels_are(tmp_path: Path) -> None:
    write_picture(tmp_path / "other", "a.png", [tile("red-1"), tile("é")])
    assert build_data_set(tmp_path / "other")[0].codes == ("red-1", "é")
    assert build_data_set(tmp_path / "other", codes=["é"])[0].pictures == ()


def pictures(sources: list[str | None]) -> list[LabelledPicture]:
    return [
        LabelledPicture(
            Path(f"{n}.png"), f"{n}.png", (9, 9), f"{n:064x}", (), {"source": source} if source else {}
        )
        for n, source in enumerate(sources)
    ]


@given(
    st.lists(st.none() | st.sampled_from("abc"), max_size=40),
    st.sampled_from([(80, 10, 10), (50, 25, 25), (100, 0, 0), (0, 0, 100)]),
    st.randoms(use_true_random=False),
)
def test_parts_hang_on_checksums_and_sources_alone(
    sources: list[str | None], shares: Any, random: Any
) -> None:
    """Not on order or names; what is of one source stays together."""
    dealt = split_pictures(pictures(sources), shares)
    shuffled = pictures(sources)
    random.shuffle(shuffled)
    renamed = [replace(picture, name=f"x{picture.name}") for picture in shuffled]
    again = {picture.sha256: picture.split for picture in split_pictures(renamed, shares)}
    assert again == {picture.sha256: picture.split for picture in dealt}
    for source in "abc":
        assert len({picture.split for picture in dealt if picture.film == source}) <= 1
    if not any(sources):
        counts = [sum(picture.split == split for picture in dealt) for split in SPLITS]
        assert all(abs(n - share * len(dealt) / 100) < 1 for n, share in zip(counts, shares, strict=True))


def test_what_was_dealt_out_stays_where_it_is() -> None:
    old = split_pictures(pictures(["a", None, None, "b"]), (50, 0, 50))
    settled = {picture.sha256: "val" for picture in old}
    new = split_pictures(pictures(["a", None, None, "b", None, "a"]), (50, 0, 50), settled)
    assert [picture.split for picture in new][:4] == ["val"] * 4
    assert new[4].split in ("train", "test")
    assert new[5].split == "val"  # with the others of its source


def test_one_picture_under_two_names_stays_together() -> None:
    one, two, *rest = pictures(["a", "b", *[None] * 8])
    for shares in ((50, 0, 50), (30, 40, 30)):
        dealt = split_pictures([one, replace(two, sha256=one.sha256), *rest], shares)
        assert dealt[0].split == dealt[1].split
