"""What a follower announces, to JSON as `watch --json` prints it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import Fault, NotationError, RefereeError
from referee.formats.judge_json import event_to_dict, need_to_dict
from referee.rules.events import (
    Air,
    Collapse,
    Curse,
    Die,
    DieNeed,
    Direction,
    Event,
    Explosion,
    Fall,
    FallNeed,
    Fire,
    Need,
    Reason,
)
from referee.rules.layout import EMPTY, Layout
from referee.rules.tiles import Tile
from referee.rules.verdict import Verdict
from referee.tracking.announcements import (
    Announcement,
    Asked,
    GameOver,
    MayhemFound,
    MayhemMissed,
    Remarked,
    StepDone,
    StepFixed,
    StepWrong,
    TilePlaced,
)
from referee.tracking.questions import Answer, Question

EVENTS: Mapping[type[Announcement], str] = {
    TilePlaced: "placed",
    MayhemFound: "verdict",
    MayhemMissed: "missed",
    StepDone: "step",
    StepWrong: "wrong-step",
    StepFixed: "fixed",
    Asked: "question",
    Remarked: "notice",
    GameOver: "end",
}
"""Kind of announcement -> what `"event"` says of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted(Announcement):
    """An announcement of which only the words are read back.

    So are questions, remarks, steps done wrongly, and whatever another version says.
    """

    event: str
    text: str


def announcement_to_dict(said: Announcement, text: str = "") -> dict[str, Any]:
    """Return an announcement for JSON.

    Args:
        said: What is announced.
        text: The sentence for people, where the kind of announcement has one: `wrong-step`, `question` and
            `notice`.
    """
    return {
        "event": EVENTS[type(said)], "turn": said.turn, "player": said.player, **_own_keys(said, text),
        "layout": said.layout, "stocks": list(said.stocks), "time_s": said.time_s,
    }  # fmt: skip


def _own_keys(said: Announcement, text: str) -> dict[str, Any]:
    """Return the keys that only this kind of announcement has."""
    match said:
        case TilePlaced():
            return {"tile": said.tile.code, "row": said.row, "slot": said.slot}
        case MayhemFound():
            return _verdict_to_dict(said.verdict)
        case MayhemMissed():
            return {"since": said.since, **_verdict_to_dict(said.verdict), "payer": said.payer}
        case StepDone():
            return {"step": event_to_dict(said.step)}
        case StepWrong():
            return {"right": [str(layout) for layout in said.right], "text": text}
        case Asked():
            return {**_question_to_dict(said.question), "text": text}
        case Remarked():
            return {"text": text}
        case GameOver():
            return {"winner": said.winner}
    return {}


def _verdict_to_dict(verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": [event_to_dict(event) for event in verdict.events],
        "needs": need_to_dict(verdict.needs),
    }


def _question_to_dict(question: Question) -> dict[str, Any]:
    return {
        "kind": question.kind.value,
        "tiles": [
            {"row": place.row, "slot": place.slot, "codes": list(place.codes)} for place in question.places
        ],
        "answers": [_answer_to_dict(answer) for answer in question.answers],
    }


def _answer_to_dict(answer: Answer) -> dict[str, Any]:
    """Return an answer with those keys of `referee.formats.input_json` that it needs."""
    values = {"code": answer.code, "row": answer.row, "slot": answer.slot, "roll": answer.roll}
    return {"reply": answer.reply.value} | {key: value for key, value in values.items() if value is not None}


def announcement_from_dict(found: Mapping[str, Any]) -> Announcement:
    """Return the announcement that a JSON object describes, perhaps one of an older version.

    Raises:
        NotationError: It describes none.
    """
    try:
        return _announcement(found)
    except (RefereeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotationError(Fault.UNKNOWN_INPUT, kind=str(found.get("event"))) from error


def _announcement(found: Mapping[str, Any]) -> Announcement:
    """Return the announcement; raises all sorts of errors where the object is not well formed."""
    when: dict[str, Any] = {
        "turn": int(found.get("turn", 1)), "player": int(found.get("player", 0)),
        "layout": str(found.get("layout", EMPTY)),
        "stocks": tuple(int(stock) for stock in found.get("stocks", ())),
        "time_s": float(found.get("time_s", 0.0)),
    }  # fmt: skip
    match found["event"]:
        case "placed":
            row, slot = int(found.get("row", 0)), int(found.get("slot", 0))
            return TilePlaced(tile=_tile(found["tile"]), row=row, slot=slot, **when)
        case "verdict":
            return MayhemFound(verdict=_verdict(found), **when)
        case "missed":
            since, payer = int(found["since"]), found.get("payer")
            return MayhemMissed(since=since, verdict=_verdict(found), payer=payer, **when)
        case "step":
            return StepDone(step=_event(found["step"]), **when)
        case "fixed":
            return StepFixed(**when)
        case "end":
            return GameOver(winner=found["winner"], **when)
    return Quoted(event=str(found["event"]), text=str(found["text"]), **when)


def _verdict(found: Mapping[str, Any]) -> Verdict:
    events = tuple(_event(event) for event in found["verdict"])
    return Verdict(events, _need(found.get("needs")), certain=True)


def _event(found: Mapping[str, Any]) -> Event:
    taken, payer, chooser = _tiles(found.get("taken", ())), found.get("payer"), found.get("chooser")
    layout = Layout.parse(found["layout"]) if "layout" in found else EMPTY
    match found["event"]:
        case "air":
            return Air(_tile(found["tile"]), chooser, layout)
        case "collapse":
            reasons = tuple(Reason(reason) for reason in found["reasons"])
            return Collapse(_tile(found["tile"]), reasons, taken, payer, layout)
        case "fall":
            return Fall(_tile(found["tile"]), Direction(found["direction"]), chooser, layout)
        case "explosion":
            return Explosion(_tiles(found["tiles"]), taken, payer, layout)
        case "fire":
            return Fire(_tile(found["tile"]), taken, payer, bool(found["leaves"]), layout)
        case "curse":
            return Curse(_tiles(found["tiles"]), taken, payer, layout)
        case "die" if found["roll"] in range(1, 7):
            return Die(int(found["roll"]), layout)
    raise ValueError(found["event"])


def _need(found: Mapping[str, Any] | None) -> Need | None:
    if found is None:
        return None
    if found["choice"] == "die":
        return DieNeed()
    return FallNeed(_tile(found["tile"]), found.get("chooser"), 0)


def _tile(code: object) -> Tile:
    return Tile.from_code(str(code))


def _tiles(codes: Any) -> tuple[Tile, ...]:
    return tuple(_tile(code) for code in codes)
