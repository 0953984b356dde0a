"""What a follower announces, as JSON and back."""

from __future__ import annotations

import pytest

from referee.errors import NotationError
from referee.formats.announcement_json import Quoted, announcement_from_dict, announcement_to_dict
from referee.tracking.announcements import Asked
from tests.referee.tracking.tables import QUESTIONS

WHEN = {"turn": 4, "player": 0, "layout": "R40 B20", "stocks": [14, 13], "time_s": 2.5}
EVENTS = [
    {"event": "air", "tile": "B4", "chooser": 1, "layout": "R40"},
    {"event": "collapse", "tile": "G60", "reasons": ["overweight"], "taken": ["R40", "B20"], "payer": 2,
     "layout": "G60"},
    {"event": "fall", "tile": "G60", "direction": "left", "chooser": None, "layout": "G60"},
    {"event": "explosion", "tiles": ["R7", "B7"], "taken": ["R40"], "payer": None, "layout": "-"},
    {"event": "fire", "tile": "B7", "taken": ["R40"], "payer": 0, "leaves": True, "layout": "-"},
    {"event": "curse", "tiles": ["R4", "B4"], "taken": ["R4"], "payer": 1, "layout": "B4"},
    {"event": "die", "roll": 6, "layout": "B7"},
]  # fmt: skip
LINES = [
    {"event": "placed", "tile": "B20", "row": 0, "slot": 1},
    {"event": "verdict", "verdict": EVENTS[:2], "needs": {"choice": "die"}},
    {"event": "missed", "since": 2, "verdict": EVENTS[:1], "payer": 1,
     "needs": {"choice": "fall", "tile": "G60", "chooser": 1}},
    {"event": "missed", "since": 2, "verdict": EVENTS[:1], "payer": None, "needs": None},
    *({"event": "step", "step": event} for event in EVENTS),
    {"event": "fixed"},
    {"event": "end", "winner": 1},
]  # fmt: skip


@pytest.mark.parametrize("own", LINES, ids=lambda own: str(own["event"]))
def test_what_is_announced_comes_back(own):
    line = {**own, **WHEN}
    assert announcement_to_dict(announcement_from_dict(line)) == line


@pytest.mark.parametrize("asking", QUESTIONS.values(), ids=[kind.value for kind in QUESTIONS])
def test_of_a_question_the_words_come_back(asking):
    question = asking.follower().question
    assert question is not None
    asked = Asked(question=question, turn=4, player=0, layout="R40 B20", stocks=(14, 13), time_s=2.5)
    read = announcement_from_dict(announcement_to_dict(asked, "Which one is it?"))
    assert isinstance(read, Quoted)
    assert (read.event, read.text) == ("question", "Which one is it?")


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"event": "placed", "tile": "Q1"},
        {"event": "step", "step": {"event": "die", "roll": 7}},
        {"event": "step", "step": {"event": "dance"}},
        {"event": "verdict", "verdict": 3},
        {"event": "notice"},
    ],
    ids=str,
)
def test_what_is_no_announcement_is_refused(line):
    with pytest.raises(NotationError):
        announcement_from_dict(line)
