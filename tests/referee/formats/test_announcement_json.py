"""What a follower announces, as JSON and back."""

from __future__ import annotations

import json

import pytest

from referee.errors import Fault, NotationError
from referee.formats.announcement_json import (
    EVENTS,
    Quoted,
    announcement_from_dict,
    announcement_to_dict,
)
from referee.rules import events
from referee.rules.layout import EMPTY, Layout
from referee.rules.tiles import TILES
from referee.rules.verdict import Verdict
from referee.tracking import announcements
from referee.tracking.announcements import Remark
from referee.tracking.inputs import Reply
from referee.tracking.questions import Answer, AskedPlace, Question, QuestionKind

WHEN = {"turn": 3, "player": 2, "layout": "R40 B20", "stocks": (14, 13, 12), "time_s": 7.5}
R40, B20, G60, R7 = (TILES[code] for code in ("R40", "B20", "G60", "R7"))
TABLE = Layout.parse("R40 B20")
STEPS = {
    "air": (events.Air(R40, 1, TABLE), {"tile": "R40", "chooser": 1}),
    "collapse": (
        events.Collapse(G60, (events.Reason.MISMATCH, events.Reason.OVERWEIGHT), (R40, B20), 1, TABLE),
        {"tile": "G60", "reasons": ["mismatch", "overweight"], "taken": ["R40", "B20"], "payer": 1},
    ),
    "fall": (
        events.Fall(R40, events.Direction.RIGHT, 2, TABLE),
        {"tile": "R40", "direction": "right", "chooser": 2},
    ),
    "explosion": (
        events.Explosion((R7, R40), (B20,), 2, TABLE),
        {"tiles": ["R7", "R40"], "taken": ["B20"], "payer": 2},
    ),
    "fire": (
        events.Fire(R7, (B20,), 2, True, TABLE),
        {"tile": "R7", "taken": ["B20"], "payer": 2, "leaves": True},
    ),
    "curse": (
        events.Curse((R40, B20, G60), (R7,), 0, TABLE),
        {"tiles": ["R40", "B20", "G60"], "taken": ["R7"], "payer": 0},
    ),
    "die": (events.Die(6, TABLE), {"roll": 6}),
}
"""What `"event"` says of each step -> the step, and its other keys but the table."""
VERDICT = Verdict(tuple(step for step, _ in STEPS.values()), events.FallNeed(G60, 1, 0), certain=True)
WRITTEN = {
    "verdict": [{"event": name, **keys, "layout": "R40 B20"} for name, (_, keys) in STEPS.items()],
    "needs": {"choice": "fall", "tile": "G60", "chooser": 1},
}
CALM = {"verdict": [], "needs": None}
SAID = [
    (
        announcements.TilePlaced(tile=R40, row=1, slot=2, **WHEN),
        {"event": "placed", "tile": "R40", "row": 1, "slot": 2},
    ),
    (announcements.MayhemFound(verdict=VERDICT, **WHEN), {"event": "verdict", **WRITTEN}),
    (
        announcements.MayhemFound(verdict=Verdict((), events.DieNeed(), certain=True), **WHEN),
        {"event": "verdict", "verdict": [], "needs": {"choice": "die"}},
    ),
    (
        announcements.MayhemMissed(since=2, verdict=Verdict((), None, certain=True), payer=1, **WHEN),
        {"event": "missed", "since": 2, **CALM, "payer": 1},
    ),
    (
        announcements.MayhemMissed(since=2, verdict=VERDICT, payer=None, **WHEN),
        {"event": "missed", "since": 2, **WRITTEN, "payer": None},
    ),
    *(
        (
            announcements.StepDone(step=step, **WHEN),
            {"event": "step", "step": {"event": name, **keys, "layout": "R40 B20"}},
        )
        for name, (step, keys) in STEPS.items()
    ),
    (announcements.StepFixed(**WHEN), {"event": "fixed"}),
    (announcements.GameOver(winner=2, **WHEN), {"event": "end", "winner": 2}),
    (announcements.GameOver(winner=None, **WHEN), {"event": "end", "winner": None}),
]
"""Announcements that are read back as they were, with the keys that only they have."""
ANSWERS = (
    Answer(Reply.TILE, "B20", 0, 1),
    Answer(Reply.TILE, "R7"),
    Answer(Reply.ROLL, roll=0),
    Answer(Reply.AS_IT_LIES),
)
QUOTED = [
    (
        announcements.StepWrong(right=(TABLE, EMPTY), take_off=(R40,), **WHEN),
        {"event": "wrong-step", "right": ["R40 B20", "-"], "text": "Well?"},
    ),
    (
        announcements.Asked(
            question=Question(
                QuestionKind.WHICH_TILE, (AskedPlace(0, 1, ("B20", "R7")),), (B20, R7), answers=ANSWERS
            ),
            **WHEN,
        ),
        {
            "event": "question", "kind": "which-tile", "text": "Well?",
            "tiles": [{"row": 0, "slot": 1, "codes": ["B20", "R7"]}],
            "answers": [
                {"reply": "tile", "code": "B20", "row": 0, "slot": 1}, {"reply": "tile", "code": "R7"},
                {"reply": "roll", "roll": 0}, {"reply": "as-it-lies"},
            ],
        },
    ),
    (announcements.Remarked(remark=Remark.COVERED, **WHEN), {"event": "notice", "text": "Well?"}),
]  # fmt: skip
"""Announcements of which only the words are read back."""


