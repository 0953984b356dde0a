"""How well a layout fits what was read of a settled table: chances of codes, in natural logarithms. Rule 5.

The places are taken as they were read; only the codes are in doubt.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from referee.rules.layout import Layout, place_number, row_of, slot_of
from referee.rules.tiles import ALL_TILES, TILES, Tile
from referee.search.observation import ObservedTile, Settled

LEAST_CHANCE = 1e-5
"""No code is less likely than this, whatever the reader says."""
MIN_CHANCE = 0.01
"""A code of a smaller chance is not considered for a tile that was just placed."""
RIVAL = 0.1
"""A code that is less likely than this beside the likeliest one is hardly the right one."""
MAX_DOUBT = 0.01
"""A code, or an explanation, is taken to be right when the odds of all others together are at most this."""


@dataclass(frozen=True, slots=True)
class TileEvidence:
    """What was read in one slot."""

    logs: dict[Tile, float]
    """Tile -> log chance, likeliest first, for the codes that the reader named."""
    other: float
    """Log chance of every code that it did not name."""
    sure: Tile | None
    """What the reader vouches for."""
    covered: bool
    rest: float
    """Chance, 0 to 1, that it is none of the named codes, or one that is surely read elsewhere."""
    lay_first: bool = False
    """Whether it lay there on the first picture, read or not."""

    def log(self, tile: Tile) -> float:
        """Return the log chance that it is this tile."""
        return self.logs.get(tile, self.other)

    def doubt(self, tile: Tile) -> float:
        """Return the odds that it is none of the named codes that it may be, against its being this tile."""
        return self.rest / math.exp(self.log(tile))

    def is_surely(self, tile: Tile) -> bool:
        """Whether it is this tile as far as the reader is concerned."""
        return not self.covered and self.log(tile) >= _LOG_CERTAIN

    def instead_of(self, tile: Tile) -> Tile | None:
        """Return what was read instead of a tile that lay there before; None if it may be that one still."""
        if self.sure is not None or self.covered:
            return None if self.sure is tile else self.sure
        first = next(iter(self.logs))
        return first if first is not tile and self.log(tile) <= _LOG_NEVER else None

    def may_be(self, tile: Tile, *, is_changed: bool, is_uncertain: bool) -> bool:
        """Whether it may be a tile that was placed or fell, or that perhaps does not lie there."""
        if is_uncertain and not self.covered and tile not in self.likely:
            return False
        return not is_changed or self.sure in (None, tile)

    def is_like_sure(self, tile: Tile) -> bool:
        """Whether it is surely read as another tile of this one's colour or weight: one look may err."""
        sure = self.sure
        return sure not in (None, tile) and (sure.colour is tile.colour or sure.weight == tile.weight)

    def log_then(self, tile: Tile) -> float:
        """Return the log chance that it is this tile, which was in doubt when it was placed."""
        return _LOG_NEVER if self.is_like_sure(tile) else self.log(tile)

    def is_rather(self, tile: Tile) -> bool:
        """Whether this tile is likelier than all others together; of a covered one nothing is known."""
        return not self.covered and self.log(tile) > _LOG_HALF

    def is_hardly(self, tile: Tile) -> bool:
        """Whether it is hardly likely to be this tile; of a covered one nothing is known."""
        return not self.covered and self.log(tile) < _LOG_HARDLY

    @property
    def is_unread(self) -> bool:
        """Whether it is likelier none of the tiles that were named than one of them; not of a covered one."""
        return not self.covered and self.rest > 0.5

    def together(self, other: TileEvidence) -> TileEvidence:
        """Return what two looks at one tile say of it; where each is sure of another one, neither counts.

        Both looks are at the same print, and what makes one err makes the other err: they count half each. As
        if each knew nothing of the other, 0.95 and 0.88 for a green 2 to be a green 60 were certain (420130).
        """
        logs = {tile: (self.log(tile) + other.log(tile)) / 2 for tile in (*self.logs, *other.logs)}
        rest = (self.other + other.other) / 2
        unnamed = (len(ALL_TILES) - len(logs)) * math.exp(rest)
        total = math.log(sum(map(math.exp, logs.values())) + unnamed)
        ordered = sorted(logs, key=lambda tile: -logs[tile])
        return replace(
            self,
            logs={tile: logs[tile] - total for tile in ordered},
            other=max(rest - total, _LOG_LEAST),
            sure=self.sure if self.sure is other.sure else None,
            rest=unnamed / math.exp(total),
        )

    @property
    def rivals(self) -> list[Tile]:
        """What it may be rather than the likeliest one, and that itself."""
        most = max(self.logs.values(), default=0.0)
        return [tile for tile, log in self.logs.items() if log >= most + _LOG_HARDLY]

    @property
    def likely(self) -> list[Tile]:
        """What it may be, likeliest first; of a covered tile nothing is known."""
        return [] if self.covered else [tile for tile, log in self.logs.items() if log >= _LOG_MIN]


