"""`pyramid-referee capture`: from photos, a video and a camera to pictures with proposed labels."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.rules.layout import Layout
from referee.rules.tiles import CODES
from tests.ui.laid_out import PHOTOS, write_photos
from ui.cli.commands.capture import CaptureReport, watch
from ui.cli.main import main
from ui.services.dataset_coverage import Coverage
from vision.dataset.capture import LabelProposer
from vision.dataset.label_file import Label, LabelledPicture
from vision.recognition.reading import Reading, TileReading
from vision.sources.frame import Frame, Lost, Source, SourceNotice

SAMPLES = Path(__file__).parents[4] / "samples"


def referee(*arguments: str | Path) -> tuple[int, list[str], list[str]]:
    """Return exit status, and the lines of standard output and standard error of one run."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        status = main([*map(str, arguments), "--lang", "en"])
    return status, out.getvalue().splitlines(), error.getvalue().splitlines()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def test_photos_become_a_data_set_that_evaluate_reads(tmp_path: Path) -> None:
    """What was proposed is right on the samples, it is said what is missing, and no original changes."""
    before = contents(SAMPLES)
    status, out, error = referee("capture", SAMPLES, "--to", tmp_path / "set")
    assert (status, error) == (0, [])
    assert out[0].startswith(f"Captured into '{tmp_path / 'set'}': 6 pictures, 56 tiles. Not seen yet: ")
    assert contents(SAMPLES) == before
    for labels in (tmp_path / "set").glob("*.json"):
        proposed = json.loads(labels.read_text())
        truth = json.loads((SAMPLES / proposed["source"]["name"]).with_suffix(".json").read_text())
        assert proposed["layout"] == truth["layout"]
        assert labels.with_name(proposed["image"]).exists()
    status, out, _ = referee("evaluate", "--json", tmp_path / "set")
    assert (status, json.loads(out[0])["tiles_right"]) == (0, 1)


def test_no_picture_is_captured_twice(tmp_path: Path) -> None:
    """The same command again finds all done; a copy under another name is named."""
    photos, to = tmp_path / "photos", tmp_path / "set"
    photos.mkdir()
    shutil.copyfile(SAMPLES / "fire.jpg", photos / "a.jpg")
    assert referee("capture", photos, "--to", to)[0] == 0
    made = contents(to)
    shutil.copyfile(SAMPLES / "fire.jpg", photos / "b.jpg")
    status, out, error = referee("capture", photos, "--to", to)
    assert (status, contents(to)) == (0, made)
    assert ": 0 pictures, 0 tiles. 2 pictures were already there." in out[0]
    image = next(name for name in made if name.endswith(".jpg"))
    assert error == [
        f"'{photos / 'b.jpg'}' is the same picture as '{image}', which is already there. It is skipped."
    ]


def test_bad_input_is_named_and_the_rest_is_done(tmp_path: Path) -> None:
    """One sentence each for bad photos and for faults of the data set as it is, and exit status 1."""
    photos, to = tmp_path / "photos", tmp_path / "set"
    photos.mkdir()
    (photos / "cut.jpg").write_bytes((SAMPLES / "fire.jpg").read_bytes()[:9000])
    (photos / "empty.jpg").write_bytes(b"")
    shutil.copyfile(SAMPLES / "fire.jpg", photos / "good.jpg")
    assert referee("capture", SAMPLES, "--to", to)[0] == 0
    damaged, unknown, missing, outside = sorted(to.glob("*.json"))[:4]
    damaged.write_bytes(damaged.read_bytes()[:300])
    unknown.write_text(unknown.read_text().replace('"code": "', '"code": "X'))
    missing.with_suffix(".jpg").unlink()
    outside.write_text(outside.read_text().replace('"image": "', '"image": "../'))
    faulty = {path: path.read_bytes() for path in (damaged, unknown, missing, outside)}
    status, out, error = referee("capture", photos, tmp_path / "none.jpg", "--to", to)
    assert status == 1
    assert ": 1 picture, " in out[0]
    assert "7 pictures could not be used." in out[0]
    named = [damaged, unknown, missing.with_suffix(".jpg"), outside, photos / "cut.jpg", photos / "empty.jpg"]
    assert len(error) == 7
    for path in (*named, tmp_path / "none.jpg"):
        assert sum(str(path) in sentence for sentence in error) == 1, path
    assert all(path.read_bytes() == data for path, data in faulty.items())


