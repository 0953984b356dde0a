"""`pyramid-referee replay`: the list, the sentences, files that come and go, the strip."""

from __future__ import annotations

import base64
import json
import sqlite3
import subprocess
import sys
import zlib

import cv2
import numpy as np
import pytest
from PySide6.QtGui import QImage

from referee.errors import RecordError
from referee.formats.input_json import input_from_dict, input_to_dict
from referee.rules.game import Setup, Voice
from referee.tracking.announcements import MayhemFound
from tests.ui.recorded_games import SETTINGS, TABLES, picture, recorded_file, settled
from ui.artwork import game_strip as turn_strip
from ui.artwork.game_strip import StripTurn, strip_pdf, strip_png
from ui.cli.main import main
from ui.platform.qimages import to_bgr
from ui.services.recorded_turns import turns_of
from ui.services.replay import follow_again
from ui.storage import game_export as game_file
from ui.storage.game_entries import EntryKind
from ui.storage.game_export import MAX_LINE_BYTES, export_game, import_game
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.storage.stored_pictures import pack_picture
from ui.text.announcements import recorded_sentences
from ui.text.sentences import choose_language


@pytest.fixture(autouse=True)
def english():
    choose_language("en")
    yield
    choose_language("en")


@pytest.fixture(autouse=True)
def drawing(application):
    """Drawing strips must not leave an application behind in which no window can be opened."""


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """Gives the test a store of its own, and returns its folder."""
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def lay_down(data, content):
    """Put a data base where the store looks for it."""
    data.mkdir()
    (data / "games.sqlite3").write_bytes(content)


@pytest.fixture
def game(data):
    """The number of a recorded game."""
    lay_down(data, recorded_file())
    return 1


@pytest.fixture
def run(capsys):
    """Runs the command in this process; returns exit status, standard output and standard error."""

    def run(*arguments):
        status = main(["--lang", "en", "replay", *map(str, arguments)])
        return status, *capsys.readouterr()

    return run


def test_without_games_it_says_how_to_get_one(run):
    status, out, err = run()
    assert (status, err) == (0, "")
    assert out == "No game has been recorded yet. Follow one with: pyramid-referee watch SOURCE\n"
    assert run("--json") == (0, "", "")


def test_the_list(run, game):
    with GameStore.open() as store:
        going_on = store.start_game(SETTINGS)
        store.append(going_on, [(EntryKind.SAID, {"turn": 12})])
        store.finish(store.start_game(SETTINGS))
    status, out, err = run()
    assert (status, err) == (0, "")
    last, middle, first = out.splitlines()
    assert first.startswith("Game 1: 20")
    assert first.endswith(", players: Ann, Béa, Kōji 🔥, turns: 5, won by Béa (evening.mp4)")
    assert middle.endswith(", turns: 12, not finished (evening.mp4)")
    assert last.endswith(", turns: 0, finished (evening.mp4)")


def test_names_and_sources_give_no_commands_to_a_terminal(run):
    with GameStore.open() as store:
        game = store.start_game(GameSettings(Setup(), "\x1b[31m.mp4", ("\x07Ann", "Ben\n")))
        store.append(game, [(EntryKind.SAID, {"event": "end", "turn": 1, "player": 0, "winner": 1})])
    assert "players:  Ann, Ben , turns: 1, won by Ben  ( [31m.mp4)" in run()[1]
    assert run(game)[1].splitlines()[2:] == ["Turn 1,  Ann", "  The game is over. The winner: Ben ."]


def test_the_list_as_json(run, game):
    status, out, err = run("--json")
    (found,) = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert found.pop("started") <= found.pop("finished")
    assert found == {"game": 1, "players": 3, "names": list(SETTINGS.names), "turns": 5, "winner": 1,
                     "source": "evening.mp4"}  # fmt: skip


