"""Settled tables as texts, and games that lead to each kind of question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.formats.announcement_json import announcement_to_dict
from referee.rules.game import Setup
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.tiles import TILES, Colour
from referee.search.observation import ObservedGroup, ObservedTile, Settled
from referee.tracking.announcements import Announcement, Asked
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Input, Reply
from referee.tracking.questions import Answer, QuestionKind

OVERWEIGHT = ("R40", "R40 B20", "R40 B20/G60")
"""Player 2 placed G60 on too little."""
BASE = ("R40", "R40 B20", "R40 B20/R4", "R40 B20 Y30/R4 -")
"""Four turns of three players; the next tile must go to row 1, slot 1."""


def table(text: str, time_s: float = 0.0, hidden: bool = False, lifted: str = "", **unlike: str) -> Settled:
    """A settled table, surely read; but R40="R40 0.6 R10 0.3", R40="R10" or R40="covered"."""
    tiles = []
    for (row, slot), tile in Layout.parse(text).tiles:
        read = unlike.get(tile.code, tile.code).split()
        if read == ["covered"]:
            tiles.append(ObservedTile(row, slot, (), sure=False, covered=True))
        elif len(read) == 1:
            tiles.append(ObservedTile(row, slot, ((read[0], 0.999),)))
        else:
            codes = zip(read[::2], map(float, read[1::2]), strict=True)
            tiles.append(ObservedTile(row, slot, tuple(codes), sure=False))
    return Settled(time_s, tuple(tiles), hidden, lifted=tuple(lifted.split()))


def lying_first(text: str, time_s: float = 0.0, lay: str = "", **unlike: str) -> Settled:
    """A settled table of which those tiles lay first that lie on another one; all, if that is not given."""
    seen, there = table(text, time_s, **unlike), Layout.parse(lay or text).cells.values()
    tiles = tuple(replace(each, lay_first=TILES[each.codes[0][0]] in there) for each in seen.tiles)
    return replace(seen, tiles=tiles)


def tables(*texts: str) -> tuple[Settled, ...]:
    """Settled tables, one every ten seconds."""
    return tuple(table(text, 10.0 * number) for number, text in enumerate(texts))


def in_doubt(text: str, time_s: float = 0.0) -> Settled:
    """A settled table of which the yellow tiles look alike, and may be red ones as well."""
    groups, unlike = [], {}
    places = []
    for place, tile in Layout.parse(text).tiles:
        if tile.colour is Colour.YELLOW:
            places.append(place)
            unlike[tile.code] = f"{tile.code} 0.6 R{tile.weight} 0.39"
    groups.append(ObservedGroup(tuple(places), ((Colour.YELLOW, 0.6), (Colour.RED, 0.4))))
    return replace(table(text, time_s, **unlike), groups=tuple(groups))


@dataclass(frozen=True)
class Asking:
    """A game that leads to a question."""

    inputs: tuple[Input, ...]
    """The last of them is the table that is asked about."""
    setup: Setup = field(default_factory=lambda: Setup(3))

    def follower(self) -> Follower:
        """A follower that heard all inputs."""
        setup = self.setup
        follower = Follower(setup.players, setup.options, setup.variant, setup.voice)
        for heard in self.inputs:
            follower.hear(heard)
        return follower


_NEWER, _OLDER = Options(fire_die=FireDie.NEWER), Options(fire_die=FireDie.OLDER)
_HARDLY = ("R20", "R20 G30", "R20 G30 B2", "R20 G30 B2/R10 -", "R20 B7 R7/R10 -")
_ODD = ("G40 G20 Y30/R4 -", "G40 B60 G30/R4 -", "Y120 B60 R60/G4 -")
QUESTIONS = {
    QuestionKind.WHICH_TILE: Asking((*tables("R40"), table("R40 B20", 30, B20="B20 0.6 B10 0.39"))),
    QuestionKind.WHICH_COLOUR: Asking((in_doubt("Y40 R40 Y60"),), Setup(6)),
    QuestionKind.EXCHANGED: Asking(
        (*tables("R40", "R40 B20"), table("R40 B20", 20, B20="B10"), table("R40 B20", 25, B20="B10"))
    ),
    QuestionKind.UNSEEN_TILE: Asking((*tables("R40", "R40 B20"), table("-", 30), table("-", 35.5))),
    QuestionKind.PLACED_FIRST: Asking(
        (
            *tables("R40 B20 Y30"),
            table("R40 B20 Y30/R4 B10", 9),
            Answered(10, Reply.AS_IT_LIES),
            table("R40 B20 Y30/R4 B10", 11),
        ),
        Setup(6),
    ),
    QuestionKind.ROLL: Asking(
        (*tables("R40", "R40 B20", "R40 B20/B7"), table("-", 40)), Setup(3, options=_OLDER)
    ),
    QuestionKind.WAS_ROLLED: Asking(
        (
            *tables("R40", "R40 B20", "R40 B20/B7"),
            Answered(35, Reply.OK),
            table("R40 B20 Y2/B7 -", 40),
        ),
        Setup(3, options=_NEWER),
    ),
    QuestionKind.UNCLEAR: Asking(
        (*tables("R40"), Corrected(1, Layout.parse("R40"), (20, 0, 24)), table("R40 B20", 5))
    ),
    QuestionKind.NO_PLACE: Asking((*tables(*BASE), table("R40 B20 Y30 B10/R4 - -", 40))),
    QuestionKind.PUT_BACK: Asking((*tables("R40", "R40 B20"), table("R40", 40))),
    QuestionKind.FIRST_TABLE: Asking((lying_first("R40 B20/R4"),)),
    QuestionKind.TAKE_OFF: Asking((*tables("R40"), table("R40 B20 Y30/R4 -", 40))),
    QuestionKind.MOVE_BACK: Asking((*tables(*BASE), table("Y30 B20 R40/R4 -", 40))),
    QuestionKind.PUT_RIGHT: Asking((*tables(*BASE), table("R40 G20 Y30 Y2 Y4 Y6 Y10/G4 - - - - -", 40))),
    QuestionKind.UNLIKELY: Asking((table("R20"), Answered(1, Reply.MENDED), *tables(*_HARDLY)[1:]), Setup(6)),
    QuestionKind.LOST: Asking(
        (*tables(*BASE), table(_ODD[0], 40), table(_ODD[1], 50), table(_ODD[2], 60)), Setup(3)
    ),
    QuestionKind.PLACED_LAST: Asking(
        (
            *tables(*BASE),
            *(table(odd, 40 + 10 * number) for number, odd in enumerate(_ODD)),
            table("R40 B20 Y2", 65),
            table("R40 B20 Y2", 66),
        ),
        Setup(3),
    ),
    QuestionKind.LEFT_OVER: Asking((table("Y6 Y4"),), Setup(6)),
}
"""Kind of question -> a game that leads to it."""


def told(lines: Iterable[Announcement]) -> list[str]:
    """Lines in short: the event, and what distinguishes it."""
    return [short(announcement_to_dict(line)) for line in lines]


def short(line: Mapping[str, Any]) -> str:
    match line["event"]:
        case "placed":
            return f"placed {line['tile']} turn {line['turn']} player {line['player']}"
        case "step":
            return f"{line['step']['event']} turn {line['turn']} player {line['player']}"
        case "missed":
            return f"missed since {line['since']} payer {line['payer']}"
        case "question":
            return "question " + " ".join("/".join(tile["codes"]) for tile in line["tiles"])
        case "end":
            return f"end {line['winner']}"
    return str(line["event"])


def kind_of(asked: Asked) -> tuple[QuestionKind, str]:
    """The kind of a question, and the tiles that it names."""
    return asked.question.kind, " ".join(tile.code for tile in asked.question.tiles)


def answer_to(asked: Asked, code: str) -> Answer:
    """The answer to a question that names a tile."""
    return next(answer for answer in asked.question.answers if answer.code == code)


def follow(*texts: str, **how: Any) -> Follower:
    """A follower that saw these tables, one every ten seconds; left-over tiles are laid when asked for."""
    follower = Follower(**{"players": 3, **how})
    for number, text in enumerate(texts):
        follower.hear(table(text, 10.0 * number))
        if follower.question is not None and follower.question.kind is QuestionKind.LEFT_OVER:
            follower.hear(Answered(10.0 * number + 1, Reply.MENDED))
    return follower
