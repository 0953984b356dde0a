"""What is said at once, and what is kept back. Rule 5, missed mayhem."""

from __future__ import annotations

import pytest

from referee.rules.game import Variant, Voice
from referee.rules.layout import Layout
from referee.rules.tiles import TILES
from referee.tracking.announcements import Remark
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Reply
from tests.referee.tracking.tables import OVERWEIGHT, follow, table, told


def test_a_check_tells_a_mistake_that_was_put_right_since():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    follower.hear(table("R40 -/G60"))
    follower.hear(table("G60"))
    assert told(follower.hear(CheckCalled(1, 1))) == ["wrong-step", "fixed"]


def test_the_silent_voice_keeps_calls_back_until_a_check_is_called():
    follower = follow(*OVERWEIGHT[:2], voice=Voice.SILENT, variant=Variant.STRATEGY)
    assert told(follower.hear(table("R40 B20/G60"))) == ["placed G60 turn 3 player 2"]
    assert told(follower.hear(table("R40 B20 Y2/G60 -", 5))) == ["placed Y2 turn 4 player 0"]
    assert told(follower.hear(table("R40 B20 Y2/G60 Y4", 9))) == ["placed Y4 turn 5 player 1"]
    (line,) = follower.hear(CheckCalled(12, 2))
    assert told([line]) == ["missed since 3 payer 1"]
    assert line.time_s == 12
    # From now to the next placement everything is said.
    assert told(follower.hear(table("R40 - Y2/G60 Y4", 15))) == ["wrong-step"]


def test_a_check_of_a_stable_pyramid_finds_nothing():
    follower = follow("R40", voice=Voice.SILENT)
    (line,) = follower.hear(CheckCalled(1, 1))
    assert line.remark is Remark.STABLE


def test_the_silent_voice_forgets_what_was_resolved_rightly():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    assert told(follower.hear(table("G60"))) == ["collapse turn 3 player 2", "fall turn 3 player 2"]
    assert told(follower.hear(CheckCalled(1, 1))) == ["notice"]
    assert follower.close() == []


def test_the_silent_voice_tells_mistakes_at_the_end():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    assert follower.hear(table("R40 -/G60")) == []
    assert told(follower.hear(table("- -/G60"))) == ["collapse turn 3 player 2"]
    assert told(follower.close()) == ["wrong-step", "fixed"]
    assert follower.close() == []


def test_the_silent_voice_tells_mistakes_when_somebody_wins():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    assert told(follower.hear(table("R40 B20 Y2/G60 -"))) == ["placed Y2 turn 4 player 0"]
    follower.hear(table("- G60 Y2"))
    follower.hear(Corrected(1, Layout.parse("G60 Y2"), (20, 1, 20), (TILES["R40"], TILES["B20"])))
    lines = follower.hear(table("G60 Y2/G10"))
    assert told(lines) == ["placed G10 turn 5 player 1", "missed since 3 payer None", "end 1"]


def test_a_check_in_the_announce_voice_says_again_what_must_be_done():
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(CheckCalled(1))) == ["verdict"]
    assert told(follower.hear(table("R40 -/G60"))) == ["wrong-step"]
    assert told(follower.hear(CheckCalled(1))) == ["wrong-step"]


def test_after_the_next_player_said_ok_mayhem_is_missed():
    follower = follow(*OVERWEIGHT, variant=Variant.STRATEGY)
    assert told(follower.hear(Answered(30, Reply.OK))) == ["missed since 3 payer 0"]
    assert told(follower.hear(table("G60", 40))) == ["collapse turn 4 player 0", "fall turn 4 player 0"]
    assert follower.game.stocks == (16, 14, 14)