def test_usage_that_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    """The copies would be captured as photos the next time."""
    shutil.copyfile(SAMPLES / "fire.jpg", tmp_path / "a.jpg")
    status, _, error = referee("capture", tmp_path, "--to", tmp_path)
    assert (status, [path.name for path in tmp_path.iterdir()]) == (2, ["a.jpg"])
    assert "Name another folder with --to" in error[0]
    assert referee("capture", tmp_path, "--to", tmp_path / "set", "--tiles", "nobodys")[0] == 2
    assert referee("capture", tmp_path, "--to", tmp_path / "set", "--workers", "0")[0] == 2


def test_a_players_own_set_is_proposed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of another game: no layout, and what is missing is counted in its tiles."""
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "data"))
    learned = write_photos(tmp_path / "learned", "my-{}".format, PHOTOS[1:2])
    assert referee("enrol", "other", learned)[0] == 0
    status, out, _ = referee("capture", learned, "--to", tmp_path / "set", "--tiles", "other", "--json")
    assert status == 0
    picture, lacks = map(json.loads, out)
    assert picture["source"] == {**picture["source"], "name": "0.png"}
    assert Path(picture["image"]).parent == tmp_path / "set"
    codes = {tile["code"] for tile in picture["tiles"]}
    assert codes <= {f"my-{code}" for code in PHOTOS[1]}
    assert (picture["layout"], lacks["pictures"]) == ("-", 1)
    assert set(lacks["unseen"]) | set(lacks["in_one_light"]) == {f"my-{code}" for code in PHOTOS[1]}


def write_video(path: Path, scenes: list[tuple[np.ndarray, int]]) -> None:
    """Write a video in which each scene is seen for so many frames, 15 a second, with a hand in between."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (1280, 720))
    for scene, count in scenes:
        for _ in range(count):
            writer.write(scene)
        writer.write(cv2.rectangle(scene.copy(), (500, 250), (700, 719), (120, 150, 205), -1))
    writer.release()


def test_a_video_gives_a_picture_of_each_new_table(tmp_path: Path) -> None:
    """The same table after a hand gives none, the same in another light does; each tells its time."""
    fire, stable = (cv2.imread(str(SAMPLES / f"{name}.jpg")) for name in ("fire", "stable"))
    dusk = (fire * 0.6).astype(np.uint8)
    write_video(tmp_path / "a.avi", [(fire, 8), (fire, 8), (stable, 8), (dusk, 8)])
    status, out, error = referee("capture", tmp_path / "a.avi", "--to", tmp_path / "set", "--json")
    assert status == 0
    *pictures, lacks = map(json.loads, out)
    layouts = [json.loads((SAMPLES / f"{name}.json").read_text())["layout"] for name in ("fire", "stable")]
    assert [picture["layout"] for picture in pictures] == [*layouts, layouts[0]]
    assert [round(picture["source"]["time_s"] * 15) for picture in pictures] == [6, 24, 33]
    assert {picture["source"]["name"] for picture in pictures} == {"a.avi"}
    seen_twice = {tile["code"] for tile in pictures[0]["tiles"]}
    assert not seen_twice & {*lacks["unseen"], *lacks["in_one_light"]}
    assert error[0].startswith("Picture 1: 10 tiles. Not seen yet: ")
    made = contents(tmp_path / "set")
    assert referee("capture", tmp_path / "a.avi", "--to", tmp_path / "set")[0] == 0
    assert contents(tmp_path / "set") == made


def test_a_source_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    """And what else was named is done; a password is never shown."""
    status, out, error = referee(
        "capture", "rstp://bob:secret@cam/x", SAMPLES / "fire.jpg", "--to", tmp_path, "--json"
    )
    assert (status, len(error)) == (1, 2)
    assert "secret" not in "".join(out + error)
    assert [sorted(line)[0] for line in map(json.loads, out)] == ["image", "error", "in_one_light"]


