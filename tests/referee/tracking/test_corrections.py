"""What people correct, and notices. Rule 5."""

from __future__ import annotations

import pytest

from referee.errors import RefereeError
from referee.formats.announcement_json import announcement_to_dict
from referee.rules.layout import Layout
from referee.rules.tiles import TILES
from referee.tracking.announcements import Remark
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Noticed, Reply
from tests.referee.tracking.tables import BASE, OVERWEIGHT, follow, table, told


def test_a_mistaken_call_is_undone():
    follower = follow("R40", "R40 B20", "R40 B20/G60")
    before = Corrected(50, Layout.parse("R40 B20"), (14, 14, 15), (), turn=2)
    assert follower.hear(before) == []
    assert (follower.game.turn, follower.game.active, follower.game.is_stable) == (2, 1, True)
    assert told(follower.hear(table("R40 B20/R4", 60))) == ["placed R4 turn 3 player 2"]
    assert follower.game.stocks == (14, 14, 14)


def test_a_correction_of_the_table_alone_reckons_turn_and_stocks():
    follower = follow("R40", "R40 B20")
    assert told(follower.hear(Corrected(30, Layout.parse("R40 B20/R4")))) == ["placed R4 turn 3 player 2"]
    assert follower.game.stocks == (14, 14, 14)


def test_a_tile_that_is_another_may_undo_mayhem():
    follower = follow(*OVERWEIGHT)
    follower.hear(table("R40 B20/G60", 40, G60="R4"))
    assert told(follower.hear(table("R40 B20/G60", 45, G60="R4"))) == ["question G60/R4"]
    assert follower.hear(Answered(46, Reply.TILE, "R4", 1, 0)) == []
    assert follower.game.is_stable


def test_what_must_fall_still_must_when_a_tile_turns_out_to_be_another():
    follower = follow(*BASE, "R40 B20 Y30/R4 G60")
    follower.hear(table("R40 - -/R4 G60", 60))
    follower.hear(table("R40 - -/R4 G60", 62, R4="R2"))
    follower.hear(table("R40 - -/R4 G60", 64, R4="R2"))
    follower.hear(Answered(65, Reply.TILE, "R2", 1, 0))
    assert told(follower.hear(table("R40 G60/R2", 70)))[0] == "fall turn 5 player 1"


@pytest.mark.parametrize(
    "heard",
    [
        Answered(1, Reply.TILE), Answered(1, Reply.TILE, "R40", 0, 0), Answered(1, Reply.OK),
        Answered(1, Reply.ROLL), Answered(1, Reply.ROLL, roll=3), Answered(1, Reply.AS_IT_LIES),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("players", [2, 3])
def test_an_answer_to_nothing_says_nothing(heard, players):
    assert Follower(players).hear(heard) == []


def test_a_correction_counts_at_once():
    follower = follow("R40", "R40 B20")
    lines = follower.hear(Corrected(30, Layout.parse("R40 B10/G60"), turn=3))
    assert told(lines) == ["verdict"]
    assert (follower.game.turn, follower.game.active) == (3, 2)
    assert sum(follower.game.stocks) == 42


def test_a_correction_of_everything():
    follower = follow("R40")
    follower.hear(Corrected(1, Layout.parse("R40 B20"), (10, 10, 10), tuple(TILES.values())[2:15], 9))
    assert (follower.game.turn, follower.game.active, follower.game.stocks) == (9, 2, (10, 10, 10))
    with pytest.raises(RefereeError, match="wrong-total"):
        follower.hear(Corrected(1, Layout.parse("R40 B20"), (10, 10, 11), ()))


def test_a_notice_is_passed_on():
    (line,) = follow("R40").hear(Noticed(4, "The camera {is} gone."))
    assert (line.remark, line.text) == (Remark.OUTSIDE, "The camera {is} gone.")


def test_a_question_is_written_with_its_kind_and_every_answer():
    follower = follow(*BASE)
    (line,) = follower.hear(table("R40 B20/R4"))
    written = announcement_to_dict(line, "Well?")
    assert (written["kind"], written["text"]) == ("put-back", "Well?")
    assert written["tiles"] == [{"row": 0, "slot": 2, "codes": ["Y30"]}]
    assert written["answers"] == [{"reply": "as-it-lies"}, {"reply": "mended"}]
