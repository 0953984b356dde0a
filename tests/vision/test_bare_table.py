"""Which places beside a pyramid show the table alone."""

from __future__ import annotations

import numpy as np

from vision.bare_table import is_bare
from vision.geometry import UNIT_SQUARE


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
    assert is_bare(cloth, places(6)).all()
    cloth[20:70, 120:170] = 230
    spots = np.indices((50, 50)) // 12 % 2
    cloth[20:70, 240:290] = 30 + 180 * (spots[0] ^ spots[1])[:, :, None]
    assert is_bare(cloth, places(6)).tolist() == [True, True, False, True, False, True]


def test_places_outside_the_picture_are_no_error() -> None:
    """No places give no answer; a place far outside shows the picture's edge."""
    cloth = striped(60)
    assert is_bare(cloth, []).shape == (0,)
    assert is_bare(cloth, [quad - 500 for quad in places(2)]).shape == (2,)
