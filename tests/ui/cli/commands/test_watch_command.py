"""`pyramid-referee watch`, from a real video to what is printed and stored."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from referee.rules.game import Setup
from referee.rules.tiles import Colour
from referee.tracking.announcements import Asked, Remark, Remarked, TilePlaced
from referee.tracking.inputs import Answered, Reply
from referee.tracking.questions import QuestionKind
from tests.places import DATA
from ui.cli.main import main
from ui.services.game_session import GameSession, as_settled
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from vision.recognition.reading import ColourGroup, DetectedTile, Reading, TileReading
from vision.sources.frame import Frame, Lost

GAME = DATA / "played"
"""The first pictures of a rendered game of three players: an empty table, then a hand, then a tile, …"""
FPS, HELD_FRAMES = 15, 9


@pytest.fixture(scope="session")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A video of the game, with fresh noise on each frame."""
    path = tmp_path_factory.mktemp("video") / "game.avi"
    rng = np.random.default_rng(1)
    images = [cv2.imread(str(file)) for file in sorted(GAME.glob("*.jpg"))]
    height, width = images[0].shape[:2]
    noise = np.round(rng.normal(0, 3, (height, 2 * width, 3))).astype(np.int16)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (width, height))
    for image in images:
        for _ in range(HELD_FRAMES):
            x = rng.integers(width)
            writer.write(np.clip(image + noise[:, x : x + width], 0, 255).astype(np.uint8))
    writer.release()
    return path


