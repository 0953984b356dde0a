"""What a follower announces, to JSON as `watch --json` prints it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.errors import Fault, NotationError, RefereeError
from referee.formats.judge_json import event_to_dict, need_to_dict
from referee.rules import events
from referee.rules.layout import EMPTY, Layout
from referee.rules.tiles import Tile
from referee.rules.verdict import Verdict
from referee.tracking import announcements
from referee.tracking.questions import Answer, Question

EVENTS: Mapping[type[announcements.Announcement], str] = {
    announcements.TilePlaced: "placed",
    announcements.MayhemFound: "verdict",
    announcements.MayhemMissed: "missed",
    announcements.StepDone: "step",
    announcements.StepWrong: "wrong-step",
    announcements.StepFixed: "fixed",
    announcements.Asked: "question",
    announcements.Remarked: "notice",
    announcements.GameOver: "end",
}
"""Kind of announcement -> what `"event"` says of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted(announcements.Announcement):
    """An announcement of which only the words are read back.

    So are questions, remarks, steps done wrongly, and whatever another version says.
    """

    event: str
    text: str


def announcement_to_dict(said: announcements.Announcement, text: str = "") -> dict[str, Any]:
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


def _own_keys(said: announcements.Announcement, text: str) -> dict[str, Any]:
    """Return the keys that only this kind of announcement has."""
    match said:
        case announcements.TilePlaced():
            return {"tile": said.tile.code, "row": said.row, "slot": said.slot}
        case announcements.MayhemFound():
            return _verdict_to_dict(said.verdict)
        case announcements.MayhemMissed():
            return {"since": said.since, **_verdict_to_dict(said.verdict), "payer": said.payer}
        case announcements.StepDone():
            return {"step": event_to_dict(said.step)}
        case announcements.StepWrong():
            return {"right": [str(layout) for layout in said.right], "text": text}
        case announcements.Asked():
            return {**_question_to_dict(said.question), "text": text}
        case announcements.Remarked():
            return {"text": text}
        case announcements.GameOver():
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
    values = {"code": answer.code, "row": answer.row, "slot": answer.slot, "roll": answer.roll,
              "colour": None if answer.colour is None else answer.colour.value}  # fmt: skip
    return {"reply": answer.reply.value} | {key: value for key, value in values.items() if value is not None}


def announcement_from_dict(found: Mapping[str, Any]) -> announcements.Announcement:
    """Return the announcement that a JSON object describes, perhaps one of an older version.

    Raises:
        NotationError: It describes none.
    """
    try:
        return _announcement(found)
    except (RefereeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotationError(Fault.UNKNOWN_INPUT, kind=str(found.get("event"))) from error


def _announcement(found: Mapping[str, Any]) -> announcements.Announcement:
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
            return announcements.TilePlaced(tile=_tile(found["tile"]), row=row, slot=slot, **when)
        case "verdict":
            return announcements.MayhemFound(verdict=_verdict(found), **when)
        case "missed":
            since, payer = int(found["since"]), _seat(found.get("payer"))
            return announcements.MayhemMissed(since=since, verdict=_verdict(found), payer=payer, **when)
        case "step":
            return announcements.StepDone(step=_event(found["step"]), **when)
        case "fixed":
            return announcements.StepFixed(**when)
        case "end":
            return announcements.GameOver(winner=_seat(found["winner"]), **when)
    return Quoted(event=str(found["event"]), text=str(found["text"]), **when)


def _verdict(found: Mapping[str, Any]) -> Verdict:
    events = tuple(_event(event) for event in found["verdict"])
    return Verdict(events, _need(found.get("needs")), certain=True)


def _event(found: Mapping[str, Any]) -> events.Event:
    taken, payer, chooser = (
        _tiles(found.get("taken", ())),
        _seat(found.get("payer")),
        _seat(found.get("chooser")),
    )
    layout = Layout.parse(found["layout"]) if "layout" in found else EMPTY
    match found["event"]:
        case "air":
            return events.Air(_tile(found["tile"]), chooser, layout)
        case "collapse":
            reasons = tuple(events.Reason(reason) for reason in found["reasons"])
            return events.Collapse(_tile(found["tile"]), reasons, taken, payer, layout)
        case "fall":
            return events.Fall(_tile(found["tile"]), events.Direction(found["direction"]), chooser, layout)
        case "explosion":
            return events.Explosion(_tiles(found["tiles"]), taken, payer, layout)
        case "fire":
            return events.Fire(_tile(found["tile"]), taken, payer, bool(found["leaves"]), layout)
        case "curse":
            return events.Curse(_tiles(found["tiles"]), taken, payer, layout)
        case "die" if found["roll"] in range(1, 7):
            return events.Die(int(found["roll"]), layout)
    raise ValueError(found["event"])


def _need(found: Mapping[str, Any] | None) -> events.Need | None:
    if found is None:
        return None
    if found["choice"] == "die":
        return events.DieNeed()
    return events.FallNeed(_tile(found["tile"]), _seat(found.get("chooser")), 0)


def _seat(player: object) -> int | None:
    """Return a player's index, from 0, or None for nobody."""
    if player is None or (type(player) is int and player >= 0):
        return player
    raise ValueError(player)


def _tile(code: object) -> Tile:
    return Tile.from_code(str(code))


def _tiles(codes: Any) -> tuple[Tile, ...]:
    return tuple(_tile(code) for code in codes)