@pytest.mark.parametrize(
    ("variant", "payer", "stocks", "out"),
    [(Variant.FAMILY, None, (13, 13, 14), 3), (Variant.STRATEGY, 1, (13, 16, 14), 0)],
)
@pytest.mark.parametrize("voice", Voice)
def test_mayhem_that_is_found_turns_later_is_paid_by_the_right_player(variant, payer, stocks, out, voice):
    follower = follow(*OVERWEIGHT, "R40 B20 Y2/G60 -", "R40 B20 Y2/G60 Y4", variant=variant, voice=voice)
    assert told(follower.hear(CheckCalled(60, 2))) == [f"missed since 3 payer {payer}"]
    done = ["collapse turn 5 player 1", "fall turn 5 player 1"]
    assert told(follower.hear(table("G60 - Y2/- Y4", 70))) == [*done, "verdict"]
    assert told(follower.hear(table("G60 Y4", 80))) == done
    assert (follower.game.stocks, len(follower.game.out)) == (stocks, out)
    assert told(follower.hear(table("G60 Y4/R60", 90))) == ["placed R60 turn 6 player 2"]


def test_the_silent_voice_keeps_back_what_a_correction_brings_about():
    """Nobody has called for a check yet, nor placed a tile."""
    follower = Follower(3, voice=Voice.SILENT)
    corrected = Corrected(1, Layout.parse("R40 B20/G60"), (14, 14, 14), (), 3)
    assert follower.hear(corrected) == []
    assert told(follower.close()) == ["verdict"]


def test_a_check_tells_an_earlier_miss_that_was_resolved_and_the_one_that_lies_now():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    follower.hear(table("R40 B20 Y2/G60 -", 5))
    follower.hear(table("G60 Y2", 10))
    assert told(follower.hear(table("G60 Y2/R100", 15))) == ["placed R100 turn 5 player 1"]
    assert told(follower.hear(table("G60 Y2 Y4/R100 -", 20))) == ["placed Y4 turn 6 player 2"]
    lines = follower.hear(CheckCalled(25, 0))
    assert told(lines) == ["missed since 3 payer None", "missed since 5 payer None"]
    assert [line.time_s for line in lines] == [5, 25]
    assert follower.close() == []


def test_a_miss_that_is_passed_over_again_is_told_once_and_as_it_is_now():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT, variant=Variant.STRATEGY)
    follower.hear(table("R40 B20 Y2/G60 -", 5))
    follower.hear(table("R40 B20 Y2/G60 Y4", 9))
    (line,) = follower.close()
    assert (told([line]), line.time_s) == (["missed since 3 payer 1"], 9)


def test_a_check_while_a_step_is_wrong_tells_it_once():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    assert follower.hear(table("R40 -/G60", 5)) == []
    assert told(follower.hear(CheckCalled(9))) == ["wrong-step"]
    assert follower.close() == []


def test_after_a_check_everything_is_said_till_the_next_placement():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    assert told(follower.hear(CheckCalled(9))) == ["verdict"]
    assert told(follower.hear(table("R40 -/G60", 10))) == ["wrong-step"]
    assert told(follower.hear(table("- -/G60", 12))) == ["fixed", "collapse turn 3 player 2"]
    assert told(follower.hear(table("G60", 14))) == ["fall turn 3 player 2"]
    assert told(follower.hear(table("G60 Y2", 16))) == ["placed Y2 turn 4 player 0"]
    assert told(follower.hear(table("G60 Y2/R100", 18))) == ["placed R100 turn 5 player 1"]
    assert told(follower.close()) == ["verdict"]


def test_a_remark_of_no_place_names_none():
    (line,) = follow("R40").hear(CheckCalled(1))
    assert (line.remark, line.row, line.slot, line.tiles, line.text) == (Remark.STABLE, 0, 0, (), "")


def test_what_a_check_said_is_not_said_again_by_the_same_table():
    follower = follow(*OVERWEIGHT)
    follower.hear(CheckCalled(50))
    assert follower.hear(table("R40 B20/G60", 60)) == []


def test_what_was_put_right_is_told_after_what_was_missed_and_done_wrongly_before():
    follower = follow(*OVERWEIGHT, voice=Voice.SILENT)
    follower.hear(table("R40 B20 Y2/G60 -", 5))
    assert follower.hear(table("R40 - Y2/G60 -", 9)) == []
    assert "fixed" not in told(follower.hear(table("- - Y2/G60 -", 12)))
    assert told(follower.close())[:3] == ["missed since 3 payer None", "wrong-step", "fixed"]
