"""Put into lines what happened and what must be resolved, in the voice of the game. Rule 5."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from referee.errors import Phrase
from referee.rules.events import Event, taken_by, tiles_of
from referee.rules.game import Action, Correct, Game, Place, Voice
from referee.rules.layout import Layout, row_of, slot_of
from referee.rules.resolve import Standing, resolve_standing
from referee.rules.tiles import Tile
from referee.rules.verdict import Verdict, common_resolution
from referee.tracking.announcements import (
    Announced,
    End,
    Fixed,
    Line,
    Missed,
    Notice,
    Placed,
    Sentence,
    Stepped,
    WrongStep,
)

NOTHING = Verdict((), None, certain=True)

_STABLE = Phrase("Nothing must be resolved: the pyramid is stable.")
_SPOKEN_LATER = (Announced, Missed, WrongStep)
"""What the silent voice keeps back. Rule 5, missed mayhem."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A tile on the table that cannot be read, for which another stands in the game."""

    turn: int
    player: int
    others: tuple[Tile, ...]
    """What it may be instead."""


class _Now(TypedDict):
    turn: int
    player: int
    layout: str
    stocks: tuple[int, ...]
    time_s: float


class Teller:
    """Holds the game as far as it is certain, and says what happens in it."""

    def __init__(self, game: Game) -> None:
        """Begin with a game of which nothing was said yet."""
        self.game = game
        self.time_s = 0.0
        self.table = str(game.layout)
        """The settled table that the lines are about."""
        self.guesses: dict[Tile, Guess] = {}
        self._announced = NOTHING
        """What is left of what was announced last."""
        self._kept: list[Line] = []
        self._is_called = False

    def now(self) -> _Now:
        """Return what every line tells."""
        game = self.game
        return {"turn": game.turn, "player": game.active, "layout": self.table, "stocks": game.stocks,
                "time_s": self.time_s}  # fmt: skip

    def tell(self, actions: Iterable[Action], untold: Container[int] = ()) -> list[Line]:
        """Play actions that are certain, and return what is said of them.

        Args:
            actions: They lead on from the game.
            untold: Indices of actions that are not told, for nobody knows what they were.
        """
        lines: list[Line] = []
        for index, action in enumerate(actions):
            before = self.game
            game = self.game = before.play(action)
            if isinstance(action, Place):
                self._announced, self._is_called = NOTHING, False
                if index not in untold:
                    lines.append(self.placed(action.tile))
                lines += self.missed()
            elif isinstance(action, Correct):
                self._announced = NOTHING
                new = [tile for tile in game.layout.cells.values() if before.layout.find(tile) is None]
                if action.turn is not None and len(new) == 1 and game.turn > before.turn:
                    lines.append(self.placed(new[0]))
            else:
                for event in game.events[len(before.events) :]:
                    if index not in untold and not self._hangs_on_guess(event):
                        lines.append(Stepped(step=event, **self.now()))
                    self._announced = _left(self._announced, event)
        return lines

    def _hangs_on_guess(self, event: Event) -> bool:
        """Whether a tile of an event stands for one that cannot be read."""
        return any(tile in self.guesses for tile in (*tiles_of(event), *taken_by(event)))

    def placed(self, tile: Tile, guess: Guess | None = None) -> Placed:
        """Return that a tile was placed, now or, where it was a guess so far, before."""
        place = self.game.layout.place_of(tile)
        now = self.now()
        if guess is not None:
            now |= {"turn": guess.turn, "player": guess.player}
        return Placed(tile=tile, row=row_of(place), slot=slot_of(place), **now)

    def conclude(self) -> list[Line]:
        """Return what must be resolved now, unless it was said, and the end of the game."""
        lines: list[Line] = []
        pending = self._pending()
        if not _same(pending, self._announced):
            self._announced = pending
            if not _same(pending, NOTHING):
                lines.append(Announced(verdict=pending, **self.now()))
        if self.game.winner is not None:
            lines.append(End(winner=self.game.winner, **self.now()))
        return lines

    def missed(self) -> list[Line]:
        """Return the mayhem that was missed, as far as it hangs on no guess."""
        game, pending = self.game, self._pending()
        if game.missed_since is None or _same(pending, NOTHING):
            return []
        self._announced = pending
        payer = game.standing.terms.payer
        return [Missed(since=game.missed_since, verdict=pending, payer=payer, **self.now())]

    def _pending(self) -> Verdict:
        """Return what must be resolved, as far as it hangs on no guess."""
        game = self.game
        standings = [game.standing]
        for tile, guess in self.guesses.items():
            place = game.layout.find(tile)
            if place is not None:
                standings += [
                    _swapped(game.standing, place, other)
                    for other in guess.others
                    if game.layout.find(other) is None
                ]
        return common_resolution([resolve_standing(standing, game.options) for standing in standings])

    def speak(self, lines: Sequence[Line]) -> list[Line]:
        """Return those of the lines that the voice says now; the others are kept back. Rule 5."""
        game = self.game
        if game.setup.voice is Voice.ANNOUNCE:
            return list(lines)
        said: list[Line] = []
        for line in lines:
            if isinstance(line, End):
                said += [*self.release(), line]
            elif self._is_called or not self._keeps(line):
                said.append(line)
            else:
                if isinstance(line, Missed):
                    self._kept = [kept for kept in self._kept if not _is_missed_since(kept, line.since)]
                self._kept.append(line)
        self._forget_resolved()
        return said

    def _keeps(self, line: Line) -> bool:
        if isinstance(line, Fixed):
            return any(isinstance(kept, WrongStep) for kept in self._kept)
        return isinstance(line, _SPOKEN_LATER)

    def _forget_resolved(self) -> None:
        """Forget verdicts that were carried out rightly: nobody needs to hear them any more."""
        last = self._kept[-1] if self._kept and not self.game.is_stable else None
        self._kept = [kept for kept in self._kept if not isinstance(kept, Announced) or kept is last]

    def release(self) -> list[Line]:
        """Return what was kept back."""
        kept, self._kept = self._kept, []
        return kept

    def check(self, wrong: WrongStep | None) -> list[Line]:
        """Return what is said when a check is called: what was kept back, and what is to be done now.

        Args:
            wrong: What was done wrongly and not put right yet.
        """
        since = self.game.missed_since
        lines = [
            line
            for line in self.release()
            if not isinstance(line, Announced)
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
            lines.append(Announced(verdict=pending, **self.now()))
        elif not lines:
            lines.append(self.notice(Sentence(_STABLE)))
        return lines

    def notice(self, sentence: Sentence | str) -> Notice:
        """Return a notice."""
        return Notice(sentence=sentence, **self.now())


def _left(announced: Verdict, event: Event) -> Verdict:
    """Return what is left of a verdict when an event was carried out."""
    if announced.events and announced.events[0] == event:
        return replace(announced, events=announced.events[1:])
    return NOTHING


def _same(one: Verdict, other: Verdict) -> bool:
    return (one.events, one.needs) == (other.events, other.needs)


def _is_missed_since(line: Line, since: int) -> bool:
    return isinstance(line, Missed) and line.since == since


def _swapped(standing: Standing, place: int, tile: Tile) -> Standing:
    """Return a standing with another tile in a slot."""
    cells = dict(standing.layout.cells)
    cells[place] = tile
    return replace(standing, layout=Layout(cells))
