"""Where the next tile may go. Rule 3 (all four rulebooks)."""

from __future__ import annotations

from referee.errors import Fault, PlacementError, TileError
from referee.rules.layout import (
    DOWN_LEFT,
    DOWN_RIGHT,
    STRIDE,
    UP_RIGHT,
    Layout,
    place_number,
    row_of,
    slot_of,
)
from referee.rules.tiles import Tile

Slot = tuple[int, int]
"""(row, slot). A base extension to the left of the canonical base has slot -1."""


def open_slots(layout: Layout) -> list[Slot]:
    """Return the gaps that must be filled first, in scanning order. Rule 3.2 (all four rulebooks).

    These are the empty slots of row 1 or higher on two supports, and the empty base slots with base
    tiles on both sides of them.
    """
    cells = layout.cells
    found = [
        (row_of(place) + 1, slot_of(place))
        for place in cells
        if place + UP_RIGHT not in cells and place + 1 in cells
    ]
    base = [place for place in cells if place >= 0]
    if base and base[-1] - base[0] >= len(base):
        found += [(0, place) for place in range(base[0], base[-1]) if place not in cells]
    return found


def find_places(layout: Layout) -> list[Slot]:
    """Return every slot where the next tile may go, in scanning order. Rule 3.

    Empty only for a table whose tiles all hang in free air: there is no base to extend.
    """
    cells = layout.cells
    if not cells:
        return [(0, 0)]
    found = open_slots(layout)
    if found:
        return found
    base = [place for place in cells if place >= 0]
    return [(0, base[0] - 1), (0, base[-1] + 1)] if base else []


def is_place(layout: Layout, row: int, slot: int) -> bool:
    """Whether the next tile may go to this slot. Rule 3."""
    if row <= 0 or not 0 <= slot < STRIDE:
        return (row, slot) in find_places(layout)
    cells, place = layout.cells, place_number(row, slot)
    return place not in cells and place + DOWN_LEFT in cells and place + DOWN_RIGHT in cells


def place_tile(
    layout: Layout, tile: Tile, row: int, slot: int, shift: int = 0, text: str | None = None
) -> Layout:
    """Return the layout with the tile placed. Rule 3.

    Args:
        layout: The table before the placement.
        tile: The tile that is placed; it does not lie on the table yet.
        row: Row of the place.
        slot: Slot of the place, in the coordinates of `text`.
        shift: By how many slots `text` lies to the right of canonical form.
        text: The layout as it was given, for errors; by default the canonical text.

    Raises:
        TileError: The tile lies on the table already.
        PlacementError: The tile may not go there.
    """
    if tile in layout.cells.values():
        shown = str(layout) if text is None else text
        raise TileError(Fault.TILE_LIES_ALREADY, code=tile.code, layout=shown)
    # The empty table has its one place at slot 0 of whatever was written.
    if not is_place(layout, row, slot - shift):
        shown = str(layout) if text is None else text
        places = find_places(layout)
        if not places:
            raise PlacementError(Fault.NO_PLACE_AT_ALL, layout=shown)
        raise PlacementError(
            Fault.NOT_A_PLACE, code=tile.code, row=row, slot=slot, layout=shown,
            places=", ".join(f"({row}, {slot + shift})" for row, slot in places),
        )  # fmt: skip
    return layout.with_tile(tile, row, slot - shift)