def test_a_game_turn_by_turn(run, game):
    status, out, err = run(game)
    assert (status, err) == (0, "")
    title, *lines = out.splitlines()
    assert title.startswith("Game 1: ")
    assert lines == [
        "",
        "Turn 1, Ann",
        "  Placed: red 40.",
        "",
        "Turn 2, Béa",
        "  Placed: blue 20.",
        "",
        "Turn 3, Kōji 🔥",
        "  Placed: yellow 100.",
        "  1. Collapse: yellow 100 matches neither red 40 nor blue 20, and is heavier than the two together. "
        "Put red 40 and blue 20 under the pile of Kōji 🔥, then slide yellow 100 down, left or right.",
        "  Done: collapse of yellow 100; red 40 and blue 20 came off.",
        "  Done: yellow 100 fell to the left.",
        "",
        "Turn 4, Ann",
        "  Placed: yellow 2.",
        "",
        "Turn 5, Béa",
        "  Placed: yellow 4.",
        "  The game is over. The winner: Béa.",
    ]


def test_a_game_in_french(capsys, game):
    assert main(["--lang", "fr", "replay", str(game)]) == 0
    out = capsys.readouterr().out
    assert "Tour 3, Kōji 🔥\n  Tuile posée : jaune 100.\n  1. Effondrement : jaune 100 " in out
    assert "  Fait : chute de jaune 100 à gauche.\n" in out


def test_a_game_as_json_is_what_watch_printed(run, game):
    status, out, _ = run(game, "--json")
    said = [json.loads(line) for line in out.splitlines()]
    with GameStore.open() as store:
        assert said == [entry.content for entry in store.entries(game) if entry.kind is EntryKind.SAID]
    assert status == 0
    assert [line["event"] for line in said] == ["placed"] * 3 + ["verdict", "step", "step"] + [
        "placed"
    ] * 2 + ["end"]


def event(kind, **more):
    return {"event": "step", "step": {"event": kind, "layout": "-", **more}}


SAID = [
    (event("air", tile="R4", chooser=0), ["Done: red 4 was in free air."]),
    (event("fall", tile="R4", direction="right", chooser=0), ["Done: red 4 fell to the right."]),
    (event("explosion", tiles=["Y1", "G1"], taken=[], payer=0),
     ["Done: explosion of yellow coal 1 and green coal 1."]),
    (event("fire", tile="R7", taken=["R40"], payer=0, leaves=False),
     ["Done: fire of red blowtorch 7; red 40 came off."]),
    (event("fire", tile="R7", taken=[], payer=0, leaves=False),
     ["Done: fire of red blowtorch 7; nothing burned."]),
    (event("curse", tiles=["R40", "B40", "G40"], taken=["R40", "B40", "G40"], payer=1),
     ["Done: curse of red 40, blue 40 and green 40."]),
    (event("die", roll=4), ["Done: the fire die shows 4."]),
    ({"event": "verdict", "verdict": [], "needs": {"choice": "die"}}, ["1. Roll the fire die."]),
    ({"event": "verdict", "verdict": [{"event": "air", "tile": "R4", "chooser": 1}],
      "needs": {"choice": "fall", "tile": "R4", "chooser": 1}},
     ["1. Free air: red 4 rests on nothing. Slide red 4 down, left or right."]),
    ({"event": "missed", "since": 4, "needs": None, "payer": 1,
      "verdict": [{"event": "curse", "tiles": ["R40", "B40", "G40"], "taken": ["R40"], "payer": 1}]},
     ["Missed since turn 4:", "1. Curse: red 40, blue 40 and green 40 have the same weight. Put red 40 under "
      "the pile of player 2."]),
    ({"event": "wrong-step", "right": ["R40"], "text": "Blue 20 was taken as well."},
     ["Blue 20 was taken as well."]),
    ({"event": "fixed"}, ["The step that was done wrongly was put right."]),
    ({"event": "question", "tiles": [], "text": "Is this red 40?"}, ["Is this red 40?"]),
    ({"event": "notice", "text": "The camera is gone."}, ["The camera is gone."]),
    ({"event": "end", "winner": None}, ["The game is over."]),
    ({"event": "end", "winner": 2}, ["The game is over. The winner: player 3."]),
    ({"event": "song", "text": "La la."}, ["La la."]),
    ({"event": "notice", "text": "\x1b[2J\x9bgone\r\n"}, [" [2J gone  "]),
]  # fmt: skip


