"""What was said of a game, folded into what stands now: the open verdict, what is wrong, and the turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from referee.rules.events import Die
from referee.rules.tiles import Tile
from referee.tracking.announcements import (
    Announcement,
    GameOver,
    MayhemFound,
    MayhemMissed,
    Remarked,
    StepDone,
    StepFixed,
    StepWrong,
    TilePlaced,
)
from ui.services.challenges import rulings
from ui.services.recorded_turns import find_turn, is_put_back
from ui.services.replay import Heard
from ui.storage.game_entries import EntryKind


@dataclass(slots=True)
class TimelineTurn:
    """What was said in one turn."""

    number: int
    player: int
    said: list[Announcement] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    """For each of these, the number of the input that it was said to."""

    @property
    def input(self) -> int:
        """The number of the input with which it began."""
        return self.inputs[0]

    @property
    def layout(self) -> str:
        """The first layout that was told."""
        return self.said[0].layout

    @property
    def stocks(self) -> tuple[int, ...]:
        """Each player's tiles when that layout was told."""
        return self.said[0].stocks

    @property
    def was_mayhem(self) -> bool:
        """Whether mayhem was announced or carried out."""
        return any(isinstance(said, MayhemFound | MayhemMissed | StepDone) for said in self.said)


@dataclass(slots=True)
class GameTimeline:
    """Where a game stands, as far as it was said: what the silent voice keeps back is not here."""

    open: MayhemFound | MayhemMissed | None = None
    """The verdict, or missed mayhem, that must be resolved; its `verdict` holds what is left of it."""
    wrong: StepWrong | None = None
    """A step that was done wrongly and not put right yet."""
    remark: Remarked | None = None
    """What was said last, if people need not answer it."""
    steps_done: int = 0
    """Events carried out since the last placement."""
    rolled: list[StepDone] = field(default_factory=list)
    """What the fire die showed since the last placement, and what came of it."""
    placed: dict[int, Tile] = field(default_factory=dict)
    """Player -> the tile placed last."""
    turns: list[TimelineTurn] = field(default_factory=list)
    rulings: dict[int, bool] = field(default_factory=dict)
    """Number of an input whose call was challenged -> whether the call was wrong."""


_ASIDE = (EntryKind.NOTICE.value, EntryKind.CHALLENGE.value)
"""Inputs that do not change where the game stands: a notice is told by a strip as long as it holds."""


def fold_timeline(heard: Iterable[Heard]) -> GameTimeline:
    """Return where a game stands after the inputs that count, and what was said to them."""
    heard = list(heard)
    story = GameTimeline(rulings=rulings(each.content for each in heard))
    since = 0
    for each in heard:
        since = len(story.turns) if is_put_back(story.turns, each.content) else since
        if each.content.get("input") in _ASIDE:
            continue
        story.remark = None
        for said in each.said:
            _tell(story, said)
            _note_turn(story, said, each.number, since)
    return story


def _note_turn(story: GameTimeline, said: Announcement, number: int, since: int) -> None:
    turn = find_turn(story.turns, since, said.turn)
    if turn is None:
        turn = TimelineTurn(said.turn, said.player)
        story.turns.append(turn)
    turn.said.append(said)
    turn.inputs.append(number)


def _tell(story: GameTimeline, said: Announcement) -> None:
    """Fold one announcement into where the game stands."""
    match said:
        case TilePlaced(player=player, tile=tile):
            story.open = story.wrong = None
            story.steps_done = 0
            story.rolled = []
            story.placed[player] = tile
        case MayhemFound() | MayhemMissed():
            story.open, story.wrong = said, None
        case StepDone():
            _tell_step(story, said)
        case StepWrong():
            story.wrong = said
        case StepFixed():
            story.wrong = None
        case Remarked():
            story.remark = said
        case GameOver():
            story.open = None


def _tell_step(story: GameTimeline, said: StepDone) -> None:
    """Take a step that was carried out off the open verdict."""
    story.wrong = None
    story.steps_done += 1
    if story.rolled or isinstance(said.step, Die):
        story.rolled.append(said)
    if story.open is None:
        return
    verdict = story.open.verdict
    if verdict.events and verdict.events[0] != said.step:
        story.open = None
        return
    left = replace(verdict, events=verdict.events[1:], needs=verdict.needs if verdict.events else None)
    story.open = replace(story.open, verdict=left) if left.events or left.needs else None
