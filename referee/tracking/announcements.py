"""What a follower says: one frozen value a line, with the keys of `watch --json`. Rule 5."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from referee.errors import Phrase
from referee.formats.judge_json import event_to_dict, need_to_dict
from referee.rules.events import Event
from referee.rules.tiles import Tile
from referee.rules.verdict import Verdict


class Tiles(tuple[Tile, ...]):
    """Tiles that a sentence names, which means them all."""

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(tile.code for tile in self)


class Either(Tiles):
    """Tiles of which a sentence means one."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence for people, kept as a template with its values for a catalogue to translate.

    Tiles are values as such, so that people hear their names.
    """

    template: Phrase
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the English sentence, in which tiles are codes."""
        return self.template.format(**self.values)


Say = Callable[[Sentence], str]
"""Puts a sentence into the language of the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that is said."""

    event: ClassVar[str]
    turn: int
    """From 1."""
    player: int
    """Whose turn it is, from 0."""
    layout: str
    """The settled table, in canonical form."""
    stocks: tuple[int, ...]
    """Each player's tiles after what is said here."""
    time_s: float

    def to_dict(self, say: Say = str) -> dict[str, object]:
        """Return the line as `watch --json` writes it; `say` puts sentences into the user's language."""
        return {
            "event": self.event, "turn": self.turn, "player": self.player, **self._own(say),
            "layout": self.layout, "stocks": list(self.stocks), "time_s": self.time_s,
        }  # fmt: skip

    def _own(self, say: Say) -> dict[str, object]:
        """Return the keys that only this kind of line has."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Line):
    """A tile was placed."""

    event: ClassVar[str] = "placed"
    tile: Tile
    row: int
    slot: int
    """In the canonical layout just after the placement."""

    def _own(self, say: Say) -> dict[str, object]:
        return {"tile": self.tile.code, "row": self.row, "slot": self.slot}


def _verdict_to_dict(verdict: Verdict) -> dict[str, object]:
    return {
        "verdict": [event_to_dict(event) for event in verdict.events],
        "needs": need_to_dict(verdict.needs),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced(Line):
    """What must be resolved now."""

    event: ClassVar[str] = "verdict"
    verdict: Verdict

    def _own(self, say: Say) -> dict[str, object]:
        return _verdict_to_dict(self.verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed(Line):
    """Mayhem was missed, and must be resolved as an interruption."""

    event: ClassVar[str] = "missed"
    since: int
    """The turn whose mayhem nobody resolved in time."""
    verdict: Verdict
    payer: int | None
    """Who pays; None: what comes off leaves the game."""

    def _own(self, say: Say) -> dict[str, object]:
        return {"since": self.since, **_verdict_to_dict(self.verdict), "payer": self.payer}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped(Line):
    """An event of a verdict was carried out."""

    event: ClassVar[str] = "step"
    step: Event

    def _own(self, say: Say) -> dict[str, object]:
        return {"step": event_to_dict(self.step)}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongStep(Line):
    """A step was done wrongly."""

    event: ClassVar[str] = "wrong-step"
    right: tuple[str, ...]
    """The tables that would be right, the nearest first."""
    sentence: Sentence

    def _own(self, say: Say) -> dict[str, object]:
        return {"right": list(self.right), "text": say(self.sentence)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed(Line):
    """What was done wrongly was put right."""

    event: ClassVar[str] = "fixed"


@dataclass(frozen=True, slots=True)
class Doubt:
    """One place that a question is about."""

    row: int
    slot: int
    """In the line's layout."""
    codes: tuple[str, ...]
    """What may lie there or was placed there, likeliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Line):
    """The referee must ask."""

    event: ClassVar[str] = "question"
    doubts: tuple[Doubt, ...]
    sentence: Sentence

    def _own(self, say: Say) -> dict[str, object]:
        tiles = [{"row": doubt.row, "slot": doubt.slot, "codes": list(doubt.codes)} for doubt in self.doubts]
        return {"tiles": tiles, "text": say(self.sentence)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(Line):
    """Something that people should know, and need not answer."""

    event: ClassVar[str] = "notice"
    sentence: Sentence | str
    """A text is one that came from outside, in the user's language already."""

    def _own(self, say: Say) -> dict[str, object]:
        return {"text": self.sentence if isinstance(self.sentence, str) else say(self.sentence)}


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Line):
    """The game is over."""

    event: ClassVar[str] = "end"
    winner: int

    def _own(self, say: Say) -> dict[str, object]:
        return {"winner": self.winner}