@pytest.mark.parametrize(("said", "sentences"), SAID, ids=[words[0][:30] for _, words in SAID])
def test_all_that_can_be_said(said, sentences):
    assert recorded_sentences(said, 3) == sentences


@pytest.mark.parametrize(
    "said",
    [{}, {"event": "song"}, {"event": "placed", "tile": "R41"}, event("song"), {"event": "step", "step": 3},
     event("fall", tile="R4", direction="up"), {"event": "verdict", "verdict": 7},
     event("collapse", tile="R4", reasons=["mood"], taken=["R40"], payer=0),
     {"event": "verdict", "verdict": [], "needs": {}}, {"event": "missed", "since": "x", "verdict": []},
     {"event": "verdict", "needs": None,
      "verdict": [{"event": "collapse", "tile": "R4", "reasons": [], "taken": [], "payer": 0}]}],
    ids=str,
)  # fmt: skip
def test_what_is_not_understood_is_told_as_such(said):
    assert recorded_sentences(said, 3) == ["Something was said here that this version does not understand."]


def test_a_turn_has_its_first_picture_and_one_taken_up_again_is_there_twice(data):
    with GameStore.open() as store:
        game = store.start_game(SETTINGS)
        for turn, jpeg in ((1, None), (1, b"a"), (1, b"b"), (2, b"c"), (1, None)):
            store.append(
                game, [(EntryKind.SETTLED, {}), (EntryKind.SAID, {"turn": turn, "player": turn - 1})], jpeg
            )
        store.append(game, [(EntryKind.NOTICE, {}), (EntryKind.SAID, {"event": "notice"})])
        turns = turns_of(store.entries(game))
    assert [(turn.number, turn.player, turn.picture, len(turn.said)) for turn in turns] == [
        (1, 0, 3, 3),
        (2, 1, 7, 1),
        (1, 0, None, 2),
    ]


@pytest.mark.parametrize("with_pictures", [False, True])
def test_an_exported_game_comes_back_as_it_was_and_as_one_more(run, game, tmp_path, with_pictures):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    options = ["--with-pictures"] if with_pictures else []
    assert run(game, "--export", first, *options) == (0, f"Written: {first}\n", "")
    assert run("--import", first) == (0, "Stored as game 2.\n", "")
    assert run(2, "--export", second, *options)[0] == 0
    assert second.read_bytes() == first.read_bytes()
    assert (b"picture" in first.read_bytes()) == with_pictures
    with GameStore.open() as store:
        assert store.check(1) == store.check(2) == len(store.entries(1))
        assert list(store.pictures(2)) == (list(store.pictures(1)) if with_pictures else [])
        assert [found.id for found in store.games()] == [2, 1]


