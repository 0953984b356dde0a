"""What was said of a game, folded into what stands now: the open verdict, what is wrong, and the turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ui.services.replay import Heard
from ui.storage.game_store import EntryKind

Said = Mapping[str, Any]
_SPOKEN = ("verdict", "missed")


@dataclass(slots=True)
class StoryTurn:
    """What was said in one turn."""

    number: int
    player: int
    said: list[Said] = field(default_factory=list)
    input: int | None = None
    """The number of the input with which it began."""

    @property
    def layout(self) -> str:
        """The first layout that was told."""
        return next((str(said["layout"]) for said in self.said if said.get("layout")), "-")

    @property
    def was_mayhem(self) -> bool:
        """Whether mayhem was announced or carried out."""
        return any(said["event"] in (*_SPOKEN, "step") for said in self.said)


@dataclass(slots=True)
class Story:
    """Where a game stands, as far as it was said: what the silent voice keeps back is not here."""

    open: Said | None = None
    """The verdict, or missed mayhem, that must be resolved; its `verdict` holds what is left of it."""
    wrong: Said | None = None
    """A step that was done wrongly and not put right yet."""
    notice: Said | None = None
    """What was said last, if people need not answer it."""
    winner: int | None = None
    has_ended: bool = False
    steps_done: int = 0
    """Events carried out since the last placement."""
    placed: dict[int, str] = field(default_factory=dict)
    """Player -> the tile placed last."""
    turns: list[StoryTurn] = field(default_factory=list)


def tell_story(heard: Iterable[Heard]) -> Story:
    """Return where a game stands after the inputs that count, and what was said to them."""
    story = Story()
    for each in heard:
        if each.content.get("input") == EntryKind.NOTICE.value:
            continue  # the camera's own; a strip tells it as long as it holds
        story.notice = None
        for said in each.said:
            _TELLING.get(str(said.get("event")), _nothing)(story, said)
            _note_turn(story, said, each.number)
    return story


def _note_turn(story: Story, said: Said, number: int) -> None:
    turn, player = int(said["turn"]), int(said["player"])
    if not story.turns or story.turns[-1].number != turn:
        story.turns.append(StoryTurn(turn, player, input=number))
    story.turns[-1].said.append(said)


def _placed(story: Story, said: Said) -> None:
    story.open = story.wrong = None
    story.steps_done = 0
    story.placed[int(said["player"])] = str(said["tile"])


def _announced(story: Story, said: Said) -> None:
    story.open = said
    story.wrong = None


def _stepped(story: Story, said: Said) -> None:
    story.wrong = None
    story.steps_done += 1
    if story.open is None:
        return
    events = list(story.open["verdict"])
    if events and events[0] != said["step"]:
        story.open = None
        return
    needs = story.open["needs"] if events else None
    story.open = {**story.open, "verdict": events[1:], "needs": needs} if events[1:] or needs else None


def _wrong(story: Story, said: Said) -> None:
    story.wrong = said


def _fixed(story: Story, _said: Said) -> None:
    story.wrong = None


def _notice(story: Story, said: Said) -> None:
    story.notice = said


def _end(story: Story, said: Said) -> None:
    story.has_ended, story.winner = True, said.get("winner")
    story.open = None


def _nothing(_story: Story, _said: Said) -> None:
    pass


_TELLING: Mapping[str, Callable[[Story, Said], None]] = {
    "placed": _placed,
    "verdict": _announced,
    "missed": _announced,
    "step": _stepped,
    "wrong-step": _wrong,
    "fixed": _fixed,
    "notice": _notice,
    "end": _end,
}
