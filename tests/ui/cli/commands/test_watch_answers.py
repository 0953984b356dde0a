"""Answers that are typed while `watch` follows a game."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from io import StringIO

import pytest
from pytestqt.qtbot import QtBot

from referee.tracking.inputs import Answered, Reply
from referee.tracking.questions import Answer, QuestionKind
from tests.referee.tracking.tables import QUESTIONS, Asking
from ui.cli.commands.watch import _answer
from ui.cli.keyboard import Keyboard
from ui.text.catalogue import choose_language
from ui.text.questions import answers_sentence, read_answer


@pytest.fixture(autouse=True)
def english() -> None:
    choose_language("en")


@pytest.fixture
def terminal() -> Iterator[tuple[int, Keyboard]]:
    """A terminal to type into, and what listens to it."""
    typing, typed = pty.openpty()
    with os.fdopen(typed) as lines:
        yield typing, Keyboard(lines)
        os.write(typing, b"\x04")  # end of input, so that the listening thread ends
    os.close(typing)


def test_what_is_typed_is_heard_without_waiting(terminal: tuple[int, Keyboard], qtbot: QtBot) -> None:
    typing, keyboard = terminal
    assert list(keyboard.lines()) == []
    os.write(typing, b" 1 \n\nr40\n")
    heard: list[str] = []

    def all_heard() -> bool:
        heard.extend(keyboard.lines())
        return heard == ["1", "r40"]

    qtbot.waitUntil(all_heard)


def test_input_that_is_no_terminal_is_left_alone() -> None:
    typed = StringIO("1\n")
    assert list(Keyboard(typed).lines()) == []
    assert typed.read() == "1\n"


@pytest.mark.parametrize(
    ("kind", "listed"),
    [
        (
            QuestionKind.WHICH_TILE,
            "Answers: 1 Blue 20 · 2 Blue 10 · 3 We do not know: go on · 4 No tile lies there; "
            "or a tile's code, such as R40.",
        ),
        (QuestionKind.PUT_BACK, "Answers: 1 The table is correct · 2 We have corrected it"),
        (QuestionKind.WAS_ROLLED, "Answers: 1 Nobody rolled it · 2 6 · 3 We do not know: go on"),
    ],
)
def test_every_answer_is_listed_with_its_number(kind: QuestionKind, listed: str) -> None:
    question = QUESTIONS[kind].follower().question
    assert question is not None
    assert answers_sentence(question) == listed
    for number, answer in enumerate(question.answers, 1):
        assert read_answer(question, str(number)) == answer
    for typed in ("0", str(len(question.answers) + 1), "-1", "R41", "yes", "²"):
        assert read_answer(question, typed) is None


def test_a_tile_is_told_by_its_code() -> None:
    which = QUESTIONS[QuestionKind.WHICH_TILE].follower().question
    unseen = QUESTIONS[QuestionKind.UNSEEN_TILE].follower().question
    assert which is not None
    assert unseen is not None
    assert read_answer(which, "b10") == Answer(Reply.TILE, "B10", 0, 1)
    assert read_answer(which, "G100") == Answer(Reply.TILE, "G100", 0, 1)
    assert read_answer(unseen, "G100") is None  # it cannot have done what is seen


class Session:
    """What `watch` needs of a game that is followed."""

    last_s = 50.0

    def __init__(self, asking: Asking) -> None:
        self.follower = asking.follower()
        self.heard: list[Answered] = []

    def hear(self, heard: Answered) -> list[object]:
        self.heard.append(heard)
        return list(self.follower.hear(heard))


def test_what_is_typed_answers_the_question(capsys: pytest.CaptureFixture[str]) -> None:
    session = Session(QUESTIONS[QuestionKind.PUT_BACK])
    shown: list[object] = []
    _answer("7", session, shown.extend)  # type: ignore[arg-type]
    assert capsys.readouterr().err == "Answers: 1 The table is correct · 2 We have corrected it\n"
    assert session.heard == []
    _answer("1", session, shown.extend)  # type: ignore[arg-type]
    assert session.heard == [Answered(50.0, Reply.AS_IT_LIES)]
    assert shown
    _answer("1", session, shown.extend)  # type: ignore[arg-type]
    assert capsys.readouterr().err == "There is no question at the moment.\n"
    assert len(session.heard) == 1