@pytest.fixture
def exported(game, tmp_path):
    """A recorded game, and its lines when it is exported with pictures."""
    with GameStore.open() as store:
        export_game(store, game, tmp_path / "game.jsonl", with_pictures=True)
    return (tmp_path / "game.jsonl").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("cut", "kept", "words"),
    [
        (lambda lines: [*lines[:7], lines[7][:-20]], 6, "Line 8 is cut off or no JSON."),
        (lambda lines: lines[:7], 6, "The file ends after 6 of 16 entries."),
        (lambda lines: lines[:1], 0, "The file ends after 0 of 16 entries."),
        (lambda lines: lines[:4] + lines[5:], 3, "Line 5 was changed, or one before it is missing."),
        (lambda lines: [*lines[:2], lines[2].replace(b"R40", b"R10"), *lines[3:]], 1, "Line 3 was changed"),
        (lambda lines: [*lines[:2], b"\xff\x00" * 900, *lines[3:]], 1, "Line 3 is cut off or no JSON."),
        (lambda lines: [*lines[:2], b"x" * (2 * MAX_LINE_BYTES), *lines[3:]], 1, "Line 3 is cut off or"),
        (lambda lines: [*lines[:2], b"\n", *lines[2:]], 1, "Line 3 is cut off or no JSON."),
    ],
    ids=["in a line", "after a line", "after the first line", "line lost", "line changed", "no text",
         "too long", "blank line"],
)  # fmt: skip
def test_a_broken_file_is_taken_up_to_its_last_sound_line(run, exported, tmp_path, cut, kept, words):
    path = tmp_path / "broken.jsonl"
    path.write_bytes(b"".join(cut(exported)))
    status, out, err = run("--import", path)
    assert (status, out) == (1, "Stored as game 2.\n")
    assert err.startswith(f"Only what comes before was taken in: {words}")
    with GameStore.open() as store:
        assert store.check(2) == kept
        assert store.entries(2) == store.entries(1)[:kept]


def sealed(objects):
    """Yield objects as the lines of a file; \ud800 stands for half a letter, which only JSON can write."""
    check = 0
    for found in objects:
        text = json.dumps(found, ensure_ascii=False)
        check = zlib.crc32(text.encode(errors="surrogatepass"), check)
        sealed = f'{text[:-1]}, "check": "{check:08x}"}}\n'.replace("\ud800", "\\ud800")
        yield sealed.encode()


def unsealed(lines):
    return [{key: value for key, value in json.loads(line).items() if key != "check"} for line in lines]


@pytest.mark.parametrize(
    "change",
    [{"number": 3}, {"number": None}, {"time": "yesterday"}, {"time": "2026-11-22T20:15"}, {"time": 3},
     {"time": f"2026-11-22T20:15:00.{'0' * 30}+00:00"}, {"kind": "sung"}, {"content": []}, {"content": None},
     {"content": {"x": float("inf")}}, {"content": {"x": "\ud800"}}, {"content": {"x": "x" * 300_000}},
     {"picture": 3}, {"picture": "not base64!"}, {"picture": base64.b64encode(b"no JPEG").decode()},
     {"picture": base64.b64encode(b"\xff\xd8\xff\xe0" * 90).decode()},
     {"picture": base64.b64encode(picture(1) + bytes(310_000)).decode()}],
    ids=lambda change: str(change)[:40],
)  # fmt: skip
def test_an_entry_that_is_not_allowed_ends_the_import(run, exported, tmp_path, change):
    objects = unsealed(exported)
    objects[2] = objects[2] | change
    path = tmp_path / "changed.jsonl"
    path.write_bytes(b"".join(sealed(objects)))
    status, out, err = run("--import", path)
    assert (status, out) == (1, "Stored as game 2.\n")
    assert "Line 3 lacks something, or has it wrong." in err
    with GameStore.open() as store:
        assert store.check(2) == 1


def test_a_picture_that_is_larger_than_any_stored_one_is_refused(run, exported, tmp_path):
    large = cv2.imencode(".jpg", np.zeros((100, 1281, 3), np.uint8))[1].tobytes()
    objects = unsealed(exported)
    objects[2] = objects[2] | {"picture": base64.b64encode(large).decode()}
    path = tmp_path / "large.jsonl"
    path.write_bytes(b"".join(sealed(objects)))
    assert "Line 3 lacks something" in run("--import", path)[2]