def lines_of(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def short(lines: list[dict]) -> list[tuple]:
    return [(line["event"], line["turn"], line["player"], line["layout"]) for line in lines]


FOLLOWED = "Following game 1. Press Ctrl-C to stop.\n"
SAID = [
    ("placed", 1, 0, "B100"),
    ("placed", 2, 1, "Y60 B100"),
    ("placed", 3, 2, "Y60 B100/Y30"),
    ("placed", 4, 0, "Y60 B100 Y10/Y30 -"),
]


def test_a_video_is_followed_to_its_end(video, tmp_path, capsys):
    """JSON lines on standard output, the same in the file and in the store, which follows it again alike."""
    saved = tmp_path / "said.jsonl"
    assert main(["watch", str(video), "--players", "3", "--json", "--save", str(saved)]) == 0
    out, err = capsys.readouterr()
    assert short(lines_of(out)) == SAID
    assert [line["tile"] for line in lines_of(out)] == ["B100", "Y60", "Y30", "Y10"]
    assert lines_of(out)[0]["stocks"] == [14, 15, 15]
    assert lines_of(out)[0]["time_s"] == pytest.approx(2 * HELD_FRAMES / FPS + 0.4, abs=0.07)
    assert err == FOLLOWED + "Game 1 is not finished. Add --resume to continue it.\n"
    assert saved.read_text(encoding="utf-8") == out
    with GameStore.open() as store:
        entries = store.entries(1)
        assert [entry.content for entry in entries if entry.kind is EntryKind.SAID] == lines_of(out)
        assert entries[-1].kind is EntryKind.CLOSED
        assert store.settings(1).source == str(video)
        assert any(entry.has_picture for entry in entries)
    assert main(["replay", "1", "--verify"]) == 0
    # Going on at the end of the same video says nothing anew, and the file keeps everything.
    capsys.readouterr()
    assert main(["watch", str(video), "--resume", "--json", "--save", str(saved)]) == 0
    assert capsys.readouterr().out == ""
    assert saved.read_text(encoding="utf-8") == out


def test_photos_may_be_taken_upright_and_lengthwise(tmp_path, capsys):
    """Who turns the phone between two photos turns the table; pictures are no more of one size."""
    for number, file in enumerate(sorted(GAME.glob("*.jpg"))):
        image = cv2.imread(str(file))
        image = np.ascontiguousarray(np.rot90(image, number % 3 - 1))
        cv2.imwrite(str(tmp_path / f"{number:03d}.png"), image)
    assert main(["watch", str(tmp_path), "--players", "3", "--json"]) == 0
    assert short(lines_of(capsys.readouterr().out)) == SAID


@pytest.mark.parametrize("is_there", [False, True])
def test_nobody_in_a_video_laid_a_tile_because_it_was_asked_for(is_there, video, capsys, monkeypatch):
    """A left-over incendiary had left the game. Somebody at the keyboard can say so, or not."""
    keyboard = SimpleNamespace(is_there=is_there, lines=lambda: [])
    monkeypatch.setattr("ui.cli.commands.watch.Keyboard", lambda: keyboard)
    assert main(["watch", str(video), "--players", "2", "--json"]) == 0
    lines = lines_of(capsys.readouterr().out)
    asked = [line for line in lines if line["event"] == "question"]
    assert [(line["kind"], len(line["tiles"])) for line in asked] == [("left-over", 0), ("left-over", 1)]
    placed = [(line["turn"], line["player"], line["tile"]) for line in lines if line["event"] == "placed"]
    found = [(1, 0, "B100"), (2, 1, "Y60"), (3, 0, "Y30"), (4, 1, "Y10")]
    assert placed == ([] if is_there else found)


def test_a_killed_game_goes_on_where_it_was(video, tmp_path, capsys):
    """A process that is killed after its second line, and one that goes on, say together what one says."""
    saved = tmp_path / "said.jsonl"
    command = ["--lang", "fr", "watch", str(video), "--save", str(saved)]
    first = [sys.executable, "-m", "ui", *command, "--players", "3", "--json", "--no-pictures"]
    with subprocess.Popen(first, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        shown = [process.stdout.readline() for _ in range(2)]
        process.kill()
        shown += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    assert main([*command, "--resume"]) == 0
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        "Partie 1 en cours. Ctrl-C pour arrêter.",
        "La partie 1 n\u2019est pas terminée. Ajoutez --resume pour la reprendre.",
    ]
    assert out.endswith("\n\nTour 4, joueur 1\n  Tuile posée\u00a0: la jaune 10.\n")
    assert short(lines_of(saved.read_text(encoding="utf-8"))) == SAID
    assert lines_of("".join(shown)) == lines_of(saved.read_text(encoding="utf-8"))[: len(shown)]
    with GameStore.open() as store:
        assert store.check(1) == len(store.entries(1))
        assert not any(entry.has_picture for entry in store.entries(1)[:3])


def test_what_happened_before_another_source_is_said_not_to_have_been_seen(video, tmp_path, capsys):
    """What a video shows is seen again; a camera shows only what is now, and the referee says so, once."""
    other = tmp_path / "other"
    shutil.copytree(GAME, other, ignore=shutil.ignore_patterns("[0-3].jpg", "*.txt"))
    assert main(["watch", str(video), "--players", "3", "--json"]) == 0
    before = capsys.readouterr().out
    assert main(["--lang", "en", "watch", str(other), "--resume", "--json"]) == 0
    first, *others = lines_of(capsys.readouterr().out)
    assert first["event"] == "notice"
    assert re.fullmatch(r"I did not see what happened between [\d:]{8} and [\d:]{8}\.", first["text"])
    assert not any("I did not see" in str(line) for line in others)
    with GameStore.open() as store:
        said = [entry.content for entry in store.entries(1) if entry.kind is EntryKind.SAID]
    assert said == [*lines_of(before), first, *others]
    assert main(["replay", "1", "--verify"]) == 0


def test_a_game_that_nobody_saw_yet_has_nothing_that_was_not_seen(table):
    show, _seer, _store, session = table
    frame = Frame(np.zeros((90, 160, 3), np.uint8), 0.0, 0)
    session.go_on_after()
    assert session.see(frame) == []
    show(100, 2)
    session.go_on_after(tells=False)
    assert session.see(frame) == []
    session.go_on_after()
    assert [said.remark for said in session.see(frame)] == [Remark.OUTSIDE]
    assert session.see(frame) == []


def test_a_game_without_a_picture_is_not_the_one_to_go_on_with(video, capsys):
    """A camera that was not there leaves an empty game behind."""
    assert main(["watch", str(video), "--players", "3"]) == 0
    with GameStore.open() as store:
        store.start_game(GameSettings(Setup(2), source="0"))
    capsys.readouterr()
    assert main(["watch", str(video), "--resume"]) == 0
    assert capsys.readouterr().err.startswith(FOLLOWED)


def test_ctrl_c_ends_cleanly(tmp_path):
    """A camera that is not there is waited for, and no game is stored; Ctrl-C gives 130, no traceback."""
    command = [sys.executable, "-m", "ui", "--lang", "en", "watch", "http://127.0.0.1:1/video", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        (notice,) = lines_of(process.stdout.readline())
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (notice["event"], notice["layout"]) == ("notice", "-")
    assert out == ""
    assert err == "No picture came, so no game was stored.\n"
    with GameStore.open() as store:
        assert store.games() == []


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["none.mp4"], 1, "'none.mp4' was not found. Name a camera"),
        (["none.mp4", "--players", "7"], 2, "2 to 6"),
        (["none.mp4", "--rules", "gravity=off"], 2, "There is no rule 'gravity'"),
        (["none.mp4", "--tiles", "nobody"], 2, "nobody"),
        (["none.mp4", "--resume"], 1, "There is no unfinished game to continue"),
        (["none.mp4", "--variant", "chess"], 2, "chess"),
    ],
)
def test_what_cannot_be_followed_is_refused_with_a_sentence(arguments, status, sentence, capsys):
    assert main(["--lang", "en", "watch", *arguments]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    with GameStore.open() as store:
        assert store.games() == []


def test_a_file_that_cannot_be_written_is_said_before_a_game_begins(video, tmp_path, capsys):
    assert main(["--lang", "en", "watch", str(video), "--save", str(tmp_path / "none" / "said.jsonl")]) == 1
    assert "cannot be written" in capsys.readouterr().err
    with GameStore.open() as store:
        assert store.games() == []


class Seer:
    """A reader that sees what it is told to."""

    def __init__(self) -> None:
        self.reading = Reading((), None)  # type: ignore[arg-type]  # nobody asks for the layout
        self.count = 0

    def read(self, _image_bgr: np.ndarray) -> Reading:
        self.count += 1
        return self.reading

    def tiles(self, _image_bgr: np.ndarray) -> list:
        return []

    def name(self, _image_bgr: np.ndarray, quads_px: list[np.ndarray]) -> list[DetectedTile]:
        return [DetectedTile("Y1", tile("Y1", 0).quad_px, 0.2, True, 0.1, 1.0) for _ in quads_px]


def tile(code: str, slot: int, **how: object) -> TileReading:
    left = 100.0 + 40 * slot
    quad = ((left, 100.0), (left + 40, 100.0), (left + 40, 140.0), (left, 140.0))
    return TileReading(code, 0, slot, quad, **{"confidence": 0.99, "unsure": False, **how})  # type: ignore[arg-type]


@pytest.fixture
def table(tmp_path):
    """A game of three players that is watched; returns what shows it frames, its reader and its store."""
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        seer = Seer()
        session = GameSession.begin(store, GameSettings(Setup(3)), seer)  # type: ignore[arg-type]
        number = 0

        def show(look: int, seconds: float, *tiles: TileReading) -> list[dict]:
            nonlocal number
            seer.reading = Reading(tiles, None)  # type: ignore[arg-type]
            said = []
            rng = np.random.default_rng(look)
            squares = rng.integers(0, 255, (45, 80, 3)).astype(np.uint8)
            image = cv2.resize(squares, (320, 180), interpolation=cv2.INTER_NEAREST)
            image = np.roll(image, tuple(rng.integers(0, 20, 2)), (0, 1))  # edges are elsewhere in each look
            for _ in range(round(seconds * FPS)):
                said += session.see(Frame(image, number / FPS, number))
                number += 1
            return said

        yield show, seer, store, session


def test_a_left_over_tile_is_looked_for_among_things_once_people_say_that_it_lies_there(tmp_path):
    """Before they say so the reader's certain tile that lies alone may be the corner of a playing card."""
    lone = tile("R40", 0)
    certain = DetectedTile("R40", lone.quad_px, 0.999, False, 1.0, 1.0)
    seer = Seer()
    seer.tiles = lambda _image_bgr: [certain]  # type: ignore[method-assign]
    seer.reading = replace(seer.reading, elsewhere=(lone.quad_px,))
    image = np.full((360, 640, 3), 90, np.uint8)
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(Setup(2)), seer)  # type: ignore[arg-type]
        said = [each for number in range(40) for each in session.see(Frame(image, number / FPS, number))]
        assert ([type(each) for each in said], session.follower.has_begun) == ([Asked], False)
        session.hear(Answered(session.last_s + 0.1, Reply.MENDED))
        for number in range(40, 140):
            session.see(Frame(image, number / FPS, number))
        assert (session.follower.has_begun, str(session.follower.game.layout)) == (True, "R40")


