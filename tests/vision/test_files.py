"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import vision.files
from vision.files import (
    MADE_HERE,
    NotRegularError,
    TooLargeError,
    is_same_file,
    may_be_replaced,
    open_input,
    read_input,
    replacing,
)


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


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_name_of_no_file_is_refused_like_any_other_that_cannot_be_written(name: str) -> None:
    with pytest.raises(IsADirectoryError), replacing(Path(name)):
        pass


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_is_not_waited_for_even_if_it_comes_between_two_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(path)
    file.touch()
    with pytest.raises(NotRegularError):
        open_input(path)
    found = os.stat(file)
    monkeypatch.setattr(os, "stat", lambda _path: found)
    with pytest.raises(NotRegularError):
        open_input(path)


def test_ctrl_c_while_a_file_is_opened_stays_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of closing the descriptor once more, which had been closed, took its place."""
    path = tmp_path / "file"
    path.touch()
    really_open = open

    def interrupted(*args: Any, **options: Any) -> None:
        really_open(*args, **options).close()
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_input(path)


def test_no_more_bytes_are_read_than_were_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_input(path, 5) == b"12345"
    with pytest.raises(TooLargeError, match="larger than 4 bytes"):
        read_input(path, 4)
    fstat = os.fstat(0)
    empty = os.stat_result([*fstat[:6], 0, *fstat[7:10]])
    monkeypatch.setattr(vision.files, "_check_regular", lambda *_: None)
    monkeypatch.setattr(os, "fstat", lambda _file: empty)  # as of a file whose size the system does not know
    assert read_input(path, 5) == b"12345"
    with pytest.raises(TooLargeError):
        read_input(path, 4)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotRegularError):
        read_input(tmp_path, 10)


def test_only_nothing_and_our_own_may_be_replaced(tmp_path: Path) -> None:
    photo, ours, empty = tmp_path / "photo.jpg", tmp_path / "ours.jpg", tmp_path / "empty.jpg"
    photo.write_bytes(b"a photo")
    ours.write_bytes(b"a marked photo" + MADE_HERE)
    empty.touch()
    (tmp_path / "nowhere").symlink_to("none")
    (tmp_path / "link").symlink_to(photo)
    os.link(ours, tmp_path / "hard")
    assert may_be_replaced(tmp_path / "none.jpg")
    assert may_be_replaced(empty)
    assert may_be_replaced(ours)
    assert is_same_file(ours, tmp_path / "hard")
    assert is_same_file(photo, tmp_path / "link")
    assert not is_same_file(ours, photo)
    assert not is_same_file(ours, tmp_path / "none.jpg")
    for name in ("photo.jpg", "nowhere", "link", "."):
        assert not may_be_replaced(tmp_path / name)
    assert may_be_replaced(photo, beginning=b"a ph")
    assert not may_be_replaced(ours, beginning=b"a ph")
