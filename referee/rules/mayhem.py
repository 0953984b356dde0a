"""The five checks: each maps a layout to its first hit in scanning order, or None. Rule 4.

`CHECKS` gives their order, here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.rules.events import Reason
from referee.rules.layout import DOWN_LEFT, DOWN_RIGHT, TOUCHING, Layout
from referee.rules.options import FireDie, FireOrder, Options, Overhang
from referee.rules.tiles import Kind, Tile


@dataclass(frozen=True, slots=True)
class Spark:
    """A contact of fire and fuel that a placement made: what may burn under the die. Rule 4, fire die."""

    placed: Tile
    contacts: tuple[Tile, ...]
    """What the placed tile lies in contact with since it was placed: its fuel if it is an incendiary,
    else the incendiaries that burn it. A tile that fell since is left out."""

    @property
    def causing(self) -> tuple[Tile, ...]:
        """The incendiaries that caused the roll."""
        return (self.placed,) if self.placed.fuel else self.contacts


@dataclass(frozen=True, slots=True)
class Hanging:
    """A tile in free air."""

    place: int


@dataclass(frozen=True, slots=True)
class Illegal:
    """A tile that its supports do not carry."""

    place: int
    supports: tuple[int, ...]
    """Place numbers of the supports present, left one first."""
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Blast:
    """Incendiaries that touch."""

    members: tuple[int, ...]
    touched: tuple[int, ...]
    """Place numbers of the other tiles that touch a member, in scanning order."""


@dataclass(frozen=True, slots=True)
class Blaze:
    """An incendiary that touches fuel."""

    place: int
    burnt: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cursed:
    """Three tiles of one weight, one resting on two."""

    places: tuple[int, int, int]


Hit = Hanging | Illegal | Blast | Blaze | Spark | Cursed


def find_air(layout: Layout, options: Options, spark: Spark | None) -> Hanging | None:
    """Return the first tile of row 1 or higher with neither support. Rule 4.1 (newer help alone)."""
    cells = layout.cells
    for place in cells:
        if place >= 0:
            return None
        if place + DOWN_LEFT not in cells and place + DOWN_RIGHT not in cells:
            return Hanging(place)
    return None


def find_collapse(layout: Layout, options: Options, spark: Spark | None) -> Illegal | None:
    """Return the first illegal tile. Rule 4.2 (all four rulebooks; overhang: `Options.overhang`)."""
    cells = layout.cells
    get = cells.get
    for place, tile in cells.items():
        if place >= 0:
            return None
        left = get(place + DOWN_LEFT)
        right = get(place + DOWN_RIGHT)
        if left is not None and right is not None:
            if tile.mates & (left.bit | right.bit) and tile.weight <= left.weight + right.weight:
                continue
        elif (support := left or right) is not None:
            mates = tile.colour_mates if options.overhang is Overhang.COLOUR else tile.mates
            if mates & support.bit and tile.weight <= support.weight:
                continue
        else:
            continue
        supports = tuple(under for under in (place + DOWN_LEFT, place + DOWN_RIGHT) if under in cells)
        return Illegal(place, supports, judge_tile(tile, left, right, options))
    return None


def judge_tile(tile: Tile, left: Tile | None, right: Tile | None, options: Options) -> tuple[Reason, ...]:
    """Return every reason why a tile may not rest on these supports; none if it may. Rule 4.2.

    Args:
        tile: A tile of row 1 or higher.
        left: Its left support.
        right: Its right support; at least one of the two is there.
        options: `Options.overhang` decides where one support is missing.
    """
    supports = [support for support in (left, right) if support is not None]
    colour_only = len(supports) == 1 and options.overhang is Overhang.COLOUR
    mates = tile.colour_mates if colour_only else tile.mates
    reasons = []
    if not any(mates & support.bit for support in supports):
        reasons.append(Reason.MISMATCH)
    if tile.weight > sum(support.weight for support in supports):
        reasons.append(Reason.OVERWEIGHT)
    return tuple(reasons)


def find_explosion(layout: Layout, options: Options, spark: Spark | None) -> Blast | None:
    """Return the first group of incendiaries that touch, whole. Rule 4.3 (all four rulebooks).

    The English rulebook speaks of two or more, so a chain of touching incendiaries is one explosion.
    """
    cells = layout.cells
    lit = [place for place, tile in cells.items() if tile.fuel]
    if len(lit) < 2:
        return None
    for first in lit:
        group = [first]
        for place in group:
            group += [other for other in lit if other not in group and other - place in TOUCHING]
        if len(group) > 1:
            return blast(layout, group)
    return None


def blast(layout: Layout, members: list[int]) -> Blast:
    """Return these tiles and every other one that touches them. Rule 4.3, and 5 on the fire die."""
    cells = layout.cells
    touched = {place + step for place in members for step in TOUCHING}
    return Blast(
        tuple(sorted(members)),
        tuple(sorted(place for place in touched if place in cells and place not in members)),
    )


def find_fire(layout: Layout, options: Options, spark: Spark | None) -> Blaze | Spark | None:
    """Return the first incendiary that touches its fuel. Rule 4.4 (order: `Options.fire_order`).

    Under the fire die nothing but the placement's own contact counts, while both of its tiles still lie
    there; the hit is then that contact, and the die decides.
    """
    if options.fire_die is not FireDie.OFF:
        return spark if spark is not None and _lies(layout, spark) else None
    cells = layout.cells
    get = cells.get
    for place in order_of_fire([place for place, tile in cells.items() if tile.fuel], layout, options):
        fuel = cells[place].fuel
        for step in TOUCHING:
            neighbour = get(place + step)
            if neighbour is not None and fuel & neighbour.bit:
                return blaze(layout, place)
    return None


def _lies(layout: Layout, spark: Spark) -> bool:
    """Whether the placed tile and at least one of its contacts still lie on the table. Rule 4, fire die."""
    return layout.find(spark.placed) is not None and any(
        layout.find(tile) is not None for tile in spark.contacts
    )


def order_of_fire(places: list[int], layout: Layout, options: Options) -> list[int]:
    """Return incendiaries, given in scanning order, in the order in which they burn. Rule 4.4."""
    if len(places) > 1 and options.fire_order is FireOrder.WOOD_FIRST:
        return sorted(places, key=lambda place: layout.cells[place].kind is Kind.COAL)
    return places


def blaze(layout: Layout, place: int) -> Blaze:
    """Return the incendiary in a slot and everything its fire reaches, in scanning order. Rule 4.4.

    The fire spreads from fuel to touching fuel of this incendiary; nothing else carries it on.
    """
    get = layout.cells.get
    fuel = layout.cells[place].fuel
    reached = [place]
    seen = {place}
    for at in reached:
        for step in TOUCHING:
            near = at + step
            if near not in seen:
                tile = get(near)
                if tile is not None and fuel & tile.bit:
                    seen.add(near)
                    reached.append(near)
    return Blaze(place, tuple(sorted(reached[1:])))


def find_curse(layout: Layout, options: Options, spark: Spark | None) -> Cursed | None:
    """Return the first tile that rests on two of its own weight. Rule 4.5 (helps, French rulebook)."""
    if not options.curse:
        return None
    get = layout.cells.get
    for place, tile in layout.cells.items():
        if tile.weight_mates:
            left = get(place + DOWN_LEFT)
            right = get(place + DOWN_RIGHT)
            if (
                left is not None
                and right is not None
                and tile.weight_mates & left.bit
                and tile.weight_mates & right.bit
            ):
                return Cursed((place, place + DOWN_LEFT, place + DOWN_RIGHT))
    return None


def find_spark(layout: Layout, placed: Tile) -> Spark | None:
    """Return the contact of fire and fuel that a placement just made, if any. Rule 4, fire die."""
    near = layout.touching(layout.place_of(placed))
    if placed.fuel:
        contacts = tuple(tile for tile in near if placed.fuel & tile.bit)
    else:
        contacts = tuple(tile for tile in near if tile.fuel & placed.bit)
    return Spark(placed, contacts) if contacts else None


Check = Callable[[Layout, Options, Spark | None], Hit | None]

CHECKS: tuple[Check, ...] = (find_air, find_collapse, find_explosion, find_fire, find_curse)
"""The checks in their order. Rule 4 (free air first: newer help; the rest: helps, French rulebook)."""


def find_first(layout: Layout, options: Options, spark: Spark | None) -> Hit | None:
    """Return the first hit of the first check that hits, or None where the pyramid is stable. Rule 4."""
    for check in CHECKS:
        hit = check(layout, options, spark)
        if hit is not None:
            return hit
    return None