def test_a_note_of_which_people_say_that_it_is_no_tile_is_not_seen_again(tmp_path):
    """What is asked next is which tiles were left over."""
    note = tile("B120", 0, confidence=0.95)
    seer = Seer()
    seer.tiles = lambda _image_bgr: [DetectedTile("B120", note.quad_px, 0.95, False, 1.0, 1.0)]  # type: ignore[method-assign]
    seer.reading = replace(seer.reading, tiles=(note,))
    image = np.full((180, 320, 3), 90, np.uint8)
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(Setup(2)), seer)  # type: ignore[arg-type]
        said = [each for number in range(40) for each in session.see(Frame(image, number / FPS, number))]
        said += session.hear(Answered(session.last_s + 0.1, Reply.NO_TILE))
        for number in range(40, 140):
            said += session.see(Frame(image, number / FPS, number))
        asked = [each.question.kind for each in said if isinstance(each, Asked)]
        assert (asked, len(said)) == ([QuestionKind.WHICH_TILE, QuestionKind.LEFT_OVER], 2)


def test_a_thing_that_lay_there_before_the_game_is_asked_about_and_not_seen_again(tmp_path):
    """With 3 players no tile is left over; the table is then looked at without the thing."""
    card, first = tile("R7", 0), tile("R40", 3)
    seer = Seer()
    seer.read = lambda image: Reading(  # type: ignore[method-assign]
        tuple(each for each in (card, first) if image[120, int(each.quad_px[0][0]) + 20, 0] > 200),
        None,  # type: ignore[arg-type]
    )
    image = np.full((180, 320, 3), 90, np.uint8)
    image[100:140, 100:140] = 255
    with GameStore.open(tmp_path / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(Setup(3)), seer)  # type: ignore[arg-type]
        said = [each for number in range(20) for each in session.see(Frame(image, number / FPS, number))]
        assert [type(each) for each in said] == [Asked]
        said = session.hear(Answered(session.last_s + 0.1, Reply.NO_TILE))
        for number in range(20, 60):
            said += session.see(Frame(image, number / FPS, number))
        image = image.copy()
        image[100:140, 220:260] = 255
        for number in range(60, 80):
            said += session.see(Frame(image, number / FPS, number))
        assert [type(each) for each in said] == [TilePlaced]


