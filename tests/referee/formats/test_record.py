"""Saved games. Rule 5."""

from __future__ import annotations

import json
import os

import pytest

from referee.errors import RecordError, RefereeError
from referee.formats.record import (
    Entry,
    Record,
    Undo,
    load_record,
    read_lines,
    save_lines,
    save_record,
    seal,
    write_lines,
)
from referee.rules.events import Direction
from referee.rules.game import (
    Accept,
    Challenge,
    Choose,
    Correct,
    Place,
    Roll,
    Setup,
    Step,
    Variant,
    Voice,
    start_game,
)
from referee.rules.layout import Layout
from referee.rules.options import FireDie, FireOrder, Options, Overhang
from referee.rules.tiles import TILES
from tests.referee.random_games import play_random_game

SETUP = Setup(
    players=4, variant=Variant.STRATEGY, voice=Voice.SILENT, left_over=(TILES["R60"],),
    options=Options(Overhang.COLOUR_OR_WEIGHT, FireOrder.POSITION, True, FireDie.OLDER),
)  # fmt: skip
ENTRIES = (
    Entry(Place(TILES["R40"], 0, -1), 1.5),
    Entry(Place(TILES["G2"], 1, 0), 4),
    Entry(Undo(), 5.25),
    Entry(Place(TILES["B2"], 1, 0)),
    Entry(Step()),
    Entry(Choose(Direction.LEFT)),
    Entry(Accept()),
    Entry(Correct(Layout.parse("R40 B2"), (11, 12, 11, 9), ()), 60.0),
    Entry(Place(TILES["R7"], 1, 0)),
    Entry(Challenge()),
    Entry(Step()),
    Entry(Roll(6)),
)


def test_a_record_with_every_kind_of_entry_loads_to_the_same_game(tmp_path):
    record = Record(SETUP, ENTRIES)
    path = tmp_path / "game.jsonl"
    save_record(path, record)
    loaded = load_record(path)
    assert loaded.problem is None
    assert loaded.record == record
    assert loaded.game == record.game()
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]