QUAD = ((10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0))


class Scripted(LabelProposer):
    """Proposes what it is told to, settled table after settled table."""

    def __init__(self, *readings: Reading) -> None:
        self._readings = iter(readings)

    def propose(self, image_bgr: np.ndarray) -> Reading:
        return next(self._readings)


class Tables(Source):
    """A camera before which a hand turns up after every table."""

    name, is_live = "rtsp://…@cam/live", True

    def __init__(self, greys: list[int], notice: SourceNotice) -> None:
        self._greys, self._notice = greys, notice

    def __iter__(self) -> Iterator[Frame | SourceNotice]:
        yield self._notice
        for number, grey in enumerate(self._greys):
            for at in range(10):
                image = np.full((90, 160, 3), grey, np.uint8)
                image[:45] += 100 if at == 9 else 0
                yield Frame(image, number + at / 10, 10 * number + at)

    def now_s(self) -> float:
        return 0.0

    def close(self) -> None:
        pass


def table(*codes: str, covered: bool = False) -> Reading:
    tiles = tuple(TileReading(code, 0, slot, QUAD, 0.9, False) for slot, code in enumerate(codes))
    return Reading(tiles, Layout.parse(" ".join(codes)), hidden=(QUAD,) if covered else ())


def test_a_camera_is_watched_and_the_next_thing_to_show_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is kept of an empty or covered table, nor of one that was seen before."""
    lost = Lost("{name} has ended the connection. The referee keeps trying.", {"name": "cam"}, 0)
    camera = Tables([90, 90, 90, 90, 60], lost)
    nothing = Reading((), Layout.parse("-"))
    readings = table("R2", covered=True), table("R2"), nothing, table("R2"), table("R2", "Y1")
    data_set = CaptureReport(tmp_path, Coverage(["R2", "Y1"]), as_json=False)
    watch(camera, data_set, Scripted(*readings), "2026-01-01")
    assert capsys.readouterr().err.splitlines() == [
        "Not seen yet: red 2, yellow coal 1.",
        "cam has ended the connection. The referee keeps trying.",
        "Something lies beside the pyramid, and a tile may be under it. Take hands and things off the table.",
        "Picture 1: 1 tile. Not seen yet: yellow coal 1.",
        "Picture 2: 2 tiles. Every tile was seen. Show these under another light as well: yellow coal 1.",
    ]
    written = [json.loads(path.read_text()) for path in tmp_path.glob("*.json")]
    assert [content["source"]["name"] for content in written] == ["rtsp://…@cam/live"] * 2
    assert len(list(tmp_path.glob("*.jpg"))) == 2


def test_what_is_missing_is_said_in_few_words() -> None:
    """First what nobody saw, then what was seen under one light, then that nothing is missing."""

    def picture(codes: list[str], grey: int) -> LabelledPicture:
        quad = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
        labels = tuple(Label(code, quad, {"confidence": 1.0, "proposed": True}) for code in codes)
        return LabelledPicture(Path("a.jpg"), "a.jpg", (0, 0), "", labels, {"light": [grey] * 3})

    coverage = Coverage(CODES)
    assert coverage.sentence() == (
        "Not seen yet: yellow 2, yellow 4, yellow 6, yellow 10, yellow 20, yellow 30, yellow 40, yellow 60 "
        "and 37 more."
    )
    coverage.add(picture([code for code in CODES if code not in ("G40", "B6")], 120))
    assert coverage.sentence() == "Not seen yet: green 40, blue 6."
    coverage.add(picture(["G40", "B6"], 118))
    coverage.add(picture([code for code in CODES if code != "M200"], 70))
    assert (
        coverage.sentence() == "Every tile was seen. Show these under another light as well: millstone 200."
    )
    coverage.add(picture(["M200"], 200))
    assert coverage.sentence() == "Every tile was seen under two lights: nothing is missing."
