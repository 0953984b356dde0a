"""One game: players, stocks, turns, missed mayhem. Rule 5.

A `Game` is one moment. Each method returns the moment after it, and `undo` the one before. The table
of a game is the table as it lies: `place` puts the tile down, and the mayhem it causes is carried out
by `step`, `choose` and `roll`, or all at once by `settle`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from referee.errors import ChoiceError, Fault, TileError
from referee.rules.events import Direction, Event, Need, payer_of, removed_by, taken_by
from referee.rules.layout import Layout
from referee.rules.options import DEFAULTS, Options
from referee.rules.placement import Slot, find_places, place_tile
from referee.rules.resolve import (
    Missed,
    ResolutionState,
    begin,
    begin_placed,
    make_terms,
    resolve_from,
    respond,
    step,
)
from referee.rules.tiles import ALL_TILES, Material, Tile
from referee.rules.verdict import Verdict

Variant = Missed
"""Family or strategy: the variant of a game is what decides about its missed mayhem."""

TILE_COUNT = len(ALL_TILES)
HAND_SIZE = 5


class Voice(Enum):
    """When the referee speaks. Rule 5, missed mayhem."""

    ANNOUNCE = "announce"
    SILENT = "silent"


class Whereabouts(Enum):
    """Where a tile is. Rule 5: always in exactly one of these."""

    STOCKS = "stocks"
    PYRAMID = "pyramid"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Setup:
    """What is agreed before the first turn. Rule 5 (English, French rulebooks)."""

    players: int = 2
    variant: Variant = Variant.FAMILY
    voice: Voice = Voice.ANNOUNCE
    options: Options = DEFAULTS
    left_over: tuple[Tile, ...] = ()
    """The 45 % players tiles that nobody got, in the order drawn."""

    @property
    def share(self) -> int:
        """How many tiles each player gets."""
        return TILE_COUNT // self.players


@dataclass(frozen=True, slots=True)
class Place:
    """The active player places a tile; slots are canonical ones."""

    tile: Tile
    row: int
    slot: int


@dataclass(frozen=True, slots=True)
class Step:
    """The next event of the verdict is carried out."""


@dataclass(frozen=True, slots=True)
class Choose:
    """The chooser says where the tile falls to."""

    direction: Direction


@dataclass(frozen=True, slots=True)
class Roll:
    """The fire die is rolled."""

    roll: int


@dataclass(frozen=True, slots=True)
class Accept:
    """The next player says OK."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Somebody calls for a check, or says that mayhem was missed."""


@dataclass(frozen=True, slots=True)
class Correct:
    """The people put right what the referee knows of the table."""

    layout: Layout
    stocks: tuple[int, ...]
    out: tuple[Tile, ...]
    turn: int | None = None
    """The turn whose tile lies; None leaves it as it is."""
    need: Need | None = None
    """The answer that is still needed after it."""


Action = Place | Step | Choose | Roll | Accept | Challenge | Correct