TINT = (0.0, 3.0, -1.0, -2.0)


def test_the_colours_of_tiles_that_are_certain_are_remembered_until_something_is_taken_back(table):
    show, seer, _store, session = table
    show(100, 20)
    assert seer.known.colours.known() == []
    show(130, 20, tile("R40", 0, tint=TINT))
    assert seer.known.colours.known() == [("R", TINT)]
    session.take_back([each.number for each in session.heard][-1:])
    assert seer.known.colours.known() == []


def test_tiles_that_are_not_certain_are_not_remembered(table):
    show, seer, _store, _session = table
    doubt = {"confidence": 0.6, "unsure": True, "alternatives": (("R10", 0.3),)}
    show(100, 20)
    show(130, 20, tile("R40", 0, tint=TINT, **doubt))
    show(130, 20, tile("R40", 0, tint=TINT, **doubt))
    assert seer.known.colours.known() == []


def test_groups_without_a_name_are_told_as_far_as_their_tiles_are_in_doubt():
    unsure = [tile(code, slot, unsure=True) for slot, code in enumerate(["R40", "R20", "R10"])]
    group = ColourGroup(("R40", "R20", "R10", "R2"), (("R", 0.6), ("Y", 0.4)))
    reading = Reading((*unsure, tile("B20", 3)), None, unnamed=(group,))  # type: ignore[arg-type]
    (told,) = as_settled(reading, 0.0, hidden=False).groups
    assert told.places == ((0, 0), (0, 1), (0, 2))
    assert told.colours == ((Colour.RED, 0.6), (Colour.YELLOW, 0.4))
    alone = replace(reading, tiles=(unsure[0], tile("R20", 1), tile("R10", 2)))
    assert as_settled(alone, 0.0, hidden=False).groups == ()


def test_a_clear_table_is_read_once_and_a_doubtful_one_again(table):
    show, seer, store, session = table
    assert show(100, 20) == []
    assert seer.count == 1
    doubt = tile("R40", 0, confidence=0.6, unsure=True, alternatives=(("R10", 0.3),))
    assert [type(said) for said in show(130, 20, doubt)] == [Asked]
    assert 4 <= seer.count <= 6  # at 0, 1, 3, 7 and 15 seconds
    assert [type(said) for said in show(130, 20, doubt)] == [Remarked]  # set aside after half a minute
    settled = [entry for entry in store.entries(session.game) if entry.kind is EntryKind.SETTLED]
    assert [bool(entry.content["tiles"]) for entry in settled] == [False, True, True]
    assert settled[1].content["tiles"][0]["codes"] == [["R40", 0.6], ["R10", 0.3]]


def test_a_table_that_was_wrong_when_the_game_was_killed_is_not_taken_for_a_covered_one(table):
    """A tile that somebody took off is in the game still; going on, nothing lies over its place."""
    show, seer, store, session = table
    show(100, 2)
    show(110, 2, tile("R40", 0))
    show(120, 2, tile("R40", 0), tile("B20", 1))
    assert show(130, 2, tile("R40", 0))
    assert str(session.follower.game.layout) == "R40 B20"
    again = GameSession(store, session.game, seer)
    image = np.zeros((180, 320, 3), np.uint8)
    for number in range(2 * FPS):
        again.see(Frame(image, again.clear_s + number / FPS, number))
    assert again.reading is not None
    assert not again.is_covered


def test_a_covered_tile_and_a_notice(table):
    show, _seer, _store, session = table
    assert show(100, 2, tile("R40", 0, covered=True, unsure=True)) == []
    (line,) = session.see(Lost("Source {name}: gone.", {"name": "0"}, 0.5))
    assert (type(line), line.text) == (Remarked, "Source 0: gone.")
    assert line.time_s >= 0.4  # never before what was said last
