"""The file of a tile set: written whole, read back the same, and refused with a sentence where unsound."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.rules.tiles import CODES
from vision.errors import TileSetError
from vision.recognition.tile_set import Example, TileSet, check_name, is_code
from vision.tilesets import tile_set_file
from vision.tilesets.tile_set_file import read_tile_set, write_tile_set


def png_of(crop: np.ndarray) -> str:
    return base64.b64encode(cv2.imencode(".png", crop)[1].tobytes()).decode("ascii")


@pytest.fixture
def small() -> TileSet:
    rng = np.random.default_rng(5)
    crops = [rng.integers(0, 256, (80, 80, 3)).astype(np.uint8) for _ in range(3)]
    examples = tuple(Example(code, crop) for code, crop in zip(("red-1", "é", "red-1"), crops, strict=True))
    prototypes = np.array([[0.6, 0.8], [1, 0]], np.float32)
    return TileSet("small", ("red-1", "é"), 1.41, 2, examples, "abc", prototypes)


def test_a_set_comes_back_as_it_was(small: TileSet, tmp_path: Path) -> None:
    """The pixels of its examples too; nothing else is left in the folder."""
    path = write_tile_set(small, tmp_path / "tiles")
    assert [path] == list((tmp_path / "tiles").iterdir())
    back = read_tile_set("small", tmp_path / "tiles")
    assert (back.name, back.codes, back.aspect, back.copies, back.model) == (
        "small",
        ("red-1", "é"),
        1.41,
        2,
        "abc",
    )
    assert np.allclose(back.prototypes, small.prototypes, atol=1e-5)
    for one, two in zip(back.examples, small.examples, strict=True):
        assert one.code == two.code
        assert np.array_equal(one.crop_bgr, two.crop_bgr)
    assert not back.is_of_the_game
    assert replace(back, codes=tuple(reversed(CODES))).is_of_the_game


def test_a_set_of_an_earlier_version_of_this_program_is_read(small: TileSet, tmp_path: Path) -> None:
    """As Python's own JSON wrote it: spaces, escapes, other line ends."""
    path = write_tile_set(small, tmp_path)
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    assert read_tile_set("small", tmp_path).codes == ("red-1", "é")
    assert [*content] == ["version", "name", "aspect", "copies", "model", "codes", "prototypes", "examples"]


def test_a_set_replaces_an_older_one_of_its_name(small: TileSet, tmp_path: Path) -> None:
    write_tile_set(small, tmp_path)
    write_tile_set(replace(small, copies=4), tmp_path)
    assert read_tile_set("small", tmp_path).copies == 4


def test_a_folder_that_cannot_be_written_to_is_a_sentence(small: TileSet, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(TileSetError, match="cannot be written"):
        write_tile_set(small, tmp_path / "file")


@pytest.mark.parametrize("name", ["", "a b", "../up", ".hidden", "-x", "x" * 41, "a/b", "é è"])
def test_names_that_could_leave_the_folder_are_refused(name: str, small: TileSet, tmp_path: Path) -> None:
    with pytest.raises(TileSetError, match="cannot be the name of a tile set"):
        read_tile_set(name, tmp_path)
    with pytest.raises(TileSetError, match="cannot be the name of a tile set"):
        write_tile_set(replace(small, name=name), tmp_path)


def test_an_unknown_set_is_told_with_those_there_are(small: TileSet, tmp_path: Path) -> None:
    with pytest.raises(TileSetError, match=r"no tile set 'mine' \(there are: -\)"):
        read_tile_set("mine", tmp_path / "none")
    write_tile_set(small, tmp_path)
    with pytest.raises(TileSetError, match=r"no tile set 'mine' \(there are: small\)"):
        read_tile_set("mine", tmp_path)


def huge_png() -> str:
    """Return a picture whose header claims far more pixels than it has."""
    data = bytearray(cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))[1].tobytes())
    data[16:24] = (30_000).to_bytes(4, "big") * 2
    return base64.b64encode(bytes(data)).decode("ascii")