_LOG_CERTAIN = math.log(1 - MAX_DOUBT)
_LOG_HALF = math.log(0.5)
_LOG_HARDLY = math.log(RIVAL)
_LOG_NEVER = math.log(0.001)
"""A known tile that is as unlikely as this lies there no more; one may be misread so badly. As likely it is
that a tile that had been in doubt is another one than it is surely read as: that belief is dropped then,
unless the rules speak for it."""
_LOG_MIN = math.log(MIN_CHANCE)
_LOG_LEAST = math.log(LEAST_CHANCE)


@dataclass(frozen=True, slots=True)
class Fit:
    """How a layout fits."""

    log_chance: float
    odd: tuple[tuple[int, Tile, Tile], ...] = ()
    """(place number, tile of the layout, tile that was surely read there instead)."""
    against: float = 0.0
    """What of the log chance is for tiles that were in doubt, and are surely read as others now."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A settled table, ready to be compared with layouts."""

    cells: dict[int, TileEvidence]
    """Place number -> what was read there, slots shifted so that the leftmost in use is 0."""
    sure: int
    """The tiles that the reader vouches for, as bits."""
    slots: frozenset[int]
    """The place numbers in use."""
    lifted: frozenset[Tile] = frozenset()
    """The tiles that have gone, and in whose places the bare table is plainly seen."""
    doubted: int = 0
    """Tiles, as bits, that lie there by what is believed, but were in doubt when they were placed."""

    @staticmethod
    def of(settled: Settled) -> Evidence:
        """Return the evidence of a settled table."""
        leftmost = min((tile.slot for tile in settled.tiles), default=0)
        surely_read = {tile.codes[0][0] for tile in settled.tiles if tile.sure and tile.codes}
        cells = {
            place_number(tile.row, tile.slot - leftmost): _tile_evidence(tile, surely_read)
            for tile in settled.tiles
        }
        return _evidence(dict(sorted(cells.items())), frozenset(TILES[code] for code in settled.lifted))

    def __len__(self) -> int:
        return len(self.cells)

    def fit(self, layout: Layout, changed: int = 0, uncertain: int = 0) -> Fit | None:
        """Return how a layout fits, or None where it cannot be the one that lies there.

        Args:
            layout: A table that may have come about.
            changed: The tiles, as bits, that were placed or fell since the table was known: nothing else
                may surely be read there. Of the others one may be misread, or several as another colour.
            uncertain: Tiles, as bits, that may be others, or not lie there at all: they must be among what
                was read.
        """
        if layout.cells.keys() != self.slots:
            return None
        total = against = 0.0
        odd: list[tuple[int, Tile, Tile]] = []
        misread: set[tuple[Tile, Tile]] = set()
        for place, tile in layout.cells.items():
            read = self.cells[place]
            log = read.log(tile)
            if tile.bit & self.doubted and read.is_like_sure(tile):
                against += _LOG_NEVER
                continue
            is_changed, is_uncertain = bool(tile.bit & changed), bool(tile.bit & uncertain)
            if not read.may_be(tile, is_changed=is_changed, is_uncertain=is_uncertain):
                return None
            seen = None if is_changed else read.instead_of(tile)
            if seen is not None:
                if (seen, tile) in misread:
                    return None  # each is read where the other one lay: they are exchanged
                misread.add((tile, seen))
            # What lies elsewhere, and is not surely read here, says only that this tile is misread.
            if seen is not None and (read.sure is not None or layout.find(seen) is None):
                if odd and not _is_same_confusion(odd[0], tile, seen):
                    return None
                if odd:
                    log = _LOG_HARDLY
                odd.append((place, tile, seen))
            total += log
        return Fit(total + against, tuple(odd), against)

    def doubting(self, tiles: Iterable[Tile]) -> Evidence:
        """Return it for a belief by which these tiles were in doubt when they were placed."""
        return replace(self, doubted=sum(tile.bit for tile in tiles))

    def without(self, place: int) -> Evidence:
        """Return it without one place, slots shifted so that the leftmost in use is 0."""
        kept = {other: read for other, read in self.cells.items() if other != place}
        leftmost = min(map(slot_of, kept), default=0)
        return _evidence({other - leftmost: read for other, read in kept.items()}, self.lifted)

    def new_place(self, known: Layout) -> int | None:
        """Return the number of the one place where nothing lay before; None where it is not one."""
        shift = self.shift_from(known)
        new = [place for place in self.cells if place - shift not in known.cells]
        return new[0] if len(new) == 1 and len(self) == len(known) + 1 else None

    def seen_twice(self, place: int, earlier: TileEvidence) -> Evidence:
        """Return it with what an earlier look said of the tile at a place, wherever it lay then."""
        read = self.cells[place]
        if read.covered or earlier.covered:
            return self
        return _evidence({**self.cells, place: read.together(earlier)}, self.lifted)

    def best_layout(self, known: Layout, stand_ins: bool) -> Layout | int:
        """Return the likeliest layout when a known one was changed somehow.

        Known tiles are taken to lie where they lay unless something else was surely read there; every tile
        is there once. Of tiles read surely as one that did not lie on the table one is taken for a
        misreading.

        Args:
            known: The table as it was.
            stand_ins: Let any free tile stand for one that cannot be told.

        Returns:
            The layout, or the place number of a tile in a new place that cannot be told.
        """
        shift = self.shift_from(known)
        misread = self._misread(known, shift)
        found: dict[int, Tile] = {}
        open_places = []
        for place, read in self.cells.items():
            tile = known.cells.get(place - shift)
            if tile is not None and (place == misread or self._may_lie_still(read, tile, known, shift)):
                found[place] = tile
            else:
                open_places.append(place)
        open_places.sort(key=lambda place: -max(self.cells[place].logs.values(), default=_LOG_LEAST))
        for place in open_places:
            taken = set(found.values())
            choice = self.cells[place].likely + (list(ALL_TILES) if stand_ins else [])
            tile = next((tile for tile in choice if tile not in taken), None)
            if tile is None:
                return place
            found[place] = tile
        return Layout.from_tiles({(row_of(place), slot_of(place)): tile for place, tile in found.items()})

    def _may_lie_still(self, read: TileEvidence, tile: Tile, known: Layout, shift: int) -> bool:
        """Return whether a known tile may lie in its place: not if another one is read there.

        Unless that is doubtful, and the other one lies where it lay.
        """
        seen = read.instead_of(tile)
        own = None if seen is None or read.sure is not None else known.find(seen)
        still = None if own is None else self.cells.get(own + shift)
        return seen is None or (still is not None and seen in still.likely)

    def _misread(self, known: Layout, shift: int) -> int | None:
        """Return the place of the one known tile that was surely read as another, if there is just one.

        What was read there lies nowhere on the known table, or still lies where it lay; and the known tile is
        surely read nowhere else.
        """
        found = []
        for place, read in self.cells.items():
            lay = known.cells.get(place - shift)
            if lay is None or read.sure is None or read.sure is lay or lay.bit & self.sure:
                continue
            own = known.find(read.sure)
            still = None if own is None else self.cells.get(own + shift)
            if own is None or (still is not None and read.sure in still.likely):
                found.append(place)
        return found[0] if len(found) == 1 else None

    def missing(self, known: Layout) -> set[Tile]:
        """Return the tiles of a known layout whose place is empty, and that may lie in no other."""
        shift = self.shift_from(known)
        seen = {tile for read in self.cells.values() for tile in read.likely}
        gone = {tile for place, tile in known.cells.items() if place + shift not in self.cells}
        return set() if any(read.covered for read in self.cells.values()) else gone - seen

    def shift_from(self, known: Layout) -> int:
        """Return by how many slots a known layout lies further right here, as far as its tiles tell."""

        def agreement(shift: int) -> tuple[float, int]:
            same = sum(
                math.exp(read.log(tile))
                for place, tile in known.cells.items()
                if (read := self.cells.get(place + shift)) is not None
            )
            return same, -abs(shift)

        widest = max(known.width, 1)
        return max(range(-widest, widest + 1), key=agreement)


