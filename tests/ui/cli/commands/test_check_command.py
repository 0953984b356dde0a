"""`pyramid-referee check` and `evaluate`, used as a person or a script would."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from referee.rules.layout import Layout
from referee.uncertain import judge_reading
from tests.places import SAMPLES
from ui.cli.commands.check import as_json, as_text
from ui.cli.main import main
from ui.text.catalogue import choose_language
from vision.recognition.reading import ColourGroup, Reading, TileReading


class Done(NamedTuple):
    """What one run came to."""

    returncode: int
    stdout: str
    stderr: str


Referee = Callable[..., Done]


@pytest.fixture
def referee(capfd: pytest.CaptureFixture[str]) -> Referee:
    """Runs the program in this process, as most of the time of a new one goes into its imports."""

    def run(*arguments: str | Path) -> Done:
        return Done(main([str(argument) for argument in arguments]), *capfd.readouterr())

    return run


def referee_process(*arguments: str | Path) -> Done:
    """Run the program as a person or a script does."""
    line = [sys.executable, "-m", "ui", *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("name", ["collapse", "explosion", "fire", "overweight", "question", "stable"])
def test_the_samples_are_read_right_and_judged(referee: Referee, name: str) -> None:
    """The shipped photos give the layouts their files tell, and what hangs on no unsure tile is judged."""
    done = referee("check", "--json", SAMPLES / f"{name}.jpg")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    answer = json.loads(line)
    truth = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    assert answer["layout"] == truth["layout"]
    assert answer["unsure"] == (["Y1"] if name == "question" else [])
    events = [event["event"] for event in answer["verdict"]]
    first = {"collapse": "collapse", "explosion": "explosion", "fire": "fire", "overweight": "collapse"}
    assert events[:1] == ([first[name]] if name in first else [])
    known = {tile["code"]: np.array(tile["quad"]) for tile in truth["tiles"]}
    for tile in answer["tiles"]:
        side = np.hypot(*(known[tile["code"]][1] - known[tile["code"]][0]))
        assert np.hypot(*(np.array(tile["quad"]) - known[tile["code"]]).T).mean() < 0.08 * side
        assert 0 <= tile["confidence"] <= 1
    assert set(answer["ms"]) >= {"total", "find", "classify"}


def test_the_heic_photos_of_an_iphone_are_read(referee: Referee, tmp_path: Path) -> None:
    """By their name, and in a folder with others; a marked picture is a JPEG all the same."""
    photos = tmp_path / "photos"
    photos.mkdir()
    heic = SAMPLES.parent / "tests" / "data" / "images" / "table-turned.heic"
    shutil.copyfile(heic, photos / "IMG_0001.HEIC")
    shutil.copyfile(SAMPLES / "fire.jpg", photos / "fire.jpg")
    done = referee("check", "--json", photos, "--annotate", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    layouts = {Path(line["image"]).name: line["layout"] for line in map(json.loads, done.stdout.splitlines())}
    assert layouts == {
        "IMG_0001.HEIC": json.loads((SAMPLES / "stable.json").read_text())["layout"],
        "fire.jpg": json.loads((SAMPLES / "fire.json").read_text())["layout"],
    }
    assert cv2.imread(str(tmp_path / "out" / "IMG_0001.annotated.jpg")).shape == (720, 1280, 3)


def test_the_answer_for_people_has_drawing_and_steps(referee: Referee) -> None:
    """Drawing first, then numbered sentences; nothing on standard error."""
    done = referee("--lang", "en", "check", SAMPLES / "collapse.jpg")
    assert "\n1. Collapse: green coal 1 matches neither red 10 nor red 100." in done.stdout
    assert "R100" in done.stdout
    assert done.stderr == ""


def test_the_answer_speaks_french(referee: Referee) -> None:
    """The same verdict in the rulebook's own terms."""
    assert "1. Effondrement" in referee("--lang", "fr", "check", SAMPLES / "collapse.jpg").stdout


