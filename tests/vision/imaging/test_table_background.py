"""Which places beside a pyramid show the table alone."""

from __future__ import annotations

import numpy as np

from vision.imaging.geometry import UNIT_SQUARE
from vision.imaging.table_background import known_colours, table_looks


def places(count: int) -> list[np.ndarray]:
    """Return quads of 50 px in one row, the first at the picture's left edge."""
    return [(UNIT_SQUARE * 50 + [60 * index, 20]).astype(np.float32) for index in range(count)]


def striped(wide: int) -> np.ndarray:
    """Return a striped cloth with noise, (100, wide, 3) uint8."""
    stripes = 100 + 40 * (np.arange(wide) // 6 % 2)
    noise = np.random.default_rng(0).normal(0, 4, (100, wide, 3))
    return (stripes[None, :, None] + noise).clip(0, 255).astype(np.uint8)


def test_what_lies_on_a_striped_cloth_stands_out() -> None:
    """Stripes are table in every place; something of another shade, or with spots, is not."""
    cloth = striped(400)
    table = table_looks(cloth, places(6))
    assert table.bare.all()
    assert table.shown.min() > 0.9
    assert not table.patterned.any()
    cloth[20:70, 120:170] = 230
    spots = np.indices((50, 50)) // 12 % 2
    cloth[20:70, 240:290] = 30 + 180 * (spots[0] ^ spots[1])[:, :, None]
    table = table_looks(cloth, places(6))
    assert table.bare.tolist() == [True, True, False, True, False, True]
    assert table.patterned.tolist() == [False, False, False, False, True, False]


def test_what_leaves_no_table_in_sight_is_told_from_what_leaves_half() -> None:
    """A sheet with writing over a whole place, one over half of a place, and glare, which is even."""
    cloth = striped(400)
    cloth[15:75, 115:175] = 250, 200, 150
    for line in (30, 50):
        cloth[line : line + 8, 120:165] = 120, 40, 20
    cloth[15:75, 175:205] = 60, 60, 220
    cloth[:, 290:] = 250
    shown = table_looks(cloth, places(6)).shown
    assert shown[1] > 0.9
    assert shown[2] < 0.1
    assert 0.3 < shown[3] < 0.9
    assert shown[5] > 0.9


def test_places_outside_the_picture_are_no_error() -> None:
    """No places give no answer; a place far outside shows the picture's edge."""
    cloth = striped(60)
    assert table_looks(cloth, []).bare.shape == (0,)
    assert table_looks(cloth, [quad - 500 for quad in places(2)]).shown.shape == (2,)
    assert table_looks(cloth, places(1)).shown.tolist() == [1.0]


def test_a_bare_place_has_the_colours_of_the_table_and_what_lies_there_has_others() -> None:
    """Of a floor with tiles in three colours none lies beside another twice; a hand is no colour of it."""
    rng = np.random.default_rng(2)
    colours = np.array([(40, 40, 200), (190, 210, 180), (30, 130, 220)], np.uint8)
    table = np.repeat(np.repeat(colours[rng.integers(0, 3, (12, 12))], 40, axis=0), 40, axis=1)
    place = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * 60 + 210).astype(np.float32)
    with_tile, with_hand = table.copy(), table.copy()
    with_tile[210:270, 210:270] = 200, 40, 30
    with_hand[200:480, 220:260] = 90, 120, 160
    assert known_colours(table, place, with_tile, [place]) == 1
    assert known_colours(with_tile, place, with_tile, [place]) < 0.1
    assert known_colours(with_hand, place, with_tile, [place]) < 0.5
    assert (
        known_colours(table, place, with_tile, [place, np.float32([[0, 0], [480, 0], [480, 480], [0, 480]])])
        == 0
    )
    assert known_colours(table, place - 500, with_tile, [place]) == 0
    hardly_there = place - np.float32([269, 0])  # a column of it, after a phone was moved
    assert known_colours(table, hardly_there, with_tile, [place]) == 0
