"""The lines of saved games. Rule 5."""

from __future__ import annotations

import json
import os

import pytest

from referee.errors import Fault, RecordError
from referee.formats.record import check_head, file_lines, save_lines, seal, unseal

OBJECTS = ({"record": "notes", "version": 1}, {"tile": "R40"}, {"tile": "Y1", "by": "Zoé"})


def sealed(*objects):
    check, lines = 0, []
    for each in objects:
        line, check = seal(each, check)
        lines.append(line)
    return lines


def unsealed(lines):
    check, found = 0, []
    for number, text in enumerate(lines, 1):
        line, check = unseal(text, number, check)
        found.append(line)
    return tuple(found)


LINES = sealed(*OBJECTS)


def test_what_was_sealed_is_unsealed():
    assert unsealed(sealed(*OBJECTS)) == OBJECTS
    assert json.loads(LINES[1]) == {"tile": "R40", "check": LINES[1][-10:-2]}
    assert "Zoé" in LINES[2]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: [lines[0], lines[1][:-3]], "cut-off: number=2"),
        (lambda lines: [lines[0], lines[1].replace("R40", "R60")], "line-changed: number=2"),
        (lambda lines: [lines[0], lines[2]], "line-changed: number=2"),
        (lambda lines: [lines[0], "[]"], "not-a-record-line: number=2"),
        (lambda lines: [lines[0], ""], "cut-off: number=2"),
        (lambda lines: [lines[0], '{"a": 1}'], "not-a-record-line: number=2"),
        (lambda lines: [lines[0], "[" * 100_000], "cut-off: number=2"),
        (lambda lines: [lines[0], '{"a": "\udcff", "check": "0"}'], "line-changed: number=2"),
    ],
)
def test_a_changed_line_is_found(change, words):
    with pytest.raises(RecordError, match=words):
        unsealed(change(LINES))


@pytest.mark.parametrize("changed", [{"record": "chess"}, {"version": 2}, {"record": None}])
def test_the_first_line_says_what_the_file_is(changed):
    check_head(OBJECTS[0], "notes", 1)
    with pytest.raises(RecordError, match=r"^other-format: format='notes', version=1$"):
        check_head({**OBJECTS[0], **changed}, "notes", 1)


def test_a_file_is_written_whole(tmp_path):
    path = tmp_path / "notes.jsonl"
    save_lines(path, LINES)
    assert file_lines(path) == LINES
    assert os.listdir(tmp_path) == ["notes.jsonl"]


def test_a_failed_save_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    def failing():
        yield LINES[0]
        raise RecordError(Fault.CUT_OFF, number=2)

    path = tmp_path / "notes.jsonl"
    save_lines(path, LINES)
    before = path.read_bytes()
    with pytest.raises(RecordError):
        save_lines(path, failing())
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["notes.jsonl"]


def test_bytes_that_are_no_text_are_a_fault_of_their_line(tmp_path):
    path = tmp_path / "notes.jsonl"
    save_lines(path, LINES)
    path.write_bytes(path.read_bytes().replace(b'"Y1"', b'"\xff1"', 1))
    lines = file_lines(path)
    assert unsealed(lines[:2]) == OBJECTS[:2]
    with pytest.raises(RecordError, match="line-changed: number=3"):
        unsealed(lines)