@dataclass(frozen=True, slots=True)
class Taking:
    """What one event put under one pile, or out of the game."""

    turn: int
    player: int | None
    """None: the tiles left the game."""
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """One moment of a game. Start with `start_game`."""

    setup: Setup
    state: ResolutionState
    """The table as it lies, who pays and chooses now, and what is needed."""
    stocks: tuple[int, ...]
    """Each player's tiles, hand and pile together."""
    out: tuple[Tile, ...] = ()
    """Tiles that left the game, in order."""
    turn: int = 1
    active: int = 0
    has_placed: bool = False
    """Whether the active player's tile of this turn lies."""
    missed_since: int | None = None
    """The turn since which mayhem lies that nobody resolved in time."""
    is_called: bool = False
    """Whether somebody called for a check since the last placement."""
    events: tuple[Event, ...] = ()
    """What was carried out since the last placement, OK or start of an interruption."""
    takings: tuple[Taking, ...] = ()
    """Who took what when, over the whole game."""
    winner: int | None = None
    actions: tuple[Action, ...] = ()
    """All that led here, in order."""
    before: Game | None = field(default=None, compare=False, repr=False)
    """The moment before the last action."""

    @property
    def layout(self) -> Layout:
        """The table as it lies."""
        return self.state.layout

    @property
    def options(self) -> Options:
        """The settings of the game."""
        return self.setup.options

    @property
    def needs(self) -> Need | None:
        """What stops the resolution now, if anything does."""
        return self.state.need

    @property
    def is_stable(self) -> bool:
        """Whether no check hits. Rule 4."""
        return self.state.need is None and step(self.state, self.options) is None

    @property
    def waits_since(self) -> int | None:
        """The turn since which mayhem waits to be resolved, missed or not; None where none does. Rule 5."""
        if self.is_stable:
            return None
        return self.turn if self.missed_since is None else self.missed_since

    @property
    def pending(self) -> Verdict:
        """What must be carried out now, as far as no answer is needed. Rule 4."""
        found = resolve_from(self.state, self.options)
        return Verdict(found.events, found.needs, certain=True)

    @property
    def announced(self) -> Verdict | None:
        """What the referee says now; None while the silent voice keeps it back. Rule 5, missed mayhem."""
        if self.setup.voice is Voice.SILENT and not self.is_called and self.winner is None:
            return None
        return self.pending

    @property
    def places(self) -> list[Slot]:
        """Where the next tile may go. Rule 3."""
        return find_places(self.layout)

    def whereabouts(self, tile: Tile) -> Whereabouts:
        """Return where a tile is. Rule 5."""
        if tile in self.out:
            return Whereabouts.OUT
        return Whereabouts.STOCKS if self.layout.find(tile) is None else Whereabouts.PYRAMID

    def hand_and_pile(self, player: int) -> tuple[int, int]:
        """Return how many tiles a player holds in hand, and how many lie in the pile. Rule 5."""
        hand = min(HAND_SIZE, self.stocks[player])
        return hand, self.stocks[player] - hand

    def play(self, action: Action) -> Game:
        """Return the moment after an action.

        Raises:
            ChoiceError: The action does not fit this moment.
            TileError: The tile is not in anybody's stock.
            PlacementError: The tile may not go there.
        """
        match action:
            case Place(tile, row, slot):
                return self.place(tile, row, slot)
            case Step():
                return self.step()
            case Choose(direction):
                return self.choose(direction)
            case Roll(roll):
                return self.roll(roll)
            case Accept():
                return self.accept()
            case Challenge():
                return self.challenge()
            case _:
                return self.correct(action.layout, action.stocks, action.out, action.turn, action.need)

    def place(self, tile: Tile, row: int, slot: int) -> Game:
        """Return the game after the active player placed a tile. Rules 3 and 5.

        Where the active player's tile lies already, the next player places this one, which says OK to
        it; mayhem that lies there then counts as missed (French rulebook).

        Raises:
            ChoiceError: The game is over.
            TileError: The tile is not in anybody's stock.
            PlacementError: The tile may not go there.
        """
        game = self._pass_turn() if self.has_placed else self
        game._refuse_after_end()
        if game.whereabouts(tile) is Whereabouts.OUT:
            raise TileError(Fault.TILE_LEFT_GAME, code=tile.code)
        layout = place_tile(game.layout, tile, row, slot)
        missed = self.setup.variant if game.missed_since is not None else None
        terms = make_terms(self.setup.players, game.active, missed)
        state = begin_placed(layout, tile, terms, self.options)
        if state.spark is None:
            # A contact of the turn before for which nobody rolled is missed mayhem as well.
            state = replace(state, spark=game.state.spark)
        stocks = _added(game.stocks, game.active, -1)
        return replace(
            game, state=state, stocks=stocks, has_placed=True, is_called=False, events=()
        )._done(Place(tile, row, slot), self)  # fmt: skip

    def step(self) -> Game:
        """Return the game after the next event was carried out. Rule 4.

        Raises:
            ChoiceError: Nothing happens by itself: an answer is needed, or the pyramid is stable.
        """
        done = step(self.state, self.options)
        if done is None:
            raise ChoiceError(Fault.NOTHING_HAPPENS, layout=str(self.layout))
        event, state = done
        return self._after([] if event is None else [event], state)._done(Step(), self)

    def choose(self, direction: Direction) -> Game:
        """Return the game after the waiting tile fell. Rules 4.1 and 4.2.

        Raises:
            ChoiceError: No tile waits.
        """
        return self._after(*respond(self.state, direction, self.options))._done(Choose(direction), self)

    def roll(self, roll: int) -> Game:
        """Return the game after the fire die was rolled. Rule 4, fire die.

        Raises:
            ChoiceError: Nobody is to roll, or no die shows this.
        """
        return self._after(*respond(self.state, roll, self.options))._done(Roll(roll), self)

    def settle(self) -> Game:
        """Return the game after all that happens by itself; stable, or in need of an answer. Rule 4."""
        game = self
        while game.needs is None and not game.is_stable:
            game = game.step()
        return game

    def accept(self) -> Game:
        """Return the game after the next player said OK and is the active one. Rule 5 (French rulebook).

        Raises:
            ChoiceError: The active player has not placed a tile, or the game is over.
        """
        self._refuse_after_end()
        if not self.has_placed:
            raise ChoiceError(Fault.NOTHING_TO_ACCEPT, number=self.active + 1)
        return self._pass_turn()._done(Accept(), self)

    def challenge(self) -> Game:
        """Return the game after a check was called for: what `announced` says is said now. Rule 5."""
        return replace(self, is_called=True)._done(Challenge(), self)

    def correct(
        self,
        layout: Layout,
        stocks: Sequence[int] | None = None,
        out: Sequence[Tile] | None = None,
        turn: int | None = None,
        need: Need | None = None,
    ) -> Game:
        """Return the game after people put right what is known of the table.

        Args:
            layout: The table as it lies.
            stocks: Each player's tiles; None leaves them as they are.
            out: The tiles out of the game; None leaves them as they are.
            turn: The turn whose tile lies now, from 1; None leaves it as it is.
            need: The answer that is still needed; None: what lies there is judged anew.

        Raises:
            ChoiceError: The tiles do not add up to 45, or one is in two places.
        """
        stocks = self.stocks if stocks is None else tuple(stocks)
        out = self.out if out is None else tuple(out)
        total = len(layout) + sum(stocks) + len(out)
        if total != TILE_COUNT or len(stocks) != self.setup.players or min(stocks) < 0:
            written = ", ".join(map(str, stocks))
            raise ChoiceError(
                Fault.WRONG_TOTAL, layout=str(layout), stocks=written, out=len(out), total=total
            )
        for tile in out:
            if layout.find(tile) is not None:
                raise ChoiceError(Fault.TILE_IN_TWO_PLACES, code=tile.code)
        state = ResolutionState(layout, self.state.terms, self.state.spark, need)
        corrected = replace(self, state=state, stocks=stocks, out=out)
        if turn is not None:
            active = (turn - 1) % self.setup.players
            missed = self.setup.variant if self.missed_since is not None else None
            state = replace(state, terms=make_terms(self.setup.players, active, missed))
            corrected = replace(corrected, state=state, turn=turn, active=active, has_placed=True)
        return corrected._done(Correct(layout, stocks, out, turn, need), self)

    def undo(self) -> Game:
        """Return the moment before the last action; the start stays the start."""
        return self if self.before is None else self.before

    def _refuse_after_end(self) -> None:
        if self.winner is not None:
            raise ChoiceError(Fault.GAME_OVER, number=self.winner + 1)

    def _pass_turn(self) -> Game:
        """Return the game with the next player active. Rule 5: mayhem that still lies counts as missed."""
        if self.stocks[self.active] == 0:
            return replace(self, winner=self.active)
        following = (self.active + 1) % self.setup.players
        missed_since, state = self.waits_since, begin(self.layout, make_terms(self.setup.players, following))
        if missed_since is not None:
            terms = make_terms(self.setup.players, following, self.setup.variant)
            state = ResolutionState(self.layout, terms, self.state.spark)
        return replace(self, state=state, turn=self.turn + 1, active=following, has_placed=False,
                       missed_since=missed_since, events=())  # fmt: skip

    def _after(self, events: Sequence[Event], state: ResolutionState) -> Game:
        """Return the game after some events: what came off is booked. Rules 4 and 5."""
        stocks, out, takings = self.stocks, self.out, self.takings
        for event in events:
            taken, removed = taken_by(event), removed_by(event)
            payer = payer_of(event)
            if taken and payer is not None:
                stocks = _added(stocks, payer, len(taken))
                takings = (*takings, Taking(self.turn, payer, taken))
            gone = removed if payer is not None else taken + removed
            if gone:
                out += gone
                takings = (*takings, Taking(self.turn, None, gone))
        return replace(self, state=state, stocks=stocks, out=out, takings=takings,
                       events=(*self.events, *events))  # fmt: skip

    def _done(self, action: Action, before: Game) -> Game:
        """Return the game with an action noted, and the end of an interruption or the game seen. Rule 5."""
        game = replace(self, actions=(*before.actions, action), before=before)
        if not game.is_stable:
            return game
        if game.missed_since is not None:
            game = _after_interruption(game)
        # In the strategy variant the next player's OK comes first.
        if game.setup.variant is Variant.FAMILY and game.has_placed and game.stocks[game.active] == 0:
            game = replace(game, winner=game.active)
        return game


