"""Apply one event after the other, until the pyramid is stable or an answer is needed. Rules 4 and 5.

Nothing here asks or guesses: a resolution that needs a person stops and says what it needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from referee.errors import ChoiceError, Fault
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
    removed_by,
    taken_by,
)
from referee.rules.layout import DOWN_LEFT, DOWN_RIGHT, Layout
from referee.rules.mayhem import (
    Blast,
    Blaze,
    Cursed,
    Hanging,
    Illegal,
    Spark,
    blast,
    blaze,
    find_first,
    find_spark,
    order_of_fire,
)
from referee.rules.options import DEFAULTS, FireDie, Options
from referee.rules.placement import place_tile
from referee.rules.tiles import Tile

Answer = Direction | int
"""What a need is answered with: a direction, or a roll of 1 to 6."""


class Missed(Enum):
    """The variant by whose rule a missed mayhem is resolved. Rule 5, missed mayhem (French rulebook)."""

    FAMILY = "family"
    STRATEGY = "strategy"


@dataclass(frozen=True, slots=True)
class Terms:
    """Who pays and who chooses, as things stand. Rules 4, 4.5 and 5."""

    payer: int | None
    """None: what comes off leaves the game."""
    chooser: int | None
    """None: nobody in particular."""
    cursed: int | None
    """Who pays and chooses from the first curse on."""


@dataclass(frozen=True, slots=True)
class ResolutionState:
    """Where a resolution stands: all that decides how it goes on. Equal states go on alike."""

    layout: Layout
    terms: Terms
    spark: Spark | None = None
    """Under the fire die: the placement's contact of fire and fuel, until the die was rolled for it."""
    need: Need | None = None
    """What stops it; None where the pyramid is stable, or the checks were not made yet."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """A layout resolved as far as the answers reach."""

    events: tuple[Event, ...]
    state: ResolutionState

    @property
    def layout(self) -> Layout:
        """The table as it lies at the end."""
        return self.state.layout

    @property
    def needs(self) -> Need | None:
        """What stops the resolution, if anything does."""
        return self.state.need

    @property
    def stable(self) -> bool:
        """Whether it is done: nothing hits any more."""
        return self.state.need is None

    @property
    def piles(self) -> dict[int, tuple[Tile, ...]]:
        """What each player took, in order; players who took nothing are left out."""
        return share_out(self.events)[0]

    @property
    def out(self) -> tuple[Tile, ...]:
        """What left the game, in order."""
        return share_out(self.events)[1]


def share_out(events: Iterable[Event]) -> tuple[dict[int, tuple[Tile, ...]], tuple[Tile, ...]]:
    """Return what each player took, and what left the game, in order. Rules 4 and 5.

    What an event takes comes before what it removes.
    """
    piles: dict[int, tuple[Tile, ...]] = {}
    out: tuple[Tile, ...] = ()
    for event in events:
        if isinstance(event, (Collapse, Explosion, Fire, Curse)):
            taken = taken_by(event)
            if event.payer is None:
                out += taken
            elif taken:
                piles[event.payer] = piles.get(event.payer, ()) + taken
            out += removed_by(event)
    return piles, out


def make_terms(players: int = 2, active: int = 0, missed: Missed | None = None) -> Terms:
    """Return who pays and chooses when a resolution begins.

    Normally the active player, from a curse on the previous one (rule 4.5: helps, French rulebook).
    Missed mayhem: nobody in the family variant, the active player throughout in the strategy variant
    (rule 5: French rulebook).
    """
    if missed is Missed.FAMILY:
        return _NOBODY
    if missed is Missed.STRATEGY:
        return Terms(active, active, active)
    return Terms(active, active, (active - 1) % players)


_NOBODY = Terms(None, None, None)


class Needed(Enum):
    """What a resolution waits for."""

    NOTHING = "nothing"
    DIRECTION = "direction"
    ROLL = "roll"


_NEEDED = {type(None): Needed.NOTHING, FallNeed: Needed.DIRECTION, DieNeed: Needed.ROLL}


def begin(layout: Layout, terms: Terms) -> ResolutionState:
    """Return the state of a layout that is judged as it lies."""
    return ResolutionState(layout, terms)


def begin_placed(layout: Layout, placed: Tile, terms: Terms, options: Options) -> ResolutionState:
    """Return the state just after a placement.

    Args:
        layout: The table with the tile on it.
        placed: The tile that was placed.
        terms: Who pays and chooses.
        options: Under the fire die the contact that the placement made is remembered.
    """
    spark = None if options.fire_die is FireDie.OFF else find_spark(layout, placed)
    return ResolutionState(layout, terms, spark)


def step(state: ResolutionState, options: Options) -> tuple[Event | None, ResolutionState] | None:
    """Return the next thing that happens by itself, and where the resolution stands after it. Rule 4.

    None where nothing does: the pyramid is stable, or an answer is needed. A need for the die comes
    without an event.
    """
    if state.need is not None:
        return None
    hit = find_first(state.layout, options, state.spark)
    return None if hit is None else _apply(state, hit)


def settle(state: ResolutionState, options: Options) -> tuple[list[Event], ResolutionState]:
    """Return what happens by itself, and where the resolution then stands: stable, or in need. Rule 4."""
    events: list[Event] = []
    while (done := step(state, options)) is not None:
        event, state = done
        if event is not None:
            events.append(event)
    return events, state


def answer(state: ResolutionState, given: Answer, options: Options) -> tuple[list[Event], ResolutionState]:
    """Return what the answer to a state's need brings about, up to the next need. Rule 4.

    Raises:
        ChoiceError: The answer does not fit the need.
    """
    events, state = respond(state, given, options)
    more, state = settle(state, options)
    return events + more, state


def respond(state: ResolutionState, given: Answer, options: Options) -> tuple[list[Event], ResolutionState]:
    """Return what the answer itself brings about: a fall, or all that follows from a roll. Rule 4.

    Raises:
        ChoiceError: The answer does not fit the need.
    """
    need = state.need
    if isinstance(need, FallNeed) and isinstance(given, Direction):
        events: list[Event] = [_fall(state, need, given)]
        spark = _unmoved(state.spark, need.tile)
        state = ResolutionState(events[0].layout, state.terms, spark)
    elif isinstance(need, DieNeed) and type(given) is int and 1 <= given <= 6:
        events, state = _roll(state, given, options)
    else:
        raise ChoiceError(
            Fault.WRONG_ANSWER,
            given=given.value if isinstance(given, Direction) else given,
            need=_NEEDED[type(need)],
        )  # fmt: skip
    return events, state


def resolve_from(
    state: ResolutionState, options: Options, choices: Iterable[Direction] = (), die: int | None = None
) -> Resolution:
    """Return a resolution, carried as far as the answers reach.

    Args:
        state: From `begin` or `begin_placed`.
        options: The settings of the game.
        choices: Answers to the falls, in the order in which they come up; surplus ones are ignored.
        die: The roll, if the die comes up.
    """
    events, state = settle(state, options)
    if state.need is None:
        return Resolution(tuple(events), state)
    falls = iter(choices)
    while state.need is not None:
        given = die if isinstance(state.need, DieNeed) else next(falls, None)
        if given is None:
            break
        more, state = answer(state, given, options)
        events += more
    return Resolution(tuple(events), state)


def resolve(
    layout: Layout,
    options: Options = DEFAULTS,
    *,
    place: tuple[Tile, int, int] | None = None,
    players: int = 2,
    active: int = 0,
    missed: Missed | None = None,
    choices: Iterable[Direction] = (),
    die: int | None = None,
) -> Resolution:
    """Return what happens on a table, as it lies or after a placement.

    >>> from referee.rules.tiles import TILES
    >>> done = resolve(Layout.parse("R40 B20"), place=(TILES["B7"], 1, 0))
    >>> str(done.layout), done.piles, done.out
    ('-', {0: (<R40>, <B20>)}, (<B7>,))

    Args:
        layout: The table.
        options: The settings of the game.
        place: Tile, row and slot of a placement, in canonical coordinates.
        players: How many play.
        active: Whose turn it is, from 0.
        missed: The variant, if this is an interruption for missed mayhem.
        choices: Answers to the falls, in the order in which they come up.
        die: The roll, if the die comes up.

    Raises:
        TileError: The placed tile lies on the table already.
        PlacementError: It may not go there.
    """
    terms = make_terms(players, active, missed)
    state = begin(layout, terms)
    if place is not None:
        tile, row, slot = place
        state = begin_placed(place_tile(layout, tile, row, slot), tile, terms, options)
    return resolve_from(state, options, choices, die)


def _apply(
    state: ResolutionState, hit: Hanging | Illegal | Blast | Blaze | Spark | Cursed
) -> tuple[Event | None, ResolutionState]:
    """Return what a hit brings about, and where the resolution stands after it. Rule 4."""
    layout, terms = state.layout, state.terms
    cells = layout.cells
    event: Event
    match hit:
        case Hanging(place):
            tile = cells[place]
            event = Air(tile, terms.chooser, layout)
            return event, ResolutionState(layout, terms, state.spark, FallNeed(tile, terms.chooser, place))
        case Illegal(place, supports, reasons):
            tile = cells[place]
            after = layout.without(supports)
            event = Collapse(tile, reasons, _tiles(layout, supports), terms.payer, after)
            need = FallNeed(tile, terms.chooser, after.place_of(tile))
            return event, ResolutionState(after, terms, state.spark, need)
        case Blast(members, touched):
            after = layout.without(members + touched)
            event = Explosion(_tiles(layout, members), _tiles(layout, touched), terms.payer, after)
        case Blaze(place, burnt):
            after = layout.without((place, *burnt))
            event = Fire(cells[place], _tiles(layout, burnt), terms.payer, True, after)
        case Cursed(places):
            after = layout.without(places)
            tiles = _tiles(layout, places)
            event = Curse(tiles, tiles, terms.cursed, after)
            terms = Terms(terms.cursed, terms.cursed, terms.cursed)
        case _:
            return None, ResolutionState(layout, terms, state.spark, DieNeed())
    return event, ResolutionState(after, terms, state.spark)


def _tiles(layout: Layout, places: Iterable[int]) -> tuple[Tile, ...]:
    """Return the tiles in these slots, in the order of the slots."""
    return tuple([layout.cells[place] for place in places])


def _fall(state: ResolutionState, need: FallNeed, direction: Direction) -> Fall:
    """Return the fall of the tile that waits for it. Rules 4.1 and 4.2."""
    step = DOWN_LEFT if direction is Direction.LEFT else DOWN_RIGHT
    return Fall(need.tile, direction, need.chooser, state.layout.with_fall(need.place, step))


def _unmoved(spark: Spark | None, fallen: Tile) -> Spark | None:
    """Return what is left of a placement's contact when a tile fell. Rule 4, fire die.

    A collapse never causes a fire, so a tile that fell is no part of that contact any more, also where
    it touches the placed tile again.
    """
    if spark is None or fallen is spark.placed:
        return None
    return Spark(spark.placed, tuple(tile for tile in spark.contacts if tile is not fallen))


def _roll(state: ResolutionState, roll: int, options: Options) -> tuple[list[Event], ResolutionState]:
    """Return what a roll of the fire die brings about; it is rolled once a turn. Rule 4, fire die.

    1 to 3 fire, 4 fire and the incendiaries leave, 5 explosion (`Options.fire_die`), 6 smoke.
    """
    layout, payer, spark = state.layout, state.terms.payer, state.spark
    assert spark is not None  # a need for the die comes from a spark
    events: list[Event] = [Die(roll, layout)]
    causing = [place for tile in spark.causing if (place := layout.find(tile)) is not None]
    if roll <= 4:
        for tile in _tiles(layout, order_of_fire(sorted(causing), layout, options)):
            fire = blaze(layout, layout.place_of(tile))
            after = layout.without((fire.place, *fire.burnt) if roll == 4 else fire.burnt)
            events.append(Fire(tile, _tiles(layout, fire.burnt), payer, roll == 4, after))
            layout = after
    elif roll == 5:
        leaving = set(causing)
        if options.fire_die is FireDie.OLDER:
            leaving.update(_causing_fuel(layout, spark))
        hit = blast(layout, list(leaving))
        layout = layout.without(hit.members + hit.touched)
        events.append(
            Explosion(_tiles(state.layout, hit.members), _tiles(state.layout, hit.touched), payer, layout)
        )
    return events, ResolutionState(layout, state.terms)


def _causing_fuel(layout: Layout, spark: Spark) -> list[int]:
    """Return the slots of the fuel that caused a roll. Rule 4, fire die (older help, French rulebook).

    The placed tile if it is the fuel, else every fuel tile touching the placed incendiary.
    """
    place = layout.place_of(spark.placed)
    if not spark.placed.fuel:
        return [place]
    return [layout.place_of(tile) for tile in layout.touching(place) if spark.placed.fuel & tile.bit]
