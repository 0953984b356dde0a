"""Tables that leave doubts, and what the rules forbid. Rule 5."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.formats.announcement_json import announcement_to_dict
from referee.rules.game import Step, Variant
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.tiles import TILES
from referee.tracking.announcements import Asked, Remark, TilePlaced
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Reply
from referee.tracking.questions import QuestionKind, ask_which
from referee.tracking.state import PATIENCE_S
from tests.referee.tracking.tables import BASE, OVERWEIGHT, answer_to, follow, kind_of, short, table, told


def test_a_taken_tile_that_is_put_back_is_no_placement():
    follower = follow(*BASE[:3], "R40 B20 R20/R4 -", "R40 B20 R20/R4 Y2")
    # B20 and R20 come off, and by mistake R4 as well.
    assert follower.hear(table("R40 - -/- Y2")) == []  # a hand may lie over it
    assert told(follower.hear(table("R40 - -/- Y2"))) == ["wrong-step"]
    lines = follower.hear(table("R40 - -/R4 Y2"))
    assert told(lines) == ["fixed", "collapse turn 5 player 1"]


def test_a_tile_that_may_be_two_is_asked_about_once_and_told_when_it_can_be_read():
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4"}
    (line,) = follower.hear(table("R40 B20", **unsure))
    assert announcement_to_dict(line)["tiles"] == [{"row": 0, "slot": 1, "codes": ["B20", "B10"]}]
    assert follower.hear(table("R40 B20", 5, **unsure)) == []
    assert told(follower.hear(table("R40 B20", 9))) == ["placed B20 turn 2 player 1"]


def test_a_tile_for_which_the_reader_names_but_one_code_is_asked_about():
    follower = follow("R40")
    (line,) = follower.hear(table("R40 B20", B20="B20 0.9"))
    assert kind_of(line) == (QuestionKind.WHICH_TILE, "B20")
    assert told(follower.hear(table("R40 B20", 9, B20="B10"))) == ["placed B10 turn 2 player 1"]


def test_an_answer_decides():
    follower = follow("R40")
    follower.hear(table("R40 B20", B20="B20 0.6 B10 0.4"))
    assert told(follower.hear(Answered(3, Reply.TILE, "B10", 0, 1))) == ["placed B10 turn 2 player 1"]
    # The reader still thinks otherwise, and nobody asks again.
    assert follower.hear(table("R40 B20", 5, B20="B20 0.6 B10 0.4")) == []


def test_an_answer_may_be_a_tile_that_nobody_thought_of():
    follower = follow("R40")
    follower.hear(table("R40 B20", B20="B20 0.6 B10 0.4"))
    assert told(follower.hear(Answered(3, Reply.TILE, "Y4", 0, 1))) == ["placed Y4 turn 2 player 1"]


def test_an_answer_counts_more_than_all_that_was_read_of_the_tile():
    follower = follow("B100", players=5)
    read = "Y120 0.379 Y2 0.295 Y20 0.15 Y6 0.05 Y60 0.04 Y10 0.04 Y100 0.04"
    assert told(follower.hear(table("Y120 B100", 7, Y120=read)))[0].startswith("question Y120/Y2")
    # Nobody placed Y2, then a tile that came off, and then Y1 where Y2 had lain.
    assert told(follower.hear(Answered(8, Reply.TILE, "Y1", 0, 0))) == ["placed Y1 turn 2 player 1"]


def test_what_may_be_a_tile_that_lies_elsewhere_may_be_any():
    """A blue 10 was told as a red 10, for it could not be the yellow one beside it (film 429270)."""
    follower = follow("R40", "R40 Y10")
    asked = follower.hear(table("R40 Y10/R10", 20, R10="R10 0.81 Y10 0.19"))
    assert told(asked) == ["question R10"]
    assert told(follower.hear(Answered(21, Reply.TILE, "B10", 1, 0))) == ["placed B10 turn 3 player 2"]


def test_what_is_hardly_a_tile_that_lies_elsewhere_is_what_it_seems():
    follower = follow("R40", "R40 Y10")
    lines = follower.hear(table("R40 Y10/R10", 20, R10="R10 0.995 Y10 0.004"))
    assert told(lines) == ["placed R10 turn 3 player 2"]


def test_a_question_is_dropped_when_the_players_go_on():
    follower = follow("R40")
    assert told(follower.hear(table("R40 B20", B20="B20 0.6 B10 0.4"))) == ["question B20/B10"]
    lines = follower.hear(table("R40 B20/R4", 8))
    assert told(lines) == ["placed B20 turn 2 player 1", "placed R4 turn 3 player 2"]


def test_doubts_about_several_tiles_are_carried_along():
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4", "R4": "R4 0.6 R6 0.4", "Y30": "Y30 0.9 Y20 0.1"}
    for number, text in enumerate(BASE[1:]):
        lines = follower.hear(table(text, number, **unsure))
        # The first is asked about, and not over and over.
        assert told(lines) == ([] if number else ["question B20/B10"])
    lines = follower.hear(table(BASE[-1], 9))
    assert [line.tile.code for line in lines if isinstance(line, TilePlaced)] == ["B20", "R4", "Y30"]
    assert follower.game.turn == 4


def test_what_is_certain_of_an_explanation_is_told_at_once():
    follower = follow(*BASE[:3], "R40 B20 R20/R4 -", "R40 B20 R20/R4 Y2")
    lines = follower.hear(table("R40 Y2 Y6/R4 -", Y6="Y6 0.5 Y4 0.5"))
    assert told(lines) == ["collapse turn 5 player 1", "fall turn 5 player 1", "question Y6/Y4"]


def test_what_hangs_on_an_unsure_tile_is_not_announced():
    follower = follow("R40", "R40 B20")
    lines = follower.hear(table("R40 B20/G60", G60="G60 0.5 B2 0.5"))
    assert told(lines) == ["question G60/B2"]


def test_a_tile_that_stays_unreadable_is_set_aside():
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4"}
    follower.hear(table("R40 B20", 10.0, **unsure))
    assert follower.hear(table("R40 B20", 10.0 + PATIENCE_S, **unsure)) == []
    assert told(follower.hear(table("R40 B20", 10.5 + PATIENCE_S, **unsure))) == ["notice"]
    # The game goes on. R60 is too heavy for R40 and B10, and not for R40 and B20: no verdict.
    lines = follower.hear(table("R40 B20/R60", 60.0, **unsure))
    assert told(lines) == ["placed R60 turn 3 player 2"]
    # When the tile can be read, after another was told, it is named; what hangs on it is told.
    lines = follower.hear(table("R40 B20/R60", 70.0, B20="B10"))
    assert told(lines) == ["notice", "verdict"]
    assert (lines[0].remark, lines[0].row, lines[0].slot, lines[0].tiles) == (
        Remark.READ, 0, 1, (TILES["B10"],),
    )  # fmt: skip
    assert str(follower.game.layout) == "R40 B10/R60"


def test_a_tile_that_was_set_aside_may_come_off_unread():
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4"}
    follower.hear(table("R40 B20", 10.0, **unsure))
    follower.hear(table("R40 B20", 11 + PATIENCE_S, **unsure))
    # A collapse it is, but who can say of what?
    assert told(follower.hear(table("R40 B20/G60", 50.0, **unsure))) == ["placed G60 turn 3 player 2"]
    assert told(follower.hear(table("G60", 60.0))) == ["fall turn 3 player 2"]
    assert follower.game.stocks == (14, 14, 16)
    assert told(follower.hear(table("G60 B10", 70.0))) == ["placed B10 turn 4 player 0"]


def test_a_covered_tile_never_causes_a_call():
    follower = follow("R40")
    assert follower.hear(table("R40 B20", B20="covered")) == []
    assert told(follower.hear(table("R40 B20", 5))) == ["placed B20 turn 2 player 1"]
    assert told(follower.hear(table("R40 B20/R4", 9, B20="covered"))) == ["placed R4 turn 3 player 2"]


def test_a_tile_that_is_read_before_anything_else_happens_is_told_as_placed():
    follower = follow("R40")
    unsure = {"B20": "B20 0.6 B10 0.4"}
    follower.hear(table("R40 B20", 10.0, **unsure))
    assert told(follower.hear(table("R40 B20", 10.5 + PATIENCE_S, **unsure))) == ["notice"]
    assert told(follower.hear(table("R40 B20", 60))) == ["placed B20 turn 2 player 1"]


def test_a_tile_that_stays_covered_is_set_aside_and_named_later():
    follower = follow("R40")
    follower.hear(table("R40 B20", 10, B20="covered"))
    assert told(follower.hear(table("R40 B20", 11 + PATIENCE_S, B20="covered"))) == ["notice"]
    assert told(follower.hear(table("R40 B20/R4", 50, B20="covered"))) == ["placed R4 turn 3 player 2"]
    # Whatever stands for it turns up in a hand.
    stand_in = follower.game.layout.get(0, 1).code
    lines = follower.hear(table(f"R40 B20 {stand_in}/R4 -", 60, B20="covered"))
    assert told(lines) == [f"placed {stand_in} turn 4 player 0"]
    lines = follower.hear(table(f"R40 B20 {stand_in}/R4 -", 70))
    assert lines[0].remark is Remark.READ
    assert follower.game.layout == Layout.parse(f"R40 B20 {stand_in}/R4 -")


def test_a_hidden_table_never_causes_a_call_until_it_stays_hidden():
    follower = follow("R40")
    assert follower.hear(table("R40 B20", 10, hidden=True)) == []
    assert follower.hear(table("-", 12, hidden=True)) == []
    lines = follower.hear(table("R40 B20", 11 + PATIENCE_S, hidden=True))
    assert told(lines) == ["notice", "placed B20 turn 2 player 1"]
    assert lines[0].remark is Remark.COVERED
    assert told(follower.hear(table("R40 B20/R4", 50, hidden=True))) == ["placed R4 turn 3 player 2"]
    assert follower.hear(table("R40 B20/R4", 60)) == []
    assert follower.hear(table("R40 B20", 61, hidden=True)) == []


def test_each_placement_is_told_with_its_own_table_however_late():
    """That of a green 30 was forgotten when an earlier tile became certain (opposite of game-hard)."""
    follower = follow("R40", "R40 B20")
    doubt = {"R4": "R4 0.6 R10 0.39", "Y30": "Y30 0.6 Y20 0.39"}
    follower.hear(table("R40 B20/R4", 20, R4=doubt["R4"]))
    follower.hear(table("R40 B20 Y30/R4 -", 21, **doubt))
    (placed,) = (
        line
        for line in follower.hear(table("R40 B20 Y30/R4 B10", 22, Y30=doubt["Y30"]))
        if not isinstance(line, Asked)
    )
    assert (told([placed]), placed.layout) == (["placed R4 turn 3 player 2"], "R40 B20/R4")
    lines = follower.hear(table("R40 B20 Y30/R4 B10", 23))
    assert told(lines) == ["placed Y30 turn 4 player 0", "placed B10 turn 5 player 1"]
    assert [line.layout for line in lines] == ["R40 B20 Y30/R4 -", "R40 B20 Y30/R4 B10"]


def test_what_the_rules_forbid_is_asked_about_and_not_taken():
    follower = follow(*BASE)
    lines = follower.hear(table("R40 B20/R4", 40))
    assert told(lines) == ["question Y30"]
    assert kind_of(lines[0]) == (QuestionKind.PUT_BACK, "Y30")
    assert lines[0].layout == "R40 B20/R4"
    assert follower.hear(table("R40 B20/R4", 42)) == []
    # Put back, nothing happened.
    assert follower.hear(table(BASE[-1], 44)) == []
    assert told(follower.hear(table("R40 B20 Y30/R4 B10", 46))) == ["placed B10 turn 5 player 1"]


def test_a_tile_where_one_came_off_against_the_rules_is_not_taken_for_that_one():
    follower = follow(*BASE)
    follower.hear(table("R40 B20/R4", 40))
    lines = follower.hear(table("R40 B20 G2 G6/R4 - -", 46))
    assert told(lines) == ["notice", "question G2 G6"]
    assert {line.layout for line in lines} == {"R40 B20 G2 G6/R4 - -"}


def test_time_may_tell_what_is_hidden_or_in_doubt():
    follower = follow(*BASE)
    assert not follower.is_waiting
    follower.hear(table("R40 B20/R4", 40))
    assert follower.is_waiting
    follower.hear(table(BASE[-1], 44))
    assert not follower.is_waiting
    follower.hear(table("R40", 46, hidden=True))
    assert follower.is_waiting


def test_a_tile_in_a_forbidden_place_is_asked_about():
    follower = follow(*BASE)
    lines = follower.hear(table("R40 B20 Y30 B10/R4 - -", 40))
    assert told(lines) == ["question B10"]
    assert kind_of(lines[0]) == (QuestionKind.NO_PLACE, "B10")
    assert told(follower.hear(Answered(41, Reply.AS_IT_LIES))) == ["notice", "placed B10 turn 5 player 1"]
    assert (follower.game.turn, follower.game.active) == (5, 1)
    assert follower.game.stocks == (13, 13, 14)
    lines = follower.hear(table("R40 B20 Y30 B10/R4 B2 -", 50))
    assert told(lines) == ["placed B2 turn 6 player 2"]


def test_a_tile_in_a_forbidden_place_beside_mayhem_is_no_wrong_step():
    follower = follow(*OVERWEIGHT, "R40 B20 Y2/G60 -")
    assert told(follower.hear(table("R40 B20 Y2 Y4/G60 - -", 40))) == ["question Y4"]


def test_tiles_in_forbidden_places_that_are_built_on_were_placed_in_their_order():
    follower = follow("R40", "R40 B20")
    assert told(follower.hear(table("R40 B20 Y30", 20))) == ["question Y30"]
    lines = follower.hear(table("R40 B20 Y30/R4 -", 30))
    assert told(lines) == ["notice", "placed Y30 turn 3 player 2", "placed R4 turn 4 player 0"]
    assert told(follower.hear(table("R40 B20 Y30 G2/R4 - -", 40))) == ["question G2"]
    lines = follower.hear(table("R40 B20 Y30 G2 G4/R4 - - -", 50))
    assert told(lines) == ["notice", "placed G2 turn 5 player 1", "question G4"]
    assert {line.layout for line in lines} == {"R40 B20 Y30 G2 G4/R4 - - -"}


def test_a_left_over_tile_that_cannot_be_told_is_named_by_the_players():
    follower = Follower(2)
    unsure = {"G100": "Y100 0.6 G100 0.39"}
    (line,) = follower.hear(table("G100", 1, **unsure))
    assert (short(announcement_to_dict(line)), follower.game.turn) == ("question Y100/G100", 1)
    (line,) = follower.hear(Answered(2, Reply.TILE, "G100", 0, 0))
    assert (line.remark, line.tiles) == (Remark.BEGINS, (TILES["G100"],))
    assert told(follower.hear(table("R6 G100", 5, **unsure))) == ["placed R6 turn 1 player 0"]


def test_a_left_over_tile_that_cannot_be_told_is_read_later():
    follower = Follower(2)
    follower.hear(table("G100", 1, G100="Y100 0.6 G100 0.39"))
    assert told(follower.hear(table("R6 G100", 5))) == ["notice", "placed R6 turn 1 player 0"]


def test_a_table_that_the_rules_forbid_is_never_taken_because_time_went_by():
    follower = follow(*BASE)
    assert told(follower.hear(table("R40 B20/R4", 40))) == ["question Y30"]
    assert follower.hear(table("R40 B20/R4", 41 + PATIENCE_S)) == []
    assert str(follower.game.layout) == BASE[-1]
    assert told(follower.hear(table("R40 B20 Y30/R4 B10", 100))) == ["placed B10 turn 5 player 1"]


def test_what_is_asked_and_what_lies_can_be_looked_up():
    follower = Follower(3)
    assert (follower.has_begun, follower.question, follower.table) == (True, None, "-")
    assert not Follower(2).has_begun
    follower.hear(table("R40", 1))
    follower.hear(table("R40 B20", 2, B20="B20 0.6 R20 0.39"))
    assert (follower.question.places[0].codes, follower.table) == (("B20", "R20"), "R40 B20")
    assert str(follower.game.layout) == "R40"


def test_people_say_that_the_table_was_put_right():
    follower = follow(*BASE)
    assert told(follower.hear(table("R40 B20/R4", 40))) == ["question Y30"]
    assert follower.hear(Answered(41, Reply.MENDED)) == []
    assert told(follower.hear(table("R40 B20/R4", 42))) == ["question Y30"]


def test_a_forbidden_table_that_is_played_on_is_taken_as_it_lies():
    follower = follow(*BASE)
    follower.hear(table("R40 B20/R4", 40))
    lines = follower.hear(table("R40 B20 G2/R4 -", 46))
    assert told(lines) == ["notice", "placed G2 turn 5 player 1"]
    assert sum(follower.game.stocks) + len(follower.game.layout) == 45


def test_a_tile_that_is_put_back_was_not_placed():
    follower = follow(*BASE)
    follower.hear(table("R40 B20", 40))
    assert told(follower.hear(table("R40 B20/R4", 42))) == ["question Y30"]
    assert follower.hear(table(BASE[-1], 46)) == []
    assert follower.game.turn == 4


def test_a_table_to_which_the_rules_hardly_lead_is_asked_about():
    """Red 7 fell, and blue 7 was put where a tile had just been taken: or nothing of the kind."""
    before = ("R20", "R20 G30", "R20 G30 B2", "R20 G30 B2/R10 -")
    follower = follow(*before, players=6)
    lines = follower.hear(table("R20 B7 R7/R10 -", 40))
    assert told(lines) == ["question B7/G30 R7/B2"]
    assert kind_of(lines[0]) == (QuestionKind.UNLIKELY, "B7 G30 R7 B2")
    assert told(follower.hear(Answered(41, Reply.AS_IT_LIES))) == [
        "placed R7 turn 2 player 1", "collapse turn 2 player 1", "fall turn 2 player 1",
        "placed B7 turn 3 player 2", "verdict",
    ]  # fmt: skip
    follower = follow(*before, players=6)
    follower.hear(table("R20 B7 R7/R10 -", 40))
    assert follower.hear(table(before[-1], 45)) == []


def test_a_correction_that_changes_nothing_says_nothing():
    follower = follow(*OVERWEIGHT)
    corrected = Corrected(30, follower.game.layout, turn=follower.game.turn)
    assert follower.hear(corrected) == []
    assert told(follower.hear(replace(corrected, stocks=(15, 14, 13)))) == ["verdict"]


def test_exchanged_tiles_are_asked_about():
    follower = follow(*BASE)
    lines = follower.hear(table("Y30 B20 R40/R4 -"))
    assert told(lines) == ["question Y30/R40 R40/Y30"]
    assert kind_of(lines[0]) == (QuestionKind.MOVE_BACK, "Y30 R40")


def test_a_tile_of_which_nothing_fits_is_asked_about():
    follower = follow("R40")
    lines = follower.hear(table("R40 B20", B20="R40 0.9"))
    assert told(lines) == ["question "]
    assert follower.hear(table("R40 B20", 3, B20="R40 0.9")) == []
    assert told(follower.hear(Answered(4, Reply.TILE, "B20", 0, 1))) == ["placed B20 turn 2 player 1"]


def test_a_tile_that_came_off_unseen_is_asked_about():
    follower = follow("R40", "R40 B20")
    assert follower.hear(table("-", 30)) == []
    lines = follower.hear(table("-", 36))
    assert told(lines) == ["question R7/B7"]
    lines = follower.hear(answer_to(lines[0], "B7").at(37))
    assert told(lines) == ["placed B7 turn 3 player 2", "fire turn 3 player 2"]


def test_tiles_that_are_soon_seen_again_had_not_burnt():
    """A hand lay over them, and what could be seen of one looked like another (film 391108)."""
    half = {"M200": "B20 0.82 M200 0.07 B2 0.04 Y20 0.03"}
    follower = follow("G10", "M200 G10")
    assert told(follower.hear(table("M200", 30, **half))) == []
    assert told(follower.hear(table("M200 G10", 32))) == []
    assert told(follower.hear(table("M200 G10/G30", 40))) == ["placed G30 turn 3 player 2"]
    follower = follow("G10", "M200 G10")
    assert told(follower.hear(table("M200", 30, **half))) == []
    assert told(follower.hear(table("M200", 36, **half))) == ["question R7/B7"]  # it lies there still
    follower = follow("R2", players=2)  # and over the only one (film 408079)
    assert told(follower.hear(table("-", 30))) == []
    assert told(follower.hear(table("R2 Y100", 32))) == ["placed Y100 turn 1 player 0"]


def test_a_tile_that_lies_there_unseen_can_be_told():
    """It was not one of those that came off unseen, of which was asked."""
    options = Options(curse=True, fire_die=FireDie.NEWER)
    before = ("B60", "B60 G4", "B60 G4 Y20", "B60 G4 Y20/- G20", "B60 G4 Y20/B20 G20")
    follower = follow(*before, players=5, options=options)
    assert follower.hear(table("B60 G4 Y20", 54)) == []  # perhaps a hand lies there
    assert told(follower.hear(table("B60 G4 Y20", 60))) == ["question R20/B7"]
    lines = follower.hear(Answered(61, Reply.TILE, "R120", 2, 0))
    assert told(lines) == ["placed R120 turn 6 player 0", "collapse turn 6 player 0", "verdict"]
    assert told(follower.hear(table("B60 G4 Y20/- R120", 70))) == ["fall turn 6 player 0", "verdict"]


def test_two_placements_whose_order_nobody_saw_are_asked_about():
    follower = follow("R40 B20 Y30", players=6)
    (asked,) = follower.hear(table("R40 B20 Y30/R4 B10", 9))
    assert kind_of(asked)[0] is QuestionKind.UNLIKELY  # two tiles in one turn, perhaps
    assert told(follower.hear(Answered(10, Reply.AS_IT_LIES))) == ["question R4 B10"]
    lines = follower.hear(Answered(11, Reply.TILE, "B10", 1, 1))
    assert told(lines) == ["placed B10 turn 1 player 0", "placed R4 turn 2 player 1"]


def test_an_order_that_nobody_tells_stays_untold():
    follower = follow("R40 B20 Y30", players=6)
    follower.hear(table("R40 B20 Y30/R4 B10", 9))
    follower.hear(Answered(9.5, Reply.AS_IT_LIES))
    (line,) = follower.hear(table("R40 B20 Y30/R4 B10", 10 + PATIENCE_S))
    assert line.remark is Remark.UNCLEAR
    assert follower.game.stocks == (6, 6, 7, 7, 7, 7)
    lines = follower.hear(table("R40 B20 Y30/R4 B10/R2", 60))
    assert told(lines) == ["placed R2 turn 3 player 2"]


def test_where_a_fire_was_put_out_wrongly_the_die_was_rolled():
    """Red 20 was forgotten, and the next player builds on."""
    base = "R120 R100 G120 B6/R6 R20 G2/G6 "
    follower = follow(base + "-", players=4, options=Options(fire_die=FireDie.NEWER))
    assert told(follower.hear(table(base + "R7", 10)))[-1] == "verdict"
    assert told(follower.hear(table("R120 R100 G120 -/- R20 -/- R7", 20))) == ["wrong-step"]
    lines = told(follower.hear(table("R120 R100 G120 -/Y30 R20 -/- R7", 30)))
    assert [line.split()[0] for line in lines] == ["placed", "missed"]


@pytest.mark.parametrize(
    ("roll", "step", "stocks"), [(4, "fire", (14, 14, 16)), (5, "explosion", (14, 14, 14))]
)
def test_rolls_that_leave_the_same_table_are_asked_about(roll, step, stocks):
    follower = follow("R40", "R40 B20", options=Options(fire_die=FireDie.OLDER))
    follower.hear(table("R40 B20/B7", 30))
    # 4: what burns goes to player 2. 5: it leaves the game with B7.
    (line,) = follower.hear(table("-", 40))
    assert kind_of(line) == (QuestionKind.ROLL, "")
    assert [answer.roll for answer in line.question.answers] == [4, 5, None]
    lines = follower.hear(Answered(41, Reply.ROLL, roll=roll))
    assert told(lines) == ["die turn 3 player 2", f"{step} turn 3 player 2"]
    assert follower.game.stocks == stocks


def test_a_roll_that_nobody_can_see_is_told():
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    assert follower.hear(Answered(30, Reply.ROLL, roll=1)) == []  # to be seen
    assert told(follower.hear(Answered(31, Reply.ROLL, roll=6))) == ["die turn 3 player 2"]
    assert follower.hear(Answered(32, Reply.ROLL, roll=6)) == []
    assert follower.game.is_stable


@pytest.mark.parametrize(
    ("answer", "said"), [("Y4", ["die", "fire", "placed", "verdict"]), ("R2", [])], ids=["new", "known"]
)
def test_a_tile_in_the_place_of_one_that_may_have_burnt_is_asked_about(answer, said):
    follower = follow("R120", "Y1 R120", "Y1 R120/R2", options=Options(fire_die=FireDie.NEWER))
    lines = follower.hear(table("Y1 R120/Y4", 40))
    assert told(lines) == ["question R2/Y4"]
    lines = follower.hear(Answered(41, Reply.TILE, answer, 1, 0))
    assert [line.split()[0] for line in told(lines)] == said


def test_tables_that_differ_in_several_places_are_not_asked_about_one_by_one():
    tables = [Layout.parse("R40 B20"), Layout.parse("Y2 Y4")]
    question = ask_which([(tables[0], ()), (tables[1], (Step(),))], 0)
    assert (question.kind, question.places) == (QuestionKind.UNCLEAR, ())


def test_the_end():
    follower = follow("R40", players=3)
    follower.hear(Corrected(1, Layout.parse("R40"), (30, 1, 13)))
    assert told(follower.hear(table("R40 B20", 5))) == ["placed B20 turn 2 player 1", "end 1"]
    assert follower.hear(table("R40 B20/R4", 9)) == []


def test_nobody_plays_on_when_the_game_has_ended():
    follower = follow("R40")
    follower.hear(Corrected(1, Layout.parse("R40"), (30, 1, 13)))
    assert told(follower.hear(table("R40 B20/R4", 5)))[0].startswith("question")
    assert follower.game.winner is None


def test_the_end_of_the_strategy_variant_waits_for_the_ok():
    follower = follow("R40", variant=Variant.STRATEGY)
    follower.hear(Corrected(1, Layout.parse("R40"), (30, 1, 13)))
    assert told(follower.hear(table("R40 B20", 5))) == ["placed B20 turn 2 player 1"]
    assert told(follower.hear(Answered(6, Reply.OK))) == ["end 1"]


def test_a_tile_of_a_player_who_has_none_is_taken_from_the_fullest_stock():
    follower = follow("R40")
    follower.hear(Corrected(1, Layout.parse("R40"), (20, 0, 24)))
    (line,) = follower.hear(table("R40 B20", 5))
    assert kind_of(line) == (QuestionKind.UNCLEAR, "")
    assert told(follower.hear(Answered(6, Reply.AS_IT_LIES)))[0] == "notice"
    assert follower.game.stocks == (20, 0, 23)


def test_a_tile_beside_a_misread_one_was_placed_if_what_follows_has_no_other_reason():
    """It waited for the other one to be read better, which was taken off meanwhile."""
    follower = follow("R40", "R40 B20")
    assert follower.hear(table("R40 B20/R4", 30, B20="B10 0.9 B20 0.05")) == []
    assert told(follower.hear(table("R40 -/R4", 35))) == ["placed R4 turn 3 player 2", "question B20"]
