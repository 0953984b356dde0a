"""Things that go wrong at a table and are put right before anybody calls them: no rule knows them.

`with_mishaps` puts them between the moments of a play: two tiles in one turn, a tile where none may go, and
tiles that are exchanged. The referee may ask about each; it must call none of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.rules.layout import Layout
from referee.rules.tiles import ALL_TILES, Tile
from referee.search.observation import ObservedTile, Settled
from tests.simulation.play import Moment, Play

Cells = dict[tuple[int, int], Tile]
MISHAPS = ("two-tiles", "wrong-place", "exchanged")
"""What a moment is called that has one."""


@dataclass(frozen=True)
class MishapRates:
    """How often something goes wrong before a tile that causes no mayhem, as chances of 0 to 1."""

    two_tiles: float = 0.05
    """Two tiles are placed, and one is taken back."""
    wrong_place: float = 0.05
    """The tile is placed where none may go, and then where it may."""
    exchanged: float = 0.04
    """Two tiles change places, or another tile lies there instead, and then it is as before."""


def with_mishaps(play: Play, seed: int, rates: MishapRates = MishapRates()) -> Play:  # fmt: skip
    """Return a play with mishaps between its moments; what must be said stays as it was."""
    rng = random.Random(f"mishaps {seed}")
    moments = list(play.moments[:1])
    for before, after in zip(play.moments, play.moments[1:], strict=False):
        if _is_calm(before) and _is_calm(after) and [line["event"] for line in after.said] == ["placed"]:
            moments += _mishap(before, after, rng, rates)
        moments.append(after)
    return replace(play, moments=tuple(moments))


def _is_calm(moment: Moment) -> bool:
    """Whether the table is as the game has it, and nothing must be resolved."""
    return moment.layout == moment.game.layout and moment.game.is_stable and moment.what != "hand"


def _mishap(before: Moment, after: Moment, rng: random.Random, rates: MishapRates) -> Iterator[Moment]:
    """Yield the moments of what goes wrong between two; none where nothing does."""
    makers = {"two-tiles": _two_tiles, "wrong-place": _wrong_place, "exchanged": _exchanged}
    odds = (rates.two_tiles, rates.wrong_place, rates.exchanged)
    (what,) = rng.choices(("", *makers), (1 - sum(odds), *odds))
    layout = makers[what](before, after, rng) if what else None
    if layout is None:
        return
    time_s = before.time_s + (after.time_s - before.time_s) / 3
    yield _as_read(replace(before, what=what, layout=layout, said=(), pending={}), time_s)
    if what == "exchanged":
        time_s = before.time_s + (after.time_s - before.time_s) * 2 / 3
        yield _as_read(replace(before, what="restored", said=(), pending={}), time_s)


def _as_read(moment: Moment, time_s: float) -> Moment:
    """Return a moment whose layout is read without a doubt."""
    tiles = tuple(ObservedTile(row, slot, ((tile.code, 0.999),)) for (row, slot), tile in moment.layout.tiles)
    time_s = round(time_s, 2)
    settled = Settled(time_s, tiles)
    return replace(moment, time_s=time_s, settled=settled, again=replace(settled, time_s=time_s + 0.1))


def _spare(moment: Moment, rng: random.Random) -> Tile:
    """Return a tile that somebody may hold."""
    gone = {*moment.layout.cells.values(), *moment.game.out, *moment.game.setup.left_over}
    return rng.choice([tile for tile in ALL_TILES if tile not in gone])


def _two_tiles(_before: Moment, after: Moment, rng: random.Random) -> Layout | None:
    cells: Cells = dict(after.layout.tiles)
    return Layout.from_tiles({**cells, rng.choice(after.game.places): _spare(after, rng)})


def _wrong_place(before: Moment, after: Moment, rng: random.Random) -> Layout | None:
    """Return the table with the tile beside a gap in the base, or above one tile alone."""
    (tile,) = set(after.layout.cells.values()) - set(before.layout.cells.values())
    cells: Cells = dict(before.layout.tiles)
    allowed = set(before.game.places)
    base = [slot for row, slot in cells if row == 0]
    if not base:
        return None
    wrong = [(0, min(base) - 2), (0, max(base) + 2)]
    wrong += [(row + 1, slot + side) for row, slot in cells for side in (-1, 0)]
    wrong = [place for place in wrong if place not in allowed and place not in cells]
    return Layout.from_tiles({**cells, rng.choice(sorted(wrong)): tile}) if wrong else None


def _exchanged(before: Moment, after: Moment, rng: random.Random) -> Layout | None:
    cells: Cells = dict(before.layout.tiles)
    if len(cells) < 2:
        return None
    one, other = rng.sample(sorted(cells), 2)
    if rng.random() < 0.5:
        cells[one], cells[other] = cells[other], cells[one]
    else:
        cells[one] = _spare(after, rng)
    return Layout.from_tiles(cells)
