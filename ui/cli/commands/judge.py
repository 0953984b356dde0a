"""`pyramid-referee judge`: the rules alone, JSON lines in and out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from referee.cube import game as cube
from referee.errors import RefereeError
from referee.formats import judge_json as judge
from ui.cli.streams import shown
from ui.errors import ToldError
from ui.text.catalogue import _, mark
from ui.text.errors import NO_INPUT, error_sentence
from vision.files import open_input

HELP = mark("judge layouts by the rules: reads one JSON request per line, writes one JSON answer per line")

Answering = Callable[[Mapping[str, object]], Mapping[str, object]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `judge`."""
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help=_("a file of requests (default: standard input)")
    )
    parser.add_argument(
        "--game",
        choices=("pyramids", "cube"),
        default="pyramids",
        help=_("the game whose rules are used (default: pyramids)"),
    )
    parser.add_argument(
        "--json", action="store_true", help=_("has no effect here: the answers are always JSON")
    )


def run(args: argparse.Namespace) -> int:
    """Return 0 when every request was answered, 1 when some were bad."""
    answering = cube.answer_request if args.game == "cube" else judge.answer_request
    if args.file is None and sys.stdin is None:
        raise ToldError(NO_INPUT)
    if args.file is None:
        return answer_stream(sys.stdin.buffer, sys.stdout.buffer, answering)
    with open_input(args.file) as requests:
        return answer_stream(requests, sys.stdout.buffer, answering)


def answer_stream(requests: BinaryIO, answers: BinaryIO, answering: Answering) -> int:
    """Answer each line as soon as it was read; return 1 if any request was bad, else 0.

    Args:
        requests: JSON lines; blank ones count but get no answer.
        answers: Written and flushed line by line.
        answering: What turns a request into its answer.
    """
    status = 0
    write, flush = answers.write, answers.flush
    encode, read_request = judge.encode, judge.read_request
    for number, line in enumerate(read_lines(requests), 1):
        if not line.strip():
            continue
        try:
            answer = answering(read_request(line))
        except RefereeError as error:
            status = 1
            answer = judge.error_to_dict(error_sentence(error), number)
        write(shown(encode(answer)).encode() + b"\n")
        flush()
    return status


def read_lines(requests: BinaryIO) -> Iterator[bytes]:
    """Yield the lines; one that is too long is cut just past the bound, and its rest is never kept."""
    limit = judge.MAX_LINE_BYTES + 2
    while line := requests.readline(limit):
        rest = line
        while len(rest) == limit and not rest.endswith(b"\n"):
            rest = requests.readline(limit)
        yield line