def changed(**values: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda content: content | values


def with_example(**values: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda content: content | {"examples": [content["examples"][0] | values, *content["examples"][1:]]}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda content: [content], "it is not the file of a tile set"),
        (lambda content: {}, "it is not the file of a tile set"),
        (lambda content: None, "it is not the file of a tile set"),
        (changed(version=2), "it is of version 2, not 1"),
        (changed(codes=["red-1"]), "its codes are not 2 to 400"),
        (changed(codes=["red-1", "red-1"]), "its codes are not 2 to 400"),
        (changed(codes=["red-1", "two words"]), "its codes are not 2 to 400"),
        (changed(codes=["red-1", 7]), "Expected `str`, got `int` - at `$.codes[1]`"),
        (changed(codes=[f"c{number}" for number in range(401)]), "its codes are not 2 to 400"),
        (changed(codes=["red-1", "blue"]), "is no picture of one of its tiles"),
        (changed(codes=["red-1", "é", "b"], prototypes=[[1, 0]] * 3), "not each of its tiles has an example"),
        (changed(prototypes=[[1, 0]]), "its prototypes do not go with its codes"),
        (changed(prototypes=[[1, 0], [3, 4]]), "its prototypes do not go with its codes"),
        (changed(prototypes=[[1, 0], [None, 1]]), "it is not the file of a tile set"),
        (changed(prototypes=[[1, 0], [1]]), "cannot be read"),
        (changed(prototypes=[1, 0]), "it is not the file of a tile set"),
        (changed(aspect=float("nan")), "cannot be read"),
        (changed(aspect=9), "no sensible shape or number"),
        (changed(copies=0), "no sensible shape or number"),
        (changed(copies=1e999), "cannot be read"),
        (changed(examples=None), "it is not the file of a tile set"),
        (with_example(code="blue"), "is no picture of one of its tiles"),
        (with_example(png="%%%"), "cannot be read"),
        (with_example(png=""), "is no picture of one of its tiles"),
        (with_example(png=base64.b64encode(b"GIF89a" * 9).decode()), "is no picture of one of its tiles"),
        (with_example(png=huge_png()), "is no picture of one of its tiles"),
        (with_example(png=png_of(np.zeros((80, 40, 3), np.uint8))), "is no picture of one of its tiles"),
    ],
)  # fmt: skip
def test_unsound_files_are_refused(
    small: TileSet, tmp_path: Path, change: Callable[[dict[str, Any]], Any], reason: str
) -> None:
    """Foreign JSON, other versions, figures that do not go together, pictures that are none."""
    path = write_tile_set(small, tmp_path)
    path.write_text(json.dumps(change(json.loads(path.read_text(encoding="utf-8")))), encoding="utf-8")
    with pytest.raises(TileSetError) as caught:
        read_tile_set("small", tmp_path)
    assert reason in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b"\x89PNG"])
def test_what_is_no_json_is_refused(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "small.json").write_bytes(text)
    with pytest.raises(TileSetError, match="cannot be read"):
        read_tile_set("small", tmp_path)


def test_oversized_files_are_not_loaded(
    small: TileSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_tile_set(small, tmp_path)
    monkeypatch.setattr(tile_set_file, "MAX_BYTES", path.stat().st_size - 1)
    with pytest.raises(TileSetError, match="it is larger than"):
        read_tile_set("small", tmp_path)


def test_codes_are_single_words() -> None:
    assert all(map(is_code, ("R40", "blue-4", "é", "x" * 24)))
    assert not any(map(is_code, ("", "two words", "x" * 25, "tab\t", 4, None, ["R40"])))


@pytest.mark.parametrize("name", ["cuisine-été", "küche_2", "яркие"])
def test_a_set_may_have_a_name_in_any_language(name: str) -> None:
    assert check_name(name) == name
