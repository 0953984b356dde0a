"""Files that are none, names that are too long, folders that may not be opened."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attack.attacked import attack
from tests.places import SAMPLES

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")


def pipe(folder: Path) -> Path:
    path = folder / "pipe.jpg"
    os.mkfifo(path)
    return path


def linked(target: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / "link.jpg"
        path.symlink_to(target)
        return path

    return make


def folder_with_pipe(folder: Path) -> Path:
    inside = folder / "inside"
    inside.mkdir()
    pipe(inside)
    return inside


UNREADABLE: dict[str, Callable[[Path], Path]] = {
    "pipe": pipe,
    "zeros": lambda _folder: Path("/dev/zero"),
    "noise": lambda _folder: Path("/dev/urandom"),
    "linked-zeros": linked("/dev/zero"),
    "linked-pipe": lambda folder: linked(str(pipe(folder)))(folder),
    "folder-with-pipe": folder_with_pipe,
    "long-name": lambda _folder: Path("n" * 300 + ".jpg"),
    "long-path": lambda _folder: Path("/".join(["p" * 99] * 50)),
    "link-to-itself": lambda folder: linked("link.jpg")(folder),
    "no-utf8": lambda _folder: Path(os.fsdecode(b"\xff\xfe.jpg")),
}


def test_check_tells_each_bad_input_and_does_the_others(tmp_path: Path) -> None:
    bad: list[Path] = []
    for name, make in UNREADABLE.items():
        (tmp_path / name).mkdir()
        bad.append(make(tmp_path / name))
    marked = tmp_path / "marked"
    photo = SAMPLES / "fire.jpg"
    found = attack("check", *bad, photo, "--json", "--annotate", marked, data=tmp_path / "data")
    assert found.status == 1
    answers = [json.loads(line) for line in found.out.splitlines()]
    assert ["error" in answer for answer in answers] == [True] * len(bad) + [False]
    assert len(found.err.splitlines()) == len(bad) + 1
    assert [file.name for file in marked.iterdir()] == ["fire.annotated.jpg"]


@pytest.mark.parametrize("name", ["pipe", "zeros", "linked-zeros", "linked-pipe", "long-name"])
@pytest.mark.parametrize(
    "command",
    [
        ("replay", "--import"),
        ("judge",),
        ("evaluate", "--resume"),
        ("capture", "--to", "new"),
        ("capture", "--to", "new", "--import", "coco"),
        ("enrol", "mine", "--order", "Y1"),
    ],
    ids=" ".join,
)
@pytest.mark.slow
def test_no_command_waits_for_what_is_no_file(name: str, command: tuple[str, ...], tmp_path: Path) -> None:
    before = [SAMPLES] if command[0] == "evaluate" else []
    arguments = [tmp_path / "new" if part == "new" else part for part in command]
    bad = UNREADABLE[name](tmp_path)
    found = attack(arguments[0], *before, *arguments[1:], bad, data=tmp_path / "data")
    assert found.status in (1, 2)
    assert found.err.strip()


def test_a_folder_of_frames_with_a_pipe_in_it_is_followed(tmp_path: Path) -> None:
    frames = folder_with_pipe(tmp_path)
    shutil.copyfile(SAMPLES / "fire.jpg", frames / "z.jpg")
    found = attack("watch", frames, data=tmp_path / "data")
    assert found.status == 0
    assert "pipe or a device" in found.out


def test_a_device_that_is_no_camera_is_not_waited_for(tmp_path: Path) -> None:
    found = attack("watch", "/dev/zero", data=tmp_path / "data")
    assert found.status == 1
    assert "no camera" in found.err


def test_a_folder_that_may_not_be_listed_is_told(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    found = attack("check", closed, SAMPLES / "fire.jpg", data=tmp_path / "data", as_anybody=True)
    assert found.status == 1
    assert "Permission denied" in found.err
