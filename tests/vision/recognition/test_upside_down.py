"""Tiles that lie on their heads or sides among others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from vision.recognition.naming import doubted_turned
from vision.recognition.reading import DetectedTile, TileReading

QUAD = ((10.0, 10.0), (60.0, 10.0), (60.0, 60.0), (10.0, 60.0))
TURNED = {
    2: ((60.0, 60.0), (10.0, 60.0), (10.0, 10.0), (60.0, 10.0)),
    3: ((60.0, 10.0), (60.0, 60.0), (10.0, 60.0), (10.0, 10.0)),
}


@pytest.mark.parametrize(
    ("confidence", "up", "way", "code", "as_well", "is_asked"),
    [
        (0.97, (1, 0, 0, 0), 2, "R4", 0.99, True),
        (0.99, (0.8, 0, 0.2, 0), 2, "R4", 0.99, True),
        (0.996, (0.8, 0, 0, 0.2), 3, "R4", 0.998, True),
        (0.996, (0.95, 0, 0.05, 0), 2, "R4", 0.998, False),
        (0.97, (0.8, 0, 0.2, 0), 2, "R4", 0.96, False),
        (0.97, (0.8, 0, 0.2, 0), 2, "R7", 0.99, False),
    ],
)
def test_what_reads_as_well_as_another_tile_that_lies_turned_is_in_doubt(
    confidence, up, way, code, as_well, is_asked
):
    """A red 4 on its head was surely read as a red 7 (film 423019), a green 60 on its side as a 2."""

    def name(quads: list[np.ndarray]) -> list[DetectedTile]:
        (quad,) = quads
        assert quad.tolist() == np.array(TURNED[way]).tolist()
        return [DetectedTile(code, TURNED[way], as_well, False, 1.0, 1.0)]

    tile = TileReading("R7", 0, 0, QUAD, confidence, unsure=False)
    (read,) = doubted_turned([tile], np.array([up]), name)
    assert read.unsure is is_asked
    instead = round(as_well / (as_well + confidence), 4)
    assert read.alternatives == ((("R4", instead),) if is_asked else ())


def test_no_two_tiles_become_the_same_one_as_they_read_the_other_way_up():
    """A picture of which two did could not be read at all, and the game stopped (film 475439)."""

    def named(confidence: float) -> Callable[[list[np.ndarray]], list[DetectedTile]]:
        return lambda quads: [DetectedTile("G6", TURNED[2], confidence, True, 1.0, 1.0) for _ in quads]

    first, other = (TileReading(code, 0, at, QUAD, 0.4, unsure=True) for at, code in enumerate(("R7", "B7")))
    up = np.array([(0.5, 0, 0.5, 0)] * 2)
    assert [each.code for each in doubted_turned([first, other], up, named(0.9))] == ["G6", "B7"]
    known = TileReading("B60", 0, 1, QUAD, 0.99, unsure=False)
    doubt = replace(first, confidence=0.2, alternatives=(("B60", 0.7),))
    up = np.array([(0.5, 0, 0.5, 0), (1, 0, 0, 0)])
    assert [each.code for each in doubted_turned([doubt, known], up, named(0.2))] == ["R7", "B60"]