def test_the_lines_can_be_read_by_people():
    lines = [json.loads(line) for line in write_lines(Record(SETUP, ENTRIES))]
    assert lines[0]["record"] == "pyramid-referee game"
    assert lines[0]["rules"] == {
        "overhang": "colour-or-weight", "fire_order": "position", "curse": True, "fire_die": "older"
    }  # fmt: skip
    assert {key: lines[1][key] for key in list(lines[1])[:-1]} == {
        "time_s": 1.5, "do": "place", "tile": "R40", "row": 0, "slot": -1,
        "turn": 1, "player": 0, "layout": "R40 R60", "stocks": [10, 11, 11, 11],
    }  # fmt: skip
    assert [line["do"] for line in lines[1:]] == [
        "place", "place", "undo", "place", "step", "choose", "accept", "correct", "place", "challenge",
        "step", "roll",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_random_games_load_to_the_same_state(seed):
    game = play_random_game(seed)
    record = Record(game.setup, tuple(Entry(action) for action in game.actions))
    loaded = read_lines(write_lines(record))
    assert (loaded.problem, loaded.game) == (None, game)
    assert list(write_lines(loaded.record)) == list(write_lines(record))


LINES = list(write_lines(Record(SETUP, ENTRIES)))


@pytest.mark.parametrize("cut", range(1, len(LINES)))
def test_a_truncated_file_loads_up_to_its_last_whole_line(cut):
    whole = read_lines(LINES[:cut])
    assert (len(whole.record.entries), whole.problem) == (cut - 1, None)
    broken = read_lines([*LINES[:cut], LINES[cut][: len(LINES[cut]) // 2]])
    assert len(broken.record.entries) == cut - 1
    assert str(broken.problem) == f"Line {cut + 1} is cut off or no JSON."


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: [*lines[:2], lines[2].replace("G2", "G4"), *lines[3:]], "Line 3 was changed"),
        (lambda lines: [*lines[:2], *lines[3:]], "Line 3 was changed, or one before it is missing"),
        (lambda lines: [*lines[:2], "[]", *lines[3:]], "Line 3 is no line of a record"),
        (lambda lines: [*lines[:2], "", *lines[2:]], "Line 3 is cut off or no JSON"),
        (lambda lines: [*lines[:2], '{"a": 1}', *lines[2:]], "Line 3 is no line of a record"),
        (lambda lines: [*lines[:2], "[" * 100_000], "Line 3 is cut off or no JSON"),
        (lambda lines: [*lines[:2], '{"a": "\udcff", "check": "0"}'], "Line 3 was changed"),
    ],
)
def test_a_changed_file_loads_up_to_the_change_and_says_so(change, words):
    loaded = read_lines(change(LINES))
    assert len(loaded.record.entries) == 1
    assert words in str(loaded.problem)


def sealed(*objects):
    check, lines = 0, []
    for each in objects:
        line, check = seal(each, check)
        lines.append(line)
    return lines


HEAD = json.loads(LINES[0])
HEAD.pop("check")
SOUND = {"do": "place", "tile": "R40", "row": 0, "slot": -1, "turn": 1, "player": 0,
         "layout": "R40 R60", "stocks": [10, 11, 11, 11]}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"layout": "R4 R60"}, "Line 2 does not follow from the lines before it."),
        ({"stocks": [11, 11, 11, 11]}, "Line 2 does not follow"),
        ({"turn": 2}, "Line 2 does not follow"),
        ({"tile": "R5"}, "Line 2: There is no tile 'R5'"),
        ({"slot": 3}, "Line 2: R40 cannot go to row 0, slot 3"),
        ({"slot": "-1"}, "Line 2 lacks something, or has it wrong."),
        ({"do": "jump"}, "Line 2 lacks something"),
        ({"do": None}, "Line 2 lacks something"),
        ({"time_s": "noon"}, "Line 2 lacks something"),
        ({"do": "choose", "direction": "up"}, "Line 2 lacks something"),
        ({"do": "roll", "roll": True}, "Line 2 lacks something"),
        ({"do": "roll", "roll": 3}, "Line 2: 3 does not answer what is needed, which is nothing."),
        ({"do": "correct", "to": "R60", "its_stocks": 3, "its_out": []}, "Line 2 lacks something"),
    ],
)
def test_a_sealed_line_must_still_fit_the_game(changed, words):
    assert read_lines(sealed(HEAD, SOUND)).problem is None
    loaded = read_lines(sealed(HEAD, {**SOUND, **changed}))
    assert words in str(loaded.problem)
    assert loaded.record.entries == ()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"record": "chess"}, "This is no pyramid-referee game of version 1."),
        ({"version": 2}, "This is no pyramid-referee game of version 1."),
        ({"players": 9}, "Line 1: 2 to 6 can play, not 9."),
        ({"players": "4"}, "Line 1 lacks something"),
        ({"variant": "team"}, "Line 1 lacks something"),
        ({"rules": []}, "Line 1 lacks something"),
        ({"rules": {"speed": 1}}, "Line 1: There is no rule 'speed'"),
        ({"left_over": ["R5"]}, "Line 1: There is no tile 'R5'"),
        ({"left_over": None}, "Line 1 lacks something"),
    ],
)
def test_a_first_line_that_agrees_nothing_sound_is_refused(changed, words):
    with pytest.raises(RecordError) as caught:
        read_lines(sealed({**HEAD, **changed}))
    assert words in str(caught.value)


def test_an_empty_file_is_no_record():
    with pytest.raises(RecordError, match="Line 1 is cut off"):
        read_lines([])


def test_a_failed_save_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    path = tmp_path / "game.jsonl"
    save_record(path, Record(SETUP))
    before = path.read_bytes()
    with pytest.raises(RefereeError):
        save_record(path, Record(SETUP, (Entry(Step()),)))
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["game.jsonl"]


def test_bytes_that_are_no_text_are_a_fault_of_their_line(tmp_path):
    path = tmp_path / "game.jsonl"
    save_lines(path, LINES)
    path.write_bytes(path.read_bytes().replace(b'"B2"', b'"\xff2"', 1))
    loaded = load_record(path)
    assert "Line 5 was changed" in str(loaded.problem)
    assert len(loaded.record.entries) == 3
    assert start_game(SETUP) == read_lines(LINES[:1]).game
