"""Put into lines what happened and what must be resolved, in the voice of the game. Rule 5."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import TypedDict

from referee.rules.events import Event, FallNeed, taken_by, tiles_of
from referee.rules.game import Action, Correct, Game, Place, Roll, Voice
from referee.rules.layout import Layout, row_of, slot_of
from referee.rules.resolve import ResolutionState, resolve_from
from referee.rules.tiles import Tile
from referee.rules.verdict import Verdict, common_resolution
from referee.search.hypotheses import UnreadTile
from referee.tracking.announcements import (
    Announcement,
    GameOver,
    MayhemFound,
    MayhemMissed,
    Remark,
    Remarked,
    StepDone,
    StepFixed,
    StepWrong,
    TilePlaced,
)

NOTHING = Verdict((), None, certain=True)

_SPOKEN_LATER = (MayhemFound, MayhemMissed, StepWrong)
"""What the silent voice keeps back. Rule 5, missed mayhem."""


class _Now(TypedDict):
    turn: int
    player: int
    layout: str
    stocks: tuple[int, ...]
    time_s: float


class Announcer:
    """Holds the game as far as it is certain, and says what happens in it."""

    def __init__(self, game: Game) -> None:
        """Begin with a game of which nothing was said yet."""
        self.game = game
        self.time_s = 0.0
        self.table = str(game.layout)
        """The settled table that the lines are about."""
        self.unread: dict[Tile, UnreadTile] = {}
        self.renamed: list[tuple[Tile, Tile]] = []
        """Which tile stood for one that could not be read, and which one has stood for it since; in order."""
        self.rolled = 0
        """What the fire die showed since the last placement, as people said; 0 where they did not."""
        self._announced = NOTHING
        """What is left of what was announced last."""
        self._kept: list[Announcement] = []
        self._is_called = False

    def now(self) -> _Now:
        """Return what every line tells."""
        game = self.game
        return {"turn": game.turn, "player": game.active, "layout": self.table, "stocks": game.stocks,
                "time_s": self.time_s}  # fmt: skip

    def tell(
        self,
        actions: Sequence[Action],
        untold: Container[int] = (),
        settled: Sequence[Game] = (),
        perhaps_in_time: Container[int] = (),
    ) -> list[Announcement]:
        """Play actions that are certain, and return what is said of them.

        Args:
            actions: They lead on from the game.
            untold: Indices of actions that are not told, for nobody knows what they were.
            settled: Moments on the way at which the table was seen at rest; what led to one is told of it.
            perhaps_in_time: Indices of placements before which what was due may have been resolved.
        """
        lines: list[Announcement] = []
        table = self.table
        for index, action in enumerate(actions):
            before = self.game
            game = self.game = self._as_told(before, action)
            self.table = _table_of(game, actions[index : index + 2], settled) or table
            if isinstance(action, Place):
                self._announced, self._is_called, self.rolled = NOTHING, False, 0
                if index not in untold:
                    lines.append(self.placed(action.tile))
                lines += [] if index in perhaps_in_time else self.missed()
            elif isinstance(action, Correct):
                self._announced = NOTHING
                new = [tile for tile in game.layout.cells.values() if before.layout.find(tile) is None]
                is_placed = action.turn is not None and len(new) == 1 and game.turn > before.turn
                if is_placed and index not in untold:
                    lines.append(self.placed(new[0]))
            else:
                for event in game.events[len(before.events) :]:
                    if index not in untold and not self._hangs_on_unread(event):
                        lines.append(StepDone(step=event, **self.now()))
                    self._announced = _left(self._announced, event)
        self.table = table
        return lines

    def rename(self, unread: dict[Tile, UnreadTile]) -> None:
        """Let other tiles stand for those that cannot be read.

        Args:
            unread: The tiles that stand for some from now on; it is added to and taken from.
        """
        gone = [tile for tile in self.unread if tile not in unread]
        self.renamed += zip(gone, [tile for tile in unread if tile not in self.unread], strict=False)
        self.unread = unread

    def _as_told(self, before: Game, action: Action) -> Game:
        """Return the game after an action; of several rolls that do the same, the one that was told."""
        after = before.play(action)
        if not isinstance(action, Roll) or not self.rolled:
            return after
        told = before.roll(self.rolled)
        is_same = (told.state, told.stocks, set(told.out)) == (after.state, after.stocks, set(after.out))
        return told if is_same else after

    def _hangs_on_unread(self, event: Event) -> bool:
        """Whether a tile of an event stands for one that cannot be read."""
        return any(tile in self.unread for tile in (*tiles_of(event), *taken_by(event)))

    def placed(self, tile: Tile, unread: UnreadTile | None = None) -> TilePlaced:
        """Return that a tile was placed, now or, where it could not be read so far, before."""
        place = self.game.layout.place_of(tile)
        now = self.now()
        if unread is not None:
            now |= {"turn": unread.turn, "player": unread.player}
        return TilePlaced(tile=tile, row=row_of(place), slot=slot_of(place), **now)

    def conclude(self) -> list[Announcement]:
        """Return what must be resolved now, unless it was said, and the end of the game."""
        lines: list[Announcement] = []
        pending = self._pending()
        if not _same(pending, self._announced):
            self._announced = pending
            if not _same(pending, NOTHING):
                lines.append(MayhemFound(verdict=pending, **self.now()))
        if self.game.winner is not None:
            lines.append(GameOver(winner=self.game.winner, **self.now()))
        return lines

    def missed(self) -> list[Announcement]:
        """Return the mayhem that was missed, as far as it hangs on no tile that cannot be read."""
        game, pending = self.game, self._pending()
        if game.missed_since is None or _same(pending, NOTHING):
            return []
        self._announced = pending
        payer = game.state.terms.payer
        return [MayhemMissed(since=game.missed_since, verdict=pending, payer=payer, **self.now())]

    def _pending(self) -> Verdict:
        """Return what must be resolved, as far as it hangs on no tile that cannot be read."""
        game = self.game
        states, unnamed = [game.state], set[Tile]()
        for tile, unread in self.unread.items():
            place = game.layout.find(tile)
            others = [other for other in unread.others if game.layout.find(other) is None]
            if place is not None and others:
                unnamed.add(tile)
                states += [_swapped(game.state, place, other) for other in others]
        return _without_names(
            common_resolution([resolve_from(state, game.options) for state in states]), unnamed
        )

    def speak(self, lines: Sequence[Announcement]) -> list[Announcement]:
        """Return those of the lines that the voice says now; the others are kept back. Rule 5."""
        game = self.game
        if game.setup.voice is Voice.ANNOUNCE:
            return list(lines)
        said: list[Announcement] = []
        for line in lines:
            if isinstance(line, GameOver):
                said += [*self.release(), line]
            elif self._is_called or not self._keeps(line):
                said.append(line)
            else:
                if isinstance(line, MayhemMissed):
                    self._kept = [kept for kept in self._kept if not _is_missed_since(kept, line.since)]
                self._kept.append(line)
        self._forget_resolved()
        return said

    def _keeps(self, line: Announcement) -> bool:
        if isinstance(line, StepFixed):
            return any(isinstance(kept, StepWrong) for kept in self._kept)
        return isinstance(line, _SPOKEN_LATER)

    def _forget_resolved(self) -> None:
        """Forget verdicts that were carried out rightly: nobody needs to hear them any more."""
        last = self._kept[-1] if self._kept and not self.game.is_stable else None
        self._kept = [kept for kept in self._kept if not isinstance(kept, MayhemFound) or kept is last]

    def release(self) -> list[Announcement]:
        """Return what was kept back."""
        kept, self._kept = self._kept, []
        return kept

    def check(self, wrong: StepWrong | None) -> list[Announcement]:
        """Return what is said when a check is called: what was kept back, and what is to be done now.

        Args:
            wrong: What was done wrongly and not put right yet.
        """
        since = self.game.missed_since
        lines = [
            line
            for line in self.release()
            if not isinstance(line, MayhemFound)
            and (since is None or not _is_missed_since(line, since))
            and line is not wrong
        ]
        self._is_called = True
        if wrong is not None:
            return [*lines, wrong]
        pending = self._pending()
        if since is not None:
            lines += self.missed()
        elif not _same(pending, NOTHING):
            self._announced = pending
            lines.append(MayhemFound(verdict=pending, **self.now()))
        elif not lines:
            lines.append(self.remark(Remark.STABLE))
        return lines

    def remark(self, remark: Remark, row: int = 0, slot: int = 0, tiles: tuple[Tile, ...] = ()) -> Remarked:
        """Return a remark."""
        return Remarked(remark=remark, row=row, slot=slot, tiles=tiles, **self.now())


def _table_of(game: Game, actions: Sequence[Action], settled: Sequence[Game]) -> str:
    """Return the table that an action is told of: the next one seen at rest; "" where none was.

    Of two tiles that were placed one right after the other the first is told of the table without the second.

    Args:
        game: It, after the action.
        actions: That action, and the next one, if there is one.
        settled: Moments at which the table was seen at rest.
    """
    if [isinstance(each, Place) for each in actions] == [True, True]:
        return str(game.layout)
    seen = (each for each in settled if len(each.actions) >= len(game.actions))
    return next((str(each.layout) for each in seen), "")


def _left(announced: Verdict, event: Event) -> Verdict:
    """Return what is left of a verdict when an event was carried out."""
    if announced.events and announced.events[0] == event:
        return replace(announced, events=announced.events[1:])
    return NOTHING


def _same(one: Verdict, other: Verdict) -> bool:
    return (one.events, one.needs) == (other.events, other.needs)


def _without_names(verdict: Verdict, unnamed: Container[Tile]) -> Verdict:
    """Return a verdict without the fall of a tile that may be another one, as no event names one (411146)."""
    is_named = isinstance(verdict.needs, FallNeed) and verdict.needs.tile in unnamed
    return Verdict(verdict.events, None, certain=False) if is_named else verdict


def _is_missed_since(line: Announcement, since: int) -> bool:
    return isinstance(line, MayhemMissed) and line.since == since


def _swapped(state: ResolutionState, place: int, tile: Tile) -> ResolutionState:
    """Return a state with another tile in a slot."""
    cells = dict(state.layout.cells)
    cells[place] = tile
    return replace(state, layout=Layout(cells))
