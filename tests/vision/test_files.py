"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.files import replacing


@pytest.mark.parametrize("sync", [False, True])
def test_what_was_written_replaces_the_old_file(tmp_path: Path, sync: bool) -> None:
    path = tmp_path / "game.json"
    path.write_text("old", encoding="utf-8")
    with replacing(path, sync=sync) as beside:
        beside.write_text("new", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_text(encoding="utf-8") == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_the_old_file_stays_if_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError), replacing(path) as beside:
        beside.write_text("half \N{FIRE}", encoding="ascii")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_left_if_the_file_cannot_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder" / "inside").mkdir(parents=True)
    with pytest.raises(OSError), replacing(tmp_path / "folder") as beside:  # noqa: PT011 (of any kind)
        beside.write_text("new", encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "none" / "game.json") as beside:
        beside.write_text("new", encoding="utf-8")
