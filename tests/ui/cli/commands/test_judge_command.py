"""`pyramid-referee judge` as a process: streaming, errors, exit status."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from referee.formats.judge_json import MAX_LINE_BYTES, answer_request
from tests.places import ROOT
from ui.cli.commands.judge import answer_stream, read_lines

COMMAND = [sys.executable, "-m", "ui", "--lang", "en", "judge"]


def judge(text, *arguments):
    data = text if isinstance(text, bytes) else text.encode()
    return subprocess.run(
        [*COMMAND, *arguments], input=data, capture_output=True, cwd=ROOT, timeout=60, check=False
    )


def answers(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_requests_are_answered_in_order():
    done = judge('{"layout": "R40"}\n{"layout": "R40 B20"}\n')
    assert [answer["layout"] for answer in answers(done)] == ["R40", "R40 B20"]
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_bad_line_is_answered_in_its_place_and_the_rest_is_done():
    done = judge('{"layout": "R40"}\n\nx\n  \r\n{"layout": "R41"}\r\n{"layout": "B20"}')
    first, second, third, last = answers(done)
    assert (first["layout"], last["layout"]) == ("R40", "B20")
    assert (second["line"], third["line"]) == (3, 5)
    assert third["error"].startswith("There is no tile 'R41'")
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_file_is_read_instead(tmp_path):
    path = tmp_path / "requests.jsonl"
    path.write_text('{"layout": "R40"}\n')
    assert answers(judge("", str(path)))[0]["layout"] == "R40"


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, name):
    done = judge("", str(tmp_path / name))
    assert (done.returncode, done.stdout) == (1, b"")
    assert len(done.stderr.splitlines()) == 1
    assert b"Traceback" not in done.stderr


def test_nothing_asked_nothing_answered():
    done = judge("")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    "line",
    [b"\xff\xfe", b"\x00", b"[" * 200_000, b'{"layout": "\\ud800"}', b'{"layout": ' + b"1" * 9000 + b"}",
     b'{"layout": "' + b"- " * 300_000 + b'-"}', b'"' + b"x" * (3 * MAX_LINE_BYTES)],
    ids=["no UTF-8", "null byte", "nested", "surrogate", "digits", "wide", "too long"],
)  # fmt: skip
def test_monstrous_lines_are_refused_and_the_stream_goes_on(line):
    done = judge(line + b'\n{"layout": "R40"}\n')
    first, second = answers(done)
    assert first["line"] == 1
    assert len(first["error"]) < 1000
    assert second["layout"] == "R40"
    assert (done.returncode, done.stderr) == (1, b"")


def test_each_answer_is_written_as_soon_as_its_request_was_read():
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        for layout in ("R40", "R40 B20"):
            process.stdin.write(json.dumps({"layout": layout}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["layout"] == layout
        process.stdin.close()
        assert process.wait(30) == 0


def test_the_cube_game():
    done = judge('{"moves": []}\n{"moves": [{"at": [0, 0, 0], "colour": "light"}]}\n', "--game", "cube")
    first, second = answers(done)
    assert first["turn"] == "light"
    assert second == {
        "error": "Move 1: (0, 0, 0) is no free space: not all three cubes below it are there.",
        "line": 2,
    }
    assert done.returncode == 1


def test_errors_are_worded_in_the_language_asked_for():
    french = [sys.executable, "-m", "ui", "--lang", "fr", "judge"]
    done = subprocess.run(french, input=b"{}\n", capture_output=True, cwd=ROOT, timeout=60, check=False)
    assert answers(done)[0]["error"] == "La requête ne contient pas de disposition (layout)."


def test_a_game_that_does_not_exist_is_wrong_usage():
    done = judge("", "--game", "chess")
    assert done.returncode == 2


def test_a_long_line_is_never_kept_whole():
    stream = io.BytesIO(b"x" * (5 * MAX_LINE_BYTES) + b"\nshort\n")
    first, second = read_lines(stream)
    assert len(first) <= MAX_LINE_BYTES + 2
    assert second == b"short\n"


def test_a_line_of_the_longest_length_is_answered():
    text = b'{"layout": "R40"}'
    line = text + b" " * (MAX_LINE_BYTES - len(text))
    out = io.BytesIO()
    assert answer_stream(io.BytesIO(line + b"\n" + text), out, answer_request) == 0
    assert len(out.getvalue().splitlines()) == 2


def test_memory_stays_flat_over_many_lines():
    """Python's own count of memory blocks after 20,000 answers is that after 2,000."""
    line = b'{"layout": "R40 B20", "place": {"tile": "B7", "row": 1, "slot": 0}}\n'

    def blocks(count):
        with open(os.devnull, "wb") as nowhere:
            answer_stream(io.BytesIO(line * count), nowhere, answer_request)
        return sys.getallocatedblocks()

    blocks(2_000)
    before = blocks(2_000)
    assert blocks(20_000) - before < 500
