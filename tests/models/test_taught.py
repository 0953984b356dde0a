"""How the measurement of a game that teaches its tiles plays one."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.calibration.taught import ReadTile, line, play
from tests.places import SAMPLES
from vision.imaging.photo import read_photo
from vision.recognition.reader import TileReader


@pytest.mark.parametrize("teaches", [True, False])
def test_each_tile_is_read_before_it_is_told_and_teaches_only_if_it_shall(teaches: bool) -> None:
    reader = TileReader.open()
    image = read_photo(SAMPLES / "stable.jpg").image_bgr
    tiles = reader.read(image).tiles[:4]
    quads = [np.array(tile.quad_px, np.float32) for tile in tiles]
    told = [*(tile.code for tile in tiles[:3]), "M200"]
    found = list(play(reader, image, quads, told, teaches=teaches))
    assert [each.is_right for each in found] == [True, True, True, False]
    assert not any(each.is_unsure for each in found)
    assert reader.own_set is not None
    assert reader.own_set.codes == (set(told) if teaches else set())


def test_a_line_tells_what_was_silently_wrong() -> None:
    tiles = [ReadTile(True, False), ReadTile(True, True), ReadTile(False, True), ReadTile(False, False)]
    assert line("chalk", tiles) == "| chalk | 4 | 50.0% | 50.0% | 1 (25.00%) |"