def written(keys):
    return {**keys, "turn": 3, "player": 2, "layout": "R40 B20", "stocks": [14, 13, 12], "time_s": 7.5}


@pytest.mark.parametrize(("said", "keys"), [*SAID, *QUOTED], ids=lambda value: type(value).__name__)
def test_an_announcement_is_written_with_the_keys_of_the_interface(said, keys):
    found = announcement_to_dict(said, "Well?")
    assert found == written(keys)
    assert list(found)[:3] == ["event", "turn", "player"]


def test_an_announcement_may_have_no_words():
    assert announcement_to_dict(announcements.Remarked(remark=Remark.COVERED, **WHEN))["text"] == ""


def test_every_kind_of_announcement_is_written():
    assert {type(said) for said, _ in [*SAID, *QUOTED]} == {*EVENTS}


@pytest.mark.parametrize(("said", "keys"), SAID, ids=lambda value: type(value).__name__)
def test_an_announcement_is_read_back(said, keys):
    found = announcement_from_dict(json.loads(json.dumps(announcement_to_dict(said))))
    assert found == said


@pytest.mark.parametrize(("said", "keys"), QUOTED, ids=lambda value: type(value).__name__)
def test_of_what_was_said_in_words_the_words_are_read_back(said, keys):
    found = announcement_from_dict(announcement_to_dict(said, "Well?"))
    assert found == Quoted(event=keys["event"], text="Well?", **WHEN)


def test_what_an_older_version_left_out_is_taken_to_be_as_at_the_start():
    start = {"turn": 1, "player": 0, "layout": "-", "stocks": (), "time_s": 0.0}
    assert announcement_from_dict({"event": "placed", "tile": "R40"}) == announcements.TilePlaced(
        tile=R40, row=0, slot=0, **start
    )
    step = {"event": "explosion", "tiles": ["R7"]}
    assert announcement_from_dict({"event": "step", "step": step}) == announcements.StepDone(
        step=events.Explosion((R7,), (), None, EMPTY), **start
    )
    assert announcement_from_dict({"event": "verdict", "verdict": []}) == announcements.MayhemFound(
        verdict=Verdict((), None, certain=True), **start
    )


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"event": "placed"},
        {"event": "placed", "tile": "R41"},
        {"event": "placed", "tile": "R40", "turn": "third"},
        {"event": "placed", "tile": "R40", "stocks": 3},
        {"event": "notice"},
        {"event": "verdict", "verdict": ["fall"]},
        {"event": "verdict", "verdict": [], "needs": {"choice": "fall"}},
        {"event": "step", "step": {"event": "wink"}},
        {"event": "step", "step": {"event": "die", "roll": 0}},
        {"event": "step", "step": {"event": "die", "roll": 7}},
        {"event": "step", "step": {"event": "fall", "tile": "R40", "direction": "up"}},
        {"event": "step", "step": {"event": "air", "tile": "R40", "chooser": {}}},
        {"event": "step", "step": {"event": "curse", "tiles": ["R40"], "payer": -1}},
        {"event": "end", "winner": "Ann"},
        {"event": "step", "step": {"event": "fire", "tile": "R7", "leaves": True, "layout": "R40 R40"}},
    ],
    ids=str,
)
def test_a_broken_announcement_is_refused(broken):
    with pytest.raises(NotationError) as caught:
        announcement_from_dict(broken)
    assert caught.value.fault is Fault.UNKNOWN_INPUT
    assert caught.value.values == {"kind": str(broken.get("event"))}


@pytest.mark.parametrize("roll", [1, 6])
def test_a_die_shows_one_to_six(roll):
    step = {"event": "die", "roll": roll, "layout": "-"}
    found = announcement_from_dict({"event": "step", "step": step})
    assert isinstance(found, announcements.StepDone)
    assert found.step == events.Die(roll, EMPTY)