def test_bad_photos_are_reported_and_the_others_done(tmp_path: Path) -> None:
    """One sentence each, exit status 1, and every good photo still answered, in order."""
    (tmp_path / "a-empty.jpg").write_bytes(b"")
    (tmp_path / "b-cut.jpg").write_bytes((SAMPLES / "fire.jpg").read_bytes()[:9000])
    shutil.copyfile(SAMPLES / "fire.jpg", tmp_path / "c-good.jpg")
    (tmp_path / "d-text.png").write_text("words", encoding="utf-8")
    cv2.imwrite(str(tmp_path / "e-dot.png"), np.zeros((1, 1, 3), np.uint8))
    done = referee_process("check", "--json", tmp_path, tmp_path / "none.jpg")
    assert done.returncode == 1
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in answer for answer in answers] == [True, True, False, True, False, True]
    assert answers[4]["layout"] == "-"
    assert answers[4]["tiles"] == []
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 4


def test_an_empty_table_has_no_pyramid(referee: Referee, tmp_path: Path) -> None:
    """A photo without any tile is an answer, not an error."""
    table = cv2.GaussianBlur(
        np.random.default_rng(1).integers(60, 120, (480, 640, 3)).astype(np.uint8), (0, 0), 2
    )
    cv2.imwrite(str(tmp_path / "table.png"), table)
    done = referee("check", tmp_path / "table.png")
    assert done.returncode == 0
    assert "1." not in done.stdout


def test_a_grey_photo_is_asked_about(referee: Referee, tmp_path: Path) -> None:
    """Without colours no colour is announced: every tile is unsure, and no step hangs on one."""
    grey = cv2.imread(str(SAMPLES / "collapse.jpg"), cv2.IMREAD_GRAYSCALE)
    cv2.imwrite(str(tmp_path / "grey.png"), grey)
    answer = json.loads(referee("check", "--json", tmp_path / "grey.png").stdout)
    assert answer["tiles"]
    assert sorted(answer["unsure"]) == sorted(tile["code"] for tile in answer["tiles"])
    assert answer["verdict"] == []
    assert "?" in referee("check", tmp_path / "grey.png").stdout


QUAD = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def read_by_hand(text: str, hidden: int = 0, **how: str) -> Reading:
    """Return a reading of a layout; `how` tells which tiles are `covered` or `cut`."""
    layout = Layout.parse(text)
    tiles = tuple(
        TileReading(
            tile.code,
            row,
            slot,
            QUAD,
            0.9,
            tile.code in how,
            covered=how.get(tile.code) == "covered",
            cut=how.get(tile.code) == "cut",
        )
        for (row, slot), tile in layout.tiles
    )
    return Reading(tiles, layout, {"total": 1.0}, (QUAD,) * hidden)


def test_tiles_seen_in_part_are_told_to_programs_and_people() -> None:
    """Only such tiles have the keys; they are unsure, and nothing is announced beside a cut tile."""
    choose_language("en")
    reading = read_by_hand("R40 B20/G60", R40="covered", B20="cut")
    judged = judge_reading(reading)
    answer = as_json("a.jpg", reading, judged)
    flags = [(t["code"], t.get("covered"), t.get("cut")) for t in answer["tiles"]]  # type: ignore[attr-defined]
    assert flags == [("R40", True, None), ("B20", None, True), ("G60", None, None)]
    assert (answer["unsure"], answer["verdict"]) == (["R40", "B20"], [])
    assert "hidden" not in answer
    lines = as_text("a.jpg", reading, judged).splitlines()
    assert (
        "The tile in row 1 from the bottom, slot 1 from the left, is covered. Uncover it, or say which tile "
        "it is." in lines
    )
    assert any("slot 2 from the left, is cut by the edge of the picture. Move" in line for line in lines)


