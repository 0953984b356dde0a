"""What `watch` said, as sentences, and what was said in each turn of a game.

What is said has the form of `watch --json`: one object with `event`, `turn`, `player`, `layout`, … for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.errors import RefereeError
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
from referee.rules.layout import EMPTY
from referee.rules.tiles import Tile
from referee.rules.verdict import Verdict
from ui.storage.game_store import Entry, EntryKind
from ui.text.sentences import Names, _, numbered_steps, player_name, tile_name, tile_names

Said = Mapping[str, Any]


@dataclass(slots=True)
class Turn:
    """What happened in one turn."""

    number: int
    player: int
    said: list[dict[str, Any]] = field(default_factory=list)
    picture: int | None = None
    """Number of the entry with the first picture of the turn; None where there is none."""

    @property
    def layout(self) -> str:
        """The first layout of the turn that was told."""
        return next((str(said["layout"]) for said in self.said if said.get("layout")), "-")


def turns_of(entries: Iterable[Entry]) -> list[Turn]:
    """Return the turns of a game; one that was taken up again after another is there twice."""
    turns: list[Turn] = []
    picture = None
    for entry in entries:
        if entry.kind is not EntryKind.SAID:
            picture = entry.number if entry.has_picture else None
            continue
        number, player = entry.content.get("turn"), entry.content.get("player")
        if type(number) is not int or type(player) is not int:
            number, player = (turns[-1].number, turns[-1].player) if turns else (1, 0)
        if not turns or turns[-1].number != number:
            turns.append(Turn(number, player))
        turns[-1].said.append(entry.content)
        if turns[-1].picture is None:
            turns[-1].picture = picture
    return turns


def turn_heading(turn: Turn, names: Names) -> str:
    """Return a turn's number and player, such as "Turn 3, player 2"."""
    return _("Turn {turn}, {player}").format(turn=turn.number, player=called(turn.player, names))


def called(player: int, names: Names) -> str:
    """Return what a player is called."""
    if names is None or isinstance(names, int) or not 0 <= player < len(names):
        return player_name(player)
    return plain(names[player])


def plain(text: str) -> str:
    """Return a text that may come from elsewhere without what a terminal takes for commands."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text)


def said_sentences(said: Said, names: Names) -> list[str]:
    """Return one thing that was said as sentences for people; what is not understood is told as such.

    Args:
        said: As `watch --json` prints it; need not be well formed.
        names: How players are called.
    """
    try:
        return [plain(sentence) for sentence in _sentences(said, names)]
    except (RefereeError, KeyError, TypeError, ValueError, IndexError, AttributeError):
        return [_("Something was said here that this version does not understand.")]


def _sentences(said: Said, names: Names) -> list[str]:
    """Return the sentences for something well formed; raises all sorts of errors otherwise."""
    match said["event"]:
        case "placed":
            return [_("Placed: {tile}.").format(tile=tile_name(said["tile"]))]
        case "verdict":
            return _steps(said, names)
        case "step":
            return [_done(_event(said["step"]))]
        case "fixed":
            return [str(said.get("text") or _("The step that was done wrongly was put right."))]
        case "missed":
            since = _("Missed since turn {turn}:").format(turn=int(said["since"]))
            return [since, *_steps(said, names)]
        case "end":
            winner = said["winner"]
            if winner is None:
                return [_("The game is over.")]
            return [_("The game is over. The winner: {player}.").format(player=called(winner, names))]
    return [str(said["text"])]


def _steps(said: Said, names: Names) -> list[str]:
    """Return a verdict as numbered steps."""
    events = tuple(_event(event) for event in said["verdict"])
    return numbered_steps(Verdict(events, _need(said.get("needs")), certain=True), names)


def _done(event: Event) -> str:
    """Return that a step was carried out; why and who pays was said with the verdict."""
    match event:
        case Air(tile):
            return _("Done: {tile} was in free air.").format(tile=tile_name(tile))
        case Collapse(tile, _reasons, taken):
            return _("Done: collapse of {tile}; {taken} came off.").format(
                tile=tile_name(tile), taken=tile_names(taken)
            )
        case Fall(tile, Direction.LEFT):
            return _("Done: {tile} fell to the left.").format(tile=tile_name(tile))
        case Fall(tile):
            return _("Done: {tile} fell to the right.").format(tile=tile_name(tile))
        case Explosion(tiles):
            return _("Done: explosion of {tiles}.").format(tiles=tile_names(tiles))
        case Fire(tile, taken):
            if not taken:
                return _("Done: fire of {tile}; nothing burned.").format(tile=tile_name(tile))
            return _("Done: fire of {tile}; {taken} came off.").format(
                tile=tile_name(tile), taken=tile_names(taken)
            )
        case Curse(tiles):
            return _("Done: curse of {tiles}.").format(tiles=tile_names(tiles))
        case Die(roll):
            return _("Done: the fire die shows {roll}.").format(roll=roll)


def _event(found: Said) -> Event:
    """Return an event from what `judge` and `watch` write; its layout is left empty."""
    taken, payer, chooser = _tiles(found.get("taken", ())), found.get("payer"), found.get("chooser")
    match found["event"]:
        case "air":
            return Air(_tile(found["tile"]), chooser, EMPTY)
        case "collapse":
            reasons = tuple(Reason(reason) for reason in found["reasons"])
            return Collapse(_tile(found["tile"]), reasons, taken, payer, EMPTY)
        case "fall":
            return Fall(_tile(found["tile"]), Direction(found["direction"]), chooser, EMPTY)
        case "explosion":
            return Explosion(_tiles(found["tiles"]), taken, payer, EMPTY)
        case "fire":
            return Fire(_tile(found["tile"]), taken, payer, bool(found["leaves"]), EMPTY)
        case "curse":
            return Curse(_tiles(found["tiles"]), taken, payer, EMPTY)
        case "die":
            return Die(int(found["roll"]), EMPTY)
    raise ValueError(found["event"])


def _need(found: Said | None) -> Need | None:
    if found is None:
        return None
    if found["choice"] == "die":
        return DieNeed()
    return FallNeed(_tile(found["tile"]), found.get("chooser"), 0)


def _tile(code: object) -> Tile:
    return Tile.from_code(str(code))


def _tiles(codes: Iterable[object]) -> tuple[Tile, ...]:
    return tuple(_tile(code) for code in codes)
