"""Data sets on the command line: exported, imported, joined; originals never change, and all is told."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import pytest

from tests.vision.dataset.data_sets import tile, write_picture
from ui.cli import dataset_options as exchange
from vision.dataset.dataset import FILE_NAME, build_data_set, read_data_set, write_manifest
from vision.dataset.formats.convert import FORMATS

SAMPLES = Path(__file__).parents[3] / "samples"


def run(*arguments: str | Path) -> int:
    """Return the exit status of the part of `capture` that is tested here."""
    parser = argparse.ArgumentParser()
    parser.add_argument("source", nargs="?", type=Path)
    exchange.add_arguments(parser)
    args = parser.parse_args([str(argument) for argument in arguments])
    assert exchange.is_wanted(args)
    return exchange.run(args)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders with pictures of the same names, one picture in both."""
    for name, codes in (("one", ["R40", "R2", "B2"]), ("other", ["R40", "G2", "Y2"])):
        for number, code in enumerate(codes):
            mark = "both" if number == 0 else name
            write_picture(tmp_path / name, f"{number}.png", [tile(code)], mark=f"{mark} {number}")
    return tmp_path / "one", tmp_path / "other"


@pytest.mark.parametrize("fmt", exchange.FORMATS)
def test_what_is_exported_can_be_imported(
    fmt: str, two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exchange.FORMATS == FORMATS
    one, before = two[0], files_of(two[0])
    assert run(one, "--export", fmt, "--to", tmp_path / "new" / "out", "--licence", "CC0-1.0") == 0
    said = capsys.readouterr()
    assert said.out == f"'{tmp_path / 'new' / 'out'}' holds 3 pictures with 3 labels. Different tiles: 3.\n"
    assert said.err == ""
    assert files_of(one) == before
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["out"]
    if fmt == "native":
        assert read_data_set(tmp_path / "new" / "out")[0].licence == "CC0-1.0"
        return
    how = ["--to", tmp_path / "back", "--licence", "MIT"]
    assert run("--import", fmt, tmp_path / "new" / "out", *how) == 0
    back, problems = read_data_set(tmp_path / "back")
    assert problems == []
    assert back.licence == "MIT"
    assert [label.code for picture in back.pictures for label in picture.labels] == ["R40", "R2", "B2"]


def test_no_licence_is_told(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(two[0], "--export", "coco", "--to", tmp_path / "out") == 0
    assert "No licence is named" in capsys.readouterr().out


def test_clashing_names_are_told_and_nothing_is_lost(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second set's pictures get other names; a picture that is in both is taken once."""
    before = [files_of(folder) for folder in two]
    assert run("--merge", *two, "--to", tmp_path / "both", "--licence", "MIT") == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "In both sets, and taken only once: 1 of the pictures."
    assert said[1:] == [
        f"'{two[1] / name}.png' is called '{name}-2.png' in the new data set because its own name is taken."
        for name in ("1", "2")
    ]
    assert [files_of(folder) for folder in two] == before
    whole, problems = read_data_set(tmp_path / "both")
    assert problems == []
    shown = {picture.name: picture.labels[0].code for picture in whole.pictures}
    assert shown == {"0.png": "R40", "1.png": "R2", "2.png": "B2", "1-2.png": "G2", "2-2.png": "Y2"}


def test_joined_sets_keep_their_parts_and_name_their_licences(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, licence, shares in zip(two, ("MIT", "CC0-1.0"), ((0, 100, 0), (0, 0, 100)), strict=True):
        write_manifest(build_data_set(folder, licence=licence, shares=shares)[0], folder)
    assert run("--merge", *two, "--to", tmp_path / "both") == 0
    assert "The licences differ: 'MIT' and 'CC0-1.0'" in capsys.readouterr().err
    whole = read_data_set(tmp_path / "both")[0]
    assert whole.licence == "MIT; CC0-1.0"
    assert [picture.split for picture in whole.pictures] == ["val"] * 3 + ["test"] * 2
    assert run("--merge", *two, "--to", tmp_path / "again", "--split", "100/0/0") == 0
    assert {picture.split for picture in read_data_set(tmp_path / "again")[0].pictures} == {"train"}


def test_a_picture_that_is_unsound_is_told_and_the_rest_is_written(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (two[0] / "1.json").write_text("{")
    (two[0] / "2.png").unlink()
    write_picture(two[0], "4.png", [tile("R99")])
    assert run(two[0], "--export", "native", "--to", tmp_path / "out", "--licence", "MIT") == 1
    said = capsys.readouterr()
    assert said.out.startswith(f"'{tmp_path / 'out'}' holds 1 picture with ")
    lines = said.err.splitlines()
    assert len(lines) == 3
    assert all(name in line for name, line in zip(("1.json", "2.png", "4.png"), lines, strict=True))


def test_many_problems_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(30):
        write_picture(tmp_path / "set", f"{number}.png").write_text("{")
    assert run(tmp_path / "set", "--export", "coco", "--to", tmp_path / "out") == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == exchange.MOST_TOLD + 1
    assert lines[-1] == "… and 11 more like these."  # the last one: no picture is left
    assert not (tmp_path / "out").exists()


def test_what_is_not_for_others_stays_at_home(two: tuple[Path, Path], tmp_path: Path) -> None:
    """Blurred and cut down to the tiles; or with all that the files say, on purpose."""
    for name in ("collapse.jpg", "collapse.json"):
        (tmp_path / "set").mkdir(exist_ok=True)
        (tmp_path / "set" / name).write_bytes((SAMPLES / name).read_bytes())
    photo = tmp_path / "set" / "collapse.jpg"
    data = photo.read_bytes()
    photo.write_bytes(data[:2] + b"\xff\xfe\x00\x08secret"[:10] + data[2:])
    assert run(tmp_path / "set", "--export", "native", "--to", tmp_path / "kept", "--keep-exif") == 0
    assert (tmp_path / "kept" / "collapse.jpg").read_bytes() == photo.read_bytes()
    assert run(tmp_path / "set", "--export", "native", "--to", tmp_path / "quiet") == 0
    assert b"secret" not in (tmp_path / "quiet" / "collapse.jpg").read_bytes()
    assert run(tmp_path / "set", "--export", "native", "--to", tmp_path / "cut", "--blur", "--crop") == 0
    cut = cv2.imread(str(tmp_path / "cut" / "collapse.jpg"))
    assert max(cut.shape) < 700
    assert read_data_set(tmp_path / "cut")[0].pictures[0].size_wh == cut.shape[1::-1]


def test_a_manifest_is_believed_until_a_new_split_is_asked_for(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    write_manifest(build_data_set(two[0], licence="MIT", shares=(0, 0, 100))[0], two[0])
    assert run(two[0], "--export", "native", "--to", tmp_path / "same") == 0
    assert {p["split"] for p in json.loads((tmp_path / "same" / FILE_NAME).read_text())["pictures"]} == {
        "test"
    }
    assert run(two[0], "--export", "native", "--to", tmp_path / "new", "--split", "100/0/0") == 0
    whole = read_data_set(tmp_path / "new")[0]
    assert ({picture.split for picture in whole.pictures}, whole.licence) == ({"train"}, "MIT")


def test_wrong_usage_is_one_sentence(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    for arguments, words in (
        ([two[0], "--export", "coco"], "Name a new folder for it with --to"),
        (["--export", "coco", "--to", out], "Name the folder of the data set"),
        (["--import", "voc", two[0], "--to", out], "The format 'voc' cannot be read. These can: coco,"),
        ([two[0], "--export", "coco", "--to", out, "--blur", "--keep-exif"], "Use either --keep-exif or"),
    ):
        assert run(*arguments) == 2
        said = capsys.readouterr().err.splitlines()
        assert [line.startswith(words) for line in said] == [True]
    for split in ("80/10", "80/10/11", "a/b/c", "110/-5/-5"):
        with pytest.raises(SystemExit):
            run(two[0], "--export", "coco", "--to", out, "--split", split)
        assert f"'{split}' is not three whole numbers" in capsys.readouterr().err


def test_nothing_is_overwritten(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files_of(tmp_path)
    for out, words in ((two[1], "is already there"), (two[0] / "0.png" / "x", "cannot be written")):
        assert run(two[0], "--export", "coco", "--to", out) == 1
        assert words in capsys.readouterr().err
    assert run(tmp_path / "none", "--export", "coco", "--to", tmp_path / "out") == 1
    assert "cannot be read" in capsys.readouterr().err
    assert files_of(tmp_path) == before
    (tmp_path / "empty").mkdir()
    assert run(two[0], "--export", "coco", "--to", tmp_path / "empty") == 0


def test_progress_is_shown_to_whoever_watches(
    two: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("ui.cli.progress.SHOW_S", 0.0)
    assert run(two[0], "--export", "coco", "--to", tmp_path / "out", "--licence", "MIT") == 0
    error = capsys.readouterr().err
    assert "| 3/3 [" in error
    assert error.endswith("\r\033[K")


def test_a_picture_that_cannot_be_changed_is_left_out(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (two[0] / "1.png").write_bytes(cv2.imencode(".png", cv2.imread(str(SAMPLES / "fire.jpg")))[1].tobytes())
    assert run(two[0], "--export", "yolo", "--to", tmp_path / "out", "--blur") == 1
    assert capsys.readouterr().err.count("is not a picture that can be read") == 2
    assert len(list((tmp_path / "out" / "images").rglob("*.png"))) == 1
