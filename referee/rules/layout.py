"""Layouts: which tile lies in which slot. Rule 2.

Inside, a slot is one integer, its *place number*: `slot - row * STRIDE`. Rising place numbers are
the scanning order of the rules (rows from top to bottom, each from left to right), and the six
neighbours of a slot are six fixed steps away.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from referee.errors import Fault, NotationError, TileError
from referee.rules.tiles import TILES, Tile

STRIDE = 1 << 17
"""Distance in place numbers between a slot and the one of equal number a row below."""
MAX_BASE = 1 << 16
"""Widest base that is read, in slots; no table is as wide, and a bound keeps sums honest."""

_TILES = dict(TILES)
"""`TILES` without its proxy, for the many look-ups of `parse_shifted`."""

DOWN_LEFT, DOWN_RIGHT = STRIDE, STRIDE + 1
"""Steps to the two supports, which are also the two slots to fall to."""
UP_LEFT, UP_RIGHT = -STRIDE - 1, -STRIDE
"""Steps to the two slots above."""
TOUCHING = (UP_LEFT, UP_RIGHT, -1, 1, DOWN_LEFT, DOWN_RIGHT)
"""Steps to the six slots that touch a slot, in scanning order."""

_SLOT_BITS = STRIDE - 1
_ROW_SHIFT = 17


def place_number(row: int, slot: int) -> int:
    """Return the place number of a slot; `slot` is 0 or more."""
    return slot - row * STRIDE


def row_of(place: int) -> int:
    """Return the row of a place number, 0 for the base."""
    return -(place >> _ROW_SHIFT)


def slot_of(place: int) -> int:
    """Return the slot of a place number, 0 for the leftmost."""
    return place & _SLOT_BITS


@dataclass(frozen=True, slots=True)
class Layout:
    """The tiles on the table, in canonical form: two equal tables are equal layouts.

    >>> print(Layout.parse("R40 B20 G60 -/R4 - -"))
    R40 B20 G60/R4 -
    """

    cells: Mapping[int, Tile]
    """Place number -> tile, in scanning order, slots shifted so that the leftmost in use is 0.
    Shared, never changed. Make layouts with `parse`, `from_tiles` or the methods below."""

    def __hash__(self) -> int:
        return hash(tuple(self.cells.items()))

    def __len__(self) -> int:
        return len(self.cells)

    @staticmethod
    def parse(text: str) -> Layout:
        """Return the layout that a line describes. Rule 2.

        Raises:
            NotationError: The text is not a layout.
            TileError: A tile does not exist, or is there twice.
        """
        return Layout.parse_shifted(text)[0]

    @staticmethod
    def parse_shifted(text: str) -> tuple[Layout, int]:
        """Return the layout of a line, and by how many slots its text lies to the right of canonical form.

        A slot of the text is that many higher than the same slot of the layout.

        Raises:
            NotationError: The text is not a layout.
            TileError: A tile does not exist, or is there twice.
        """
        rows = text.split("/")
        width = rows[0].count(" ") + 1
        if width > MAX_BASE:
            raise NotationError(Fault.BASE_TOO_WIDE, width=width)
        cells: dict[int, Tile] = {}
        seen = 0
        known = _TILES.get
        row = len(rows)
        while row:
            row -= 1
            codes = rows[row].split(" ")
            if len(codes) != width - row:
                raise _row_error(text, row, len(codes), width)
            place = -row * STRIDE
            for code in codes:
                if code != "-":
                    tile = known(code)
                    if tile is None:
                        raise _code_error(text, code)
                    if seen & tile.bit:
                        raise TileError(Fault.DOUBLE_TILE_IN_LAYOUT, code=code, layout=text)
                    seen |= tile.bit
                    cells[place] = tile
                place += 1
        shift = _leftmost(cells)
        return Layout(_shifted(cells, -shift) if shift else cells), shift

    @staticmethod
    def from_tiles(tiles: Mapping[tuple[int, int], str | Tile]) -> Layout:
        """Return the layout with these tiles at (row, slot), wherever its leftmost slot lies.

        >>> print(Layout.from_tiles({(0, 7): "R40", (0, 8): "B20", (1, 7): "R4"}))
        R40 B20/R4

        Raises:
            NotationError: A row below the base, or a base wider than any table.
            TileError: A tile does not exist, or is there twice.
        """
        if not tiles:
            return EMPTY
        leftmost = min(slot for _, slot in tiles)
        width = max(row + slot for row, slot in tiles) - leftmost + 1
        if width > MAX_BASE:
            raise NotationError(Fault.BASE_TOO_WIDE, width=width)
        cells: dict[int, Tile] = {}
        seen = 0
        for (row, slot), named in sorted(tiles.items(), key=lambda item: (-item[0][0], item[0][1])):
            if row < 0:
                raise NotationError(Fault.ROW_BELOW_BASE, row=row)
            tile = named if isinstance(named, Tile) else Tile.from_code(named)
            if seen & tile.bit:
                raise TileError(Fault.DOUBLE_TILE, code=tile.code)
            seen |= tile.bit
            cells[place_number(row, slot - leftmost)] = tile
        return Layout(cells)

    @property
    def width(self) -> int:
        """Number of base slots that the canonical form writes; 0 for the empty table."""
        return max([(place & _SLOT_BITS) - (place >> _ROW_SHIFT) for place in self.cells], default=-1) + 1

    @property
    def height(self) -> int:
        """Number of rows that the canonical form writes; 0 for the empty table."""
        for place in self.cells:
            return row_of(place) + 1
        return 0

    @property
    def tiles(self) -> Iterator[tuple[tuple[int, int], Tile]]:
        """((row, slot), tile) from the base up, each row from left to right."""
        rows: list[list[tuple[tuple[int, int], Tile]]] = [[] for _ in range(self.height)]
        for place, tile in self.cells.items():
            rows[row_of(place)].append(((row_of(place), slot_of(place)), tile))
        return (item for row in rows for item in row)

    def get(self, row: int, slot: int) -> Tile | None:
        """Return the tile in a slot, or None where the slot is empty."""
        return self.cells.get(place_number(row, slot)) if slot >= 0 else None

    def find(self, tile: Tile) -> int | None:
        """Return the place number of a tile, or None where it does not lie on the table."""
        for place, other in self.cells.items():
            if other is tile:
                return place
        return None

    def place_of(self, tile: Tile) -> int:
        """Return the place number of a tile that lies on the table."""
        return next(place for place, other in self.cells.items() if other is tile)

    def touching(self, place: int) -> list[Tile]:
        """Return the tiles that touch a slot, in scanning order. Rule 2."""
        get = self.cells.get
        return [tile for step in TOUCHING if (tile := get(place + step)) is not None]

    def with_tile(self, tile: Tile, row: int, slot: int) -> Layout:
        """Return the layout with one more tile; slot -1 is the one left of the canonical base."""
        cells = self.cells
        if slot < 0:
            cells = _shifted(cells, -slot)
            slot = 0
        return Layout(_with(cells, place_number(row, slot), tile))

    def without(self, places: Iterable[int]) -> Layout:
        """Return the layout without the tiles in these slots."""
        cells = dict(self.cells)
        for place in places:
            del cells[place]
        return Layout(_canonical(cells))

    def with_fall(self, place: int, step: int) -> Layout:
        """Return the layout after the tile in a slot moved `DOWN_LEFT` or `DOWN_RIGHT`."""
        cells = dict(self.cells)
        tile = cells.pop(place)
        return Layout(_canonical(_with(cells, place + step, tile)))

    def mirrored(self) -> Layout:
        """Return the layout as it is seen from the other side of a window, left and right exchanged."""
        return Layout.from_tiles({(row, -row - slot): tile for (row, slot), tile in self.tiles})

    def __str__(self) -> str:
        if not self.cells:
            return "-"
        width = self.width
        rows = [["-"] * (width - row) for row in range(self.height)]
        for place, tile in self.cells.items():
            rows[-(place >> _ROW_SHIFT)][place & _SLOT_BITS] = tile.code
        return "/".join([" ".join(row) for row in rows])

    def drawing(self) -> str:
        """Return the layout as people draw it, each tile centred over the joint below it. Rule 2.

        >>> print(Layout.parse("R40 B20 G60/R4 -").drawing())
          R4
        R40 B20 G60
        """
        cells = self.cells
        if not cells:
            return "-"
        pitch = max(3, *(len(tile.code) for tile in cells.values())) + 1
        pitch += pitch % 2
        lines = []
        for row in reversed(range(self.height)):
            line = " " * (row * pitch // 2)
            for slot in range(self.width):
                tile = cells.get(place_number(row, slot))
                line += (tile.code if tile else "-" if row == 0 else "").ljust(pitch)
            lines.append(line.rstrip())
        return "\n".join(lines)


EMPTY = Layout({})
"""The empty table."""


def _with(cells: Mapping[int, Tile], place: int, tile: Tile) -> dict[int, Tile]:
    """Return the cells with one more tile, in scanning order."""
    items = [*cells.items()]
    insort(items, (place, tile))
    return dict(items)


def _shifted(cells: Mapping[int, Tile], by: int) -> dict[int, Tile]:
    """Return the cells moved by some slots, to the right where positive."""
    return {place + by: tile for place, tile in cells.items()}


def _canonical(cells: dict[int, Tile]) -> dict[int, Tile]:
    """Return the cells with the leftmost slot in use at 0."""
    leftmost = _leftmost(cells)
    return _shifted(cells, -leftmost) if leftmost else cells


def _leftmost(cells: Mapping[int, Tile]) -> int:
    """Return the leftmost slot in use, whatever its row; 0 for the empty table."""
    return 0 if 0 in cells else min([place & _SLOT_BITS for place in cells], default=0)


def _row_error(text: str, row: int, found: int, width: int) -> NotationError:
    """Return what to say of a row that does not have the slots it must have."""
    if row >= width:
        return NotationError(
            Fault.TOO_MANY_ROWS, layout=text, rows=text.count("/") + 1, width=width, top=width - 1,
        )  # fmt: skip
    return NotationError(
        Fault.WRONG_ROW_LENGTH, row=row, layout=text, found=found, width=width, expected=width - row
    )


def _code_error(text: str, code: str) -> NotationError | TileError:
    """Return what to say of a slot that holds neither a tile nor `-`."""
    if not code:
        return NotationError(Fault.EMPTY_SLOT_TEXT, layout=text)
    return TileError(Fault.UNKNOWN_TILE_IN_LAYOUT, code=code, layout=text)
