"""What people correct, and notices. Rule 5."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.errors import RefereeError
from referee.formats.announcement_json import announcement_to_dict
from referee.rules.game import Variant
from referee.rules.layout import Layout
from referee.rules.options import FireDie, Options
from referee.rules.tiles import TILES
from referee.tracking.announcements import Remark
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Corrected, Noticed, Reply
from referee.tracking.questions import QuestionKind
from referee.tracking.state import PATIENCE_S
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


def test_a_correction_to_which_the_rules_lead_is_the_step():
    """Who puts right the drawing after a collapse says that it was carried out."""
    follower = follow(*OVERWEIGHT)
    collapsed = Corrected(50, Layout.parse("- -/G60"), (14, 14, 16), (), turn=3)
    assert told(follower.hear(collapsed)) == ["collapse turn 3 player 2"]
    assert told(follower.hear(table("G60", 60))) == ["fall turn 3 player 2"]
    follower = follow(*OVERWEIGHT)
    assert told(follower.hear(replace(collapsed, stocks=(15, 14, 15)))) == ["verdict"]


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


def test_a_correction_of_the_turn_announces_no_placement():
    follower = follow("R40", "R40 B20")
    assert told(follower.hear(Corrected(30, Layout.parse("R40 B20 G4"), turn=7))) == []
    assert (follower.game.turn, str(follower.game.layout)) == (7, "R40 B20 G4")


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


@pytest.mark.parametrize("heard", [Reply.OK, Reply.AS_IT_LIES])
def test_nobody_says_ok_to_a_tile_that_is_in_doubt(heard):
    follower = follow("R40", variant=Variant.STRATEGY)
    follower.hear(table("R40 B20", 5, B20="B20 0.6 B10 0.4"))
    lines = follower.hear(Answered(6, heard))
    assert told(lines) == ([] if heard is Reply.OK else ["notice"])
    assert (follower.question is not None) is (heard is Reply.OK)


def test_nobody_says_ok_to_a_step_done_wrongly_nor_when_the_game_is_over():
    follower = follow(*OVERWEIGHT, "R40 -/G60")
    assert follower.hear(Answered(40, Reply.OK)) == []
    assert follower.game.missed_since is None
    follower = follow("R40")
    follower.hear(Corrected(1, Layout.parse("R40"), (30, 1, 13)))
    assert told(follower.hear(table("R40 B20", 5)))[-1] == "end 1"
    assert follower.hear(Answered(6, Reply.OK)) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, []),
        ({"turn": 6}, ["verdict"]),
        ({"layout": Layout.parse("R40 B20/Y60"), "stocks": (14, 14, 14)}, ["verdict"]),
        ({"stocks": (15, 14, 13)}, ["verdict"]),
        ({"stocks": (14, 14, 13), "out": (TILES["Y1"],)}, ["verdict"]),
        ({"stocks": (14, 14, 14), "out": ()}, []),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_corrected_counts_where_it_is_not_known_so(changed, said):
    follower = follow(*OVERWEIGHT)
    known = Corrected(30, follower.game.layout, turn=follower.game.turn)
    assert told(follower.hear(replace(known, **changed))) == said
    for name, value in changed.items():
        assert getattr(follower.game, name) == value


@pytest.mark.parametrize("before", ["doubt", "wrong", "forbidden", "unread"])
def test_a_correction_to_what_is_known_ends_what_is_open(before):
    follower = follow(*OVERWEIGHT[:2])
    known = Corrected(99, follower.game.layout, follower.game.stocks, (), follower.game.turn)
    unsure = {"R4": "R4 0.6 R6 0.39"}
    if before == "doubt":
        follower.hear(table("R40 B20/R4", 30, **unsure))
    elif before == "wrong":
        follower.hear(table("R40 B20/G60", 30))
        known = Corrected(99, follower.game.layout, follower.game.stocks, (), follower.game.turn)
        follower.hear(table("R40 -/G60", 32))
    elif before == "forbidden":
        follower.hear(table("R40", 30))
    else:
        follower.hear(table("R40 B20/R4", 30, **unsure))
        follower.hear(table("R40 B20/R4", 31 + PATIENCE_S, **unsure))
        known = Corrected(99, follower.game.layout, follower.game.stocks, (), follower.game.turn)
    assert told(follower.hear(known)) == (["verdict"] if before == "wrong" else [])
    assert (follower.question, follower.is_waiting) == (None, False)
    assert follower.table == str(known.layout)
    assert follower.hear(table(str(known.layout), 100)) == []
    assert (follower.game.layout, follower.game.stocks) == (known.layout, known.stocks)


def test_a_correction_may_begin_a_game():
    follower = Follower(2)
    follower.hear(table("Y6", 1, Y6="Y6 0.6 Y4 0.39"))
    follower.hear(
        Corrected(2, follower.game.layout, follower.game.stocks, follower.game.out, follower.game.turn)
    )
    assert follower.has_begun


def test_an_answer_needs_a_row_and_a_slot_to_be_about_a_place():
    for row, slot in ((None, 0), (0, None)):
        follower = follow("R40")
        assert follower.hear(Answered(5, Reply.TILE, "B20", row, slot)) == []
        assert str(follower.game.layout) == "R40"


def test_a_left_over_tile_that_lies_there_already_is_no_answer():
    follower = Follower(6)
    follower.hear(table("Y6 Y4"))
    assert follower.hear(Answered(1, Reply.TILE, "Y4")) == []
    assert not follower.has_begun


def test_an_answer_is_about_the_table_wherever_it_lies():
    """The reader's slots begin anywhere; those of a question begin with the leftmost tile."""
    follower = follow("R40")
    seen = table("R40 B20", 5, B20="B20 0.6 B10 0.39")
    follower.hear(replace(seen, tiles=tuple(replace(tile, slot=tile.slot + 3) for tile in seen.tiles)))
    assert told(follower.hear(Answered(6, Reply.TILE, "G60", 0, 1))) == ["placed G60 turn 2 player 1"]
    assert str(follower.game.layout) == "R40 G60"


