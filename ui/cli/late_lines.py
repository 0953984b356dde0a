"""Lines of a game in which nobody answers, told once the tiles in them can be read. Rule 5.

Where nobody says what cannot be read, the game goes on with another tile in its place, and so would the
table of every line from then on. A recording has time: such lines wait until the tile is read, or until the
recording ends, and are told with its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from referee.rules.game import Game, Place
from referee.rules.layout import Layout, row_of, slot_of
from referee.rules.tiles import Tile
from referee.tracking.announcements import Announcement, Remark, Remarked, TilePlaced
from referee.tracking.follower import Follower

_CODE = re.compile("[A-Z][0-9]+")
"""A tile in a layout. Rule 1."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A line that waits."""

    line: Announcement
    known: int
    """How many tiles had been renamed when it was said."""
    waits: bool = False
    """Whether it tells that a tile was placed that could not be read; it is told if that was read since."""


class LateLines:
    """Holds lines back while a tile on the table cannot be read."""

    def __init__(self) -> None:
        """Begin without a line."""
        self._held: list[_Held] = []

    def hear(self, said: Sequence[Announcement], follower: Follower) -> list[Announcement]:
        """Return what can be told by now.

        Args:
            said: What the follower just said.
            follower: It.
        """
        known, since = len(follower.renamed), len(self._held)
        self._held += [_Held(line, known) for line in said]
        for line in said:
            if isinstance(line, Remarked) and line.remark is Remark.SET_ASIDE:
                self._wait_for(line, since, known, follower.game)
        return [] if follower.unread else self._tell(follower)

    def close(self, said: Sequence[Announcement], follower: Follower) -> list[Announcement]:
        """Return what was held back and what was said last, when nothing more will be heard."""
        return [*self.hear(said, follower), *self._tell(follower)]

    def _tell(self, follower: Follower) -> list[Announcement]:
        """Return what was held back, with the names that the tiles have now."""
        held, self._held = self._held, []
        lines = [_renamed(each.line, _names(follower.renamed[each.known :])) for each in held]
        told = {_placement(line) for each, line in zip(held, lines, strict=True) if not each.waits}
        read = {tile for line in lines if isinstance(line, Remarked) for tile in line.tiles}
        read |= {tile for tile in follower.game.layout.cells.values() if tile not in follower.unread}
        return [
            line
            for each, line in zip(held, lines, strict=True)
            if not each.waits or (line.tile in read and _placement(line) not in told)
        ]

    def _wait_for(self, remark: Remarked, since: int, known: int, game: Game) -> None:
        """Hold, too, that a tile that was set aside was placed: before what was said of the time after it."""
        tile = Layout.parse(remark.layout).get(remark.row, remark.slot)
        moment = None if tile is None else _placing(tile, game)
        if moment is None or tile is None:
            return
        place = moment.layout.place_of(tile)
        line = TilePlaced(
            tile=tile,
            row=row_of(place),
            slot=slot_of(place),
            turn=moment.turn,
            player=moment.active,
            layout=str(moment.layout),
            stocks=moment.stocks,
            time_s=remark.time_s,
        )
        held = self._held
        later = (
            at
            for at in range(since, len(held))
            if held[at].line.turn >= moment.turn and not isinstance(held[at].line, Remarked)
        )
        held.insert(next(later, len(held)), _Held(line, known, waits=True))


def _placement(line: Announcement) -> tuple[Tile, int] | None:
    """Return which tile a line tells was placed, and in which turn; None for any other line."""
    return (line.tile, line.turn) if isinstance(line, TilePlaced) else None


def _placing(tile: Tile, game: Game) -> Game | None:
    """Return the last moment of a game at which a tile was placed."""
    moment: Game | None = game
    while moment is not None:
        last = moment.actions[-1] if moment.actions else None
        if isinstance(last, Place) and last.tile is tile:
            return moment
        moment = moment.before
    return None


def _names(renamed: Sequence[tuple[Tile, Tile]]) -> dict[Tile, Tile]:
    """Return the names that tiles have after others took their places, one after the other."""
    names: dict[Tile, Tile] = {}
    for old, new in renamed:
        names = {old: old, new: new} | names
        swapped = {old: new, new: old}
        names = {tile: swapped.get(name, name) for tile, name in names.items()}
    return names


def _renamed(value: Any, names: Mapping[Tile, Tile]) -> Any:
    """Return a line, or a part of one, with other names for some tiles."""
    if not names or isinstance(value, Enum):
        return value
    if isinstance(value, Tile):
        return names.get(value, value)
    if isinstance(value, Layout):
        return Layout({place: names.get(tile, tile) for place, tile in value.cells.items()})
    if isinstance(value, tuple):
        return tuple(_renamed(each, names) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {each.name: _renamed(getattr(value, each.name), names) for each in fields(value) if each.init}
        if isinstance(value, Announcement):
            by_code = {tile.code: name.code for tile, name in names.items()}
            parts["layout"] = _CODE.sub(lambda found: by_code.get(found[0], found[0]), value.layout)
        return replace(value, **parts)
    return value
