"""Lets the follower watch a simulated game, and compares what it says with what is true."""

from __future__ import annotations

import difflib
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.formats.announcement_json import announcement_to_dict
from referee.tracking.announcements import Announcement, Asked, Remarked
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Input, Reply
from referee.tracking.questions import NO_TILE, QuestionKind
from tests.simulation.mishaps import MISHAPS
from tests.simulation.play import Moment, Play, Said

ASIDE = (Asked, Remarked)
"""Announcements that are no calls."""
TABLE_QUESTIONS = {
    QuestionKind.NO_PLACE,
    QuestionKind.PUT_BACK,
    QuestionKind.TAKE_OFF,
    QuestionKind.FIRST_TABLE,
    QuestionKind.MOVE_BACK,
    QuestionKind.PUT_RIGHT,
    QuestionKind.UNLIKELY,
}
"""Questions of which a player says that the table is correct, or corrects it."""


@dataclass
class Report:
    """How well a game was followed."""

    wrong: list[tuple[int, Said]] = field(default_factory=list)
    """(number of the moment, line) that was said and is not true."""
    false: list[tuple[int, Said]] = field(default_factory=list)
    """What was said and is not true at any time, whatever the order and the stocks."""
    unsaid: list[tuple[int, Said]] = field(default_factory=list)
    """What should have been said and was not, but for verdicts that were carried out before they could be."""
    questions: list[tuple[int, Asked]] = field(default_factory=list)
    remarks: list[tuple[int, Remarked]] = field(default_factory=list)
    asked_turns: set[int] = field(default_factory=set)
    times_s: list[float] = field(default_factory=list)
    turns: int = 0
    mistakes: int = 0
    """Calls of missed mayhem and wrong steps that had to be made."""
    caught: int = 0

    def note(self, number: int, lines: Iterable[Announcement]) -> list[Asked]:
        """Note what was asked and remarked at a moment, and return the questions."""
        questions = [line for line in lines if isinstance(line, Asked)]
        self.remarks += [(number, line) for line in lines if isinstance(line, Remarked)]
        self.questions += [(number, line) for line in questions]
        self.asked_turns |= {line.turn for line in questions}
        return questions


def plain(said: Announcement) -> Said:
    """Return an announcement as the truth is written: without what follows from the table."""
    found = json.loads(json.dumps(announcement_to_dict(said)))
    for key in ("layout", "time_s", "text", "row", "slot"):
        found.pop(key, None)
    for event in [*found.get("verdict", ()), *([found["step"]] if "step" in found else [])]:
        event.pop("layout", None)
    return dict(found)


def same(true: Said, said: Said) -> bool:
    """Whether a line says what is true. A fall that looks the same either way may be told either way."""
    if true["event"] == said["event"] == "wrong-step":
        return (
            true["right"] in said["right"]
            and true["turn"] == said["turn"]
            and true["player"] == said["player"]
        )
    if true["event"] == said["event"] == "step" and true["step"]["event"] == said["step"]["event"] == "fall":
        return {**true, "step": {**true["step"], "direction": ""}} == {
            **said,
            "step": {**said["step"], "direction": ""},
        }
    return true == said


def answers_to(asked: Asked, moment: Moment, truth: Iterable[Said], time_s: float) -> list[Input]:
    """Return what an attentive player answers to a question.

    Who is told that the rules do not lead to a table that is right says so, and puts right what the referee
    then knows of turn and stocks; or, where the referee misread it, puts right all at once.
    """
    question, game = asked.question, moment.game
    if moment.what in MISHAPS:
        return [Answered(time_s, Reply.MENDED)]
    is_left_over = question.kind is QuestionKind.LEFT_OVER
    shown = asked.layout.replace("/", " ").split()
    is_unseen = is_left_over and any(
        moment.layout.find(tile) is not None and tile.code not in shown for tile in game.setup.left_over
    )
    if question.asks_laid:
        is_laid = question.tiles[0] in game.setup.left_over
        return [Answered(time_s, Reply.MENDED if is_laid else Reply.AS_IT_LIES)]
    if is_unseen or question.kind in TABLE_QUESTIONS:
        if moment.layout != game.layout:
            return [Answered(time_s, Reply.MENDED)]
        turn = game.turn if game.has_placed else None
        corrected = Corrected(time_s, game.layout, game.stocks, game.out, turn)
        is_misread = asked.layout != str(moment.layout)
        if is_unseen or is_misread:
            return [corrected]
        return [Answered(time_s, Reply.AS_IT_LIES), corrected]
    return [_answer_to(asked, moment, truth, time_s)]


