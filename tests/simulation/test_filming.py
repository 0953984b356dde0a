"""Filmed games, watched from the pixels to the stored line: everything true is said, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from referee.rules.game import Setup
from referee.rules.layout import Layout
from tests.simulation.filming import SIZE_WH, Film
from tests.simulation.play import play_game
from tests.simulation.poses import poses_of
from tests.simulation.watched import watch_film
from vision.recognition.reader import TileReader


def test_a_short_filmed_game_is_followed(tmp_path):
    """It holds a hand at rest, mayhem that is resolved, and a step done wrongly and put right."""
    play = play_game(20002, max_turns=7)
    assert {"hand", "placed", "step"} <= {moment.what for moment in play.moments}
    report = watch_film(play, 20002, TileReader.open(), tmp_path)
    assert (report.wrong, report.unsaid) == ([], [])
    # About a tile of the first table, which lies there with two others, the reader may ask.
    assert {number for number, _ in report.questions} <= {0}
    assert report.caught == report.mistakes


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20004, 20008))
def test_a_filmed_game_with_mistakes_is_told_right(seed, tmp_path):
    report = watch_film(play_game(seed), seed, TileReader.open(), tmp_path)
    assert (report.wrong, report.unsaid) == ([], [])
    assert report.caught == report.mistakes


def test_a_film_can_be_repeated_and_every_frame_differs():
    play = play_game(20003, max_turns=2, setup=Setup(3))
    one, two = ([frame.image_bgr for _, frame in islice(Film(play, 1), 12)] for _ in range(2))
    assert all(np.array_equal(*pair) for pair in zip(one, two, strict=True))
    assert one[0].shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert not any(np.array_equal(one[at], one[at + 1]) for at in range(len(one) - 1))


def test_what_is_not_moved_stays_where_it_lies():
    """Though its slot changes where the base grows on the left, and whatever else is taken."""
    play = play_game(20000, max_turns=30)
    poses = poses_of(play, np.random.default_rng(1))
    before = Layout.parse("-")
    shifts = 0
    for at, moment in enumerate(play.moments):
        rows = {tile.code: row for (row, _), tile in before.tiles}
        slots = {tile.code: slot for (_, slot), tile in before.tiles}
        for (row, slot), tile in moment.layout.tiles:
            if moment.what != "bumped" and rows.get(tile.code) == row and moment.what == "placed":
                assert poses[at][tile.code] == poses[at - 1][tile.code]
                shifts += slots[tile.code] != slot
        before = moment.layout
    assert shifts > 0


def test_a_tile_that_has_taken_all_others_lies_where_they_lay():
    """It was drawn over a place on which none had lain, so that the film was wrong (film 412278)."""
    play = play_game(20000, max_turns=3, setup=Setup(2))
    layouts = map(Layout.parse, ("G1", "G40 G1", "- -/R4", "-", "B20"))
    play = replace(play, moments=[replace(play.moments[0], layout=layout) for layout in layouts])
    (_, row, fallen, _, alone) = poses_of(play, np.random.default_rng(1))
    (x, y, _), middle = fallen["R4"], (row["G40"][0] + row["G1"][0]) / 2
    assert (x, y) == pytest.approx((middle, -1.04), abs=0.1)
    assert alone["B20"][0] == pytest.approx(0, abs=0.1)
