"""Layouts that are saved and opened again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.formats.judge_json import answer_request, read_request
from referee.rules.layout import Layout
from ui.errors import ToldError
from ui.storage.layout_files import SavedLayout, read_layout_file, write_layout_file
from ui.text.errors import error_sentence
from vision.dataset.ground_truth import read_ground_truth
from vision.errors import LabelError

QUAD = ((1.0, 2.0), (9.0, 2.0), (9.0, 8.0), (1.0, 8.0))
LAYOUT = Layout.parse("R40 B20/R4")
SEEN = {(0, 0): QUAD, (0, 1): QUAD, (1, 0): QUAD}


@pytest.mark.parametrize("name", ["table.json", "table.txt", "table.JSON"])
def test_a_layout_is_written_and_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_layout_file(path, SavedLayout(LAYOUT))
    assert read_layout_file(path) == SavedLayout(LAYOUT)


def test_the_text_is_the_notation_and_the_json_a_request_of_judge(tmp_path: Path) -> None:
    text, request = tmp_path / "a.txt", tmp_path / "a.json"
    for path in (text, request):
        write_layout_file(path, SavedLayout(LAYOUT))
    assert text.read_text("utf-8") == "R40 B20/R4\n"
    assert answer_request(read_request(request.read_bytes()))["stable"] is True


def test_beside_its_photo_it_is_a_picture_with_known_contents(tmp_path: Path) -> None:
    photo, path = tmp_path / "a.jpg", tmp_path / "a.json"
    photo.write_bytes(b"")
    write_layout_file(path, SavedLayout(LAYOUT, photo, SEEN))
    assert read_ground_truth(path).layout == LAYOUT
    assert read_layout_file(path) == SavedLayout(LAYOUT, photo, SEEN)
    assert answer_request(read_request(path.read_bytes()))["layout"] == "R40 B20/R4"
    photo.unlink()
    assert read_layout_file(path).photo is None


@pytest.mark.parametrize("quads", [{}, {(0, 0): QUAD}])
def test_a_tile_that_the_photo_does_not_show_leaves_the_photo_out(
    tmp_path: Path, quads: dict[tuple[int, int], object]
) -> None:
    path = tmp_path / "a.json"
    write_layout_file(path, SavedLayout(LAYOUT, tmp_path / "a.jpg", quads))  # type: ignore[arg-type]
    assert json.loads(path.read_text("utf-8")) == {"layout": "R40 B20/R4"}


def test_in_another_folder_the_photo_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_layout_file(path, SavedLayout(LAYOUT, tmp_path / "photos" / "a.jpg", SEEN))
    assert "image" not in json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"R40 R40", "holds no layout: R40 is there twice"),
        ("a.txt", b"\xff\xfe", "holds no layout"),
        ("a.txt", b"R40" + b" -" * 99 + b" B20", "A base of 101 slots is wider than any table"),
        ("a.json", b'{"layout": 3}', "holds no layout: layout must be a text"),
        ("a.json", b"[]", "holds no layout"),
        ("a.json", b"{}", "holds no layout"),
        ("a.json", b" " * (2 << 20), "cannot be read: it is larger than"),
    ],
)
def test_what_is_no_layout_is_said(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ToldError) as error:
        read_layout_file(path)
    assert words in error_sentence(error.value)
    assert str(tmp_path) not in error_sentence(error.value)


def test_tiles_that_are_described_wrongly_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"image": "../a.jpg", "layout": "R40", "tiles": []}', encoding="utf-8")
    with pytest.raises(LabelError):
        read_layout_file(path)
    with pytest.raises(ToldError, match="cannot be read"):
        read_layout_file(tmp_path / "gone.json")
