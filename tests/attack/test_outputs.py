"""What is written never takes the place of what somebody else made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.attack.attacked import attack
from tests.places import SAMPLES
from ui.cli.main import main


def hard_link(photo: Path) -> Path:
    other = photo.with_name("other.jpg")
    os.link(photo, other)
    return other


def soft_link(photo: Path) -> Path:
    other = photo.with_name("other.jpg")
    other.symlink_to(photo.name)
    return other


def neighbour(photo: Path) -> Path:
    shutil.copyfile(photo, photo.with_name(f"{photo.stem}.annotated.jpg"))
    return photo.parent


SPELLINGS: dict[str, Callable[[Path], Path]] = {
    "itself": lambda photo: photo,
    "through-dots": lambda photo: photo.parent / ".." / photo.parent.name / photo.name,
    "hard-link": hard_link,
    "link": soft_link,
    "neighbour": neighbour,
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_no_option_of_check_writes_to_an_original(name: str, tmp_path: Path) -> None:
    photo = tmp_path / "photos" / "fire.jpg"
    photo.parent.mkdir()
    shutil.copyfile(SAMPLES / "fire.jpg", photo)
    out = SPELLINGS[name](photo)
    before = {file.name: file.lstat() for file in photo.parent.iterdir()}
    found = attack("check", photo, "--annotate", out, data=tmp_path / "data")
    assert found.status == 1
    assert "is left as it is" in found.err
    assert ("rename or remove that one" in found.err) == (name == "neighbour")
    after = {file.name: file.lstat() for file in photo.parent.iterdir()}
    assert {key: (s.st_ino, s.st_size, s.st_mtime_ns) for key, s in after.items()} == {
        key: (s.st_ino, s.st_size, s.st_mtime_ns) for key, s in before.items()
    }
    assert photo.read_bytes() == (SAMPLES / "fire.jpg").read_bytes()


def test_a_marked_picture_of_ours_is_made_anew(tmp_path: Path) -> None:
    photo = SAMPLES / "fire.jpg"
    for _again in range(2):
        found = attack("check", photo, "--annotate", tmp_path / "out", data=tmp_path / "data")
        assert found.status == 0, found.err
    found = attack("check", tmp_path / "out", "--annotate", tmp_path / "out" / "fire.annotated.jpg",
                   data=tmp_path / "data")  # fmt: skip
    assert found.status == 1  # for now it is what is read


@pytest.mark.parametrize(
    ("command", "out"),
    [
        *product(("save", "export"), ("", ".", "/", "..", "photo.jpg", "nowhere/out")),
        ("tiles", "photo.jpg"),  # a folder is right for the sheets
    ],
)
def test_odd_targets_are_refused_in_a_sentence(
    command: str,
    out: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """In this process: a new one takes seconds to load what reads pictures, before it is refused."""
    (tmp_path / "here").mkdir()
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path / "here")
    shutil.copyfile(SAMPLES / "fire.jpg", "photo.jpg")
    game = SAMPLES.parent / "tests" / "data" / "stores" / "game-1.jsonl"
    if command == "export":
        assert main(["replay", "--import", str(game)]) == 0
    lines = {
        "save": ["watch", str(SAMPLES), "--save"],
        "export": ["replay", "1", "--export"],
        "tiles": ["tiles"],
    }
    capfd.readouterr()
    assert main(["--lang", "en", *lines[command], out]) == 1
    assert len(capfd.readouterr().err.splitlines()) == 1
    assert Path("photo.jpg").read_bytes() == (SAMPLES / "fire.jpg").read_bytes()
    assert [file.name for file in Path().iterdir()] == ["photo.jpg"]