def test_the_colour_of_tiles_that_look_alike_is_one_sentence() -> None:
    choose_language("en")
    reading = read_by_hand("Y40 Y20 G60")
    tiles = tuple(
        replace(tile, unsure=True, alternatives=((f"R{tile.code[1:]}", 0.4),))
        if tile.code[0] == "Y"
        else tile
        for tile in reading.tiles
    )
    group = ColourGroup(("Y40", "Y20"), (("Y", 0.6), ("R", 0.4)))
    reading = replace(reading, tiles=tiles, unnamed=(group,))
    judged = judge_reading(reading)
    asked = [line for line in as_text("a.jpg", reading, judged).splitlines() if line.endswith("?")]
    assert asked == ["Which colour are these, yellow or red: yellow 40 and yellow 20?"]
    answer = as_json("a.jpg", reading, judged)
    assert answer["unnamed"] == [{"codes": ["Y40", "Y20"], "colours": [["Y", 0.6], ["R", 0.4]]}]
    assert answer["unsure"] == ["Y40", "Y20"]


def test_nothing_is_announced_while_something_hides_the_table() -> None:
    choose_language("en")
    reading = read_by_hand("R40 B20/G60", hidden=2)
    judged = judge_reading(reading)
    answer = as_json("a.jpg", reading.scaled(2), judged)
    assert (answer["unsure"], answer["verdict"], answer["needs"]) == ([], [], None)
    assert answer["hidden"] == [[[0.5, 0.5], [18.5, 0.5], [18.5, 18.5], [0.5, 18.5]]] * 2
    last = as_text("a.jpg", reading, judged).splitlines()[-1]
    assert last.endswith("Take hands and things off the table.")


def test_annotate_writes_pictures_and_nothing_half_done(referee: Referee, tmp_path: Path) -> None:
    """Into a folder or to a file; the marked picture has the photo's size and differs from it."""
    out = tmp_path / "out"
    assert referee("check", SAMPLES / "collapse.jpg", SAMPLES / "fire.jpg", "--annotate", out).returncode == 0
    assert sorted(path.name for path in out.iterdir()) == ["collapse.annotated.jpg", "fire.annotated.jpg"]
    marked, plain = cv2.imread(str(out / "collapse.annotated.jpg")), cv2.imread(str(SAMPLES / "collapse.jpg"))
    assert marked.shape == plain.shape
    assert np.abs(marked.astype(int) - plain).max() > 100


def test_unknown_rules_are_wrong_usage(referee: Referee) -> None:
    """A setting that does not exist is named, with exit status 2."""
    done = referee("check", SAMPLES / "fire.jpg", "--rules", "gravity=off")
    assert done.returncode == 2
    assert "gravity" in done.stderr


def test_rules_change_the_verdict(referee: Referee) -> None:
    """With the fire die a fire never starts from a layout as it lies."""
    answer = json.loads(referee("check", "--json", SAMPLES / "fire.jpg", "--rules", "fire_die=newer").stdout)
    assert answer["verdict"] == []


def test_evaluate_counts_what_is_right(referee: Referee) -> None:
    """On the samples everything is right; the figures say so."""
    done = referee("evaluate", "--json", SAMPLES)
    assert done.returncode == 0, done.stderr
    groups = {answer["group"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert groups["all"]["pictures"] == 6
    assert groups["all"]["tiles_right"] == 1
    assert groups["all"]["layouts_right"] == 1
    assert groups["all"]["silent_errors"] == 0
    assert {"A", "B"} <= set(groups)


def test_evaluate_says_what_it_cannot_use(referee: Referee, tmp_path: Path) -> None:
    """Bad label files are named; a folder without any is an error of its own."""
    assert referee("evaluate", tmp_path).returncode == 1
    shutil.copyfile(SAMPLES / "fire.jpg", tmp_path / "fire.jpg")
    (tmp_path / "fire.json").write_text(
        '{"image": "../fire.jpg", "layout": "-", "tiles": []}', encoding="utf-8"
    )
    done = referee("evaluate", tmp_path)
    assert done.returncode == 1
    assert "fire.json" in done.stderr
    assert "Traceback" not in done.stderr
