"""The lines of saved games. Rule 5."""

from __future__ import annotations

import json

import pytest

from referee.errors import RecordError
from referee.formats.record import check_head, seal, unseal

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