def _evidence(cells: dict[int, TileEvidence], lifted: frozenset[Tile]) -> Evidence:
    sure = 0
    for read in cells.values():
        if read.sure is not None:
            sure |= read.sure.bit
    return Evidence(cells, sure, frozenset(cells), lifted)


def _is_same_confusion(odd: tuple[int, Tile, Tile], known: Tile, seen: Tile) -> bool:
    """Whether a tile is read as another one as the first odd one is: in that other colour, its weight right.

    Who takes one red tile for a blue one takes more of them. Exchanges of several are asked about.
    """
    _place, tile, read = odd
    colours = (tile.colour, read.colour) == (known.colour, seen.colour)
    return colours and tile.weight == read.weight and known.weight == seen.weight


def _tile_evidence(tile: ObservedTile, surely_read: Collection[str]) -> TileEvidence:
    """Return what was read of one tile.

    What may be a tile that is surely read elsewhere may be any: a blue 10 was read as a red 10 or the yellow
    one beside it, and told as the red one (film 429270).

    Args:
        tile: What was read.
        surely_read: The codes that the reader vouches for on this table.
    """
    chances = {TILES[code]: chance for code, chance in tile.codes}
    if tile.covered or not chances:
        return TileEvidence({}, 0.0, None, True, 1.0)
    if tile.sure:
        first = TILES[tile.codes[0][0]]
        return TileEvidence({first: 0.0}, _LOG_LEAST, first, False, 0.0, tile.lay_first)
    rest = max(0.0, 1 - sum(chances.values()))
    elsewhere = sum(chance for code, chance in tile.codes if code in surely_read)
    other = rest / (len(ALL_TILES) - len(chances)) if len(chances) < len(ALL_TILES) else 0.0
    logs = {each: math.log(max(chance, LEAST_CHANCE)) for each, chance in chances.items()}
    log_other = math.log(max(other, LEAST_CHANCE))
    return TileEvidence(logs, log_other, None, False, rest + elsewhere, tile.lay_first)