@pytest.mark.parametrize(
    "change",
    [{"record": "pyramid-referee game"}, {"version": 2}, {"settings": {}}, {"started": "now"},
     {"finished": "later"}, {"entries": "all"}],
    ids=str,
)  # fmt: skip
def test_a_first_line_of_another_kind_stores_nothing(run, exported, tmp_path, change):
    objects = unsealed(exported)
    path = tmp_path / "other.jsonl"
    path.write_bytes(b"".join(sealed([objects[0] | change, *objects[1:]])))
    status, out, err = run("--import", path)
    assert (status, out) == (1, "")
    assert len(err.splitlines()) == 1
    with GameStore.open() as store:
        assert len(store.games()) == 1


@pytest.mark.parametrize("content", [b"", b"\n", b"{}", b"[" * 100_000, bytes(5000)], ids=range(5))
def test_what_is_no_recorded_game_stores_nothing(run, tmp_path, content):
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    status, out, err = run("--import", path)
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    with GameStore.open() as store:
        assert store.games() == []


def test_a_game_of_too_many_entries_is_taken_up_to_the_bound(exported, tmp_path, monkeypatch):
    monkeypatch.setattr(game_file, "MAX_ENTRIES", 4)
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"".join(exported))
    with GameStore.open() as store:
        game, problem = import_game(store, path)
        assert isinstance(problem, RecordError)
        assert store.check(game) == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--verify",), "Say which game"),
        (("--export", "x.jsonl"), "Say which game"),
        (("--strip", "x.pdf"), "Say which game"),
        (("1", "--import", "x.jsonl"), "leave the number out"),
        (("1", "--with-pictures"), "--with-pictures goes with --export."),
        (("1", "--strip", "x.gif"), "ends in .pdf or .png"),
        (("1", "--verify", "--strip", "x.pdf"), "not allowed with argument"),
        (("first",), "invalid int value"),
    ],
    ids=" ".join,
)
def test_arguments_that_do_not_go_together_are_wrong_usage(run, data, arguments, words):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert not data.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("9",), "There is no game 9."),
        (("9", "--json"), "There is no game 9."),
        (("9", "--verify"), "There is no game 9."),
        (("9", "--export", "x.jsonl"), "There is no game 9."),
        (("9", "--strip", "x.pdf"), "There is no game 9."),
        (("--import", "missing.jsonl"), "'missing.jsonl' cannot be opened: No such file"),
        (("1", "--export", "missing/x.jsonl"), "'missing/x.jsonl' cannot be written: No such file"),
        (("1", "--strip", "missing/x.png"), "'missing/x.png' cannot be written: No such file"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_one_sentence(run, game, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*arguments)
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert err.startswith(words)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_a_damaged_memory_is_told_on_standard_error(run, data):
    lay_down(data, b"no data base" * 100)
    status, out, err = run()
    assert status == 0
    assert out.startswith("No game has been recorded yet.")
    assert err.startswith("The recorded games in")


def test_as_a_process(game, data):
    line = [sys.executable, "-m", "ui", "--lang", "en", "replay", str(game), "--json"]
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(text)["turn"] for text in done.stdout.splitlines()] == [1, 2, 3, 3, 3, 3, 4, 5, 5]


def pixels(png):
    """Return a PNG as an array, (H, W, 3) uint8, BGR."""
    return to_bgr(QImage.fromData(png, "PNG"))


def test_a_strip_has_the_first_picture_of_each_turn(run, game, tmp_path):
    path = tmp_path / "strip.png"
    assert run(game, "--strip", path) == (0, f"Written: {path}\n", "")
    image = pixels(path.read_bytes())
    assert image.shape == (1754, 1240, 3)
    column = image[:, 100].astype(int)
    green = np.abs(column - (70, 110, 60)).max(axis=1) < 12
    starts = np.flatnonzero(np.diff(green.astype(int)) == 1)
    assert len(starts) == 5
    for number, top in enumerate(starts, 1):
        shown = image[top + 1 : top + 277, 71:566]
        likeness = [np.abs(shown.astype(int) - as_shown(picture(each))).mean() for each in range(1, 7)]
        assert np.argmin(likeness) + 1 == (1, 2, 3, 5, 6)[number - 1]
    beside = image[starts[2] : starts[2] + 270, 600:1150]
    assert (beside.min(axis=2) < 100).mean() > 0.02  # words


