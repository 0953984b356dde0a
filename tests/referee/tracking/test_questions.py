"""Every kind of question, and every answer to it. Rule 5."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.search.observation import Settled
from referee.tracking.announcements import Asked
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Reply
from referee.tracking.questions import Answer, QuestionKind
from tests.referee.tracking.tables import QUESTIONS, Asking, follow, table, told

ANSWERS = [
    (kind, answer)
    for kind, asking in QUESTIONS.items()
    for answer in asking.follower().question.answers  # type: ignore[union-attr]  # it asks
]


@pytest.mark.parametrize("kind", QuestionKind, ids=lambda kind: kind.value)
def test_every_kind_is_asked_and_has_answers(kind: QuestionKind) -> None:
    question = QUESTIONS[kind].follower().question
    assert question is not None
    assert question.kind is kind
    assert question.answers
    assert len(set(question.answers)) == len(question.answers)


def again(asking: Asking, time_s: float) -> Settled:
    """The table that is asked about, seen once more."""
    last = asking.inputs[-1]
    assert isinstance(last, Settled)
    return replace(last, time_s=time_s)


@pytest.mark.parametrize(
    ("kind", "answer"), ANSWERS, ids=[f"{k.value}-{a.reply.value}-{a.code or a.roll}" for k, a in ANSWERS]
)
def test_an_answer_ends_the_question(kind: QuestionKind, answer: Answer) -> None:
    """Answered, the same table does not bring the question back."""
    asking = QUESTIONS[kind]
    follower = asking.follower()
    question = follower.question
    said = follower.hear(answer.at(50))
    assert question not in [each.question for each in said if isinstance(each, Asked)]
    assert follower.question != question
    if answer.reply is Reply.MENDED:
        return
    for time_s in (51, 52, 55):
        said = follower.hear(again(asking, time_s))
        assert question not in [each.question for each in said if isinstance(each, Asked)]


@pytest.mark.parametrize("kind", [kind for kind, answer in ANSWERS if answer.reply is Reply.MENDED])
def test_a_table_that_was_corrected_is_not_asked_about(kind: QuestionKind) -> None:
    asking = QUESTIONS[kind]
    tables = [heard for heard in asking.inputs if isinstance(heard, Settled)]
    follower = asking.follower()
    assert follower.hear(Answer(Reply.MENDED).at(50)) == []
    before = tables[-2] if len(tables) > 1 else replace(tables[0], tiles=())
    follower.hear(replace(before, time_s=51))
    if kind is not QuestionKind.LEFT_OVER:  # fewer lie now, and that is asked
        assert follower.question is None


def test_a_tile_that_is_not_named_may_be_the_answer() -> None:
    follower = QUESTIONS[QuestionKind.WHICH_TILE].follower()
    question = follower.question
    assert question is not None
    assert question.takes_any_tile
    place = question.places[0]
    follower.hear(Answer(Reply.TILE, "G100", place.row, place.slot).at(50))
    assert str(follower.game.layout) == "R40 G100"


def test_a_tile_that_was_taken_off_can_be_said_to_be_gone() -> None:
    """Asked to put blue 20 back, people may say that the table is correct; then it is not asked again."""
    asking = QUESTIONS[QuestionKind.PUT_BACK]
    follower = asking.follower()
    question = follower.question
    assert question is not None
    assert [answer.reply for answer in question.answers] == [Reply.AS_IT_LIES, Reply.MENDED]
    follower.hear(question.answers[0].at(50))
    assert (str(follower.game.layout), follower.question) == ("R40", None)
    assert follower.hear(again(asking, 55)) == []


def test_a_tile_that_was_taken_for_one_that_came_off_unseen_can_be_told() -> None:
    """Nobody saw which tile burnt, so R7 was put out of the game; now somebody says that R7 is here."""
    follower = follow("R40", "R40 B20")
    assert told(follower.hear(table("-", 30))) == ["question R7/B7"]
    follower.hear(table("Y30", 100))
    doubtful = table("Y30 B4", 120, B4="B4 0.4 B2 0.3 R7 0.29")
    assert told(follower.hear(doubtful)) == ["question B4/B2"]
    lines = follower.hear(Answered(121, Reply.TILE, "R7", 0, 1))
    assert told(lines) == ["placed R7 turn 5 player 1", "verdict"]


def test_a_roll_that_nobody_waits_for_says_nothing() -> None:
    follower = Follower(3)
    for heard in (Answered(1, Reply.ROLL, roll=3), table("R40", 2), Answered(3, Reply.ROLL, roll=0)):
        lines = follower.hear(heard)
    assert lines == []
