"""What each event took, removed and is about. Rules 4 and 5."""

from __future__ import annotations

import pytest

from referee.rules.events import (
    Air,
    Collapse,
    Curse,
    Die,
    Direction,
    Explosion,
    Fall,
    Fire,
    Reason,
    payer_of,
    removed_by,
    taken_by,
    tiles_of,
)
from referee.rules.layout import EMPTY
from referee.rules.tiles import TILES

R40, B20, R7 = (TILES[code] for code in ("R40", "B20", "R7"))


@pytest.mark.parametrize(
    ("event", "taken", "payer", "removed", "tiles"),
    [
        (Air(R40, 1, EMPTY), (), None, (), (R40,)),
        (Collapse(R40, (Reason.MISMATCH,), (B20,), 1, EMPTY), (B20,), 1, (), (R40,)),
        (Fall(R40, Direction.LEFT, 1, EMPTY), (), None, (), (R40,)),
        (Explosion((R7, R40), (B20,), 1, EMPTY), (B20,), 1, (R7, R40), (R7, R40)),
        (Fire(R7, (B20,), 0, True, EMPTY), (B20,), 0, (R7,), (R7,)),
        (Fire(R7, (B20,), None, False, EMPTY), (B20,), None, (), (R7,)),
        (Curse((R40, R7), (B20,), 1, EMPTY), (B20,), 1, (), (R40, R7)),
        (Die(4, EMPTY), (), None, (), ()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_an_event_took_removed_and_is_about(event, taken, payer, removed, tiles):
    assert (taken_by(event), payer_of(event), removed_by(event), tiles_of(event)) == (
        taken,
        payer,
        removed,
        tiles,
    )