def as_shown(jpeg):
    return to_bgr(QImage.fromData(jpeg, "JPEG").scaled(495, 276)).astype(int)


def test_a_strip_without_pictures_shows_the_pyramids(run, data, tmp_path):
    lay_down(data, recorded_file(with_pictures=False))
    path = tmp_path / "strip.png"
    assert run(1, "--strip", path)[0] == 0
    image = pixels(path.read_bytes())
    red = (44, 36, 212)
    rows = np.flatnonzero((np.abs(image[:, 70:566].astype(int) - red).max(axis=2) < 3).any(axis=1))
    assert len(np.flatnonzero(np.diff(rows) > 100)) == 2  # red 40 lies in the first three turns


def test_a_strip_as_pdf(run, game, tmp_path):
    path = tmp_path / "strip.PDF"
    assert run(game, "--strip", path)[0] == 0
    pdf = path.read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(b"/Subtype /Image") == 5
    assert pdf.count(b"/Type /Page\n") == 1


def a_turn(number=1, text="Placed: red 40.", layout="R40", jpeg=None):
    return StripTurn(f"Turn {number}, Ann", (text,), layout, jpeg)


def test_many_turns_go_on_on_further_pages():
    turns = [a_turn(number) for number in range(1, 13)]
    assert strip_pdf("Game 1", turns).count(b"/Type /Page\n") == 3
    image = pixels(strip_png("Game 1", turns))
    assert image.shape == (3 * 1754, 1240, 3)
    red = (np.abs(image[:, 200:450].astype(int) - (44, 36, 212)).max(axis=2) < 3).any(axis=1)
    assert len(np.flatnonzero(np.diff(np.flatnonzero(red)) > 100)) == 11


def test_more_turns_than_a_png_can_hold_are_a_sentence(run, game, tmp_path, monkeypatch):
    monkeypatch.setattr(turn_strip, "MAX_PNG_PAGES", 0)
    status, out, err = run(game, "--strip", tmp_path / "strip.png")
    assert (status, out) == (1, "")
    assert err == "The strip has 1 pages; a PNG can hold 0. Write it as a PDF.\n"


def test_a_game_in_which_nothing_was_said_is_a_title(run):
    with GameStore.open() as store:
        game = store.start_game(SETTINGS)
    assert run(game)[1] == run()[1]
    assert strip_pdf("Game 1", []).count(b"/Type /Page\n") == 1


def test_turns_whose_picture_and_layout_cannot_be_shown_are_told_in_words():
    turns = [a_turn(layout=layout, jpeg=b"\xff\xd8 no picture") for layout in ("-", "no layout", "R41")]
    image = pixels(strip_png("Game 1", turns))
    for top in (135, 441, 747):
        assert (image[top : top + 265, 80:560] == (232, 238, 240)).all()  # an empty card
        assert image[top : top + 265, 600:1150].min() < 100


def test_a_long_text_is_cut_where_the_page_ends():
    words = "Collapse: yellow 100 matches neither red 40 nor blue 20. " * 300
    image = pixels(strip_png("Game 1", [a_turn(), a_turn(2, words), a_turn(3)]))
    assert image.shape == (3 * 1754, 1240, 3)
    page = image[1754 : 2 * 1754, 600:1150]
    inked = np.flatnonzero((page < 100).any(axis=(1, 2)))
    assert 1200 < inked[-1] < 1754 - 60


def test_a_tall_picture_stays_within_its_place():
    tall = np.full((640, 360, 3), (70, 110, 60), np.uint8)
    image = pixels(strip_png("Game 1", [a_turn(jpeg=pack_picture(tall))]))
    green = np.abs(image.astype(int) - (70, 110, 60)).max(axis=2) < 12
    rows, columns = np.flatnonzero(green.any(axis=1)), np.flatnonzero(green.any(axis=0))
    assert np.ptp(columns) / np.ptp(rows) == pytest.approx(360 / 640, rel=0.02)


