"""A seeded random game at a table, with the mistakes that people make: what lies, what is read, what is true.

`play_game` plays by the rules engine and plants mistakes at given rates. It returns the moments at which the
table comes to rest, each with the layout that lies there, what a reader makes of it, and the lines that a
referee must say. Positions follow from the layout alone; `bumped` names the tiles that lie askew.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from referee.formats.judge_json import event_to_dict, need_to_dict
from referee.rules.events import Air, DieNeed, Direction, Event, FallNeed, removed_by
from referee.rules.game import Game, Setup, Variant, start_game
from referee.rules.layout import EMPTY, Layout, place_number, row_of, slot_of
from referee.rules.options import FireDie, FireOrder, Options, Overhang
from referee.rules.placement import place_tile
from referee.rules.resolve import begin_placed, make_terms
from referee.rules.resolve import step as resolve_step
from referee.rules.tiles import ALL_TILES, Tile
from referee.search.mistakes import find_differences
from referee.search.observation import ObservedTile, Settled


@dataclass(frozen=True)
class Rates:
    """How often things happen, as chances of 0 to 1."""

    careless: float = 0.15
    """A player places any tile anywhere, rather than one that causes no mayhem."""
    missed: float = 0.12
    """Mayhem is overlooked, and the next player goes on."""
    found: float = 0.5
    """Missed mayhem is found before the next tile is placed."""
    wrong: float = 0.1
    """A step is done wrongly."""
    left: float = 0.15
    """What was done wrongly is not put right, and the next player goes on."""
    together: float = 0.08
    """Something happens before the table came to rest after what was before."""
    hand: float = 0.25
    """The table rests with something over it, before something happens."""
    idle: float = 0.05
    """The table comes to rest and nothing has changed."""
    bumped: float = 0.03
    """A tile is pushed within its slot."""
    unsure: float = 0.02
    """The reader does not vouch for a tile that lies where it lay."""
    unsure_new: float = 0.005
    """The reader does not vouch for a tile that was placed or fell."""
    misread: float = 0.001
    """The reader vouches for a wrong code of a tile that lies where it lay."""


FLAWLESS = Rates(missed=0, wrong=0, together=0, hand=0, idle=0, bumped=0, unsure=0, unsure_new=0, misread=0)
"""A game without mistakes, perfectly seen; players still cause mayhem."""

Said = dict[str, object]
"""What must be said: keys and values of `watch --json`, without layout and time."""


@dataclass(frozen=True)
class Moment:
    """The table at rest."""

    time_s: float
    what: str
    """What led to it: start, placed, step, wrong-step, fixed, bumped, idle or hand."""
    layout: Layout
    """What lies there."""
    bumped: tuple[str, ...]
    """The tiles that lie askew in their slots."""
    settled: Settled
    """What is read."""
    again: Settled
    """What is read a second later: what was misread is read rightly."""
    said: tuple[Said, ...]
    """What must be said now."""
    pending: Said
    """What must be resolved now, said before or not; empty while a mistake lies on the table."""
    game: Game
    """The true game; while a mistake lies on the table, as it was before."""


@dataclass(frozen=True)
class Play:
    """A whole game."""

    setup: Setup
    moments: tuple[Moment, ...]
    turns: int
    planted: int
    """Number of mistakes."""


def random_options(rng: random.Random) -> Options:
    """Return any settings, mostly the common ones."""
    return Options(
        overhang=rng.choice(list(Overhang)),
        fire_order=rng.choice(list(FireOrder)),
        curse=rng.random() < 0.4,
        fire_die=rng.choice([FireDie.OFF, FireDie.OFF, FireDie.NEWER, FireDie.OLDER]),
    )


def play_game(
    seed: int, rates: Rates = Rates(), *, setup: Setup | None = None, max_turns: int = 200
) -> Play:  # fmt: skip
    """Return the game of a seed, with any number of players and any settings unless `setup` says which."""
    rng = random.Random(f"play {seed}")
    if setup is None:
        players = rng.randint(2, 6)
        setup = Setup(players, rng.choice(list(Variant)), options=random_options(rng))
    deck = rng.sample(ALL_TILES, len(ALL_TILES))
    setup = replace(setup, left_over=tuple(deck[setup.players * setup.share :]))
    table = _Table(rng, rates, start_game(setup), deck)
    table.rest("start")
    while table.game.winner is None and table.game.turn < max_turns:
        if not table.play_turn():
            break
    return Play(setup, tuple(table.moments), table.game.turn, table.planted)


@dataclass
class _Table:
    """The table while a game is played at it."""

    rng: random.Random
    rates: Rates
    game: Game
    deck: list[Tile]
    time_s: float = 0.0
    moments: list[Moment] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    """What must be said at the next moment."""
    bumped: list[str] = field(default_factory=list)
    planted: int = 0
    lying: Layout | None = None
    """The table while it is not as the game has it."""

    def __post_init__(self) -> None:
        share = self.game.setup.share
        self.stocks = [self.deck[at * share : (at + 1) * share] for at in range(self.game.setup.players)]
        self.announced: list[object] = []
        self.seen_last = EMPTY
        self.misread: set[Tile] = set()

    # Playing

    def play_turn(self) -> bool:
        """Play one turn; False where nothing can be placed any more."""
        self.distract()
        if not self.place():
            return False
        if self.game.is_stable:
            self.rest("placed")
            return True
        is_die = isinstance(self.game.pending.needs, DieNeed)
        if not self.chance(self.rates.together) or is_die or self.game.missed_since is not None:
            self.rest("placed")
        over = self.game.stocks[self.game.active] == 0
        while not self.game.is_stable:
            # Nobody can tell from the table that the die was not rolled.
            if not over and not is_die and self.lying is None and self.chance(self.rates.missed):
                if self.said:
                    self.rest("step")
                self.planted += 1
                return self.leave_it()
            if not self.resolve_one():
                return True
            is_die = isinstance(self.game.pending.needs, DieNeed)
        if self.game.winner is not None or not self.chance(self.rates.together):
            self.rest_if_changed()
        return True

    def leave_it(self) -> bool:
        """Go on over mayhem that nobody saw, until it is found."""
        while True:
            self.distract()
            if not self.place():
                return False
            self.rest("placed")
            if (
                self.game.winner is not None
                or self.game.stocks[self.game.active] == 0
                or isinstance(self.game.pending.needs, DieNeed)
                or self.chance(self.rates.found)
            ):
                break
        while not self.game.is_stable:
            if not self.resolve_one():
                return True
        self.rest_if_changed()
        return True

    def rest_if_changed(self) -> None:
        """The table comes to rest after a step, unless nothing can be seen of it, such as smoke."""
        if self.said and self.game.layout != self.seen_last:
            self.rest("step")

    def place(self) -> bool:
        """Place a tile of the player whose turn it is."""
        game = self.game
        player = (game.active + 1) % game.setup.players if game.has_placed else game.active
        if game.has_placed and game.stocks[game.active] == 0:
            return False
        options = [(tile, place) for tile in self.stocks[player][:5] for place in game.places]
        if not options:
            return False
        self.rng.shuffle(options)
        choice = options[0]
        if not self.chance(self.rates.careless):
            choice = next((each for each in options if self.is_sound(*each)), choice)
        tile, (row, slot) = choice
        before = game
        self.game = game = game.place(tile, row, slot)
        assert game.active == player
        self.stocks[player].remove(tile)
        self.say("placed", tile=tile.code)
        self.announced = []
        if game.missed_since is not None and not before.is_stable:
            self.say("missed", since=game.missed_since, **self.verdict(), payer=game.state.terms.payer)
            self.announced = self.pending()
        return True

    def is_sound(self, tile: Tile, place: tuple[int, int]) -> bool:
        """Whether a placement causes no mayhem."""
        layout = place_tile(self.game.layout, tile, *place)
        state = begin_placed(layout, tile, make_terms(), self.game.options)
        return resolve_step(state, self.game.options) is None

    def resolve_one(self) -> bool:
        """Carry out the next step, rightly or not; False where a mistake stays and the turn is over."""
        before = self.game
        event, after = self.next_step()
        wrong = self.wrong_table(after) if self.chance(self.rates.wrong) else None
        if wrong is not None:
            if self.said:
                self.rest("step")
            self.distract()
            return self.do_wrongly(event, after, wrong)
        self.game = after
        self.book(before)
        if after.layout == before.layout:  # smoke, or nothing that could be seen
            return True
        needs_rest = not isinstance(self.game.needs, FallNeed) or not self.chance(0.5)
        pending = self.game.pending
        is_die = not pending.events and isinstance(pending.needs, DieNeed)  # nobody sees what it showed
        if needs_rest and not self.game.is_stable and (is_die or not self.chance(self.rates.together)):
            self.rest("step")
            self.distract()
        return True

    def next_step(self) -> tuple[Event | None, Game]:
        """Return the next event and the game after it."""
        game = self.game
        while True:
            need = game.needs
            if isinstance(need, FallNeed):
                after = game.choose(self.rng.choice(list(Direction)))
            elif isinstance(need, DieNeed):
                after = roll_die(game, self.rng.choice([1, 1, 1, 4, 5, 6]))
            else:
                after = game.step()
            events = after.events[len(game.events) :]
            if events and not isinstance(events[-1], Air):
                return events[-1], after
            game = after

    def book(self, before: Game) -> None:
        """Say the events since a moment, and put what came off under the piles."""
        for taking in self.game.takings[len(before.takings) :]:
            if taking.player is not None:
                self.stocks[taking.player] += taking.tiles
        for event in self.game.events[len(before.events) :]:
            found = event_to_dict(event)
            del found["layout"]
            self.say("step", step=found)

    def wrong_table(self, after: Game) -> Layout | None:
        """Return the table after a step done wrongly; None where none is found that is clearly wrong."""
        game = self.game
        kinds = [self.left_lying, self.wrong_tiles, self.wrong_fall]
        self.rng.shuffle(kinds)
        for kind in kinds:
            wrong = kind(after)
            if wrong is not None and wrong not in right_tables(game):
                return wrong
        return None

    def left_lying(self, after: Game) -> Layout | None:
        """One of the tiles that come off is forgotten."""
        before, lies = self.game.layout, set(after.layout.cells.values())
        gone = [place for place, tile in before.cells.items() if tile not in lies]
        if len(gone) < 2:
            return None
        kept = self.rng.choice(gone)
        return before.without([place for place in gone if place != kept])

    def wrong_tiles(self, after: Game) -> Layout | None:
        """One tile too many is taken."""
        near = list(after.layout.cells)
        if len(after.layout) >= len(self.game.layout) or not near:
            return None
        return after.layout.without([self.rng.choice(near)])

    def wrong_fall(self, after: Game) -> Layout | None:
        """A falling tile is put somewhere else."""
        need = self.game.needs
        if not isinstance(need, FallNeed):
            return None
        tiles = dict(self.game.layout.tiles)
        tiles = {at: tile for at, tile in tiles.items() if tile is not need.tile}
        width = self.game.layout.width
        free = [(row, slot) for row in range(2) for slot in range(width - row) if (row, slot) not in tiles]
        if not free or not tiles:
            return None
        return Layout.from_tiles(tiles | {self.rng.choice(free): need.tile})

    def do_wrongly(self, event: Event | None, after: Game, wrong: Layout) -> bool:
        """Do a step wrongly, and put it right or go on; False where it stays and the next player goes on."""
        before = self.game
        self.planted += 1
        self.say("wrong-step", right=str(after.layout))
        self.lying = wrong
        self.rest("wrong-step")
        self.distract()
        over = before.stocks[before.active] == 0
        if (
            self.chance(self.rates.left)
            and not over
            and wrong.cells
            and not isinstance(before.needs, DieNeed)
        ):
            self.leave_wrong(event, wrong)
            return False
        self.lying = None
        self.say("fixed")
        self.game = after
        self.book(before)
        self.rest("fixed")
        return True

    def leave_wrong(self, event: Event | None, wrong: Layout) -> None:
        """Go on with a table on which a step was done wrongly."""
        game = self.game
        payer = game.state.terms.payer
        lies = set(wrong.cells.values())
        leaving = {tile for each in game.pending.events for tile in removed_by(each)}
        gone = [tile for tile in game.layout.cells.values() if tile not in lies]
        taken = [tile for tile in gone if tile not in leaving and payer is not None]
        out = [tile for tile in gone if tile not in taken]
        stocks = list(game.stocks)
        if payer is not None:
            stocks[payer] += len(taken)
            self.stocks[payer] += taken
        self.game = game.correct(wrong, stocks, (*game.out, *out))
        self.lying = None
        self.announced = self.pending()

    # Looking

    def chance(self, rate: float) -> bool:
        return self.rng.random() < rate

    def say(self, event: str, **more: object) -> None:
        """Note what must be said at the next moment."""
        game = self.game
        self.said.append({"event": event, "turn": game.turn, "player": game.active, **more,
                          "stocks": list(game.stocks)})  # fmt: skip

    def verdict(self) -> Said:
        pending = self.game.pending
        events = [event_to_dict(event) for event in pending.events]
        for event in events:
            del event["layout"]
        return {"verdict": events, "needs": need_to_dict(pending.needs)}

    def pending(self) -> list[object]:
        """Return what must be resolved, in order."""
        pending = self.game.pending
        return [*pending.events, *([] if pending.needs is None else [pending.needs])]

    def say_verdict(self) -> None:
        """A verdict is said when something must be resolved that the last one did not name."""
        pending = self.pending()
        if pending and pending != self.announced[len(self.announced) - len(pending) :]:
            self.say("verdict", **self.verdict())
            self.announced = pending

    def rest(self, what: str) -> None:
        """The table comes to rest, and is read."""
        if self.lying is None:
            self.say_verdict()
            if self.game.winner is not None:
                self.say("end", winner=self.game.winner)
        layout = self.game.layout if self.lying is None else self.lying
        self.look(what, layout, tuple(self.said))
        self.said = []

    def distract(self) -> None:
        """Something happens that means nothing."""
        if self.said:
            return
        layout = self.game.layout if self.lying is None else self.lying
        if self.chance(self.rates.bumped) and len(layout):
            self.bumped = [self.rng.choice(list(layout.cells.values())).code]
            self.look("bumped", layout, ())
        if self.chance(self.rates.idle):
            self.look("idle", layout, ())
        if self.chance(self.rates.hand):
            self.look("hand", layout, (), hand=True)

    def look(self, what: str, layout: Layout, said: Iterable[Said], hand: bool = False) -> None:
        """Read the table."""
        self.time_s = round(self.time_s + self.rng.uniform(1.5, 9), 2)
        tiles = tuple(self.read(layout, hand))
        settled = Settled(self.time_s, tiles, hand)
        right = {layout.place_of(tile): ((tile.code, 0.999),) for tile in self.misread}
        tiles = tuple(
            replace(tile, codes=right.get(place_number(tile.row, tile.slot), tile.codes)) for tile in tiles
        )
        again = Settled(round(self.time_s + 1, 2), tiles, hand)
        self.seen_last = layout
        pending = self.verdict() if self.lying is None else {}
        self.moments.append(
            Moment(
                self.time_s, what, layout, tuple(self.bumped), settled, again, tuple(said), pending, self.game
            )
        )

    def read(self, layout: Layout, hand: bool) -> Iterator[ObservedTile]:
        """Yield what is read of each tile. Chances are calibrated: the true code has the one it is given."""
        misread = set()
        moved = {found.seen for found in find_differences(self.seen_last, layout)}
        hidden = self.rng.sample(list(layout.cells), min(len(layout), self.rng.randint(1, 4))) if hand else []
        for place, tile in layout.cells.items():
            row, slot = row_of(place), slot_of(place)
            if place in hidden:
                if self.chance(0.5):
                    yield ObservedTile(row, slot, ((tile.code, 0.3),), sure=False, covered=True)
                continue
            is_new = tile in moved
            if self.chance(self.rates.unsure_new if is_new else self.rates.unsure):
                yield ObservedTile(row, slot, self.unsure_codes(tile), sure=False)
            elif not is_new and tile not in self.misread and self.chance(self.rates.misread):
                misread.add(tile)
                yield ObservedTile(row, slot, ((self.like(tile).code, 0.999),))
            else:
                yield ObservedTile(row, slot, ((tile.code, 0.999),))
        self.misread = misread

    def unsure_codes(self, tile: Tile) -> tuple[tuple[str, float], ...]:
        chance = round(self.rng.uniform(0.5, 0.97), 3)
        rest = round(0.99 - chance, 3)
        drawn = self.rng.random()
        other = self.like(tile).code
        if drawn < chance:
            return (tile.code, chance), (other, rest)
        if drawn < 0.99:
            return (other, chance), (tile.code, rest)
        third = self.like(tile, other).code
        return (other, chance), (third, rest)

    def like(self, tile: Tile, but: str = "") -> Tile:
        """Return a tile that is easily taken for this one: of the same weight, or of the same colour."""
        alike = [each for each in ALL_TILES if tile.weight_mates & each.bit and each.code != but]
        return self.rng.choice(alike or [each for each in ALL_TILES if tile.colour_mates & each.bit])


def roll_die(game: Game, roll: int) -> Game:
    """Return the game after a roll; a 5 that does what a 4 would do counts as 4, for nobody sees the die."""
    after = game.roll(roll)
    if roll == 5:
        fire = game.roll(4)
        if (fire.layout, fire.stocks, set(fire.out)) == (after.layout, after.stocks, set(after.out)):
            return fire
    return after


def right_tables(game: Game) -> set[Layout]:
    """Return every table that steps can lead to from here, this one included."""
    found, waiting = {game.layout}, [game]
    seen = {game.state}
    while waiting and len(seen) < 3000:
        at = waiting.pop()
        if isinstance(at.needs, FallNeed):
            after = [at.choose(direction) for direction in Direction]
        elif isinstance(at.needs, DieNeed):
            after = [at.roll(roll) for roll in (1, 4, 5, 6)]
        else:
            after = [] if at.is_stable else [at.step()]
        for each in after:
            found.add(each.layout)
            if each.state not in seen:
                seen.add(each.state)
                waiting.append(each)
    return found
