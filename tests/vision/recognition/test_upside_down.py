"""Tiles that lie on their heads among others."""

from __future__ import annotations

import numpy as np
import pytest

from vision.recognition import reader
from vision.recognition.reading import DetectedTile, TileReading

QUAD = ((10.0, 10.0), (60.0, 10.0), (60.0, 60.0), (10.0, 60.0))
HEAD_DOWN = ((60.0, 60.0), (10.0, 60.0), (10.0, 10.0), (60.0, 10.0))


@pytest.mark.parametrize(
    ("confidence", "face", "code", "as_well", "is_asked"),
    [
        (0.97, 0.0, "R4", 0.99, True),
        (0.99, 0.2, "R4", 0.99, True),
        (0.996, 0.05, "R4", 0.998, False),
        (0.97, 0.2, "R4", 0.96, False),
        (0.97, 0.2, "R7", 0.99, False),
    ],
)
def test_what_reads_as_well_as_another_tile_on_its_head_is_in_doubt(
    confidence, face, code, as_well, is_asked
):
    """A red 4 on its head was surely read as a red 7 (film 423019)."""

    def name(quads: list[np.ndarray]) -> list[DetectedTile]:
        (quad,) = quads
        assert quad.tolist() == np.array(HEAD_DOWN).tolist()
        return [DetectedTile(code, HEAD_DOWN, as_well, False, 1.0, 1.0)]

    tile = TileReading("R7", 0, 0, QUAD, confidence, unsure=False)
    (read,) = reader._doubted_upside_down([tile], np.array([face]), name)
    assert read.unsure is is_asked
    instead = round(as_well / (as_well + confidence), 4)
    assert read.alternatives == ((("R4", instead),) if is_asked else ())