def test_a_sound_game_is_verified(run, game):
    sentence = "Game 1: all 16 entries are sound, and following it again says the same.\n"
    assert run(game, "--verify") == (0, sentence, "")


def change_and_verify(run, exported, path, change):
    """Take in a file with other, well sealed entries, and verify that game."""
    objects = unsealed(exported)
    changed = [objects[0], *change(objects[1:])]
    for number, entry in enumerate(changed[1:], 1):
        entry["number"] = number
    changed[0]["entries"] = len(changed) - 1
    path.write_bytes(b"".join(sealed(changed)))
    assert run("--import", path)[0] == 0
    return run(2, "--verify")


def test_words_may_be_of_another_language(run, game):
    with GameStore.open() as store:
        entry = store.append(
            game,
            [(EntryKind.NOTICE, {"input": "notice", "time_s": 70.0, "text": "The camera is gone."}),
             (EntryKind.SAID, {"event": "notice", "turn": 5, "player": 1, "layout": "Y100 Y2/Y4",
                               "stocks": [20, 0, 22], "time_s": 70.0, "text": "La caméra a disparu."})],
        )  # fmt: skip
    assert entry == 18
    assert run(game, "--verify")[0] == 0


def test_what_was_said_otherwise_is_found(run, exported, tmp_path):
    def take_another_tile(entries):
        entries[3]["content"]["tile"] = "B40"
        return entries

    status, out, err = change_and_verify(run, exported, tmp_path / "x.jsonl", take_another_tile)
    assert (status, err) == (1, "")
    said, then, now = out.splitlines()
    assert said == "Game 2: what was said differs from its sentence 2 on."
    assert (json.loads(then)["tile"], json.loads(now)["tile"]) == ("B40", "B20")


def test_what_was_never_said_or_is_missing_is_found(run, exported, tmp_path):
    status, out, _ = change_and_verify(run, exported, tmp_path / "x.jsonl", lambda entries: entries[:-1])
    assert (status, out) == (1, "Game 2: 8 things were said then, 9 now.\n")


def test_an_input_that_is_none_is_a_sentence(run, exported, tmp_path):
    def sing(entries):
        entries[2]["content"]["input"] = "song"
        return entries

    status, out, err = change_and_verify(run, exported, tmp_path / "x.jsonl", sing)
    assert (status, out, err) == (1, "", "'song' is no input of a game that is followed.\n")


def test_a_game_whose_entries_were_changed_is_not_followed_again(run, game, data):
    with sqlite3.connect(data / "games.sqlite3") as db:
        db.execute("UPDATE entry SET content = '{}' WHERE number = 4")
    db.close()
    status, out, err = run(game, "--verify")
    assert (status, out) == (1, "")
    assert err == "Entry 4 of game 1 was changed, or one before it is missing.\n"


@pytest.mark.parametrize("voice", Voice)
def test_a_game_goes_on_where_its_process_ended(voice):
    """After any entry, a fresh follower that hears the inputs again says what the first goes on to say."""
    setup = Setup(players=3, voice=voice)
    inputs = [input_to_dict(settled(table, 10.0 * number)) for number, table in enumerate(TABLES)]
    inputs.insert(3, {"input": "closed"})
    inputs.insert(6, {"input": "check", "time_s": 45.0, "player": None})
    settings = GameSettings(setup)
    _, whole = follow_again(settings, inputs)
    assert any(isinstance(said, MayhemFound) for said in whole)
    for ended in range(len(inputs)):
        follower, said = follow_again(settings, inputs[:ended])
        for found in inputs[ended:]:
            heard = follower.close() if found["input"] == "closed" else follower.hear(input_from_dict(found))
            said += heard
        assert said == whole