def test_a_correction_that_places_several_tiles_tells_none_of_them():
    """Nobody knows their order."""
    follower = follow("R40", "R40 B20")
    assert follower.hear(Corrected(30, Layout.parse("R40 B20 Y2 Y4"))) == []
    assert follower.game.turn == 4


def test_a_correction_that_places_a_tile_in_the_same_turn_tells_no_placement():
    follower = follow("R40", "R40 B20")
    assert follower.hear(Corrected(30, Layout.parse("R40 B20 Y2"), (14, 14, 14), (), turn=2)) == []
    assert follower.game.turn == 2


def test_what_is_out_can_be_corrected_alone():
    follower = follow("R40", "R40 B20")
    follower.hear(Corrected(30, Layout.parse("R40"), None, (TILES["B20"],)))
    assert (follower.game.out, follower.game.stocks) == ((TILES["B20"],), (14, 14, 15))
    with pytest.raises(RefereeError, match="wrong-total"):
        follower.hear(Corrected(31, Layout.parse("R40"), None, (), follower.game.turn))


def test_that_nobody_rolled_is_no_news_while_the_die_is_awaited():
    follower = follow("R40", "R40 B20", "R40 B20/B7", options=Options(fire_die=FireDie.NEWER))
    for roll in (None, 0):
        assert follower.hear(Answered(30, Reply.ROLL, roll=roll)) == []
    assert told(follower.hear(Answered(31, Reply.ROLL, roll=6))) == ["die turn 3 player 2"]


def test_whose_turn_it_is_is_asked_where_people_name_what_lies_in_the_place_of_others():
    """Two tiles went and two came that nobody could read: they were not misread, so turns went unseen."""
    follower = follow("R40", "R40 B20")
    unread = table("Y30 G60", 40, Y30="Y30 0.6 G30 0.3", G60="G60 0.4 B60 0.3 Y60 0.2")
    assert told(follower.hear(unread)) == []
    renamed = Corrected(41, Layout.parse("Y30 B20"), (14, 14, 15), ())
    follower.hear(renamed)
    assert follower.question is not None
    assert follower.question.kind is QuestionKind.PLACED_LAST
    assert told(follower.hear(Answered(42, Reply.PLAYER, player=0))) == []
    assert (follower.game.turn, follower.game.active) == (4, 0)
    # Of the others it is known by then that they lie there since.
    assert told(follower.hear(replace(renamed, time_s=43, layout=Layout.parse("Y30 G60")))) == []


def test_a_tile_that_is_misread_still_was_not_replaced_where_people_rename_it():
    follower = follow("R40", "R40 B20")
    assert told(follower.hear(Corrected(40, Layout.parse("R60 B20"), (14, 14, 15), ()))) == []
    assert (follower.game.turn, follower.game.layout) == (2, Layout.parse("R60 B20"))


def test_whose_turn_it_is_is_not_asked_where_people_say_that_the_known_tiles_lie_there():
    follower = follow("R40", "R40 B20")
    follower.hear(table("Y30 G60", 40, Y30="Y30 0.6 G30 0.3", G60="G60 0.4 B60 0.3 Y60 0.2"))
    assert told(follower.hear(Corrected(41, Layout.parse("R40 B20"), (13, 15, 15), ()))) == []
    assert (follower.question, follower.game.stocks) == (None, (13, 15, 15))