def _after_interruption(game: Game) -> Game:
    """Return a game whose missed mayhem is resolved: all is as usual again. Rule 5."""
    terms = make_terms(game.setup.players, game.active)
    return replace(game, missed_since=None, state=begin(game.layout, terms))


def _added(stocks: tuple[int, ...], player: int, count: int) -> tuple[int, ...]:
    """Return the stocks with some tiles more for one player."""
    return (*stocks[:player], stocks[player] + count, *stocks[player + 1 :])


def start_game(setup: Setup) -> Game:
    """Return the start of a game, left-over tiles side by side. Rule 5 (English, French rulebooks).

    Raises:
        ChoiceError: Not 2 to 6 players, or the left-over tiles are not as many as are left over.
        TileError: A left-over tile is named twice.
    """
    if not 2 <= setup.players <= 6:
        raise ChoiceError(Fault.WRONG_PLAYERS, players=setup.players)
    left = TILE_COUNT - setup.players * setup.share
    if len(setup.left_over) != left:
        raise ChoiceError(Fault.WRONG_LEFT_OVER, players=setup.players, left=left, found=len(setup.left_over))
    if len(set(setup.left_over)) != left:
        raise TileError(Fault.DOUBLE_LEFT_OVER)
    out = tuple(tile for tile in setup.left_over if tile.material is Material.INCENDIARY)
    row = [tile for tile in setup.left_over if tile not in out]
    layout = Layout.from_tiles({(0, slot): tile for slot, tile in enumerate(row)})
    state = begin(layout, make_terms(setup.players))
    return Game(setup, state, (setup.share,) * setup.players, out)