def _answer_to(asked: Asked, moment: Moment, truth: Iterable[Said], time_s: float) -> Answered:
    """Return the answer to a question about a tile or a roll."""
    question = asked.question
    lines = [line for line in truth if line["event"] == "placed"]
    placed = [str(line["tile"]) for line in lines]
    lately = [str(line["tile"]) for line in lines if line.get("turn", asked.turn) >= asked.turn] or placed
    if question.kind in (QuestionKind.ROLL, QuestionKind.WAS_ROLLED):
        rolls = [
            line["step"]["roll"]
            for line in (*truth, *moment.said)
            if line["event"] == "step" and "roll" in line["step"]
            if question.kind is QuestionKind.ROLL or line.get("turn", asked.turn) == asked.turn
        ]
        return Answered(time_s, Reply.ROLL, roll=rolls[-1] if rolls else 0)
    if question.kind is QuestionKind.PLACED_LAST:
        last = moment.game.turn - (0 if moment.game.has_placed else 1)
        return Answered(time_s, Reply.PLAYER, player=(last - 1) % moment.game.setup.players)
    if not question.places:
        return Answered(time_s, Reply.AS_IT_LIES)
    if question.kind is QuestionKind.PLACED_FIRST:
        codes = {code for place in question.places for code in place.codes}
        latest = {code: at for at, code in enumerate(lately) if code in codes}
        if not latest:
            return Answered(time_s, Reply.AS_IT_LIES)  # none of them was placed
        return Answered(time_s, Reply.TILE, min(latest, key=latest.__getitem__))
    if question.kind is QuestionKind.UNSEEN_TILE:
        gone = [code for code in lately if code not in str(moment.layout).replace("/", " ").split()]
        for place in question.places:
            if gone and gone[-1] in place.codes:
                return Answered(time_s, Reply.TILE, gone[-1], place.row, place.slot)
        if not gone and NO_TILE in question.answers:
            return Answered(time_s, Reply.NO_TILE)
    first = question.places[0]
    tile = moment.layout.get(first.row, first.slot)
    is_seen = question.kind is QuestionKind.WHICH_TILE and tile is not None
    now = [str(line["tile"]) for line in moment.said if line["event"] == "placed"]
    if tile is None and not now and NO_TILE in question.answers:
        return Answered(time_s, Reply.NO_TILE)
    if placed and not is_seen and (tile is None or (first.codes and tile.code not in first.codes)):
        # Of several that were placed since the last look the first is asked about, or one that came and went.
        meant = [code for code in lately if code in first.codes][-1:] or now or placed[-1:]
        return Answered(time_s, Reply.TILE, meant[0], first.row, first.slot)
    if tile is None:
        return Answered(time_s, Reply.MENDED)
    return Answered(time_s, Reply.TILE, tile.code, first.row, first.slot)


def follow_play(play: Play, answers: bool = True) -> Report:
    """Return how a follower does on a game.

    Args:
        play: The game.
        answers: Whether the players answer questions; else a recording of them is watched.
    """
    setup = play.setup
    follower = Follower(setup.players, setup.options, setup.variant, setup.voice)
    report = Report()
    true: list[tuple[int, Said]] = []
    said: list[tuple[int, Said]] = []
    for number, moment in enumerate(play.moments):
        true += [(number, line) for line in moment.said]
        started = time.process_time()
        lines = follower.hear(moment.settled)
        report.times_s.append(time.process_time() - started)
        looks_again = follower.is_waiting
        for _ in range(5):
            said += [(number, plain(line)) for line in lines if not isinstance(line, ASIDE)]
            questions = report.note(number, lines)
            if questions and answers:
                heard = answers_to(questions[-1], moment, [each for _, each in true], moment.time_s)
                lines = [line for answer in heard for line in follower.hear(answer)]
            elif questions and questions[-1].question.asks_laid:
                # A recording is watched: nobody laid a tile because it was asked for (`GameSession.see`).
                lines = follower.hear(Answered(moment.time_s, Reply.AS_IT_LIES))
            elif looks_again:
                looks_again = False
                lines = follower.hear(moment.again)
            else:
                break
    compare(true, said, play, report)
    return report


def _is_pending(said: tuple[int, Said], play: Play) -> bool:
    """Whether a verdict that is not due is true all the same: it could not be said when it was due."""
    number, line = said
    due = play.moments[number]
    return (
        line["event"] == "verdict"
        and {"verdict": line["verdict"], "needs": line["needs"]} == due.pending
        and all(true["event"] != "verdict" for true in due.said)
    )


def compare(
    true: list[tuple[int, Said]], said: list[tuple[int, Said]], play: Play, report: Report
) -> None:  # fmt: skip
    """Lay what was said beside what is true, in order, and note what differs in the report."""
    report.turns = play.turns
    said = [each for each in said if not _is_pending(each, play)]
    names: list[Said] = []

    def name(line: Said) -> int:
        for at, known in enumerate(names):
            if same(known, line):
                return at
        names.append(line)
        return len(names) - 1

    waiting = [line for _, line in true]
    for number, line in said:
        found = next(
            (at for at, each in enumerate(waiting) if same(each, {**line, "stocks": each["stocks"]})), None
        )
        if found is not None:
            del waiting[found]
        else:
            report.false.append((number, line))
    left, right = [name(line) for _, line in true], [name(line) for _, line in said]
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    matched: set[int] = set()
    for tag, start, end, from_, to in matcher.get_opcodes():
        if tag == "equal":
            matched |= set(range(start, end))
            continue
        report.wrong += said[from_:to]
        report.unsaid += [each for each in true[start:end] if each[1]["event"] != "verdict"]
    for at, (_, line) in enumerate(true):
        if line["event"] in ("missed", "wrong-step"):
            report.mistakes += 1
            report.caught += at in matched
