"""Rolls of the fire die that people say: told as they were said, where the table bears it out. Rule 5."""

from __future__ import annotations

import pytest

from referee.formats.announcement_json import announcement_to_dict
from referee.rules.options import FireDie, Options
from referee.tracking.inputs import Answered, Reply
from tests.referee.tracking.tables import follow, table


@pytest.mark.parametrize("roll", [1, 2, 3, 4, 5])
def test_a_roll_that_somebody_said_is_told_as_it_was_said(roll):
    """No table tells 1, 2 and 3 apart, nor here 4, after which the incendiary leaves, from 5."""
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    assert follower.hear(Answered(30, Reply.ROLL, roll=roll)) == []  # to be seen
    burned = str(follower.game.settle().roll(roll).layout)
    assert announcement_to_dict(follower.hear(table(burned, 40))[0])["step"]["roll"] == roll


def test_a_roll_that_does_not_lead_to_the_table_is_not_told():
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    follower.hear(Answered(30, Reply.ROLL, roll=4))
    burned = str(follower.game.settle().roll(1).layout)
    assert announcement_to_dict(follower.hear(table(burned, 40))[0])["step"]["roll"] == 1


def test_a_roll_that_was_said_is_that_of_its_turn_alone():
    follower = follow("R40", "R40 B20", options=Options(fire_die=FireDie.NEWER))
    follower.hear(Answered(20, Reply.ROLL, roll=3))
    follower.hear(table("R40 B20/B7", 30))
    burned = str(follower.game.settle().roll(1).layout)
    assert announcement_to_dict(follower.hear(table(burned, 40))[0])["step"]["roll"] == 1
